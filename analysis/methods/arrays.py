"""Types of arrays, and how far rounding may carry a sum in floating point."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Integers = npt.NDArray[np.intp]

# So far from the exact number, relative to the largest, a few sums and differences in floating point may end.
ROUNDING = 64 * float(np.finfo(np.float64).eps)

GRAIN = 1e-9


def without_noise(values: Floats, *, grain: float = GRAIN) -> Floats:
    """Round away binary noise so that equal weighted scores are ties.

    `grain` is what to round to where values are 1 or larger; a part of it, in proportion, where all are smaller.

    >>> without_noise(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return values
    size = max(grain * min(1.0, largest), 8 * np.finfo(float).eps * largest)
    places = -math.floor(math.log10(size) + 1e-9)
    return np.round(values, places)
