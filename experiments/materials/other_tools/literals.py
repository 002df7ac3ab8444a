"""Parse JavaScript literals: strings (also joined by +), numbers, lists and objects, with comments. Pure.

No code is run: anything else, such as a call or a name, is read as an `Unknown`. The time grows with the length of the
text, whatever stands in it.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from experiments.sentences import Sentence

# Lists in lists, further down than any item list goes.
MOST_NESTED = 50
_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# Python refuses to read longer whole numbers, as reading them takes quadratic time.
_MOST_DIGITS = 300
_NAME = re.compile(r"[\w$]+")
_ESCAPED = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{0*([0-9a-fA-F]{1,6})\}")
_PLAIN = {'"': re.compile(r'[^"\\\n]+'), "'": re.compile(r"[^'\\\n]+"), "`": re.compile(r"[^`\\\n]+")}
_HALF = re.compile("[\ud800-\udfff]")
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


def after_blank(text: str, at: int) -> int:
    """Return the place after white space and comments. Raises BrokenLiteral for a comment that never ends.

    >>> after_blank(" // a\\n/* b */ [1]", 0)
    14
    """
    while True:
        at = _end_of(_SPACE, text, at)
        if text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                message = Sentence("A comment opens here with /* and never closes.")
                raise BrokenLiteral(message, line=text.count("\n", 0, at) + 1)
            at = end + 2
        else:
            return at


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def whole_characters(text: str) -> str:
    r"""Join the two halves in which JavaScript writes a character beyond U+FFFF; a half alone stays one.

    >>> whole_characters("\ud83d\ude00") == "\U0001f600", whole_characters("a")
    (True, 'a')
    """
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class Reader:
    """Reads literals from a text, one after the other."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at = text, at
        self.depth = 0
        self.line_ends = [found.start() for found in re.finditer("\n", text)]

    def line(self, at: int | None = None) -> int:
        """Return the line of a place, counted from 1."""
        return bisect_left(self.line_ends, self.at if at is None else at) + 1

    def value(self) -> Any:
        """Return the value that begins here. Texts joined with + are one. Raises BrokenLiteral."""
        found = [self._one()]
        self._skip()
        while self._peek() == "+":
            self.at += 1
            found.append(self._one())
            self._skip()
        if len(found) == 1:
            return found[0]
        if all(isinstance(part, str) for part in found):
            return whole_characters("".join(found))
        return Unknown(str(found[0]))

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
        if sign in "[{":
            return self._nested(sign)
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            is_whole = len(number[0]) <= _MOST_DIGITS and not set(".eE") & set(number[0])
            return int(number[0]) if is_whole else float(number[0])
        return self._unknown()

    def _nested(self, sign: str) -> Any:
        if self.depth >= MOST_NESTED:
            message = Sentence("Lists and objects are nested more than {n} levels deep here.", n=MOST_NESTED)
            raise BrokenLiteral(message, line=self.line())
        self.depth += 1
        found = [entry.value for entry in self.entries()] if sign == "[" else self._object()
        self.depth -= 1
        return found

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
                name = _NAME.match(self.text, self.at)
                if not name:
                    raise BrokenLiteral(
                        Sentence("'{text}' is not the name of a value.", text=self.text[self.at : self.at + 20]),
                        line=begins,
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
            if plain := _PLAIN[mark].match(self.text, self.at):
                parts.append(plain[0])
                self.at = plain.end()
                continue
            sign = self.text[self.at]
            self.at += 1
            if sign == mark:
                return whole_characters("".join(parts))
            if sign == "\n" and mark != "`":
                break
            if sign == "\\" and self.at < len(self.text):
                parts.append(self._escaped())
            else:
                parts.append(sign)
        raise BrokenLiteral(Sentence("A quotation mark opens here and never closes."), line=begins)

    def _escaped(self) -> str:
        code = _ESCAPED.match(self.text, self.at)
        if code and int(code[1] or code[2] or code[3], 16) <= sys.maxunicode:
            self.at = code.end()
            return chr(int(code[1] or code[2] or code[3], 16))
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
            if sign == "/" and self.text.startswith(("//", "/*"), self.at):
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
            raise BrokenLiteral(Sentence("'{text}' is not a value.", text=self.text[start : start + 20]), line=begins)
        word = self.text[start : self.at].strip()
        return _WORDS[word] if word in _WORDS else Unknown(word)

    def _skip(self) -> None:
        self.at = after_blank(self.text, self.at)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, sign: str) -> None:
        if self._peek() != sign:
            found = self.text[self.at : self.at + 20].split("\n")[0]
            raise BrokenLiteral(
                Sentence("{sign} is missing before '{found}'.", sign=sign, found=found), line=self.line()
            )
        self.at += 1
