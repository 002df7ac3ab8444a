"""Test planned contrasts of a repeated-measures design, each with its own error term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table
from analysis.methods.conditions.designs import CellMeans, Factor
from analysis.methods.conditions.effect_sizes import of_difference
from analysis.methods.conditions.fitted import fitted
from analysis.methods.conditions.variance import Analysis
from analysis.methods.contrast_texts import LARGEST_WEIGHT, split, unquoted
from analysis.methods.declarations import Parameter
from analysis.methods.report import BadInput, Table
from analysis.methods.wording import listed, no_such

CONTRASTS = Parameter(
    "contrasts",
    "Contrasts",
    "text",
    help="Such as marker: because=1, cause=-1; if empty, all pairs of every factor.",
)
PLANNED = declared_table(
    "contrasts",
    "Planned contrasts of {dv}",
    "Weighted sums of means, each with its own error; Holm and Bonferroni adjust within a family.",
    "family contrast estimate se df t p p_holm p_bonferroni ci_low ci_high",
    "d_z d_z_low d_z_high d_av d_av_low d_av_high",
    when="with `contrasts`",
)
SETS = ("first", "sum", "helmert", "polynomial", "pairs")
POWERS = ("linear", "quadratic", "cubic")


@dataclass(frozen=True)
class Weighted:
    """One contrast of one factor: its name and a weight for every level."""

    name: str
    weights: Floats


def contrasts_table(cells: CellMeans, analysis: Analysis, *, text: str, confidence: float) -> tuple[Table, list[str]]:
    """Return table `contrasts` and warnings; d_z and d_av as in `effect_sizes.of_difference`.

    `text` holds families separated by semicolons; each is `factor: level=weight, level=weight`, or one of the sets
    first (each level against the first), sum (each against the mean of all), helmert (each against the mean of those
    before), polynomial (orthonormal, equally spaced) and pairs (each against each later one); contrasts of several
    factors joined by `*` are interactions. A name that holds one of these signs is put in double quotes. Other factors
    are averaged over. Estimate = Σ w · mean; its error is the variance of the units' own contrast within groups, so it
    needs no sphericity; df = units − groups. Holm and Bonferroni adjust within a family.

    Raises BadInput where a factor, level or set does not exist or weights do not sum to zero.
    """
    fit = fitted(cells, analysis)
    lines: list[dict[str, Any]] = []
    warnings: list[str] = []
    for family in filter(None, split(text, ";")):
        mine = []
        for name, weights in contrasts_of(family, cells):
            estimate = fit.estimate(weights)
            variance = fit.variance(fit.shape(weights))
            line: dict[str, Any] = {"family": family, "contrast": name, "estimate": estimate, "df": fit.df, "se": 0.0}
            if variance > 0:
                se = float(np.sqrt(variance))
                half = float(scipy.stats.t.isf((1 - confidence) / 2, fit.df)) * se
                p = float(2 * scipy.stats.t.sf(abs(estimate) / se, fit.df))
                line |= {"se": se, "t": estimate / se, "p": p, "ci_low": estimate - half, "ci_high": estimate + half}
                line |= of_difference(fit, weights, confidence=confidence)
            else:
                warnings.append(f"No test is possible for {name}: it is exactly the same in every {cells.unit}.")
            mine.append(line)
        tested = sum("p" in line for line in mine)
        for line, adjusted in zip(mine, holm([line.get("p") for line in mine]), strict=True):
            line["p_holm"] = adjusted
            line["p_bonferroni"] = min(1.0, line["p"] * tested) if "p" in line else None
        lines += mine
    if not lines:
        raise BadInput("contrasts names none; write such as marker: because=1, cause=-1.")
    return PLANNED.of(lines, dv=cells.dv), warnings


def all_pairs(cells: CellMeans) -> str:
    """Return the text of the contrasts of every level of a factor with every other one, for all factors."""
    return "; ".join(f'"{factor.name}": pairs' for factor in (*cells.between, *cells.within))


def contrasts_of(text: str, cells: CellMeans) -> list[tuple[str, Floats]]:
    """Return the name and the weights on groups × cells of each contrast of one family.

    Raises BadInput as `contrasts_table`.
    """
    factors = {factor.name: factor for factor in (*cells.between, *cells.within)}
    parts: dict[str, list[Weighted]] = {}
    for part in split(text, "*"):
        name, *after = split(part, ":", once=True)
        name, rest = unquoted(name), after[0] if after else ""
        if not rest:
            raise BadInput(
                f"'{part.strip()}' is no contrast; write a factor, a colon, and weights or a set, such as "
                f"marker: because=1, cause=-1 or marker: first."
            )
        if name not in factors:
            raise BadInput(no_such("factor", name, list(factors)))
        if name in parts:
            raise BadInput(f"The contrast '{text}' names '{name}' twice; name every factor once.")
        parts[name] = _of_factor(factors[name], rest)
    made = []
    for chosen in product(*parts.values()):
        by_factor = dict(zip(parts, chosen, strict=True))
        spread = [
            by_factor[factor.name].weights if factor.name in by_factor else np.full(len(factor.levels), _share(factor))
            for factor in (*cells.between, *cells.within)
        ]
        weights = np.ones(1)
        for vector in spread:
            weights = np.kron(weights, vector)
        name = " × ".join(weighted.name for weighted in chosen)
        made.append((name, weights.reshape(len(cells.group_cells), len(cells.cells))))
    return made


def _share(factor: Factor) -> float:
    return 1 / len(factor.levels)


def _of_factor(factor: Factor, text: str) -> list[Weighted]:
    levels, k = factor.levels, len(factor.levels)
    if "=" not in text:
        if text not in SETS:
            raise BadInput(f"{no_such('set of contrasts', text, SETS)} Weights are written level=weight.")
        return _set(text, levels)
    weights = np.zeros(k)
    named: set[str] = set()
    for part in split(text, ","):
        level, _, number = part.rpartition("=")
        level = unquoted(level)
        if level not in levels:
            raise BadInput(no_such(f"level of {factor.name}", level or part.strip(), levels))
        if level in named:
            raise BadInput(f"The level '{level}' of '{factor.name}' has two weights in one contrast; give it one.")
        named.add(level)
        try:
            weights[levels.index(level)] = _number(number)
        except ValueError:
            raise BadInput(
                f"The weight '{number.strip()}' of '{level}' is no number between −1,000,000 and 1,000,000; write such "
                f"as {level}=-0.5."
            ) from None
    if abs(weights.sum()) > 1e-9 * np.abs(weights).max():
        raise BadInput(
            f"The weights of '{factor.name}' sum to {weights.sum():g}; those of a contrast sum to 0, "
            f"such as 1, -0.5, -0.5."
        )
    if not weights.any():
        raise BadInput(f"All weights of '{factor.name}' are 0; a contrast needs at least two that are not.")
    return [Weighted(text, weights)]


def factors_of(family: str) -> list[str]:
    """Return the factors that a family of contrasts names.

    >>> factors_of('marker: first * "the order": ab=1, ba=-1')
    ['marker', 'the order']
    """
    return [unquoted(split(part, ":")[0]) for part in split(family, "*")]


def _number(text: str) -> float:
    """Return a weight, which may be a fraction such as -1/3."""
    above, slash, below = text.strip().partition("/")
    value = float(above) / (float(below) if slash and float(below) else 1.0)
    if not abs(value) < LARGEST_WEIGHT or (slash and not float(below)):
        raise ValueError(text)
    return value


def _set(name: str, levels: Sequence[str]) -> list[Weighted]:
    k = len(levels)
    identity = np.eye(k)
    if name == "first":
        return [Weighted(f"{levels[i]} − {levels[0]}", identity[i] - identity[0]) for i in range(1, k)]
    if name == "pairs":
        return [Weighted(f"{levels[i]} − {levels[j]}", identity[i] - identity[j]) for i, j in combinations(range(k), 2)]
    if name == "sum":
        return [Weighted(f"{levels[i]} − mean", identity[i] - 1 / k) for i in range(k)]
    if name == "helmert":
        before = [np.where(np.arange(k) < i, 1 / i, 0.0) for i in range(1, k)]
        return [
            Weighted(f"{levels[i]} − mean of {listed(levels[:i])}", identity[i] - before[i - 1]) for i in range(1, k)
        ]
    # Orthonormal polynomials of equally spaced levels, as R's contr.poly: the QR of powers of the centred positions.
    centred = np.arange(k) - (k - 1) / 2
    q, r = np.linalg.qr(np.vander(centred, k, increasing=True))
    q = q * np.sign(np.diag(r))
    return [Weighted(POWERS[i - 1] if i <= len(POWERS) else f"power {i}", q[:, i]) for i in range(1, k)]
