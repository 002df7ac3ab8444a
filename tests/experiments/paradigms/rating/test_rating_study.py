"""The rating study: what is on a page, in which order, and what is measured."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.rating.paradigm import SIDE_BY_SIDE, simulated_goodness
from experiments.rules.procedure import checked
from experiments.study_files.toml import read_toml

RATING = paradigm_named("rating")
SETTINGS = RATING.complete_settings({})
TOGETHER = {**SETTINGS, "presentation": SIDE_BY_SIDE, "break_every": 0}
EXAMPLE = Path(__file__).resolve().parents[4] / "experiments" / "examples" / "system-ratings" / "study.toml"


def shown(n_items=6, systems=("a", "b", "c", "d"), fillers=2, practice=1, *, seed=1):
    texts = [(f"item{i}", system) for i in range(n_items) for system in systems]
    texts += [(f"filler{i}", None) for i in range(fillers)]
    random.Random(seed).shuffle(texts)
    texts = [(f"practice{i}", None) for i in range(practice)] + texts
    return [
        ShownStimulus(
            number,
            f"{item} {system}",
            is_filler=item.startswith("filler"),
            is_practice=item.startswith("practice"),
            extra={"context": f"facts of {item}"},
            item=item,
            condition=system,
        )
        for number, (item, system) in enumerate(texts)
    ]


def pages(plans):
    """Return the texts of each page, once."""
    return [tuple(plan.params["texts"]) for plan in plans if plan.plugin == "rating" and plan.params["active"] == 0]


def test_one_text_on_a_page_keeps_the_order_of_the_session():
    texts = shown()
    plans = [plan for plan in RATING.timeline(texts, SETTINGS, random.Random(1)) if plan.plugin == "rating"]
    assert [plan.stimulus_id for plan in plans] == [text.stimulus_id for text in texts]
    assert all(len(plan.params["texts"]) == 1 for plan in plans)
    assert plans[0].params["context"] == "facts of practice0"


@given(st.integers(0, 200))
def test_side_by_side_every_text_of_an_item_is_rated_in_turn_on_one_page(seed):
    texts = shown(seed=seed)
    plans = RATING.timeline(texts, TOGETHER, random.Random(seed))
    assert Counter(plan.stimulus_id for plan in plans) == Counter(text.stimulus_id for text in texts)
    for plan in plans:
        assert plan.params["texts"][plan.params["active"]] == plan.params["text"]
        assert len({text.split()[0] for text in plan.params["texts"]}) == 1
    groups = [len(page) for page in pages(plans)]
    assert Counter(groups) == {4: 6, 1: 3}
    actives = [plan.params["active"] for plan in plans]
    assert actives == [place for size in groups for place in range(size)]


@given(st.integers(0, 100))
def test_over_as_many_items_as_systems_every_system_stands_once_at_every_place(seed):
    plans = RATING.timeline(shown(n_items=4, fillers=0, practice=0), TOGETHER, random.Random(seed))
    for place in range(4):
        assert sorted(page[place].split()[1] for page in pages(plans)) == ["a", "b", "c", "d"]


def test_items_of_many_texts_do_not_come_before_fillers_of_one():
    before = 0
    for seed in range(400):
        plans = RATING.timeline(shown(n_items=1, fillers=1, practice=0, seed=seed), TOGETHER, random.Random(seed))
        before += len(pages(plans)[0]) == 4
    assert 160 < before < 240


def test_practice_comes_first_and_is_counted_for_itself():
    plans = RATING.timeline(shown(practice=2), TOGETHER, random.Random(3))
    assert [(plan.phase, plan.params["index"], plan.params["total"]) for plan in plans[:2]] == [
        ("practice", 1, 2),
        ("practice", 2, 2),
    ]
    assert (plans[2].phase, plans[2].params["index"], plans[2].params["total"]) == ("main", 1, 8)


def test_breaks_come_between_pages_and_never_after_the_last():
    plans = RATING.timeline(shown(), {**TOGETHER, "break_every": 4}, random.Random(1))
    (place,) = [number for number, plan in enumerate(plans) if plan.plugin == "break"]
    assert plans[place].params == {"done": 4, "total": 8, "pages": []}
    assert plans[place + 1].params["active"] == 0


def test_the_browser_learns_nothing_of_conditions_and_items():
    plans = RATING.timeline(shown(), TOGETHER, random.Random(1))
    assert set(plans[0].params) == {
        *("kind", "text", "texts", "active", "context", "questions", "layout", "index", "total")
    }
    assert all(not plan.private for plan in plans)


def test_measures_are_those_of_the_questions_of_the_study():
    questions = [{"name": "ease", "text": "Easy?", "kind": "slider"}]
    settings, faults = checked(RATING.settings_form, {"questions": questions})
    assert faults == []
    names = [measure.name for measure in RATING.measures_of(settings)]
    assert names == ["ease", "ease_rt_ms", "ease_changes", "texts_shown", "text_place", "break_ms", "early_presses"]
    params = {"questions": settings["questions"], "texts": ["a", "b"], "active": 1}
    payload = {"ratings": {"ease": {"rating": 3.0, "rt_ms": 10.0, "changes": 0, "typed": None}}}
    measured = RATING.measure(params, payload, [])
    assert measured == {"ease": 3.0, "ease_rt_ms": 10.0, "ease_changes": 0, "texts_shown": 2, "text_place": 2}


def test_without_questions_there_are_no_ratings_and_the_study_does_not_open():
    settings = RATING.complete_settings(RATING.settings_of_new_task("en"))
    assert settings["questions"] == []
    assert not [measure for measure in RATING.measures_of(settings) if measure.name.endswith("_rt_ms")]
    (fault,) = RATING.opening_faults(settings)
    assert "Choose a template" in fault
    assert RATING.suggested_analyses_of(["order"], settings) == []
    assert RATING.opening_faults(SETTINGS) == []


def test_a_draft_without_settings_has_the_measures_of_the_default_questions():
    assert RATING.measures_of({}) == RATING.measures


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        ([{"name": "text_place", "text": "?", "kind": "slider"}], "already have a column with this name"),
        ("focus", "The questions must be a list."),
    ],
)
def test_settings_without_sound_questions_are_refused(questions, said):
    _values, faults = checked(RATING.settings_form, {"questions": questions})
    assert said in " ".join(map(str, faults))


def test_quality_tells_somebody_who_always_chose_the_same():
    def answered(*ratings):
        return [
            (
                "rating",
                {"kind": "target"},
                {"ratings": {"focus": {"rating": rating, "rt_ms": 1.0, "changes": 0, "typed": None}}},
            )
            for rating in ratings
        ]

    assert RATING.quality(answered(3, 3, 3, 3)) == {
        "modal_share": 1.0,
        "ratings_left_out": 0,
        "early_presses_total": None,
    }
    assert RATING.quality(answered(1, 2, 3, None)) == {
        "modal_share": 1 / 3,
        "ratings_left_out": 1,
        "early_presses_total": None,
    }
    assert RATING.quality([]) == {"modal_share": None, "ratings_left_out": 0, "early_presses_total": None}


def test_analyses_are_suggested_for_every_question():
    suggested = RATING.suggested_analyses_of(["system"], {})
    names = [q["name"] for q in SETTINGS["questions"]]
    assert [s.question for s in suggested[: len(names)]] == names
    assert {s.method for s in suggested[: len(names)]} == {"ordinal"}
    assert all(s.params["tests"] == "f" for s in suggested[: len(names)])
    assert all(s.is_companion for s in suggested[len(names) :])
    assert {s.question for s in suggested[len(names) :]} == set(names)
    assert RATING.suggested_analyses([]) == []


def test_simulated_participants_show_the_effects_of_the_conditions():
    def mean(system):
        levels = {"system": system}
        ratings = []
        for seed in range(150):
            mind = RATING.virtual_participant(random.Random(seed), SETTINGS)
            params = {"questions": SETTINGS["questions"]}
            payload = mind.respond("rating", params, levels=levels, item="x", carried={})
            assert mind.response_ms("rating", payload) > 0
            ratings += [answer["rating"] for answer in payload["ratings"].values()]
        return sum(ratings) / len(ratings)

    systems = sorted("abcdef", key=lambda system: simulated_goodness({"system": system}, item="x"))
    means = [mean(system) for system in systems]
    assert means == sorted(means)


def test_the_example_has_six_inputs_in_four_systems_with_their_facts():
    described = read_toml(EXAMPLE)
    targets = [item for item in described.design.items if item.is_target]
    assert [len(item.stimuli) for item in targets] == [4] * 6
    for item in described.design.items:
        assert len({stimulus.extra["context"] for stimulus in item.stimuli}) == 1
