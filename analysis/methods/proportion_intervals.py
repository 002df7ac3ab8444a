"""The interval of one proportion, by statsmodels."""

from __future__ import annotations


def wilson(successes: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's (1927) score interval of one proportion.

    >>> [round(value, 4) for value in wilson(15, 148)]
    [0.0624, 0.1605]
    >>> [round(value, 4) for value in wilson(0, 20)]
    [0.0, 0.1611]
    """
    from statsmodels.stats.proportion import proportion_confint  # takes half a second, so only where it computes

    below, above = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    return (0.0 if successes == 0 else float(below)), (1.0 if successes == n else float(above))
