"""Write the section Results of a manuscript: sentences, one table and one figure of each report, planned ones first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.methods.registry import method_named
from analysis.methods.report import Column, Report, Table
from analysis.methods.rows.people import ONLY_SIMULATED, SOME_SIMULATED
from analysis.methods.wording import counted
from analysis.papers.blocks import Block, Heading, Paragraph, Picture, Tabular
from analysis.papers.collected import Collected, Told, titled
from analysis.papers.methods_words import methods_words, of_all
from analysis.papers.references import works_of
from analysis.reports.apa import NUMERIC
from analysis.reports.shown_tables import shown_table

MOST_ROWS = 30
MOST_SENTENCES = 8
PEOPLE = ("participant", "participants_left_out", "pseudonym", "unit")
MOST_COLUMNS = 8
# What a reader looks for first; of a wide table these columns are printed, in its own order.
WANTED = (
    "df1", "df2", "df", "f", "t", "z", "chi2", "q", "statistic", "estimate", "diff", "mean", "value", "coefficient",
    "se", "p", "p_gg", "p_holm", "pes", "ges", "odds_ratio", "rate_ratio", "mean_ratio", "ci_low", "ci_high",
    "low", "high", "eps_gg", "sd", "n",
)  # fmt: skip


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
            yield from report_blocks(told, how=False)
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


def analysis_blocks(found: Collected) -> Iterator[Block]:
    """Yield how all planned analyses were computed, as one paragraph; nothing without any."""
    reports: dict[str, Report] = {}
    for told in found.planned:
        title = title_of(told)
        reports[title if title not in reports else f"{title} (report {told.run.pk})"] = told.shown
    if words := of_all(reports, is_planned=True) if reports else "":
        yield Heading(2, "Statistical analysis")
        works = {work for report in reports.values() for work in works_of(report)}
        source = "; ".join(told.source for told in found.planned)
        yield Paragraph(words, cites=tuple(sorted(works)), source=source)


def title_of(told: Told) -> str:
    """Return what a report is called in a manuscript."""
    named = told.title != told.run.method
    title = told.title if named else f"{method_named(told.run.method).label} (report {told.run.pk})"
    return titled(title, told.task)


def report_blocks(told: Told, *, first_sentence_only: bool = False, how: bool = True) -> Iterator[Block]:
    """Yield what one report says: results, its main table and figure, what to be careful of, and `how` it was computed
    where that is not said elsewhere.
    """
    report, source = told.shown, told.source
    yield Heading(3, title_of(told))
    if report.sentences:
        told_here = report.sentences[: 1 if first_sentence_only else MOST_SENTENCES]
        said = " ".join(told_here)
        if further := len(report.sentences) - len(told_here):
            said += f" Report {told.run.pk} has {counted(further, 'further sentence')}."
        yield Paragraph(said, source=source)
    table = main_table(told.report.tables)
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
    works = works_of(report)
    if how and (words := methods_words(report)):
        yield Paragraph(words, cites=works, source=source)
    elif how and works:
        yield Paragraph("The method is described elsewhere.", cites=works, source=source)
    # That data are simulated is said once, by the section.
    of_both = zip(told.report.warnings, report.warnings, strict=True)
    if warnings := [shown for stored, shown in of_both if stored not in (ONLY_SIMULATED, SOME_SIMULATED)]:
        yield Paragraph(f"Note for the authors, from the report: {' '.join(warnings)}", source=source)


def main_table(tables: tuple[Table, ...]) -> Table | None:
    """Return the table that is printed: the first that has rows and fits on a page; else the first that has rows.

    A table of single participants is never printed: a manuscript is read by everybody.
    """
    filled = [table for table in tables if table.rows and not any(column.name in PEOPLE for column in table.columns)]
    return next((table for table in filled if len(table.rows) <= MOST_ROWS), filled[0] if filled else None)


def printed_table(told: Told, table: Table) -> Tabular:
    """Return the main table of a report with the columns that a reader looks for; a file holds all of it.

    The file has the words of the materials, the printed table the names for print.
    """
    named = told.shown.table(table.name)
    narrow = Table(table.name, named.title, *_narrowed(named))
    shown = shown_table(narrow, limit=MOST_ROWS)
    notes = []
    if shown.is_cut:
        notes.append(f"The first {MOST_ROWS} of {shown.total:,} rows.")
    path = f"tables/{file_name(told, table.name)}"
    if shown.is_cut or len(narrow.columns) < len(table.columns):
        notes.append(f"All columns and rows at full precision are in {path}.csv.")
    return Tabular(
        path=path,
        title=named.title,
        heads=tuple(column.label for column in shown.columns),
        rows=tuple(tuple(cell.whole + cell.fraction for cell in row) for row in shown.rows),
        is_number=tuple(column.is_number for column in shown.columns),
        note=" ".join(notes),
        source=told.source,
        full=table,
    )


def _narrowed(table: Table) -> tuple[tuple[Column, ...], tuple[tuple[object, ...], ...]]:
    filled = [n for n in range(len(table.columns)) if any(row[n] not in (None, "") for row in table.rows)]
    leading: list[int] = []
    for n in filled:
        if table.columns[n].format in NUMERIC or len(leading) == 3:
            break
        leading.append(n)
    if len(filled) > MOST_COLUMNS:
        wanted = sorted(
            (n for n in filled if n not in leading and table.columns[n].name in WANTED),
            key=lambda n: WANTED.index(table.columns[n].name),
        )
        others = [n for n in filled if n not in leading and n not in wanted]
        filled = sorted([*leading, *[*wanted, *others][: MOST_COLUMNS - len(leading)]])
    return tuple(table.columns[n] for n in filled), tuple(tuple(row[n] for n in filled) for row in table.rows)


def file_name(told: Told, name: str) -> str:
    """Return the name of a file for something of a report, safe in every format.

    The number of the report stands in it, so that nothing is taken for something else.
    """
    return re.sub(r"[^A-Za-z0-9-]+", "-", f"{told.run.method}-{told.run.pk}-{name}")
