"""Build the formula of a design's mixed model: the one suggested, simulated for power and tested for error rates.

Every effect that varies within participants (or within items) gets a random slope for participants (or items);
correlations of random effects are left out. Type I error rates of these models are in
`docs/methods/mixed-null-simulation.md`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# A random term as `mixed_formula` writes it.
_RANDOM = re.compile(r"\(1 \+ ([^()|]+) (\|\|?) (\w+)\)")


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


def with_possible_slopes(
    formula: str,
    *,
    between_participants: Collection[str] = (),
    between_items: Collection[str] = (),
    participant: str = "participant",
    item: str = "item",
) -> str:
    """Return a formula of `mixed_formula` without slopes that a design does not have.

    >>> with_possible_slopes("z ~ g*o + (1 + g*o || participant) + (1 + g*o || item)", between_participants=["g"])
    'z ~ g*o + (1 + o || participant) + (1 + g*o || item)'
    >>> with_possible_slopes("z ~ g + (1 + g || participant) + (1 | item)", between_participants=["g"])
    'z ~ g + (1 | participant) + (1 | item)'
    """
    between = {participant: between_participants, item: between_items}

    def possible(term: re.Match[str]) -> str:
        slopes, bar, unit = term.groups()
        kept = [name for name in slopes.split("*") if name.strip() not in between.get(unit, ())]
        return f"(1 + {'*'.join(kept)} {bar} {unit})" if kept else f"(1 | {unit})"

    return _RANDOM.sub(possible, formula)
