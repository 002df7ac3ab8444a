"""Each event is stored once and delivered at least once, in order and signed; the document's receiver has it once."""

from __future__ import annotations

import json
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from analysis.models import AnalysisRun, SequentialLook
from experiments.models import AuditEntry, Study
from experiments.study.lifecycle import close_study, create_study, delete_draft, pause, resume
from participants.erasure.whole_studies import erase_all
from participants.erasure.withdrawal import withdraw
from participants.hooks import managing, sending
from participants.hooks.sending import send_some, signature, signed
from participants.hooks.storing import store_some
from participants.models import Hook, HookEvent, Participant, RecruitmentIdentity, Session
from tests.participants.hooks.receivers import (
    answering,
    failing_half_of_the_time,
    of_the_document,
    receiving,
    stored,
)
from tests.participants.studies import Browser, open_study

ALL = [kind for kind, _label in managing.CHOICES]
ADDRESS = "https://lab.example.org/in"
SEALED = "5f3c2a9be1d04c0011223344"


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


@pytest.fixture(autouse=True)
def _own_machine(settings: Any) -> None:
    settings.HOOKS_MAY_REACH_PRIVATE_ADDRESSES = True


def hook_of(study: Study, address: str = ADDRESS, kinds: list[str] | None = None) -> Hook:
    return managing.add_hook(study, address=address, kinds=ALL if kinds is None else kinds, user=None)


def events(hook: Hook, **conditions: Any) -> list[str]:
    return list(hook.events.filter(**conditions).values_list("kind", flat=True))


def end_a_session(study: Study, *, seed: int = 1, outcome: str = "completed") -> Session:
    Browser(study, seed=seed).start()
    session = Session.objects.filter(study=study).latest("pk")
    session.status = Session.Status.COMPLETE if outcome == "completed" else Session.Status.ENDED
    session.outcome, session.finished_at = outcome, timezone.now()
    session.save()
    return session


def happen(study: Study, times: int) -> None:
    for _time in range(times):
        pause(study, None)
        resume(study, None)


def test_what_happens_is_stored_once_without_answers_and_ids(study: Study) -> None:
    end_a_session(study)
    pause(study, None)
    hook = hook_of(study)
    store_some()
    assert events(hook) == []
    resume(study, None)
    session = end_a_session(study, seed=2)
    RecruitmentIdentity.objects.create(  # type: ignore[misc]  # a property seals the id
        study=study, participant=session.participant, source="PROLIFIC_PID", external_id=SEALED
    )
    end_a_session(study, seed=3, outcome="screened-out")
    SequentialLook.objects.create(
        study=study, number=1, people=8, share=0.5, spent=0.01, boundary=2.5, level=0.01, p=0.001, decision="found"
    )
    AnalysisRun.objects.create(
        study=study, method="rm-anova", status="done", finished_at=timezone.now(), report='{"p": 0.04}'
    )
    Study.objects.filter(pk=study.pk).update(quota=1)
    AuditEntry.objects.create(study=study, study_slug=study.slug, action="settings changed")
    for _again in range(3):
        store_some()
    assert sorted(events(hook)) == sorted(["session.completed"] * 2 + ["study.resumed", "look.due", "run.finished"])
    sent = [json.loads(event.body) for event in hook.events.all()]
    assert all(set(one) == {"id", "kind", "study", "at", "data"} and one["study"] == study.slug for one in sent)
    fields: dict[str, set[str]] = {kind: set() for kind in events(hook)}
    for one in sent:
        fields[one["kind"]] |= set(one["data"])
    assert fields == {
        "session.completed": {"participant", "outcome", "source_kind"},
        "study.resumed": {"version"},
        "look.due": {"look", "people"},
        "run.finished": {"run", "method", "table", "task", "status"},
    }
    people = [one["data"] for one in sent if one["kind"] == "session.completed"]
    assert [one["outcome"] for one in people] == ["completed", "screened-out"]
    assert people[0]["participant"] == session.participant.pseudonym
    everything = "".join(hook.events.values_list("body", flat=True))
    identity = RecruitmentIdentity.objects.get()
    for secret in (SEALED, identity.external_id_hash, identity.external_id_sealed, session.token_hash, session.token):
        assert secret not in everything


