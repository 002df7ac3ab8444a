"""A hundred people of two age bands come at once: no band takes one more than its quota, whoever asks twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from threading import Barrier, Semaphore, Thread

import pytest
from django.db import connections
from django.utils import timezone

from experiments.models import Study
from participants.models import Session
from participants.session.assignment import criteria_counts_by_group, valid_sessions
from tests.participants.source_studies import study_with_sources
from tests.participants.studies import Browser, result_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("load")]

PEOPLE, SERVED_AT_A_TIME, QUOTA = 100, 16, 20
CRITERIA = [
    {"name": "younger", "quota": QUOTA, "when": [{"question": "age", "operator": "below", "value": 30}]},
    {"name": "older", "quota": QUOTA, "when": [{"question": "age", "operator": "at-least", "value": 30}]},
]


def test_no_band_takes_one_more_than_its_quota_and_the_lists_stay_balanced(sound: Callable[[Study], None]) -> None:
    study = study_with_sources(criteria=CRITERIA)
    ages = random.Random(1).choices([20, 40], k=PEOPLE)
    gate, door = Barrier(PEOPLE), Semaphore(SERVED_AT_A_TIME)
    wrong: list[str] = []
    outcomes: list[tuple[int, str]] = []

    def person(number: int) -> None:
        browser = Browser(study, seed=number, recruitment={"PROLIFIC_PID": f"p-{number}"})
        gate.wait()
        with door:
            try:
                answers = [browser.start(), browser.open()]
                told = {**result_for(browser.trials[0]), "payload": {"answers": {"age": ages[number]}}}
                answers += [browser.send(told), *(browser.post("session/advance/", {}) for _twice in range(2))]
                wrong.extend(str(answer.content) for answer in answers if answer.status_code not in (200, 201))
                first, second = (answer.json() for answer in answers[-2:])
                if first != second:
                    wrong.append("asking twice gave something else")
                outcomes.append((ages[number], first["outcome"]))
            finally:
                connections.close_all()

    threads = [Thread(target=person, args=(number,)) for number in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    number = Counter(ages)
    assert Counter(outcomes) == {
        (20, ""): QUOTA, (20, "over-quota"): number[20] - QUOTA,
        (40, ""): QUOTA, (40, "over-quota"): number[40] - QUOTA,
    }  # fmt: skip
    met = criteria_counts_by_group(study, simulated=False, now=timezone.now())
    assert met == {("younger", ""): QUOTA, ("older", ""): QUOTA}
    lists = Counter(valid_sessions(study, simulated=False, now=timezone.now()).values_list("list", flat=True))
    assert set(lists.values()) == {QUOTA}
    assert Session.objects.filter(outcome="over-quota", assigned_at__isnull=False).count() == 0
    sound(study)
