"""Signs by which a table divides the regions of its texts, such as The/cat/slept. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault
from experiments.materials.other_tools.tables import folded
from experiments.materials.shapes import Row, Table
from experiments.sentences import Sentence

# A choice takes such a sign for what divides regions; the sign is named behind it.
DIVIDER = "divider"
_SIGNS = "/*_^#@~+\\"
# So many of the texts have the sign, each so often.
_SHARE, _TIMES = 0.8, 2


def divider_in(texts: Sequence[str]) -> str | None:
    """Return the sign that stands between the words of nearly all texts; None where none does.

    >>> divider_in(["The/cat/slept.", "It/was/late."]), divider_in(["He or she left.", "and/or"])
    ('/', None)
    """
    filled = [text for text in texts if text]
    if not filled or any("|" in text for text in filled):
        return None
    for sign in _SIGNS:
        between = re.compile(rf"(?<=[^\s{re.escape(sign)}]){re.escape(sign)}(?=[^\s{re.escape(sign)}])")
        if sum(len(between.findall(text)) >= _TIMES for text in filled) >= _SHARE * len(filled):
            return sign
    return None


def with_regions(table: Table, choices: Collection[str], *, separator: str) -> Table:
    """Return a table whose texts are divided as the platform does it, where a choice says so; otherwise it is asked."""
    places = {folded(name): number for number, name in reversed(list(enumerate(table.header)))}
    text = places.get("text")
    sign = None if text is None else divider_in([row.cells[text] for row in table.rows])
    if text is None or sign is None or f"-{DIVIDER} {sign}" in choices:
        return table
    if f"{DIVIDER} {sign}" not in choices:
        message = Sentence(
            "Nearly all texts have '{sign}' between their words. Does it separate their regions?", sign=sign
        )
        question = Fault(message=message, step="materials", is_doubtful=True, choice=f"{DIVIDER} {sign}")
        return replace(table, warnings=(*table.warnings, question))
    divided = re.compile(rf"\s*{re.escape(sign)}+\s*")

    def cells(row: Row) -> tuple[str, ...]:
        whole = separator.join(filter(None, divided.split(row.cells[text])))
        return (*row.cells[:text], whole, *row.cells[text + 1 :])

    message = Sentence("'{sign}' in the texts was read as the mark between regions.", sign=sign)
    step = Fault(message=message, step="materials", choice=f"-{DIVIDER} {sign}")
    rows = tuple(Row(row.line, cells(row)) for row in table.rows)
    return replace(table, rows=rows, warnings=(*table.warnings, step))
