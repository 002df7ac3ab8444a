"""Fit one model to many data sets of a design, preparing the design once.

Data are those of `power`: everything is normal and independent, contrasts of an effect share a variance. With uneven
slopes people and items differ in how they take the last level of the first factor, and in nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import special, stats

from analysis.methods import registry
from analysis.methods.arrays import Floats, Integers
from analysis.methods.conditions.designs import Factor
from analysis.methods.generalised.estimates.restricted import restricted_fit
from analysis.methods.generalised.estimates.type_three import without_each
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.likelihoods.answers import Binomial, Cumulative, Likelihood, start
from analysis.methods.generalised.likelihoods.counts import NegativeBinomial, Poisson
from analysis.methods.generalised.likelihoods.times import Times
from analysis.methods.generalised.models import fitted as generalised
from analysis.methods.generalised.models.answers import fit_binary
from analysis.methods.generalised.models.finite import separated_categories, undecided
from analysis.methods.generalised.models.numbers import fit_numbers, undecided_counts
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.design.terms import Formula
from analysis.methods.mixed.estimates import satterthwaite
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.fitting.crossproducts import Frame, framed, measured
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.random_effects.candidates import warm_start
from analysis.methods.power.design import Design, Truth, design_of
from analysis.methods.power.layout import Layout
from analysis.methods.power.simulation import measures, normals
from analysis.methods.report import BadInput
from benchmarks.error_rate_answers import DRAWN, p_values_of_reports
from benchmarks.error_rate_averages import AVERAGED, p_values_of_averages
from benchmarks.error_rate_cases import Case

# In units of the standard deviation of single answers; slopes are differences between two levels, for an interaction
# differences of differences.
SDS = {"participant": 0.7, "item": 0.5}
SLOPE, INTERACTION, UNEVEN = 0.5, 0.7, 0.6
# On the logit scale single answers have a standard deviation of π / √3.
LOGIT = float(np.pi / np.sqrt(3))
THRESHOLDS = (-2.5, -0.8, 0.8, 2.5)
# Measures that are analysed in milliseconds as they are; the model is that of their logarithms.
TIMES_IN_MS = ("rt_ms",)
# Counts of the middle person and item, θ of those that vary more than a Poisson count, and the shape of times. On the
# log scale a single Poisson count of that size has a standard deviation of about 1 / √4.
COUNT, THETA, SHAPE = 4.0, 2.0, 8.0
SINGLE = {"poisson": 0.5, "negative-binomial": (1 / COUNT + 1 / THETA) ** 0.5, "gamma": SHAPE**-0.5}


class DataSets(Protocol):
    """What tests need of a case: how it is analysed, and its data sets of so many trials by their number."""

    case: Case
    family: str
    trials: int

    def outcome(self, number: int) -> Floats:
        """Return the outcome of one data set."""

    def data(self, number: int) -> pd.DataFrame:
        """Return one data set as a study would give it."""


class Simulated:
    """A case with its data sets; `effect` adds a difference between the last and the first level of every factor."""

    def __init__(self, case: Case, *, seed: int, effect: float = 0.0) -> None:
        self.case, self.seed = case, seed
        self.design: Design = design_of([Factor(name, levels) for name, levels in case.factors.items()])
        cells = len(self.design.cells)
        self.layout = Layout.of(case.assignment, participants=case.participants, items=case.items, cells=cells)
        self.trials = self.layout.trials
        slopes = {term.name: INTERACTION if ":" in term.name else SLOPE for term in self.design.terms}
        self.family = str(case.params.get("family", "binomial"))
        size = 1.0 if case.kind == "lmm" else SINGLE.get(self.family, LOGIT)
        slopes = {name: value * size * case.spherical for name, value in slopes.items()}
        self.truth = Truth(
            effects={term.name: self._effect(term.name, effect * size) for term in self.design.terms},
            residual=1.0 if case.kind == "lmm" else 0.0,
            participant=SDS["participant"] * size,
            item=SDS["item"] * size,
            participant_slopes=slopes,
            item_slopes=slopes,
        )
        random = np.random.default_rng(seed)
        texts = random.integers(8, 17, size=(case.items, cells))[self.layout.item, self.layout.cell]
        self.covariates = {"characters": texts * 5 - random.integers(0, 5, len(texts)), "words": texts}

    def _effect(self, name: str, size: float) -> Floats:
        names = [factor.name for factor in self.design.factors]
        own = [names.index(part) for part in name.split(":")]
        place = [[self.design.factors[i].levels.index(cell[i]) for i in own] for cell in self.design.cells]
        last = np.array([[len(self.design.factors[i].levels) - 1 for i in own]])
        return np.asarray(size * np.prod(np.array(place) / last - 0.5, axis=1))

    def latent(self, number: int) -> Floats:
        """Return the measure of one data set: what is analysed by `lmm`, log odds for the others."""
        draws = normals(self.layout, seed=self.seed, key=(1,), first=number, last=number + 1)
        y: Floats = measures(self.layout, self.design, self.truth, draws)[0]
        if not self.case.spherical:
            random = np.random.default_rng([self.seed, 2, number])
            odd = (self.layout.cell == len(self.design.cells) - 1) * UNEVEN
            y += odd * random.standard_normal(self.layout.participants)[self.layout.participant]
            y += odd * random.standard_normal(self.layout.items)[self.layout.item]
        return y

    def outcome(self, number: int) -> Floats:
        """Return the values of the outcome of one data set on the scale of the model."""
        y, random = self.latent(number), np.random.default_rng([self.seed, 3, number])
        if self.family in SINGLE:
            mean = COUNT * np.exp(y)
            if self.family == "poisson":
                return random.poisson(mean).astype(np.float64)
            shape = SHAPE if self.family == "gamma" else THETA
            drawn = random.gamma(shape, mean / shape)
            return drawn if self.family == "gamma" else random.poisson(drawn).astype(np.float64)
        if self.case.kind == "glmm":
            share = special.expit(y + special.logit(self.case.share))
            return np.asarray(random.random(len(y)) < share, dtype=np.float64)
        if self.case.kind == "ordinal":
            return np.digitize(y + random.logistic(size=len(y)), THRESHOLDS).astype(np.float64)
        return 6 + 0.35 * y + 0.02 * (self.covariates["words"] - 12)

    def values(self, number: int) -> Floats:
        """Return the values of the measure as they stand in the data."""
        y, column = self.outcome(number), self.case.response
        is_time = column.startswith("log(") or column in TIMES_IN_MS
        return np.exp(y) if is_time else y + (self.case.kind == "ordinal")

    def data(self, number: int) -> pd.DataFrame:
        """Return one data set as a study would give it."""
        if self.case.kind in DRAWN:
            return DRAWN[self.case.kind](self, number)
        column = self.case.response.removeprefix("log(").removesuffix(")")
        values = self.values(number)
        frame = self.layout.frame(values, self.design, dv=column, participant="participant", item="item")
        # Reaction times are analysed where the answer was right.
        right = {} if column == "correct" else {"correct": True}
        return frame.assign(**self.covariates, **right, role="final", from_critical=0)


def p_values_of(data: DataSets) -> Callable[[int], dict[str, float] | None]:
    """Return what gives p of type III per effect of one data set, None where the fit did not converge."""
    case = data.case
    if case.method in AVERAGED:
        return p_values_of_averages(data)
    if case.kind in DRAWN or "formula" not in case.params:
        return p_values_of_reports(data)
    parsed = formulas.parse(str(case.params["formula"]))
    read = variables.read(data.data(0).assign(**{parsed.response.column: 1.0 + np.arange(data.trials)}), parsed)
    design = matrices.build(
        parsed,
        read,
        contrasts=str(case.params.get("contrasts", AUTOMATIC)),
        uncorrelated=str(case.params.get("uncorrelated", matrices.BY_TERM)),
        residual=case.method == "lmm",
    )
    if case.method == "glmm" and case.params.get("reduce", reduction.NONE) != reduction.NONE:
        return _chosen(data, design)
    if data.family in SINGLE:
        return _numbers(data, design)
    return {"lmm": _linear, "glmm": _binary, "ordinal": _ordered}[case.method](data, design)


def _linear(data: DataSets, design: matrices.Design) -> Callable[[int], dict[str, float] | None]:
    how = str(data.case.params.get("reduce", reduction.NONE))
    if how != reduction.NONE:
        return _reduced(data, design, how)
    frame = framed(design)
    near = fit(measured(frame, data.outcome(0)), reml=True).theta
    hypotheses: list[Any] = []

    def p(number: int) -> dict[str, float] | None:
        y = data.outcome(number)
        prepared = measured(frame, y)
        optimum = fit(prepared, reml=True, theta=np.where(near == 0, 0.1, near))
        if not optimum.converged:
            return None
        model = satterthwaite.fitted(replace(design, y=y), prepared, optimum, reml=True)
        hypotheses[:] = hypotheses or type_three(model)
        return {one.effect: model.f_test(one.contrasts)[3] for one in hypotheses}

    return p


def _reduced(data: DataSets, design: matrices.Design, how: str) -> Callable[[int], dict[str, float] | None]:
    """Return what chooses the random effects of every data set anew; each model on the way is prepared once."""
    known: dict[Formula, tuple[matrices.Design, Frame]] = {}
    hypotheses: list[Any] = []

    def prepared_for(text: Formula) -> tuple[matrices.Design, Frame]:
        if text not in known:
            made = matrices.build(
                text,
                design.variables.of(text),
                contrasts=str(data.case.params.get("contrasts", AUTOMATIC)),
                uncorrelated=design.uncorrelated,
            )
            known[text] = made, framed(made)
        return known[text]

    def p(number: int) -> dict[str, float] | None:
        y = data.outcome(number)

        def fit_of(text: Formula, near: satterthwaite.Fitted | None, done: int) -> satterthwaite.Fitted:
            made, frame = prepared_for(text)
            prepared = measured(frame, y)
            optimum = fit(prepared, reml=True, theta=warm_start(prepared.groups, near))
            return satterthwaite.fitted(replace(made, y=y), prepared, optimum, reml=True)

        model = reduction.reduced(design.formula, how, fit_of).model
        if not model.optimum.converged:
            return None
        hypotheses[:] = hypotheses or type_three(model)
        return {one.effect: model.f_test(one.contrasts)[3] for one in hypotheses}

    return p


def _binary(data: DataSets, design: matrices.Design) -> Callable[[int], dict[str, float] | None]:
    trials = np.ones(data.trials)

    def model_of(number: int, near: Optimum | None = None) -> generalised.Fitted:
        made = replace(design, y=data.outcome(number))
        return fit_binary(made, trials, watch=lambda count: None, near=near)

    first = model_of(0)
    if data.case.params.get("tests") != "f":
        return _wald(lambda number: model_of(number, first.optimum))

    def likelihood_of(number: int) -> Binomial | None:
        y = data.outcome(number)
        return Binomial(y, trials) if undecided(design.fixed.values, y, trials).all() else None

    return _by_f(first, likelihood_of)


def _numbers(data: DataSets, design: matrices.Design) -> Callable[[int], dict[str, float] | None]:
    ones, tests = np.ones(data.trials), data.case.params.get("tests", "wald")

    def model_of(made: matrices.Design, near: Optimum | None = None) -> generalised.Fitted:
        return fit_numbers(made, ones, family=data.family, link="log", watch=lambda count: None, near=near)

    first = model_of(replace(design, y=data.outcome(0)))
    if tests == "likelihood-ratio":
        return _by_ratio(data, first, model_of)
    if tests != "f":
        return _wald(lambda number: model_of(replace(design, y=data.outcome(number)), first.optimum))
    offset = np.zeros(data.trials)

    def likelihood_of(number: int) -> Likelihood | None:
        y = data.outcome(number)
        if data.family == "gamma":
            return Times(y, data.family, "log")
        kind = Poisson if data.family == "poisson" else NegativeBinomial
        return kind(y, offset) if undecided_counts(replace(design, y=y)).all() else None

    return _by_f(first, likelihood_of)


def _chosen(data: DataSets, design: matrices.Design) -> Callable[[int], dict[str, float] | None]:
    """Random effects of a generalised model are chosen for every data set anew, and the chosen model tested by F."""
    ones = np.ones(data.trials)
    known: dict[Formula, matrices.Design] = {design.formula: design}

    def p(number: int) -> dict[str, float] | None:
        y = data.outcome(number)

        def fit_one(text: Formula, near: generalised.Fitted | None, done: int) -> generalised.Fitted:
            known.setdefault(text, matrices.build(text, design.variables.of(text), contrasts=AUTOMATIC, residual=False))
            theta = None if near is None else lambda groups: warm_start(groups, near)
            made, watch = replace(known[text], y=y), lambda count: None
            if data.family in SINGLE:
                return fit_numbers(made, ones, family=data.family, link="log", watch=watch, theta=theta)
            return fit_binary(made, ones, watch=watch, theta=theta)

        try:
            model = reduction.reduced(design.formula, str(data.case.params["reduce"]), fit_one).model
            tests = restricted_fit(model)
        except BadInput:  # which the report says in a sentence
            return None
        return {one.effect: tests.f_test(one.contrasts)[3] for one in type_three(model)}

    return p


def _by_ratio(
    data: DataSets, first: generalised.Fitted, model_of: Callable[..., generalised.Fitted]
) -> Callable[[int], dict[str, float] | None]:
    """Likelihood ratios: each smaller model begins where it ended with the first data."""
    smaller = [(one.effect, made) for one, made in zip(type_three(first), without_each(first.whole), strict=True)]
    begun = [model_of(made).optimum for _, made in smaller]

    def p(number: int) -> dict[str, float] | None:
        y = data.outcome(number)
        model = model_of(replace(first.whole, y=y), first.optimum)
        found = {}
        for (effect, made), near in zip(smaller, begun, strict=True):
            without = model_of(replace(made, y=y), near)
            df = model.parameters - without.parameters
            found[effect] = float(stats.chi2.sf(max(without.criterion - model.criterion, 0.0), df))
        return found if model.optimum.converged else None

    return p


def _ordered(data: DataSets, design: matrices.Design) -> Callable[[int], dict[str, float] | None]:
    def category_of(number: int) -> tuple[Integers, int]:
        present, category = np.unique(data.outcome(number).astype(np.intp), return_inverse=True)
        return np.asarray(category, dtype=np.intp), len(present)

    def fit_from(number: int, near: Optimum | None) -> generalised.Fitted:
        likelihood = Cumulative(*category_of(number))
        made = replace(design, y=likelihood.category.astype(np.float64))
        return generalised.fitted(made, likelihood, extra=start(likelihood), near=near)

    first = fit_from(0, None)
    if data.case.params.get("tests") != "f":
        return _wald(lambda number: fit_from(number, first.optimum))

    def likelihood_of(number: int) -> Cumulative | None:
        category, count = category_of(number)
        apart = count != len(first.extra) + 1 or separated_categories(design.fixed.values[:, 1:], category, count)
        return None if apart else Cumulative(category, count)

    return _by_f(first, likelihood_of)


def _by_f(
    first: generalised.Fitted, likelihood_of: Callable[[int], Likelihood | None]
) -> Callable[[int], dict[str, float] | None]:
    """F tests need of the first fit only what the design is, so long as there is a likelihood with an optimum."""
    begun, hypotheses = restricted_fit(first).optimum, type_three(first)

    def p(number: int) -> dict[str, float] | None:
        likelihood = likelihood_of(number)
        if likelihood is None:
            return None
        problem = replace(first.problem, likelihood=likelihood)
        try:
            tests = restricted_fit(replace(first, problem=problem), near=begun)
        except BadInput:  # which the report says in a sentence
            return None
        return {one.effect: tests.f_test(one.contrasts)[3] for one in hypotheses}

    return p


def _wald(model_of: Callable[[int], generalised.Fitted]) -> Callable[[int], dict[str, float] | None]:
    def p(number: int) -> dict[str, float] | None:
        model = model_of(number)
        if not model.optimum.converged:
            return None
        return {one.effect: model.chi_square_test(one.contrasts)[2] for one in type_three(model)}

    return p


def p_values_of_the_report(data: DataSets, number: int) -> dict[str, float]:
    """Return p per effect as the report of one data set has it, which is what people see."""
    report = registry.run(registry.method_named(data.case.method), data.data(number), data.case.params)
    return {str(line["effect"]): float(line["p"]) for line in report.table("anova").frame().to_dict("records")}
