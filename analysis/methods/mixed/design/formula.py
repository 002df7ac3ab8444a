"""Parse the formula syntax of R and lme4 into terms.

    z ~ marker * order + log(length) + (1 + order | participant) + (1 + order || item)

| written | means |
|---|---|
| `a + b`, `a - b` | with both terms; without the second |
| `a:b`, `a*b`, `a/b`, `(a + b)^2` | interaction; `a + b + a:b`; `a + a:b`; all terms up to that order |
| `0 +`, `- 1` | no intercept |
| `log(x)`, `I(x^2)` … | a function of one column (see `FUNCTIONS`) |
| `factor(x)` | a column of numbers whose values are names of conditions |
| `(1 + x \\| g)` | intercept and slope vary by g, with their correlation |
| `(1 + x \\|\\| g)` | the same without correlations |
| `(1 \\| a/b)`, `(1 \\| a:b)` | b nested in a: `(1 \\| a) + (1 \\| b:a)`; combinations of a and b |

A column whose name holds other signs stands in backticks; one that holds hyphens or spaces is recognised as it is.

A formula that asks for more than any model has is refused before it is multiplied out (`bounds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from analysis.methods.mixed.design.bounds import TooLargeFormula, brief, check_nesting, check_number
from analysis.methods.mixed.design.terms import Formula, Part, RandomTerm, Variable
from analysis.methods.mixed.design.tokens import tokens_of
from analysis.methods.report import BadInput

FUNCTIONS = ("log", "log2", "log10", "log1p", "exp", "sqrt", "abs", "scale", "center", "factor")
_SAME = {"as.factor": "factor", "centre": "center"}
_EXAMPLE = "rating ~ marker * order + (1 + order | participant) + (1 + order | item)"


def parse(text: str, columns: Sequence[str] = ()) -> Formula:
    """Parse a formula. `columns` lets names with hyphens or spaces stand without backticks.

    Raises BadInput, quoting the place, where the text is no such formula.

    >>> from analysis.methods.mixed.design.terms import term_name
    >>> formula = parse("z ~ a*b + (1 + a | participant) + (1 | item)")
    >>> [term_name(term) for term in formula.fixed.terms]
    ['a', 'b', 'a:b']
    >>> [(term.group, term.correlated) for term in formula.random]
    [(('participant',), True), (('item',), True)]
    """
    return _Parser(text, columns).formula()


def check_size(text: str) -> None:
    """Raise BadInput where a formula is larger than any that is computed, whatever the data; syntax is not checked."""
    try:
        parse(text)
    except TooLargeFormula:
        raise
    except BadInput:
        return  # the names of columns, which are not known here, may make it readable


@dataclass(frozen=True)
class _Sum:
    """Terms in the order in which they were written; the empty term is the intercept."""

    terms: tuple[frozenset[Variable], ...]
    removed: tuple[frozenset[Variable], ...] = ()


_INTERCEPT: frozenset[Variable] = frozenset()


class _Parser:
    """A recursive-descent parser; binds in R's order: `^`, `:`, `*` and `/`, `+` and `-`, `|`, `~`."""

    def __init__(self, text: str, columns: Sequence[str]) -> None:
        self.text = text.strip()
        self.tokens = tokens_of(self.text, columns)
        self.position = 0
        self.appearance: dict[Variable, int] = {}
        self.random: list[RandomTerm] = []
        check_nesting(sign for _, sign in self.tokens)

    def formula(self) -> Formula:
        if not self.text:
            raise BadInput(f"formula is empty; write for example {_EXAMPLE}.")
        if [sign for _, sign in self.tokens].count("~") != 1:
            raise BadInput(
                f"formula: '{brief(self.text)}' must have one ~ between the measure and the terms; "
                f"write for example {_EXAMPLE}."
            )
        response = self._variable()
        if self._peek() != "~":
            raise self._fault("left of ~ stands the measure alone, or one function of it such as log(rt)")
        self._next()
        fixed = self._part(self._sum(random_allowed=True))
        if self._peek() is not None:
            raise self._fault("the formula should have ended here")
        return Formula(self.text, response, fixed, tuple(self.random))

    def _peek(self, ahead: int = 0) -> str | None:
        place = self.position + ahead
        return self.tokens[place][1] if place < len(self.tokens) else None

    def _kind(self) -> str | None:
        return self.tokens[self.position][0] if self.position < len(self.tokens) else None

    def _next(self) -> str:
        if self.position >= len(self.tokens):
            raise self._fault("something is missing at the end")
        self.position += 1
        return self.tokens[self.position - 1][1]

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise self._fault(f"'{sign}' was expected")
        self._next()

    def _fault(self, reason: str) -> BadInput:
        rest = " ".join(sign for _, sign in self.tokens[self.position :][:6])
        where = f"at '{brief(rest)}'" if rest else "at its end"
        return BadInput(f"formula: '{brief(self.text)}' cannot be read {where}: {reason}. An example is {_EXAMPLE}.")

    def _variable(self) -> Variable:
        if self._kind() != "name":
            raise self._fault("the name of a column was expected")
        name = self._next()
        if self._peek() != "(":
            return self._seen(Variable(name, name))
        function = _SAME.get(name, name)
        if function not in (*FUNCTIONS, "I"):
            known = ", ".join((*FUNCTIONS, "I(x^2)"))
            raise BadInput(
                f"formula: there is no function '{brief(name)}'; known are {known}. "
                f"For anything else, add a column to the data."
            )
        self._next()
        if self._kind() != "name":
            raise self._fault(f"{function}() takes the name of one column")
        column = self._next()
        power = 1
        if function == "I":
            self._expect("^")
            if self._kind() != "number" or not 2 <= int(str(self._peek())) <= 9:
                raise self._fault("I(x^n) takes a whole number from 2 to 9")
            power = int(self._next())
        self._expect(")")
        text = f"I({column}^{power})" if function == "I" else f"{function}({column})"
        return self._seen(Variable(text, column, function, power))

    def _seen(self, variable: Variable) -> Variable:
        self.appearance.setdefault(variable, len(self.appearance))
        return variable

    def _sum(self, *, random_allowed: bool = False) -> _Sum:
        terms: list[frozenset[Variable]] = []
        removed: list[frozenset[Variable]] = []
        negative = False
        if self._peek() in ("+", "-"):
            negative = self._next() == "-"
        while True:
            if self._peek() == "(" and self._is_random():
                if not random_allowed or negative:
                    raise self._fault("a random term such as (1 | item) is added to the others with +")
                self._random_term()
            else:
                value = self._product()
                zero = value is None
                found = (_INTERCEPT,) if value is None else value.terms
                if zero != negative:
                    removed += found
                    terms = [term for term in terms if term not in found]
                else:
                    terms += [term for term in found if term not in terms]
                    removed = [term for term in removed if term not in found]
                    removed += value.removed if value is not None else ()
            check_number(max(sum(map(bool, (*terms, *removed))), len(self.random)))
            if self._peek() not in ("+", "-"):
                break
            negative = self._next() == "-"
        if random_allowed and self._peek() in ("|", "||"):
            raise self._fault("a random term stands in brackets, such as (1 + order | participant)")
        return _Sum(tuple(terms), tuple(removed))

    def _product(self) -> _Sum | None:
        left = self._interaction()
        while self._peek() in ("*", "/"):
            sign = self._next()
            right = self._interaction()
            first, second = self._factors(left), self._factors(right)
            check_number(len(first) + len(second) + (len(first) * len(second) if sign == "*" else 0))
            if sign == "*":
                joined = (*first, *second, *(a | b for a in first for b in second))
            else:
                joined = (*first, *(frozenset().union(*first) | b for b in second))
            left = _Sum(tuple(dict.fromkeys(joined)))
        return left

    def _interaction(self) -> _Sum | None:
        left = self._power()
        while self._peek() == ":":
            self._next()
            right = self._power()
            first, second = self._factors(left), self._factors(right)
            check_number(len(first) * len(second))
            left = _Sum(tuple(dict.fromkeys(a | b for a in first for b in second)))
        return left

    def _power(self) -> _Sum | None:
        base = self._atom()
        if self._peek() != "^":
            return base
        self._next()
        if self._kind() != "number" or not 1 <= int(str(self._peek())) <= 9:
            raise self._fault("a whole number from 1 to 9 was expected after ^")
        order = int(self._next())
        terms = self._factors(base)
        check_number(sum(comb(len(terms), size) for size in range(1, order + 1)))
        chosen = (frozenset().union(*some) for size in range(1, order + 1) for some in combinations(terms, size))
        return _Sum(tuple(dict.fromkeys(chosen)))

    def _atom(self) -> _Sum | None:
        """Return the terms of an atom; None stands for the number 0."""
        if self._peek() == "(":
            self._next()
            inside = self._sum()
            self._expect(")")
            return inside
        if self._kind() == "number":
            number = self._next()
            if number not in ("0", "1"):
                raise self._fault(
                    f"the number {brief(number)} has no meaning here; only 1 (intercept) and 0 (none) have"
                )
            return None if number == "0" else _Sum((_INTERCEPT,))
        return _Sum((frozenset({self._variable()}),))

    def _factors(self, value: _Sum | None) -> tuple[frozenset[Variable], ...]:
        if value is None or value.removed or not value.terms or _INTERCEPT in value.terms:
            raise self._fault("1 and 0 cannot be part of an interaction")
        return value.terms

    def _is_random(self) -> bool:
        depth = 0
        for _, sign in self.tokens[self.position :]:
            depth += (sign == "(") - (sign == ")")
            if depth == 1 and sign in ("|", "||"):
                return True
            if depth == 0:
                return False
        return False

    def _random_term(self) -> None:
        self._expect("(")
        outside, self.appearance = self.appearance, {}  # lme4 names the columns of every part by itself
        part = self._part(self._sum())
        self.appearance = outside
        sign = self._next()
        if sign not in ("|", "||"):
            raise self._fault("'|' was expected")
        groups = self._groups()
        self._expect(")")
        if not part.intercept and not part.terms:
            raise BadInput(
                f"formula: '{brief(self.text)}' has a random term in which nothing varies; write (1 | g) or (x | g)."
            )
        self.random += [RandomTerm(part, group, correlated=sign == "|") for group in groups]

    def _groups(self) -> list[tuple[str, ...]]:
        groups = [self._combination()]
        while self._peek() in ("/", "*"):
            sign = self._next()
            right = self._combination()
            nested = [(*right, *(name for name in groups[-1] if name not in right))]
            groups += nested if sign == "/" else [right, *nested]
            check_number(len(groups))
        if self._peek() == "+":
            raise self._fault("one random term has one grouping factor; write (1 | a) + (1 | b)")
        return groups

    def _combination(self) -> tuple[str, ...]:
        if self._peek() == "(":
            self._next()
            inside = self._combination()
            self._expect(")")
            return inside
        names = [self._group_name()]
        while self._peek() == ":":
            self._next()
            names.append(self._group_name())
        return tuple(dict.fromkeys(names))

    def _group_name(self) -> str:
        if self._kind() != "name":
            raise self._fault("the name of a grouping column was expected")
        name = self._next()
        if self._peek() == "(":
            if _SAME.get(name, name) != "factor":
                raise self._fault("a grouping factor is a column, not a function of one")
            self._next()
            name = self._next()
            self._expect(")")
        return name

    def _part(self, value: _Sum) -> Part:
        terms = [term for term in value.terms if term != _INTERCEPT and term not in value.removed]
        ordered = [tuple(sorted(term, key=self.appearance.__getitem__)) for term in terms]
        return Part(_INTERCEPT not in value.removed, tuple(sorted(ordered, key=len)))
