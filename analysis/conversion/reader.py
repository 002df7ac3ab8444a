"""What a reader of another tool's results is: it declares itself once, and everything else follows from that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.conversion.source import Source
from analysis.conversion.table import Converted


@dataclass(frozen=True)
class Reader:
    """A tool whose results are read.

    `files` says which of its files are read, `becomes` what becomes what (Markdown, for the document), `documentation`
    where the tool describes them. `recognised` looks at the content alone; no two readers may claim the same file.
    """

    tool: str
    files: str
    becomes: str
    documentation: str
    recognised: Callable[[Source], bool]
    read: Callable[[Source], Converted]
