"""Tables of `metric-vs-human`: correlations, Williams' tests, accuracies, and what was correlated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.codes.intraclass import ICC_COLUMNS
from analysis.methods.columns import FromData, TableDeclaration, declared_table, shares, usual
from analysis.methods.judged.accuracy import ACCURACY, accuracy, accuracy_within
from analysis.methods.judged.halves import CEILING, Ceiling
from analysis.methods.judged.resampling import Drawn, system_interval, text_interval
from analysis.methods.judged.texts import Texts
from analysis.methods.judged.weighted import HOW
from analysis.methods.judged.williams import williams
from analysis.methods.measures.correlation import correlated
from analysis.methods.report import Column, Table

TEXT, SYSTEM, WITHIN = "text", "system", "within item"
LEVEL = usual("level", meaning="`text` or `system`.")
CORRELATIONS = declared_table(
    "correlations",
    "Metrics and {dv}",
    "One row per metric and coefficient. Intervals from drawing again treat neither texts nor ratings as independent.",
    LEVEL,
    "metric",
    Column("how", "Coefficient", "text", meaning="`pearson`, `spearman` or `kendall` (τ-b)."),
    usual("n", meaning="How many texts or systems."),
    Column("r", "r", "share", meaning="The coefficient."),
    "p",
    shares("ci_low ci_high"),
    [
        Column(
            f"{one}_{end}", f"{label} drawn again: {end}", "share", meaning=f"An end of the interval: {label.lower()}."
        )
        for one, label in (("item", "Items"), ("participant", "Participants"), ("both", "Both"))
        for end in ("low", "high")
    ],
    Column("r_corrected", "r of a reliable mean", "share", meaning="r / ceiling."),
    Column("p_method", "How p was found", "text", meaning="How p was found."),
    detail="ci_low ci_high item_low item_high participant_low participant_high r_corrected p_method",
    order=("level: system text",),
)
WILLIAMS = declared_table(
    "comparisons",
    "Metrics compared by Williams' test",
    "Every two metrics (`analysis.methods.judged.williams`). Signs are those of the data, turned for `lower_is_better` "
    "and, with direction=absolute, so that undeclared metrics correlate positively with people's scores of texts.",
    LEVEL,
    "a b",
    usual("n", meaning="How many texts or systems have both metrics."),
    Column("r_a", "r of a", "share", meaning="Correlation of `a` with people's scores."),
    Column("r_b", "r of b", "share", meaning="Correlation of `b` with people's scores."),
    Column("r_ab", "r of a with b", "share", meaning="Correlation of the metrics."),
    "t df p p_holm",
    Column("diff", "Difference of r", "share", meaning="r_a − r_b."),
    Column("diff_low", "Difference: CI low", "share", meaning="Lower end of its interval, from drawing again."),
    Column("diff_high", "Difference: CI high", "share", meaning="Upper end of its interval, from drawing again."),
    detail="n r_ab t df p",
    order=("level: system text",),
)
METRICS = FromData("metrics", "One column per metric; one called like another column ends in `_metric`.", "number")
HUMAN = FromData("human", "People's score, the mean of the ratings.", "number")
SYSTEMS = declared_table(
    "systems",
    "Means of systems",
    "Means over the texts of a system.",
    usual("condition", meaning="The system."),
    Column("texts", "Texts", "integer", meaning="How many texts."),
    HUMAN,
    METRICS,
    when="with a column of systems",
)
TEXTS = declared_table(
    "texts",
    "Texts",
    "What the scatter plot shows.",
    usual("item", meaning="The item."),
    usual("condition", meaning="The system."),
    Column("ratings", "Ratings", "integer", meaning="How many ratings."),
    HUMAN,
    METRICS,
    optional="condition",
)
RELIABILITY = declared_table(
    "reliability",
    "Reliability of {dv}",
    "Intraclass correlations; ICC(2) and ICC(3) only where everybody rated every text.",
    ICC_COLUMNS,
)
TABLES = (CORRELATIONS, WILLIAMS, ACCURACY, CEILING, RELIABILITY, SYSTEMS, TEXTS)


@dataclass(frozen=True)
class Level:
    """What is correlated: one human score for each text or system, and one column of values for each metric."""

    name: str
    human: Callable[[int], Floats]
    metrics: Floats

    def pair(self, metric: int) -> tuple[Floats, Floats]:
        """Return people's scores and a metric where both are there."""
        there = ~np.isnan(self.metrics[:, metric])
        return self.human(metric)[there], self.metrics[there, metric]


