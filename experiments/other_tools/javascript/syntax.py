"""Parse a script of JavaScript into a tree: calls, members, literals, functions, declarations. Pure.

A statement that cannot be read does not end the reading: it is a fault with its line, and the next one is read. Loops,
classes and the like are read over as a whole and stay `Unread`, since nothing of a script is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from experiments.other_tools.javascript.tokens import (
    END,
    NAME,
    NUMBER,
    PATTERN,
    SIGN,
    TEMPLATE,
    TEXT,
    BrokenScript,
    Token,
    tokens_of,
)
from experiments.sentences import Sentence

MOST_NESTED = 60
MOST_FAULTS = 100
MOST_LINKS = 150
_PRECEDENCE = {
    "??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7, "<": 8, ">": 8,
    "<=": 8,
    ">=": 8, "instanceof": 8, "in": 8, "<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
    "**": 12,
}  # fmt: skip
_ASSIGNS = frozenset(
    ("=", "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "&&=", "||=", "??=")
)
_BEFORE = frozenset(("!", "-", "+", "~", "typeof", "void", "delete", "++", "--", "await"))
_UNREAD = frozenset(("for", "while", "do", "switch", "try", "class", "throw", "import", "export", "with"))


@dataclass(slots=True)
class Node:
    """A piece of a script, with its line and its place from and to."""

    line: int


@dataclass(slots=True)
class Literal(Node):
    """A text, number, truth value, null or undefined."""

    value: str | int | float | bool | None


@dataclass(slots=True)
class Pattern(Node):
    """A regular expression."""

    source: str
    flags: str


@dataclass(slots=True)
class Joined(Node):
    """A template: its texts and expressions in order."""

    parts: list[Node]


@dataclass(slots=True)
class Name(Node):
    """A name."""

    name: str


@dataclass(slots=True)
class Listed(Node):
    """A list."""

    entries: list[Node]


@dataclass(slots=True)
class Keyed(Node):
    """An object: keys with values; a spread one has an empty key."""

    entries: list[tuple[str, Node]]


@dataclass(slots=True)
class Spread(Node):
    """`...value` in a list, an object or a call."""

    value: Node


@dataclass(slots=True)
class Member(Node):
    """`of.name`, or `of[key]` where the key is no name."""

    of: Node
    name: str
    key: Node | None = None


@dataclass(slots=True)
class Call(Node):
    """A call of a function; `line` is that of its opening bracket's name."""

    of: Node
    arguments: list[Node]


@dataclass(slots=True)
class Operation(Node):
    """An operation on one or two values."""

    sign: str
    left: Node | None
    right: Node


@dataclass(slots=True)
class Choice(Node):
    """`condition ? then : otherwise`."""

    condition: Node
    then: Node
    otherwise: Node


@dataclass(slots=True)
class Assignment(Node):
    """A value given to a name or a member; `sign` is `=` or another one such as `+=`."""

    to: Node
    sign: str
    value: Node


@dataclass(slots=True)
class Function(Node):
    """A function: names of its parameters, and its body as statements or as one expression."""

    name: str
    parameters: list[str]
    body: list[Node] | Node


@dataclass(slots=True)
class Declared(Node):
    """`const name = value`."""

    name: str
    value: Node | None


@dataclass(slots=True)
class Returned(Node):
    """`return value`."""

    value: Node | None


@dataclass(slots=True)
class Condition(Node):
    """`if (condition) then else otherwise`."""

    condition: Node
    then: list[Node]
    otherwise: list[Node]


@dataclass(slots=True)
class Unread(Node):
    """What is not read: its first word, its source, cut short, and the names that it may change."""

    word: str
    source: str
    changes: frozenset[str] = frozenset()


@dataclass
class Script:
    """The statements of a script, and what could not be read of it as (line, sentence)."""

    statements: list[Node] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def script_of(text: str) -> Script:
    """Return the tree of a script.

    >>> script_of("Sequence('a')\\nvar b = ;").faults
    [(2, "';' is not expected here.")]
    """
    try:
        tokens = tokens_of(text)
    except BrokenScript as broken:
        return Script([], [(broken.line, str(broken))])
    return _Parser(text, tokens).script()


