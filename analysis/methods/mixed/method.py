"""Declare the method `lmm`: a linear mixed model with crossed random effects, as lme4 and lmerTest report it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.declarations import Progress, no_progress
from analysis.methods.mixed.asked import Asked, asked
from analysis.methods.mixed.calibration.reported import ERROR_RATES
from analysis.methods.mixed.calibration.split import split_by
from analysis.methods.mixed.checks.diagnostics import QUANTILE, RESIDUALS, UNITS, shown
from analysis.methods.mixed.checks.influence import INFLUENCE
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.example import example
from analysis.methods.mixed.modelled import modelled
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.declared import ANOVA, LINEAR, OBSERVED, STEPS
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.settings import CALIBRATE, CODING, COMPARE, REDUCE, REML, formula_parameter
from analysis.methods.report import Report
from analysis.methods.roles import declared
from analysis.methods.splitting import whole


def lmm(
    frame: pd.DataFrame,
    *,
    formula: str,
    reml: bool = True,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = matrices.BY_TERM,
    compare: str | None = None,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    reduce: str = reduction.NONE,
    calibrate: int = 0,
    progress: Progress = no_progress,
) -> Report:
    """Fit a linear mixed model given in lme4's syntax (see `formula`).

    Tables: `METHOD`; coefficients are in the units of the measure and named as R names them.

    `reduce` chooses random effects, beginning with those of the formula: `keep-maximal` or `parsimonious` (see
    `reduction`). Everything else in the report is about the model that was chosen; the formula in `compare` needs the
    random effects of `formula`, and gets those that were chosen.

    `categorical` names columns of numbers that are names of conditions; `levels` gives levels in an order of one's own,
    such as `marker=because,because-of; order=ab,ba` (the first is the reference of treatment contrasts, the last has
    no coefficient with sum contrasts; repeated and polynomial contrasts follow it). `contrasts` is a set for all
    factors, or has other ones for single factors: `order=repeated; own: marker = because-cause` (see
    `contrast_choice.read_contrasts`); automatic is treatment, or sum as soon as a factor is part of an interaction.
    The script `brms.R` fits the same model with priors (see `brms_script`).

    With `||` no coding and no order of levels has a part in the random effects, unless `uncorrelated` is `by-column`.

    `calibrate` is how many data sets are simulated from the fitted model to say how often its tests reject on this
    design (see `calibration`): 2,000 tell a rate of .05 to a percent.

    Raises BadInput where the formula cannot be read, names columns that do not exist, or cannot be fitted to the data,
    and where with `reduce` the formula in `compare` has other random effects.

    >>> frame, parameters = example()
    >>> report = lmm(frame, **parameters)
    >>> report.table("fixed").frame()["term"].tolist()
    ['(Intercept)', 'orderba']
    """
    given = {
        "formula": formula, "reml": reml, "contrasts": contrasts, "categorical": categorical, "levels": levels,
        "means": means, "by": by, "uncorrelated": uncorrelated, "compare": compare, "confidence": confidence,
        "where": where, "keep": keep, "reduce": reduce, "calibrate": calibrate,
    }  # fmt: skip
    if calibrate:
        return whole(SPLIT, frame, given, progress=progress)
    return _made(frame, given, progress)[0]


def _made(frame: pd.DataFrame, params: Mapping[str, Any], progress: Progress) -> tuple[Report, Fitted, Asked]:
    """Return the report without simulations, the model, and what was asked."""
    given = {name: value for name, value in params.items() if name not in ("reml", "calibrate")}
    question = asked(frame, progress=progress, **given)
    made = modelled(question, reml=params["reml"], progress=progress)
    confidence = question.confidence
    progress(0.97, "describing single rows, people and items")
    model, report = made.model, made.report
    checks = shown(model, confidence=confidence)
    observed = observed_means(report.tables, model.design, made.over, trials=np.ones(model.prepared.n))
    tables = [*report.tables, *observed]
    whole_report = replace(
        report,
        tables=(*tables, *checks.tables),
        figures=(
            *figures(
                tables,
                response=model.design.formula.response.text,
                scale=model.scale,
                confidence=confidence,
                ordered=made.ordered,
            ),
            *checks.figures,
        ),
        notes=(*report.notes, *checks.notes),
        scripts={"brms.R": brms_script(model.design, family="gaussian")},
    )
    return whole_report, model, question


SPLIT = split_by(_made)

METHOD = declared(
    "lmm",
    "Linear mixed model",
    "Crossed random effects of participants and items with slopes, equal to lme4 and lmerTest.",
    lmm,
    formula_parameter(
        "As in lme4, with the slopes that the design allows: "
        "z ~ marker*order + (1+order|participant) + (1+order|item).",
    ),
    REML,
    *CODING,
    COMPARE,
    REDUCE,
    CALIBRATE,
    group="compare",
    question=(
        "Does {measure} depend on {factors}? Linear mixed model",
        "How much does {measure} vary between participants and items? Linear mixed model",
        "Does a measure depend on the condition? Linear mixed model",
    ),
    needs=("numbers",),
    example=example,
    split=SPLIT,
    tables=(*LINEAR.tables(ANOVA), ERROR_RATES, STEPS, OBSERVED, RESIDUALS, QUANTILE, UNITS, INFLUENCE),
)
