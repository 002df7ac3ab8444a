"""Rules that are stated before a study opens judge sessions and trials without seeing conditions."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import PARADIGMS
from experiments.rules.exclusion_checks import SeenTrial
from experiments.rules.exclusion_rules import BY_SLUG, RULES, described, judge, rule_faults, rules_for
from experiments.rules.plan import measure_names

EVERY_MEASURE = ["rating", *(rule.needs for rule in RULES)]


def trial(position: int = 1, **values: Any) -> SeenTrial:
    given_values = {"rt_ms": 1000.0, "focus_losses": 0, "interrupted": False, "is_target": True} | values
    return SeenTrial(position=position, **given_values)


def stated(slug: str, **limits: float) -> dict[str, Any]:
    return {"rule": slug, **{limit.name: limit.default for limit in BY_SLUG[slug].limits}, **limits}


def rated(*ratings: float) -> list[SeenTrial]:
    return [trial(position, rating=rating) for position, rating in enumerate(ratings)]


def test_every_rule_judges_by_a_measure_that_a_paradigm_has() -> None:
    for rule in RULES:
        having = [paradigm.slug for paradigm in PARADIGMS if rule in rules_for(measure_names(paradigm, {}))]
        assert having, rule.slug
        if rule.slug == "comprehension-accuracy":
            assert set(having) == {"maze", "mouse-contingent-reading", "self-paced-reading"}


@pytest.mark.parametrize("slug", [["fast-trial"], {"a": 1}, None, 3])
def test_a_rule_that_is_no_name_is_a_fault(slug: Any) -> None:
    (fault,) = rule_faults([{"rule": slug}], measures={})
    assert "there is no rule" in fault.message


def test_a_rule_cannot_see_condition_item_or_list() -> None:
    seen = {field.name for field in fields(SeenTrial)}
    of_answers = {"rt_ms", "focus_losses", "interrupted", "out_of_view", "early_presses", "rating", "correct"}
    assert seen == {"position", "task", "is_target", "attention", *of_answers}


@pytest.mark.parametrize(("rule", "trials", "quality"), [
    (stated("zero-variance"), rated(5, 5, 5), {}),
    (stated("few-distinct-values", at_least=3), rated(1, 2, 1), {}),
    (stated("fast-participant", ms=300, share=0.4), [trial(1, rt_ms=299), trial(2)], {}),
    (stated("failed-attention"), [*rated(1, 5, 9), trial(7, is_target=False, attention="high", rating=5)], {}),
    (stated("failed-attention"), [*rated(1, 5, 9), trial(7, is_target=False, attention="low", rating=6)], {}),
    (stated("line-training", at_least=0.8), [], {"line_correlation": 0.79}),
    (stated("arithmetic-accuracy", at_least=0.6), [], {"arithmetic_accuracy": 0.5}),
    (stated("comprehension-accuracy", at_least=0.6), [], {"comprehension": 0.5}),
    (stated("focus-losses", at_most=2), [trial(1, focus_losses=2), trial(2, focus_losses=1)], {}),
])  # fmt: skip
def test_a_session_that_meets_a_rule_is_left_out_with_the_rule_as_reason(
    rule: dict[str, Any], trials: list[SeenTrial], quality: dict[str, Any]
) -> None:
    assert judge([rule], trials, quality).session == f"planned rule: {described(rule)}"


@pytest.mark.parametrize(("rule", "trials", "quality"), [
    (stated("zero-variance"), rated(5, 5, 6), {}),
    (stated("zero-variance"), rated(5), {}),
    (stated("few-distinct-values", at_least=3), rated(1, 2, 3), {}),
    (stated("few-distinct-values", at_least=3), [], {}),
    (stated("fast-participant", ms=300, share=0.5), [trial(1, rt_ms=299), trial(2)], {}),
    (stated("fast-participant"), [trial(1, rt_ms=None)], {}),
    (stated("failed-attention"), [*rated(1, 5, 9), trial(7, is_target=False, attention="high", rating=6)], {}),
    (stated("line-training", at_least=0.8), [], {"line_correlation": 0.8}),
    (stated("line-training", at_least=0.8), [], {"line_correlation": None}),
    (stated("arithmetic-accuracy"), [], {}),
    (stated("focus-losses", at_most=3), [trial(1, focus_losses=2), trial(2, focus_losses=1)], {}),
])  # fmt: skip
def test_a_session_at_the_limit_or_without_anything_to_judge_by_stays(
    rule: dict[str, Any], trials: list[SeenTrial], quality: dict[str, Any]
) -> None:
    assert judge([rule], trials, quality).session == ""


def test_fillers_do_not_count_as_ratings_of_targets() -> None:
    trials = [*rated(5, 5), trial(9, is_target=False, rating=7)]
    assert judge([stated("zero-variance")], trials).session


def test_trials_are_left_out_one_by_one_and_the_first_rule_gives_the_reason() -> None:
    rules = [stated("interrupted-trial"), stated("fast-trial", ms=200), stated("slow-trial", ms=5000)]
    trials = [trial(1, rt_ms=100, interrupted=True), trial(2, rt_ms=199.9), trial(3), trial(4, rt_ms=5001)]
    verdict = judge(rules, trials)
    assert verdict.session == ""
    assert verdict.trials == {
        1: "planned rule: interrupted by a reload or a crash",
        2: "planned rule: answered faster than 200 ms",
        4: "planned rule: answered more slowly than 5000 ms",
    }


def test_a_trial_in_which_the_page_was_left_can_be_left_out() -> None:
    assert set(judge([stated("unfocused-trial")], [trial(1), trial(2, focus_losses=1)]).trials) == {2}


def test_a_trial_that_timed_what_was_not_in_the_window_can_be_left_out() -> None:
    assert set(judge([stated("out-of-view-trial")], [trial(1), trial(2, out_of_view=3)]).trials) == {2}


def test_presses_before_an_onset_leave_out_a_trial_or_somebody_who_makes_many() -> None:
    trials = [trial(1), trial(2, early_presses=1), trial(3, early_presses=10)]
    assert set(judge([stated("early-press-trial")], trials).trials) == {2, 3}
    assert judge([stated("early-presses", at_most=11)], trials).session == ""
    assert judge([stated("early-presses", at_most=10)], trials).session == (
        "planned rule: pressed more than 10 times before the text or picture to answer appeared"
    )


@pytest.mark.parametrize(("rules", "sentence"), [
    ("zero-variance", "must be a list"),
    (["zero-variance"], "there is no rule"),
    ([{"rule": "zero-varience"}], "Did you mean 'zero-variance'"),
    ([{"rule": "fast-trial"}], "'ms' must be a whole number from 1"),
    ([{"rule": "fast-trial", "ms": 0}], "from 1 to"),
    ([{"rule": "fast-trial", "ms": True}], "must be a whole number"),
    ([{"rule": "fast-trial", "ms": 200.5}], "must be a whole number"),
    ([{"rule": "fast-trial", "ms": 200, "share": 1}], "there is no key 'share'"),
    ([{"rule": "fast-participant", "ms": 200, "share": 1.5}], "from 0 to 1"),
    ([{"rule": "zero-variance"}, {"rule": "zero-variance"}], "appears twice"),
])  # fmt: skip
def test_a_rule_that_is_not_well_formed_is_refused_with_what_to_write(rules: Any, sentence: str) -> None:
    assert sentence in " ".join(str(fault) for fault in rule_faults(rules, measures={"task": EVERY_MEASURE}))


def test_a_rule_without_its_measure_is_refused() -> None:
    (fault,) = rule_faults([{"rule": "zero-variance"}], measures={"task": ["recall"]})
    assert "needs the measure 'rating'" in str(fault)
    assert "zero-variance" not in [rule.slug for rule in rules_for(["recall"])]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_every_rule_is_sound_with_its_defaults_and_has_its_own_words(rule: Any) -> None:
    assert rule_faults([stated(rule.slug)], measures={"task": EVERY_MEASURE}) == []
    assert described(stated(rule.slug)) not in [described(stated(o.slug)) for o in RULES if o is not rule]


@given(
    st.lists(
        st.builds(
            SeenTrial,
            position=st.integers(0, 500),
            rt_ms=st.none() | st.floats(0, 1e6),
            focus_losses=st.integers(0, 9),
            interrupted=st.booleans(),
            is_target=st.booleans(),
            rating=st.none() | st.floats(0, 1e6),
            attention=st.sampled_from(["", "high", "low"]),
            out_of_view=st.integers(0, 3),
            early_presses=st.integers(0, 20),
        ),
        unique_by=lambda seen: seen.position,
    )
)
def test_the_order_of_trials_decides_nothing(trials: list[SeenTrial]) -> None:
    rules = [stated(rule.slug) for rule in RULES]
    assert judge(rules, trials) == judge(rules, trials[::-1])


def timed(*times: float, **values: Any) -> list[SeenTrial]:
    return [trial(position, rt_ms=time, **values) for position, time in enumerate(times)]


USUAL = [500.0 + 10 * step for step in range(-5, 6)]


@pytest.mark.parametrize("slug", ["outlying-sd", "outlying-mad"])
def test_times_far_from_those_of_the_same_person_are_left_out(slug: str) -> None:
    verdict = judge([stated(slug, k=2.5)], timed(*USUAL, 1500))
    assert set(verdict.trials) == {len(USUAL)}
    assert "the participant's" in verdict.trials[len(USUAL)]
    assert judge([stated(slug, k=2.5)], timed(*USUAL)).trials == {}


def test_deviations_are_those_of_the_field() -> None:
    # Mean 500 and SD 33.166 of the usual times; median 500 and MAD 30, × 1.4826 = 44.478.
    usual = timed(*USUAL)
    for slug, one in (("outlying-sd", 33.16624790), ("outlying-mad", 44.478)):
        k = 50 / one
        assert set(judge([stated(slug, k=k - 0.001)], usual).trials) == {0, 10}
        assert judge([stated(slug, k=k + 0.001)], usual).trials == {}


def test_a_time_exactly_on_the_bound_is_kept() -> None:
    # Mean 500, SD 10.
    assert judge([stated("outlying-sd", k=1)], timed(490, 500, 510)).trials == {}
    assert set(judge([stated("outlying-sd", k=0.999)], timed(490, 500, 510)).trials) == {0, 2}


def test_wrong_answers_and_fillers_do_not_move_the_bounds() -> None:
    wrong = [trial(100 + step, rt_ms=3000.0 + 500 * step, correct=False) for step in range(4)]
    filler = [trial(200 + step, rt_ms=9000.0, is_target=False) for step in range(4)]
    late = trial(300, rt_ms=800.0, correct=True)
    cut = judge([stated("outlying-sd", k=2.5)], [*timed(*USUAL, correct=True), *wrong, *filler, late]).trials
    assert 300 in cut
    assert {100, 101, 102, 103} <= set(cut), "a wrong answer that is outlying is left out as well"
    assert not {200, 201, 202, 203} & set(cut)


def test_absolute_bounds_come_first() -> None:
    # With the lapse of a minute in the spread, 900 ms would not be outlying.
    trials = timed(*USUAL, 900, 60_000)
    assert set(judge([stated("outlying-sd", k=2.5)], trials).trials) == {12}
    both = judge([stated("slow-trial", ms=5000), stated("outlying-sd", k=2.5)], trials).trials
    assert {position: text.split(": ")[1][:8] for position, text in both.items()} == {12: "answered", 11: "more tha"}


@given(st.lists(st.floats(100, 5000), max_size=12), st.floats(1, 10))
def test_trimming_never_sees_a_condition_and_never_takes_all(times: list[float], k: float) -> None:
    for slug in ("outlying-sd", "outlying-mad"):
        cut = judge([stated(slug, k=k)], timed(*times)).trials
        assert not times or len(cut) < len(times)
