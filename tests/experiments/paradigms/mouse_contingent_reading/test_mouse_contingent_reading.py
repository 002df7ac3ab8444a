"""What mouse-contingent reading plans, takes, measures and simulates."""

import copy
import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.mouse_contingent_reading.paradigm import PLUGIN
from experiments.paradigms.mouse_contingent_reading.schema import MOST_VISITS
from experiments.paradigms.mouse_contingent_reading.settings import TAKEN
from experiments.paradigms.mouse_contingent_reading.visits import path_agrees, visit_faults, visit_rows, visits_of_path
from experiments.rules.procedure import checked

READING = paradigm_named("mouse-contingent-reading")
TEXT = "the men fled on foot | the police found the car | nobody was hurt"
QUESTION = {"question": "Who fled?", "choices": "the men | the police | nobody", "answer": "the men"}


def settings(**changes):
    return {**READING.complete_settings({}), **changes}


def planned(*, texts=1, practice=0, extra=None, **changes):
    shown = [
        ShownStimulus(number, TEXT, is_practice=number < practice, extra=extra or {})
        for number in range(texts + practice)
    ]
    return READING.timeline(shown, settings(**changes), random.Random(1))


def answered(trial, *, seed=1, levels=None):
    mind = READING.virtual_participant(random.Random(seed), settings())
    return mind.respond(trial.plugin, trial.params, levels=levels or {}, item="x", carried={})


def faults(trial, payload):
    serializer = READING.responses[trial.plugin](
        data=payload, context={"params": trial.params, "private": trial.private}
    )
    return {} if serializer.is_valid() else serializer.errors


def test_a_text_is_planned_as_its_areas_without_marks():
    (trial,) = planned()
    assert (trial.plugin, trial.phase) == (PLUGIN, "main")
    assert trial.params["text"] == "the men fled on foot the police found the car nobody was hurt"
    assert [(area["text"], area["words"]) for area in trial.params["areas"]] == [
        ("the men fled on foot", 5),
        ("the police found the car", 5),
        ("nobody was hurt", 3),
    ]
    assert (trial.params["arrangement"], trial.params["mask"], trial.params["modes"]) == (
        "bands",
        "bar",
        ["pointer", "keyboard"],
    )


def test_the_device_is_asked_once_and_breaks_come_between_texts():
    trials = planned(texts=5, practice=1, break_every=2)
    assert [trial.phase for trial in trials] == ["practice", "main", "main", "break", "main", "main", "break", "main"]
    assert [trial.params.get("ask_device") for trial in trials if trial.plugin == PLUGIN] == [True] + [False] * 5


def test_the_right_answer_never_leaves_the_server_and_choices_are_shuffled():
    trials = [trial for trial in planned(texts=30, extra=QUESTION) if trial.plugin == PLUGIN]
    orders = {tuple(trial.params["question"]["choices"]) for trial in trials}
    assert len(orders) > 1
    for trial in trials:
        assert set(trial.params["question"]) == {"prompt", "choices"}
        assert trial.params["question"]["choices"][trial.private["right_choice"]] == "the men"


