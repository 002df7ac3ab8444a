"""The headphones check: when it is asked for, which answers it takes, and what is measured."""

from __future__ import annotations

import random
from collections import Counter
from math import comb
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces.headphones import HEADPHONES_CHECK
from experiments.paradigms.pieces.media import measured_media, simulated_sound_check, sound_check_trials
from participants.intake.payloads import payload_faults

BOTH = {"sound": "once", "sound_check": True, "headphones_check": True}
PARADIGMS_WITH_SOUND = [paradigm_named(slug) for slug in ("rating", "magnitude-estimation")]


def check():
    return sound_check_trials(BOTH, random.Random(3))[-1]


def place_of(tone, orders):
    return [order.index(tone) for order in orders]


def faults(chosen):
    plan = check()
    return payload_faults(
        PARADIGMS_WITH_SOUND[0], plugin=plan.plugin, params=plan.params, private={}, payload={"chosen": chosen}
    )


@pytest.mark.parametrize(
    ("settings", "plugins"),
    [
        (BOTH, ["sound-check", "headphones-check"]),
        ({**BOTH, "headphones_check": False}, ["sound-check"]),
        ({**BOTH, "sound_check": False}, ["headphones-check"]),
        ({**BOTH, "sound": "none"}, []),
        # Of a study that was made before there was such a check.
        ({"sound": "once", "sound_check": True}, ["sound-check"]),
    ],
)
def test_it_comes_after_the_sound_check_where_there_are_sounds(settings, plugins):
    assert [plan.plugin for plan in sound_check_trials(settings, random.Random(1))] == plugins


def test_the_sound_check_is_the_same_with_and_without_it():
    alone = sound_check_trials({**BOTH, "headphones_check": False}, random.Random(5))
    assert sound_check_trials(BOTH, random.Random(5))[0] == alone[0]


def test_every_order_of_the_three_tones_comes_once_in_a_round():
    first, second = check().params["rounds"]
    assert first != second
    for orders in (first, second):
        assert len(set(map(tuple, orders))) == len(orders) == 6
        assert Counter(place_of("quiet", orders)) == {0: 2, 1: 2, 2: 2}


def test_five_of_six_are_enough_and_the_last_round_counts():
    first, second = check().params["rounds"]
    right, fooled = place_of("quiet", first), place_of("turned", first)
    one_wrong = [fooled[0], *right[1:]]
    assert faults([right]) == faults([one_wrong]) == []
    assert measured_media(check().params, {"chosen": [one_wrong]}) == {
        "headphones_right": 5,
        "headphones_passed": True,
        "headphones_rounds": 1,
    }
    two_wrong = [*fooled[:2], *right[2:]]
    assert "goes on after too many wrong answers" in " ".join(faults([two_wrong]))
    for tone, n_right in (("quiet", 6), ("turned", 0)):
        chosen = [two_wrong, place_of(tone, second)]
        assert faults(chosen) == []
        assert measured_media(check().params, {"chosen": chosen}) == {
            "headphones_right": n_right,
            "headphones_passed": n_right == 6,
            "headphones_rounds": 2,
        }
    assert "ends with the first round that is passed" in " ".join(faults([right, place_of("quiet", second)]))


def test_whoever_hears_nothing_goes_on_without_answers_and_has_not_passed():
    def refused(payload):
        plan = check()
        return payload_faults(
            PARADIGMS_WITH_SOUND[0], plugin=plan.plugin, params=plan.params, private={}, payload=payload
        )

    payload = {"chosen": [], "unplayed": True}
    assert refused(payload) == []
    assert measured_media(check().params, payload) == {
        "headphones_right": None,
        "headphones_passed": False,
        "headphones_rounds": 0,
    }
    right = [place_of("quiet", check().params["rounds"][0])]
    assert refused({"chosen": right, "unplayed": False}) == []
    for other in ({"chosen": right, "unplayed": True}, {"chosen": [], "unplayed": False}):
        assert "unless the browser played nothing" in " ".join(refused(other))


def test_guessing_passes_one_round_in_57_and_two_rounds_in_29():
    one = sum(comb(6, right) * 2 ** (6 - right) for right in (5, 6)) / 3**6
    assert round(100 * one, 1) == 1.8
    assert round(100 * (1 - (1 - one) ** 2), 1) == 3.5


@pytest.mark.parametrize("chosen", [[], [[]], [[0, 1]], [[0, 1, 2, 3, 0, 1]], [[0] * 7], [["0"] * 6], [[0] * 6] * 3])
def test_answers_that_are_not_those_of_a_round_are_refused(chosen):
    assert faults(chosen)


@pytest.mark.parametrize("paradigm", PARADIGMS_WITH_SOUND, ids=lambda paradigm: paradigm.slug)
def test_its_measures_are_columns_where_it_is_asked_for_and_simulated_people_answer_it(paradigm):
    def columns(settings):
        return [measure.name for measure in paradigm.measures_of(settings)]

    own = ["headphones_right", "headphones_passed", "headphones_rounds"]
    assert columns(BOTH) == [*columns({**BOTH, "headphones_check": False}), *own]
    assert paradigm.settings_form.base_fields["headphones_check"].initial is False
    passed = set()
    for seed in range(40):
        mind = paradigm.virtual_participant(random.Random(seed), BOTH)
        plan = check()
        payload = mind.respond(HEADPHONES_CHECK, plan.params, levels={}, item="", carried={})
        assert faults(payload["chosen"]) == []
        assert mind.response_ms(HEADPHONES_CHECK, payload) > 0
        found = paradigm.measure(plan.params, payload, [])
        assert set(found) >= set(own)
        passed.add(found["headphones_passed"])
    assert passed == {True, False}


def test_simulated_people_do_not_hear_what_they_are_not_played():
    tones = sound_check_trials({**BOTH, "headphones_check": False}, random.Random(1))[0]
    assert "heard" in simulated_sound_check(tones.params, random.Random(1))


def test_a_sound_check_that_played_nothing_is_taken_and_not_passed():
    plan = sound_check_trials(BOTH, random.Random(3))[0]
    given = {"heard": [0] * len(plan.params["tones"]), "plays": 0, "passed": False}
    taken: dict[str, Any] = {"plugin": plan.plugin, "params": plan.params, "private": {}}
    assert not payload_faults(PARADIGMS_WITH_SOUND[0], **taken, payload=given)
    assert measured_media(plan.params, given) == {"sound_check_passed": False, "sound_check_tries": 3}
