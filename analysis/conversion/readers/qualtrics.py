"""Read results of Qualtrics: a row for each response, below a header of names, of questions, and of import ids."""

from __future__ import annotations

from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, identifier

_COLUMNS = Columns(
    "Qualtrics",
    needs=(),
    names={
        "started_at": ("StartDate", "V8"),
        "ended_at": ("EndDate", "V9"),
        "duration_s": ("Duration (in seconds)",),
    },
    # An id that the survey was given goes before the number of the response.
    people=("PROLIFIC_PID", "ResponseId", "ResponseID", "V1"),
    runs=(),
    note="A row is one response with a column for each question; the codebook says what was asked.",
)
_TESTS = ("Survey Preview", "Survey Test", "Spam", "1", "2", "8")


def _recognised(source: Source) -> bool:
    there = set(source.columns)
    modern = bool(there & {"ResponseId", "ResponseID"}) and bool(there & {"StartDate", "RecordedDate", "EndDate"})
    return modern or any("ImportId" in value for _line, cells in source.records[1:3] for value in cells)


def _read(source: Source) -> Converted:
    header = next((place for place in (1, 0) if _has_ids(source, place)), None)
    # Older exports have the questions alone below the names; those that were tidied have neither.
    above = header + 1 if header is not None else int(_asks(source))
    questions = source.records[1][1] if above else []
    found = _COLUMNS.table(source, source.rows[above:])
    asked = {
        name: " ".join(question.split())
        for name, question in zip(source.header, questions, strict=False)
        if question.strip() and "ImportId" not in question
    }
    ours = {given: own for own, given in found.sources.items()}
    found.meanings |= {
        ours[name]: question for name, question in asked.items() if ours.get(name, "") == identifier(name)
    }
    tests = sum(str(row.get("status")) in _TESTS for row in found.rows)
    if tests:
        found.notes.append(f"Responses that are previews, tests or spam by their status were kept ({tests}).")
    return found


def _has_ids(source: Source, place: int) -> bool:
    rows = source.rows[place : place + 1]
    return bool(rows) and any("ImportId" in str(value) for value in rows[0].values())


def _asks(source: Source) -> bool:
    """Say whether the row below the names says "Start Date" or the like where other rows have a date."""
    first = source.rows[0] if source.rows else {}
    return any(
        str(first.get(name) or "").replace(" ", "").casefold() == name.casefold()
        for name in ("StartDate", "EndDate", "ResponseId", "ResponseID")
    )


QUALTRICS = Reader(
    "Qualtrics",
    files="CSV and TSV with numbers or choice texts",
    becomes="the second and third row are taken off, the questions are in the codebook; `PROLIFIC_PID` or else "
    "`ResponseId` → `participant`, `StartDate` → `started_at`, `Duration (in seconds)` → `duration_s`; a row "
    "for each response",
    documentation="https://www.qualtrics.com/support/survey-platform/data-and-analysis-module/data/download-data/"
    "understanding-your-dataset/",
    recognised=_recognised,
    read=_read,
)
