"""Fit group means and their residual covariance, from which contrasts are tested."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import ROUNDING, Floats
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.conditions.variance import Analysis


@dataclass(frozen=True)
class Fitted:
    """The means of G groups in K cells and how units vary around them.

    `covariance` (K × K) is that of the residuals within groups on `df` degrees of freedom; a variance of a cell below
    its `smallest` is rounding: that of the means themselves, and that of w′Σw, in which variances between units cancel.
    """

    group_rows: Floats
    inverse: Floats
    group_means: Floats
    covariance: Floats
    df: int
    smallest: Floats
    values: tuple[Floats, ...]

    def estimate(self, weights: Floats) -> float:
        """Return the weighted sum of group means for weights on groups × cells."""
        return float((weights * self.group_means).sum())

    def shape(self, weights: Floats) -> Floats:
        """Return the K × K matrix by which the covariance of cells is weighted in the variance of an estimate."""
        on_design = self.group_rows.T @ weights
        return np.asarray(on_design.T @ self.inverse @ on_design, dtype=np.float64)

    def variance(self, shape: Floats) -> float:
        """Return the variance of an estimate of that shape, without an assumption about the covariances."""
        return self.without_rounding(float((self.covariance * shape).sum()), shape)

    def without_rounding(self, variance: float, shape: Floats) -> float:
        """Return a variance of an estimate, or 0 where it is no larger than rounding may make it."""
        return variance if variance > float(self.smallest @ np.diag(shape)) else 0.0

    def separate(self, weights: Floats) -> tuple[float, float]:
        """Return the variance of an estimate that does not pool those of the groups, and its degrees of freedom.

        Σ s²/n over groups, s² the variance of the units' own contrast in a group (Welch 1938), on
        (Σ s²/n)² / Σ (s²/n)²/(n − 1) degrees of freedom (Satterthwaite 1946). The variance is NaN where a group that
        has weight is a single unit, and 0 where no group varies.
        """
        shares, dfs = [], []
        for own, values in zip(weights, self.values, strict=True):
            if not own.any():
                continue
            variance = float((values @ own).var(ddof=1)) if len(values) > 1 else np.nan
            shares.append(0.0 if variance <= float(self.smallest @ own**2) else variance / len(values))
            dfs.append(max(len(values) - 1, 1))
        total = float(sum(shares))
        return total, total**2 / sum(share**2 / df for share, df in zip(shares, dfs, strict=True)) if total else 0.0


def fitted(cells: CellMeans, analysis: Analysis) -> Fitted:
    """Return the group means of a design with their residual covariance."""
    group_rows = np.vstack(
        [analysis.design[np.flatnonzero(cells.group_index == group)[0]] for group in range(len(cells.group_cells))]
    )
    inverse = np.asarray(np.linalg.inv(analysis.design.T @ analysis.design), dtype=np.float64)
    level = cells.means.mean(axis=0)
    group_means = level + group_rows @ (inverse @ (analysis.design.T @ (cells.means - level)))
    residuals = cells.means - group_means[cells.group_index]
    df = len(cells.units) - analysis.design.shape[1]
    covariance = np.asarray(residuals.T @ residuals / df, dtype=np.float64)
    return Fitted(
        group_rows=group_rows,
        inverse=inverse,
        group_means=group_means,
        covariance=covariance,
        df=df,
        smallest=cells.noise / df + ROUNDING * np.diag(covariance),
        values=tuple(cells.means[cells.group_index == group] for group in range(len(cells.group_cells))),
    )
