"""Write a manuscript as Markdown, for further editing in other programs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis.papers.blocks import Block, Heading, Paper, Paragraph, Tabular
from analysis.papers.references import WORKS, printed
from analysis.reports.symbols import Piece, heading_pieces, pieces, plain_text

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+|~$&!-])")


def escaped(text: str) -> str:
    r"""Escape text for Markdown, on one line.

    >>> escaped("a_b *c*\n# d")
    'a\\_b \\*c\\* \\# d'
    """
    line = " ".join(text.replace("\u00a0", "\u2007").split()).replace("\u2007", "\u00a0")
    lead = re.sub(r"^(\d+)\.(?=\s|$)", r"\1\\.", _SPECIAL.sub(r"\\\1", line))
    return lead.replace("\\(", "(").replace("\\)", ")").replace("\\-", "-") if not line.startswith("-") else lead


def sentence(text: str) -> str:
    """Return text with the symbols of statistics in italics; indices are letters, as Markdown has none of its own.

    >>> sentence("F1(1, 49) = 5.19").replace("\u00a0", " ")
    '*F*₁(1, 49) = 5.19'
    """
    return _written(pieces(re.sub("[\ue000\ue001]", "", text)))


def _written(found: Iterable[Piece]) -> str:
    marked = "".join(
        f"\ue000{piece.text}\ue001" if piece.style == "symbol" else plain_text((piece,)) for piece in found
    )
    return escaped(marked).replace("\ue000", "*").replace("\ue001", "*")


def _heads(block: Tabular) -> list[str]:
    heads = zip(block.heads, block.is_number, strict=True)
    return [_written(heading_pieces(head, is_number=number)) for head, number in heads]


def paper_md(paper: Paper) -> str:
    """Return the whole manuscript with its list of references."""
    parts = [
        f"# {escaped(paper.title)}",
        escaped(paper.authors),
        *(_block(block, name) for block, name in paper.numbered()),
    ]
    if paper.cited:
        parts += ["## References", *(escaped(printed(key)) for key in paper.cited)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block(block: Block, name: str) -> str:
    if isinstance(block, Heading):
        return f"{'#' * (block.level + 1)} {sentence(block.text)}"
    if isinstance(block, Paragraph):
        cites = f" ({'; '.join(WORKS[key].short for key in block.cites)})" if block.cites else ""
        return sentence(block.text + cites) + _source(block.source)
    if isinstance(block, Tabular):
        tables = map(_table, block.pieces())
        return "\n\n".join(
            part for part in (f"**{name}. {sentence(block.title)}**", *tables, sentence(block.note)) if part
        ) + _source(block.source)
    caption = f"{name}. {block.title.rstrip('.')}. {block.caption}".strip()
    return f"![{escaped(block.title)}]({block.path}.svg)\n\n{sentence(caption)}" + _source(block.source)


def _table(block: Tabular) -> str:
    rule = "|".join("---:" if number else "---" for number in block.is_number)
    rows = ["| " + " | ".join(row) + " |" for row in (_heads(block), *(map(escaped, row) for row in block.rows))]
    return "\n".join((rows[0], f"|{rule}|", *rows[1:]))


def _source(source: str) -> str:
    return (
        f"\n\n<!-- source: {re.sub('[^ -~]', '?', source).replace('--', '- -').replace('>', '')} -->" if source else ""
    )
