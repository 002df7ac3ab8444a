"""A table becomes a design, or every fault of it is reported at once."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from analysis.methods.rows.columns import NO_CODE
from experiments.formats.csvtext import csv_text
from experiments.materials import MaterialsFaults, design_from, materials_csv, preview_of, read_table, with_lists
from experiments.materials.levels import READ_AS_EMPTY
from experiments.paradigms import paradigm_named

PARADIGM = paradigm_named("magnitude-estimation")


@pytest.fixture
def faults_of(table_from):
    def faults(rows, **options):
        header = options.pop("header", None)
        table = table_from(rows, header) if header else table_from(rows)
        with pytest.raises(MaterialsFaults) as refusal:
            design_from(table, PARADIGM, **options)
        return [str(fault) for fault in refusal.value.faults]

    return faults


@pytest.fixture
def warnings_of(table_from):
    def warnings(rows, **options):
        header = options.pop("header", None)
        table = table_from(rows, header) if header else table_from(rows)
        return [str(warning) for warning in design_from(table, PARADIGM, **options).warnings]

    return warnings


def test_factors_conditions_attributes_fillers_and_practice_are_found(design):
    assert [(factor.name, factor.levels) for factor in design.factors] == [
        ("marker", ("because", "so")),
        ("order", ("ab", "ba")),
    ]
    assert [condition.name for condition in design.conditions] == ["because:ab", "because:ba", "so:ab", "so:ba"]
    assert [item.code for item in design.items if item.is_filler] == ["filler0", "filler1"]
    assert [item.code for item in design.items if item.is_practice] == ["practice0"]
    assert [item.attributes for item in design.items if item.is_target] == [
        {"genre": "fiction"},
        {"genre": "news"},
        {"genre": "fiction"},
        {"genre": "news"},
    ]
    assert design.warnings == ()


def test_lists_follow_the_latin_square(design):
    assert [shown.name for shown in design.lists] == ["1", "2", "3", "4"]
    for shown in design.lists:
        for item, stimulus in shown.cells:
            assert stimulus == (item + shown.index) % 4


def test_columns_and_rows_may_come_in_any_order(rows_of, table_from, design):
    rows = rows_of()
    shuffled = design_from(
        table_from(
            [row[::-1] for row in rows[::-1]], ("genre", "is_practice", "is_filler", "order", "marker", "text", "item")
        ),
        PARADIGM,
    )
    texts = {(item.code, s.text) for item in design.items for s in item.stimuli}
    assert {(item.code, s.text) for item in shuffled.items for s in item.stimuli} == texts
    assert {condition.name for condition in shuffled.conditions} == {"ba:so", "ab:so", "ba:because", "ab:because"}


def test_one_column_condition_is_a_factor(table_from):
    design = design_from(
        table_from(
            [("a", "x", "lin"), ("a", "y", "gold"), ("b", "z", "lin"), ("b", "w", "gold")],
            ("item", "text", "condition"),
        ),
        PARADIGM,
    )
    assert [(factor.name, factor.levels) for factor in design.factors] == [("condition", ("lin", "gold"))]


def test_a_column_condition_that_repeats_the_factors_is_left_out_and_one_that_contradicts_them_is_a_fault(
    rows_of, table_from, warnings_of, faults_of
):
    rows = [(*row, f"{row[2]}-{row[3]}") for row in rows_of(fillers=0, practice=0)]
    header = ("item", "text", "marker", "order", "is_filler", "is_practice", "genre", "condition")
    assert "repeats 'marker', 'order' and is ignored" in warnings_of(rows, header=header)[0]
    rows[0] = (*rows[0][:-1], rows[1][-1])
    assert any("contradicts 'marker', 'order'" in fault for fault in faults_of(rows, header=header))


def test_materials_without_factors_make_one_list(table_from):
    design = design_from(table_from([("a", "x"), ("b", "y"), ("c", "z")], ("item", "text")), PARADIGM)
    assert (design.factors, design.conditions) == ((), ())
    assert [shown.cells for shown in design.lists] == [((0, 0), (1, 0), (2, 0))]
    assert all(stimulus.condition is None for item in design.items for stimulus in item.stimuli)


def test_factors_can_be_named_and_their_levels_ordered(table_from, rows_of):
    design = design_from(table_from(rows_of()), PARADIGM, factors={"marker": ["so", "because"], "order": ["ba", "ab"]})
    assert [condition.name for condition in design.conditions] == ["so:ba", "so:ab", "because:ba", "because:ab"]


def test_a_factor_that_was_named_and_is_misspelt_in_the_header_is_recognised(rows_of, faults_of):
    header = ("item", "text", "maker", "order", "is_filler", "is_practice", "genre")
    assert faults_of(rows_of(), header=header, factors=["marker", "order"]) == [
        "Line 1, column 'maker': The column 'marker' is missing, and this column has an unknown name. Did you "
        "mean 'marker'?"
    ]


def test_misspelt_fixed_columns_are_recognised_and_the_rest_is_checked_all_the_same(rows_of, faults_of):
    rows = rows_of()
    rows[1] = (rows[1][0], "", *rows[1][2:])
    assert faults_of(rows, header=("itm", "txet", "marker", "order", "is_fillr", "is_practice", "genre")) == [
        "Line 1, column 'itm': The column 'item' is missing, and this column has an unknown name. Did you mean 'item'?",
        "Line 1, column 'txet': The column 'text' is missing, and this column has an unknown name. Did you mean "
        "'text'?",
        "Line 1, column 'is_fillr': There is no column with this name. Did you mean 'is_filler'?",
        "Line 3, column 'text': The text is empty.",
    ]


def test_missing_columns_are_named_with_those_that_are_there(faults_of):
    assert faults_of([("x", "y")], header=("sentence", "group")) == [
        "Line 1, column 'item': This column is missing. The columns are: 'sentence', 'group'.",
        "Line 1, column 'text': This column is missing. The columns are: 'sentence', 'group'.",
    ]


def test_capitals_spaces_and_hyphens_in_fixed_columns_do_not_matter(rows_of, table_from, design):
    header = ("Item", "TEXT", "marker", "order", "Is filler", "is-practice", "genre")
    assert design_from(table_from(rows_of(), header), PARADIGM) == design


def test_a_hole_is_named_by_item_and_condition(rows_of, faults_of):
    rows = rows_of()
    del rows[5]
    assert faults_of(rows) == [
        "Line 6, column 'item': The item 'item1' has no text in 'because:ba'. "
        "Every item needs a text in every condition."
    ]


def test_a_cell_that_is_there_twice_is_named_with_both_lines(rows_of, faults_of):
    rows = rows_of()
    rows.insert(2, (*rows[1][:1], "Another text.", *rows[1][2:]))
    assert faults_of(rows) == [
        "Line 4, column 'item': The item 'item0' in the condition 'because:ba' is already in line 3. "
        "Delete one of them, or correct its levels."
    ]


@pytest.mark.parametrize("slip", ["becuase", "Because", "becaus", "be cause"])
def test_a_slip_in_a_level_is_one_fault_and_not_a_new_condition(rows_of, faults_of, slip):
    rows = rows_of(n_items=8)
    rows[4] = (*rows[4][:2], slip, *rows[4][3:])
    assert faults_of(rows) == [
        f"Line 6, column 'marker': The level '{slip}' is rare and looks like another level. Did you mean 'because'?"
    ]


def test_levels_that_look_alike_and_are_used_alike_are_no_slips(rows_of, table_from):
    rows = rows_of(markers=("cause-verb", "cause-verbs", "condition1", "condition2"))
    assert design_from(table_from(rows), PARADIGM).factors[0].levels == (
        "cause-verb",
        "cause-verbs",
        "condition1",
        "condition2",
    )


def test_an_empty_level_is_a_fault_without_a_hole_that_follows_from_it(rows_of, faults_of):
    rows = rows_of()
    rows[2] = (*rows[2][:2], "", *rows[2][3:])
    assert faults_of(rows) == [
        "Line 4, column 'marker': The level is empty. Enter a level, or mark the row with is_filler."
    ]


def test_an_attribute_that_contradicts_itself_is_named(rows_of, faults_of):
    rows = rows_of()
    rows[3] = (*rows[3][:6], "news")
    assert "Line 5, column 'genre': 'news' differs from 'fiction' in the other rows of 'item0'." in faults_of(rows)[0]


def test_an_unknown_truth_value_is_one_fault(rows_of, faults_of):
    rows = rows_of()
    rows[-2] = (*rows[-2][:4], "ture", *rows[-2][5:])
    rows[0] = (*rows[0][:4], "flase", *rows[0][5:])
    assert faults_of(rows) == [
        "Line 2, column 'is_filler': 'flase' is neither true nor false. Did you mean 'false'?",
        "Line 19, column 'is_filler': 'ture' is neither true nor false. Did you mean 'true'?",
    ]


@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("yes", "no"), ("1", "0"), ("ja", "nein"), ("TRUE", "")])
def test_truth_values_may_be_written_in_several_ways(rows_of, table_from, design, yes, no):
    words = {"true": yes, "false": no}
    rows = [(*row[:4], words[row[4]], words[row[5]], row[6]) for row in rows_of()]
    assert design_from(table_from(rows), PARADIGM) == design


def test_a_text_cannot_be_a_filler_and_practice(rows_of, faults_of):
    rows = rows_of()
    rows[-1] = (*rows[-1][:4], "true", "true", "")
    assert "A text is either a filler or practice, not both." in faults_of(rows)[0]


def test_a_filler_with_the_code_of_an_item_or_of_another_filler_is_a_fault(rows_of, faults_of):
    rows = rows_of()
    rows[-3] = ("item0", *rows[-3][1:])
    assert "An item and a filler both have the code 'item0'" in faults_of(rows)[0]
    rows = rows_of()
    rows[-3] = ("filler1", *rows[-3][1:])
    assert "'filler1' is already in line 18" in faults_of(rows)[0]


def test_a_filler_with_a_level_is_warned_about(rows_of, warnings_of):
    rows = rows_of()
    rows[-3] = (*rows[-3][:2], "because", *rows[-3][3:])
    assert warnings_of(rows) == [
        "Line 18, column 'marker': Fillers and practice texts belong to no condition, so the level is ignored."
    ]


def test_items_that_conditions_do_not_divide_are_warned_about(rows_of, warnings_of):
    assert "4 does not divide 6" in warnings_of(rows_of(n_items=6))[0]


@pytest.mark.parametrize(
    ("items", "advice"),
    [(3, "Use 4 items for equal numbers."), (5, "Use 4 or 8 items for equal numbers."), (8, None)],
)
def test_the_numbers_of_items_that_would_be_equal_are_named(rows_of, table_from, items, advice):
    warnings = design_from(table_from(rows_of(n_items=items)), PARADIGM).warnings
    assert [fault.suggestion for fault in warnings] == ([advice] if advice else [])


def test_cells_with_markup_doubled_texts_and_damaged_letters_are_warned_about(rows_of, warnings_of):
    rows = rows_of()
    rows[0] = (rows[0][0], "A <b>bold</b> text.", *rows[0][2:])
    rows[1] = (rows[1][0], "Flu\ufffd", *rows[1][2:])
    rows[3] = (rows[3][0], rows[2][1], *rows[3][2:])
    assert warnings_of(rows) == [
        "Line 2, column 'text': '<b>' looks like markup; participants will see it as it is.",
        "Line 3, column 'text': A wrong encoding seems to have damaged the text. Check its letters.",
        "Line 5, column 'text': The text is the same as in line 4.",
    ]


COMPOUND = "Rechtsschutzversicherungsgesellschaften"


@pytest.mark.parametrize(
    ("word", "is_too_long"),
    [
        (COMPOUND, True),
        ("Rechtsschutz-versicherungs-gesellschaften", False),
        ("Rechtsschutz\u00adversicherungs\u00adgesellschaften", False),
        ("क्षि" * 20, False),
        ("ב" * 29, True),
        ("因为下雨他没来因为下雨他没来因为下雨他没来因为下雨他没来因为下雨他没来", False),
        ("x" * 28, False),
    ],
)
def test_a_word_that_no_line_of_a_telephone_has_room_for_is_warned_about(rows_of, warnings_of, word, is_too_long):
    rows = rows_of()
    rows[0] = (rows[0][0], f"Die {word} streiten.", *rows[0][2:])
    found = [
        warning
        for warning in warnings_of(rows)
        if (
            "characters and no place for a line break, so phones "
            "break it after any letter. Write a hyphen where it may "
            "break, or leave it if people take part on computers."
        )
        in warning
    ]
    assert len(found) == is_too_long
    assert all(word in warning and warning.startswith("Line 2, column 'text'") for warning in found)


def test_factors_that_are_not_fully_crossed_are_warned_about(rows_of, warnings_of):
    rows = [row for row in rows_of() if row[2:4] != ("so", "ba")]
    assert "not fully crossed: no item has 'so:ba'" in warnings_of(rows)[0]


def test_a_column_that_the_exported_data_have_already_is_a_fault(rows_of, faults_of):
    header = ("item", "text", "list", "rating", "is_filler", "is_practice", "genre")
    found = faults_of(rows_of(), header=header)
    assert found[0].startswith("Line 1, column 'list': The exported data already have a column with this name.")
    assert found[1].startswith("Line 1, column 'rating'")


def test_a_column_with_a_value_of_its_own_in_each_row_is_no_factor(rows_of, faults_of):
    rows = [(*row[:3], str(number), *row[4:]) for number, row in enumerate(rows_of(n_items=20))]
    assert any("at most 60 are possible" in fault for fault in faults_of(rows))


SETS = ("item", "text", "marker", "item_set")


def set_rows(items):
    return [(item, f"{item} {marker}", marker, item_set) for item, item_set in items for marker in ("so", "because")]


def test_two_item_sets_make_lists_together_or_apart(table_from):
    table = table_from(set_rows([("a", "A"), ("b", "A"), ("c", "B"), ("d", "B")]), SETS)
    together = design_from(table, PARADIGM)
    assert [(shown.name, shown.cells) for shown in together.lists] == [
        ("1", ((0, 0), (1, 1), (2, 0), (3, 1))),
        ("2", ((0, 1), (1, 0), (2, 1), (3, 0))),
    ]
    apart = design_from(table, PARADIGM, item_sets="apart")
    assert [(shown.name, shown.cells) for shown in apart.lists] == [
        ("A-1", ((0, 0), (1, 1))),
        ("A-2", ((0, 1), (1, 0))),
        ("B-1", ((2, 0), (3, 1))),
        ("B-2", ((2, 1), (3, 0))),
    ]


def test_cells_stand_in_the_order_of_the_materials_whatever_set_they_are_of(table_from):
    table = table_from(set_rows([("a", "A"), ("c", "B"), ("b", "A"), ("d", "B")]), SETS)
    assert [shown.cells for shown in design_from(table, PARADIGM).lists] == [
        ((0, 0), (1, 0), (2, 1), (3, 1)),
        ((0, 1), (1, 1), (2, 0), (3, 0)),
    ]


def test_one_item_set_makes_the_same_lists_together_and_apart(table_from):
    table = table_from(set_rows([("a", "A"), ("b", "A")]), SETS)
    assert design_from(table, PARADIGM, item_sets="apart").lists == design_from(table, PARADIGM).lists


def test_where_every_condition_is_shown_there_is_one_list_or_one_of_each_item_set(table_from):
    table = table_from(set_rows([("a", "A"), ("c", "B"), ("b", "A")]), SETS)
    design = design_from(table, PARADIGM)
    everything = with_lists(design, {"conditions": "all"})
    assert [(shown.name, shown.cells) for shown in everything.lists] == [
        ("1", ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)))
    ]
    apart = with_lists(design, {"conditions": "all", "item_sets": "apart"})
    assert [(shown.name, shown.cells) for shown in apart.lists] == [
        ("A-1", ((0, 0), (0, 1), (2, 0), (2, 1))),
        ("B-1", ((1, 0), (1, 1))),
    ]
    alone = design_from(table_from(set_rows([("a", "A"), ("b", "A")]), SETS), PARADIGM)
    assert [shown.name for shown in with_lists(alone, {"conditions": "all", "item_sets": "apart"}).lists] == ["1"]


def test_sizes_are_warned_about_only_where_a_square_is_made(rows_of, table_from):
    rows = rows_of(n_items=6)
    rows[0] = (rows[0][0], "A <b>bold</b> text.", *rows[0][2:])
    design = design_from(table_from(rows), PARADIGM)
    assert [("does not divide" in str(fault), "markup" in str(fault)) for fault in design.warnings] == [
        (False, True),
        (True, False),
    ]
    assert with_lists(design, {}).warnings == design.warnings
    assert [str(fault) for fault in with_lists(design, {"conditions": "all"}).warnings] == [str(design.warnings[0])]


def test_an_item_in_two_sets_and_an_item_without_a_set_are_faults(faults_of):
    rows = set_rows([("a", "A"), ("b", "A"), ("c", "")])
    rows[1] = (*rows[1][:3], "B")
    assert faults_of(rows, header=SETS) == [
        "Line 3, column 'item_set': The item 'a' is in the set 'B' here and in 'A' elsewhere. "
        "An item belongs to one set.",
        "Line 6, column 'item_set': The items 'c' have no item set, but others have one. "
        "Give a set to every item, or to none.",
    ]


def test_only_fillers_are_no_materials(rows_of, faults_of):
    assert faults_of(rows_of(n_items=0)) == ["There are no items: every row is a filler or practice."]


def test_a_header_alone_is_told_as_such(faults_of):
    assert faults_of([]) == ["The table has column names but no rows below them. Write one row for each text."]


def test_the_preview_shows_matrix_and_lists_before_anything_is_stored(design):
    preview = preview_of(design)
    assert preview.conditions == ("because:ab", "because:ba", "so:ab", "so:ba")
    assert preview.n_holes == 0
    assert preview.rows[1].cells[2].text == "Sentence 1 so ab."
    assert preview.rows[1].cells[2].line == 8
    assert [(entry.item, entry.condition) for entry in preview.lists[1].entries] == [
        ("item0", "because:ba"),
        ("item1", "so:ab"),
        ("item2", "so:ba"),
        ("item3", "because:ab"),
    ]
    assert [row.item for row in preview.fillers] == ["filler0", "filler1"]


def test_faults_come_with_a_preview_in_which_holes_show(rows_of, table_from):
    rows = rows_of()
    del rows[5]
    with pytest.raises(MaterialsFaults) as refusal:
        design_from(table_from(rows), PARADIGM)
    preview = refusal.value.preview
    assert preview.n_holes == 1
    assert preview.rows[1].cells[1] is None


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12).filter(
    lambda text: text == text.strip()
)


@given(
    n_items=st.integers(1, 6),
    levels=st.lists(st.sampled_from(["gold", "lin", "sem", "because", "x1"]), min_size=2, max_size=4, unique=True),
    texts=st.lists(words, min_size=24, max_size=24),
    fillers=st.integers(0, 3),
    sets=st.booleans(),
)
@hypothesis_settings(max_examples=60, deadline=None)
def test_a_design_written_as_a_table_is_read_as_the_same_design(n_items, levels, texts, fillers, sets):
    supply = iter(texts)
    rows = [
        (f"i{i}", next(supply), level, "AB"[i % 2] if sets else "", "no", f"g{i % 3}")
        for i in range(n_items)
        for level in levels
    ]
    rows += [(f"f{i}", f"filler {i}", "", "", "yes", "") for i in range(fillers)]
    text = csv_text(("item", "text", "system", "item_set", "is_filler", "genre"), rows)
    design = design_from(read_table(text.encode(), "m.csv"), PARADIGM, factors=["system"])
    again = design_from(read_table(materials_csv(design).encode(), "m.csv"), PARADIGM, factors=["system"])
    assert materials_csv(again) == materials_csv(design)
    assert (again.factors, again.conditions, again.lists) == (design.factors, design.conditions, design.lists)
    shown = Counter((item, stimulus) for each in design.lists for item, stimulus in each.cells)
    assert set(shown.values()) == {1}
    assert len(shown) == n_items * len(levels)


@pytest.mark.parametrize("level", sorted(READ_AS_EMPTY))
def test_a_level_that_every_program_reads_as_an_empty_cell_is_a_fault_while_it_can_be_changed(
    rows_of, faults_of, level
):
    (first, *_others) = found = faults_of(rows_of(markers=("because", level)))
    assert f"read the level '{level}' as an empty cell" in first
    assert "Give it another name, such as 'none'." in first
    assert len(found) == sum(row[2] == level for row in rows_of(markers=("because", level)))


def test_what_is_read_as_empty_is_what_the_analyses_read_so():
    assert NO_CODE - {""} == READ_AS_EMPTY
