"""Compare two proportions: pooled z test, interval of the difference, McNemar's test of pairs (`proportions`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.methods.codes.proportion_data import shares_of_columns, shares_of_counts
from analysis.methods.codes.proportion_tests import (
    INTERVALS,
    Share,
    difference_interval,
    mcnemar_approximations,
    z_test,
)
from analysis.methods.columns import declared_table, usual
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.parameters import as_names
from analysis.methods.proportion_intervals import with_wilson
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.wording import counted, listed, number_text, p_text, share_text

ZTEST = declared_table(
    "ztest",
    "Two proportions",
    "Pooled two-sided z test, interval of the difference, Fisher's exact test and odds ratio (95 %).",
    usual("a", "A", "The first group."),
    usual("b", "B", "The second group."),
    Column("p_a", "Proportion A", "share", meaning="Successes of the first group over its n."),
    Column("n_a", "n A", "integer", meaning="Observations of the first group."),
    Column("p_b", "Proportion B", "share", meaning="Successes of the second group over its n."),
    Column("n_b", "n B", "integer", meaning="Observations of the second group."),
    usual("z", meaning="Empty where nothing or everything succeeded in both groups."),
    "p",
    Column("ci_low", "95 % CI from", "share", meaning="Lower end of the interval of the difference."),
    Column("ci_high", "95 % CI to", "share", meaning="Upper end of the interval of the difference."),
    Column("diff", "Difference", "share", meaning="p_a − p_b."),
    Column("successes_a", "Successes A", "integer", meaning="Successes of the first group."),
    Column("successes_b", "Successes B", "integer", meaning="Successes of the second group."),
    Column("p_fisher", "Fisher's exact p", "p", meaning="Two-sided."),
    Column("odds_ratio", "Odds ratio", meaning="Empty where a count is 0."),
    Column("or_low", "OR CI low", meaning="Lower end of its interval (Woolf 1955)."),
    Column("or_high", "OR CI high", meaning="Upper end of its interval (Woolf 1955)."),
    key="p_a p_b z p",
    detail="successes_a successes_b p_fisher odds_ratio or_low or_high",
)
GROUPS = declared_table(
    "groups",
    "Proportions with Wilson's 95 % intervals",
    "One row per group.",
    "group",
    Column("p", "Proportion", "share", meaning="Successes over n."),
    Column("ci_low", "95 % CI from", "share"),
    Column("ci_high", "95 % CI to", "share"),
    Column("successes", "Successes", "integer", meaning="How many succeeded."),
    "n",
)
MCNEMAR = declared_table(
    "mcnemar",
    "McNemar's exact test of pairs",
    "One row: the fourfold table of pairs, the exact test of the discordant ones, and its approximations.",
    usual("a", "A", "The first group."),
    usual("b", "B", "The second group."),
    Column("n", "Pairs", "integer", meaning="How many pairs."),
    Column("both", "Both", "integer", meaning="Pairs that succeeded in both."),
    Column("only_a", "Only A", "integer", meaning="Pairs that succeeded in the first only."),
    Column("only_b", "Only B", "integer", meaning="Pairs that succeeded in the second only."),
    Column("neither", "Neither", "integer", meaning="Pairs that succeeded in neither."),
    Column("odds_ratio", "Odds ratio (only A / only B)", meaning="only_a / only_b."),
    usual("p", "Exact p", "Two-sided, of the binomial distribution (McNemar 1947)."),
    usual("chi2", meaning="(only_a − only_b)² / (only_a + only_b)."),
    Column("p_chi2", "p of χ²", "p", meaning="p of that χ²."),
    Column("chi2_corrected", "χ², corrected", "statistic", meaning="With Edwards's correction for continuity."),
    Column("p_corrected", "p of corrected χ²", "p", meaning="p of that χ²."),
    when="where `unit` names what both groups have, or two columns of one row are compared",
)


def proportions(
    frame: pd.DataFrame,
    *,
    success: tuple[str, ...] = (),
    group: str | None = None,
    levels: str | None = None,
    counts: str | None = None,
    unit: str | None = None,
    ci: str = "newcombe",
    where: str | None = None,
    keep: str | None = None,
    positive: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare two proportions.

    Either `success` (a column of 0/1 or true/false, or of other values of which `positive` names those that count as
    success) and `group` (a column; `levels` picks two of its levels,
    `a+b,c+d` merges some), or two success columns without a group (two things that may hold of the same row), or
    `counts` such as `12/40,25/41` or `because:12/40,cause:25/41`, for which the data are not read.

    z = (p_a − p_b) / √(p(1 − p)(1/n_a + 1/n_b)) with p pooled, two-sided; its square is Pearson's χ², uncorrected.
    Where nothing or everything succeeded in both groups, z = 0/0 is not defined: it is empty and a warning says so. The
    interval of p_a − p_b is Newcombe's (1998, *Statistics in Medicine* 17, 873–890, method 10) or Wald's. That of the
    odds ratio is Woolf's (1955): ln OR ± 1.96 √(Σ 1/count). Pairs have the exact test of McNemar (1947,
    *Psychometrika* 12, 153–157).

    Raises BadInput for other values than true and false, not exactly two groups, and counts that cannot be.

    >>> report = proportions(pd.DataFrame(), counts="56/70,48/80")
    >>> [round(value, 4) for value in report.table("ztest").rows[0][6:]][:4]
    [2.6502, 0.008, 0.0524, 0.3339]
    """
    if ci not in INTERVALS:
        raise BadInput(f"ci must be newcombe or wald, not '{ci}'.")
    notes: list[str] = []
    warnings: list[str] = []
    pairs: npt.NDArray[np.int64] | None = None
    if counts:
        if success or group or positive:
            raise BadInput("Give either counts or columns (success, group, positive), not both.")
        a, b = shares_of_counts(counts)
    else:
        if not success:
            raise BadInput("Give a success column (and a group), or counts such as 12/40,25/41.")
        chosen = rows.select(frame, used=(*success, group, unit), measured=success, where=where, keep=keep)
        notes.extend(chosen.notes)
        warnings.extend(chosen.warnings)
        a, b, pairs = shares_of_columns(
            chosen.frame, success=success, group=group, picked=levels, unit=unit, notes=notes, warnings=warnings,
            positive=positive,
        )  # fmt: skip
        if positive:
            notes.append(f"In {listed(success)}, {listed(as_names(positive))} counts as success, other values do not.")
    return _report(a, b, pairs=pairs, ci=ci, unit=unit, notes=notes, warnings=warnings)


