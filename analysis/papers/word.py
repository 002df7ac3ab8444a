"""Write a manuscript as a Word file, reproducibly, with a comment on the origin of every number."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from analysis.exports.packing import ZIP_TIME, zip_pieces
from analysis.papers.blocks import MILLIMETRES, Block, Heading, Paper, Paragraph, Picture, Tabular
from analysis.papers.references import WORKS, printed
from analysis.reports.figures import NO_XML
from analysis.reports.shown_tables import BREAKS
from analysis.reports.symbols import Piece, heading_pieces, pieces

WIDTH, WIDTH_IN_LETTERS = 16.0, 110
"""Centimetres between the margins, and letters of tables that fit there."""
TWIPS_BESIDE = "40"
"""Twentieths of a point on both sides of a cell."""
MOST_TOGETHER = 25
"""Rows of a table that is not broken over pages."""
SIZE_IN_TABLES = 8
"""Points of the letters in tables and in the notes below them."""


def paper_docx(paper: Paper) -> bytes:
    """Return the whole manuscript as a Word file."""
    # Loading the library takes a moment that most processes can do without.
    import docx
    from docx.shared import Cm, Pt

    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = _xml(paper.authors)[:255], _xml(paper.title)[:255]
    properties.comments, properties.last_modified_by = "", ""
    properties.created = properties.modified = datetime(*ZIP_TIME[:3], tzinfo=UTC)
    for section in document.sections:
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm((21 - WIDTH) / 2)
    letters = document.styles["Normal"].font
    letters.name, letters.size = "Times New Roman", Pt(11)
    document.add_heading(_xml(paper.title), level=0)
    document.add_paragraph(_xml(paper.authors))
    for block, name in paper.numbered():
        _add(document, block, name)
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


def _add(document: Any, block: Block, name: str) -> None:
    if isinstance(block, Heading):
        document.add_heading(_xml(block.text), level=block.level)
    elif isinstance(block, Paragraph):
        cites = f" ({'; '.join(WORKS[key].short for key in block.cites)})" if block.cites else ""
        _paragraph(document, block.text + cites, source=block.source)
    elif isinstance(block, Tabular):
        _table(document, block, name)
    else:
        _picture(document, block, name)


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


def _table(document: Any, block: Tabular, name: str) -> None:
    from docx.shared import Pt

    _paragraph(document, f"{name}. {block.title}", source=block.source, style="Caption")
    for number, part in enumerate(block.pieces()):
        if number:
            document.add_paragraph().paragraph_format.space_after = Pt(0)
        table = document.add_table(rows=1 + len(part.rows), cols=len(part.heads), style="Table Grid")
        widths = _widths(part)
        for place, (cells, row) in enumerate(zip(table.rows, (part.heads, *part.rows), strict=True)):
            for cell, text, is_number in zip(cells.cells, row, part.is_number, strict=True):
                _cell(cell.paragraphs[0], text, is_head=place == 0, is_number=is_number)
                # A short table stands on one page.
                cell.paragraphs[0].paragraph_format.keep_with_next = place < min(len(part.rows), MOST_TOGETHER)
            for cell, width in zip(cells.cells, widths, strict=True):
                cell.width = width
        # Word goes by the cells, other programs by the columns.
        for column, width in zip(table.columns, widths, strict=True):
            column.width = width
        _ruled(table)
    if block.note:
        _paragraph(document, block.note, source="", size=SIZE_IN_TABLES)


def _widths(table: Tabular) -> list[int]:
    """Return how wide the columns of a table are: as their cells and the words of their headings ask for."""
    from docx.shared import Cm

    asked = []
    for place, head in enumerate(table.heads):
        longest = max((len(row[place]) for row in table.rows), default=0)
        words = max(map(len, BREAKS.split(head)))
        asked.append(3 + (max(longest, words) if table.is_number[place] else max(min(longest, 26), words)))
    room = min(1.0, WIDTH_IN_LETTERS / sum(asked))
    return [Cm(letters * room * WIDTH / WIDTH_IN_LETTERS) for letters in asked]


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
    properties = table._tbl.tblPr
    # Word asks for its elements in this order.
    behind = next(properties.iterchildren(qn("w:tblLayout"), qn("w:tblLook")))
    behind.addprevious(lines("w:tblBorders", **sides))
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        margin = OxmlElement(f"w:{side}")
        margin.set(qn("w:w"), TWIPS_BESIDE)
        margin.set(qn("w:type"), "dxa")
        margins.append(margin)
    properties.find(qn("w:tblLook")).addprevious(margins)
    table.autofit = False
    for cell in table.rows[0].cells:
        cell._tc.get_or_add_tcPr().append(lines("w:tcBorders", bottom="single"))


def _picture(document: Any, block: Picture, name: str) -> None:
    from docx.shared import Mm

    shape = document.add_picture(io.BytesIO(block.drawn.png()), width=Mm(MILLIMETRES))
    shape._inline.docPr.set("descr", _xml(block.title))
    caption = f"{name}. {block.title.rstrip('.')}. {block.caption}".strip()
    _paragraph(document, caption, source=block.source, style="Caption")
