"""Hypotheses of type III: what each term of the fixed effects adds, averaged evenly over the factors it meets.

A term is tested in sum coding, whatever coding was fitted, by differences to the first level of its factors. Where
combinations of levels are missing from the data only the part of a hypothesis that can be estimated is tested.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.methods.designs import Floats
from analysis.methods.mixed.design import Matrix, contrast_matrix, matrix
from analysis.methods.mixed.estimates import Estimates
from analysis.methods.mixed.terms import term_name
from analysis.methods.mixed.variables import Categorical

ZERO = 1e-8


@dataclass(frozen=True)
class Hypothesis:
    """The contrasts (q × k) of one term over the estimated fixed effects; `lost` of them cannot be estimated."""

    effect: str
    contrasts: Floats
    lost: int


def type_three(fit: Estimates) -> list[Hypothesis]:
    """Return the hypothesis of every term, in the order of the formula."""
    design = fit.design
    predictors = design.variables.predictors
    coded = (
        design.fixed
        if design.contrasts == "sum"
        else matrix(design.formula.fixed, predictors, contrasts="sum", n=len(design.y))
    )
    across, empty = _translation(coded.values, design.fixed.values[:, list(fit.prepared.kept)])
    found = []
    for number, term in enumerate(coded.terms):
        columns = [column for column, place in enumerate(coded.assign) if place == number]
        differences = _differences(coded, number, fit)
        full = np.zeros((len(differences), len(coded.names)))
        full[:, columns] = differences
        estimable = _estimable(full, empty)
        contrasts = estimable @ across
        contrasts[np.abs(contrasts) < ZERO * np.abs(contrasts).max(initial=0.0)] = 0.0
        found.append(Hypothesis(term_name(term), contrasts, len(full) - len(estimable)))
    return found


def _differences(coded: Matrix, number: int, fit: Estimates) -> Floats:
    """Return differences to the first level in terms of the coding columns of one term."""
    pieces: list[Floats] = []
    for variable in coded.terms[number]:
        read = fit.design.variables.predictors[variable]
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
    """Return M with coded · M = fitted, and a basis of the combinations of `coded` that are zero in every row."""
    root: Floats = np.asarray(np.linalg.qr(np.hstack([coded, fitted]), mode="r"))
    across = np.linalg.lstsq(root[:, : coded.shape[1]], root[:, coded.shape[1] :], rcond=1e-10)[0]
    _, sizes, axes = np.linalg.svd(root[:, : coded.shape[1]], full_matrices=True)
    rank = int((sizes > ZERO * sizes.max(initial=0.0)).sum())
    return np.asarray(across), np.asarray(axes[rank:].T)


def _estimable(contrasts: Floats, empty: Floats) -> Floats:
    """Return the contrasts, or where some involve what cannot be estimated, a basis of those that do not."""
    if not empty.shape[1]:
        return contrasts
    involved = contrasts @ empty
    if np.abs(involved).max(initial=0.0) < ZERO:
        return contrasts
    left, sizes, _ = np.linalg.svd(involved, full_matrices=True)
    rank = int((sizes > ZERO).sum())
    return np.asarray(left[:, rank:].T @ contrasts)
