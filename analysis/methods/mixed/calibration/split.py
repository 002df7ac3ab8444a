"""Divide the simulations that calibrate a linear mixed model into parts that any worker can compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.methods.declarations import Progress, Split, no_progress
from analysis.methods.mixed.asked import Asked, asked
from analysis.methods.mixed.calibration.replicates import Replicates
from analysis.methods.mixed.calibration.reported import calibrated
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.fitting.crossproducts import prepare as crossproducts
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.report import BadInput, Report, plain

MOST = 20_000
LEAST = 100
IN_A_PART = 50
# Of the parameters of `lmm`, those by which a model is built from its rows.
OF_THE_DESIGN = ("contrasts", "categorical", "levels", "uncorrelated", "confidence")

Made = Callable[[pd.DataFrame, Mapping[str, Any], Progress], tuple[Report, Fitted, Asked]]


def check_number(number: int) -> None:
    """Raise BadInput for a number of simulated data sets that tells too little or takes too long.

    >>> check_number(0), check_number(2000)
    (None, None)
    """
    if number and not LEAST <= number <= MOST:
        raise BadInput(f"calibrate: give 0 for none, or {LEAST} to {MOST:,} simulated data sets, not {number:,}.")


def split_by(made: Made) -> Split:
    """Return how `lmm` is computed in parts; `made` computes its report with the model and what was asked."""

    def prepare(frame: pd.DataFrame, params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
        check_number(params["calibrate"])
        report, model, question = made(frame, {**params, "calibrate": 0}, progress)
        if not type_three(model):
            raise BadInput("calibrate: the formula has no effect whose test could be calibrated; leave calibrate out.")
        if not model.optimum.converged:
            raise BadInput("calibrate: the model did not converge, so nothing can be simulated from it.")
        used = [name for name in dict.fromkeys(model.design.formula.columns) if name in question.frame]
        rows = {name: [plain(value) for value in question.frame[name].tolist()] for name in used}
        return {
            "report": report.as_dict(),
            "rows": rows,
            "formula": model.design.formula.text,
            "theta": model.optimum.theta.tolist(),
        }

    def parts(prepared: Mapping[str, Any], params: Mapping[str, Any]) -> list[list[int]]:
        number = int(params["calibrate"])
        return [[first, min(first + IN_A_PART, number)] for first in range(0, number, IN_A_PART)]

    def compute_part(
        prepared: Mapping[str, Any], params: Mapping[str, Any], part: Sequence[int], progress: Progress
    ) -> list[list[list[float | None]] | None]:
        replicates = _replicates(prepared, params)
        found: list[list[list[float | None]] | None] = []
        for number in range(*part):
            progress((number - part[0]) / (part[1] - part[0]), f"simulated data set {number + 1:,}")
            tested = replicates.tested(number)
            found.append(None if tested is None else [[plain(value) for value in pair] for pair in tested])
        return found

    def combine(prepared: Mapping[str, Any], params: Mapping[str, Any], results: Sequence[Any]) -> Report:
        report = Report.from_dict(prepared["report"])
        effects = [line["effect"] for line in report.table("anova").lines() if line["p"] is not None]
        return calibrated(report, [one for part in results for one in part], effects=effects)

    return Split(prepare, parts, compute_part, combine, asked=lambda params: bool(params["calibrate"]))


def _replicates(prepared: Mapping[str, Any], params: Mapping[str, Any]) -> Replicates:
    """Return the simulations of the model that was fitted when the work was divided."""
    given = {name: params[name] for name in OF_THE_DESIGN}
    question = asked(
        pd.DataFrame(prepared["rows"]), formula=prepared["formula"], keep="all", progress=no_progress, **given
    )
    design = question.design(question.formula, question.read(question.formula))
    cross = crossproducts(design)
    found = fit(cross, reml=params["reml"], near=prepared["theta"], theta=prepared["theta"])
    model = fitted(design, cross, found, reml=params["reml"])
    return Replicates(model, type_three(model))