def test_a_session_that_ended_twice_a_quota_and_erasures_are_told(study: Study) -> None:
    hook = hook_of(study, kinds=["session.completed", "quota.reached", "participants.erased"])
    Study.objects.filter(pk=study.pk).update(quota=2)
    gone = end_a_session(study, outcome="dropped-out")
    store_some()
    Session.objects.filter(pk=gone.pk).update(outcome="completed", status="complete")
    end_a_session(study, seed=2)
    store_some()
    store_some()
    assert sorted(events(hook)) == ["quota.reached"] + ["session.completed"] * 3
    withdraw(gone.participant, by_participant=True)
    assert gone.participant.pseudonym not in "".join(hook.events.values_list("body", flat=True))
    store_some()
    close_study(study, None)
    erase_all(study, user=None)
    store_some()
    assert not Participant.objects.exists()
    assert sorted(events(hook)) == ["participants.erased"] * 2 + ["quota.reached"]


def test_kinds_that_are_chosen_later_and_times_when_it_was_off_are_no_news(study: Study) -> None:
    hook = hook_of(study, kinds=["study.paused"])
    happen(study, 1)
    managing.choose_kinds(hook, ["study.paused", "study.resumed"], user=None)
    store_some()
    assert events(hook) == ["study.paused"]
    managing.switch(hook, on=False, user=None)
    happen(study, 1)
    store_some()
    managing.switch(hook, on=True, user=None)
    store_some()
    assert events(hook) == ["study.paused"]
    happen(study, 1)
    store_some()
    assert events(hook) == ["study.paused", "study.paused", "study.resumed"]


def test_events_arrive_in_order_signed_and_a_rotated_secret_signs_for_a_day(study: Study) -> None:
    is_genuine = of_the_document()["is_genuine"]
    with receiving(answering(204)) as received:
        hook = hook_of(study, received.address, ["study.paused", "study.resumed"])
        happen(study, 2)
        store_some()
        send_some()
        assert [headers["Lectern-Event"] for headers, _body in received.requests] == [
            "study.paused", "study.resumed", "study.paused", "study.resumed",
        ]  # fmt: skip
        for headers, body in received.requests:
            assert json.loads(body)["id"] == headers["Lectern-Delivery"]
            assert is_genuine(hook.secret, headers["Lectern-Signature"], body)
            assert not is_genuine(hook.secret, headers["Lectern-Signature"], body + b" ")
            assert not is_genuine("another", headers["Lectern-Signature"], body)
        newer = managing.rotate_secret(hook, user=None)
        managing.replay(hook, event=hook.events.first().pk, user=None)
        send_some()
        headers, body = received.requests[-1]
        assert (headers["Lectern-Delivery"], body) == (
            received.requests[0][0]["Lectern-Delivery"],
            received.requests[0][1],
        )
        assert is_genuine(hook.secret, headers["Lectern-Signature"], body)
        assert is_genuine(newer.secret, headers["Lectern-Signature"], body)
    assert events(hook, state="sent") == events(hook)
    Hook.objects.update(both_sign_until=timezone.now() - timedelta(seconds=1))
    assert signature(Hook.objects.get(), b"{}", at=5) == f"t=5,v1={signed(newer.secret, b'{}', at=5)}"
    old = f"t={int(time.time()) - 400},v1={signed(newer.secret, body, at=int(time.time()) - 400)}"
    assert not is_genuine(newer.secret, old, body)