def _report(
    a: Share,
    b: Share,
    *,
    pairs: npt.NDArray[np.int64] | None,
    ci: str,
    unit: str | None,
    notes: list[str],
    warnings: list[str],
) -> Report:
    z, p = z_test(a, b)
    low, high = difference_interval(a, b, ci)
    fisher = float(
        scipy.stats.fisher_exact(np.array([[a.successes, a.n - a.successes], [b.successes, b.n - b.successes]]))[1]
    )
    groups = [
        {**vars(share), "group": share.name, **with_wilson(share.successes, share.n, "p ci_low ci_high")}
        for share in (a, b)
    ]
    if np.isnan(z):
        extreme = "No observation" if a.successes == 0 else "Every observation"
        warnings.append(
            f"{extreme} was a success in either group ({a.successes}/{a.n} against {b.successes}/{b.n}), so z is 0/0 "
            f"and not defined; there is no difference to test, and the interval says how large one could still be."
        )
        tested = "z not defined"
    else:
        tested = f"z = {number_text(z)}, {p_text(p)}"
    pooled = (a.successes + b.successes) / (a.n + b.n)
    expected = [share.n * rate for share in (a, b) for rate in (pooled, 1 - pooled)]
    if not np.isnan(z) and min(expected) < 5:
        warnings.append("An expected count is below 5, so the normal approximation is poor; prefer Fisher's exact p.")
    notes.append(
        f"Two-sided z-test of two proportions with the pooled standard error, no continuity correction; the 95 % "
        f"interval of the difference is {INTERVALS[ci]}."
    )
    sentences = [
        f"The proportion was {share_text(a.p)} ({a.successes}/{a.n}) for {a.name} and {share_text(b.p)} "
        f"({b.successes}/{b.n}) for {b.name}, {tested}, difference {share_text(a.p - b.p)}, "
        f"95 % CI [{share_text(low)}, {share_text(high)}]."
    ]
    row = {
        "a": a.name, "b": b.name, "p_a": a.p, "n_a": a.n, "p_b": b.p, "n_b": b.n, "z": z, "p": p, "ci_low": low,
        "ci_high": high, "diff": a.p - b.p, "successes_a": a.successes, "successes_b": b.successes, "p_fisher": fisher,
        **_odds_ratio(a, b),
    }  # fmt: skip
    tables = [ZTEST.of([row]), GROUPS.of(groups)]
    if pairs is not None:
        warnings.append(
            f"{a.name} and {b.name} were observed in the same {'rows' if unit is None else unit}. The z-test and its "
            f"interval assume independent samples, which these are not; report McNemar's test instead."
        )
        table, sentence = _mcnemar(pairs, a, b, warnings)
        tables.append(table)
        sentences.append(sentence)
    return Report(
        tables=tuple(tables),
        figures=(
            Figure(
                name="proportions",
                title="Two proportions",
                kind="bars",
                table="groups",
                encoding={"x": "group", "y": "p", "low": "ci_low", "high": "ci_high"},
                caption="Wilson's 95 % intervals.",
                y_label="Proportion",
            ),
        ),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=tuple(sentences),
    )


