"""Timed displays: validate their time stamps, compute durations, flag displays that were off.

The shapes are those of `frontend/src/timing/edges.ts`. The browser's own results (`measured_ms`, `flagged`) are
ignored: durations and flags are computed here.

A press before the onset of what it would have answered is no answer, but is counted: bouncing keys and pressing without
looking show in it. Pages loaded from versions that did not count send nothing; their measures are empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import Measure
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, TruthField

# Time stamps of frames differ by less than this share of a frame from whole frames.
_SLACK = 0.05
# Timing constants, as in edges.ts: the error margin of time stamps, and the jitter of frames.
_SEEN = ("shown_ms", "gone_ms", "doubtful")
_MARGIN_MS = 1.0
_JITTER_MS = 0.5
FRAME_MS = 1000 / 60

EARLY = "early"
EARLY_PRESSES = Measure(
    "early_presses",
    "integer",
    "Presses before the onset of what they would have answered, which are no answers; empty if they were not counted.",
    "presses",
)
EARLY_PRESSES_TOTAL = Measure(
    "early_presses_total",
    "integer",
    "Presses in targets and fillers before the question or scale appeared.",
    "presses",
)


class Display(ExactPayload):
    """One display of a text, or of one of its words, in times of the page's clock.

    `onset_ms` and `offset_ms` are frames that drew; `shown_ms` and `gone_ms` say when the screen showed it and what
    came after it. Browsers send these two and `doubtful` together, or none of them.
    """

    intended_ms = DurationField()
    onset_ms = DurationField()
    offset_ms = DurationField()
    measured_ms = DurationField()
    dropped_frames = CountField()
    late_frames = CountField(allow_null=True)
    frame_interval_ms = DurationField()
    flagged = TruthField()
    shown_ms = DurationField(required=False)
    gone_ms = DurationField(required=False)
    doubtful = TruthField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["offset_ms"] < attrs["onset_ms"]:
            raise serializers.ValidationError({"offset_ms": "The display ended before it began."})
        sent = [name for name in _SEEN if name in attrs]
        if sent and len(sent) < len(_SEEN):
            raise serializers.ValidationError({sent[0]: f"{', '.join(_SEEN)} come together."})
        if sent and attrs["gone_ms"] < attrs["shown_ms"]:
            raise serializers.ValidationError({"gone_ms": "The display was gone before it was shown."})
        return attrs


class PlacesField(serializers.ListField):
    """Places of regions or areas, counted from 1, in ascending order; `of` names the parameter that lists them all."""

    def __init__(self, *, of: str, **options: Any) -> None:
        self.of = of
        super().__init__(child=CountField(), max_length=1_000, **options)

    def to_internal_value(self, data: Any) -> list[int]:
        places: list[int] = super().to_internal_value(data)
        number = len(self.context["params"][self.of])
        if any(not before < after for before, after in pairwise([0, *places, number + 1])):
            raise serializers.ValidationError(f"Places must be ascending numbers from 1 to {number}.")
        return places


def out_of_view_measure(what: str) -> Measure:
    """Return the column on whether each region or area was in the window; `what` says when it had to be."""
    return Measure(
        "out_of_view",
        "boolean",
        f"True where it was not in the window as a whole {what}; empty for answers to earlier versions.",
    )


def is_among(payload: Mapping[str, Any], name: str, number: int) -> bool | None:
    """Return whether a place is among those that a payload names; None if it does not name any, not even an empty list.

    >>> is_among({"out_of_view": [2]}, "out_of_view", 2), is_among({"out_of_view": []}, "out_of_view", 2)
    (True, False)
    >>> is_among({}, "out_of_view", 2)
    """
    return number in payload[name] if name in payload else None


def in_order(displays: Sequence[Mapping[str, Any]], *, expected: int) -> None:
    """Raise ValidationError if the number of displays is wrong or their onsets are out of order."""
    if len(displays) != expected:
        raise serializers.ValidationError(f"There are {len(displays)} displays; the trial has {expected}.")
    for before, after in pairwise(displays):
        if after["onset_ms"] < before["onset_ms"]:
            raise serializers.ValidationError("The displays are not in the order of their onsets.")


def lasted_ms(display: Mapping[str, Any]) -> float:
    """Return the duration of a display: gone − shown, if the browser knows both.

    Displays of earlier versions only have time stamps of frames: offset − onset − late frames × frame. Onset and offset
    are those of the frames in which it was drawn and cleared; `late_frames` is by how many frames the screen showed it
    later than usual. The browser's own results (`measured_ms`, `flagged`) are ignored.

    >>> lasted_ms({"onset_ms": 100.0, "offset_ms": 620.0, "frame_interval_ms": 10.0, "late_frames": 2})
    500.0
    """
    if "shown_ms" in display:
        return float(display["gone_ms"] - display["shown_ms"])
    late = display["late_frames"] or 0
    return float(display["offset_ms"] - display["onset_ms"] - late * display["frame_interval_ms"])


def is_off(display: Mapping[str, Any], *, intended_ms: float) -> bool:
    """Return whether a display was off by more than half a frame, or may have been.

    Times are accurate to a millisecond; the nearest number of whole frames never counts as off. The limit is one frame
    for displays of earlier versions, which did not record what came after them.

    >>> shown = {"onset_ms": 100.0, "offset_ms": 616.7, "frame_interval_ms": 16.7, "late_frames": None}
    >>> is_off(shown, intended_ms=500), is_off({**shown, "offset_ms": 634.0}, intended_ms=500)
    (False, True)
    >>> seen = {**shown, "shown_ms": 110.0, "gone_ms": 618.0, "doubtful": False}
    >>> is_off(seen, intended_ms=500), is_off({**seen, "gone_ms": 612.0}, intended_ms=500)
    (True, False)
    """
    if "shown_ms" in display:
        frame = display["frame_interval_ms"]
        unavoidable = abs(round(intended_ms / frame) * frame - intended_ms) if frame > 0 else 0.0
        bound = max(frame / 2 - _MARGIN_MS, unavoidable + _JITTER_MS)
        return bool(display["doubtful"]) or abs(lasted_ms(display) - intended_ms) > bound
    return bool(abs(lasted_ms(display) - intended_ms) > display["frame_interval_ms"] * (1 + _SLACK))


def frames_shown(display: Mapping[str, Any]) -> int | None:
    """Return the duration of a display in frames; None if the frame rate is unknown.

    >>> frames_shown({"shown_ms": 100.0, "gone_ms": 150.1, "frame_interval_ms": 16.67})
    3
    """
    frame = display["frame_interval_ms"]
    return round(lasted_ms(display) / frame) if frame > 0 else None


def early_field() -> CountField:
    """Return the field of a payload, or of a part of one, that counts early presses."""
    return CountField(required=False)


def early_total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the counts that are known; None if none is.

    >>> early_total([1, None, 2]), early_total([None]), early_total([])
    (3, None, None)
    """
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def early_measure(count: int | None) -> dict[str, int]:
    """Return the measure of a trial; none if early presses were not counted.

    >>> early_measure(2), early_measure(None)
    ({'early_presses': 2}, {})
    """
    return {} if count is None else {EARLY_PRESSES.name: count}


def early_of(part: Mapping[str, Any] | None) -> int | None:
    """Return the count of a payload, or of a part of one; None if it was not counted.

    >>> early_of({"early": 2}), early_of({}), early_of(None)
    (2, None, None)
    """
    count = None if part is None else part.get(EARLY)
    return None if count is None else int(count)
