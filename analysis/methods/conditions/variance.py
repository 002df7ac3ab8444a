"""Repeated-measures analysis of variance on unit × cell means, in matrices.

For every set of within factors w (the empty one included) an orthonormal contrast matrix M_w (K × d) turns the means
Y (n × K) into Z = Y M_w. With the between design X (n × p, sum coding), B = X⁺Z and S = (Z − XB)'(Z − XB):

    SS_error = tr S,  df2 = (n − p) d
    SS of a between term t = tr(B_t' C_tt⁻¹ B_t) with C = (X'X)⁻¹ (type III),  df1 = rank(t) · d

Sphericity of S: Mauchly's W, the ε of Greenhouse & Geisser (1959) and of Huynh & Feldt (1976), the lower bound 1/d.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.conditions.designs import CellMeans, Factor


@dataclass(frozen=True)
class Stratum:
    """One error stratum: the residuals of one set of within factors."""

    factors: tuple[str, ...]
    contrasts: Floats
    coefficients: Floats
    sscp: Floats
    df_units: int

    @property
    def dimensions(self) -> int:
        """Return the number of contrasts d."""
        return int(self.contrasts.shape[1])

    @property
    def ss_error(self) -> float:
        """Return tr S."""
        return float(np.trace(self.sscp))

    @property
    def df_error(self) -> int:
        """Return (n − p) d."""
        return self.df_units * self.dimensions

    @property
    def mean_square(self) -> float:
        """Return the error mean square."""
        return self.ss_error / self.df_error


@dataclass(frozen=True)
class Sphericity:
    """Mauchly's test and the three corrections; None where one is not defined."""

    eps_gg: float | None
    eps_hf: float | None
    eps_lb: float
    mauchly_w: float | None
    mauchly_p: float | None


@dataclass(frozen=True)
class Effect:
    """One line of the table: a term, its sums of squares, and its F test (None where the error is zero)."""

    factors: tuple[str, ...]
    stratum: Stratum
    ss: float
    df1: int
    f: float | None
    sphericity: Sphericity
    ges: float | None
    pes: float | None
    ss_all_errors: float

    @property
    def name(self) -> str:
        """Return the factors joined with a colon."""
        return ":".join(self.factors)

    @property
    def epsilon_told(self) -> float | None:
        """Return the ε of what is told: Greenhouse–Geisser's wherever there are several contrasts, whatever Mauchly's
        test says, which misses too much with few units.

        None where there is no error variance.
        """
        if self.stratum.dimensions == 1 or self.sphericity.eps_gg is None:
            return None if self.f is None else 1.0
        return self.sphericity.eps_gg

    def p(self, epsilon: float | None = 1.0) -> float | None:
        """Return the p value with both degrees of freedom multiplied by ε (at most 1)."""
        if self.f is None or epsilon is None:
            return None
        shrink = min(1.0, epsilon)
        return float(scipy.stats.f.sf(self.f, self.df1 * shrink, self.stratum.df_error * shrink))


@dataclass(frozen=True)
class Analysis:
    """All effects and all strata of one design."""

    effects: tuple[Effect, ...]
    strata: tuple[Stratum, ...]
    design: Floats
    columns: dict[tuple[str, ...], slice]

    def effect(self, factors: Sequence[str]) -> Effect | None:
        """Return the effect of exactly these factors, in any order, or None."""
        return next((effect for effect in self.effects if set(effect.factors) == set(factors)), None)


def analyse(cells: CellMeans) -> Analysis:
    """Compute every effect of a design; between factors come first in the names, as in R."""
    design, columns = between_design(cells.between, cells.groups)
    inverse = np.asarray(np.linalg.inv(design.T @ design), dtype=np.float64)
    # A number common to all means tells nothing and would cost digits; the same holds of each cell for the residuals.
    centred = cells.means - cells.means.mean()
    inside = cells.means - cells.means.mean(axis=0)
    residuals = inside - design @ (inverse @ (design.T @ inside))
    strata = [
        Stratum(
            factors=factors,
            contrasts=contrasts,
            coefficients=inverse @ (design.T @ (centred @ contrasts)),
            sscp=_sscp(residuals @ contrasts, noise=noise_of(cells, contrasts)),
            df_units=design.shape[0] - design.shape[1],
        )
        for factors, contrasts in _within_terms(cells.within)
    ]
    all_errors = sum(stratum.ss_error for stratum in strata)
    effects: list[Effect] = []
    for stratum in strata:
        sphericity = sphericity_of(stratum, cell_count=cells.means.shape[1])
        for term, where in columns.items():
            if not term and not stratum.factors:
                continue
            part = stratum.coefficients[where]
            ss = float(np.trace(part.T @ np.linalg.solve(inverse[where, where], part)))
            ss = ss if ss > noise_of(cells, stratum.contrasts) else 0.0
            df1 = part.shape[0] * stratum.dimensions
            effects.append(
                Effect(
                    factors=(*term, *stratum.factors),
                    stratum=stratum,
                    ss=ss,
                    df1=df1,
                    f=(ss / df1) / stratum.mean_square if stratum.ss_error > 0 else None,
                    sphericity=sphericity,
                    ges=ss / (ss + all_errors) if ss + all_errors > 0 else None,
                    pes=ss / (ss + stratum.ss_error) if ss + stratum.ss_error > 0 else None,
                    ss_all_errors=all_errors,
                )
            )
    return Analysis(effects=tuple(effects), strata=tuple(strata), design=design, columns=columns)


