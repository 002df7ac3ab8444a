"""Report on one outcome of `glmm`: read it, fit its model, test effects, compute means, check the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.generalised.checks.diagnostics import shown_binary, shown_numbers
from analysis.methods.generalised.checks.dispersion import dispersion_of
from analysis.methods.generalised.estimates.type_three import chosen_tests, type_three_table
from analysis.methods.generalised.likelihoods.answers import Binomial
from analysis.methods.generalised.models import numbers as models
from analysis.methods.generalised.models.answers import check, fit_binary
from analysis.methods.generalised.models.fitted import Fitted, Theta
from analysis.methods.generalised.outcomes import answers as outcomes
from analysis.methods.generalised.outcomes import numbers
from analysis.methods.generalised.wording.answers import Tried, notes, warnings
from analysis.methods.generalised.wording.numbers import notes_of_numbers, warnings_of_numbers
from analysis.methods.mixed.asked import Asked
from analysis.methods.mixed.design import variables
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import Formula, slopes_of, with_random
from analysis.methods.mixed.estimates.hypotheses import Hypothesis, type_three
from analysis.methods.mixed.estimates.likelihood_ratio import compared
from analysis.methods.mixed.estimates.scales import BINOMIAL, COUNTS, NEGATIVE_BINOMIAL, POISSON
from analysis.methods.mixed.fitting.stationary import Watch
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.random_effects.candidates import warm_start
from analysis.methods.mixed.reported.brms_script import brms_script
from analysis.methods.mixed.reported.meanings import hypotheses_tables
from analysis.methods.mixed.reported.observed_means import observed_means
from analysis.methods.mixed.reported.tables import comparison_table, estimate_tables, means_tables, selection
from analysis.methods.mixed.wording.means import about_means, against_zero
from analysis.methods.report import BadInput, Report, Table


@dataclass(frozen=True)
class Options:
    """What holds for every outcome of one call."""

    family: str
    link: str
    positive: str | None
    trials: str | None
    exposure: str | None
    tests: str
    is_single: bool

    def read(self, frame: pd.DataFrame, column: str) -> outcomes.Outcome:
        """Read the outcome as the family has it."""
        if self.family == BINOMIAL:
            return outcomes.binary(frame, column, positive=self.positive, trials=self.trials)
        if self.family in COUNTS:
            return numbers.counts(frame, column, exposure=self.exposure)
        return numbers.times(frame, column)


class Fits:
    """The models of one outcome."""

    def __init__(self, options: Options, question: Asked, watch: Watch) -> None:
        self.options, self.question, self.watch = options, question, watch
        self.read = options.read(question.frame, question.formula.response.column)

    def variables_of(self, parsed: Formula) -> variables.Variables:
        """Return what a formula takes from the data."""
        return self.question.read(parsed, self.read.values)

    def of(self, parsed: Formula, found: variables.Variables | None = None, theta: Theta | None = None) -> Fitted:
        """Fit a formula, to the rows of another one where what was `found` there is given."""
        options, design = self.options, self.question.design(parsed, found or self.variables_of(parsed), residual=False)
        if options.family == BINOMIAL:
            check(design, self.trials(design), counts=self.read.trials is not None)
        else:
            models.check(design, options.family)
        return self.of_design(design, theta)

    def of_design(self, design: Design, theta: Theta | None = None) -> Fitted:
        """Fit a design over all rows, which may lack a term."""
        options = self.options
        if options.family == BINOMIAL:
            return fit_binary(design, self.trials(design), watch=self.watch, theta=theta)
        return models.fit_numbers(
            design, self.trials(design), family=options.family, link=options.link, watch=self.watch, theta=theta
        )

    def trials(self, design: Design) -> Floats:
        """Return how many answers each row holds, or how long or how much was counted."""
        of = self.read.trials
        return np.ones(len(design.y)) if of is None else of[design.variables.rows]

    def beside(self, model: Fitted) -> Fitted | None:
        """Return the Poisson model beside a negative binomial one, or the other way round; None without a fit."""
        family = NEGATIVE_BINOMIAL if self.options.family == POISSON else POISSON
        try:
            return models.fit_numbers(
                model.whole, self.trials(model.whole), family=family, link=self.options.link, watch=self.watch
            )
        except (ArithmeticError, BadInput):
            return None

    def chosen(self) -> reduction.Reduced[Fitted]:
        """Fit the formula, with the random effects that are chosen where that is asked for."""
        found = self.variables_of(self.question.formula)

        def fit(text: Formula, near: Fitted | None, done: int) -> Fitted:
            return self.of(text, found.of(text), lambda groups: warm_start(groups, near))

        return reduction.reduced(self.question.formula, self.question.reduce, fit)


def report_on(options: Options, question: Asked, *, watch: Watch) -> Report:
    """Return the report on the outcome that is left of the formula, without what is said of its rows."""
    return reported_model(options, question, watch=watch)[0]


def reported_model(options: Options, question: Asked, *, watch: Watch) -> tuple[Report, Fitted]:
    """Return the report on an outcome, and the model behind it."""
    parsed, other = question.formula, question.compare
    if parsed.response.function:
        raise BadInput(
            f"formula: the outcome stands alone left of ~; {parsed.response.text} is a function of it. Write "
            f"{parsed.response.column} ~ …"
        )
    fits = Fits(options, question, watch)
    read = fits.read
    chosen = fits.chosen()
    model, choice = chosen.model, selection(chosen, parsed, question.reduce)
    hypotheses = type_three(model)
    tests, otherwise = chosen_tests(model, tests=options.tests)
    tables = []
    if hypotheses:
        tables.append(type_three_table(model, hypotheses, tests=tests, refitted=fits.of_design, watch=watch))
    made, over = means_tables(model, means=question.means, by=question.by, confidence=question.confidence)
    estimates = estimate_tables(model, confidence=question.confidence)
    tables += [*made, *estimates]
    by_f = tests == "f" and bool(hypotheses)
    beside, said = _about(fits, model, hypotheses, by_f=by_f, tried=slopes_of(parsed) if choice.tables else ())
    tables += beside
    said = [*otherwise, *said, *against_zero(model.whole)]
    said += about_means(model, tables, means=question.means, by=question.by)
    unit = f" ({model.scale.unit})" if model.scale.unit else ""
    tables += hypotheses_tables(model, shown=[str(line["term"]) for line in estimates[0].lines()], scale=unit)
    if other is not None:
        other = with_random(other, model.design.formula.random) if choice.tables else other
        lines, more = compared(model, fits.of(other))
        said += more
        tables.append(comparison_table(lines))
    tables += choice.tables
    tables += observed_means(tables, model.design, over, trials=_of_rows(fits, model))
    checks = _checks(fits, model)
    report = Report(
        tables=(*tables, *checks.tables),
        figures=checks.figures,
        notes=(
            *read.notes,
            *model.whole.variables.notes,
            *notes(model, confidence=question.confidence, by_f=by_f),
            *(notes_of_numbers(model, read, exposure=options.exposure) if options.family != BINOMIAL else ()),
            *choice.notes,
            *checks.notes,
        ),
        warnings=(*read.warnings, *said),
        sentences=choice.sentences,
        scripts={"brms.R": _script(fits, model)},
    )
    return report, model


def with_left(text: str, outcome: Sequence[str]) -> str:
    """Put an outcome in the place of the left side of a formula, where one is named.

    >>> with_left("~ order + (1 | item)", ["code_0"])
    'code_0 ~ order + (1 | item)'
    """
    if not outcome:
        return text
    left, sign, right = text.partition("~")
    name = outcome[0] if re.fullmatch(r"[^\W\d]\w*", outcome[0]) else f"`{outcome[0]}`"
    return f"{name} ~ {(right if sign else left).strip()}"


def _about(
    fits: Fits, model: Fitted, hypotheses: list[Hypothesis], *, by_f: bool, tried: Tried
) -> tuple[list[Table], list[str]]:
    """Return the table of the scatter of counts and times, and the warnings."""
    options = fits.options
    if options.family == BINOMIAL:
        return [], warnings(model, hypotheses, outcome=fits.read, by_f=by_f, tried=tried)
    other = fits.beside(model) if options.family in COUNTS else None
    table, said = dispersion_of(model, other, confidence=fits.question.confidence)
    return [table], [*said, *warnings_of_numbers(model, hypotheses, by_f=by_f, tried=tried)]


def _of_rows(fits: Fits, model: Fitted) -> Floats:
    """Return what the values of the rows that were fitted are divided by where their means are shown."""
    if isinstance(model.problem.likelihood, Binomial):
        return model.problem.likelihood.trials
    return fits.trials(model.design)


def _checks(fits: Fits, model: Fitted) -> Report:
    options, confidence = fits.options, fits.question.confidence
    if not options.is_single:
        return Report()
    if options.family != BINOMIAL:
        return shown_numbers(model, confidence=confidence)
    likelihood = Binomial(model.design.y, fits.trials(model.design))
    return shown_binary(model, likelihood, confidence=confidence)


def _script(fits: Fits, model: Fitted) -> str:
    options, read, family = fits.options, fits.read, fits.options.family
    if family == BINOMIAL:
        family = "bernoulli" if read.trials is None else "binomial"
    return brms_script(
        model.whole,
        family=family,
        link=options.link,
        outcome=read.success,
        trials=(options.trials or options.exposure) if read.trials is not None else None,
        mean=float(model.whole.y.sum() / fits.trials(model.whole).sum()),
    )
