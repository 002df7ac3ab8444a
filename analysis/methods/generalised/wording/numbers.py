"""Write the notes and warnings of models of counts and times."""

from __future__ import annotations

import numpy as np

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.generalised.outcomes.answers import Outcome
from analysis.methods.generalised.wording.answers import Tried, aliased, liberal, separated
from analysis.methods.mixed.design.matrices import INTERCEPT
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.scales import COUNTS, IDENTITY, TIMES
from analysis.methods.mixed.wording.model import lost_comparisons, unconverged
from analysis.methods.mixed.wording.random_effects import about_random_effects
from analysis.methods.wording import counted, number_text

# A standard deviation of 3 on the log scale is a factor of twenty between levels one apart.
HUGE_SD = 3.0
FEW_COUNTS = 10
EXACT = 1e8
# Whose error rates were measured.
MEASURED = ("poisson", "negative-binomial", "gamma")


def warnings_of_numbers(fit: Fitted, hypotheses: list[Hypothesis], *, by_f: bool, tried: Tried = ()) -> list[str]:
    """Return everything that should be known before the result is published, the gravest first."""
    return [
        *unconverged(fit),
        *_exact(fit),
        *separated(fit, what="every count is 0", infinite="the logarithm of a mean of 0"),
        *aliased(fit),
        *([] if fit.is_limit else lost_comparisons(hypotheses)),
        *_huge(fit),
        *_few(fit),
        *([] if by_f else _liberal(fit)),
        *about_random_effects(fit, tried=tried),
    ]


def _liberal(fit: Fitted) -> list[str]:
    wald, by_f = (
        percent_of(*(f"glmm with slopes, {family}, tests={tests}" for family in MEASURED)) for tests in ("wald", "f")
    )
    return liberal(fit, often=f"{wald} (Wald tests of counts and times)", by_f=f"rejected it in {by_f}")


def notes_of_numbers(fit: Fitted, read: Outcome, *, exposure: str | None) -> list[str]:
    """Return what means, ratios and the scatter of single rows are."""
    name = fit.whole.formula.response.text
    if fit.scale.link == IDENTITY:
        return [
            f"With the identity link coefficients are differences of '{name}' in its own units, and so are the "
            f"standard deviations of people and items; nothing keeps a mean from being negative but the data."
        ]
    what = "counts" if fit.scale.family in COUNTS else "values"
    per = f" per unit of '{exposure}' (its logarithm is an offset)" if exposure and read.trials is not None else ""
    ratio = fit.scale.ratio.words if fit.scale.ratio else "ratio"
    return [
        f"exp of a coefficient is a {ratio}. Expected {what} are those of people and items with average effects{per}; "
        f"the mean over people and items is larger, as the logarithm is what is averaged."
    ]


def _exact(fit: Fitted) -> list[str]:
    if fit.scale.family not in TIMES or float(np.exp(fit.extra[0])) < EXACT:
        return []
    return [
        f"'{fit.design.formula.response.text}' follows from fixed and random effects without any scatter, so the "
        f"likelihood has no maximum and these numbers are only where the search ended. Check whether it was computed "
        f"from the groups, or let fewer effects vary."
    ]


def _huge(fit: Fitted) -> list[str]:
    if fit.scale.link == IDENTITY:
        return []
    found = []
    for group, covariance in zip(fit.prepared.groups, fit.random_covariances(), strict=True):
        if INTERCEPT not in group.names:
            continue
        middle = group.columns.mean(axis=0)
        wide = float(np.sqrt(max(float(middle @ covariance @ middle), 0.0)))
        if wide > HUGE_SD:
            found.append(
                f"The standard deviation between levels of {group.name} is {number_text(wide)} on the log scale, which "
                f"is a factor of {number_text(float(np.exp(wide)), places=0)}: look at the values per level, and "
                f"whether some have zeros or a single large value throughout."
            )
    return found


def _few(fit: Fitted) -> list[str]:
    if fit.scale.family not in COUNTS:
        return []
    effects = max(len(fit.names) - (INTERCEPT in fit.names), 1)
    total = int(fit.whole.y.sum())
    if total >= FEW_COUNTS * effects:
        return []
    return [
        f"All counts together are {total:,} for {counted(effects, 'effect')}; with fewer than about {FEW_COUNTS} per "
        f"effect, estimates and intervals are unreliable."
    ]
