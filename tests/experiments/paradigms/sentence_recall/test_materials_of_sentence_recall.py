"""Materials of sentence recall: what only this paradigm knows to be wrong is reported with its line."""

import pytest

from experiments.materials import MaterialsFaults, design_from, read_table
from experiments.paradigms import paradigm_named

RECALL = paradigm_named("sentence-recall")
MAGNITUDE = paradigm_named("magnitude-estimation")
HEADER = "item,text,formulation,regions,clause_a"


def design(*rows, paradigm=RECALL):
    return design_from(read_table("\n".join([HEADER, *rows]).encode()), paradigm)


def test_a_text_without_spaces_and_regions_is_refused_with_its_line():
    with pytest.raises(MaterialsFaults) as refusal:
        design("a,他没来。,x,,", "a,因为下雨。,y,因为|下雨。,")
    assert [str(fault) for fault in refusal.value.faults] == [
        "Line 2, column 'text': ‘他没来’ is in a script without spaces between words. Mark the words in the column "
        "'regions': write the same text with | between them."
    ]


def test_regions_that_are_not_the_text_are_refused_with_their_line():
    with pytest.raises(MaterialsFaults) as refusal:
        design("a,他没来。,x,他|没来。,", "a,因为下雨。,y,因为|下雪。,")
    assert [(fault.line, fault.column) for fault in refusal.value.faults] == [(3, "regions")]


def test_marked_words_that_are_not_in_the_text_are_pointed_out_with_their_line():
    made = design("a,It rained.,x,,it rained", "a,It snowed.,y,,it rained")
    assert [(warning.line, warning.column) for warning in made.warnings if warning.line] == [(3, "clause_a")]
    assert made.items[0].stimuli[0].extra == {"clause_a": "it rained"}


def test_a_paradigm_that_counts_no_words_takes_any_script():
    made = design_from(read_table("item,text,f\na,他没来。,x\na,因为下雨。,y".encode()), MAGNITUDE)
    assert len(made.items) == 1
