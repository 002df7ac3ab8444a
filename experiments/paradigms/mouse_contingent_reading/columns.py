"""Encode and decode the column format of reading logs: the same visits and boxes as in rows, in a third of the bytes.

Visits are four columns: `steps` (area minus the area before, the first from 0), `waits` (from the leave before, the
first from the onset, to the entry), `stays` (entry to leave) and `left_by` (pairs of a reason and how many visits in a
row it ended). Waits and stays are whole tenths of a millisecond in base 64 (the digits of RFC 4648, section 5, most
significant first): two digits each, or more digits in brackets. The encoding is lossless: times are recorded in whole
tenths.

Adjacent boxes of a line are one row: `[aoi, x, y, height, widths]`, areas counting up from `aoi`, widths in whole
pixels, one digit each or more in brackets. Any other box is written on its own, as in the row format.

Responses are stored as received, so studies contain both formats; `unpacked` converts either to rows. Pure.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, count, groupby
from typing import Any

DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
VALUES = {digit: value for value, digit in enumerate(DIGITS)}
MOST_DIGITS = 8
OF_TIME = 2
OF_WIDTH = 1
COLUMNS = frozenset({"steps", "waits", "stays", "left_by"})
# Every number has exactly one form: brackets only if needed, and no leading zero.
FORMS = {
    least: re.compile(rf"([\w-]{{{least}}})|\(([B-Za-z0-9_-][\w-]{{{least},{MOST_DIGITS - 1}}})\)", re.ASCII)
    for least in (OF_TIME, OF_WIDTH)
}


class MalformedColumnsError(ValueError):
    """A log in columns cannot be decoded; the message says which column and why."""


def unpacked(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload of a reading trial with visits and boxes in rows, whichever format it has.

    Raises MalformedColumnsError for columns that cannot be decoded, which no stored response has.

    >>> columns = {"steps": [1, 1], "waits": "MCAA", "stays": "EuIR", "left_by": [["moved", 1], ["done", 1]]}
    >>> unpacked({"visits": columns, "layouts": [{"boxes": [[1, 0, 0, 46, "yc"]]}]})["visits"]
    [[1, 77, 107.2, 'moved'], [2, 107.2, 160.1, 'done']]
    """
    visits = payload["visits"]
    return {
        **payload,
        "visits": visits_of(visits) if isinstance(visits, Mapping) else visits,
        "layouts": [{**layout, "boxes": boxes_of(layout["boxes"])} for layout in payload["layouts"]],
    }


def packed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload of a reading trial in the column format: the inverse of `unpacked`.

    Visits must pass `visit_faults`, with times in whole tenths of a millisecond.
    """
    return {
        **payload,
        "visits": columns_of(payload["visits"]),
        "layouts": [{**layout, "boxes": rows_of(layout["boxes"])} for layout in payload["layouts"]],
    }


def visits_of(columns: Mapping[str, Any]) -> list[list[Any]]:
    """Return the visits `[aoi, enter_ms, leave_ms, reason]` of columns. Raises MalformedColumnsError.

    `visit_faults` checks whether areas and reasons exist, and when the text was finished.
    """
    if set(columns) != COLUMNS:
        raise MalformedColumnsError("Visits in columns have steps, waits, stays and left_by, and nothing else.")
    steps = columns["steps"]
    if not isinstance(steps, list) or not all(type(step) is int for step in steps):
        raise MalformedColumnsError("Steps must be whole numbers.")
    waits, stays = (_numbers_in(columns, name, steps=len(steps)) for name in ("waits", "stays"))
    reasons = _reasons(columns["left_by"], steps=len(steps))
    visits: list[list[Any]] = []
    leave = 0
    for aoi, wait, stay, reason in zip(accumulate(steps), waits, stays, reasons, strict=True):
        enter = leave + wait
        leave = enter + stay
        visits.append([aoi, _ms(enter), _ms(leave), reason])
    return visits


def columns_of(visits: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return the columns of visits `[aoi, enter_ms, leave_ms, reason]`, in order and without overlap.

    >>> columns_of([[1, 77.0, 107.2, "moved"], [2, 107.2, 160.1, "moved"]])["stays"]
    'EuIR'
    """
    areas = [visit[0] for visit in visits]
    enters, leaves = ([round(10 * visit[place]) for visit in visits] for place in (1, 2))
    reasons = groupby(visit[3] for visit in visits)
    return {
        "steps": _differences(areas, [0, *areas]),
        "waits": text_of(_differences(enters, [0, *leaves]), least=OF_TIME),
        "stays": text_of(_differences(leaves, enters), least=OF_TIME),
        "left_by": [[reason, len(list(run))] for reason, run in reasons],
    }


