"""Check the length of an answer, by the same rule as the browser (`lengths.ts`). Pure.

Blanks are the characters that browsers trim; characters are those that people see (grapheme clusters); words are
separated by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from experiments.formats.graphemes import graphemes_in

MAX_CHARACTERS = 2_000

# The characters of `\s` in a browser; Python's differ by a few that nobody types.
_BLANKS = (
    "\t\n\x0b\x0c\r \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_BETWEEN_WORDS = re.compile(f"[{_BLANKS}]+")

EMPTY, SEVERAL_WORDS, TOO_SHORT, TOO_LONG = "empty", "several-words", "too-short", "too-long"

FAULTS: Mapping[str, str] = {
    EMPTY: "An answer is required.",
    SEVERAL_WORDS: "The answer must be a single word.",
    TOO_SHORT: "The answer is shorter than the shortest that the study takes.",
    TOO_LONG: "The answer is longer than the longest that the study takes.",
}


def words_in(text: str) -> list[str]:
    """Split a text at blanks.

    >>> words_in("  the old bridge ")
    ['the', 'old', 'bridge']
    """
    return [word for word in _BETWEEN_WORDS.split(text) if word]


def characters_in(text: str) -> int:
    """Return the number of characters of a text without surrounding blanks.

    >>> characters_in(" a  b "), characters_in("  "), characters_in("cafe\u0301")
    (4, 0, 4)
    """
    return graphemes_in(text.strip(_BLANKS))


def length_fault(typed: str, limits: Mapping[str, Any]) -> str:
    """Return what is wrong with an answer: `empty`, `several-words`, `too-short`, `too-long`, or an empty text.

    `limits` are those of a trial: one_word, length_unit (characters or words), minimum_length, maximum_length (0 for
    none) and may_be_empty.

    >>> limits = {"one_word": True, "length_unit": "characters", "minimum_length": 2, "maximum_length": 0,
    ...           "may_be_empty": False}
    >>> [length_fault(typed, limits) for typed in ("bread", "rye bread", "a", " ")]
    ['', 'several-words', 'too-short', 'empty']
    """
    words = words_in(typed)
    if not words:
        return "" if limits["may_be_empty"] else EMPTY
    if limits["one_word"] and len(words) > 1:
        return SEVERAL_WORDS
    length = len(words) if limits["length_unit"] == "words" else characters_in(typed)
    if length < limits["minimum_length"]:
        return TOO_SHORT
    if limits["maximum_length"] and length > limits["maximum_length"]:
        return TOO_LONG
    return ""
