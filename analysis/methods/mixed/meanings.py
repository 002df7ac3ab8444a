"""What every coefficient of the fixed effects compares, in words."""

from __future__ import annotations

from typing import Any

from analysis.methods.mixed.estimates import Estimates
from analysis.methods.mixed.variables import Categorical


def meanings(fit: Estimates) -> list[str]:
    """Say for every column of X what its coefficient compares."""
    fixed = fit.design.fixed
    made = ["the mean of all cells" if fit.design.contrasts == "sum" else "the first cell"] * (-1 in fixed.assign)
    if made and not any(isinstance(read, Categorical) for read in _fixed_predictors(fit)):
        made = ["all predictors at zero" if fixed.terms else "the mean"]
    for number, term in enumerate(fixed.terms):
        pieces = [""]
        for variable in term:
            read = fit.design.variables.predictors[variable]
            if not isinstance(read, Categorical):
                words = [f"slope of {variable.text}"]
            elif (number, variable) in fixed.full:
                words = [f"{variable.text} {level}" for level in read.levels]
            elif fit.design.contrasts == "sum":
                words = [f"{level} − mean of {variable.text}" for level in read.levels[:-1]]
            else:
                words = [f"{level} − {read.levels[0]}" for level in read.levels[1:]]
            if len(term) > 1:
                words = [f"({word})" for word in words]
            pieces = [f"{before} × {word}" if before else word for word in words for before in pieces]
        where = _held(fit, number)
        made += [f"{piece} at {', '.join(where)}" if where else piece for piece in pieces]
    return made


def _held(fit: Estimates, number: int) -> list[str]:
    """Return at which values of other predictors the coefficients of a term hold, where it is part of interactions.

    Sum contrasts average over the levels of other factors; treatment contrasts stay at the first one. A number is zero.
    """
    fixed, mine = fit.design.fixed, set(fit.design.fixed.terms[number])
    found: dict[str, None] = {}
    for other, term in enumerate(fixed.terms):
        if not mine < set(term):
            continue
        for variable in term:
            read = fit.design.variables.predictors[variable]
            if variable in mine or (other, variable) in fixed.full:
                continue
            if not isinstance(read, Categorical):
                found[f"{variable.text} = 0"] = None
            elif fit.design.contrasts == "treatment":
                found[read.levels[0]] = None
    return list(found)


def _fixed_predictors(fit: Estimates) -> list[Any]:
    return [fit.design.variables.predictors[variable] for variable in fit.design.formula.fixed.variables]
