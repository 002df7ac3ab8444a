"""Suggested analyses of sentence recall. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.codings import agreement_of_coders, of_codings
from experiments.paradigms.suggested import companions, first_ones_first

# Shorter sentences are recalled by everybody (Siddharthan and Katsos 2012, section 4.1).
LONG_SENTENCES = "words>=14"


def recall_suggestions(factors: Sequence[str]) -> list[SuggestedAnalysis]:
    """Suggest mixed models of accurate recall and of scores; what the paper has: coder agreement, errors by type,
    clauses, scores against ratings; and companions.

    Those of codes use `codings`, those of scores `trials`, and those against a magnitude estimation study of the same
    items `pairs`.
    """
    coded = [
        agreement_of_coders(),
        of_codings("incidence", "Errors by type", {"codes": "codes", "by": ",".join(factors)}),
        replace(
            of_codings("proportions", "Clause B garbled against clause A garbled", {"success": "code_3,code_4"}),
            is_companion=True,
        ),
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
