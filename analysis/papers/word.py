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
SIZE_IN_TABLES = 8
"""Points of the letters in tables and in the notes below them."""


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


def _paragraph(document: Any, text: str, *, source: str, style: str | None = None, size: int | None = None) -> None:
    paragraph = document.add_paragraph(style=style)
    _write(paragraph, pieces(_xml(text)), size=size)
    if source and paragraph.runs:
        document.add_comment([paragraph.runs[0], paragraph.runs[-1]], text=_xml(source), author="Lectern", initials="L")


def _write(paragraph: Any, found: Iterable[Piece], *, size: int | None = None) -> None:
    from docx.shared import Pt

    for piece in found:
        run = paragraph.add_run(piece.text)
        run.italic = piece.style == "symbol" or None
        run.font.subscript = piece.style == "index" or None
        run.font.size = None if size is None else Pt(size)


def _table(document: Any, block: Tabular) -> None:
    from docx.shared import Pt

    _paragraph(document, block.title, source=block.source, style="Caption")
    for number, part in enumerate(block.pieces()):
        if number:
            document.add_paragraph().paragraph_format.space_after = Pt(0)
        table = document.add_table(rows=1 + len(part.rows), cols=len(part.heads), style="Table Grid")
        for place, (cells, row) in enumerate(zip(table.rows, (part.heads, *part.rows), strict=True)):
            for cell, text, is_number in zip(cells.cells, row, part.is_number, strict=True):
                _cell(cell.paragraphs[0], text, is_head=place == 0, is_number=is_number)
        _ruled(table)
    if block.note:
        _paragraph(document, block.note, source="", size=SIZE_IN_TABLES)


def _cell(paragraph: Any, text: str, *, is_head: bool, is_number: bool) -> None:
    from docx.shared import Pt

    found = heading_pieces(_xml(text), is_number=is_number) if is_head else (Piece(_xml(text)),)
    _write(paragraph, found, size=SIZE_IN_TABLES)
    paragraph.paragraph_format.space_after = paragraph.paragraph_format.space_before = Pt(1)
    paragraph.alignment = 2 if is_number else 0


def _ruled(table: Any) -> None:
    """Give a table the three lines that journals print: above, below the headings, and at the end."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    def lines(tag: str, **of: str) -> Any:
        element = OxmlElement(tag)
        for side, kind in of.items():
            line = OxmlElement(f"w:{side}")
            for name, value in (("val", kind), ("sz", "6"), ("space", "0"), ("color", "000000")):
                line.set(qn(f"w:{name}"), value)
            element.append(line)
        return element

    sides = {"top": "single", "left": "nil", "bottom": "single", "right": "nil", "insideH": "nil", "insideV": "nil"}
    table._tbl.tblPr.append(lines("w:tblBorders", **sides))
    for cell in table.rows[0].cells:
        cell._tc.get_or_add_tcPr().append(lines("w:tcBorders", bottom="single"))


def _picture(document: Any, block: Picture) -> None:
    from docx.shared import Inches

    shape = document.add_picture(io.BytesIO(png(block.report, block.figure)))
    if shape.width > Inches(WIDTH):
        shape.width, shape.height = Inches(WIDTH), int(shape.height * Inches(WIDTH) / shape.width)
    shape._inline.docPr.set("descr", _xml(block.title))
    _paragraph(document, f"{block.title.rstrip('.')}. {block.caption}".strip(), source=block.source, style="Caption")
