"""The operations as methods of the Python client, with types: one module for each subject, and one for the shapes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from .described import Argument, Described, Schema, name_of, sentences

WIDTH = 120
LONGEST_CHOICES = 72
MAKER = "Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit."
MADE = '"""{text}\n\n' + MAKER + '\n"""'


def python_modules(operations: list[Described], document: Mapping[str, Any]) -> dict[str, str]:
    """Return the modules of the room `operations` by their names."""
    subjects = list(dict.fromkeys(one.subject for one in operations))
    texts = {tag["name"]: tag["description"] for tag in document["tags"]}
    modules = {
        f"{subject}.py": _module(subject, texts[subject], [one for one in operations if one.subject == subject])
        for subject in subjects
    }
    return {
        **modules,
        "shapes.py": _shapes(operations, document),
        "table.py": _table(operations),
        "__init__.py": _together(subjects),
    }


def _together(subjects: list[str]) -> str:
    lines = [MADE.format(text="All operations of the platform."), "", "from __future__ import annotations", ""]
    lines += [f"from .{subject} import {_class(subject)}" for subject in sorted(subjects)]
    lines += ["", "", "class Operations("]
    lines += [f"    {_class(subject)}," for subject in subjects]
    lines += ["):", '    """Every operation of the platform as a method of its name."""']
    return "\n".join(lines) + "\n"


def _class(subject: str) -> str:
    return f"Of{subject.title()}"


def _table(operations: list[Described]) -> str:
    lines = [MADE.format(text="Where every operation is, and how it is sent."), ""]
    lines += ["from __future__ import annotations", "", "from typing import NamedTuple", "", ""]
    lines += [
        "class Sent(NamedTuple):",
        '    """How an operation is sent: what takes a file has its media types, the files and the texts of a form."""',
        "",
        "    method: str",
        "    path: str",
        "    gives: str",
        "    creates: bool = False",
        "    is_guarded: bool = False",
        "    uploads: tuple[str, ...] = ()",
        "    form_files: tuple[str, ...] = ()",
        "    form_texts: tuple[str, ...] = ()",
        "",
        "",
        "SENT = {",
    ]
    for one in operations:
        flags = [f"{name}=True" for name in ("creates", "is_guarded") if getattr(one, name)]
        kinds = [(name, getattr(one, name)) for name in ("uploads", "form_files", "form_texts") if getattr(one, name)]
        written = [_quoted(one.method), _quoted(one.path), _quoted(one.gives), *flags]
        if not kinds:
            lines += _call(f"    {_quoted(one.name)}: Sent", written, "    ")
            continue
        lines += [f"    {_quoted(one.name)}: Sent("]
        lines += [f"        {value}," for value in written]
        for name, values in kinds:
            line = f"        {name}=({', '.join(map(_quoted, values))}{',' if len(values) == 1 else ''}),"
            several = [f"        {name}=(", *(f"            {_quoted(value)}," for value in values), "        ),"]
            lines += [line] if len(line) <= WIDTH else several
        lines += ["    ),"]
    return "\n".join([*lines, "}"]) + "\n"


def _call(head: str, values: list[str], indent: str) -> list[str]:
    """Return a call as the formatter writes it: in a line where it fits."""
    line = f"{head}({', '.join(values)}),"
    if len(line) <= WIDTH:
        return [line]
    within = f"{indent}    {', '.join(values)}"
    if len(within) <= WIDTH:
        return [f"{head}(", within, f"{indent}),"]
    return [f"{head}(", *(f"{indent}    {value}," for value in values), f"{indent}),"]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _module(subject: str, text: str, operations: list[Described]) -> str:
    body = "\n\n".join(_method(one) for one in operations)
    used = sorted({name for one in operations for name in _shapes_of(one)})
    typed = [name for name in ("Any", "Literal") if f"{name}[" in body or f"{name}]" in body or f"-> {name}" in body
             or f": {name}" in body]  # fmt: skip
    lines = [MADE.format(text=text), ""]
    lines += ["from __future__ import annotations", ""]
    abstract = [name for name in ("Mapping", "Sequence") if f"{name}[" in body]
    if abstract:
        lines += [f"from collections.abc import {', '.join(abstract)}"]
    if typed:
        lines += [f"from typing import {', '.join(typed)}"]
    if abstract or typed:
        lines += [""]
    lines += ["from ..asking import UNSET, Asking, Unset" if "UNSET" in body else "from ..asking import Asking"]
    files = [name for name in ("Download", "File") if f" {name}" in body or f"| {name}" in body]
    if files:
        lines += [f"from ..files import {', '.join(files)}"]
    if "Rows[" in body:
        lines += ["from ..tables import Rows"]
    if used:
        line = f"from .shapes import {', '.join(used)}"
        lines += [line] if len(line) <= WIDTH else ["from .shapes import (", *(f"    {name}," for name in used), ")"]
    lines += ["", "", f"class {_class(subject)}(Asking):", f'    """{text}"""', "", body]
    return "\n".join(lines) + "\n"


def _shapes_of(one: Described) -> Iterator[str]:
    if one.shape is not None:
        yield shape_name(name_of(one.shape))


def _method(one: Described) -> str:
    lines = [f"    def {one.name}(", "        self,"]
    lines += [f"        {argument.name}: {_path_type(argument)}," for argument in one.in_path]
    if one.uploads and not one.takes_json:
        lines += ["        file: File,"]
    named = _named_arguments(one)
    if named:
        lines += ["        *,", *(f"        {name}: {kind}," for name, kind in named)]
    lines += [f"    ) -> {_returned(one)}:", *_docstring(one), *_body(one)]
    if len(lines[1:-1]) and not named and not one.in_path and not (one.uploads and not one.takes_json):
        lines = [f"    def {one.name}(self) -> {_returned(one)}:", *_docstring(one), *_body(one)]
    return "\n".join(lines)


def _named_arguments(one: Described) -> list[tuple[str, str]]:
    rest = [*one.in_body, *one.in_query]
    named = [(argument.name, python_type(argument.schema)) for argument in rest if argument.required]
    named += [(argument.name, _optional(argument)) for argument in rest if not argument.required]
    if one.uploads and one.takes_json:
        named += [("file", "File | None = None")]
        named += [(name, "File | None = None") for name in one.form_files if name != "file"]
    if one.uploads:
        named += [("content_type", "str | None = None")]
    if one.is_guarded:
        named += [("if_match", "str | None = None")]
    if one.creates:
        named += [("idempotency_key", "str | None = None")]
    return named


def _optional(argument: Argument) -> str:
    kind = python_type(argument.schema)
    return f"{kind.removesuffix(' | None')} | Unset{' | None' if kind.endswith(' | None') else ''} = UNSET"


def _docstring(one: Described) -> list[str]:
    explained = [
        *((argument.name, argument.text) for argument in one.arguments if argument.text),
        *([("file", "A path, or the bytes.")] if one.uploads else []),
        *([("if_match", "An ETag, or `*`; by itself the one that this client read last.")] if one.is_guarded else []),
        *([("idempotency_key", "A key of your own; by itself a random one.")] if one.creates else []),
    ]
    first = f"{one.summary}."
    rest = sentences(one).removeprefix(first).strip()
    lines = [f'        """{first}', ""]
    lines += [f"        {line}" for line in textwrap.wrap(rest, WIDTH - 8)]
    if explained:
        lines += ["", "        Args:"]
        for name, text in explained:
            written = textwrap.wrap(f"{name}: {text}", WIDTH - 12, subsequent_indent="    ")
            lines += [f"            {line}" for line in written]
    return [*lines, '        """']


