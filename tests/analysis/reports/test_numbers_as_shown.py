"""Numbers in tables of a report: rounded by the format of their column, aligned, never altered in the data."""

from typing import Any

import pytest

from analysis.methods.report import Column, Table
from analysis.reports.apa import shown_cells
from analysis.reports.shown_tables import shown_table
from analysis.reports.symbols import sentence_html


def shown(kind, values):
    return [str(cell) for cell in shown_cells(Column("x", "x", kind), values)]


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("p", [0.0, 0.0004, 0.05, 0.9999, None], ["< .001", "< .001", ".050", "> .999", "–"]),
        ("df", [1, 142.4946], ["1", "142.49"]),
        ("statistic", [-19.7231, 0.0], ["−19.72", "0.00"]),
        ("share", [0.12345, -0.5, 1.0], [".123", "−.500", "1.000"]),
        ("integer", [3, -4, 1152], ["3", "−4", "1152"]),
        ("number", [0.01234, -0.5], ["0.012", "−0.500"]),
        ("number", [1.0, 20.0], ["1", "20"]),
        ("number", [12345.678, 3.0], ["12345.7", "3.0"]),
        ("boolean", [True, False, None], ["yes", "no", "–"]),
        ("text", ["because:cause", "", None], ["because:cause", "–", "–"]),
    ],
)
def test_every_format_has_its_way_of_showing(kind, values, expected):
    assert shown(kind, values) == expected


def test_a_number_too_small_for_its_column_is_not_shown_as_zero():
    assert shown("number", [0.5, 0.00001234])[1] == "1.23e−05"


def test_means_and_bounds_about_one_get_the_same_places():
    columns = (Column("mean", "Mean"), Column("high", "High"))
    table = shown_table(Table("cells", "Cells", columns, ((0.985, 1.06), (0.5, 1.5))), limit=10)
    assert [[cell.whole + cell.fraction for cell in row] for row in table.rows] == [
        ["0.985", "1.060"],
        ["0.500", "1.500"],
    ]


def test_a_long_table_is_cut_and_an_empty_column_left_out_and_both_are_said():
    columns = (Column("a", "A", "integer"), Column("b", "B"))
    table = shown_table(Table("t", "T", columns, tuple((n, None) for n in range(30))), limit=12)
    assert (len(table.rows), table.total, table.is_cut) == (12, 30, True)
    assert ([column.label for column in table.columns], table.left_out) == (["A"], 1)


WIDE = Table(
    "t",
    "T",
    (Column("effect", "Effect", "text"), *(Column(f"c{n}", f"C{n}") for n in range(19))),
    (("marker", *(float(n) for n in range(19))),),
)


def test_of_a_table_wider_than_a_sheet_the_first_columns_are_printed_and_all_are_there():
    table = shown_table(WIDE, limit=10)
    assert [column.label for column in table.excerpt.columns] == ["Effect", *(f"C{n}" for n in range(10))]
    assert table.has_more_columns
    assert len(table.columns) == 20


def test_the_columns_that_a_paper_prints_come_first_where_somebody_named_them():
    table = shown_table(WIDE, limit=10, essential=("effect", "c18", "c2", "not-there"))
    assert [column.label for column in table.excerpt.columns] == ["Effect", "C18", "C2"]
    assert [cell.whole + cell.fraction for cell in table.excerpt.rows[0]] == ["marker", "18", "2"]


def test_a_table_that_fits_a_sheet_is_printed_whole_whatever_was_named():
    columns = (Column("a", "A", "text"), Column("b", "B"))
    table = shown_table(Table("t", "T", columns, (("x", 1.0),)), limit=10, essential=("b",))
    assert [column.label for column in table.excerpt.columns] == ["A", "B"]
    assert not table.has_more_columns


def test_sentences_are_escaped_before_symbols_are_set_in_italics():
    html = sentence_html("<b>x</b> differed, t(12) = 2.10, p = .050")
    assert "<b>" not in html
    assert "<i>t</i>(12)" in html


