"""Write a study file: tables, lists of tables and values as TOML. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

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
