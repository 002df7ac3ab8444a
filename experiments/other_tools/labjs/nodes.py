"""Read a study of lab.js as a tree of components, from the builder's file or from the script of an export. Pure."""

from __future__ import annotations

import base64
import binascii
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.media_names import is_media_name
from experiments.media.kinds import MAX_SOUND_BYTES
from experiments.other_tools.javascript.plain import Code, plain_values
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import Report
from experiments.other_tools.screens.tables import rows_of

MOST_NODES, MOST_DEEP = 20_000, 60


@dataclass
class Response:
    """One response: its label, the event, its target and its filter (a key)."""

    label: str
    event: str
    target: str
    key: str


@dataclass
class Node:
    """One component: its type without `lab.`, its title, its path in the tree, and its options."""

    kind: str
    title: str
    path: str
    options: dict[str, Any]
    children: list[Node] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    handlers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.title or self.path or self.kind


@dataclass
class Study:
    """A study: its file, its root, and what could not be read of it."""

    file: str
    root: Node
    faults: list[str] = field(default_factory=list)


def studies_in(project: Project) -> list[Study]:
    """Return the studies of a project: those of the builder first, else those of exports."""
    found = []
    for path, text in sorted(project.texts.items(), key=lambda one: (one[0].count("/"), one[0])):
        if path.casefold().endswith(".json") and '"components"' in text and '"lab.' in text:
            study = _of_builder(project, path, text)
            found += [study] if study is not None else []
    if found:
        return found
    for path, text in sorted(project.texts.items()):
        if path.casefold().endswith(".js") and "lab.util.fromObject" in text:
            study = _of_export(path, text)
            found += [study] if study is not None else []
    return found


def _of_builder(project: Project, path: str, text: str) -> Study | None:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    components = given.get("components") if isinstance(given, Mapping) else None
    if not isinstance(components, Mapping) or "root" not in components:
        return None
    stored = given.get("files")
    stored = stored.get("files") if isinstance(stored, Mapping) else None
    contents = stored if isinstance(stored, Mapping) else {}
    study = Study(path, Node("flow.Sequence", "", "", {}))
    counted = [0]

    def node(name: str, above: str, depth: int) -> Node | None:
        own = components.get(name)
        counted[0] += 1
        if not isinstance(own, Mapping) or depth > MOST_DEEP or counted[0] > MOST_NODES:
            study.faults.append(f"the component {name} cannot be read, or is nested too deep.")
            return None
        made = _node(own, f"{above}/{own.get('title') or name}" if above or name != "root" else "")
        children = own.get("children")
        for child in children if isinstance(children, Sequence) and not isinstance(children, str) else []:
            below = node(str(child), made.path, depth + 1)
            made.children += [below] if below is not None else []
        return made

    root = node("root", "", 0)
    if root is None:
        return None
    study.root = root
    _store(project, root, contents)
    return study


def _node(own: Mapping[str, Any], path: str) -> Node:
    kind = str(own.get("type", "")).removeprefix("lab.")
    made = Node(kind, str(own.get("title") or ""), path.strip("/"), dict(own))
    made.responses = [one for one in _responses(own.get("responses")) if one.label and (one.event or one.key)]
    made.parameters = {name: value for one in _listed(own.get("parameters")) if (name := _text(one.get("name")))
                       for value in [_text(one.get("value"))]}  # fmt: skip
    if isinstance(own.get("parameters"), Mapping) and "rows" not in own["parameters"]:
        made.parameters = {str(name): _text(value) for name, value in own["parameters"].items()}
    for one in _listed(own.get("files")):
        if one.get("localPath"):
            made.files[_text(one.get("localPath"))] = _text(one.get("poolPath"))
    handlers = own.get("messageHandlers")
    if isinstance(handlers, Mapping) and "rows" not in handlers:
        made.handlers = [(str(name), getattr(code, "source", "") or _text(code)) for name, code in handlers.items()]
    else:
        made.handlers = [(_text(one.get("message")), _text(one.get("code"))) for one in _listed(handlers)]
    made.handlers = [(message, code) for message, code in made.handlers if code.strip()]
    made.rows = _rows(own.get("templateParameters"))
    return made


def _listed(given: Any) -> list[Mapping[str, Any]]:
    """Return a list of mappings, however the version of the builder writes it: `[…]`, `{"rows": [[…]]}`."""
    if isinstance(given, Mapping):
        given = given.get("rows")
    found = []
    for one in given if isinstance(given, list) else []:
        inner = one[0] if isinstance(one, list) and one else one
        if isinstance(inner, Mapping):
            found.append(inner)
    return found


