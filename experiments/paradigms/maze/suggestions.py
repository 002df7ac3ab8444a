"""The analyses that a Maze study begins with: the critical region and the one after it, times and errors."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis

# Times are those of sentences that were right so far.
RIGHT = "correct = true and errors_before = 0"
CRITICAL = f"from_critical = 0 and {RIGHT}"


def suggested_mazes(factors: Sequence[str]) -> list[SuggestedAnalysis]:
    """Return mixed models of log times at the critical region and after it, a mixed logistic model of the errors, and
    analyses of variance; nothing without factors."""
    if not factors:
        return []
    within = ",".join(factors)
    region = mixed_formula("log(rt_ms)", factors, covariates=["characters"])
    return [
        SuggestedAnalysis(
            "lmm",
            "Critical region: mixed model of log times, right so far",
            {"formula": region, "where": CRITICAL},
            table="regions",
        ),
        SuggestedAnalysis(
            "lmm",
            "The region after it: mixed model of log times, right so far",
            {"formula": region, "where": f"from_critical = 1 and {RIGHT}"},
            table="regions",
        ),
        SuggestedAnalysis(
            "glmm",
            "Critical region: mixed logistic model of right choices",
            {
                "formula": mixed_formula("correct", factors),
                "positive": "true",
                # Wald tests of such a model reject a true null hypothesis in 6 to 8 % of studies.
                "tests": "f",
                "where": "from_critical = 0 and errors_before = 0",
            },
            table="regions",
        ),
        SuggestedAnalysis(
            "regions",
            "Region by region around the critical one: mixed models of log times, right so far",
            {"formula": region, "where": f"from_critical >= -1 and from_critical <= 2 and {RIGHT}"},
            table="regions",
        ),
        SuggestedAnalysis(
            "rm-anova",
            "Regions around the critical one, by condition",
            {
                "dv": "rt_ms",
                "within": f"{within},from_critical",
                "where": f"from_critical >= -1 and from_critical <= 2 and {RIGHT}",
                "unit": "participant",
            },
            table="regions",
        ),
        SuggestedAnalysis(
            "rm-anova",
            "Critical region: ANOVA by participants",
            {"dv": "rt_ms", "within": within, "where": CRITICAL, "unit": "participant"},
            table="regions",
        ),
        SuggestedAnalysis(
            "rm-anova",
            "Critical region: ANOVA by items",
            {"dv": "rt_ms", "within": within, "where": CRITICAL, "unit": "item"},
            table="regions",
        ),
    ]
