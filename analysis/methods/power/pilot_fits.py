"""Fit pilot data by mixed models on orthonormal contrasts of the cells with uncorrelated slopes.

A measure is fitted by REML, answers by the Laplace approximation of `glmm` and `ordinal`. The contrasts of one term
share a variance in the simulation, so theirs are averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats, Integers
from analysis.methods.generalised.models import answers
from analysis.methods.generalised.models import fitted as generalised
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.terms import Formula
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.fitting.crossproducts import prepare
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.power.baseline import Outcome
from analysis.methods.power.design import ROLES, Design, Role, Term
from analysis.methods.report import BadInput

MOST_SLOPES = 8


@dataclass(frozen=True)
class Rows:
    """Values in some unit (categories from 0 on for answers), with the cell, the participant and the item of each."""

    y: Floats
    unit: float
    cell: Integers
    people: Integers
    things: Integers | None
    outcome: Outcome = "measure"


@dataclass(frozen=True)
class Estimates:
    """Effects (means of cells per term) and standard deviations in the units of the data, or in log odds.

    `slopes` are the terms that were let vary, `still` those of them that do not vary within items in the data.
    """

    effects: dict[str, Floats]
    sds: dict[str, float]
    thresholds: tuple[float, ...] | None
    slopes: tuple[str, ...]
    still: tuple[str, ...]


@dataclass(frozen=True)
class _Found:
    beta: dict[str, float]
    variances: dict[str, dict[str, float]]
    sigma: float | None
    thresholds: tuple[float, ...] | None = None


def scale_of(values: Floats) -> float:
    """Return a scale on which squares of the values neither overflow nor vanish."""
    return float(np.abs(values).max()) or 1.0


def estimates_of(rows: Rows, design: Design, *, dv: str) -> Estimates:
    """Fit with as many slopes as the data allow: all that the design has, main effects, none.

    Raises BadInput where not even intercepts can be estimated.
    """
    sloped = [term for term in design.terms if any(term in design.slopes(role) for role in ROLES)]
    main = [term for term in sloped if len(term.factors) == 1]
    attempts: list[list[Term]] = [terms for terms in (sloped, main) if _df(terms) <= MOST_SLOPES]
    reason = ""
    for slopes in [*attempts, []]:
        try:
            return _fit_with(rows, design, slopes)
        except BadInput as fault:
            reason = str(fault)
    raise BadInput(
        f"The variances cannot be estimated from these data ('{dv}'). State them with sds=…, such as "
        f"sds=participant=0.3; item=0.2{'; residual=0.6' if rows.outcome == 'measure' else ''}, and the design with "
        f"design=…. What stood in the way: {reason}"
    )


def _fit_with(rows: Rows, design: Design, slopes: list[Term]) -> Estimates:
    values = design.contrasts[rows.cell]
    names = [f"c{number}" for number in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names)
    frame["y"], frame["p"] = rows.y, [f"p{code}" for code in rows.people]
    owners = dict(zip(names, _owners(design), strict=True))

    def varying(role: Role) -> list[str]:
        return [name for name, term in owners.items() if term in slopes and term in design.slopes(role)]

    own = varying("participant")
    random = [f"(1 + {' + '.join(own)} || p)" if own else "(1 | p)"]
    still: list[str] = []
    if rows.things is not None:
        frame["i"] = [f"i{code}" for code in rows.things]
        spread = frame.groupby("i")[names].transform(lambda column: column - column.iloc[0]).abs().max()
        own = varying("item")
        moving = [name for name in own if spread[name] > 1e-9]
        still = list(dict.fromkeys(owners[name].name for name in own if name not in moving))
        random.append(f"(1 + {' + '.join(moving)} || i)" if moving else "(1 | i)")
    formula = formulas.parse(f"y ~ {' + '.join(names)} + {' + '.join(random)}", list(frame.columns))
    found = _found(formula, frame, rows.outcome)
    effects, sds = _in_terms(found, rows, design, slopes)
    return Estimates(effects, sds, found.thresholds, tuple(term.name for term in slopes), tuple(still))


def _found(formula: Formula, frame: pd.DataFrame, outcome: Outcome) -> _Found:
    made = matrices.build(formula, variables.read(frame, formula), contrasts="sum", residual=outcome == "measure")
    model: Fitted | generalised.Fitted
    thresholds = None
    if outcome == "measure":
        prepared = prepare(made)
        model = fitted(made, prepared, fit(prepared, reml=True), reml=True)
    else:
        model = _of_answers(made, outcome)
        # The thresholds of a cumulative model; the intercept of a logistic one with its sign turned.
        extra = model.extra if outcome == "ordered" else -model.beta[:1]
        thresholds = tuple(float(value) for value in extra)
    sigma = model.sigma if outcome == "measure" else None
    variances = {
        group.name: dict(zip(group.names, np.diag(covariance), strict=True))
        for group, covariance in zip(model.prepared.groups, model.random_covariances(), strict=True)
    }
    return _Found(dict(zip(model.names, model.beta, strict=True)), variances, sigma, thresholds)


def _of_answers(design: matrices.Design, outcome: Outcome) -> generalised.Fitted:
    """Fit answers. Raises BadInput where effects have no finite estimate or the search ends at no optimum."""
    try:
        if outcome == "ordered":
            levels = [str(number) for number in range(int(design.y.max()) + 1)]
            model = answers.fit_ordered(design, levels=levels, watch=lambda count: None)[0]
        else:
            trials = np.ones(len(design.y))
            answers.check(design, trials, counts=False)
            model = answers.fit_binary(design, trials, watch=lambda count: None)
    except (ArithmeticError, np.linalg.LinAlgError):
        raise BadInput("The model of the answers has no optimum that could be found.") from None
    if model.is_limit:
        raise BadInput("In some condition everybody gave the same answer, so effects have no finite estimate.")
    return model


def _in_terms(
    fit: _Found, rows: Rows, design: Design, slopes: list[Term]
) -> tuple[dict[str, Floats], dict[str, float]]:
    owners = _owners(design)
    effects: dict[str, Floats] = {}
    sds: dict[str, float] = {"participant": 0.0, "item": 0.0}
    for group, role in zip(("p", "i"), ROLES, strict=True):
        known = fit.variances.get(group, {})
        sds[role] = _sd(known.get("(Intercept)", 0.0)) * rows.unit
        for term in slopes:
            if term not in design.slopes(role):
                continue
            found = [known.get(f"c{number}", 0.0) for number, owner in enumerate(owners) if owner is term]
            sds[f"{role}:{term.name}"] = _sd(float(np.mean(found))) / term.loading(len(design.cells)) * rows.unit
    if fit.sigma is not None:
        sds["residual"] = fit.sigma * rows.unit
    for term in design.terms:
        weights = np.array([fit.beta.get(f"c{number}", 0.0) for number, owner in enumerate(owners) if owner is term])
        effects[term.name] = term.contrasts @ weights * rows.unit
    return effects, sds


def _sd(variance: float) -> float:
    return 0.0 if variance < 1e-12 else float(np.sqrt(variance))


def _owners(design: Design) -> list[Term]:
    return [term for term in design.terms for _ in range(term.contrasts.shape[1])]


def _df(terms: Sequence[Term]) -> int:
    return sum(term.contrasts.shape[1] for term in terms)
