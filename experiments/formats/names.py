"""Short names for addresses, columns and parts, made from what people write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

# How letters are written with a to z where taking off their accents is not enough.
_LETTERS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "œ": "oe", "þ": "th", "ð": "d",
    "đ": "d", "ł": "l", "ı": "i", "ħ": "h", "ŋ": "ng",
    **dict(zip("абвгдезийклмнопрстуфыэіїєґ", "abvgdeziyklmnoprstufyeiieg", strict=True)),
    "ё": "e", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu",
    "я": "ya",
    **dict(zip("αβγδεζηικλμνοπρστυφω", "avgdeziiklmnoprstyfo", strict=True)),
    "ς": "s", "θ": "th", "ξ": "x", "χ": "ch", "ψ": "ps",
}  # fmt: skip
# Small words that a name does without, unless nothing is left.
_SMALL_WORDS = """
a an and are at be by did do does for have how i in is of on or our that the these this to was were what which who with
you your
am auf aus das dass dem den der des die dies diese dieser ein eine einer es fuer haben ich ihr ihre ihren im in ist mit
sie sind und von war was welche welcher welches wie zu zum zur
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def short_name(
    text: str, *, joint: str = "-", most: int = 40, taken: Collection[str] = (), otherwise: str = "study"
) -> str:
    """Return a name of lower-case letters a to z, digits and `joint`, which begins with a letter and is not `taken`.

    It has at most `most` characters, whole words where they fit. A text without a letter or digit gives `otherwise`.

    >>> short_name("Wörter & Sätze: Übung 2"), short_name("What is your native language?", joint="_")
    ('woerter-saetze-uebung-2', 'native_language')
    >>> short_name("Слова"), short_name("2 tasks"), short_name("文", taken={"study"})
    ('slova', 'n2-tasks', 'study-2')
    """
    words = re.findall("[a-z0-9]+", _plain(text))
    words = [word for word in words if word not in _SMALL] or words
    name = ""
    for word in words:
        if name and len(name) + len(joint) + len(word) > most:
            break
        name = f"{name}{joint}{word}" if name else word[:most]
    if name[:1].isdigit():
        name = f"n{name}"[:most]
    name = name or otherwise
    number, free = 2, name
    while free in taken:
        end = f"{joint}{number}"
        free = f"{name[: most - len(end)].rstrip(joint)}{end}"
        number += 1
    return free


def numbered(name: str, taken: set[str], *, joint: str = "-") -> str:
    """Return a name, with a number from 2 on where it is taken, and take it.

    >>> taken = {"a", "a-2"}
    >>> numbered("a", taken), numbered("b", taken), numbered("b", taken, joint="_")
    ('a-3', 'b', 'b_2')
    """
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}{joint}{number}"
    taken.add(free)
    return free


def _plain(text: str) -> str:
    """Return a text in lower case with its letters written by a to z; what cannot be is left out or a space."""
    # An apostrophe joins what it is between: don't, l’eau.
    lower = unicodedata.normalize("NFC", text[:1000]).lower().replace("’", "").replace("'", "")
    written = "".join(_LETTERS.get(letter, letter) for letter in lower)
    decomposed = unicodedata.normalize("NFKD", written)
    return "".join(_LETTERS.get(letter, letter) for letter in decomposed if not unicodedata.combining(letter))
