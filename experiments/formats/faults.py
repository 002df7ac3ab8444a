"""Validation errors for researchers: what is wrong, where, and what to do. All faults are reported together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from experiments.sentences import Sentence

# Longer names resemble nothing; comparing two takes a time that grows with the product of their lengths.
LONGEST_NAME = 200


@dataclass(frozen=True)
class Fault:
    """One fault. `line` counts from 1, including the header; `step` is the page of the study where it can be corrected.

    `column` is a column of a table, `setting` the name of a setting or field, `address` a page that says more. A
    warning `is_doubtful` where what would be stored may not be what was meant: a command stores nothing then unasked.
    `choice` names the step of reading a table that it tells of; with a hyphen before it the choice is to leave the step
    out, without one to take it.

    >>> print(Fault(3, "maker", "There is no such column.", "Did you mean 'marker'?"))
    Line 3, column 'maker': There is no such column. Did you mean 'marker'?
    """

    line: int | None = None
    column: str = ""
    message: str = ""
    suggestion: str = ""
    step: str = ""
    setting: str = ""
    address: str = ""
    is_doubtful: bool = False
    choice: str = ""

    def __str__(self) -> str:
        said, place = self.message, self._place()
        if self.suggestion:
            said = Sentence("{message} {suggestion}", message=self.message, suggestion=self.suggestion)
        return Sentence("{place}: {said}", place=place, said=said) if place else said

    def _place(self) -> str:
        place: str = ""
        if self.line is not None:
            place = Sentence("Line {line}", line=self.line)
        if self.column and place:
            place = Sentence("{place}, column '{column}'", place=place, column=self.column)
        elif self.column:
            place = Sentence("Column '{column}'", column=self.column)
        if self.setting and place:
            return Sentence("{place}, setting '{setting}'", place=place, setting=self.setting)
        return Sentence("Setting '{setting}'", setting=self.setting) if self.setting else place


class FaultsFound(ValueError):
    """Input is invalid. `faults` holds everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = list(faults)


def in_file(fault: Fault, name: str) -> Fault:
    """Return a fault that says in which file it is, where the file is not the one that lines are counted in."""
    # The line is one of another file, so it goes into the sentence together with the file's name.
    said = str(replace(fault, line=None, column=""))
    place: str = ""
    if fault.line is not None and fault.column:
        place = Sentence("{file}: line {line}, column '{column}'", file=name, line=fault.line, column=fault.column)
    elif fault.line is not None:
        place = Sentence("{file}: line {line}", file=name, line=fault.line)
    elif fault.column:
        place = Sentence("{file}: column '{column}'", file=name, column=fault.column)
    else:
        place, said = name, said[0].lower() + said[1:]
    message = Sentence("{place}: {said}", place=place, said=said)
    return Fault(message=message, step="materials", is_doubtful=fault.is_doubtful, choice=fault.choice)


def spoken(said: Iterable[object], between: str = " ") -> str:
    """Join faults or sentences into one text.

    >>> spoken([Fault(message="There is no such column.", suggestion="Add it."), "Nothing was stored."])
    'There is no such column. Add it. Nothing was stored.'
    """
    told = {f"said{number}": str(one) for number, one in enumerate(said)}
    return Sentence(between.join(f"{{{name}}}" for name in told), **told)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean '…'?" for the nearest known name; empty if none is near.

    >>> did_you_mean("Maker", ["item", "marker"])
    "Did you mean 'marker'?"
    """
    if len(name) > LONGEST_NAME:
        return ""
    by_folded = {str(one).casefold(): str(one) for one in known if len(str(one)) <= LONGEST_NAME}
    near = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return Sentence("Did you mean '{name}'?", name=by_folded[near[0]]) if near else ""


def unknown_keys(given: Iterable[Any], known: Sequence[str]) -> list[tuple[Any, str]]:
    """Return the unknown keys, each with a suggestion.

    >>> unknown_keys({"title": "A", "hypothesis": "B"}, ("title", "hypotheses"))
    [('hypothesis', "Did you mean 'hypotheses'?")]
    """
    return [(key, did_you_mean(str(key), known)) for key in given if key not in known]


def listed(names: Sequence[str], *, shown: int = 8) -> str:
    """Return the names in quotes, separated by commas; names beyond `shown` are only counted.

    >>> listed(["a", "b", "c"], shown=2)
    "'a', 'b' and 1 more"
    """
    quoted = ", ".join(f"'{name}'" for name in names[:shown])
    return Sentence("{names} and {n} more", names=quoted, n=len(names) - shown) if len(names) > shown else quoted


def enumerated(names: Iterable[object], *, shown: int = 8) -> str:
    """Return names as in a sentence, with "and" before the last; names beyond `shown` are only counted.

    >>> enumerated(["a", "b", "c"]), enumerated(["P1", "P2", "P3"], shown=2)
    ('a, b and c', 'P1, P2 and 1 more')
    """
    every = [str(name) for name in names]
    if len(every) > shown:
        return Sentence("{names} and {n:,} more", names=spoken(every[:shown], ", "), n=len(every) - shown)
    if len(every) < 2:
        return spoken(every)
    return Sentence("{names} and {last}", names=spoken(every[:-1], ", "), last=every[-1])
