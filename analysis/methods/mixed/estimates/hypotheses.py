"""Build type III hypotheses: what each fixed-effect term adds, averaged evenly over the factors it interacts with.

A term is tested in sum coding, whatever coding was fitted, by differences to the first level of its factors. A term
that stands alone takes the rows of L' with X'X = LDL' instead, as lmerTest does: the same hypothesis in another basis,
and Satterthwaite's degrees of freedom depend on the basis. So that they do not depend on the order in which levels are
given or stand in the data, the first level is here the first one by name, as R orders levels that nobody has ordered.

Where combinations of levels are missing, averages over all levels cannot be estimated. Tested is then what SAS defines
(Goodnight 1978, *Tests of hypotheses in fixed effects linear models*, SAS technical report R-101), and lmerTest with
it: the estimable functions that belong to a term, orthogonal to those of all terms that contain it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.codings import contrast_matrix
from analysis.methods.mixed.design.matrices import Matrix, matrix
from analysis.methods.mixed.design.terms import Variable, term_name
from analysis.methods.mixed.design.variables import Categorical, Read
from analysis.methods.mixed.estimates.interfaces import Designed
from analysis.methods.mixed.fitting.crossproducts import independent, sizes_of
from analysis.methods.rows.factors import in_order

ZERO = 1e-8


@dataclass(frozen=True)
class Hypothesis:
    """The contrasts (q × k) of one term over the estimated fixed effects.

    `lost` counts the comparisons for which there are no data; `partial`: what is tested is no even average over the
    other factors, because combinations are missing.
    """

    effect: str
    contrasts: Floats
    lost: int
    partial: bool = False


def type_three(fit: Designed) -> list[Hypothesis]:
    """Return the hypothesis of every term, in the order of the formula."""
    design = fit.design
    finite = design is fit.whole
    if finite and len(design.fixed.terms) == 1:
        return [_alone(fit)]
    predictors = _by_name(design.variables.predictors)
    coded = (
        design.fixed
        if design.is_coded("sum") and predictors is design.variables.predictors
        else matrix(design.formula.fixed, predictors, contrasts="sum", n=len(design.y))
    )
    sizes = sizes_of(coded.values)
    across, empty = _translation(coded.values / sizes, design.fixed.values[:, list(fit.prepared.kept)])
    occurring = _of_what_occurs(fit) if finite and empty.shape[1] else {}
    found = []
    for number, term in enumerate(coded.terms):
        columns = [column for column, place in enumerate(coded.assign) if place == number]
        differences = _differences(coded, number, predictors)
        full = np.zeros((len(differences), len(coded.names)))
        full[:, columns] = differences / sizes[columns]
        partial = float(np.abs(full @ empty).max(initial=0.0)) > ZERO * float(np.abs(full).max(initial=0.0))
        if partial and occurring:
            contrasts = occurring[number]
        else:
            contrasts = (_estimable(full, empty) if partial else full) @ across
        found.append(Hypothesis(term_name(term), _rounded(contrasts), len(full) - len(contrasts), partial))
    return found


def _by_name(predictors: Mapping[Variable, Read]) -> Mapping[Variable, Read]:
    """Return predictors whose levels are in the order of their names; the same ones where they already are."""
    changed: dict[Variable, Read] = {}
    for variable, read in predictors.items():
        if isinstance(read, Categorical) and read.levels != (levels := tuple(sorted(read.levels, key=in_order))):
            place = np.array([levels.index(level) for level in read.levels], dtype=np.intp)
            changed[variable] = replace(read, levels=levels, index=place[read.index])
    return {**predictors, **changed} if changed else predictors


def _alone(fit: Designed) -> Hypothesis:
    """Return the hypothesis of the only term: that its columns add nothing, each after the ones before it.

    The columns are those of treatment contrasts whatever was fitted, so that the test does not depend on the coding.
    """
    design, kept = fit.design, list(fit.prepared.kept)
    fixed, across = design.fixed, np.eye(len(kept))
    predictors = _by_name(design.variables.predictors)
    if not (design.is_coded("treatment") and predictors is design.variables.predictors):
        fixed = matrix(design.formula.fixed, predictors, contrasts="treatment", n=len(design.y))
        kept = list(independent(fixed.values / sizes_of(fixed.values))[0])
        across = _translation(fixed.values[:, kept], design.fixed.values[:, list(fit.prepared.kept)])[0]
    root: Floats = np.asarray(np.linalg.qr(fixed.values[:, kept], mode="r"))
    mine = [place for place, column in enumerate(kept) if fixed.assign[column] == 0]
    contrasts = root[mine] / np.diag(root)[mine, None] @ across
    missing = int((np.abs(fixed.values).max(axis=0) == 0).sum())
    return Hypothesis(term_name(fixed.terms[0]), _rounded(contrasts), missing, partial=missing > 0)


def _of_what_occurs(fit: Designed) -> dict[int, Floats]:
    """Return the contrasts of every term where combinations are missing.

    With G, one column per combination of levels for every term, the rows of G span all estimable functions. Those of a
    term have no part in terms that do not contain it, and are orthogonal to those of the terms that do.
    """
    design = fit.design
    predictors, n = _by_name(design.variables.predictors), len(design.y)
    coded = matrix(design.formula.fixed, predictors, contrasts="treatment", n=n)
    every = matrix(design.formula.fixed, predictors, contrasts="full", n=n)
    kept = list(independent(coded.values / sizes_of(coded.values))[0])
    sizes = _sizes_by_numbers(every, fit)
    places = {pair: place for place, pair in enumerate(zip(every.assign, every.names, strict=True))}
    mine = np.array([places[coded.assign[column], coded.names[column]] for column in kept])
    estimable = _row_space(every.values / sizes, rank=len(kept))
    across = _translation(coded.values[:, kept] / sizes[mine], design.fixed.values[:, list(fit.prepared.kept)])[0]
    assign = np.array(every.assign)
    found = {}
    for number in range(len(coded.terms)):
        containing = np.isin(assign, [other for other in range(len(coded.terms)) if _contains(fit, other, number)])
        within = _vanishing(estimable, ~containing & (assign != number))
        above = _vanishing(within, assign == number)
        own = _row_space(within - within @ above.T @ above)
        first = own[:, [place for place in mine if assign[place] == number]]
        if first.shape[0] == first.shape[1] == np.linalg.matrix_rank(first):
            own = np.asarray(np.linalg.solve(first, own))  # differences to the first level, as where nothing is missing
        found[number] = np.asarray(own[:, mine] @ across)
    return found


def _contains(fit: Designed, outer: int, inner: int) -> bool:
    """Return whether one term is another one crossed with more factors."""
    terms, read = fit.design.fixed.terms, fit.design.variables.predictors
    more = set(terms[outer]) - set(terms[inner])
    return set(terms[inner]) < set(terms[outer]) and all(isinstance(read[v], Categorical) for v in more)


def _sizes_by_numbers(every: Matrix, fit: Designed) -> Floats:
    """Return the size of every column; columns with the same numeric variables share one.

    So the rows of a term and of those that contain it stay orthogonal where they are in the units of the data.
    """
    read = fit.design.variables.predictors
    kinds = [
        frozenset() if place < 0 else frozenset(v for v in every.terms[place] if not isinstance(read[v], Categorical))
        for place in every.assign
    ]
    sizes = np.abs(every.values).max(axis=0, initial=0.0)
    shared = {kind: max(float(size) for one, size in zip(kinds, sizes, strict=True) if one == kind) for kind in kinds}
    return np.array([shared[kind] or 1.0 for kind in kinds])


def _row_space(rows: Floats, *, rank: int | None = None) -> Floats:
    """Return an orthonormal basis of what rows span; of so many dimensions where their number is known."""
    if not rows.size:
        return rows
    root: Floats = np.asarray(np.linalg.qr(rows, mode="r"))
    _, sizes, axes = np.linalg.svd(root, full_matrices=False)
    return np.asarray(axes[sizes > ZERO * max(float(sizes[0]), 1.0)] if rank is None else axes[:rank])


def _vanishing(basis: Floats, columns: npt.NDArray[np.bool_]) -> Floats:
    """Return an orthonormal basis of those combinations of orthonormal rows that are zero in some columns."""
    left, sizes, _ = np.linalg.svd(basis[:, columns], full_matrices=True)
    rank = int((sizes > ZERO).sum())
    return np.asarray(left[:, rank:].T @ basis)


def _rounded(contrasts: Floats) -> Floats:
    return np.where(np.abs(contrasts) < ZERO * np.abs(contrasts).max(initial=0.0), 0.0, contrasts)


def _differences(coded: Matrix, number: int, predictors: Mapping[Variable, Read]) -> Floats:
    """Return differences to the first level in terms of the coding columns of one term."""
    pieces: list[Floats] = []
    for variable in coded.terms[number]:
        read = predictors[variable]
        if not isinstance(read, Categorical):
            pieces.append(np.eye(1))
        elif (number, variable) in coded.full:
            pieces.append(np.eye(len(read.levels)))
        else:
            code = contrast_matrix(len(read.levels), "sum")
            pieces.append(code[1:] - code[0])
    made = np.eye(1)
    for piece in pieces:
        made = np.asarray(np.kron(piece, made), dtype=np.float64)
    return made


def _translation(coded: Floats, fitted: Floats) -> tuple[Floats, Floats]:
    """Return M with coded · M = fitted, and a basis of the combinations of `coded` that are zero in every row.

    Both span the same, and the columns of `fitted` are independent: so many dimensions `coded` has, and what else it
    seems to have is what was taken for zero when columns were dropped.
    """
    k = coded.shape[1]
    rank = min(k, fitted.shape[1])
    root: Floats = np.asarray(np.linalg.qr(np.hstack([coded, fitted]), mode="r"))
    left, sizes, axes = np.linalg.svd(root[:, :k], full_matrices=True)
    across = axes[:rank].T @ ((left[:, :rank].T @ root[:, k:]) / sizes[:rank, None])
    return np.asarray(across), np.asarray(axes[rank:].T)


def _estimable(contrasts: Floats, empty: Floats) -> Floats:
    """Return the contrasts, or where some involve what cannot be estimated, a basis of those that do not."""
    if not empty.shape[1]:
        return contrasts
    involved = contrasts @ empty
    largest = float(np.abs(contrasts).max(initial=0.0))
    if np.abs(involved).max(initial=0.0) <= ZERO * largest:
        return contrasts
    left, sizes, _ = np.linalg.svd(involved, full_matrices=True)
    rank = int((sizes > ZERO * largest).sum())
    return np.asarray(left[:, rank:].T @ contrasts)
