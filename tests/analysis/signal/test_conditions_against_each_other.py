"""d′ and criterion of one condition against another, and intervals of single participants.

Oracle: `t.test` and weighted probit regressions of R (`tests/oracles/signal_detection.R`); the standard error is
that of Gourevitch & Galanter (1967), coverage an exact sum over all possible counts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.methods import registry
from analysis.methods.report import BadInput, Report
from analysis.methods.signal.differences import difference
from analysis.methods.signal.example import example
from analysis.methods.signal.method import METHOD
from analysis.methods.signal.sensitivity import d_prime, standard_error
from tests.analysis.signal.test_sensitivity_equals_r import trials

ORACLE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "oracles" / "signal_detection.json").read_text(encoding="utf-8")
)
MEASURES = ("d_prime", "criterion")


def of_twelve(*, same_people: bool) -> Report:
    """Report on the counts of the oracle: the first six in condition a, the last six in b."""
    lines = [
        {
            "participant": f"P{number % 6 if same_people else number:02d}",
            "condition": "a" if number < 6 else "b",
            "target": target,
            "response": response,
        }
        for number, cell in enumerate(ORACLE["cells"])
        for target, response in trials(cell)
    ]
    return registry.run(METHOD, pd.DataFrame(lines), {"signal": "old", "within": ("condition",)})


def run(frame: pd.DataFrame | None = None, **given: Any) -> Report:
    usual, parameters = example()
    return registry.run(METHOD, usual if frame is None else frame, parameters | given)


@pytest.mark.parametrize(("same_people", "test"), [(True, "paired"), (False, "welch")])
def test_two_conditions_are_tested_as_r_does(same_people: bool, test: str) -> None:
    report = of_twelve(same_people=same_people)
    lines = {str(line["measure"]): line for line in report.table("differences").lines()}
    assert list(lines) == list(MEASURES)
    for measure in MEASURES:
        for name, value in ORACLE[test][measure].items():
            assert lines[measure][name] == pytest.approx(value, abs=1e-8)
        assert lines[measure]["p_holm"] == lines[measure]["p"]
        assert (lines[measure]["comparison"] == "same people") == same_people
        assert (lines[measure]["d_z"] is None) == (not same_people)
    assert "criterion c of a less that of b: 1.84, 95 % CI" in report.sentences[-1]


def test_the_intervals_of_single_participants_rest_on_the_standard_errors_of_r() -> None:
    for line, cell in zip(of_twelve(same_people=False).table("sensitivity").lines(), ORACLE["cells"], strict=True):
        for measure in MEASURES:
            assert line[f"{measure}_se"] == pytest.approx(cell[f"{measure}_se"], abs=1e-7)
            assert line[f"{measure}_high"] - line[measure] == pytest.approx(1.959964 * cell[f"{measure}_se"], abs=1e-5)
            assert line[measure] - line[f"{measure}_low"] == pytest.approx(1.959964 * cell[f"{measure}_se"], abs=1e-5)


def coverage(true: float, n: int) -> float:
    """Return in which share of all samples (n trials of signal and of noise) d′ ± z × standard error holds the true d′.

    >>> round(coverage(2.0, 20), 3)
    0.96
    """
    p_hit, p_false = scipy.stats.norm.cdf(true / 2), scipy.stats.norm.cdf(-true / 2)
    hits, alarms = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij")
    four = (hits, np.full_like(hits, n), alarms, np.full_like(alarms, n))
    half = scipy.stats.norm.isf(0.025) * standard_error(*four)
    weights = scipy.stats.binom.pmf(hits, n, p_hit) * scipy.stats.binom.pmf(alarms, n, p_false)
    return float(weights[np.abs(d_prime(*four) - true) <= half].sum())


@pytest.mark.parametrize("n", [10, 20, 40, 100])
@pytest.mark.parametrize("true", [0.0, 1.0, 2.0, 3.0])
def test_those_intervals_hold_the_true_value_about_as_often_as_they_say(true: float, n: int) -> None:
    assert 0.94 <= coverage(true, n) <= 0.975


def test_three_conditions_are_told_with_holm_and_by_pairs() -> None:
    frame, _ = example()
    third = frame[frame["band"] == "low"].assign(band="rare")
    report = run(pd.concat([frame, third]))
    lines = [line for line in report.table("differences").lines() if line["measure"] == "d_prime"]
    assert [(line["a"], line["b"]) for line in lines] == [("high", "low"), ("high", "rare"), ("low", "rare")]
    # What cannot be tested is no test among the others.
    assert lines[0]["p_holm"] == pytest.approx(2 * lines[0]["p"])
    assert lines[2]["diff"] == 0
    assert lines[2]["p"] is None
    assert any("everybody differs by the same amount" in said for said in report.warnings)
    assert sum("(Holm)" in said for said in report.sentences) == 2


def test_noise_without_a_level_is_that_of_every_cell_where_it_is_asked_for() -> None:
    frame, _ = example()
    shared = frame[(frame["target"] == "word") | (frame["band"] == "high")].copy()
    shared.loc[shared["target"] == "nonword", "band"] = ""
    with pytest.raises(BadInput, match="Every level in 'target' is word"):
        run(shared)
    report = run(shared, common_noise=True)
    table = report.table("sensitivity").frame()
    assert set(table["n_noise"]) == set(table["n_signal"]) == {20}
    usual = run().table("sensitivity").frame()
    high = table["band"] == "high"
    pd.testing.assert_frame_equal(table[high], usual[usual["band"] == "high"])
    of_d, of_c = report.table("differences").lines()
    assert of_c["diff"] == pytest.approx(-of_d["diff"] / 2)
    assert any("240 rows of noise without a value of band counted in every cell" in said for said in report.notes)
    with pytest.raises(BadInput, match="common_noise=yes needs noise without a value of band"):
        run(common_noise=True)


def test_one_cell_alone_has_no_differences_and_one_person_no_test() -> None:
    assert [table.name for table in run(within=()).tables] == ["sensitivity", "cells"]
    alone = run(where="participant=P01")
    assert all(line["p"] is None for line in alone.table("differences").lines())
    assert any("at least two participants" in said for said in alone.warnings)


def test_a_paired_test_of_few_says_how_many_and_nobody_counts_twice() -> None:
    found = difference(np.array([1.0, 2.0, np.nan]), np.array([0.5, np.nan, np.nan]), 0.95)
    assert found["n"] == 2
    usual, parameters = example()
    (factor,) = parameters["within"]
    cell = sorted(usual[factor].dropna().unique())[0]
    few = usual[usual["participant"].isin(sorted(usual["participant"].unique())[:2]) | (usual[factor] != cell)]
    assert "Paired tests rest on as few as 2 participants who have d′ in both cells" in " ".join(run(few).warnings)
