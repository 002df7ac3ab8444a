"""Requests are lost, repeated and reordered, answers are lost after the commit: nothing is lost, nothing doubled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from experiments.models import Study
from participants.models import EventBatch, IntakeProblem, Participant, Response, Session
from participants.sealing import digest
from tests.faults.network import OutboxBrowser
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db


def stored(browser: OutboxBrowser) -> dict[int, str]:
    responses = Response.objects.filter(trial__session__start_key_hash=digest(browser.start_key))
    return dict(responses.values_list("trial__position", "content_hash"))


@pytest.mark.parametrize("seed", range(8))
def test_every_acknowledged_result_is_stored_once_with_its_hash(seed: int, sound: Callable[[Study], None]) -> None:
    study = open_study()
    browser = OutboxBrowser(study, seed=seed)
    browser.begin()
    for trial in browser.trials:
        browser.answer(trial["position"])
        if browser.rng.random() < 0.4:
            browser.flush()
    browser.flush()
    answer = browser.deliver(browser.complete).json()
    assert answer["complete"]
    assert browser.ledger == browser.sent_hashes == stored(browser)
    assert Participant.objects.count() == Session.objects.count() == 1
    assert not IntakeProblem.objects.exists()
    sound(study)


def test_event_batches_that_come_before_and_after_their_result_are_all_there(sound: Callable[[Study], None]) -> None:
    study = open_study()
    browser = OutboxBrowser(study, seed=77)
    browser.begin()
    for trial in browser.trials:
        browser.answer(trial["position"])
    announced = sum(entry["kind"] == "events" for entry in browser.pending)
    browser.flush()
    assert announced > 0
    assert EventBatch.objects.count() == announced
    sound(study)


@pytest.mark.parametrize("seed", range(3))
def test_two_devices_that_take_turns_lose_nothing_and_keep_contradictions(
    seed: int, sound: Callable[[Study], None]
) -> None:
    study = open_study()
    first = OutboxBrowser(study, seed=seed, recruitment={"PROLIFIC_PID": "one-person"})
    second = OutboxBrowser(study, seed=seed + 100, recruitment={"PROLIFIC_PID": "one-person"})
    first.begin()
    first.answer(0)
    first.answer(1)
    first.flush()
    first.answer(2)  # still unsent when the person goes on at another computer
    assert second.resume().status_code == 200
    assert second.open().status_code == 423
    opened = second.open(take_over=True).json()
    assert opened["answered"] == [0, 1]
    for position in range(2, len(second.trials)):
        second.answer(position)
    second.flush()
    late = first.send(*first.pending)
    assert late.json()["lease"] is False
    statuses = {result["status"] for result in late.json()["results"] if result["kind"] == "result"}
    assert statuses <= {"conflict", "duplicate"}
    assert stored(first) == {**first.ledger, **second.ledger}
    kept = [problem.entry for problem in IntakeProblem.objects.filter(kind="conflict", sequence=2)]
    result = next(entry for entry in first.pending if entry["kind"] == "result")
    assert (result in kept) == (statuses == {"conflict"})
    assert second.complete().json()["complete"]
    assert Session.objects.count() == 1
    sound(study)
