"""Cases of the comparison with R: methods, data files, parameters, and numbers that must agree.

The function of the same name in methods_against_r.R makes the same tables and prints the same numbers in this order.
`cv_…` of logistic and `held_out` of n-best rest on random splits, which R draws otherwise: both sides compute them,
but they are not compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from analysis.methods.report import Report

FACTORS = {"dv": "z", "within": "marker,order"}


@dataclass(frozen=True)
class Case:
    """One row of the table. `peer` is what computes it in R."""

    method: str
    peer: str
    file: str
    given: dict[str, str]
    numbers: Callable[[Report], list[float]]
    tolerance: float = 1e-6


def column(report: Report, table: str, name: str) -> pd.Series[float]:
    """Return one column of a table as numbers."""
    return report.table(table).frame()[name].astype(float)


def total(report: Report, table: str, *names: str) -> list[float]:
    """Return the sums of columns of a table."""
    return [float(column(report, table, name).sum()) for name in names]


def first(report: Report, table: str, *names: str, row: int = 0) -> list[float]:
    """Return cells of one row of a table."""
    return [float(column(report, table, name).iloc[row]) for name in names]


def largest(report: Report, table: str, *names: str) -> list[float]:
    """Return the largest values of columns of a table."""
    return [float(column(report, table, name).max()) for name in names]


def width(report: Report) -> float:
    """Return the summed widths of the intervals of comparisons, whose sign hangs on the order of a and b."""
    return float((column(report, "comparisons", "ci_high") - column(report, "comparisons", "ci_low")).sum())


def interaction(report: Report) -> list[float]:
    return [*first(report, "anova", "f", "p_gg", "ges", row=2), *total(report, "cells", "sd")]


CASES = {
    "normalise": Case(
        "normalise",
        "base R",
        "ratings",
        {"dv": "z"},
        lambda report: [
            float((column(report, "scores", "z_z") ** 3).sum()),
            *total(report, "participants", "n", "mean", "sd", "min", "median", "max", "distinct", "zeros", "negative"),
        ],
    ),
    "condition-means": Case(
        "condition-means",
        "base R",
        "ratings",
        {"measures": "z,z(z)", "condition": "marker"},
        lambda report: total(report, "long", "n", "mean", "sd_participants", "sd_trials", "min", "max"),
    ),
    "rm-anova": Case("rm-anova", "afex", "ratings", FACTORS, interaction),
    "rm-anova, items": Case("rm-anova", "afex", "ratings", {**FACTORS, "unit": "item"}, interaction),
    "contrasts": Case(
        "rm-anova",
        "afex + emmeans",
        "ratings",
        {**FACTORS, "contrasts": "marker: first"},
        lambda report: [*interaction(report), *total(report, "contrasts", "estimate", "t", "p_holm", "ci_low")],
    ),
    "min-f": Case(
        "min-f", "afex", "ratings", FACTORS, lambda report: first(report, "minf", "f1", "f2", "minf", "df2", "p", row=2)
    ),
    "tukey, pooled": Case(
        "tukey",
        "afex + ptukey",
        "ratings",
        FACTORS,
        lambda report: [*total(report, "comparisons", "q", "p"), width(report)],
    ),
    "tukey, multivariate": Case(
        "tukey",
        "afex + emmeans",
        "ratings",
        {**FACTORS, "error": "multivariate"},
        lambda report: [*total(report, "comparisons", "se", "p"), width(report)],
    ),
    "friedman": Case(
        "friedman",
        "friedman.test, wilcox.test",
        "ratings",
        FACTORS,
        lambda report: [
            *first(report, "friedman", "chi2", "w", "f"),
            *total(report, "ranks", "mean_rank", "median"),
            float(column(report, "pairs", "rank_biserial").abs().sum()),
            *total(report, "pairs", "p_holm"),
        ],
        # Differences of means that differ by binary noise alone are ties here, as in exact arithmetic, and none in
        # wilcox.test, which moves a p in its fifth digit.
        tolerance=1e-3,
    ),
    "n-best": Case(
        "n-best",
        "base R",
        "ratings",
        {"dv": "z", "condition": "marker,order"},
        lambda report: [
            *first(report, "nbest", "mean", "sd"),
            *largest(report, "fixed", "mean", "best"),
            *largest(report, "levels", "mean"),
        ],
    ),
    "correlation": Case(
        "correlation",
        "cor.test",
        "ratings",
        {"x": "z", "y": "words", "unit": "item"},
        lambda report: [*first(report, "correlation", "r", "p", "ci_low"), *total(report, "values", "x")],
    ),
    "proportions": Case(
        "proportions",
        "prop.test, fisher.test, mcnemar.test",
        "answers",
        {"success": "y,v"},
        lambda report: [
            *first(report, "ztest", "z", "ci_low", "p_fisher"),
            *first(report, "groups", "ci_low"),
            *first(report, "mcnemar", "p", "chi2", "p_corrected"),
        ],
    ),
    "incidence": Case(
        "incidence",
        "base R",
        "answers",
        {"codes": "codes", "by": "marker"},
        lambda report: [
            *total(report, "incidence", "0", "3", "score", "score_sd"),
            *total(report, "by_code", "low"),
            *total(report, "scores", "score"),
        ],
    ),
    "agreement": Case(
        "agreement",
        "psych",
        "codings",
        {"unit": "unit", "coder": "coder", "code": "code"},
        lambda report: [*first(report, "agreement", "alpha"), *total(report, "agreement", "raw", "kappa")],
    ),
    "robustness": Case(
        "robustness",
        "afex",
        "answers",
        {"dv": "rating", "within": "marker,order", "standard": "20", "exclusion": "x>2"},
        lambda report: total(report, "robustness", "f1", "f2", "minf", "ges"),
    ),
    "logistic": Case(
        "logistic",
        "glm",
        "answers",
        {"outcome": "y", "blocks": "x|marker", "positive": "1"},
        lambda report: [
            *total(report, "blocks", "minus2ll", "step_chi2", "nagelkerke", "mcfadden", "fit_accuracy", "auc"),
            *total(report, "coefficients", "b", "se", "wald", "or_low"),
            *total(report, "terms", "chi2"),
        ],
    ),
}