def _responses(given: Any) -> list[Response]:
    if isinstance(given, Mapping) and "rows" not in given:
        found = []
        for event, label in given.items():
            told = re.fullmatch(r"(\w+)\s*(?:\(([^)]*)\))?\s*(.*)", str(event).strip())
            if told:
                found.append(Response(_text(label), told[1], told[3], _text(told[2]).strip()))
        return found
    rows = given.get("rows") if isinstance(given, Mapping) else given
    found = []
    for row in rows if isinstance(rows, list) else []:
        own = row[0] if isinstance(row, list) and len(row) == 1 and isinstance(row[0], Mapping) else row
        if isinstance(own, Mapping):
            found.append(Response(*(_text(own.get(name)) for name in ("label", "event", "target", "filter"))))
        elif isinstance(own, list) and len(own) >= 4:
            found.append(Response(*(_text(one) for one in own[:4])))
    return found


def _rows(given: Any) -> list[dict[str, str]]:
    """Return the rows of a loop: a grid of columns and rows, or a list of objects."""
    if isinstance(given, list):
        return [{str(k): _text(v) for k, v in row.items()} for row in given if isinstance(row, Mapping)]
    if not isinstance(given, Mapping) or not isinstance(given.get("rows"), list):
        return []
    columns = [_text(one.get("name")) if isinstance(one, Mapping) else _text(one) for one in given.get("columns") or []]
    found = []
    for row in given["rows"]:
        cells = row if isinstance(row, list) else []
        own = {name: _text(cell) for name, cell in zip(columns, cells, strict=False) if name.strip()}
        if own:
            found.append(own)
    return found


def _text(given: Any) -> str:
    if given is None or isinstance(given, Code):
        return ""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, float) and given.is_integer():
        return str(int(given))
    return given if isinstance(given, str) else str(given)


def _store(project: Project, root: Node, contents: Mapping[str, Any]) -> None:
    """Put the files that the study holds as data addresses beside those of the folder, under their own names."""
    open_nodes = [root]
    names: dict[str, str] = {}
    while open_nodes:
        node = open_nodes.pop()
        names |= node.files
        open_nodes += node.children
    for own, pool in names.items():
        held = contents.get(pool)
        data = _decoded(held.get("content")) if isinstance(held, Mapping) else None
        if data is None:
            continue
        if is_media_name(own) and len(data) <= MAX_SOUND_BYTES:
            project.media.setdefault(f"files/{own}", data)
        elif own.casefold().endswith((".json", ".csv", ".tsv", ".txt")):
            project.texts.setdefault(f"files/{own}", data.decode("utf-8", errors="replace"))


def _decoded(address: Any) -> bytes | None:
    if not isinstance(address, str) or not address.startswith("data:"):
        return None
    head, comma, body = address.partition(",")
    if not comma:
        return None
    try:
        return base64.b64decode(body) if head.endswith(";base64") else urllib.parse.unquote_to_bytes(body)
    except (ValueError, binascii.Error):
        return None


def _of_export(path: str, text: str) -> Study | None:
    values = plain_values(text, path)
    given = next((call[0] for name, call in values.calls if name.endswith("lab.util.fromObject") and call), None)
    if not isinstance(given, Mapping):
        return None
    study = Study(path, Node("flow.Sequence", "", "", {}))

    def node(own: Mapping[str, Any], above: str, depth: int) -> Node | None:
        if depth > MOST_DEEP:
            study.faults.append("components are nested too deep.")
            return None
        name = _text(own.get("title")) or _text(own.get("type"))
        made = _node(own, f"{above}/{name}" if depth else "")
        if isinstance(own.get("files"), Mapping):
            made.files = {str(name): _text(value) for name, value in own["files"].items()}
        flows = made.kind.startswith("flow.") or made.kind.endswith("Frame")
        template = own.get("template") if made.kind == "flow.Loop" else own.get("content")
        inner = template if isinstance(template, list) else [template]
        for child in inner if flows else []:
            if isinstance(child, Mapping):
                below = node(child, made.path, depth + 1)
                made.children += [below] if below is not None else []
        return made

    root = node(given, "", 0)
    if root is None:
        return None
    study.root = root
    return study


def rows_of_files(node: Node, project: Project, report: Report) -> tuple[str, list[dict[str, str]]]:
    """Return the one table that a loop without rows has among its files, with its name; nothing without one."""
    tables = []
    for own in node.files:
        path = project.named(own)
        if path is None or path not in project.texts:
            continue
        text = project.texts[path]
        rows: list[dict[str, str]] = []
        if own.casefold().endswith(".json"):
            try:
                rows = _rows(json.loads(text))
            except (ValueError, RecursionError):
                continue
        elif own.casefold().endswith((".csv", ".tsv")):
            rows = rows_of(path, text, report)
        if rows:
            tables.append((own, rows))
    return tables[0] if len(tables) == 1 else ("", [])
