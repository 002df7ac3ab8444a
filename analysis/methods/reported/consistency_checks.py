"""Check a reported result: does p follow from the statistic and its degrees of freedom?

| test | p (two-tailed) |
|---|---|
| F | P(F(df1, df2) > F) |
| t | 2 P(t(df) > abs t) |
| χ² | P(χ²(df) > χ²) |
| z | 2 P(Z > abs z) |
| r | that of t = r √(df / (1 − r²)) |
| q | P(studentised range of df1 means, df2 > q) |

The idea is that of statcheck (Nuijten, Hartgerink, van Assen, Epskamp & Wicherts 2016, Behavior Research Methods 48).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import scipy

from analysis.methods.conditions.studentised_range import upper_tail
from analysis.methods.reported.consistency_results import COMMA, Printed, Result
from analysis.methods.wording import counted, df_text, number_text, share_text

TINY = 1e-12
NO_P = "No p is reported."
ZERO_P = "No p is exactly 0; write p < .001."
MOST_SWAPPED = 300
MOST_MEANS = 1000


@dataclass(frozen=True)
class Check:
    """A result with what was recomputed; None where it cannot be said.

    `low` and `high` bound p over everything that the printed statistic may stand for.
    """

    result: Result
    p: float | None
    low: float | None
    high: float | None
    consistent: bool | None
    decision_error: bool | None
    remark: str


def checked(result: Result, *, alpha: float, one_tailed: bool) -> Check:
    """Recompute the p of one result and compare it with the reported one, as exactly as both are printed.

    >>> result = Result("a", "F1", "F", 1.0, 49.0, Printed.of("5.19"), Printed.of(".017"))
    >>> check = checked(result, alpha=0.05, one_tailed=False)
    >>> round(check.p, 4), check.consistent, check.decision_error
    (0.0271, False, False)
    """
    if result.otherwise:
        return _in_some_reading(result, alpha=alpha, one_tailed=one_tailed)
    fault = _fault(result)
    remarks = [text for text in (_zero(result), _people(result)) if text]
    if fault or result.statistic is None:
        return Check(result, None, None, None, None, None, " ".join([fault, *remarks]))
    p, low, high = _bounds(result, result.statistic, one_tailed=one_tailed)
    if result.p is None:
        return Check(result, p, low, high, None, None, " ".join([NO_P, *remarks]))
    if not 0 <= result.p.value <= 1:
        return Check(result, p, low, high, False, None, " ".join(["A p lies between 0 and 1.", *remarks]))
    consistent = agrees(result.p, low=low, high=high)
    error = not consistent and _other_side(result.p, low=low, high=high, alpha=alpha)
    if not consistent and not one_tailed and result.kind in ("t", "z", "r"):
        _, low_half, high_half = _bounds(result, result.statistic, one_tailed=True)
        if agrees(result.p, low=low_half, high=high_half):
            remarks.insert(0, "Consistent if the test was one-tailed.")
    return Check(result, p, low, high, consistent, error, " ".join(remarks))


def _in_some_reading(result: Result, *, alpha: float, one_tailed: bool) -> Check:
    """Check a result whose commas may be read in several ways: by the first that is consistent, else the first.

    Where that takes a comma for a decimal one, it is named, and nothing is computed.
    """
    readings = (replace(result, otherwise=()), *result.otherwise)
    checks = [checked(reading, alpha=alpha, one_tailed=one_tailed) for reading in readings]
    found = next((check for check in checks if check.consistent), checks[0])
    if found.result.statistic == result.statistic:
        return found
    unread = replace(result, otherwise=(), statistic=None, p=None, fault=COMMA)
    return checked(unread, alpha=alpha, one_tailed=one_tailed)


def agrees(reported: Printed, *, low: float, high: float) -> bool:
    """Return whether some p between `low` and `high` would be printed as reported."""
    if reported.relation == "<":
        return low < reported.value or reported.value == high == 0.0
    if reported.relation == ">":
        return high > reported.value or reported.value == low == 1.0
    return low <= reported.value + reported.half + TINY and high >= reported.value - reported.half - TINY


def swapped(checks: Sequence[Check]) -> list[tuple[Check, Check]]:
    """Return pairs of inconsistent results that are both consistent with their p values exchanged."""
    wrong = [check for check in checks if check.consistent is False and check.p is not None]
    found: list[tuple[Check, Check]] = []
    taken: set[int] = set()
    if len(wrong) > MOST_SWAPPED:
        return []
    for (i, first), (j, second) in combinations(enumerate(wrong), 2):
        if not taken & {i, j} and _fits(first, second) and _fits(second, first):
            taken |= {i, j}
            found.append((first, second))
    return found


def described(result: Result) -> str:
    """Return a result as it is printed, without its p.

    >>> described(Result("a", "F1", "F", 3.0, 147.0, Printed.of("3.48"), None))
    'F1(3, 147) = 3.48'
    """
    dfs = ", ".join(df_text(df) for df in (result.df1, result.df2) if df is not None)
    inside = f"({dfs})" if dfs else ""
    if result.statistic is None:
        return f"{result.test}{inside}"
    places = min(6, max(0, round(-math.log10(2 * result.statistic.half)))) if result.statistic.half > 0 else 2
    text = (share_text if result.kind == "r" else number_text)(result.statistic.value, places=places)
    return f"{result.test}{inside} {result.statistic.relation} {text}"


def reported_text(p: Printed) -> str:
    """Return a p as it was reported.

    >>> reported_text(Printed.of(".017")), reported_text(Printed.of("0.001", relation="<"))
    ('p = .017', 'p < .001')
    """
    places = min(6, round(-math.log10(2 * p.half))) if 0 < p.half < 0.5 else 2
    return f"p {p.relation} {share_text(p.value, places=places)}"


def _bounds(result: Result, statistic: Printed, *, one_tailed: bool) -> tuple[float, float, float]:
    size = abs(statistic.value)
    p = _tail(result, size, one_tailed=one_tailed)
    least, most = (
        _tail(result, bound, one_tailed=one_tailed)
        for bound in (size + statistic.half, max(0.0, size - statistic.half))
    )
    if statistic.relation == "<":
        return p, least, 1.0
    if statistic.relation == ">":
        return p, 0.0, most
    return p, least, most


def _tail(result: Result, size: float, *, one_tailed: bool) -> float:
    df1, df2 = result.df1 or 0.0, result.df2 or 0.0
    sides = 1 if one_tailed else 2
    match result.kind:
        case "F":
            return float(scipy.stats.f.sf(size, df1, df2))
        case "χ²":
            return float(scipy.stats.chi2.sf(size, df1 or df2))
        case "z":
            return float(sides * scipy.stats.norm.sf(size))
        case "t":
            return float(sides * scipy.stats.t.sf(size, df1 or df2))
        case "r":
            if size >= 1:
                return 0.0
            df = df1 or df2
            return float(sides * scipy.stats.t.sf(size * math.sqrt(df / (1 - size**2)), df))
        case _:
            return float(upper_tail(min(size, 1e6), k=round(df1), df=df2))


def _fault(result: Result) -> str:
    """Say why no p can be computed, or nothing."""
    if result.fault:
        return result.fault
    if result.kind is None:
        return f"'{result.test}' is none of F, t, χ², z, r and q."
    if result.statistic is None:
        return "The statistic is missing."
    given = [df for df in (result.df1, result.df2) if df is not None]
    needed = {"F": 2, "q": 2, "z": 0}.get(result.kind, 1)
    if len(given) < needed:
        return "The degrees of freedom are missing." if needed == 1 else "Two degrees of freedom are needed."
    if needed == 1 and len(given) > 1:
        return f"{result.test} has one number of degrees of freedom; is there a decimal comma? Write it with a point."
    if needed and any(not 0 < df < 1e9 for df in given):
        return "Degrees of freedom are numbers above 0."
    if result.kind in ("F", "χ²", "q") and result.statistic.value < 0:
        return f"{result.test} cannot be negative."
    if result.kind == "r" and abs(result.statistic.value) > 1:
        return "A correlation lies between −1 and 1."
    if result.kind == "q" and (round(given[0]) != given[0] or not 2 <= given[0] <= MOST_MEANS):
        return "The first number of q is how many means are compared, 2 or more."
    if result.kind == "q" and given[1] < 1:
        return "The error degrees of freedom of q are 1 or more."
    return ""


def _zero(result: Result) -> str:
    """Say that a p was printed as .000, which is how programs print what is too small for their places."""
    return ZERO_P if result.p is not None and result.p.relation == "=" and result.p.value == 0 else ""


def _people(result: Result) -> str:
    """Say where degrees of freedom do not go with the number of participants."""
    if result.n is None or result.df1 is None or _of_items(result.test):
        return ""
    people = counted(result.n, "participant")
    if result.kind == "F" and result.df2 is not None and result.df1 > 0:
        each = result.df2 / result.df1
        if each > result.n - 1 + 1e-9:
            return (
                f"{df_text(result.df2)} error degrees of freedom for {df_text(result.df1)} need at least "
                f"{math.ceil(each - 1e-9) + 1:,} participants; there were {result.n:,}."
            )
    if result.kind == "t" and result.df1 > result.n - 1:
        return f"t with {df_text(result.df1)} degrees of freedom needs more than {people}."
    if result.kind == "r" and abs(result.df1 - (result.n - 2)) > 1e-9:
        return f"A correlation over {people} has {result.n - 2} degrees of freedom, not {df_text(result.df1)}."
    return ""


def _of_items(test: str) -> bool:
    """Return whether a test is one over items (F2, t2) or over both (minF′), whose df do not count participants."""
    name = test.casefold()
    return (name.endswith("2") and name[:1] in "ft") or name.startswith("min")


def _other_side(reported: Printed, *, low: float, high: float, alpha: float) -> bool:
    """Return whether the recomputed p is surely on the other side of α than the reported one."""
    if reported.relation == "=":
        significant = reported.value <= alpha
    elif reported.relation == "<" and reported.value <= alpha:
        significant = True
    elif reported.relation == ">" and reported.value >= alpha:
        significant = False
    else:
        return False
    return low > alpha if significant else high <= alpha


def _fits(check: Check, other: Check) -> bool:
    reported = other.result.p
    if reported is None or check.low is None or check.high is None or not 0 <= reported.value <= 1:
        return False
    return agrees(reported, low=check.low, high=check.high)
