"""However columns are called and wherever they are, a mapping gives the same design, and no row is lost in silence."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design import latin_square
from experiments.formats.csvtext import csv_text
from experiments.materials import Design, MaterialsFaults
from experiments.materials.from_files import Said, design_of_table, table_of_files
from experiments.materials.mapping import guessed, mapped, undone, use_of
from experiments.materials.shapes import Row, Table
from experiments.paradigms import paradigm_named

RATING, READING = paradigm_named("rating"), paradigm_named("self-paced-reading")
names = st.text(
    st.characters(codec="utf-8", exclude_characters=",=\0", exclude_categories=("C", "Z")), min_size=1, max_size=8
)


def read(*texts: str | bytes, choices=(), paradigm=RATING) -> Table:
    files = [(text if isinstance(text, bytes) else text.encode(), f"{number}.csv") for number, text in enumerate(texts)]
    return table_of_files(files, paradigm, choices=choices)


def shape(design: Design) -> list[object]:
    """Return what a design is, without names of lines and in the order of the items."""
    return [
        (
            item.code,
            dict(item.attributes),
            [(text.text, text.condition, dict(text.attributes)) for text in item.stimuli],
        )
        for item in design.items
    ]


def long_rows(n_items: int, n_conditions: int) -> list[tuple[str, ...]]:
    return [
        (
            f"i{item}",
            f"The text {item} of condition {condition}.",
            f"c{condition}",
            f"genre{item % 2}",
            f"{item}.{condition}5",
        )
        for item, condition in product(range(n_items), range(n_conditions))
    ]


@given(
    st.integers(2, 5),
    st.integers(2, 3),
    st.permutations(range(5)),
    st.lists(names, min_size=5, max_size=5, unique_by=str.casefold),
)
def test_any_names_and_any_order_of_columns_with_a_mapping_give_the_same_design(
    n_items: int, n_conditions: int, order: list[int], called: list[str]
) -> None:
    header = ("item", "text", "condition", "genre", "plausibility")
    rows = long_rows(n_items, n_conditions)
    plain = design_of_table(Table(header, tuple(Row(2 + n, row) for n, row in enumerate(rows))), RATING, Said({}))
    moved = Table(
        tuple(called[place] for place in order),
        tuple(Row(2 + n, tuple(row[place] for place in order)) for n, row in enumerate(rows)),
    )
    mapping = {called[place]: name for place, name in enumerate(header)}
    design = design_of_table(moved, RATING, Said(mapping))
    assert shape(design) == shape(plain)
    assert design.reading["rows"] == design.reading["texts"] == len(rows)


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 3), st.booleans())
def test_lists_that_were_expanded_are_put_together_again(
    n_items: int, k: int, fillers: int, has_conditions: bool
) -> None:
    rows = []
    for number, shown in enumerate(latin_square.lists(n_items, k)):
        for item, condition in enumerate(shown):
            said = f"c{condition}" if has_conditions else ""
            rows.append((f"L{number}", f"i{item}", f"Text {item} {condition}.", said, "target"))
        rows += [(f"L{number}", f"f{one}", f"Filler {one}.", "", "filler") for one in range(fillers)]
    header = ("List", "nr", "Satz", *(["Bedingung"] if has_conditions else []), "Typ")
    cells = [row if has_conditions else (*row[:3], row[4]) for row in rows]
    table = Table(header, tuple(Row(2 + n, row) for n, row in enumerate(cells)))
    mapping = {"List": "list", "nr": "item", "Satz": "text", "Typ": "Typ, kind"}
    mapping |= {"Bedingung": "condition"} if has_conditions else {}
    design = design_of_table(table, RATING, Said(mapping))
    targets = [item for item in design.items if item.is_target]
    assert len(targets) == n_items
    # The texts of a condition are those that the lists had in it, whatever it is called.
    found = {frozenset(item.stimuli[place].text.split()[-1] for item in targets) for place in range(k)}
    assert found == {frozenset([f"{condition}."]) for condition in range(k)}
    reading = design.reading
    assert (reading["rows"], reading["texts"]) == (len(rows), n_items * k + fillers)
    assert reading["rows_left_out"] == (k - 1) * fillers
    assert all("in another list" in one["why"] for one in reading["left_out"])
    doubtful = [
        warning
        for warning in design.warnings
        if (
            "No column tells the texts of an item apart, so the "
            "platform worked out their conditions from the way a "
            "Latin square makes lists: item i of list g is in "
            "condition i + g."
        )
        in warning.message
    ]
    assert len(doubtful) == (not has_conditions)


@given(st.lists(st.sampled_from(["a", "b", "", "c"]), min_size=1, max_size=8), st.booleans())
def test_rows_in_are_texts_out_and_rows_left_out(cells: list[str], once: bool) -> None:
    rows = tuple(Row(2 + n, ("i" + cell if cell else "", cell)) for n, cell in enumerate(cells))
    long = mapped(Table(("Nr", "Satz"), rows), {"Nr": "item", "Satz": "text, c=x"}, ["repeated"] if once else [])
    lines = {row.line for row in long.rows}
    left_out = [one.line for one in long.left_out]
    assert sorted([*lines, *left_out]) == [row.line for row in rows]
    assert all(one.why for one in long.left_out)
    expected = [cell for cell in cells if cell]
    assert len(long.rows) == (len(set(expected)) if once else len(expected))


def test_regions_in_columns_of_their_own_are_one_text() -> None:
    table = read("Item,Cond,R1,R2,R3\n1,a,The baker,that saw us,left.\n1,b,The baker,,left.\n", paradigm=READING)
    guess = guessed(table, READING)
    assert guess == {"Cond": "condition", "R1": "text, part", "R2": "text, part", "R3": "text, part"}
    design = design_of_table(table, READING, Said(guess))
    assert [text.text for text in design.items[0].stimuli] == ["The baker | that saw us | left.", "The baker | left."]
    japanese = Table(("item", "r1", "r2"), (Row(2, ("1", "パン屋が", "笑った。")),))
    assert (
        mapped(japanese, {"r1": "text, part", "r2": "text, part"}, separator=" ").rows[0].cells[1] == "パン屋が笑った。"
    )


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Nr.,Bedingung,Satz,Liste", ["item", "condition", "text", "list"]),
        ("numéro,condition,phrase,groupe", ["item", "", "text", "list"]),
        ("ítem,condición,oración,lista", ["item", "condition", "text", "list"]),
        ("zin_nr,conditie,zin,lijst", ["item", "condition", "text", "list"]),
        ("题号,条件,句子,列表", ["item", "condition", "text", "list"]),
        ("項目番号,条件,刺激文,リスト", ["item", "condition", "text", "list"]),
        ("번호,조건,문장,목록", ["item", "condition", "text", "list"]),
        ("номер,условие,предложение,список", ["item", "condition", "text", "list"]),
        ("itemsetNum,cond,Sentence,Group", ["item", "condition", "text", "list"]),
    ],
)
def test_names_of_the_field_are_known_in_many_languages(header: str, expected: list[str]) -> None:
    rows = [
        f"{n},{c},The text {n} {c} is here.,{'AB'[(n + place) % 2]}" for n in (1, 2) for place, c in enumerate("xy")
    ]
    table = Table(tuple(header.split(",")), tuple(Row(2 + n, tuple(row.split(","))) for n, row in enumerate(rows)))
    guess = guessed(table, RATING)
    assert [guess.get(name, "") for name in table.header] == expected
    design = design_of_table(table, RATING, Said(guess))
    assert [factor.levels for factor in design.factors] == [("x", "y")]


def test_levels_may_be_written_in_any_order() -> None:
    table = Table(("nr", "ss", "q"), (Row(2, ("1", "He left.", "Did he?")),))
    long = mapped(table, {"nr": "item", "ss": "text, a=1, b=2", "q": "question, b=2, a=1"})
    assert [row.cells for row in long.rows] == [("1", "He left.", "Did he?", "1", "2")]


def test_a_column_may_say_fillers_and_conditions_at_once() -> None:
    table = read(
        "Item,Cond,Sentence\n1,src,The baker left.\n1,orc,The guest left.\n1,filler,It rained.\n2,practice,It hailed.\n"
    )
    guess = guessed(table, RATING)
    assert guess == {"Cond": "condition, kind", "Sentence": "text"}
    design = design_of_table(table, RATING, Said(guess))
    assert [(item.code, item.is_filler, item.is_practice) for item in design.items] == [
        ("1", False, False), ("filler-1", True, False), ("2", False, True)
    ]  # fmt: skip
    assert [factor.levels for factor in design.factors] == [("src", "orc")]


def test_repeated_rows_are_asked_about() -> None:
    text = "item,text\n1,It rained.\n2,It hailed.\n1,It rained.\n"
    with pytest.raises(MaterialsFaults) as told:
        design_of_table(read(text), RATING, Said({}))
    question = told.value.faults[0]
    assert (question.choice, str(question.message)) == (
        "repeated",
        "1 row repeats an earlier row in every cell: line '4'.",
    )
    design = design_of_table(read(text), RATING, Said({}, ["repeated"]))
    assert design.reading["left_out"] == [{"line": 4, "why": "It repeats line 2."}]


@pytest.mark.parametrize(
    ("data", "choice", "without", "taken"),
    [
        ("My items,\n,\nitem,text\n1,He left us.\n", "-titles", ("item", "text"), None),
        (",item,text\n1,a,He left.\n2,b,She left.\n", "-row_numbers", ("item", "text"), ("column 1", "item", "text")),
        ("item,text\n1,パン屋が客を見た。\n".encode("shift_jis"), "encoding shift_jis", None, ("item", "text")),
        ('item\ttext\n1\t"He left" he said.\n', "plain_quotes", None, ("item", "text")),
        ("item,question,correct_response,sentence\n1,Why?,z,He left.\n", "-tool", None, None),
    ],
)  # fmt: skip
def test_steps_of_reading_are_left_out_or_taken(data, choice, without, taken) -> None:
    if without is not None:
        assert read(data).header == without
        assert any(warning.choice == choice for warning in read(data).warnings)
    elif choice.startswith("-"):
        assert "text" in read(data).header
    else:
        with pytest.raises(MaterialsFaults) as told:
            read(data)
        assert choice in [fault.choice for fault in told.value.faults]
    if taken is not None:
        table = read(data, choices=[choice])
        assert table.header == taken
        assert not any(warning.choice == choice for warning in table.warnings)
        opposite = f"-{choice}".removeprefix("--")
        assert choice.startswith("-") or opposite in [warning.choice for warning in table.warnings]
    elif choice == "-tool":
        assert "sentence" in read(data, choices=[choice]).header


def test_choices_of_columns_change_the_mapping_and_opposite_choices_are_none() -> None:
    assert undone({"a": "item", "b": "text"}, ['-columns ["b"]', "-titles"]) == ({"a": "item"}, ["-titles"])
    assert undone({"a": "item"}, ['describe ["b"]']) == ({"a": "item", "b": "b, attribute"}, [])
    assert undone({"x": "voice"}, ['describe ["voice"]']) == ({"x": "voice, attribute"}, [])
    assert undone({}, ["-columns nonsense", "-lists", "lists"]) == ({}, [])


@given(st.text(max_size=30))
def test_what_is_written_of_a_use_is_read_as_the_same(said: str) -> None:
    for text in (said, f"{said}, part", f"{said}, kind, a=b"):
        try:
            use = use_of(text)
        except ValueError:
            continue
        assert use_of(str(use)) == use


def test_rows_of_several_files_are_counted_once() -> None:
    table = read(*[csv_text(("item", "text"), [(one, "It rained."), ("f", "A filler.")]) for one in "ab"])
    design = design_of_table(table, RATING, Said({}))
    assert (design.reading["rows"], design.reading["texts"], design.reading["rows_left_out"]) == (4, 3, 1)
    assert "-in_files" in [warning.choice for warning in design.warnings]