def level_of_texts(texts: Texts) -> Level:
    """Return texts as they are."""
    return Level(TEXT, lambda _: texts.human, texts.metrics)


def level_of_systems(texts: Texts) -> Level:
    """Return means of systems over texts; a text without a value of a metric is left out of people's mean too."""
    k = len(texts.systems)

    def mean(values: Floats, there: Any) -> Floats:
        number = np.bincount(texts.system_of[there], minlength=k)
        total = np.bincount(texts.system_of[there], weights=values[there], minlength=k)
        return np.asarray(np.where(number > 0, total / np.maximum(number, 1), np.nan))

    known = [~np.isnan(texts.metrics[:, index]) for index in range(len(texts.names))]
    metrics = np.column_stack([mean(texts.metrics[:, index], there) for index, there in enumerate(known)])
    return Level(SYSTEM, lambda index: mean(texts.human, known[index]), metrics)


def declared_signs(names: Sequence[str], *, lower: Sequence[str]) -> Integers:
    """Return −1 for every metric declared as lower-is-better, else 1; the data have no say in it."""
    return np.array([-1 if name in lower else 1 for name in names])


def signs_for_strength(texts: Texts, declared: Integers, *, lower: Sequence[str]) -> Integers:
    """Return the signs with which strengths are compared: metrics without a declaration all go with people's scores.

    The sign then comes from the data that the metric is judged on, so this is used for Williams' test alone, and only
    on request; declared signs are kept.
    """
    level = level_of_texts(texts)
    signs = declared.copy()
    for index, name in enumerate(texts.names):
        r = _r(*level.pair(index))
        if name not in lower and r < 0:
            signs[index] = -1
    return signs


