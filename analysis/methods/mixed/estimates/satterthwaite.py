"""Compute fixed effects with standard errors and Satterthwaite degrees of freedom, as lmerTest defines them.

With ψ = (θ, σ), A = 2 H⁻¹ (H: Hessian of the criterion over ψ; Moore–Penrose where it is singular) and, for a contrast
l'β, g_i = l'(∂V_β/∂ψ_i) l:

    df = 2 (l'V_β l)² / (g'A g)

An F test of q contrasts L takes the eigenvectors of L V_β L' as contrasts with degrees of freedom ν_m; with
E = Σ ν_m/(ν_m − 2) over them, df2 = 2E/(E − q) (Fai & Cornelius 1996; Kuznetsova, Brockhoff & Christensen 2017). It
depends on the basis of L (see `hypotheses`).

More degrees of freedom than the rows leave, n − p, are no finding about the variances: n − p is taken then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.interfaces import Estimates, Tested
from analysis.methods.mixed.estimates.scales import Scale, linear_scale
from analysis.methods.mixed.fitting.crossproducts import Crossproducts
from analysis.methods.mixed.fitting.optimise import Optimum

FLAT = 1e-8


@dataclass(frozen=True)
class Fitted(Estimates):
    """A fitted model: `unscale` turns contrasts of the fixed effects into contrasts of the scaled ones, for which
    `changes` holds ∂V/∂ψ.
    """

    scale: Scale
    design: Design
    whole: Design
    prepared: Crossproducts
    optimum: Optimum
    reml: bool
    names: tuple[str, ...]
    beta: Floats
    covariance: Floats
    unscale: Floats
    changes: Floats
    spread: Floats

    @property
    def lambdas(self) -> tuple[Floats, ...]:
        """Return the factors Λ of the groups, in scaled units."""
        return self.optimum.state.lambdas

    @property
    def sigma(self) -> float:
        """Return the residual standard deviation."""
        return self.optimum.sigma * self.prepared.unit

    @property
    def criterion(self) -> float:
        """Return −2 (restricted) log likelihood."""
        return self.optimum.state.criterion + self.prepared.constant(reml=self.reml)

    @property
    def parameters(self) -> int:
        """Return the number of parameters: fixed effects, θ and σ."""
        return len(self.names) + len(self.optimum.theta) + 1

    @property
    def most_df(self) -> float:
        """Return n − p: no test has more degrees of freedom."""
        return float(len(self.design.y) - len(self.names))

    @property
    def largest_df(self) -> float:
        """Return the largest degrees of freedom of a coefficient as Satterthwaite's formula gives them."""
        if not len(self.unscale):
            return 0.0
        found = [self._satterthwaite(row)[1] for row in self.unscale]
        return max((df for df in found if np.isfinite(df)), default=0.0)

    def contrast(self, weights: Floats) -> Tested:
        """Test one contrast of the fixed effects against zero."""
        estimate = float(weights @ self.beta)
        scaled = self.unscale.T @ weights
        variance, df = self._satterthwaite(scaled)
        df = min(df, self.most_df)
        se = float(np.sqrt(variance))
        t = estimate / se
        return Tested(estimate, se, df, t, float(2 * scipy.stats.t.sf(abs(t), df)))

    def f_test(self, contrasts: Floats, *, beside: Floats | None = None) -> tuple[int, float, float, float]:
        """Return df1, df2, F and p of several contrasts together; `beside` is added to the estimates."""
        values, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        usable = values > np.sqrt(np.finfo(float).eps) * max(float(values.max(initial=0.0)), 0.0)
        rows = vectors.T[usable] @ contrasts
        q = len(rows)
        t2 = (rows @ (self.beta if beside is None else self.beta + beside)) ** 2 / values[usable]
        f = float(t2.sum()) / q
        nu = np.array([self._satterthwaite(self.unscale.T @ row)[1] for row in rows])
        df2 = min(joint_df(nu), self.most_df)
        return q, df2, f, float(scipy.stats.f.sf(f, q, df2))

    def _satterthwaite(self, scaled: Floats) -> tuple[float, float]:
        root = self.optimum.state.fixed_root
        half = scipy.linalg.solve_triangular(root, scaled, lower=True)
        variance = float(half @ half) * self.optimum.sigma**2
        slope = np.einsum("ijk,j,k->i", self.changes, scaled, scaled)
        return variance, float(2 * variance**2 / (slope @ self.spread @ slope))


def fitted(design: Design, prepared: Crossproducts, optimum: Optimum, *, reml: bool) -> Fitted:
    """Turn an optimum into estimates in the units of the data."""
    state, p = optimum.state, prepared.p
    unscale = (
        np.asarray(scipy.linalg.solve_triangular(prepared.root, np.eye(p), lower=False)) * prepared.unit
        if p
        else np.zeros((0, 0))
    )
    start = np.asarray(scipy.linalg.solve_triangular(prepared.root, prepared.start, lower=False)) if p else np.zeros(0)
    inverse = np.asarray(scipy.linalg.cho_solve((state.fixed_root, True), np.eye(p))) if p else np.zeros((0, 0))
    covariance = optimum.sigma**2 * unscale @ inverse @ unscale.T
    values, vectors = np.linalg.eigh(optimum.hessian)
    usable = values > FLAT
    spread = 2 * (vectors[:, usable] / values[usable]) @ vectors[:, usable].T
    return Fitted(
        scale=linear_scale(design.formula.response.function),
        design=design,
        whole=design,
        prepared=prepared,
        optimum=optimum,
        reml=reml,
        names=tuple(design.fixed.names[column] for column in prepared.kept),
        beta=start + unscale @ state.fixed,
        covariance=covariance,
        unscale=unscale,
        changes=_changes(optimum, inverse),
        spread=spread,
    )


def _changes(optimum: Optimum, inverse: Floats) -> Floats:
    """Return ∂V_β/∂ψ for θ and σ (scaled units): elements × p × p."""
    made = []
    for place in optimum.places:
        factor, by_design = optimum.state.lambdas[place.group], optimum.derived.by_design[place.group]
        half = np.zeros_like(inverse)
        for one in place.elements:
            along = np.einsum("lap,a->lp", by_design, factor[:, one.column])
            half += by_design[:, one.row, :].T @ along
        made.append(optimum.sigma**2 * inverse @ (half + half.T) @ inverse)
    made.append(2 * optimum.sigma * inverse)
    return np.array(made)


def joint_df(nu: Floats) -> float:
    """Return the denominator degrees of freedom of an F test from those of its q independent contrasts.

    They are infinite where those of all contrasts are, as where no variance had to be estimated.

    >>> joint_df(np.array([20.0, 20.0])), round(joint_df(np.array([10.0, 30.0])), 3)
    (20.0, 14.444)
    >>> joint_df(np.array([np.inf, np.inf])), round(joint_df(np.array([np.inf, 10.0])), 3)
    (inf, 18.0)
    """
    q = len(nu)
    if bool(np.isinf(nu).all()):
        return float("inf")
    if q == 1 or bool((np.abs(np.diff(nu)) < 1e-8).all()):
        return float(nu.mean())
    if bool((nu <= 2).any()):
        return 2.0
    # Σ ν/(ν − 2) − q, without the rounding of large ν.
    excess = float((2 / (nu - 2)).sum())
    return 2 * (q + excess) / excess if excess > 0 else float("inf")
