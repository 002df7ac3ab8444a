"""What the search for θ ends at, whatever the criterion: is it an optimum, and does some variance vanish there?

θ is not bounded: the criterion depends on it through Σ = ΛΛ' only, so a change of sign of a column of Λ changes
nothing. Because of that symmetry a zero column is always stationary, even where it is no minimum; there the derivative
Γ with respect to Σ decides, which at a minimum has no negative eigenvalue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.fitting.curvature import Place

# Called with the number of evaluations; it may raise to stop.
Watch = Callable[[int], None]
SINGULAR = 1e-4
EMPTY = 1e-6
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Stationary:
    """A point at which the search ended: θ with its places, and the Hessian of the criterion there.

    `expected_gain` is the further decrease of the criterion that a Newton step promises, `steepest` the lowest
    eigenvalue of Γ where Σ is zero, per level of its group (0 where Σ is positive).
    """

    theta: Floats
    places: tuple[Place, ...]
    hessian: Floats
    expected_gain: float
    steepest: float
    evaluations: int

    @property
    def converged(self) -> bool:
        """Return whether no step promises a better criterion, within tolerance."""
        return self.expected_gain < TOLERANCE and self.steepest > -TOLERANCE

    @property
    def singular(self) -> bool:
        """Return whether some diagonal element of θ is zero, in the units of standardised columns."""
        return any(
            place.diagonal and abs(value) < SINGULAR for place, value in zip(self.places, self.theta, strict=True)
        )


def upright(theta: Floats, places: tuple[Place, ...]) -> Floats:
    """Return for every element of θ the sign that makes the diagonal of Λ non-negative, column by column.

    >>> upright(np.array([-2.0, 1.0, 3.0]), (Place(0, 0, 0), Place(0, 1, 0), Place(0, 1, 1))).tolist()
    [-1.0, -1.0, 1.0]
    """
    signs = {
        (place.group, place.column): -1.0 if value < 0 else 1.0
        for place, value in zip(places, theta, strict=True)
        if place.diagonal
    }
    return np.array([signs[place.group, place.column] for place in places])


def way_out(factor: Floats, slope: Floats, *, shared: bool = False) -> tuple[float, Floats] | None:
    """Return the lowest eigenvalue of Γ (`slope`) where ΛΛ' is zero, with the change of ΛΛ' that leads out of there.

    None where ΛΛ' is positive. A `shared` variance can only change as a whole, and its derivative is the trace of Γ.

    >>> value, change = way_out(np.diag([1.0, 0.0]), np.diag([5.0, -3.0]))
    >>> value, change.tolist()
    (-3.0, [[0.0, 0.0], [0.0, 1.0]])
    >>> way_out(np.zeros((2, 2)), np.diag([5.0, -3.0]), shared=True)[0]
    2.0
    """
    if shared:
        return None if factor[0, 0] ** 2 >= EMPTY else (float(np.trace(slope)), np.eye(len(factor)))
    sizes, axes = np.linalg.eigh(factor @ factor.T)
    empty = axes[:, sizes < EMPTY]
    if not empty.shape[1]:
        return None
    values, vectors = np.linalg.eigh(empty.T @ slope @ empty)
    direction = empty @ vectors[:, 0]
    return float(values[0]), np.outer(direction, direction)
