"""Two hundred people press Start at once, and every one of them twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Barrier, Semaphore, Thread

import pytest
from django.db import connections

from experiments.models import Study
from participants.models import Participant, Session
from tests.participants.studies import Browser, open_study
from tests.selection import only_in_full

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("load")]

PEOPLE = 200
# So many requests are served at a time; all others wait before the server's door.
SERVED_AT_A_TIME = 24


def start_together(study: Study, people: int) -> Counter[int]:
    """Let people start in threads of their own, with double clicks; return answers by status."""
    gate, door = Barrier(people), Semaphore(SERVED_AT_A_TIME)
    statuses: Counter[int] = Counter()

    def person(number: int) -> None:
        browser, twin = Browser(study, seed=number), Browser(study, seed=number)
        gate.wait()
        for clicked in (browser, twin):
            with door:
                try:
                    statuses[clicked.start().status_code] += 1
                finally:
                    connections.close_all()

    threads = [Thread(target=person, args=(number,)) for number in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@pytest.mark.parametrize(
    "lists", [8, *(only_in_full("lists that are uneven for this number of them alone", n) for n in (4, 12))]
)
def test_lists_are_filled_exactly(lists: int, sound: Callable[[Study], None]) -> None:
    study = open_study(items=lists, conditions=lists, fillers=0)
    people = PEOPLE - PEOPLE % lists
    statuses = start_together(study, people)
    assert statuses == {201: people, 200: people}
    assert Session.objects.count() == Participant.objects.count() == people
    counts = Counter(Session.objects.values_list("list", flat=True))
    assert max(counts.values()) - min(counts.values()) == 0
    assert len(counts) == lists
    sound(study)


def test_the_quota_is_reached_and_not_exceeded(sound: Callable[[Study], None]) -> None:
    study = open_study(quota=50)
    statuses = start_together(study, 100)
    assert statuses == {201: 50, 200: 50, 409: 100}
    assert Session.objects.count() == 50
    sound(study)


def test_one_recruitment_id_pressed_in_many_windows_is_one_session(sound: Callable[[Study], None]) -> None:
    study = open_study()
    gate = Barrier(20)
    statuses: Counter[int] = Counter()

    def window(number: int) -> None:
        browser = Browser(study, seed=number, recruitment={"PROLIFIC_PID": "one-person"})
        gate.wait()
        try:
            statuses[browser.start().status_code] += 1
        finally:
            connections.close_all()

    threads = [Thread(target=window, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == {201: 1, 409: 19}, "an id alone opens nothing, however close the windows come to the first one"
    assert Session.objects.count() == 1
    sound(study)


def test_a_withdrawal_while_results_arrive_leaves_nothing(sound: Callable[[Study], None]) -> None:
    from participants.erasure.withdrawal import withdraw
    from participants.models import EventBatch, Response, Tombstone, Trial

    study = open_study()
    browser = Browser(study)
    browser.start()
    browser.open()
    gate = Barrier(2)
    statuses: list[int] = []

    def keep_sending() -> None:
        gate.wait()
        try:
            for trial in browser.trials * 3:
                statuses.append(browser.send(browser.result(trial["position"])).status_code)
        finally:
            connections.close_all()

    sender = Thread(target=keep_sending)
    sender.start()
    gate.wait()
    withdraw(Participant.objects.get(), by_participant=True)
    sender.join()
    assert set(statuses) <= {200, 404}
    assert statuses[-1] == 404
    assert not any(model.objects.exists() for model in (Participant, Session, Trial, Response, EventBatch))
    assert Tombstone.objects.count() == 1
    sound(study)
