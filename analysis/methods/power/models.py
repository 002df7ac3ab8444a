"""Mixed models of simulated data, by the engine of `lmm`; the design is prepared once, only the measure changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed import design as matrices
from analysis.methods.mixed import formula as formulas
from analysis.methods.mixed import variables
from analysis.methods.mixed.crossproducts import framed, measured
from analysis.methods.mixed.hypotheses import Hypothesis, type_three
from analysis.methods.mixed.optimise import fit
from analysis.methods.mixed.satterthwaite import fitted
from analysis.methods.power.design import Design
from analysis.methods.power.simulation import Layout
from analysis.methods.report import BadInput
from analysis.methods.wording import listed
from experiments.design.mixed_formulas import mixed_formula


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
        return mixed_formula(dv, factors, participant=participant, item=item)
    return f"{dv} ~ {'*'.join(factors)} + (1 | {participant}) + (1 | {item})"


class Model:
    """A formula on one layout.

    Raises BadInput where the formula does not suit the simulated data.
    """

    def __init__(self, text: str, layout: Layout, design: Design, names: Names) -> None:
        self.formula = formulas.parse(text, names.columns(design))
        if self.formula.response.function:
            raise BadInput(
                f"formula: simulated data are on the scale of the measure already; write {names.dv} ~ …, without a "
                f"function."
            )
        generic = np.random.default_rng(0).normal(size=layout.trials)
        frame = layout.frame(generic, design, dv=names.dv, participant=names.participant, item=names.item)
        read = variables.read(frame, self.formula)
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
        prepared = measured(self.frame, self.design.y)
        return type_three(fitted(self.design, prepared, fit(prepared, reml=True), reml=True))

    def check(self, wanted: tuple[str, ...]) -> None:
        """Raise BadInput where the formula has no test of an effect that is asked for."""
        lacking = [name for name in wanted if name not in self.terms]
        if lacking:
            raise BadInput(
                f"formula: it has no term for {listed(lacking)}, so its power cannot be found; add it, or name other "
                f"effects with effect=…."
            )

    def p(self, y: Floats, *, watch: Callable[[int], None]) -> dict[str, Floats]:
        """Return p of type III per term for measures (simulations × trials), NaN where a fit did not converge."""
        found = {name: np.full(len(y), np.nan) for name in self.terms}
        for row, values in enumerate(y):
            watch(row)
            made = replace(self.design, y=np.ascontiguousarray(values))
            prepared = measured(self.frame, made.y)
            optimum = fit(prepared, reml=True)
            if not optimum.converged:
                continue
            model = fitted(made, prepared, optimum, reml=True)
            for name, hypothesis in self.terms.items():
                found[name][row] = model.f_test(hypothesis.contrasts)[3]
        return found
