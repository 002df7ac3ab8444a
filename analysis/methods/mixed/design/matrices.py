"""Build model matrices of fixed and random effects.

What varies without correlations (`||`) is by term unless columns are asked for: the contrasts of a term are orthonormal
and share one variance, so that neither the coding of the fixed effects nor the order of levels has a part in it. They
are scaled so that the variance is that of a level around the mean of all; for two levels these are sum contrasts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats, Integers
from analysis.methods.mixed.design.codings import Coding, Codings, coding_of, column_names
from analysis.methods.mixed.design.contrast_choice import Chosen, codings_of, read_contrasts
from analysis.methods.mixed.design.terms import Formula, Part, RandomTerm, Term, Variable, term_name
from analysis.methods.mixed.design.variables import Categorical, Numeric, Read, Variables
from analysis.methods.report import BadInput, TooFew
from analysis.methods.rows.combined import numbered
from analysis.methods.wording import counted, listed

INTERCEPT = "(Intercept)"
BY_TERM, BY_COLUMN = "by-term", "by-column"
# Of one model matrix; its cells take 8 bytes each.
MOST_COLUMNS, MOST_CELLS = 2_000, 100_000_000


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

    Where `shared`, that matrix is one variance times the identity: the contrasts of one term. `terms` are what varies
    in it, the empty term being the intercept.
    """

    columns: tuple[int, ...]
    shared: bool = False
    terms: tuple[Term, ...] = ()


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
    codings: Codings
    y: Floats
    fixed: Matrix
    groups: tuple[Group, ...]
    uncorrelated: str = BY_TERM

    def is_coded(self, *kinds: str) -> bool:
        """Return whether every factor has one of these contrasts."""
        return all(coding.kind in kinds for coding in self.codings.values())

    def factors_coded(self, *kinds: str) -> list[str]:
        """Return the names of the factors that have one of these contrasts."""
        return [variable.text for variable, coding in self.codings.items() if coding.kind in kinds]


def matrix(part: Part, predictors: Mapping[Variable, Read], *, contrasts: str | Codings, n: int) -> Matrix:
    """Build the model matrix of a part: every factor has the same contrasts, or its own.

    Columns are named as R names them; the first factor changes fastest. Raises BadInput for more columns than are
    computed, before they are made.
    """
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
            if isinstance(read, Numeric):
                pieces.append(([variable.text], read.values[:, None]))
                continue
            coding = _coding(read, contrasts)
            margin = frozenset(term) - {variable}
            if (margin and margin not in present) or (not margin and first_free):
                coding = coding_of("full", len(read.levels))
                full.add((position, variable))
                first_free = first_free and bool(margin)
            pieces.append(_coded(read, coding))
        _check_columns(term, len(names) + math.prod(len(piece) for piece, _ in pieces), n=n)
        made_names, made = pieces[0]
        for more_names, more in pieces[1:]:
            made_names = [f"{a}:{b}" for b in more_names for a in made_names]
            made = (more[:, :, None] * made[:, None, :]).reshape(n, -1)
        columns += list(made.T)
        names += made_names
        assign += [position] * len(made_names)
    values = np.column_stack(columns) if columns else np.zeros((n, 0))
    return Matrix(values, tuple(names), part.terms, tuple(assign), frozenset(full))


def _check_columns(term: Term, columns: int, *, n: int) -> None:
    most = min(MOST_COLUMNS, MOST_CELLS // max(n, 1))
    if columns > most:
        raise BadInput(
            f"formula: with {term_name(term)} the model has {columns:,} columns over {counted(n, 'row')}; at most "
            f"{most:,} are computed. Leave the term out, or take a factor of many levels as a grouping factor, such as "
            "(1 | item)."
        )


def _coded(read: Categorical, coding: Coding) -> tuple[list[str], Floats]:
    """Return the columns of one factor with their names."""
    return column_names(read.variable.text, read.levels, coding), coding.codes[read.index]


def _coding(read: Categorical, contrasts: str | Codings) -> Coding:
    return coding_of(contrasts, len(read.levels)) if isinstance(contrasts, str) else contrasts[read.variable]


def build(
    formula: Formula,
    variables: Variables,
    *,
    contrasts: str | Chosen,
    uncorrelated: str = BY_TERM,
    residual: bool = True,
    random: bool = True,
) -> Design:
    """Build the design of a formula.

    `contrasts` code the fixed effects and correlated random effects; `automatic` is sum where a factor is part of an
    interaction, so that every coefficient is an average over the other factors, and treatment elsewhere (text as
    `contrast_choice.read_contrasts` has it).
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
    chosen = read_contrasts(contrasts) if isinstance(contrasts, str) else contrasts
    codings = codings_of(chosen, formula, variables)
    groups = _groups(
        formula.random, variables, codings=codings, by_term=uncorrelated == BY_TERM, n=n, residual=residual
    )
    fixed = matrix(formula.fixed, variables.predictors, contrasts=codings, n=n)
    return Design(formula, variables, codings, variables.response, fixed, groups, uncorrelated)


def _groups(
    random: Sequence[RandomTerm], variables: Variables, *, codings: Codings, by_term: bool, n: int, residual: bool
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
        coding = "even" if by_term and not term.correlated else codings
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
        blocks[name] += [Block(places, terms=term.effects)] if term.correlated else _independent(made, first=first)
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
    return [
        Block(tuple(places), shared=len(places) > 1, terms=(made.terms[position] if position >= 0 else (),))
        for (position, _name), places in found.items()
    ]


def _levels(group: tuple[str, ...], variables: Variables) -> tuple[Integers, tuple[str, ...]]:
    index: npt.NDArray[np.intp] = np.zeros(len(variables.response), dtype=np.intp)
    levels: npt.NDArray[np.object_] = np.array([""], dtype=object)
    for position, name in enumerate(group):
        codes, found = _factorized(variables.groups[name])
        joined, index = numbered(index * len(found) + codes, len(levels) * len(found))
        before = levels[joined // len(found)]
        after = found[joined % len(found)]
        levels = np.array([f"{a}:{b}" if position else b for a, b in zip(before, after, strict=True)], dtype=object)
    return index, tuple(levels)


def _factorized(values: npt.NDArray[np.object_]) -> tuple[Integers, npt.NDArray[np.object_]]:
    import pandas as pd

    codes, found = pd.factorize(values, sort=True)
    return np.asarray(codes, dtype=np.intp), np.asarray(found, dtype=object)


def _check_sizes(name: str, term: RandomTerm, *, levels: int, effects: int, n: int, residual: bool) -> None:
    if levels < 2:
        raise TooFew(
            f"'{name}' has one level only in the rows that can be analysed; a grouping factor needs several. "
            f"Take its random term out of the formula or check the data."
        )
    if not residual:
        if levels * effects > n:
            what = listed(term_name(slope) for slope in term.part.terms)
            raise BadInput(
                f"({what or '1'} | {name}) asks for {counted(levels * effects, 'random effect')} from {n:,} rows, "
                f"which cannot tell so many apart. Analyse answers instead of means, or let fewer effects vary by "
                f"{name}."
            )
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
