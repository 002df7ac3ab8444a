"""Write the notes and warnings of a linear mixed model: estimation, convergence, dropped columns, lost comparisons."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.design.terms import Term
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import factors
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.estimates.variance_explained import NOTE_OF_R2
from analysis.methods.mixed.wording.codings import coding
from analysis.methods.mixed.wording.random_effects import FEW_LEVELS, about_random_effects, uncorrelated
from analysis.methods.wording import df_text, listed, number_text, percent_text

EXACT = 1e-6


def warnings(fit: Fitted, hypotheses: list[Hypothesis], *, tried: Collection[tuple[str, Term]] = ()) -> list[str]:
    """Return everything that should be known before the result is published, the gravest first.

    The slopes in `tried`, by group, were part of a larger model, from which random effects were chosen.
    """
    return [
        *convergence(fit),
        *_aliased(fit),
        *lost_comparisons(hypotheses),
        *_standardised(fit),
        *about_random_effects(fit, tried=tried, has_residual=True),
    ]


def notes(fit: Fitted, *, confidence: float) -> list[str]:
    """Return what was done, as a methods section says it."""
    design = fit.design
    groups = listed(f"{len(group.levels):,} levels of {group.name}" for group in design.groups)
    how = "restricted maximum likelihood (REML)" if fit.reml else "maximum likelihood (ML)"
    made = [
        f"Linear mixed model {design.formula.text}, fitted to {fit.prepared.n:,} rows with {groups} by {how}; the "
        f"optimum was found with exact derivatives after {fit.optimum.evaluations} evaluations.",
    ]
    made += coding(design)
    made.append(
        f"t tests of coefficients and F tests of type III have Satterthwaite's degrees of freedom; intervals are "
        f"{percent_text(confidence)} Wald intervals with those degrees of freedom."
    )
    if fit.largest_df > fit.most_df + 0.5:
        made.append(
            f"Satterthwaite's formula gives up to {fit.largest_df:,.0f} degrees of freedom, more than "
            f"{fit.prepared.n:,} rows can have; n − p = {df_text(fit.most_df)} are taken there."
        )
    if not fit.reml:
        made.append("ML estimates of variances are too small in small samples; report tests from reml=true.")
    made += uncorrelated(fit)
    made += about_means(fit)
    made.append(f"{NOTE_OF_R2}.")
    made.append(
        "AIC and BIC count the fixed effects, the variances and covariances, and the residual; BIC has n = number of "
        "rows." + (" Values from REML compare models with the same fixed effects only." if fit.reml else "")
    )
    return made


def about_means(fit: Fitted) -> list[str]:
    """Say what estimated means and their differences are, where there are factors."""
    if not factors(fit):
        return []
    made = (
        "Estimated marginal means average evenly over the levels of other factors; d is their difference over the "
        "square root of the total variance of people, items, their slopes and the residual (Westfall, Kenny and Judd "
        "2014; Brysbaert and Stevens 2018), its interval with the uncertainty of that variance."
    )
    if fit.scale.mean:
        text, words = fit.design.formula.response.text, fit.scale.mean_words
        made += (
            f" Means of {text} are given in the unit of the measure, each a {words}; their differences have intervals "
            f"by the delta method, and d is of {text}."
        )
    return [made]


def convergence(fit: Estimates) -> list[str]:
    """Say where a fit did not converge, or had no residual to fit."""
    spread = float(fit.design.y.std())
    if fit.sigma < EXACT * spread:
        return [
            f"The measure follows from fixed and random effects without a residual (standard deviation "
            f"{number_text(fit.sigma, places=3)} beside {number_text(spread, places=3)} of the measure), so the "
            f"likelihood has no maximum and these numbers are only where the search ended. Check whether "
            f"'{fit.design.formula.response.text}' was computed from the groups, or let fewer effects vary."
        ]
    return unconverged(fit)


def unconverged(fit: Estimates) -> list[str]:
    """Say where the search ended at no optimum."""
    if fit.optimum.converged:
        return []
    return [
        f"The fit did not converge: the criterion could still fall by about "
        f"{number_text(max(fit.optimum.expected_gain, 0.0), places=6)}. Do not report these numbers. Rescale "
        f"predictors with very large or small values (scale(x)), or let fewer effects vary."
    ]


def _aliased(fit: Fitted) -> list[str]:
    return dropped([name for column, name in enumerate(fit.design.fixed.names) if column not in fit.prepared.kept])


def dropped(names: Sequence[str]) -> list[str]:
    """Say which columns of the fixed effects had to be dropped, nothing where there are none."""
    if not names:
        return []
    return [
        f"{listed(names)} cannot be told apart from the other fixed effects and had to be dropped: the columns are "
        f"combinations of each other, because combinations of levels never occur or one predictor follows from others. "
        f"Take such a term out of the formula."
    ]


def lost_comparisons(hypotheses: list[Hypothesis]) -> list[str]:
    """Say which tests are not what they are where all combinations of levels occur."""
    names = listed(
        f"{hypothesis.effect} ({len(hypothesis.contrasts)} of {len(hypothesis.contrasts) + hypothesis.lost} df)"
        for hypothesis in hypotheses
        if hypothesis.partial and len(hypothesis.contrasts)
    )
    if not names:
        return []
    return [
        f"Type III tests of {names} rest on the combinations of levels that occur (SAS's definition, as lmerTest has "
        f"it) and are no even averages over all levels: what they compare depends on which combinations are missing. "
        f"Rather test differences between the cells that exist, or leave out the interaction."
    ]


def _standardised(fit: Fitted) -> list[str]:
    """Find groups whose levels all have the same mean, as z-scoring within participants makes them."""
    found = []
    y = fit.design.y
    for group in fit.design.groups:
        counts = np.bincount(group.index, minlength=len(group.levels))
        if INTERCEPT not in group.names or len(counts) < FEW_LEVELS or counts.min() < 2:
            continue
        centred = y - y.mean()
        means = np.bincount(group.index, weights=centred, minlength=len(counts)) / counts
        expected = float((centred @ centred) / len(y) * (1 / counts).mean())
        if float((means**2).mean()) < 0.05 * expected:
            found.append(
                f"All levels of {group.name} have the same mean of '{fit.design.formula.response.text}', as after "
                f"z-scoring within {group.name}. Its means have no variance then (a variance of zero, or with slopes "
                f"a perfect correlation), by construction and not because "
                f"{group.name} makes no difference, and standard errors do not contain it. Analyse log ratings "
                f"(log10 of rating ÷ modulus) instead, which keep such differences for the model to estimate."
            )
    return found
