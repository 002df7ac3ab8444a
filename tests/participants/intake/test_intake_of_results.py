"""Every result is stored exactly once, and the answer says what became of it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from participants.content import RESULT_FIELDS, content_hash, result_content
from participants.intake import results as intake
from participants.models import EventBatch, IntakeProblem, Participant, Response, Session, Trial
from participants.prepared import insert_under_lock
from tests import needs
from tests.participants.studies import Browser, open_study


def statuses(answer: Any) -> list[str]:
    return [result["status"] for result in answer.json()["results"]]


def test_a_result_is_stored_exactly_as_it_was_sent(browser: Browser) -> None:
    payload = {"typed": " 12,50", "number": 12.5, "modulus_number": None, "first_key_ms": 0.1, "edits": 3}
    entry = browser.result(1, payload={**payload, "refused": ["-1", "é😀"]})
    answer = browser.send(entry)
    assert answer.status_code == 200
    stored = Response.objects.get(trial__position=1)
    assert stored.payload == entry["payload"]
    assert (stored.rt_ms, stored.onset_ms, stored.clock) == (2100.75, 5001.5, "element-timing")
    sent = {name: entry[name] for name in RESULT_FIELDS}
    assert stored.content_hash == answer.json()["results"][0]["hash"] == content_hash(sent)


def test_an_answer_after_a_weekend_is_an_answer(browser: Browser) -> None:
    weekend = 60 * 3_600_000
    answer = browser.send(browser.result(0, rt_ms=weekend, onset_ms=1.0))
    assert answer.json()["results"][0]["status"] == "stored"
    assert Response.objects.get().rt_ms == weekend


def test_an_answer_of_somebody_whose_place_was_free_notes_that_they_came_back_late(browser: Browser) -> None:
    browser.send(browser.result(0))
    assert not Session.objects.get().returned_late
    hours_ago = timezone.now() - timedelta(hours=5)
    Session.objects.update(last_seen_at=hours_ago, lease_until=hours_ago)
    browser.send(browser.result(1))
    assert Session.objects.get().returned_late


def test_the_hash_can_be_made_again_from_what_is_stored(browser: Browser) -> None:
    browser.send(browser.result(0, rt_ms=2000, onset_ms=None, event_batches=2), browser.result(1, number=1e23))
    for stored in Response.objects.all():
        assert stored.content_hash == content_hash({name: getattr(stored, name) for name in RESULT_FIELDS})


def test_the_same_result_again_is_the_same_success(browser: Browser) -> None:
    first, second = browser.send(browser.result(1)), browser.send(browser.result(1))
    assert (statuses(first), statuses(second)) == (["stored"], ["duplicate"])
    assert first.json()["results"][0]["hash"] == second.json()["results"][0]["hash"]
    assert (second.status_code, Response.objects.count(), IntakeProblem.objects.count()) == (200, 1, 0)


def test_the_same_result_twice_in_a_batch_is_stored_once(browser: Browser) -> None:
    assert statuses(browser.send(browser.result(1), browser.result(1))) == ["stored", "duplicate"]
    assert Response.objects.count() == 1


def test_another_result_for_the_same_trial_is_a_conflict_and_both_are_kept(browser: Browser) -> None:
    browser.send(browser.result(1, number=10))
    answer = browser.send(browser.result(1, number=20), browser.result(2))
    assert answer.status_code == 409
    assert statuses(answer) == ["conflict", "stored"]
    assert Response.objects.get(trial__position=1).payload["number"] == 10
    problem = IntakeProblem.objects.get()
    assert (problem.kind, problem.sequence, problem.entry["payload"]["number"]) == ("conflict", 1, 20)
    browser.send(browser.result(1, number=20))
    assert IntakeProblem.objects.count() == 1


def test_a_refused_result_is_kept_and_does_not_hold_back_the_others(browser: Browser) -> None:
    wrong = browser.result(1)
    wrong["payload"]["number"] = 99
    answer = browser.send(wrong, browser.result(2))
    assert answer.status_code == 422
    assert statuses(answer) == ["refused", "stored"]
    assert "number" in answer.json()["results"][0]["message"]
    problem = IntakeProblem.objects.get()
    assert (problem.kind, problem.entry) == ("refused", wrong)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"rt_ms": "12"}, "rt_ms"),
        ({"rt_ms": -1}, "rt_ms"),
        ({"rt_ms": True}, "rt_ms"),
        ({"rt_ms": 1e12}, "rt_ms"),
        ({"onset_ms": "now"}, "onset_ms"),
        ({"clock": "wall"}, "clock"),
        ({"interrupted": 1}, "interrupted"),
        ({"attempts": 0}, "attempts"),
        ({"attempts": 1.5}, "attempts"),
        ({"focus_losses": -1}, "focus_losses"),
        ({"event_batches": 10**9}, "event_batches"),
        ({"payload": []}, "payload"),
        ({"sequence": 999}, "no trial at position 999"),
        ({"sequence": -1}, "sequence"),
        ({"sequence": "1"}, "sequence"),
        ({"sequence": 10**30}, "sequence"),
        ({"kind": "gossip"}, "kind"),
        ({"kind": ["result"]}, "kind"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_each_fault_of_an_entry_is_named(browser: Browser, change: dict[str, Any], word: str) -> None:
    answer = browser.send({**browser.result(1), **change})
    assert answer.status_code == 422
    assert word in answer.json()["results"][0]["message"]
    assert (Response.objects.count(), IntakeProblem.objects.count()) == (0, 1)


@pytest.mark.parametrize("field", ["rt_ms", "clock", "payload", "event_batches"])
def test_a_missing_field_is_named(browser: Browser, field: str) -> None:
    entry = browser.result(1)
    del entry[field]
    assert f"{field} is missing" in browser.send(entry).json()["results"][0]["message"]


@pytest.mark.parametrize("entry", [None, 5, "result", [1, 2], {}])
def test_entries_that_are_no_entries_are_refused_one_by_one(browser: Browser, entry: object) -> None:
    answer = browser.send(entry, browser.result(1))
    assert statuses(answer) == ["refused", "stored"]
    assert answer.json()["results"][0]["sequence"] == -1
    assert IntakeProblem.objects.get().entry == ({} if entry == {} else {"entry": entry})


@pytest.mark.parametrize(
    ("text", "reason"), [("12\u0000", "U+0000"), ("12\ud800", "surrogate")], ids=["nul", "lone surrogate"]
)
def test_characters_that_no_database_holds_are_refused_and_kept_as_visible_text(
    browser: Browser, text: str, reason: str
) -> None:
    entry = browser.result(1)
    entry["payload"]["typed"] = text
    answer = browser.send(entry, browser.result(2))
    assert statuses(answer) == ["refused", "stored"]
    assert reason in answer.json()["results"][0]["message"]
    assert IntakeProblem.objects.get().entry["payload"]["typed"] in {"12\\u0000", "12\\ud800"}


def raw(browser: Browser, body: str | bytes, content_type: str = "application/json") -> Any:
    return browser.client.post(f"/api/studies/{browser.slug}/session/results/", body, content_type=content_type)


def test_infinite_numbers_are_refused(browser: Browser) -> None:
    body = json.dumps({"tab": browser.tab, "entries": [browser.result(1, rt_ms="RT")]}).replace('"RT"', "1e999")
    assert statuses(raw(browser, body)) == ["refused"]


@pytest.mark.parametrize(
    "body",
    [
        "", "[]", "null", "{", '{"entries": 5, "tab": "a"}', '{"entries": []}', '{"entries": [], "tab": ""}',
        '{"entries": [NaN], "tab": "a"}', "[" * 100_000, b"\xff\xfe", '{"entries": [], "tab": "' + "x" * 65 + '"}',
        '{"tab": "a", "entries": [' + ",".join(["{}"] * 501) + "]}",
    ],
    ids=range(12),
)  # fmt: skip
def test_a_malformed_envelope_is_answered_with_400(browser: Browser, body: str | bytes) -> None:
    answer = raw(browser, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert not Response.objects.exists()


def test_only_json_is_accepted(browser: Browser) -> None:
    answer = raw(browser, "tab=a", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["code"]) == (415, "not-json")


def test_a_body_of_more_than_256_kilobytes_is_refused_before_it_is_read(browser: Browser) -> None:
    answer = raw(browser, json.dumps({"tab": "a", "entries": [], "padding": "x" * 262_144}))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_batch_of_60_kilobytes_is_accepted(browser: Browser) -> None:
    events = {"kind": "events", "sequence": 1, "batch": 0, "events": [{"type": "move", "path": "x" * 1000}] * 58}
    assert browser.send(events).status_code == 200


def test_events_are_append_only_batches(browser: Browser) -> None:
    first = {"kind": "events", "sequence": 1, "batch": 0, "events": [{"type": "blur", "at_ms": 3.5}, [1, 2.5, "x"]]}
    assert statuses(browser.send(first, {**first, "batch": 1})) == ["stored", "stored"]
    assert statuses(browser.send(first)) == ["duplicate"]
    assert statuses(browser.send({**first, "events": []})) == ["conflict"]
    assert EventBatch.objects.get(sequence=0).events == first["events"]


def test_a_begun_trial_is_noted_once_and_makes_no_response(browser: Browser) -> None:
    begun = {"kind": "opened", "sequence": 3}
    assert statuses(browser.send(begun)) == ["stored"]
    at = Trial.objects.get(position=3).opened_at
    browser.send(begun)
    assert Trial.objects.get(position=3).opened_at == at is not None
    assert not Response.objects.exists()
    assert browser.open().json()["interrupted"] == [3]


def test_without_a_session_nothing_is_stored(browser: Browser) -> None:
    stranger = Browser(browser.slug, seed=99)
    answer = stranger.send(browser.result(1))
    assert (answer.status_code, answer.json()["code"]) == (404, "no-session")


def test_trouble_of_the_database_is_answered_with_503_and_nothing_is_acknowledged(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    for writes in ("_write", "insert_under_lock"):  # as a full disk would
        monkeypatch.setattr(intake, writes, full)
    answer = browser.send(browser.result(1))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "database-trouble", "5")
    assert "results" not in answer.json()
    monkeypatch.undo()
    assert statuses(browser.send(browser.result(1))) == ["stored"]


def test_a_result_that_cannot_be_read_back_is_not_acknowledged(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "_write", lambda batch, now: None)
    monkeypatch.setattr(intake, "insert_under_lock", lambda *given, **named: [("", None, None)])
    assert browser.send(browser.result(1)).status_code == 503
    assert not Response.objects.exists()


@needs.only_postgresql  # SQLite has one writer at a time
@pytest.mark.parametrize("what", ["the same", "another", "gone", "taken over"])
def test_what_happened_between_judging_and_storing_is_seen_under_the_lock(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    entry = browser.result(1)
    inserted = insert_under_lock

    def overtaken(row: Response, *given: Any, **named: Any) -> list[Any]:
        if what == "gone":
            Participant.objects.all().delete()
        elif what == "taken over":
            Session.objects.update(lease_holder="another tab")
        else:
            content = result_content(entry if what == "the same" else browser.result(1, number=99))
            Response.objects.create(trial_id=row.trial_id, content_hash=content_hash(content), **content)
        return inserted(row, *given, **named)

    monkeypatch.setattr(intake, "insert_under_lock", overtaken)
    answer = browser.send(entry)
    if what == "gone":
        assert (answer.status_code, answer.json()["code"]) == (404, "no-session")
        assert not Response.objects.exists()
        return
    expected = {"the same": "duplicate", "another": "conflict", "taken over": "stored"}
    assert statuses(answer) == [expected[what]]
    assert answer.json()["lease"] is (what != "taken over")
    assert Response.objects.count() == 1


def test_a_complete_session_still_answers_what_is_sent_again(browser: Browser) -> None:
    entries = [browser.result(trial["position"]) for trial in browser.trials]
    browser.send(*entries)
    assert browser.complete().json()["complete"]
    assert set(statuses(browser.send(*entries))) == {"duplicate"}
    assert Session.objects.get().status == Session.Status.COMPLETE


def test_the_number_of_queries_does_not_grow_with_the_batch(db: None) -> None:
    study = open_study(items=12, settings={"break_every": 0})
    browser = Browser(study)
    browser.start()
    browser.open()

    def queries(*positions: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert browser.send(*[browser.result(position) for position in positions]).status_code == 200
        return len(captured)

    one = queries(1)
    assert one <= queries(2, 3, 4) == queries(5, 6, 7, 8, 9)
    # The session, its trial and the result: three round trips to a database server, and no study asked for besides.
    # SQLite asks for the lock, and reads back what it stored; savepoints are those of the test.
    assert one == {"postgresql": 3, "sqlite": 7}[connection.vendor]
