"""Write a study file: tables, lists of tables and values as TOML, and the names of its study and parts. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from experiments.formats.names import numbered

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_of(given: Mapping[str, Any]) -> str:
    """Return a mapping as TOML.

    >>> print(toml_of({"title": "A", "parts": [{"name": "b", "settings": {"n": 1}}]}), end="")
    title = "A"
    <BLANKLINE>
    [[parts]]
    name = "b"
    <BLANKLINE>
    [parts.settings]
    n = 1
    """
    return "\n".join(_lines(given, "")) + "\n"


def _lines(given: Mapping[str, Any], path: str) -> Iterator[str]:
    tables = {}
    for key, value in given.items():
        if (isinstance(value, Mapping) and value) or (
            isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value) and path.count(".") < 1
        ):
            tables[key] = value
        else:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        below = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(value, Mapping):
            yield from ("", f"[{below}]", *_lines(value, below))
            continue
        for one in value:
            yield from ("", f"[[{below}]]", *_lines(one, below))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }" if value else "{}"
    return str(value)


def _text(text: str) -> str:
    said = "".join(sign for sign in text if sign != "\x00" and not "\ud800" <= sign <= "\udfff")
    if "\n" in said and '"""' not in said and not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", said):
        escaped = said.replace("\\", "\\\\").replace('"""', '\\"""')
        end = "\\" + '"' if escaped.endswith('"') else ""
        return '"""\n' + (escaped[:-1] + end if end else escaped) + '"""'
    return json.dumps(said, ensure_ascii=False).replace("\x7f", "\\u007f")


def slug_of(name: str) -> str:
    """Return the address of a study that is called so.

    >>> slug_of("2 Tasks"), slug_of("Stroop")
    ('study-2-tasks', 'stroop')
    """
    return _bare(name, most=40, otherwise="study")


def part_name(wanted: str, taken: set[str]) -> str:
    """Return the name of a part that no other has, and add it to those that are `taken`.

    >>> taken = {"main-task"}
    >>> part_name("Main task", taken), part_name("2nd", taken), part_name("new", taken)
    ('main-task-2', 'part-2nd', 'new-part')
    """
    bare = _bare(wanted, most=28, otherwise="part")
    bare = f"{bare}-part" if bare in ("new", "remove", "add") else bare
    return numbered(bare, taken)


def _bare(name: str, *, most: int, otherwise: str) -> str:
    bare = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:most].strip("-")
    return bare if bare[:1].isalpha() else f"{otherwise}-{bare}".strip("-")
