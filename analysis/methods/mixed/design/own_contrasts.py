"""Parse custom contrasts: hypotheses about level means as researchers write them, `(a+b)/2 - c`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.contrast_texts import LARGEST_WEIGHT
from analysis.methods.report import BadInput
from analysis.methods.wording import counted, no_such, number_text

ZERO = 1e-9
DEEPEST = 20
_QUOTED = re.compile(r'"([^"]*)"')
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")
_WORD = re.compile(r"[^\W\d]\w*")
_ONLY_SIGNS = "+-*/()−–·×÷ "
_SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/"}


def hypotheses_of(factor: str, levels: Sequence[str], texts: Sequence[str]) -> Floats:
    """Return the weights (hypotheses × levels) of contrasts of one factor.

    A contrast adds, subtracts and weights levels: `a - b`, `(a + b)/2 - c`, `1/3 a + 2/3 b - c`. A level whose name
    holds such signs is recognised; one that is a number, or could be taken for something else, stands in quotes.

    Raises BadInput for what cannot be read, a level that does not exist, weights that do not sum to 0, more contrasts
    than levels − 1, or one that follows from the others.

    >>> hypotheses_of("order", ["a", "b", "c"], ["a-b", "(a+b)/2-c"]).tolist()
    [[1.0, -1.0, 0.0], [0.5, 0.5, -1.0]]
    """
    rows = np.array([_weights(factor, levels, text) for text in texts]).reshape(len(texts), len(levels))
    most = len(levels) - 1
    if len(texts) > most:
        raise BadInput(
            f"contrasts: '{factor}' has {counted(len(levels), 'level')} and so at most "
            f"{counted(most, 'independent contrast')}; {len(texts)} are given. Keep those that you planned, and "
            f"compare further levels with means={factor}."
        )
    scaled = rows / np.abs(rows).max(axis=1, initial=ZERO, keepdims=True)
    for number in range(1, len(texts)):
        if np.linalg.matrix_rank(scaled[: number + 1], tol=1e-7) <= number:
            raise BadInput(
                f"contrasts: '{texts[number]}' follows from the contrasts of '{factor}' before it, so it cannot have a "
                f"coefficient beside them. Leave it out, or leave out one of the others."
            )
    return rows


def _weights(factor: str, levels: Sequence[str], text: str) -> Floats:
    found = _Reader(factor, levels, text).read()
    if found[-1]:
        raise BadInput(
            f"contrasts: '{text}' adds a number that belongs to no level of '{factor}'. Numbers are weights, such as "
            f'1/2 a; a level whose name is a number stands in quotes, such as "2" - "1".'
        )
    weights = found[:-1]
    largest = float(np.abs(weights).max())
    if largest < ZERO or largest > LARGEST_WEIGHT:
        raise BadInput(
            f"contrasts: all weights of '{text}' are 0, so it compares nothing; write a difference of levels of "
            f"'{factor}', such as {levels[1]} - {levels[0]}."
            if largest < ZERO
            else f"contrasts: the weights of '{text}' are too large; write such as {levels[1]} - {levels[0]}."
        )
    if abs(float(weights.sum())) > ZERO * largest:
        total = number_text(float(weights.sum()))
        several = f"({levels[0]} + {levels[1]})/2 - {levels[-1]}" if len(levels) > 2 else f"{levels[1]} - {levels[0]}"
        raise BadInput(
            f"contrasts: the weights of '{text}' sum to {total}; those of a contrast sum to 0, so that it "
            f"compares means, such as {several}."
        )
    return np.where(np.abs(weights) < ZERO * largest, 0.0, weights)


@dataclass(frozen=True)
class _Token:
    """A sign, or the weights that a level or a number is (levels, then the number by itself)."""

    sign: str
    value: Floats | None = None


class _Reader:
    """Reads one contrast by recursive descent; the value of every part is a row of weights and a number."""

    def __init__(self, factor: str, levels: Sequence[str], text: str) -> None:
        self.factor, self.levels, self.text = factor, levels, text
        self.tokens = self._tokens()
        self.place = 0
        self.depth = 0

    def read(self) -> Floats:
        """Return the weights of the whole text."""
        found = self._sum()
        if self.place < len(self.tokens):
            raise self._unreadable(self.tokens[self.place].sign)
        return found

    def _tokens(self) -> list[_Token]:
        named = (each for each in self.levels if not _NUMBER.fullmatch(each.lstrip("+-−–")) and each.strip(_ONLY_SIGNS))
        known = sorted(named, key=len, reverse=True)
        found, place = [], 0
        while place < len(self.text):
            rest = self.text[place:]
            sign = _SIGNS.get(rest[0], rest[0])
            if sign.isspace():
                place += 1
                continue
            name = next((level for level in known if self._begins(place, level)), None)
            if name is None and (quoted := _QUOTED.match(rest)):
                found.append(_Token(quoted.group(), self._level(quoted.group(1))))
                place += quoted.end()
            elif name is None and sign in "+-*/()":
                found.append(_Token(sign))
                place += 1
            elif name is None and (number := _NUMBER.match(rest)):
                found.append(_Token(number.group(), self._number(float(number.group()))))
                place += number.end()
            else:
                name = name or (word.group() if (word := _WORD.match(rest)) else rest[0])
                found.append(_Token(name, self._level(name)))
                place += len(name)
        return found

    def _begins(self, place: int, level: str) -> bool:
        """Return whether a level stands at a place and is no part of a longer word."""
        end = place + len(level)
        if not level or not self.text.startswith(level, place):
            return False
        return not (end < len(self.text) and _is_of_word(level[-1]) and _is_of_word(self.text[end]))

    def _level(self, name: str) -> Floats:
        if name not in self.levels:
            raise BadInput(f"contrasts: {no_such(f'level of {self.factor}', name, self.levels)}")
        return np.asarray(np.eye(len(self.levels) + 1)[self.levels.index(name)])

    def _number(self, value: float) -> Floats:
        return np.asarray(np.eye(len(self.levels) + 1)[-1] * value)

    def _next(self) -> str:
        return self.tokens[self.place].sign if self.place < len(self.tokens) else ""

    def _is(self, *signs: str) -> bool:
        return self._next() in signs and self.tokens[self.place].value is None

    def _taken(self, *signs: str) -> str:
        if self._is(*signs):
            self.place += 1
            return self.tokens[self.place - 1].sign
        return ""

    def _sum(self) -> Floats:
        value = self._product()
        while sign := self._taken("+", "-"):
            value = value + self._product() * (1 if sign == "+" else -1)
        return value

    def _product(self) -> Floats:
        sign = -1.0 if self._taken("-") else 1.0
        value = self._part()
        while self.place < len(self.tokens) and not self._is("+", "-", ")"):
            value = self._divided(value, self._part()) if self._taken("/") else self._times(value)
        return value * sign

    def _times(self, value: Floats) -> Floats:
        self._taken("*")
        other = self._part()
        if value[:-1].any() and other[:-1].any():
            raise BadInput(
                f"contrasts: '{self.text}' multiplies levels with each other; levels are added, subtracted and "
                f"weighted by numbers, such as (a + b)/2 - c."
            )
        return np.asarray(other * value[-1] if other[:-1].any() else value * other[-1])

    def _divided(self, value: Floats, by: Floats) -> Floats:
        if by[:-1].any() or not by[-1]:
            raise BadInput(f"contrasts: '{self.text}' divides by something else than a number that is not 0.")
        return np.asarray(value / by[-1])

    def _part(self) -> Floats:
        if self._taken("("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise self._unreadable("(")
            value = self._sum()
            if not self._taken(")"):
                raise self._unreadable("")
            self.depth -= 1
            return value
        if self.place < len(self.tokens) and (found := self.tokens[self.place].value) is not None:
            self.place += 1
            return found
        raise self._unreadable(self._next())

    def _unreadable(self, sign: str) -> BadInput:
        where = f" at '{sign}'" if sign else ", it ends too early" if self.text else ""
        return BadInput(
            f"contrasts: '{self.text}' cannot be read{where}. Write levels of '{self.factor}' with +, -, weights and "
            f"brackets, such as {self.levels[1]} - {self.levels[0]}."
        )


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"
