"""Maze: pairs of words and distractors, sides, what is checked, and the times and errors that come out."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.maze.pairs import balanced_sides
from experiments.paradigms.maze.simulation import simulated_errors, simulated_slowing
from experiments.rules.procedure import checked
from experiments.study_files.toml import read_toml

MAZE = paradigm_named("maze")
END = MAZE.complete_settings({"break_every": 2})
REDO = {**END, "after_error": "redo"}
EXAMPLE = Path(__file__).resolve().parents[4] / "experiments" / "examples" / "maze-agents" / "study.toml"
TEXT, BESIDE = "The dog barked.", "x-x-x sum formed."
QUESTION = {"question": "Who barked?", "choices": "the dog | the cat", "answer": "the dog"}


def plans(*texts, settings=END, seed=1, **extra):
    shown = [ShownStimulus(number, text, extra=extra, item=f"i{number}") for number, text in enumerate(texts)]
    return MAZE.timeline(shown, settings, random.Random(seed))


def plan_of(settings=END, **extra):
    (plan,) = plans(TEXT, settings=settings, distractors=BESIDE, **extra)
    return plan


def payload(plan, wrong=(), reached=3, redone=False, **changes):
    """Return choices 500 ms after each onset, the pairs numbered in `wrong` chosen wrongly at first."""
    pairs: list[dict[str, Any]] = []
    now = 0.0
    for number, side in enumerate(plan.params["sides"][:reached], start=1):
        other = "left" if side == "right" else "right"
        tries: list[dict[str, Any]] = [{"ms": now + 500, "side": other if number in wrong else side, "input": "key"}]
        if number in wrong and redone:
            tries.append({"ms": now + 1700, "side": side, "input": "touch"})
        pairs.append({"onset_ms": now, "tries": tries})
        now = tries[-1]["ms"] + 16
    ended = pairs[-1]["tries"][-1]["side"] != plan.params["sides"][len(pairs) - 1]
    given = {"pairs": pairs, "frame_interval_ms": 16.7, "message_ms": 900.0 if ended else None, "question": None}
    return {**given, **changes}


def faults(plan, given):
    serializer = MAZE.responses["maze"](data=given, context={"params": plan.params})
    return "" if serializer.is_valid() else str(serializer.errors)


def test_every_word_stands_beside_its_distractor():
    plan = plan_of()
    assert [region["text"] for region in plan.params["regions"]] == ["The", "dog", "barked."]
    assert plan.params["distractors"] == ["x-x-x", "sum", "formed."]
    assert len(plan.params["sides"]) == 3


def test_marked_regions_stand_beside_marked_distractors():
    (plan,) = plans("The dog | that barked | ran.", distractors="x-x-x | of sums | win.")
    assert [region["text"] for region in plan.params["regions"]] == ["The dog", "that barked", "ran."]
    assert plan.params["distractors"] == ["x-x-x", "of sums", "win."]


@pytest.mark.parametrize(
    ("text", "beside", "said"),
    [
        (TEXT, "x-x-x sum", "word 3, ‘barked.’, has no distractor"),
        (TEXT, "x-x-x sum formed. win", "no word of the text belongs to ‘win’"),
        (TEXT, "x-x-x Dog formed.", "Word 2, ‘dog’, has itself as its distractor"),
        ("The dog | barked.", "x-x-x sum formed.", "the distractors have none"),
        (
            TEXT,
            "x-x-x | sum | formed.",
            "Separate words and distractors in the same way. Here, only the distractors have marks (|).",
        ),
        (TEXT, "因为 下雨 他", "Put | between the distractors"),
    ],
)
def test_distractors_that_do_not_pair_are_said_with_their_place(text, beside, said):
    ((column, sentence),) = MAZE.stimulus_faults(text, {"distractors": beside})
    assert column == "distractors"
    assert said in sentence
    assert said in " ".join(MAZE.text_faults(text, {"distractors": beside}, END))


def test_a_draft_may_lack_distractors_and_no_study_opens_without_them():
    assert MAZE.stimulus_faults(TEXT, {}) == []
    assert "no distractors" in " ".join(MAZE.text_faults(TEXT, {}, END))
    assert plans(TEXT)[0].params["distractors"] == ["…"] * 3
    assert MAZE.text_faults(TEXT, {"distractors": BESIDE, "critical_region": "3"}, END) == []
    assert "has only 3 regions" in " ".join(
        MAZE.text_faults(TEXT, {"distractors": BESIDE, "critical_region": "4"}, END)
    )


def test_half_of_the_words_stand_left_and_half_of_the_critical_words_of_a_condition():
    lengths, critical = [7, 8, 9, 8] * 6, [3, None, 1, 8] * 6
    strata = ["a", "filler", "b", "a"] * 6
    for seed in range(40):
        sides = balanced_sides(lengths, critical=critical, strata=strata, rng=random.Random(seed))
        assert [len(one) for one in sides] == lengths
        assert all(abs(2 * one.count("left") - len(one)) <= 1 for one in sides)
        assert abs(2 * sum(one.count("left") for one in sides) - sum(lengths)) <= 1
        for stratum, most in (("a", 12), ("b", 6)):
            found = Counter(
                one[place - 1]
                for one, place, named in zip(sides, critical, strata, strict=True)
                if named == stratum and place is not None
            )
            assert found == {"left": most // 2, "right": most // 2}


def test_every_place_stands_on_either_side_over_sessions():
    left = Counter(
        place
        for seed in range(200)
        for place, side in enumerate(plans(TEXT, distractors=BESIDE, seed=seed)[0].params["sides"])
        if side == "left"
    )
    assert all(70 <= left[place] <= 130 for place in range(3))


def test_sound_choices_are_accepted():
    assert faults(plan_of(), payload(plan_of())) == ""
    assert faults(plan_of(), payload(plan_of(), wrong=(2,), reached=2)) == ""
    redo = plan_of(REDO)
    assert faults(redo, payload(redo, wrong=(1, 3), redone=True)) == ""


@pytest.mark.parametrize(
    ("settings", "given", "said"),
    [
        (END, {"reached": 2}, "3 pairs were to be chosen from, not 2"),
        (END, {"wrong": (2,), "redone": True}, "it cannot be redone"),
        (END, {"wrong": (2,)}, "although the choice before it was wrong"),
        (END, {"message_ms": 5.0}, "where a wrong choice ended the text"),
        (END, {"wrong": (3,), "message_ms": None}, "where a wrong choice ended the text"),
        (REDO, {"wrong": (3,)}, "until it is right"),
        (END, {"question": {"choice": 0, "rt_ms": 5.0}}, "no question to answer"),
        (END, {"keys": 3}, "no such field"),
    ],
)
def test_impossible_choices_are_refused(settings, given, said):
    plan = plan_of(settings)
    assert said in faults(plan, payload(plan, **given))


def test_impossible_times_are_refused():
    plan = plan_of()
    late = payload(plan)
    late["pairs"][1]["onset_ms"] = 400.0
    assert "in their order" in faults(plan, late)
    shifted = payload(plan)
    shifted["pairs"][0]["onset_ms"] = 1.0
    assert "counted from the onset of the first pair" in faults(plan, shifted)
    again = payload(plan)
    again["pairs"][2]["tries"] *= 2
    assert "there was another one" in faults(plan, again)


def test_nobody_is_asked_about_a_text_that_ended_early():
    plan = plan_of(**QUESTION)
    answer = {"choice": 0, "rt_ms": 5.0}
    assert "not answered" in faults(plan, payload(plan))
    assert faults(plan, payload(plan, question=answer)) == ""
    assert faults(plan, payload(plan, wrong=(2,), reached=2)) == ""
    assert "no question" in faults(plan, payload(plan, wrong=(2,), reached=2, question=answer))


def test_measures_of_a_text_that_was_read_and_of_one_that_ended():
    plan = plan_of(REDO, **QUESTION)
    params = {**plan.params, **plan.private}
    answer = {"choice": plan.private["right_choice"], "rt_ms": 812.5}
    assert MAZE.measure(params, payload(plan, wrong=(2,), redone=True, question=answer), []) == {
        "n_regions": 3,
        "words": 3,
        "regions_reached": 3,
        "completed": True,
        "errors": 1,
        "tries": 4,
        "total_ms": 500 + 16 + 1700 + 16 + 500,
        "message_ms": None,
        "regions_flagged": 0,
        "distractor_kind": "A",
        "question": "Who barked?",
        "question_answer": "the dog",
        "question_correct": True,
        "question_ms": 812.5,
    }
    ended = plan_of()
    measured = MAZE.measure(ended.params, payload(ended, wrong=(2,), reached=2), [])
    assert (measured["completed"], measured["regions_reached"], measured["message_ms"]) == (False, 2, 900.0)


def test_each_region_is_a_row_with_both_times_and_the_errors_before_it():
    plan = plan_of(REDO, critical_region="2")
    rows = MAZE.long_rows("regions", plan.params, payload(plan, wrong=(2,), redone=True), [])
    assert [row["from_critical"] for row in rows] == [-1, 0, 1]
    assert [row["rt_ms"] for row in rows] == [500.0, 500.0, 500.0]
    assert [row["total_ms"] for row in rows] == [500.0, 1700.0, 500.0]
    assert [row["correct"] for row in rows] == [True, False, True]
    assert [row["errors_before"] for row in rows] == [0, 0, 1]
    assert [row["tries"] for row in rows] == [1, 2, 1]
    assert [row["distractor"] for row in rows] == ["x-x-x", "sum", "formed."]
    assert [row["side"] for row in rows] == plan.params["sides"]
    names = [column.name for column in MAZE.long_tables[0].columns]
    assert all(list(row) == names for row in rows)


def test_each_region_says_whether_its_pair_was_in_the_window_and_older_answers_say_nothing():
    plan = plan_of()
    given = payload(plan, out_of_view=[3])
    assert faults(plan, given) == ""
    rows = MAZE.long_rows("regions", plan.params, given, [])
    assert [row["out_of_view"] for row in rows] == [False, False, True]
    older = MAZE.long_rows("regions", plan.params, payload(plan), [])
    assert {row["out_of_view"] for row in older} == {None}
    assert "out_of_view" in faults(plan, payload(plan, out_of_view=[4]))


def test_a_late_pair_is_flagged():
    plan = plan_of()
    given = payload(plan)
    given["pairs"][1]["onset_ms"] += 3.6 * 16.7
    rows = MAZE.long_rows("regions", plan.params, given, [])
    assert [row["display_flagged"] for row in rows] == [False, True, False]


def test_quality_counts_first_choices_and_leaves_the_first_words_out():
    plan = plan_of(REDO)
    answered = [("maze", plan.params, payload(plan, wrong=(1, 2), redone=True))]
    quality = MAZE.quality(answered)
    assert quality == {
        "accuracy": 0.5, "comprehension": None, "median_choice_ms": 500.0, "fast_choices_share": 0.0,
        "early_presses_total": None,
    }  # fmt: skip
    assert MAZE.quality_flags(quality, {"accuracy_threshold": 60}) == [
        "fewer than 60 % of the words were chosen correctly"
    ]
    assert MAZE.quality_flags(quality, {"accuracy_threshold": 50}) == []


def test_settings_say_what_they_do_and_two_sides_need_two_keys():
    values, wrong = checked(MAZE.settings_form, {})
    assert wrong == []
    assert (values["after_error"], values["left_key"], values["right_key"]) == ("end", "e", "i")
    assert all(field.help_text for field in MAZE.settings_form.base_fields.values())
    assert checked(MAZE.settings_form, {"left_key": "F", "right_key": "J"})[0]["left_key"] == "f"
    for given in ({"left_key": "i"}, {"left_key": " "}, {"right_key": "%"}):
        assert len(checked(MAZE.settings_form, given)[1]) == 1


def test_a_keyboard_is_asked_for_only_where_words_cannot_be_touched():
    assert MAZE.requirements_of(END) == ()
    assert MAZE.requirements_of({**END, "buttons": False}) == ("keyboard",)


@pytest.mark.parametrize("settings", [END, REDO])
def test_simulated_readers_send_what_is_accepted(settings):
    plan = plan_of(settings, critical_region="2", **QUESTION)
    ended = 0
    for seed in range(150):
        mind = MAZE.virtual_participant(random.Random(seed), settings)
        given = mind.respond("maze", plan.params, levels={"fit": "typical"}, item="x", carried={})
        assert faults(plan, given) == ""
        assert mind.response_ms("maze", given) >= given["pairs"][-1]["tries"][-1]["ms"]
        ended += given["message_ms"] is not None
    assert (ended > 0) == (settings is END)


def test_simulated_readers_are_slowed_and_err_at_the_critical_region_as_they_say():
    (plan,) = plans(
        "The dog barked so loudly.", settings=REDO, distractors="x-x-x sum formed i mixes.", critical_region="3"
    )
    logs, errors = {}, {}
    for level in ("typical", "atypical"):
        rows = []
        for seed in range(3000):
            mind = MAZE.virtual_participant(random.Random(seed), REDO)
            given = mind.respond("maze", plan.params, levels={"fit": level}, item="x", carried={})
            rows.append(MAZE.long_rows("regions", plan.params, given, []))
        logs[level] = [sum(math.log(row[place]["rt_ms"]) for row in rows) / len(rows) for place in range(5)]
        errors[level] = [sum(not row[place]["correct"] for row in rows) / len(rows) for place in range(5)]
    true = simulated_slowing({"fit": "atypical"}) - simulated_slowing({"fit": "typical"})
    found = [later - earlier for earlier, later in zip(logs["typical"], logs["atypical"], strict=True)]
    assert found == pytest.approx([0, 0, true, true / 10, 0], abs=0.02)
    more = simulated_errors({"fit": "atypical"}) - simulated_errors({"fit": "typical"})
    odds = [math.log(share[2] / (1 - share[2])) for share in (errors["typical"], errors["atypical"])]
    # Averaged over readers, whose carelessness differs, an effect in log odds is a little smaller.
    assert odds[1] - odds[0] == pytest.approx(more, abs=0.3)
    assert abs(errors["atypical"][3] - errors["typical"][3]) < 0.015


def test_the_example_has_20_items_that_differ_in_one_word_with_the_same_distractors():
    described = read_toml(EXAMPLE)
    targets = [item for item in described.design.items if item.is_target]
    assert len(targets) == 20
    for item in targets:
        typical, atypical = item.stimuli
        words = [stimulus.text.split() for stimulus in (typical, atypical)]
        assert [place for place, (a, b) in enumerate(zip(*words, strict=True), start=1) if a != b] == [2]
        assert typical.extra["distractors"] == atypical.extra["distractors"]
        assert typical.extra["critical_region"] == "3"
    for item in described.design.items:
        for stimulus in item.stimuli:
            assert MAZE.text_faults(stimulus.text, stimulus.extra, END) == []
            for word, beside in list(zip(stimulus.text.split(), stimulus.extra["distractors"].split(), strict=True))[
                1:
            ]:
                assert abs(len(word.strip(".")) - len(beside.strip("."))) <= 1, (item.code, word, beside)


def test_a_row_can_say_the_sides_of_its_words():
    plan = plan_of(sides="r l r")
    assert plan.params["sides"] == ["right", "left", "right"]
    # The others keep what chance and balance gave them.
    mixed = MAZE.timeline(
        [ShownStimulus(1, TEXT, item="a", extra={"distractors": BESIDE, "sides": "l l l"}),
         ShownStimulus(2, TEXT, item="b", extra={"distractors": BESIDE})],
        END, random.Random(1),
    )  # fmt: skip
    assert mixed[0].params["sides"] == ["left"] * 3
    assert sorted(Counter(mixed[1].params["sides"]).values()) == [1, 2]


@pytest.mark.parametrize("sides", ["l r", "l r l r", "l r x"])
def test_sides_that_do_not_fit_the_words_are_named(sides):
    ((column, said),) = MAZE.stimulus_faults(TEXT, {"distractors": BESIDE, "sides": sides})
    assert column == "sides"
    assert "for 3 words" in said
