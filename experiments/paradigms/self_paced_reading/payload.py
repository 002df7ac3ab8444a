"""Validate the payload of a self-paced reading trial, and compute its rows of reading times.

Times are relative to the key press that uncovered the first region. `presses` has one more time than there are regions:
press i uncovers region i, the last one covers the last region. `onsets` are the times at which the screen showed each
region.

If regions appear automatically, the only press is the one that starts the trial; `displays` has, for every region, the
times at which the screen showed it and its successor, relative to the first onset.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.pieces.comprehension import AnsweredQuestion, question_payload_faults
from experiments.paradigms.pieces.displays import (
    EARLY_PRESSES,
    PlacesField,
    early_of,
    early_total,
    is_among,
    is_off,
    out_of_view_measure,
)
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, TruthField
from experiments.paradigms.pieces.regions import LATE_FRAMES, measured_region, region_measures
from experiments.sentences import Sentence

REGIONS = LongTable(
    "regions",
    Sentence("One row for every region of every text, in reading order."),
    (
        *region_measures(
            place="Place of the region in its text, counted from 1.",
            text="The text of the region.",
        ),
        Measure("onset_ms", "number", "When the screen showed it, after the press that uncovered the first one.", "ms"),
        Measure(
            "rt_ms", "number", "Reading time: from the press that uncovered it to the press that covered it.", "ms"
        ),
        Measure(
            "display_flagged",
            "boolean",
            f"True where it came up more than {LATE_FRAMES:g} updates of the screen after its press; by itself, where "
            "its time was off by more than half an update, or may have been.",
        ),
        Measure("intended_ms", "number", "By itself: how long it was to be shown; empty where keys decide.", "ms"),
        Measure("shown_ms", "number", "By itself: how long the screen showed it, as measured.", "ms"),
        EARLY_PRESSES,
        out_of_view_measure("when it came up"),
        Measure(
            "brought_into_view",
            "boolean",
            "True where the page was scrolled by whole lines in the frame that uncovered it; empty for regions that "
            "come by themselves and for answers to earlier versions.",
        ),
    ),
)
RSVP = "rsvp"
WINDOWS = ("moving", "cumulative", "centred", RSVP)


class ShownRegion(ExactPayload):
    """One region that was shown by itself: when the screen showed it, and when what came after it was there."""

    shown_ms = DurationField()
    gone_ms = DurationField()
    dropped_frames = CountField()
    doubtful = TruthField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["gone_ms"] < attrs["shown_ms"]:
            raise serializers.ValidationError({"gone_ms": "The display was gone before it was shown."})
        return attrs


class SelfPaced(ExactPayload):
    """The times of one text read region by region."""

    first_key_ms = DurationField()
    presses = serializers.ListField(child=DurationField(), max_length=1_001, required=False)
    onsets = serializers.ListField(child=DurationField(), max_length=1_000, required=False)
    displays = serializers.ListField(child=ShownRegion(), max_length=1_000, required=False)
    frame_interval_ms = DurationField()
    touches = CountField()
    question = AnsweredQuestion(allow_null=True)
    # Pages loaded from versions that did not refuse copying do not send it.
    copy_attempts = CountField(required=False)
    # Before each press, those that came before what it answered was on the screen.
    early = serializers.ListField(child=CountField(), max_length=1_001, required=False)
    # Pages loaded from versions that did not look at the window do not send these.
    out_of_view = PlacesField(of="regions", required=False)
    brought_into_view = PlacesField(of="regions", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        is_rsvp = self.params["window"] == RSVP
        for name, wanted in (("presses", not is_rsvp), ("onsets", not is_rsvp), ("displays", is_rsvp)):
            if (name in attrs) != wanted:
                raise serializers.ValidationError({name: f"A text in this window has {'' if wanted else 'no '}{name}."})
        if is_rsvp:
            self._check_displays(attrs["displays"])
        else:
            self._check_presses(attrs["presses"], attrs["onsets"])
        needed = 1 if is_rsvp else len(attrs["presses"])
        if len(attrs.get("early", [0] * needed)) != needed:
            raise serializers.ValidationError({"early": f"There is one count for each press: {needed}."})
        if fault := question_payload_faults(self.params["question"], attrs["question"]):
            raise serializers.ValidationError({"question": fault})
        return attrs

    def _check_displays(self, displays: list[dict[str, Any]]) -> None:
        n = len(self.params["regions"])
        if len(displays) != n:
            raise serializers.ValidationError({"displays": f"{n} regions have {n} displays, not {len(displays)}."})
        if any(later["shown_ms"] < earlier["shown_ms"] for earlier, later in pairwise(displays)):
            raise serializers.ValidationError({"displays": "The displays are not in their order."})

    def _check_presses(self, presses: list[float], onsets: list[float]) -> None:
        n = len(self.params["regions"])
        if len(presses) != n + 1:
            raise serializers.ValidationError({"presses": f"{n} regions need {n + 1} presses, not {len(presses)}."})
        if presses[0] != 0 or any(later < earlier for earlier, later in pairwise(presses)):
            raise serializers.ValidationError({"presses": "The presses must begin with 0 and be in their order."})
        if len(onsets) != n:
            raise serializers.ValidationError({"onsets": f"{n} regions have {n} onsets, not {len(onsets)}."})
        if any(not press <= onset <= end for (press, end), onset in zip(pairwise(presses), onsets, strict=True)):
            raise serializers.ValidationError({"onsets": "A region comes up between its press and the next."})


def early_presses(payload: Mapping[str, Any]) -> int | None:
    """Return the presses of one text that came before the region or the question that they would have answered.

    >>> early_presses({"early": [0, 2], "question": {"choice": 0, "rt_ms": 900.0, "early": 1}})
    3
    """
    return early_total([*payload.get("early", ()), early_of(payload["question"])])


def total_ms(payload: Mapping[str, Any]) -> float:
    """Return the time from the first press, or the first onset, to the last press, or the end of the last display."""
    return float(payload["displays"][-1]["gone_ms"] if "displays" in payload else payload["presses"][-1])


def region_rows(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `REGIONS` for one text.

    >>> params = {"regions": [{"text": "It", "words": 1, "before": ""}], "critical_region": None}
    >>> payload = {"presses": [0.0, 310.0], "onsets": [12.0], "frame_interval_ms": 16.7}
    >>> row = region_rows(params, payload)[0]
    >>> row["region"], row["rt_ms"], row["display_flagged"], row["from_critical"]
    (1, 310.0, False, None)
    """
    if "displays" in payload:
        return _rows_by_themselves(params, payload)
    critical = params["critical_region"]
    longest = LATE_FRAMES * payload["frame_interval_ms"]
    rows = []
    # The first count is of presses before the covered text was there.
    early = payload.get("early", [None] * len(payload["presses"]))[1:]
    times = zip(params["regions"], pairwise(payload["presses"]), payload["onsets"], early, strict=True)
    for number, (region, (press, end), onset, count) in enumerate(times, start=1):
        rows.append(
            {
                **measured_region(region, number, critical=critical),
                "onset_ms": onset,
                "rt_ms": round(end - press, 3),
                "display_flagged": onset - press > longest,
                "intended_ms": None,
                "shown_ms": None,
                EARLY_PRESSES.name: count,
                **_view(payload, number),
            }
        )
    return rows


def _rows_by_themselves(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    critical, intended = params["critical_region"], float(params["region_ms"])
    rows = []
    for number, (region, display) in enumerate(zip(params["regions"], payload["displays"], strict=True), start=1):
        timed = {**display, "frame_interval_ms": payload["frame_interval_ms"]}
        rows.append(
            {
                **measured_region(region, number, critical=critical),
                "onset_ms": display["shown_ms"],
                "rt_ms": None,
                "display_flagged": display["dropped_frames"] > 0 or is_off(timed, intended_ms=intended),
                "intended_ms": intended,
                "shown_ms": round(display["gone_ms"] - display["shown_ms"], 3),
                EARLY_PRESSES.name: None,
                **_view(payload, number),
            }
        )
    return rows


def _view(payload: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {name: is_among(payload, name, number) for name in ("out_of_view", "brought_into_view")}
