"""Validate the payload of a Maze trial, and compute its rows of regions.

Times are relative to the onset of the first pair. Participants choose once from each pair or, if errors are redone,
until the choice is correct; every choice has a time, a side, and an input (key or touch).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.maze.pairs import LEFT, RIGHT
from experiments.paradigms.maze.settings import END
from experiments.paradigms.pieces.comprehension import AnsweredQuestion, question_payload_faults
from experiments.paradigms.pieces.displays import (
    EARLY_PRESSES,
    PlacesField,
    early_field,
    early_of,
    early_total,
    is_among,
    out_of_view_measure,
)
from experiments.paradigms.pieces.payloads import DurationField, ExactPayload
from experiments.paradigms.pieces.regions import LATE_FRAMES, measured_region, region_measures
from experiments.sentences import Sentence

KEY, TOUCH = "key", "touch"
MOST_TRIES = 1_000

REGIONS = LongTable(
    "regions",
    Sentence("One row for every chosen word or region, in reading order."),
    (
        *region_measures(
            place="Place of the word or region in its text, counted from 1.",
            text="The word or region that goes on with the text.",
        ),
        Measure("distractor", "text", "What stood beside it."),
        Measure("side", "text", "The side on which the word stood.", values=(LEFT, RIGHT)),
        Measure("onset_ms", "number", "When the screen showed the pair, after the onset of the first pair.", "ms"),
        Measure("rt_ms", "number", "From the onset of the pair to the first choice.", "ms"),
        Measure("total_ms", "number", "From the onset of the pair to the right choice; empty without one.", "ms"),
        Measure("correct", "boolean", "Whether the first choice was right."),
        Measure("tries", "integer", "Choices from this pair.", "choices"),
        Measure("errors_before", "integer", "Regions before this one whose first choice was wrong.", "regions"),
        Measure("input", "text", "How the first choice was made.", values=(KEY, TOUCH)),
        Measure(
            "display_flagged",
            "boolean",
            f"True where it came up more than {LATE_FRAMES:g} updates of the screen after the choice before it.",
        ),
        EARLY_PRESSES,
        out_of_view_measure("when it came up, with what stood beside it"),
    ),
)


class Try(ExactPayload):
    """One choice: when, which side, by what."""

    ms = DurationField()
    side = serializers.ChoiceField(choices=[LEFT, RIGHT])
    input = serializers.ChoiceField(choices=[KEY, TOUCH])


class Pair(ExactPayload):
    """One pair: when it came up, and the choices from it in their order."""

    onset_ms = DurationField()
    tries = serializers.ListField(child=Try(), min_length=1, max_length=MOST_TRIES)
    early = early_field()


class Maze(ExactPayload):
    """The choices of one text."""

    pairs = serializers.ListField(child=Pair(), min_length=1, max_length=1_000)
    frame_interval_ms = DurationField()
    message_ms = DurationField(allow_null=True)
    question = AnsweredQuestion(allow_null=True)
    # Pages loaded from versions that did not look at the window do not send it.
    out_of_view = PlacesField(of="regions", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        sides, pairs = self.params["sides"], attrs["pairs"]
        is_right = [[one["side"] == side for one in pair["tries"]] for side, pair in zip(sides, pairs, strict=False)]
        if len(pairs) > len(sides):
            raise serializers.ValidationError({"pairs": f"The text has {len(sides)} pairs, not {len(pairs)}."})
        _check_times(pairs)
        if any(not tries[-1] for tries in is_right[:-1]):
            raise serializers.ValidationError({"pairs": "A pair came up although the choice before it was wrong."})
        if any(any(tries[:-1]) for tries in is_right):
            raise serializers.ValidationError({"pairs": "After the right choice there was another one."})
        has_ended = not is_right[-1][-1]
        if len(pairs) < len(sides) and not has_ended:
            raise serializers.ValidationError(
                {"pairs": f"{len(sides)} pairs were to be chosen from, not {len(pairs)}."}
            )
        if self.params["after_error"] == END:
            if any(len(tries) > 1 for tries in is_right):
                raise serializers.ValidationError({"pairs": "A wrong choice ends this text; it cannot be redone."})
        elif has_ended:
            raise serializers.ValidationError({"pairs": "A wrong choice is redone here until it is right."})
        if has_ended != (attrs["message_ms"] is not None):
            raise serializers.ValidationError({"message_ms": "It is there where a wrong choice ended the text."})
        # There is no question about a text that was not read to its end.
        asked = None if has_ended else self.params["question"]
        if fault := question_payload_faults(asked, attrs["question"]):
            raise serializers.ValidationError({"question": fault})
        return attrs


def _check_times(pairs: list[dict[str, Any]]) -> None:
    if pairs[0]["onset_ms"] != 0:
        raise serializers.ValidationError({"pairs": "Times are counted from the onset of the first pair."})
    times = [time for pair in pairs for time in (pair["onset_ms"], *(one["ms"] for one in pair["tries"]))]
    if any(later < earlier for earlier, later in pairwise(times)):
        raise serializers.ValidationError({"pairs": "Onsets and choices must be in their order."})


def early_presses(payload: Mapping[str, Any]) -> int | None:
    """Return the presses of one text that came before the pair or the question that they would have answered."""
    return early_total([*(early_of(pair) for pair in payload["pairs"]), early_of(payload["question"])])


def region_rows(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `REGIONS` for one text: all regions that were shown.

    >>> region = {"text": "It", "words": 1, "before": ""}
    >>> params = {"regions": [region], "distractors": ["x-x-x"], "sides": ["left"], "critical_region": None}
    >>> tries = [{"ms": 300.0, "side": "right", "input": "key"}, {"ms": 910.0, "side": "left", "input": "key"}]
    >>> payload = {"pairs": [{"onset_ms": 0.0, "tries": tries}], "frame_interval_ms": 16.7}
    >>> row = region_rows(params, payload)[0]
    >>> row["rt_ms"], row["total_ms"], row["correct"], row["tries"]
    (300.0, 910.0, False, 2)
    """
    critical = params["critical_region"]
    longest = LATE_FRAMES * payload["frame_interval_ms"]
    rows: list[dict[str, Any]] = []
    errors, before = 0, 0.0
    shown = zip(params["regions"], params["distractors"], params["sides"], strict=True)
    for number, ((region, distractor, side), pair) in enumerate(zip(shown, payload["pairs"], strict=False), start=1):
        onset, tries = pair["onset_ms"], pair["tries"]
        is_right = tries[0]["side"] == side
        rows.append(
            {
                **measured_region(region, number, critical=critical),
                "distractor": distractor,
                "side": side,
                "onset_ms": onset,
                "rt_ms": round(tries[0]["ms"] - onset, 3),
                "total_ms": round(tries[-1]["ms"] - onset, 3) if tries[-1]["side"] == side else None,
                "correct": is_right,
                "tries": len(tries),
                "errors_before": errors,
                "input": tries[0]["input"],
                "display_flagged": number > 1 and onset - before > longest,
                EARLY_PRESSES.name: early_of(pair),
                "out_of_view": is_among(payload, "out_of_view", number),
            }
        )
        errors += not is_right
        before = tries[-1]["ms"]
    return rows
