"""The log of a reading in columns: what the browser writes is read, what says nothing is refused, no result changes."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.mouse_contingent_reading.columns import (
    DIGITS,
    MalformedColumnsError,
    boxes_of,
    columns_of,
    packed,
    rows_of,
    text_of,
    unpacked,
    visits_of,
)
from experiments.paradigms.mouse_contingent_reading.schema import MOST_BOXES, MOST_VISITS
from experiments.paradigms.mouse_contingent_reading.visits import LEAVE_REASONS, visit_faults

pytestmark = pytest.mark.slow

CONTRACT = json.loads((Path(__file__).resolve().parents[3] / "contract" / "reading_columns.json").read_text("utf-8"))
READING = paradigm_named("mouse-contingent-reading")
WORDS = "the men fled on foot and nobody was hurt"
AREAS = len(WORDS.split())


def trial(**changes):
    settings = {**READING.complete_settings({}), "unit": "word", "arrangement": "flow", **changes}
    (planned,) = READING.timeline([ShownStimulus(1, WORDS)], settings, random.Random(1))
    return planned


def answered(planned, seed=1):
    mind = READING.virtual_participant(random.Random(seed), READING.complete_settings({}))
    return mind.respond(planned.plugin, planned.params, levels={}, item="x", carried={})


def faults(planned, payload):
    serializer = READING.responses[planned.plugin](data=payload, context={"params": planned.params})
    return {} if serializer.is_valid() else serializer.errors


@st.composite
def logs(draw):
    """Visits to the areas of the text, in order, in whole tenths of a millisecond as browsers take them."""
    stays = st.one_of(st.integers(0, 9_000), st.integers(0, 2**36))
    waits = st.one_of(st.just(0), stays)
    drawn = st.tuples(st.integers(1, AREAS), waits, stays, st.sampled_from(LEAVE_REASONS))
    visits, clock = [], 0
    for aoi, wait, stay, reason in draw(st.lists(drawn, min_size=1, max_size=40)):
        enter, clock = clock + wait, clock + wait + stay
        visits.append([aoi, *(int(time / 10) if time % 10 == 0 else time / 10 for time in (enter, clock)), reason])
    return visits


def in_both_forms(visits):
    """Return one payload with its visits in rows and in columns."""
    rows = {**unpacked(answered(trial())), "visits": visits, "finished_ms": visits[-1][2] + 20}
    return rows, packed(rows)


@pytest.mark.parametrize("case", CONTRACT["visits"], ids=lambda case: case["what"])
def test_visits_of_the_browser_are_read_to_the_last_digit(case):
    # As text, because exports write 77 and 77.0 differently.
    assert json.dumps(visits_of(case["columns"])) == json.dumps(case["rows"])
    assert columns_of(case["rows"]) == case["columns"]


@pytest.mark.parametrize("case", CONTRACT["boxes"], ids=lambda case: case["what"])
def test_boxes_of_the_browser_are_read_as_they_stood(case):
    assert boxes_of(case["rows"]) == case["boxes"]
    assert rows_of(case["boxes"]) == case["rows"]


def test_the_contract_has_the_digits_of_the_server():
    assert CONTRACT["digits"] == DIGITS


@given(logs())
def test_visits_survive_the_columns_without_a_tenth_lost(visits):
    assert visit_faults(visits, areas=AREAS, finished_ms=visits[-1][2]) == []
    columns = json.loads(json.dumps(columns_of(visits)))
    assert json.dumps(visits_of(columns)) == json.dumps(visits)


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 1), st.integers(0, 200), st.integers(40, 41)),
        max_size=30,
    )
)
def test_boxes_survive_the_rows_wherever_they_stand(drawn):
    boxes, right, area = [], 0, 0
    for step, gap, line, width, height in drawn:
        area += step
        boxes.append([area, right + gap // 3, line, width, height])
        right += gap // 3 + width
    assert boxes_of(json.loads(json.dumps(rows_of(boxes)))) == boxes


@given(logs())
def test_measures_exports_and_replays_are_the_same_in_either_form(visits):
    params = trial().params
    rows, columns = in_both_forms(visits)
    assert columns["visits"] != rows["visits"]
    for made in (
        lambda payload: READING.measure(params, payload, []),
        lambda payload: READING.long_rows("visits", params, payload, []),
        lambda payload: READING.replay(params, payload),
        lambda payload: READING.quality([("mouse-contingent-reading", params, payload)]),
    ):
        assert json.dumps(made(columns)) == json.dumps(made(rows))


@given(logs())
def test_both_forms_are_accepted(visits):
    planned = trial(ratings=[])
    for payload in in_both_forms(visits):
        payload["ratings"], payload["device"] = {}, {"device": "mouse", "hand": "right"}
        assert faults(planned, payload) == {}


GOOD = {"steps": [1, 1], "waits": "MCAA", "stays": "EuIR", "left_by": [["moved", 1], ["done", 1]]}


def test_the_columns_that_others_are_made_from_are_good():
    assert visits_of(GOOD) == [[1, 77, 107.2, "moved"], [2, 107.2, 160.1, "done"]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"waits": "MC"}, "There are 2 steps, but 1 waits."),
        ({"stays": "EuIRAA"}, "There are 2 steps, but 3 stays."),
        ({"stays": "EuI"}, "The stays are not numbers"),
        ({"stays": "EuI="}, "The stays are not numbers"),
        ({"stays": "EuÉé"}, "The stays are not numbers"),
        ({"stays": "Eu IR"}, "The stays are not numbers"),
        ({"stays": "Eu(IR)"}, "The stays are not numbers"),
        ({"stays": "Eu(ABIR)"}, "The stays are not numbers"),
        ({"stays": "Eu(BIR"}, "The stays are not numbers"),
        ({"stays": "Eu(BAAAAAAAA)"}, "The stays are not numbers"),
        ({"waits": [770, 0]}, "The waits are not numbers"),
        ({"waits": None}, "The waits are not numbers"),
        ({"steps": "AB"}, "Steps must be whole numbers."),
        ({"steps": [1, 1.0]}, "Steps must be whole numbers."),
        ({"steps": [1, True]}, "Steps must be whole numbers."),
        ({"left_by": "done"}, "pairs of a reason and a number"),
        ({"left_by": [["moved", 1], ["done"]]}, "pairs of a reason and a number"),
        ({"left_by": [["moved", 2], ["done", 0]]}, "pairs of a reason and a number"),
        ({"left_by": [["moved", 3], ["done", -1]]}, "pairs of a reason and a number"),
        ({"left_by": [[["moved"], 2]]}, "pairs of a reason and a number"),
        ({"left_by": [["moved", 10**12]]}, "There are 2 steps, but reasons for the end of 1000000000000 visits."),
        ({"paths": []}, "have steps, waits, stays and left_by"),
    ],
)
def test_columns_that_say_nothing_are_refused_in_a_sentence(change, says):
    with pytest.raises(MalformedColumnsError, match=says):
        visits_of({**GOOD, **change})
    planned = trial()
    (sentence,) = faults(planned, {**answered(planned), "visits": {**GOOD, **change}})["visits"]
    assert says in sentence


def test_a_column_that_is_missing_is_refused():
    for name in GOOD:
        with pytest.raises(MalformedColumnsError, match="and nothing else"):
            visits_of({column: values for column, values in GOOD.items() if column != name})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"steps": [1, AREAS]}, "Visit 2 is to no area"),
        ({"steps": [1, -1]}, "Visit 2 is to no area"),
        ({"left_by": [["bored", 2]]}, "Visit 1 ended for no known reason."),
        ({"stays": "Eu(____)"}, "Visit 2 ends after the text was finished."),
        ({"steps": [], "waits": "", "stays": "", "left_by": []}, "at least 1 element"),
    ],
)
def test_visits_in_columns_are_judged_as_those_in_rows(change, says):
    planned = trial()
    (sentence,) = faults(planned, {**answered(planned), "visits": {**GOOD, **change}})["visits"]
    assert says in sentence


def test_no_more_visits_or_boxes_are_taken_in_columns_than_in_rows():
    planned = trial()
    payload = answered(planned)
    visits = columns_of([[1, 0, 0, "moved"]] * (MOST_VISITS + 1))
    assert "no more than" in faults(planned, {**payload, "visits": visits})["visits"][0]
    boxes = [[1, 0, 0, 46, "A" * (MOST_BOXES + 1)]]
    layout = {**payload["layouts"][0], "boxes": boxes}
    assert "boxes" in faults(planned, {**payload, "layouts": [layout]})["layouts"][0]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ([1, 0, 0, 46, ""], "A row of boxes must be"),
        ([1, 0, 0, 46, "B "], "A row of boxes must be"),
        ([1, 0, 0, 46, "(B)"], "A row of boxes must be"),
        (["1", 0, 0, 46, "BB"], "A row of boxes must be"),
        ([1, None, 0, 46, "BB"], "A row of boxes must be"),
        ([1, 0, None, 46, "BB"], "Box 1 must be an area, x, y, width and height."),
        ([1, 0, 0, -1, "BB"], "Box 1 belongs to no area of the text."),
        ([AREAS, 0, 0, 46, "BB"], "Box 2 belongs to no area of the text."),
    ],
)
def test_a_row_of_boxes_that_cannot_be_true_is_refused_in_a_sentence(row, says):
    planned = trial()
    payload = answered(planned)
    layout = {**payload["layouts"][0], "boxes": [row]}
    (sentence,) = faults(planned, {**payload, "layouts": [layout]})["layouts"][0]["boxes"]
    assert says in sentence


@given(st.lists(st.integers(0, 64**8 - 1), max_size=30), st.sampled_from([1, 2]))
def test_a_number_has_one_form_only(numbers, least):
    text = text_of(numbers, least=least)
    assert len({text_of([number], least=least) for number in numbers}) == len(set(numbers))
    assert text == "".join(text_of([number], least=least) for number in numbers)
    assert all(character in f"{DIGITS}()" for character in text)


def test_simulated_readers_send_columns_as_browsers_do():
    payload = answered(trial())
    assert set(payload["visits"]) == {"steps", "waits", "stays", "left_by"}
    assert packed(unpacked(payload)) == payload
