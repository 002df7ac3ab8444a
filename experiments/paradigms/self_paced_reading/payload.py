"""What a self-paced trial sends, how it is checked, and the rows of reading times that it yields.

Times are counted from the key press that uncovered the first region. `presses` holds one more time than there are
regions: press i uncovers region i, the last one covers the last region. `onsets` says when the screen showed each
region.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload

# A region that comes up later than this many updates of the screen after its key press was held up.
LATE_FRAMES = 3.5

REGIONS = LongTable(
    "regions",
    "One row for every region of every text, in the order of reading.",
    (
        Measure("region", "integer", "Place of the region in its text, counted from 1."),
        Measure("from_critical", "integer", "Regions after the critical one: 0 is itself, 1 the next; empty without."),
        Measure("region_text", "text", "The text of the region."),
        Measure("words", "integer", "Words of the region.", "words"),
        Measure("characters", "integer", "Characters of the region, spaces and punctuation included.", "characters"),
        Measure("onset_ms", "number", "When the screen showed it, after the press that uncovered the first one.", "ms"),
        Measure(
            "rt_ms", "number", "Reading time: from the press that uncovered it to the press that covered it.", "ms"
        ),
        Measure(
            "display_flagged",
            "boolean",
            f"True where it came up more than {LATE_FRAMES:g} updates of the screen after its press.",
        ),
    ),
)


class Answered(ExactPayload):
    """Which choice was taken, counted from 0."""

    choice = CountField()
    rt_ms = DurationField()


class SelfPaced(ExactPayload):
    """The times of one text read region by region."""

    first_key_ms = DurationField()
    presses = serializers.ListField(child=DurationField(), max_length=1_001)
    onsets = serializers.ListField(child=DurationField(), max_length=1_000)
    frame_interval_ms = DurationField()
    touches = CountField()
    question = Answered(allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        n = len(self.params["regions"])
        presses, onsets = attrs["presses"], attrs["onsets"]
        if len(presses) != n + 1:
            raise serializers.ValidationError({"presses": f"{n} regions need {n + 1} presses, not {len(presses)}."})
        if presses[0] != 0 or any(later < earlier for earlier, later in pairwise(presses)):
            raise serializers.ValidationError({"presses": "The presses must begin with 0 and be in their order."})
        if len(onsets) != n:
            raise serializers.ValidationError({"onsets": f"{n} regions have {n} onsets, not {len(onsets)}."})
        if any(not press <= onset <= end for (press, end), onset in zip(pairwise(presses), onsets, strict=True)):
            raise serializers.ValidationError({"onsets": "A region comes up between its press and the next."})
        asked, answer = self.params["question"], attrs["question"]
        if (asked is None) != (answer is None):
            what = "A question was asked and not answered." if answer is None else "There was no question to answer."
            raise serializers.ValidationError({"question": what})
        if answer is not None and answer["choice"] >= len(asked["choices"]):
            raise serializers.ValidationError({"question": "There is no such choice."})
        return attrs


def region_rows(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `REGIONS` for one text.

    >>> params = {"regions": [{"text": "It", "words": 1, "before": ""}], "critical_region": None}
    >>> payload = {"presses": [0.0, 310.0], "onsets": [12.0], "frame_interval_ms": 16.7}
    >>> row = region_rows(params, payload)[0]
    >>> row["region"], row["rt_ms"], row["display_flagged"], row["from_critical"]
    (1, 310.0, False, None)
    """
    critical = params["critical_region"]
    longest = LATE_FRAMES * payload["frame_interval_ms"]
    rows = []
    times = zip(params["regions"], pairwise(payload["presses"]), payload["onsets"], strict=True)
    for number, (region, (press, end), onset) in enumerate(times, start=1):
        rows.append(
            {
                "region": number,
                "from_critical": None if critical is None else number - critical,
                "region_text": region["text"],
                "words": region["words"],
                "characters": len(region["text"]),
                "onset_ms": onset,
                "rt_ms": round(end - press, 3),
                "display_flagged": onset - press > longest,
            }
        )
    return rows
