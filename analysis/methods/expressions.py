"""Parse derived columns, written as a person would: `garbled = code_3 or code_4; log_rt = log(rt_ms)`.

    columns     := column ((";" | line end) column)*
    column      := name "=" expression
    expression  := both ("or" both)*
    both        := not ("and" not)*
    not         := "not" not | comparison
    comparison  := sum (("=" | "!=" | "<" | "<=" | ">" | ">=") sum | "in" "(" sum ("," sum)* ")")?
    sum         := product (("+" | "-") product)*
    product     := sign (("*" | "/") sign)*
    sign        := "-" sign | power
    power       := atom ("^" sign)?
    atom        := number | "text" | 'text' | name | `name` | "(" expression ")"
                 | function "(" expression ("," expression)* ")"

Nothing is evaluated as code, and a text is bounded in length, depth and number of columns. What the parts mean for rows
of data is in `analysis.methods.derived`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.methods.report import BadInput
from analysis.methods.wording import listed, nearest, no_such

DERIVE = "derive"
LONGEST = 4_000
MOST_COLUMNS = 20
DEEPEST = 30
MOST_ARGUMENTS = 30
EXAMPLE = "garbled = code_3 or code_4"

# The functions with the fewest and the most arguments that they take, and what they give.
FUNCTIONS: dict[str, tuple[int, int, str]] = {
    **dict.fromkeys(("log", "log2", "log10", "exp", "sqrt", "abs", "number"), (1, 1, "a number")),
    "round": (1, 2, "a number"),
    **dict.fromkeys(("min", "max", "mean", "count"), (1, MOST_ARGUMENTS, "a number")),
    **dict.fromkeys(("length", "words"), (1, 1, "a number")),
    "missing": (1, 1, "true or false"),
    **dict.fromkeys(("contains", "begins", "ends"), (2, 2, "true or false")),
    "if": (3, 3, ""),
    "join": (2, MOST_ARGUMENTS, "a text"),
    "lower": (1, 1, "a text"),
}
WORDS = frozenset({"and", "or", "not", "in", "true", "false"})
_TOKEN = re.compile(
    r"""[^\S\n]*(?:
        (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))
      | (?P<text>"[^"\n]*"|'[^'\n]*')
      | `(?P<quoted>[^`\n]+)`
      | (?P<name>[^\W\d]\w*(?:\.\w+)*)
      | (?P<sign><=|>=|!=|==|[-+*/^()=<>,≤≥≠−])
      | (?P<end>[;\n])
    )""",
    re.VERBOSE,
)
_SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "−": "-"}
_ORDER = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    value: float


@dataclass(frozen=True)
class Text:
    """A text in quotes."""

    value: str


@dataclass(frozen=True)
class Truth:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Name:
    """A column; on one side of `=`, `!=` and `in` a word that is no column may be a level (`may_be_word`)."""

    name: str
    may_be_word: bool = False


@dataclass(frozen=True)
class Call:
    """An operator or a function with what it is applied to."""

    name: str
    parts: tuple[Expression, ...]


Expression = Number | Text | Truth | Name | Call


@dataclass(frozen=True)
class Derived:
    """A derived column: its name, its expression as it was written, and what that is."""

    name: str
    written: str
    expression: Expression

    @property
    def in_words(self) -> str:
        """Return it as reports, plans and codebooks write it."""
        return f"{self.name} = {self.written}"


def parsed(text: str) -> tuple[Derived, ...]:
    """Read derived columns.

    Raises BadInput, with the place, for a text that is not of that form or too much.

    >>> [column.in_words for column in parsed("garbled = code_3 or code_4;  long = words >= 14")]
    ['garbled = code_3 or code_4', 'long = words >= 14']
    >>> parsed("garbled = code_3 or")
    Traceback (most recent call last):
    analysis.methods.report.BadInput: derive: 'garbled = code_3 or' ends too early; write columns such as ...
    """
    if len(text) > LONGEST:
        raise _fault(f"the text has {len(text):,} characters, and {LONGEST:,} are allowed.")
    found: list[Derived] = []
    for tokens in _statements(text):
        found.append(_Reader(tokens, text).column())
    if len(found) > MOST_COLUMNS:
        raise _fault(f"{len(found)} columns are made, and {MOST_COLUMNS} are allowed.")
    names = [column.name for column in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise _fault(f"{listed(twice)} is made more than once; give every column a name of its own.")
    return tuple(found)


def checked(text: str, columns: Sequence[str]) -> tuple[Derived, ...]:
    """Read derived columns for data with these columns; one may use those before it.

    Raises BadInput for a name that is taken, and for a column that is not there, with the nearest that is.

    >>> checked("garbled = code_3 or coed_4", ["code_3", "code_4"])
    Traceback (most recent call last):
    analysis.methods.report.BadInput: derive: There is no column 'coed_4'; did you mean 'code_4'? ...
    """
    there = list(columns)
    found = parsed(text)
    for column in found:
        if column.name in columns:
            raise _fault(f"there is a column '{column.name}' in the data already; give the derived one another name.")
        for used in _columns_of(column.expression):
            if used.name not in there and not used.may_be_word:
                raise _fault(no_such("column", used.name, there))
        there.append(column.name)
    return found


def in_words(text: str) -> str:
    """Return derived columns on one line, for plans and pages; a text that cannot be read stays as it is.

    >>> in_words("a = log(x)\\nb = a > 2")
    'a = log(x); b = a > 2'
    """
    try:
        return "; ".join(column.in_words for column in parsed(text))
    except BadInput:
        return " ".join(text.split())


def kind_of(expression: Expression) -> str:
    """Return whether an expression gives numbers, truths or texts as far as it can be told without data, else nothing.

    >>> [kind_of(column.expression) for column in parsed("a = x > 2; b = log(x); c = join(x, y); d = x")]
    ['boolean', 'number', 'text', '']
    """
    match expression:
        case Number():
            return "number"
        case Truth():
            return "boolean"
        case Text():
            return "text"
        case Name():
            return ""
        case Call("if", (_, first, second)):
            kinds = {kind_of(first), kind_of(second)}
            return kinds.pop() if len(kinds) == 1 else ""
        case Call(name, _) if name in FUNCTIONS:
            return {"a number": "number", "true or false": "boolean", "a text": "text"}.get(FUNCTIONS[name][2], "")
        case Call(name, _):
            return "number" if name in ("+", "-", "*", "/", "^") else "boolean"


def _columns_of(expression: Expression) -> Iterator[Name]:
    match expression:
        case Name():
            yield expression
        case Call(_, parts):
            for part in parts:
                yield from _columns_of(part)


_Token = tuple[str, str, int, int]


def _statements(text: str) -> Iterator[list[_Token]]:
    tokens: list[_Token] = []
    position, stripped = 0, text.replace("\r\n", "\n").rstrip()
    open_brackets = 0
    while position < len(stripped):
        token = _TOKEN.match(stripped, position)
        if token is None:
            raise _fault(f"cannot be read at '{stripped[position:].strip()[:40]}'; {_advice()}")
        position = token.end()
        kind = str(token.lastgroup)
        word = token[kind]
        open_brackets += {"(": 1, ")": -1}.get(word, 0) if kind == "sign" else 0
        # A line may end within brackets.
        if kind == "end" and (word == ";" or open_brackets <= 0):
            if tokens:
                yield tokens
            tokens, open_brackets = [], 0
        elif kind != "end":
            tokens.append((kind, _SAME.get(word, word) if kind == "sign" else word, token.start(kind), token.end(kind)))
    if tokens:
        yield tokens


class _Reader:
    """Reads one column from its tokens."""

    def __init__(self, tokens: list[_Token], text: str) -> None:
        text = text.replace("\r\n", "\n")
        self.tokens, self.text, self.at, self.depth = tokens, text, 0, 0
        self.whole = " ".join(text[tokens[0][2] : tokens[-1][3]].split())

    def column(self) -> Derived:
        kind, name = self._next()
        if kind != "name" or name.casefold() in WORDS or self._peek() != ("sign", "="):
            raise _fault(f"'{self.whole}' does not begin with a name and =; {_advice()}")
        self._next()
        start = self.at
        expression = self._either()
        if self.at < len(self.tokens):
            raise self._unexpected()
        written = " ".join(self.text[self.tokens[start][2] - self._marks(start) : self._end()].split())
        return Derived(name, written, expression)

    def _marks(self, place: int) -> int:
        return 1 if self.tokens[place][0] == "quoted" else 0

    def _end(self) -> int:
        return self.tokens[-1][3] + self._marks(-1)

    def _either(self) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _fault(f"brackets and signs are nested more than {DEEPEST} deep; make columns of the parts.")
        parts = [self._both()]
        while self._takes("or"):
            parts.append(self._both())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Call("or", tuple(parts))

    def _both(self) -> Expression:
        parts = [self._negated()]
        while self._takes("and"):
            parts.append(self._negated())
        return parts[0] if len(parts) == 1 else Call("and", tuple(parts))

    def _negated(self) -> Expression:
        negated = False
        while self._takes("not"):
            negated = not negated
        found = self._comparison()
        return Call("not", (found,)) if negated else found

    def _comparison(self) -> Expression:
        left = self._sum()
        kind, sign = self._peek()
        if kind == "sign" and sign in _ORDER:
            self._next()
            right = self._sum()
            if self._peek()[0] == "sign" and self._peek()[1] in _ORDER:
                raise _fault(f"'{self.whole}' compares twice in a row; join two comparisons with 'and'.")
            return Call(sign, (left, _word(right) if sign in ("=", "!=") else right))
        if self._takes("in"):
            if self._next() != ("sign", "("):
                raise _fault(f"'{self.whole}' needs a list in brackets behind 'in', such as marker in (a, b).")
            return Call("in", (left, *map(_word, self._arguments(self._sum))))
        return left

    def _sum(self) -> Expression:
        found = self._product()
        while self._peek() in (("sign", "+"), ("sign", "-")):
            _, sign = self._next()
            found = self._bounded(Call(sign, (found, self._product())))
        return found

    def _product(self) -> Expression:
        found = self._signed()
        while self._peek() in (("sign", "*"), ("sign", "/")):
            _, sign = self._next()
            found = self._bounded(Call(sign, (found, self._signed())))
        return found

    def _bounded(self, call: Call) -> Call:
        if _depth(call) > DEEPEST:
            raise _fault(f"'{self.whole[:60]}…' has more than {DEEPEST} signs in a row; make columns of the parts.")
        return call

    def _signed(self) -> Expression:
        negative = False
        while self._peek() == ("sign", "-"):
            self._next()
            negative = not negative
        found = self._power()
        return Call("-", (Number(0.0), found)) if negative else found

    def _power(self) -> Expression:
        found = self._atom()
        if self._peek() == ("sign", "^"):
            self._next()
            sign = self._peek() == ("sign", "-")
            if sign:
                self._next()
            exponent = self._atom()
            found = Call("^", (found, Call("-", (Number(0.0), exponent)) if sign else exponent))
        return found

    def _atom(self) -> Expression:
        kind, word = self._next()
        if kind == "number":
            return Number(float(word))
        if kind == "text":
            return Text(word[1:-1])
        if kind == "quoted":
            return Name(word)
        if kind == "name":
            if self._peek() == ("sign", "("):
                return self._call(word)
            if word.casefold() in ("true", "false"):
                return Truth(word.casefold() == "true")
            if word.casefold() not in WORDS:
                return Name(word)
        if (kind, word) == ("sign", "("):
            found = self._either()
            self._close()
            return found
        self.at -= 1
        raise self._unexpected()

    def _call(self, word: str) -> Expression:
        name = word.casefold()
        if name not in FUNCTIONS:
            guess = nearest(name, list(FUNCTIONS))
            meant = f"; did you mean '{guess}'?" if guess else "."
            raise _fault(f"there is no function '{word}'{meant} Known are: {listed(FUNCTIONS, shown=40)}.")
        self._next()
        arguments = self._arguments(self._either)
        fewest, most, _gives = FUNCTIONS[name]
        if not fewest <= len(arguments) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise _fault(
                f"{name}(…) takes {wanted} values in its brackets, and has {len(arguments)} in '{self.whole}'."
            )
        return Call(name, tuple(arguments))

    def _arguments(self, read: object) -> list[Expression]:
        """Read what stands in brackets, behind the opening one, up to the closing one."""
        assert callable(read)  # noqa: S101 - one of the methods above
        found: list[Expression] = [read()]
        while self._peek() == ("sign", ","):
            self._next()
            found.append(read())
        self._close()
        return found

    def _close(self) -> None:
        if self._peek() != ("sign", ")"):
            raise _fault(f"a bracket is not closed in '{self.whole}'.")
        self._next()

    def _takes(self, word: str) -> bool:
        kind, found = self._peek()
        if kind == "name" and found.casefold() == word:
            self.at += 1
            return True
        return False

    def _peek(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            return "", ""
        kind, word, _, _ = self.tokens[self.at]
        return kind, word

    def _next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise _fault(f"'{self.whole}' ends too early; {_advice()}")
        found = self._peek()
        self.at += 1
        return found

    def _unexpected(self) -> BadInput:
        return _fault(f"'{self._peek()[1]}' stands where it cannot in '{self.whole}'; {_advice()}")


def _word(expression: Expression) -> Expression:
    return Name(expression.name, may_be_word=True) if isinstance(expression, Name) else expression


def _depth(expression: Expression) -> int:
    if not isinstance(expression, Call):
        return 0
    return 1 + max(map(_depth, expression.parts))


def _advice() -> str:
    return f"write columns such as {EXAMPLE}, separated by semicolons, and put names with other signs in `backticks`."


def _fault(text: str) -> BadInput:
    return BadInput(f"{DERIVE}: {text}")
