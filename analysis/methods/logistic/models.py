"""Select the rows and the outcome of a logistic regression, fit it block by block, and measure its fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.logistic.design import Design, Standardising
from analysis.methods.logistic.firth import firth
from analysis.methods.logistic.fit import Fit, fit, standardised
from analysis.methods.logistic.validation import (
    Procedure,
    chosen_terms,
    cross_validated,
    drop_one,
    folds_of_groups,
    folds_of_rows,
)
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import FALSE, TRUE, codes, level_meant, levels
from analysis.methods.wording import listed, no_such

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Question:
    """One binary question: `positive` against `rest`, over the rows whose outcome is one of them."""

    name: str
    positive: str
    rest: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A fitted block: its terms, its fit, and what is reported of it. NaN where a number is not defined."""

    number: int
    terms: tuple[int, ...]
    fit: Fit
    step_chi2: float
    step_df: int
    model_chi2: float
    model_df: int
    cox_snell: float
    nagelkerke: float
    mcfadden: float
    accuracy: float
    auc: float
    tests: dict[int, tuple[float, int, float]]


@dataclass(frozen=True)
class Shuffles:
    """How rows are put into folds: how many, from which seed, and the groups that must stay together."""

    folds: int
    seed: int
    participant: Integers | None
    item: Integers | None


def questions(frame: pd.DataFrame, outcome: str, *, positive: str | None, ladder: str | None) -> tuple[Question, ...]:
    """Return the questions asked of an outcome.

    A ladder `a,b,c` asks a against b and c, then b against c. Otherwise `positive` is asked against the rest; where
    it is not given, an outcome of two levels is asked for 1, true or yes, or else for its last level.

    Raises BadInput for one level, for more than two without either, and for names that do not occur.
    """
    found = levels(frame, outcome)
    if ladder:
        steps = as_names(ladder)
        for step in steps:
            if step not in found:
                raise BadInput(f"ladder: {no_such('level', step, found)}")
        if len(steps) < 2 or len(set(steps)) < len(steps):
            raise BadInput("ladder needs two or more different levels, from the first to be told apart, such as a,b,c.")
        return tuple(
            Question(name=step, positive=step, rest=steps[place + 1 :]) for place, step in enumerate(steps[:-1])
        )
    if len(found) < 2:
        only = f"always '{found[0]}'" if found else "always empty"
        raise BadInput(f"Column '{outcome}' is {only}; a logistic regression needs an outcome with two values.")
    if positive is not None:
        meant = level_meant(positive, found)
        if meant is None:
            raise BadInput(f"positive: {no_such('level', positive, found)}")
        return (Question(name=meant, positive=meant, rest=tuple(level for level in found if level != meant)),)
    if len(found) > 2:
        raise BadInput(
            f"Column '{outcome}' has {len(found)} values ({listed(found)}); say which one is predicted against the "
            f"rest with positive=…, or in which order they are told apart with ladder=a,b,c."
        )
    true = [level for level in found if level.casefold() in TRUE]
    false = [level for level in found if level.casefold() in FALSE]
    chosen = true[0] if len(true) == len(false) == 1 else found[-1]
    return (Question(name=chosen, positive=chosen, rest=tuple(level for level in found if level != chosen)),)


def asked(frame: pd.DataFrame, outcome: str, question: Question) -> tuple[Truths, Floats]:
    """Return which rows a question is about, and for these rows 1.0 (positive) or 0.0."""
    value = codes(frame, outcome)
    about = np.asarray(value.isin([question.positive, *question.rest]), dtype=np.bool_)
    return about, np.asarray(value.to_numpy()[about] == question.positive, dtype=np.float64)


