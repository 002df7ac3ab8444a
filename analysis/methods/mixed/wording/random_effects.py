"""Warn about the random effects of a mixed model: singular fits, missing slopes, few levels."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.mixed.design.matrices import BY_TERM, INTERCEPT, Design, Group
from analysis.methods.mixed.design.terms import Term, term_name
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.random_effects.lacking_slopes import (
    has_correlated_slopes,
    lacking_slopes,
    slopes_of_group,
    varies,
)
from analysis.methods.wording import counted, listed

PERFECT = 0.9999
FEW_LEVELS = 5
FAR = 500.0


def about_random_effects(
    fit: Estimates, *, tried: Collection[tuple[str, Term]] = (), has_residual: bool = False
) -> list[str]:
    """Return what should be known about the random effects of any mixed model."""
    return [
        *_treatment_columns(fit),
        *_singular(fit, tried),
        *_about_slopes(fit, tried=tried, has_residual=has_residual),
        *_few_levels(fit),
    ]


def _singular(fit: Estimates, tried: Collection[tuple[str, Term]]) -> list[str]:
    if not fit.optimum.singular:
        return []
    found: list[str] = []
    for group, covariance in zip(fit.prepared.groups, fit.random_covariances(), strict=True):
        for block in group.blocks:
            columns = list(block.columns)
            text = _singular_block(fit, group, [group.names[c] for c in columns], covariance[np.ix_(columns, columns)])
            found += [text] if text else []
    if not found:
        found = ["One direction of the random effects has no variance."]
    return [
        "The fit is singular, which means that the data do not support all of the random effects. "
        + " ".join(found)
        + _advice(fit, tried)
    ]


def _advice(fit: Estimates, tried: Collection[tuple[str, Term]]) -> str:
    """Say what to try where a fit is singular, unless simpler random effects were tried."""
    blocks = [(group, block) for group in fit.design.groups for block in group.blocks]
    slopes = any(set(group.names) != {INTERCEPT} for group, _ in blocks)
    if not slopes:
        return " A random term without variance changes nothing; it may stay in the formula or be left out."
    if tried:
        return " What could be left out was tried (table steps); what has no variance changes nothing where it stays."
    first = (
        " try the formula without correlations (||) first, then"
        if any(len(b.columns) > 1 and not b.shared for _, b in blocks)
        else " try it"
    )
    return (
        f" A model that was planned is reported as planned, with this said. Otherwise{first} without the slope that "
        f"has the smallest variance; keep the slopes of the effects that you test as long as they have variance, and "
        f"say in the report what was left out."
    )


def _singular_block(fit: Estimates, group: Group, names: list[str], covariance: Floats) -> str:
    sd = np.sqrt(np.diag(covariance))
    scale = fit.prepared.scales[fit.prepared.groups.index(group)]
    relative = sd * np.array([scale[group.names.index(name)] for name in names]) / fit.sigma
    zero = list(dict.fromkeys(name for name, value in zip(names, relative, strict=True) if value < 1e-4))
    if zero:
        return f"{listed(zero)} has no variance between levels of {group.name}."
    correlation = covariance / np.outer(sd, sd)
    pairs = [
        f"{names[a]} and {names[b]} ({'+' if correlation[a, b] > 0 else '−'}1)"
        for b in range(len(names))
        for a in range(b)
        if abs(correlation[a, b]) > PERFECT
    ]
    if pairs:
        return f"Between levels of {group.name} the correlation is perfect of {listed(pairs)}."
    smallest = float(np.linalg.eigvalsh(correlation)[0])
    if smallest < 1e-6:
        return f"The {len(names)} random effects of {group.name} vary in fewer than {len(names)} directions."
    return ""


def _few_levels(fit: Estimates) -> list[str]:
    few = [group for group in fit.design.groups if len(group.levels) < FEW_LEVELS]
    if not few:
        return []
    names = listed(f"{group.name} ({counted(len(group.levels), 'level')})" for group in few)
    return [
        f"A variance between so few levels is hardly known: {names}. Of people and items there should be more before "
        f"anything is concluded; where these levels are all that there are, take a fixed effect instead."
    ]


def uncorrelated(fit: Estimates) -> list[str]:
    """Say what random terms without correlations mean."""
    if not any(not term.correlated and len(term.part.terms) for term in fit.design.formula.random):
        return []
    text = "Terms with || have variances and no correlations."
    if _factors_without_correlations(fit):
        text += _BY_TERM if fit.design.uncorrelated == BY_TERM else _BY_COLUMN
    return [text]


_BY_TERM = (
    " A factor in them has one variance for all of its contrasts (orthonormal ones), so neither the coding of the "
    "fixed effects nor the order or names of levels change the fit; its standard deviation is that of a level around "
    "the mean of all levels. A variance for every contrast column, as in R by afex with expand_re = TRUE, is asked for "
    "by uncorrelated=by-column; lme4 itself keeps the correlations between the levels of a factor, which is "
    "(1 | g) + (0 + factor | g)."
)
_BY_COLUMN = (
    " A factor in them counts as its contrast columns, each with a variance of its own (uncorrelated=by-column, afex "
    "with expand_re = TRUE), so the fit depends on the coding and, with more than two levels, on their order; lme4 "
    "itself would keep correlations between its levels."
)


def _factors_without_correlations(fit: Estimates) -> list[str]:
    """Return the factors in terms with ||."""
    read = fit.design.variables.predictors
    return list(
        dict.fromkeys(
            variable.text
            for term in fit.design.formula.random
            if not term.correlated
            for variable in term.part.variables
            if isinstance(read[variable], Categorical)
        )
    )


def _treatment_columns(fit: Estimates) -> list[str]:
    """Say where columns of treatment contrasts have independent variances."""
    treatment = fit.design.factors_coded("treatment")
    names = [name for name in _factors_without_correlations(fit) if name in treatment]
    if not names or fit.design.uncorrelated == BY_TERM:
        return []
    return [
        f"Treatment contrasts of {listed(names)} have independent variances (|| with uncorrelated=by-column), so the "
        f"model depends on which level is the first, and its tests cannot be trusted: in simulations of a 2 × 2 design "
        f"with slopes, type III then rejected a true null hypothesis about the interaction in 12 to 17 % of the data "
        f"sets at α = .05. Leave uncorrelated at by-term, or take contrasts=sum."
    ]


def _about_slopes(fit: Estimates, *, tried: Collection[tuple[str, Term]] = (), has_residual: bool = False) -> list[str]:
    """Return what should be known about the slopes of any mixed model; those in `tried`, by group, were tried.

    `has_residual`: the measure has one, from which slopes must be told apart.
    """
    lacking = lacking_slopes(fit.whole, has_residual=has_residual, tried=tried)
    return [*_lacking(fit.whole, lacking), *_constant_slopes(fit.whole), *_far_from_zero(fit)]


def _lacking(design: Design, lacking: Sequence[tuple[Group, list[Term]]]) -> list[str]:
    """Say which effects do not vary between the levels of a group although they could."""
    if not lacking:
        return []
    named = [(group.names, f"{group.name} ({', '.join(map(term_name, terms))})") for group, terms in lacking]
    bare = [text for names, text in named if set(names) == {INTERCEPT}]
    partly = [text for names, text in named if set(names) != {INTERCEPT}]
    first = [f"Only intercepts vary for {listed(bare)}"] if bare else []
    first += [f"{'s' if bare else 'S'}lopes lack for {listed(partly)}"] if partly else []
    suggestion = " + ".join(_suggested(design, group, terms) for group, terms in lacking)
    return [
        f"{', and '.join(first)}, although the effects in brackets vary within levels of "
        f"{'it' if len(lacking) == 1 else 'them'}. If people or items differ in an effect, its p value is then too "
        f"small: in simulated studies with such differences a model with intercepts only rejected a true null "
        f"hypothesis in {percent_of('lmm with intercepts only')} at α = .05, one with the slopes in "
        f"{percent_of('lmm with slopes')} (F1 {percent_of('rm-anova over participants')}, minF′ "
        f"{percent_of('min-f')}). Consider {suggestion}."
    ]


def _suggested(design: Design, group: Group, lacking: list[Term]) -> str:
    """Return the random term with the slopes that it has and those that it lacks, crossed where it then has all."""
    terms = sorted([*slopes_of_group(design, group), *lacking], key=len)
    variables = list(dict.fromkeys(variable for term in terms for variable in term))
    if len(terms) == 2 ** len(variables) - 1:
        slopes = " * ".join(variable.written for variable in variables)
    else:
        slopes = " + ".join(":".join(variable.written for variable in term) for term in terms)
    return f"(1 + {slopes} {'|' if has_correlated_slopes(design, group) else '||'} {group.name})"


def _constant_slopes(design: Design) -> list[str]:
    found = []
    for group in design.groups:
        still = dict.fromkeys(
            name
            for name, column in zip(group.names, group.columns.T, strict=True)
            if name != INTERCEPT and INTERCEPT in group.names and not varies(column, group)
        )
        if still:
            found.append(
                f"{listed(still)} does not vary within levels of {group.name}, so its slope cannot be told apart from "
                f"the intercept; leave it out of the random term of {group.name}."
            )
    return found


def _far_from_zero(fit: Estimates) -> list[str]:
    """Find slopes of predictors far from zero, whose intercepts lie far outside the data and follow from the slopes."""
    far: dict[str, None] = {}
    for group in fit.design.groups:
        for block in group.blocks:
            if INTERCEPT not in (group.names[column] for column in block.columns):
                continue
            for column in block.columns:
                values = group.columns[:, column]
                spread = float(values.std())
                if spread > 0 and float(np.abs(values.mean())) > FAR * spread:
                    far[group.names[column]] = None
    if not far:
        return []
    return [
        f"{listed(far)} {'lies' if len(far) == 1 else 'lie'} so far from zero beside how much "
        f"{'it varies' if len(far) == 1 else 'they vary'} that random intercepts and slopes can hardly be told apart "
        f"by computation, which makes degrees of freedom and p values inexact. Centre such a predictor: center(x) in "
        f"the place of x."
    ]
