"""The report on one outcome of `glmm`: reading it, fitting its model, tests, means, and what checks the model."""

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
from analysis.methods.mixed.checks.diagnostics import Shown
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import Chosen
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
from analysis.methods.mixed.reported.tables import comparison_table, estimate_tables, means_tables
from analysis.methods.mixed.wording.selection import selection_notes, selection_sentence, steps_table
from analysis.methods.report import BadInput, Report, Table


@dataclass(frozen=True)
class Options:
    """What holds for every outcome of one call."""

    frame: pd.DataFrame
    formula: str
    compare: str | None
    family: str
    link: str
    positive: str | None
    trials: str | None
    exposure: str | None
    contrasts: Chosen
    uncorrelated: str
    categorical: tuple[str, ...]
    order: dict[str, list[str]]
    means: tuple[str, ...]
    by: tuple[str, ...]
    tests: str
    reduce: str
    confidence: float
    is_single: bool

    def read(self, column: str) -> outcomes.Outcome:
        """Read the outcome as the family has it."""
        if self.family == BINOMIAL:
            return outcomes.binary(self.frame, column, positive=self.positive, trials=self.trials)
        if self.family in COUNTS:
            return numbers.counts(self.frame, column, exposure=self.exposure)
        return numbers.times(self.frame, column)


class Fits:
    """The models of one outcome."""

    def __init__(self, options: Options, read: outcomes.Outcome, column: str, watch: Watch) -> None:
        self.options, self.read, self.column, self.watch = options, read, column, watch

    def variables_of(self, parsed: Formula) -> variables.Variables:
        """Return what a formula takes from the data."""
        data = self.options.frame.assign(**{self.column: self.read.values})
        return variables.read(data, parsed, categorical=self.options.categorical, order_of_levels=self.options.order)

    def of(self, parsed: Formula, found: variables.Variables | None = None, theta: Theta | None = None) -> Fitted:
        """Fit a formula, to the rows of another one where what was `found` there is given."""
        options = self.options
        design = matrices.build(
            parsed,
            found or self.variables_of(parsed),
            contrasts=options.contrasts,
            uncorrelated=options.uncorrelated,
            residual=False,
        )
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

    def chosen(self, parsed: Formula) -> reduction.Reduced[Fitted]:
        """Choose random effects, beginning with those of a formula."""
        found = self.variables_of(parsed)

        def fit(text: Formula, near: Fitted | None, done: int) -> Fitted:
            return self.of(text, found.of(text), lambda groups: warm_start(groups, near))

        return reduction.reduced(parsed, self.options.reduce, fit)


def report_on(options: Options, name: str, *, watch: Watch) -> Report:
    """Return the report on one outcome: the column `name`, or that left of the formula where it is empty."""
    columns = [str(column) for column in options.frame.columns]
    parsed = formulas.parse(with_left(options.formula, [name] if name else []), columns)
    other = formulas.parse(with_left(options.compare, [name] if name else []), columns) if options.compare else None
    if parsed.response.function:
        raise BadInput(
            f"formula: the outcome stands alone left of ~; {parsed.response.text} is a function of it. Write "
            f"{parsed.response.column} ~ …"
        )
    read = options.read(parsed.response.column)
    fits = Fits(options, read, parsed.response.column, watch)
    selected = None
    if options.reduce == reduction.NONE:
        model = fits.of(parsed)
    else:
        selected = fits.chosen(parsed)
        model = selected.model
    hypotheses = type_three(model)
    tests, otherwise = chosen_tests(model, tests=options.tests)
    tables = estimate_tables(model, confidence=options.confidence)
    if hypotheses:
        tables.append(type_three_table(model, hypotheses, tests=tests, refitted=fits.of_design, watch=watch))
    made, over = means_tables(model, means=options.means, by=options.by, confidence=options.confidence)
    tables += made
    by_f = tests == "f" and bool(hypotheses)
    beside, said = _about(options, fits, model, hypotheses, by_f=by_f, tried=slopes_of(parsed) if selected else ())
    tables += beside
    said = [*otherwise, *said]
    unit = f" ({model.scale.unit})" if model.scale.unit else ""
    tables += hypotheses_tables(model, shown=[str(line["term"]) for line in tables[0].lines()], scale=unit)
    if other is not None:
        other = with_random(other, model.design.formula.random) if selected else other
        lines, more = compared(model, fits.of(other))
        said += more
        tables.append(comparison_table(lines))
    tables += [steps_table(selected)] if selected else []
    tables += observed_means(tables, model.design, over, trials=_of_rows(fits, model))
    checks = _checks(options, fits, model)
    return Report(
        tables=(*tables, *checks.tables),
        figures=checks.figures,
        notes=(
            *read.notes,
            *model.whole.variables.notes,
            *notes(model, confidence=options.confidence, by_f=by_f),
            *(notes_of_numbers(model, read, exposure=options.exposure) if options.family != BINOMIAL else ()),
            *(selection_notes(selected, parsed, options.reduce) if selected else ()),
            *checks.notes,
        ),
        warnings=(*read.warnings, *said),
        sentences=(selection_sentence(selected, options.reduce),) if selected else (),
        scripts={"brms.R": _script(fits, model)},
    )


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
    options: Options,
    fits: Fits,
    model: Fitted,
    hypotheses: list[Hypothesis],
    *,
    by_f: bool,
    tried: Tried,
) -> tuple[list[Table], list[str]]:
    """Return the table of the scatter of counts and times, and the warnings."""
    if options.family == BINOMIAL:
        return [], warnings(model, hypotheses, outcome=fits.read, by_f=by_f, tried=tried)
    other = fits.beside(model) if options.family in COUNTS else None
    scatter = dispersion_of(model, other, confidence=options.confidence)
    return [scatter.table], [*scatter.warnings, *warnings_of_numbers(model, hypotheses, by_f=by_f, tried=tried)]


def _of_rows(fits: Fits, model: Fitted) -> Floats:
    """Return what the values of the rows that were fitted are divided by where their means are shown."""
    if isinstance(model.problem.likelihood, Binomial):
        return model.problem.likelihood.trials
    return fits.trials(model.design)


def _checks(options: Options, fits: Fits, model: Fitted) -> Shown:
    if not options.is_single:
        return Shown((), (), ())
    if options.family != BINOMIAL:
        return shown_numbers(model, confidence=options.confidence)
    likelihood = Binomial(model.design.y, fits.trials(model.design))
    return shown_binary(model, likelihood, confidence=options.confidence)


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
