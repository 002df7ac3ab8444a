"""Presses before the onset of what they would answer are counted: by region, by trial and by session, and checked."""

from __future__ import annotations

import random
from typing import Any

import pytest

from experiments.paradigms import BUILT_IN, paradigm_named
from experiments.paradigms.base import EARLY_PRESSES_TOTAL, FEW_EARLY_PRESSES, PRESSED_EARLY, ShownStimulus
from experiments.rules.exclusion_rules import rules_for
from experiments.rules.plan import measure_names

QUESTION = {"question": "Who barked?", "choices": "the dog | the cat", "answer": "the dog"}
ANSWER = {"choice": 0, "rt_ms": 812.5}


def trial(slug, settings, **extra):
    paradigm = paradigm_named(slug)
    shown = [ShownStimulus(1, "The dog barked.", extra=extra, item="i1")]
    (plan,) = paradigm.timeline(shown, paradigm.complete_settings(settings), random.Random(1))
    return paradigm, plan


def faults(paradigm, plan, payload):
    serializer = paradigm.responses[plan.plugin](data=payload, context={"params": plan.params})
    return "" if serializer.is_valid() else str(serializer.errors)


def maze():
    paradigm, plan = trial("maze", {}, distractors="x-x-x sum formed.", **QUESTION)
    pairs = [
        {"onset_ms": 600.0 * place, "tries": [{"ms": 600.0 * place + 500, "side": side, "input": "key"}]}
        for place, side in enumerate(plan.params["sides"])
    ]
    return paradigm, plan, {"pairs": pairs, "frame_interval_ms": 16.7, "message_ms": None, "question": ANSWER}


def reading(window="moving"):
    paradigm, plan = trial("self-paced-reading", {"window": window}, **QUESTION)
    payload = {"first_key_ms": 500.0, "frame_interval_ms": 16.7, "touches": 0, "question": ANSWER}
    if window == "rsvp":
        shown = [{"shown_ms": 300.0 * at, "gone_ms": 300.0 * at + 300} for at in range(3)]
        return (
            paradigm,
            plan,
            {**payload, "displays": [{**one, "dropped_frames": 0, "doubtful": False} for one in shown]},
        )
    return paradigm, plan, {**payload, "presses": [0.0, 300.0, 600.0, 900.0], "onsets": [12.0, 312.0, 612.0]}


def counted_maze():
    paradigm, plan, payload = maze()
    pairs = [{**pair, "early": early} for pair, early in zip(payload["pairs"], (0, 2, 1), strict=True)]
    return paradigm, plan, {**payload, "pairs": pairs, "question": {**ANSWER, "early": 4}}


def counted_reading():
    paradigm, plan, payload = reading()
    return paradigm, plan, {**payload, "early": [3, 0, 2, 1], "question": {**ANSWER, "early": 1}}


@pytest.mark.parametrize("counted", [counted_maze, counted_reading])
def test_they_are_counted_by_region_by_trial_and_by_session(counted):
    paradigm, plan, payload = counted()
    params = {**plan.params, **plan.private}
    assert faults(paradigm, plan, payload) == ""
    assert [row["early_presses"] for row in paradigm.long_rows("regions", params, payload, [])] == [0, 2, 1]
    assert paradigm.measure(params, payload, [])["early_presses"] == 7
    assert paradigm.quality([(plan.plugin, params, payload)])["early_presses_total"] == 7


@pytest.mark.parametrize("make", [maze, reading, lambda: reading("rsvp")])
def test_what_was_sent_before_they_were_counted_is_accepted_and_has_no_count(make):
    paradigm, plan, payload = make()
    params = {**plan.params, **plan.private}
    assert faults(paradigm, plan, payload) == ""
    assert {row["early_presses"] for row in paradigm.long_rows("regions", params, payload, [])} == {None}
    assert "early_presses" not in paradigm.measure(params, payload, [])
    assert paradigm.quality([(plan.plugin, params, payload)])["early_presses_total"] is None


def test_regions_that_come_by_themselves_wait_for_one_press():
    paradigm, plan, payload = reading("rsvp")
    payload = {**payload, "early": [2]}
    assert faults(paradigm, plan, payload) == ""
    assert paradigm.measure({**plan.params, **plan.private}, payload, [])["early_presses"] == 2
    assert "one count for each press: 1" in faults(paradigm, plan, {**payload, "early": [2, 0]})


@pytest.mark.parametrize("early", [[0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, -1], [0, 0, 0, "1"], [0, 0, 0, 1.5], 2])
def test_counts_of_regions_are_checked(early):
    paradigm, plan, payload = reading()
    assert "early" in faults(paradigm, plan, {**payload, "early": early})


@pytest.mark.parametrize("early", [-1, "1", 1.5, True, [1]])
def test_counts_of_pairs_and_questions_are_checked(early):
    paradigm, plan, payload = maze()
    pairs = [{**payload["pairs"][0], "early": early}, *payload["pairs"][1:]]
    assert "early" in faults(paradigm, plan, {**payload, "pairs": pairs})
    assert "early" in faults(paradigm, plan, {**payload, "question": {**ANSWER, "early": early}})


def test_ratings_count_them_by_page():
    rating = paradigm_named("rating")
    field: Any = rating.responses["rating"]().fields["early"]
    assert (field.required, field.min_value) == (False, 0)
    params = {"kind": "target", "questions": [], "texts": ["A text."], "active": 0}
    payload = {"ratings": {}, "early": 2}
    assert rating.measure(params, payload, [])["early_presses"] == 2
    assert rating.quality([("rating", params, payload)])["early_presses_total"] == 2


def test_comparisons_count_them_by_page():
    comparison = paradigm_named("comparison")
    params = {"kind": "target", "task": "pair", "conditions": [], "options": [{}, {}], "own_place": 0}
    payload = {"ranks": [1, 2], "answer_ms": 900.0, "changes": 0, "layout": "beside", "early": 1}
    assert comparison.measure(params, payload, [])["early_presses"] == 1
    assert comparison.quality([("comparison", params, payload)])["early_presses_total"] == 1


COUNTED = {"comparison", "maze", "rating", "self-paced-reading", "timed-choice"}


@pytest.mark.parametrize("paradigm", BUILT_IN, ids=lambda paradigm: paradigm.slug)
def test_what_is_counted_by_session_is_counted_by_trial_flagged_and_has_rules(paradigm):
    settings = paradigm.complete_settings({})
    names = measure_names(paradigm, settings)
    assert (EARLY_PRESSES_TOTAL in names) == ("early_presses" in names) == (paradigm.slug in COUNTED)
    slugs = {rule.slug for rule in rules_for(names)}
    assert slugs >= {"early-presses", "early-press-trial"} or paradigm.slug not in COUNTED
    few, many = ({**paradigm.quality([]), EARLY_PRESSES_TOTAL: FEW_EARLY_PRESSES + more} for more in (0, 1))
    assert PRESSED_EARLY not in paradigm.session_flags(few, settings)
    assert (PRESSED_EARLY in paradigm.session_flags(many, settings)) or paradigm.slug not in COUNTED
    assert paradigm.has_quality_flags or paradigm.slug not in COUNTED
