"""Pages of the history and of people: what somebody may see of it, and nothing of what they may not."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from experiments.models import AuditEntry, Membership, Study
from experiments.study.audit import record, record_of_platform
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("owner", is_staff=True)


@pytest.fixture
def study(owner: Any) -> Study:
    study = make_study("first", owner=owner)
    record(study, action="opened", user=owner, detail="version: 1 → 2")
    return study


def shown(user: Any, address: str, status: int = 200) -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def test_a_study_shows_its_history_and_that_of_no_other(study: Study, owner: Any, django_user_model: Any) -> None:
    other = make_study("second", owner=django_user_model.objects.create_user("other", is_staff=True))
    record(other, action="closed", user=other.owner, detail="a secret")
    page = shown(owner, "/admin/studies/first/history/")
    assert "Opened" in page
    assert "version: 1 → 2" in page
    assert "a secret" not in page
    shown(other.owner, "/admin/studies/first/history/", 404)


def test_everybody_sees_the_history_of_their_studies_and_administrators_that_of_accounts(
    study: Study, owner: Any, django_user_model: Any
) -> None:
    record_of_platform(action="logged in", user=owner, detail="owner")
    viewer = django_user_model.objects.create_user("viewer", is_staff=True)
    assert "version: 1" not in shown(viewer, "/admin/history/")
    Membership.objects.create(study=study, user=viewer, role="viewer")
    assert "version: 1" in shown(viewer, "/admin/history/")
    assert "Logged in" not in shown(viewer, "/admin/history/")
    chief = django_user_model.objects.create_user("chief", is_staff=True, is_superuser=True)
    assert "Logged in" in shown(chief, "/admin/history/")


def test_the_history_is_narrowed_by_action_and_words(study: Study, owner: Any) -> None:
    record(study, action="closed", user=owner, detail="for the summer")
    page = shown(owner, "/admin/studies/first/history/?action=closed")
    assert "for the summer" in page
    assert "version: 1" not in page
    assert "version: 1" not in shown(owner, "/admin/studies/first/history/?q=summer")
    assert "No entry matches" in shown(owner, "/admin/studies/first/history/?q=winter")


def test_an_entry_of_a_deleted_study_keeps_its_address(study: Study, django_user_model: Any) -> None:
    AuditEntry.objects.filter(study=study).update(study=None)
    chief = django_user_model.objects.create_user("chief", is_staff=True, is_superuser=True)
    assert "first" in shown(chief, "/admin/history/")


def test_people_are_shown_to_administrators_alone(owner: Any, django_user_model: Any) -> None:
    shown(owner, "/admin/people/", 403)
    chief = django_user_model.objects.create_user("chief", is_staff=True, is_superuser=True)
    django_user_model.objects.create_user("gone", is_staff=True, is_active=False)
    page = shown(chief, "/admin/people/")
    assert "makes studies" in page
    assert "cannot log in" in page
    assert "gone" in page
    assert "gone" not in shown(chief, "/admin/people/?state=open")


def test_no_raw_list_is_left_in_the_menu(django_user_model: Any) -> None:
    chief = django_user_model.objects.create_user("chief", is_staff=True, is_superuser=True)
    page = shown(chief, "/admin/studies/")
    assert "/admin/history/" in page
    assert "/admin/people/" in page
    for raw in ("participants/session", "participants/response", "experiments/auditentry", "auth/user/"):
        assert f"/admin/{raw}" not in page
