"""Oracles: chisq.test and fisher.test of R 4.2.2 (tests/oracles/categories.R), and Fisher's test by scipy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from analysis.methods.codes.contingency import contingency
from analysis.methods.codes.exact_counts import drawn_p, exact_p
from analysis.methods.report import BadInput

R: dict[str, Any] = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "categories.json").read_text())


def answers(table: Any, **more: Any) -> pd.DataFrame:
    """Return one row per answer of a table of counts, groups × categories."""
    rows = [
        {"group": f"g{group}", "answer": f"a{category}"}
        for group, line in enumerate(table)
        for category, number in enumerate(line)
        for _ in range(number)
    ]
    return pd.DataFrame(rows).assign(**more)


@pytest.mark.parametrize("name", R["tables"])
def test_tests_and_residuals_equal_r(name: str) -> None:
    known = R["tables"][name]
    report = contingency(answers(known["table"]), answer="answer", group=["group"])
    (line,) = report.table("tests").lines()
    assert [line["chi2"], line["df"], line["p"]] == pytest.approx([known["chi2"], known["df"], known["p"]], rel=1e-9)
    assert line["p_exact"] == pytest.approx(known["exact"], rel=1e-6)
    assert line["exact_by"] == "enumeration"
    residuals = report.table("counts").frame()["residual"].to_numpy(dtype=float)
    assert residuals == pytest.approx(np.array(known["residuals"], dtype=float).ravel(), rel=1e-9, abs=1e-12)


@settings(max_examples=60)
@given(arrays.arrays(np.int64, (2, 2), elements=st.integers(0, 12)))
def test_exact_p_of_a_fourfold_table_is_fishers(table: Any) -> None:
    if not (table.sum(axis=0).all() and table.sum(axis=1).all()):
        return
    assert exact_p(table) == pytest.approx(scipy.stats.fisher_exact(table).pvalue, rel=1e-7)


@settings(max_examples=40)
@given(arrays.arrays(np.int64, (3, 3), elements=st.integers(0, 4)), st.permutations(range(3)))
def test_exact_p_does_not_hang_on_the_order_of_rows_and_columns(table: Any, order: list[int]) -> None:
    if table.sum() == 0:
        return
    p = exact_p(table)
    assert p is not None
    assert 0 < p <= 1
    assert exact_p(table[order].T) == pytest.approx(p, rel=1e-7)


@settings(max_examples=20)
@given(arrays.arrays(np.int64, (3, 2), elements=st.integers(1, 6)))
def test_drawn_tables_come_near_the_exact_p(table: Any) -> None:
    exact = exact_p(table)
    assert exact is not None
    # Five standard errors of a share of 9,999.
    assert drawn_p(table, seed=3) == pytest.approx(exact, abs=5 * np.sqrt(0.25 / 9_999))


def test_too_many_tables_are_drawn_and_said() -> None:
    report = contingency(answers([[20, 30, 10], [30, 12, 20], [10, 11, 22]]), answer="answer", group=["group"])
    (line,) = report.table("tests").lines()
    assert line["exact_by"] == "9,999 tables drawn at random"
    assert line["p_exact"] == pytest.approx(line["p"], abs=0.01)
    assert any("9,999 tables" in note for note in report.notes)
    assert len(report.table("pairs").rows) == 3
    pairs = report.table("pairs").frame()
    assert (pairs["p_holm"] >= pairs["p"]).all()


def test_two_pairs_of_groups_that_gave_one_answer_have_no_test() -> None:
    report = contingency(answers([[9, 0], [7, 0], [2, 9]]), answer="answer", group=["group"])
    assert {(line["a"], line["b"]) for line in report.table("pairs").lines()} == {("g0", "g2"), ("g1", "g2")}


def test_answers_of_one_person_are_not_independent_and_the_report_says_how_often_it_errs() -> None:
    table = [[8, 5, 5], [5, 8, 5]]
    people = [f"P{number % 8}" for number in range(36)]
    (said,) = [
        one
        for one in contingency(answers(table, participant=people), answer="answer", group=["group"]).warnings
        if "independent" in one
    ]
    assert "8 participants" in said
    assert "multinomial" in said
    assert "% of simulated studies" in said
    alone = answers(table, participant=[f"P{number}" for number in range(36)])
    assert not contingency(alone, answer="answer", group=["group"]).warnings


@pytest.mark.parametrize(
    ("table", "group", "words"),
    [
        ([[5], [7]], ["group"], "one category only"),
        ([[5, 3]], ["group"], "one group only"),
        ([[5, 3], [2, 6]], [], "group: name the column"),
        ([[5, 3], [2, 6]], ["answer"], "is the answer itself"),
        ([[1] * 31, [1] * 31], ["group"], "31 categories"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(table: Any, group: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        contingency(answers(table), answer="answer", group=group)


def test_several_factors_make_the_conditions() -> None:
    frame = answers([[5, 3, 2], [2, 6, 1]])
    frame["order"] = ["ab", "ba"] * 9 + ["ab"]
    report = contingency(frame, answer="answer", group=["group", "order"])
    assert set(report.table("counts").frame()["group"]) == {"g0:ab", "g0:ba", "g1:ab", "g1:ba"}
    assert report.table("counts").frame()["n"].sum() == len(frame)