class _Parser:
    def __init__(self, text: str, tokens: Sequence[Token], depth: int = 0) -> None:
        self.text, self.tokens, self.at, self.depth = text, tokens, 0, depth

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def script(self) -> Script:
        script = Script()
        while self.token.kind != END:
            begins = self.at
            self.depth = 0
            try:
                script.statements += self.statement()
            except BrokenScript as broken:
                script.faults.append((broken.line, str(broken)))
                if len(script.faults) >= MOST_FAULTS:
                    return script
                self.after_fault(begins)
        return script

    def after_fault(self, begins: int) -> None:
        """Go on after the fault, where a line begins with a word that opens a statement."""
        self.at = max(self.at, begins + 1) if self.token.kind != END else self.at
        while self.token.kind != END:
            token = self.token
            if token.kind == NAME and token.after_line and self.tokens[self.at - 1].value not in (".", "=>", "="):
                column = token.at - (self.text.rfind("\n", 0, token.at) + 1)
                if column == 0:
                    return
            self.at += 1

    def is_sign(self, sign: str) -> bool:
        return self.token.kind == SIGN and self.token.value == sign

    def is_word(self, *words: str) -> bool:
        return self.token.kind == NAME and self.token.value in words

    def take(self, sign: str) -> Token:
        token = self.token
        if not self.is_sign(sign):
            raise self.unexpected()
        self.at += 1
        return token

    def takes(self, sign: str) -> bool:
        if self.is_sign(sign):
            self.at += 1
            return True
        return False

    def unexpected(self) -> BrokenScript:
        token = self.token
        if token.kind == END:
            return BrokenScript(Sentence("The script ends in the middle of a statement."), line=token.line)
        shown = self.text[token.at : min(token.end, token.at + 40)]
        return BrokenScript(Sentence("'{text}' is not expected here.", text=shown), line=token.line)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            message = Sentence("The script is nested more than {n} levels deep here.", n=MOST_NESTED)
            raise BrokenScript(message, line=self.token.line)

    def short(self, links: int) -> None:
        """Refuse an expression that nobody writes by hand, since it would be worked out as deep as it is long."""
        if links > MOST_LINKS:
            message = Sentence("An expression here has more than {n} parts in a row.", n=MOST_LINKS)
            raise BrokenScript(message, line=self.token.line)

    def statement(self) -> list[Node]:
        token = self.token
        if self.takes(";") or self.takes(","):
            return []
        if self.is_sign("{"):
            return self.block()
        if (token.kind == NAME and self.tokens[self.at + 1].value not in ("(", ".", "=", "=>")) or self.is_word(
            "for", "while", "if", "switch"
        ):
            if self.is_word("var", "let", "const"):
                return self.declarations()
            if self.is_word("return"):
                self.at += 1
                ends = self.token.after_line or self.is_sign(";") or self.is_sign("}")
                value = None if ends else self.sequence()[-1]
                self.takes(";")
                return [Returned(token.line, value)]
            if self.is_word("if"):
                return [self.condition()]
            if self.is_word("break", "continue"):
                return [self.unread()]
            if token.value in _UNREAD:
                unread = self.unread()
                if token.value in ("import", "export") and self.is_word("from"):
                    self.at += 2
                    self.takes(";")
                return [unread]
        if self.is_word("async") and self.tokens[self.at + 1].value == "function":
            self.at += 1
        if self.is_word("function") and self.tokens[self.at + 1].kind == NAME:
            function = self.function()
            return [Declared(token.line, function.name, function)]
        found: list[Node] = [*self.sequence()]
        if not (self.takes(";") or self.is_sign("}") or self.token.kind == END or self.token.after_line):
            raise self.unexpected()
        return found

    def block(self) -> list[Node]:
        self.deeper()
        self.take("{")
        found: list[Node] = []
        while not self.takes("}"):
            if self.token.kind == END:
                raise self.unexpected()
            found += self.statement()
        self.depth -= 1
        return found

    def declarations(self) -> list[Node]:
        self.at += 1
        found: list[Node] = []
        while True:
            token = self.token
            if token.kind != NAME:
                # A pattern such as {a, b} = …: names of its own that nothing here follows.
                found.append(self.unread())
                return found
            self.at += 1
            value = self.value() if self.takes("=") else None
            found.append(Declared(token.line, token.value, value))
            if self.is_sign(",") and self.tokens[self.at + 1].kind == NAME and self.tokens[self.at + 2].value in "=,;":
                self.at += 1
                continue
            self.takes(";")
            return found

    def condition(self) -> Node:
        line = self.token.line
        self.at += 1
        self.take("(")
        asked = self.sequence()[-1]
        self.take(")")
        self.deeper()
        then = self.statement()
        self.takes(";")
        otherwise: list[Node] = []
        if self.is_word("else"):
            self.at += 1
            otherwise = self.statement()
        self.depth -= 1
        return Condition(line, asked, then, otherwise)

    def unread(self) -> Node:
        """Read over a statement as a whole, to the end of its last block or of its line."""
        first, begins = self.token, self.at
        depth, has_block = 0, False
        while self.token.kind != END:
            token = self.token
            if token.value in ("(", "[", "{") and token.kind == SIGN:
                depth += 1
                has_block = has_block or token.value == "{"
            elif token.value in (")", "]", "}") and token.kind == SIGN:
                if depth == 0:
                    break
                depth -= 1
                if depth == 0 and token.value == "}":
                    self.at += 1
                    if self.is_word("catch", "finally", "else") or (first.value == "do" and self.is_word("while")):
                        continue
                    if first.value == "do":
                        continue
                    break
            elif depth == 0 and (token.value == ";" and token.kind == SIGN):
                self.at += 1
                break
            elif depth == 0 and not has_block and token.after_line and token is not first:
                break
            self.at += 1
        end = self.tokens[max(self.at - 1, 0)].end
        source = " ".join(self.text[first.at : min(end, first.at + 80)].split())
        return Unread(first.line, first.value, source, self.changed(begins, self.at))

    def changed(self, begins: int, ends: int) -> frozenset[str]:
        """Return the names before a sign that assigns, a bracket or a member, among some tokens."""
        found = set()
        for place in range(begins, max(ends - 1, begins)):
            token, after = self.tokens[place], self.tokens[place + 1]
            if token.kind == NAME and after.kind == SIGN and (after.value in _ASSIGNS or after.value in (".", "[")):
                found.add(token.value)
        return frozenset(found)

    def sequence(self) -> list[Node]:
        found = [self.value()]
        while self.takes(","):
            # A comma before the next statement, or at the end of a list of trials.
            if self.is_sign(")") or self.is_sign("]") or self.token.kind == END or self.is_sign(";"):
                break
            found.append(self.value())
        return found

    def value(self) -> Node:
        self.deeper()
        found = self.arrow() or self.assigned()
        self.depth -= 1
        return found

    def arrow(self) -> Node | None:
        """Return the function that begins here as `a => …` or `(a, b) => …`; None where none does."""
        start = self.at
        if (
            self.is_word("async")
            and self.tokens[self.at + 1].kind in (NAME, SIGN)
            and (self.tokens[self.at + 1].value == "(" or self.tokens[self.at + 2].value == "=>")
        ):
            self.at += 1
        line = self.token.line
        parameters = []
        if self.token.kind == NAME and self.tokens[self.at + 1].value == "=>":
            parameters = [self.token.value]
            self.at += 1
        elif self.is_sign("("):
            end = self.closing(self.at)
            if end is None or self.tokens[end + 1].value != "=>":
                self.at = start
                return None
            parameters = self.parameters()
        else:
            self.at = start
            return None
        self.take("=>")
        body = self.block() if self.is_sign("{") else self.value()
        return Function(line, "", parameters, body)

    def closing(self, at: int) -> int | None:
        """Return the place of the bracket that closes a list of parameters; None for what is surely no such list."""
        depth = 0
        for place in range(at, min(at + 60, len(self.tokens))):
            token = self.tokens[place]
            if token.kind == SIGN and token.value in "([{":
                depth += 1
            elif token.kind == SIGN and token.value in ")]}":
                depth -= 1
                if depth == 0:
                    return place
        return None

    def parameters(self) -> list[str]:
        self.take("(")
        found = []
        while not self.takes(")"):
            self.takes("...")
            if self.token.kind != NAME:
                # A pattern as a parameter: nothing here looks into it.
                end = self.closing(self.at)
                if end is None:
                    raise self.unexpected()
                self.at = end + 1
                found.append("")
            else:
                found.append(self.token.value)
                self.at += 1
            if self.takes("="):
                self.value()
            if not self.is_sign(")"):
                self.take(",")
        return found

    def function(self) -> Function:
        line = self.token.line
        self.at += 1
        self.takes("*")
        name = ""
        if self.token.kind == NAME:
            name = self.token.value
            self.at += 1
        return Function(line, name, self.parameters(), self.block())

    def assigned(self) -> Node:
        left = self.chosen()
        if self.token.kind == SIGN and self.token.value in _ASSIGNS:
            sign = self.token.value
            self.at += 1
            return Assignment(left.line, left, sign, self.value())
        return left

    def chosen(self) -> Node:
        asked = self.operation(1)
        if not self.takes("?"):
            return asked
        then = self.value()
        self.take(":")
        return Choice(asked.line, asked, then, self.value())

    def operation(self, least: int) -> Node:
        left = self.single()
        links = 0
        while self.token.kind in (SIGN, NAME) and _PRECEDENCE.get(self.token.value, 0) >= least:
            sign = self.token.value
            links += 1
            self.short(links)
            self.at += 1
            right = self.operation(_PRECEDENCE[sign] + 1)
            left = Operation(left.line, sign, left, right)
        return left

    def single(self) -> Node:
        token = self.token
        if token.value in _BEFORE and token.kind in (SIGN, NAME):
            self.deeper()
            self.at += 1
            right = self.single()
            self.depth -= 1
            if token.value == "-" and isinstance(right, Literal) and isinstance(right.value, int | float):
                return Literal(token.line, -right.value)
            return Operation(token.line, token.value, None, right)
        found = self.chain(self.first())
        if self.is_sign("++") or self.is_sign("--"):
            self.at += 1
            return Operation(found.line, "++", None, found)
        return found

    def chain(self, found: Node) -> Node:
        links = 0
        while True:
            token = self.token
            links += 1
            self.short(links)
            if self.takes(".") or self.takes("?."):
                if self.token.kind != NAME:
                    raise self.unexpected()
                found = Member(self.token.line, found, self.token.value)
                self.at += 1
            elif self.is_sign("["):
                self.at += 1
                key = self.sequence()[-1]
                self.take("]")
                name = key.value if isinstance(key, Literal) and isinstance(key.value, str) else ""
                found = Member(token.line, found, name, None if name else key)
            elif self.is_sign("("):
                found = Call(found.line, found, self.entries("(", ")"))
            else:
                return found

    def entries(self, opening: str, closing: str) -> list[Node]:
        self.take(opening)
        found: list[Node] = []
        while not self.takes(closing):
            if self.takes(","):
                continue
            found.append(self.entry())
            if not self.is_sign(closing) and not self.is_sign(","):
                raise self.unexpected()
        return found

    def entry(self) -> Node:
        line = self.token.line
        return Spread(line, self.value()) if self.takes("...") else self.value()

    def first(self) -> Node:
        token = self.token
        if token.kind == END:
            raise self.unexpected()
        if self.is_sign("("):
            self.at += 1
            found = self.sequence()
            self.take(")")
            return found[-1]
        if self.is_sign("["):
            return Listed(token.line, self.entries("[", "]"))
        if self.is_sign("{"):
            return self.keyed()
        self.at += 1
        match token.kind:
            case "text":
                return Literal(token.line, token.value)
            case "number":
                return Literal(token.line, _number(token.value))
            case "pattern":
                return Pattern(token.line, token.value, str(token.parts[0]))
            case "template":
                return self.joined(token)
            case "name":
                return self.named(token)
        self.at -= 1
        raise self.unexpected()

    def named(self, token: Token) -> Node:
        match token.value:
            case "true" | "false":
                return Literal(token.line, token.value == "true")
            case "null" | "undefined":
                return Literal(token.line, None)
            case "function":
                self.at -= 1
                return self.function()
            case "new":
                return self.chain(self.first())
        return Name(token.line, token.value)

    def joined(self, token: Token) -> Node:
        parts: list[Node] = []
        for part in token.parts:
            if isinstance(part, str):
                parts.append(Literal(token.line, part))
                continue
            source, line = part
            inner = _Parser(source, tokens_of(source, line), self.depth)
            inner.deeper()
            parts.append(inner.sequence()[-1])
            if inner.token.kind != END:
                raise inner.unexpected()
        return Joined(token.line, parts)

    def keyed(self) -> Node:
        line = self.take("{").line
        self.deeper()
        found: list[tuple[str, Node]] = []
        while not self.takes("}"):
            if self.takes(","):
                continue
            if self.takes("..."):
                found.append(("", self.value()))
            else:
                found.append(self.key())
            if not self.is_sign("}") and not self.is_sign(","):
                raise self.unexpected()
        self.depth -= 1
        return Keyed(line, found)

    def key(self) -> tuple[str, Node]:
        token = self.token
        if self.is_sign("["):
            self.at += 1
            self.value()
            self.take("]")
        elif token.kind in (NAME, TEXT, NUMBER):
            self.at += 1
        else:
            raise self.unexpected()
        if self.is_sign("("):
            return token.value, Function(token.line, token.value, self.parameters(), self.block())
        if token.kind == NAME and not self.is_sign(":"):
            return token.value, Name(token.line, token.value)
        self.take(":")
        return token.value, self.value()


def _number(text: str) -> int | float:
    if text[:2].lower() == "0x":
        return int(text, 16)
    return float(text) if set(text) & set(".eE") else int(text)


__all__ = [
    "PATTERN",
    "TEMPLATE",
    "Assignment",
    "Call",
    "Choice",
    "Condition",
    "Declared",
    "Function",
    "Joined",
    "Keyed",
    "Listed",
    "Literal",
    "Member",
    "Name",
    "Node",
    "Operation",
    "Pattern",
    "Returned",
    "Script",
    "Spread",
    "Unread",
    "script_of",
]
