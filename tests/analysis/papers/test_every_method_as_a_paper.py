"""What papers print of every method: no markup of another format, and every column that a table is about."""

from __future__ import annotations

import io
import re
from functools import cache

import docx
import pytest

from analysis.methods import registry
from analysis.methods.report import Report, Table
from analysis.models import AnalysisRun
from analysis.papers.blocks import Paper, Tabular
from analysis.papers.collected import Told
from analysis.papers.latex import paper_tex
from analysis.papers.markdown import paper_md
from analysis.papers.methods_paragraph import as_text, methods_paragraph
from analysis.papers.results import PEOPLE, ROOM, main_table, notes_for_authors, printed_table, report_blocks
from analysis.reports.essentials import importances
from analysis.reports.symbols import heading_pieces, plain_text
from experiments.models import Study
from tests.selection import only_in_full

SAMPLE = ("incidence", "min-f", "rm-anova", "tukey")
METHODS = [
    slug if slug in SAMPLE else only_in_full("a method whose paper loses a column or prints markup", slug)
    for slug in registry.slugs()
    if registry.method_named(slug).example is not None
]
# Tags and entities of HTML, and what italics and indices would be in it.
MARKUP = re.compile(r"</?(?:i|b|em|sub|sup|span)\b[^>]*>|&(?:lt|gt|amp|#?\w+);")


@cache
def told(slug: str) -> Told:
    method = registry.method_named(slug)
    assert method.example is not None
    frame, given = method.example()
    report = registry.run(method, frame, given)
    run = AnalysisRun(pk=1, study=Study(), method=slug, table="trials", data_hash="0", code_version="1", params=given)
    return Told(run, report, method.label)


def printed(report: Report) -> list[Table]:
    """Return the tables that may be printed: none of single people."""
    public = (table for table in report.tables if not any(column.name in PEOPLE for column in table.columns))
    return [table for table in public if table.rows]


def heads_of(made: Tabular) -> list[str]:
    """Return what stands over the columns of a table in all its parts, or before its rows where it is turned."""
    return [head for part in made.pieces() for head in (*part.heads, *(row[0] for row in part.rows))]


@pytest.mark.parametrize("slug", METHODS)
def test_no_text_form_holds_markup(slug):
    one = told(slug)
    tables = [printed_table([one], table.name) for table in printed(one.report)]
    paper = Paper("Title", "Authors", (*report_blocks(one, sentences=99), *tables))
    document = docx.Document(io.BytesIO(docx_of(paper)))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    paragraph = methods_paragraph(one.run, one.shown, standing="exploratory")
    texts = {
        "Markdown": re.sub(r"<!-- .*? -->", "", paper_md(paper)),
        "LaTeX": paper_tex(paper),
        "Word": "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells]),
        "text": as_text(one.run, paragraph).decode(),
    }
    assert {name: MARKUP.findall(text) for name, text in texts.items()} == {name: [] for name in texts}


def docx_of(paper: Paper) -> bytes:
    """Return the Word file without its pictures, which have no text and take long to draw."""
    from analysis.papers.word import paper_docx

    return paper_docx(
        Paper(paper.title, paper.authors, [block for block in paper.blocks if not hasattr(block, "figure")])
    )


@pytest.mark.parametrize("slug", METHODS)
def test_no_table_loses_a_column_that_it_is_about(slug):
    one = told(slug)
    for table in printed(one.report):
        made = printed_table([one], table.name)
        heads = heads_of(made)
        shown = one.shown.table(table.name)
        for place, column in enumerate(shown.columns):
            has_values = any(row[place] not in (None, "") for row in shown.rows)
            label = column.label
            said = {
                label,
                plain_text(heading_pieces(label, is_number=True)),
                plain_text(heading_pieces(label, is_number=False)),
            }
            if has_values and importances(slug, table)[column.name] != "detail":
                assert said & set(heads), (table.name, column.name)
        left_out = len(made.heads) - len({place for part in made.parts for place in part}) if made.parts else 0
        assert ("Not printed: " in made.note) or left_out == 0
        if left_out:
            assert f"is in {made.path}.csv" in made.note


@pytest.mark.parametrize("slug", METHODS)
def test_no_part_of_a_table_is_wider_than_a_page(slug):
    one = told(slug)
    for table in printed(one.report):
        for part in printed_table([one], table.name).pieces():
            widths = [max((len(row[place]) for row in part.rows), default=0) for place in range(len(part.heads))]
            numbers = [width for width, is_number in zip(widths, part.is_number, strict=True) if is_number]
            assert len(part.heads) <= 2 or sum(numbers) <= ROOM, table.name


def test_every_method_prints_the_table_that_its_page_shows_first():
    for slug in SAMPLE:
        assert main_table(told(slug)) is not None


def test_what_a_report_warns_of_is_for_the_authors_alone():
    from analysis.papers.collected import Collected

    one = told("tukey")
    found = Collected(planned=[one])
    notes = " ".join(block.text for block in notes_for_authors(found) if hasattr(block, "text"))
    paper = paper_md(Paper("Title", "Authors", tuple(report_blocks(one))))
    for warning in one.shown.warnings:
        assert warning in notes
        assert warning not in paper
