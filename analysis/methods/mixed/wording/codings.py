"""Describe the contrast coding of factors as a methods section does."""

from __future__ import annotations

import numpy as np

from analysis.methods.mixed.design.codings import OWN
from analysis.methods.mixed.design.contrast_choice import factors_interact
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.wording.weights import difference
from analysis.methods.wording import counted, listed

SAID = {
    "treatment": "treatment contrasts (every level against the first)",
    "sum": "sum contrasts (levels against the mean of all; the last level is minus the sum of the others)",
    "helmert": "Helmert contrasts (every level against the mean of the levels before it, divided by their number + 1)",
    "repeated": "repeated contrasts (every level against the one before it)",
    "polynomial": "polynomial contrasts (orthonormal trends over equally spaced levels)",
}
AT_THE_FIRST = (
    "With treatment contrasts and an interaction, the coefficients of single factors are effects at the first level of "
    "the others; the table of type III tests has main effects."
)
AVERAGES = (
    "Beside an interaction sum contrasts are the default, so that coefficients are averages over the other factors; "
    "contrasts=treatment gives differences from the first level at the first level of the others."
)
UNEVEN = 1e-6


def coding(design: Design) -> list[str]:
    """Say how factors are coded and what that makes of coefficients beside an interaction."""
    coded = [read for read in design.variables.predictors.values() if isinstance(read, Categorical)]
    if not coded:
        return []
    orders = listed(f"{read.variable.text} ({', '.join(read.levels)})" for read in coded)
    levels = f"levels in this order: {orders}."
    beside = factors_interact(design.formula, design.variables)
    kinds = {coding.kind for coding in design.codings.values()}
    if len(kinds) == 1 and OWN not in kinds:
        made = [f"Factors have {SAID[kinds.pop()]}, {levels}"]
    else:
        each = "; ".join(f"{read.variable.text} has {_of(design, read)}" for read in coded)
        made = [f"Contrasts: {each}; {levels}"]
    if beside and design.is_coded("sum"):
        made.append(AVERAGES)
    elif beside and (held := design.factors_coded("treatment")):
        every = design.is_coded("treatment")
        made.append(
            AT_THE_FIRST
            if every
            else f"Beside an interaction coefficients of other factors are effects at the first level of "
            f"{listed(held)}, and averages over all factors with other contrasts."
        )
    made += _completed(design, coded)
    return made + _uneven(design, coded)


def _of(design: Design, read: Categorical) -> str:
    coding = design.codings[read.variable]
    if coding.kind != OWN:
        return SAID[coding.kind]
    asked = [difference(read.levels, weights) for weights in coding.hypotheses[: coding.given]]
    return f"hypotheses of its own ({'; '.join(asked)}), coded by the generalised inverse of their weights"


def _completed(design: Design, coded: list[Categorical]) -> list[str]:
    """Say where own contrasts are fewer than the degrees of freedom of a factor."""
    return [
        f"{counted(coding.given, 'contrast')} of '{read.variable.text}' leave "
        f"{counted(coding.codes.shape[1] - coding.given, 'difference')} between its {len(read.levels)} levels open; "
        f"columns orthogonal to them complete the factor, so that its test of type III has all degrees of freedom."
        for read in coded
        if (coding := design.codings[read.variable]).kind == OWN and coding.given < coding.codes.shape[1]
    ]


def _uneven(design: Design, coded: list[Categorical]) -> list[str]:
    """Say over which order polynomial contrasts are trends, and where they take unequal distances for equal ones."""
    found = []
    for read in coded:
        if design.codings[read.variable].kind != "polynomial":
            continue
        try:
            steps = np.diff([float(level) for level in read.levels])
        except ValueError:
            found.append(
                f"Polynomial contrasts of '{read.variable.column}' are trends over its levels in this order: "
                f"{', '.join(read.levels)}. Another order is set with levels={read.variable.column}=…."
            )
            continue
        if np.ptp(steps) > UNEVEN * np.abs(steps).max():
            name = read.variable.column
            found.append(
                f"The levels of '{name}' are numbers at unequal distances ({', '.join(read.levels)}), and polynomial "
                f"contrasts take them as equally spaced. Trends over the numbers themselves are {name} + I({name}^2), "
                f"with '{name}' as a number."
            )
    return found