def correlation_rows(
    level: Level, texts: Texts, again: dict[str, Drawn], *, ceiling: Ceiling | None, confidence: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a line for every metric and coefficient, and why some are not defined."""
    lines, warnings = [], []
    for index, name in enumerate(texts.names):
        human, metric = level.pair(index)
        for how in HOW:
            line, problem = correlated(
                metric, human, names=(f"the metric {name}", "people's scores"), how=how, confidence=confidence
            )
            if problem:
                warnings.append(f"At the level of {level.name}s {name} has no correlation: {problem}.")
            line |= {"level": level.name, "metric": name, "how": how, "n": len(human)}
            r = line["r"]
            if r is not None:
                for scheme, found in again.items():
                    draws = (found.text if level.name == TEXT else found.system).get(how)
                    if draws is not None:
                        low, high = _interval(level.name, r, draws[:, index], confidence=confidence)
                        line |= {f"{scheme}_low": low, f"{scheme}_high": high}
            highest = ceiling["ceiling"] if ceiling else None
            if how == "pearson" and r is not None and highest:
                line["r_corrected"] = r / highest
            lines.append(line)
    return lines, list(dict.fromkeys(warnings))


def williams_rows(
    level: Level, texts: Texts, orientation: Integers, again: Drawn | None, *, confidence: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a line for every two metrics, over what has both, and why some have no test."""
    lines, warnings = [], []
    for a, b in combinations(range(len(texts.names)), 2):
        there = ~np.isnan(level.metrics[:, a]) & ~np.isnan(level.metrics[:, b])
        first, second = (level.metrics[there, index] * orientation[index] for index in (a, b))
        human = level.human(a)[there]
        names = (texts.names[a], texts.names[b])
        line: dict[str, Any] = {"level": level.name, "a": names[0], "b": names[1], "n": len(human)}
        r_a, r_b, r_ab = _r(human, first), _r(human, second), _r(first, second)
        line |= {"r_a": r_a, "r_b": r_b, "r_ab": r_ab}
        found = None if np.isnan([r_a, r_b, r_ab]).any() else williams(r_a, r_b, r_ab, len(human))
        if found is not None:
            line |= {"t": found[0], "df": len(human) - 3, "p": found[1]}
        else:
            warnings.append(_why(r_a, r_b, r_ab, len(human), names=names, level=level.name))
        if not np.isnan([r_a, r_b]).any():
            line["diff"] = r_a - r_b
            draws = None if again is None else (again.text if level.name == TEXT else again.system).get("pearson")
            if draws is not None and bool(there.all()):
                apart = draws[:, a] * orientation[a] - draws[:, b] * orientation[b]
                low, high = _interval_of_difference(level.name, r_a - r_b, apart, confidence=confidence)
                line |= {"diff_low": low, "diff_high": high}
        lines.append(line)
    for line, p in zip(lines, holm([line.get("p") for line in lines]), strict=True):
        line["p_holm"] = p
    return lines, list(dict.fromkeys(warnings))


def accuracy_rows(level: Level, texts: Texts, orientation: Integers) -> list[dict[str, Any]]:
    """Return a line for every metric; for texts also one over pairs of the same item."""
    lines: list[dict[str, Any]] = []
    for index, name in enumerate(texts.names):
        human, metric = level.pair(index)
        judged = {level.name: accuracy(human, metric * orientation[index])}
        if level.name == TEXT:
            groups = texts.item_of[~np.isnan(level.metrics[:, index])]
            within = accuracy_within(human, metric * orientation[index], groups)
            judged |= {} if within is None else {WITHIN: within}
        lines += [{"level": where, "metric": name, **found} for where, found in judged.items()]
    return lines


def texts_table(texts: Texts, *, human: str) -> Table:
    """Return one line for every text."""
    columns = metric_columns(texts, TEXTS)
    found = pd.DataFrame(texts.metrics, columns=list(columns.values()))
    found = found.assign(item=_names(texts.items, texts.item_of), ratings=texts.ratings, human=texts.human)
    if texts.systems:
        found["condition"] = _names(texts.systems, texts.system_of)
    return TEXTS.of(found, human={human: "human"}, metrics=columns)


def systems_table(texts: Texts, level: Level, *, human: str) -> Table:
    """Return one line for every system that has texts."""
    columns = metric_columns(texts, SYSTEMS)
    number = np.bincount(texts.system_of, minlength=len(texts.systems))
    total = np.bincount(texts.system_of, weights=texts.human, minlength=len(texts.systems))
    found = pd.DataFrame(level.metrics, columns=list(columns.values()))
    found = found.assign(condition=texts.systems, texts=number, human=total / np.maximum(number, 1))
    return SYSTEMS.of(found[number > 0], human={human: "human"}, metrics=columns)


def _names(names: Sequence[str], positions: Integers) -> Any:
    return np.array(names, dtype=object)[positions]


def metric_columns(texts: Texts, table: TableDeclaration) -> dict[str, str]:
    """Return the column of every metric in a table."""
    taken = {"human", *table.names()}
    return {name: f"{name}_metric" if name in taken else name for name in texts.names}


def _interval(level: str, r: float, draws: Floats, *, confidence: float) -> tuple[float | None, float | None]:
    if level == TEXT:
        return text_interval(r, draws, confidence=confidence)
    return system_interval(draws, confidence=confidence)


def _interval_of_difference(
    level: str, difference: float, draws: Floats, *, confidence: float
) -> tuple[float | None, float | None]:
    if level == SYSTEM:
        return system_interval(draws, confidence=confidence)
    known = draws[~np.isnan(draws)]
    if len(known) < max(2, len(draws) / 2):
        return None, None
    half = float(scipy.stats.norm.isf((1 - confidence) / 2)) * float(known.std(ddof=1))
    return difference - half, difference + half


def _r(x: Floats, y: Floats) -> float:
    if len(x) < 3 or np.ptp(without_noise(x)) == 0 or np.ptp(without_noise(y)) == 0:
        return float("nan")
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))


def _why(r_a: float, r_b: float, r_ab: float, n: int, *, names: tuple[str, str], level: str) -> str:
    """Say why two metrics have no test; what holds for all of them is said without their names."""
    if n < 4:
        return f"Williams' test needs four {level}s that have both metrics; with {n} metrics cannot be compared."
    if np.isnan(r_a) or np.isnan(r_b):
        flat = names[0] if np.isnan(r_a) else names[1]
        return f"{names[0]} and {names[1]} cannot be compared over {level}s: {flat} or people's scores do not vary."
    if abs(r_ab) > 1 - 1e-9:
        return f"{names[0]} and {names[1]} cannot be compared: each is the other up to a linear change."
    return f"{names[0]} and {names[1]} cannot be compared over {level}s: together they determine people's scores."
