"""Hooks by the API: the secret is given once and stored sealed; switching, testing and replaying is as on the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from config.accounts.models import KeptAnswer
from experiments.models import AuditEntry, Membership, Study
from experiments.study.lifecycle import pause, resume
from participants.hooks.storing import store_some
from participants.models import Hook, HookEvent
from tests.api.conftest import Program, token_of

pytestmark = pytest.mark.django_db
AT = "studies/small-study/hooks/"
NEW = {"address": "https://lab.example.org/lectern?key=K3", "events": ["study.paused", "session.completed"]}
KEY = {"Idempotency_Key": "one-hook"}


def stored_texts() -> str:
    """Return every text of the tables of hooks and of kept answers."""
    tables = [model._meta.db_table for model in (Hook, HookEvent, KeptAnswer, AuditEntry)]
    with connection.cursor() as cursor:
        found = []
        for table in tables:
            cursor.execute(f"SELECT * FROM {table}")
            found.append(str(cursor.fetchall()))
    return "".join(found)


def test_the_secret_is_given_once_and_is_in_no_table(study: Study, program: Program) -> None:
    made = program.post(AT, NEW, **KEY)
    assert made.status_code == 201, made.content
    secret = made.json()["secret"]
    assert secret == Hook.objects.get().secret
    assert len(secret) > 40
    address = made["Location"].partition("/api/v1/")[2]
    assert address == f"{AT}{made.json()['id']}/"
    for shown in (program.get(AT), program.get(address)):
        assert shown.status_code == 200
        assert secret not in shown.content.decode()
    # The same request again, because its answer was lost on the way.
    again = program.post(AT, NEW, **KEY)
    assert again.content == made.content
    assert again["Idempotency-Replayed"] == "true"
    assert Hook.objects.count() == 1
    rotated = program.post(f"{address}secret/").json()["secret"]
    assert rotated != secret
    assert rotated == Hook.objects.get().secret
    assert secret not in stored_texts()
    assert rotated not in stored_texts()
    # Receivers' addresses may hold secrets: the history names the host alone.
    assert "K3" not in str(list(AuditEntry.objects.values_list("detail", flat=True)))


def test_an_answer_that_the_version_before_kept_is_given_again(study: Study, program: Program) -> None:
    made = program.post(AT, NEW, **KEY)
    KeptAnswer.objects.update(body=made.content.decode())
    assert program.post(AT, NEW, **KEY).content == made.content
    KeptAnswer.objects.update(body="sealed with another key")
    lost = program.post(AT, NEW, **KEY)
    assert (lost.status_code, lost.json()["code"]) == (422, "other-request")
    assert Hook.objects.count() == 1


def test_events_are_chosen_switched_sent_and_sent_again(study: Study, program: Program) -> None:
    made = program.post(AT, NEW).json()
    address = f"{AT}{made['id']}/"
    assert program.ask("PATCH", address, {"is_active": False}).status_code == 428
    off = program.change("PATCH", address, {"is_active": False, "events": ["study.resumed"]}).json()
    assert (off["is_active"], off["events"]) == (False, ["study.resumed"])
    assert program.post(f"{address}test/").json()["code"] == "refused"
    assert program.change("PATCH", address, {"is_active": True}).json()["is_active"] is True
    pause(study, None)
    resume(study, None)
    store_some()
    assert program.post(f"{address}test/").status_code == 202
    deliveries = program.get(f"{address}deliveries/").json()["items"]
    assert [one["event"] for one in deliveries] == ["test", "study.resumed"]
    assert program.get(address).json()["waiting"] == 2
    assert program.post(f"{address}replay/").json() == {"events": 0}
    Hook.objects.get().events.filter(kind="study.resumed").update(state="given-up", attempts=12)
    Hook.objects.get().events.filter(kind="test").update(state="sent")
    assert program.get(address).json()["given_up"] == 1
    given_up = program.get(f"{address}deliveries/?state=given-up").json()["items"]
    assert [one["delivery"] for one in given_up] == [deliveries[1]["delivery"]]
    assert program.post(f"{address}replay/", {"delivery": deliveries[0]["delivery"]}).json() == {"events": 1}
    assert program.post(f"{address}replay/").json() == {"events": 1}
    assert program.get(address).json()["waiting"] == 2
    assert program.change("DELETE", address, None).status_code == 204
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**NEW, "address": "http://lab.example.org/"}, 422),
        ({**NEW, "address": "https://127.0.0.1/"}, 422),
        ({**NEW, "address": "https://localhost/"}, 422),
        ({**NEW, "address": "lab"}, 422),
        ({**NEW, "events": []}, 422),
        ({**NEW, "events": ["test"]}, 422),
        ({**NEW, "secret": "mine"}, 422),
        ({"address": NEW["address"]}, 422),
    ],
)
def test_what_cannot_be_added_stores_nothing(study: Study, program: Program, body: Any, status: int) -> None:
    answer = program.post(AT, body)
    assert answer.status_code == status, answer.content
    assert answer.json()["faults"]
    assert not Hook.objects.exists()


def test_what_a_study_has_already_and_one_too_many_are_refused(
    study: Study, program: Program, monkeypatch: Any
) -> None:
    monkeypatch.setattr("participants.hooks.managing.MOST_HOOKS", 2)
    assert program.post(AT, NEW).status_code == 201
    assert program.post(AT, NEW).status_code == 409
    assert program.post(AT, {**NEW, "address": "https://lab.example.org/"}).status_code == 201
    assert program.post(AT, {**NEW, "address": "https://lab.example.org/3"}).status_code == 409
    assert Hook.objects.count() == 2


def test_viewers_and_tokens_that_may_not_read_data(
    study: Study, program: Program, new_program: Any, django_user_model: Any, owner: Any
) -> None:
    made = program.post(AT, NEW).json()
    viewer = django_user_model.objects.create_user("vera", is_staff=True)
    Membership.objects.create(study=study, user=viewer, role="viewer")
    for path in (AT, f"{AT}{made['id']}/", f"{AT}{made['id']}/deliveries/"):
        assert Program(token_of(viewer)).get(path).json()["code"] == "not-allowed"
        assert new_program(f"bea-{len(path)}").get(path).status_code == 404
    without = Program(token_of(owner, ["read", "write"]))
    assert without.post(AT, {**NEW, "address": "https://lab.example.org/"}).json()["code"] == "lacks-scope"
    assert without.get(f"{AT}{made['id']}/deliveries/").json()["code"] == "lacks-scope"


@pytest.mark.parametrize("hook", ["0", "99999999999999999999", "one", "1e3", "é"])
def test_a_hook_that_is_not_there(study: Study, program: Program, hook: str) -> None:
    other = program.post(AT, NEW).json()
    assert program.get(f"{AT}{hook}/").status_code == 404
    assert program.post(f"{AT}{other['id']}/replay/", {"delivery": hook}).status_code == 422
