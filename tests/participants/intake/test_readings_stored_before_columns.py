"""Visits in rows, as they were stored before browsers sent columns: still taken, exported to the byte, replayed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from analysis.exports import stream
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.mouse_contingent_reading.columns import packed, unpacked
from experiments.study.lifecycle import open_study
from participants.content import RESULT_FIELDS, content_hash
from participants.models import Response
from participants.watching.invariants import violations
from tests.participants.studies import Browser, result_for

EXAMPLE = "experiments/examples/mouse-reading/study.toml"
READING = paradigm_named("mouse-contingent-reading")
# As a browser stored it: whole milliseconds without a point, an area crossed, the text left and laid out again.
VISITS = [
    [1, 812, 3408.7, "moved"],
    [2, 3408.7, 3415, "passed"],
    [3, 3415, 9001.1, "resize"],
    [2, 15000.4, 15410, "pointerleave"],
    [1, 15410.1, 4100000.3, "done"],
]
BOXES = [[1, 0, 0, 720, 66], [2, 0, 66, 300, 66], [3, 300, 66, 420, 66]]
LAYOUT: dict[str, Any] = {
    "at_ms": 0, "viewport": [1280, 720], "zoom": 1, "dpr": 1, "font": "22px Source Sans 3", "font_loaded": True,
    "origin": [280, 120], "size": [720, 132], "lines": 2, "boxes": BOXES,
}  # fmt: skip
RATING = {"rating": 20, "rt_ms": 900.5, "changes": 0, "typed": "20"}
ROWS: dict[str, Any] = {
    "visits": VISITS, "finished_ms": 4100000.3, "layouts": [LAYOUT, {**LAYOUT, "at_ms": 14990.2}], "layout_changes": 1,
    "pauses": [[9001.1, 14990.2, "resize"]], "mode": "pointer", "pointer_type": "mouse",
    "device": {"device": "mouse", "hand": "left"}, "copy_attempts": 0, "frame_interval_ms": 16.7,
    "ratings": {"fluency": RATING, "clarity": RATING}, "question": None,
}  # fmt: skip


@pytest.fixture
def study(db: None) -> Study:
    call_command("create_study", EXAMPLE)
    return open_study(Study.objects.get(slug="mouse-reading"), None)


def read(study: Study, payload: dict[str, Any], *, seed: int = 0) -> dict[str, Any]:
    """Send a payload as the result of the first text of a new participant, and return what became of it."""
    browser = Browser(study, seed=seed)
    consent = {"version": 1, "required": [True] * 3, "optional": {}}
    assert browser.start(consent=consent, client={"window": [1280, 720]}).status_code == 201
    assert browser.open().status_code == 200
    trial = next(trial for trial in browser.trials if trial["plugin"] == READING.slug)
    result = result_for({**trial, "plugin": "pages", "params": {"pages": []}}, payload=payload)
    (outcome,) = browser.send(result).json()["results"]
    return dict(outcome)


def exports(study: Study) -> dict[str, bytes]:
    return {name: b"".join(stream(study, name)) for name in ("visits.csv", "trials.csv", "participants.csv")}


def test_rows_that_waited_in_a_browser_over_an_upgrade_are_stored_as_they_came(study: Study) -> None:
    assert read(study, ROWS)["status"] == "stored"
    assert Response.objects.get().payload == ROWS


def test_columns_are_stored_as_they_came(study: Study) -> None:
    assert read(study, packed(ROWS))["status"] == "stored"
    payload = Response.objects.get().payload
    assert payload == packed(ROWS)
    assert payload["layouts"][0]["boxes"] == [[1, 0, 0, 720, 66], [2, 0, 66, 66, "(Es)(Gk)"]]


def test_exports_are_the_same_to_the_byte_whether_rows_or_columns_are_stored(study: Study) -> None:
    assert read(study, ROWS)["status"] == "stored"
    of_rows = exports(study)
    Response.objects.update(payload=packed(ROWS))
    assert exports(study) == of_rows
    for enter, leave in (("812", "3408.7"), ("3415", "9001.1"), ("15410.1", "4100000.3")):
        assert f",{enter},{leave},".encode() in of_rows["visits.csv"]


def test_the_check_of_the_data_finds_nothing_wrong_with_either_form(study: Study) -> None:
    read(study, ROWS)
    read(study, packed(ROWS), seed=1)
    assert not any(violations(study).values())
    # As one hash of what came vouches for it, the check would see a response that was stored in another form.
    response = Response.objects.earliest("pk")
    content = {name: getattr(response, name) for name in RESULT_FIELDS}
    assert content_hash(content) == response.content_hash
    assert content_hash({**content, "payload": packed(ROWS)}) != response.content_hash


def test_a_text_stored_in_rows_is_replayed_as_the_same_in_columns(study: Study) -> None:
    read(study, ROWS)
    response = Response.objects.select_related("trial").get()
    replay = READING.replay(response.trial.params, response.payload)
    assert replay == READING.replay(response.trial.params, packed(response.payload))
    assert replay is not None
    assert [visit["shown"] for visit in replay["visits"]] == [True, False, True, True, True]


def test_rows_and_columns_of_one_reading_are_the_inverse_of_each_other() -> None:
    assert unpacked(packed(ROWS)) == ROWS
