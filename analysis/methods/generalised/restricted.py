"""F tests of a mixed logistic model: restricted likelihood and Satterthwaite's degrees of freedom, as in `lmm`.

Wald tests and likelihood ratios take the variances of the random effects for known, and maximum likelihood estimates
them too small; with a few dozen people and items and slopes of both, they reject true hypotheses too often (see
docs/methods/mixed-null-simulation.md). Here the fixed effects are integrated out with the random ones, as REML does and
glmmTMB with REML = TRUE: they are one more group with one level, whose prior is so wide that it says nothing. Then

    V_β = the block of Λ(I + Λ'CΛ)⁻¹Λ' that belongs to them, a function of θ;
    df  = 2 (l'V_β l)² / (g'Ag),  g = ∂(l'V_β l)/∂θ,  A = 2 H⁻¹, H the Hessian of the restricted criterion over θ,

and several contrasts are joined as in `analysis.methods.mixed.satterthwaite`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.blocks import Grouping
from analysis.methods.generalised.fitted import Fitted
from analysis.methods.generalised.laplace import Mode
from analysis.methods.generalised.optimise import NUDGE, Optimum, Search
from analysis.methods.mixed.curvature import Place
from analysis.methods.mixed.satterthwaite import joint_df
from analysis.methods.report import BadInput

WIDE = 1e3
FLAT = 1e-8


@dataclass(frozen=True)
class Restricted:
    """Fixed effects in the units of the data with their covariance matrix, its derivatives over θ, and that of θ."""

    optimum: Optimum
    beta: Floats
    covariance: Floats
    changes: Floats
    spread: Floats

    def f_test(self, contrasts: Floats) -> tuple[int, float, float, float]:
        """Return df1, df2, F and p of several contrasts together."""
        values, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        usable = values > 1e-10 * max(float(values.max(initial=0.0)), 0.0)
        rows = vectors.T[usable] @ contrasts
        q = len(rows)
        f = float(((rows @ self.beta) ** 2 / values[usable]).sum()) / q
        df2 = joint_df(np.array([self._df(row) for row in rows]))
        return q, df2, f, float(scipy.stats.f.sf(f, q, df2))

    def _df(self, row: Floats) -> float:
        variance = float(row @ self.covariance @ row)
        slope = np.einsum("ijk,j,k->i", self.changes, row, row)
        uncertain = float(slope @ self.spread @ slope)
        return 2 * variance**2 / uncertain if uncertain > 0 else float("inf")


def restricted_fit(
    model: Fitted, *, near: Optimum | None = None, watch: Callable[[int], None] = lambda count: None
) -> Restricted:
    """Fit the variances of a mixed logistic model by restricted likelihood, from those of `model` or `near`.

    Raises BadInput where the search ends at no optimum.
    """
    problem, k = model.problem, model.problem.X.shape[1]
    together = Grouping(np.zeros(len(problem.X), dtype=np.intp), problem.X, 1)
    integrated = replace(problem, X=np.zeros((len(problem.X), 0)), groupings=(*problem.groupings, together))
    blocks = tuple((number, block) for number, group in enumerate(model.prepared.groups) for block in group.blocks)
    places = model.optimum.places
    search = Search(integrated, places, blocks, watch, held=(np.eye(k) * WIDE,))
    theta, hessian = (model.optimum.theta, _profiled(model)) if near is None else (near.theta, near.hessian)
    optimum = search.best(np.where((theta == 0) & _diagonal(places), NUDGE, theta), hessian)
    if not optimum.converged or len(search.beside) < len(places):
        raise BadInput(
            "The restricted likelihood of this model has no optimum that could be found, so it has no F tests; use "
            "tests=likelihood-ratio, or let fewer effects vary."
        )
    units = model.units
    changes = [
        units @ (_covariance(after, k) - _covariance(before, k)) @ units.T / width
        for after, before, width in search.beside
    ]
    values, vectors = np.linalg.eigh(optimum.hessian)
    usable = values > FLAT * max(float(values.max(initial=0.0)), 1e-300)
    return Restricted(
        optimum=optimum,
        beta=units @ optimum.mode.effects[-1][0],
        covariance=units @ _covariance(optimum.mode, k) @ units.T,
        changes=np.array(changes),
        spread=2 * (vectors[:, usable] / values[usable]) @ vectors[:, usable].T,
    )


def _covariance(mode: Mode, k: int) -> Floats:
    """Return the block of the fixed effects, which are the last group."""
    factored = mode.factored
    return np.zeros((k, k)) if factored is None else np.asarray(factored.last[-k:, -k:])


def _profiled(model: Fitted) -> Floats:
    """Return the Hessian over θ of the likelihood with the fixed effects at their best."""
    size, whole = len(model.optimum.theta), model.optimum.hessian
    rest = np.linalg.pinv(whole[size:, size:])
    return np.asarray(whole[:size, :size] - whole[:size, size:] @ rest @ whole[size:, :size])


def _diagonal(places: tuple[Place, ...]) -> np.typing.NDArray[np.bool_]:
    return np.array([place.diagonal for place in places], dtype=np.bool_)
