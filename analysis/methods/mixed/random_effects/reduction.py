"""Choosing the random effects of a mixed model, beginning with those of its formula.

`parsimonious` (Bates, Kliegl, Vasishth & Baayen 2015, arXiv 1506.04967; Matuschek, Kliegl, Vasishth, Baayen & Bates
2017, *Journal of Memory and Language* 94, 305–315) takes a simpler model where the data do not support the larger one:

1. the model of the formula: the correlations of random terms whose covariance matrix is singular are taken out
   untested, all of them where it did not converge;
2. those that are left are tested together; where they improve the model, their random terms stay as they are, else
   they are taken out;
3. in the other random terms slopes are taken out one at a time, interactions of the highest order first, among these
   the one that costs the least, as long as p of the likelihood ratio test is above .20 (`ALPHA`); a slope stays while
   one that contains it is there;
4. correlations are tried again, one random term at a time, and kept where p ≤ .20 and its covariance matrix is not
   singular.

`keep-maximal` (Barr, Levy, Scheepers & Tily 2013, *Journal of Memory and Language* 68, 255–278) tests nothing: only
what stands in the way of a fit that converges and is not singular is taken out. Correlations of the terms whose
covariance matrix is singular go first, then slopes of which no column has variance, the highest order first, the last
one written first; at last correlations are tried again, the largest random term first, and taken where that converges
and makes nothing singular.

Intercepts stay with both, also those that factors without an intercept stand for, and without variance they stand in
the way of nothing. All models have the same fixed effects, so restricted likelihoods can be compared, and the
tests use the criterion with which the model is reported: χ² is the difference of −2 log likelihoods, df that of the
numbers of variances and covariances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Block
from analysis.methods.mixed.design.terms import Formula, Part, RandomTerm, Term, Variable, term_name, with_random
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.fitting.stationary import SINGULAR
from analysis.methods.mixed.random_effects.candidates import Candidate, is_sound
from analysis.methods.wording import p_text, share_text

NONE, KEEP_MAXIMAL, PARSIMONIOUS = "none", "keep-maximal", "parsimonious"
ALPHA = 0.2
# Below this a difference of criteria is what the search leaves, and no difference.
ROUNDING = 1e-5
UNCONVERGED = "the larger model did not converge"


M = TypeVar("M", bound=Candidate)


@dataclass(frozen=True)
class Reduced(Generic[M]):
    """What is reported, after how many fits, and the rows of the table `steps` (the last one is the reported model)."""

    model: M
    fits: int
    lines: tuple[dict[str, Any], ...]


def reduced(formula: Formula, how: str, fit: Callable[[Formula, M | None, int], M]) -> Reduced[M]:
    """Choose random effects, `how` being keep-maximal or parsimonious.

    `fit` fits a formula; its second argument is the model from which to go on (see `warm_start`), None for the first,
    the third one how many were fitted before.
    """
    search = _Search(formula, fit)
    model = search.parsimonious() if how == PARSIMONIOUS else search.keep_maximal()
    search.tell(model, "reported model", "reported")
    return Reduced(model, search.fits, tuple(search.lines))


@dataclass(frozen=True)
class _Slope:
    """A slope that can be taken out: which random term it is in, and what varies."""

    place: int
    term: Term


@dataclass(frozen=True)
class _Test:
    """The likelihood ratio test of a smaller model against a larger one."""

    chi2: float
    df: int
    p: float


class _Search(Generic[M]):
    """The random terms of the formula keep their places; one in which nothing varies any more has no effects."""

    def __init__(self, formula: Formula, fit: Callable[[Formula, M | None, int], M]) -> None:
        self.formula = formula
        self.fit = fit
        self.fits = 0
        self.step = 0
        self.lines: list[dict[str, Any]] = []
        self.random = formula.random
        # What was fitted, and the random terms that stay as they are because their correlations improve the model.
        self.known: set[tuple[RandomTerm, ...]] = set()
        self.whole: frozenset[int] = frozenset()
        self.first = self.fitted(self.random, None)

    def fitted(self, random: Sequence[RandomTerm], near: M | None) -> M:
        self.fits += 1
        self.known.add(tuple(random))
        text = self.formula
        if tuple(random) != text.random:
            text = with_random(text, tuple(term for term in random if term.effects))
        return self.fit(text, near, self.fits - 1)

    def tell(
        self, model: Candidate, change: str, decision: str, test: _Test | None = None, *, step: bool = True
    ) -> None:
        """Add a row to the table; `step` begins a new step."""
        self.step += step
        line: dict[str, Any] = {
            "step": self.step,
            "change": change,
            "random": random_text(model.formula),
            "parameters": model.parameters,
            "log_lik": -model.criterion / 2,
            "criterion": model.criterion,
            "converged": model.optimum.converged,
            "singular": model.optimum.singular,
            "decision": decision,
        }
        self.lines.append(line if test is None else {**line, "chi2": test.chi2, "df": test.df, "p": test.p})

    def parsimonious(self) -> M:
        self.tell(self.first, "model of the formula", _soundness(self.first))
        model = self._without_correlations(self.first)
        if model is None:
            return self.first
        highest = max((len(term) for one in self.random for term in one.part.terms), default=0)
        for order in range(highest, 0, -1):
            model = self._without_slopes(model, order)
        return self._with_correlations(model)

    def _without_correlations(self, maximal: M) -> M | None:
        """Return a model without correlations that the data do not support, None where they support the maximal one."""
        model, untested = maximal, False
        while places := [place for place in self._places() if self._correlated(model, place)]:
            failed = not model.optimum.converged
            singular = [place for place in places if failed or self._is_singular(model, place)]
            simpler = self._bars(singular or places, correlated=False)
            change = "without correlations"
            if len(singular or places) < len(places) or untested:
                change = f"{change} by {self._groups(singular or places)}"
            without = self.fitted(simpler, model)
            test = _tested(without, model)
            if not singular and (test is None or test.p <= ALPHA):
                why = f"they improve the model ({p_text(test.p)})" if test else "did not converge"
                self.tell(without, change, f"not taken: {why}", test)
                self.whole = frozenset(places)
                return model if untested or self._in_the_way(model) else None
            why = UNCONVERGED if failed else "singular"
            if test and not singular:
                why = f"{p_text(test.p)}, above {share_text(ALPHA)}"
            self.tell(without, change, f"taken: {why}", test)
            self.random, model, untested = simpler, without, True
        return model

    def _without_slopes(self, model: M, order: int) -> M:
        """Take out slopes of one order as long as that costs little."""
        while offered := [one for one in self._slopes() if len(one.term) == order and one.place not in self.whole]:
            # Nothing costs less than what has no variance, so nothing else need be tried beside it.
            empty = [slope for slope in offered if self._is_empty(model, slope)]
            asked = empty[-1:] or offered
            tried = [self._taken_out(model, slope) for slope in asked]
            # Against a larger model that did not converge there is no test; the best fit is taken.
            costs = [
                (
                    -1.0 if not smaller.optimum.converged else test.p if test else 1.0,
                    -smaller.criterion if not test else 0,
                )
                for smaller, test in tried
            ]
            best = max(range(len(tried)), key=lambda number: (costs[number], number))
            is_taken = costs[best][0] > ALPHA
            for number, (slope, (smaller, test)) in enumerate(zip(asked, tried, strict=True)):
                if not smaller.optimum.converged:
                    decision = "not taken: did not converge"
                elif test is None:
                    decision = f"taken: {UNCONVERGED}" if number == best else "not taken: another one fits better"
                elif number == best and is_taken:
                    decision = "taken: without variance" if empty else f"taken: costs the least ({p_text(test.p)})"
                elif test.p > ALPHA:
                    decision = "not taken: another one costs less"
                else:
                    decision = f"not taken: it improves the model ({p_text(test.p)})"
                self.tell(smaller, self._said(slope), decision, test, step=number == 0)
            if not is_taken:
                break
            self.random = self._minus(asked[best])
            model = tried[best][0]
        return model

    def _taken_out(self, model: M, slope: _Slope) -> tuple[M, _Test | None]:
        smaller = self.fitted(self._minus(slope), model)
        return smaller, _tested(smaller, model)

    def _with_correlations(self, model: M) -> M:
        """Put correlations back, one random term at a time, the most telling first."""
        asked = self._uncorrelated(model)
        while asked:
            tried = [self.fitted(self._bars([place], correlated=True), model) for place in asked]
            tests = [_tested(model, larger) for larger in tried]
            faults = [self._fault(larger, place) for larger, place in zip(tried, asked, strict=True)]
            costs = [1.0 if fault or test is None else test.p for fault, test in zip(faults, tests, strict=True)]
            best = min(range(len(tried)), key=lambda number: (costs[number], number))
            is_taken = costs[best] <= ALPHA
            for number, (place, larger, test) in enumerate(zip(asked, tried, tests, strict=True)):
                if number == best and is_taken:
                    decision = f"taken: they improve the model ({p_text(costs[number])})"
                elif faults[number]:
                    decision = f"not taken: {faults[number]}"
                elif test is None:
                    decision = "not taken: the smaller model did not converge"
                elif test.p > ALPHA:
                    decision = f"not taken: {p_text(test.p)}, above {share_text(ALPHA)}"
                else:
                    decision = "tried again: another one improves the model more"
                self.tell(larger, f"with correlations by {self._groups([place])}", decision, test, step=number == 0)
            if not is_taken:
                break
            self.random = self._bars([asked.pop(best)], correlated=True)
            model = tried[best]
        return model

    def keep_maximal(self) -> M:
        model = self.first
        self.tell(model, "model of the formula", _soundness(model))
        while not is_sound(model):
            failed = not model.optimum.converged
            places = [
                place
                for place in self._places()
                if self._correlated(model, place) and (failed or self._is_singular(model, place))
            ]
            slopes = [slope for slope in self._slopes() if failed or self._is_empty(model, slope)]
            if places:
                change = f"without correlations by {self._groups(places)}"
                self.random = self._bars(places, correlated=False)
            elif slopes:
                slope = max(enumerate(slopes), key=lambda one: (len(one[1].term), one[0]))[1]
                self.random, change = self._minus(slope), self._said(slope)
            else:
                break
            model = self.fitted(self.random, model)
            self.tell(model, change, _soundness(model))
        return self._as_many_correlations(model) if model.optimum.converged else model

    def _as_many_correlations(self, model: M) -> M:
        """Put correlations back where that converges and makes nothing singular, the largest random term first."""
        sizes = {place: self._width(model, place) for place in self._uncorrelated(model)}
        for place in sorted(sizes, key=lambda one: -sizes[one]):
            larger = self._bars([place], correlated=True)
            if larger in self.known:
                continue
            tried = self.fitted(larger, model)
            spoilt = [
                one for one in self._places() if self._is_singular(tried, one) and not self._is_singular(model, one)
            ]
            fault = self._fault(tried, place) or ("singular" if spoilt else "")
            decision = f"not taken: {fault}" if fault else "taken: can be estimated"
            self.tell(tried, f"with correlations by {self._groups([place])}", decision)
            if not fault:
                self.random, model = larger, tried
        return model

    def _uncorrelated(self, model: Candidate) -> list[int]:
        """Return where correlations of the formula were taken out and could be again."""
        asked = [place for place, term in enumerate(self.formula.random) if term.correlated]
        return [place for place in asked if not self.random[place].correlated and self._width(model, place) > 1]

    def _places(self) -> range:
        return range(len(self.random))

    def _groups(self, places: Sequence[int]) -> str:
        return " and ".join(dict.fromkeys(":".join(self.random[place].group) for place in places))

    def _fault(self, model: Candidate, place: int) -> str:
        """Return what is wrong with the covariance matrix of one random term, nothing where it is sound."""
        if not model.optimum.converged:
            return "did not converge"
        return "singular" if self._is_singular(model, place) else ""

    def _in_the_way(self, model: Candidate) -> bool:
        """Return whether something else than an intercept alone has no variance."""
        return any(self._is_singular(model, place) for place in self._places() if self.random[place].part.terms)

    def _slopes(self) -> list[_Slope]:
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
                    found.append(_Slope(place, term))
        return found

    def _is_factor(self, variable: Variable) -> bool:
        return isinstance(self.first.design.variables.predictors[variable], Categorical)

    def _minus(self, slope: _Slope) -> tuple[RandomTerm, ...]:
        """Return the random terms without a slope; an intercept that is left alone has no correlations to leave out."""
        one = self.random[slope.place]
        part = Part(one.part.intercept, tuple(term for term in one.part.terms if term != slope.term))
        left = RandomTerm(part, one.group, one.correlated or not part.terms)
        return (*self.random[: slope.place], left, *self.random[slope.place + 1 :])

    def _bars(self, places: Sequence[int], *, correlated: bool) -> tuple[RandomTerm, ...]:
        return tuple(
            replace(term, correlated=correlated) if place in places else term for place, term in enumerate(self.random)
        )

    def _said(self, slope: _Slope) -> str:
        return f"without {term_name(slope.term)} by {':'.join(self.random[slope.place].group)}"

    def _blocks(self, model: Candidate, place: int, term: Term | None = None) -> list[tuple[Block, Floats]]:
        """Return the blocks of a random term, with or without correlations, or of one effect; with their part of Λ."""
        one = self.random[place]
        wanted = set(one.effects) if term is None else {term}
        return [
            (block, factor[np.ix_(block.columns, block.columns)])
            for group, factor in zip(model.groups, model.lambdas, strict=True)
            if group.name == ":".join(one.group)
            for block in group.blocks
            if set(block.terms) <= wanted
        ]

    def _correlated(self, model: Candidate, place: int) -> bool:
        return any(len(block.columns) > 1 and not block.shared for block, _ in self._blocks(model, place))

    def _width(self, model: Candidate, place: int) -> int:
        return sum(len(block.columns) for block, _ in self._blocks(model, place))

    def _is_singular(self, model: Candidate, place: int) -> bool:
        return any(bool((np.abs(np.diag(factor)) < SINGULAR).any()) for _, factor in self._blocks(model, place))

    def _is_empty(self, model: Candidate, slope: _Slope) -> bool:
        """Return whether a slope without correlations has no variance, in none of its columns."""
        if self._correlated(model, slope.place):
            return False
        return all(
            bool((np.abs(np.diag(factor)) < SINGULAR).all())
            for _, factor in self._blocks(model, slope.place, slope.term)
        )


def compared(smaller: Candidate, larger: Candidate) -> _Test:
    """Test a smaller model against a larger one with the same fixed effects."""
    chi2 = smaller.criterion - larger.criterion
    chi2 = chi2 if chi2 > ROUNDING else 0.0
    df = len(larger.optimum.theta) - len(smaller.optimum.theta)
    return _Test(chi2, df, float(scipy.stats.chi2.sf(chi2, df)))


def _tested(smaller: Candidate, larger: Candidate) -> _Test | None:
    """Return the test of two models that both converged; of others there is none."""
    return compared(smaller, larger) if smaller.optimum.converged and larger.optimum.converged else None


def slopes_of(formula: Formula) -> tuple[tuple[str, Term], ...]:
    """Return what varies beside intercepts, each with its grouping factor.

    >>> from analysis.methods.mixed.design.formula import parse
    >>> [(group, term_name(term)) for group, term in slopes_of(parse("z ~ a + (1 + a | participant) + (1 | item)"))]
    [('participant', 'a')]
    """
    return tuple((":".join(one.group), term) for one in formula.random for term in one.part.terms)


def random_text(formula: Formula) -> str:
    """Return the random terms of a formula as it has them.

    >>> from analysis.methods.mixed.design.formula import parse
    >>> random_text(parse("z ~ a + b + (a + b + a:b || participant) + (1|item)"))
    '(1 + a*b || participant) + (1 | item)'
    """
    return " + ".join(term.written for term in formula.random)


def _soundness(model: Candidate) -> str:
    if not model.optimum.converged:
        return "did not converge"
    return "singular" if model.optimum.singular else "converged, not singular"