def test_a_failing_event_holds_back_the_next_ones_for_three_days(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(answering(302, headers={"Location": "http://127.0.0.1:1/"}, body=b"Moved\x00")) as received:
        hook = hook_of(study, received.address, ["study.paused", "study.resumed"])
        happen(study, 1)
        store_some()
        send_some()
        send_some()
        event, _later = hook.events.all()
        assert (event.attempts, event.status, event.answer, event.state) == (1, 302, "Moved ", "waiting")
        wait = event.next_attempt_at - timezone.now()
        assert timedelta(seconds=50) < wait < timedelta(seconds=76)
        assert len(received.requests) == 1
        old = timezone.now() - timedelta(days=3)
        hook.events.filter(pk=event.pk).update(queued_at=old, next_attempt_at=old)
        send_some()
        send_some()
        assert list(hook.events.values_list("state", "attempts")) == [("given-up", 2), ("waiting", 1)]
        assert managing.replay(hook, event=None, user=None) == 1
        assert list(hook.events.values_list("state", "attempts")) == [("waiting", 0), ("waiting", 1)]
    assert [sending.wait_after(n) <= timedelta(hours=7.5) for n in (1, 5, 30, 10**6)] == [True] * 4
    assert sending.wait_after(30) >= timedelta(hours=6)


def test_gone_switches_the_hook_off(study: Study) -> None:
    with receiving(answering(410)) as received:
        hook = hook_of(study, received.address)
        managing.send_test(hook)
        send_some()
        send_some()
        assert len(received.requests) == 1
    hook.refresh_from_db()
    assert (hook.is_active, hook.off_because) == (False, "410")
    assert AuditEntry.objects.filter(study=study, action="hook switched off").count() == 1


def test_the_receiver_of_the_document_has_each_event_once_although_half_of_it_fails(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "wait_after", lambda _attempts: timedelta(0))
    hook = hook_of(study, kinds=["study.paused", "study.resumed"])
    with receiving(failing_half_of_the_time(hook.secret, tmp_path / "events", seed=4)) as received:
        Hook.objects.update(address=received.address)
        happen(study, 20)
        store_some()
        for _round in range(400):
            if not events(hook, state="waiting"):
                break
            send_some()
    assert sum(hook.events.values_list("attempts", flat=True)) > 55
    got = stored(tmp_path / "events")
    assert [one for one, _kind, _body in got] == [str(event.delivery) for event in hook.events.all()]
    assert [body for _one, _kind, body in got] == [event.body for event in hook.events.all()]


def test_a_worker_that_dies_between_sending_and_noting_sends_the_same_again(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = sending._note

    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    with receiving(answering(200)) as received:
        hook = hook_of(study, received.address, ["study.paused"])
        happen(study, 1)
        store_some()
        monkeypatch.setattr(sending, "_note", killed)
        with pytest.raises(KeyboardInterrupt):
            send_some()
        monkeypatch.setattr(sending, "_note", note)
        # Killed outright it would have kept its lease, which another worker respects until it expires.
        Hook.objects.update(claimed_by="dead", claimed_until=timezone.now() + timedelta(seconds=30))
        send_some()
        assert len(received.requests) == 1
        Hook.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
        send_some()
    first, second = received.requests
    assert first[1] == second[1]
    assert first[0]["Lectern-Delivery"] == second[0]["Lectern-Delivery"]
    assert events(hook, state="sent") == ["study.paused"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_store_and_send_each_event_once_and_in_order(settings: Any) -> None:
    study = open_study()
    faults: list[BaseException] = []
    with receiving(answering(200)) as received:
        hook = hook_of(study, received.address, ["study.paused", "study.resumed"])
        happen(study, 10)
        together = threading.Barrier(2)

        def work() -> None:
            try:
                together.wait(timeout=20)
                for _round in range(3):
                    store_some()
                    send_some()
            except BaseException as fault:  # noqa: BLE001 - shown by the assertion below
                faults.append(fault)
            finally:
                connection.close()

        workers = [threading.Thread(target=work) for _worker in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(timeout=60)
        send_some()
    assert faults == []
    assert [headers["Lectern-Event"] for headers, _body in received.requests] == ["study.paused", "study.resumed"] * 10
    assert events(hook, state="sent") == ["study.paused", "study.resumed"] * 10


def test_a_deleted_study_sends_its_last_event_and_then_its_hook_goes(db: None, django_user_model: Any) -> None:
    user = django_user_model.objects.create_user("ada", is_staff=True)
    draft = create_study(slug="draft", title="Draft", user=user, paradigm="magnitude-estimation")
    with receiving(answering(200)) as received:
        hook_of(draft, received.address)
        managing.add_hook(draft, address=ADDRESS, kinds=["study.opened"], user=user)
        delete_draft(draft, user)
        store_some()
        assert list(HookEvent.objects.values_list("kind", "state")) == [("study.deleted", "waiting")]
        send_some()
        store_some()
        [(_headers, body)] = received.requests
    assert json.loads(body)["study"] == "draft"
    assert Hook.objects.count() == 0


def test_old_deliveries_go_and_are_not_found_again(study: Study) -> None:
    hook = hook_of(study, kinds=["study.paused", "quota.reached"])
    happen(study, 1)
    Study.objects.filter(pk=study.pk).update(quota=1)
    end_a_session(study)
    store_some()
    long_ago = timezone.now() - timedelta(days=31)
    hook.events.update(state="sent", queued_at=long_ago, created_at=long_ago)
    AuditEntry.objects.update(at=long_ago)
    store_some()
    store_some()
    assert events(hook) == ["quota.reached"]
