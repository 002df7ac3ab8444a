"""Cut a script of JavaScript into tokens. Pure; the time grows with the length of the script."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from experiments.materials.other_tools.literals import whole_characters
from experiments.sentences import Sentence

NUMBER, TEXT, NAME, SIGN, PATTERN, TEMPLATE, END = "number", "text", "name", "sign", "pattern", "template", "end"
MOST_TOKENS = 1_000_000
# Python refuses to read longer whole numbers, as reading them takes quadratic time.
_MOST_DIGITS = 300

_BLANK = re.compile(r"[^\S\n]+")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_NUMERAL = re.compile(r"0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SIGN = re.compile(
    r">>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?![0-9])|\+\+|--"
    r"|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\*\*|<<|>>|[-+*/%=<>!&|^~?:;,.(){}\[\]@#\\]"
)
_PATTERN = re.compile(r"/((?:[^\\/\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+)/([a-z]*)")
_PLAIN = {'"': re.compile(r'[^"\\\n]+'), "'": re.compile(r"[^'\\\n]+"), "`": re.compile(r"[^`\\$]+")}
_CODE = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{0*([0-9a-fA-F]{1,6})\}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
# After these, a slash divides; after anything else it begins a pattern.
_VALUES = frozenset((NUMBER, TEXT, NAME, PATTERN, TEMPLATE))
_BEFORE_PATTERN = frozenset(("return", "typeof", "case", "in", "of", "delete", "void", "new"))


class BrokenScript(ValueError):
    """The script cannot be read; `line` is where."""

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its value, its line counted from 1, whether a new line begins before it.

    The value of a text is what it says; of a template a list of texts and of pieces of script with their lines.
    """

    kind: str
    value: str
    line: int
    after_line: bool
    at: int
    end: int
    parts: tuple[str | tuple[str, int], ...] = ()


def tokens_of(text: str, line: int = 1) -> list[Token]:
    """Return the tokens of a script and one for its end. Raises BrokenScript.

    >>> [token.value for token in tokens_of("newText('a') // b")]
    ['newText', '(', 'a', ')', '']
    """
    found = []
    for token in _cut(text, line):
        found.append(token)
        if len(found) > MOST_TOKENS:
            message = Sentence("The script has more than {n:,} words and signs.", n=MOST_TOKENS)
            raise BrokenScript(message, line=token.line)
    return found


def _cut(text: str, line: int) -> Iterator[Token]:
    at, after_line = 0, True
    last: Token | None = None
    while at < len(text):
        sign = text[at]
        if sign == "\n":
            line, at, after_line = line + 1, at + 1, True
            continue
        if blank := _BLANK.match(text, at):
            at = blank.end()
            continue
        if text.startswith(("//", "<!--", "#!"), at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise BrokenScript(Sentence("A comment opens here with /* and never closes."), line=line)
            after_line = after_line or "\n" in text[at:end]
            line += text.count("\n", at, end)
            at = end + 2
            continue
        token = _token(text, at, line, after_line, last)
        line += text.count("\n", at, token.end)
        yield token
        last, at, after_line = token, token.end, False
    yield Token(END, "", line, True, len(text), len(text))


def _token(text: str, at: int, line: int, after_line: bool, last: Token | None) -> Token:
    sign = text[at]
    if sign in "\"'":
        value, end = _quoted(text, at, line)
        return Token(TEXT, value, line, after_line, at, end)
    if sign == "`":
        parts, end = _template(text, at, line)
        return Token(TEMPLATE, "", line, after_line, at, end, parts)
    if word := _WORD.match(text, at):
        return Token(NAME, word[0], line, after_line, at, word.end())
    if numeral := _NUMERAL.match(text, at):
        return Token(NUMBER, numeral[0][:_MOST_DIGITS], line, after_line, at, numeral.end())
    if sign == "/" and not _divides(last) and (pattern := _PATTERN.match(text, at)):
        return Token(PATTERN, pattern[1], line, after_line, at, pattern.end(), (pattern[2],))
    if found := _SIGN.match(text, at):
        return Token(SIGN, found[0], line, after_line, at, found.end())
    raise BrokenScript(Sentence("'{sign}' is not a sign of a script.", sign=sign), line=line)


def _divides(last: Token | None) -> bool:
    if last is None:
        return False
    if last.kind == NAME:
        return last.value not in _BEFORE_PATTERN
    return last.kind in _VALUES or last.value in (")", "]", "}")


def _quoted(text: str, at: int, line: int) -> tuple[str, int]:
    mark, parts, begins = text[at], [], at
    at += 1
    while at < len(text):
        if plain := _PLAIN[mark].match(text, at):
            parts.append(plain[0])
            at = plain.end()
            continue
        if text[at] == mark:
            return whole_characters("".join(parts)), at + 1
        if text[at] == "\n":
            break
        said, at = _escaped(text, at + 1)
        parts.append(said)
    shown = text[begins : begins + 30].split("\n")[0]
    raise BrokenScript(Sentence("A quotation mark opens here and never closes: {text}", text=shown), line=line)


def _escaped(text: str, at: int) -> tuple[str, int]:
    """Return what an escape says and the place after it; `at` is the place after the backslash."""
    code = _CODE.match(text, at)
    if code and (number := int(code[1] or code[2] or code[3], 16)) <= sys.maxunicode:
        return chr(number), code.end()
    sign = text[at : at + 1]
    if sign == "\r" and text[at + 1 : at + 2] == "\n":
        return "", at + 2
    return _ESCAPES.get(sign, sign), at + 1


def _template(text: str, at: int, line: int) -> tuple[tuple[str | tuple[str, int], ...], int]:
    """Return texts and pieces of script of a template, and the place after it."""
    begins = line
    found: list[str | tuple[str, int]] = []
    parts: list[str] = []
    at += 1
    while at < len(text):
        if plain := _PLAIN["`"].match(text, at):
            parts.append(plain[0])
            line += plain[0].count("\n")
            at = plain.end()
        elif text[at] == "`":
            found.append(whole_characters("".join(parts)))
            return tuple(found), at + 1
        elif text.startswith("${", at):
            end = _end_of_piece(text, at + 2, begins)
            found += [whole_characters("".join(parts)), (text[at + 2 : end], line)]
            parts = []
            line += text.count("\n", at, end)
            at = end + 1
        elif text[at] == "\\":
            said, after = _escaped(text, at + 1)
            line += text.count("\n", at, after)
            parts.append(said)
            at = after
        else:
            parts.append(text[at])
            at += 1
    raise BrokenScript(Sentence("A text opens here with ` and never closes."), line=begins)


_PIECE = re.compile(r"[^{}\"'`]+")


def _end_of_piece(text: str, at: int, line: int) -> int:
    """Return the place of the brace that closes a piece of a template; templates in it hold no further pieces."""
    depth = 0
    while at < len(text):
        if plain := _PIECE.match(text, at):
            at = plain.end()
            continue
        sign = text[at]
        if sign in "\"'":
            _value, at = _quoted(text, at, line)
            continue
        if sign == "`":
            end = text.find("`", at + 1)
            at = len(text) if end < 0 else end + 1
            continue
        if sign == "}" and depth == 0:
            return at
        depth += 1 if sign == "{" else -1
        at += 1
    raise BrokenScript(Sentence("A text opens here with ` and never closes."), line=line)
