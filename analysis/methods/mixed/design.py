"""Model matrices: fixed effects with treatment or sum contrasts, and what varies between the levels of a group.

What varies without correlations (`||`) is by term unless columns are asked for: the contrasts of a term are orthonormal
and share one variance, so that neither the coding of the fixed effects nor the order of levels has a part in it. They
are scaled so that the variance is that of a level around the mean of all; for two levels these are sum contrasts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats, Integers
from analysis.methods.mixed.terms import Formula, Part, RandomTerm, Term, Variable, term_name
from analysis.methods.mixed.variables import Categorical, Numeric, Read, Variables
from analysis.methods.report import BadInput
from analysis.methods.wording import counted, listed

INTERCEPT = "(Intercept)"
AUTOMATIC = "automatic"
BY_TERM, BY_COLUMN = "by-term", "by-column"


@dataclass(frozen=True)
class Matrix:
    """A model matrix (n × p), the names of its columns, and for every column its term (−1: the intercept).

    `full` holds (term, variable) where a factor is coded by one column per level because its margin is absent.
    """

    values: Floats
    names: tuple[str, ...]
    terms: tuple[Term, ...]
    assign: tuple[int, ...]
    full: frozenset[tuple[int, Variable]]


@dataclass(frozen=True)
class Block:
    """Columns of a group whose random effects have a covariance matrix of their own (lower-triangular factor).

    Where `shared`, that matrix is one variance times the identity: the contrasts of one term.
    """

    columns: tuple[int, ...]
    shared: bool = False


@dataclass(frozen=True)
class Group:
    """A grouping factor with everything that varies between its levels.

    `index` gives the level of every row, `columns` (n × P) what multiplies its random effects.
    """

    name: str
    levels: tuple[str, ...]
    index: Integers
    names: tuple[str, ...]
    columns: Floats
    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        """Return the number of random effects, levels × columns."""
        return len(self.levels) * len(self.names)


@dataclass(frozen=True)
class Design:
    """Everything that is fitted: the measure y (n), the fixed effects X (n × p) and the groups."""

    formula: Formula
    variables: Variables
    contrasts: str
    y: Floats
    fixed: Matrix
    groups: tuple[Group, ...]
    uncorrelated: str = BY_TERM


def contrast_matrix(size: int, kind: str) -> Floats:
    """Return the coding of a factor with `size` levels (levels × columns).

    `treatment` compares with the first level, `sum` with the mean of all (the last level has −1), `full` has one
    column per level. `even` has orthogonal columns of the same length in which no level is special: independent
    coefficients with variance 1 give every level a deviation from their mean with variance 1.

    >>> contrast_matrix(3, "sum").tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    """
    if kind == "full":
        return np.eye(size)
    if kind == "treatment":
        return np.eye(size)[:, 1:]
    if kind == "even":
        steps = np.arange(1, size)
        helmert = np.triu(np.ones((size, size - 1))) - np.eye(size, size - 1, -1) * steps
        return np.asarray(helmert / np.sqrt(steps * (steps + 1)) * np.sqrt(size / (size - 1)))
    return np.vstack([np.eye(size - 1), -np.ones((1, size - 1))])


def matrix(part: Part, predictors: Mapping[Variable, Read], *, contrasts: str, n: int) -> Matrix:
    """Build the model matrix of a part. Columns are named as R names them; the first factor changes fastest."""
    present = {frozenset(term) for term in part.terms}
    full: set[tuple[int, Variable]] = set()
    first_free = not part.intercept
    columns: list[Floats] = [np.ones(n)] if part.intercept else []
    names = [INTERCEPT] if part.intercept else []
    assign = [-1] if part.intercept else []
    for position, term in enumerate(part.terms):
        pieces: list[tuple[list[str], Floats]] = []
        for variable in term:
            read = predictors[variable]
            coding = contrasts
            if isinstance(read, Categorical):
                margin = frozenset(term) - {variable}
                if (margin and margin not in present) or (not margin and first_free):
                    coding = "full"
                    full.add((position, variable))
                    first_free = first_free and bool(margin)
            pieces.append(coded(read, coding))
        made_names, made = pieces[0]
        for more_names, more in pieces[1:]:
            made_names = [f"{a}:{b}" for b in more_names for a in made_names]
            made = (more[:, :, None] * made[:, None, :]).reshape(n, -1)
        columns += list(made.T)
        names += made_names
        assign += [position] * len(made_names)
    values = np.column_stack(columns) if columns else np.zeros((n, 0))
    return Matrix(values, tuple(names), part.terms, tuple(assign), frozenset(full))


def coded(read: Read, coding: str) -> tuple[list[str], Floats]:
    """Return the columns of one variable with their names."""
    text = read.variable.text
    if isinstance(read, Numeric):
        return [text], read.values[:, None]
    code = contrast_matrix(len(read.levels), coding)
    if coding == "even":
        names = [text] * (len(read.levels) - 1)
    elif coding == "sum":
        names = [f"{text}{number}" for number in range(1, len(read.levels))]
    else:
        names = [f"{text}{level}" for level in read.levels[len(read.levels) - code.shape[1] :]]
    return names, code[read.index]


def build(
    formula: Formula,
    variables: Variables,
    *,
    contrasts: str,
    uncorrelated: str = BY_TERM,
    residual: bool = True,
    random: bool = True,
) -> Design:
    """Build the design of a formula.

    `contrasts` code the fixed effects and correlated random effects; `automatic` is sum where a factor is part of an
    interaction, so that every coefficient is an average over the other factors, and treatment elsewhere.
    `uncorrelated` says what has a variance of its own in terms with ||: `by-term` each term, `by-column` each contrast
    column of `contrasts`. `residual`: the measure has one, from which random effects must be told apart; `random`:
    random terms are needed.

    Raises BadInput where there is no random term, a group has one level or as many random effects as there are rows,
    or the same effect varies twice for the same group.
    """
    n = len(variables.response)
    if random and not formula.random:
        raise BadInput(
            "formula: there is no random term. Name what the trials are grouped by, for example "
            "(1 + order | participant) + (1 + order | item)."
        )
    if contrasts == AUTOMATIC:
        contrasts = "sum" if factors_interact(formula, variables) else "treatment"
    groups = _groups(
        formula.random, variables, contrasts=contrasts, by_term=uncorrelated == BY_TERM, n=n, residual=residual
    )
    fixed = matrix(formula.fixed, variables.predictors, contrasts=contrasts, n=n)
    return Design(formula, variables, contrasts, variables.response, fixed, groups, uncorrelated)


def factors_interact(formula: Formula, variables: Variables) -> bool:
    """Return whether a factor is part of an interaction among the fixed effects."""
    return any(
        isinstance(variables.predictors[variable], Categorical)
        for term in formula.fixed.terms
        if len(term) > 1
        for variable in term
    )


def _groups(
    random: Sequence[RandomTerm], variables: Variables, *, contrasts: str, by_term: bool, n: int, residual: bool
) -> tuple[Group, ...]:
    names: dict[str, tuple[Integers, tuple[str, ...]]] = {}
    columns: dict[str, list[Floats]] = {}
    labels: dict[str, list[str]] = {}
    blocks: dict[str, list[Block]] = {}
    terms: dict[str, list[str]] = {}
    for term in random:
        name = ":".join(term.group)
        if name not in names:
            names[name] = _levels(term.group, variables)
            columns[name], labels[name], blocks[name], terms[name] = [], [], [], []
        coding = "even" if by_term and not term.correlated else contrasts
        made = matrix(term.part, variables.predictors, contrasts=coding, n=n)
        repeated = [label for label in made.names if label in labels[name]]
        repeated = repeated or [term_name(part) for part in term.part.terms if term_name(part) in terms[name]]
        terms[name] += [term_name(part) for part in term.part.terms]
        if repeated:
            raise BadInput(
                f"formula: {listed(repeated)} varies twice between levels of {name}; let it vary once. Without "
                f"correlations that is (1 + x || {name}), or (1 | {name}) + (0 + x | {name})."
            )
        first = len(labels[name])
        places = tuple(range(first, first + len(made.names)))
        columns[name] += list(made.values.T)
        labels[name] += made.names
        blocks[name] += [Block(places)] if term.correlated else _independent(made, first=first)
        together = len(made.names) if term.correlated else 1
        _check_sizes(name, term, levels=len(names[name][1]), effects=together, n=n, residual=residual)
    return tuple(
        Group(name, levels, index, tuple(labels[name]), np.column_stack(columns[name]), tuple(blocks[name]))
        for name, (index, levels) in names.items()
    )


def _independent(made: Matrix, *, first: int) -> list[Block]:
    """Return the blocks of a part without correlations: one for all columns of a term that have the same name."""
    found: dict[tuple[int, str], list[int]] = {}
    for place, column in enumerate(zip(made.assign, made.names, strict=True), start=first):
        found.setdefault(column, []).append(place)
    return [Block(tuple(places), shared=len(places) > 1) for places in found.values()]


def _levels(group: tuple[str, ...], variables: Variables) -> tuple[Integers, tuple[str, ...]]:
    index: npt.NDArray[np.intp] = np.zeros(len(variables.response), dtype=np.intp)
    levels: npt.NDArray[np.object_] = np.array([""], dtype=object)
    for position, name in enumerate(group):
        codes, found = _factorized(variables.groups[name])
        joined, used = np.unique(index * len(found) + codes, return_inverse=True)[0:2]
        before = levels[joined // len(found)]
        after = found[joined % len(found)]
        levels = np.array([f"{a}:{b}" if position else b for a, b in zip(before, after, strict=True)], dtype=object)
        index = np.asarray(used, dtype=np.intp).reshape(-1)
    return index, tuple(levels)


def _factorized(values: npt.NDArray[np.object_]) -> tuple[Integers, npt.NDArray[np.object_]]:
    import pandas as pd

    codes, found = pd.factorize(values, sort=True)
    return np.asarray(codes, dtype=np.intp), np.asarray(found, dtype=object)


def _check_sizes(name: str, term: RandomTerm, *, levels: int, effects: int, n: int, residual: bool) -> None:
    if levels < 2:
        raise BadInput(
            f"'{name}' has one level only in the rows that can be analysed; a grouping factor needs several. "
            f"Take its random term out of the formula or check the data."
        )
    if not residual:
        return
    if levels >= n:
        raise BadInput(
            f"'{name}' has {levels:,} levels in {n:,} rows; a grouping factor needs several rows per level, or its "
            f"effects cannot be told apart from the residual. Analyse trials instead of means, or take the term out."
        )
    if levels * effects >= n:
        what = listed(term_name(slope) for slope in term.part.terms)
        raise BadInput(
            f"({what} | {name}) asks for {counted(levels * effects, 'random effect')} from {n:,} rows; the residual "
            f"could not be told apart from them. Analyse trials instead of means, or let fewer effects vary by {name}."
        )