def between_design(between: Sequence[Factor], groups: Integers) -> tuple[Floats, dict[tuple[str, ...], slice]]:
    """Return the sum-coded full factorial X and the columns of each of its terms (the empty term is the mean)."""
    codings = [_sum_coding(len(factor.levels))[groups[:, position]] for position, factor in enumerate(between)]
    blocks: list[Floats] = []
    columns: dict[tuple[str, ...], slice] = {}
    start = 0
    for positions in _subsets(len(between)):
        block = np.ones((len(groups), 1))
        for position in positions:
            block = (block[:, :, None] * codings[position][:, None, :]).reshape(len(groups), -1)
        blocks.append(block)
        columns[tuple(between[position].name for position in positions)] = slice(start, start + block.shape[1])
        start += block.shape[1]
    return np.hstack(blocks), columns


def sphericity_of(stratum: Stratum, *, cell_count: int) -> Sphericity:
    """Return ε and Mauchly's test of one stratum.

    A single contrast is spherical by definition (ε = 1, no test). With fewer error units than contrasts Mauchly's
    test is not defined, but ε of Greenhouse and Geisser is.
    """
    d, v = stratum.dimensions, stratum.df_units
    if d == 1:
        return Sphericity(eps_gg=1.0, eps_hf=1.0, eps_lb=1.0, mauchly_w=None, mauchly_p=None)
    trace, trace_of_square = stratum.ss_error, float((stratum.sscp**2).sum())
    if trace <= 0 or trace_of_square <= 0:
        return Sphericity(eps_gg=None, eps_hf=None, eps_lb=1 / d, mauchly_w=None, mauchly_p=None)
    gg = trace**2 / (d * trace_of_square)
    room = v - d * gg
    hf = ((v + 1) * d * gg - 2) / (d * room) if room > 1e-9 * v else None
    w, p = _mauchly(stratum, cell_count=cell_count)
    return Sphericity(eps_gg=gg, eps_hf=hf, eps_lb=1 / d, mauchly_w=w, mauchly_p=p)


def _mauchly(stratum: Stratum, *, cell_count: int) -> tuple[float | None, float | None]:
    d, v = stratum.dimensions, stratum.df_units
    eigenvalues = np.linalg.eigvalsh(stratum.sscp)
    if v < d or eigenvalues[0] <= 1e-12 * eigenvalues[-1]:
        return None, None
    log_w = float(np.log(eigenvalues).sum() - d * math.log(stratum.ss_error / d))
    f = 1 - (2 * d**2 + d + 2) / (6 * d * v)
    if f <= 0:
        return math.exp(log_w), None
    statistic = -v * f * log_w
    df = d * (d + 1) / 2 - 1
    weight = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d**2 + 3 * cell_count + 2) / (288 * (v * d * f) ** 2)
    first, second = scipy.stats.chi2.sf(statistic, df), scipy.stats.chi2.sf(statistic, df + 4)
    return math.exp(log_w), float(np.clip(first + weight * (second - first), 0, 1))


def noise_of(cells: CellMeans, contrasts: Floats) -> float:
    """Return the sum of squares of contrasts that rounding alone can make; a smaller one counts as zero."""
    return float(cells.noise @ (contrasts**2).sum(axis=1))


def _sscp(residuals: Floats, *, noise: float) -> Floats:
    sscp = residuals.T @ residuals
    return sscp if np.trace(sscp) > noise else np.zeros_like(sscp)


def _within_terms(within: Sequence[Factor]) -> Iterator[tuple[tuple[str, ...], Floats]]:
    for positions in _subsets(len(within)):
        contrasts = np.ones((1, 1))
        for position, factor in enumerate(within):
            size = len(factor.levels)
            part = _orthonormal(size) if position in positions else np.full((size, 1), 1 / math.sqrt(size))
            contrasts = np.kron(contrasts, part)
        yield tuple(within[position].name for position in positions), contrasts


def _subsets(count: int) -> list[tuple[int, ...]]:
    """Return all subsets in R's order of a model formula: nothing, a, b, c, a:b, a:c, b:c, a:b:c."""
    every = [subset for size in range(count + 1) for subset in combinations(range(count), size)]
    return sorted(every, key=lambda subset: (len(subset), sum(2**position for position in subset)))


def _orthonormal(size: int) -> Floats:
    """Return a size × (size − 1) matrix with orthonormal columns that sum to zero (normalised Helmert contrasts)."""
    contrasts = np.zeros((size, size - 1))
    for column in range(1, size):
        contrasts[:column, column - 1] = 1
        contrasts[column, column - 1] = -column
        contrasts[:, column - 1] /= math.sqrt(column * (column + 1))
    return contrasts


def _sum_coding(size: int) -> Floats:
    return np.vstack([np.eye(size - 1), -np.ones((1, size - 1))])