def test_measures_of_different_size_have_decimal_places_of_their_own():
    columns = (Column("measure", "Measure", "text"), Column("mean", "Mean"), Column("sd", "SD"))
    rows = (("total_time", 7333.84, 931.8), ("speed", 0.00612, 0.00091), ("time_z", -0.478, 0.2141), ("time_z", 1.2, 1))
    shown_rows = shown_table(Table("conditions", "Means", columns, rows), limit=10).rows
    assert [[cell.whole + cell.fraction for cell in row[1:]] for row in shown_rows] == [
        ["7333.8", "931.8"],
        ["0.00612", "0.000910"],
        ["−0.48", "0.21"],
        ["1.20", "1.00"],
    ]


def test_measures_of_one_size_share_their_decimal_places():
    columns = (Column("measure", "Measure", "text"), Column("mean", "Mean"))
    rows = (("words", 7.0), ("characters", 43.25), ("syllables per word", 1.516))
    shown_rows = shown_table(Table("differences", "Differences", columns, rows), limit=10).rows
    assert [row[1].whole + row[1].fraction for row in shown_rows] == ["7.00", "43.25", "1.52"]


def test_an_interval_has_both_of_its_ends_on_a_sheet_or_none():
    columns = (Column("a", "A", "text"), Column("b", "B", "text"), Column("d_low", "Low"), Column("d_high", "High"))
    rows = (("because-of" * 4, "cause" * 8, 0.123, 0.456),)
    assert [column.label for column in shown_table(Table("t", "T", columns, rows), limit=1).excerpt.columns] == [
        "A", "B", "Low", "High",
    ]  # fmt: skip
    rows = (("because" * 6, "cause" * 9, 0.123, 0.456),)
    assert [column.label for column in shown_table(Table("t", "T", columns, rows), limit=1).excerpt.columns] == [
        "A",
        "B",
    ]


@pytest.mark.parametrize(
    ("label", "heading"),
    [
        ("F", "<i>F</i>"),
        ("p (Greenhouse–Geisser)", "<i>p</i> (Greenhouse–Geisser)"),
        ("ηp² CI low (90 %)", "<i>η</i><sub>p</sub>² CI low (90 %)"),
        ("dz CI high", "<i>d</i><sub>z</sub> CI high"),
        ("BF10 (models with it)", "BF<sub>10</sub> (models with it)"),
        ("df1", "<i>df</i><sub>1</sub>"),
        ("n < 3", "n &lt; 3"),
        ("Dzongkha", "Dzongkha"),
    ],
)
def test_symbols_in_headings_are_printed_as_symbols(label, heading):
    (column,) = shown_table(Table("t", "T", (Column("x", label),), ((1.5,),)), limit=1).columns
    assert column.heading == heading


def test_numbers_that_are_names_have_a_minus_sign_and_codes_keep_their_hyphen():
    columns = (Column("region", "Region", "text"), Column("item", "Item", "text"))
    ((region, item),) = shown_table(Table("t", "T", columns, (("-1", "P-1"),)), limit=1).rows
    assert (region.whole, item.whole) == ("−1", "P-1")


def test_a_row_has_the_decimal_places_that_its_standard_error_asks_for() -> None:
    """A slope below an intercept of hundreds keeps two digits of its standard error."""
    columns = [
        Column("term", "Term", "text"),
        Column("estimate", "b"),
        Column("se", "SE"),
        Column("t", "t", "statistic"),
    ]
    rows: list[dict[str, Any]] = [
        {"term": "(Intercept)", "estimate": 512.34, "se": 21.7, "t": 23.6},
        {"term": "frequency", "estimate": -0.0612, "se": 0.0108, "t": -5.67},
        {"term": "dropped", "estimate": None, "se": None, "t": None},
    ]
    shown = shown_table(Table.from_rows("fixed", "Fixed", columns, rows), limit=9)
    printed = [[cell.whole + cell.fraction for cell in row] for row in shown.rows]
    assert printed[0][1:3] == ["512.3", "21.70"]
    assert printed[1][1:3] == ["−0.061", "0.011"]
    assert printed[2][1:3] == ["–", "–"]
