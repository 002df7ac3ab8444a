"""Write the notes and warnings of logistic and cumulative models: separation, few events, liberal tests."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.generalised.outcomes.answers import Outcome
from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.design.terms import Term
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.variance_explained import NOTE_OF_R2
from analysis.methods.mixed.fitting.crossproducts import independent
from analysis.methods.mixed.wording.codings import coding
from analysis.methods.mixed.wording.model import dropped, lost_comparisons, unconverged
from analysis.methods.mixed.wording.random_effects import about_random_effects, uncorrelated
from analysis.methods.wording import counted, listed, number_text, percent_text

Tried = Collection[tuple[str, Term]]
HUGE_SD = 8.0
HUGE_EFFECT = 8.0
PER_EFFECT = 10
SMALL_GROUPS = 3.0
FEW_FOR_WALD = 60


def warnings(
    fit: Fitted,
    hypotheses: list[Hypothesis],
    *,
    outcome: Outcome,
    ordered: bool = False,
    by_f: bool = False,
    tried: Tried = (),
) -> list[str]:
    """Return everything that should be known before the result is published, the gravest first."""
    method = "ordinal" if ordered else "glmm"
    return [
        *unconverged(fit),
        *_infinite(fit),
        *aliased(fit),
        *([] if fit.is_limit else lost_comparisons(hypotheses)),
        *_huge(fit),
        *([] if ordered else _few_events(fit, outcome)),
        *([] if by_f else liberal(fit, often=percent_of(f"{method} with slopes, tests=wald"))),
        *about_random_effects(fit, tried=tried),
    ]


def liberal(fit: Fitted, *, often: str, by_f: str = "keep 5 %") -> list[str]:
    """Say where tests that take variances for known reject too often, and what F tests do: slopes of few units."""
    few = [group for group in fit.design.groups if len(group.levels) < FEW_FOR_WALD and set(group.names) != {INTERCEPT}]
    if not few:
        return []
    names = listed(f"{len(group.levels)} levels of {group.name}" for group in few)
    return [
        f"Effects vary between {names}. With so few, tests with z or χ² take too little account of what is not known "
        f"about these variances: with slopes of 24 people and 24 items they rejected a true null hypothesis in {often} "
        f"of simulated data sets at α = .05. For tests of effects take tests=f, which has F tests by restricted "
        f"likelihood that {by_f}."
    ]


def notes(fit: Fitted, *, confidence: float, ordered: bool = False, by_f: bool = False) -> list[str]:
    """Return what was done, as a methods section says it."""
    design = fit.whole
    kind = "Cumulative logit model" if ordered else fit.scale.model
    rows = f"fitted to {len(design.y):,} rows"
    if design.groups:
        groups = listed(f"{len(group.levels):,} levels of {group.name}" for group in design.groups)
        how = f"{rows} with {groups} by maximum likelihood with the Laplace approximation"
    else:
        how = f"{rows} by maximum likelihood"
    made = [
        f"{kind} {design.formula.text}, {how}; the optimum over variances and coefficients together was found with "
        f"exact gradients after {fit.optimum.evaluations} evaluations."
    ]
    made += coding(design)
    made.append(
        f"Standard errors come from the curvature of the whole likelihood (variances and coefficients), tests are Wald "
        f"tests with z, intervals {percent_text(confidence)} Wald intervals; Wald tests are conservative for "
        "large effects, likelihood ratios are not."
    )
    if by_f:
        alike = (
            "and the mean of the thresholds with them, while their distances are estimated with the variances"
            if ordered
            else "as glmmTMB does with REML = TRUE"
        )
        counted = (
            ", but not fewer than the smallest number of people or items beyond the effects between them (Li & Redden, "
            "2015)"
            if fit.has_two_outcomes
            else ""
        )
        made.append(
            f"Effects of type III have F tests by restricted likelihood (the fixed effects are integrated out with the "
            f"random ones, {alike}) with Satterthwaite's degrees of freedom{counted}. They go before "
            "the Wald tests of coefficients, which reject too often where few people or items differ in an effect. "
            "Where nothing that had to be estimated is uncertain, as without any variance between people and items, "
            "degrees of freedom are infinite, and the F test is the Wald test that is shown."
        )
    made += uncorrelated(fit)
    if not fit.scale.is_binary:
        made.append(
            "No R² is given: for counts and times it hangs on which of several approximations stands for the variance "
            "of a single observation."
        )
    elif not fit.is_limit:
        made.append(
            f"{NOTE_OF_R2}; a single observation has the variance of the logistic distribution, π²/3, in log odds."
        )
    scatter = " and what the family has beside the mean" if fit.scale.dispersions else ""
    made.append(f"AIC and BIC count the coefficients, variances and covariances{scatter}; BIC has n = number of rows.")
    return made


def infinite_terms(fit: Fitted) -> list[str]:
    """Return the names of the coefficients that have no finite estimate."""
    if not fit.is_limit:
        return []
    known = independent(fit.whole.fixed.values)[0]
    return [fit.whole.fixed.names[column] for column in known if fit.coefficient(column) is None]


def _infinite(fit: Fitted) -> list[str]:
    return separated(
        fit,
        what="the outcome follows from the fixed effects without exception",
        infinite="it would be infinite",
        otherwise=", or use logistic penalty=firth without random effects",
    )


def separated(fit: Fitted, *, what: str, infinite: str, otherwise: str = "") -> list[str]:
    """Say for how many rows the fixed effects decide `what`, and which of them have no finite estimate then."""
    if not fit.is_limit:
        return []
    names, rows = infinite_terms(fit), counted(len(fit.whole.y) - len(fit.design.y), "row")
    return [
        f"There is separation: for {rows} of {len(fit.whole.y):,} {what}{where_constant(fit)}, so that "
        f"{listed(names) or 'a combination of effects'} {'have' if len(names) > 1 else 'has'} no finite estimate "
        f"({infinite}; programs that print a number stopped somewhere). The other estimates are those of the remaining "
        f"rows, which is where the likelihood tends to. Report the counts of the cells; such an effect is tested by "
        f"its likelihood ratio. Otherwise merge levels{otherwise}."
    ]


def where_constant(fit: Fitted) -> str:
    """Name levels of factors in which the outcome never varies, and combinations of levels where it does in each."""
    found: list[str] = []
    y, read = fit.whole.y, fit.whole.variables.predictors
    known = np.zeros(len(y), dtype=bool)
    for term in sorted(fit.whole.formula.fixed.terms, key=len):
        factors = [one for variable in term if isinstance(one := read[variable], Categorical)]
        if not factors or len(factors) < len(term):
            continue
        cell = np.ravel_multi_index([one.index for one in factors], [len(one.levels) for one in factors])
        same = np.zeros(len(y), dtype=bool)
        for place in np.unique(cell):
            inside = cell == place
            if float(np.ptp(y[inside])) > 0 or known[inside].all():
                continue
            same |= inside
            first = int(np.flatnonzero(inside)[0])
            found.append(" with ".join(f"{one.variable.text} {one.levels[one.index[first]]}" for one in factors))
        known |= same
    return f" (in {listed(found)})" if found else ""


def aliased(fit: Fitted) -> list[str]:
    """Say which columns had to be dropped; where a model is the limit of one, by the design over all rows."""
    known = independent(fit.whole.fixed.values)[0] if fit.is_limit else fit.prepared.kept
    return dropped([name for column, name in enumerate(fit.whole.fixed.names) if column not in known])


def _huge(fit: Fitted) -> list[str]:
    """Say where a model runs away: answers that hardly vary within people, or nearly separated effects."""
    found = []
    for group, covariance in zip(fit.prepared.groups, fit.random_covariances(), strict=True):
        columns = group.columns
        reach = np.minimum(np.abs(columns).max(axis=0, initial=0.0), np.ptp(columns, axis=0))
        wide = np.sqrt(np.diag(covariance)) * reach
        if INTERCEPT in group.names:
            # Not at zero of all predictors, which may be far outside the data.
            middle = columns.mean(axis=0)
            wide[group.names.index(INTERCEPT)] = np.sqrt(max(float(middle @ covariance @ middle), 0.0))
        if wide.max(initial=0.0) > HUGE_SD:
            widest = int(wide.argmax())
            where = "" if group.names[widest] == INTERCEPT else f" in {group.names[widest]}"
            found.append(
                f"The standard deviation between levels of {group.name}{where} is {number_text(float(wide[widest]))} "
                f"log odds: most of them gave the same answer throughout. Such a model is badly determined, and the "
                f"Laplace approximation is poor for it; take the random effects of {group.name} as a sign to look at "
                f"the answers per level, not as a measurement."
            )
    spread = np.ptp(fit.design.fixed.values, axis=0) if len(fit.design.y) else np.zeros(0)
    large = [
        name
        for name, estimate, column in zip(fit.names, fit.beta, fit.prepared.kept, strict=True)
        if name != INTERCEPT and abs(estimate) * spread[column] > HUGE_EFFECT
    ]
    if large:
        found.append(
            f"So large an effect as that of {listed(large)} nearly separates the outcome; Wald tests and intervals are "
            f"of little use then. Test it by a likelihood ratio (compare=… without it)."
        )
    return found


def _few_events(fit: Fitted, outcome: Outcome) -> list[str]:
    if outcome.trials is not None:
        return []
    rarer = int(min(fit.whole.y.sum(), (1 - fit.whole.y).sum()))
    effects = max(len(fit.names) - (INTERCEPT in fit.names), 1)
    said = []
    if rarer < PER_EFFECT * effects:
        said.append(
            f"The rarer outcome occurred {counted(rarer, 'time')} for {counted(effects, 'effect')}; with fewer than "
            f"about {PER_EFFECT} per effect, estimates are too large on average and intervals unreliable."
        )
    small = [group.name for group in fit.whole.groups if len(fit.whole.y) / len(group.levels) < SMALL_GROUPS]
    if small:
        said.append(
            f"There are fewer than three answers per level of {listed(small)}; the Laplace approximation then "
            f"underestimates its variance."
        )
    return said
