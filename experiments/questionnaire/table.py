"""Read and write a questionnaire as CSV, one row per question; all faults with line and column. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from experiments.formats.csvtext import BrokenTable, csv_rows, csv_text, decoded, sniffed_delimiter, without_declaration
from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.faults import numbered_faults
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.written import COLUMNS, cells_of, fitted, question_from
from experiments.sentences import Sentence

NEEDED = ("name", "label", "kind")
MAX_BYTES = 1024 * 1024
STEP = "procedure"
BEGIN = Sentence("Download the template and start from it.")


def read_questions(data: bytes) -> tuple[list[dict[str, Any]], list[Fault]]:
    """Return the complete questions of a CSV file and all faults; no questions if there are faults.

    Columns are those of `written.COLUMNS`, in any order; commas, semicolons or tabs between them.
    """
    if len(data) > MAX_BYTES:
        return [], [
            Fault(message=Sentence("The file is larger than 1 MB, which is too large for a questionnaire."), step=STEP)
        ]
    try:
        text = decoded(data).text
        text, declared = without_declaration(text)
        rows = csv_rows(text, delimiter=declared or sniffed_delimiter(text, expected=NEEDED))
    except BrokenTable as broken:
        return [], [Fault(line=broken.line, message=str(broken), step=STEP)]
    if not rows:
        return [], [Fault(message=Sentence("The file is empty."), suggestion=BEGIN, step=STEP)]
    (header_line, header), *records = rows
    names = [name.strip().casefold().removeprefix("\ufeff") for name in header]
    faults = _header_faults(header_line, header, names)
    if not records:
        faults.append(Fault(message=Sentence("The table has a header but no questions."), step=STEP))
    if any(name not in names for name in NEEDED):
        return [], faults
    questions: list[dict[str, Any]] = []
    lines: list[int] = []
    for line, cells in records:
        if len(cells) > len(names) and any(cell.strip() for cell in cells[len(names) :]):
            message = Sentence("The row has {cells} cells, the header {names}.", cells=len(cells), names=len(names))
            suggestion = Sentence("Put texts with commas in quotes.")
            faults.append(Fault(line=line, message=message, suggestion=suggestion, step=STEP))
        given = dict(zip(names, cells, strict=False))
        question, said = question_from(given)
        faults += [
            Fault(line=line, column=column, message=message, suggestion=suggestion, step=STEP)
            for column, message, suggestion in said
        ]
        if question.get("shown_if"):
            question["shown_if"] = fitted(question["shown_if"], questions)
        questions.append(question)
        lines.append(line)
    for number, fault in numbered_faults(questions):
        faults.append(replace(fault, line=lines[number - 1] if number else None))
    if faults:
        return [], sorted(faults, key=lambda fault: fault.line or 0)
    return [complete_question(question) for question in questions], []


def _header_faults(line: int, header: Sequence[str], names: Sequence[str]) -> list[Fault]:
    faults = [
        Fault(
            line=line,
            column=shown.strip(),
            message=Sentence("There is no column with this name."),
            suggestion=_meant(name),
            step=STEP,
        )
        for shown, name in zip(header, names, strict=True)
        if name and name not in COLUMNS
    ]
    faults += [
        Fault(line=line, column=name, message=Sentence("The column appears twice."), step=STEP)
        for name in dict.fromkeys(names)
        if name and names.count(name) > 1
    ]
    missing = [name for name in NEEDED if name not in names]
    if missing:
        message = Sentence("The table lacks the columns {names}.", names=listed(missing))
        faults.append(Fault(line=line, message=message, suggestion=BEGIN, step=STEP))
    return faults


def _meant(name: str) -> str:
    return did_you_mean(name, COLUMNS) or Sentence("Possible names: {names}.", names=", ".join(COLUMNS))


def written_questions(questions: Sequence[Question], *, excel: bool = False) -> str:
    """Return a questionnaire as the text of a CSV file that `read_questions` reads."""
    rows = [list(cells_of(question).values()) for question in questions]
    return csv_text(list(COLUMNS), rows, excel=excel)


TEMPLATE: tuple[Question, ...] = (
    {"name": "welcome", "label": "Now some questions about you.", "kind": "information"},
    {"name": "hand", "label": "With which hand do you write?", "kind": "choice", "choices": ["left", "right", "both"]},
    {
        "name": "devices",
        "label": "What do you read on?",
        "kind": "several",
        "choices": ["paper", "telephone", "computer"],
        "random_order": True,
    },
    {
        "name": "books",
        "label": "How many books did you read in the last year?",
        "kind": "number",
        "minimum": 0,
        "unit": "books",
    },
    {"name": "birth_year", "label": "In which year were you born?", "kind": "birth-year"},
    {"name": "job", "label": "What is your work?", "kind": "text"},
    {
        "name": "left_since",
        "label": "Have you always written with your left hand?",
        "kind": "long-text",
        "decline": False,
        "shown_if": {"question": "hand", "operator": "is", "value": "left"},
    },
    {
        "name": "tired",
        "label": "How tired are you?",
        "kind": "scale",
        "points": 5,
        "labels": ["wide awake", "very tired"],
        "score": {"scale": "alertness", "how": "mean", "reverse": True},
    },
    {
        "name": "now",
        "label": "How far does this hold of you now?",
        "kind": "matrix",
        "required": True,
        "points": 5,
        "labels": ["not at all", "very much"],
        "random_order": True,
        "items": [
            {"name": "awake", "label": "I am wide awake."},
            {"name": "drifting", "label": "My thoughts are drifting.", "reverse": True},
            {"name": "check", "label": "Please choose the second point here.", "expected": 2},
        ],
        "score": {"scale": "alertness", "how": "mean"},
    },
    {"name": "mood", "label": "How is your mood?", "kind": "slider", "labels": ["bad", "good"]},
    {"name": "languages", "label": "Which languages do you know?", "kind": "languages"},
    {"name": "honest", "label": "I have answered with care.", "kind": "statement", "required": True},
)
