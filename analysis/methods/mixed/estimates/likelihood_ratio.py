"""Compare two nested models by likelihood ratio: χ² = 2 (ln L₂ − ln L₁), df = difference in parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import BY_COLUMN
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.fitting.crossproducts import independent
from analysis.methods.report import BadInput
from analysis.methods.wording import listed

ROUNDING = 1e-6


def compared(first: Estimates, second: Estimates) -> tuple[list[dict[str, Any]], list[str]]:
    """Return one line per model, the smaller one first, and warnings.

    `bf_bic` of the larger one is exp((BIC of the smaller − its own)/2), the Bayes factor for it with a prior that
    holds the information of one row about its effects (Kass & Wasserman 1995; Wagenmakers 2007).

    Raises BadInput where the models do not have the same measure and rows, are not nested in their fixed effects, or
    do not differ.
    """
    smaller, larger = sorted((first, second), key=lambda fit: fit.parameters)
    texts = [fit.design.formula.text for fit in (smaller, larger)]
    if smaller.design.formula.response != larger.design.formula.response:
        raise BadInput(f"compare: '{texts[0]}' and '{texts[1]}' have different measures; only the terms may differ.")
    if not np.array_equal(smaller.design.variables.rows, larger.design.variables.rows):
        raise BadInput(
            f"compare: the models rest on different rows ({smaller.prepared.n:,} and {larger.prepared.n:,}), because a "
            f"column that only one of them has is empty in places. Leave those rows out of both with where."
        )
    df = larger.parameters - smaller.parameters
    if df == 0:
        raise BadInput(
            f"compare: '{texts[0]}' and '{texts[1]}' have the same number of parameters; a likelihood ratio test needs "
            f"one model inside the other."
        )
    _same_random_columns(smaller, larger)
    if not _inside(smaller, larger):
        raise BadInput(
            f"compare: the fixed effects of '{texts[0]}' are not among those of '{texts[1]}'; a likelihood ratio test "
            f"needs one model inside the other."
        )
    chi2 = smaller.criterion - larger.criterion
    warnings = []
    if chi2 < -ROUNDING * abs(larger.criterion):
        warnings.append(
            "The larger model fits worse than the smaller one, so the smaller one is not inside it or a fit did not "
            "converge; the likelihood ratio test has no meaning here."
        )
    if len(larger.optimum.theta) != len(smaller.optimum.theta):
        warnings.append(
            "The compared models differ in their random effects. A variance cannot be negative, so the χ² test of it "
            "is conservative: the true p is smaller, about half of it for one variance."
        )
    lines = [{"model": fit.design.formula.text, **fit.measures()} for fit in (smaller, larger)]
    lines[1] |= ratio_test(chi2, df)
    with np.errstate(over="ignore"):
        lines[1]["bf_bic"] = float(np.exp((smaller.bic - larger.bic) / 2))
    return lines, warnings


def ratio_test(chi2: float, df: int) -> dict[str, float]:
    """Return χ² with its p by the columns of tables; a smaller model that fits better, by rounding, is as good."""
    chi2 = max(chi2, 0.0)
    return {"df": df, "chi2": chi2, "p": float(scipy.stats.chi2.sf(chi2, df))}


def _same_random_columns(smaller: Estimates, larger: Estimates) -> None:
    """Raise BadInput where automatic contrasts give the models other columns of ||, so that neither holds the other."""
    small, large = smaller.design, larger.design
    recoded = [
        variable.text
        for variable, coding in small.codings.items()
        if variable in large.codings and large.codings[variable].kind != coding.kind
    ]
    split = any(not term.correlated for design in (small, large) for term in design.formula.random)
    if recoded and split and small.uncorrelated == BY_COLUMN:
        raise BadInput(
            f"compare: {listed(recoded)} has other automatic contrasts in each of the models, and with "
            f"uncorrelated=by-column these make other random effects, so neither model is inside the other. Give "
            f"contrasts=sum for both, or leave uncorrelated at by-term."
        )


def _inside(smaller: Estimates, larger: Estimates) -> bool:
    """Return whether the columns of the smaller X are combinations of those of the larger."""
    inner, outer = (np.asarray(fit.whole.fixed.values) for fit in (smaller, larger))
    return _rank(np.hstack([outer, inner])) == _rank(outer)


def _rank(columns: Floats) -> int:
    return len(independent(columns / np.maximum(np.abs(columns).max(axis=0, initial=0.0), 1e-300))[0])
