"""Codebook: columns from questionnaires (answers, scores, failed checks), and those of `answers.csv`."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.codebook.columns import ExportColumn, distinct, question_column, variable_column
from analysis.codebook.fixed import PARTICIPANT, SIMULATED, STUDY
from experiments.models import Study
from experiments.questionnaire import kinds
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.scores import all_variables, result_variables
from experiments.questionnaire.variables import Variable, answer_variables, columns_of

# Questions of these kinds have had a column in `trials.csv`, or none, since there are exports: they keep their place.
EARLIER_KINDS = (kinds.CHOICE, kinds.TEXT, kinds.NUMBER)


def questionnaire_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of all answers in the order of the questions, then of scores and failed checks."""
    columns = []
    for question in study.shown_questions:
        if question["kind"] in EARLIER_KINDS:
            name = distinct(str(question["name"]), taken=taken, prefix="answer")
            columns.append(question_column(question, name=name))
        else:
            columns += _columns(answer_variables([question]), taken)
    return (*columns, *_columns(result_variables(study.shown_questions), taken))


def further_variables(questions: Sequence[Question]) -> list[Variable]:
    """Return the variables that stand at the end of a row of `trials.csv`: what can serve there as a covariate, factor
    or item, without words, and without the answers that have their place before.
    """
    earlier = {name for question in questions if question["kind"] in EARLIER_KINDS for name in columns_of(question)}
    return [
        variable
        for variable in all_variables(questions)
        if variable.name not in earlier and variable.type in ("number", "truth", "choice", "several")
    ]


def further_columns(study: Study, *, taken: set[str]) -> tuple[ExportColumn, ...]:
    """Return the columns of `further_variables`."""
    return _columns(further_variables(study.shown_questions), taken)


def _columns(variables: Sequence[Variable], taken: set[str]) -> tuple[ExportColumn, ...]:
    return tuple(
        variable_column(variable, name=distinct(variable.name, taken=taken, prefix="answer")) for variable in variables
    )


STATES = ("answered", "no answer", "not shown")
ANSWER_COLUMNS = (
    STUDY,
    PARTICIPANT,
    ExportColumn("part", "text", "The part of the study that asked; the background questions are `background`."),
    ExportColumn(
        "question", "text", "Name of the question, or <question>_<item> of a matrix: its column in participants.csv."
    ),
    ExportColumn(
        "answer",
        "text",
        "The answer, as in participants.csv: several choices separated by a bar, languages as JSON; empty where there "
        "is none.",
    ),
    ExportColumn(
        "rt_ms",
        "number",
        "From the onset of the page to the first change of the answer; empty where the browser recorded none.",
        "ms",
        role="measure",
    ),
    ExportColumn(
        "changed",
        "integer",
        "How often the answer was given or changed: 1 where the first one stayed; of all items of a matrix together.",
        "changes",
        role="measure",
    ),
    ExportColumn("last_ms", "number", "From the onset of the page to the last change of the answer.", "ms"),
    ExportColumn("attempt", "integer", "1, or 2 where the questions were asked again after a check was not passed."),
    ExportColumn(
        "state",
        "text",
        "Whether there is an answer; none where the participant preferred not to say or left it out.",
        values=STATES,
    ),
    ExportColumn("expected", "boolean", "Check items: whether the answer is the expected one; empty for others."),
    SIMULATED,
)
