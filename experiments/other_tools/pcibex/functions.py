"""Say what a function of `newFunction` is there for, by its shape: a box that has to be ticked, looks, a value. Pure.

None is run. What is told by its shape is told as a whole; any further statement makes a function unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from experiments.other_tools.javascript import syntax
from experiments.other_tools.javascript.syntax import Node

_LOOKS = frozenset(("addClass", "removeClass", "toggleClass", "css", "scrollTop", "scrollTo", "focus", "blur"))


@dataclass(frozen=True)
class NeedsTick:
    """The button stays off until the box with this id is ticked."""

    box: str


@dataclass(frozen=True)
class OnlyLooks:
    """A function that changes how the page looks."""


@dataclass(frozen=True)
class Returns:
    """A function that gives a value which is known beforehand."""

    value: Any


Purpose = NeedsTick | OnlyLooks | Returns


def purpose_of(function: syntax.Function) -> NeedsTick | OnlyLooks | None:
    """Return what a function is there for; None where its shape does not say it.

    >>> one = syntax.script_of("f(() => $('body').removeClass('wide'))").statements[0].arguments[0]
    >>> purpose_of(one)
    OnlyLooks()
    """
    body = function.body if isinstance(function.body, list) else [function.body]
    if body and all(_changes_looks(one) for one in body):
        return OnlyLooks()
    if len(body) == 1 and (box := _box_of(body[0])):
        return NeedsTick(box)
    return None


def _changes_looks(node: Node) -> bool:
    match node:
        case syntax.Call(_, syntax.Member(_, of, name)) if name in _LOOKS:
            return isinstance(of, syntax.Call) and isinstance(of.of, syntax.Name) and of.of.name in ("$", "jQuery")
        case syntax.Assignment(_, syntax.Member(_, syntax.Member(_, _of, "style"), _name), "=", syntax.Literal()):
            return True
    return False


def _box_of(node: Node) -> str:
    """Return the id of the box in `$("#id").change(e => { if (e.target.checked) …enable() else …disable() })`."""
    match node:
        case syntax.Call(
            _,
            syntax.Member(_, syntax.Call(_, syntax.Name(_, "$" | "jQuery"), [syntax.Literal(_, str(where))]), "change"),
            [syntax.Function(_, _name, _parameters, [syntax.Condition(_, asked, then, otherwise)])],
        ) if where.startswith("#") and isinstance(asked, syntax.Member) and asked.name == "checked":
            if _switches(then, "enable") and _switches(otherwise, "disable"):
                return where[1:]
    return ""


def _switches(statements: list[Node], how: str) -> bool:
    called = [one.of.name for one in statements for one in walked(one) if isinstance(one, syntax.Call) and
              isinstance(one.of, syntax.Member)]  # fmt: skip
    return how in called and set(called) <= {how, "_runPromises"}


def walked(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it."""
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Node):
            yield one
            waiting += [getattr(one, field.name) for field in fields(one)]
        elif isinstance(one, list | tuple):
            waiting += one


def columns_of(function: syntax.Function) -> set[str]:
    """Return the columns that a function takes of its first parameter, as `row.Sentence` in a template.

    >>> one = syntax.script_of("f(row => newText(row.Sentence))").statements[0].arguments[0]
    >>> columns_of(one)
    {'Sentence'}
    """
    row = function.parameters[0] if function.parameters else ""
    return {one.name for one in walked(function) if isinstance(one, syntax.Member) and one.name
            and isinstance(one.of, syntax.Name) and one.of.name == row}  # fmt: skip
