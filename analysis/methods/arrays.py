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

    `grain` is what to round to where values are 1 or larger; a part of it, in proportion, where all are smaller. NaN
    stays what it is.

    >>> without_noise(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    largest = float(np.fmax.reduce(np.abs(values), axis=None, initial=0.0))
    if largest == 0:
        return values
    size = max(grain * min(1.0, largest), 8 * np.finfo(float).eps * largest)
    places = -math.floor(math.log10(size) + 1e-9)
    return np.round(values, places)


def with_ties(values: Floats) -> Floats:
    """Round to twelve digits each, so that equal scores are ties and small numbers beside large ones stay apart.

    Where values have both signs, sums may have cancelled to something that is only nearly 0: there it is the largest
    that says what is noise (`without_noise`).

    >>> from scipy.stats import rankdata
    >>> rankdata(with_ties(np.array([0.1 + 0.2, 0.3, 1e-30, 2e-30]))).tolist()
    [3.5, 3.5, 1.0, 2.0]
    """
    if values.min(initial=0.0) < 0 < values.max(initial=0.0):
        return without_noise(values)
    parts, powers = np.frexp(values)
    return np.asarray(np.ldexp(np.round(parts * 2.0**40), powers - 40), dtype=np.float64)
