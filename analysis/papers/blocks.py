"""Format-independent blocks of a manuscript. All text is plain; each writer escapes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.methods.report import Figure, Report, Table


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
    """A table as it is printed: cells as text. `path` is the file, without its ending, that holds all of it."""

    path: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_number: tuple[bool, ...]
    note: str
    source: str
    full: Table | None = None


@dataclass(frozen=True)
class Picture:
    """A figure of a report. `path` is its file without the ending."""

    path: str
    title: str
    caption: str
    report: Report
    figure: Figure
    source: str


Block = Heading | Paragraph | Tabular | Picture


@dataclass(frozen=True)
class Paper:
    """A manuscript: its blocks in order, and the keys of the works that it cites."""

    title: str
    authors: str
    blocks: Sequence[Block] = field(default_factory=tuple)

    @property
    def cited(self) -> list[str]:
        """Return the keys of all works cited, in alphabetical order."""
        return sorted({key for block in self.blocks if isinstance(block, Paragraph) for key in block.cites})
