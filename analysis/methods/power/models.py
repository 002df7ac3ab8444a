"""Fit linear mixed models to simulated data; the design is prepared once, only the measure changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.terms import Formula
from analysis.methods.mixed.estimates.hypotheses import Hypothesis, type_three
from analysis.methods.mixed.estimates.satterthwaite import fitted
from analysis.methods.mixed.fitting.crossproducts import Frame, framed, measured
from analysis.methods.mixed.fitting.curvature import places
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.power.design import Design, Truth
from analysis.methods.power.layout import Layout
from analysis.methods.power.simulation import covariances_of
from analysis.methods.report import BadInput
from analysis.methods.wording import listed
from experiments.design.mixed_formulas import mixed_formula

# Where a search may start: standard deviations in units of the residual one.
SMALLEST, LARGEST = 0.02, 50.0
TINY = 1e-6
# With so many random effects of one group or fewer, a fit takes no longer from where it usually starts.
SMALL = 1000


@dataclass(frozen=True)
class Names:
    """How the columns of simulated data are called in formulas."""

    dv: str
    participant: str
    item: str

    def columns(self, design: Design) -> list[str]:
        """Return all columns."""
        return [self.dv, self.participant, self.item, *(factor.name for factor in design.factors)]


def usual_formula(design: Design, names: Names, *, slopes: bool) -> str:
    """Return the formula with all slopes that the design allows, or with intercepts only.

    It is the model that studies are suggested, so that its power is that of the analysis.

    >>> from analysis.methods.conditions.designs import Factor
    >>> from analysis.methods.power.design import design_of
    >>> design = design_of([Factor("order", ("ab", "ba"))])
    >>> usual_formula(design, Names("z", "participant", "item"), slopes=True)
    '`z` ~ `order` + (1 + `order` || `participant`) + (1 + `order` || `item`)'
    """
    dv, participant, item = (f"`{name}`" for name in (names.dv, names.participant, names.item))
    factors = [f"`{factor.name}`" for factor in design.factors]
    if slopes:
        return mixed_formula(
            dv,
            factors,
            participant=participant,
            item=item,
            between_participants=[f"`{name}`" for name in design.between_participants],
            between_items=[f"`{name}`" for name in design.between_items],
        )
    return f"{dv} ~ {'*'.join(factors)} + (1 | {participant}) + (1 | {item})"


def simulated_response(formula: Formula, names: Names) -> Formula:
    """Return the formula. Raises BadInput where its left side is a function: data are simulated on its scale."""
    if formula.response.function:
        raise BadInput(
            f"formula: simulated data are on the scale of the measure already; write {names.dv} ~ …, without a "
            f"function."
        )
    return formula


def check_terms(wanted: Sequence[str], known: Collection[str]) -> None:
    """Raise BadInput where a formula has no term, and so no test, of an effect that is asked for."""
    lacking = [name for name in wanted if name not in known]
    if lacking:
        raise BadInput(
            f"formula: it has no term for {listed(lacking)}, so its power cannot be found; add it, or name other "
            f"effects with effect=…."
        )


@dataclass(frozen=True)
class _Unfitted:
    """What the hypotheses of a model follow from, before anything is fitted."""

    design: matrices.Design
    prepared: Frame

    @property
    def whole(self) -> matrices.Design:
        return self.design


class Model:
    """A formula on one layout.

    Raises BadInput where the formula does not suit the simulated data.
    """

    def __init__(self, text: str, layout: Layout, design: Design, names: Names) -> None:
        self.formula = simulated_response(formulas.parse(text, names.columns(design)), names)
        generic = np.random.default_rng(0).normal(size=layout.trials)
        frame = layout.frame(generic, design, dv=names.dv, participant=names.participant, item=names.item)
        read = variables.read(frame, self.formula)
        self.roles = (names.participant, names.item)
        self.design = matrices.build(self.formula, read, contrasts="sum")
        self.frame = framed(self.design)
        self.hypotheses = self._hypotheses()
        self.terms = {
            term.name: hypothesis
            for term in design.terms
            for hypothesis in self.hypotheses
            if set(hypothesis.effect.split(":")) == set(term.factors)
        }

    def _hypotheses(self) -> list[Hypothesis]:
        return type_three(_Unfitted(self.design, self.frame))

    def check(self, wanted: tuple[str, ...]) -> None:
        """Raise BadInput where the formula has no test of an effect that is asked for."""
        check_terms(wanted, self.terms)

    def theta_of(self, truth: Truth, layout: Layout, design: Design) -> Floats | None:
        """Return the θ with which the model comes nearest to what is simulated: a start near every optimum.

        None for small models, whose fits start as those of the method do. The covariance matrix of a unit's deviations
        over the cells is divided among the random effects by least squares; none starts at zero, which may be a saddle
        point.
        """
        if self.frame.groups[0].size <= SMALL or truth.thresholds is not None:
            return None
        cells, first = np.unique(layout.cell, return_index=True)
        by_role = dict(zip(self.roles, covariances_of(truth, design), strict=True))
        by_group = []
        for group, scale in zip(self.frame.groups, self.frame.scales, strict=True):
            over_cells = by_role.get(group.name, np.zeros((layout.cells, layout.cells)))[np.ix_(cells, cells)]
            columns = (group.columns / scale)[first].T
            products = np.array([np.outer(column, column).ravel() for column in columns]).T
            variances = np.linalg.lstsq(products, over_cells.ravel() / max(truth.residual, TINY) ** 2, rcond=None)[0]
            by_group.append(np.sqrt(np.clip(variances, SMALLEST**2, LARGEST**2)))
        found = [by_group[one.group][one.row] if one.diagonal else 0.0 for one in places(self.frame.groups)]
        return np.array(found)

    def p(self, y: Floats, *, near: Floats | None, watch: Callable[[int], None]) -> dict[str, Floats]:
        """Return p of type III per term for measures (simulations × trials), NaN where a fit did not converge.

        Fits start `near` their optimum where a point near it is known; the optimum is the same from anywhere.
        """
        found = {name: np.full(len(y), np.nan) for name in self.terms}
        for row, values in enumerate(y):
            watch(row)
            made = replace(self.design, y=np.ascontiguousarray(values))
            try:
                prepared = measured(self.frame, made.y)
            except BadInput:  # answers that are all alike
                continue
            optimum = fit(prepared, reml=True, near=near)
            if not optimum.converged:
                continue
            model = fitted(made, prepared, optimum, reml=True)
            for name, hypothesis in self.terms.items():
                found[name][row] = model.f_test(hypothesis.contrasts)[3]
        return found
