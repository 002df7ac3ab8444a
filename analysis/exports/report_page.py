"""A report as one page that needs nothing beside it: for the archive, for co-authors, for print."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from analysis.exports.reports import report_from
from analysis.methods import registry
from analysis.methods.parameters import as_written
from analysis.methods.report import Figure, Report, Table
from analysis.models import AnalysisRun
from analysis.reports.apa import ShownTable, sentence_html, shown_table

ROWS_SHOWN = 100
# A table longer than this lists data rather than results: it is folded, and a few rows show what it is.
ROWS_OF_A_LISTING = 12
# The same where fewer rows have many columns, such as one for every feature of a text.
CELLS_SHOWN = 2000
CELLS_OF_A_LISTING = 600


@dataclass(frozen=True)
class Section:
    """A table of the report with the figures that draw it."""

    table: ShownTable
    figures: tuple[Figure, ...]
    number: int


def sections_of(report: Report) -> list[Section]:
    """Return the tables in order, each with the figures that draw it; long listings last and cut short."""
    numbered = list(enumerate(report.tables, start=1))
    numbered.sort(key=lambda entry: is_listing(entry[1]))
    return [
        Section(
            table=shown_table(table, limit=rows_shown(table)),
            figures=tuple(figure for figure in report.figures if figure.table == table.name),
            number=position,
        )
        for position, (_number, table) in enumerate(numbered, start=1)
    ]


def is_listing(table: Table) -> bool:
    """Say whether a table lists data rather than results."""
    return len(table.rows) > ROWS_SHOWN or len(table.rows) * len(table.columns) > CELLS_SHOWN


def rows_shown(table: Table) -> int:
    """Return how many rows of a table a page shows."""
    if not is_listing(table):
        return ROWS_SHOWN
    return min(ROWS_OF_A_LISTING, max(3, CELLS_OF_A_LISTING // len(table.columns)))


def report_page(run: AnalysisRun) -> bytes:
    """Return a finished report as HTML with its figures inside; the same report gives the same bytes."""
    # The drawing library takes half a second to load.
    from analysis.reports import figures

    report = report_from(run.report)
    methods = registry.analyses()
    context: dict[str, Any] = {
        "run": run,
        "study": run.study,
        "label": methods[run.method].label if run.method in methods else run.method,
        "report": report,
        "sentences": [sentence_html(sentence) for sentence in report.sentences],
        "sections": [
            {
                "table": section.table,
                "number": section.number,
                "figures": [
                    {"figure": figure, "data": base64.b64encode(figures.png(report, figure)).decode("ascii")}
                    for figure in section.figures
                ],
            }
            for section in sections_of(report)
        ],
        "params": [(name, as_written(value)) for name, value in run.params.items()],
        "versions": ", ".join(f"{name} {version}" for name, version in report.versions.items()),
    }
    return render_to_string("analysis/report_page.html", context).encode("utf-8")
