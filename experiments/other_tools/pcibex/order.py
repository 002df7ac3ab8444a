"""Read the order of a script, `Sequence(…)` or `shuffleSequence`, as slots that follow each other. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.other_tools.pcibex.values import Ordered, PatternValue, Trial, Unknown
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english

FIXED, RANDOM, EVEN = "fixed", "random", "even"


@dataclass
class Slot:
    """Trials that stand together: in the order of the script, at random, or evenly mixed by their labels."""

    how: str
    trials: list[Trial]
    line: int
    kinds: int = 1


def slots_of(order: Sequence[Ordered], trials: Sequence[Trial], *, file: str, report: Report) -> list[Slot]:
    """Return the slots of an order; without one, all trials in the order of the script.

    Trials that the order does not name are shown to nobody there, and are left out.
    """
    if not order:
        together = itertools.groupby(trials, key=lambda trial: (trial.file, trial.line, trial.label))
        return [Slot(FIXED, own, own[0].line) for _key, found in together if (own := list(found))]
    reader = _Orders(trials, file, report)
    slots = [slot for piece in order for slot in reader.slots(piece)]
    named = {id(trial) for slot in slots for trial in slot.trials} | reader.between
    for trial in trials:
        if id(trial) not in named and "special" not in trial.options:
            report.add(
                CARRIED,
                trial.file or file,
                trial.line,
                english("trial {label}", label=trial.label or "…"),
                english("the order does not name it, so nobody sees it there either."),
            )
    return slots


class _Orders:
    def __init__(self, trials: Sequence[Trial], file: str, report: Report) -> None:
        self.trials, self.file, self.report = trials, file, report
        self.between: set[int] = set()

    def slots(self, piece: Any) -> list[Slot]:
        match piece:
            case str() | int():
                return self.fixed(str(piece))
            case Ordered(word="seq" | "Sequence", below=below):
                return [slot for one in below for slot in self.slots(one)]
            case Ordered(word="randomize", below=below, line=line):
                found = [trial for one in below for trial in self.matching(one)]
                self.report.add(
                    CARRIED, self.file, line, "randomize", english("the order of trials is random, by a stored seed.")
                )
                return [Slot(RANDOM, found, line)]
            case Ordered(word="shuffle" | "rshuffle" as word, below=below, line=line):
                groups = [self.matching(one) for one in below]
                groups = [group for group in groups if group]
                self.report.add(
                    CARRIED if len(groups) < 2 else CHANGED,
                    self.file,
                    line,
                    word,
                    english("the order of trials is random, by a stored seed.")
                    if len(groups) < 2
                    else english(
                        "the order is random; {n} kinds are mixed evenly there, and here as far as the limit on runs "
                        "of targets goes.",
                        n=len(groups),
                    ),
                )
                found = [trial for group in groups for trial in group]
                return [Slot(EVEN if len(groups) > 1 else RANDOM, found, line, max(len(groups), 1))]
            case Ordered(
                word="sepWith" | "sepWithN" | "precedeEachWith" | "followEachWith" as word, below=below, line=line
            ):
                for trial in self.matching(below[0]) if below else []:
                    self.between.add(id(trial))
                self.report.add(
                    CHANGED,
                    self.file,
                    line,
                    word,
                    english("between trials there is the platform's own interval instead of this page."),
                )
                return [slot for one in below[1:] for slot in self.slots(one) if not isinstance(one, int)]
            case Ordered(word="startsWith" | "endsWith" | "anyOf" | "anyType" | "not", line=line):
                found = self.matching(piece)
                return [Slot(FIXED, found, line)] if found else []
            case Ordered(word=word, below=below, line=line):
                found = [trial for one in below if isinstance(one, Ordered | str) for trial in self.matching(one)]
                self.report.add(
                    NOT_CARRIED,
                    self.file,
                    line,
                    word,
                    english("this order is a function of the script; the order is random in its place."),
                    english("Set the rules of the order under Procedure."),
                )
                return [Slot(RANDOM, found, line)] if found else []
            case list():
                return [slot for one in piece for slot in self.slots(one)]
            case Unknown(line, source):
                self.report.add(
                    NOT_CARRIED,
                    self.file,
                    line,
                    english("order"),
                    english("a piece of it is computed by the script: {source}", source=source),
                    english("Name the trials by their labels."),
                )
        return []

    def fixed(self, label: str) -> list[Slot]:
        found = [trial for trial in self.trials if trial.label == label]
        if not found and re.fullmatch(r"(set_?)?counter|send(_?results)?", label, re.IGNORECASE):
            return []
        if not found:
            self.missing(label)
            return []
        return [Slot(FIXED, found, found[0].line)]

    def missing(self, label: str) -> None:
        self.report.add(
            NOT_CARRIED, self.file, None, english("order"), english("no trial has the label {label}.", label=label),
            english("Correct the label, or leave it out."),
        )  # fmt: skip

    def matching(self, piece: Any) -> list[Trial]:
        match piece:
            case str() | int():
                found = [trial for trial in self.trials if trial.label == str(piece)]
                if not found:
                    self.missing(str(piece))
                return found
            case Ordered(word="seq" | "randomize" | "shuffle" | "rshuffle" | "anyOf", below=below):
                return [trial for one in below for trial in self.matching(one)]
            case Ordered(word="sepWith" | "precedeEachWith" | "followEachWith", below=below):
                self.between |= {id(trial) for trial in self.matching(below[0])} if below else set()
                return [trial for one in below[1:] for trial in self.matching(one)]
            case Ordered(word=word, below=below):
                test = self.test(word, below)
                if test is None:
                    self.slots(piece)
                    return [trial for one in below if isinstance(one, Ordered | str) for trial in self.matching(one)]
                return [trial for trial in self.trials if "special" not in trial.options and test(trial.label)]
            case list():
                return [trial for one in piece for trial in self.matching(one)]
        self.slots(piece)
        return []

    def test(self, word: str, below: Sequence[Any]) -> Callable[[str], bool] | None:
        given = below[0] if below else None
        match word, given:
            case "startsWith", str():
                return lambda label: label.startswith(given)
            case "endsWith", str():
                return lambda label: label.endswith(given)
            case "anyType", _:
                return lambda label: True
            case "not", str():
                return lambda label: label != given
            case "not", Ordered(word=inner, below=inside):
                found = self.test(inner, inside)
                return None if found is None else lambda label: not found(label)
            case "anyOf", _:
                labels = {str(one) for one in below if isinstance(one, str)}
                return lambda label: label in labels
            case _, PatternValue():
                return None
        return None
