"""Validate the payload of a mouse-contingent reading trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from experiments.paradigms.mouse_contingent_reading.columns import MalformedColumnsError, boxes_of, visits_of
from experiments.paradigms.mouse_contingent_reading.schema import BOXES_SCHEMA, MOST_BOXES, MOST_VISITS, VISITS_SCHEMA
from experiments.paradigms.mouse_contingent_reading.visits import visit_faults
from experiments.paradigms.pieces.comprehension import AnsweredQuestion, question_payload_faults
from experiments.paradigms.pieces.displays import PlacesField
from experiments.paradigms.pieces.payloads import (
    CountField,
    DurationField,
    ExactPayload,
    NumberField,
    TextField,
    TruthField,
)
from experiments.paradigms.pieces.ratings import RatingsField

MOST_LAYOUTS = 100
MOST_PAUSES = 500
POINTERS: Mapping[str, tuple[str, ...]] = {
    "pointer": ("mouse", "pen", "touch"),
    "drag": ("touch", "pen", "mouse"),
    "keyboard": ("",),
}
DEVICES = ("mouse", "touchpad", "trackball", "pen", "touchscreen", "keyboard", "other")
HANDS = ("right", "left", "both", "undisclosed")
PAUSE_REASONS = ("resize", "full-screen-exit")


class ListOf(serializers.ListField):
    """A JSON list whose entries are validated by the serializer that contains it."""

    def run_child_validation(self, data: Any) -> Any:
        return data


@extend_schema_field(VISITS_SCHEMA)
class VisitsField(ListOf):
    """Visits in columns, as browsers send them, or in rows, as earlier versions did."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, Mapping):
            try:
                data = visits_of(data)
            except MalformedColumnsError as fault:
                raise serializers.ValidationError(str(fault)) from fault
        return super().to_internal_value(data)


@extend_schema_field(BOXES_SCHEMA)
class BoxesField(ListOf):
    """Boxes, adjacent ones in rows or each on its own."""

    def to_internal_value(self, data: Any) -> list[Any]:
        entries = super().to_internal_value(data)
        try:
            return boxes_of(entries)
        except MalformedColumnsError as fault:
            raise serializers.ValidationError(str(fault)) from fault


class Pair(serializers.ListField):
    """Two numbers."""

    child = NumberField()

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=2, max_length=2, **options)


class Layout(ExactPayload):
    """Where the areas stood from `at_ms` on, in CSS pixels from the upper left corner of the text."""

    at_ms = DurationField()
    viewport = Pair()
    zoom = NumberField(min_value=0)
    dpr = NumberField(min_value=0)
    font = TextField(max_length=200, allow_blank=True)
    font_loaded = TruthField()
    origin = Pair()
    size = Pair()
    lines = CountField()
    boxes = BoxesField(min_length=1, max_length=MOST_BOXES)

    def validate_boxes(self, boxes: list[Any]) -> list[Any]:
        areas = len(self.params["areas"])
        for number, box in enumerate(boxes, start=1):
            if not isinstance(box, list) or len(box) != 5 or not all(_is_number(value) for value in box):
                raise serializers.ValidationError(f"Box {number} must be an area, x, y, width and height.")
            if not isinstance(box[0], int) or not 1 <= box[0] <= areas or box[3] < 0 or box[4] < 0:
                raise serializers.ValidationError(f"Box {number} belongs to no area of the text.")
        return boxes


class Device(ExactPayload):
    """What the participant reads with, as they say."""

    device = serializers.ChoiceField(choices=DEVICES)
    hand = serializers.ChoiceField(choices=HANDS)


class TextRead(ExactPayload):
    """One text that was read: its visits, its layouts, and what was answered about it."""

    visits = VisitsField(min_length=1, max_length=MOST_VISITS)
    finished_ms = DurationField()
    layouts = serializers.ListField(child=Layout(), min_length=1, max_length=MOST_LAYOUTS)
    layout_changes = CountField()
    pauses = ListOf(max_length=MOST_PAUSES)
    mode = serializers.ChoiceField(choices=list(POINTERS))
    pointer_type = serializers.ChoiceField(choices=["mouse", "pen", "touch", ""])
    device = Device(allow_null=True)
    copy_attempts = CountField()
    frame_interval_ms = DurationField()
    ratings = RatingsField(questions="ratings")
    question = AnsweredQuestion(allow_null=True)
    # Pages loaded from versions that did not look at the window do not send it.
    out_of_view = PlacesField(of="areas", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        finished = attrs["finished_ms"]
        faults = {
            "visits": visit_faults(attrs["visits"], areas=len(self.params["areas"]), finished_ms=finished),
            "layouts": _layout_faults(attrs["layouts"], attrs["layout_changes"]),
            "pauses": _pause_faults(attrs["pauses"], finished),
            "mode": [] if attrs["mode"] in self.params["modes"] else ["The study does not allow this way of reading."],
            "pointer_type": []
            if attrs["pointer_type"] in POINTERS[attrs["mode"]]
            else ["This pointer does not belong to this way of reading."],
            "device": _presence(attrs["device"], asked=bool(self.params["ask_device"])),
            "question": _question_faults(self.params["question"], attrs["question"]),
        }
        found = {name: sentences for name, sentences in faults.items() if sentences}
        if found:
            raise serializers.ValidationError(found)
        return attrs


def _question_faults(asked: Mapping[str, Any] | None, answer: Mapping[str, Any] | None) -> list[str]:
    if missing := _presence(answer, asked=asked is not None):
        return missing
    fault = question_payload_faults(asked, answer)
    return [fault] if fault else []


def _presence(answer: Any, *, asked: bool) -> list[str]:
    if asked and answer is None:
        return ["The answer is missing."]
    return ["Nothing was asked."] if not asked and answer is not None else []


def _layout_faults(layouts: Sequence[Mapping[str, Any]], changes: int) -> list[str]:
    if changes != len(layouts) - 1:
        return ["The number of changes does not fit the number of layouts."]
    times = [layout["at_ms"] for layout in layouts]
    if times[0] != 0 or any(later < earlier for earlier, later in pairwise(times)):
        return ["The layouts must be in time order, the first at 0."]
    return []


def _pause_faults(pauses: Sequence[Any], finished_ms: float) -> list[str]:
    before = 0.0
    for number, pause in enumerate(pauses, start=1):
        if not isinstance(pause, list) or len(pause) != 3 or not all(_is_number(value) for value in pause[:2]):
            return [f"Pause {number} must be two times and a reason."]
        if not before <= pause[0] <= pause[1] <= finished_ms:
            return [f"Pause {number} is out of order or goes on after the text was finished."]
        if pause[2] not in PAUSE_REASONS:
            return [f"Pause {number} has no known reason."]
        before = pause[1]
    return []


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
