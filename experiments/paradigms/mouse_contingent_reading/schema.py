"""API schema of reading logs, complete enough to write a client from it."""

from __future__ import annotations

from typing import Any

from experiments.paradigms.mouse_contingent_reading.visits import LEAVE_REASONS

MOST_VISITS = 3_000
MOST_BOXES = 1_200

BASE_64 = "digits A–Z a–z 0–9 - _, most significant first"
TIMES = f"One whole number of tenths of a millisecond for each visit, in base 64 ({BASE_64})"
REASON: dict[str, Any] = {"type": "string", "enum": list(LEAVE_REASONS)}


def _times(description: str) -> dict[str, Any]:
    return {
        "type": "string",
        "pattern": r"^([\w-]{2}|\([B-Za-z0-9_-][\w-]{2,7}\))*$",
        "description": f"{description} {TIMES}: two digits each, or three to eight between brackets.",
    }


def _row(items: list[dict[str, Any]], *, length: int, description: str) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"anyOf": items},
        "minItems": length,
        "maxItems": length,
        "description": description,
    }


COLUMNS: dict[str, Any] = {
    "steps": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "Area of each visit, counted from 1, minus the area of the visit before; the first as it is.",
    },
    "waits": _times("From the leave before, the first from the onset, to the entry."),
    "stays": _times("From the entry to the leave."),
    "left_by": {
        "type": "array",
        "items": _row(
            [REASON, {"type": "integer", "minimum": 1}],
            length=2,
            description="What ended visits, and how many in a row.",
        ),
    },
}
VISITS_SCHEMA: dict[str, Any] = {
    "oneOf": [
        {"type": "object", "properties": COLUMNS, "required": list(COLUMNS), "additionalProperties": False},
        {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_VISITS,
            "items": _row(
                [{"type": "number"}, REASON],
                length=4,
                description="Area, entry and leave in milliseconds since the onset, and what ended the visit.",
            ),
        },
    ],
    "description": "In columns, or a row for each visit, as clients sent them before; either is stored as it comes.",
}
BOXES_SCHEMA: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_BOXES,
    "items": _row(
        [{"type": "number"}, {"type": "string", "pattern": r"^([\w-]|\([B-Za-z0-9_-][\w-]{1,7}\))+$"}],
        length=5,
        description=(
            "Area, x, y, width and height of one box; or area of the first, x, y, height and the widths of boxes that "
            f"stand side by side, areas counting up: whole pixels in base 64 ({BASE_64}), one digit each, or two to "
            "eight between brackets."
        ),
    ),
}
