"""Parsimonious selection: random effects that the data do not support are taken out (see `reduction`)."""

from __future__ import annotations

from analysis.methods.mixed.random_effects.candidates import RatioTest, tested
from analysis.methods.mixed.random_effects.search import M, Search, Slope, soundness
from analysis.methods.wording import p_text, share_text

ALPHA = 0.2
UNCONVERGED = "the larger model did not converge"


def parsimonious(search: Search[M]) -> M:
    """Take out what the data do not support, then try correlations again; return the model to report."""
    search.tell(search.first, "model of the formula", soundness(search.first))
    model, whole = _without_correlations(search, search.first)
    if model is None:
        return search.first
    highest = max((len(term) for one in search.random for term in one.part.terms), default=0)
    for order in range(highest, 0, -1):
        model = _without_slopes(search, model, order, whole)
    return _with_correlations(search, model)


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
        if not singular and (test is None or test.p <= ALPHA):
            why = f"they improve the model ({p_text(test.p)})" if test else "did not converge"
            search.tell(without, change, f"not taken: {why}", test)
            return (model if untested or _in_the_way(search, model) else None), frozenset(places)
        why = UNCONVERGED if failed else "singular"
        if test and not singular:
            why = f"{p_text(test.p)}, above {share_text(ALPHA)}"
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
            search.tell(smaller, search.change_without(slope), decision, test, step=number == 0)
        if not is_taken:
            break
        search.random = search.without(asked[best])
        model = tried[best][0]
    return model


def _taken_out(search: Search[M], model: M, slope: Slope) -> tuple[M, RatioTest | None]:
    smaller = search.fitted(search.without(slope), model)
    return smaller, tested(smaller, model)


def _with_correlations(search: Search[M], model: M) -> M:
    """Put correlations back, one random term at a time, the most telling first."""
    asked = search.uncorrelated(model)
    while asked:
        tried = [search.fitted(search.with_bars([place], correlated=True), model) for place in asked]
        tests = [tested(model, larger) for larger in tried]
        faults = [search.fault(larger, place) for larger, place in zip(tried, asked, strict=True)]
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
            search.tell(larger, f"with correlations by {search.groups_of([place])}", decision, test, step=number == 0)
        if not is_taken:
            break
        search.random = search.with_bars([asked.pop(best)], correlated=True)
        model = tried[best]
    return model
