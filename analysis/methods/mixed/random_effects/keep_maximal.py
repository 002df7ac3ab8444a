"""The largest random effects that are not degenerate, without a test (see `reduction`)."""

from __future__ import annotations

from analysis.methods.mixed.random_effects.candidates import is_sound
from analysis.methods.mixed.random_effects.search import M, Search, soundness


def keep_maximal(search: Search[M]) -> M:
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
