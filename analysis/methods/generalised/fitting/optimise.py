"""The search for the optimum of a Laplace criterion over θ, β and τ together, and the checks on what was found.

A quasi-Newton search with exact gradients, its first Hessian by differences of the gradient, gets near; Newton steps
with differenced Hessians get there. The last Hessian gives the standard errors, as in `glmer`: the covariance matrix of
all parameters is twice its inverse. As for linear models (`analysis.methods.mixed.fitting.optimise`) θ is not bounded,
and where a variance is zero the derivative with respect to it says whether a positive one would be better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.blocks import Problem
from analysis.methods.generalised.fitting.laplace import Mode, Slopes, mode, slopes
from analysis.methods.mixed.design.matrices import Block
from analysis.methods.mixed.fitting.curvature import Place, by_elements
from analysis.methods.mixed.fitting.optimise import semidefinite_root
from analysis.methods.mixed.fitting.stationary import TOLERANCE, Stationary, upright, way_out

NOTHING = 1e-5
RESTARTS = 5
START = 0.8
NUDGE = 0.1
STEPS = 100
NEWTON = 8
LONGEST = 3.0
CHORDS = 4
FRESH = 12
DONE = 1e-14


@dataclass(frozen=True)
class Optimum(Stationary):
    """The optimum: β and τ beside θ (in the columns of the problem), and the mode. The Hessian is over (θ, β, τ)."""

    beta: Floats
    extra: Floats
    mode: Mode

    @property
    def covariance(self) -> Floats:
        """Return the covariance matrix of β and τ; directions without curvature (variances of zero) count nothing."""
        size = len(self.theta)
        values, vectors = np.linalg.eigh(self.hessian)
        usable = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
        inverse = 2 * (vectors[:, usable] / values[usable]) @ vectors[:, usable].T
        return np.asarray(inverse[size:, size:])


def fit(
    problem: Problem,
    places: tuple[Place, ...],
    blocks: tuple[tuple[int, Block], ...],
    extra: Floats,
    *,
    beta: Floats | None = None,
    theta: Floats | None = None,
    near: Optimum | None = None,
    watch: Callable[[int], None] = lambda count: None,
) -> Optimum:
    """Find the optimum. `blocks` are (group, block) with a covariance matrix each; `extra` starts τ.

    `beta` and `theta` start the others where they are known about. `near` is the optimum of another outcome on the same
    design: the search starts there with its Hessian, and takes a new one once, which is exact to about four digits.
    `watch` is called with the number of evaluations, and may raise to stop.
    """
    k = problem.X.shape[1]
    if near is not None and places:
        return Search(problem, places, blocks, watch).best(
            np.concatenate([np.where(near.theta == 0, NUDGE, near.theta), near.beta, near.extra]), near.hessian
        )
    alone = Search(Problem(problem.likelihood, problem.X, ()), (), (), watch)
    # Where the fixed effects are separated only together, the search of the simple model ends far out but ends.
    begun = alone.approached(np.concatenate([np.zeros(k) if beta is None else beta, extra]), rough=True)
    if not places:
        return alone.refined(begun)
    search = Search(problem, places, blocks, watch, count=alone.count)
    if theta is None:
        theta = np.array([START if place.diagonal else 0.0 for place in places])
    return search.best(np.concatenate([theta, begun]))


class Search:
    """The search. The last groups have factors that are `held` as they are; θ is that of the others. Modes are looked
    for from `home` where nothing nearer is known, which is zero without it.

    `beside` keeps, of a search with such groups, the modes from which the last central Hessian was made: on both sides
    of every parameter, with their distance.
    """

    def __init__(
        self,
        problem: Problem,
        places: tuple[Place, ...],
        blocks: tuple[tuple[int, Block], ...],
        watch: Callable[[int], None],
        *,
        count: int = 0,
        held: tuple[Floats, ...] = (),
        home: tuple[Floats, ...] | None = None,
    ) -> None:
        self.problem = problem
        self.places = places
        self.blocks = blocks
        self.watch = watch
        self.count = count
        self.held = held
        self.beside: list[tuple[Mode, Mode, float]] = []
        self.home = home
        self.near: tuple[Floats, ...] | None = None

    def best(self, x: Floats, hessian: Floats | None = None) -> Optimum:
        """Return the optimum that is found from x; where a Hessian is given, a new one is taken once."""
        once = hessian is not None
        optimum = self.refined(self.approached(x, hessian=hessian), once=once)
        for _ in range(RESTARTS):
            escape = self.escape(optimum)
            if escape is None:
                break
            optimum = self.refined(self.approached(escape), once=once)
        return optimum

    def at(self, x: Floats) -> Mode | None:
        self.count += 1
        self.watch(self.count)
        theta, beta, extra = self.parts(x)
        return mode(self.problem, self.lambdas(theta), beta, extra, start=self.near or self.home)

    def parts(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        t, k = len(self.places), self.problem.X.shape[1]
        return x[:t], x[t : t + k], x[t + k :]

    def lambdas(self, theta: Floats) -> tuple[Floats, ...]:
        varying = self.problem.groupings[: len(self.problem.groupings) - len(self.held)]
        made = tuple(np.zeros((group.width, group.width)) for group in varying)
        for place, value in zip(self.places, theta, strict=True):
            for one in place.elements:
                made[place.group][one.row, one.column] = value
        return (*made, *self.held)

    def gradient(self, found: Mode) -> Floats:
        made = slopes(self.problem, found)
        by_group = [2 * gamma @ factor for gamma, factor in zip(made.gammas, found.lambdas, strict=True)]
        return np.concatenate([by_elements(by_group, self.places), made.beta, made.extra])

    def hessian(self, x: Floats, slope: Floats | None = None) -> Floats | None:
        """Return the Hessian by central differences of the gradient, or by forward ones where `slope` is given."""
        size = len(x)
        made = np.zeros((size, size))
        beside = []
        for index in range(size):
            step = np.zeros(size)
            step[index] = 1e-3 * max(abs(x[index]), 0.3)
            ends, modes = [], []
            for sign in (1.0,) if slope is not None else (1.0, -1.0):
                found = self.at(x + sign * step)
                if found is None:
                    return None
                modes.append(found)
                ends.append(self.gradient(found))
            beside.append((modes[0], modes[-1], float(2 * step[index])))
            made[index] = (ends[0] - (slope if slope is not None else ends[1])) / (len(ends) * step[index])
        if slope is None:
            self.beside = beside if self.held else []
        return np.asarray((made + made.T) / 2)

    def approached(self, x: Floats, *, rough: bool = False, hessian: Floats | None = None) -> Floats:
        """Go near the optimum with updated Hessians."""
        found = self.at(x)
        if found is None:
            return x
        slope = self.gradient(found)
        hessian = self.hessian(x, slope) if hessian is None else hessian
        hessian = np.eye(len(x)) * 10 if hessian is None else hessian
        for number in range(1, STEPS + 1):
            step, gain = _newton(hessian, slope)
            if gain < (1e-3 if rough else 1e-7):
                break
            moved = self._accepted(x, step, found, slope=slope)
            if moved is None:
                break
            before, old = x, slope
            x, found = moved
            slope = self.gradient(found)
            hessian = _updated(hessian, x - before, slope - old)
            # In a curved valley, as near a variance of zero, updates lag behind and steps get short.
            fresh = self.hessian(x, slope) if number % max(FRESH, len(x)) == 0 else None
            hessian = hessian if fresh is None else fresh
        return x

    def refined(self, x: Floats, *, once: bool = False) -> Optimum:
        """Go to the optimum by Newton steps and describe it."""
        found = self.at(x)
        if found is None:
            raise ArithmeticError("The criterion could not be evaluated at a point that it had passed before.")
        gain, hessian = np.inf, np.eye(len(x))
        slope = self.gradient(found)
        for _ in range(NEWTON):
            made = self.hessian(x)
            if made is None:
                break
            hessian = made
            moved, stuck = 0.0, False
            # The Hessian hardly changes so near the optimum: more steps with it cost one evaluation each.
            for _ in range(CHORDS):
                step, gain = _newton(hessian, slope)
                reached = self._accepted(x, step, found, slope=slope) if gain > DONE else None
                stuck = reached is None
                if reached is None:
                    break
                moved += float(np.abs(step).max(initial=0.0))
                x, found = reached
                slope = self.gradient(found)
            if moved < 1e-5 or (stuck and gain > DONE) or once:
                break
        x, found, hessian = self._turned(x, found, hessian)
        theta, beta, extra = self.parts(x)
        lowest = min(
            (value / self.problem.groupings[group].levels for value, group, _, _ in self._spectrum(found)), default=0.0
        )
        return Optimum(
            theta=theta,
            places=self.places,
            hessian=hessian,
            expected_gain=gain,
            steepest=lowest,
            evaluations=self.count,
            beta=beta,
            extra=extra,
            mode=found,
        )

    def escape(self, optimum: Optimum) -> Floats | None:
        """Return a better point next to a stationary one that is no minimum, or None."""
        moved, value, better = list(optimum.mode.lambdas), optimum.mode.criterion, False
        for low, group, columns, change in self._spectrum(optimum.mode):
            if low > -TOLERANCE * self.problem.groupings[group].levels:
                continue
            at = np.ix_(columns, columns)
            step = 1.0
            while step > 1e-6:
                trial = moved[group].copy()
                trial[at] = semidefinite_root(moved[group][at] @ moved[group][at].T + step * change)
                candidate = [*moved[:group], trial, *moved[group + 1 :]]
                found = mode(self.problem, tuple(candidate), optimum.beta, optimum.extra, start=self.home)
                if found is not None and found.criterion < value:
                    moved, value, better = candidate, found.criterion, True
                    break
                step /= 4
        if not better:
            return None
        theta = np.array([moved[place.group][place.row, place.column] for place in self.places])
        return np.concatenate([theta, optimum.beta, optimum.extra])

    def _accepted(self, x: Floats, step: Floats, found: Mode, *, slope: Floats) -> tuple[Floats, Mode] | None:
        share = min(1.0, LONGEST / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        along = float(slope @ step)
        rounding = 1e-13 * abs(found.criterion)
        self.near = found.spherical or None
        while share > 1e-7:
            tried = self.at(x + share * step)
            if tried is not None and tried.criterion <= found.criterion + 1e-4 * share * along + rounding:
                self.near = tried.spherical or None
                return x + share * step, tried
            share /= 3
        return None

    def _turned(self, x: Floats, found: Mode, hessian: Floats) -> tuple[Floats, Mode, Floats]:
        """Turn the columns of Λ so that its diagonal is not negative, and let what is as good as zero be zero."""
        if not self.places:
            return x, found, hessian
        theta = self.parts(x)[0]
        turn = np.ones(len(x))
        turn[: len(theta)] = upright(theta, self.places)
        turned = x * turn
        self.beside = [
            (before, after, width) if sign < 0 else (after, before, width)
            for sign, (after, before, width) in zip(turn, self.beside, strict=False)
        ]
        small = turned.copy()
        small[: len(theta)][np.abs(theta) < NOTHING] = 0.0
        self.near = None
        again = self.at(small)
        if again is None or again.criterion > found.criterion + TOLERANCE * 1e-2:
            small, again = turned, self.at(turned)
        return small, again or found, hessian * np.outer(turn, turn)

    def _spectrum(self, found: Mode) -> list[tuple[float, int, tuple[int, ...], Floats]]:
        """Return, for every block, the lowest eigenvalue of Γ where ΛΛ' is zero, with group, columns and way out."""
        made: Slopes = slopes(self.problem, found)
        lowest = []
        for group, block in self.blocks:
            at = np.ix_(block.columns, block.columns)
            out = way_out(found.lambdas[group][at], made.gammas[group][at], shared=block.shared)
            if out is not None:
                lowest.append((out[0], group, block.columns, out[1]))
        return lowest


def _newton(hessian: Floats, slope: Floats) -> tuple[Floats, float]:
    """Return the step with uphill curvature taken as downhill, and the decrease that it promises."""
    values, vectors = np.linalg.eigh(hessian)
    along = vectors.T @ slope
    curved = np.maximum(np.abs(values), 1e-8 * np.abs(values).max(initial=0.0))
    curved = np.where(curved > 0, curved, 1.0)
    return -(vectors @ (along / curved)), float(along @ (along / curved)) / 2


def _updated(hessian: Floats, step: Floats, change: Floats) -> Floats:
    """Return the Hessian after a step by Broyden, Fletcher, Goldfarb and Shanno, damped as by Powell (1978)."""
    through = hessian @ step
    curvature, known = float(step @ change), float(step @ through)
    if known <= 0:
        return hessian
    if curvature < 0.2 * known:
        share = 0.8 * known / (known - curvature)
        change = share * change + (1 - share) * through
        curvature = float(step @ change)
    return hessian - np.outer(through, through) / known + np.outer(change, change) / curvature
