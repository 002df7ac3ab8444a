"""Backward elimination and cross-validation of blocks of predictors, both inside the training folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.logistic.design import Design, Standardising
from analysis.methods.logistic.firth import firth
from analysis.methods.logistic.fit import deviance, newton, standardised

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
STEPS = 25
TOLERANCE = 1e-6
"""Newton steps in folds and in elimination: enough to converge, and to see that a fit diverges.

The step after one below the tolerance would be of the order of its square, and so would the error of a likelihood.
"""


STOPPED = 1e-6
LOOKED_AT = 4
"""So many candidates with the largest p by Wald's test are looked at before all others."""


@dataclass(frozen=True)
class Procedure:
    """How a model is made from rows: the penalty, the elimination and its threshold."""

    penalty: str = "none"
    eliminate: bool = False
    p_remove: float = 0.05


def chosen_terms(design: Design, X: Floats, outcome: Floats, procedure: Procedure) -> list[tuple[int, ...]]:
    """Return for every block the terms in the model: those kept so far and those of the block that stay.

    Elimination takes away, one at a time, the term of the block whose likelihood-ratio test has the largest p, as long
    as that is above `p_remove`; terms kept in earlier blocks stay. Looked at first are the terms with the largest p by
    Wald's test, and the others only where all of those must stay.
    """
    result: list[tuple[int, ...]] = []
    kept: list[int] = []
    for block in design.blocks:
        kept = [*kept, *block]
        while procedure.eliminate:
            candidates = [term for term in kept if term in block]
            model = _Model(design, X, outcome, terms=kept, procedure=procedure)
            first = len(candidates) if model.diverged else LOOKED_AT
            candidates.sort(key=model.wald_p, reverse=True)
            worst = _least_useful(model, candidates[:first], procedure.p_remove)
            if worst is None:
                worst = _least_useful(model, candidates[first:], procedure.p_remove)
            if worst is None:
                break
            kept = [term for term in kept if term != worst]
        result.append(tuple(kept))
    return result


def drop_one(
    design: Design, X: Floats, outcome: Floats, *, terms: Sequence[int], procedure: Procedure
) -> dict[int, tuple[float, int, float]]:
    """Return χ², df and p of the likelihood-ratio test of each term in the model of `terms`.

    Under Firth's penalty the likelihoods are penalised ones. A term that is a linear combination of the others has
    df 0 and p 1.
    """
    model = _Model(design, X, outcome, terms=terms, procedure=procedure)
    return {term: model.test(term) for term in terms}


def _least_useful(model: _Model, candidates: Sequence[int], p_remove: float) -> int | None:
    """Return the term with the largest p, of equal ones the last; None where all must stay."""
    p, worst = 0.0, -1
    for term in sorted(candidates, reverse=True):
        of_term = model.test(term)[2]
        if of_term > p:
            p, worst = of_term, term
        if p >= 1:
            break  # no other has a larger one; where a fit diverges this spares nearly all the tests
    return worst if p > p_remove else None


