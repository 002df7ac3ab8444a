"""Columns are mapped, not demanded: whatever they are called, and however they stand, no row is lost without a word."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.csvtext import csv_text
from experiments.materials import MaterialsFaults, design_from
from experiments.materials.joining import joined
from experiments.materials.mapping import asked, guessed, mapped, use_of
from experiments.materials.reading import read_materials
from experiments.materials.shapes import Row, Table
from experiments.paradigms import paradigm_named

RATING, READING = paradigm_named("rating"), paradigm_named("self-paced-reading")
WIDE = """\
Nr,Satz_kurz,Satz_lang,Frage
1,The baker saw the guest.,The baker saw the guest at noon.,Did the baker see somebody?
2,The nurse met the clerk.,The nurse met the clerk at noon.,Did the nurse meet somebody?
"""
names = st.text(
    st.characters(codec="utf-8", exclude_characters=",=\0", exclude_categories=("C", "Z")), min_size=1, max_size=8
)
cells = st.text(st.sampled_from("ab ,;.\"'"), max_size=12).map(str.strip)


def read(text: str) -> Table:
    return read_materials(text.encode())


def test_a_wide_table_is_guessed_and_becomes_long() -> None:
    table = read(WIDE)
    guess = guessed(table, RATING)
    assert guess == {
        "Nr": "item", "Satz_kurz": "text, condition=kurz", "Satz_lang": "text, condition=lang"
    }  # fmt: skip
    long = mapped(table, guess)
    assert long.header == ("item", "Frage", "text", "condition")
    assert [(row.line, *row.cells[2:]) for row in long.rows] == [
        (2, "The baker saw the guest.", "kurz"),
        (2, "The baker saw the guest at noon.", "lang"),
        (3, "The nurse met the clerk.", "kurz"),
        (3, "The nurse met the clerk at noon.", "lang"),
    ]
    design = design_from(long, RATING)
    assert [factor.levels for factor in design.factors] == [("kurz", "lang")]
    assert [item.attributes for item in design.items] == [
        {"Frage": "Did the baker see somebody?"},
        {"Frage": "Did the nurse meet somebody?"},
    ]
    assert [str(step) for step in long.warnings] == [
        "'Nr' is read as item.",
        "'Satz_kurz', 'Satz_lang' contain text at levels of condition: 2 rows gave 4.",
    ]


@given(
    st.integers(1, 4),
    st.lists(names, min_size=2, max_size=5, unique_by=str.casefold),
    st.data(),
)
def test_a_table_made_wide_comes_back_as_it_was(n_items: int, levels: list[str], data: st.DataObject) -> None:
    texts = {
        (item, level): data.draw(cells.filter(bool)) for item, level in product(range(n_items), range(len(levels)))
    }
    header = ("item", *(f"column {number}" for number in range(len(levels))))
    rows = [
        Row(item + 2, (f"i{item}", *(texts[item, number] for number in range(len(levels))))) for item in range(n_items)
    ]
    mapping = {f"column {number}": f"text, marker={level}" for number, level in enumerate(levels)}
    long = mapped(Table(header, tuple(rows)), mapping)
    assert long.header == ("item", "text", "marker")
    assert [row.cells for row in long.rows] == [
        (f"i{item}", texts[item, number], levels[number]) for item in range(n_items) for number in range(len(levels))
    ]


@given(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=6))
def test_every_row_gives_texts_or_is_named(rows: list[list[str]]) -> None:
    table = Table(("item", "a", "b"), tuple(Row(number, tuple(row)) for number, row in enumerate(rows, start=2)))
    long = mapped(table, {"a": "text, marker=a", "b": "text, marker=b"})
    empty = [row.line for row in table.rows if not row.cells[1] and not row.cells[2]]
    assert {row.line for row in long.rows} == {row.line for row in table.rows} - set(empty)
    assert sum(bool(cell) for row in table.rows for cell in row.cells[1:]) == len(long.rows)
    named = [step.message for step in long.warnings if "gave none" in step.message or "show" in step.message]
    assert {one.line for one in long.left_out} == set(empty)
    assert bool(named) == bool(empty)


def test_levels_of_two_factors_stand_in_one_row() -> None:
    table = Table(("nr", "ss", "sl", "os", "ol"), (Row(2, ("1", "A b.", "C d.", "E f.", "G h.")),))
    said = {
        f"{clause[0]}{length[0]}": f"text, clause={clause}, length={length}"
        for clause, length in product(("subject", "object"), ("short", "long"))
    }
    long = mapped(table, {"nr": "item", **said})
    assert long.header == ("item", "text", "clause", "length")
    assert {row.cells[2:] for row in long.rows} == set(product(("subject", "object"), ("short", "long")))


def test_a_column_that_a_text_brings_with_it_varies_with_the_conditions() -> None:
    table = Table(("nr", "a", "b", "q_a", "q_b"), (Row(2, ("1", "He left.", "She left.", "Did he?", "Did she?")),))
    mapping = {
        "nr": "item",
        "a": "text, who=he",
        "b": "text, who=she",
        "q_a": "question, who=he",
        "q_b": "question, who=she",
    }
    long = mapped(table, mapping)
    assert long.header == ("item", "text", "question", "who")
    assert [row.cells for row in long.rows] == [
        ("1", "He left.", "Did he?", "he"),
        ("1", "She left.", "Did she?", "she"),
    ]


def test_rows_without_a_column_of_items_are_items_of_their_own() -> None:
    long = mapped(Table(("Sentence",), (Row(2, ("He left.",)), Row(3, ("She left.",)))), {"Sentence": "text"})
    assert [row.cells for row in long.rows] == [("1", "He left."), ("2", "She left.")]
    assert str(long.warnings[0]) == "No column names the items, so every row is an item of its own."


def test_a_group_without_a_condition_is_no_factor() -> None:
    table = read("Group,Item,Sentence\nA,1,The baker saw the guest.\nB,1,The baker the guest saw.\n")
    assert guessed(table, RATING) == {"Group": "list", "Sentence": "text"}
    with pytest.raises(MaterialsFaults) as told:
        design_from(mapped(table, {"Group": "-", "Sentence": "text"}), RATING)
    assert "is already in line 2. Delete one of them, or add a factor." in str(told.value.faults[0])


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({"Sats": "text"}, "The mapping names the column 'Sats', which is not in the table."),
        ({"Nr": "item", "Frage": "item"}, "Two columns would have the name 'item'."),
        ({"Satz_kurz": "text, a=1", "Satz_lang": "text, a=1"}, "Two columns would have the name 'text, a=1'."),
        ({"Nr": ""}, "'' does not say what a column is"),
        ({"Nr": "text, clause"}, "'text, clause' does not say what a column is"),
        ({"Nr": "-, clause=a"}, "'-, clause=a' does not say what a column is"),
        ({"Nr": "text, a=b, a=c"}, "'text, a=b, a=c' names a factor twice."),
        ({"Satz_kurz": "text, a=1", "Satz_lang": "text, a=1, b=2"}, "The levels of 'a=1' are not levels of b."),
    ],
)
def test_what_is_wrong_with_a_mapping_is_said(mapping: dict[str, str], said: str) -> None:
    with pytest.raises(MaterialsFaults) as told:
        mapped(read(WIDE), mapping)
    assert any(said in fault.message for fault in told.value.faults)


def test_tables_in_the_shape_of_the_platform_are_left_as_they_are() -> None:
    table = read(csv_text(("item", "text", "marker"), [("1", "It rained here.", "a"), ("1", "It snowed here.", "b")]))
    assert guessed(table, READING) == {}
    assert mapped(table, {}) is table


def test_columns_are_shown_with_some_of_their_cells() -> None:
    columns = asked(read(WIDE), RATING)
    assert columns[1].examples == ("The baker saw the guest.", "The nurse met the clerk.")
    assert [str(column.use) for column in columns] == ["item", "text, condition=kurz", "text, condition=lang", "Frage"]


@given(st.text(max_size=30))
def test_anything_said_of_a_column_is_a_use_or_a_sentence(said: str) -> None:
    try:
        use = use_of(said)
    except ValueError:
        return
    assert use_of(str(use)) == use


LISTS = [
    "item_id\tcondition\ttext\n1\tshort\tThe baker saw the guest.\n2\tlong\tThe nurse often met the clerk.\n"
    "f\t\tIt rained all night.\n",
    "item_id\tcondition\ttext\n1\tlong\tThe baker often saw the guest.\n2\tshort\tThe nurse met the clerk.\n"
    "f\t\tIt rained all night.\n",
]


def test_lists_in_files_of_their_own_are_joined() -> None:
    table = joined([(f"list{number}.tsv", read(text)) for number, text in enumerate(LISTS, start=1)])
    assert [row.line for row in table.rows] == [2, 3, 4, 6, 7]
    assert [str(step) for step in table.warnings] == [
        "2 files were joined. Line numbers continue from one file to the next; their headers are list1.tsv (1), "
        "list2.tsv (5).",
        "1 row that is also in an earlier file was left out.",
        "Or each file is an experiment of its own, with items and conditions of its own.",
    ]
    long = mapped(table, guessed(table, RATING))
    rows = tuple(Row(row.line, (*row.cells, str(row.cells[0] == "f").lower())) for row in long.rows)
    design = design_from(Table((*long.header, "is_filler"), rows), RATING)
    assert [len(item.stimuli) for item in design.items] == [2, 2, 1]
    assert len(design.lists) == 2


@given(st.lists(st.lists(st.tuples(cells, cells), min_size=1, max_size=4), min_size=2, max_size=4))
def test_joining_loses_only_what_an_earlier_file_has(files: list[list[tuple[str, str]]]) -> None:
    tables = [
        (f"{number}.csv", Table(("item", "text"), tuple(Row(place, row) for place, row in enumerate(rows, start=2))))
        for number, rows in enumerate(files)
    ]
    table = joined(tables)
    expected: list[tuple[str, str]] = []
    for rows in files:
        before = set(expected)
        expected += [row for row in rows if row not in before]
    assert [row.cells for row in table.rows] == expected
    lines = [row.line for row in table.rows]
    assert lines == sorted(set(lines))
    left_out = sum(map(len, files)) - len(expected)
    assert any(step.message.startswith(f"{left_out} row") for step in table.warnings) == bool(left_out)


def test_a_column_that_a_file_lacks_is_empty_there_and_that_is_doubtful() -> None:
    table = joined([("a.csv", read("item,text,genre\n1,He left.,news\n")), ("b.csv", read("Item,text\n2,She left.\n"))])
    assert [row.cells for row in table.rows] == [("1", "He left.", "news"), ("2", "She left.", "")]
    (told,) = [step for step in table.warnings if step.is_doubtful]
    assert told.message == "Not every file has every column, so some cells are empty in rows of 'b.csv'."
