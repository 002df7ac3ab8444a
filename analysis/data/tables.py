"""List the tables of a study on which analyses can run, by their names in exports.

`trials`, `codings`, the long tables of the paradigm and `texts` are read exactly as they are exported to
`<table>.csv`; `pairs` joins the study with another one and is in the ZIP archive of its report. `texts` are the
materials, which are there before anybody has taken part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from analysis.codebook.columns import ExportColumn, names
from analysis.codebook.fixed import RATING
from analysis.codebook.tables import PAIR_COLUMNS
from analysis.codebook.trials import trial_columns
from analysis.exports.cells import csv_pieces
from analysis.exports.rows.pairs import PAIRS, pair_rows, rated_task
from analysis.exports.sheets import TEXTS as TEXTS_SHEET
from analysis.exports.sheets import TRIALS, Sheet, table_sheets
from analysis.methods.report import BadInput
from experiments.formats.faults import enumerated
from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.sentences import Sentence
from experiments.study.access import studies_for

TEXTS = TEXTS_SHEET.name


@dataclass(frozen=True)
class StudyTable:
    """One table: its name in exports, what its rows are, and whether it needs another study."""

    name: str
    title: str
    needs_other_study: bool = False

    @property
    def file(self) -> str:
        return f"{self.name}.csv"


def tables_of(study: Study) -> list[StudyTable]:
    """Return the tables of a study, trials first."""
    tables = [StudyTable(sheet.name, sheet.title) for sheet in (*table_sheets(study), TEXTS_SHEET)]
    if paradigm_named(study.paradigm).coded_measure_of(study.settings):
        title = _("One row for every item and pair of conditions: scores against the ratings of another study.")
        tables.append(StudyTable(PAIRS, title, needs_other_study=True))
    return tables


def table_named(study: Study, name: str) -> StudyTable:
    """Return a table of a study. Raises BadInput, naming those that exist."""
    tables = tables_of(study)
    for table in tables:
        if table.name == name:
            return table
    known = enumerated([table.name for table in tables])
    raise BadInput(Sentence("The study has no table '{name}'. Its tables are: {known}.", name=name, known=known))


def columns_of(study: Study, table: str) -> tuple[ExportColumn, ...]:
    """Return the columns of a table. Raises BadInput where the study has no such table."""
    if table_named(study, table).needs_other_study:
        return PAIR_COLUMNS
    return _sheet(study, table).columns(study)


def table_pieces(study: Study, table: str, *, other: Study | None = None) -> Iterator[bytes]:
    """Yield a table as its CSV file. Raises BadInput where there is no such table, or the other study is missing."""
    if not table_named(study, table).needs_other_study:
        sheet = _sheet(study, table)
        yield from csv_pieces(sheet.columns(study), sheet.rows(study))
        return
    checked_other(study, table, other)
    if other is not None:
        yield from csv_pieces(PAIR_COLUMNS, pair_rows(study, other))


def checked_other(study: Study, table: str, other: Study | None) -> None:
    """Raise BadInput where a table needs another study and has none, or has one and needs none."""
    needed = table_named(study, table).needs_other_study
    if needed and other is None:
        raise BadInput(
            Sentence(
                "The table {table} compares the study with another one; choose the study with the ratings.", table=table
            )
        )
    if not needed and other is not None:
        raise BadInput(
            Sentence("The table {table} has data of this study only; do not name another study.", table=table)
        )
    if other is not None:
        rated_task(other)


def studies_to_compare(study: Study, user: Any) -> list[Study]:
    """Return the studies that somebody may see and whose ratings can be compared with this study's scores."""
    rated = [paradigm.slug for paradigm in PARADIGMS if RATING in {measure.name for measure in paradigm.measures}]
    studies = studies_for(user).exclude(pk=study.pk).filter(parts__paradigm__in=rated).distinct().order_by("title")
    return [other for other in studies if f"{RATING}_z" in names(trial_columns(other).all)]


def _sheet(study: Study, table: str) -> Sheet:
    return next((sheet for sheet in (*table_sheets(study), TEXTS_SHEET) if sheet.name == table), TRIALS)
