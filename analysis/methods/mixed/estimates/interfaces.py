"""Define the interface of a fitted model, whatever its likelihood, that tables, means, tests and wording use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.scales import Scale
from analysis.methods.mixed.fitting.crossproducts import Scaled
from analysis.methods.mixed.fitting.stationary import Stationary


@dataclass(frozen=True)
class Tested:
    """One contrast: estimate, standard error, degrees of freedom (infinite: z), t, p."""

    estimate: float
    se: float
    df: float
    t: float
    p: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the Wald interval with the t distribution."""
        half = float(scipy.stats.t.isf((1 - confidence) / 2, self.df)) * self.se
        return self.estimate - half, self.estimate + half

    def line(self, confidence: float) -> dict[str, float]:
        """Return it with its interval by the columns of tables, which name the test t or z."""
        low, high = self.interval(confidence)
        test = {"df": self.df, "t": self.t, "z": self.t, "p": self.p}
        return {"estimate": self.estimate, "se": self.se, **test, "ci_low": low, "ci_high": high}


class Kept(Protocol):
    """Which columns of X were kept."""

    @property
    def kept(self) -> tuple[int, ...]: ...


class Designed(Protocol):
    """What the hypotheses of a model follow from: its designs, as in `Estimates`, without anything fitted."""

    @property
    def design(self) -> Design: ...
    @property
    def whole(self) -> Design: ...
    @property
    def prepared(self) -> Kept: ...


class Estimates(ABC):
    """A fitted model. `whole` is its design over all rows, `design` over those that decide about finite effects.

    `beta` (k) and `covariance` (k × k) belong to the fixed effects that can be estimated (`names`), in the units of the
    data; `scale` is theirs.
    """

    design: Design
    whole: Design
    prepared: Scaled
    optimum: Stationary
    names: tuple[str, ...]
    beta: Floats
    covariance: Floats
    scale: Scale
    reml: bool

    @property
    @abstractmethod
    def lambdas(self) -> tuple[Floats, ...]:
        """Return the factors Λ of the groups of `prepared`, in scaled units."""

    @property
    @abstractmethod
    def sigma(self) -> float:
        """Return the unit of the random effects: the residual standard deviation, or that of the linear predictor."""

    @property
    @abstractmethod
    def criterion(self) -> float:
        """Return −2 (restricted) log likelihood."""

    @property
    @abstractmethod
    def parameters(self) -> int:
        """Return the number of parameters: fixed effects, θ, and what single rows have beside their mean."""

    @abstractmethod
    def contrast(self, weights: Floats) -> Tested:
        """Test one contrast of the fixed effects against zero."""

    @property
    def aic(self) -> float:
        """Return Akaike's information criterion."""
        return self.criterion + 2 * self.parameters

    @property
    def bic(self) -> float:
        """Return Schwarz's information criterion with n = number of rows, as in R."""
        return self.criterion + float(np.log(self.prepared.n)) * self.parameters

    @property
    def is_limit(self) -> bool:
        """Return whether some fixed effects have no finite estimate."""
        return self.design is not self.whole

    def measures(self) -> dict[str, Any]:
        """Return the measures of fit by the columns of tables."""
        return {
            "parameters": self.parameters,
            "log_lik": -self.criterion / 2,
            "criterion": self.criterion,
            "aic": self.aic,
            "bic": self.bic,
            "n": self.prepared.n,
            "converged": self.optimum.converged,
            "singular": self.optimum.singular,
            **({"sigma": self.sigma, "reml": self.reml} if self.scale.is_linear else {"deviance": self.criterion}),
        }

    def random_covariances(self) -> list[Floats]:
        """Return the covariance matrix of the random effects of every group of `prepared`."""
        made = []
        for factor, scale in zip(self.lambdas, self.prepared.scales, strict=True):
            half = factor / scale[:, None] * self.sigma
            made.append(np.asarray(half @ half.T))
        return made

    def coefficient(self, column: int) -> Floats | None:
        """Return the weights of a coefficient of X, or None where it was dropped or has no finite estimate."""
        kept = self.prepared.kept
        return np.eye(len(kept))[kept.index(column)] if column in kept else None
