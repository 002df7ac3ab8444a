"""Parse JavaScript literals: strings (also joined by +), numbers, lists and objects, with comments. Pure.

No code is run: anything else, such as a call or a name, is read as an `Unknown`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from experiments.sentences import Sentence

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


class BrokenLiteral(ValueError):
    """The text is not a valid literal; `line` is where."""

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Unknown:
    """The source of an expression whose value only a running script knows."""

    text: str


@dataclass(frozen=True)
class Entry:
    """One value of a list, with the line on which it begins."""

    line: int
    value: Any


class Reader:
    """Reads literals from a text, one after the other."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at = text, at

    def line(self, at: int | None = None) -> int:
        """Return the line of a place, counted from 1."""
        return self.text.count("\n", 0, self.at if at is None else at) + 1

    def value(self) -> Any:
        """Return the value that begins here. Texts joined with + are one. Raises BrokenLiteral."""
        found = self._one()
        self._skip()
        while self._peek() == "+":
            self.at += 1
            more = self._one()
            joined = isinstance(found, str) and isinstance(more, str)
            found = found + more if joined else Unknown(str(found))
            self._skip()
        return found

    def entries(self) -> list[Entry]:
        """Return the values of the list that begins here, with their lines. Raises BrokenLiteral."""
        found: list[Entry] = []
        self._skip()
        self._take("[")
        while True:
            self._skip()
            if self._peek() == "]":
                self.at += 1
                return found
            if self._peek() == ",":
                self.at += 1
                continue
            begins = self.line()
            found.append(Entry(begins, self.value()))
            self._skip()
            if self._peek() not in (",", "]"):
                raise BrokenLiteral(Sentence("A comma or ] is missing after this entry."), line=begins)

    def _one(self) -> Any:
        self._skip()
        sign = self._peek()
        if sign == "":
            raise BrokenLiteral(Sentence("The file ends in the middle of a list."), line=self.line())
        if sign in "\"'`":
            return self._text(sign)
        if sign == "[":
            return [entry.value for entry in self.entries()]
        if sign == "{":
            return self._object()
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return float(number[0]) if re.search(r"[.eE]", number[0]) else int(number[0])
        return self._unknown()

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._take("{")
        while True:
            self._skip()
            if self._peek() == "}":
                self.at += 1
                return found
            if self._peek() == ",":
                self.at += 1
                continue
            begins = self.line()
            if self._peek() in ("'", '"'):
                key = self._text(self._peek())
            else:
                name = re.compile(r"[\w$]+").match(self.text, self.at)
                if not name:
                    raise BrokenLiteral(
                        Sentence("'{text}' is no name of a value.", text=self.text[self.at : self.at + 20]), line=begins
                    )
                key, self.at = name[0], name.end()
            self._skip()
            self._take(":")
            found[key] = self.value()

    def _text(self, mark: str) -> str:
        begins = self.line()
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == mark:
                return "".join(parts)
            if sign == "\n" and mark != "`":
                break
            if sign == "\\" and self.at < len(self.text):
                parts.append(self._escaped())
            else:
                parts.append(sign)
        raise BrokenLiteral(Sentence("A quotation mark is opened here and never closed."), line=begins)

    def _escaped(self) -> str:
        code = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})").match(self.text, self.at)
        if code:
            self.at = code.end()
            return chr(int(code[1] or code[2], 16))
        sign = self.text[self.at]
        self.at += 1
        return _ESCAPES.get(sign, sign)

    def _unknown(self) -> Any:
        """Read a name, a call or a function, up to the comma or bracket that ends it."""
        begins, start, open_brackets = self.line(), self.at, []
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in "\"'`":
                self._text(sign)
                continue
            if self.text.startswith(("//", "/*"), self.at):
                self._skip()
                continue
            if sign in _PAIRS:
                open_brackets.append(_PAIRS[sign])
            elif open_brackets and sign == open_brackets[-1]:
                open_brackets.pop()
            elif not open_brackets and sign in ",]}+;":
                break
            self.at += 1
        if open_brackets:
            raise BrokenLiteral(Sentence("A {sign} is missing.", sign=open_brackets[-1]), line=begins)
        if self.at == start:
            raise BrokenLiteral(Sentence("'{text}' is no value.", text=self.text[start : start + 20]), line=begins)
        word = self.text[start : self.at].strip()
        return _WORDS[word] if word in _WORDS else Unknown(word)

    def _skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, sign: str) -> None:
        if self._peek() != sign:
            found = self.text[self.at : self.at + 20].split("\n")[0]
            raise BrokenLiteral(
                Sentence("{sign} is missing before '{found}'.", sign=sign, found=found), line=self.line()
            )
        self.at += 1
