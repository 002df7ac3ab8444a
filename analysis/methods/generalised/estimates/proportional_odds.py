"""Test proportional odds: may an effect differ between thresholds?

For every term the model is fitted once more with effects of its own at every threshold (as `ordinal::nominal_test`),
and compared by likelihood ratio; random effects, where there are any, stay in both. An interaction is freed with the
terms that it contains, so that what is compared does not depend on the coding of factors. Where a category never occurs
in some condition its own threshold there runs to infinity; the likelihood still has a limit, and that is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.generalised.likelihoods.answers import Cumulative, start
from analysis.methods.generalised.models.fitted import Fitted, fitted
from analysis.methods.mixed.design.terms import term_name
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.likelihood_ratio import ratio_test
from analysis.methods.mixed.fitting.crossproducts import independent
from analysis.methods.report import Table
from analysis.methods.wording import listed, p_text

DOUBTFUL = 0.05
ROUNDING = 1e-6
NOMINAL = declared_table(
    "nominal",
    "Proportional odds (likelihood ratio)",
    "Whether an effect differs between thresholds: the model against the one in which it may.",
    "effect",
    usual("df", meaning="The difference in parameters."),
    "chi2 p",
    when="with three or more categories, unless `nominal` is false",
)


def nominal_table(fit: Fitted, likelihood: Cumulative, *, watch: Callable[[int], None]) -> tuple[Table, list[str]]:
    """Return the test of every term, and warnings where proportional odds are doubtful or could not be tested."""
    lines: list[dict[str, Any]] = []
    for number, term in enumerate(fit.design.fixed.terms):
        line: dict[str, Any] = {"effect": term_name(term)}
        within = _contained(fit, number)
        assign = fit.design.fixed.assign
        columns = [column for column in fit.prepared.kept if assign[column] in within]
        if any(assign[column] == number for column in columns):
            line |= _tested(fit, likelihood, columns, watch=watch)
        lines.append(line)
    said = []
    broken = [f"{line['effect']} ({p_text(line['p'])})" for line in lines if line.get("p", 1.0) < DOUBTFUL]
    if broken:
        said.append(
            f"Proportional odds are doubtful for {listed(broken)}: the effect differs between thresholds. One "
            f"coefficient is then an average over thresholds; compare the probabilities of the categories per "
            f"condition, or analyse the thresholds apart (glmm with a column such as rating ≥ 4)."
        )
    untested = [str(line["effect"]) for line in lines if "p" not in line]
    if untested:
        said.append(
            f"Proportional odds of {listed(untested)} could not be tested: the model with effects of their own at "
            f"every threshold could not be fitted. Compare the probabilities of the categories per condition instead."
        )
    return NOMINAL.of(lines), said


def _contained(fit: Fitted, number: int) -> set[int]:
    """Return a term and those of which it is an interaction with further factors."""
    terms, read = fit.design.fixed.terms, fit.design.variables.predictors
    whole = set(terms[number])
    return {
        other
        for other, term in enumerate(terms)
        if set(term) <= whole and all(isinstance(read[variable], Categorical) for variable in whole - set(term))
    }


def _tested(fit: Fitted, likelihood: Cumulative, columns: list[int], *, watch: Callable[[int], None]) -> dict[str, Any]:
    values = fit.design.fixed.values[:, columns]
    centred = values - values.mean(axis=0)
    root = independent(centred)[1]
    if root.shape[0] < len(columns):
        return {}
    spread = np.linalg.solve(root.T, centred.T).T * np.sqrt(len(centred))
    wider = replace(likelihood, spread=spread)
    more = (likelihood.count - 2) * len(columns)
    begun = np.concatenate([start(likelihood), np.zeros(more)])
    try:
        found = fitted(fit.design, wider, extra=begun, watch=watch)
    except (ArithmeticError, np.linalg.LinAlgError):
        return {}
    chi2 = fit.criterion - found.criterion
    if not found.optimum.converged or chi2 < -1e-6 or not _in_order(wider, spread, found.optimum.extra):
        return {}
    return ratio_test(chi2, more)


def _in_order(likelihood: Cumulative, spread: Floats, extra: Floats) -> bool:
    """Return whether thresholds rise in every condition, as far as its answers say anything about them.

    Where a category in the middle never occurs in some condition, the thresholds around it may cross: the category has
    a negative probability there, and the others add up to more than 1.
    """
    size = likelihood.count - 1
    cells, cell = np.unique(np.round(spread, 9), axis=0, return_inverse=True)
    cell = np.asarray(cell).reshape(-1)
    thresholds = np.tile(extra[:size], (len(cells), 1))
    thresholds[:, 1:] += cells @ extra[size:].reshape(size - 1, -1).T
    told = np.zeros((len(cells), size + 2), dtype=bool)
    told[cell, likelihood.category] = told[cell, likelihood.category + 1] = True
    known = np.where(told[:, 1:-1], thresholds, -np.inf)
    return bool((known >= np.maximum.accumulate(known, axis=1) - ROUNDING)[told[:, 1:-1]].all())
