"""Versions as bytes: every design comes back as it was, the same design is the same bytes, differences are exact."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.materials.shapes import Design, DesignCondition, DesignFactor, DesignItem, DesignStimulus
from experiments.materials.versions.comparing import compared
from experiments.materials.versions.written import read_back, written

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
columns = st.dictionaries(st.sampled_from(["genre", "norm", "question"]), names, max_size=3)
CONDITIONS = (DesignCondition(0, {"order": "ab"}), DesignCondition(1, {"order": "ba"}))
FACTORS = (DesignFactor("order", ("ab", "ba")),)


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Designs of up to five items, some of which lack a condition, with columns of every kind."""
    items = []
    for code in draw(st.lists(st.sampled_from("abcde"), unique=True, max_size=5)):
        is_filler = draw(st.booleans())
        wanted: list[int | None] = [None] if is_filler else draw(st.sampled_from([[0], [1], [0, 1]]))
        stimuli = tuple(DesignStimulus(draw(names), place, draw(columns), attributes={}) for place in wanted)
        items.append(DesignItem(code, stimuli, draw(st.sampled_from(["", "A"])), is_filler, False, {}))
    return Design(
        FACTORS, CONDITIONS, tuple(items), (), reading=draw(st.sampled_from([{}, {"columns": {"T": "text"}}]))
    )


def cells(design: Design) -> dict[tuple[str, str], dict[str, str]]:
    """Return the filled cells of every text, by item and condition."""
    found = {}
    for item in design.items:
        for text in item.stimuli:
            condition = "" if text.condition is None else design.conditions[text.condition].name
            own = {"item_set": item.item_set, "is_filler": "true" if item.is_filler else ""}
            filled = {name: said for name, said in {"text": text.text, **text.extra, **own}.items() if said}
            found[item.code, condition] = filled
    return found


@given(designs())
def test_a_design_comes_back_as_it_was(design: Design) -> None:
    once = written(design)
    back = read_back(once.packed)
    assert (back, back.reading) == (design, design.reading)
    assert written(back) == once


def turned_round(extra: Mapping[str, Any]) -> dict[str, Any]:
    return dict(reversed(list(extra.items())))


@given(designs())
def test_orders_that_a_database_does_not_keep_are_no_difference(design: Design) -> None:
    """PostgreSQL sorts the keys of JSON as it likes."""
    turned = replace(
        design,
        items=tuple(
            replace(item, stimuli=tuple(replace(one, extra=turned_round(one.extra)) for one in item.stimuli))
            for item in design.items
        ),
    )
    assert written(turned).digest == written(design).digest


@settings(max_examples=150)
@given(designs(), designs())
def test_differences_turn_one_version_into_the_other(before: Design, after: Design) -> None:
    found = compared(before, after)
    now = cells(before)
    for one in found.texts:
        there = now.setdefault((one.item, one.condition), {})
        for cell in one.cells:
            assert there.get(cell.column, "") == cell.before
            assert cell.before != cell.after
            there[cell.column] = cell.after
            if not cell.after:
                del there[cell.column]
        if one.change == "removed":
            assert now.pop((one.item, one.condition)) == {}
    assert now == cells(after)
    mine, other = cells(before), cells(after)
    assert found.numbers == {
        "added": len(other.keys() - mine.keys()),
        "removed": len(mine.keys() - other.keys()),
        "changed": sum(mine[key] != other[key] for key in mine.keys() & other.keys()),
    }
    assert compared(before, before).is_empty


@pytest.mark.parametrize(
    "packed",
    [b"", b"not compressed", zlib.compress(b"{}")[:-2], zlib.compress(b"not JSON"), zlib.compress(b'{"format": 99}')],
)
def test_what_is_no_version_is_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"version of materials|Expecting"):
        read_back(packed)


def test_levels_order_and_mapping_are_named() -> None:
    items = tuple(DesignItem(code, (DesignStimulus("One.", 0), DesignStimulus("Two.", 1))) for code in "ab")
    before = Design(FACTORS, CONDITIONS, items, (), reading={"columns": {"T": "text"}, "choices": ["x"]})
    turned = replace(
        before, factors=(DesignFactor("order", ("ba", "ab")),), items=items[::-1], reading={"columns": {"T": "item"}}
    )
    found = compared(before, turned)
    assert (found.texts, found.factors, found.order, found.choices) == ((), True, True, True)
    assert [(cell.column, cell.before, cell.after) for cell in found.mapping] == [("T", "text", "item")]
