"""Suggestions that several paradigms share: what is asked first about a scale question, and its companions. Pure.

What stands first keeps its level where people and items differ in an effect; companions are what else is usual. How
often each rejects a true null hypothesis is measured (`docs/methods/mixed-null-simulation.md`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.design.mixed_formulas import (
    mixed_formula,
    with_estimable_effects,
    with_item_slopes,
    with_possible_slopes,
)
from experiments.paradigms.declarations import DesignOfTask, SuggestedAnalysis

SCALE, MAGNITUDE = "scale", "magnitude"


def about_a_question(
    name: str, factors: Sequence[str], *, kind: str, table: str = "trials", title: str = ""
) -> list[SuggestedAnalysis]:
    """Suggest analyses of the answers to a rating question, the one that keeps its level first.

    Points of a scale are ordered categories: an ordinal mixed model, then a linear one. Sliders and magnitudes are
    numbers; magnitudes as logarithms.

    >>> [one.method for one in about_a_question("focus", ["system"], kind="scale")]
    ['ordinal', 'lmm', 'rm-anova', 'rm-anova', 'min-f', 'tukey', 'friedman']
    """
    title = title or name
    measure = f"log({name})" if kind == MAGNITUDE else name
    linear = SuggestedAnalysis(
        "lmm",
        f"{title}: mixed model of {'log answers' if kind == MAGNITUDE else 'the answers as numbers'}",
        {"formula": mixed_formula(measure, factors)},
        table=table,
        question=name,
    )
    first = [linear]
    if kind == SCALE:
        ordinal = {"formula": mixed_formula(name, factors), "tests": "f"}
        first = [
            SuggestedAnalysis("ordinal", f"{title}: ordinal mixed model", ordinal, table=table, question=name),
            replace(linear, is_companion=True),
        ]
    return [*first, *companions(name, factors, title=title, table=table, ranks=kind == SCALE)]


def companions(
    measure: str,
    factors: Sequence[str],
    *,
    title: str,
    table: str = "trials",
    where: str = "",
    pairs: bool = True,
    ranks: bool = False,
) -> list[SuggestedAnalysis]:
    """Suggest F1, F2, minF′, with `pairs` all pairs of conditions, and with `ranks` Friedman's test of a measure."""
    about = {"dv": measure, "within": ",".join(factors), **({"where": where} if where else {})}
    by_people, by_items = {**about, "unit": "participant"}, {**about, "unit": "item"}
    asked: list[tuple[str, str, Mapping[str, Any]]] = [
        ("rm-anova", "ANOVA by participants (F1)", by_people),
        ("rm-anova", "ANOVA by items (F2)", by_items),
        ("min-f", "participants and items together (minF′)", about),
        *([("tukey", "all pairs of conditions", by_people)] if pairs else []),
        *([("friedman", "ranks of the conditions", by_people)] if ranks else []),
    ]
    return [
        SuggestedAnalysis(method, f"{title}: {what}", params, table=table, question=measure, is_companion=True)
        for method, what, params in asked
    ]


def first_ones_first(suggested: Sequence[SuggestedAnalysis]) -> list[SuggestedAnalysis]:
    """Return suggestions in their order, companions after all others."""
    return sorted(suggested, key=lambda one: one.is_companion)


def names_in(formula: str) -> frozenset[str]:
    """Return the names of a formula, in which each may be a factor."""
    return frozenset(re.findall(r"\w+", formula))


OF_MEANS = ("rm-anova", "min-f", "tukey", "friedman")
"""Methods that compare means of conditions, as if these rested on the same items."""


def fitting(suggestion: SuggestedAnalysis, design: DesignOfTask) -> SuggestedAnalysis | None:
    """Return a suggestion with the random slopes and the between factors that a design has; None where it does not fit.

    >>> design = DesignOfTask(between_items=frozenset({"set"}))
    >>> formula = {"formula": "z ~ set*order + (1 + set*order || participant) + (1 + set*order || item)"}
    >>> fitting(SuggestedAnalysis("lmm", "", formula), design).params["formula"]
    'z ~ set*order + (1 + set*order || participant) + (1 + order || item)'
    >>> anova = {"dv": "z", "within": "set,order", "unit": "item"}
    >>> fitting(SuggestedAnalysis("rm-anova", "", anova), design).params
    {'dv': 'z', 'within': 'order', 'unit': 'item', 'between': 'set'}
    >>> incomplete = DesignOfTask(is_incomplete=True, item_slopes=frozenset({"order"}))
    >>> fitting(SuggestedAnalysis("lmm", "", formula), incomplete).params["formula"]
    'z ~ set*order + (1 + set*order || participant) + (1 + order || item)'
    >>> fitting(SuggestedAnalysis("rm-anova", "", anova), incomplete) is None
    True
    """
    params = dict(suggestion.params)
    if design.is_incomplete and suggestion.method in OF_MEANS:
        return None
    if "formula" in params:
        formula = str(params["formula"])
        params["formula"] = with_possible_slopes(
            formula,
            between_participants=names_in(formula) if design.one_text_per_condition else design.between_participants,
            between_items=design.between_items,
        )
        if design.is_incomplete:
            slopes = [name for name in dict.fromkeys(re.findall(r"\w+", formula)) if name in design.item_slopes]
            params["formula"] = with_item_slopes(params["formula"], slopes)
        if design.effects is not None:
            params["formula"] = with_estimable_effects(params["formula"], design.effects)
    unit = params.get("unit")
    if suggestion.method in ("rm-anova", "tukey", "friedman") and "within" in params:
        between = design.between_items if unit == "item" else design.between_participants
        names = str(params["within"]).split(",")
        outside = [name for name in names if name in between]
        if outside and suggestion.method == "friedman":
            return None
        if outside:
            inside = [name for name in names if name not in between]
            if not inside and suggestion.method == "tukey":
                return None
            params["within"] = ",".join(inside)
            params["between"] = ",".join(outside)
    return replace(suggestion, params=params)
