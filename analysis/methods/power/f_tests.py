"""Compute F1, F2 and minF′ for all simulations at once; none depends on the others or on how many there are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.conditions.variance import between_design
from analysis.methods.power.design import ROLES, Design, Role, Term, design_of
from analysis.methods.power.layout import Averages, Layout
from analysis.methods.report import BadInput

FLAT = 1e-26


@dataclass(frozen=True)
class FTests:
    """F of one term in every simulation (NaN where there is no error variance), and p."""

    f: Floats
    df1: int
    df2: int
    p: Floats


def f_tests(means: Floats, contrasts: Floats, *, correction: str = "none") -> FTests:
    """Test one term in every simulation at once, from means (simulations × units × cells).

    With Z = Y M (units × d) and its mean z̄: F = (n z̄'z̄ / d) / (tr S / ((n − 1) d)), S the cross-products of Z − z̄.
    With `greenhouse-geisser` both degrees of freedom are multiplied by (tr S)² / (d tr S²).
    """
    units, d = means.shape[1], contrasts.shape[1]
    scores = np.ascontiguousarray(np.swapaxes(means @ contrasts, 1, 2))
    centre = scores.sum(axis=2) / units
    residuals = scores - centre[:, :, None]
    ss = units * np.ascontiguousarray(centre**2).sum(axis=1)
    error = (residuals**2).reshape(len(means), d * units).sum(axis=1)
    return _tested(means, residuals, ss, error, df1=d, df2=(units - 1) * d, correction=correction)


def minf_tests(first: FTests, second: FTests) -> Floats:
    """Return p of minF′ in every simulation, from F1 and F2 (see `minf`)."""
    f1, f2 = first.f, second.f
    known = f1 + f2 > 0
    p = np.full(len(f1), np.nan)
    a, b = f1[known], f2[known]
    df2 = (a + b) ** 2 / (a**2 / second.df2 + b**2 / first.df2)
    p[known] = scipy.stats.f.sf(a * b / (a + b), first.df1, df2)
    return p


class Units:
    """Participants or items of a layout: their means in the cells within them, and the groups that they belong to."""

    def __init__(self, layout: Layout, design: Design, role: Role) -> None:
        unit, count = (
            (layout.participant, layout.participants) if role == "participant" else (layout.item, layout.items)
        )
        between = design.between(role)
        names = [factor.name for factor in design.factors]
        own = [factor for factor in design.factors if factor.name not in between]
        levels = design.levels
        within = np.zeros(len(levels), dtype=np.intp)
        for factor in own:
            within = within * len(factor.levels) + levels[:, names.index(factor.name)]
        cells = math.prod(len(factor.levels) for factor in own)
        self.averages = Averages(unit, count, within[layout.cell], cells)
        self.is_grouped = bool(between)
        if not between:
            return
        groups = np.zeros((count, len(between)), dtype=np.intp)
        groups[unit] = levels[layout.cell][:, [names.index(name) for name in between]]
        factors = [factor for factor in design.factors if factor.name in between]
        self.X, self.columns = between_design(factors, groups)
        self.contrasts: dict[tuple[str, ...], Floats] = {(): np.full((cells, 1), 1 / math.sqrt(cells))}
        if own:
            self.contrasts |= {term.factors: term.contrasts for term in design_of(own).terms}

    def tests(self, means: Floats, term: Term, design: Design, role: Role, *, correction: str) -> FTests:
        """Test one term in every simulation from means (simulations × units × cells within the unit)."""
        if not self.is_grouped:
            return f_tests(means, term.contrasts, correction=correction)
        within = design.within_part(term, role)
        where = self.columns[tuple(name for name in term.factors if name not in within)]
        return mixed_f_tests(means, self.contrasts[within], self.X, where, correction=correction)


def mixed_f_tests(means: Floats, contrasts: Floats, X: Floats, where: slice, *, correction: str = "none") -> FTests:
    """Test one term of a mixed design in every simulation, with sums of squares of type III (see `variance`).

    X (units × p) is the sum-coded design between units, `where` its columns of the term. With Z = Y M, B = X⁺Z and
    S = (Z − XB)'(Z − XB): SS = tr(B_t' C_tt⁻¹ B_t), C = (X'X)⁻¹, df1 = rank(t) d, df2 = (n − p) d.
    """
    n, p = X.shape
    d = contrasts.shape[1]
    inverse = np.linalg.inv(X.T @ X)
    scores = np.ascontiguousarray(np.swapaxes(means @ contrasts, 1, 2))
    coefficients = scores @ (X @ inverse)
    residuals = scores - coefficients @ X.T
    part = np.ascontiguousarray(coefficients[:, :, where])
    weighted = part @ np.linalg.inv(inverse[where, where])
    ss = (weighted * part).reshape(len(means), -1).sum(axis=1)
    error = (residuals**2).reshape(len(means), d * n).sum(axis=1)
    return _tested(means, residuals, ss, error, df1=part.shape[2] * d, df2=(n - p) * d, correction=correction)


def _tested(
    means: Floats, residuals: Floats, ss: Floats, error: Floats, *, df1: int, df2: int, correction: str
) -> FTests:
    """Return F = (SS / df1) / (SS_error / df2), and p, whose degrees of freedom ε makes smaller."""
    d = residuals.shape[1]
    total = (means**2).reshape(len(means), -1).sum(axis=1)
    known = error > FLAT * total
    f = np.full(len(means), np.nan)
    f[known] = (ss[known] / df1) / (error[known] / df2)
    shrink: Floats | float = 1.0
    if correction == "greenhouse-geisser" and d > 1:
        products = residuals @ np.swapaxes(residuals, 1, 2)
        squares = (products**2).reshape(len(means), d * d).sum(axis=1)
        shrink = np.minimum(1.0, error**2 / (d * np.where(squares > 0, squares, 1.0)))
    return FTests(f, df1, df2, np.asarray(scipy.stats.f.sf(f, df1 * shrink, df2 * shrink)))


def roles_of(methods: Sequence[str]) -> list[Role]:
    """Return whose means the analyses are of: participants' for F1, items' for F2."""
    return [role for role, name in zip(ROLES, ("f1", "f2"), strict=True) if set(methods) & {name, "f1-and-f2", "min-f"}]


def check_complete(units: Mapping[Role, Units], layout: Layout, design: Design) -> None:
    """Raise BadInput where participants or items would lack a cell that an analysis of their means needs."""
    of_people, of_items, within = design.places.shape
    if "participant" in units and not units["participant"].averages.complete:
        raise BadInput(
            f"With {layout.items} items in {of_items * within} cells a participant would see some cells never; F1 "
            f"needs n_items of at least {of_items * within}, or assignment=full."
        )
    if "item" in units and not units["item"].averages.complete:
        raise BadInput(
            f"With {layout.participants} participants and {of_people * within} cells an item would appear in some "
            f"cells never; F2 needs n_participants of at least {of_people * within}, or assignment=full."
        )


def p_of_f(
    units: Mapping[Role, Units], design: Design, y: Floats, *, methods: Sequence[str], correction: str
) -> dict[tuple[str, str], Floats]:
    """Return p per (method, term) for the methods that rest on F: f1, f2, f1-and-f2, min-f."""
    found: dict[tuple[str, str], Floats] = {}
    means = {role: one.averages.means(y) for role, one in units.items()}
    for term in design.terms:
        tests = {role: one.tests(means[role], term, design, role, correction=correction) for role, one in units.items()}
        first, second = tests.get("participant"), tests.get("item")
        if first is not None and "f1" in methods:
            found["f1", term.name] = first.p
        if second is not None and "f2" in methods:
            found["f2", term.name] = second.p
        if first is not None and second is not None:
            if "f1-and-f2" in methods:
                found["f1-and-f2", term.name] = np.maximum(first.p, second.p)
            if "min-f" in methods:
                found["min-f", term.name] = minf_tests(first, second)
    return found
