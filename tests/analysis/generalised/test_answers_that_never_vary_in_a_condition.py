"""A condition in which everybody answers the same is said: no number that a program stopped at, and no traceback."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.multinomial import multinomial
from analysis.methods.generalised.ordinal import ordinal
from analysis.methods.report import BadInput, Report

# In x with u, or in all of x, the answer is the same.
CELL, LEVEL = ["x", "u"], ["x"]


def answers(constant: list[str], category: str, rank: int) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    rows: list[dict[str, Any]] = []
    for person in range(14):
        for item in range(12):
            a, b = "xy"[(person + item) % 2], "uv"[(person // 2 + item // 2) % 2]
            is_constant = [a, b][: len(constant)] == constant
            rows.append(
                {
                    "participant": f"p{person}",
                    "item": f"i{item}",
                    "a": a,
                    "b": b,
                    "choice": category if is_constant else rng.choice(["A", "B", "C"], p=[0.4, 0.35, 0.25]),
                    "rating": rank if is_constant else int(rng.integers(1, 5)),
                }
            )
    return pd.DataFrame(rows)


def numbers_of(report: Report, table: str, column: str) -> list[float]:
    return [line[column] for line in report.table(table).lines() if line[column] is not None]


@pytest.mark.parametrize("constant", [CELL, LEVEL])
@pytest.mark.parametrize("category", ["A", "B", "C"])
def test_a_multinomial_model_has_no_estimate_there_and_its_probabilities_are_those_observed(
    constant: list[str], category: str
) -> None:
    report = multinomial(
        answers(constant, category, 1), formula="choice ~ a * b + (1 | participant)", baseline="A", tests="wald"
    )
    said = [one for one in report.warnings if "There is separation" in one or "was left out" in one]
    assert said, report.warnings
    assert all(abs(one) < 10 for one in numbers_of(report, "fixed", "estimate"))
    assert all(one < 10 for one in numbers_of(report, "fixed", "se"))
    for line in report.table("probabilities").lines() if "probabilities" in [t.name for t in report.tables] else []:
        if [line["a"], line["b"]][: len(constant)] == constant and line["probability"] is not None:
            assert line["probability"] == pytest.approx(float(line["category"] == category))
            assert line["se"] is None
            assert line["ci_low"] is None


@pytest.mark.parametrize("constant", [CELL, LEVEL])
@pytest.mark.parametrize("rank", [1, 4])
@pytest.mark.parametrize("random", ["", " + (1 | participant)"])
def test_an_ordinal_model_of_a_constant_extreme_is_refused_in_a_sentence(
    constant: list[str], rank: int, random: str
) -> None:
    with pytest.raises(BadInput, match=r"'rating' is separated: some combination of a and b predicts"):
        ordinal(answers(constant, "A", rank), formula=f"rating ~ a * b{random}")


@pytest.mark.parametrize("random", ["", " + (1 | participant)"])
def test_an_ordinal_model_of_a_constant_middle_has_finite_estimates_and_doubts_proportional_odds(random: str) -> None:
    report = ordinal(answers(LEVEL, "A", 3), formula=f"rating ~ a{random}")
    assert all(abs(one) < 10 for one in numbers_of(report, "fixed", "estimate"))
    assert any("Proportional odds are doubtful for a" in one for one in report.warnings)
