"""Small questions about values and pieces of a script: what holds, what a text is, what a chain is of. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.other_tools.javascript import syntax
from experiments.other_tools.javascript.syntax import Node
from experiments.other_tools.pcibex.values import Commands, Trial, Unknown, UrlParameter


def has_name(kind: str, arguments: Sequence[Any]) -> bool:
    """Return whether the first argument names the element: so it is in PennController where there is a second one."""
    if not arguments or not isinstance(arguments[0], str | int | float | bool):
        return False
    if kind in ("Canvas", "Controller"):
        return len(arguments) > 2
    return len(arguments) > 1 or kind in ("Var", "Selector", "TextInput", "DropDown")


def path_of(of: syntax.Member) -> tuple[list[str], Node]:
    """Return the names of a chain such as `x.test.selected`, with prefixes that are no calls, and what it is of."""
    path = [of.name]
    node = of.of
    while isinstance(node, syntax.Member) and node.name:
        path.insert(0, node.name)
        node = node.of
    return path, node


def is_prefix(path: Sequence[str]) -> bool:
    """Return whether the names of a chain only say how the last one is meant, as `settings` and `test` do."""
    return all(part in ("settings", "test", "testNot", "success", "failure") for part in path)


def flat(given: Sequence[Any]) -> list[Any]:
    """Return commands and values of nested lists one after the other."""
    found: list[Any] = []
    for one in given:
        if isinstance(one, list):
            found += list(one) if isinstance(one, Commands) else flat(one)
        else:
            found.append(one)
    return found


def entries_of(one: Any) -> list[Any]:
    """Return the entries of a list; any other value as the only one."""
    return list(one) if isinstance(one, list) and not isinstance(one, Commands) else [one]


def trials_in(made: Any) -> list[Trial]:
    """Return the trials in what a function made."""
    if isinstance(made, Trial):
        return [made]
    if isinstance(made, list) and not isinstance(made, Commands):
        return [trial for one in made for trial in trials_in(one)]
    return []


def is_true(value: Any) -> bool:
    """Return whether a value holds, as JavaScript takes it."""
    return bool(value) if not isinstance(value, list | dict) else True


def text_of(value: Any) -> str:
    """Return a value as JavaScript joins it to a text; nothing for null.

    >>> text_of(2.0), text_of(True), text_of(None)
    ('2', 'true', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float() if value.is_integer():
            return str(int(value))
    return str(value)


def shown_of(value: Any) -> str:
    """Return a value as reports show it."""
    match value:
        case Unknown(_, source):
            return source
        case UrlParameter(name):
            return f"GetURLParameter({name})"
        case str() | int() | float() | bool() | None:
            return text_of(value)
    return type(value).__name__


def source_of(node: Node) -> str:
    """Return a piece of a script, cut short, as reports show it."""
    match node:
        case syntax.Name(_, name):
            return name
        case syntax.Member(_, of, name):
            return f"{source_of(of)}.{name}"
        case syntax.Call(_, of):
            return f"{source_of(of)}(…)"
        case syntax.Unread(_, _word, source):
            return source
    return "…"
