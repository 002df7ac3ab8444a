"""Simulate a fitted linear mixed model on its own design, fit what was simulated, and test it as the model was tested.

    y* = Zb* + ε*,  b* ~ N(0, Σ),  ε* ~ N(0, σ²I)

The likelihood profiled over β is the same for y* and y* + Xβ, so that one fit gives β* with its covariance for any
true effects: the test of an effect where there is none has β*, and where there is the one that was estimated, β* + β.
One fit serves the null hypothesis of every effect and the power of every test.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.estimates.hypotheses import Hypothesis
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.fitting.crossproducts import Frame, framed, measured
from analysis.methods.mixed.fitting.optimise import fit, semidefinite_root

SEED = 20140101


class Replicates:
    """Simulated data sets of a fitted model, each from a random stream of its own.

    `frame` is its design without its measure, where that was made before.
    """

    def __init__(
        self, model: Fitted, hypotheses: Sequence[Hypothesis], *, seed: int = SEED, frame: Frame | None = None
    ) -> None:
        self.model, self.seed = model, seed
        self.hypotheses = [hypothesis for hypothesis in hypotheses if len(hypothesis.contrasts)]
        self.frame = framed(model.design) if frame is None else frame
        self.roots = [semidefinite_root(covariance) for covariance in model.random_covariances()]

    def simulated(self, number: int) -> Floats:
        """Return the measure of a simulated data set without any effect."""
        stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(number,))))
        y = self.model.sigma * stream.standard_normal(self.model.prepared.n)
        for group, root in zip(self.model.prepared.groups, self.roots, strict=True):
            effects = stream.standard_normal((len(group.levels), len(group.names))) @ root.T
            y += np.einsum("np,np->n", group.columns, effects[group.index])
        return y

    def refitted(self, y: Floats) -> Fitted:
        """Fit the model to another measure, from the optimum that is known."""
        prepared, theta = measured(self.frame, y), self.model.optimum.theta
        found = fit(prepared, reml=self.model.reml, theta=theta, near=theta)
        return fitted(self.model.design, prepared, found, reml=self.model.reml)

    def tested(self, number: int) -> list[tuple[float, float]] | None:
        """Return p of every effect where there is none, and where it is as estimated; None where the fit failed."""
        try:
            again = self.refitted(self.simulated(number))
        except ArithmeticError:
            return None
        if not again.optimum.converged:
            return None
        return [
            (again.f_test(one.contrasts)[3], again.f_test(one.contrasts, beside=self.model.beta)[3])
            for one in self.hypotheses
        ]
