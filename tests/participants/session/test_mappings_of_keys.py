"""Mapping of keys to answers is balanced within every list, also when people drop out."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from experiments.models import Study
from participants.models import Session
from participants.session.variants import with_variant
from tests.participants.choice_studies import open_choice_study
from tests.participants.studies import Browser


def started(study: Study, number: int) -> Session:
    assert Browser(study, seed=number).start().status_code == 201
    return Session.objects.latest("pk")


def mappings(study: Study, of: int) -> Counter[tuple[int | None, int]]:
    held = Session.objects.filter(study=study, last_seen_at__gt=timezone.now() - timedelta(hours=3))
    return Counter((session.list_id, session.seed % of) for session in held)


@pytest.mark.parametrize(("answers", "of"), [("no | f\nyes | j", 2), ("a | d\nb | g\nc | k", 3)])
def test_every_list_has_every_mapping_equally_often(db: None, answers: str, of: int) -> None:
    study = open_choice_study(answers=answers, scored=False)
    for number in range(4 * of):
        started(study, number)
        by_list: dict[int | None, list[int]] = {}
        for (list_id, mapping), count in mappings(study, of).items():
            by_list.setdefault(list_id, [0] * of)[mapping] = count
        assert all(max(counts) - min(counts) <= 1 for counts in by_list.values())
    assert set(mappings(study, of).values()) == {2}


def test_whoever_drops_out_gives_the_mapping_back(db: None) -> None:
    study = open_choice_study()
    sessions = [started(study, number) for number in range(8)]
    chance = random.Random(3)
    gone = chance.sample(sessions, 3)
    Session.objects.filter(pk__in=[session.pk for session in gone]).update(
        last_seen_at=timezone.now() - timedelta(hours=4)
    )
    for number in range(8, 11):
        started(study, number)
    assert set(mappings(study, 2).values()) == {2}


def test_the_trials_of_a_session_have_its_mapping(db: None) -> None:
    study = open_choice_study()
    for number in range(4):
        browser = Browser(study, seed=number)
        browser.start()
        browser.open()
        trials = [trial for trial in browser.trials if trial["plugin"] == "timed-choice"]
        session = Session.objects.latest("pk")
        assert {trial["params"]["mapping"] for trial in trials} == {session.seed % 2 + 1}
        first = {tuple(answer["name"] for answer in trial["params"]["answers"]) for trial in trials}
        assert first == {("nonword", "word") if session.seed % 2 == 0 else ("word", "nonword")}


def test_a_fixed_mapping_leaves_seeds_alone(db: None) -> None:
    study = open_choice_study(mapping="fixed")
    names = set()
    for number in range(4):
        browser = Browser(study, seed=number)
        browser.start()
        browser.open()
        names |= {
            tuple(answer["name"] for answer in trial["params"]["answers"])
            for trial in browser.trials
            if trial["plugin"] == "timed-choice"
        }
    assert names == {("nonword", "word")}


@given(st.integers(0, 2**63 - 1), st.integers(2, 4), st.data())
def test_a_seed_with_a_variant_is_near_and_can_be_stored(seed: int, variants: int, data: st.DataObject) -> None:
    variant = data.draw(st.integers(0, variants - 1))
    found = with_variant(seed, variant, variants=variants)
    assert found % variants == variant
    assert 0 <= found < 2**63
    assert abs(found - seed) < variants
