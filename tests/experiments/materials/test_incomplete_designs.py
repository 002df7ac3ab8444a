"""Items in some of the conditions, and item sets with conditions of their own: what is meant and what is a hole."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design import latin_square
from experiments.formats.csvtext import csv_text
from experiments.materials import MaterialsFaults, design_from, materials_csv, preview_of, read_table
from experiments.materials.reading import read_materials
from experiments.paradigms import paradigm_named
from tests import needs

PARADIGM = paradigm_named("magnitude-estimation")
FORMULATIONS = list(product(("because", "so"), ("ab", "ba")))
COLUMNS = ("item", "text", "marker", "order")


def read(rows, header=COLUMNS, **options):
    return design_from(read_table(csv_text(header, rows).encode()), PARADIGM, **options)


def faults(rows, header=COLUMNS, **options):
    with pytest.raises(MaterialsFaults) as refusal:
        read(rows, header, **options)
    return refusal.value


def pairs(n_items=24):
    """Items in two of four formulations each, every pair equally often."""
    chosen = list(combinations(FORMULATIONS, 2))
    return [
        (f"item{number:02d}", f"Sentence {number} {marker} {order}.", marker, order)
        for number in range(n_items)
        for marker, order in chosen[number % len(chosen)]
    ]


def counts(design):
    """Frequencies of conditions in every list."""
    return [Counter(design.items[item].stimuli[text].condition for item, text in shown.cells) for shown in design.lists]


def test_pairs_of_formulations_make_two_lists_and_say_what_they_cost():
    design = read(pairs())
    assert [shown.name for shown in design.lists] == ["1", "2"]
    assert counts(design) == [dict.fromkeys(range(4), 6)] * 2
    said = " ".join(map(str, design.warnings))
    assert "24 items has texts in 2 of 4 conditions" in said
    assert "All 3 contrasts" in said
    assert "Comparisons within items have 67 percent of the precision" in said
    assert preview_of(design).n_holes == 0
    assert read_again(design) == (design.conditions, design.items, design.lists)


def read_again(design):
    factors = {factor.name: factor.levels for factor in design.factors}
    again = design_from(read_table(materials_csv(design).encode()), PARADIGM, factors=factors)
    lines = {(item.code, text.condition): text.line for item in design.items for text in item.stimuli}
    items = tuple(
        type(item)(
            item.code,
            tuple(
                type(text)(text.text, text.condition, text.extra, lines[item.code, text.condition])
                for text in item.stimuli
            ),
            item.item_set,
            item.is_filler,
            item.is_practice,
            item.attributes,
        )
        for item in again.items
    )
    return again.conditions, items, again.lists


def test_a_factor_that_few_items_vary_is_found_where_their_texts_need_it():
    """Order varies within a third of the pairs, and tells these apart."""
    rows = [row for row in pairs() if row[0] not in ("item02", "item03", "item08", "item09")]
    assert [factor.name for factor in read(rows).factors] == ["marker", "order"]


@pytest.mark.parametrize("lost", [1, 7, 30])
def test_a_single_text_that_is_missing_from_pairs_is_a_hole(lost):
    rows = pairs()
    item = rows.pop(lost)[0]
    found = faults(rows)
    assert [fault.message for fault in found.faults] == [f"The item '{item}' has one text, but most items have 2."]
    assert found.has_holes
    assert read(rows, incomplete=True).lists


@given(n_items=st.integers(2, 12), lost=st.integers(0, 47))
def test_a_text_that_is_missing_from_a_complete_design_is_a_hole(n_items, lost):
    rows = [(f"i{n}", f"{n} {m} {o}", m, o) for n in range(n_items) for m, o in FORMULATIONS]
    gone = rows.pop(lost % len(rows))
    found = faults(rows)
    assert [str(fault.message) for fault in found.faults] == [
        f"The item '{gone[0]}' has no text in '{gone[2]}:{gone[3]}'."
    ]
    assert found.preview.n_holes == 1
    design = read(rows, incomplete=True)
    assert len(design.lists) == 12
    for condition in range(4):
        times = [count[condition] for count in counts(design)]
        assert max(times) - min(times) <= 1


def test_texts_that_are_missing_without_a_pattern_are_holes():
    rows = [
        (f"i{n}", f"{n} {m} {o}", m, o)
        for n in range(12)
        for k, (m, o) in enumerate(FORMULATIONS)
        if k <= 1 + n % 3 or k == n % 4
    ]
    assert all("has no text in" in str(fault.message) for fault in faults(rows).faults)


def test_a_level_that_hardly_any_item_has_is_a_slip():
    rows = [(f"i{n}", f"{n} {level}", level) for n in range(12) for level in ("subj", "obj")]
    rows[-1] = ("i11", "11 object", "patient")
    found = faults(rows, ("item", "text", "role"))
    assert [str(fault.message) for fault in found.faults] == [
        "Only one item has a text in 'patient'; other conditions have about 11."
    ]


SETS = ("item", "item_set", "extraction", "number", "text")


def two_experiments(n_relatives=4, n_agreement=3):
    """Two experiments in one list, with a factor each."""
    rows = [(f"r{n}", "relatives", level, "", f"{n} {level}") for n in range(n_relatives) for level in ("s", "o")]
    return rows + [
        (f"a{n}", "agreement", "", level, f"{n} {level}") for n in range(n_agreement) for level in ("pl", "sg", "du")
    ]


def test_sets_have_factors_of_their_own_and_a_latin_square_each():
    design = read(two_experiments(), SETS)
    assert [condition.levels for condition in design.conditions] == [
        {"extraction": "s"}, {"extraction": "o"}, {"number": "pl"}, {"number": "sg"}, {"number": "du"},
    ]  # fmt: skip
    assert len(design.lists) == 6
    for shown in design.lists:
        own = [text for _item, text in shown.cells]
        assert own == [
            *latin_square.lists(4, 2)[shown.index % 2],
            *latin_square.lists(3, 3)[shown.index % 3],
        ]
    assert preview_of(design).n_holes == 0
    assert read_again(design) == (design.conditions, design.items, design.lists)
    apart = read(two_experiments(), SETS, item_sets="apart")
    assert [shown.name for shown in apart.lists] == [
        "relatives-1", "relatives-2", "agreement-1", "agreement-2", "agreement-3",
    ]  # fmt: skip


def test_a_text_that_is_missing_from_a_set_is_a_hole_of_that_set():
    rows = two_experiments()
    rows.remove(("a1", "agreement", "", "sg", "1 sg"))
    assert [str(fault.message) for fault in faults(rows, SETS).faults] == ["The item 'a1' has no text in 'sg'."]


def test_a_factor_between_items_is_a_factor_where_it_is_declared():
    rows = [
        (f"i{n}", f"{n} {order}", "animate" if n < 5 else "inanimate", order)
        for n in range(8)
        for order in ("ab", "ba")
    ]
    header = ("item", "text", "animacy", "order")
    assert read(rows, header).items[0].attributes == {"animacy": "animate"}
    design = read(rows, header, factors=["animacy", "order"])
    assert [condition.name for condition in design.conditions] == [
        "animate:ab", "animate:ba", "inanimate:ab", "inanimate:ba",
    ]  # fmt: skip
    assert len(design.lists) == 2
    orders = [
        Counter(design.conditions[condition].levels["order"] for condition in count.elements())
        for count in counts(design)
    ]
    assert orders == [{"ab": 4, "ba": 4}] * 2
    said = " ".join(map(str, design.warnings))
    assert "2 of 3 contrasts can be estimated within items" in said
    assert (
        "Analyse it with mixed models with random effects of items. The means of conditions come from "
        "different items, so do not use ANOVA by participants or items (F1, F2), minF′ or Friedman's test."
    ) not in said


@needs.shared("cases/materials")
@pytest.mark.parametrize(
    ("name", "paradigm", "conditions"),
    [
        ("m06_two_experiments.csv", "rating", 4),
        ("m12_ibex_defaults.js", "self-paced-reading", 4),
        ("m13_linger.txt", "self-paced-reading", 4),
        ("pairs_of_eight.csv", "sentence-recall", 8),
    ],
)
def test_cases_of_others_are_designs(name, paradigm, conditions):
    table = read_materials((needs.SHARED / "cases" / "materials" / name).read_bytes(), name)
    design = design_from(table, paradigm_named(paradigm))
    assert (len(design.conditions), len(design.lists)) == (conditions, 2)
    assert preview_of(design).n_holes == 0
    for condition in range(conditions):
        times = [count[condition] for count in counts(design)]
        assert max(times) - min(times) <= 1
