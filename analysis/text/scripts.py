"""Check the script of a text: syllable rules of a language only apply to its script."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from analysis.text.frequency import base

LATIN = "LATIN"
# The first word of a letter's name in Unicode; languages that are not listed are written in Latin letters or unknown.
SCRIPTS = {
    "CYRILLIC": "ru uk be bg mk mn kk ky tg",
    "GREEK": "el",
    "HEBREW": "he yi",
    "ARABIC": "ar fa ur ps",
    "DEVANAGARI": "hi mr ne sa",
    "BENGALI": "bn as",
    "THAI": "th",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "GUJARATI": "gu",
    "ETHIOPIC": "am ti",
    "HANGUL": "ko",
    "CJK": "zh",
}
# Written in two scripts, or in several at once: nothing is refused.
SEVERAL = frozenset({"sr", "sh", "uz", "az", "ja", "pa", "ku"})
_SCRIPT_OF = {language: script for script, languages in SCRIPTS.items() for language in languages.split()}
# From so many of its letters on a text is written in the script.
ENOUGH = 0.5


def script_of(language: str) -> str | None:
    """Return the script of a language by its code; None where it has several.

    >>> script_of("de_AT"), script_of("ru"), script_of("sr")
    ('LATIN', 'CYRILLIC', None)
    """
    code = base(language)
    return None if code in SEVERAL else _SCRIPT_OF.get(code, LATIN)


def is_written_in(text: str, script: str | None) -> bool:
    """Say whether at least half of the letters of a text are of the script; true of a text without letters.

    >>> [is_written_in(text, "LATIN") for text in ("Der Hund schläft.", "Собака спит.", "42")]
    [True, False, True]
    """
    if script is None or (script == LATIN and text.isascii()):
        return True
    letters = [letter for letter in text if letter.isalpha()]
    return sum(_script(letter) == script for letter in letters) >= ENOUGH * len(letters)


@lru_cache(maxsize=20_000)
def _script(letter: str) -> str:
    # A decomposed or full-width letter is of the script of the plain one.
    return unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "").partition(" ")[0]
