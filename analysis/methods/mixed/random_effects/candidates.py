"""Test candidate models against each other while random effects are selected, and start their fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Block, Group
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.likelihood_ratio import ratio_test
from analysis.methods.mixed.fitting.optimise import START

# A warm start is not at zero, from which a gradient does not lead away.
NEAR_ZERO = 0.1
# Below this a difference of criteria is what the search leaves, and no difference.
ROUNDING = 1e-5


def is_sound(model: Estimates) -> bool:
    """Return whether the search converged at covariance matrices that are not singular."""
    return model.optimum.converged and not model.optimum.singular


def tested(smaller: Estimates, larger: Estimates) -> dict[str, float] | None:
    """Test a smaller model against a larger one with the same fixed effects; None where one did not converge."""
    if not (smaller.optimum.converged and larger.optimum.converged):
        return None
    chi2 = smaller.criterion - larger.criterion
    chi2 = chi2 if chi2 > ROUNDING else 0.0
    df = len(larger.optimum.theta) - len(smaller.optimum.theta)
    return ratio_test(chi2, df)


def warm_start(groups: Sequence[Group], larger: Estimates | None) -> Floats | None:
    """Return θ from which to search: that of a larger model where both have the same part of a covariance matrix."""
    if larger is None:
        return None
    known = {
        key: factor[np.ix_(block.columns, block.columns)]
        for group, factor in zip(larger.prepared.groups, larger.lambdas, strict=True)
        for key, block in _keyed(group.name, group.blocks)
    }
    theta: list[float] = []
    for group in groups:
        for key, block in _keyed(group.name, group.blocks):
            factor = known.get(key)
            if factor is None:
                factor = START * np.eye(len(block.columns))
            if block.shared:
                theta.append(max(float(factor[0, 0]), NEAR_ZERO))
                continue
            for column in range(len(block.columns)):
                below = [float(value) for value in factor[column:, column]]
                theta += [max(below[0], NEAR_ZERO), *below[1:]]
    return np.array(theta)


def _keyed(name: str, blocks: Sequence[Block]) -> list[tuple[tuple[Any, ...], Block]]:
    """Return the blocks of a group, each with what it is in any model that has it."""
    found: list[tuple[tuple[Any, ...], Block]] = []
    for block in blocks:
        same = sum(key[1] == block.terms for key, _ in found)
        found.append(((name, block.terms, len(block.columns), same), block))
    return found
