"""Rows are written as the csv module writes them, byte for byte."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from analysis.codebook.columns import ExportColumn
from analysis.exports import cells
from analysis.exports.cells import csv_pieces

CELLS = st.one_of(
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.text(alphabet=",\"\r\n \t;'=é", max_size=6),
)
COLUMNS = (ExportColumn("a", "text", ""), ExportColumn("b, c", "text", ""), ExportColumn('"d"', "number", ""))


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=8))
def test_a_file_is_that_of_the_csv_module(rows: list[tuple[cells.Cell, ...]]) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([column.name for column in COLUMNS])
    writer.writerows(rows)
    expected = buffer.getvalue().encode("utf-8", "surrogatepass")
    assert b"".join(csv_pieces(COLUMNS, rows)) == expected


def test_long_files_come_in_pieces_and_what_is_remembered_stays_within_bounds() -> None:
    rows = [(f"text {number}, once", number, None) for number in range(20_000)]
    pieces = list(csv_pieces(COLUMNS, rows))
    assert 5 < len(pieces) < 20
    # No row is lost, and none runs into the next where a piece ends.
    read = list(csv.reader(io.StringIO(b"".join(pieces).decode(), newline="")))
    assert read[1:] == [[text, str(number), ""] for text, number, _ in rows]
    assert max(map(len, pieces)) < 2 * cells.PIECE
    texts = cells.Remembered(cells.quoted)
    assert [texts[f"{number},"] for number in range(3 * cells.REMEMBERED)][-1] == f'"{3 * cells.REMEMBERED - 1},"'
    assert len(texts) <= cells.REMEMBERED


def test_structures_keep_their_letters_and_name_their_parts_in_order() -> None:
    assert cells.cell({"ü": ["ß", None], "a": True}) == '{"a":true,"ü":["ß",null]}'
    assert (cells.cell(False), cells.cell(1)) == ("false", 1)
