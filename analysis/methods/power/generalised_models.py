"""Fit logistic and cumulative mixed models to simulated answers, by the engine of `glmm` and `ordinal`.

The design is prepared once. Searches begin near the optimum of one further data set of the same scenario, which is
always the same, so that what is found does not depend on how simulations are divided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.estimates.restricted import Restricted, restricted_fit
from analysis.methods.generalised.estimates.type_three import chosen_tests, type_three_table
from analysis.methods.generalised.likelihoods.answers import Binomial, Likelihood
from analysis.methods.generalised.models import answers
from analysis.methods.generalised.models.finite import undecided
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.terms import term_name
from analysis.methods.mixed.estimates.hypotheses import Hypothesis, type_three
from analysis.methods.power.design import Design
from analysis.methods.power.layout import Layout
from analysis.methods.power.models import Names, check_terms, simulated_response
from analysis.methods.report import BadInput


@dataclass(frozen=True)
class Reference:
    """One fitted data set of a scenario, and what is known from it about all others."""

    model: Fitted
    restricted: Restricted | None
    hypotheses: tuple[Hypothesis, ...]


class GeneralisedModel:
    """A formula of `glmm` or `ordinal` on one layout, with the tests that are asked for.

    Raises BadInput where the formula does not suit the simulated data.
    """

    def __init__(self, text: str, layout: Layout, design: Design, names: Names, *, ordered: bool, tests: str) -> None:
        parsed = simulated_response(formulas.parse(text, names.columns(design)), names)
        if ordered:  # thresholds are the intercepts
            parsed = replace(parsed, fixed=replace(parsed.fixed, intercept=True))
        self.ordered, self.tests = ordered, tests
        generic = np.arange(layout.trials, dtype=np.float64)
        frame = layout.frame(generic, design, dv=names.dv, participant=names.participant, item=names.item)
        read = variables.read(frame, parsed)
        self.design = matrices.build(parsed, read, contrasts="sum", residual=False, random=False)
        for group in self.design.groups:
            if len(group.levels) >= layout.trials:
                raise BadInput(
                    f"formula: '{group.name}' has a level for every answer; its effects cannot be told from the "
                    f"answers themselves. Take its random term out of the formula."
                )
        self.effects = {
            term.name: effect
            for term in design.terms
            for effect in map(term_name, parsed.fixed.terms)
            if set(effect.split(":")) == set(term.factors)
        }
        self._reference: Reference | None = None
        self._is_sought = False

    def check(self, wanted: tuple[str, ...]) -> None:
        """Raise BadInput where the formula has no test of an effect that is asked for."""
        check_terms(wanted, self.effects)

    def refer_to(self, y: Floats, *, watch: Callable[[int], None]) -> None:
        """Take the first of some data sets (data sets × trials) that can be fitted as the one to begin near, once."""
        if self._is_sought:
            return
        self._is_sought = True
        for values in y:
            try:
                model = self._fitted(values, None, watch)
                if not model.optimum.converged or model.is_limit:
                    continue
                restricted = None
                if chosen_tests(model, tests=self.tests)[0] == "f":
                    restricted = restricted_fit(model, watch=watch)
                self._reference = Reference(model, restricted, tuple(type_three(model)))
                return
            except (ArithmeticError, BadInput, np.linalg.LinAlgError):
                continue

    def p(self, y: Floats, *, watch: Callable[[int], None]) -> dict[str, Floats]:
        """Return p of type III per term for answers (simulations × trials), NaN where there is no test."""
        found = {name: np.full(len(y), np.nan) for name in self.effects}
        for row, values in enumerate(y):

            def watched(count: int, row: int = row) -> None:
                watch(row)

            watched(0)
            try:
                tested = self._tested(values, watched)
            except (ArithmeticError, BadInput, np.linalg.LinAlgError):
                continue
            for name, effect in self.effects.items():
                found[name][row] = tested.get(effect, np.nan)
        return found

    def _tested(self, y: Floats, watch: Callable[[int], None]) -> dict[str, float]:
        """Return p per effect as the report has it."""
        known = self._reference
        likelihood = self._complete_likelihood(y) if known is not None and known.restricted is not None else None
        if known is not None and known.restricted is not None and likelihood is not None:
            # F tests need of the fit by maximum likelihood only what the design is.
            problem = replace(known.model.problem, likelihood=likelihood)
            tests = restricted_fit(replace(known.model, problem=problem), near=known.restricted.optimum, watch=watch)
            return {one.effect: tests.f_test(one.contrasts)[3] for one in known.hypotheses if len(one.contrasts)}
        model = self._fitted(y, None if known is None else known.model, watch)
        if not model.optimum.converged:
            return {}
        if self.tests == "wald" and not model.is_limit and known is not None:
            return {one.effect: model.chi_square_test(one.contrasts)[2] for one in known.hypotheses}
        table = type_three_table(
            model,
            type_three(model),
            tests=chosen_tests(model, tests=self.tests)[0],
            refitted=lambda smaller: self._refitted(smaller, y, watch),
            watch=watch,
        )
        return {str(line["effect"]): float(line["p"]) for line in table.lines() if line.get("p") is not None}

    def _fitted(self, y: Floats, like: Fitted | None, watch: Callable[[int], None]) -> Fitted:
        """Fit one data set, beginning near another one."""
        made = replace(self.design, y=np.ascontiguousarray(y))
        if self.ordered:
            thresholds = len(np.unique(y)) - 1
            near = like.optimum if like is not None and len(like.extra) == thresholds else None
            return answers.fit_ordered(made, levels=_levels(y), watch=watch, near=near)[0]
        trials = np.ones(len(y))
        answers.check(made, trials, counts=False)
        return answers.fit_binary(made, trials, watch=watch, near=None if like is None else like.optimum)

    def _refitted(self, smaller: matrices.Design, y: Floats, watch: Callable[[int], None]) -> Fitted:
        """Fit the same answers to a design that lacks a term."""
        made = replace(smaller, y=np.ascontiguousarray(y))
        if self.ordered:
            return answers.fit_ordered(made, levels=_levels(y), watch=watch)[0]
        return answers.fit_binary(made, np.ones(len(y)), watch=watch)

    def _complete_likelihood(self, y: Floats) -> Likelihood | None:
        """Return the likelihood of answers that leave nothing of the reference's design undecided, else None."""
        made = replace(self.design, y=np.ascontiguousarray(y))
        if self.ordered:
            likelihood = answers.categories_of(made, levels=_levels(y))
            known = self._reference
            return likelihood if known is not None and len(known.model.extra) == likelihood.count - 1 else None
        trials = np.ones(len(y))
        answers.check(made, trials, counts=False)
        return Binomial(y, trials) if undecided(made.fixed.values, y, trials).all() else None


def _levels(y: Floats) -> list[str]:
    return [str(number) for number in range(int(y.max()) + 1)]
