"""What a formula consists of: variables, terms, the parts of the model, the whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """A column, or a function of one; `text` is how it is written and named in tables."""

    text: str
    column: str
    function: str = ""
    power: int = 1


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


@dataclass(frozen=True)
class RandomTerm:
    """What varies (`part`) between the levels of a grouping factor, the combination of the columns `group`."""

    part: Part
    group: tuple[str, ...]
    correlated: bool


@dataclass(frozen=True)
class Formula:
    """A parsed formula."""

    text: str
    response: Variable
    fixed: Part
    random: tuple[RandomTerm, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns, each once."""
        names = [self.response.column]
        for part in (self.fixed, *(term.part for term in self.random)):
            names += [variable.column for variable in part.variables]
        for term in self.random:
            names += term.group
        return tuple(dict.fromkeys(names))

    @property
    def plain_predictors(self) -> tuple[str, ...]:
        """Return the columns of predictors that stand in the formula as they are, without a function."""
        parts = (self.fixed, *(term.part for term in self.random))
        named = [variable for part in parts for variable in part.variables]
        return tuple(dict.fromkeys(variable.column for variable in named if not variable.function))

    @property
    def groupings(self) -> tuple[str, ...]:
        """Return the columns of the grouping factors, each once; of a nested one those that make it up."""
        return tuple(dict.fromkeys(name for term in self.random for name in term.group))


def term_name(term: Term) -> str:
    """Return a term as it is written in tables, such as `marker:order`."""
    return ":".join(variable.text for variable in term)
