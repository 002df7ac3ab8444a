"""Content of the plan page: planned analyses and their reports, further suggestions, excluded sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis.codebook.questions import question
from analysis.computing.parameters import checked_params
from analysis.data.tables import table_named
from analysis.exports.of_task import task_label
from analysis.exports.reports import words_of as names_of
from analysis.exports.rows.flow import study_flow
from analysis.exports.rows.stages import Stage
from analysis.methods import registry
from analysis.methods.error_rates.recorded import rates_of
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.studies.asking import params_in_words
from analysis.studies.planned import planned_analyses, planned_study, run_of
from analysis.studies.sequential import refusal_of, words_of
from analysis.views.asking import question_of_suggestion, suggestions
from experiments.models import Study
from experiments.paradigms.base import SuggestedAnalysis
from experiments.rules.plan import is_planned, primary_of
from experiments.rules.sequential import SequentialPlan
from experiments.sentences import Sentence
from experiments.views.page import shown_of
from participants.session.planned_exclusion import rule_in_words


@dataclass(frozen=True)
class Planned:
    """A planned analysis on the page, with its report where there is one."""

    index: int
    slug: str
    part: str
    task: str
    title: str
    method: str
    question: str
    params: str
    refusal: str
    run: AnalysisRun | None
    asks_for_study: bool
    # What it says about when the study stops, and whether it could decide that.
    sequential: str = ""
    can_decide: bool = False
    family: str = ""
    # Which analysis the button that takes it out stood beside.
    shown: str = ""
    # In how many ways the plan analyses the same measure, and which one is primary where it is another.
    ways: int = 1
    primary: str = ""


def planned_of(study: Study, user: Any) -> list[Planned]:
    """Return the planned analyses of a study, each with its report or why it cannot be run yet."""
    analyses = planned_analyses(study)
    return [
        replace(
            _planned(study.seen_through(analysis["part"]), user, index, analysis),
            primary=analyses[primary]["title"] if primary != index else "",
            ways=ways,
        )
        for index, analysis in enumerate(analyses)
        for primary, ways in [primary_of(analyses, index)]
    ]


def _planned(study: Study, user: Any, index: int, analysis: Mapping[str, Any]) -> Planned:
    refusal, run = "", None
    try:
        run = run_of(study, analysis, user)
        planned_study(study, analysis, user)
    except BadInput as fault:
        refusal = str(fault)
    known = registry.analyses()
    asked = analysis["method"]
    if asked in known:
        asked = question(known[asked], analysis["params"], names_of(study))
    return Planned(
        index=index,
        slug=study.slug,
        part=analysis["part"],
        task=task_label(study, analysis["part"]),
        title=analysis["title"],
        method=analysis["method"],
        question=asked,
        params=params_in_words(analysis["params"], table=analysis["table"], other=analysis.get("other_study", "")),
        refusal=refusal,
        run=run,
        asks_for_study=asks_for_study(study, analysis),
        sequential=words_of(SequentialPlan.of(analysis["sequential"])) if analysis.get("sequential") else "",
        can_decide=not refusal and not refusal_of(study, analysis),
        family=analysis.get("family", ""),
        shown=shown_of(analysis),
    )


def asks_for_study(study: Study, analysis: Mapping[str, Any]) -> bool:
    """Return whether a planned analysis that can be computed needs another study, which the plan does not name."""
    try:
        checked_params(study, method=analysis["method"], params=analysis["params"], table=analysis["table"])
    except BadInput:
        return False
    return needs_study(study, analysis["table"]) and not analysis.get("other_study")


def needs_study(study: Study, table: str) -> bool:
    """Return whether a table of the study is made with another one."""
    try:
        return table_named(study, table).needs_other_study
    except BadInput:
        return False


def offers_of(study: Study) -> list[dict[str, Any]]:
    """Return the suggestions for a task that are not in the plan yet, with their place among all suggestions."""
    planned, part = planned_analyses(study), study.chosen_task
    return [
        {
            "index": index,
            "question": question_of_suggestion(study, offer),
            "params": params_in_words(offer.params, table=offer.table),
            "names_study": needs_study(study, offer.table),
            "method": offer.method,
            "rates": None if offer.with_attribute else rates_of(offer.method, offer.params),
        }
        for index, offer in sorted(enumerate(suggestions(study)), key=lambda one: one[1].is_companion)
        if not is_planned(planned, method=offer.method, table=offer.table, params=offer.params, part=part)
    ]


def of_questions(study: Study) -> list[SuggestedAnalysis]:
    """Return the first analysis of every rating question of a task, where there are several questions; else nothing."""
    firsts: dict[str, SuggestedAnalysis] = {}
    for offer in suggestions(study):
        if offer.question and not offer.is_companion:
            firsts.setdefault(offer.question, offer)
    return list(firsts.values()) if len(firsts) > 1 else []


def offers_family(study: Study) -> bool:
    """Return whether the first analyses of several questions could be planned as one family, and are not."""
    planned, part = planned_analyses(study), study.chosen_task
    return any(
        not is_planned(
            [one for one in planned if one.get("family")],
            method=offer.method,
            table=offer.table,
            params=offer.params,
            part=part,
        )
        for offer in of_questions(study)
    )


# Reasons that exports state, beside those of rules and those that researchers wrote.
REASONS = {str(reason): reason for reason in (Sentence("session not finished"), Sentence("no reason given"))}


def said_flow(study: Study) -> list[Stage]:
    """Return the stages of people and trials with reasons that a page says in its language."""
    stages = []
    for stage in study_flow(study):
        reasons = [REASONS.get(left.reason) or rule_in_words(study, left.reason) for left in stage.left_out]
        said = (replace(left, reason=reason) for left, reason in zip(stage.left_out, reasons, strict=True))
        stages.append(replace(stage, left_out=tuple(said)))
    return stages
