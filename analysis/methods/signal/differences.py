"""d′ and criterion of one condition against those of another: t tests over participants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.effects import noncentral
from analysis.methods.report import Table
from analysis.methods.signal.counting import Counts
from analysis.methods.t_intervals import without_rounding
from analysis.methods.wording import df_text, number_text, p_text, percent_text

MOST_CELLS = 20
"""Cells above which every pair of them is no question that somebody has."""
MOST_TOLD = 6
SAME, DIFFERENT = "same people", "different people"
NAMES = {"d_prime": "d′", "criterion": "criterion c"}

DIFFERENCES = declared_table(
    "differences",
    "Differences between conditions",
    "Every pair of cells for every measure: paired t tests, Welch's where the cells are of different people.",
    usual("measure", meaning="`d_prime` or `criterion`."),
    "a b",
    usual("n", meaning="How many participants the row rests on."),
    "mean_a mean_b diff",
    usual("se", "SE of difference"),
    "t df p p_holm ci_low ci_high d_z d_z_low d_z_high",
    usual("comparison", meaning=f"`{SAME}` or `{DIFFERENT}`."),
    when="with two to 20 cells",
)


def differences(counts: Counts, *, confidence: float) -> Table:
    """Return every pair of cells for d′ and for the criterion.

    Where at least two participants have a value in both cells, a paired t test over them. Where nobody has, and each
    cell has two participants, Welch's test of two groups. In every other case means alone. Holm among all pairs of a
    measure; d_z with its interval by the noncentral t.
    """
    lines: list[dict[str, Any]] = []
    names = [":".join(cell) for cell in counts.cells]
    for measure in NAMES:
        table = counts.frame.pivot(index="participant", columns="cell", values=measure).to_numpy()
        own = [
            {"measure": measure, "a": names[a], "b": names[b]} | difference(table[:, a], table[:, b], confidence)
            for a, b in combinations(range(len(names)), 2)
        ]
        adjusted = holm([line.get("p") for line in own])
        lines += [line | {"p_holm": p} for line, p in zip(own, adjusted, strict=True)]
    return DIFFERENCES.of(lines)


def difference(a: Floats, b: Floats, confidence: float) -> dict[str, Any]:
    """Return the difference a − b of two columns with a row per participant, NaN where there is no value.

    >>> found = difference(np.array([2.0, 3.0, 4.0]), np.array([1.0, 1.0, 2.5]), 0.95)
    >>> round(found["diff"], 3), round(found["t"], 3), found["df"], found["comparison"]
    (1.5, 5.196, 2, 'same people')
    """
    both = ~np.isnan(a) & ~np.isnan(b)
    if both.sum() >= 2:
        a, b, comparison = a[both], b[both], SAME
        n, df = len(a), len(a) - 1
        se = _sd(a - b) / np.sqrt(n)
    else:
        shared = bool(both.any())
        n = int((~np.isnan(a) | ~np.isnan(b)).sum())
        a, b, comparison = a[~np.isnan(a)], b[~np.isnan(b)], DIFFERENT
        if shared or min(len(a), len(b)) < 2:
            return {"n": n, "mean_a": _mean(a), "mean_b": _mean(b)}
        parts = _sd(a) ** 2 / len(a), _sd(b) ** 2 / len(b)
        se = np.sqrt(sum(parts))
        df = se**4 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1)) if se else n - 2
    found: dict[str, Any] = {
        "n": n,
        "mean_a": _mean(a),
        "mean_b": _mean(b),
        "diff": float(a.mean() - b.mean()),
        "se": float(se),
        "df": df,
        "comparison": comparison,
    }
    if se:
        t = found["diff"] / se
        half = float(scipy.stats.t.isf((1 - confidence) / 2, df)) * se
        found |= {
            "t": float(t),
            "p": float(2 * scipy.stats.t.sf(abs(t), df)),
            "ci_low": float(found["diff"] - half),
            "ci_high": float(found["diff"] + half),
        }
        if comparison == SAME:
            bounds = noncentral.of_t(found["t"], df, confidence=confidence)
            low, high = bounds if bounds is not None else (None, None)
            sizes = {"d_z": found["t"], "d_z_low": low, "d_z_high": high}
            found |= {name: None if size is None else float(size / np.sqrt(n)) for name, size in sizes.items()}
    return found


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _sd(values: Floats) -> float:
    return without_rounding(values, smallest=1e-12)


def sentences(table: Table, *, confidence: float) -> list[str]:
    """Return a sentence for each difference of d′ and, where there is but one pair of cells, of the criterion."""
    lines = table.lines()
    pairs = len({(line["a"], line["b"]) for line in lines})
    told = [line for line in lines if line["measure"] == "d_prime" or pairs == 1]
    if len(told) > max(MOST_TOLD, 2):
        return []
    return [_sentence(line, several=pairs > 1, confidence=confidence) for line in told if line["p"] is not None]


def _sentence(line: Mapping[str, Any], *, several: bool, confidence: float) -> str:
    p = line["p_holm"] if several else line["p"]
    holm_said = " (Holm)" if several else ""
    how = "paired" if line["comparison"] == SAME else "Welch"
    return (
        f"{NAMES[line['measure']]} of {line['a']} less that of {line['b']}: {number_text(line['diff'])}, "
        f"{percent_text(confidence)} CI [{number_text(line['ci_low'])}, {number_text(line['ci_high'])}], "
        f"{how} t({df_text(line['df'])}) = {number_text(line['t'])}, {p_text(p)}{holm_said}."
    )


def remarks(table: Table) -> Sequence[str]:
    """Return what keeps some pairs from being tested."""
    lines = table.lines()
    said = []
    same = sum(line["p"] is None and line["diff"] is not None for line in lines)
    if same:
        said.append(
            f"In {same} of {len(lines)} rows of the differences everybody differs by the same amount (or by nothing), "
            "so that there is no spread to test against."
        )
    few = sum(line["diff"] is None for line in lines)
    if few:
        said.append(
            f"{few} of {len(lines)} rows of the differences are not tested: at least two participants must have d′ in "
            "both cells, or the cells two participants each and none in common."
        )
    return said
