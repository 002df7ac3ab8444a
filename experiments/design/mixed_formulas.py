"""Build the formula of a design's mixed model: the one suggested, simulated for power and tested for error rates.

Every effect that varies within participants (or within items) gets a random slope for participants (or items);
correlations of random effects are left out. Type I error rates of these models are in
`docs/methods/mixed-null-simulation.md`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# Factors as `mixed_formula` crosses them.
_CROSSED = re.compile(r"\w+(?:\*\w+)+")
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


def with_estimable_effects(formula: str, effects: Collection[tuple[str, ...]]) -> str:
    """Return a formula of `mixed_formula` with crossed factors as the sum of those effects that can be estimated.

    >>> with_estimable_effects("z ~ a*b + (1 + a*b || participant) + (1 + b || item)", [("a",), ("b",)])
    'z ~ a + b + (1 + a + b || participant) + (1 + b || item)'
    >>> with_estimable_effects("z ~ a*b*c + (1 | item)", [("a",), ("b",), ("c",), ("a", "c")])
    'z ~ a + b + c + a:c + (1 | item)'
    """

    def estimable(crossed: re.Match[str]) -> str:
        names = set(crossed.group().split("*"))
        return " + ".join(":".join(effect) for effect in effects if names.issuperset(effect)) or "1"

    return _CROSSED.sub(estimable, formula)


def with_item_slopes(formula: str, slopes: Sequence[str], *, item: str = "item") -> str:
    """Return a formula of `mixed_formula` with these factors alone as slopes of items, without their interactions.

    >>> with_item_slopes("z ~ a*b + (1 + a*b || participant) + (1 + a*b || item)", ["a"])
    'z ~ a*b + (1 + a*b || participant) + (1 + a || item)'
    """

    def own(term: re.Match[str]) -> str:
        if term.group(3) != item:
            return term.group()
        return f"(1 + {' + '.join(slopes)} || {item})" if slopes else f"(1 | {item})"

    return _RANDOM.sub(own, formula)