def test_whether_an_answer_is_right_is_measured_with_what_the_server_kept():
    (trial,) = planned(extra=QUESTION)
    payload = answered(trial)
    right = trial.private["right_choice"]
    payload["question"] = {"choice": right, "rt_ms": 900.0}
    known = {**trial.params, **trial.private}
    assert READING.measure(known, payload, [])["question_correct"] is True
    payload["question"]["choice"] = (right + 1) % 3
    assert READING.measure(known, payload, [])["question_correct"] is False
    assert READING.measure(trial.params, payload, [])["question_correct"] is None


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({**QUESTION, "answer": "a dog"}, "answer"),
        ({**QUESTION, "choices": "the men"}, "choices"),
        ({**QUESTION, "choices": "the men|the men"}, "choices"),
        ({**QUESTION, "choices": "the men|b|c|d|e|f|g|h|i|j"}, "choices"),
        ({"choices": "a|b", "answer": "a"}, "question"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_fault_of_its_row(row, column):
    assert [place for place, _sentence in READING.stimulus_faults(TEXT, row)] == [column]
    assert READING.stimulus_faults(TEXT, QUESTION) == READING.stimulus_faults(TEXT, {}) == []


def test_a_text_of_one_area_is_a_fault_that_names_the_mark():
    assert READING.text_faults(TEXT, {}, settings()) == []
    (fault,) = READING.text_faults("no mark and no full stop", {}, settings())
    assert "Put | into the text" in fault
    assert READING.text_faults("no mark and no full stop", {}, settings(unit="word")) == []


@pytest.mark.parametrize("unit", ["sentence", "clause", "word", "marked"])
def test_every_simulated_payload_is_taken_and_measured_as_declared(unit):
    text = TEXT if unit != "word" else TEXT.replace("|", "")
    shown = [ShownStimulus(number, text, extra=QUESTION) for number in range(12)]
    own = settings(unit=unit)
    declared = {measure.name for measure in READING.measures_of(own)}
    for trial in READING.timeline(shown, own, random.Random(2)):
        payload = answered(trial, seed=trial.params.get("index", 1))
        assert faults(trial, payload) == {}
        assert set(READING.measure(trial.params, payload, [])) <= declared


def test_ratings_of_the_settings_become_measures():
    question = {"name": "clarity", "text": "Clear?", "kind": "slider", "labels": [], "points": 0, "required": True}
    names = [measure.name for measure in READING.measures_of({"ratings": [question]})]
    assert {"clarity", "clarity_rt_ms", "clarity_changes"} <= set(names)
    assert "fluency" not in names
    assert "fluency" in {measure.name for measure in READING.measures_of({})}


def test_a_rating_cannot_take_the_name_of_a_reading_measure():
    question = {"name": "total_time", "text": "How long?", "kind": "slider"}
    _values, found = checked(READING.settings_form, {"ratings": [question]})
    assert "already have a column with this name" in str(found[0])
    assert {"total_time", "pace_3", "words", "path_log"} <= TAKEN


def test_no_two_columns_have_one_name():
    own = settings(areas_in_columns=12)
    names = [measure.name for measure in (*READING.measures_of(own), *READING.visit_measures(own))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"visits": [[4, 0, 10, "moved"]]}, "visits"),
        ({"visits": [[1, 0, 10, "moved"], [2, 5, 20, "done"]]}, "visits"),
        ({"visits": [[1, 20, 10, "moved"]]}, "visits"),
        ({"visits": [[1, 0, 10_000_000, "moved"]]}, "visits"),
        ({"visits": [[1, 0, 10, "bored"]]}, "visits"),
        ({"visits": [[1, "0", 10, "moved"]]}, "visits"),
        ({"visits": [[True, 0, 10, "moved"]]}, "visits"),
        ({"visits": []}, "visits"),
        ({"visits": [[1, 0, 0, "moved"]] * (MOST_VISITS + 1)}, "visits"),
        ({"layouts": []}, "layouts"),
        ({"layout_changes": 1}, "layouts"),
        ({"mode": "drag"}, "mode"),
        ({"pointer_type": ""}, "pointer_type"),
        ({"device": None}, "device"),
        ({"question": {"choice": 0, "rt_ms": 1}}, "question"),
        ({"pauses": [[5, 1, "resize"]]}, "pauses"),
        ({"pauses": [[1, 5, "tea"]]}, "pauses"),
        ({"ratings": {}}, "ratings"),
        ({"mind": "read"}, "mind"),
    ],
)
def test_a_payload_that_cannot_be_true_is_refused_and_says_where(change, field):
    (trial,) = planned()
    payload = {**answered(trial), **change}
    assert field in faults(trial, payload)


def test_a_box_outside_the_text_is_refused():
    (trial,) = planned()
    payload = copy.deepcopy(answered(trial))
    payload["layouts"][0]["boxes"][0][0] = 9
    assert "boxes" in faults(trial, payload)["layouts"][0]


