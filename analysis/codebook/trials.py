"""Codebook: columns of `trials.csv`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from analysis.codebook.columns import ExportColumn, distinct, measure_column, question_column, shared_column
from analysis.codebook.fixed import (
    ANSWERED,
    CERTAINTY,
    CONDUCT,
    FIXED,
    PERSON,
    PLACE,
    RATING,
    RESPONSE,
    SESSION_FACTS,
    SHOWN,
    STIMULUS,
)
from analysis.codebook.materials import attribute_columns, factor_columns, metric_columns, task_measures
from analysis.codebook.questionnaires import further_columns
from experiments.models import Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Measure
from experiments.paradigms.declarations import MeasureType
from experiments.procedure.sequence import groups_of
from experiments.rules.procedure import is_repeated
from experiments.study.schemes import scheme_of

Columns = tuple[ExportColumn, ...]


@dataclass(frozen=True, kw_only=True)
class TrialColumns:
    """The columns of `trials.csv` of one study, in the order of the file, by where their values come from."""

    person: Columns = PERSON
    place: Columns = PLACE
    stimulus: Columns = STIMULUS
    factors: Columns
    shown: Columns = SHOWN
    measures: Columns
    derived: Columns
    of_visits: Columns
    coding: Columns
    response: Columns = RESPONSE
    session: Columns = SESSION_FACTS
    answered: Columns = ANSWERED
    attributes: Columns
    metrics: Columns
    background: Columns
    certainty: Columns = CERTAINTY
    parts: Columns
    questionnaire: Columns
    conduct: Columns = CONDUCT
    arranged: Columns

    @property
    def all(self) -> Columns:
        return tuple(column for section in fields(self) for column in getattr(self, section.name))


def trial_columns(study: Study) -> TrialColumns:
    """Return the columns of `trials.csv` of `study`.

    A factor, an attribute or a question whose name is taken by another column gets a prefix that says what it is:
    `factor_list`, `attribute_text`, `answer_item`. Of several tasks the columns of all are there, each once; its
    description says of which task it is. `study.seen_through(task)` has those of one task, or of a pool of tasks,
    alone, under the same names.
    """
    if not study.has_several_tasks:
        return _columns_of_tasks([study])[0]
    tasks = [task.name for task in study.tasks]
    by_task = dict(zip(tasks, _columns_of_tasks([study.seen_through(task) for task in tasks]), strict=True))
    if not study.shows_several_tasks:
        return by_task[study.task.name]
    union = _union({task.name: by_task[task.name] for task in study.seen_tasks})
    return replace(union, parts=(part_of_pool(study, union.parts[0]), *union.parts[1:])) if study.chosen_task else union


def part_of_pool(study: Study, column: ExportColumn) -> ExportColumn:
    """Return the column `part` of a pool: the tasks of the pool are its values, and analyses may use it."""
    return replace(column, values=tuple(task.name for task in study.seen_tasks), role="factor")


def _columns_of_tasks(studies: Sequence[Study]) -> list[TrialColumns]:
    """Return the columns of every task of a study, which is given as it is seen through each of them.

    What a column of one task is called must not hang on which table it stands in, nor may columns of two tasks share a
    name unless they hold the same: a name is taken where any task has it in a section before.
    """
    whole = studies[0]
    measures = [task_measures(study) for study in studies]
    derived = [derived_columns(own) for own in measures]
    of_visits = [
        tuple(map(measure_column, paradigm_behind(study.paradigm).visit_measures(study.settings))) for study in studies
    ]
    coding = [final_code_columns(study) for study in studies]
    taken = FIXED | {measure.name for own in measures for measure in own}
    taken |= {column.name for own in (*derived, *of_visits, *coding) for column in own}
    factors = _of_each(studies, factor_columns, taken)
    attributes = _of_each(studies, attribute_columns, taken)
    metrics = _of_each(studies, metric_columns, taken)
    background = tuple(
        question_column(question, name=distinct(str(question["name"]), taken=taken, prefix="answer"))
        for question in between_questions(whole)
    )
    parts = part_columns(whole, taken=taken)
    if len(studies) > 1:
        taken |= {column.name for column in parts}
    questionnaire = further_columns(whole, taken=taken)
    taken |= {column.name for column in questionnaire}
    arranged = _of_each(studies, arranged_columns, taken)
    return [
        TrialColumns(
            factors=factors[number],
            measures=tuple(measure_column(measure) for measure in measures[number]),
            derived=derived[number],
            of_visits=of_visits[number],
            coding=coding[number],
            attributes=attributes[number],
            metrics=metrics[number],
            background=background,
            parts=parts,
            questionnaire=questionnaire,
            arranged=arranged[number],
        )
        for number in range(len(studies))
    ]


def _of_each(studies: Sequence[Study], columns_of: Callable[..., Columns], taken: set[str]) -> list[Columns]:
    """Return a section of every task: tasks share a name in it, which is taken for the sections after it."""
    found = [columns_of(study, taken=set(taken)) for study in studies]
    taken.update(column.name for columns in found for column in columns)
    return found


def part_columns(study: Study, *, taken: set[str]) -> Columns:
    """Return the columns that say to which part a row belongs and, where a study has them, of which group and language.

    They came after studies with factors of these names, so it is they that give way.
    """
    columns = [
        ExportColumn(
            "study_part" if "part" in taken else "part",
            "text",
            "The part of the study that the trial belongs to.",
            values=tuple(part.name for part in study.ordered_parts),
        )
    ]
    if study.groups:
        columns.append(
            ExportColumn(
                "study_group" if "group" in taken else "group",
                "text",
                "The group of the participant; empty where it was not decided.",
                values=tuple(group.name for group in groups_of(study)),
                role="factor",
            )
        )
    return (*columns, *language_column(study, taken=taken))


def language_column(study: Study, *, taken: set[str]) -> Columns:
    """Return the column for the language in which somebody took part; none in a study in one."""
    if not study.languages:
        return ()
    return (
        ExportColumn(
            "study_language" if "language" in taken else "language",
            "text",
            "The language in which the participant read the study, by its tag.",
            values=tuple(study.said_in(tag).participants_language for tag in ("", *study.languages)),
            role="factor",
        ),
    )


def arranged_facts(study: Study) -> tuple[str, ...]:
    """Return what trials of a task say of their arrangement: its blocks, and how often an item has come before.

    Only where the procedure makes blocks or repeats something; files of other studies do not change.
    """
    procedure = study.procedure
    of_blocks = ("block", "block_number") if procedure.get("block_by") else ()
    return (*of_blocks, *(("repetition", "item_repetition") if is_repeated(procedure) else ()))


def arranged_columns(study: Study, *, taken: set[str]) -> Columns:
    """Return the columns of `arranged_facts`."""
    which = "it was for the participant in the task, from 1; empty for practice and for trials without a text."
    said: Mapping[str, tuple[MeasureType, str]] = {
        "block": (
            "text",
            "The block of trials, as the materials or chance made it; empty for practice before the first block.",
        ),
        "block_number": ("integer", "The how many-th block it was for the participant, from 1."),
        "repetition": ("integer", f"The how many-th trial with this very text {which}"),
        "item_repetition": ("integer", f"The how many-th trial with this item, in whatever condition, {which}"),
    }
    return tuple(
        ExportColumn(distinct(name, taken=taken, prefix="arranged"), *said[name]) for name in arranged_facts(study)
    )


def _union(by_task: Mapping[str, TrialColumns]) -> TrialColumns:
    """Return the columns of all tasks, each where it first comes, as `shared_column` joins them."""
    sections: dict[str, Columns] = {}
    seen: set[str] = set()
    for section in fields(TrialColumns):
        found: dict[str, list[tuple[str, ExportColumn]]] = {}
        for task, columns in by_task.items():
            for column in getattr(columns, section.name):
                if column.name not in seen:
                    found.setdefault(column.name, []).append((task, column))
        seen |= set(found)
        sections[section.name] = tuple(shared_column(of_tasks, tasks=len(by_task)) for of_tasks in found.values())
    return TrialColumns(**sections)


def derived_columns(measures: Sequence[Measure]) -> Columns:
    """Return the columns that are computed from the ratings of one participant; none where nothing is rated.

    People use numbers differently, so what is compared between conditions is mostly one of these.
    """
    if RATING not in {measure.name for measure in measures}:
        return ()
    of = "Targets of the main phase only"
    return (
        ExportColumn(
            f"{RATING}_z",
            "number",
            f"{of}: (rating − mean) / standard deviation (n − 1) of the participant's ratings of targets; "
            "empty where a participant gave every target the same number.",
            "standard deviations",
            role="measure",
        ),
        ExportColumn(
            f"{RATING}_log",
            "number",
            f"{of}: log10 of the rating; empty where the rating is 0, which has no logarithm.",
            role="measure",
        ),
    )


def code_columns(study: Study, *, of: str) -> Columns:
    """Return one column for each code of a study's scheme."""
    return tuple(
        ExportColumn(
            f"code_{entry.code}",
            "integer",
            f"1 where the code {entry.code} was given, else 0{of}. {entry.description}",
            values=("0", "1"),
            role="measure",
        )
        for entry in scheme_of(study)
    )


def final_code_columns(study: Study) -> Columns:
    """Return the columns of the final codes in `trials.csv`; none where the paradigm has nothing that people code."""
    if not paradigm_behind(study.paradigm).coded_measure_of(study.settings):
        return ()
    return (*code_columns(study, of="; empty where there are no final codes"), FINAL_SCORE, CODING)


FINAL_SCORE = ExportColumn(
    "score",
    "number",
    "Sum of the weights of the final codes; empty where there are none.",
    role="measure",
)
CODING = ExportColumn(
    "coding",
    "text",
    "Where the final codes come from: settled by adjudication, agreed by all coders, of a single coder; unresolved "
    "where coders differ; empty where nobody coded.",
    values=("adjudicated", "agreed", "single", "unresolved"),
)


def between_questions(study: Study) -> list[Mapping[str, Any]]:
    """Return the background questions that can serve as between-participant columns of `trials.csv`.

    Answers in free words stay in `participants.csv`.
    """
    return [question for question in study.shown_questions if question.get("kind") in ("choice", "number")]