def fitted(design: Design, X: Floats, outcome: Floats, procedure: Procedure) -> list[Block]:
    """Fit every block and compute what SPSS prints of it.

    Cox and Snell's R² = 1 − exp(−χ²/n); Nagelkerke's = that / (1 − exp(−D0/n)); McFadden's = 1 − D/D0, with D0 the
    deviance of the intercept alone and χ² = D0 − D. Under Firth's penalty the χ² are penalised likelihood ratios.
    """
    n = len(outcome)
    share = float(outcome.mean())
    null = -2 * n * float(scipy.special.xlogy(share, share) + scipy.special.xlogy(1 - share, 1 - share))
    before, rank_before, columns_before = null, 1, 0
    blocks = []
    for number, terms in enumerate(chosen_terms(design, X, outcome, procedure), start=1):
        columns = design.columns(terms)
        found = fit(X[:, columns], outcome, penalty=procedure.penalty)
        if procedure.penalty == "firth":
            model_chi2 = _penalised_gain(X[:, columns], outcome, 0)
            step_chi2 = _penalised_gain(X[:, columns], outcome, columns_before)
        else:
            model_chi2, step_chi2 = null - found.deviance, before - found.deviance
        gain = null - found.deviance
        cox_snell = 1 - float(np.exp(-gain / n))
        blocks.append(
            Block(
                number=number,
                terms=terms,
                fit=found,
                step_chi2=max(step_chi2, 0.0),
                step_df=found.rank - rank_before,
                model_chi2=max(model_chi2, 0.0),
                model_df=found.rank - 1,
                cox_snell=cox_snell,
                nagelkerke=cox_snell / (1 - float(np.exp(-null / n))),
                mcfadden=1 - found.deviance / null,
                accuracy=float(((found.linear >= 0) == (outcome == 1)).mean()),
                auc=area_under_curve(outcome, found.linear),
                tests=drop_one(design, X, outcome, terms=terms, procedure=procedure),
            )
        )
        before, rank_before, columns_before = found.deviance, found.rank, len(columns)
    return blocks


def area_under_curve(outcome: Floats, linear: Floats) -> float:
    """Return the probability that a positive row is ranked above another one; ties count one half.

    >>> area_under_curve(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.1, 0.4, 0.35, 0.8]))
    0.75
    """
    ranks = scipy.stats.rankdata(linear)
    positive = float(outcome.sum())
    negative = len(outcome) - positive
    return float((ranks[outcome == 1].sum() - positive * (positive + 1) / 2) / (positive * negative))


def validated(
    design: Design,
    outcome: Floats,
    *,
    standardiser: Standardising,
    procedure: Procedure,
    shuffles: Shuffles,
    report: Callable[[float], None],
) -> dict[str, list[float | None]]:
    """Return the cross-validated accuracy of every block, with folds over trials, participants and items."""
    nothing: list[float | None] = [None] * len(design.blocks)
    result: dict[str, list[float | None]] = {}
    ways = (
        ("cv_trial", None, True),
        ("cv_participant", shuffles.participant, False),
        ("cv_item", shuffles.item, False),
    )
    for place, (name, group, by_row) in enumerate(ways):
        random = np.random.default_rng([shuffles.seed, place])
        if by_row:
            fold = folds_of_rows(outcome, min(shuffles.folds, len(outcome)), random)
        elif group is None or int(group.max()) < 1:
            result[name] = nothing
            continue
        else:
            fold = folds_of_groups(pd.factorize(group)[0].astype(np.int64), shuffles.folds, random)

        def tell(share: float, place: int = place) -> None:
            report((place + share) / len(ways))

        result[name] = list(
            cross_validated(design, outcome, fold, standardiser=standardiser, procedure=procedure, report=tell)
        )
    return result


def _penalised_gain(X: Floats, outcome: Floats, columns: int) -> float:
    """Return twice the penalised log-likelihood that the columns after the first `columns` add."""
    Z, _, kept = standardised(X)
    free = np.array([place <= columns for place in kept])
    return 2 * (firth(Z, outcome).log_likelihood - firth(Z, outcome, free=free).log_likelihood)


def numbered(frame: pd.DataFrame, column: str | None) -> Integers | None:
    """Return group numbers of a column, an empty cell being a group of its own; None without a column."""
    if column is None:
        return None
    return pd.factorize(codes(frame, column), use_na_sentinel=False)[0].astype(np.int64)


def baseline(outcome: Floats) -> float:
    """Return the accuracy of always naming the more frequent outcome."""
    return float(max(outcome.mean(), 1 - outcome.mean()))


def terms_named(design: Design, terms: Sequence[int]) -> str:
    """Return the names of terms for a table."""
    return ", ".join(design.terms[term].name for term in terms) or "(Intercept)"