def test_an_area_that_was_only_crossed_is_exported_and_counts_as_no_visit():
    (trial,) = planned()
    payload = answered(trial)
    payload["visits"] = [[1, 0.0, 900.0, "moved"], [2, 900.0, 905.0, "passed"], [3, 905.0, 2000.0, "done"]]
    measures = READING.measure(trial.params, payload, [])
    assert (measures["areas_passed"], measures["first_entry_ms"], measures["reading_ms"]) == (1, 0.0, 2000.0)
    rows = READING.long_rows("visits", trial.params, payload, [])
    assert [(row["aoi"], row["shown"]) for row in rows] == [(1, True), (2, False), (3, True)]
    assert set(rows[0]) == {column.name for column in READING.long_tables[0].columns}
    quality = READING.quality([(trial.plugin, trial.params, payload)])
    assert quality["texts_with_unread_areas"] == 1
    assert "an area of a text was never uncovered" in READING.quality_flags(quality, settings())


def test_visits_say_whether_their_area_was_ever_in_the_window_and_older_answers_say_nothing():
    (trial,) = planned()
    payload = answered(trial) | {"out_of_view": [2]}
    payload["visits"] = [[1, 0.0, 900.0, "moved"], [2, 900.0, 1900.0, "moved"], [3, 1900.0, 1905.0, "passed"]]
    assert faults(trial, payload | {"finished_ms": 2000.0}) == faults(trial, answered(trial))
    rows = READING.long_rows("visits", trial.params, payload, [])
    # Of an area that was never clear there is nothing to say.
    assert [(row["aoi"], row["out_of_view"]) for row in rows] == [(1, False), (2, True), (3, None)]
    del payload["out_of_view"]
    assert {row["out_of_view"] for row in READING.long_rows("visits", trial.params, payload, [])} == {None}
    assert "out_of_view" in faults(trial, payload | {"out_of_view": [99]})


def test_too_little_comprehension_is_flagged_by_the_threshold_of_the_study():
    trials = [trial for trial in planned(texts=4, extra=QUESTION) if trial.plugin == PLUGIN]
    told = []
    for number, trial in enumerate(trials):
        payload = answered(trial)
        right = trial.private["right_choice"]
        payload["question"] = {"choice": right if number else (right + 1) % 3, "rt_ms": 5.0}
        told.append((trial.plugin, {**trial.params, **trial.private}, payload))
    quality = READING.quality(told)
    assert quality["comprehension"] == 0.75
    assert set(quality) == {measure.name for measure in READING.quality_measures()} == set(READING.quality([]))
    assert READING.quality_flags(quality, settings(comprehension_threshold=75)) == []
    assert len(READING.quality_flags(quality, settings(comprehension_threshold=80))) == 1


def test_touch_screens_are_asked_for_a_pointer_unless_dragging_is_allowed():
    assert READING.requirements_of({}) == ("pointer",)
    assert READING.requirements_of({"allow_keyboard": True}) == ("pointer-or-keys",)
    assert READING.requirements_of({"allow_drag": True}) == ()


def test_simulated_readers_are_slower_and_less_content_with_worse_texts():
    def mean(levels, value):
        found = [value(answered(trial, seed=seed, levels=levels)) for seed in range(200) for trial in planned()]
        return sum(found) / len(found)

    def finished(payload):
        return payload["finished_ms"]

    def fluency(payload):
        return payload["ratings"]["fluency"]["rating"]

    order = [{"version": "gold"}, {"version": "sem"}, {}]
    times, ratings = ([mean(levels, value) for levels in order] for value in (finished, fluency))
    assert times == sorted(times)
    assert ratings == sorted(ratings, reverse=True)


def test_a_minute_of_reading_takes_less_than_a_kilobyte_before_it_is_packed():
    (trial,) = planned()
    payload = answered(trial)
    assert len(json.dumps(payload["visits"])) / (payload["finished_ms"] / 60_000) < 1_500


LAYOUT = {"boxes": [[1, 0, 0, 100, 20], [2, 0, 20, 60, 20], [3, 60, 20, 40, 20]]}


