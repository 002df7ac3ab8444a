"""Tables as projects write them: what is guessed is what a reader sees, what is doubtful is asked, no row is lost."""

from __future__ import annotations

import io
from itertools import product

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.csvtext import csv_text
from experiments.materials import Design, MaterialsFaults
from experiments.materials.from_files import Said, design_of_table, table_of_files
from experiments.materials.mapping import guessed, mapped, undone, use_of
from experiments.materials.shapes import Row, Table
from experiments.paradigms import paradigm_named

RATING, READING, CHOICE = map(paradigm_named, ("rating", "self-paced-reading", "timed-choice"))


def design(*texts, paradigm=RATING, choices=(), columns=None, names=(), **how) -> Design:
    """Return the design of files as a researcher gets it who confirms what was guessed."""
    given_names = [*names, *(f"{number}.csv" for number in range(len(names), len(texts)))]
    files = [
        (text if isinstance(text, bytes) else text.encode(), name)
        for text, name in zip(texts, given_names, strict=True)
    ]
    table = table_of_files(files, paradigm, choices=choices)
    columns, choices = undone(guessed(table, paradigm) if columns is None else columns, choices)
    found = design_of_table(table, paradigm, Said(columns, choices), **how)
    in_files = len({row.line for row in table.rows} | {one.line for one in table.left_out})
    assert found.reading["rows"] == in_files
    assert found.reading["rows"] <= found.reading["texts"] + found.reading["rows_left_out"]
    return found


def factors(found: Design) -> dict[str, tuple[str, ...]]:
    return {factor.name: factor.levels for factor in found.factors}


def table(header, rows) -> str:
    return csv_text(header, rows)


SENTENCES = [
    f"The {noun} {verb} the guest at noon."
    for noun, verb in product(("baker", "nurse", "clerk", "judge"), ("saw", "met"))
]


@given(st.integers(3, 7), st.integers(2, 4), st.permutations(["yes", "no", "perhaps"]))
def test_columns_that_vary_without_the_condition_describe_the_texts(n_items, n_conditions, answers) -> None:
    # Every other text of every other item has a question of its own.
    rows = [
        (item, f"c{level}", f"Text {item} of level {level}.", said if item % 2 else "", f"v{level % 2}", "same")
        for item, level in product(range(n_items), range(n_conditions))
        for said in [answers[level % 2]]
    ]
    header = ("Item", "condition", "sentence", "followup", "voice", "genre")
    found = design(table(header, rows))
    assert len(found.conditions) == n_conditions
    assert "followup" not in factors(found)
    assert sum(len(item.stimuli) for item in found.items) == len(rows)
    assert all(item.attributes["genre"] == "same" for item in found.items)


def test_a_condition_beside_a_factor_that_it_is_crossed_with_is_a_factor() -> None:
    rows = [
        (item, condition, kind, f"Sentence {item} {condition} {kind} here.")
        for item, condition, kind in product(range(4), ("same", "other"), ("prime", "target"))
    ]
    found = design(table(("item", "condition", "type", "sentence"), rows))
    assert factors(found) == {"condition": ("same", "other"), "type": ("prime", "target")}


@pytest.mark.parametrize("name", ["targetId", "target", "stim_id"])
def test_items_are_known_by_what_recurs_in_the_same_conditions(name) -> None:
    rows = [
        (f"w{item}", relation, f"p{item}{relation}") for item, relation in product(range(6), ("related", "control"))
    ]
    guess = guessed(table_of_files([(table((name, "relation", "prime"), rows).encode(), "a.csv")], CHOICE), CHOICE)
    assert use_of(guess[name]).role == "item" or guess[name] == "item"
    if name == "target":
        found = design(table((name, "relation", "prime"), rows), paradigm=CHOICE)
        assert factors(found) == {"relation": ("related", "control")}
        assert [item.code for item in found.items] == [f"w{item}" for item in range(6)]


