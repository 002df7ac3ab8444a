"""Write a manuscript as a Word file, reproducibly, with a comment on the origin of every number."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from analysis.exports.archive import ZIP_TIME, zip_pieces
from analysis.papers.blocks import Block, Heading, Paper, Paragraph, Picture, Tabular
from analysis.papers.references import WORKS, printed
from analysis.reports.figures import NO_XML, png
from analysis.reports.symbols import Piece, heading_pieces, pieces

WIDTH = 6.0
"""Inches that a picture takes at most."""


def paper_docx(paper: Paper) -> bytes:
    """Return the whole manuscript as a Word file."""
    # Loading the library takes a moment that most processes can do without.
    import docx

    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = _xml(paper.authors)[:255], _xml(paper.title)[:255]
    properties.comments, properties.last_modified_by = "", ""
    properties.created = properties.modified = datetime(*ZIP_TIME[:3], tzinfo=UTC)
    document.add_heading(_xml(paper.title), level=0)
    document.add_paragraph(_xml(paper.authors))
    for block in paper.blocks:
        _add(document, block)
    if paper.cited:
        document.add_heading("References", level=1)
        for key in paper.cited:
            document.add_paragraph(printed(key))
    for comment in document.comments:
        # The library writes down when the comment was made, which is no part of the study.
        for name in [name for name in comment._comment_elm.attrib if name.endswith("}date")]:
            del comment._comment_elm.attrib[name]
    written = io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as archive:
        files = [(name, [archive.read(name)]) for name in archive.namelist()]
    return b"".join(zip_pieces(files))


def _xml(text: str) -> str:
    return NO_XML.sub(" ", re.sub("\r\n?", "\n", text))


def _add(document: Any, block: Block) -> None:
    if isinstance(block, Heading):
        document.add_heading(_xml(block.text), level=block.level)
    elif isinstance(block, Paragraph):
        cites = f" ({'; '.join(WORKS[key].short for key in block.cites)})" if block.cites else ""
        _paragraph(document, block.text + cites, source=block.source)
    elif isinstance(block, Tabular):
        _table(document, block)
    else:
        _picture(document, block)


def _paragraph(document: Any, text: str, *, source: str, style: str | None = None) -> None:
    paragraph = document.add_paragraph(style=style)
    _write(paragraph, pieces(_xml(text)))
    if source and paragraph.runs:
        document.add_comment([paragraph.runs[0], paragraph.runs[-1]], text=_xml(source), author="Lectern", initials="L")


def _write(paragraph: Any, found: Iterable[Piece]) -> None:
    for piece in found:
        run = paragraph.add_run(piece.text)
        run.italic = piece.style == "symbol" or None
        run.font.subscript = piece.style == "index" or None


def _table(document: Any, block: Tabular) -> None:
    _paragraph(document, block.title, source=block.source, style="Caption")
    table = document.add_table(rows=1 + len(block.rows), cols=len(block.heads), style="Light List")
    for cells, row in zip(table.rows, (block.heads, *block.rows), strict=True):
        for cell, text, is_number in zip(cells.cells, row, block.is_number, strict=True):
            if row is block.heads:
                _write(cell.paragraphs[0], heading_pieces(_xml(text), is_number=is_number))
            else:
                cell.text = _xml(text)
            if is_number:
                cell.paragraphs[0].alignment = 2
    if block.note:
        _paragraph(document, block.note, source="")


def _picture(document: Any, block: Picture) -> None:
    from docx.shared import Inches

    shape = document.add_picture(io.BytesIO(png(block.report, block.figure)))
    if shape.width > Inches(WIDTH):
        shape.width, shape.height = Inches(WIDTH), int(shape.height * Inches(WIDTH) / shape.width)
    shape._inline.docPr.set("descr", _xml(block.title))
    _paragraph(document, f"{block.title.rstrip('.')}. {block.caption}".strip(), source=block.source, style="Caption")
