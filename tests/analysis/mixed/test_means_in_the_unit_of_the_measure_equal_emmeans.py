"""Means, differences and ratios in the unit of the measure equal those of emmeans; d equals `eff_size`.

Reference: tests/oracles/means_in_units.R with lme4, lmerTest, ordinal and emmeans (type = "response", regrid, and
mode = "mean.class" for ordered categories). emmeans gives regridded differences the degrees of freedom of the means;
here they have those of the test, so their intervals are not compared where degrees of freedom are finite.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.methods.registry import method_named, run
from analysis.methods.report import Report

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles/means_in_units.json").read_text())
DATA = pd.DataFrame(ORACLE["data"])
CROSSED = "(1 | participant) + (1 | item)"


def reported(method: str, formula: str, **more: Any) -> Report:
    return run(method_named(method), DATA, {"formula": formula, **more})


def lines(report: Report, factor: str) -> list[dict[str, Any]]:
    return [line for line in report.table("comparisons").lines() if line["factor"] == factor]


def check(
    found: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]], names: Mapping[str, str], *, rel: float
) -> None:
    assert len(found) == len(wanted)
    for here, there in zip(found, wanted, strict=True):
        for ours, theirs in names.items():
            assert here[ours] == pytest.approx(there[theirs], rel=rel, abs=rel), (ours, here, there)


def within(rows: Sequence[Mapping[str, Any]], other: str) -> list[str]:
    return [str(row[other]) for row in rows]


@pytest.mark.parametrize("formula", ["rt_ms", "log(rt_ms)", "log10(rt_ms)"])
def test_means_and_comparisons_of_linear_models(formula: str) -> None:
    found, oracle = reported("lmm", f"{formula} ~ marker*order + {CROSSED}"), ORACLE["found"][formula]
    is_log = formula != "rt_ms"
    names = (
        {"geometric_mean": "response", "geometric_mean_se": "SE", "df": "df", "geometric_mean_low": "lower.CL",
         "geometric_mean_high": "upper.CL"}
        if is_log
        else {"mean": "emmean", "se": "SE", "df": "df", "ci_low": "lower.CL", "ci_high": "upper.CL"}
    )  # fmt: skip
    means = sorted(found.table("means").lines(), key=lambda line: (line["order"], line["marker"]))
    check(means, oracle["means"], names, rel=1e-6)
    for factor, other in (("marker", "order"), ("order", "marker")):
        rows = lines(found, factor)
        assert within(rows, "by") == within(oracle[factor], other)
        tests = {"df": "df", "t": "t.ratio", "p": "p.value"}
        sizes = (
            {"ratio": "ratio", "ratio_low": "lower.CL", "ratio_high": "upper.CL"}
            if is_log
            else {"diff": "estimate", "se": "SE", "ci_low": "lower.CL", "ci_high": "upper.CL"}
        )
        check(rows, oracle[factor], sizes | tests, rel=2e-6)
        if is_log:
            check(
                rows,
                oracle[f"{factor}_units"],
                {"geometric_mean_diff": "estimate", "geometric_mean_diff_se": "SE"},
                rel=1e-6,
            )
        check(rows, [{"d": one["effect.size"]} for one in oracle[f"{factor}_d"]], {"d": "d"}, rel=1e-6)


def test_the_interval_of_d_holds_how_uncertain_the_total_variance_is() -> None:
    found, oracle = reported("lmm", f"rt_ms ~ marker*order + {CROSSED}"), ORACLE["found"]["rt_ms"]
    for line, wanted in zip(lines(found, "marker"), oracle["marker_d"], strict=True):
        # The standard error of eff_size; its interval has the degrees of freedom of the means.
        half = (line["d_high"] - line["d_low"]) / 2
        assert half / wanted["SE"] == pytest.approx(1.97, abs=0.02)
        assert (line["d_low"] + line["d_high"]) / 2 == pytest.approx(line["d"])


@pytest.mark.parametrize(
    ("outcome", "family", "mean", "ratio"),
    [("correct", "binomial", "probability", "odds_ratio"), ("words", "poisson", "expected", "rate_ratio")],
)
def test_means_and_comparisons_of_generalised_models(outcome: str, family: str, mean: str, ratio: str) -> None:
    found = reported("glmm", f"{outcome} ~ marker*order + {CROSSED}", family=family)
    oracle, theirs = ORACLE["found"][outcome], {"probability": "prob", "expected": "rate"}[mean]
    means = sorted(found.table("means").lines(), key=lambda line: (line["order"], line["marker"]))
    check(means, oracle["means"], {mean: theirs, f"{mean}_se": "SE", f"{mean}_low": "asymp.LCL"}, rel=2e-5)
    for factor, other in (("marker", "order"), ("order", "marker")):
        rows = lines(found, factor)
        assert within(rows, "by") == within(oracle[factor], other)
        ratio_there = "odds.ratio" if ratio == "odds_ratio" else "ratio"
        check(rows, oracle[factor], {ratio: ratio_there, "z": "z.ratio", "p": "p.value"}, rel=5e-5)
        names = {"_diff": "estimate", "_diff_se": "SE", "_diff_low": "asymp.LCL", "_diff_high": "asymp.UCL"}
        check(rows, oracle[f"{factor}_units"], {f"{mean}{ours}": name for ours, name in names.items()}, rel=5e-5)


def test_a_factor_without_interaction_is_averaged_over_the_others() -> None:
    found, oracle = reported("glmm", f"correct ~ marker + order + {CROSSED}"), ORACLE["found"]["correct_additive"]
    rows = lines(found, "marker")
    assert within(rows, "by") == ["", "", ""]
    check(rows, oracle["marker"], {"odds_ratio": "odds.ratio", "p": "p.value"}, rel=5e-5)
    check(rows, oracle["marker_units"], {"probability_diff": "estimate", "probability_diff_se": "SE"}, rel=5e-5)


@pytest.mark.parametrize(("case", "right"), [("clm", "marker*order"), ("clmm", f"marker*order + {CROSSED}")])
def test_means_of_ordered_categories_are_in_points(case: str, right: str) -> None:
    found, oracle = reported("ordinal", f"rating ~ {right}", nominal=False), ORACLE["found"][case]
    means = sorted(found.table("means").lines(), key=lambda line: (line["order"], line["marker"]))
    exact = 1e-6 if case == "clm" else 1e-3
    check(means, oracle["means"], {"points": "mean.class"}, rel=min(exact, 1e-5))
    check(means, oracle["means"], {"points_se": "SE", "points_low": "asymp.LCL"}, rel=exact)
    for factor in ("marker", "order"):
        names = {"points_diff": "estimate", "points_diff_se": "SE", "points_diff_low": "asymp.LCL"}
        check(lines(found, factor), oracle[f"{factor}_units"], names, rel=exact)


def test_points_of_a_factor_are_averaged_over_the_cells() -> None:
    found, oracle = (
        reported("ordinal", "rating ~ marker + order", nominal=False, means=["marker"]),
        ORACLE["found"]["clm_additive"],
    )
    check(found.table("means").lines(), oracle["means"], {"points": "mean.class", "points_se": "SE"}, rel=1e-6)
    check(lines(found, "marker"), oracle["marker_units"], {"points_diff": "estimate", "points_diff_se": "SE"}, rel=1e-6)
