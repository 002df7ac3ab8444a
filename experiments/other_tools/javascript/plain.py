"""Work out what a script says as plain data: literals, names, texts joined by +, lists, a few functions of both. Pure.

Nothing is run. What is not plain data stays `Code` with its line and source, wherever it stands; a loop that may change
a list leaves `Code` in it. Functions are worked out where they only give such data back; steps and sizes are bounded.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.javascript.syntax import (
    Assignment,
    Call,
    Choice,
    Condition,
    Declared,
    Function,
    Joined,
    Keyed,
    Listed,
    Literal,
    Member,
    Name,
    Node,
    Operation,
    Pattern,
    Returned,
    Spread,
    Unread,
    script_of,
)

MOST_STEPS, MOST_DEEP, MOST_CELLS, MOST_CHARACTERS = 400_000, 60, 100_000, 5_000_000
SHUFFLES = ("shuffle", "shuffleNoRepeats", "shuffleAlternateGroups")


class Code:
    """What is not plain data: its line and, as far as it is short, its source; of a function its tree and names."""

    __slots__ = ("line", "node", "scope", "source")

    def __init__(self, line: int, source: str, node: Node | None = None, scope: Any = None) -> None:
        self.line, self.source, self.node, self.scope = line, source, node, scope

    def names(self) -> set[str]:
        """Return the names and members that a function mentions."""
        found: set[str] = set()
        open_nodes: list[Any] = [self.node]
        while open_nodes:
            node = open_nodes.pop()
            if isinstance(node, list | tuple):
                open_nodes += node
            elif isinstance(node, Node):
                if isinstance(node, Name | Member):
                    found.add(node.name)
                open_nodes += [getattr(node, name) for name in node.__dataclass_fields__ if name != "line"]
        return found

    def __repr__(self) -> str:
        return f"Code({self.line}, {self.source!r})"


class Variable:
    """A value that each row gives: `jsPsych.timelineVariable("word")`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Parts(list[Any]):
    """A text in pieces, some of which each row gives."""


class Record(dict[str, Any]):
    """An object with its file, the line on which it begins, and those of its keys."""

    def __init__(self, *given: Any, line: int = 0, file: str = "") -> None:
        super().__init__(*given)
        self.line, self.file = line, file
        self.lines: dict[str, int] = {}

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class Shuffled(list[Any]):
    """A list whose order is random."""


@dataclass
class Values:
    """What a script says: names, calls of functions in their order with their arguments and lines."""

    names: dict[str, Any] = field(default_factory=dict)
    calls: list[tuple[str, list[Any]]] = field(default_factory=list)
    unread: list[tuple[str, int, str]] = field(default_factory=list)
    faults: list[tuple[str, int, str]] = field(default_factory=list)


class _TooMuch(Exception):
    pass


class _Scope(dict[str, Any]):
    def __init__(self, above: _Scope | None = None) -> None:
        super().__init__()
        self.above = above

    def find(self, name: str) -> _Scope | None:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope:
                return scope
            scope = scope.above
        return None


def plain_values(text: str, path: str = "", reader: Reader | None = None) -> Values:
    """Return what a script says as plain data.

    >>> values = plain_values("const a = ['x', 'y'];\\nlet b = {t: a[0] + '!', f: () => 1};")
    >>> values.names["b"]["t"], values.names["b"]["f"]
    ('x!', Code(2, 'function'))
    """
    own = reader or Reader()
    own.read(text, path)
    return own.values


