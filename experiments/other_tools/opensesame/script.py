"""Parse a script of OpenSesame into its items: variables, runs, cycles, drawings, widgets. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_LINES, MOST_ITEMS, MOST_CYCLES = 200_000, 5_000, 20_000
_DEFINE = re.compile(r"define (\S+) (.+)")
_TOKEN = re.compile(r'[^\s="]+="(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*"|[^\s]+')
_BLOCK = re.compile(r"__(.+)__")


@dataclass
class Drawing:
    """One element of a sketchpad: its kind, and its options; older scripts have x, y and content without a name."""

    kind: str
    options: dict[str, str]
    line: int


@dataclass
class Run:
    """One item that a sequence runs, and the condition under which."""

    item: str
    condition: str
    line: int


@dataclass
class Item:
    """One item: what is set in it, with the lines, and its commands."""

    kind: str
    name: str
    line: int
    values: dict[str, str] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    cycles: dict[int, dict[str, str]] = field(default_factory=dict)
    drawings: list[Drawing] = field(default_factory=list)
    widgets: list[tuple[str, dict[str, str], int]] = field(default_factory=list)
    operations: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Script:
    """An experiment: variables of all items, and the items by their names."""

    values: dict[str, str] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)


def script_of(text: str) -> Script:
    """Return the items of a script.

    >>> script = script_of('set start experiment\\ndefine sequence experiment\\n\\trun hello "[a] = 1"\\n')
    >>> script.items["experiment"].runs[0].condition
    '[a] = 1'
    """
    script = Script()
    item: Item | None = None
    lines = _lines(text)
    for number, line in lines:
        defined = _DEFINE.match(line)
        if defined:
            name = unquoted(defined[2])
            item = Item(defined[1], name, number)
            if len(script.items) >= MOST_ITEMS:
                script.faults.append((number, "more items than are read"))
                return script
            script.items[name] = item
            continue
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        block = _BLOCK.fullmatch(bare)
        if block and item is not None and block[1] != "end":
            held = []
            for _number, inner in lines:
                if inner.strip() == "__end__":
                    break
                held.append(inner[1:] if inner.startswith("\t") else inner)
            item.values[block[1]] = "\n".join(held)
            continue
        _command(script, item, bare, number)
    return script


def _lines(text: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(text.split("\n", MOST_LINES)[:MOST_LINES], start=1)


def _command(script: Script, item: Item | None, bare: str, number: int) -> None:
    word, _gap, rest = bare.partition(" ")
    if word == "set":
        name, _space, value = rest.strip().partition(" ")
        (item.values if item is not None else script.values)[name] = unquoted(value)
        return
    if item is None:
        return
    tokens = [found[0] for found in _TOKEN.finditer(rest)]
    match word:
        case "run" if tokens:
            condition = unquoted(rest.strip()[len(tokens[0]) :].strip()) or "always"
            item.runs.append(Run(unquoted(tokens[0]), condition, number))
        case "setcycle" if len(tokens) >= 2 and tokens[0].isdigit() and int(tokens[0]) < MOST_CYCLES:
            value = rest.strip()[len(tokens[0]) :].strip()[len(tokens[1]) :].strip()
            item.cycles.setdefault(int(tokens[0]), {})[unquoted(tokens[1])] = unquoted(value)
        case "draw" if tokens:
            item.drawings.append(Drawing(tokens[0], _options(tokens[0], tokens[1:]), number))
        case "widget" if len(tokens) >= 5:
            item.widgets.append((tokens[4], _options("", tokens[5:]), number))
        case "log":
            pass
        case _:
            item.operations.append((bare, number))


_POSITIONS = {
    "textline": ("x", "y", "text"), "image": ("x", "y", "file"), "fixdot": ("x", "y"), "circle": ("x", "y", "r"),
    "rect": ("x", "y", "w", "h"), "ellipse": ("x", "y", "w", "h"), "line": ("x1", "y1", "x2", "y2"),
}  # fmt: skip


def _options(kind: str, tokens: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    bare: list[str] = []
    for token in tokens:
        name, sign, value = token.partition("=")
        if sign and re.fullmatch(r"\w+", name):
            found[name] = unquoted(value)
        else:
            bare.append(unquoted(token))
    for name, value in zip(_POSITIONS.get(kind, ()), bare, strict=False):
        found.setdefault(name, value)
    return found


def unquoted(value: str) -> str:
    """Return a value without its quotation marks and with signs that are written by codes.

    >>> unquoted('"He said \\\\"no\\\\"."'), unquoted("U+00E9t")
    ('He said "no".', 'ét')
    """
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = re.sub(r"\\(.)", r"\1", value[1:-1])
    return re.sub(r"U\+([0-9A-F]{4,6})", lambda found: chr(min(int(found[1], 16), 0x10FFFF)), value)