def area_at(x, y):
    if not (0 <= x < 100 and 0 <= y < 40):
        return None
    return 1 if y < 20 else 2 if x < 60 else 3


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(-20, 120), st.integers(-10, 50)), min_size=1, max_size=60))
def test_visits_from_a_path_are_the_stays_in_the_boxes(samples):
    at = 0
    points = []
    for wait, x, y in samples:
        at += wait
        points.append((at, x, y))
    steps = [value for (t0, x0, y0), (t1, x1, y1) in pairwise(points) for value in (t1 - t0, x1 - x0, y1 - y0)]
    first = points[0]
    events = [
        {"type": "path", "at": first[0], "x": first[1], "y": first[2], "steps": steps},
        {"type": "leave", "at": at + 50, "reason": "done"},
    ]
    visits, until = visits_of_path(events, [LAYOUT])
    assert until is None
    ends = [*(point[0] for point in points[1:]), at + 50]
    expected: list[list[Any]] = []
    for (t, x, y), end in zip(points, ends, strict=True):
        area = area_at(x, y)
        if expected and expected[-1][0] == area and expected[-1][2] == t:
            expected[-1][2] = end
        elif area is not None:
            expected.append([area, t, end])
    assert [[area, round(start * 10), round(end * 10)] for area, start, end in visits] == expected
    recorded: list[list[Any]] = [[area, start, end, "moved"] for area, start, end in visits]
    assert visit_faults(recorded, areas=3, finished_ms=1e9) == []
    assert path_agrees(recorded, events, [LAYOUT]) is True
    if recorded:
        recorded[0][2] += 0.2
        assert path_agrees(recorded, events, [LAYOUT]) is False


def test_without_a_path_nothing_is_said_about_agreement_and_a_broken_path_does_not_agree():
    assert path_agrees([[1, 0, 5, "done"]], [], [LAYOUT]) is None
    assert path_agrees([[1, 0, 5, "done"]], [{"type": "path", "at": 0}], [LAYOUT]) is False


def test_a_new_layout_holds_from_its_event_on():
    moved = {"boxes": [[1, 0, 100, 100, 20]]}
    events = [
        {"type": "path", "at": 0, "x": 5, "y": 5, "steps": []},
        {"type": "leave", "at": 100, "reason": "resize"},
        {"type": "layout", "at": 200, "index": 1},
        {"type": "path", "at": 300, "x": 5, "y": 105, "steps": []},
        {"type": "leave", "at": 400, "reason": "done"},
    ]
    assert visits_of_path(events, [LAYOUT, moved])[0] == [(1, 0.0, 10.0), (1, 30.0, 40.0)]


def test_a_path_that_became_too_long_is_compared_as_far_as_it_goes():
    events = [
        {"type": "path", "at": 0, "x": 5, "y": 5, "steps": [100, 0, 20]},
        {"type": "path-full", "at": 150},
    ]
    visits = [[1, 0.0, 10.0, "moved"], [2, 10.0, 90.0, "moved"], [1, 90.0, 95.0, "done"]]
    assert path_agrees(visits, events, [LAYOUT]) is True


@given(st.lists(st.tuples(st.integers(1, 4), st.floats(0, 50), st.floats(0, 50)), max_size=20))
def test_rows_of_visits_name_every_area_once_at_least_and_keep_the_order(stays):
    clock = 0.0
    visits = []
    for aoi, gap, stay in stays:
        visits.append([aoi, clock + gap, clock + gap + stay, "moved"])
        clock += gap + stay
    areas = [{"text": "a b", "words": 2}] * 4
    rows = visit_rows(visits, areas)
    assert {row["aoi"] for row in rows} == {1, 2, 3, 4}
    assert [[row["aoi"], row["enter_ms"], row["leave_ms"]] for row in rows[: len(visits)]] == [v[:3] for v in visits]
    assert all(row["enter_ms"] is None and not row["shown"] for row in rows[len(visits) :])


def test_the_ladder_begins_with_fillers_and_goes_from_the_last_level_to_the_first():
    suggested = READING.suggestions({"version": ["gold", "lin", "sem"]}, settings(), has_fillers=True)
    ladder = next(each for each in suggested if each.method == "logistic")
    assert ladder.params["ladder"] == "filler,sem,lin,gold"
    assert [each.table for each in suggested if each.method == "reading"] == ["visits"]
    assert {each.table for each in suggested if each.method != "reading"} == {"trials"}
    assert suggested[0].method == "lmm"
    without = READING.suggestions({"version": ["gold", "sem"]}, settings(ratings=[]), has_fillers=False)
    ladder = next(each for each in without if each.method == "logistic")
    assert ladder.params["ladder"] == "sem,gold"
    assert "Ratings" not in ladder.params["sets"]