def test_a_code_of_every_text_is_not_the_item() -> None:
    rows = [
        (item, level, f"{item}{level}", f"The text {item} {level} is here.") for item, level in product(range(4), "ab")
    ]
    found = design(table(("item_id", "condition", "item", "sentence"), rows))
    assert len(found.items) == 4
    assert factors(found) == {"condition": ("a", "b")}
    assert [dict(text.attributes)["item_name"] for text in found.items[0].stimuli] == ["0a", "0b"]


QUESTIONS = {
    "question,correct,wrong": ["Who left?,Ann,Bea", "Who came?,Cleo,Dora"],
    "question,response_true,response_distractors": ["Who left?,Ann,Bea", "Who came?,Cleo,Dora"],
    "question,response_A,response_B,answer": ["Who left?,Ann,Bea,A", "Who came?,Dora,Cleo,B"],
    "Question,Option1,Option0,Answer": ["Who left?,Ann,Bea,1", "Who came?,Dora,Cleo,0"],
    "question,left,right,target": ["Who left?,Ann,Bea,Ann", "Who came?,Dora,Cleo,Cleo"],
}


@pytest.mark.parametrize("header", QUESTIONS)
def test_choices_in_columns_of_their_own_are_those_of_the_question(header) -> None:
    rows = [f"{number},The text number {number} is here.,{own}" for number, own in enumerate(QUESTIONS[header] * 2)]
    found = design("\n".join([f"item,text,{header}", *rows]), paradigm=READING)
    asked = [item.stimuli[0].extra for item in found.items[:2]]
    assert [one["answer"] for one in asked] == ["Ann", "Cleo"]
    assert [sorted(one["choices"].split(" | ")) for one in asked] == [["Ann", "Bea"], ["Cleo", "Dora"]]


def test_answers_that_recur_are_the_choices_and_letters_are_none() -> None:
    header = ("item", "text", "question", "answer")
    rows = [(n, f"The text number {n} is here.", "Is it?" if n else "", "Yes" if n % 2 else "No") for n in range(5)]
    found = design(table(header, rows), paradigm=READING)
    assert [item.stimuli[0].extra.get("choices") for item in found.items] == [None, *["Yes | No"] * 4]
    assert "1 row has no question; its choices and its answer were left out: line '2'." in map(str, found.warnings)
    lettered = [(n, text, question, "AB"[n % 2]) for n, text, question, _answer in rows]
    # Opening asks for the choices, which the settings may have.
    found = design(table(header, lettered), paradigm=READING)
    assert [item.stimuli[0].extra.get("choices") for item in found.items] == [None] * 5


def test_pieces_around_a_word_are_one_text_in_their_order() -> None:
    rows = [
        (item, level, f"The baker {item} wanted to", "before noon.", word)
        for item in range(4)
        for level, word in (("a", "alter"), ("b", "after"))
    ]
    found = design(table(("item", "condition", "prefix", "suffix", "target"), rows), paradigm=READING)
    assert found.items[0].stimuli[0].text == "The baker 0 wanted to | alter | before noon."


@given(st.permutations(["r0", "r1", "r2"]))
def test_parts_stand_in_the_order_of_their_numbers(order) -> None:
    mapping = {name: f"text, part {order.index(name) + 1}" for name in order}
    long = mapped(Table(("item", "r0", "r1", "r2"), (Row(2, ("1", "a0", "a1", "a2")),)), mapping)
    assert long.rows[0].cells == ("1", " | ".join(f"a{name[1]}" for name in order))


def test_versions_are_told_from_a_context_and_its_sentence() -> None:
    versions = [
        ("The baker that saw us left.", "The baker that we saw left."),
        ("A nurse met him.", "A nurse whom he met."),
    ]
    found = design(table(("nr", "subj", "obj"), [(n, *own) for n, own in enumerate(versions)]))
    assert factors(found) == {"condition": ("subj", "obj")}
    around = [
        ("It was late in the evening.", "Ann went home alone."),
        ("We had no more bread.", "Tom baked two loaves."),
    ]
    text = table(("nr", "preamble", "probe"), [(n, *own) for n, own in enumerate(around)])
    guess = guessed(table_of_files([(text.encode(), "a.csv")], RATING), RATING)
    assert guess == {"nr": "item", "probe": "text"}


