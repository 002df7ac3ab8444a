"""What a formula consists of: variables, terms, the parts of the model, the whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BARE_NAME = re.compile(r"\.?[^\W\d][\w.]*")


@dataclass(frozen=True)
class Variable:
    """A column, or a function of one; `text` is how it is written and named in tables."""

    text: str
    column: str
    function: str = ""
    power: int = 1

    @property
    def written(self) -> str:
        """Return it as a formula has it, whatever signs the name of its column holds."""
        name = written_name(self.column)
        power = f"^{self.power}" if self.power != 1 else ""
        return f"{self.function}({name}{power})" if self.function else name


Term = tuple[Variable, ...]


@dataclass(frozen=True)
class Part:
    """The terms of one model matrix, lower orders first; the intercept is apart."""

    intercept: bool
    terms: tuple[Term, ...]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Return every variable once, in the order of appearance."""
        return tuple(dict.fromkeys(variable for term in self.terms for variable in term))

    @property
    def written(self) -> str:
        """Return its terms as a formula has them, all combinations with *; empty where there are none."""
        if len(self.terms) > 1 and len(self.terms) == 2 ** len(self.variables) - 1:
            return "*".join(variable.written for variable in self.variables)
        return " + ".join(":".join(variable.written for variable in term) for term in self.terms)


@dataclass(frozen=True)
class RandomTerm:
    """What varies (`part`) between the levels of a grouping factor, the combination of the columns `group`."""

    part: Part
    group: tuple[str, ...]
    correlated: bool

    @property
    def effects(self) -> tuple[Term, ...]:
        """Return everything that varies in it; the intercept is the empty term."""
        return (*([()] if self.part.intercept else []), *self.part.terms)

    @property
    def written(self) -> str:
        """Return it as a formula has it, such as (1 + order | participant)."""
        terms = " + ".join(filter(None, ("1" if self.part.intercept else "0", self.part.written)))
        return f"({terms} {'|' if self.correlated else '||'} {':'.join(map(written_name, self.group))})"


@dataclass(frozen=True)
class Formula:
    """A parsed formula."""

    text: str
    response: Variable
    fixed: Part
    random: tuple[RandomTerm, ...]

    @property
    def predictors(self) -> tuple[Variable, ...]:
        """Return every variable on the right-hand side once."""
        parts = (self.fixed, *(term.part for term in self.random))
        return tuple(dict.fromkeys(variable for part in parts for variable in part.variables))

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns, each once."""
        names = (variable.column for variable in (self.response, *self.predictors))
        return tuple(dict.fromkeys((*names, *self.groupings)))

    @property
    def plain_predictors(self) -> tuple[str, ...]:
        """Return the columns of predictors that stand in the formula as they are, without a function."""
        return tuple(dict.fromkeys(variable.column for variable in self.predictors if not variable.function))

    @property
    def groupings(self) -> tuple[str, ...]:
        """Return the columns of the grouping factors, each once; of a nested one those that make it up."""
        return tuple(dict.fromkeys(name for term in self.random for name in term.group))


def term_name(term: Term) -> str:
    """Return a term as it is written in tables, such as `marker:order`."""
    return ":".join(variable.text for variable in term)


def written_name(name: str) -> str:
    """Return the name of a column as a formula has it: in backticks where it holds other signs.

    >>> written_name("rt.ms"), written_name("text type")
    ('rt.ms', '`text type`')
    """
    return name if _BARE_NAME.fullmatch(name) else f"`{name}`"


def with_random(formula: Formula, random: tuple[RandomTerm, ...]) -> Formula:
    """Return a formula with other random terms, and written accordingly."""
    fixed = formula.fixed.written or "1"
    fixed = fixed if formula.fixed.intercept else f"0 + {formula.fixed.written}".removesuffix(" + ")
    text = f"{formula.response.written} ~ {' + '.join((fixed, *(term.written for term in random)))}"
    return Formula(text, formula.response, formula.fixed, random)


def slopes_of(formula: Formula) -> tuple[tuple[str, Term], ...]:
    """Return what varies beside intercepts, each with its grouping factor.

    >>> from analysis.methods.mixed.design.formula import parse
    >>> [(group, term_name(term)) for group, term in slopes_of(parse("z ~ a + (1 + a | participant) + (1 | item)"))]
    [('participant', 'a')]
    """
    return tuple((":".join(one.group), term) for one in formula.random for term in one.part.terms)


def random_text(formula: Formula) -> str:
    """Return the random terms of a formula as it has them.

    >>> from analysis.methods.mixed.design.formula import parse
    >>> random_text(parse("z ~ a + b + (a + b + a:b || participant) + (1|item)"))
    '(1 + a*b || participant) + (1 | item)'
    """
    return " + ".join(term.written for term in formula.random)
