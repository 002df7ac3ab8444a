"""Give the rows of an export as texts by the names of their columns, as they are in its CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis.codebook.columns import ExportColumn
from analysis.exports.cells import Cell, Cells


def text_of(value: Cell) -> str:
    """Return a cell as it is in a CSV file, without quotes.

    >>> text_of(None), text_of(0.5), text_of("a, b")
    ('', '0.5', 'a, b')
    """
    return "" if value is None else value if isinstance(value, str) else str(value)


def named_rows(columns: Sequence[ExportColumn], rows: Iterable[Cells]) -> Iterator[dict[str, str]]:
    """Yield every row as texts by the names of its columns."""
    names = [column.name for column in columns]
    for row in rows:
        yield dict(zip(names, map(text_of, row), strict=True))


def alphanumeric(text: str) -> str:
    """Return the letters and digits of ASCII in a text.

    >>> alphanumeric("self-paced reading 2")
    'selfpacedreading2'
    """
    return "".join(mark for mark in text if mark.isascii() and mark.isalnum())


class Labels(dict[str, str]):
    """Labels of letters and digits for names, each its own, in the order in which they are asked for.

    >>> labels = Labels("task")
    >>> labels["naming-1"], labels["naming1"], labels["naming-1"], labels["読む"]
    ('naming1', 'naming1x2', 'naming1', 'task')
    """

    def __init__(self, otherwise: str) -> None:
        super().__init__()
        self._otherwise = otherwise
        self._taken: set[str] = set()

    def __missing__(self, name: str) -> str:
        plain = alphanumeric(name) or self._otherwise
        label, number = plain, 2
        while label.casefold() in self._taken:
            label, number = f"{plain}x{number}", number + 1
        self._taken.add(label.casefold())
        self[name] = label
        return label