def test_a_list_that_rotates_nothing_stays_an_attribute() -> None:
    rows = [(word, number // 2 + 1) for number, word in enumerate(("salt", "moon", "rope", "desk"))]
    found = design(table(("text", "list"), rows), columns=None)
    assert [item.attributes["list_of_item"] for item in found.items] == ["1", "1", "2", "2"]


def test_lists_that_lack_items_are_told() -> None:
    rows = [(group, f"The {noun} left early today.") for group, noun in product("AB", ("baker", "nurse"))]
    rows += [("A", "The judge slept all day.")]
    found = design(table(("group", "sentence"), rows))
    assert len(found.items) == 3
    assert any("list 'B' has 2 of 3 items" in str(fault) and fault.is_doubtful for fault in found.warnings)


def test_where_a_row_is_in_its_list_is_no_factor() -> None:
    rows = [
        (item, lists, 1 + (item * 3 + lists) % 12, condition, f"Text {item} in {condition} is here.")
        for item in range(12)
        for lists, condition in enumerate(("a", "b") if item % 2 else ("b", "a"))
    ]
    found = design(table(("Item", "List", "Order", "cond", "Sentence"), rows))
    assert set(*factors(found).values()) == {"a", "b"}
    assert sum(len(item.stimuli) for item in found.items) == 24


@pytest.mark.parametrize("sign", ["/", "*", "_"])
def test_a_sign_between_words_is_asked_about_and_divides_regions(sign) -> None:
    rows = [(number, text.replace(" ", sign)) for number, text in enumerate(SENTENCES)]
    found = design(table(("item", "text"), rows), paradigm=READING)
    (question,) = [fault for fault in found.warnings if fault.choice == f"divider {sign}"]
    assert question.is_doubtful
    found = design(table(("item", "text"), rows), paradigm=READING, choices=[f"divider {sign}"])
    assert found.items[0].stimuli[0].text == "The | baker | saw | the | guest | at | noon."
    assert f"-divider {sign}" in [fault.choice for fault in found.warnings]


def test_two_columns_of_one_name_are_told_apart() -> None:
    rows = [(number, text, 3 * number, 5 * number) for number, text in enumerate(SENTENCES)]
    found = design(table(("item", "text", "cloze", "cloze"), rows))
    assert found.items[2].attributes == {"cloze": "6", "cloze 2": "10"}
    assert any(fault.is_doubtful and "Two columns have this name" in str(fault) for fault in found.warnings)
    with pytest.raises(MaterialsFaults, match="Two columns have this name"):
        design(table(("item", "text", "Text"), [row[:3] for row in rows]))


def test_a_title_with_hashes_is_left_out_whatever_divides_the_columns() -> None:
    found = design("### Items ###\nid;segments\n1;He left, as he had said.\n2;She slept, he said.\n")
    assert [item.stimuli[0].text for item in found.items] == ["He left, as he had said.", "She slept, he said."]


def test_sums_below_a_table_are_left_out_and_named() -> None:
    rows = [*((number, text, "x") for number, text in enumerate(SENTENCES)), ("", "", "8 of 8")]
    found = design(table(("nr", "sentence", "note"), rows))
    assert [one["line"] for one in found.reading["left_out"]] == [10]
    assert any("names no item and shows nothing" in str(fault) for fault in found.warnings)


def test_levels_that_are_called_like_lists_are_asked_about() -> None:
    rows = [(item, f"list{lists}", f"The text {item} {lists} is here.") for item, lists in product(range(4), (1, 2))]
    text = table(("item", "condition", "text"), rows)
    found = design(text)
    as_list, as_condition = [fault for fault in found.warnings if fault.choice.startswith("take ")]
    assert as_list.is_doubtful
    found = design(text, choices=[as_list.choice])
    assert set(factors(found)["condition"]) == {"a", "b"}
    assert any(fault.choice == "-rotated" for fault in found.warnings)
    found = design(text, choices=[as_condition.choice])
    assert factors(found) == {"condition": ("list1", "list2")}
    assert not any(fault.choice.startswith("take ") for fault in found.warnings)


HEADER = ("item", "condition", "sentence")
NOUNS = (("boy", "a"), ("girl", "b"))
EXPERIMENT = table(
    HEADER,
    [(item, level, f"The {noun} of item {item} left {level}.") for item, (noun, level) in product(range(4), NOUNS)],
)
FILLERS = table(("item", "condition", "sentence"), [(item, "odd", f"A filler {item} is here.") for item in range(3)])


def test_files_called_fillers_are_fillers() -> None:
    found = design(EXPERIMENT, FILLERS, names=["verbs.csv", "bad-fillers.csv"])
    assert factors(found) == {"condition": ("a", "b")}
    assert [item.is_filler for item in found.items] == [False] * 4 + [True] * 3
    assert "-files" in [fault.choice for fault in found.warnings]


def test_files_in_which_items_collide_are_experiments_of_their_own() -> None:
    other = EXPERIMENT.replace("boy", "cat").replace("girl", "dog")
    found = design(EXPERIMENT, other, names=["verbs.csv", "nouns.csv"])
    assert found.item_sets == ("verbs", "nouns")
    assert len(found.items) == 8
    levels = [["ab"[(item + n) % 2] for item in range(4)] for n in range(2)]
    lists = [
        table(HEADER, [(item, level, f"Text {item} {level} is here.") for item, level in enumerate(own)])
        for own in levels
    ]
    found = design(*lists)
    assert len(found.items) == 4
    assert "files" in [fault.choice for fault in found.warnings]


def test_all_sheets_of_a_workbook_are_joined_by_a_choice() -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in (("relatives", "ab"), ("fillers", "f")):
        sheet = book.create_sheet(name)
        sheet.append(("item", "condition", "text"))
        for item, level in product(range(4), rows):
            sheet.append((item, level, f"The text {name} {item} {level} is here."))
    book.create_sheet("notes").append(("Do not forget the fillers",))
    data = io.BytesIO()
    book.save(data)
    assert "sheets" in [fault.choice for fault in design(data.getvalue()).warnings]
    found = design(data.getvalue(), choices=["sheets"])
    assert [item.is_filler for item in found.items] == [False] * 4 + [True] * 4
    told = list(map(str, found.warnings))
    assert any("Sheets with different columns were left out: 'notes'." in one for one in told)
    assert "-sheets" in [fault.choice for fault in found.warnings]


def test_a_column_of_item_sets_is_offered_where_it_makes_sets_alike() -> None:
    rows = [(item, "rel", level, f"The text {item} {level} is here.") for item, level in product(range(4), "ab")]
    rows += [(item + 4, "agr", "a", f"The text {item + 4} is here.") for item in range(3)]
    text = table(("item", "topic", "condition", "text"), rows)
    with pytest.raises(MaterialsFaults) as told:
        design(text)
    (choice,) = [fault.choice for fault in told.value.faults if "item_set" in fault.choice]
    assert design(text, choices=[choice]).item_sets == ("rel", "agr")


def test_every_row_is_an_item_of_its_own_by_a_choice() -> None:
    text = table(("text", "genre"), [(sentence, "news") for sentence in SENTENCES])
    with pytest.raises(MaterialsFaults) as told:
        design(text, columns={})
    assert "own_items" in [fault.choice for fault in told.value.faults]
    assert len(design(text, columns={}, choices=["own_items"]).items) == len(SENTENCES)


def test_levels_in_another_order_are_one_condition() -> None:
    rows = (Row(2, ("1", "He left.", "Did he?")),)
    long = mapped(Table(("item", "s", "q"), rows), {"s": "text, a=1, b=2", "q": "question, b=2, a=1"})
    assert [row.cells for row in long.rows] == [("1", "He left.", "Did he?", "1", "2")]
    with pytest.raises(MaterialsFaults, match="Two columns would have the name '"):
        mapped(Table(("item", "s", "q"), rows), {"s": "text, a=1, b=2", "q": "text, b=2, a=1"})
