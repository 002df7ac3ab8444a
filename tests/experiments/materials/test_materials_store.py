"""A design is stored as a whole, replaces the one before, and is never replaced once a study was opened."""

import time
from collections import Counter

import pytest
from django.db import IntegrityError, transaction

from experiments.design.latin_square import lists
from experiments.formats.csvtext import csv_text
from experiments.materials import design_from, design_of, read_table, store_design
from experiments.materials.store import FrozenDesign, copy_design
from experiments.models import Item, Stimulus, StimulusList, Study
from experiments.study.lifecycle import create_study

pytestmark = pytest.mark.both


def without_lines(design):
    return (
        design.factors,
        [(condition.position, dict(condition.levels)) for condition in design.conditions],
        [
            (
                i.code,
                i.item_set,
                i.is_filler,
                i.is_practice,
                dict(i.attributes),
                [(s.text, s.condition) for s in i.stimuli],
            )
            for i in design.items
        ],
        design.lists,
    )


def test_what_is_stored_reads_back_as_the_same_design(draft, design):
    store_design(draft, design)
    assert without_lines(design_of(Study.objects.get(pk=draft.pk))) == without_lines(design)


def test_stored_lists_hold_the_stimuli_of_the_latin_square(draft, design):
    store_design(draft, design)
    square = lists(4, 4)
    for stimulus_list in StimulusList.objects.filter(part__study=draft):
        shown = stimulus_list.stimuli.order_by("item__position").values_list("condition__position", flat=True)
        assert list(shown) == square[stimulus_list.index]


def test_a_new_design_replaces_the_one_before(draft, design, table_from, rows_of, paradigm):
    store_design(draft, design)
    store_design(draft, design_from(table_from(rows_of(n_items=8, markers=("x", "y", "z"), fillers=0)), paradigm))
    assert (draft.items.count(), draft.conditions.count(), draft.lists.count()) == (9, 6, 6)
    assert Stimulus.objects.filter(item__part__study=draft).count() == 8 * 6 + 1
    assert draft.factors[0] == {"name": "marker", "levels": ["x", "y", "z"]}


def test_nothing_is_left_of_a_design_that_fails_half_way(draft, design, monkeypatch):
    store_design(draft, design)
    before = without_lines(design_of(draft))

    def fail(*_args, **_options):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(StimulusList.objects, "bulk_create", fail)
    with pytest.raises(RuntimeError):
        store_design(draft, design)
    monkeypatch.undo()
    assert without_lines(design_of(Study.objects.get(pk=draft.pk))) == before


@pytest.mark.parametrize("status", ["open", "closed"])
def test_the_design_of_a_study_that_was_opened_is_never_replaced(draft, design, status):
    store_design(draft, design)
    Study.objects.filter(pk=draft.pk).update(status=status)
    with pytest.raises(FrozenDesign, match="Duplicate the study"):
        store_design(draft, design)
    assert Item.objects.filter(part__study=draft).count() == 7


@pytest.mark.parametrize("with_condition", [True, False])
def test_the_database_holds_one_text_per_item_and_condition(draft, design, with_condition):
    store_design(draft, design)
    first = Stimulus.objects.filter(item__part__study=draft, condition__isnull=not with_condition).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Stimulus.objects.create(item=first.item, condition=first.condition, text="Another text.")


def test_a_copied_design_has_rows_of_its_own(draft, design, researcher):
    store_design(draft, design)
    other = create_study(slug="other", title="Other", paradigm="magnitude-estimation", user=researcher)
    copy_design(draft, other)
    assert without_lines(design_of(other)) == without_lines(design)
    assert not set(other.items.values_list("pk", flat=True)) & set(draft.items.values_list("pk", flat=True))


def test_the_papers_1152_sentences_go_from_bytes_to_stored_lists_in_seconds(draft, paradigm):
    markers = ("because", "because-of", "cause-verb", "cause-noun")
    rows = [
        (f"item{item}", f"The sentence number {item} as {marker} in the order {order}.", marker, order, item % 3)
        for item in range(144)
        for marker in markers
        for order in ("cause-effect", "effect-cause")
    ]
    data = csv_text(("item", "text", "marker", "order", "genre"), rows).encode()
    started = time.process_time()
    store_design(draft, design_from(read_table(data, "materials.csv"), paradigm))
    took = time.process_time() - started
    counts = Counter(
        StimulusList.stimuli.through.objects.values_list("stimuluslist__index", "stimulus__condition__position")
    )
    assert len(counts) == 64
    assert set(counts.values()) == {18}
    assert took < 10, "processor time, with room for a machine at half speed"
