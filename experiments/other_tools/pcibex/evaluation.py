"""Work out what a script of PCIbex or Ibex puts together: texts, columns of rows, trials, their order. Pure.

Nothing is run: literals, texts joined by +, columns of a row, choices between two values by a cell, and functions of
the script that return elements are followed, as far as a budget of steps goes. Everything else is an `Unknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.other_tools.javascript import syntax
from experiments.other_tools.javascript.syntax import Node
from experiments.other_tools.pcibex.expressions import (
    entries_of,
    flat,
    has_name,
    is_prefix,
    is_true,
    path_of,
    shown_of,
    source_of,
    text_of,
    trials_in,
)
from experiments.other_tools.pcibex.functions import Returns, columns_of, purpose_of
from experiments.other_tools.pcibex.known import ARITHMETIC, CONFIGURED, KNOWN_CALLS, pattern_of, table_of
from experiments.other_tools.pcibex.values import (
    Closure,
    Command,
    Commands,
    Element,
    Entries,
    Names,
    Ordered,
    PatternValue,
    RowOf,
    Table,
    Trial,
    Unknown,
    UrlParameter,
)
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.sentences import Sentence

MOST_STEPS = 800_000
MOST_TRIALS = 20_000
MOST_CALLS_DEEP = 20
MOST_CHARACTERS = 5_000_000
ORDER_WORDS = frozenset(
    (
        "seq", "randomize", "shuffle", "rshuffle", "sepWith", "sepWithN", "precedeEachWith", "followEachWith", "anyOf",
        "startsWith", "endsWith", "anyType", "not", "Sequence",
    )
)  # fmt: skip
# Two words of an expression that say that a number, a date or chance is computed.
_PREFIX = "PennController"


class TooMuch(Exception):
    """The script asks for more than is worked out."""


@dataclass
class Read:
    """What a script says: its trials in order, the order that it asks for, and the rest."""

    trials: list[Trial] = field(default_factory=list)
    order: list[Ordered] = field(default_factory=list)
    header: list[Command] = field(default_factory=list)
    footer: list[Command] = field(default_factory=list)
    header_logs: dict[str, Any] = field(default_factory=dict)
    items: list[Any] | None = None
    items_line: int = 0
    defaults: list[Any] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)


class Evaluator:
    """Works out one project; `tables` finds a table by its name, `report` takes what becomes of every statement."""

    def __init__(
        self,
        tables: Callable[[str], Table | None],
        report: Report,
        all_tables: Callable[[], Sequence[Table]] = lambda: (),
    ) -> None:
        self.tables, self.report, self.all_tables = tables, report, all_tables
        self.names = Names()
        self.read = Read()
        self.added: dict[str, Table] = {}
        self.steps, self.deep, self.characters = 0, 0, 0
        self.file = ""
        self.row: RowOf | None = None
        self.is_needed = True
        self.defaults: dict[str, list[tuple[str, tuple[Any, ...], int]]] = {}

    def run(self, script: syntax.Script, file: str) -> None:
        """Take in the statements of a file. Raises TooMuch."""
        self.file = file
        for line, sentence in script.faults:
            self.report.add(
                NOT_CARRIED, file, line, english("script"), sentence, english("Correct the line, and import again.")
            )
        for statement in script.statements:
            self.statement(statement)

    def statement(self, node: Node) -> None:
        match node:
            case syntax.Declared(line, name, value):
                self.declare(name, value, line)
            case syntax.Assignment(line, syntax.Name(_, name), "=", value):
                self.declare(name, value, line)
            case syntax.Condition(line, condition, then, otherwise):
                asked = self.value(condition)
                if isinstance(asked, Unknown | UrlParameter):
                    self.report.add(
                        NOT_CARRIED,
                        self.file,
                        line,
                        "if",
                        english("what follows depends on something that only a running script knows."),
                        english("The second way (else) was taken, or the only one; correct the study by hand."),
                    )
                    chosen = otherwise or then
                else:
                    chosen = then if is_true(asked) else otherwise
                for one in chosen:
                    self.statement(one)
            case syntax.Unread(line, word, source):
                self.report.add(
                    NOT_CARRIED,
                    self.file,
                    line,
                    word,
                    english("it is code that would have to run: {source}", source=source),
                    english("Write what it makes into the table or the script, or leave it out."),
                )
            case _:
                self.expression(node)

    def declare(self, name: str, node: Node | None, line: int) -> None:
        value = None if node is None else self.value(node)
        self.names.own[name] = value
        if isinstance(node, syntax.Call) and name != "items":
            self.keep_all([value], line)
        match name:
            case "items":
                self.read.items, self.read.items_line = (value if isinstance(value, list) else None), line
                if not isinstance(value, list):
                    self.cannot(line, "items", english("the list is computed by the script."))
            case "defaults":
                self.read.defaults = value if isinstance(value, list) else []
            case "shuffleSequence":
                if isinstance(value, Ordered):
                    self.read.order = [value]
                else:
                    self.cannot(line, "shuffleSequence", english("the order is computed by the script."))
            case _:
                self.read.named[name] = (line, value)
                if name in CONFIGURED:
                    self.report.add(CARRIED, self.file, line, name, CONFIGURED[name])

    def cannot(self, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(NOT_CARRIED, self.file, line, element, said, advice)

    def expression(self, node: Node) -> None:
        """Take in a statement that stands for itself, such as `newTrial(…)`."""
        value = self.value(node)
        match value:
            case Trial():
                self.keep(value)
            case list():
                self.keep_all(value, node.line)
            case Ordered(word="Sequence"):
                self.read.order = [value]
            case _Called(word, arguments, line):
                self.called(word, arguments, line)
            case Commands():
                # An element outside of any trial, as a `newVar` for all.
                self.read.header += value
            case Unknown(line, source):
                self.cannot(
                    line,
                    english("script"),
                    english("it would have to run: {source}", source=source),
                    english("Leave it out if the study does not need it, or write what it makes."),
                )
            case _:
                pass

    def keep(self, trial: Trial) -> None:
        trial.file = self.file
        self.read.trials.append(trial)
        if len(self.read.trials) > MOST_TRIALS:
            raise TooMuch(Sentence("The script produces more than {n:,} trials.", n=MOST_TRIALS))

    def keep_all(self, found: Sequence[Any], line: int) -> None:
        for one in found:
            if isinstance(one, Trial):
                self.keep(one)
            elif isinstance(one, list) and not isinstance(one, Commands):
                self.keep_all(one, line)

    def called(self, word: str, arguments: Sequence[Any], line: int) -> None:
        match word:
            case "Header":
                for argument in flat(arguments):
                    if isinstance(argument, Command):
                        self.read.header.append(argument)
            case "Footer":
                self.read.footer += [one for one in flat(arguments) if isinstance(one, Command)]
            case "AddTable":
                if len(arguments) > 1 and all(isinstance(one, str) for one in arguments[:2]):
                    table = table_of(arguments[0], arguments[1])
                    self.added[arguments[0]] = table
                    self.report.add(CARRIED, self.file, line, word, english("a table of {n} rows.", n=len(table.rows)))
                else:
                    self.cannot(line, word, english("the table is computed by the script."))
            case "SendResults":
                if arguments and isinstance(arguments[0], str):
                    self.keep(Trial(arguments[0], [], line, options={"special": word}))
                self.report.add(CARRIED, self.file, line, word, KNOWN_CALLS[word])
            case "SetCounter":
                label = str(arguments[0]) if arguments else "setcounter"
                self.keep(Trial(label, [], line, options={"special": word}))
                self.report.add(CARRIED, self.file, line, word, KNOWN_CALLS[word])
            case "CheckPreloaded":
                labels = [one for one in arguments if isinstance(one, str)]
                for label in labels[-1:]:
                    self.keep(Trial(label, [], line, options={"special": word}))
                self.report.add(CARRIED, self.file, line, word, KNOWN_CALLS[word])
            case _ if word in KNOWN_CALLS:
                self.report.add(CARRIED, self.file, line, word, KNOWN_CALLS[word])
            case "UploadRecordings" | "InitiateRecorder":
                for label in [one for one in arguments if isinstance(one, str)][:1]:
                    self.keep(Trial(label, [], line, options={"special": word}))
                self.cannot(
                    line,
                    word,
                    english("nothing is recorded here: there are no recordings of voice or camera."),
                    english("Keep this study where it is, or let people type."),
                )
            case _:
                self.cannot(
                    line,
                    word,
                    english("this function is not known, and nothing is run."),
                    english("Write what it makes into the script."),
                )

    # Values.

    def value(self, node: Node) -> Any:
        """Return what an expression says; `Unknown` for what only a running script knows."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch(
                Sentence("The script needs more computation than the platform allows. Make its tables smaller.")
            )
        match node:
            case syntax.Literal(_, value):
                return value
            case syntax.Pattern(_, source, flags):
                return PatternValue(source, flags)
            case syntax.Name(line, name):
                return self.named(name, line)
            case syntax.Listed(line, entries):
                return Entries(self.entries(entries), line)
            case syntax.Keyed(line, entries):
                found = {}
                for key, entry in entries:
                    value = self.value(entry)
                    if key:
                        found[key] = value
                    elif isinstance(value, Mapping):
                        found |= value
                return found
            case syntax.Joined(line, parts):
                return self.joined([self.value(part) for part in parts], line)
            case syntax.Function():
                return Closure(node, self.names)
            case syntax.Member():
                return self.member(node)
            case syntax.Call():
                return self.call(node)
            case syntax.Choice(line, condition, then, otherwise):
                asked = self.asked(condition)
                if isinstance(asked, Unknown | UrlParameter):
                    return Unknown(line, "? :")
                return self.value(then if is_true(asked) else otherwise)
            case syntax.Operation():
                return self.operation(node)
            case syntax.Assignment(line, syntax.Name(_, name), "=", value):
                found = self.value(value)
                self.names.own[name] = found
                return found
        return Unknown(node.line, source_of(node))

    def named(self, name: str, line: int) -> Any:
        if self.names.has(name):
            return self.names.find(name)
        if name.startswith("default") and name[7:8].isupper():
            return Commands(Element("default" + name[7:], "", (), line))
        return Unknown(line, name)

    def entries(self, entries: Sequence[Node]) -> list[Any]:
        found: list[Any] = []
        for entry in entries:
            if isinstance(entry, syntax.Spread):
                value = self.value(entry.value)
                if isinstance(value, list):
                    found += value
                else:
                    found.append(value)
            else:
                found.append(self.value(entry))
        return found

    def joined(self, parts: Sequence[Any], line: int) -> Any:
        if any(isinstance(part, Unknown | UrlParameter | Closure | Commands | list | dict) for part in parts):
            if all(isinstance(part, str | int | float | UrlParameter) for part in parts):
                return Unknown(line, "".join(shown_of(part) for part in parts)[:80])
            return next((part for part in parts if isinstance(part, Unknown)), Unknown(line, "+"))
        text = "".join(text_of(part) for part in parts)
        self.characters += len(text)
        if self.characters > MOST_CHARACTERS:
            raise TooMuch(Sentence("The script puts together more than {n:,} characters.", n=MOST_CHARACTERS))
        return text

    def member(self, node: syntax.Member) -> Any:
        of = self.value(node.of)
        key: Any = node.name or (self.value(node.key) if node.key is not None else "")
        if isinstance(node.of, syntax.Name) and node.of.name == _PREFIX and key in KNOWN_CALLS:
            return _Called(str(key), (), node.line)
        match of:
            case RowOf():
                if key in of:
                    return of[key]
                folded = {name.casefold(): name for name in of}
                near = folded.get(str(key).casefold())
                if near is not None:
                    said = english("it was read as the column {column} of {table}.", column=near, table=of.table.name)
                    self.report.add(CHANGED, self.file, node.line, f"row.{key}", said)
                    return of[near]
                said = english("the table {table} has no column {column}.", table=of.table.name, column=key)
                if self.is_needed:
                    self.cannot(node.line, f"row.{key}", said, english("Name the column as in the script."))
                else:
                    said = english("{said} It is only logged or asked about, and is empty there as well.", said=said)
                    self.report.add(CHANGED, self.file, node.line, f"row.{key}", said)
                return None
            case dict():
                return of.get(key)
            case list() if isinstance(key, int) and 0 <= key < len(of):
                return of[key]
            case list() | str() if key == "length":
                return len(of)
            case Unknown(_, source):
                return Unknown(node.line, f"{source}.{key}"[:80])
        return Unknown(node.line, source_of(node))

    def operation(self, node: syntax.Operation) -> Any:
        right = self.value(node.right)
        if node.left is None:
            if node.sign == "!" and not isinstance(right, Unknown | UrlParameter):
                return not is_true(right)
            return Unknown(node.line, f"{node.sign}…")
        left = self.value(node.left)
        if node.sign == "+":
            if all(isinstance(one, int | float) and not isinstance(one, bool) for one in (left, right)):
                return left + right
            return self.joined([left, right], node.line)
        if isinstance(left, Unknown | UrlParameter) or isinstance(right, Unknown | UrlParameter):
            return next((one for one in (left, right) if isinstance(one, Unknown)), Unknown(node.line, node.sign))
        if isinstance(left, int | float) and isinstance(right, int | float) and node.sign in ARITHMETIC:
            return ARITHMETIC[node.sign](left, right)
        match node.sign:
            case "in" if isinstance(right, dict):
                return text_of(left) in right
            case "==" | "===":
                return text_of(left) == text_of(right)
            case "!=" | "!==":
                return text_of(left) != text_of(right)
            case "&&":
                return right if is_true(left) else left
            case "||":
                return left if is_true(left) else right
            case "??":
                return right if left is None else left
        return Unknown(node.line, f"… {node.sign} …")

    # Calls.

    def call(self, node: syntax.Call) -> Any:
        of = node.of
        if isinstance(of, syntax.Name):
            return self.function(of.name, node)
        if not isinstance(of, syntax.Member):
            called = self.value(of)
            return self.applied(called, self.entries(node.arguments), node.line)
        path, root = path_of(of)
        if isinstance(root, syntax.Name) and root.name in (_PREFIX, "PC") and not self.names.has(root.name):
            if path[0] == "defaultTable" and isinstance(table := self.table(None, node.line), Table):
                return self.of_table(table, path[-1], self.entries(node.arguments), node.line)
            return self.function(path[-1], node)
        owner = self.value(root) if len(path) > 1 and is_prefix(path[:-1]) else self.value(of.of)
        return self.method(owner, path, of, node)

    def method(self, owner: Any, path: Sequence[str], of: syntax.Member, node: syntax.Call) -> Any:
        name = path[-1]
        line = of.line
        match owner:
            case Commands():
                prefix = ".".join(part for part in path[:-1] if part in ("test", "testNot"))
                method = f"{prefix}.{name}" if prefix else name
                arguments = tuple(self.entries(node.arguments))
                if path[-2:-1] in (["success"], ["failure"]):  # `.success.apply(null, […])`
                    method, arguments = path[-2], tuple(arguments[1:])
                return Commands(owner.element, [*owner, Command(owner.element, method, arguments, line)])
            case Trial():
                return self.of_trial(owner, name, self.arguments_of(name, node))
            case list() if name in ("log", "setOption", "noHeader", "noFooter", "noTrialHeader") and all(
                isinstance(one, Trial) for one in owner
            ):
                given = self.arguments_of(name, node)
                return [self.of_trial(trial, name, given) for trial in owner]
            case Table():
                return self.of_table(owner, name, self.entries(node.arguments), line)
            case _Called(word="Header", arguments=arguments):
                if name == "log":
                    given = self.entries(node.arguments)
                    self.read.header_logs[shown_of(given[0]) if given else ""] = given[1] if len(given) > 1 else None
                return owner
            case _Called(word, arguments, at):
                # CheckPreloaded(…).label("preload") and the like are trials by that label.
                labels = self.entries(node.arguments) if name == "label" else []
                return _Called(word, (*arguments, *labels), at)
            case list():
                return self.of_list(owner, name, node)
            case str():
                return self.of_text(owner, name, self.entries(node.arguments), line)
            case Unknown(_, source):
                return Unknown(line, f"{source}.{name}()"[:80])
        return Unknown(line, f"{source_of(of)}()"[:80])

    def arguments_of(self, name: str, node: syntax.Call) -> list[Any]:
        """Return the arguments of a method of a trial; what is only logged may be missing in a table."""
        outer, self.is_needed = self.is_needed, self.is_needed and name != "log"
        found = self.entries(node.arguments)
        self.is_needed = outer
        return found

    def asked(self, node: Node) -> Any:
        """Return the value of a condition; a column that the table lacks does not hold, as in the script."""
        outer, self.is_needed = self.is_needed, False
        found = self.value(node)
        self.is_needed = outer
        return found

    def of_trial(self, trial: Trial, name: str, given: Sequence[Any]) -> Trial:
        if name == "label" and given:
            return replace(trial, label=shown_of(given[0]))
        if name == "log" and given:
            return replace(trial, logged={**trial.logged, shown_of(given[0]): given[1] if len(given) > 1 else None})
        if name == "setOption" and given:
            return replace(trial, options={**trial.options, shown_of(given[0]): given[1] if len(given) > 1 else None})
        return trial

    def of_table(self, table: Table, name: str, given: Sequence[Any], line: int) -> Any:
        match name, given:
            case "setGroupColumn", [str(column), *_]:
                return replace(table, group_column=column)
            case "setLabel", [str(column), *_]:
                return replace(table, label_column=column)
            case "filter", [str(column), PatternValue() as given_pattern, *_]:
                pattern = pattern_of(given_pattern)
                if pattern is None:
                    return Unknown(line, "filter")
                rows = [row for row in table.rows if pattern.search(row[1].get(column, ""))]
                return replace(table, rows=rows)
            case "filter", [str(column), str() | int() | float() as wanted, *_]:
                return replace(table, rows=[row for row in table.rows if row[1].get(column) == text_of(wanted)])
            case "filter", [Closure() as closure, *_]:
                rows = []
                for number, cells in table.rows:
                    kept = self.applied(closure, [RowOf(table, number, cells)], line)
                    if isinstance(kept, Unknown):
                        return kept
                    if is_true(kept):
                        rows.append((number, cells))
                return replace(table, rows=rows)
        return Unknown(line, f"GetTable(…).{name}")

    def of_list(self, owner: list[Any], name: str, node: syntax.Call) -> Any:
        given = self.entries(node.arguments)
        match name, given:
            case "concat", _:
                return [*owner, *(each for one in given for each in (one if isinstance(one, list) else [one]))]
            case "map", [Closure() as closure, *_]:
                return [self.applied(closure, [one], node.line) for one in owner]
            case "join", [*_] if all(isinstance(one, str | int | float) for one in owner):
                return text_of(given[0] if given else ",").join(text_of(one) for one in owner)
            case "push", _:
                owner += given
                return len(owner)
            case "flat", []:
                return Entries([each for one in owner for each in (entries_of(one))], node.line)
        return Unknown(node.line, f"[…].{name}()")

    def of_text(self, owner: str, name: str, given: Sequence[Any], line: int) -> Any:
        match name, given:
            case (("toUpperCase" | "toLowerCase" | "trim"), []):
                return {"toUpperCase": owner.upper, "toLowerCase": owner.lower, "trim": owner.strip}[name]()
            case "split", [str(by)]:
                return owner.split(by) if by else list(owner)
            case "split", [PatternValue(r"\s+" | " " | r"\s" | "[ ]", _)]:
                return owner.split()
            case (("startsWith" | "includes" | "endsWith"), [str(part)]):
                ways = {"startsWith": owner.startswith, "endsWith": owner.endswith}
                return part in owner if name == "includes" else ways[name](part)
            case "concat", _ if all(isinstance(one, str) for one in given):
                return owner + "".join(given)
            case (("replace" | "replaceAll"), [str(old), str(new)]):
                return owner.replace(old, new, 1 if name == "replace" else -1)
            case (("replace" | "replaceAll"), [PatternValue() as old, str(new)]) if "$" not in new:
                pattern = pattern_of(old)
                if pattern is not None:
                    return pattern.sub(new.replace("\\", "\\\\"), owner, count=0 if "g" in old.flags else 1)
            case "split", [PatternValue() as by]:
                pattern = pattern_of(by)
                if pattern is not None and not pattern.groups:
                    return pattern.split(owner)
            case (("toString" | "normalize"), _):
                return owner
        return Unknown(line, f"'…'.{name}()")

    def function(self, name: str, node: syntax.Call) -> Any:
        line = node.line
        if self.names.has(name):
            given = self.entries(node.arguments)
            found = self.applied(self.names.find(name), given, line, name)
            orders = isinstance(found, Unknown | _Called) and any(isinstance(one, Ordered) for one in given)
            return Ordered(name, tuple(given), line) if orders else found
        match name:
            case "newTrial" | "PennController":
                return self.trial(node)
            case "Template" | "FeedItems":
                return self.template(node)
            case "Sequence":
                return Ordered(name, tuple(self.entries(node.arguments)), line)
            case "GetTable" | "defaultTable":
                given = self.entries(node.arguments)
                return self.table(given[0] if given else None, line)
            case "GetURLParameter":
                given = self.entries(node.arguments)
                return UrlParameter(shown_of(given[0]) if given else "")
            case "String":
                given = self.entries(node.arguments)
                return text_of(given[0]) if given and isinstance(given[0], str | int | float) else Unknown(line, name)
            case "SendResults" | "SetCounter" | "CheckPreloaded" | "UploadRecordings" | "InitiateRecorder":
                return _Called(name, tuple(self.entries(node.arguments)), line)
        if name in ORDER_WORDS:
            return Ordered(name, tuple(self.entries(node.arguments)), line)
        if (kind := name[3:]) and name.startswith(("new", "get")) and kind[0].isupper() and kind != "Trial":
            return self.element(name, kind, node)
        if name in ("clear", "fullscreen", "exitFullscreen", "end", "endTrial"):
            element = Element(name, "", (), line)
            return Commands(element, [Command(element, name, tuple(self.entries(node.arguments)), line)])
        if name in KNOWN_CALLS or name[:1].isupper():
            return _Called(name, tuple(self.entries(node.arguments)), line)
        given = self.entries(node.arguments)
        if any(isinstance(one, Ordered) for one in given):
            return Ordered(name, tuple(given), line)
        return Unknown(line, f"{name}(…)")

    def element(self, name: str, kind: str, node: syntax.Call) -> Commands:
        arguments = self.entries(node.arguments)
        if name.startswith("get"):
            element = Element(kind, shown_of(arguments[0]) if arguments else "", (), node.line)
            return Commands(element)
        own = ""
        if has_name(kind, arguments):
            own, arguments = shown_of(arguments[0]), arguments[1:]
        if kind == "Function":
            arguments = [self.purpose(one, node.line) for one in arguments]
        element = Element(kind, own, tuple(arguments), node.line)
        return Commands(element, [Command(element, "new", tuple(arguments), node.line)])

    def purpose(self, given: Any, line: int) -> Any:
        """Return what a function is there for; itself where that is not known."""
        if not isinstance(given, Closure):
            return given
        if (purpose := purpose_of(given.function)) is not None:
            return purpose
        if given.function.parameters:
            return given
        value = self.applied(given, [], line)
        return Returns(value) if isinstance(value, str | int | float) else given

    def trial(self, node: syntax.Call) -> Any:
        given = self.entries(node.arguments)
        label = ""
        if given and isinstance(given[0], str | int | float):
            label, given = text_of(given[0]), given[1:]
        elif given and isinstance(given[0], Unknown):
            self.cannot(
                node.line,
                "newTrial",
                english("its label is computed by the script: {source}", source=given[0].source),
                english("Give it a plain label."),
            )
            given = given[1:]
        commands: list[Command] = []
        # A trial or template among the arguments of another trial is a trial all the same.
        self.keep_all([one for one in given if not isinstance(one, Commands)], node.line)
        for one in flat(given):
            if isinstance(one, Command):
                commands.append(one)
            elif isinstance(one, Unknown):
                element = Element("script", "", (), one.line)
                commands.append(Command(element, "unknown", (one.source,), one.line))
            elif isinstance(one, str) and one.strip():
                element = Element("Text", "", (one,), node.line)
                commands += [Command(element, method, (one,), node.line) for method in ("new", "print")]
        row = self.row
        return Trial(label, commands, node.line, row)

    def template(self, node: syntax.Call) -> Any:
        given = self.entries(node.arguments)
        function = next((one for one in given if isinstance(one, Closure)), None)
        others = [one for one in given if not isinstance(one, Closure)]
        table = others[0] if others else None
        if table is None and function is not None:
            table = self.first_table(function, node.line)
        if not isinstance(table, Table):
            table = self.table(table, node.line)
        if isinstance(table, Unknown):
            self.cannot(
                node.line,
                "Template",
                english("which rows it takes is computed by the script: {source}", source=table.source),
                english("Write the rows into a table of their own."),
            )
            return None
        if table is None:
            return None
        if function is None:
            self.cannot(node.line, "Template", english("its function is not known."))
            return None
        found: list[Trial] = []
        column = table.groups()
        labels = tuple(sorted({cells.get(column, "") for _number, cells in table.rows} - {""})) if column else ()
        seen: dict[tuple[str, ...], RowOf] = {}
        for number, cells in table.rows:
            row = RowOf(table, number, cells)
            # With one group alone, everybody sees its rows.
            group = cells.get(column, "") if len(labels) > 1 else ""
            row.all_groups = labels
            if group:
                # A row that several groups see is one trial; a row that one group sees twice is two.
                key = tuple(cell for name, cell in cells.items() if name != column)
                if key in seen and group not in seen[key].groups:
                    seen[key].groups.append(group)
                    continue
                row.groups.append(group)
                seen[key] = row
            outer, self.row = self.row, row
            made = self.applied(function, [row], node.line)
            self.row = outer
            trials = trials_in(made)
            if not trials:
                said = made.source if isinstance(made, Unknown) else "Template"
                self.cannot(
                    node.line, "Template", english("what it makes of a row is not known: {source}", source=said)
                )
                return None
            labelled = table.label_column or next((name for name in table.header if name.casefold() == "label"), "")
            found += [
                trial if trial.label or not labelled else replace(trial, label=cells.get(labelled, ""))
                for trial in trials
            ]
            if len(found) > MOST_TRIALS:
                raise TooMuch(Sentence("The script produces more than {n:,} trials.", n=MOST_TRIALS))
        self.report.add(
            CARRIED,
            self.file,
            node.line,
            "Template",
            english("{n} rows of {table}.", n=len(table.rows), table=table.name),
        )
        return found

    def first_table(self, function: Closure, line: int) -> Table | None:
        """Return the table of a template that names none, where several are in the project: that with its columns."""
        needed = {name.casefold() for name in columns_of(function.function)}
        fitting = [table for table in self.all_tables() if needed <= {name.casefold() for name in table.header}]
        if self.tables("") is not None or len(fitting) != 1:
            return None
        said = english("no table is named; {table} is the one with all of its columns.", table=fitting[0].name)
        self.report.add(CHANGED, self.file, line, "Template", said)
        return replace(fitting[0])

    def table(self, name: Any, line: int) -> Table | Unknown | None:
        if isinstance(name, Unknown):
            return name
        given = text_of(name) if name is not None else ""
        table = self.added.get(given) or self.tables(given)
        if table is None:
            said = (
                english("there is no table {name} in the project.", name=given)
                if given
                else english("the project has not one table, so it has to be named.")
            )
            self.cannot(line, "GetTable", said, english("Add the file to the folder, and import again."))
            return None
        return replace(table)

    def applied(self, called: Any, arguments: Sequence[Any], line: int, name: str = "") -> Any:
        """Return what a function of the script makes of arguments."""
        if not isinstance(called, Closure):
            shown = name or (called.source if isinstance(called, Unknown) else "…")
            return Unknown(line, f"{shown}(…)")
        if self.deep >= MOST_CALLS_DEEP:
            return Unknown(line, f"{name or '…'}(…)")
        outer = self.names
        self.names = Names(
            {parameter: arguments[place] if place < len(arguments) else None
             for place, parameter in enumerate(called.function.parameters) if parameter},
            called.names,
        )  # fmt: skip
        self.deep += 1
        try:
            body = called.function.body
            found = self.returned(body, line) if isinstance(body, list) else self.value(body)
            return None if found is _NOTHING else found
        finally:
            self.deep -= 1
            self.names = outer

    def returned(self, body: Sequence[Node], line: int) -> Any:
        for statement in body:
            match statement:
                case syntax.Declared(_, name, value):
                    self.names.own[name] = None if value is None else self.value(value)
                case syntax.Returned(_, value):
                    return None if value is None else self.value(value)
                case syntax.Condition(at, condition, then, otherwise):
                    asked = self.asked(condition)
                    if isinstance(asked, Unknown | UrlParameter):
                        return Unknown(at, "if")
                    found = self.returned(then if is_true(asked) else otherwise, line)
                    if found is not _NOTHING:
                        return found
                case syntax.Assignment() | syntax.Call():
                    done = self.value(statement)
                    if isinstance(done, Unknown):
                        return done
                case _:
                    return Unknown(statement.line, source_of(statement))
        return _NOTHING


@dataclass(frozen=True)
class _Called:
    """A call of a function that PCIbex has, to be taken in as a statement."""

    word: str
    arguments: tuple[Any, ...]
    line: int


# What a body gives that comes to its end without `return`.
_NOTHING = object()
