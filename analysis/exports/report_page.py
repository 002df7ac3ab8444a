"""Render a report as a self-contained HTML page, for archives, co-authors and print."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from analysis.exports.reports import question_of, shown_report
from analysis.methods import registry
from analysis.methods.parameters import as_written
from analysis.methods.report import Figure, Report
from analysis.models import AnalysisRun
from analysis.reports.distributions import Distribution, distributions
from analysis.reports.essentials import (
    ROWS_FIRST,
    ROWS_SHOWN,
    essential_columns,
    first_figure,
    first_table,
    is_listing,
    key_columns,
)
from analysis.reports.shown_tables import ShownTable, shown_table
from analysis.reports.symbols import sentence_html


@dataclass(frozen=True)
class Section:
    """A table of the report with the figures that draw it.

    `distributions` stand for the rows of a table that lists data: a page shows how they lie, the file holds them.
    """

    table: ShownTable
    figures: tuple[Figure, ...]
    further_figures: tuple[Figure, ...]
    number: int
    distributions: tuple[Distribution, ...] = ()
    is_listing: bool = False


def sections_of(report: Report) -> list[Section]:
    """Return the tables in the order of reading: what comes first, the other results, then what lists data.

    The first one has one figure; all others stand with the table that they draw.
    """
    first = first_table(report)
    figure = first_figure(report, first)
    ordered = sorted(report.tables, key=lambda table: (table is not first, is_listing(table)))
    sections = []
    for number, table in enumerate(ordered, start=1):
        others = tuple(other for other in report.figures if other.table == table.name and other is not figure)
        shown = ((figure,) if figure is not None else ()) if table is first else others
        sections.append(
            Section(
                table=shown_table(
                    table,
                    limit=0 if is_listing(table) else ROWS_SHOWN,
                    essential=essential_columns(report.method, table),
                    key=key_columns(report.method, table),
                    printed_rows=ROWS_FIRST if table is first and len(table.rows) > ROWS_FIRST else None,
                ),
                figures=shown,
                further_figures=others if table is first else (),
                number=number,
                distributions=tuple(distributions(table)) if is_listing(table) else (),
                is_listing=is_listing(table),
            )
        )
    return sections


def report_page(run: AnalysisRun, *, changes: str = "", pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return a finished report as HTML with its figures inside; the same report gives the same bytes.

    `changes` say what has changed since it was computed; `pictures` are its figures as PNG by name, where they have
    been drawn already.
    """
    # The drawing library takes half a second to load.
    from analysis.reports import figures

    report = shown_report(run)
    if pictures is None:
        pictures = {figure.name: figures.outlined_png(figures.svg(report, figure)) for figure in report.figures}
    methods = registry.analyses()
    context: dict[str, Any] = {
        "run": run,
        "study": run.study,
        "question": question_of(run),
        "label": methods[run.method].label if run.method in methods else run.method,
        "report": report,
        "changes": changes,
        "sentences": [sentence_html(sentence) for sentence in report.sentences],
        "sections": [
            {
                "section": section,
                "figures": [
                    {"figure": figure, "data": base64.b64encode(pictures[figure.name]).decode("ascii")}
                    for figure in (*section.figures, *section.further_figures)
                ],
            }
            for section in sections_of(report)
        ],
        "params": [(name, as_written(value)) for name, value in run.params.items()],
        "versions": ", ".join(f"{name} {version}" for name, version in report.versions.items()),
    }
    return render_to_string("analysis/reports/page.html", context).encode("utf-8")
