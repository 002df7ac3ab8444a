"""Small schemas of which those of study files are made."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

Schema = dict[str, Any]

TRUTH: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string"}
# Something else than spaces.
FILLED: Schema = {"type": "string", "pattern": r"\S"}
NUMBER: Schema = {"type": "number"}


def these(keys: Collection[str], properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of keys that are checked elsewhere. Raises ValueError where one is missing or not checked."""
    if strange := set(keys) ^ set(properties):
        raise ValueError(f"Keys of study files that are either checked or described, not both: {sorted(strange)}.")
    return dict(properties)


def table(properties: Mapping[str, Schema], *, required: Sequence[str] = (), **more: Any) -> Schema:
    """Return the schema of a table with these keys and no others."""
    own = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return own | ({"required": list(required)} if required else {}) | more


def listed(items: Schema, **limits: int | bool) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items, **limits}


def text(most: int | None = None, *, is_filled: bool = False) -> Schema:
    """Return the schema of a text of at most so many characters."""
    return (FILLED if is_filled else TEXT) | ({} if most is None else {"maxLength": most})


def named(pattern: re.Pattern[str], most: int | None = None) -> Schema:
    """Return the schema of a name that matches a pattern as a whole."""
    return {"type": "string", "pattern": f"^(?:{pattern.pattern})$"} | ({} if most is None else {"maxLength": most})


def whole(low: int, high: int | None = None) -> Schema:
    """Return the schema of a whole number between limits."""
    return {"type": "integer", "minimum": low} | ({} if high is None else {"maximum": high})


def between(low: float, high: float) -> Schema:
    """Return the schema of a number between limits."""
    return {"type": "number", "minimum": low, "maximum": high}


def one_of(values: Sequence[str | int]) -> Schema:
    """Return the schema of one of a few words or numbers."""
    return {"enum": list(values)}


def said(schema: Schema, description: str) -> Schema:
    """Return a schema with what it is for."""
    return {"description": description} | schema


def ref(name: str) -> Schema:
    """Return a reference to one of the definitions of the schema."""
    return {"$ref": f"#/$defs/{name}"}


def settings_of(paradigms: Sequence[str]) -> list[Schema]:
    """Return the schemas of settings, each for the paradigm that a table names."""
    return [when("paradigm", [slug], {"properties": {"settings": ref(f"settings-{slug}")}}) for slug in paradigms]


def when(key: str, values: Sequence[str], then: Schema) -> Schema:
    """Return the schema that applies where a key has one of these values."""
    return {"if": {"properties": {key: one_of(values)}, "required": [key]}, "then": then}
