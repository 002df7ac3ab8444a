"""What every task that takes typed text sends with it: how it was typed, and what was refused meanwhile."""

from __future__ import annotations

import random
from typing import Any

from experiments.paradigms.base import Measure
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload


class TypedTimes(ExactPayload):
    """How a text came to be. Keys before the onset count as pressed at it, so that no part outlasts the whole."""

    first_key_ms = DurationField(allow_null=True)
    typing_ms = DurationField()
    edits = CountField()


class RefusedAttempts(ExactPayload):
    """How often something other than typing was tried, all of it refused, and how often the window was left."""

    paste_attempts = CountField()
    drop_attempts = CountField()
    copy_attempts = CountField()
    focus_losses = CountField()


ATTEMPT_MEASURES = (
    Measure("paste_attempts", "integer", "Attempts to paste into a field, all refused.", "attempts"),
    Measure("drop_attempts", "integer", "Attempts to drop a text into a field, all refused.", "attempts"),
    Measure("copy_attempts", "integer", "Attempts to copy or cut from the page, all refused.", "attempts"),
)
ATTEMPTS = tuple(measure.name for measure in ATTEMPT_MEASURES)


def simulated_attempts(rng: random.Random) -> dict[str, Any]:
    """Return the refused attempts of a simulated participant: in three trials of a thousand one to paste."""
    return {
        "paste_attempts": int(rng.random() < 0.003),
        "drop_attempts": 0,
        "copy_attempts": 0,
        "focus_losses": 0,
    }
