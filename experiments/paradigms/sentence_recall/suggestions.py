"""Suggested analyses of sentence recall. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.codings import agreement_of_coders, of_codings
from experiments.paradigms.suggested import companions, first_ones_first

# Shorter sentences are recalled by everybody (Siddharthan and Katsos 2012, section 4.1).
LONG_SENTENCES = "words>=14"


EFFECT_IS_GARBLED, CAUSE_IS_GARBLED = "code_3", "code_4"
ORDERS = {  # which clause comes first, by what the level is called
    **dict.fromkeys(("cause-effect", "cause first", "cause-first", "a-b", "ab", "a b"), "cause"),
    **dict.fromkeys(("effect-cause", "effect first", "effect-first", "b-a", "ba", "b a"), "effect"),
}


def recall_suggestions(levels: Mapping[str, Sequence[str]]) -> list[SuggestedAnalysis]:
    """Suggest mixed models of accurate recall and of scores; what the paper has: coder agreement, errors by type,
    clauses, scores against ratings; and companions.

    `levels` are the factors with their levels. Where one of them has markers with "because" and with "cause", garbled
    clauses are compared between these (H3 of the paper); where another says which clause comes first, the second clause
    with the first within "because" as a conjunction (H4). Those of codes use `codings`, those of scores `trials`, and
    those against a magnitude estimation study of the same items `pairs`.
    """
    factors = list(levels)
    coded = [
        agreement_of_coders(),
        of_codings("incidence", "Errors by type", {"codes": "codes", "by": ",".join(factors)}),
        *(replace(one, is_companion=True) for one in hypotheses_on_clauses(levels) or [clauses_compared()]),
    ]
    if not factors:
        return coded
    suggested = [
        of_codings(
            "glmm",
            "Mixed logistic model of accurate recall",
            # Wald tests of such a model reject a true null hypothesis about twice as often as they should.
            {"formula": mixed_formula("code_0", factors), "tests": "f"},
        ),
        SuggestedAnalysis("lmm", "Mixed model of scores", {"formula": mixed_formula("score", factors)}),
        *coded,
        SuggestedAnalysis(
            "correlation",
            "Differences in score against differences in acceptability",
            {"x": "difference_z", "y": "difference_score"},
            table="pairs",
        ),
        SuggestedAnalysis(
            "correlation",
            "The same for sentences of 14 words or more",
            {"x": "difference_z", "y": "difference_score", "where": LONG_SENTENCES},
            table="pairs",
        ),
        replace(
            of_codings("proportions", f"Accurate recall by {factors[0]}", {"success": "code_0", "group": factors[0]}),
            is_companion=True,
        ),
        *companions("score", factors, title="Scores", pairs=False),
    ]
    return first_ones_first(suggested)


def clauses_compared() -> SuggestedAnalysis:
    """Suggest the comparison of both clauses over all formulations, where nothing is known of these."""
    success = f"{EFFECT_IS_GARBLED},{CAUSE_IS_GARBLED}"
    return of_codings("proportions", "Clause B garbled against clause A garbled", {"success": success})


def hypotheses_on_clauses(levels: Mapping[str, Sequence[str]]) -> list[SuggestedAnalysis]:
    """Suggest H3 and H4 of the paper as far as the factors have what they are about.

    H3: a garbled clause, of whichever kind, with "because" and "because of" against "cause" as verb and noun. H4: the
    second clause against the first with "because" as a conjunction, whichever of them is the cause; over all
    formulations the effect would cancel, as the second clause is the cause in half of them.
    """
    marker = next((name for name, of in levels.items() if all(_markers(of))), None)
    if marker is None:
        return []
    because, cause = _markers(levels[marker])
    suggested = [
        of_codings(
            "proportions",
            "H3: a clause garbled, because against cause",
            {
                "derive": f"garbled = {EFFECT_IS_GARBLED} or {CAUSE_IS_GARBLED}",
                "success": "garbled",
                "group": marker,
                "levels": f"{_merged(because)},{_merged(cause)}",
            },
        )
    ]
    order = next((name for name, of in levels.items() if _is_order(of)), None)
    conjunction = min(because, key=len)
    if order is None:
        return suggested
    first = next(level for level in levels[order] if ORDERS[level.casefold()] == "cause")
    is_first = f'{_column(order)} = "{first}"'
    clauses = {"first": (CAUSE_IS_GARBLED, EFFECT_IS_GARBLED), "second": (EFFECT_IS_GARBLED, CAUSE_IS_GARBLED)}
    derive = "; ".join(
        f"{place}_clause = if({is_first}, {cause_first}, {effect_first})"
        for place, (cause_first, effect_first) in clauses.items()
    )
    within = of_codings(
        "proportions",
        f"H4: second clause garbled against the first, within {conjunction}",
        {"derive": derive, "success": "second_clause,first_clause"},
    )
    only = f"{within.params['where']} and '{marker}'='{conjunction}'"
    return [*suggested, SuggestedAnalysis(within.method, within.title, {**within.params, "where": only}, within.table)]


def _markers(levels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the levels that begin with "because", and those that begin with "cause"."""
    plain = [level for level in levels if not set(level) & set("'\"+,")]
    return (
        [level for level in plain if level.casefold().startswith("because")],
        [level for level in plain if level.casefold().startswith("cause")],
    )


def _is_order(levels: Sequence[str]) -> bool:
    return {ORDERS.get(level.casefold(), "") for level in levels} == {"cause", "effect"} and len(levels) == 2


def _merged(levels: Sequence[str]) -> str:
    return "+".join(levels)


def _column(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"
