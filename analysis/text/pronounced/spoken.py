"""Count the syllables of an English word as it is spoken."""

from __future__ import annotations

import lzma
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from analysis.text.pronounced.figures import ENDINGS, read_out

FILE = Path(__file__).parent / "syllables.txt.xz"
_PIECE = re.compile(r"[a-z']+|\d+(?:,\d{3})*(?:\.\d+)?")
_INITIALS = re.compile(r"[a-z](?:\.[a-z])+")
_VOWEL = re.compile("[aeiouy]")
# British spellings of words that the dictionary has with a z.
_BRITISH = re.compile("is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
# Abbreviations that are read as the word they stand for, sounds that have no vowel letter, and what programs that cut
# texts into tokens part from words or put for brackets.
_READ_AS = {
    **{"vs": 2, "km": 4, "cm": 4, "mm": 4, "ml": 4, "kg": 3, "ft": 1, "pp": 2, "prof": 3, "lt": 3, "st": 1},
    **{"hmm": 1, "mmm": 1, "shh": 1, "psst": 1, "brr": 1, "pfft": 1, "nth": 1, "ll": 1},
    **dict.fromkeys(("'s", "'d", "'m", "'ve", "'re", "lrb", "rrb", "lsb", "rsb", "lcb", "rcb"), 0),
}


@cache
def exceptions() -> dict[str, int]:
    """Return the syllables of the words of the dictionary that spelling rules get wrong.

    A line of the file is a number and the words that have so many syllables.

    >>> exceptions()["people"], exceptions()["business"], "rain" in exceptions()
    (2, 2, False)
    """
    lines = lzma.decompress(FILE.read_bytes()).decode("utf-8").splitlines()
    entries = (line.split(" ") for line in lines)
    return {word: int(number) for number, *words in entries for word in words}


def spoken(word: str, *, rules: Callable[[str], int], listed: Mapping[str, int] | None = None) -> int:
    """Return the syllables of a word as a speaker of American English says it.

    Words of the dictionary have those of their first pronunciation there (`listed`, unless given). Of other words the
    parts between hyphens and slashes are counted apart; figures are read out, initials and words without a vowel letter
    are spelled (`w` has three), and what is left is counted by `rules`, at least one. What has neither letter nor
    figure has none.

    >>> from analysis.text.syllables import english_rules
    >>> [spoken(word, rules=english_rules) for word in ("She", "state-of-the-art", "BBC", "U.S", "3rd", "1990")]
    [1, 4, 3, 2, 1, 4]
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
    plain = plain.replace("’", "'").replace("ʼ", "'")
    listed = exceptions() if listed is None else listed
    if plain in listed:
        return listed[plain]
    if _INITIALS.fullmatch(plain.strip(".")):
        return _spelled(plain)
    pieces = list(_PIECE.finditer(plain))
    total = 0
    for before, found in zip([None, *pieces], pieces, strict=False):
        piece = found[0]
        touches = before is not None and before.end() == found.start() and before[0][-1].isdigit()
        if piece[0].isdigit():
            total += _figure(piece, plain[found.end() : found.end() + 2])
        elif not (touches and piece in ENDINGS):
            total += _letters(piece, listed, rules)
    return total


def _figure(piece: str, ending: str) -> int:
    whole, _, decimals = piece.replace(",", "").partition(".")
    year = len(whole) == len(piece)
    spoken_whole = read_out(whole, ending=ending if ending in ENDINGS else "", year=year)
    return spoken_whole + (1 + sum(map(read_out, decimals)) if decimals else 0)


def _letters(piece: str, listed: Mapping[str, int], rules: Callable[[str], int]) -> int:
    for known in (listed.get(piece), _READ_AS.get(piece), listed.get(_BRITISH.sub("iz", piece))):
        if known is not None:
            return known
    bare = piece.replace("'", "")
    if not bare:
        return 0
    if len(bare) > 1 and not _VOWEL.search(bare):
        return _spelled(bare.removesuffix("s") if piece.endswith("'s") else bare)
    return max(1, rules(piece))


def _spelled(letters: str) -> int:
    return sum(3 if letter == "w" else 1 for letter in letters if letter.isalpha())
