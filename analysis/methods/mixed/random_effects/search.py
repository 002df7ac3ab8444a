"""Track a selection of random effects: the terms left, what can be removed from them, and the steps so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Block
from analysis.methods.mixed.design.terms import (
    Formula,
    Part,
    RandomTerm,
    Term,
    Variable,
    random_text,
    term_name,
    with_random,
)
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.fitting.stationary import SINGULAR

M = TypeVar("M", bound=Estimates)


@dataclass(frozen=True)
class Slope:
    """A slope that can be taken out: which random term it is in, and what varies."""

    place: int
    term: Term


class Search(Generic[M]):
    """The random terms of the formula keep their places; one in which nothing varies any more has no effects."""

    def __init__(self, formula: Formula, fit: Callable[[Formula, M | None, int], M]) -> None:
        self.formula = formula
        self.fit = fit
        self.fits = 0
        self.step = 0
        self.lines: list[dict[str, Any]] = []
        self.random = formula.random
        # What was fitted.
        self.known: set[tuple[RandomTerm, ...]] = set()
        self.first = self.fitted(self.random, None)

    def fitted(self, random: Sequence[RandomTerm], near: M | None) -> M:
        """Fit the model with these random terms, from where a model `near` it ended."""
        self.fits += 1
        self.known.add(tuple(random))
        text = self.formula
        if tuple(random) != text.random:
            text = with_random(text, tuple(term for term in random if term.effects))
        return self.fit(text, near, self.fits - 1)

    def tell(
        self, model: Estimates, change: str, decision: str, test: dict[str, float] | None = None, *, step: bool = True
    ) -> None:
        """Add a row to the table; `step` begins a new step."""
        self.step += step
        line = {"step": self.step, "change": change, "random": random_text(model.whole.formula), "decision": decision}
        line |= model.measures()
        self.lines.append({**line, **(test or {})})

    def uncorrelated(self, model: Estimates) -> list[int]:
        """Return where correlations of the formula were taken out and could be again."""
        asked = [place for place, term in enumerate(self.formula.random) if term.correlated]
        return [place for place in asked if not self.random[place].correlated and self.width(model, place) > 1]

    def places(self) -> range:
        """Return the places of all random terms."""
        return range(len(self.random))

    def groups_of(self, places: Sequence[int]) -> str:
        """Name the groups by which the random terms at these places vary."""
        return " and ".join(dict.fromkeys(":".join(self.random[place].group) for place in places))

    def fault(self, model: Estimates, place: int) -> str:
        """Return what is wrong with the covariance matrix of one random term, nothing where it is sound."""
        if not model.optimum.converged:
            return "did not converge"
        return "singular" if self.is_singular(model, place) else ""

    def slopes(self) -> list[Slope]:
        """Return the slopes that can go: not within another one of their group, not all that varies by it.

        Where there is no intercept, other factors than the last would be coded anew without it, and the last one
        stands for the intercept unless another random term of the group has it.
        """
        found = []
        for place, one in enumerate(self.random):
            alike = [other for other in self.random if other.group == one.group]
            group = [term for other in alike for term in other.effects]
            has_intercept = any(other.part.intercept for other in alike)
            for term in one.part.terms:
                if len(group) == 1 or any(set(term) < set(other) for other in group):
                    continue
                others = [variable for other in one.part.terms if other != term for variable in other]
                kinds = [self._is_factor(variable) for variable in term]
                held = (any(kinds) and any(map(self._is_factor, others))) or (all(kinds) and not has_intercept)
                if one.part.intercept or not held:
                    found.append(Slope(place, term))
        return found

    def _is_factor(self, variable: Variable) -> bool:
        return isinstance(self.first.whole.variables.predictors[variable], Categorical)

    def without(self, slope: Slope) -> tuple[RandomTerm, ...]:
        """Return the random terms without a slope; an intercept that is left alone has no correlations to leave out."""
        one = self.random[slope.place]
        part = Part(one.part.intercept, tuple(term for term in one.part.terms if term != slope.term))
        left = RandomTerm(part, one.group, one.correlated or not part.terms)
        return (*self.random[: slope.place], left, *self.random[slope.place + 1 :])

    def with_bars(self, places: Sequence[int], *, correlated: bool) -> tuple[RandomTerm, ...]:
        """Return the random terms, those at these places with | where `correlated`, else with ||."""
        return tuple(
            replace(term, correlated=correlated) if place in places else term for place, term in enumerate(self.random)
        )

    def change_without(self, slope: Slope) -> str:
        """Say in the table what is taken out with a slope."""
        return f"without {term_name(slope.term)} by {':'.join(self.random[slope.place].group)}"

    def _blocks(self, model: Estimates, place: int, term: Term | None = None) -> list[tuple[Block, Floats]]:
        """Return the blocks of a random term, with or without correlations, or of one effect; with their part of Λ."""
        one = self.random[place]
        wanted = set(one.effects) if term is None else {term}
        return [
            (block, factor[np.ix_(block.columns, block.columns)])
            for group, factor in zip(model.prepared.groups, model.lambdas, strict=True)
            if group.name == ":".join(one.group)
            for block in group.blocks
            if set(block.terms) <= wanted
        ]

    def correlated(self, model: Estimates, place: int) -> bool:
        """Return whether effects of a random term are correlated in a fitted model."""
        return any(len(block.columns) > 1 and not block.shared for block, _ in self._blocks(model, place))

    def width(self, model: Estimates, place: int) -> int:
        """Return how many columns a random term has in a fitted model."""
        return sum(len(block.columns) for block, _ in self._blocks(model, place))

    def is_singular(self, model: Estimates, place: int) -> bool:
        """Return whether the covariance matrix of a random term is singular."""
        return any(bool((np.abs(np.diag(factor)) < SINGULAR).any()) for _, factor in self._blocks(model, place))

    def less_singular(self, model: Estimates) -> tuple[tuple[RandomTerm, ...], str] | None:
        """Return the random terms without one thing that has no variance, and what that is; None where nothing can go.

        Correlations of a singular term go first, then slopes, the highest order first, then intercepts.
        """
        singular = [place for place in self.places() if self.is_singular(model, place)]
        correlated = [place for place in singular if self.correlated(model, place)]
        if correlated:
            change = f"without correlations by {self.groups_of(correlated)}"
            return self.with_bars(correlated, correlated=False), change
        empty = [slope for slope in self.slopes() if self._lacks_variance(model, slope.place, slope.term)]
        if empty:
            slope = max(enumerate(empty), key=lambda one: (len(one[1].term), one[0]))[1]
            return self.without(slope), self.change_without(slope)
        for place in singular:
            one = self.random[place]
            others = any(term.effects for number, term in enumerate(self.random) if number != place)
            if one.part.intercept and (one.part.terms or others) and self._lacks_variance(model, place, ()):
                left = RandomTerm(Part(False, one.part.terms), one.group, one.correlated)
                change = f"without the intercept by {':'.join(one.group)}"
                return (*self.random[:place], left, *self.random[place + 1 :]), change
        return None

    def _lacks_variance(self, model: Estimates, place: int, term: Term) -> bool:
        """Return whether some column of an effect without correlations has no variance."""
        return any(bool((np.abs(np.diag(factor)) < SINGULAR).any()) for _, factor in self._blocks(model, place, term))

    def is_empty(self, model: Estimates, slope: Slope) -> bool:
        """Return whether a slope without correlations has no variance, in none of its columns."""
        if self.correlated(model, slope.place):
            return False
        return all(
            bool((np.abs(np.diag(factor)) < SINGULAR).all())
            for _, factor in self._blocks(model, slope.place, slope.term)
        )


def soundness(model: Estimates) -> str:
    """Say in the table how the search for an optimum ended."""
    if not model.optimum.converged:
        return "did not converge"
    return "singular" if model.optimum.singular else "converged, not singular"
