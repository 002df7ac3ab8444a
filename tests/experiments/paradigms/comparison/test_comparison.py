"""The comparison: what stands together on a page, what the browser learns, and what is measured."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from experiments.rules.procedure import checked
from participants.intake.payloads import payload_faults
from tests.experiments.comparison_sessions import COMPARISON, planned, settings_with, stimuli

ANSWER = {"answer_ms": 900.0, "changes": 0, "layout": "beside"}


def faults_of(plan, ranks):
    return payload_faults(
        COMPARISON, plugin=plan.plugin, params=plan.params, private=plan.private, payload={"ranks": ranks, **ANSWER}
    )


def measured(plan, ranks):
    return COMPARISON.measure({**plan.params, **plan.private}, {"ranks": ranks, **ANSWER}, ())


def test_a_page_shows_two_versions_of_one_item_below_its_context():
    plans = planned(stimuli(), settings_with())
    main = [plan for plan in plans if plan.private["conditions"]]
    assert len(main) == 6
    for number, plan in enumerate(main):
        texts = [option["text"] for option in plan.params["options"]]
        assert texts == [f"item{number} {condition}" for condition in plan.private["conditions"]]
        assert plan.params["context"] == f"source {number}"


def test_the_browser_learns_texts_and_places_and_no_condition_item_or_list():
    for plan in planned(stimuli(systems=("condition-x", "condition-y", "condition-z")), settings_with()):
        assert set(plan.params) == {
            *("kind", "task", "question", "context", "options", "no_difference", "index", "total")
        }
        assert all(set(option) == {"text"} for option in plan.params["options"])
        without_texts = json.dumps({**plan.params, "options": [], "context": ""})
        assert "condition-" not in without_texts
        assert "item" not in without_texts


@given(st.integers(0, 5))
def test_the_list_decides_which_versions_meet_and_where_they_stand(index):
    texts = stimuli(list_index=index)
    one, other = (planned(texts, settings_with(), seed=seed) for seed in (1, 2))
    shown = [plan.private["conditions"] for plan in one if plan.private["conditions"]]
    assert shown == [plan.private["conditions"] for plan in other if plan.private["conditions"]]
    assert set(Counter(map(tuple, shown)).values()) == {1}


def test_every_task_takes_as_many_texts_as_it_is_told():
    settings = settings_with(task="ranking", options=3)
    (block,) = {
        len(plan.params["options"]) for plan in planned(stimuli(systems="abcd", fillers=0, practice=0), settings)
    }
    assert block == 3
    everything = planned(stimuli(systems="abcd", fillers=0, practice=0), settings_with(task="best-worst"))
    assert {len(plan.params["options"]) for plan in everything} == {4}


def test_all_pairs_of_an_item_make_a_trial_each():
    plans = planned(stimuli(fillers=0, practice=0), settings_with(design="all"))
    pairs = Counter((plan.params["context"], frozenset(plan.private["conditions"])) for plan in plans)
    assert len(pairs) == 6 * 3
    assert set(pairs.values()) == {1}


def test_practice_and_fillers_show_what_stands_against_them_on_either_side():
    sides = set()
    for seed in range(20):
        plans = planned(stimuli(), settings_with(), seed=seed)
        assert (plans[0].phase, plans[0].params["kind"]) == ("practice", "practice")
        assert plans[0].private["conditions"] == []
        texts = [option["text"] for option in plans[0].params["options"]]
        assert sorted(texts) == ["practice0 no", "practice0 yes"]
        assert texts[plans[0].private["own_place"]] == "practice0 yes"
        sides.add(texts[0])
    assert len(sides) == 2


def test_option_a_is_the_one_that_comes_first_in_the_materials_wherever_it_stands():
    for index in range(6):
        for plan in planned(stimuli(list_index=index, fillers=0, practice=0), settings_with()):
            first, second = plan.private["conditions"]
            found = measured(plan, [1, 2])
            assert "cab".index(found["a"]) < "cab".index(found["b"])
            assert found["side"] == ("first" if found["a"] == first else "second")
            assert found["chosen"] == first
            assert found["choice"] == ("a" if found["a"] == first else "b")
            assert found["conditions_shown"] == f"{first}|{second}"


def test_no_difference_is_a_tie_where_it_may_be_said():
    (plan, *_) = planned(stimuli(fillers=0, practice=0), settings_with(no_difference=True))
    assert faults_of(plan, [1, 1]) == []
    found = measured(plan, [1, 1])
    assert (found["choice"], found["chosen"], found["first_place_rank"]) == ("tie", None, 1)
    (plan, *_) = planned(stimuli(fillers=0, practice=0), settings_with())
    assert "There must be a choice" in " ".join(faults_of(plan, [1, 1]))


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        ("pair", [2, 1], [[1], [0, 1], [2, 2], [1, 2, 3]]),
        ("best-worst", [2, 3, 1], [[1, 1, 3], [1, 2, 2], [1, 2]]),
        ("ranking", [3, 1, 2], [[1, 1, 2], [0, 1, 2], [1, 2, 4]]),
    ],
)
def test_ranks_must_answer_the_task(task, right, wrong):
    (plan, *_) = planned(stimuli(fillers=0, practice=0), settings_with(task=task))
    assert faults_of(plan, right) == []
    for ranks in wrong:
        assert faults_of(plan, ranks), ranks


def test_best_worst_and_rankings_name_conditions():
    (plan, *_) = planned(stimuli(fillers=0, practice=0), settings_with(task="best-worst"))
    found, (first, second, third) = measured(plan, [2, 3, 1]), plan.private["conditions"]
    assert (found["best"], found["worst"]) == (third, second)
    (plan, *_) = planned(stimuli(fillers=0, practice=0), settings_with(task="ranking"))
    first, second, third = plan.private["conditions"]
    assert measured(plan, [2, 3, 1])["ranking"] == f"{third} > {first} > {second}"


def test_every_text_is_a_row_of_options_with_the_stimulus_that_it_is():
    shown = stimuli(fillers=0, practice=0)
    texts = {stimulus.stimulus_id: stimulus for stimulus in shown}
    for plan in planned(shown, settings_with(task="best-worst")):
        params, payload = {**plan.params, **plan.private}, {"ranks": [3, 1, 2], **ANSWER}
        rows = COMPARISON.long_rows("options", params, payload, ())
        of_rows = COMPARISON.stimuli_of_rows("options", params, payload)
        assert [row["place"] for row in rows] == [1, 2, 3]
        assert [(row["best"], row["worst"], row["rank"]) for row in rows] == [
            (False, True, None),
            (True, False, None),
            (False, False, None),
        ]
        assert of_rows is not None
        for row, stimulus in zip(rows, of_rows, strict=True):
            assert stimulus is not None
            assert (texts[stimulus].text, texts[stimulus].condition) == (row["text"], row["option"])


@pytest.mark.parametrize(
    ("changed", "texts", "said"),
    [
        ({}, stimuli(systems=("only",)), "have only one text each, so there is nothing to compare"),
        ({"task": "ranking", "options": 4}, stimuli(fillers=0, practice=0), "Show 3 at most"),
        ({"task": "best-worst"}, stimuli(systems="ab", fillers=0, practice=0), "Let people choose the better of two"),
        ({"per_item": 4}, stimuli(), "Ask for 3 at most"),
        ({"task": "ranking"}, stimuli(), "two to 7 other texts"),
    ],
)
def test_what_cannot_be_compared_is_said(changed, texts, said):
    assert said in " ".join(COMPARISON.design_faults(texts, settings_with(**changed)))


def test_a_filler_without_a_rival_is_named():
    texts = [*stimuli(fillers=0), stimuli()[-1].__class__(99, "alone", is_filler=True, item="lonely")]
    (fault,) = COMPARISON.design_faults(texts, settings_with())
    assert fault.startswith("Item lonely has no text to compare with")


@pytest.mark.parametrize(
    ("given_settings", "said"),
    [
        (
            {"task": "ranking", "no_difference": True},
            "“No difference” is possible only if people choose the better of two texts.",
        ),
        ({"task": "ranking", "design": "adaptive"}, "Only pairs can be chosen adaptively"),
        ({"options": 3}, "People choose the better of two texts. Write 0 or 2, or choose another task."),
        ({"task": "ranking", "options": 2}, "at least 3"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(given_settings, said):
    _values, faults = checked(COMPARISON.settings_form, given_settings)
    assert said in " ".join(map(str, faults))


def test_quality_tells_somebody_who_always_took_the_first():
    plans = planned(stimuli(), settings_with())
    answers = [(plan.plugin, {**plan.params, **plan.private}, {"ranks": [1, 2], **ANSWER}) for plan in plans]
    found = COMPARISON.quality(answers)
    assert (found["first_place_share"], found["no_difference_share"]) == (1.0, 0.0)
    assert found["fillers_as_given"] in (0.0, 1.0)
    assert COMPARISON.quality([])["first_place_share"] is None


def test_the_page_of_the_design_is_told_how_efficient_it_is():
    said = " ".join(COMPARISON.together_words(7, settings_with(task="ranking", options=3)))
    assert "7 blocks of 3 out of 7 conditions" in said
    assert "Efficiency factor 0.778" in said
    assert "Over all 21 lists" in said
    assert COMPARISON.together_words(1, settings_with()) == []


@given(st.integers(0, 50))
@hypothesis_settings(max_examples=10)
def test_adaptive_pairs_are_those_that_the_answers_leave_open(seed):
    settled = [
        {"item": f"item{number % 6}", "a": a, "b": b, "choice": "a", "side": "first"}
        for number in range(30)
        for a, b in (("c", "a"), ("c", "b"))
    ]
    plans = planned(stimuli(fillers=0, practice=0), settings_with(design="adaptive"), seed=seed, earlier=settled)
    pairs = Counter(frozenset(plan.private["conditions"]) for plan in plans)
    assert sum(pairs.values()) == 6
    assert pairs[frozenset("ab")] >= 5
    sides = Counter(tuple(plan.private["conditions"]) for plan in plans)
    assert abs(sides[("a", "b")] - sides[("b", "a")]) <= 1


def with_side(texts, sides):
    """The texts with the side that their condition, or their item, has."""
    named = [sides.get(text.condition or text.item, "") for text in texts]
    return [replace(text, extra={**text.extra, "side": side}) for text, side in zip(texts, named, strict=True)]


@pytest.mark.parametrize(("sides", "first"), [({"a": "left"}, "a"), ({"a": "2"}, "b"), ({"b": "First"}, "b")])
def test_a_text_stands_where_its_row_says(sides, first):
    for index in range(2):
        texts = with_side(stimuli(systems="ab", fillers=0, practice=0, list_index=index), sides)
        plans = planned(texts, settings_with())
        assert {plan.private["conditions"][0] for plan in plans} == {first}


def test_a_filler_stands_where_its_row_says_and_its_rival_beside_it():
    texts = stimuli(fillers=1, practice=0)
    filler = next(text.item for text in texts if text.is_filler)
    for seed in range(10):
        plans = planned(with_side(texts, {filler: "right"}), settings_with(), seed=seed)
        assert [plan.private["own_place"] for plan in plans if not plan.private["conditions"]] == [1]


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({"a": "middle"}, "places that a page of 2 texts does not have"),
        ({"a": "3"}, "places that a page of 2 texts does not have"),
        ({"a": "left", "b": "1"}, "the same place in the column 'side'"),
    ],
)
def test_sides_that_no_page_can_have_are_said(sides, said):
    texts = with_side(stimuli(systems="ab", fillers=0, practice=0), sides)
    assert said in " ".join(COMPARISON.design_faults(texts, settings_with()))
