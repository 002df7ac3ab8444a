"""Everybody sees every item in every condition: one list instead of a Latin square."""

from __future__ import annotations

from collections import Counter

import pytest
from django.urls import reverse

from experiments.materials import design_from, with_lists
from experiments.materials.store import design_of
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.sessions import plan_session, session_stimuli, study_snapshot
from experiments.study.lifecycle import FrozenStudy, open_study, save_procedure
from experiments.study.opening import opening_faults, opening_warnings

ALL = {"conditions": "all"}


@pytest.fixture
def within(ready, researcher):
    return save_procedure(ready, complete_procedure(ALL), researcher)


def test_choosing_it_makes_one_list_of_every_text(within):
    (shown,) = within.lists.all()
    assert shown.stimuli.count() == 4 * 4
    assert opening_faults(within) == []


def test_going_back_makes_the_latin_square_again(within, researcher):
    rotated = save_procedure(within, complete_procedure({}), researcher)
    assert [shown.stimuli.count() for shown in rotated.lists.all()] == [4, 4, 4, 4]
    assert opening_faults(rotated) == []


def test_a_session_shows_every_item_in_every_condition_once(within):
    (shown,) = within.lists.all()
    pairs = [(s.item, s.condition) for s in session_stimuli(within, shown) if s.condition]
    assert Counter(Counter(item for item, _ in pairs).values()) == {4: 4}
    assert len(set(pairs)) == 16
    plans = plan_session(study_snapshot(within, shown), seed=5)
    assert len([plan for plan in plans if plan.phase == "main"]) == 16 + 2


def test_sets_that_are_apart_have_a_list_each(table_from, paradigm):
    rows = [
        (f"{name}{number}", f"Text {name} {number} {order}.", order, name)
        for name in ("A", "B")
        for number in range(3)
        for order in ("one", "two")
    ]
    design = design_from(table_from(rows, header=("item", "text", "order", "item_set")), paradigm)
    apart = with_lists(design, {**ALL, "item_sets": "apart"})
    assert [(shown.name, len(shown.cells)) for shown in apart.lists] == [("A-1", 6), ("B-1", 6)]
    together = with_lists(design, ALL)
    assert [(shown.name, len(shown.cells)) for shown in together.lists] == [("1", 12)]


def test_numbers_that_no_latin_square_could_share_are_no_matter(table_from, rows_of, paradigm):
    design = design_from(table_from(rows_of(n_items=5)), paradigm)
    assert any("does not divide" in warning.message for warning in design.warnings)
    assert not any("does not divide" in warning.message for warning in with_lists(design, ALL).warnings)
    assert with_lists(design, {}).warnings == design.warnings


def test_nothing_is_said_about_sharing_before_such_a_study_opens(within):
    assert not any("cannot share" in fault.message for fault in opening_warnings(within))


def test_a_text_that_is_missing_from_the_list_keeps_the_study_closed(within):
    (shown,) = within.lists.all()
    shown.stimuli.remove(shown.stimuli.first())
    said = " ".join(str(fault) for fault in opening_faults(within))
    assert "does not show every item in every condition" in said


def test_the_page_of_the_design_says_that_nothing_is_rotated(within, owner):
    page = owner.get(reverse("study:design", args=[within.slug])).content.decode()
    assert "Everybody sees all 4 items in all 4 conditions" in page
    assert "Latin square" not in page.split("<main")[-1]


def test_the_stored_design_reads_back_with_the_same_list(within):
    (shown,) = design_of(within).lists
    assert len(shown.cells) == 16


def test_it_is_fixed_once_the_study_was_opened(within, researcher):
    open_study(within, researcher)
    with pytest.raises(FrozenStudy):
        save_procedure(within, complete_procedure({}), researcher)
