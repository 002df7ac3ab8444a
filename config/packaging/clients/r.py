"""The operations as a table in the client for R, between two marks of its file."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from .described import Argument, Described, sentences

WIDTH = 120
R_FILE = Path(__file__).resolve().parents[2] / "api" / "clients" / "lectern.R"
BEGIN, END = "# Operations begin (made by python -m config.packaging.clients; do not edit).", "# Operations end."


def with_operations(text: str, operations: list[Described]) -> str:
    """Return the file with these operations. Raises ValueError where it has no place for them."""
    before, begin, rest = text.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{R_FILE.name} has no lines {BEGIN!r} and {END!r}")
    lines = ["", ".lectern_operations <- list(", ",\n".join(_entry(one) for one in operations), ")", ""]
    return before + begin + "\n".join(lines) + end + after


def _entry(one: Described) -> str:
    parts = [f'method = "{one.method}"', f'path = "{one.path}"', f'gives = "{one.gives}"']
    parts += ["is_paged = TRUE"] if one.is_paged else []
    parts += ["creates = TRUE"] if one.creates else []
    parts += ["is_guarded = TRUE"] if one.is_guarded else []
    parts += [f"query = {_names(one.in_query)}"] if one.in_query else []
    parts += ["takes_json = TRUE"] if one.takes_json else []
    parts += [f"body = {_names(one.in_body)}"] if one.in_body else []
    lists = [argument.sent_as for argument in one.in_body if _is_list(argument)]
    parts += [f"lists = {_texts(lists)}"] if lists else []
    parts += [f"uploads = {_texts(list(one.uploads))}"] if one.uploads else []
    parts += [f"form_files = {_texts(list(one.form_files))}"] if one.form_files else []
    parts += [f"form_texts = {_texts(list(one.form_texts))}"] if one.form_texts else []
    lines = [f"  # {line}" for line in textwrap.wrap(sentences(one), WIDTH - 4)] + [f"  {one.name} = list("]
    return "\n".join([*lines, ",\n".join(f"    {part}" for part in parts), "  )"])


def _is_list(argument: Argument) -> bool:
    kind = argument.schema.get("type")
    return kind == "array" or (isinstance(kind, list) and "array" in kind)


def _names(arguments: tuple[Argument, ...]) -> str:
    """Return a vector of what is sent, named by what people write."""
    return "c(" + ", ".join(f'{one.name} = "{one.sent_as}"' for one in arguments) + ")"


def _texts(values: list[str]) -> str:
    return "c(" + ", ".join(f'"{value}"' for value in values) + ")"


def declared(text: str) -> dict[str, dict[str, str]]:
    """Return the operations that a file of the client declares: name → part → what is written there."""
    table = text.partition(BEGIN)[2].partition(END)[0]
    entries = re.findall(r"^  (\w+) = list\(\n(.*?)\n  \)", table, re.DOTALL | re.MULTILINE)
    return {name: dict(re.findall(r"^    (\w+) = (.*?),?$", parts, re.MULTILINE)) for name, parts in entries}
