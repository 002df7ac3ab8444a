"""Values that a script of PCIbex puts together: elements with what is asked of them, trials, tables, orders. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.javascript.syntax import Function


@dataclass(frozen=True)
class Unknown:
    """A value that only a running script knows; `source` says what it is."""

    line: int
    source: str


@dataclass(frozen=True)
class UrlParameter:
    """A parameter of the address, which a recruitment platform fills in."""

    name: str


@dataclass(frozen=True)
class PatternValue:
    """A regular expression."""

    source: str
    flags: str


GROUPS = ("group", "list")


@dataclass
class Table:
    """A table of a project: its header, its rows as (line, cells), and the column that says who sees which row."""

    name: str
    header: tuple[str, ...]
    rows: list[tuple[int, dict[str, str]]]
    group_column: str = ""
    label_column: str = ""

    def groups(self) -> str:
        """Return the column that says who sees which row: the one that the script names, or Group or List."""
        named = [name for name in self.header if name.casefold() in GROUPS]
        return self.group_column if self.group_column in self.header else (named[0] if named else "")


class RowOf(dict[str, str]):
    """A row of a table in a template, with its line there, the groups that see it, and all groups of the table."""

    def __init__(self, table: Table, line: int, cells: Mapping[str, str]) -> None:
        super().__init__(cells)
        self.table, self.line = table, line
        self.groups: list[str] = []
        self.all_groups: tuple[str, ...] = ()


class Entries(list[Any]):
    """A list of the script, with the line on which it begins."""

    def __init__(self, entries: Sequence[Any], line: int) -> None:
        super().__init__(entries)
        self.line = line


@dataclass(frozen=True)
class Element:
    """An element: its kind (`Text`, `Scale`), its name, its arguments without the name, and its line."""

    kind: str
    name: str
    arguments: tuple[Any, ...]
    line: int


@dataclass(frozen=True)
class Command:
    """One command on an element, in the order of the script: `new` for the element itself, else the method."""

    element: Element
    method: str
    arguments: tuple[Any, ...]
    line: int


class Commands(list[Command]):
    """What an expression such as `newText("a").print()` asks of one element."""

    def __init__(self, element: Element, commands: Sequence[Command] = ()) -> None:
        super().__init__(commands)
        self.element = element


@dataclass
class Trial:
    """One trial: its label, its commands, what it logs, the row that it was made from, and its line.

    `item` and `condition` are those of an Ibex label. All trials of a template share their line.
    """

    label: str
    commands: list[Command]
    line: int
    row: RowOf | None = None
    logged: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    item: str = ""
    condition: str = ""
    file: str = ""


@dataclass(frozen=True)
class Ordered:
    """A piece of an order: a label, or a word such as `randomize` with pieces or values below it."""

    word: str
    below: tuple[Any, ...]
    line: int


@dataclass
class Closure:
    """A function of the script with the names that it sees."""

    function: Function
    names: Names


@dataclass
class Names:
    """Names with their values, and the names around them."""

    own: dict[str, Any] = field(default_factory=dict)
    around: Names | None = None

    def find(self, name: str) -> Any:
        """Return the value of a name; None where nothing has it."""
        here: Names | None = self
        while here is not None:
            if name in here.own:
                return here.own[name]
            here = here.around
        return None

    def has(self, name: str) -> bool:
        """Return whether something has the name."""
        here: Names | None = self
        while here is not None:
            if name in here.own:
                return True
            here = here.around
        return False
