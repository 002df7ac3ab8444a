"""What a tool is, how its arguments are checked, and how long answers are cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from config.assistants.platform import NotDone, Platform
from experiments.formats.faults import did_you_mean

MOST_CHARACTERS = 20_000
MOST_TEXT = 2_000_000
HIDDEN = "(not shown here)"
Schema = Mapping[str, Any]
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "object": (dict,), "array": (list,), "boolean": (bool,),
}  # fmt: skip
CURSOR: Schema = {
    "type": "string",
    "maxLength": 20,
    "description": "Where the answer goes on: what the end of the answer before said.",
}
STUDY: Schema = {"type": "string", "maxLength": 60, "description": "The study by its address (slug)."}
PART: Schema = {"type": "string", "maxLength": 60, "description": "The task, of a study with several; else left out."}


@dataclass(frozen=True)
class Tool:
    """A tool: what it takes (JSON Schema of its arguments), and the function that returns its answer as text."""

    name: str
    title: str
    description: str
    run: Callable[[Platform, Mapping[str, Any]], str]
    takes: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    # The operations of the API that it uses, all of them allowed.
    operations: tuple[str, ...] = ()
    changes: bool = False

    def described(self) -> dict[str, Any]:
        """Return the tool as a client lists it."""
        schema: dict[str, Any] = {"type": "object", "properties": dict(self.takes), "additionalProperties": False}
        if self.required:
            schema["required"] = list(self.required)
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": not self.changes,
                "destructiveHint": False,
                "openWorldHint": False,
            },
        }

    def call(self, platform: Platform, arguments: Mapping[str, Any]) -> str:
        """Return the answer as text, cut where it is long. Raises NotDone with all faults of the arguments."""
        faults = self.faults(arguments)
        if faults:
            raise NotDone("\n".join([f"The arguments of {self.name} are not right. Nothing was done.", *faults]))
        text = self.run(platform, arguments)
        return cut(text, str(arguments.get("cursor", ""))) if "cursor" in self.takes else shortened(text)

    def faults(self, arguments: Mapping[str, Any]) -> list[str]:
        """Return what is wrong with arguments, a line for each."""
        found = [f"- {name}: is missing." for name in self.required if name not in arguments]
        for name, value in arguments.items():
            schema = self.takes.get(name)
            if schema is None:
                found.append(
                    f"- {name[:60]}: There is no such argument. {did_you_mean(name, list(self.takes))}".rstrip()
                )
                continue
            kind = schema["type"]
            if not isinstance(value, _KINDS[kind]) or (kind == "integer" and isinstance(value, bool)):
                found.append(f"- {name}: must be of the type {kind}.")
            elif isinstance(value, str) and len(value) > schema.get("maxLength", MOST_TEXT):
                found.append(f"- {name}: has more than {schema.get('maxLength', MOST_TEXT)} characters.")
            elif kind == "integer" and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                found.append(f"- {name}: must be from {schema['minimum']} to {schema['maximum']}.")
            elif "enum" in schema and value not in schema["enum"]:
                found.append(f"- {name}: must be one of {', '.join(schema['enum'])}.")
        return found


def cut(text: str, cursor: str, most: int = MOST_CHARACTERS) -> str:
    """Return the piece of a text that begins at a cursor, with a sentence that says how it goes on.

    >>> print(cut("line one\\nline two\\nline three", "", most=12))
    line one
    <BLANKLINE>
    [Characters 1 to 9 of 28. Call again with the same arguments and cursor "9" for what follows.]
    >>> print(cut("line one\\nline two", "9", most=12))
    line two
    """
    begin = int(cursor) if cursor.isascii() and cursor.isdecimal() and len(cursor) < 12 else 0
    if begin and begin >= len(text):
        raise NotDone(f"The answer has {len(text)} characters, so nothing follows at the cursor {cursor}.")
    end = begin + most
    if end >= len(text):
        return text[begin:]
    end = max(text.rfind("\n", begin, end) + 1, 0) or end
    told = (
        f"[Characters {begin + 1} to {end} of {len(text)}. Call again with the same arguments and cursor "
        f'"{end}" for what follows.]'
    )
    return f"{text[begin:end].rstrip()}\n\n{told}"


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text, and of a long one its beginning with a sentence that says so.

    >>> print(shortened("one fault\\nanother fault\\na third fault", most=25))
    one fault
    another fault
    <BLANKLINE>
    [24 of 37 characters. The rest is left out.]
    """
    if len(text) <= most:
        return text
    end = text.rfind("\n", 0, most) + 1 or most
    return f"{text[:end].rstrip()}\n\n[{end} of {len(text)} characters. The rest is left out.]"


def without_codes(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings and procedure of a task without what the last page hands out: it is what people are paid by.

    >>> without_codes({"settings": {}, "procedure": {"completion_code": "C1", "redirect_url": "", "resume": "end"}})
    {'settings': {}, 'procedure': {'completion_code': '(not shown here)', 'redirect_url': '', 'resume': 'end'}}
    """
    hidden = {name: HIDDEN for name in ("completion_code", "redirect_url") if settings["procedure"].get(name)}
    return {**settings, "procedure": {**settings["procedure"], **hidden}}


def as_text(value: Any) -> str:
    """Return values as JSON that people can read."""
    return orjson.dumps(value, default=str, option=orjson.OPT_INDENT_2).decode()
