"""A generalised linear mixed model as one among which random effects are chosen (see `analysis.methods.mixed`)."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.design.matrices import Design, Group
from analysis.methods.mixed.design.terms import Formula


@dataclass(frozen=True)
class Candidate:
    """A model that was fitted on the way, with the formula that asked for it."""

    formula: Formula
    fit: Fitted
    reml: bool = False

    @property
    def design(self) -> Design:
        """Return the design over all rows."""
        return self.fit.whole

    @property
    def optimum(self) -> Optimum:
        """Return where the search ended."""
        return self.fit.optimum

    @property
    def criterion(self) -> float:
        """Return −2 log likelihood by Laplace."""
        return self.fit.criterion

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the grouping factors in the order of the factors Λ."""
        return self.fit.prepared.groups

    @property
    def lambdas(self) -> tuple[Floats, ...]:
        """Return the factors Λ of the groups, in scaled units."""
        return self.fit.optimum.mode.lambdas

    @property
    def parameters(self) -> int:
        """Return the number of parameters."""
        return self.fit.parameters
