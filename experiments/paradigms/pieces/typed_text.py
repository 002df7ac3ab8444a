"""Payload fields of every task with typed text: typing times and refused attempts, such as pasting."""

from __future__ import annotations

import random
from typing import Any

from experiments.paradigms.base import Measure
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload


class TypedTimes(ExactPayload):
    """Typing times. Keys before the onset count as pressed at onset, so that no part is longer than the whole."""

    first_key_ms = DurationField(allow_null=True)
    typing_ms = DurationField()
    edits = CountField()


class RefusedAttempts(ExactPayload):
    """How often anything but typing was attempted (and refused), and how often the window was left."""

    paste_attempts = CountField()
    drop_attempts = CountField()
    copy_attempts = CountField()
    focus_losses = CountField()


COPY_MEASURE = Measure("copy_attempts", "integer", "Attempts to copy or cut from the page, all refused.", "attempts")
ATTEMPT_MEASURES = (
    Measure("paste_attempts", "integer", "Attempts to paste into a field, all refused.", "attempts"),
    Measure("drop_attempts", "integer", "Attempts to drop a text into a field, all refused.", "attempts"),
    COPY_MEASURE,
)
ATTEMPTS = tuple(measure.name for measure in ATTEMPT_MEASURES)


def simulated_attempts(rng: random.Random) -> dict[str, Any]:
    """Return the refused attempts of a simulated participant: one attempt to paste in three trials of a thousand."""
    return {
        "paste_attempts": int(rng.random() < 0.003),
        "drop_attempts": 0,
        "copy_attempts": 0,
        "focus_losses": 0,
    }
