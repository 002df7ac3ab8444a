"""Compute the α spent by every look, and the nominal level at which a two-sided p decides there.

An error-spending function says how much of α may have been spent when a share of the information is there (Lan &
DeMets, 1983); the boundary of a look is what spends exactly its part. The two sides spend α/2 each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.report import BadInput
from analysis.methods.sequential.crossing import FAR, Staying
from experiments.rules.sequential import GAMMA, HWANG_SHIH_DECANI, OBRIEN_FLEMING, POCOCK, SPENDING

LEAST_SPENT = 1e-15


@dataclass(frozen=True)
class Look:
    """One look: the share of the information, α spent up to it, |z| that decides, and the p that is the same."""

    share: float
    spent: float
    boundary: float
    level: float


def spent_by(share: float, *, spending: str, alpha: float, gamma: float = GAMMA) -> float:
    """Return how much of a two-sided `alpha` may be spent up to a share (0 to 1) of the information.

    `obrien-fleming`: 4 (1 − Φ(z/√t)) with z the 1 − α/4 quantile, for each side Lan and DeMets' 2 (1 − Φ(z_{a/2}/√t));
    `pocock`: α ln(1 + (e − 1) t); `hwang-shih-decani`: α (1 − e^{−γt})/(1 − e^{−γ}), α t where γ is 0 (Hwang, Shih &
    DeCani, 1990). Raises BadInput for another name.
    """
    if share >= 1:
        return alpha
    if spending == OBRIEN_FLEMING:
        return float(4 * scipy.special.ndtr(scipy.special.ndtri(alpha / 4) / np.sqrt(share)))
    if spending == POCOCK:
        return float(alpha * np.log1p((np.e - 1) * share))
    if spending == HWANG_SHIH_DECANI:
        return float(alpha * (share if gamma == 0 else np.expm1(-gamma * share) / np.expm1(-gamma)))
    raise BadInput(f"There is no spending function '{spending}'. Known are {', '.join(SPENDING)}.")


def boundaries(shares: Sequence[float], *, spending: str, alpha: float, gamma: float = GAMMA) -> list[Look]:
    """Return the looks at rising shares (above 0 to 1) of the planned information; the last spends all of α.

    So a study that ends before it has all its people ends with a share below 1, and loses nothing of α.
    """
    looks: list[Look] = []
    staying, before = Staying.begun(), 0.0
    for place, share in enumerate(shares):
        is_last = place + 1 == len(shares)
        spent = alpha if is_last else spent_by(share, spending=spending, alpha=alpha, gamma=gamma)
        boundary = _boundary(staying, share, spent - before)
        looks.append(Look(share, spent, boundary, float(2 * scipy.special.ndtr(-boundary))))
        if not is_last:
            bound = boundary * np.sqrt(share)
            staying = staying.within(-bound, bound, share, following=shares[place + 1])
        before = spent
    return looks


def _boundary(staying: Staying, share: float, spends: float) -> float:
    """Return |z| that is reached with the probability `spends` by those who have stayed; FAR where that is nothing."""
    if spends < LEAST_SPENT:
        return FAR

    def too_much(z: float) -> float:
        bound = z * np.sqrt(share)
        return staying.above(bound, share) + staying.below(-bound, share) - spends

    return FAR if too_much(FAR) > 0 else float(scipy.optimize.brentq(too_much, 0.0, FAR, xtol=1e-12))
