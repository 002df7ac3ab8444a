"""Find the line of a key in a TOML file, because TOML parsers do not report it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from experiments.study_files.parts import Locate


def lines_of(text: str) -> Locate:
    """Return a function from the path of a key to its line; what a text of several lines holds is no key."""
    lines: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if open_quotes:
            if open_quotes in line:
                open_quotes = ""
            continue
        header = re.match(r"\s*(\[\[?)([^\]]+)\]", line)
        key = re.match(r"""\s*["']?([A-Za-z0-9_.-]+)["']?\s*=\s*(.*)""", line)
        if header:
            name = header[2].strip().replace('"', "").replace(" ", "")
            table = tuple(name.split("."))
            outer = next((known for known in counts if name.startswith(f"{known}.")), "")
            if header[1] == "[[":
                counts[name] = counts.get(name, 0) + 1
                lines.setdefault(table, number)
                table = (*table, counts[name])
            elif outer:
                # A table within the last one of a list, such as [sources.outcomes.completed].
                lines.setdefault(table, number)
                table = (*outer.split("."), counts[outer], *name.removeprefix(f"{outer}.").split("."))
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *key[1].split(".")), number)
            for quotes in ('"""', "'''"):
                if key[2].count(quotes) == 1:
                    open_quotes = quotes

    def locate(path: Sequence[str | int]) -> int | None:
        return lines.get(tuple(path))

    return locate
