"""Build the formula of a design's mixed model: the one suggested, simulated for power and tested for error rates.

Every effect that varies within participants (or within items) gets a random slope for participants (or items);
correlations of random effects are left out. Type I error rates of these models are in
`docs/methods/mixed-null-simulation.md`. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def mixed_formula(
    measure: str,
    factors: Sequence[str],
    *,
    covariates: Sequence[str] = (),
    participant: str = "participant",
    item: str = "item",
    between_participants: Collection[str] = (),
    between_items: Collection[str] = (),
) -> str:
    """Return the formula for crossed factors with random slopes for all effects within participants and within items.

    >>> mixed_formula("log(rt_ms)", ["marker", "order"], covariates=["words"])
    'log(rt_ms) ~ marker*order + words + (1 + marker*order || participant) + (1 + marker*order || item)'
    >>> mixed_formula("z", ["group", "order"], between_participants=["group"])
    'z ~ group*order + (1 + order || participant) + (1 + group*order || item)'
    """
    fixed = " + ".join(("*".join(factors), *covariates))
    random = " + ".join(
        f"(1 + {'*'.join(slopes)} || {unit})" if slopes else f"(1 | {unit})"
        for unit, between in ((participant, between_participants), (item, between_items))
        for slopes in ([factor for factor in factors if factor not in between],)
    )
    return f"{measure} ~ {fixed} + {random}"
