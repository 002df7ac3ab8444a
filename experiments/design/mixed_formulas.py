"""The formula of the mixed models that are suggested, whose power is simulated, and whose error rates are measured.

All effects of the design vary by participant and by item, without correlations. What that is worth under a true null
hypothesis is in `docs/methods/mixed-null-simulation.md`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence


def mixed_formula(
    measure: str,
    factors: Sequence[str],
    *,
    covariates: Sequence[str] = (),
    participant: str = "participant",
    item: str = "item",
) -> str:
    """Return the formula for crossed factors, with the slopes of all of them.

    >>> mixed_formula("log(rt_ms)", ["marker", "order"], covariates=["words"])
    'log(rt_ms) ~ marker*order + words + (1 + marker*order || participant) + (1 + marker*order || item)'
    """
    crossed = "*".join(factors)
    fixed = " + ".join((crossed, *covariates))
    return f"{measure} ~ {fixed} + (1 + {crossed} || {participant}) + (1 + {crossed} || {item})"
