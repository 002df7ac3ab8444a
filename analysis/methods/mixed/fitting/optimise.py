"""The search for θ, and the checks that what was found is an optimum.

A quasi-Newton search with exact gradients gets near, Newton steps on the Hessian (which Satterthwaite's method needs
anyway) get there. θ is not bounded (see `stationary`), and a search that may cross zero does not stick to it. At the
end the slope of the criterion over the cone of covariance matrices, Γ = Σ G_l − w Σ h_l h_l', is checked: where it has
a negative eigenvalue, the search goes on from a point in that direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.fitting import curvature
from analysis.methods.mixed.fitting.crossproducts import Crossproducts
from analysis.methods.mixed.fitting.engine import Derived, State, derive, evaluate
from analysis.methods.mixed.fitting.stationary import TOLERANCE, Stationary, upright, way_out

NOTHING = 1e-6
RESTARTS = 8
START = 0.4
STEPS = 60


@dataclass(frozen=True)
class Optimum(Stationary):
    """The optimum that was found (scaled units), and its state. The Hessian is over (θ, σ) with σ not profiled."""

    state: State
    derived: Derived
    sigma: float


def fit(
    prepared: Crossproducts,
    *,
    reml: bool,
    theta: Floats | None = None,
    near: Floats | None = None,
    watch: Callable[[int], None] = lambda count: None,
) -> Optimum:
    """Find the optimum, from `theta` where a better start is known, or by Newton steps alone from a point `near` it.

    `watch` is called with the number of evaluations, and may raise to stop.
    """
    search = _Search(prepared, reml, watch)
    if near is not None and (optimum := search.refined(near)).converged:
        return optimum
    if theta is None:
        occurs = [np.abs(group.columns).max(axis=0) > 0 for group in prepared.groups]
        theta = np.array([START if p.diagonal and occurs[p.group][p.row] else 0.0 for p in search.places])
    optimum = search.refined(search.approached(theta))
    for _ in range(RESTARTS):
        escape = search.escape(optimum)
        if escape is None:
            break
        optimum = search.refined(search.approached(escape))
    return optimum


class _Search:
    def __init__(self, prepared: Crossproducts, reml: bool, watch: Callable[[int], None]) -> None:
        self.prepared = prepared
        self.reml = reml
        self.watch = watch
        self.places = curvature.places(prepared.groups)
        self.df = prepared.n - (prepared.p if reml else 0)
        self.count = 0

    def at(self, theta: Floats) -> State | None:
        self.count += 1
        self.watch(self.count)
        made = curvature.factors(self.prepared.groups, self.places, theta)
        return evaluate(self.prepared, made, reml=self.reml)

    def derived(self, state: State) -> Derived:
        return derive(self.prepared, state, reml=self.reml)

    def gradient(self, theta: Floats, *, weight: float | None = None) -> tuple[float, Floats]:
        """Return the criterion and its derivative; absurd points are so high that the search turns back."""
        state = self.at(theta)
        if state is None:
            return 1e300, np.zeros(len(theta))
        w = self.df / state.r2 if weight is None else weight
        return state.criterion, curvature.gradient(state, self.derived(state), self.places, weight=w)

    def approached(self, theta: Floats) -> Floats:
        """Return a point near the optimum: at once where θ is short, roughly where Newton steps are cheap."""
        rough = len(self.places) > 3
        found = scipy.optimize.minimize(
            self.gradient,
            theta,
            jac=True,
            method="L-BFGS-B",
            options={
                "maxiter": 25 if rough else 2000,
                "maxfun": 5000,
                "ftol": 1e-8 if rough else 1e-13,
                "gtol": 1e-5,
                "maxcor": 30,
            },
        )
        return np.asarray(found.x, dtype=np.float64)

    def refined(self, theta: Floats) -> Optimum:
        """Go to the optimum by Newton steps, uphill curvature taken as downhill (saddle-free), and describe it."""
        state = self.at(theta)
        if state is None:
            raise ArithmeticError("The factorisation failed at a point that it had passed before.")
        for step in range(STEPS + 1):
            derived = self.derived(state)
            sigma = float(np.sqrt(state.r2 / self.df))
            slope = curvature.gradient(state, derived, self.places, weight=1 / sigma**2)
            hessian = self.hessian(theta, state, derived, sigma=sigma)
            direction, gain = _newton(hessian, slope)
            moved = self._accepted(theta, direction, state, slope=float(slope @ direction))
            if moved is not None:
                theta, state = moved
            if moved is None or gain < TOLERANCE * 1e-3 or step == STEPS:
                break
        if moved is not None:
            derived = self.derived(state)
            sigma = float(np.sqrt(state.r2 / self.df))
            gain = _newton(hessian, curvature.gradient(state, derived, self.places, weight=1 / sigma**2))[1]
        spectrum = self._spectrum(state, derived)
        lowest = min((value / len(self.prepared.groups[g].levels) for value, g, _, _ in spectrum), default=0.0)
        turned, at_end, hessian = self._turned(theta, state, hessian)
        return Optimum(
            theta=turned,
            places=self.places,
            state=at_end,
            derived=derived if at_end is state else self.derived(at_end),
            sigma=sigma,
            hessian=hessian,
            expected_gain=gain,
            steepest=lowest,
            evaluations=self.count,
        )

    def _turned(self, theta: Floats, state: State, hessian: Floats) -> tuple[Floats, State, Floats]:
        """Turn the columns of Λ so that its diagonal is not negative, and let what is as good as zero be zero."""
        turn = upright(theta, self.places)
        moved = np.where(np.abs(theta) < NOTHING, 0.0, theta * turn)
        if np.array_equal(moved, theta):
            return theta, state, hessian
        again = self.at(moved)
        if again is None or again.criterion > state.criterion + TOLERANCE * 1e-2:
            moved, again = theta * turn, self.at(theta * turn)
        outer = np.append(turn, 1.0)
        return moved, again or state, hessian * np.outer(outer, outer)

    def hessian(self, theta: Floats, state: State, derived: Derived, *, sigma: float) -> Floats:
        """Return the Hessian over (θ, σ) of the criterion in which σ is not profiled."""
        size = len(theta)
        weight = 1 / sigma**2
        result = np.zeros((size + 1, size + 1))
        result[:size, :size] = curvature.hessian(
            self.prepared, state, derived, self.places, sigma=sigma, reml=self.reml
        )
        held = curvature.gradient(state, derived, self.places, weight=weight)
        without = curvature.gradient(state, derived, self.places, weight=0.0)
        result[:size, size] = result[size, :size] = -2 / sigma * (held - without)
        result[size, size] = 6 * state.r2 / sigma**4 - 2 * self.df / sigma**2
        return result

    def _accepted(self, theta: Floats, direction: Floats, state: State, *, slope: float) -> tuple[Floats, State] | None:
        share = 1.0
        rounding = 1e-13 * abs(state.criterion)
        while share > 1e-5:
            candidate = self.at(theta + share * direction)
            if candidate is not None and candidate.criterion <= state.criterion + 1e-4 * share * slope + rounding:
                return theta + share * direction, candidate
            share /= 3
        return None

    def _spectrum(self, state: State, derived: Derived) -> list[tuple[float, int, tuple[int, ...], Floats]]:
        """Return, for every block, the lowest eigenvalue of Γ where Σ is zero, with its group, columns and way out.

        Where Σ is positive Γ is zero at a stationary point; where it is zero, only a positive Γ makes a minimum.
        """
        found = []
        for number, slope in enumerate(curvature.slopes(derived, weight=self.df / state.r2)):
            for block in self.prepared.groups[number].blocks:
                at = np.ix_(block.columns, block.columns)
                out = way_out(state.lambdas[number][at], slope[at], shared=block.shared)
                if out is not None:
                    found.append((out[0], number, block.columns, out[1]))
        return found

    def escape(self, optimum: Optimum) -> Floats | None:
        """Return a better point next to a stationary one that is no minimum, or None."""
        state = optimum.state
        moved = list(state.lambdas)
        found = False
        for value, number, columns, change in self._spectrum(state, optimum.derived):
            if value > -TOLERANCE * len(self.prepared.groups[number].levels):
                continue
            at = np.ix_(columns, columns)
            step = 1.0
            while step > 1e-8:
                trial = moved[number].copy()
                trial[at] = semidefinite_root(moved[number][at] @ moved[number][at].T + step * change)
                candidate = [*moved[:number], trial, *moved[number + 1 :]]
                better = evaluate(self.prepared, tuple(candidate), reml=self.reml)
                if better is not None and better.criterion < state.criterion:
                    moved, state, found = candidate, better, True
                    break
                step /= 4
        return np.array([moved[place.group][place.row, place.column] for place in self.places]) if found else None


def _newton(hessian: Floats, slope: Floats) -> tuple[Floats, float]:
    """Return the Newton step over θ (σ profiled out) and the decrease that it promises."""
    profiled = hessian[:-1, :-1] - np.outer(hessian[:-1, -1], hessian[-1, :-1]) / hessian[-1, -1]
    values, vectors = np.linalg.eigh(profiled)
    along = vectors.T @ slope
    curved = np.maximum(np.abs(values), 1e-7 * np.abs(values).max(initial=0.0))
    curved = np.where(curved > 0, curved, 1.0)
    return -(vectors @ (along / curved)), float(along @ (along / curved)) / 2


def semidefinite_root(covariance: Floats) -> Floats:
    """Return a lower-triangular factor with non-negative diagonal of a matrix that may be singular.

    >>> semidefinite_root(np.array([[4.0, 2.0], [2.0, 1.0]])).round(6).tolist()
    [[2.0, 0.0], [1.0, 0.0]]
    """
    values, vectors = np.linalg.eigh(covariance)
    half = vectors * np.sqrt(np.clip(values, 0.0, None))
    upper = np.asarray(scipy.linalg.qr(half.T, mode="r")[0])
    lower = upper.T * np.where(np.diag(upper) < 0, -1.0, 1.0)
    return np.where(np.abs(lower) < 1e-9 * np.abs(lower).max(initial=0.0), 0.0, lower)
