"""Fit a linear mixed model and report its tests and means, for the methods `lmm` and `regions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.methods.declarations import Progress, no_progress
from analysis.methods.mixed.asked import Asked
from analysis.methods.mixed.design.terms import Formula, Variable, slopes_of, with_random
from analysis.methods.mixed.design.variables import Variables
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.likelihood_ratio import compared
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.fitting.crossproducts import prepare
from analysis.methods.mixed.fitting.optimise import fit as optimum_of
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.random_effects.candidates import warm_start
from analysis.methods.mixed.reported.compared_words import unit_of
from analysis.methods.mixed.reported.meanings import hypotheses_tables
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.reported.tables import (
    anova_table,
    comparison_table,
    estimate_tables,
    means_tables,
    selection,
)
from analysis.methods.mixed.wording.means import about_means, against_zero
from analysis.methods.mixed.wording.model import notes, warnings
from analysis.methods.report import Report
from analysis.methods.rows.measure import other_model


@dataclass(frozen=True)
class Modelled:
    """A fitted model with its report; `over` are the factors of its means, `ordered` those with levels in an order."""

    model: Fitted
    report: Report
    over: Sequence[Variable]
    ordered: tuple[str, ...]


def modelled(question: Asked, *, reml: bool, progress: Progress = no_progress) -> Modelled:
    """Fit the model of `lmm` and report its tests and means, without figures and without what checks the model."""
    parsed, other, confidence = question.formula, question.compare, question.confidence

    def fit_of(
        text: Formula, read: Variables, steps: tuple[float, float], by_reml: bool, near: Fitted | None
    ) -> Fitted:
        design = question.design(text, read.of(text))
        prepared, (start, end) = prepare(design), steps

        def watch(count: int) -> None:
            progress(start + (end - start) * (1 - 0.97**count), f"fitting the model ({count} evaluations)")

        found = optimum_of(prepared, reml=by_reml, theta=warm_start(prepared.groups, near), watch=watch)
        return fitted(design, prepared, found, reml=by_reml)

    def fit_near(text: Formula, near: Fitted | None, done: int) -> Fitted:
        steps = (0.1 + 0.5 * (1 - 0.9**done), 0.1 + 0.5 * (1 - 0.9 ** (done + 1)))
        if question.reduce == reduction.NONE:
            steps = (0.1, 0.6 if other else 0.9)
        return fit_of(text, whole, steps, reml, near)

    whole = question.read(parsed)
    chosen = reduction.reduced(parsed, question.reduce, fit_near)
    model, choice = chosen.model, selection(chosen, parsed, question.reduce)
    hypotheses = type_three(model)
    said = warnings(model, hypotheses, tried=slopes_of(parsed) if choice.tables else ())
    tables = [anova_table(model, hypotheses)] if hypotheses else []
    beside, over = means_tables(model, means=question.means, by=question.by, confidence=confidence)
    tables += [*beside, *estimate_tables(model, confidence=confidence)]
    said += [*against_zero(model.design), *about_means(model, tables, means=question.means, by=question.by)]
    if other is not None:
        progress(0.6, "fitting the model to compare with")
        read, text = question.read(other), model.design.formula
        other = with_random(other, text.random) if choice.tables else other
        against = fit_of(other, read, (0.6, 0.95), False, None)
        this = fit_of(text, whole, (0.6, 0.95), False, None) if reml else model
        lines, more = compared(this, against)
        said += more
        tables.append(comparison_table(lines, how="likelihood ratio, ML"))
    tables += [*hypotheses_tables(model, shown=model.names), *choice.tables]
    report = Report(
        tables=tuple(tables),
        notes=(*question.notes, *model.design.variables.notes, *notes(model, confidence=confidence), *choice.notes),
        warnings=(*question.warnings, *_of_measure(question), *said),
        sentences=sentences(
            tables, confidence=confidence, unit=unit_of(model.design.formula.response), chosen=choice.sentences
        ),
        design=question.layout,
    )
    return Modelled(model, report, over, tuple(question.levels))


def _of_measure(question: Asked) -> list[str]:
    """Return what is to be said of a measure that asks for another model; of a part of the rows, nothing."""
    response = question.formula.response
    if not question.layout:
        return []
    return other_model(question.frame, response.column, question.formula.text, is_transformed=bool(response.function))
