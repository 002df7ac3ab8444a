"""Define the design and the true effects and variances of simulated studies.

Everything lives on orthonormal contrasts M_T (K cells × d) of the terms T of the design. The mean of cell k is
Σ_T M_T β_T, a person deviates from it by an intercept and by Σ_T M_T b_T with b_T ~ N(0, ω_T² I), and so does an item.

A slope is stated as a standard deviation s of something that can be imagined: of the difference between two levels (for
an interaction of m factors, of the difference of differences). With k_T combinations of levels in T, ω_T = s √(K / (k_T
2^m)). For a factor with two levels s is what lme4 prints for a slope with treatment contrasts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal

import numpy as np

from analysis.methods.arrays import Floats, Integers
from analysis.methods.conditions.designs import CellMeans, Factor
from analysis.methods.conditions.variance import analyse
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, no_such

MOST_CELLS = 64
Role = Literal["participant", "item"]
ROLES: tuple[Role, Role] = ("participant", "item")


@dataclass(frozen=True)
class Term:
    """A main effect or an interaction with its orthonormal contrasts (cells × df)."""

    factors: tuple[str, ...]
    contrasts: Floats
    combinations: int

    @property
    def name(self) -> str:
        """Return the factors joined with a colon, as in the table of an ANOVA."""
        return ":".join(self.factors)

    def loading(self, cells: int) -> float:
        """Return ω / s: what a stated standard deviation of a slope is on orthonormal contrasts."""
        return math.sqrt(cells / (self.combinations * 2 ** len(self.factors)))


@dataclass(frozen=True)
class Design:
    """Crossed factors and the terms that they make, in the order of the ANOVA table.

    Of the factors `between_participants` everybody has one level, of those `between_items` every item; all others are
    within both.
    """

    factors: tuple[Factor, ...]
    terms: tuple[Term, ...]
    between_participants: tuple[str, ...] = ()
    between_items: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Return the cells as tuples of levels; the last factor changes fastest."""
        return list(product(*(factor.levels for factor in self.factors)))

    @property
    def contrasts(self) -> Floats:
        """Return all contrasts side by side (cells × cells − 1)."""
        return np.hstack([term.contrasts for term in self.terms])

    @property
    def levels(self) -> Integers:
        """Return the level of every factor in every cell (cells × factors)."""
        return np.indices([len(factor.levels) for factor in self.factors]).reshape(len(self.factors), -1).T

    @property
    def places(self) -> Integers:
        """Return the cells as groups of participants × groups of items × cells within both.

        >>> made = design_of([Factor("a", ("x", "y")), Factor("g", ("u", "v"))], between_participants=["g"])
        >>> made.places.tolist()
        [[[0, 2]], [[1, 3]]]
        """
        names = [factor.name for factor in self.factors]
        within = [name for name in names if name not in (*self.between_participants, *self.between_items)]
        blocks = (self.between_participants, self.between_items, within)
        sizes = [len(factor.levels) for factor in self.factors]
        order = [names.index(name) for block in blocks for name in block]
        grid = np.arange(math.prod(sizes)).reshape(sizes).transpose(order)
        return grid.reshape([math.prod(sizes[names.index(name)] for name in block) for block in blocks])

    def between(self, role: Role) -> tuple[str, ...]:
        """Return the factors that differ between participants, or between items."""
        return self.between_participants if role == "participant" else self.between_items

    def within_part(self, term: Term, role: Role) -> tuple[str, ...]:
        """Return the factors of a term that vary within participants, or within items.

        Participants differ in the term by their slope of these; without any, by their intercept (Barr, 2013).
        """
        return tuple(name for name in term.factors if name not in self.between(role))

    def slopes(self, role: Role) -> list[Term]:
        """Return the terms of which participants, or items, can have slopes: nothing in them differs between them."""
        return [term for term in self.terms if self.within_part(term, role) == term.factors]

    def spread_of(self, term: Term, role: Role) -> str:
        """Return the standard deviation by which participants, or items, differ in a term: of a slope or intercept."""
        return ":".join((role, *self.within_part(term, role)))

    def term(self, name: str) -> Term | None:
        """Return the term of these factors, in any order, or None."""
        wanted = {part.strip() for part in name.split(":")}
        return next((term for term in self.terms if set(term.factors) == wanted), None)


