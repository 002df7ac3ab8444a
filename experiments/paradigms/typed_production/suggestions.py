"""Suggested analyses of typed production. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.codings import agreement_of_coders, of_codings
from experiments.paradigms.suggested import about_categories
from experiments.paradigms.typed_production.answers import folds_of

# A key before the onset counts as 0, which has no logarithm.
AFTER_ONSET = "first_key_ms > 0"


def production_suggestions(factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
    """Suggest models of targets and of latencies by condition, norms, and analyses of codes."""
    suggested: list[SuggestedAnalysis] = []
    if factors:
        suggested = [
            SuggestedAnalysis(
                "glmm",
                "Mixed logistic model of giving the target",
                # Wald tests of such a model reject a true null hypothesis about twice as often as they should.
                {"formula": mixed_formula("matches_target", factors), "tests": "f"},
            ),
            SuggestedAnalysis(
                "lmm",
                "Mixed model of the log latency of the first key",
                {"formula": mixed_formula("log(first_key_ms)", factors), "where": AFTER_ONSET},
            ),
        ]
    norms = norms_parameters(factors, settings)
    suggested.append(SuggestedAnalysis("production-norms", "Norms of the items", norms))
    if not settings.get("coding"):
        return suggested
    by_code = of_codings("incidence", "Answers by code", {"codes": "codes", "by": ",".join(factors)})
    # One code per answer makes categories; answers with several codes are categories of their own.
    coded = about_categories("codes", factors, title="Codes of the answers") if factors else []
    by_category = [of_codings(one.method, one.title, one.params, is_companion=True) for one in coded]
    return [*suggested, agreement_of_coders(), by_code, *by_category]


def norms_parameters(factors: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of the norms, which use corrected answers if there is a list of spelling variants."""
    parameters = {"item": "item", "by": ",".join(factors), "target": "target", "fold": ",".join(folds_of(settings))}
    return {"response": "response_folded" if settings.get("spellings") else "response", **parameters}
