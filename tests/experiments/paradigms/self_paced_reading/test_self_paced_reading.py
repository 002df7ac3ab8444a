"""Self-paced reading: regions, what is checked, and the reading times that come out."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.self_paced_reading.simulation import simulated_slowing
from experiments.rules.procedure import checked
from experiments.study_files.toml import read_toml

READING = paradigm_named("self-paced-reading")
SETTINGS = READING.complete_settings({"break_every": 2})
EXAMPLE = Path(__file__).resolve().parents[4] / "experiments" / "examples" / "relative-clauses" / "study.toml"
QUESTION = {"question": "Who barked?", "choices": "the dog | the cat", "answer": "the dog"}


def plans(*texts, settings=SETTINGS, seed=1, **extra):
    shown = [ShownStimulus(number, text, extra=extra, item=f"i{number}") for number, text in enumerate(texts)]
    return READING.timeline(shown, settings, random.Random(seed))


def region_texts(plan):
    return [region["text"] for region in plan.params["regions"]]


def payload(n=3, **changes):
    presses = [300.0 * number for number in range(n + 1)]
    return {
        "first_key_ms": 500.0,
        "presses": presses,
        "onsets": [press + 12 for press in presses[:-1]],
        "frame_interval_ms": 16.7,
        "touches": 0,
        "question": None,
        **changes,
    }


def faults(plan, given):
    serializer = READING.responses["self-paced-reading"](data=given, context={"params": plan.params})
    return "" if serializer.is_valid() else str(serializer.errors)


def test_a_text_is_read_word_by_word():
    (plan,) = plans("The dog, which barked, ran.")
    assert region_texts(plan) == ["The", "dog,", "which", "barked,", "ran."]
    assert plan.params["text"] == "The dog, which barked, ran."


def test_marks_in_the_text_decide_and_are_not_shown():
    (plan,) = plans("The dog | that barked | ran.")
    assert region_texts(plan) == ["The dog", "that barked", "ran."]
    assert [region["before"] for region in plan.params["regions"]] == ["", " ", " "]
    assert [region["words"] for region in plan.params["regions"]] == [2, 2, 1]
    assert plan.params["text"] == "The dog that barked ran."


def test_marks_in_a_column_decide_too_and_spaces_are_those_of_the_text():
    (plan,) = plans("The dog that barked ran.", regions="The dog|that barked|ran.")
    assert region_texts(plan) == ["The dog", "that barked", "ran."]
    assert [region["before"] for region in plan.params["regions"]] == ["", " ", " "]
    assert [region["words"] for region in plan.params["regions"]] == [2, 2, 1]


def test_a_script_without_spaces_is_read_by_its_marked_regions():
    (plan,) = plans("因为下雨，他没来。", regions="因为|下雨，|他|没来。")
    assert region_texts(plan) == ["因为", "下雨，", "他", "没来。"]
    assert [region["before"] for region in plan.params["regions"]] == ["", "", "", ""]
    assert [region["words"] for region in plan.params["regions"]] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "extra", "said"),
    [
        ("因为下雨，他没来。", {}, "without spaces between words"),
        ("The dog ran.", {"regions": "The dog | walked."}, "the same text with | between the regions"),
        ("The dog ran.", {"critical_region": "4"}, "the text has only 3 regions"),
        ("Run.", {}, "was found in it. Put | into the text where a region ends."),
    ],
)
def test_a_text_that_cannot_be_read_so_is_said(text, extra, said):
    assert said in " ".join(READING.text_faults(text, extra, SETTINGS))


def test_a_sound_text_has_no_faults():
    assert READING.text_faults("The dog ran.", {"critical_region": "3"}, SETTINGS) == []
    assert READING.stimulus_faults("The dog ran.", {**QUESTION, "critical_region": "1"}) == []


@pytest.mark.parametrize(
    ("extra", "column"),
    [
        ({"critical_region": "0"}, "critical_region"),
        ({"critical_region": "verb"}, "critical_region"),
        ({"critical_region": "7"}, "critical_region"),
        ({"question": "Who?", "choices": "the dog"}, "choices"),
        ({"choices": "the dog|a cat"}, "question"),
        ({**QUESTION, "answer": "the bird"}, "answer"),
        ({**QUESTION, "choices": "the dog|the dog"}, "choices"),
    ],
)
def test_a_row_with_half_a_question_or_no_number_is_said_with_its_column(extra, column):
    assert [name for name, _message in READING.stimulus_faults("The dog ran.", extra)] == [column]


def test_the_browser_never_learns_which_choice_is_right():
    orders: Counter[Any] = Counter()
    for seed in range(60):
        (plan,) = plans("The dog ran.", seed=seed, **QUESTION)
        assert set(plan.params["question"]) == {"prompt", "choices"}
        assert plan.params["question"]["choices"][plan.private["right_choice"]] == "the dog"
        orders[plan.private["right_choice"]] += 1
    assert min(orders.values()) > 15


def test_breaks_come_between_texts():
    kinds = [plan.plugin for plan in plans("One two.", "Three four.", "Five six.", "Seven eight.")]
    assert kinds == [*["self-paced-reading"] * 2, "break", *["self-paced-reading"] * 2]


def test_sound_times_are_accepted():
    (plan,) = plans("The dog ran.")
    assert faults(plan, payload()) == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"presses": [0.0, 300.0, 600.0]}, "3 regions need 4 presses, not 3"),
        ({"presses": [1.0, 300.0, 600.0, 900.0]}, "begin with 0"),
        ({"presses": [0.0, 600.0, 300.0, 900.0]}, "in their order"),
        ({"onsets": [12.0, 312.0]}, "3 regions have 3 onsets, not 2"),
        ({"onsets": [12.0, 299.0, 612.0]}, "between its press and the next"),
        ({"onsets": [12.0, 601.0, 612.0]}, "between its press and the next"),
        ({"question": {"choice": 0, "rt_ms": 5.0}}, "no question to answer"),
        ({"touches": -1}, "touches"),
        ({"keys": 3}, "no such field"),
    ],
)
def test_impossible_times_are_refused(changes, said):
    (plan,) = plans("The dog ran.")
    assert said in faults(plan, payload(**changes))


def test_a_question_must_be_answered_with_one_of_its_choices():
    (plan,) = plans("The dog ran.", **QUESTION)
    assert "not answered" in faults(plan, payload())
    assert "no such choice" in faults(plan, payload(question={"choice": 2, "rt_ms": 5.0}))
    assert faults(plan, payload(question={"choice": 1, "rt_ms": 5.0})) == ""


def test_measures_of_a_text_with_its_question():
    (plan,) = plans("The dog ran.", **QUESTION)
    right = plan.private["right_choice"]
    params = {**plan.params, **plan.private}
    measured = READING.measure(params, payload(question={"choice": right, "rt_ms": 812.5}), [])
    assert measured == {
        "n_regions": 3,
        "words": 3,
        "first_key_ms": 500.0,
        "total_ms": 900.0,
        "regions_flagged": 0,
        "touches": 0,
        "question": "Who barked?",
        "question_answer": "the dog",
        "question_correct": True,
        "question_ms": 812.5,
        "window": "moving",
    }
    wrong = READING.measure(params, payload(question={"choice": 1 - right, "rt_ms": 1.0}), [])
    assert wrong["question_correct"] is False
    assert set(measured) <= {measure.name for measure in READING.measures}
    # The preview knows no private part.
    assert READING.measure(plan.params, payload(question={"choice": 0, "rt_ms": 1.0}), [])["question_correct"] is None


def test_attempts_to_copy_are_counted_where_the_page_sends_them():
    (plan,) = plans("The dog ran.")
    assert faults(plan, payload(copy_attempts=2)) == ""
    assert READING.measure(plan.params, payload(copy_attempts=2), [])["copy_attempts"] == 2
    assert "copy_attempts" not in READING.measure(plan.params, payload(), [])
    assert "copy_attempts" in faults(plan, payload(copy_attempts=-1))


def test_each_region_is_a_row_with_its_distance_from_the_critical_one():
    (plan,) = plans("The dog | barked | loudly.", critical_region="2")
    rows = READING.long_rows("regions", plan.params, payload(presses=[0.0, 350.5, 700.0, 1000.0]), [])
    assert [row["from_critical"] for row in rows] == [-1, 0, 1]
    assert [row["rt_ms"] for row in rows] == [350.5, 349.5, 300.0]
    assert [row["region_text"] for row in rows] == ["The dog", "barked", "loudly."]
    assert [row["characters"] for row in rows] == [7, 6, 7]
    names = [column.name for column in READING.long_tables[0].columns]
    assert all(list(row) == names for row in rows)


def test_a_late_display_is_flagged():
    (plan,) = plans("The dog ran.")
    rows = READING.long_rows("regions", plan.params, payload(onsets=[12.0, 300.0 + 3.6 * 16.7, 612.0]), [])
    assert [row["display_flagged"] for row in rows] == [False, True, False]


def test_a_break_has_no_rows_and_only_its_duration():
    taken = {"duration_ms": 900.0, "instructions_reopened": False}
    assert READING.long_rows("regions", {}, taken, []) == []
    assert READING.measure({}, taken, []) == {"break_ms": 900.0}


def test_a_session_below_the_threshold_is_flagged():
    settings = {"comprehension_threshold": 70}
    assert READING.quality_flags({"comprehension": 0.69}, settings) != []
    assert READING.quality_flags({"comprehension": 0.7}, settings) == []
    assert READING.quality_flags({"comprehension": None}, settings) == []
    assert READING.quality_flags({"comprehension": 0.1}, {"comprehension_threshold": 0}) == []


def test_quality_of_a_session():
    (plan,) = plans("The dog ran.", **QUESTION)
    params = {**plan.params, **plan.private}
    right = params["right_choice"]
    answered = [
        ("self-paced-reading", params, payload(question={"choice": right, "rt_ms": 1.0})),
        (
            "self-paced-reading",
            params,
            payload(
                question={"choice": 1 - right, "rt_ms": 1.0},
                presses=[0.0, 50.0, 100.0, 150.0],
                onsets=[1.0, 51.0, 101.0],
            ),
        ),
    ]
    assert READING.quality(answered) == {
        "comprehension": 0.5,
        "median_region_ms": 175.0,
        "fast_regions_share": 0.5,
        "early_presses_total": None,
    }
    assert set(READING.quality([])) == {measure.name for measure in READING.quality_measures()}


def test_settings_have_defaults_and_say_what_they_do():
    values, wrong = checked(READING.settings_form, {})
    assert wrong == []
    assert (values["unit"], values["window"]) == ("word", "moving")
    assert all(field.help_text for field in READING.settings_form.base_fields.values())


def test_simulated_readers_send_what_is_accepted():
    (plan,) = plans("The dog | that barked | ran.", critical_region="2", **QUESTION)
    for seed in range(50):
        mind = READING.virtual_participant(random.Random(seed), SETTINGS)
        given = mind.respond("self-paced-reading", plan.params, levels={"clause": "object"}, item="x", carried={})
        assert faults(plan, given) == ""
        assert mind.response_ms("self-paced-reading", given) >= given["presses"][-1]


def test_simulated_readers_are_slowed_at_the_critical_region_and_half_as_much_after_it():
    (plan,) = plans("The dog | that barked | ran | home | quickly.", critical_region="3")
    by_level = {}
    for level in ("subject", "object"):
        logs = []
        for seed in range(1500):
            mind = READING.virtual_participant(random.Random(seed), SETTINGS)
            given = mind.respond("self-paced-reading", plan.params, levels={"clause": level}, item="x", carried={})
            rows = READING.long_rows("regions", plan.params, given, [])
            logs.append([math.log(row["rt_ms"]) for row in rows])
        by_level[level] = [sum(column) / len(column) for column in zip(*logs, strict=True)]
    true = simulated_slowing({"clause": "object"}) - simulated_slowing({"clause": "subject"})
    found = [later - earlier for earlier, later in zip(by_level["subject"], by_level["object"], strict=True)]
    assert found == pytest.approx([0, 0, true, true / 2, 0], abs=0.03)


def test_simulated_readers_mostly_answer_rightly():
    (plan,) = plans("The dog ran.", **QUESTION)
    params = {**plan.params, **plan.private}
    right = 0
    for seed in range(300):
        mind = READING.virtual_participant(random.Random(seed), SETTINGS)
        given = mind.respond("self-paced-reading", params, levels={}, item="x", carried={})
        right += given["question"]["choice"] == params["right_choice"]
    assert 250 < right < 300


def displays(n=3, shown=300.0, **changes):
    return [
        {"shown_ms": 320.0 * k, "gone_ms": 320.0 * k + shown, "dropped_frames": 0, "doubtful": False, **changes}
        for k in range(n)
    ]


def by_itself(**changes):
    given = {"first_key_ms": 400.0, "displays": displays(), "frame_interval_ms": 16.7, "touches": 0, "question": None}
    return {**given, **changes}


def test_a_text_can_have_a_window_of_its_own():
    shown = [
        ShownStimulus(number, "The dog ran.", extra={"window": window}, item=f"i{number}")
        for number, window in enumerate(("", "rsvp", "cumulative"))
    ]
    planned = READING.timeline(shown, {**SETTINGS, "break_every": 0}, random.Random(1))
    assert [plan.params["window"] for plan in planned] == ["moving", "rsvp", "cumulative"]
    ((column, said),) = READING.stimulus_faults("The dog ran.", {"window": "sliding"})
    assert (column, "moving, cumulative, centred, rsvp" in said) == ("window", True)


def test_regions_that_come_by_themselves_have_their_displays_and_no_reading_times():
    (plan,) = plans("The dog ran.", settings={**SETTINGS, "window": "rsvp"}, critical_region="2")
    assert faults(plan, by_itself()) == ""
    rows = READING.long_rows("regions", plan.params, by_itself(), [])
    assert [row["onset_ms"] for row in rows] == [0.0, 320.0, 640.0]
    assert [(row["rt_ms"], row["intended_ms"], row["shown_ms"]) for row in rows] == [(None, 300.0, 300.0)] * 3
    assert [row["from_critical"] for row in rows] == [-1, 0, 1]
    names = [column.name for column in READING.long_tables[0].columns]
    assert all(list(row) == names for row in rows)
    measured = READING.measure(plan.params, by_itself(), [])
    assert (measured["total_ms"], measured["window"], measured["n_regions"]) == (940.0, "rsvp", 3)
    assert READING.quality([("self-paced-reading", plan.params, by_itself())])["median_region_ms"] is None


@pytest.mark.parametrize("changes", [{"shown": 318.0}, {"dropped_frames": 1}, {"doubtful": True}])
def test_a_region_that_was_not_shown_for_its_time_is_flagged(changes):
    (plan,) = plans("The dog ran.", settings={**SETTINGS, "window": "rsvp"})
    rows = READING.long_rows("regions", plan.params, by_itself(displays=displays(**changes)), [])
    assert all(row["display_flagged"] for row in rows)


@pytest.mark.parametrize(
    ("window", "given", "said"),
    [
        ("rsvp", payload(), "has no presses"),
        ("moving", by_itself(), "has presses"),
        ("rsvp", by_itself(displays=displays(2)), "3 regions have 3 displays, not 2"),
        ("rsvp", by_itself(displays=displays()[::-1]), "not in their order"),
        ("rsvp", by_itself(displays=displays(shown=-1.0)), "gone before it was shown"),
    ],
)
def test_what_does_not_belong_to_the_window_is_refused(window, given, said):
    (plan,) = plans("The dog ran.", settings={**SETTINGS, "window": window})
    assert said in faults(plan, given)


def test_simulated_readers_see_regions_that_come_by_themselves():
    (plan,) = plans("The dog ran.", settings={**SETTINGS, "window": "rsvp", "blank_ms": 50}, **QUESTION)
    for seed in range(20):
        mind = READING.virtual_participant(random.Random(seed), SETTINGS)
        given = mind.respond("self-paced-reading", plan.params, levels={}, item="x", carried={})
        assert faults(plan, given) == ""
        assert mind.response_ms("self-paced-reading", given) >= given["displays"][-1]["gone_ms"]


def test_regions_of_which_the_first_was_reported_late_are_taken():
    # What the browser makes of one that seems to come after those that followed it (displaysInOrder).
    (plan,) = plans("The dog ran.", settings={**SETTINGS, "window": "rsvp"}, **QUESTION)
    times = [(0.0, 0.0), (0.0, 0.0), (0.0, 16.0)]
    late = [{"shown_ms": a, "gone_ms": b, "dropped_frames": 0, "doubtful": True} for a, b in times]
    given = by_itself(displays=late[: len(plan.params["regions"])], question={"choice": 1, "rt_ms": 900.0})
    assert faults(plan, given) == ""


def test_the_example_has_24_items_that_differ_in_the_relative_clause_alone():
    described = read_toml(EXAMPLE)
    targets = [item for item in described.design.items if item.is_target]
    assert len(targets) == 24
    for item in targets:
        subject, object_ = item.stimuli
        assert subject.extra["critical_region"] == object_.extra["critical_region"] == "3"
        regions = [[part.strip() for part in stimulus.text.split("|")] for stimulus in (subject, object_)]
        assert [a == b for a, b in zip(*regions, strict=True)] == [True, False, True, True, True]
        assert sorted(regions[0][1].split()) == sorted(regions[1][1].split())
    asked = [item for item in targets if item.stimuli[0].extra.get("question")]
    assert len(asked) == 12
    assert all({s.extra["answer"] for s in item.stimuli} == {"Yes", "No"} for item in asked)


def test_each_region_says_whether_it_was_in_the_window_and_older_answers_say_nothing():
    (plan,) = plans("The dog ran.")
    given = payload(3, out_of_view=[2], brought_into_view=[2, 3])
    assert faults(plan, given) == ""
    rows = READING.long_rows("regions", plan.params, given, [])
    assert [row["out_of_view"] for row in rows] == [False, True, False]
    assert [row["brought_into_view"] for row in rows] == [False, True, True]
    older = READING.long_rows("regions", plan.params, payload(3), [])
    assert {(row["out_of_view"], row["brought_into_view"]) for row in older} == {(None, None)}


@pytest.mark.parametrize("places", [[0], [4], [2, 2], [3, 1], [True], ["1"], 2])
def test_places_of_regions_that_are_none_are_refused(places):
    (plan,) = plans("The dog ran.")
    assert "out_of_view" in faults(plan, payload(3, out_of_view=places))
