"""Select the random effects of a mixed model, beginning with those of its formula.

`parsimonious` (Bates, Kliegl, Vasishth & Baayen 2015, arXiv 1506.04967; Matuschek, Kliegl, Vasishth, Baayen & Bates
2017, *Journal of Memory and Language* 94, 305–315) takes a simpler model where the data do not support the larger one:

1. the model of the formula: the correlations of random terms whose covariance matrix is singular are taken out
   untested, all of them where it did not converge;
2. those that are left are tested together; where they improve the model, their random terms stay as they are, else
   they are taken out;
3. in the other random terms slopes are taken out one at a time, interactions of the highest order first, among these
   the one that costs the least, as long as p of the likelihood ratio test is above .20
   (`ALPHA`); a slope stays while one that contains it is there;
4. correlations are tried again, one random term at a time, and kept where p ≤ .20 and its covariance matrix is not
   singular;
5. what is still singular is taken out untested: correlations, then slopes, then intercepts without variance, so that
   the model that is reported is not singular, unless the only intercept that is left has no variance.

`keep-maximal` (Barr, Levy, Scheepers & Tily 2013, *Journal of Memory and Language* 68, 255–278) tests nothing: only
what stands in the way of a fit that converges and is not singular is taken out. Correlations of the terms whose
covariance matrix is singular go first, then slopes of which no column has variance, the highest order first, the last
one written first; at last correlations are tried again, the largest random term first, and taken where that converges
and makes nothing singular.

With `keep-maximal` intercepts stay, also those that factors without an intercept stand for, and without variance they
stand in the way of nothing. All models have the same fixed effects, so restricted likelihoods can be compared, and the
tests use the criterion with which the model is reported: χ² is the difference of −2 log likelihoods, df that of the
numbers of variances and covariances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from analysis.methods.mixed.design.terms import Formula
from analysis.methods.mixed.random_effects.candidates import is_sound, tested
from analysis.methods.mixed.random_effects.search import M, Search, Slope, soundness
from analysis.methods.wording import p_text, share_text

ALPHA = 0.2
UNCONVERGED = "the larger model did not converge"
NONE, KEEP_MAXIMAL, PARSIMONIOUS = "none", "keep-maximal", "parsimonious"


@dataclass(frozen=True)
class Reduced(Generic[M]):
    """What is reported, after how many fits, and the rows of the table `steps` (the last one is the reported model).

    There are no rows where nothing was to be chosen.
    """

    model: M
    fits: int
    lines: tuple[dict[str, Any], ...]


def reduced(formula: Formula, how: str, fit: Callable[[Formula, M | None, int], M]) -> Reduced[M]:
    """Choose random effects, `how` being keep-maximal, parsimonious, or none: the model of the formula.

    `fit` fits a formula; its second argument is the model from which to go on (see `warm_start`), None for the first,
    the third one how many were fitted before.
    """
    if how == NONE:
        return Reduced(fit(formula, None, 0), 1, ())
    search = Search(formula, fit)
    model = _parsimonious(search) if how == PARSIMONIOUS else _keep_maximal(search)
    search.tell(model, "reported model", "reported")
    return Reduced(model, search.fits, tuple(search.lines))


def _parsimonious(search: Search[M]) -> M:
    """Take out what the data do not support, then try correlations again; return the model to report."""
    search.tell(search.first, "model of the formula", soundness(search.first))
    model, whole = _without_correlations(search, search.first)
    if model is None:
        return _not_singular(search, search.first)
    highest = max((len(term) for one in search.random for term in one.part.terms), default=0)
    for order in range(highest, 0, -1):
        model = _without_slopes(search, model, order, whole)
    return _not_singular(search, _with_correlations(search, model))


def _not_singular(search: Search[M], model: M) -> M:
    """Take out what has no variance until the fit is not singular; return the model to report."""
    while model.optimum.converged and model.optimum.singular:
        simpler = search.less_singular(model)
        if simpler is None:
            break
        search.random, change = simpler
        model = search.fitted(search.random, model)
        search.tell(model, change, "taken: singular")
    return model


def _without_correlations(search: Search[M], maximal: M) -> tuple[M | None, frozenset[int]]:
    """Return a model without correlations that the data do not support, None where they support the maximal one.

    Beside it the places of the random terms that stay as they are, because their correlations improve the model.
    """
    model, untested = maximal, False
    while places := [place for place in search.places() if search.correlated(model, place)]:
        failed = not model.optimum.converged
        singular = [place for place in places if failed or search.is_singular(model, place)]
        simpler = search.with_bars(singular or places, correlated=False)
        change = "without correlations"
        if len(singular or places) < len(places) or untested:
            change = f"{change} by {search.groups_of(singular or places)}"
        without = search.fitted(simpler, model)
        test = tested(without, model)
        if not singular and (test is None or test["p"] <= ALPHA):
            why = f"they improve the model ({p_text(test['p'])})" if test else "did not converge"
            search.tell(without, change, f"not taken: {why}", test)
            return (model if untested or _in_the_way(search, model) else None), frozenset(places)
        why = UNCONVERGED if failed else "singular"
        if test and not singular:
            why = f"{p_text(test['p'])}, above {share_text(ALPHA)}"
        search.tell(without, change, f"taken: {why}", test)
        search.random, model, untested = simpler, without, True
    return model, frozenset()


def _in_the_way(search: Search[M], model: M) -> bool:
    """Return whether something else than an intercept alone has no variance."""
    return any(search.is_singular(model, place) for place in search.places() if search.random[place].part.terms)


def _without_slopes(search: Search[M], model: M, order: int, whole: frozenset[int]) -> M:
    """Take out slopes of one order as long as that costs little, none of the random terms that stay as they are."""
    while offered := [one for one in search.slopes() if len(one.term) == order and one.place not in whole]:
        # Nothing costs less than what has no variance, so nothing else need be tried beside it.
        empty = [slope for slope in offered if search.is_empty(model, slope)]
        asked = empty[-1:] or offered
        tried = [_taken_out(search, model, slope) for slope in asked]
        # Against a larger model that did not converge there is no test; the best fit is taken.
        costs = [
            (
                -1.0 if not smaller.optimum.converged else test["p"] if test else 1.0,
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
                decision = "taken: without variance" if empty else f"taken: costs the least ({p_text(test['p'])})"
            elif test["p"] > ALPHA:
                decision = "not taken: another one costs less"
            else:
                decision = f"not taken: it improves the model ({p_text(test['p'])})"
            search.tell(smaller, search.change_without(slope), decision, test, step=number == 0)
        if not is_taken:
            break
        search.random = search.without(asked[best])
        model = tried[best][0]
    return model


def _taken_out(search: Search[M], model: M, slope: Slope) -> tuple[M, dict[str, float] | None]:
    smaller = search.fitted(search.without(slope), model)
    return smaller, tested(smaller, model)


def _with_correlations(search: Search[M], model: M) -> M:
    """Put correlations back, one random term at a time, the most telling first."""
    asked = search.uncorrelated(model)
    while asked:
        tried = [search.fitted(search.with_bars([place], correlated=True), model) for place in asked]
        tests = [tested(model, larger) for larger in tried]
        faults = [search.fault(larger, place) for larger, place in zip(tried, asked, strict=True)]
        costs = [1.0 if fault or test is None else test["p"] for fault, test in zip(faults, tests, strict=True)]
        best = min(range(len(tried)), key=lambda number: (costs[number], number))
        is_taken = costs[best] <= ALPHA
        for number, (place, larger, test) in enumerate(zip(asked, tried, tests, strict=True)):
            if number == best and is_taken:
                decision = f"taken: they improve the model ({p_text(costs[number])})"
            elif faults[number]:
                decision = f"not taken: {faults[number]}"
            elif test is None:
                decision = "not taken: the smaller model did not converge"
            elif test["p"] > ALPHA:
                decision = f"not taken: {p_text(test['p'])}, above {share_text(ALPHA)}"
            else:
                decision = "tried again: another one improves the model more"
            search.tell(larger, f"with correlations by {search.groups_of([place])}", decision, test, step=number == 0)
        if not is_taken:
            break
        search.random = search.with_bars([asked.pop(best)], correlated=True)
        model = tried[best]
    return model


def _keep_maximal(search: Search[M]) -> M:
    """Take out what stands in the way of a sound fit, then put correlations back; return the model to report."""
    model = search.first
    search.tell(model, "model of the formula", soundness(model))
    while not is_sound(model):
        failed = not model.optimum.converged
        places = [
            place
            for place in search.places()
            if search.correlated(model, place) and (failed or search.is_singular(model, place))
        ]
        slopes = [slope for slope in search.slopes() if failed or search.is_empty(model, slope)]
        if places:
            change = f"without correlations by {search.groups_of(places)}"
            search.random = search.with_bars(places, correlated=False)
        elif slopes:
            slope = max(enumerate(slopes), key=lambda one: (len(one[1].term), one[0]))[1]
            search.random, change = search.without(slope), search.change_without(slope)
        else:
            break
        model = search.fitted(search.random, model)
        search.tell(model, change, soundness(model))
    return _as_many_correlations(search, model) if model.optimum.converged else model


def _as_many_correlations(search: Search[M], model: M) -> M:
    """Put correlations back where that converges and makes nothing singular, the largest random term first."""
    sizes = {place: search.width(model, place) for place in search.uncorrelated(model)}
    for place in sorted(sizes, key=lambda one: -sizes[one]):
        larger = search.with_bars([place], correlated=True)
        if larger in search.known:
            continue
        tried = search.fitted(larger, model)
        spoilt = [
            one for one in search.places() if search.is_singular(tried, one) and not search.is_singular(model, one)
        ]
        fault = search.fault(tried, place) or ("singular" if spoilt else "")
        decision = f"not taken: {fault}" if fault else "taken: can be estimated"
        search.tell(tried, f"with correlations by {search.groups_of([place])}", decision)
        if not fault:
            search.random, model = larger, tried
    return model