class _Model:
    """A fitted model that can be asked what it loses without one of its terms."""

    def __init__(
        self, design: Design, X: Floats, outcome: Floats, *, terms: Sequence[int], procedure: Procedure
    ) -> None:
        self._X, self._outcome, self._penalty = X, outcome, procedure.penalty
        self._columns = design.columns(terms)
        self._of_term = {term: set(design.terms[term].columns) for term in terms}
        self._Z, _, self._independent = standardised(X[:, self._columns])
        self._b, self._value = self._fitted(self._Z)
        linear = self._Z @ self._b
        self.diverged = float(np.abs(linear).max()) > 15
        weight = scipy.special.expit(linear) * scipy.special.expit(-linear)
        self._covariance = np.linalg.pinv((self._Z * weight[:, None]).T @ self._Z)

    def wald_p(self, term: int) -> float:
        """Return p of Wald's test; 1 where a term has no coefficient, or where the fit diverges."""
        free = self._without(term)
        if self.diverged or free.all():
            return 1.0
        covariance = self._covariance[np.ix_(~free, ~free)]
        b = self._b[~free]
        return float(scipy.special.chdtrc(len(b), max(float(b @ np.linalg.lstsq(covariance, b, rcond=None)[0]), 0.0)))

    def test(self, term: int) -> tuple[float, int, float]:
        """Return χ², df and p of the likelihood-ratio test of a term."""
        free = self._without(term)
        if self._penalty == "firth":
            restricted = firth(self._Z, self._outcome, free=free, start=self._b).log_likelihood
            df = int((~free).sum())
        elif len(self._independent) == len(self._columns) + 1:
            start = None if self.diverged else self._b[free]
            restricted = self._fitted(self._Z[:, free], start)[1]
            df = int((~free).sum())
        else:
            # What depended on this term may have a coefficient of its own once the term is gone.
            rest = [column for column in self._columns if column not in self._of_term[term]]
            Z, _, left = standardised(self._X[:, rest])
            restricted = self._fitted(Z)[1]
            df = len(self._independent) - len(left)
        chi2 = max(2 * (self._value - restricted), 0.0)
        if self.diverged and chi2 < STOPPED:
            chi2 = 0.0  # how far two diverging fits got before they were stopped is no difference between them
        return chi2, df, float(scipy.special.chdtrc(df, chi2)) if df > 0 else 1.0

    def _without(self, term: int) -> Truths:
        """Return which coefficients of Z belong to other terms."""
        columns = [-1, *self._columns]
        return np.array([columns[place] not in self._of_term[term] for place in self._independent])

    def _fitted(self, Z: Floats, start: Floats | None = None) -> tuple[Floats, float]:
        if self._penalty == "firth":
            found = firth(Z, self._outcome)
            return found.b, found.log_likelihood
        b, linear = newton(Z, self._outcome, start=start, steps=STEPS, tolerance=TOLERANCE)
        return b, -deviance(self._outcome, linear) / 2


def folds_of_rows(outcome: Floats, folds: int, random: np.random.Generator) -> Integers:
    """Return a fold for every row, both outcomes spread evenly over the folds."""
    fold = np.empty(len(outcome), dtype=np.int64)
    start = 0
    for value in (0.0, 1.0):
        rows = random.permutation(np.flatnonzero(outcome == value))
        fold[rows] = (start + np.arange(len(rows))) % folds
        start += len(rows)
    return fold


def folds_of_groups(group: Integers, folds: int, random: np.random.Generator) -> Integers:
    """Return a fold for every row such that a group is never split; the folds get about equally many rows."""
    size = np.bincount(group)
    order = random.permutation(len(size))
    order = order[np.argsort(-size[order], kind="stable")]
    filled = np.zeros(min(folds, len(size)), dtype=np.int64)
    of_group = np.empty(len(size), dtype=np.int64)
    for number in order:
        of_group[number] = int(filled.argmin())
        filled[of_group[number]] += size[number]
    return of_group[group]


def cross_validated(
    design: Design,
    outcome: Floats,
    fold: Integers,
    *,
    standardiser: Standardising,
    procedure: Procedure,
    report: Callable[[float], None],
) -> list[float]:
    """Return for every block the share of rows classified correctly by models that have not seen them."""
    correct = np.zeros(len(design.blocks))
    folds = int(fold.max()) + 1
    for number in range(folds):
        report(number / folds)
        train = fold != number
        X = design.of(standardiser.apply(design.parts, rows=train))
        if len(np.unique(outcome[train])) < 2:
            correct += float((outcome[~train] == outcome[train][0]).sum()) if train.any() else 0.0
            continue
        for place, terms in enumerate(chosen_terms(design, X[train], outcome[train], procedure)):
            columns = design.columns(terms)
            Z, back, kept = standardised(X[np.ix_(train, columns)])
            if procedure.penalty == "firth":
                b = back @ firth(Z, outcome[train]).b
            else:
                b = back @ newton(Z, outcome[train], steps=STEPS, tolerance=TOLERANCE)[0]
            tested = np.column_stack([np.ones(int((~train).sum())), X[np.ix_(~train, columns)]])[:, kept]
            correct[place] += float(((tested @ b >= 0) == (outcome[~train] == 1)).sum())
    return [float(share) for share in correct / len(outcome)]
