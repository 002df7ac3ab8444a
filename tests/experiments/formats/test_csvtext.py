"""CSV keeps every cell as it is in both directions; only the variant for Excel guards text."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.csvtext import BrokenTable, csv_rows, csv_text, guarded, sniffed_delimiter, unguarded

cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=6))
def test_what_is_written_reads_back_the_same(rows):
    text = csv_text(["a", "b", "c"], rows)
    read = [row for _line, row in csv_rows(text, delimiter=",")]
    assert read == [["a", "b", "c"], *(row for row in rows if any(cell.strip() for cell in row))]
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b", "c"], *rows]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_a_spreadsheet_would_run_is_guarded_for_excel_alone(start):
    assert guarded(f"{start}1+1") == f"'{start}1+1"
    assert csv_text(["a"], [[f"{start}x"]], excel=True).startswith("\ufeffa\r\n")
    assert f"'{start}x" in csv_text(["a"], [[f"{start}x"]], excel=True)
    assert f"'{start}x" not in csv_text(["a"], [[f"{start}x"]])


def test_numbers_are_never_altered():
    assert csv_text(["a", "b", "c"], [[-1.5, 0.1 + 0.2, -3]], excel=True) == (
        "\ufeffa,b,c\r\n-1.5,0.30000000000000004,-3\r\n"
    )


@given(cells | st.from_regex(r"'{0,3}[=+@\t\r-][0-9.a-z']{0,5}", fullmatch=True))
def test_a_guard_comes_off_again_and_nothing_else(text):
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("number", ["-1.5", "+3", "-2e-05", "-1,5", "-.5"])
def test_a_text_that_reads_as_a_number_is_not_guarded(number):
    assert guarded(number) == number


def test_ordinary_text_is_not_guarded():
    assert guarded("because 1=1") == "because 1=1"
    assert guarded("") == ""


def test_delimiters_are_found_by_the_names_that_are_expected():
    assert sniffed_delimiter("item\ttext,with comma\tmarker") == "\t"
    assert sniffed_delimiter('"a,b";item;text') == ";"


def test_text_after_a_closing_quotation_mark_is_named_with_its_line():
    with pytest.raises(
        BrokenTable,
        match="more text follows after the closing one",
    ) as broken:
        csv_rows('a,b\n"x"y,z\n', delimiter=",")
    assert broken.value.line == 2
