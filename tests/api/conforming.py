"""Hold every answer of a test against the schema: its status, its type and its body have to be described there."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from config.api.schema.document import document

# What the framework answers before an operation is found, or about a method that there is not.
OUTSIDE = (405,)


@cache
def patterns() -> list[tuple[re.Pattern[str], str]]:
    """The addresses of the schema, those with the fewest parameters first, as the platform finds them."""
    paths = sorted(document()["paths"], key=lambda path: ["{" in step for step in path.split("/")])
    return [(re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), path) for path in paths]


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation of the schema that an address has; None where it has none."""
    for pattern, route in patterns():
        if pattern.fullmatch(path):
            found: dict[str, Any] | None = document()["paths"][route].get(method.lower())
            return found
    return None


def hold_against_schema(method: str, path: str, answer: Any) -> None:
    """Fail where an answer is not one of those that the schema describes."""
    operation = operation_of(method, path)
    if operation is None or answer.status_code in OUTSIDE:
        return
    where = f"{method} {path}: {answer.status_code}"
    described = operation["responses"].get(str(answer.status_code))
    assert described is not None, f"{where} is not described; {answer.content[:500]!r}"
    content = described.get("content")
    if content is None:
        assert answer.status_code in (204, 304), where
        assert not answer.content, where
        return
    kind = answer["Content-Type"]
    assert kind in content, f"{where} has the type {kind}, and not one of {sorted(content)}"
    if kind.endswith("json") and "$ref" in content[kind]["schema"]:
        validator(content[kind]["schema"]["$ref"]).validate(answer.json())


@cache
def validator(ref: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": ref, "components": document()["components"]})
