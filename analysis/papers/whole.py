"""Assemble the whole manuscript of a study and write its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from django.conf import settings
from django.utils import translation

from analysis.exports.archive import with_manifest
from analysis.exports.deposited import deposited
from analysis.exports.of_task import through_task
from analysis.exports.packing import json_bytes
from analysis.exports.provenance import PROVENANCE, provenance_of
from analysis.exports.reports import table_csv
from analysis.exports.stored import snapshot
from analysis.methods.report import Column, Table
from analysis.methods.wording import listed
from analysis.models import AnalysisRun
from analysis.papers.blocks import Block, Heading, Paper, Paragraph, Picture, Tabular
from analysis.papers.collected import Collected, Told, collect, titled, works_with
from analysis.papers.data_sheet.whole import data_sheet, data_sheet_files
from analysis.papers.design import materials_blocks, order_of_parts, plan_blocks, procedure_blocks
from analysis.papers.latex import paper_tex, table_tex
from analysis.papers.markdown import paper_md
from analysis.papers.people import People, people_blocks, people_of
from analysis.papers.references import bibtex, works_of
from analysis.papers.results import (
    analysis_blocks,
    in_full,
    notes_for_authors,
    report_blocks,
    results_blocks,
    supplement_blocks,
)
from analysis.papers.word import paper_docx
from experiments.models import Study

SOURCES = (
    Column("report", "Report", "integer"),
    Column("method", "Method", "text"),
    Column("finished", "Computed on", "text"),
    Column("data_sha256", "SHA-256 of the data", "text"),
    Column("code", "Code", "text"),
)


SUPPLEMENT = "supplement"


@translation.override(settings.LANGUAGE_CODE)
def paper_files(study: Study, *, refusal: Callable[[AnalysisRun], str] = lambda run: "") -> list[tuple[str, bytes]]:
    """Return path and content of every file of a study's manuscript. The same study and reports give the same bytes.

    `refusal` says why a report may not be read, empty where it may. Raises NothingToWrite where no report can be told.
    """
    with snapshot():
        found = collect(study, refusal=refusal)
        people = people_of(study)
        paper = paper_of(study, found, people)
        supplement = supplement_of(study, found, people)
        sheet = data_sheet(study, found, people)
        runs = sorted((told.run for told in found.all), key=lambda run: run.pk)
        known = json_bytes(provenance_of(study, runs, folders={run.pk: "" for run in runs}, paths={}))
    files = [
        *_written("paper", paper),
        *_written(SUPPLEMENT, supplement),
        ("references.bib", bibtex(sorted({*paper.cited, *supplement.cited})).encode("ascii")),
    ]
    for block in (*paper.blocks, *supplement.blocks):
        if isinstance(block, Tabular):
            files.append((f"{block.path}.tex", table_tex(block).encode("ascii")))
            if block.full is not None:
                files.append((f"{block.path}.csv", table_csv(block.full)))
        elif isinstance(block, Picture):
            files += [
                (f"{block.path}.svg", block.drawn.svg().encode("utf-8")),
                (f"{block.path}.pdf", block.drawn.pdf()),
            ]
    return with_manifest(study, [*files, *data_sheet_files(sheet), (PROVENANCE, known)])


def _written(name: str, paper: Paper) -> list[tuple[str, bytes]]:
    return [
        (f"{name}.tex", paper_tex(paper).encode("ascii")),
        (f"{name}.md", paper_md(paper).encode("utf-8")),
        (f"{name}.docx", paper_docx(paper)),
    ]


def paper_of(study: Study, found: Collected, people: People) -> Paper:
    """Return the main part of a study's manuscript; of several tasks each has its materials and its procedure."""
    tasks = [through_task(study, task.name) for task in study.tasks]
    method = chain(
        [Heading(1, "Method")],
        _without_tables(people_blocks(study, people)),
        _sample_size(found),
        chain.from_iterable(materials_blocks(seen) for seen in tasks),
        chain.from_iterable(_materials(told) for told in found.materials),
        order_of_parts(study),
        _without_tables(chain.from_iterable(procedure_blocks(seen) for seen in tasks)),
        plan_blocks(study),
        _statistical_analysis(study, found),
    )
    blocks = [*method, *results_blocks(found), *_availability(study, found)]
    return Paper(title=study.title, authors=study.responsible or "Authors to be named", blocks=tuple(blocks))