def _body(one: Described) -> list[str]:
    head = {"nothing": "", "json": f"found: {_returned(one)} = "}.get(one.gives, "return ")
    lines = [
        f"        {head}self._{one.gives}(",
        f"            {_quoted(one.name)},",
        f"            {_dict(one.in_path)},",
    ]
    lines += _dict_lines("query", one.in_query) if one.in_query else []
    lines += _dict_lines("body", one.in_body) if one.takes_json else []
    if one.uploads:
        files = [name for name in one.form_files if name != "file"] if one.takes_json else []
        lines += ["            file=file,", "            content_type=content_type,"]
        if files:
            lines += [f"            files={{{', '.join(f'{_quoted(name)}: {name}' for name in files)}}},"]
    lines += ["            if_match=if_match,"] if one.is_guarded else []
    lines += ["            key=idempotency_key,"] if one.creates else []
    lines += ["        )"]
    short = f"{lines[0]}{', '.join(line.strip().rstrip(',') for line in lines[1:-1])})"
    lines = [short] if len(lines) == 4 and len(short) <= WIDTH else lines
    return [*lines, *(["        return found"] if one.gives == "json" else [])]


def _dict_lines(name: str, arguments: tuple[Argument, ...]) -> list[str]:
    written = f"            {name}={_dict(arguments)},"
    if len(written) <= WIDTH:
        return [written]
    return [
        f"            {name}={{",
        *(f"                {_pair(argument)}," for argument in arguments),
        "            },",
    ]


