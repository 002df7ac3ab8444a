"""Say how the random effects of a model were chosen."""

from __future__ import annotations

import numpy as np

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.mixed.design.matrices import BY_TERM, INTERCEPT
from analysis.methods.mixed.design.terms import Formula, random_text, slopes_of
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.fitting.stationary import SINGULAR
from analysis.methods.mixed.random_effects.reduction import ALPHA, KEEP_MAXIMAL, PARSIMONIOUS, Reduced
from analysis.methods.mixed.random_effects.search import M
from analysis.methods.wording import counted, listed, share_text


def selection_notes(found: Reduced[M], asked: Formula, how: str) -> list[str]:
    """Return how the random effects were chosen, as a methods section says it."""
    before, after = random_text(asked), random_text(found.model.whole.formula)
    if _has_nothing_to_choose(found):
        return [f"There was nothing to choose: the random effects {before} have neither slopes nor correlations."]
    said = _parsimonious(found, before) if how == PARSIMONIOUS else _keep_maximal(found, before)
    result = "All of them stayed" if before == after else f"The reported model has {after}"
    return [
        f"{said}{_about_variances(found, asked)} {result}, after {counted(found.fits, 'model')} (table steps)."
        f"{_still_wrong(found)} The tests of fixed effects are conditional on this choice: they take the random "
        f"effects for known beforehand."
    ]


def selection_sentence(found: Reduced[M], how: str) -> str:
    """Return which model is reported, as a result."""
    after = random_text(found.model.whole.formula)
    if _has_nothing_to_choose(found):
        return f"Random effects of the reported model: {after}; there was nothing to choose."
    if not found.model.optimum.converged:
        return (
            f"Random effects of the reported model: {after}; it did not converge, nor did a simpler one that could be "
            f"chosen, so its numbers are not to be reported."
        )
    ways = {PARSIMONIOUS: "by parsimonious selection", KEEP_MAXIMAL: "as the maximal ones that can be estimated"}
    return (
        f"Random effects of the reported model, chosen {ways[how]}: {after}; the tests are conditional on that choice."
    )


def _has_nothing_to_choose(found: Reduced[M]) -> bool:
    return found.fits == 1 and not slopes_of(found.model.whole.formula)


def _parsimonious(found: Reduced[M], before: str) -> str:
    """Say which of the steps of parsimonious selection there were."""
    changes = [line["change"] for line in found.lines]
    steps = []
    if any(change.startswith("without correlations") for change in changes):
        steps.append("without correlations where the data do not support them")
    if any(_is_without_a_slope(change) for change in changes):
        steps.append(
            f"without single slopes, interactions of the highest order first and the one that costs the least first, "
            f"as long as p of the likelihood ratio test is above {share_text(ALPHA)}"
        )
    if any(change.startswith("with correlations") for change in changes):
        steps.append("with correlations again where they improve what is left")
    if any(line["change"].startswith("without the intercept") for line in found.lines):
        steps.append("without what had no variance, so that the fit is not singular")
    by = "restricted likelihood (REML)" if found.model.reml else "likelihood (ML)"
    tests = (
        f" Tests compare the {by} of models with the same fixed effects"
        if any("p" in one for one in found.lines)
        else ""
    )
    if any("p" in line and _is_without_a_slope(line["change"]) for line in found.lines):
        tests += "; as variances cannot be negative, true p values of slopes are smaller"
    return (
        f"Random effects were chosen by parsimonious selection (Bates, Kliegl, Vasishth & Baayen, 2015; Matuschek "
        f"et al., 2017), beginning with {before}{': ' if steps else ''}{'; then '.join(steps)}."
        + (f"{tests}." if tests else "")
        + f" Chosen in this way, linear mixed models rejected a true null hypothesis at α = .05 in "
        f"{percent_of('lmm, reduce=parsimonious')} of simulated studies, by effect; with all slopes in "
        f"{percent_of('lmm with slopes')}."
    )


def _is_without_a_slope(change: str) -> bool:
    """Return whether a step leaves out a slope, and not correlations."""
    return change.startswith("without ") and not change.startswith(("without correlations", "without the intercept"))


def _keep_maximal(found: Reduced[M], before: str) -> str:
    """Say what stood in the way of the maximal model."""
    changes = [line["change"] for line in found.lines]
    said = (
        f"Random effects are the maximal ones that can be estimated (Barr et al., 2013), beginning with {before}: only "
        f"where the fit did not converge or was singular, correlations and then slopes without variance were taken "
        f"out, interactions of the highest order first, none of them by a test"
    )
    if any(change.startswith("with correlations") for change in changes):
        said += "; then correlations were put back where that can be estimated"
    return f"{said}."


def _about_variances(found: Reduced[M], asked: Formula) -> str:
    """Say where | and || differ in more than correlations."""
    design = found.model.whole
    several = [
        variable.text
        for variable in dict.fromkeys(variable for one in asked.random for variable in one.part.variables)
        if isinstance(read := design.variables.predictors.get(variable), Categorical) and len(read.levels) > 2
    ]
    if not several or design.uncorrelated != BY_TERM:
        return ""
    return (
        f" Without correlations all contrasts of {listed(several)} have one variance in common, so there the step "
        f"between | and || is one between variances as well."
    )


def _still_wrong(found: Reduced[M]) -> str:
    """Say what is wrong with the reported model, naming what has no variance."""
    model = found.model
    if not model.optimum.converged:
        return " The reported model did not converge."
    empty: list[str] = []
    perfect: list[str] = []
    for group, factor in zip(model.prepared.groups, model.lambdas, strict=True):
        for block in group.blocks:
            part = factor[np.ix_(block.columns, block.columns)]
            names = [
                f"{'the intercept' if group.names[column] == INTERCEPT else group.names[column]} by {group.name}"
                for column, row in zip(block.columns, part, strict=True)
                if float(np.abs(row).max()) < SINGULAR
            ]
            empty += dict.fromkeys(names)
            if not names and bool((np.abs(np.diag(part)) < SINGULAR).any()):
                perfect.append(group.name)
    said = ""
    if empty:
        said += (
            f" The reported model is still singular: {listed(empty)} {'has' if len(empty) == 1 else 'have'} no "
            f"variance and {'changes' if len(empty) == 1 else 'change'} nothing."
        )
    if perfect:
        said += f" Correlations by {listed(dict.fromkeys(perfect))} are perfect, so the reported model is singular."
    return said
