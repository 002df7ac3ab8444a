"""Format-independent blocks of a manuscript. All text is plain; each writer escapes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analysis.methods.report import Figure, Report, Table
from analysis.reports.figure_widths import Sized, sized

# A cell that would say what the cell above it says; writers leave it empty.
AS_ABOVE = "\u200b"
# Figures are as wide as a column and a half of a journal.
MILLIMETRES = 114


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is a section."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Whole sentences, the works they rest on, and where their numbers come from (empty: there are none in them)."""

    text: str
    cites: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Tabular:
    """A table as it is printed: cells as text. `path` is the file, without its ending, that holds all of it.

    One that is wider than a page stands in `parts`, each the places of its columns; they are printed below each other.
    """

    path: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_number: tuple[bool, ...]
    note: str
    source: str
    full: Table | None = None
    parts: tuple[tuple[int, ...], ...] = ()

    def pieces(self) -> Iterator[Tabular]:
        """Yield the parts of a table as tables, itself where it has none."""
        for places in self.parts or (tuple(range(len(self.heads))),):
            yield replace(
                self,
                heads=tuple(self.heads[place] for place in places),
                rows=tuple(tuple(row[place] for place in places) for row in self.rows),
                is_number=tuple(self.is_number[place] for place in places),
                parts=(),
            )


@dataclass(frozen=True)
class Picture:
    """A figure of a report. `path` is its file without the ending."""

    path: str
    title: str
    caption: str
    report: Report
    figure: Figure
    source: str

    @cached_property
    def drawn(self) -> Sized:
        """The figure, drawn once for all formats."""
        return sized(self.report, self.figure, millimetres=MILLIMETRES)


Block = Heading | Paragraph | Tabular | Picture


@dataclass(frozen=True)
class Paper:
    """A manuscript: its blocks in order, and the keys of the works that it cites.

    `prefix` stands before the numbers of tables and figures, as in Table S1.
    """

    title: str
    authors: str
    blocks: Sequence[Block] = field(default_factory=tuple)
    prefix: str = ""

    def numbered(self) -> Iterator[tuple[Block, str]]:
        """Yield every block with what it is called: `Table 1`, `Figure S2`; text is called nothing."""
        counts = {"Table": 0, "Figure": 0}
        for block in self.blocks:
            kind = "Table" if isinstance(block, Tabular) else "Figure" if isinstance(block, Picture) else ""
            if kind:
                counts[kind] += 1
            yield block, f"{kind} {self.prefix}{counts[kind]}" if kind else ""

    @property
    def cited(self) -> list[str]:
        """Return the keys of all works cited, in alphabetical order."""
        return sorted({key for block in self.blocks if isinstance(block, Paragraph) for key in block.cites})


def without_repeats(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return rows of which only the first of those that begin alike says how they begin.

    >>> [row[0] == AS_ABOVE for row in without_repeats([("a", "1"), ("a", "2"), ("b", "3")])]
    [False, True, False]
    """
    earlier = ("", *(row[0] for row in rows))
    return tuple(
        (AS_ABOVE if row[0] == before else row[0], *row[1:]) for row, before in zip(rows, earlier, strict=False)
    )