def _pair(argument: Argument) -> str:
    return f"{_quoted(argument.sent_as)}: {argument.name}"


def _dict(arguments: tuple[Argument, ...]) -> str:
    return "{" + ", ".join(_pair(argument) for argument in arguments) + "}"


def _returned(one: Described) -> str:
    if one.gives == "nothing":
        return "None"
    if one.gives == "file":
        return "Download"
    assert one.shape is not None  # noqa: S101 - for the type alone
    name = shape_name(name_of(one.shape))
    return f"Rows[{name}]" if one.gives == "rows" else name


def _path_type(argument: Argument) -> str:
    return "int | str" if argument.name in ("run", "archive", "hook") else "str"


def shape_name(component: str) -> str:
    """Return what the type of a component is called.

    >>> shape_name("RunShape"), shape_name("PageOfRunShape"), shape_name("Readiness")
    ('Run', 'PageOfRun', 'Readiness')
    """
    return component.removesuffix("Shape")


def python_type(schema: Schema, *, given: bool = False) -> str:
    """Return the type of a value: of an argument, or with `given` of what the platform gives.

    >>> python_type({"type": ["integer", "null"]}), python_type({"type": "string", "enum": ["a", "b"]})
    ('int | None', 'Literal["a", "b"]')
    """
    if "$ref" in schema:
        return shape_name(name_of(schema))
    if "anyOf" in schema:
        return " | ".join(
            "None" if one == {"type": "null"} else python_type(one, given=given) for one in schema["anyOf"]
        )
    kinds = schema.get("type")
    if kinds is None:
        return "Any"
    if isinstance(kinds, list):
        rest = {**schema, "type": kinds[0], "enum": [value for value in schema.get("enum", ()) if value is not None]}
        if not rest["enum"]:
            del rest["enum"]
        return f"{python_type(rest, given=given)} | None"
    choices = schema.get("enum", ())
    listed = ", ".join(_quoted(value) for value in choices)
    if listed and len(listed) <= LONGEST_CHOICES:
        return f"Literal[{listed}]"
    if kinds == "array":
        inner = python_type(schema["items"], given=given)
        return f"builtins.list[{inner}]" if given else f"Sequence[{inner}]"
    if kinds == "object":
        values = schema.get("additionalProperties")
        of = python_type(values, given=given) if isinstance(values, dict) else "Any"
        of = "Any" if of == "Any | None" else of
        return f"dict[str, {of}]" if given else f"Mapping[str, {of}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[kinds]


def _shapes(operations: list[Described], document: Mapping[str, Any]) -> str:
    components = document["components"]["schemas"]
    wanted = [name_of(one.shape) for one in operations if one.shape is not None]
    found: dict[str, Schema] = {}
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = components[name]
            wanted += _references(components[name])
    body = "\n\n\n".join(_shape(name, found[name]) for name in sorted(found, key=shape_name))
    names = ["Any", "Literal", *(["NotRequired"] if "NotRequired[" in body else []), "TypedDict"]
    lines = [MADE.format(text="What the platform gives, as types; at run time these are dicts.")]
    lines += ["", "from __future__ import annotations", "", "import builtins"]
    return "\n".join([*lines, f"from typing import {', '.join(names)}", "", "", body]) + "\n"


def _references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return [name_of(schema)]
        return [name for value in schema.values() for name in _references(value)]
    return [name for value in schema for name in _references(value)] if isinstance(schema, list) else []


def _shape(name: str, schema: Schema) -> str:
    required = set(schema.get("required", ()))
    lines = [f"class {shape_name(name)}(TypedDict):", f'    """{schema.get("description", "")}"""', ""]
    for field, one in schema["properties"].items():
        kind = python_type(one, given=True)
        lines += [f"    {field}: {kind if field in required or 'default' in one else f'NotRequired[{kind}]'}"]
    return "\n".join(lines)
