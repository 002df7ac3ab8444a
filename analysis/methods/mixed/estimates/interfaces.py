"""What tables, means, hypotheses and remarks need to know of a fitted model, whatever its likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design, Group


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


class Scaled(Protocol):
    """What a fit is made from: groups with the scales of their columns, and the columns of X that were kept."""

    @property
    def groups(self) -> tuple[Group, ...]: ...
    @property
    def scales(self) -> tuple[Floats, ...]: ...
    @property
    def kept(self) -> tuple[int, ...]: ...
    @property
    def n(self) -> int: ...


class Found(Protocol):
    """The optimum of a fit."""

    @property
    def theta(self) -> Floats: ...
    @property
    def converged(self) -> bool: ...
    @property
    def singular(self) -> bool: ...
    @property
    def expected_gain(self) -> float: ...
    @property
    def evaluations(self) -> int: ...


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


class Estimates(Protocol):
    """A fitted model. `whole` is its design over all rows, `design` over those that decide about finite effects."""

    @property
    def design(self) -> Design: ...
    @property
    def whole(self) -> Design: ...
    @property
    def prepared(self) -> Scaled: ...
    @property
    def optimum(self) -> Found: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def beta(self) -> Floats: ...
    @property
    def sigma(self) -> float: ...
    @property
    def criterion(self) -> float: ...
    @property
    def parameters(self) -> int: ...
    @property
    def aic(self) -> float: ...
    @property
    def bic(self) -> float: ...
    def random_covariances(self) -> Sequence[Floats]: ...
    def contrast(self, weights: Floats) -> Tested: ...
