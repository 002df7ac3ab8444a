"""Word frequencies or norms from a user's own list: a table with a word and a number in every row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DELIMITERS = "\t;,"


class NoNorms(ValueError):
    """The text is no table of words and numbers; the message says where and why."""


@dataclass(frozen=True)
class Norms:
    """The values of words, in lower case, the name of their column, and how many words came up twice."""

    column: str
    values: Mapping[str, float]
    repeated: int

    def mean(self, words: Sequence[str]) -> tuple[float | None, int]:
        """Return the mean over the words that are listed (None where none is), and how many are not.

        >>> Norms("aoa", {"dog": 2.0, "cat": 4.0}, 0).mean(["Dog", "cat", "gnu"])
        (3.0, 1)
        """
        found = [self.values[word.lower()] for word in words if word.lower() in self.values]
        return (math.fsum(found) / len(found) if found else None), len(words) - len(found)


def read_norms(text: str, *, column: str = "") -> Norms:
    """Read a list: words in the first column, the numbers in `column`, or in the first further column that has numbers.

    Values are divided by tabs, semicolons or commas; the first line names the columns. Empty cells and NA are words
    without a value. Of a word that comes up twice the mean is taken.

    Raises NoNorms where there is no such column, or a cell is no number.

    >>> read_norms("word,freq,aoa\\ndog,5.1,2\\ncat,,3\\n", column="aoa").values
    {'dog': 2.0, 'cat': 3.0}
    """
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    rows = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter) if any(row)]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise NoNorms("A list has a line with the names of its columns, then a word and a number in every line.")
    header = [name.strip() for name in rows[0]]
    if column and column not in header[1:]:
        raise NoNorms(f"The list has no column '{column}'; it has {', '.join(header[1:])}.")
    place = header.index(column, 1) if column else _first_of_numbers(rows, header)
    values: dict[str, list[float]] = {}
    for number, row in enumerate(rows[1:], start=2):
        word, cell = row[0].strip().lower(), row[place].strip() if place < len(row) else ""
        if not word or not cell or cell.upper() in ("NA", "NAN", "."):
            continue
        value = _number(cell)
        if value is None:
            raise NoNorms(f"Line {number} has '{cell[:30]}' in the column {header[place]}, which is no number.")
        values.setdefault(word, []).append(value)
    if not values:
        raise NoNorms(f"No word has a number in the column {header[place]}.")
    return Norms(
        header[place],
        {word: math.fsum(found) / len(found) for word, found in values.items()},
        sum(len(found) > 1 for found in values.values()),
    )


def _first_of_numbers(rows: Sequence[Sequence[str]], header: Sequence[str]) -> int:
    for place in range(1, len(header)):
        cells = [row[place].strip() for row in rows[1:50] if place < len(row) and row[place].strip()]
        if cells and all(_number(cell) is not None or cell.upper() == "NA" for cell in cells):
            return place
    raise NoNorms("No column of the list has numbers in its first lines; write decimals with a point.")


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
