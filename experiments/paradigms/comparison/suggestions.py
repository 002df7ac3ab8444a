"""Suggested analyses of a comparison study. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.comparison.settings import PAIR, RANKING

RANDOM = "participant,item"


def comparison_suggestions(n_conditions: int, settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
    """Suggest worths of the conditions with random people and items; for two conditions also the mixed model.

    Pairs are analysed on `trials`, everything else on `options`. Items are random in adaptive pairs too, which show
    not all conditions with the same items: with people alone items that differ count as differences of conditions.
    """
    task = settings.get("task", PAIR)
    if task == PAIR:
        suggested = [
            SuggestedAnalysis(
                "preference",
                "Order of the conditions, which differ, and clusters",
                {"a": "a", "b": "b", "choice": "choice", "side": "side", "random": RANDOM},
            )
        ]
        if n_conditions == 2 and not settings.get("no_difference"):
            suggested.append(
                SuggestedAnalysis(
                    "glmm",
                    "Mixed logistic model: is one condition preferred, and does the side matter?",
                    {
                        "formula": "choice ~ side + (1 + side || participant) + (1 + side || item)",
                        "positive": "a",
                        "contrasts": "sum",
                        "tests": "f",
                    },
                )
            )
        return suggested
    named = {"comparison": "comparison", "option": "option", "random": RANDOM}
    if task == RANKING:
        return [
            SuggestedAnalysis(
                "preference",
                "Order of the conditions by their ranks (Plackett–Luce), and clusters",
                {**named, "rank": "rank"},
                table="options",
            )
        ]
    return [
        SuggestedAnalysis(
            "preference",
            "Order of the conditions by best–worst choices, and clusters",
            {**named, "best": "best", "worst": "worst"},
            table="options",
        )
    ]