def _odds_ratio(a: Share, b: Share) -> dict[str, float]:
    counts = np.array([a.successes, a.n - a.successes, b.successes, b.n - b.successes], dtype=np.float64)
    if not counts.all():
        return {}
    centre = float(np.log(counts[0] * counts[3] / (counts[1] * counts[2])))
    half = float(scipy.special.ndtri(0.975) * np.sqrt((1 / counts).sum()))
    low, ratio, high = np.exp([centre - half, centre, centre + half])
    return {"odds_ratio": float(ratio), "or_low": float(low), "or_high": float(high)}


def _mcnemar(pairs: npt.NDArray[np.int64], a: Share, b: Share, warnings: list[str]) -> tuple[Table, str]:
    both, only_a, only_b, neither = (int(count) for count in pairs)
    discordant = only_a + only_b
    p = float(scipy.stats.binomtest(only_a, discordant).pvalue) if discordant else float("nan")
    if not discordant:
        warnings.append(
            "Every unit had the same outcome in both groups, so McNemar's test has no discordant pair and no p."
        )
    ratio = only_a / only_b if only_b else float("nan")
    row = {
        "a": a.name, "b": b.name, "n": int(pairs.sum()), "both": both, "only_a": only_a, "only_b": only_b,
        "neither": neither, "odds_ratio": ratio, "p": p, **mcnemar_approximations(only_a, only_b),
    }  # fmt: skip
    sentence = (
        f"Of {counted(int(pairs.sum()), 'pair')}, {only_a} succeeded only for {a.name} and {only_b} only for {b.name} "
        f"(exact McNemar test, {p_text(p)})."
    )
    return MCNEMAR.of([row]), sentence


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    made = [
        {"participant": f"P{person}", "item": f"I{item}", "marker": marker, "garbled": int((person * item) % 7 < limit)}
        for person in range(1, 9)
        for item, marker, limit in ((1, "because", 4), (2, "because", 3), (3, "cause", 1), (4, "cause", 2))
    ]
    return pd.DataFrame(made), {"success": "garbled", "group": "marker"}


METHOD = declared(
    "proportions",
    "Two proportions",
    "Pooled z-test with an interval of the difference; McNemar's test if the same unit has both.",
    proportions,
    Parameter("success", "Success", "columns", role="measure", help="A column of 0 and 1; two "
              "columns are compared row by row."),
    Parameter("group", "Groups", "column", role="factor", help="A column with two levels; if it has "
              "more, choose the levels to compare.", also=("by",)),
    Parameter("levels", "Levels to compare", "text", help="a,b chooses two levels; a+b,c+d merges levels."),
    Parameter("counts", "Counts instead of columns", "text", help="Such as 12/40,25/41."),
    Parameter("unit", "Unit in both groups", "column", role="unit", help="Adds McNemar's exact test of pairs."),
    Parameter("positive", "Values that count as success", "text", help="If the column has values "
              "other than 0 and 1: such as left, or left,right."),
    Parameter("ci", "Interval of the difference", "choice", choices=tuple(INTERVALS)),
    group="compare",
    question=(
        "Is {measure} equally frequent across {factors}?",
        "Which is more frequent: {measure}?",
        "Is one of two answers more frequent, or one answer in one of two groups?",
    ),
    needs=("categories",),
    example=_example,
    tables=(ZTEST, GROUPS, MCNEMAR),
)  # fmt: skip
