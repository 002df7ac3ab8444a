"""Validate single rows of materials: truth values, texts, codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

from experiments.formats.faults import Fault, did_you_mean
from experiments.formats.graphemes import graphemes_in
from experiments.formats.hidden import mended
from experiments.formats.words import is_without_spaces
from experiments.materials.columns import Columns, is_metric
from experiments.materials.shapes import MAX_CODE, MAX_NAME, MAX_TEXT, Row
from experiments.sentences import Sentence

_TRUTH = {
    **dict.fromkeys(("true", "yes", "1", "ja", "wahr", "x"), True),
    **dict.fromkeys(("false", "no", "0", "nein", "falsch", ""), False),
}
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]{2,8}|#[0-9]{1,5});")
# The replacement character of undecodable bytes, and what is left of letters that were encoded twice and then cut.
_DAMAGED = re.compile("\ufffd|â€")

# Between places where a browser may break a line. A telephone of 390 pixels shows about 30 characters in a line.
_UNBROKEN = re.compile(r"[^\s\u00ad\u200b\u2010\u2012-\u2015/|｜-]+")
LONGEST_UNBROKEN = 28


def truth(cell: str) -> bool | None:
    """Return the truth value of a cell; None if it is not one.

    >>> truth("Ja"), truth(""), truth("maybe")
    (True, False, None)
    """
    return _TRUTH.get(cell.casefold())


def truth_faults(row: Row, columns: Columns) -> list[Fault]:
    """Return a fault for each cell of `is_filler` and `is_practice` that is no truth value, and one if both are
    true.
    """
    faults = []
    for name in ("is_filler", "is_practice"):
        cell = columns.cell(row, name)
        if truth(cell) is None:
            meant = did_you_mean(cell, [word for word in _TRUTH if len(word) > 1])
            faults.append(
                Fault(
                    line=row.line,
                    column=name,
                    message=Sentence("'{cell}' is neither true nor false.", cell=cell),
                    suggestion=meant or Sentence("Write true or false."),
                    step="materials",
                )
            )
    if truth(columns.cell(row, "is_filler")) and truth(columns.cell(row, "is_practice")):
        message = Sentence("A text is either a filler or practice, not both.")
        faults.append(Fault(line=row.line, column="is_practice", message=message, step="materials"))
    return faults


def text_faults(row: Row, columns: Columns, *, media: Sequence[str] = ()) -> list[Fault]:
    """Return the faults of item code, item set, text and required columns of one row.

    `media` are the pictures and sounds that the row names; with one of them the text may be empty.
    """
    faults = []
    for name, limit in (("item", MAX_CODE), ("text", MAX_TEXT)):
        cell = columns.cell(row, name)
        if not cell and name == "text" and media:
            continue
        if not cell:
            message = Sentence("The text is empty.") if name == "text" else Sentence("The item has no code.")
            suggestion = (
                ""
                if name == "text"
                else Sentence("Give all rows of an item the same code, and use it for no other row.")
            )
            faults.append(Fault(line=row.line, column=name, message=message, suggestion=suggestion, step="materials"))
        elif len(cell) > limit:
            message = Sentence("The cell has {n} characters; at most {limit} can be stored.", n=len(cell), limit=limit)
            faults.append(Fault(line=row.line, column=name, message=message, step="materials"))
    if len(columns.cell(row, "item_set")) > MAX_NAME:
        message = Sentence("The name of the item set has more than {limit} characters.", limit=MAX_NAME)
        faults.append(Fault(line=row.line, column="item_set", message=message, step="materials"))
    return faults


def metric_faults(row: Row, columns: Columns) -> list[Fault]:
    """Return a fault for each metric cell that is not a number; an empty cell is a missing value."""
    faults = []
    for name, number in columns.extra.items():
        cell = row.cells[number]
        if is_metric(name) and cell and not _is_number(cell):
            faults.append(
                Fault(
                    line=row.line,
                    column=name,
                    message=Sentence("'{cell}' is not a number, but a metric needs numbers.", cell=cell),
                    suggestion=Sentence(
                        "Write decimals with a point and leave out units. Leave the cell empty if a text has no "
                        "value. If the column is a factor or an attribute, give it another name."
                    ),
                    step="materials",
                )
            )
    return faults


def _is_number(cell: str) -> bool:
    try:
        return isfinite(float(cell)) and "_" not in cell
    except ValueError:
        return False


def text_warnings(rows: Sequence[Row], columns: Columns) -> list[Fault]:
    """Return warnings about texts that look like markup, look damaged, or occur more than once."""
    warnings = []
    first: dict[str, int] = {}
    for row in rows:
        text = columns.cell(row, "text")
        markup = _MARKUP.search(text)
        if markup:
            message = Sentence("'{markup}' looks like markup; participants will see it as it is.", markup=markup[0])
            warnings.append(_warning(row.line, message, is_doubtful=True))
        if _DAMAGED.search(mended(text)):
            message = Sentence("A wrong encoding seems to have damaged the text. Check its letters.")
            warnings.append(_warning(row.line, message, is_doubtful=True))
        if text and text in first:
            warnings.append(_warning(row.line, Sentence("The text is the same as in line {line}.", line=first[text])))
        first.setdefault(text, row.line)
    return warnings


def width_warnings(rows: Sequence[Row], columns: Columns) -> list[Fault]:
    """Return a warning for each text with a word that no line of a telephone of 390 pixels has room for."""
    warnings = []
    for row in rows:
        longest = max(_UNBROKEN.findall(columns.cell(row, "text")), key=graphemes_in, default="")
        number = graphemes_in(longest)
        if number <= LONGEST_UNBROKEN or any(map(is_without_spaces, longest)):
            continue
        message = Sentence(
            "'{word}' has {number} characters and no place for a line break, so phones break it after any "
            "letter. Write a hyphen where it may break, or leave it if people take part on computers.",
            word=longest[:60],
            number=number,
        )
        warnings.append(_warning(row.line, message))
    return warnings


def surplus_warnings(rows: Sequence[Row], columns: Columns, factors: Sequence[str]) -> list[Fault]:
    """Return warnings about fillers and practice texts with a level or an item set, which they cannot have."""
    warnings = []
    for row in rows:
        levels = [name for name in factors if row.cells[columns.free[name]]]
        if levels:
            message = Sentence("Fillers and practice texts belong to no condition, so the level is ignored.")
            warnings.append(Fault(line=row.line, column=levels[0], message=message, step="materials"))
        if columns.cell(row, "item_set"):
            message = Sentence("Everybody sees fillers and practice texts, so the item set is ignored.")
            warnings.append(Fault(line=row.line, column="item_set", message=message, step="materials"))
    return warnings


def _warning(line: int, message: str, *, is_doubtful: bool = False) -> Fault:
    return Fault(line=line, column="text", message=message, step="materials", is_doubtful=is_doubtful)
