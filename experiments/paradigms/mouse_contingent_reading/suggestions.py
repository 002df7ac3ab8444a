"""Suggested analyses of mouse-contingent reading, after Zarrieß, Loth & Schlangen (2015), section 6.

Terms such as `z(pace)` and `z2(pace_1)` are z-scores within participants and within items, computed by the methods (in
cross-validation from training rows only).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.design.mixed_formulas import mixed_formula
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.pieces.rating_questions import FLUENCY_AND_CLARITY
from experiments.paradigms.suggested import MAGNITUDE, about_a_question

TEXT_TIMES = ("total_time", "pace", "speed", "first_pass_time")
AREA_TIMES = ("time", "pace", "speed")
FILLER = "filler"


def suggested_readings(
    factors: Mapping[str, Sequence[str]], settings: Mapping[str, Any], *, has_fillers: bool
) -> list[SuggestedAnalysis]:
    """Suggest mixed models of reading times and ratings, reading measures, means per condition, and the sequence of
    logistic models.

    The mixed models turn the question of the sequence round: times and ratings are predicted from the condition.

    The sequence first separates fillers, then the levels of the only factor from the last to the first, so materials
    that name the best condition first get the sequence of the paper.
    """
    ratings = [question["name"] for question in settings.get("ratings", FLUENCY_AND_CLARITY["en"])]
    areas = range(1, int(settings.get("areas_in_columns", 3)) + 1)
    kept = {"keep": "fillers"} if has_fillers else {}
    suggested = [
        SuggestedAnalysis("reading", "Reading measures per area and per text", dict(kept), table="visits"),
    ]
    if not factors:
        return suggested
    scores = [f"z({name})" for name in ratings]
    measures = [*scores, "z(pace)", "path_log", "z(speed)", "z(total_time)", "z(first_pass_time)"]
    measures += [f"z2({name}_{area})" for name in ("pace", "speed", "time") for area in areas]
    suggested.append(
        SuggestedAnalysis(
            "condition-means",
            "Means per condition, with the deviation between participants",
            {"measures": ",".join(measures), "condition": "condition", **kept},
        )
    )
    if len(factors) == 1:
        levels = [level for group in factors.values() for level in reversed(group)]
        if len(levels) > 1:
            suggested.append(_ladder([FILLER, *levels] if has_fillers else levels, scores, areas))
    reading_time = SuggestedAnalysis(
        "lmm",
        "The question turned round: reading time by condition",
        {"formula": mixed_formula("log(total_time)", tuple(factors), covariates=["log(words)"])},
    )
    questions = settings.get("ratings", FLUENCY_AND_CLARITY["en"])
    about = [
        one
        for question in questions
        for one in about_a_question(question["name"], tuple(factors), kind=question.get("kind", MAGNITUDE))
    ]
    firsts = [one for one in about if not one.is_companion]
    others = [one for one in about if one.is_companion]
    return [reading_time, *firsts, *suggested, *others]


def _ladder(levels: Sequence[str], scores: Sequence[str], areas: range) -> SuggestedAnalysis:
    text = [*TEXT_TIMES, *(f"z({name})" for name in TEXT_TIMES), "path_log"]
    of_areas = [f"{name}_{area}" for area in areas for name in AREA_TIMES]
    everything = [*text, *of_areas, *(f"z2({name})" for name in of_areas)]
    sets = {"Ratings": list(scores), "Text times": text}
    if of_areas:
        sets["All times"] = everything
    sets["Combined"] = [*scores, *everything]
    return SuggestedAnalysis(
        "logistic",
        "Which condition was it? Ratings against reading times",
        {
            "outcome": "condition",
            "sets": "; ".join(f"{name} = {', '.join(terms)}" for name, terms in sets.items() if terms),
            "ladder": ",".join(levels),
            "select": "backward",
        },
    )
