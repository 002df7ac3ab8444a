"""Suggested analyses of sentence recall. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.codings import agreement_of_coders, of_codings

# Shorter sentences are recalled by everybody (Siddharthan and Katsos 2012, section 4.1).
LONG_SENTENCES = "words>=14"


def recall_suggestions(factors: Sequence[str]) -> list[SuggestedAnalysis]:
    """Suggest the analyses of the paper, in order: coder agreement, errors by type, clauses, scores, scores against
    ratings.

    Those of codes use `codings`, those of scores `trials`, and those against a magnitude estimation study of the same
    items `pairs`.
    """
    within = ",".join(factors)
    suggested = [
        agreement_of_coders(),
        of_codings("incidence", "Errors by type", {"codes": "codes", "by": within}),
        of_codings("proportions", "Clause B garbled against clause A garbled", {"success": "code_3,code_4"}),
    ]
    if not factors:
        return suggested
    return [
        *suggested,
        of_codings("proportions", f"Accurate recall by {factors[0]}", {"success": "code_0", "group": factors[0]}),
        of_codings(
            "glmm",
            "Mixed logistic model of accurate recall",
            # Wald tests of such a model reject a true null hypothesis about twice as often as they should.
            {"formula": mixed_formula("code_0", factors), "tests": "f"},
        ),
        SuggestedAnalysis(
            "rm-anova", "Scores by participants (F1)", {"dv": "score", "within": within, "unit": "participant"}
        ),
        SuggestedAnalysis("rm-anova", "Scores by items (F2)", {"dv": "score", "within": within, "unit": "item"}),
        SuggestedAnalysis("min-f", "Participants and items together (minF′)", {"dv": "score", "within": within}),
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
    ]