@dataclass(frozen=True)
class Truth:
    """What is simulated. `effects` holds the means of the cells for every term; slopes are by the name of a term.

    With `thresholds` (log odds, rising) everything is in log odds, and an answer is the number of them that lie below
    the sum of effects, deviations and a logistic residual: 1 or 0 with one, else an ordered category.
    """

    effects: Mapping[str, Floats]
    residual: float
    participant: float = 0.0
    item: float = 0.0
    participant_slopes: Mapping[str, float] | None = None
    item_slopes: Mapping[str, float] | None = None
    thresholds: tuple[float, ...] | None = None

    @property
    def without_effects(self) -> Truth:
        """Return the same people and items without any effect."""
        return replace(self, effects={name: values * 0.0 for name, values in self.effects.items()})

    def size(self, term: Term, design: Design) -> float:
        """Return the largest difference that an effect makes between two levels; for an interaction, of differences.

        For two factors that is max |E_ij − E_i'j − E_ij' + E_i'j'| over all pairs of levels of both.

        >>> from analysis.methods.power.stated import stated_effects
        >>> design = design_of([Factor("a", ("x", "y", "z")), Factor("b", ("u", "v"))])
        >>> found = stated_effects("a:b=0,2,0,-1,0,-1", design, None)
        >>> round(Truth(found, residual=1.0).size(design.terms[2], design), 9)
        3.0
        """
        differences = self.effects[term.name].reshape([len(factor.levels) for factor in design.factors])
        for axis, factor in enumerate(design.factors):
            # Nothing of the effect differs between levels of the factors that are not in its term.
            pairs = list(combinations(range(len(factor.levels)), 2)) if factor.name in term.factors else []
            first, second = ([pair[end] for pair in pairs] for end in (0, 1))
            whole = differences.take([0], axis)
            differences = differences.take(second, axis) - differences.take(first, axis) if pairs else whole
        return float(np.abs(differences).max())


def design_of(
    factors: Sequence[Factor], *, between_participants: Sequence[str] = (), between_items: Sequence[str] = ()
) -> Design:
    """Return the design of crossed factors, which are within participants and items unless named otherwise.

    Raises BadInput where there are too many cells, or a factor between participants or items does not exist or is both.

    >>> [term.name for term in design_of([Factor("a", ("x", "y")), Factor("b", ("u", "v"))]).terms]
    ['a', 'b', 'a:b']
    """
    count = math.prod(len(factor.levels) for factor in factors)
    if count > MOST_CELLS:
        raise BadInput(f"The design has {count} cells; a power analysis takes at most {MOST_CELLS}.")
    cells = CellMeans(
        dv="",
        unit="",
        units=("a", "b", "c"),
        within=tuple(factors),
        between=(),
        means=np.outer((0.0, 1.0, 3.0), np.arange(count) ** 2),
        trials=np.ones((3, count), dtype=np.intp),
        groups=np.zeros((3, 0), dtype=np.intp),
        left_out=(),
        notes=(),
        warnings=(),
    )
    sizes = {factor.name: len(factor.levels) for factor in factors}
    terms = [
        Term(effect.factors, effect.stratum.contrasts, math.prod(sizes[name] for name in effect.factors))
        for effect in analyse(cells).effects
    ]
    for parameter, named in (("between_participants", between_participants), ("between_items", between_items)):
        for name in named:
            if name not in sizes:
                raise BadInput(f"{parameter}: {no_such('factor', name, list(sizes))}")
    both = [name for name in sizes if name in between_participants and name in between_items]
    if both:
        raise BadInput(
            f"{listed(both)} cannot differ between participants and between items at once: people at different levels "
            f"would then see different items, and items are crossed with people here. Name it in between_participants "
            f"or in between_items."
        )
    between = [tuple(name for name in sizes if name in named) for named in (between_participants, between_items)]
    return Design(tuple(factors), tuple(terms), *between)
