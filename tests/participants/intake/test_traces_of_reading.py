"""A trace of reading arrives in batches, however long it is; a batch that is too large is refused and kept."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import pytest
from django.core.management import call_command

from analysis.exports import stream
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.mouse_contingent_reading.visits import visits_of_path
from experiments.study.lifecycle import open_study
from participants.intake.entries import MAX_ENTRY_CHARACTERS
from participants.models import EventBatch, IntakeProblem
from tests.participants.studies import Browser, result_for

EXAMPLE = "experiments/examples/mouse-reading/study.toml"
READING = paradigm_named("mouse-contingent-reading")
LAYOUT: dict[str, Any] = {
    "at_ms": 0, "viewport": [1280, 720], "zoom": 1, "dpr": 1, "font": "Charis", "font_loaded": True,
    "origin": [280, 120], "size": [720, 96], "lines": 3,
    "boxes": [[1, 0, 0, 720, 32], [2, 0, 32, 720, 32], [3, 0, 64, 720, 32]],
}  # fmt: skip


@pytest.fixture
def reader(db: None) -> Browser:
    call_command("create_study", EXAMPLE)
    study = Study.objects.get(slug="mouse-reading")
    study.settings = {**study.settings, "record_path": True}
    study.save()
    browser = Browser(open_study(study, None))
    started = browser.start(
        consent={"version": 1, "required": [True] * 3, "optional": {}}, client={"window": [1280, 720]}
    )
    assert started.status_code == 201, started.content
    assert browser.open().status_code == 200
    return browser


def path(samples: int, *, seed: int = 1) -> list[dict[str, Any]]:
    """Return the events of a pointer that wanders over a text, a few hundred samples each."""
    rng = random.Random(seed)
    at, x, y = 500, 400, 10
    events = []
    for _ in range(samples // 400):
        event: dict[str, Any] = {"type": "path", "at": at, "x": x, "y": y, "steps": []}
        for _ in range(399):
            step = rng.randint(60, 170)
            to_x, to_y = min(719, max(0, x + rng.randint(-30, 30))), min(120, max(-20, y + rng.randint(-9, 9)))
            event["steps"] += [step, to_x - x, to_y - y]
            at, x, y = at + step, to_x, to_y
        at += 80
        events.append(event)
    return [*events, {"type": "leave", "at": at, "reason": "done"}]


def batches(events: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """Return entries with events of at most `size` characters each."""
    parts: list[list[dict[str, Any]]] = [[]]
    for event in events:
        if parts[-1] and len(json.dumps([*parts[-1], event])) > size:
            parts.append([])
        parts[-1].append(event)
    return [{"kind": "events", "batch": number, "events": part} for number, part in enumerate(parts)]


def reading(browser: Browser, events: list[dict[str, Any]], sent: int) -> dict[str, Any]:
    """Return the result of the first text, with the visits that follow from the path."""
    trial = next(trial for trial in browser.trials if trial["plugin"] == "mouse-contingent-reading")
    visits: list[list[Any]] = [
        [aoi, enter, leave, "moved"] for aoi, enter, leave in visits_of_path(events, [LAYOUT])[0]
    ]
    rating = {"rating": 20.0, "rt_ms": 900.0, "changes": 0, "typed": "20"}
    payload = {
        "visits": visits, "finished_ms": visits[-1][2] + 50, "layouts": [LAYOUT], "layout_changes": 0, "pauses": [],
        "mode": "pointer", "pointer_type": "mouse", "device": {"device": "mouse", "hand": "left"}, "copy_attempts": 0,
        "frame_interval_ms": 16.7, "ratings": {"fluency": rating, "clarity": rating}, "question": None,
    }  # fmt: skip
    return result_for({**trial, "plugin": "pages", "params": {"pages": []}}, payload=payload, event_batches=sent)


@pytest.mark.full("a trace that is lost at five megabytes alone")
def test_a_trace_of_five_megabytes_arrives_in_batches_and_none_of_it_is_lost(reader: Browser) -> None:
    events = path(410_000)
    assert len(json.dumps(events)) > 5_000_000
    entries = batches(events, 100_000)
    position = next(trial["position"] for trial in reader.trials if trial["plugin"] == READING.slug)
    for start in range(0, len(entries), 2):
        answer = reader.send(*({**entry, "sequence": position} for entry in entries[start : start + 2]))
        assert answer.status_code == 200, answer.content
    assert EventBatch.objects.count() == len(entries)
    assert visits_of_path(
        [event for batch in EventBatch.objects.order_by("sequence") for event in batch.events], [LAYOUT]
    ) == visits_of_path(events, [LAYOUT])


def test_a_batch_that_is_too_large_is_refused_with_a_sentence_and_kept(reader: Browser) -> None:
    events = path(16_000)
    assert len(json.dumps(events)) > MAX_ENTRY_CHARACTERS
    answer = reader.send({"kind": "events", "batch": 0, "events": events, "sequence": 2})
    assert [result["status"] for result in answer.json()["results"]] == ["refused"]
    assert f"longer than {MAX_ENTRY_CHARACTERS} characters" in answer.json()["results"][0]["message"]
    assert EventBatch.objects.count() == 0
    assert IntakeProblem.objects.count() == 1


@pytest.mark.parametrize(("shift", "agrees"), [(0.0, "true"), (0.3, "false")])
def test_the_export_says_whether_path_and_visits_agree(reader: Browser, shift: float, agrees: str) -> None:
    events = path(2_000)
    entries = batches(events, 30_000)
    result = reading(reader, events, len(entries))
    result["payload"]["visits"][0][1] += shift
    sent = reader.send(*({**entry, "sequence": result["sequence"]} for entry in entries), result)
    assert [each["status"] for each in sent.json()["results"]] == ["stored"] * (len(entries) + 1), sent.content
    study = Study.objects.get(slug="mouse-reading")
    text = b"".join(stream(study, "trials.csv")).decode("utf-8")
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["answered"] == "true")
    assert (row["path_agrees"], row["mode"], row["areas"]) == (agrees, "pointer", "3")
    assert row["text"].count("|") == 0
