"""Write the results of a manuscript: what was planned with tables and figures, everything else in the supplement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from analysis.methods.report import Report, Table, in_one_order
from analysis.methods.rows.people import ONLY_SIMULATED, SOME_SIMULATED
from analysis.methods.wording import listed
from analysis.papers.blocks import Block, Heading, Paragraph, Picture, Tabular, without_repeats
from analysis.papers.collected import ANALYSIS, Collected, Told, titled
from analysis.papers.families import family_blocks
from analysis.papers.methods_words import methods_sentences, of_all
from analysis.papers.references import works_of
from analysis.reports.essentials import essential_columns, first_figure, first_table
from analysis.reports.shown_tables import ShownTable, parts_of, shown_table
from analysis.reports.symbols import heading_pieces, plain_text

MOST_ROWS = 30
# Sentences of an analysis that is told in full, and of one that is told in passing.
MOST_SENTENCES, FEW_SENTENCES = 6, 2
# Where nothing was planned, so many of the first analyses are told in full.
FULL_WITHOUT_PLAN = 3
PEOPLE = ("participant", "participants_left_out", "pseudonym", "unit")
# A table of so few rows is turned where its columns do not fit beside each other.
MOST_TURNED = 4
# The letters of tables in manuscripts are small: so many characters fit beside each other.
ROOM = 116
# A note names so many of the columns that are not printed.
MOST_NAMED = 6


def in_full(found: Collected) -> list[Told]:
    """Return the analyses that the main part tells with table and figure: the planned ones, in a dry run too; where
    nothing was planned the first ones.
    """
    planned = [*found.planned, *(told for told in found.simulated if told.is_planned)]
    return planned or [*found.exploratory, *found.simulated][:FULL_WITHOUT_PLAN]


def analysis_blocks(told: Sequence[Told], *, said: Sequence[str] = ()) -> Iterator[Block]:
    """Yield how analyses were computed, as one paragraph with every sentence once; none that has been `said` before."""
    reports: dict[str, Report] = {}
    for one in told:
        title = titled(one.title, one.task)
        reports[title if title not in reports else f"{title} (report {one.run.pk})"] = one.shown
    words = of_all(reports, is_planned=all(one.is_planned for one in told), without=said)
    works = {work for one in told for work in works_of(one.report)}
    if words or works:
        source = "; ".join(one.source for one in told)
        yield Paragraph(words or "The methods are those above.", cites=tuple(sorted(works)), source=source)


def sentences_of(told: Told) -> list[str]:
    """Return the sentences that say how a report was computed."""
    return methods_sentences(told.shown, is_planned=told.is_planned)


def results_blocks(found: Collected) -> Iterator[Block]:
    """Yield the results of the main part: of planned analyses, then of others, in sections that say which they are."""
    full = {told.run.pk for told in in_full(found)}
    yield Heading(1, "Results")
    if found.planned or found.missing:
        yield Heading(2, "Planned analyses")
        for title in found.missing:
            yield Paragraph(
                f"The planned analysis “{title}” was not computed in this dry run."
                if found.is_dry_run
                else f"The planned analysis “{title}” has no finished report on these data; its result is missing here."
            )
        yield from _told_in_full(found.planned)
    if not found.is_dry_run:
        yield from family_blocks(found)
    if found.exploratory:
        yield Heading(2, "Exploratory analyses")
        yield Paragraph(
            "None of the following analyses stands in a plan that was fixed before the data; they are exploratory, and "
            "their p values do not confirm anything."
        )
        yield from _told(found.exploratory, full)
    if found.simulated:
        yield Heading(2, "Analyses of simulated data")
        yield Paragraph(
            "The following reports rest on simulated participants. They show what a result would look like, and are no "
            "findings about people."
        )
        yield from _told(found.simulated, full)
        if found.is_dry_run:
            yield from family_blocks(found)


def _told(reports: Sequence[Told], full: set[int]) -> Iterator[Block]:
    yield from _told_in_full([told for told in reports if told.run.pk in full])
    for told in reports:
        if told.run.pk not in full and told.shown.sentences:
            said = " ".join(told.shown.sentences[:FEW_SENTENCES])
            yield Paragraph(f"{titled(told.title, told.task)}: {said}", source=told.source)


def _told_in_full(reports: Sequence[Told]) -> Iterator[Block]:
    """Yield analyses with their sentences; those of one method that follow each other share a table and a figure."""
    for _method, grouped in groupby(reports, key=lambda told: (told.run.method, told.task)):
        group = list(grouped)
        for told in group:
            yield Heading(3, titled(told.title, told.task))
            if told.shown.sentences:
                yield Paragraph(" ".join(told.shown.sentences[:MOST_SENTENCES]), source=told.source)
        yield from main_tables(group)
        yield from _main_picture(group[0])


def supplement_blocks(found: Collected) -> Iterator[Block]:
    """Yield what the main part leaves out of the analyses: further sentences, tables, figures and methods."""
    main = in_full(found)
    full = {told.run.pk for told in main}
    others = [told for told in (*found.exploratory, *found.simulated) if told.run.pk not in full]
    said = [sentence for told in main for sentence in sentences_of(told)]
    first = {next(iter(group)).run.pk for _key, group in groupby(main, key=lambda told: (told.run.method, told.task))}
    for told in main:
        further = told.shown.sentences[MOST_SENTENCES:]
        pictures = list(_main_picture(told)) if told.run.pk not in first else []
        if further or pictures:
            yield Heading(2, titled(told.title, told.task))
            if further:
                yield Paragraph(" ".join(further), source=told.source)
            yield from pictures
    for _method, grouped in groupby(others, key=lambda told: (told.run.method, told.task)):
        group = list(grouped)
        for told in group:
            yield Heading(2, titled(told.title, told.task))
            if told.shown.sentences:
                yield Paragraph(" ".join(told.shown.sentences), source=told.source)
            yield from _main_picture(told)
        yield from main_tables(group)
    if others:
        yield Heading(2, "How these analyses were computed")
        yield from analysis_blocks(others, said=said)


def notes_for_authors(found: Collected) -> Iterator[Block]:
    """Yield what reports warn of: for the authors, and not for print."""
    for told in found.all:
        # That data are simulated is said once, by the section.
        of_both = zip(told.report.warnings, told.shown.warnings, strict=True)
        if warnings := [shown for stored, shown in of_both if stored not in (ONLY_SIMULATED, SOME_SIMULATED)]:
            yield Paragraph(f"{titled(told.title, told.task)}. {' '.join(warnings)}", source=told.source)


def report_blocks(told: Told, *, sentences: int = MOST_SENTENCES) -> Iterator[Block]:
    """Yield all that is told of a report in one place: sentences, table, figure, and how it was computed."""
    yield Heading(3, titled(told.title, told.task))
    if told.shown.sentences:
        yield Paragraph(" ".join(told.shown.sentences[:sentences]), source=told.source)
    yield from main_tables([told])
    yield from _main_picture(told)
    yield from analysis_blocks([told])


def _main_picture(told: Told) -> Iterator[Picture]:
    """Yield the figure of a report that is about its results: a flow of rows or a check is not."""
    table = main_table(told)
    figure = None if table is None else first_figure(told.shown, table) or next(iter(told.shown.figures), None)
    if figure is not None:
        yield Picture(
            path=f"figures/{file_name(told, figure.name)}",
            title=figure.title,
            caption=figure.caption,
            report=told.shown,
            figure=figure,
            source=told.source,
        )


def main_tables(group: Sequence[Told]) -> Iterator[Tabular]:
    """Yield the main tables of analyses by one method: one for all of them where they have the same one."""
    of_name: dict[str, list[Told]] = {}
    for told in group:
        if (table := main_table(told)) is not None:
            of_name.setdefault(table.name, []).append(told)
    for name, reports in of_name.items():
        yield printed_table(reports, name)


def main_table(told: Told) -> Table | None:
    """Return the table that is printed: the one that a reader sees first on the page of the report.

    A table of single participants is never printed: a manuscript is read by everybody.
    """
    report = told.report
    public = [table for table in report.tables if not any(column.name in PEOPLE for column in table.columns)]
    short = [table for table in public if table.rows and len(table.rows) <= MOST_ROWS]
    return first_table(replace(report, tables=tuple(short or [table for table in public if table.rows])))


def printed_table(reports: Sequence[Told], name: str) -> Tabular:
    """Return a table of one report, or of several by one method, with the columns that it is about.

    All columns are printed where a page has room for them; else those that are no details, with few rows turned, with
    many in parts below each other. A file holds all of it, with the words of the materials; the printed table has the
    names for print.
    """
    first = reports[0]
    full = _joint([told.report.table(name) for told in reports], reports)
    named = _joint([told.shown.table(name) for told in reports], reports)
    shown = shown_table(named, limit=MOST_ROWS)
    wanted = {ANALYSIS.name, *essential_columns(first.report.method, full)}
    every = list(range(len(shown.columns)))
    places = every if _fits(shown, every) else [at for at in every if shown.columns[at].name in wanted] or every
    path = f"tables/{file_name(first, name)}"
    notes = []
    if shown.is_cut:
        notes.append(f"The first {MOST_ROWS} of {shown.total:,} rows.")
    if gone := [shown.columns[at].label for at in every if at not in places]:
        notes.append(f"Not printed: {listed(gone, shown=MOST_NAMED)}.")
    if notes:
        notes.append(f"All of it, at full precision, is in {path}.csv.")
    made = Tabular(
        path=path,
        title=named.title,
        heads=tuple(column.label for column in shown.columns),
        rows=_without_repeats(tuple(tuple(cell.whole + cell.fraction for cell in row) for row in shown.rows), shown),
        is_number=tuple(column.is_number for column in shown.columns),
        note=" ".join(notes),
        source="; ".join(told.source for told in reports),
        full=full,
        parts=parts_of(shown.columns, places, room=ROOM),
    )
    return _turned(made, places) if len(made.parts) > 1 and len(made.rows) <= MOST_TURNED else made


def _joint(tables: Sequence[Table], reports: Sequence[Told]) -> Table:
    """Return tables of one name below each other, with a column that says of which analysis a row is."""
    if len(tables) == 1:
        return tables[0]
    columns = {column.name: column for table in tables for column in table.columns}
    order = in_one_order([[column.name for column in table.columns] for table in tables])
    rows = [
        {**line, ANALYSIS.name: titled(told.title, told.task)}
        for told, table in zip(reports, tables, strict=True)
        for line in table.lines()
    ]
    return Table.from_rows(tables[0].name, tables[0].title, (ANALYSIS, *(columns[name] for name in order)), rows)


def _without_repeats(rows: tuple[tuple[str, ...], ...], shown: ShownTable) -> tuple[tuple[str, ...], ...]:
    """Return rows that say of which analysis they are in the first of its rows alone."""
    if not shown.columns or shown.columns[0].name != ANALYSIS.name or len(rows) <= MOST_TURNED:
        return rows
    return without_repeats(rows)


def _fits(shown: ShownTable, places: Sequence[int]) -> bool:
    return len(parts_of(shown.columns, places, room=ROOM)) == 1


def _turned(table: Tabular, places: Sequence[int]) -> Tabular:
    """Return a table of few rows with its columns below each other."""
    whole = next(replace(table, parts=(tuple(places),)).pieces())
    return replace(
        whole,
        heads=(whole.heads[0], *(row[0] for row in whole.rows)),
        rows=tuple(
            (plain_text(heading_pieces(head, is_number=whole.is_number[at])), *(row[at] for row in whole.rows))
            for at, head in enumerate(whole.heads)
            if at
        ),
        is_number=(False, *(True for _row in whole.rows)),
    )


def file_name(told: Told, name: str) -> str:
    """Return the name of a file for something of a report, safe in every format.

    The number of the report stands in it, so that nothing is taken for something else.
    """
    return re.sub(r"[^A-Za-z0-9-]+", "-", f"{told.run.method}-{told.run.pk}-{name}")
