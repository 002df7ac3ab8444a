"""Folding, spellings, targets, ties, and what is said where there is little."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.methods.production.example import example
from analysis.methods.production.method import METHOD
from analysis.methods.report import BadInput, Report


def run(responses: list[Any], **given: Any) -> Report:
    columns = {name: given.pop(name) for name in list(given) if isinstance(given[name], list)}
    frame = pd.DataFrame({"item": "I1", "response": responses} | columns)
    return registry.run(METHOD, frame, given)


def counts(report: Report) -> dict[str, int]:
    return {line["response"]: line["n"] for line in report.table("norms").lines()}


WRITTEN = ["Hund", "hund ", "Hund", "der  Hund", "der Hund", "Häuser", "Ha\u0308user", "Hauser", "Hund."]


@pytest.mark.parametrize(
    ("fold", "expected"),
    [
        ("case,space", {"Hund": 3, "Häuser": 2, "der Hund": 2, "Hauser": 1, "Hund.": 1}),
        ("case,space,accents", {"Hund": 3, "Häuser": 3, "der Hund": 2, "Hund.": 1}),
        ("case,space,punctuation", {"Hund": 4, "Häuser": 2, "der Hund": 2, "Hauser": 1}),
        ("space", {"Hund": 2, "Häuser": 2, "der Hund": 2, "Hauser": 1, "Hund.": 1, "hund": 1}),
    ],
)
def test_forms_that_differ_only_in_what_is_folded_are_one_and_shown_as_most_wrote_them(
    fold: str, expected: dict[str, int]
) -> None:
    assert counts(run(WRITTEN, fold=fold)) == expected


def test_folding_nothing_counts_as_written_but_for_the_encoding_of_accents() -> None:
    found = counts(run(WRITTEN, fold="none"))
    assert found["Häuser"] == 2
    assert found["der  Hund"] == found["der Hund"] == 1


def test_a_list_of_spellings_says_what_was_meant() -> None:
    report = run(["dog", "dgo", "Dogg", "cat"], spellings=TextFile("s.csv", "dgo,dog\ndogg,dog\n"))
    assert counts(report) == {"dog": 3, "cat": 1}
    assert any("2 spellings were corrected" in note for note in report.notes)


def test_a_target_is_folded_as_the_responses_are_and_may_be_several() -> None:
    (line,) = run(["Sofa", "couch ", "bed", "sofa"], aim=["sofa|Couch"] * 4, target="aim").table("items").lines()
    assert (line["target"], line["target_n"], line["target_share"]) == ("sofa|Couch", 3, 0.75)


def test_targets_that_differ_between_rows_are_compared_row_by_row() -> None:
    report = run(["a", "b", "a", "b"], aim=["a", "a", "b", "b"], target="aim")
    (line,) = report.table("items").lines()
    assert line["target_share"] == 0.5
    assert line["target"] == "a / b"
    assert any("target differs between rows" in said for said in report.warnings)


def test_responses_that_are_equally_frequent_share_dominance_and_it_is_said() -> None:
    report = run(["b", "a", "b", "a", "c"])
    (line,) = report.table("items").lines()
    assert line["dominant"] == "a / b"
    assert line["share"] == 0.4
    assert any("none of them dominates" in said for said in report.warnings)


def test_empty_responses_are_counted_beside_and_not_in() -> None:
    report = run(["dog", "", None, "dog", "  "])
    (line,) = report.table("items").lines()
    assert (line["n"], line["empty"], line["share"], line["entropy"]) == (2, 3, 1.0, 0.0)


def test_an_item_without_any_response_is_there_and_said() -> None:
    report = run(["dog", "cat", ""], item=["I1", "I1", "I2"])
    lines = report.table("items").lines()
    assert [line["n"] for line in lines] == [2, 0]
    assert lines[1]["entropy"] is None
    assert any("I2 got no response" in said for said in report.warnings)


def test_a_typed_na_is_said_to_be_read_as_nothing() -> None:
    assert any("NA in 'response' was read as no response" in said for said in run(["NA", "dog"]).warnings)


def test_somebody_who_answered_an_item_twice_is_warned_of() -> None:
    report = run(["dog", "cat", "dog"], participant=["P1", "P1", "P2"])
    assert any("2 responses are from somebody who answered the same item" in said for said in report.warnings)


def test_groups_have_norms_of_their_own() -> None:
    report = run(["a", "a", "b", "b"], n=["x", "x", "y", "y"], by="n")
    assert report.table("items").frame()[["factor_n", "dominant"]].to_numpy().tolist() == [["x", "a"], ["y", "b"]]


def grouped(**columns: Any) -> pd.DataFrame:
    """Return 3 items × 2 groups with 4 responses each, in one cell two of either kind."""
    lines = [
        {"sentence": sentence, "group": group, "response": "tea" if number < 3 - (sentence + group == "s1b") else "oil"}
        for sentence in ("s1", "s2", "s3")
        for group in "ab"
        for number in range(4)
    ]
    return pd.DataFrame(lines).assign(**columns)


def test_items_are_counted_once_however_many_groups_have_norms_of_their_own() -> None:
    report = registry.run(METHOD, grouped(target="tea"), {"item": "sentence", "by": ("group",), "target": "target"})
    assert report.sentences[0].startswith("3 items in 6 cells (item × group) with 24 responses: ")
    assert report.sentences[1].endswith("on average over cells (item × group).")
    assert any(said.startswith("6 cells (item × group) have fewer than 20 responses") for said in report.warnings)
    assert any(
        said.startswith("1 cell (item × group) has several responses that are equally frequent (s1 (b))")
        for said in report.warnings
    )
    alone = registry.run(METHOD, grouped(), {"item": "sentence"})
    assert alone.sentences[0].startswith("3 items with 24 responses: ")
    assert any(said.startswith("3 items have fewer than 20 responses") for said in alone.warnings)


def test_a_group_that_is_called_item_has_a_column_of_its_own() -> None:
    frame = grouped().rename(columns={"group": "item"})
    lines = registry.run(METHOD, frame, {"item": "sentence", "by": ("item",)}).table("items").lines()
    assert [(line["item"], line["factor_item"]) for line in lines[:3]] == [("s1", "a"), ("s1", "b"), ("s2", "a")]


def test_the_order_of_rows_does_not_matter() -> None:
    frame, parameters = example()
    first = registry.run(METHOD, frame, parameters)
    again = registry.run(METHOD, frame.sample(frac=1, random_state=1), parameters)
    assert first.tables == again.tables


def test_the_corrected_entropy_is_nearer_to_the_truth_than_the_observed_one() -> None:
    """Ten equally likely responses, 3.32 bits, thirty people: averages over 400 items."""
    import numpy as np

    random = np.random.default_rng(4)
    responses = random.integers(0, 10, 400 * 30).astype(str)
    frame = pd.DataFrame({"item": np.repeat(np.arange(400), 30).astype(str), "response": responses})
    items = registry.run(METHOD, frame, {}).table("items").frame()
    truth = np.log2(10)
    assert items["entropy"].mean() < truth - 0.15
    assert items["entropy_corrected"].mean() == pytest.approx(truth, abs=0.05)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"fold": "capitals"}, "There is no way of folding 'capitals'"),
        ({"fold": "none,case"}, "cannot stand beside case"),
        ({"by": "item"}, "item has two roles"),
        ({"spellings": TextFile("s.csv", "dog")}, "line 1 is 'dog'"),
        ({"spellings": TextFile("s.csv", "a,b\na,c")}, "is to be both"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(["dog", "cat"], **given)


def test_no_response_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="No row has both an item in 'item' and a response"):
        run(["", None])
