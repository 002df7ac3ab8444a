"""Find random slopes that the design of a study allows and its model lacks.

The slope that an effect needs for a group is that of the variables in it that vary within levels of the group (Barr,
2013): an interaction of a factor within participants and one between them needs the slope of the first alone.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design, Group, matrix
from analysis.methods.mixed.design.terms import Part, RandomTerm, Term, Variable
from analysis.methods.mixed.design.variables import Categorical

UNVARIED = 1e-9
SAME_SLOPE = ("", "center", "scale")
"""Functions that change the unit and the zero of a predictor, and not what its slope is."""


def lacking_slopes(
    design: Design, *, has_residual: bool, tried: Collection[tuple[str, Term]] = ()
) -> list[tuple[Group, list[Term]]]:
    """Return by group the slopes that its fixed effects need and it has not, without those in `tried`.

    A combination such as `participant:cond` counts as a slope of cond for participants. Beside a slope of another
    effect numeric predictors are taken for covariates, which need none (Barr et al. 2013). Where the measure has
    a residual, levels with one row per cell need no slope that could not be told apart from it.
    """
    columns = {variable.column for term in design.fixed.terms for variable in term}
    names = {group.name for group in design.groups}
    parts = {":".join(term.group): set(term.group) for term in design.formula.random}
    tested = {(group, _key(design, term)) for group, term in tried}
    found: list[tuple[Group, list[Term]]] = []
    for group in design.groups:
        if any(parts[name] == parts[group.name] - columns for name in names - {group.name}):
            continue
        needed = dict.fromkeys(_within(design, group, term) for term in design.fixed.terms)
        has_slopes = bool(slopes_of_group(design, group))
        lacking = [
            term
            for term in needed
            if term
            and not (has_slopes and _is_numeric(design, term))
            and (group.name, _key(design, term)) not in tested
            and not _has(design, parts[group.name], term, columns=columns)
            and _can_vary(design, group, term, has_residual=has_residual)
        ]
        if lacking:
            found.append((group, lacking))
    return found


def slopes_of_group(design: Design, group: Group) -> list[Term]:
    """Return the slopes that a group has."""
    return [term for random in _terms_of(design, group) for term in random.part.terms]


def has_correlated_slopes(design: Design, group: Group) -> bool:
    """Return whether slopes of a group are correlated with each other or with its intercept."""
    return any(random.correlated and len(random.effects) > 1 for random in _terms_of(design, group))


def varies(values: Floats, group: Group) -> bool:
    """Return whether a column differs between rows of the same level."""
    first = np.zeros(len(group.levels))
    first[group.index] = values
    spread = float(np.abs(values).max(initial=0.0))
    return bool((np.abs(values - first[group.index]) > UNVARIED * spread).any())


def _terms_of(design: Design, group: Group) -> list[RandomTerm]:
    return [random for random in design.formula.random if ":".join(random.group) == group.name]


def _values(design: Design, variable: Variable) -> Floats:
    read = design.variables.predictors[variable]
    return read.index.astype(np.float64) if isinstance(read, Categorical) else read.values


def _within(design: Design, group: Group, term: Term) -> Term:
    """Return the part of a term that varies within levels of a group."""
    return tuple(variable for variable in term if varies(_values(design, variable), group))


def _is_numeric(design: Design, term: Term) -> bool:
    return not any(isinstance(design.variables.predictors[one], Categorical) for one in term)


def _key(design: Design, term: Term) -> frozenset[tuple[str, str, int]]:
    """Return what makes two terms the same slope."""
    made = []
    for one in term:
        function = "" if one.function in SAME_SLOPE else one.function
        if isinstance(design.variables.predictors.get(one), Categorical):
            function = "factor"
        made.append((one.column, function, one.power))
    return frozenset(made)


def _has(design: Design, group: set[str], term: Term, *, columns: set[str]) -> bool:
    """Return whether a term varies between levels of a group: as a slope, or in a combination with the group.

    A combination of factors whose margins do not vary for themselves holds these too.
    """
    asked = _key(design, term)
    for random in design.formula.random:
        more = set(random.group) - group
        if not group <= set(random.group) or not more <= columns:
            continue
        joined = frozenset((name, "factor", 1) for name in more)
        for effect in random.effects:
            has = _key(design, effect) | joined
            if asked == has:
                return True
            categorical = all(isinstance(design.variables.predictors[one], Categorical) for one in effect)
            margins = {_key(design, other) for other in random.part.terms}
            if asked < has and categorical and asked - joined not in margins:
                return True
    return False


def _can_vary(design: Design, group: Group, term: Term, *, has_residual: bool) -> bool:
    """Return whether a slope can be told apart in some level from the intercept, the margins and the residual."""
    subsets = [subset for size in range(1, len(term) + 1) for subset in combinations(term, size)]
    made = matrix(Part(True, tuple(subsets)), design.variables.predictors, contrasts="even", n=len(design.y))
    last = np.array(made.assign) == len(subsets) - 1
    order = np.argsort(group.index, kind="stable")
    edges = np.flatnonzero(np.diff(group.index[order])) + 1
    known: set[bytes] = set()
    has_repeats = not has_residual
    adds = False
    for rows in np.split(order, edges):
        cells = np.unique(made.values[rows], axis=0)
        has_repeats = has_repeats or len(cells) < len(rows)
        if not adds and cells.tobytes() not in known:
            known.add(cells.tobytes())
            margin, own = cells[:, ~last], cells[:, last]
            left = own - margin @ np.linalg.lstsq(margin, own, rcond=None)[0]
            adds = bool(np.abs(left).max() > 1e-7 * np.abs(own).max())
        if adds and has_repeats:
            return True
    return False