def supplement_of(study: Study, found: Collected, people: People) -> Paper:
    """Return what the main part leaves out: tables of people and settings, further analyses, notes, sources."""
    tasks = [through_task(study, task.name) for task in study.tasks]
    of_people = [block for block in people_blocks(study, people) if isinstance(block, Tabular)]
    of_tasks = [block for seen in tasks for block in procedure_blocks(seen) if isinstance(block, Tabular)]
    blocks: list[Block] = []
    if of_people or of_tasks:
        blocks += [Heading(1, "Participants and settings"), *of_people, *of_tasks]
    for title, reports in (("Number of participants", found.sample_size), ("Texts", found.materials)):
        if reports:
            blocks += [Heading(1, title), *chain.from_iterable(report_blocks(told) for told in reports)]
    if further := list(supplement_blocks(found)):
        blocks += [Heading(1, "Further results"), *further]
    blocks += _sources(found)
    if notes := [*notes_for_authors(found), *_later_code(found), *_left_out(found)]:
        blocks += [Heading(1, "For the authors, not for print"), *notes]
    return Paper(
        title=f"Supplement: {study.title}",
        authors=study.responsible or "Authors to be named",
        blocks=tuple(blocks),
        prefix="S",
    )


def _without_tables(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if not isinstance(block, Tabular):
            yield block


def _sample_size(found: Collected) -> Iterator[Block]:
    for told in found.sample_size:
        if told.shown.sentences:
            yield Paragraph(" ".join(told.shown.sentences[:3]), cites=works_of(told.report), source=told.source)


def _materials(told: Told) -> Iterator[Block]:
    if told.shown.sentences:
        yield Paragraph(told.shown.sentences[0], cites=works_of(told.report), source=told.source)


def _statistical_analysis(study: Study, found: Collected) -> Iterator[Block]:
    yield Heading(2, "Statistical analysis")
    yield from analysis_blocks(in_full(found))
    versions = works_with(found.all)
    named = [f"{name} {version}" for name, version in versions.items()]
    cites = [key for name, key in (("numpy", "harris2020"), ("scipy", "virtanen2020")) if name in versions]
    yield Paragraph(
        "The study was run and analysed with Lectern, whose pages in the browser rest on jsPsych"
        + (f" ({listed(named, shown=20)})." if named else "."),
        cites=("deleeuw2015", *cites),
    )


def _left_out(found: Collected) -> Iterator[Block]:
    if not found.left_out:
        return
    yield Heading(2, "Reports that are not told")
    for sentence in found.left_out:
        yield Paragraph(sentence)


def _availability(study: Study, found: Collected) -> Iterator[Block]:
    yield Heading(1, "Data and code availability")
    yield Paragraph(
        f"Data, materials, codebook and the reports behind the numbers (study “{study.slug}”, version {study.version}) "
        f"are in one archive with the SHA-256 of every file. {_where(study)} "
        "Further analyses, all settings and the sources of all numbers are in the supplement."
    )


def _where(study: Study) -> str:
    """Say where the data are deposited, or that the authors still have to."""
    found = deposited(study)
    if found is None:
        return "The authors still have to say here where it is deposited."
    if found.doi:
        return f"It is deposited under https://doi.org/{found.doi}."
    return f"It is deposited at {found.address}."


def _later_code(found: Collected) -> Iterator[Block]:
    if earlier := [titled(told.title, told.task) for told in found.all if told.later_code]:
        yield Paragraph(
            "The platform's methods have changed since these reports on the same data were computed: "
            f"{listed(earlier)}; run them again before submission."
        )


def _sources(found: Collected) -> Iterator[Block]:
    yield Heading(1, "Sources of the numbers")
    rows = tuple(_source_row(told) for told in sorted(found.all, key=lambda told: told.run.pk))
    yield Tabular(
        path="tables/sources",
        title="The reports behind the numbers of the paper",
        heads=tuple(column.label for column in SOURCES),
        rows=tuple((str(number), method, day, f"{data[:12]}…", code) for number, method, day, data, code in rows),
        is_number=(True, False, False, False, False),
        note="Every paragraph, table and figure names its report in a comment beside it. All digits are in "
        "tables/sources.csv.",
        source="the reports of the study",
        full=Table("sources", "The reports behind the numbers of the paper", SOURCES, rows),
    )


def _source_row(told: Told) -> tuple[int, str, str, str, str]:
    run = told.run
    day = f"{run.finished_at:%Y-%m-%d}" if run.finished_at else ""
    return (run.pk, run.method, day, run.data_hash, run.code_version)
