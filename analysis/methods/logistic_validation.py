"""Backward elimination and cross-validation of blocks of predictors; all that is learnt is learnt inside the folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from analysis.methods.firth import firth
from analysis.methods.logistic_design import Design, Standardiser
from analysis.methods.logistic_fit import deviance, newton, standardised

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
STEPS = 25
"""Newton steps in folds and in elimination: enough to converge, and to see that a fit diverges."""


@dataclass(frozen=True)
class Procedure:
    """How a model is made from rows: the penalty, the elimination and its threshold."""

    penalty: str = "none"
    eliminate: bool = False
    p_remove: float = 0.05


def chosen_terms(design: Design, X: Floats, outcome: Floats, procedure: Procedure) -> list[tuple[int, ...]]:
    """Return for every block the terms in the model: those kept so far and those of the block that stay.

    Elimination takes away, one at a time, the term of the block whose likelihood-ratio test has the largest p, as long
    as that is above `p_remove`; terms kept in earlier blocks stay.
    """
    result: list[tuple[int, ...]] = []
    kept: list[int] = []
    for block in design.blocks:
        kept = [*kept, *block]
        while procedure.eliminate:
            tests = drop_one(
                design, X, outcome, terms=kept, candidates=[t for t in kept if t in block], procedure=procedure
            )
            if not tests:
                break
            worst, (_, _, p) = max(tests.items(), key=lambda entry: (entry[1][2], entry[0]))
            if p <= procedure.p_remove:
                break
            kept = [term for term in kept if term != worst]
        result.append(tuple(kept))
    return result


def drop_one(
    design: Design, X: Floats, outcome: Floats, *, terms: Sequence[int], candidates: Sequence[int], procedure: Procedure
) -> dict[int, tuple[float, int, float]]:
    """Return χ², df and p of the likelihood-ratio test of each candidate in the model of `terms`.

    Under Firth's penalty the likelihoods are penalised ones. A term that is a linear combination of the others has
    df 0 and p 1.
    """
    columns = design.columns(terms)
    Z, _, independent = standardised(X[:, columns])
    whole = _Likelihood(Z, outcome, procedure.penalty)
    found = {}
    for term in candidates:
        mine = [position + 1 for position, column in enumerate(columns) if column in design.terms[term].columns]
        if len(independent) == len(columns) + 1 or procedure.penalty == "firth":
            free = np.array([place not in mine for place in independent])
            chi2, df = whole.without(free), int((~free).sum())
        else:
            # What depended on this term may have a coefficient of its own once the term is gone.
            rest, _, left = standardised(
                X[:, [column for column in columns if column not in design.terms[term].columns]]
            )
            chi2 = 2 * (whole.value - _Likelihood(rest, outcome, procedure.penalty).value)
            df = len(independent) - len(left)
        p = float(stats.chi2.sf(max(chi2, 0.0), df)) if df > 0 else 1.0
        found[term] = (max(chi2, 0.0), df, p)
    return found


class _Likelihood:
    """The maximised log-likelihood of a design, and what it loses when coefficients are held at 0."""

    def __init__(self, Z: Floats, outcome: Floats, penalty: str) -> None:
        self._Z, self._outcome, self._penalty = Z, outcome, penalty
        if penalty == "firth":
            found = firth(Z, outcome)
            self._b, self.value = found.b, found.log_likelihood
        else:
            self._b, linear = newton(Z, outcome, steps=STEPS)
            self.value = -deviance(outcome, linear) / 2
            if float(np.abs(linear).max()) > 15:
                self._b = np.zeros(Z.shape[1])

    def without(self, free: Truths) -> float:
        """Return twice the loss of log-likelihood when only the `free` coefficients are estimated."""
        if self._penalty == "firth":
            restricted = firth(self._Z, self._outcome, free=free, start=self._b).log_likelihood
        else:
            _, linear = newton(self._Z[:, free], self._outcome, start=self._b[free], steps=STEPS)
            restricted = -deviance(self._outcome, linear) / 2
        return 2 * (self.value - restricted)


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
    standardiser: Standardiser,
    procedure: Procedure,
    report: Callable[[float], None],
) -> list[float]:
    """Return for every block the share of rows classified correctly by models that have not seen them."""
    correct = np.zeros(len(design.blocks))
    folds = int(fold.max()) + 1
    for number in range(folds):
        report(number / folds)
        train = fold != number
        X = standardiser.apply(design.X, rows=train)
        if len(np.unique(outcome[train])) < 2:
            correct += float((outcome[~train] == outcome[train][0]).sum()) if train.any() else 0.0
            continue
        for place, terms in enumerate(chosen_terms(design, X[train], outcome[train], procedure)):
            columns = design.columns(terms)
            Z, back, kept = standardised(X[np.ix_(train, columns)])
            if procedure.penalty == "firth":
                b = back @ firth(Z, outcome[train]).b
            else:
                b = back @ newton(Z, outcome[train], steps=STEPS)[0]
            tested = np.column_stack([np.ones(int((~train).sum())), X[np.ix_(~train, columns)]])[:, kept]
            correct[place] += float(((tested @ b >= 0) == (outcome[~train] == 1)).sum())
    return [float(share) for share in correct / len(outcome)]