def boxes_of(entries: Sequence[Any]) -> list[Any]:
    """Return boxes `[aoi, x, y, width, height]`, splitting rows; anything else is left unchanged.

    Raises MalformedColumnsError for a row without position or widths.

    >>> boxes_of([[4, 0, 46, 40, "yBD"], [7, 0, 86, 700, 40]])
    [[4, 0, 46, 50, 40], [5, 50, 46, 1, 40], [6, 51, 46, 3, 40], [7, 0, 86, 700, 40]]
    """
    boxes: list[Any] = []
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 5 or not isinstance(entry[4], str):
            boxes.append(entry)
            continue
        aoi, x, y, height, text = entry
        widths = _numbers(text, least=OF_WIDTH)
        if not widths or not all(type(value) is int for value in (aoi, x)):
            raise MalformedColumnsError("A row of boxes must be an area, x, y, height and the widths of its boxes.")
        lefts = accumulate(widths, initial=x)
        boxes += [[area, left, y, width, height] for area, left, width in zip(count(aoi), lefts, widths, strict=False)]
    return boxes


def rows_of(boxes: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return boxes, adjacent ones combined into rows.

    >>> rows_of([[1, 0, 0, 50, 40], [2, 50, 0, 70, 40], [3, 0, 40, 120, 40]])
    [[1, 0, 0, 40, 'y(BG)'], [3, 0, 40, 120, 40]]
    """
    rows: list[list[Sequence[Any]]] = []
    for box in boxes:
        if rows and _stand_side_by_side(rows[-1][-1], box):
            rows[-1].append(box)
        else:
            rows.append([box])
    return [
        [*row[0][:3], row[0][4], text_of((box[3] for box in row), least=OF_WIDTH)] if len(row) > 1 else list(row[0])
        for row in rows
    ]


def text_of(numbers: Iterable[int], *, least: int) -> str:
    """Encode whole numbers from 0 in base 64, with `least` digits each or in brackets.

    >>> text_of([0, 4095, 4096], least=2)
    'AA__(BAA)'
    """
    parts = []
    for number in numbers:
        digits, rest = "", number
        while rest > 0 or len(digits) < least:
            rest, value = divmod(rest, len(DIGITS))
            digits = DIGITS[value] + digits
        parts.append(digits if len(digits) == least else f"({digits})")
    return "".join(parts)


def _stand_side_by_side(one: Sequence[Any], other: Sequence[Any]) -> bool:
    numbers = (one[1], one[3], other[1], other[3])
    return (
        all(type(number) is int and number >= 0 for number in numbers)
        and other[0] == one[0] + 1
        and other[1] == one[1] + one[3]
        and (other[2], other[4]) == (one[2], one[4])
    )


def _differences(these: Sequence[int], those: Sequence[int]) -> list[int]:
    return [this - that for this, that in zip(these, those, strict=False)]


def _ms(tenths: int) -> float:
    # Whole milliseconds stay integers, as in JSON from a browser, so that exports are byte-identical.
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def _numbers_in(columns: Mapping[str, Any], name: str, *, steps: int) -> list[int]:
    numbers = _numbers(columns[name], least=OF_TIME)
    if numbers is None:
        raise MalformedColumnsError(f"The {name} are not numbers of two digits in base 64, or more between brackets.")
    if len(numbers) != steps:
        raise MalformedColumnsError(f"There are {steps} steps, but {len(numbers)} {name}.")
    return numbers


def _numbers(text: Any, *, least: int) -> list[int] | None:
    """Decode the numbers of a text; None if it is malformed."""
    if not isinstance(text, str):
        return None
    numbers: list[int] = []
    end = 0
    for found in FORMS[least].finditer(text):
        if found.start() != end:
            return None
        end = found.end()
        number = 0
        for digit in found[1] or found[2]:
            number = number * len(DIGITS) + VALUES[digit]
        numbers.append(number)
    return numbers if end == len(text) else None


def _reasons(runs: Any, *, steps: int) -> list[str]:
    well_formed = isinstance(runs, list) and all(
        isinstance(run, list) and len(run) == 2 and isinstance(run[0], str) and type(run[1]) is int and run[1] > 0
        for run in runs
    )
    if not well_formed:
        raise MalformedColumnsError("What ended the visits must be pairs of a reason and a number of visits.")
    ended = sum(run[1] for run in runs)
    if ended != steps:
        raise MalformedColumnsError(f"There are {steps} steps, but reasons for the end of {ended} visits.")
    return [reason for reason, times in runs for _ in range(times)]
