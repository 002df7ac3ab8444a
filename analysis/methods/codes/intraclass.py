"""Compute intraclass correlations (ICC) of ratings with their F tests and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.columns import USUAL, declared_table, shares
from analysis.methods.report import Column
from analysis.methods.wording import counted, listed

ICC_COLUMNS = (
    Column("type", "Type", "text", meaning="ICC(1), ICC(2), ICC(3), and of the mean of k ratings: ICC(1,k) and so on."),
    Column("n", "Units", "integer", meaning="How many units were rated."),
    Column("k", "Ratings per unit", meaning="Adjusted for how much they vary where units differ in it."),
    Column("icc", "ICC", "share", meaning="The intraclass correlation."),
    USUAL["f"],
    USUAL["df1"],
    USUAL["df2"],
    USUAL["p"],
    *shares("ci_low ci_high"),
)
ICC = declared_table(
    "icc",
    "Intraclass correlations",
    "One row per form (Shrout & Fleiss 1979): ICC(1) of units rated by other people each, ICC(2) of raters who are a "
    "sample, ICC(3) of these raters alone.",
    ICC_COLUMNS,
    when="with `metric=interval` or `ratio`",
)
NOISE = 1e-12


@dataclass(frozen=True)
class Intraclass:
    """Lines of a table with the columns of `ICC_COLUMNS`, and what to say about them."""

    rows: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def one_way(values: Floats, units: Integers, *, confidence: float = 0.95) -> Intraclass:
    """Return ICC(1) and ICC(1,k) of ratings, one value and the number of its unit each.

    With mean squares between and within units, ICC(1) = (MS_b − MS_w)/(MS_b + (k − 1) MS_w) and
    ICC(1,k) = (MS_b − MS_w)/MS_b; intervals from F (Shrout & Fleiss 1979). Where units have different numbers of
    ratings, k is (N − Σ n²/N)/(units − 1), and the intervals are approximate.

    >>> ratings = np.array([9.0, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7])
    >>> [round(row["icc"], 4) for row in one_way(ratings, np.arange(6).repeat(4)).rows]
    [0.1657, 0.4428]
    """
    _, positions = np.unique(units, return_inverse=True)
    counts = np.bincount(positions).astype(np.float64)
    n, total = len(counts), float(counts.sum())
    if n < 2 or total <= n:
        return Intraclass((), warnings=("An ICC needs at least two units, and a unit with two ratings.",))
    values = _centred(values)
    means = np.bincount(positions, weights=values) / counts
    within = float(((values - means[positions]) ** 2).sum()) / (total - n)
    between = float((counts * means**2).sum()) / (n - 1)
    k = (total - float((counts**2).sum()) / total) / (n - 1)
    notes = []
    if np.ptp(counts) > 0:
        notes.append(
            f"Units have {int(counts.min())} to {int(counts.max())} ratings; the k of ICC(1) is {k:.2f}, their mean "
            f"adjusted for how much they vary, and its interval is approximate."
        )
    rows, warnings = _from_f(
        ("ICC(1)", "ICC(1,k)"), between, within, k=k, n=n, df2=total - n, confidence=confidence, of="ratings"
    )
    return Intraclass(tuple(rows), tuple(notes), tuple(warnings))


def intraclass(ratings: Floats, *, confidence: float = 0.95) -> Intraclass:
    """Return all six forms for `ratings[unit, rater]`, NaN where a rater did not rate a unit.

    ICC(2) = (MS_b − MS_e)/(MS_b + (k − 1) MS_e + k (MS_r − MS_e)/n) and ICC(3) = (MS_b − MS_e)/(MS_b + (k − 1) MS_e)
    are those of the units that every rater rated, from a two-way analysis of variance; ICC(1) is that of all ratings
    (see `one_way`). Intervals: Shrout & Fleiss (1979). The values are those of `psych::ICC(lmer = FALSE)` in R.

    >>> of_judges = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7.0]])
    >>> [round(row["icc"], 2) for row in intraclass(of_judges.T).rows]
    [0.17, 0.44, 0.29, 0.62, 0.71, 0.91]
    """
    units, raters = np.nonzero(~np.isnan(ratings))
    first = one_way(ratings[units, raters], units.astype(np.intp), confidence=confidence)
    if not first.rows:
        return first
    complete = ratings[~np.isnan(ratings).any(axis=1)]
    n = len(complete)
    if n < 2:
        return Intraclass(
            first.rows,
            (*first.notes, "ICC(2) and ICC(3) need at least two units that every rater rated, and are not given."),
            first.warnings,
        )
    notes = list(first.notes)
    left_out = len(np.unique(units)) - n
    if left_out:
        notes.append(
            f"ICC(2) and ICC(3) are those of the {counted(n, 'unit')} that every rater rated; {left_out:,} others have "
            f"a part in ICC(1) only."
        )
    second, warnings = _two_way(_centred(complete), confidence=confidence)
    return Intraclass((*first.rows, *second), tuple(notes), tuple(dict.fromkeys((*first.warnings, *warnings))))


def _centred(values: Floats) -> Floats:
    # The mean of equal numbers may differ from them in the last digit.
    return values - values.mean() if np.ptp(values) > 0 else np.zeros_like(values)


def _two_way(ratings: Floats, *, confidence: float) -> tuple[list[dict[str, Any]], list[str]]:
    n, k = ratings.shape
    of_units, of_raters = ratings.mean(axis=1), ratings.mean(axis=0)
    between = k * float((of_units**2).sum()) / (n - 1)
    raters = n * float((of_raters**2).sum()) / (k - 1)
    error = float(((ratings - of_units[:, None] - of_raters[None, :]) ** 2).sum()) / ((n - 1) * (k - 1))
    df2 = (n - 1) * (k - 1)
    third, warnings = _from_f(
        ("ICC(3)", "ICC(3,k)"), between, error, k=k, n=n, df2=df2, confidence=confidence, of="residuals"
    )
    empty = {"icc": None, "ci_low": None, "ci_high": None}
    second = [{**row, "type": row["type"].replace("3", "2"), **empty} for row in third]
    spread = raters - error
    below = (between + (k - 1) * error + k * spread / n, between + spread / n)
    for row, divisor in zip(second, below, strict=True):
        if divisor > NOISE * (between + raters):
            row["icc"] = (between - error) / divisor
    undefined = [row["type"] for row in second if row["icc"] is None]
    if undefined and between + error > 0:
        warnings.append(
            f"{listed(undefined)} {'is' if len(undefined) == 1 else 'are'} not defined: units and raters differ so "
            f"much less than residuals that the estimate of the whole variance is not above zero."
        )
    if min(between, error) > NOISE * (between + raters + error) and second[0]["icc"] is not None:
        low, high = _second_interval(second[0]["icc"], between, raters, error, n=n, k=k, confidence=confidence)
        second[0] |= {"ci_low": low, "ci_high": high}
        if second[1]["icc"] is not None and 1 + low * (k - 1) > NOISE:
            second[1] |= {"ci_low": _stepped_up(low, k), "ci_high": _stepped_up(high, k)}
    return [*second, *third], warnings


def _from_f(
    names: tuple[str, str], between: float, error: float, *, k: float, n: int, df2: float, confidence: float, of: str
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the lines of one and of k ratings whose F is between/error."""
    rows: list[dict[str, Any]] = [{"type": name, "n": n, "k": k, "df1": n - 1, "df2": df2} for name in names]
    if between + error == 0:
        why = "all ratings are equal" if of == "ratings" else "every rater rated all units alike"
        return rows, [f"{names[0]} is not defined: {why}."]
    if error <= NOISE * between:
        rows[0]["icc"] = rows[1]["icc"] = 1.0
        return rows, [
            f"{names[0]} is 1 without an interval: the {of} of a unit do not differ at all, so F is infinite."
        ]
    rows[0]["icc"] = (between - error) / (between + (k - 1) * error)
    warnings = []
    if between > NOISE * error:
        rows[1]["icc"] = (between - error) / between
    else:
        warnings.append(f"{names[1]} is not defined: the means of all units are equal.")
    f = between / error
    tail = (1 - confidence) / 2
    low = f / float(scipy.stats.f.isf(tail, n - 1, df2))
    high = f * float(scipy.stats.f.isf(tail, df2, n - 1))
    for row in rows:
        row |= {"f": f, "p": float(scipy.stats.f.sf(f, n - 1, df2))}
    rows[0] |= {"ci_low": (low - 1) / (low + k - 1), "ci_high": (high - 1) / (high + k - 1)}
    if low > NOISE:
        rows[1] |= {"ci_low": 1 - 1 / low, "ci_high": 1 - 1 / high}
    return rows, warnings


def _second_interval(
    icc: float, between: float, raters: float, error: float, *, n: int, k: int, confidence: float
) -> tuple[float, float]:
    """Return the interval of ICC(2) with the df of Satterthwaite (Shrout & Fleiss 1979, p. 424)."""
    tail = (1 - confidence) / 2
    ratio = raters / error
    rest = n * (1 + (k - 1) * icc) - k * icc
    v = (k - 1) * (n - 1) * (k * icc * ratio + rest) ** 2 / ((n - 1) * k**2 * icc**2 * ratio**2 + rest**2)
    upper, lower = float(scipy.stats.f.isf(tail, n - 1, v)), float(scipy.stats.f.isf(tail, v, n - 1))
    shared = k * raters + (k * n - k - n) * error
    low = n * (between - upper * error) / (upper * shared + n * between)
    high = n * (lower * between - error) / (shared + n * lower * between)
    return low, high


def _stepped_up(icc: float, k: float) -> float:
    return icc * k / (1 + icc * (k - 1))
