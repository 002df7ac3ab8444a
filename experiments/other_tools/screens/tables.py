"""Read a table of a project, separated by commas or tabs, as the tools read theirs. Pure."""

from __future__ import annotations

import csv
import io

from experiments.formats.csvtext import BYTE_ORDER_MARK, BrokenTable, csv_rows, sniffed_delimiter
from experiments.other_tools.reports import NOT_CARRIED, Report, english


def rows_of(path: str, text: str, report: Report) -> list[dict[str, str]]:
    """Return the rows of a table by the names of its columns; empty rows are left out.

    Stray quotation marks are read as they stand, and named.

    >>> rows_of("t.tsv", "item\\ttext\\n1\\tA dog.\\n", Report())
    [{'item': '1', 'text': 'A dog.'}]
    """
    text = text.removeprefix(BYTE_ORDER_MARK).strip("\n")
    delimiter = "\t" if path.casefold().endswith(".tsv") else sniffed_delimiter(text[:100_000], expected=())
    try:
        records = [cells for _line, cells in csv_rows(text, delimiter=delimiter)]
    except BrokenTable as broken:
        report.add(
            NOT_CARRIED, path, broken.line, english("table"),
            english("its quotation marks do not fit: {said}", said=broken),
            english("It was read all the same; look at the text of this row and of those after it."),
        )  # fmt: skip
        try:
            records = list(csv.reader(io.StringIO(text), delimiter=delimiter))
        except csv.Error:
            return []
    if not records:
        return []
    header = [cell.strip() or str(place) for place, cell in enumerate(records[0])]
    return [
        {name: cell.strip() for name, cell in zip(header, [*cells, *[""] * len(header)], strict=False)}
        for cells in records[1:]
        if any(cell.strip() for cell in cells)
    ]
