"""Write the section Results of a manuscript: sentences, one table and one figure of each report, planned ones first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.methods.registry import method_named
from analysis.methods.report import Table
from analysis.methods.rows.people import ONLY_SIMULATED, SOME_SIMULATED
from analysis.methods.wording import counted, listed
from analysis.papers.blocks import Block, Heading, Paragraph, Picture, Tabular
from analysis.papers.collected import Collected, Told, titled
from analysis.papers.methods_paragraph import methods_words
from analysis.papers.references import works_of
from analysis.reports.essentials import essential_columns, first_table
from analysis.reports.shown_tables import ShownTable, parts_of, shown_table

MOST_ROWS = 30
MOST_SENTENCES = 8
PEOPLE = ("participant", "participants_left_out", "pseudonym", "unit")
# A table of so few rows is turned where its columns do not fit beside each other.
MOST_TURNED = 4


def results_blocks(found: Collected) -> Iterator[Block]:
    """Yield all results: of planned analyses, then of others, in sections that say which they are."""
    yield Heading(1, "Results")
    if found.planned or found.missing:
        yield Heading(2, "Planned analyses")
        for title in found.missing:
            yield Paragraph(
                f"The planned analysis “{title}” has no finished report on these data; its result is missing here."
            )
        for told in found.planned:
            yield from report_blocks(told)
    if found.exploratory:
        yield Heading(2, "Exploratory analyses")
        yield Paragraph(
            "None of the following analyses stands in a plan that was fixed before the data; they are exploratory, and "
            "their p values do not confirm anything."
        )
        for told in found.exploratory:
            yield from report_blocks(told)
    if found.simulated:
        yield Heading(2, "Analyses of simulated data")
        yield Paragraph(
            "The following reports rest on simulated participants. They show what a result would look like, and are no "
            "findings about people."
        )
        for told in found.simulated:
            yield from report_blocks(told)


def report_blocks(told: Told, *, first_sentence_only: bool = False) -> Iterator[Block]:
    """Yield what one report says: results, how they were computed, its main table and figure, what to be careful of."""
    report, source = told.shown, told.source
    title = (
        told.title if told.title != told.run.method else f"{method_named(told.run.method).label} (report {told.run.pk})"
    )
    yield Heading(3, titled(title, told.task))
    if report.sentences:
        told_here = report.sentences[: 1 if first_sentence_only else MOST_SENTENCES]
        said = " ".join(told_here)
        if further := len(report.sentences) - len(told_here):
            said += f" Report {told.run.pk} has {counted(further, 'further sentence')}."
        yield Paragraph(said, source=source)
    table = main_table(told)
    if table is not None:
        yield printed_table(told, table)
    # A flow of rows or a check is not what an analysis is about: the first figure is the main one.
    for figure in report.figures[:1]:
        yield Picture(
            path=f"figures/{file_name(told, figure.name)}",
            title=figure.title,
            caption=figure.caption,
            report=report,
            figure=figure,
            source=source,
        )
    if report.notes:
        yield Paragraph(methods_words(report), cites=works_of(report), source=source)
    elif works := works_of(report):
        yield Paragraph("The method is described elsewhere.", cites=works, source=source)
    # That data are simulated is said once, by the section.
    of_both = zip(told.report.warnings, report.warnings, strict=True)
    if warnings := [shown for stored, shown in of_both if stored not in (ONLY_SIMULATED, SOME_SIMULATED)]:
        yield Paragraph(f"Note for the authors, from the report: {' '.join(warnings)}", source=source)


def main_table(told: Told) -> Table | None:
    """Return the table that is printed: the one that a reader sees first on the page of the report.

    A table of single participants is never printed: a manuscript is read by everybody.
    """
    report = told.report
    public = [table for table in report.tables if not any(column.name in PEOPLE for column in table.columns)]
    short = [table for table in public if table.rows and len(table.rows) <= MOST_ROWS]
    return first_table(replace(report, tables=tuple(short or [table for table in public if table.rows])))


def printed_table(told: Told, table: Table) -> Tabular:
    """Return a table of a report with the columns that it is about; a file holds all of it.

    All columns are printed where a page has room for them; else those that are no details, with few rows turned, with
    many in parts below each other. The file has the words of the materials, the printed table the names for print.
    """
    named = told.shown.table(table.name)
    method = told.report.method
    shown = shown_table(named, limit=MOST_ROWS)
    wanted = set(essential_columns(method, table))
    every = list(range(len(shown.columns)))
    places = every if _fits(shown, every) else [at for at in every if shown.columns[at].name in wanted] or every
    path = f"tables/{file_name(told, table.name)}"
    notes = []
    if shown.is_cut:
        notes.append(f"The first {MOST_ROWS} of {shown.total:,} rows.")
    if gone := [shown.columns[at].label for at in every if at not in places]:
        notes.append(f"Not printed: {listed(gone, shown=40)}.")
    if notes:
        notes.append(f"All of it, at full precision, is in {path}.csv.")
    made = Tabular(
        path=path,
        title=named.title,
        heads=tuple(column.label for column in shown.columns),
        rows=tuple(tuple(cell.whole + cell.fraction for cell in row) for row in shown.rows),
        is_number=tuple(column.is_number for column in shown.columns),
        note=" ".join(notes),
        source=told.source,
        full=table,
        parts=parts_of(shown.columns, places),
    )
    return _turned(made, places) if len(made.parts) > 1 and len(made.rows) <= MOST_TURNED else made


def _fits(shown: ShownTable, places: Sequence[int]) -> bool:
    return len(parts_of(shown.columns, places)) == 1


def _turned(table: Tabular, places: Sequence[int]) -> Tabular:
    """Return a table of few rows with its columns below each other."""
    whole = next(replace(table, parts=(tuple(places),)).pieces())
    return replace(
        whole,
        heads=(whole.heads[0], *(row[0] for row in whole.rows)),
        rows=tuple((head, *(row[at] for row in whole.rows)) for at, head in enumerate(whole.heads) if at),
        is_number=(False, *(True for _row in whole.rows)),
    )


def file_name(told: Told, name: str) -> str:
    """Return the name of a file for something of a report, safe in every format.

    The number of the report stands in it, so that nothing is taken for something else.
    """
    return re.sub(r"[^A-Za-z0-9-]+", "-", f"{told.run.method}-{told.run.pk}-{name}")
