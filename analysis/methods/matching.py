"""Whether the texts of conditions are alike: standardised differences and tests of equivalence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from analysis.methods.report import Column

Floats = npt.NDArray[np.float64]

LIST = "list"
MOST_LEVELS = 24
EQUAL, MATCHED, DIFFER, UNDECIDED, TOO_FEW = "equal", "matched", "differ", "undecided", "too few"

COLUMNS = (
    Column("list", "List", "text"),
    Column("factor", "Factor", "text"),
    Column("a", "a", "text"),
    Column("b", "b", "text"),
    Column("pair", "Pair", "text"),
    Column("measure", "Measure", "text"),
    Column("design", "Compared", "text"),
    Column("n_a", "n a", "integer"),
    Column("n_b", "n b", "integer"),
    Column("mean_a", "Mean a"),
    Column("mean_b", "Mean b"),
    Column("diff", "a − b"),
    Column("sd", "sd"),
    Column("d", "d"),
    Column("d_low", "d low"),
    Column("d_high", "d high"),
    Column("t", "t", "statistic"),
    Column("df", "df", "df"),
    Column("p", "p (difference)", "p"),
    Column("p_equivalence", "p (equivalence)", "p"),
    Column("verdict", "Verdict", "text"),
)


@dataclass(frozen=True)
class Texts:
    """Measured texts: one row each, the unit it belongs to (its item, else itself), its levels and its lists."""

    measures: pd.DataFrame
    unit: npt.NDArray[Any]
    has_items: bool
    factors: Mapping[str, npt.NDArray[Any]]
    lists: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Pair:
    """Two levels of a factor, overall (`list` empty) or within one list, with one column of unit means for each."""

    list: str
    factor: str
    a: str
    b: str
    paired: bool
    means_a: pd.DataFrame
    means_b: pd.DataFrame


def pairs(texts: Texts, measures: Sequence[str], *, factors: Mapping[str, Sequence[str]]) -> Iterator[Pair]:
    """Yield every pair of levels of every factor: over all texts, then within every list; then every pair of lists.

    `factors` are the levels to compare, in order; the factor `list` compares the lists themselves. Texts of one unit
    are averaged first. Two levels that share at least two units are compared within these, others between units.
    """
    names = list(dict.fromkeys(name for of_text in texts.lists for name in of_text))
    everything = np.ones(len(texts.unit), dtype=bool)
    scopes = [("", everything)]
    if len(names) > 1:
        scopes += [(name, np.array([name in of_text for of_text in texts.lists])) for name in names]
    for scope, rows in scopes:
        for factor, levels in factors.items():
            if factor == LIST and factor not in texts.factors:
                continue
            column = texts.factors[factor]
            of_level = {level: _unit_means(texts, measures, rows & (column == level)) for level in levels}
            for a, b in combinations(levels, 2):
                if len(of_level[a]) and len(of_level[b]):
                    yield _pair(scope, factor, a, b, of_level[a], of_level[b], texts.has_items)
    if LIST in factors and LIST not in texts.factors:
        of_list = {name: _unit_means(texts, measures, rows) for name, rows in scopes[1:]}
        for a, b in combinations(factors[LIST], 2):
            yield _pair("", LIST, a, b, of_list[a], of_list[b], texts.has_items)


def _unit_means(texts: Texts, measures: Sequence[str], rows: npt.NDArray[np.bool_]) -> pd.DataFrame:
    chosen = texts.measures.loc[rows, list(measures)].astype("float64")
    if not texts.has_items:
        return chosen
    return chosen.groupby(texts.unit[rows], sort=False).mean()


def _pair(
    scope: str, factor: str, a: str, b: str, means_a: pd.DataFrame, means_b: pd.DataFrame, has_items: bool
) -> Pair:
    shared = means_a.index.intersection(means_b.index, sort=False) if has_items else means_a.index[:0]
    if len(shared) < 2:
        return Pair(scope, factor, a, b, False, means_a, means_b)
    return Pair(scope, factor, a, b, True, means_a.loc[shared], means_b.loc[shared])


def compared(pair: Pair, measure: str, *, bound: float, alpha: float) -> dict[str, Any]:
    """Return the line of one measure for a pair of levels."""
    first, second = pair.means_a[measure].to_numpy(), pair.means_b[measure].to_numpy()
    if pair.paired:
        both = ~(np.isnan(first) | np.isnan(second))
        first, second = first[both], second[both]
    else:
        first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    line = {
        "list": pair.list,
        "factor": pair.factor,
        "a": pair.a,
        "b": pair.b,
        "pair": f"{pair.a} − {pair.b}",
        "measure": measure,
        "design": "within items" if pair.paired else "between items",
    }
    return line | difference(first, second, paired=pair.paired, bound=bound, alpha=alpha)


def difference(a: Floats, b: Floats, *, paired: bool, bound: float, alpha: float) -> dict[str, Any]:
    """Compare two groups of values: difference, its standardised size d, and two one-sided tests of equivalence.

    d = (mean a − mean b) / sd, where sd is the pooled standard deviation of the two groups (paired: the root of their
    mean variance). The interval of d is the 1 − 2α interval of the difference divided by sd. Paired differences are
    tested by t with n − 1 df, separate groups by Welch's t. p_equivalence is the larger p of the two one-sided tests
    against ±bound · sd (Schuirmann 1987, Lakens 2017). The verdict is `matched` where it is below α, else `differ`
    where p is, else `undecided`; `equal` where no value differs from its partner or any other. Where
    all differ by the same amount there is no error and no test; the amount alone decides.

    >>> line = difference(np.array([10., 12, 14, 16]), np.array([10., 12, 13, 17]), paired=True, bound=0.5, alpha=0.05)
    >>> round(line["d"], 3), round(line["p_equivalence"], 3), line["verdict"]
    (0.0, 0.021, 'matched')
    """
    line: dict[str, Any] = {"n_a": len(a), "n_b": len(b)}
    if len(a):
        line["mean_a"] = math.fsum(a) / len(a)
    if len(b):
        line["mean_b"] = math.fsum(b) / len(b)
    if len(a) < 2 or len(b) < 2:
        return line | {"verdict": TOO_FEW}
    variance_a, variance_b = _variance(a), _variance(b)
    if paired:
        changes = a - b
        diff, df = math.fsum(changes) / len(changes), float(len(changes) - 1)
        error = math.sqrt(_variance(changes) / len(changes))
        sd = math.sqrt((variance_a + variance_b) / 2)
    else:
        diff = line["mean_a"] - line["mean_b"]
        share_a, share_b = variance_a / len(a), variance_b / len(b)
        error = math.sqrt(share_a + share_b)
        df = _welch_df(share_a, share_b, len(a), len(b))
        sd = math.sqrt(((len(a) - 1) * variance_a + (len(b) - 1) * variance_b) / (len(a) + len(b) - 2))
    # Differences that are nothing but the rounding of means are none.
    grain = 1e-10 * max(abs(line["mean_a"]), abs(line["mean_b"]), 1e-300)
    diff, error, sd = (0.0 if abs(value) < grain else value for value in (diff, error, sd))
    line |= {"diff": diff, "sd": sd, "df": df}
    if sd > 0:
        line["d"] = diff / sd
    if error == 0:
        if diff == 0:
            return line | {"verdict": EQUAL}
        return line | {"verdict": MATCHED if abs(diff) < bound * sd else DIFFER}
    reach = float(stats.t.ppf(1 - alpha, df)) * error
    line |= {"t": diff / error, "p": float(2 * stats.t.sf(abs(diff) / error, df))}
    line |= {"d_low": (diff - reach) / sd, "d_high": (diff + reach) / sd}
    above, below = stats.t.sf((diff + bound * sd) / error, df), stats.t.cdf((diff - bound * sd) / error, df)
    line["p_equivalence"] = float(max(above, below))
    if line["p_equivalence"] < alpha:
        return line | {"verdict": MATCHED}
    return line | {"verdict": DIFFER if line["p"] < alpha else UNDECIDED}


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1))


def _welch_df(share_a: float, share_b: float, n_a: int, n_b: int) -> float:
    total = share_a + share_b
    if total == 0:
        return float(n_a + n_b - 2)
    return total**2 / (share_a**2 / (n_a - 1) + share_b**2 / (n_b - 1))


WORST_COLUMNS = (
    Column("factor", "Factor", "text"),
    Column("a", "a", "text"),
    Column("b", "b", "text"),
    Column("measure", "Measure", "text"),
    Column("rank", "Rank", "integer"),
    Column("item", "Item", "text"),
    Column("value_a", "Value in a"),
    Column("value_b", "Value in b"),
    Column("away", "Away (sd)"),
)


def worst(pair: Pair, line: Mapping[str, Any], *, bound: float, number: int) -> list[dict[str, Any]]:
    """Return the items that make two levels differ most: those farthest from no difference, on the side of the mean.

    Only for levels that differ, or may differ by more than the bound of equivalence.

    Compared within items, an item is away by its own difference; compared between items, by the distance of its value
    from the mean of the other level. Both are in units of `sd`.
    """
    sd, measure = line.get("sd"), line["measure"]
    if not sd or not (line["verdict"] == DIFFER or (line["verdict"] == UNDECIDED and abs(line["d"]) >= bound)):
        return []
    side = 1.0 if line["diff"] >= 0 else -1.0
    first, second = pair.means_a[measure], pair.means_b[measure]
    if pair.paired:
        rows = [
            {"item": item, "value_a": a, "value_b": b, "away": (a - b) / sd}
            for item, a, b in zip(first.index, first, second, strict=True)
            if not (math.isnan(a) or math.isnan(b))
        ]
    else:
        rows = [{"item": i, "value_a": a, "away": (a - line["mean_b"]) / sd} for i, a in first.dropna().items()]
        rows += [{"item": i, "value_b": b, "away": (line["mean_a"] - b) / sd} for i, b in second.dropna().items()]
    farthest = sorted(rows, key=lambda row: -side * row["away"])[:number]
    told = {name: line[name] for name in ("factor", "a", "b", "measure")}
    return [
        {**told, **row, "item": str(row["item"]), "rank": rank}
        for rank, row in enumerate(farthest, start=1)
        if side * row["away"] > 1e-9
    ]
