"""Say what every fixed-effect coefficient compares, in words and as weights of level means."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

import numpy as np

from analysis.methods.mixed.design.codings import Coding, coding_of
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import unknown
from analysis.methods.mixed.reported.declared import CODES, HYPOTHESES
from analysis.methods.mixed.wording.weights import contrast_text, weights_text
from analysis.methods.report import Table
from analysis.methods.wording import listed

MISSING = "no comparison by itself: columns that cannot be told apart from it were dropped"


def meanings(fit: Estimates) -> list[str]:
    """Say for every column of X what its coefficient compares."""
    fixed = fit.design.fixed
    made = [_intercept(fit)] * (-1 in fixed.assign)
    for number, term in enumerate(fixed.terms):
        words = [_words(fit, number, choice, whole=False) for choice in _choices(fit, number)]
        if len(term) > 1:
            words = [[f"({word})" for word in several] for several in words]
        where = _held(fit, number)
        texts = [" × ".join(several) for several in words]
        made += [f"{text} at {', '.join(where)}" if where else text for text in texts]
    lost = _lost(fit)
    return [MISSING if column in lost else text for column, text in enumerate(made)]


def hypotheses_tables(fit: Estimates, *, shown: Collection[str], scale: str = "") -> list[Table]:
    """Return tables `hypotheses` and `codes`, where there are factors: what the coefficients of the terms `shown` are
    in means of levels, on the `scale` that is named behind the measure, and the codes that make them so.
    """
    factors = [variable for variable in fit.design.formula.fixed.variables if variable in fit.design.codings]
    if not factors:
        return []
    lines: list[dict[str, Any]] = []
    if -1 in fit.design.fixed.assign:
        numbers = [variable for variable in fit.design.formula.fixed.variables if variable not in fit.design.codings]
        lines.append({"hypothesis": _capital(_intercept(fit, whole=True) + _where(fit, numbers))})
    for number, _term in enumerate(fit.design.fixed.terms):
        for choice in _choices(fit, number):
            lines.append(
                {
                    "hypothesis": _capital(_sentence(fit, number, choice) + _others(fit, number)),
                    "weights": _weights(fit, number, choice),
                }
            )
    lost = _lost(fit)
    for column, (name, line) in enumerate(zip(fit.design.fixed.names, lines, strict=True)):
        line["term"] = name
        if column in lost:
            line |= {"hypothesis": _capital(MISSING), "weights": None}
    named = [line for line in lines if line["term"] in shown]
    return [HYPOTHESES.of(named, response=fit.design.formula.response.text, scale=scale), CODES.of(_codes(fit))]


def _intercept(fit: Estimates, *, whole: bool = False) -> str:
    codings = fit.design.codings
    factors = [variable for variable in fit.design.formula.fixed.variables if variable in codings]
    if not factors:
        return "all predictors at zero" if fit.design.fixed.terms else "the mean"
    if all(codings[variable].is_centred for variable in factors):
        return "mean of all cells, every level weighted evenly" if whole else "the mean of all cells"
    if not any(codings[variable].is_centred for variable in factors):
        return f"mean at {', '.join(f'{v.text} {_first(fit, v)}' for v in factors)}" if whole else "the first cell"
    return f"the mean of all cells at {', '.join(_first(fit, v) for v in factors if not codings[v].is_centred)}"


def _first(fit: Estimates, variable: Variable) -> str:
    read = fit.design.variables.predictors[variable]
    return read.levels[0] if isinstance(read, Categorical) else ""


def _coded(fit: Estimates, number: int, variable: Variable) -> tuple[Sequence[str], Coding] | None:
    """Return the levels of a factor and how it is coded in a term; None for a numeric variable."""
    read = fit.design.variables.predictors[variable]
    if not isinstance(read, Categorical):
        return None
    is_full = (number, variable) in fit.design.fixed.full
    return read.levels, coding_of("full", len(read.levels)) if is_full else fit.design.codings[variable]


def _choices(fit: Estimates, number: int) -> list[tuple[int, ...]]:
    """Return for every column of a term which column of each variable it is made of; the first changes fastest."""
    codings = [_coded(fit, number, variable) for variable in fit.design.fixed.terms[number]]
    sizes = [range(1 if coded is None else coded[1].codes.shape[1]) for coded in codings]
    return [choice[::-1] for choice in product(*sizes[::-1])]


def _words(fit: Estimates, number: int, choice: tuple[int, ...], *, whole: bool) -> list[str]:
    found = []
    for variable, column in zip(fit.design.fixed.terms[number], choice, strict=True):
        coded = _coded(fit, number, variable)
        slope = f"slope of {variable.text}"
        found.append(contrast_text(variable.text, *coded, column, whole=whole) if coded else slope)
    return found


def _sentence(fit: Estimates, number: int, choice: tuple[int, ...]) -> str:
    """Put the contrasts of a term into one sentence, what is a level by itself last."""
    term, full = fit.design.fixed.terms[number], fit.design.fixed.full
    words = dict(zip(term, _words(fit, number, choice, whole=True), strict=True))
    levels = dict(zip(term, _words(fit, number, choice, whole=False), strict=True))
    compared = [variable for variable in term if (number, variable) not in full]
    at = [levels[variable] for variable in term if variable not in compared]
    if not compared:
        return f"mean at {', '.join(at)}"
    text = words[compared[0]]
    for variable in compared[1:]:
        is_number = variable not in fit.design.codings
        more = f"changes with {variable.text}" if is_number else f"differs over {variable.text}: [{words[variable]}]"
        text = f"how [{text}] {more}"
    return f"{text}, at {', '.join(at)}" if at else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _weights(fit: Estimates, number: int, choice: tuple[int, ...]) -> str | None:
    found = []
    for variable, column in zip(fit.design.fixed.terms[number], choice, strict=True):
        if (coded := _coded(fit, number, variable)) is not None:
            found.append(f"{variable.text} ({weights_text(coded[0], coded[1].hypotheses[column])})")
    return " × ".join(found) or None


def _others(fit: Estimates, number: int) -> str:
    """Say at which level of other factors, or averaged over which, the coefficients of a term hold."""
    fixed, mine = fit.design.fixed, set(fit.design.fixed.terms[number])
    beside = {variable for term in fixed.terms for variable in term if mine < set(term)}
    if -1 not in fixed.assign and all((number, variable) in fixed.full for variable in mine):
        beside = set(fit.design.formula.fixed.variables)  # it stands in the place of the intercept
    inside = {variable for place, variable in fixed.full if mine < set(fixed.terms[place])}
    wanted = beside - mine - inside
    return _where(fit, [variable for variable in fit.design.formula.fixed.variables if variable in wanted])


def _where(fit: Estimates, variables: Sequence[Variable]) -> str:
    codings = fit.design.codings
    averaged = listed(v.text for v in variables if v in codings and codings[v].is_centred)
    at = [f"at {v.text} {_first(fit, v)}" for v in variables if v in codings and not codings[v].is_centred]
    at += [f"at {v.text} = 0" for v in variables if v not in codings]
    return "".join(f", {part}" for part in ([f"averaged over {averaged}"] if averaged else []) + at)


def _held(fit: Estimates, number: int) -> list[str]:
    """Return at which values of other predictors the coefficients of a term hold, where it is part of interactions.

    Treatment contrasts stay at the first level of the other factors, all others average over their levels. A number is
    zero.
    """
    fixed, mine = fit.design.fixed, set(fit.design.fixed.terms[number])
    found: dict[str, None] = {}
    for other, term in enumerate(fixed.terms):
        if not mine < set(term):
            continue
        for variable in term:
            if variable in mine or (other, variable) in fixed.full:
                continue
            if variable not in fit.design.codings:
                found[f"{variable.text} = 0"] = None
            elif not fit.design.codings[variable].is_centred:
                found[_first(fit, variable)] = None
    return list(found)


def _lost(fit: Estimates) -> set[int]:
    """Return the columns whose coefficients are not what they would be, because others could not be told apart."""
    X = fit.design.fixed.values
    if fit.design is not fit.whole or len(fit.prepared.kept) == X.shape[1]:
        return set()
    lacking = unknown(fit)
    return {column for column, weights in enumerate(np.eye(X.shape[1])) if lacking.touches(weights)}


def _codes(fit: Estimates) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    done: set[tuple[Variable, str]] = set()
    for number, term in enumerate(fit.design.fixed.terms):
        for variable in term:
            coded = _coded(fit, number, variable)
            if coded is None or (variable, coded[1].kind) in done:
                continue
            levels, coding = coded
            done.add((variable, coding.kind))
            for column in range(coding.codes.shape[1]):
                text = contrast_text(variable.text, levels, coding, column)
                for place, level in enumerate(levels):
                    lines.append(
                        {
                            "factor": variable.text,
                            "contrast": text,
                            "level": level,
                            "position": place + 1,
                            "weight": float(coding.hypotheses[column, place]),
                            "code": float(coding.codes[place, column]),
                        }
                    )
    return lines
