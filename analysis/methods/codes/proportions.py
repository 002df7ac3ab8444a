"""Two proportions: pooled z-test, interval of the difference, McNemar's test where the same unit has both."""

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
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.proportion_intervals import wilson
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.wording import counted, number_text, p_text, share_text


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
    progress: Progress = no_progress,
) -> Report:
    """Compare two proportions.

    Either `success` (a column of 0/1 or true/false) and `group` (a column; `levels` picks two of its levels,
    `a+b,c+d` merges some), or two success columns without a group (two things that may hold of the same row), or
    `counts` such as `12/40,25/41` or `because:12/40,cause:25/41`, for which the data are not read.

    Table `ztest`: a, b, p_a, n_a, p_b, n_b, z, p, ci_low, ci_high, diff, successes_a, successes_b, p_fisher,
    odds_ratio, or_low, or_high (95 %, Woolf 1955: ln OR ± 1.96 √(Σ 1/count); empty where a count is 0); table
    `groups`: group, p, ci_low, ci_high (Wilson), successes, n. z = (p_a − p_b) / √(p(1 − p)(1/n_a +
    1/n_b)) with p pooled, two-sided; its square is Pearson's χ² without correction. Where nothing or everything
    succeeded in both groups, z = 0/0 is not defined: it is empty and a warning says so. The interval of p_a − p_b is
    Newcombe's (1998, *Statistics in Medicine* 17, 873–890, method 10) or Wald's; Fisher's exact p stands beside.
    Where `unit` names what was measured in both groups, or two columns of one row are compared, table `mcnemar`: a, b,
    n (pairs), both, only_a, only_b, neither, odds_ratio (only_a / only_b), p of the exact test of McNemar (1947,
    *Psychometrika* 12, 153–157) on the discordant pairs; chi2 = (only_a − only_b)² / (only_a + only_b) with p_chi2,
    and chi2_corrected with p_corrected (continuity correction of Edwards) are its approximations.

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
        if success or group:
            raise BadInput("Give either counts or columns (success, group), not both.")
        a, b = shares_of_counts(counts)
    else:
        if not success:
            raise BadInput("Give a success column (and a group), or counts such as 12/40,25/41.")
        chosen = rows.select(frame, used=(*success, group, unit), measured=success, where=where, keep=keep)
        notes.extend(chosen.notes)
        warnings.extend(chosen.warnings)
        a, b, pairs = shares_of_columns(
            chosen.frame, success=success, group=group, picked=levels, unit=unit, notes=notes, warnings=warnings
        )
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
    each = [(share.name, share.p, *wilson(share.successes, share.n), share.successes, share.n) for share in (a, b)]
    if np.isnan(z):
        extreme = "No observation" if a.successes == 0 else "Every observation"
        warnings.append(
            f"{extreme} was a success in either group ({a.successes}/{a.n} against {b.successes}/{b.n}), so z is 0/0 "
            f"and not defined; there is no difference to test, and the interval says how large one could still be."
        )
        tested = "z not defined"
    else:
        tested = f"z = {number_text(z)}, {p_text(p)}"
    expected = [share.n * rate for share in (a, b) for rate in _expected(a, b)]
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
    tables = [
        Table.from_rows("ztest", "Two proportions", _COLUMNS, [row]),
        Table(
            "groups",
            "Proportions with Wilson's 95 % intervals",
            (
                Column("group", "Group", "text"),
                Column("p", "Proportion", "share"),
                Column("ci_low", "95 % CI from", "share"),
                Column("ci_high", "95 % CI to", "share"),
                Column("successes", "Successes", "integer"),
                Column("n", "n", "integer"),
            ),
            tuple(each),
        ),
    ]
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


def _expected(a: Share, b: Share) -> tuple[float, float]:
    pooled = (a.successes + b.successes) / (a.n + b.n)
    return pooled, 1 - pooled


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
        "neither": neither, "odds_ratio": ratio, "p": p,
    }  # fmt: skip
    row |= mcnemar_approximations(only_a, only_b)
    columns = (
        Column("a", "A", "text"),
        Column("b", "B", "text"),
        Column("n", "Pairs", "integer"),
        Column("both", "Both", "integer"),
        Column("only_a", "Only A", "integer"),
        Column("only_b", "Only B", "integer"),
        Column("neither", "Neither", "integer"),
        Column("odds_ratio", "Odds ratio (only A / only B)"),
        Column("p", "Exact p", "p"),
        Column("chi2", "χ²", "statistic"),
        Column("p_chi2", "p of χ²", "p"),
        Column("chi2_corrected", "χ², corrected", "statistic"),
        Column("p_corrected", "p of corrected χ²", "p"),
    )
    sentence = (
        f"Of {counted(int(pairs.sum()), 'pair')}, {only_a} succeeded only for {a.name} and {only_b} only for {b.name} "
        f"(exact McNemar test, {p_text(p)})."
    )
    return Table.from_rows("mcnemar", "McNemar's exact test of pairs", columns, [row]), sentence


_COLUMNS = (
    Column("a", "A", "text"),
    Column("b", "B", "text"),
    Column("p_a", "Proportion A", "share"),
    Column("n_a", "n A", "integer"),
    Column("p_b", "Proportion B", "share"),
    Column("n_b", "n B", "integer"),
    Column("z", "z", "statistic"),
    Column("p", "p", "p"),
    Column("ci_low", "95 % CI from", "share"),
    Column("ci_high", "95 % CI to", "share"),
    Column("diff", "Difference", "share"),
    Column("successes_a", "Successes A", "integer"),
    Column("successes_b", "Successes B", "integer"),
    Column("p_fisher", "Fisher's exact p", "p"),
    Column("odds_ratio", "Odds ratio"),
    Column("or_low", "OR CI low"),
    Column("or_high", "OR CI high"),
)


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
    "Pooled z-test with an interval of the difference; McNemar's test where the same unit has both.",
    proportions,
    Parameter("success", "Success", "columns", role="measure", help="0 and 1; two columns compare the same rows."),
    Parameter("group", "Groups", "column", role="factor", help="Two levels, or pick them with levels.", also=("by",)),
    Parameter("levels", "Levels to compare", "text", help="a,b picks two levels; a+b,c+d merges levels."),
    Parameter("counts", "Counts instead of columns", "text", help="Such as 12/40,25/41."),
    Parameter("unit", "Unit in both groups", "column", role="unit", help="Adds McNemar's exact test of pairs."),
    Parameter("ci", "Interval of the difference", "choice", choices=tuple(INTERVALS)),
    example=_example,
)
