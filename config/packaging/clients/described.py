"""Operations as both clients need them: read from the OpenAPI document, so that they say what the platform does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PREFIX = "/api/v1/"
JSON, FORM = "application/json", "multipart/form-data"
# Headers that the clients know. They send the first two by themselves. If-None-Match only saves a transfer, and
# Lectern-If-Status is for programs that may change drafts alone, so they send neither.
HEADERS = {"If-Match", "Idempotency-Key", "If-None-Match", "Lectern-If-Status"}
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Argument:
    """One argument of an operation: what people write, what is sent, and as what."""

    name: str
    sent_as: str
    schema: Schema
    required: bool
    text: str


@dataclass(frozen=True)
class Described:
    """One operation. `gives` is json, rows, file or nothing; `shape` the schema of what it gives, or of one row."""

    name: str
    subject: str
    method: str
    path: str
    summary: str
    description: str
    in_path: tuple[Argument, ...]
    in_query: tuple[Argument, ...]
    in_body: tuple[Argument, ...]
    takes_json: bool
    uploads: tuple[str, ...]
    form_files: tuple[str, ...]
    form_texts: tuple[str, ...]
    gives: str
    shape: Schema | None
    is_paged: bool
    creates: bool
    is_guarded: bool
    has_etag: bool

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return (*self.in_path, *self.in_query, *self.in_body)


def described(document: Mapping[str, Any]) -> list[Described]:
    """Return all operations of the document, in its order."""
    order = [tag["name"] for tag in document["tags"]]
    found = [
        _operation(document, method.upper(), path.removeprefix(PREFIX), told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]
    return sorted(found, key=lambda one: order.index(one.subject))


def _operation(document: Mapping[str, Any], method: str, path: str, told: Schema) -> Described:
    given: dict[str, list[Schema]] = {"path": [], "query": [], "header": []}
    for parameter in told["parameters"]:
        given[parameter["in"]].append(parameter)
    headers = {one["name"] for one in given["header"]}
    if strange := headers - HEADERS:
        raise ValueError(f"{told['operationId']} takes {strange}, which the clients do not know")
    content = told.get("requestBody", {}).get("content", {})
    body = resolved(document, content[JSON]["schema"]) if JSON in content else {"properties": {}}
    form = content.get(FORM, {}).get("schema", {"properties": {}})["properties"]
    files = tuple(name for name, one in form.items() if "contentMediaType" in one)
    in_path = [Argument(one["name"], one["name"], one["schema"], True, one["description"]) for one in given["path"]]
    taken = {one.name for one in in_path}
    in_body = [
        Argument(
            f"new_{name}" if name in taken else name, name, one, name in body.get("required", ()),
            one.get("description", ""),
        )
        for name, one in body["properties"].items()
    ]  # fmt: skip
    # What query and body have in common is sent in the one that is used.
    common = {one.sent_as for one in in_body}
    in_query = [
        Argument(one["name"], one["name"], one["schema"], one["required"], one["description"])
        for one in given["query"]
        if one["name"] not in common
    ]
    gives, shape, paged = _given(document, told)
    return Described(
        told["operationId"], told["tags"][0], method, path, told["summary"], told["description"], tuple(in_path),
        tuple(in_query), tuple(in_body), JSON in content,
        tuple(kind for kind in content if kind not in (JSON, FORM)), files,
        tuple(name for name in form if name not in files), gives, shape, paged,
        "Idempotency-Key" in headers, "If-Match" in headers, "ETag" in _success(told).get("headers", {}),
    )  # fmt: skip


def _success(told: Schema) -> Schema:
    found: Schema = next(answer for status, answer in told["responses"].items() if status.startswith("2"))
    return found


def _given(document: Mapping[str, Any], told: Schema) -> tuple[str, Schema | None, bool]:
    content = _success(told).get("content")
    if content is None:
        return "nothing", None, False
    if set(content) != {JSON} or "$ref" not in content[JSON]["schema"]:
        return "file", None, False
    shape = resolved(document, content[JSON]["schema"])
    names = set(shape["properties"])
    if names == {"items"} or names == {"items", "next", "next_cursor"}:
        return "rows", shape["properties"]["items"]["items"], "next" in names
    return "json", content[JSON]["schema"], False


def resolved(document: Mapping[str, Any], schema: Schema) -> Schema:
    """Return a schema, or the one to which it refers."""
    if "$ref" not in schema:
        return schema
    found: Schema = document["components"]["schemas"][name_of(schema)]
    return found


def name_of(reference: Schema) -> str:
    """Return the name of the component to which a schema refers."""
    return str(reference["$ref"]).rpartition("/")[2]


def sentences(one: Described) -> str:
    """Return what an operation does, in one paragraph."""
    return f"{one.summary}. {one.description}".replace("..", ".")