class Reader:
    """Reads scripts one after the other, as a page does; names of one are known in the next."""

    def __init__(self) -> None:
        self.values = Values()
        self.top = _Scope()
        self.steps = 0
        self.depth = 0
        self.cells = 0
        self.file = ""
        # The row of which functions are worked out; without one a row's value stays a `Variable`.
        self.row: Mapping[str, Any] | None = None

    def read(self, text: str, file: str = "") -> None:
        """Take in a script of a file; what cannot be read is named in `values`."""
        self.file = file
        script = script_of(text)
        self.values.faults += [(file, line, said) for line, said in script.faults]
        self.hoist(script.statements, self.top)
        for statement in script.statements:
            try:
                self.statement(statement, self.top)
            except (_TooMuch, RecursionError):
                said = "it nests or repeats more than is worked out."
                self.values.faults.append((file, statement.line, said))
        self.values.names = dict(self.top)

    def hoist(self, statements: Iterable[Node], scope: _Scope) -> None:
        for statement in statements:
            if isinstance(statement, Declared) and isinstance(statement.value, Function):
                scope[statement.name] = Code(statement.line, "function", statement.value, scope)

    # Statements. What a function gives back is returned as a list of one value.

    def statement(self, node: Node, scope: _Scope) -> list[Any] | None:
        self.step()
        match node:
            case Declared():
                value = self.value(node.value, scope) if node.value is not None else None
                scope[node.name] = value
            case Assignment():
                self.assign(node, scope)
            case Returned():
                return [self.value(node.value, scope) if node.value is not None else None]
            case Condition():
                return self.condition(node, scope)
            case Unread():
                self.unread(node, scope)
            case _:
                self.value(node, scope)
        return None

    def condition(self, node: Condition, scope: _Scope) -> list[Any] | None:
        asked = self.value(node.condition, scope)
        if _unknown(asked):
            self.values.unread.append((self.file, node.line, "if"))
            for branch in (node.then, node.otherwise):
                self.blur(branch, scope)
            return None
        for statement in node.then if _truth(asked) else node.otherwise:
            found = self.statement(statement, scope)
            if found is not None:
                return found
        return None

    def unread(self, node: Unread, scope: _Scope) -> None:
        if node.word in ("import", "export", "class", "throw"):
            return
        self.values.unread.append((self.file, node.line, node.source))
        for name in node.changes:
            self.touch(name, scope, node.line, node.source)

    def blur(self, statements: Iterable[Node], scope: _Scope) -> None:
        """Leave code wherever statements that may or may not be followed would change something."""
        for statement in statements:
            match statement:
                case Declared() | Assignment():
                    to = statement.name if isinstance(statement, Declared) else _root(statement.to)
                    if isinstance(statement, Assignment) and isinstance(statement.to, Name):
                        own = scope.find(to) or scope
                        own[to] = Code(statement.line, "if")
                    else:
                        self.touch(to, scope, statement.line, "if")
                case Call() if isinstance(statement.of, Member):
                    self.touch(_root(statement.of), scope, statement.line, "if")
                case Condition():
                    self.blur([*statement.then, *statement.otherwise], scope)
                case Unread():
                    for name in statement.changes:
                        self.touch(name, scope, statement.line, "if")

    def touch(self, name: str, scope: _Scope, line: int, source: str) -> None:
        own = scope.find(name)
        if own is None:
            return
        held = own[name]
        if isinstance(held, list):
            held.append(Code(line, source))
        elif isinstance(held, str | int | float | bool):
            own[name] = Code(line, source)

    def assign(self, node: Assignment, scope: _Scope) -> None:
        value = self.value(node.value, scope)
        if isinstance(node.to, Name):
            own = scope.find(node.to.name) or self.top
            if node.sign == "=":
                own[node.to.name] = value
            elif node.sign == "+=":
                own[node.to.name] = self.added(own.get(node.to.name), value, node.line)
            else:
                own[node.to.name] = Code(node.line, node.sign)
            return
        if isinstance(node.to, Member):
            of = self.value(node.to.of, scope)
            key = node.to.name or (self.value(node.to.key, scope) if node.to.key is not None else "")
            if isinstance(of, Record) and isinstance(key, str):
                of[key] = value if node.sign == "=" else Code(node.line, node.sign)
                of.lines[key] = node.line
            elif isinstance(of, list) and isinstance(key, int) and 0 <= key < len(of) and node.sign == "=":
                of[key] = value
            elif isinstance(of, list):
                of.append(Code(node.line, "assignment"))

    # Values.

    def step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS or self.depth > MOST_DEEP:
            raise _TooMuch

    def value(self, node: Node | None, scope: _Scope) -> Any:
        """Return what an expression says, or Code."""
        self.step()
        self.depth += 1
        try:
            return self._value(node, scope)
        finally:
            self.depth -= 1

    def _value(self, node: Node | None, scope: _Scope) -> Any:
        match node:
            case None:
                return None
            case Literal():
                return node.value
            case Name():
                own = scope.find(node.name)
                return own[node.name] if own is not None else Code(node.line, node.name)
            case Listed():
                return self.listed(node.entries, scope)
            case Keyed():
                return self.keyed(node, scope)
            case Joined():
                return self.joined([self.value(part, scope) for part in node.parts], node.line)
            case Function():
                return Code(node.line, "function", node, scope)
            case Choice():
                asked = self.value(node.condition, scope)
                if _unknown(asked):
                    return Code(node.line, "?")
                return self.value(node.then if _truth(asked) else node.otherwise, scope)
            case Operation():
                return self.operation(node, scope)
            case Member():
                return self.member(node, scope)
            case Call():
                return self.call(node, scope)
            case Pattern():
                return Code(node.line, node.source)
            case Assignment():
                self.assign(node, scope)
                return self.value(node.to, scope)
        return Code(getattr(node, "line", 0), type(node).__name__)

    def listed(self, entries: Sequence[Node], scope: _Scope) -> list[Any]:
        found: list[Any] = []
        for entry in entries:
            if isinstance(entry, Spread):
                value = self.value(entry.value, scope)
                found += value if isinstance(value, list) and not isinstance(value, Parts) else [value]
            else:
                found.append(self.value(entry, scope))
        return self.sized(found)

    def sized(self, found: list[Any]) -> list[Any]:
        self.cells += len(found)
        if self.cells > MOST_CELLS:
            raise _TooMuch
        return found

    def keyed(self, node: Keyed, scope: _Scope) -> Record:
        found = Record(line=node.line, file=self.file)
        for key, value in node.entries:
            worked = self.value(value, scope)
            if key:
                found[key] = worked
                found.lines[key] = value.line
            elif isinstance(worked, Mapping):
                found |= worked
                found.lines |= getattr(worked, "lines", {})
        return found

    def joined(self, parts: Sequence[Any], line: int) -> Any:
        texts: list[Any] = []
        for part in parts:
            for one in part if isinstance(part, Parts) else [part]:
                if isinstance(one, Variable):
                    texts.append(one)
                elif isinstance(one, str | int | float | bool) or one is None:
                    said = _text(one)
                    if texts and isinstance(texts[-1], str):
                        texts[-1] += said
                    else:
                        texts.append(said)
                else:
                    return Code(line, "`…`")
        if sum(len(one) for one in texts if isinstance(one, str)) > MOST_CHARACTERS:
            raise _TooMuch
        if all(isinstance(one, str) for one in texts):
            return texts[0] if texts else ""
        return Parts(texts)

    def added(self, left: Any, right: Any, line: int) -> Any:
        if _is_number(left) and _is_number(right):
            return left + right
        if any(isinstance(one, str | Parts | Variable) for one in (left, right)):
            return self.joined([left, right], line)
        return Code(line, "+")

    def operation(self, node: Operation, scope: _Scope) -> Any:
        right = self.value(node.right, scope)
        if node.left is None:
            if node.sign == "!" and not _unknown(right):
                return not _truth(right)
            if node.sign == "++" and isinstance(node.right, Name):
                own = scope.find(node.right.name)
                if own is not None and _is_number(right):
                    own[node.right.name] = right + 1
                    return right
            return right if node.sign in ("await", "+") else Code(node.line, node.sign)
        left = self.value(node.left, scope)
        if node.sign == "+":
            return self.added(left, right, node.line)
        if _unknown(left) or (_unknown(right) and node.sign not in ("&&", "||", "??")):
            return Code(node.line, node.sign)
        match node.sign:
            case "&&":
                return right if _truth(left) else left
            case "||":
                return left if _truth(left) else right
            case "??":
                return right if left is None else left
            case "==" | "===":
                return left == right
            case "!=" | "!==":
                return left != right
        if _is_number(left) and _is_number(right):
            match node.sign:
                case "-":
                    return left - right
                case "*":
                    return left * right
                case "/" if right:
                    return left / right if left % right else left // right
                case "%" if right:
                    return left % right
                case "<":
                    return left < right
                case ">":
                    return left > right
                case "<=":
                    return left <= right
                case ">=":
                    return left >= right
        return Code(node.line, node.sign)

    def member(self, node: Member, scope: _Scope) -> Any:
        of = self.value(node.of, scope)
        key = node.name or (self.value(node.key, scope) if node.key is not None else "")
        if isinstance(of, Mapping) and isinstance(key, str):
            return of.get(key)
        if isinstance(of, list | str) and key == "length" and not _holds_code(of):
            return len(of)
        if (
            isinstance(of, list)
            and not isinstance(of, Shuffled | Parts)
            and isinstance(key, int)
            and not _holds_code(of)
        ):
            return of[key] if 0 <= key < len(of) else None
        return Code(node.line, f"{_source(node)}")

    # Calls.

    def call(self, node: Call, scope: _Scope) -> Any:
        name = _source(node.of)
        last = name.rpartition(".")[2]
        if last in ("timelineVariable", "evaluateTimelineVariable") and node.arguments:
            asked = self.value(node.arguments[0], scope)
            if self.row is not None and isinstance(asked, str) and asked in self.row:
                return self.row[asked]
            return Variable(asked) if isinstance(asked, str) else Code(node.line, name)
        if isinstance(node.of, Member) and node.of.name:
            of = self.value(node.of.of, scope)
            if isinstance(of, list) and not isinstance(of, Parts):
                return self.of_list(of, node.of.name, node, scope)
            if isinstance(of, str):
                return self.of_text(of, node.of.name, self.listed(node.arguments, scope), node.line)
        arguments = self.listed(node.arguments, scope)
        self.values.calls.append((name, arguments))
        if last in SHUFFLES or (last in ("repeat", "repeatAndShuffle") and "randomization" in name):
            return self.shuffled(last, arguments, node.line)
        if last == "factorial" and arguments and isinstance(arguments[0], Record):
            return self.factorial(arguments, node.line)
        if name == "Object.assign" and arguments and all(isinstance(one, Record) for one in arguments):
            for one in arguments[1:]:
                arguments[0] |= one
                arguments[0].lines |= one.lines
            return arguments[0]
        if name == "JSON.parse" and arguments and isinstance(arguments[0], str):
            return self.parsed(arguments[0], node.line)
        called = self.value(node.of, scope) if isinstance(node.of, Name | Function) else None
        if isinstance(called, Code) and isinstance(called.node, Function):
            return self.called(called, arguments)
        return Code(node.line, f"{name}(…)")

    def called(self, code: Code, arguments: Sequence[Any]) -> Any:
        """Return what a function gives back; code where it is more than plain data."""
        function = code.node
        if not isinstance(function, Function):
            return code
        self.step()
        self.depth += 1
        inner = _Scope(code.scope)
        for name, value in itertools.zip_longest(function.parameters, arguments[: len(function.parameters)]):
            if name:
                inner[name] = value
        try:
            if isinstance(function.body, Node):
                return self.value(function.body, inner)
            self.hoist(function.body, inner)
            for statement in function.body:
                unread = len(self.values.unread)
                found = self.statement(statement, inner)
                if found is not None:
                    return found[0]
                own = any(line == statement.line for _file, line, _said in self.values.unread[unread:])
                if own and _gives_back(function.body):
                    return Code(function.line, "function")
            return None
        finally:
            self.depth -= 1

    def of_list(self, of: list[Any], method: str, node: Call, scope: _Scope) -> Any:
        arguments = self.listed(node.arguments, scope)
        plain = not _holds_code(of)
        match method:
            case "push":
                of += self.sized(list(arguments))
                return len(of)
            case "unshift":
                of[:0] = self.sized(list(arguments))
                return len(of)
            case "concat":
                found = list(of)
                for one in arguments:
                    found += one if isinstance(one, list) and not isinstance(one, Parts) else [one]
                return self.sized(found)
            case "slice" if plain and not isinstance(of, Shuffled) and all(isinstance(one, int) for one in arguments):
                return self.sized(
                    list(
                        of[slice(*(arguments[:2] if len(arguments) > 1 else [arguments[0] if arguments else 0, None]))]
                    )
                )
            case "join" if plain and not isinstance(of, Shuffled):
                sign = arguments[0] if arguments and isinstance(arguments[0], str) else ","
                return self.joined([one for item in of for one in (sign, item)][1:], node.line)
            case "flat":
                return self.sized([i for one in of for i in (one if isinstance(one, list) else [one])])
            case "map" | "forEach" | "filter" if arguments and isinstance(arguments[0], Code):
                return self.mapped(of, method, arguments[0], node.line)
        if method in ("pop", "shift", "splice", "sort", "reverse", "fill"):
            of.append(Code(node.line, method))
        return Code(node.line, f"{_source(node.of)}(…)")

    def mapped(self, of: list[Any], method: str, function: Code, line: int) -> Any:
        if not isinstance(function.node, Function):
            return Code(line, method)
        found: list[Any] = []
        for place, one in enumerate(list(of)):
            if isinstance(one, Code):
                found.append(one)
                continue
            worked = self.called(function, [one, place, of])
            if method == "map":
                found.append(worked)
            elif method == "filter":
                if _unknown(worked):
                    return Code(line, "filter(…)")
                if _truth(worked):
                    found.append(one)
        if method == "forEach":
            return None
        return Shuffled(self.sized(found)) if isinstance(of, Shuffled) else self.sized(found)

    def of_text(self, of: str, method: str, arguments: Sequence[Any], line: int) -> Any:
        match method:
            case "toUpperCase":
                return of.upper()
            case "toLowerCase":
                return of.lower()
            case "trim":
                return of.strip()
            case "split" if len(arguments) == 1 and isinstance(arguments[0], str):
                return self.sized(of.split(arguments[0]) if arguments[0] else list(of))
            case "concat":
                return self.joined([of, *arguments], line)
            case "replace" | "replaceAll" if len(arguments) == 2 and all(isinstance(one, str) for one in arguments):
                return of.replace(arguments[0], arguments[1], 1 if method == "replace" else -1)
        return Code(line, f"{method}(…)")

    def shuffled(self, last: str, arguments: Sequence[Any], line: int) -> Any:
        if not arguments or not isinstance(arguments[0], list) or isinstance(arguments[0], Parts):
            return Code(line, f"{last}(…)")
        times = arguments[1] if last != "shuffle" and len(arguments) > 1 else 1
        if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= 500:
            return Code(line, f"{last}(…)")
        return Shuffled(self.sized(list(arguments[0]) * (times if last.startswith("repeat") else 1)))

    def factorial(self, arguments: Sequence[Any], line: int) -> Any:
        columns = arguments[0]
        times = arguments[1] if len(arguments) > 1 and isinstance(arguments[1], int) else 1
        if any(not isinstance(levels, list) for levels in columns.values()) or not 1 <= times <= 500:
            return Code(line, "factorial(…)")
        rows = 1
        for levels in columns.values():
            rows *= max(len(levels), 1)
        self.sized([None] * min(rows * times, MOST_CELLS + 1))
        made = [Record(zip(columns, cells, strict=True), line=line) for cells in itertools.product(*columns.values())]
        return Shuffled(made * times)

    def parsed(self, text: str, line: int) -> Any:
        try:
            return recorded(json.loads(text))
        except (ValueError, RecursionError):
            return Code(line, "JSON.parse(…)")

    def dynamic(self, value: Any, row: Mapping[str, Any]) -> Any:
        """Return what a value is for a row; a function without parameters may give plain data back."""
        if isinstance(value, Code) and isinstance(value.node, Function):
            self.row = row
            unread = len(self.values.unread)
            try:
                found = self.called(value, [])
            except (_TooMuch, RecursionError):
                return value
            finally:
                self.row = None
            if len(self.values.unread) > unread:
                del self.values.unread[unread:]
                return value
            return found
        return value

    def follow(self, value: Any) -> None:
        """Follow a function that a page calls when it is ready, as its statements say."""
        if isinstance(value, Code) and isinstance(value.node, Function):
            try:
                self.called(value, [])
            except (_TooMuch, RecursionError):
                self.values.faults.append((self.file, value.line, "it nests or repeats more than is worked out."))


def recorded(value: Any, file: str = "") -> Any:
    """Return data read as JSON with its objects as records."""
    if isinstance(value, dict):
        return Record({str(key): recorded(one, file) for key, one in value.items()}, file=file)
    if isinstance(value, list):
        return [recorded(one, file) for one in value]
    return value


def _gives_back(body: Iterable[Node]) -> bool:
    return any(isinstance(one, Returned) for one in body)


def _root(node: Node) -> str:
    while isinstance(node, Member):
        node = node.of
    return node.name if isinstance(node, Name) else ""


def _source(node: Node | None) -> str:
    """Return a chain of names as it is written, cut short."""
    parts: list[str] = []
    while isinstance(node, Member):
        parts.append(node.name or "[…]")
        node = node.of
    parts.append(node.name if isinstance(node, Name) else "…")
    return ".".join(reversed(parts))[:80]


def _unknown(value: Any) -> bool:
    return isinstance(value, Code | Variable | Parts)


def _holds_code(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, Code) for one in value)


def _truth(value: Any) -> bool:
    return True if isinstance(value, list | Mapping) else bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
