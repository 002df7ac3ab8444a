"""docs/exports.md says what the exported files hold: every file, every column, in the words of the codebook."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from analysis.codebook import fixed, materials, people, questionnaires, tables, trials
from analysis.codebook.columns import CODEBOOK_COLUMNS, ExportColumn, measure_column
from analysis.coding import queues
from analysis.coding.saving import save
from analysis.exports import export_files
from experiments.paradigms import paradigm_named
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study
from tests.analysis.studies import add_participants, make_study

ROOT = Path(__file__).resolve().parents[3]
PARADIGM = paradigm_named("magnitude-estimation")

DOCUMENTED: dict[str, tuple[ExportColumn, ...]] = {
    "trials.csv": (
        *fixed.PERSON,
        *fixed.PLACE,
        *fixed.STIMULUS,
        *fixed.SHOWN,
        *(measure_column(measure) for measure in PARADIGM.measures),
        *trials.derived_columns(PARADIGM.measures),
        trials.FINAL_SCORE,
        trials.CODING,
        *fixed.RESPONSE,
        *fixed.SESSION_FACTS,
        *fixed.ANSWERED,
        *fixed.CERTAINTY,
        *fixed.CONDUCT,
    ),
    "codings.csv": (
        *fixed.PERSON,
        fixed.POSITION,
        *fixed.STIMULUS,
        tables.IS_FILLER,
        *tables.RECALLED,
        *tables.GIVEN,
        *tables.WORKED,
        *tables.LEFT_OUT,
    ),
    "pairs.csv": tables.PAIR_COLUMNS,
    "participants.csv": (
        *people.PARTICIPANT_FACTS,
        *(measure_column(measure) for measure in PARADIGM.quality_measures()),
    ),
    "answers.csv": questionnaires.ANSWER_COLUMNS,
    "sessions.csv": people.SESSION_FACTS_OF_A_ROW,
    "events.csv": people.EVENT_COLUMNS,
    "flow.csv": people.FLOW_COLUMNS,
    "texts.csv": (
        *tables.TEXT_PLACE,
        *fixed.STIMULUS,
        tables.IS_FILLER,
        materials.TEXT_OF_MATERIALS,
    ),
    "codebook.csv": CODEBOOK_COLUMNS,
}


def document() -> str:
    return (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")


def described(file: str) -> list[tuple[str, str, str]]:
    """Return the rows of a file's table: column, type with unit, meaning with allowed values."""
    section = re.search(rf"^## {re.escape(file)}\n(.*?)(?=^## |\Z)", document(), re.MULTILINE | re.DOTALL)
    assert section is not None, file
    return re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", section[1], re.MULTILINE)


def in_words(column: ExportColumn) -> tuple[str, str, str]:
    kind = f"{column.type}, {column.unit}" if column.unit else column.type
    values = ", ".join(f"`{value}`" for value in column.values)
    return column.name, kind, f"{column.description} {values}".strip()


@pytest.mark.parametrize("file", DOCUMENTED)
def test_the_document_describes_every_column_as_the_codebook_does(file):
    assert described(file) == [in_words(column) for column in DOCUMENTED[file]]


def test_the_document_names_the_fixed_columns_of_the_materials():
    assert [name for name, *_ in described("materials.csv")] == ["item", "text", "item_set", "is_filler", "is_practice"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["rated", "recalled"])
def test_every_exported_file_is_named_and_every_column_of_it_is_in_the_codebook(kind):
    if kind == "rated":
        study = make_study()
        add_participants(study, 2)
    else:
        study = make_recall_study()
        add_recalls(study, 2)
        queue = make_coder(study)
        save(queue, queues.next_item(queue).recall_id, ["3"])
    files = {path: b"".join(pieces).decode("utf-8") for path, pieces in export_files(study)}
    missing = [path for path in files if f"| `{path}` |" not in document()]
    assert missing == []
    lines = list(csv.DictReader(io.StringIO(files["codebook.csv"], newline="")))
    explained = {(line["file"], line["column"]) for line in lines if line["description"]}
    columns = {
        (path, column)
        for path, content in files.items()
        if path.endswith(".csv")
        for column in next(csv.reader(io.StringIO(content, newline="")))
    }
    assert ("trials.csv", "rating" if kind == "rated" else "score") in columns
    assert ("codings.csv" in files) == (kind == "recalled")
    assert columns == explained


def test_the_document_names_every_fact_that_a_browser_reports():
    source = (ROOT / "frontend" / "src" / "session" / "client-facts.ts").read_text(encoding="utf-8")
    facts = re.findall(r"^    (\w+):", source, re.MULTILINE)
    assert "user_agent" in facts
    assert [fact for fact in facts if f"`client_{fact}`" not in document()] == []
