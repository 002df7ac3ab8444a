"""Compare a stored report with what its data give now: every cell of its tables, every number of its sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Optimisers on another machine find the same minimum to more digits than these.
RELATIVE, ABSOLUTE = 1e-5, 1e-8
# Of a tiny p the relative error is that of its statistic, many times.
TINY, RELATIVE_OF_TINY = 1e-6, 1e-2
NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+−]?\d+)?(?!\w)")
TEXTS = ("sentences", "notes", "warnings")
SHOWN = 60


@dataclass
class Compared:
    """How many numbers of a report there are, how many came out again, and what is otherwise.

    `unchecked` are numbers that this version does not compute; `differing` and `told` are sentences.
    """

    numbers: int = 0
    same: int = 0
    unchecked: int = 0
    differing: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order, with a plain minus and without separators of thousands.

    >>> numbers_in("F(1, 1,203.5) = −.03, p < .001, H2O, 2.")
    ['1', '1203.5', '-.03', '.001', '2']
    """
    found = (match[0].replace("−", "-").replace(",", "").lstrip("+") for match in NUMBER.finditer(text))
    return [number for number in found if any(sign.isdigit() for sign in number)]


def is_same(stored: float, again: float) -> bool:
    """Return whether two numbers are the same but for what machines differ in.

    >>> is_same(0.031, 0.0310000001), is_same(0.031, 0.0312), is_same(1e-30, 1.001e-30)
    (True, False, True)
    """
    apart = abs(stored - again)
    greatest = max(abs(stored), abs(again))
    if greatest < TINY:
        return apart <= RELATIVE_OF_TINY * greatest or greatest < 1e-12
    return apart <= max(ABSOLUTE, RELATIVE * greatest)


def compared(stored: Mapping[str, Any], again: Mapping[str, Any], *, same_code: bool) -> Compared:
    """Compare a report as `report.json` has it with the one that was computed now.

    With `same_code` (the method has not changed) words must be the same too, and nothing may be missing; otherwise
    what this version does not compute is counted, and words that differ are told and held against nobody.
    """
    found = Compared()
    tables = {table["name"]: table for table in again["tables"]}
    for table in stored["tables"]:
        _compare_table(table, tables.pop(table["name"], None), found, same_code=same_code)
    if tables and same_code:
        found.differing.append(f"The report lacks the tables {', '.join(tables)}, which come out.")
    for kind in TEXTS:
        _compare_texts(stored.get(kind, []), again.get(kind, []), kind, found, same_code=same_code)
    for kind in ("figures", "scripts"):
        if stored.get(kind) != again.get(kind):
            said = f"Its {kind} are declared otherwise than they come out."
            (found.differing if same_code else found.told).append(said)
    return found


def _compare_table(
    table: Mapping[str, Any], again: Mapping[str, Any] | None, found: Compared, *, same_code: bool
) -> None:
    name = table["name"]
    columns = [column["name"] for column in table["columns"]]
    amount = sum(_is_number(value) for row in table["rows"] for value in row)
    if again is None or (len(again["rows"]) != len(table["rows"]) and not same_code):
        if same_code:
            found.numbers += amount
            found.differing.append(f"There is no table '{name}' when the report is computed.")
        else:
            found.unchecked += amount
            found.told.append(f"The table '{name}' is not computed in this form any more.")
        return
    places = {column["name"]: place for place, column in enumerate(again["columns"])}
    if len(again["rows"]) != len(table["rows"]):
        found.numbers += amount
        found.differing.append(f"'{name}' has {len(table['rows'])} rows; {len(again['rows'])} come out.")
        return
    if same_code and (columns != list(places) or table["title"] != again["title"]):
        found.differing.append(f"'{name}' has another title or other columns than come out.")
    for number, (row, other) in enumerate(zip(table["rows"], again["rows"], strict=True), start=1):
        for column, value in zip(columns, row, strict=True):
            if column not in places:
                found.unchecked += _is_number(value)
                continue
            _compare_cell(value, other[places[column]], f"'{name}', row {number}, {column}", found, same_code)


def _compare_cell(value: Any, again: Any, place: str, found: Compared, same_code: bool) -> None:
    if _is_number(value) or _is_number(again):
        found.numbers += 1
        if _is_number(value) and _is_number(again) and is_same(value, again):
            found.same += 1
        else:
            found.differing.append(f"{place}: {_shown(value)}; {_shown(again)} comes out.")
    elif value != again:
        said = f"{place}: '{_shown(value)}'; '{_shown(again)}' comes out."
        (found.differing if same_code else found.told).append(said)


def _compare_texts(texts: Sequence[str], again: Sequence[str], kind: str, found: Compared, *, same_code: bool) -> None:
    left = list(again)
    for text in texts:
        mine = numbers_in(text)
        if text in left:
            left.remove(text)
            found.numbers += len(mine)
            found.same += len(mine)
            continue
        alike = next((one for one in left if _words(one) == _words(text)), None)
        if alike is not None:
            left.remove(alike)
            theirs = numbers_in(alike)
            found.numbers += len(mine)
            right = sum(map(_is_same_as_printed, mine, theirs))
            found.same += right
            if right < len(mine):
                found.differing.append(f"Of the {kind}: “{_cut(text)}”; “{_cut(alike)}” comes out.")
        elif same_code and kind != "warnings":
            found.numbers += len(mine)
            found.differing.append(f"Of the {kind}: “{_cut(text)}” does not come out.")
        else:
            # The platform adds warnings of its own, such as on looks outside a plan; other versions word otherwise.
            found.unchecked += len(mine)
            found.told.append(f"Of the {kind}, not from the method as it is now: “{_cut(text)}”")
    if left and same_code:
        found.differing.append(f"Of the {kind} is missing: “{_cut(left[0])}”")


def _is_same_as_printed(stored: str, again: str) -> bool:
    """Return whether two printed numbers are the same, or one apart in a last digit that machines round apart.

    >>> _is_same_as_printed(".031", ".031"), _is_same_as_printed(".031", ".032")
    (True, False)
    """
    return stored == again or is_same(float(stored), float(again))


def _words(text: str) -> str:
    return NUMBER.sub(lambda match: "#" if any(sign.isdigit() for sign in match[0]) else match[0], text)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "nothing" if value is None else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} … {text[-SHOWN:]}"
