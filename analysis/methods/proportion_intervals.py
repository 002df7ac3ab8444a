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


def with_wilson(successes: int, n: int, names: str = "share ci_low ci_high") -> dict[str, float]:
    """Return a proportion and the ends of its Wilson interval (95 %) under these names.

    >>> {name: round(value, 2) for name, value in with_wilson(5, 10).items()}
    {'share': 0.5, 'ci_low': 0.24, 'ci_high': 0.76}
    """
    return dict(zip(names.split(), (successes / n, *wilson(successes, n)), strict=True))
