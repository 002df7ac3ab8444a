"""Suggested analyses of a timed choice. Pure.

Reaction times are those of correct answers (if answers can be correct): as logarithms, as −1000/RT (for times whose
logarithms are still skewed), and as means in milliseconds by participants and by items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.suggested import about_categories, companions
from experiments.paradigms.timed_choice.answers import WITHHELD, answers_in

RIGHT = {"where": "correct = true"}
SUMS = {"contrasts": "sum"}


def choice_suggestions(factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
    """Suggest analyses for a study with these factors and settings, those of reaction times first."""
    if not factors:
        return _sensitivity(settings)
    scored = settings.get("scored", True)
    rows, of_what = (RIGHT, "right answers") if scored else ({}, "all answers")
    suggested = [
        SuggestedAnalysis(
            "lmm",
            f"Mixed model of log reaction times, {of_what}",
            {"formula": mixed_formula("log_rt", factors), **SUMS, **rows},
        ),
        SuggestedAnalysis(
            "lmm",
            f"The same of −1000/RT, {of_what}",
            {"formula": mixed_formula("inverse_rt", factors), **SUMS, **rows},
        ),
    ]
    # Wald tests of such a model reject a true null hypothesis about twice as often as they should.
    logistic = {**SUMS, "tests": "f"}
    if scored:
        formula = mixed_formula("correct", factors)
        suggested.append(
            SuggestedAnalysis("glmm", "Mixed logistic model of accuracy", {"formula": formula, **logistic})
        )
    elif len(answers := answers_in(str(settings.get("answers", "")))) == 2:
        formula = mixed_formula("choice", factors)
        title = f"Mixed logistic model of the answer “{answers[0].name}”"
        suggested.append(
            SuggestedAnalysis("glmm", title, {"formula": formula, "positive": answers[0].name, **logistic})
        )
    elif len(answers) > 2:
        suggested += about_categories("choice", factors, title="The answers")
    where = rows.get("where", "")
    means = companions("rt_ms", factors, title=f"Mean reaction times, {of_what}", where=where, pairs=False)
    return [*suggested, *_sensitivity(settings), *means]


def _sensitivity(settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
    """Suggest d′ over all texts including fillers, which often are the noise trials."""
    if not settings.get("scored", True) or not settings.get("signal"):
        return []
    params = {
        "response": "choice",
        "target": "right_answer",
        "signal": str(settings["signal"]),
        "participant": "participant",
        "keep": "fillers",
    }
    if settings.get("withheld"):
        params["withheld"] = WITHHELD
    return [SuggestedAnalysis("signal-detection", f"Sensitivity to “{settings['signal']}”, fillers too", params)]
