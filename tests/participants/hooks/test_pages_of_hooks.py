"""The pages of hooks: for those who may edit the study alone, with the secret shown once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from experiments.models import AuditEntry, Membership, Study
from participants.hooks import managing
from participants.models import Hook, HookEvent
from tests.participants.studies import open_study

ADDRESS = "https://lab.example.org/in?token=abc"


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


def client_of(study: Study, role: str, users: Any) -> Client:
    user = users.objects.create_user(role, is_staff=True)
    if role != "stranger":
        Membership.objects.create(study=study, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def test_a_hook_from_the_empty_page_to_its_deletion(study: Study, django_user_model: Any) -> None:
    client = client_of(study, "editor", django_user_model)
    page = f"/admin/studies/{study.slug}/watch/hooks/"
    assert "No hook yet" in client.get(page).content.decode()
    added = client.post(page, {"address": ADDRESS, "kinds": ["study.closed", "session.completed"]})
    hook = Hook.objects.get()
    assert hook.secret in added.content.decode()
    assert "no-store" in added.headers["Cache-Control"]
    of_hook = f"{page}{hook.pk}/"
    for address in (page, of_hook):
        shown = client.get(address).content.decode()
        assert ADDRESS in shown
        assert hook.secret not in shown
    assert hook.secret not in hook.secret_sealed
    client.post(of_hook, {"action": "test"})
    client.post(of_hook, {"action": "choose", "kinds": ["study.opened"]})
    assert "A test" in client.get(of_hook).content.decode()
    HookEvent.objects.update(state="given-up", status=500, answer="<script>")
    shown = client.get(of_hook).content.decode()
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown.partition("Deliveries")[2].partition("Secret and deletion")[0]
    client.post(of_hook, {"action": "replay", "event": str(HookEvent.objects.get().pk)})
    assert HookEvent.objects.get().state == "waiting"
    assert "Make a new secret?" in client.get(f"{of_hook}secret/").content.decode()
    rotated = client.post(f"{of_hook}secret/").content.decode()
    newer = Hook.objects.get()
    assert newer.secret in rotated
    assert newer.previous_secret == hook.secret
    client.post(of_hook, {"action": "off"})
    assert not Hook.objects.get().is_active
    client.post(of_hook, {"action": "test"})
    assert HookEvent.objects.count() == 1
    client.post(of_hook, {"action": "on"})
    assert "1 event that waits" in client.get(f"{of_hook}delete/").content.decode()
    client.post(f"{of_hook}delete/")
    assert not Hook.objects.exists()
    assert not HookEvent.objects.exists()
    entries = AuditEntry.objects.filter(study=study, action__startswith="hook").order_by("pk")
    assert [entry.action for entry in entries] == [
        "hook added", "hook changed", "hook events sent again", "hook got a new secret", "hook switched off",
        "hook switched on", "hook deleted",
    ]  # fmt: skip
    assert all(entry.detail.startswith("lab.example.org") and "abc" not in entry.detail for entry in entries)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"address": "http://lab.example.org/", "kinds": ["test"]}, "begin with https://"),
        ({"address": "https://10.0.0.1/", "kinds": ["study.closed"]}, "inside this network"),
        ({"address": "https://[::ffff:127.0.0.1]/", "kinds": ["study.closed"]}, "inside this network"),
        ({"address": "https://localhost/", "kinds": ["study.closed"]}, "inside this network"),
        ({"address": ADDRESS}, "Choose at least one kind"),
        ({"address": ADDRESS, "kinds": ["answers"]}, "answers"),
        ({}, "field-faulty"),
    ],
)
def test_what_cannot_be_a_hook_is_refused_with_a_sentence(
    study: Study, django_user_model: Any, given: dict[str, Any], said: str
) -> None:
    client = client_of(study, "editor", django_user_model)
    answer = client.post(f"/admin/studies/{study.slug}/watch/hooks/", given)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Hook.objects.exists()


def test_an_address_is_taken_once_and_a_study_has_ten_hooks(study: Study, django_user_model: Any) -> None:
    client = client_of(study, "editor", django_user_model)
    page = f"/admin/studies/{study.slug}/watch/hooks/"
    for number in range(managing.MOST_HOOKS):
        for _pressed_twice in range(2):
            client.post(page, {"address": f"https://lab.example.org/{number}", "kinds": ["study.closed"]})
    assert Hook.objects.count() == managing.MOST_HOOKS
    answer = client.post(page, {"address": ADDRESS, "kinds": ["study.closed"]})
    assert answer.status_code == 422
    assert "Delete one to add another" in answer.content.decode()


@pytest.mark.parametrize("role", ["viewer", "data", "coder", "stranger"])
def test_nobody_else_sees_hooks(study: Study, django_user_model: Any, role: str) -> None:
    hook = managing.add_hook(study, address=ADDRESS, kinds=["study.closed"], user=None)
    before = Hook.objects.values().get()
    client = client_of(study, role, django_user_model)
    page = f"/admin/studies/{study.slug}/watch/hooks/"
    for address in (page, f"{page}{hook.pk}/", f"{page}{hook.pk}/secret/", f"{page}{hook.pk}/delete/"):
        assert client.get(address).status_code == 404
        assert client.post(address, {"action": "off"}).status_code in (403, 404)
    assert Hook.objects.values().get() == before


def test_a_hook_of_another_study_is_not_there(study: Study, django_user_model: Any) -> None:
    foreign = managing.add_hook(open_study("another"), address=ADDRESS, kinds=["study.closed"], user=None)
    client = client_of(study, "owner", django_user_model)
    page = f"/admin/studies/{study.slug}/watch/hooks/{foreign.pk}/"
    assert [client.get(page + name).status_code for name in ("", "secret/", "delete/")] == [404] * 3
    assert client.post(page, {"action": "off"}).status_code in (403, 404)
    assert Hook.objects.get().is_active
