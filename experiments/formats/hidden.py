"""Find characters that cannot be seen and letters that were encoded twice, name them, and mend both. Pure.

What a script needs is left alone: joiners between letters that are joined, marks of direction in texts from right to
left, spaces that do not break beside the punctuation that French sets off with them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# Spaces that no line is broken at look like others and are counted as letters by some programs.
_SPACES = "\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_NOTHING = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb"
_HIDDEN = re.compile(f"[{_SPACES}{_NOTHING}]")
_SPACE = re.compile(f"[{_SPACES}]")
_JOINERS = "\u200c\u200d"
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
_SET_OFF = "«»‹›;:!?%€$–—"
# Scripts that write no spaces and mark with a character without width where a word ends.
_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
# The letters of the scripts in which East Asian texts are written, whose space is as wide as they are.
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff9f]")
# Bytes of UTF-8 as Windows-1252 shows them: the first of a character, and those that follow.
_FOLLOWING = (
    "\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e"
    "\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122"
)
# As they begin Latin, Greek, Cyrillic, Hebrew and Arabic letters, then those of Asia and punctuation, then pictures.
_TWICE = re.compile(f"[ÂÃÄÅÎÏÐÑ×ØÙ][{_FOLLOWING}]|[à-ï][{_FOLLOWING}]{{2}}|ð[{_FOLLOWING}]{{3}}")
# One alone is enough of these: Latin letters with marks, punctuation, pictures. The others are also how a word in
# capitals ends before a quotation mark, and count only where a text has several.
_CERTAIN = re.compile("[ÂÃ]|â[€„ˆ‚]|ðŸ")
_SEVERAL = 3
_QUOTES = "»”“’‘›…–—"


@dataclass(frozen=True)
class Oddity:
    """A place of a text: where it begins, what stands there, and what belongs there."""

    at: int
    text: str
    mended: str

    @property
    def is_hidden(self) -> bool:
        """Whether it cannot be seen; otherwise it was encoded twice."""
        return len(self.text) == 1

    @property
    def code_point(self) -> str:
        """The code point of a hidden character with its name, such as U+00AD SOFT HYPHEN."""
        return f"U+{ord(self.text[0]):04X} {unicodedata.name(self.text[0], '')}".strip()


def oddities(text: str, *, is_guessed: bool = False) -> list[Oddity]:
    """Return the hidden and the double-encoded characters of a text, from its beginning.

    `is_guessed`: the encoding of the text was guessed, so that its letters show nothing of what they were before.

    >>> [(odd.at, odd.code_point, odd.mended) for odd in oddities("of\\u00adten")]
    [(2, 'U+00AD SOFT HYPHEN', '')]
    >>> [(odd.text, odd.mended) for odd in oddities("cafÃ© «\\u00a0oui\\u00a0»")]
    [('Ã©', 'é')]
    """
    if text.isascii():
        return []
    found = [] if is_guessed else _encoded_twice(text)
    taken = {place for odd in found for place in range(odd.at, odd.at + len(odd.text))}
    expected = _expected(text)
    found += [
        Oddity(place.start(), place[0], " " if _SPACE.match(place[0]) else "")
        for place in _HIDDEN.finditer(text)
        if place.start() not in taken and not _belongs(text, place.start(), expected)
    ]
    return sorted(found, key=lambda odd: odd.at)


def mended(text: str, *, is_guessed: bool = False) -> str:
    """Return a text without hidden characters and with double-encoded ones as they were meant.

    >>> mended("of\\u00adten cafÃ©\\u200b"), mended("The\\u00a0path")
    ('often café', 'The path')
    """
    parts, after = [], 0
    for odd in oddities(text, is_guessed=is_guessed):
        parts += [text[after : odd.at], odd.mended]
        after = odd.at + len(odd.text)
    return "".join([*parts, text[after:]])


def without_hidden(text: str) -> str:
    """Return a text without the hidden characters that take no room, so that its letters can be counted.

    >>> without_hidden("of\u00adten"), len(without_hidden("The\u00a0path"))
    ('often', 8)
    """
    gone = {odd.at for odd in oddities(text) if odd.is_hidden and not odd.mended}
    return "".join(character for place, character in enumerate(text) if place not in gone) if gone else text


def _encoded_twice(text: str) -> list[Oddity]:
    found = [Oddity(place.start(), place[0], meant) for place in _TWICE.finditer(text) if (meant := _decoded(place[0]))]
    if len(found) >= _SEVERAL:
        return found
    return [
        odd
        for odd in found
        if _CERTAIN.match(odd.text) and not (odd.text[1] in _QUOTES and text[max(odd.at - 1, 0) : odd.at].isupper())
    ]


def _decoded(text: str) -> str:
    """Return the character that Windows-1252 showed as several; empty if it is none."""
    given = bytearray()
    for character in text:
        try:
            given += character.encode("cp1252")
        except UnicodeEncodeError:
            if ord(character) > 0xFF:
                return ""
            given.append(ord(character))
    try:
        return given.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _expected(text: str) -> str:
    """Return the hidden characters that the scripts of a text need."""
    from_right = any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
    wide, without_spaces = _WIDE.search(text), _WITHOUT_SPACES.search(text)
    return (_DIRECTIONS if from_right else "") + ("\u3000" if wide else "") + ("\u200b" if without_spaces else "")


def _belongs(text: str, at: int, expected: str) -> bool:
    """Return whether what stands at a place is part of how its script or its language is written."""
    character, before, behind = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if character in _JOINERS:
        return bool(before and behind) and not before.isascii() and not behind.isascii()
    if character in "\u00a0\u202f":
        return (bool(before) and before in _SET_OFF) or (bool(behind) and behind in _SET_OFF) or before.isdigit()
    return character in expected
