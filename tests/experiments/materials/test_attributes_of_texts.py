"""A column that describes single texts is neither a factor nor refused; what is a factor stays one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.materials import (
    Design,
    MaterialsFaults,
    design_from,
    design_of,
    materials_csv,
    read_table,
    store_design,
)
from experiments.materials.from_files import Said, design_of_table
from experiments.materials.shapes import Row, Table
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.study_files import create_from_archive, study_archive

RATING = paradigm_named("rating")
CONDITIONS = list(product(("a", "b"), ("x", "y")))


def table(header: str, cells_of, n_items: int = 6, conditions=CONDITIONS) -> Table:
    """Make a table of n items in all conditions; `cells_of` gives the cells behind item, text and the two factors."""
    rows = [
        Row(2 + number, (f"i{item}", f"Text {item} {one} {two}.", one, two, *cells_of(item, place)))
        for number, (item, (place, (one, two))) in enumerate(product(range(n_items), enumerate(conditions)))
    ]
    return Table(("item", "text", "marker", "order", *header.split()), tuple(rows))


def factors(design: Design) -> list[str]:
    return [factor.name for factor in design.factors]


def measured(item: int, place: int) -> tuple[str]:
    return (f"{item * 4 + place + 0.25}",)


def test_a_measure_of_each_text_is_its_attribute_and_that_is_said() -> None:
    design = design_from(table("plausibility", measured), RATING)
    assert factors(design) == ["marker", "order"]
    assert design.text_attributes == ("plausibility",)
    assert [dict(text.attributes) for text in design.items[1].stimuli] == [
        {"plausibility": f"{4 + place + 0.25}"} for place in range(4)
    ]
    assert all(not item.attributes for item in design.items)
    (told,) = [warning for warning in design.warnings if warning.column == "plausibility"]
    assert not told.is_doubtful
    assert len(design.lists) == 4


def test_numbers_that_recur_are_doubtful_and_words_stay_a_factor_that_is_asked_about() -> None:
    design = design_from(table("score", lambda item, place: (str(1 + (item * item + place) % 3),)), RATING)
    assert design.text_attributes == ("score",)
    assert [warning.is_doubtful for warning in design.warnings if warning.column == "score"] == [True]
    words = table("voice", lambda item, place: (("active", "passive", "middle")[(item * item + place) % 3],))
    with pytest.raises(MaterialsFaults) as told:
        design_of_table(words, RATING, Said({}))
    (question,) = [fault for fault in told.value.faults if fault.choice]
    assert question.choice == 'describe ["voice"]'
    assert "'marker', 'order' alone would make a complete design. Perhaps 'voice'" in question.message
    assert design_of_table(words, RATING, Said({"voice": "voice, attribute"})).text_attributes == ("voice",)


@given(
    st.lists(st.sampled_from(["1", "2", "3.5", "a", "b", "100"]), min_size=2, max_size=4, unique=True),
    st.lists(st.sampled_from(["0", "7", "x", "y"]), min_size=2, max_size=3, unique=True),
    st.integers(1, 4),
)
def test_factors_of_a_whole_design_stay_factors_whatever_their_levels_are(
    ones: list[str], twos: list[str], n_items: int
) -> None:
    conditions = list(product(ones, twos))
    design = design_from(table("", lambda item, place: (), n_items, conditions), RATING)
    assert factors(design) == ["marker", "order"]
    assert design.text_attributes == ()
    assert len(design.conditions) == len(conditions)


@given(st.data())
def test_what_is_said_of_a_column_counts(data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(["u", "v", "1", "2", ""]), min_size=24, max_size=24))
    made = table("kind", lambda item, place: (cells[item * 4 + place],))
    design = design_from(made, RATING, text_attributes=["kind"])
    assert factors(design) == ["marker", "order"]
    found = [text.attributes.get("kind", "") for item in design.items for text in item.stimuli]
    assert found == cells
    again = design_from(
        read_table(materials_csv(design).encode()),
        RATING,
        factors={factor.name: factor.levels for factor in design.factors},
        text_attributes=design.text_attributes,
    )
    assert [[dict(text.attributes) for text in item.stimuli] for item in again.items] == [
        [dict(text.attributes) for text in item.stimuli] for item in design.items
    ]


def test_a_slip_in_an_attribute_of_an_item_is_still_a_fault_of_its_line() -> None:
    slip = table("genre", lambda item, place: ("news" if (item, place) != (2, 1) else "newz",))
    with pytest.raises(MaterialsFaults) as told:
        design_from(slip, RATING)
    assert [(fault.line, fault.column) for fault in told.value.faults] == [(11, "genre")]


def test_with_declared_factors_other_columns_that_vary_describe_the_texts() -> None:
    made = table("voice", lambda item, place: (("active", "passive")[(item + place) % 2],))
    design = design_from(made, RATING, factors=["marker", "order"])
    assert design.text_attributes == ("voice",)
    assert design_from(made, RATING, factors=["marker", "order", "voice"], text_attributes=["voice"]) is not None


def test_a_condition_of_items_with_one_text_each_is_their_attribute() -> None:
    rows = tuple(Row(2 + n, (str(n), f"A text {n}.", "ab"[n % 2])) for n in range(4))
    design = design_from(Table(("item", "text", "condition"), rows), RATING)
    assert not design.factors
    assert [item.attributes for item in design.items] == [{"condition": "ab"[n % 2]} for n in range(4)]
    assert any("nothing rotates" in warning.message for warning in design.warnings)


@pytest.mark.django_db
def test_attributes_are_stored_copied_and_come_back_from_an_archive(draft, researcher) -> None:
    said = Said({"fluent": "fluent, attribute"}, ["repeated"])
    made = table("fluent", lambda item, place: ("yes" if (item, place) == (2, 1) else "no",))
    design = design_of_table(made, RATING, said)
    store_design(draft, design)
    stored = Study.objects.get(pk=draft.pk)
    assert design_of(stored).text_attributes == ("fluent",)
    assert stored.task.reading["columns"] == {"fluent": "fluent, attribute"}
    again = create_from_archive(study_archive(stored), user=researcher, slug="again")
    assert materials_csv(design_of(again)) == materials_csv(design_of(stored))
    assert again.task.reading == stored.task.reading
    assert design_of(again).text_attributes == ("fluent",)
