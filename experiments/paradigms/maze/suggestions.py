"""Suggested analyses of a Maze study: times and errors at the critical region and the one after it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.suggested import companions

# Only times of sentences without an error so far.
RIGHT = "correct = true and errors_before = 0"
CRITICAL = f"from_critical = 0 and {RIGHT}"
AROUND = f"from_critical >= -1 and from_critical <= 2 and {RIGHT}"


def suggested_mazes(factors: Sequence[str]) -> list[SuggestedAnalysis]:
    """Suggest mixed models of log times at the critical region and the next, a mixed logistic model of errors, and
    companions; nothing without factors.
    """
    if not factors:
        return []
    within = ",".join(factors)
    region = mixed_formula("log(rt_ms)", factors, covariates=["characters"])
    of_regions = partial(SuggestedAnalysis, table="regions")
    return [
        of_regions(
            "lmm",
            "Critical region: mixed model of log times, right so far",
            {"formula": region, "where": CRITICAL},
        ),
        of_regions(
            "lmm",
            "The region after it: mixed model of log times, right so far",
            {"formula": region, "where": f"from_critical = 1 and {RIGHT}"},
        ),
        of_regions(
            "glmm",
            "Critical region: mixed logistic model of right choices",
            {
                "formula": mixed_formula("correct", factors),
                "positive": "true",
                # Wald tests of such a model reject a true null hypothesis in 6 to 8 % of studies.
                "tests": "f",
                "where": "from_critical = 0 and errors_before = 0",
            },
        ),
        of_regions(
            "regions",
            "Region by region around the critical one: mixed models of log times, right so far",
            {"formula": region, "where": AROUND},
        ),
        of_regions(
            "rm-anova",
            "Regions around the critical one, by condition",
            {"dv": "rt_ms", "within": f"{within},from_critical", "where": AROUND, "unit": "participant"},
            is_companion=True,
        ),
        *companions("rt_ms", factors, title="Critical region", table="regions", where=CRITICAL, pairs=False),
    ]
