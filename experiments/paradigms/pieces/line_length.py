"""Line-length training: the classic check that a participant can estimate ratios.

Pure. A line of known length is judged against a reference line; judgements on a ratio scale have a log–log slope
near 1 (Stevens 1975).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from experiments.paradigms.base import TrialPlan

PLUGIN = "line-length"

# Fractions of the width of the drawing, so that the lines fit every window.
REFERENCE = 0.25
SHORTEST = 0.06
LONGEST = 0.92
REFERENCE_NUMBER = 10


def lengths(n_lines: int) -> list[float]:
    """Return `n_lines` lengths as fractions of the drawing, in equal ratios from the shortest to the longest.

    >>> lengths(3)
    [0.06, 0.2349, 0.92]
    """
    if n_lines < 2:
        return [LONGEST] * n_lines
    step = (LONGEST / SHORTEST) ** (1 / (n_lines - 1))
    return [round(SHORTEST * step**number, 4) for number in range(n_lines)]


def training(n_lines: int, *, rng: random.Random) -> list[TrialPlan]:
    """Return the trials of the training, lengths in random order."""
    shuffled = lengths(n_lines)
    rng.shuffle(shuffled)
    return [
        TrialPlan(
            "training",
            PLUGIN,
            {
                "reference": REFERENCE,
                "length": length,
                "reference_number": REFERENCE_NUMBER,
                "index": index,
                "total": n_lines,
            },
        )
        for index, length in enumerate(shuffled, start=1)
    ]


def fit(lines: Sequence[tuple[float, float]]) -> dict[str, float | None]:
    """Compute slope and correlation of log number on log length from (length, number) pairs.

    `line_slope` = Σ(x−x̄)(y−ȳ) / Σ(x−x̄)², `line_correlation` Pearson's r, both of natural logarithms. None where they
    are undefined: fewer than three lines, or for the correlation the same number for all of them.

    >>> fit([(0.5, 5), (1, 10), (2, 20)])
    {'line_slope': 1.0, 'line_correlation': 1.0}
    >>> fit([(0.5, 10), (1, 10), (2, 10)])
    {'line_slope': 0.0, 'line_correlation': None}
    """
    points = [(math.log(length), math.log(number)) for length, number in lines if length > 0 and number > 0]
    if len(points) < 3:
        return {"line_slope": None, "line_correlation": None}
    mean_x = math.fsum(x for x, _ in points) / len(points)
    mean_y = math.fsum(y for _, y in points) / len(points)
    sxx = math.fsum((x - mean_x) ** 2 for x, _ in points)
    syy = math.fsum((y - mean_y) ** 2 for _, y in points)
    sxy = math.fsum((x - mean_x) * (y - mean_y) for x, y in points)
    if sxx == 0:
        return {"line_slope": None, "line_correlation": None}
    correlation = round(sxy / math.sqrt(sxx * syy), 12) if syy else None
    return {"line_slope": round(sxy / sxx, 12), "line_correlation": correlation}
