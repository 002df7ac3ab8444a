"""A column that is missing is looked for by the spelling of the others, and by what their cells hold."""

from __future__ import annotations

import pytest

from experiments.materials import MaterialsFaults, design_from, read_table
from experiments.paradigms import paradigm_named

SENTENCES = (
    "The baker saw the guest.",
    "The baker the guest saw.",
    "The nurse the clerk met.",
    "The nurse met the clerk.",
)


def faults_of(header: str, rows: list[str]) -> list[str]:
    table = read_table("\n".join([header, *rows]).encode(), "items.csv")
    with pytest.raises(MaterialsFaults) as found:
        design_from(table, paradigm_named("self-paced-reading"))
    return [str(fault) for fault in found.value.faults]


def test_sentences_are_the_text_whatever_their_column_is_called() -> None:
    rows = [f"{'AB'[n % 2]},{n // 2},{sentence}" for n, sentence in enumerate(SENTENCES)]
    found = faults_of("Group,Item,Sentence", rows)
    assert found[0] == (
        "Line 1, column 'Sentence': The column 'text' is missing, and this column has an unknown name. Did you "
        "mean 'text'? Its cells contain sentences."
    )


def test_a_column_of_similar_spelling_without_sentences_is_not_the_text() -> None:
    rows = [f"{n // 2},{n},{sentence},{'ab'[n % 2]}" for n, sentence in enumerate(SENTENCES)]
    found = faults_of("item,texts,wording,condition", rows)
    assert [fault for fault in found if "Did you mean" in fault] == [
        "Line 1, column 'wording': The column 'text' is missing, and this column has an unknown name. Did you "
        "mean 'text'? Its cells contain sentences."
    ]


def test_codes_of_groups_of_rows_are_the_item() -> None:
    rows = [f"w{n // 2},{sentence},{'ab'[n % 2]}" for n, sentence in enumerate(SENTENCES)]
    assert faults_of("set,text,order", rows) == [
        "Line 1, column 'set': The column 'item' is missing, and this column has an unknown name. Did you mean "
        "'item'? Several rows in turn have the same cell there."
    ]


def test_a_table_that_is_sorted_by_condition_offers_no_condition_as_the_item() -> None:
    rows = [f"{'ab'[n // 4]},The dog number {n % 4} barked." for n in range(8)]
    assert "The columns are: 'order', 'text'." in faults_of("order,text", rows)[0]


def test_of_two_columns_of_sentences_none_is_chosen() -> None:
    rows = [f"{n},{sentence},{sentence}" for n, sentence in enumerate(SENTENCES)]
    assert "The columns are: 'item', 'short', 'long'." in faults_of("item,short,long", rows)[0]
