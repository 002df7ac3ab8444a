"""Test whether the texts of conditions are matched: differences, equivalence tests (TOST), and verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.report import Column, named
from analysis.methods.texts.matching_bounds import Bound, Bounds
from analysis.methods.texts.rows import TextRows

LIST = "list"
MOST_LEVELS = 24
MATCHED, ALIKE, DIFFER, UNDECIDED = "matched", "alike but surely different", "different", "not enough to tell"

WITHIN_LISTS = declared_table(
    "matching_within_lists",
    "Conditions within single lists",
    "As `matching`, within every list.",
    Column("list", "List", "text", meaning="The list."),
    "factor a b",
    Column("pair", "Pair", "text", meaning="a − b."),
    "measure",
    Column("design", "Compared", "text", meaning="Within items or between items."),
    Column("n_a", "n a", "integer", meaning="How many items or texts of `a`."),
    Column("n_b", "n b", "integer", meaning="How many items or texts of `b`."),
    usual("mean_a", "Mean a"),
    usual("mean_b", "Mean b"),
    usual("diff", "a − b"),
    usual("sd", "sd", "Pooled standard deviation; within items the root of the mean variance."),
    Column("d", "d", meaning="diff / sd."),
    Column("d_low", "d low", meaning="Lower end of the 1 − 2α interval."),
    Column("d_high", "d high", meaning="Upper end of the 1 − 2α interval."),
    "t df",
    usual("p", "p (difference)"),
    Column("p_equivalence", "p (equivalence)", "p", meaning="The larger p of two one-sided tests against ±bound."),
    "verdict",
    Column("diff_low", "a − b, low", meaning="Lower end of the 1 − 2α interval."),
    Column("diff_high", "a − b, high", meaning="Upper end of the 1 − 2α interval."),
    Column("percent", "a − b in %", meaning="diff in per cent of the mean of both levels."),
    Column("percent_low", "%, low", meaning="Lower end of the 1 − 2α interval."),
    Column("percent_high", "%, high", meaning="Upper end of the 1 − 2α interval."),
    Column("d_own", "d of the differences", meaning="diff in standard deviations of the differences of items."),
    Column("bound", "Bound", meaning="The difference that does not matter, in the unit of the measure."),
    Column("bound_as", "Bound as", "text", meaning="How the bound was given."),
    Column("of_bound", "Difference / bound", meaning="diff / bound."),
    Column("of_bound_low", "Difference / bound, low", meaning="Lower end of the 1 − 2α interval."),
    Column("of_bound_high", "Difference / bound, high", meaning="Upper end of the 1 − 2α interval."),
    "p_holm",
    detail="factor a b design n_a n_b diff sd d_low d_high t df p p_equivalence diff_low diff_high "
    "percent_low percent_high d_own bound bound_as of_bound of_bound_low of_bound_high",
    when="with several lists",
)
_COLUMNS = [column for column in WITHIN_LISTS.columns if isinstance(column, Column)]
MATCHING = declared_table(
    "matching",
    "Are conditions and lists matched?",
    "Every pair of levels over all texts, and every list with every other. α is 1 − confidence; `bounds` are those of "
    "single measures, `bound` that of all others in standard deviations.",
    _COLUMNS[1:],
)
DIFFERENCES = declared_table(
    "differences",
    "Differences in per cent",
    "What the figure shows; of more than twelve pairs those that differ most often.",
    named(_COLUMNS, "pair measure mean_a mean_b diff percent percent_low percent_high verdict"),
    when="with levels that can be compared",
)
WORST = declared_table(
    "worst",
    "Items that make the differences",
    "Of every pair that is different, or may be with a difference beyond the bound.",
    named(_COLUMNS, "factor a b measure"),
    Column("rank", "Rank", "integer", meaning="1 for the item that is farthest away."),
    "item",
    Column("value_a", "Value in a", meaning="Its value in `a`."),
    Column("value_b", "Value in b", meaning="Its value in `b`."),
    Column("away", "Away (sd)", meaning="How far it is from no difference, in units of sd."),
)


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


def pairs(
    texts: TextRows, table: pd.DataFrame, measures: Sequence[str], *, factors: Mapping[str, Sequence[str]]
) -> Iterator[Pair]:
    """Yield every pair of levels of every factor: over all texts, then within every list; then every pair of lists.

    `table` has a row of measures per text. `factors` are the levels to compare, in order; the factor `list` compares
    the lists themselves. Texts of one unit are averaged first. Two levels that share at least two units are compared
    within these, others between units.
    """
    names = list(dict.fromkeys(name for of_text in texts.lists for name in of_text))
    everything = np.ones(len(texts.units), dtype=bool)
    scopes = [("", everything)]
    if len(names) > 1:
        scopes += [(name, np.array([name in of_text for of_text in texts.lists])) for name in names]
    for scope, rows in scopes:
        for factor, levels in factors.items():
            if factor == LIST and factor not in texts.factors:
                continue
            column = texts.factors[factor]
            of_level = {level: _unit_means(texts, table[list(measures)], rows & (column == level)) for level in levels}
            for a, b in combinations(levels, 2):
                if len(of_level[a]) and len(of_level[b]):
                    yield _pair(scope, factor, a, b, of_level[a], of_level[b], texts.has_items)
    if LIST in factors and LIST not in texts.factors:
        of_list = {name: _unit_means(texts, table[list(measures)], rows) for name, rows in scopes[1:]}
        for a, b in combinations(factors[LIST], 2):
            yield _pair("", LIST, a, b, of_list[a], of_list[b], texts.has_items)


def _unit_means(texts: TextRows, table: pd.DataFrame, rows: npt.NDArray[np.bool_]) -> pd.DataFrame:
    chosen = table.loc[rows].astype("float64")
    if not texts.has_items:
        return chosen
    return chosen.groupby(texts.units[rows], sort=False).mean()


def _pair(
    scope: str, factor: str, a: str, b: str, means_a: pd.DataFrame, means_b: pd.DataFrame, has_items: bool
) -> Pair:
    shared = means_a.index.intersection(means_b.index, sort=False) if has_items else means_a.index[:0]
    if len(shared) < 2:
        return Pair(scope, factor, a, b, False, means_a, means_b)
    return Pair(scope, factor, a, b, True, means_a.loc[shared], means_b.loc[shared])


def compared(pair: Pair, measure: str, *, bounds: Bounds, alpha: float) -> dict[str, Any]:
    """Return the line of one measure for a pair of levels, without its verdict."""
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
    return line | difference(first, second, paired=pair.paired, bound=bounds.of(measure), alpha=alpha)


def difference(a: Floats, b: Floats, *, paired: bool, bound: Bound, alpha: float) -> dict[str, Any]:
    """Compare two groups of values: difference, its size in several units, and two one-sided tests of equivalence.

    diff = mean a − mean b; percent is of the mean of both. d = diff / sd, where sd is the pooled standard deviation of
    the two groups (paired: the root of their mean variance); d_own is diff divided by the standard deviation of the
    differences of items. Intervals are 1 − 2α intervals of the difference. Paired differences are tested by t with
    n − 1 df, separate groups by Welch's t. p_equivalence is the larger p of the two one-sided tests against ±bound
    (Schuirmann 1987, Lakens 2017), where a bound in standard deviations is in those of the differences where values
    are paired, else in `sd`. Where there is no error, as all differ by the same amount, p is that of the signs of the
    differences (2 to the power of 1 − n), or of the arrangement of separate groups (2 over the number of ways to part
    them).

    >>> made = difference(
    ...     np.array([10., 12, 14, 16]), np.array([10., 12, 13, 17]), paired=True, bound=Bound("raw", 2), alpha=0.05
    ... )
    >>> round(made["d"], 3), round(made["p_equivalence"], 3), verdict_of(made, alpha=0.05)
    (0.0, 0.008, 'matched')
    """
    line: dict[str, Any] = {"n_a": len(a), "n_b": len(b), "bound_as": str(bound)}
    if len(a):
        line["mean_a"] = math.fsum(a) / len(a)
    if len(b):
        line["mean_b"] = math.fsum(b) / len(b)
    if len(a) < 2 or len(b) < 2:
        return line
    variance_a, variance_b = _variance(a), _variance(b)
    if paired:
        changes = a - b
        diff, df = math.fsum(changes) / len(changes), float(len(changes) - 1)
        own = math.sqrt(_variance(changes))
        error = own / math.sqrt(len(changes))
        sd = math.sqrt((variance_a + variance_b) / 2)
    else:
        diff = line["mean_a"] - line["mean_b"]
        share_a, share_b = variance_a / len(a), variance_b / len(b)
        error = math.sqrt(share_a + share_b)
        df = _welch_df(share_a, share_b, len(a), len(b))
        sd = math.sqrt(((len(a) - 1) * variance_a + (len(b) - 1) * variance_b) / (len(a) + len(b) - 2))
        own = sd
    # Differences that are nothing but the rounding of means are none.
    grain = 1e-10 * max(abs(line["mean_a"]), abs(line["mean_b"]), 1e-300)
    diff, error, sd, own = (0.0 if abs(value) < grain else value for value in (diff, error, sd, own))
    limit = bound.in_unit(mean_a=line["mean_a"], mean_b=line["mean_b"], sd=own)
    reach = float(scipy.stats.t.ppf(1 - alpha, df)) * error
    line |= {"sd": sd, "df": df, "bound": limit, **_with_interval("diff", diff, reach, unit=1.0)}
    line |= _with_interval("d", diff, reach, unit=sd)
    line |= _with_interval("percent", diff, reach, unit=(line["mean_a"] + line["mean_b"]) / 200)
    line |= _with_interval("of_bound", diff, reach, unit=limit)
    if paired and own > 0:
        line["d_own"] = diff / own
    if error > 0:
        line |= {"t": diff / error, "p": float(2 * scipy.stats.t.sf(abs(diff) / error, df))}
        above, below = scipy.stats.t.sf((diff + limit) / error, df), scipy.stats.t.cdf((diff - limit) / error, df)
        line["p_equivalence"] = float(max(above, below))
    elif diff != 0:
        chance = 2.0 ** -len(a) if paired else 1 / math.comb(len(a) + len(b), len(a))
        line |= {"p": min(1.0, 2 * chance), "p_equivalence": chance if abs(diff) < limit else 1.0}
    return line


def _with_interval(name: str, diff: float, reach: float, *, unit: float) -> dict[str, float]:
    """Return a difference in a unit with its interval; without error there is none, without a unit nothing at all."""
    if unit <= 0:
        return {}
    if reach == 0:
        return {name: diff / unit}
    return {name: diff / unit, f"{name}_low": (diff - reach) / unit, f"{name}_high": (diff + reach) / unit}


def with_verdicts(lines: Iterable[dict[str, Any]], *, alpha: float) -> list[dict[str, Any]]:
    """Return lines with the p of their difference adjusted by Holm and with their verdicts.

    Families are the comparisons of conditions over all texts, those of lists with each other, and those of conditions
    within all lists together: in each, at most α of the studies whose texts do not differ are told of any difference.
    """
    made = [dict(line) for line in lines]
    families: dict[tuple[bool, bool], list[dict[str, Any]]] = {}
    for line in made:
        families.setdefault((bool(line["list"]), line["factor"] == LIST), []).append(line)
    for family in families.values():
        for line, p in zip(family, holm([line.get("p") for line in family]), strict=True):
            line["p_holm"] = p
            line["verdict"] = verdict_of(line, alpha=alpha)
    return made


def verdict_of(line: Mapping[str, Any], *, alpha: float) -> str:
    """Return what a line says: a difference is sure where p (Holm's, where there is one) is below α; levels are alike
    where p_equivalence is, or where nothing differs at all."""
    if "diff" not in line:
        return UNDECIDED
    if line.get("p") is None:
        return MATCHED
    p = line["p"] if line.get("p_holm") is None else line["p_holm"]
    if line["p_equivalence"] < alpha:
        return ALIKE if p < alpha else MATCHED
    return DIFFER if p < alpha else UNDECIDED


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1))


def _welch_df(share_a: float, share_b: float, n_a: int, n_b: int) -> float:
    total = share_a + share_b
    if total == 0:
        return float(n_a + n_b - 2)
    return total**2 / (share_a**2 / (n_a - 1) + share_b**2 / (n_b - 1))


def worst(pair: Pair, line: Mapping[str, Any], *, number: int) -> list[dict[str, Any]]:
    """Return the items that make two levels differ most: those farthest from no difference, on the side of the mean.

    Only for levels that are different, and for those that may be, with a difference beyond the bound.

    Compared within items, an item is away by its own difference; compared between items, by the distance of its value
    from the mean of the other level. Both are in units of `sd`.
    """
    sd, measure = line.get("sd"), line["measure"]
    if not sd or line["verdict"] not in (DIFFER, UNDECIDED):
        return []
    if line["verdict"] == UNDECIDED and abs(line["diff"]) < line["bound"]:
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
