"""Word frequencies of a text, from the lists bundled with `wordfreq`: nothing is downloaded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version as package_version

# Without blanks between words, the words of these languages cannot be found by the rules of `analysis.text.tokens`.
WITHOUT_BLANKS = frozenset({"ja", "ko", "th", "zh"})


@dataclass(frozen=True)
class Frequency:
    """Mean Zipf frequency of the listed words of a text (None where none is listed), and how many are not listed."""

    zipf: float | None
    unlisted: int


def has_frequencies(language: str) -> bool:
    """Say whether there is a list for a language code.

    >>> has_frequencies("en"), has_frequencies("de-AT"), has_frequencies("xx")
    (True, True, False)
    """
    code = base(language)
    return code in _languages() and code not in WITHOUT_BLANKS


def zipf_of(words: Sequence[str], *, language: str = "en") -> Frequency:
    """Return the mean Zipf frequency of words.

    Zipf frequency is log10 of occurrences per billion words (van Heuven et al. 2014): above 7 for `the`, 3 for one in
    a million. A word that the list lacks has none and is counted; it is rare, so the mean over the others is too high
    for a text that has such words.

    >>> found = zipf_of(["the", "neurosurgeon", "xyzzyq"])
    >>> round(found.zipf, 3), found.unlisted
    (5.265, 1)
    """
    code = base(language)
    values = [_zipf(word, code) for word in words]
    listed = [value for value in values if value > 0]
    return Frequency(math.fsum(listed) / len(listed) if listed else None, len(values) - len(listed))


def frequency_label(language: str) -> str:
    """Return what the frequencies are from, with its version, as reports print it."""
    return f"wordfreq {package_version('wordfreq')}, {base(language)}"


def language_code(given: str) -> str:
    """Return a code of a language as it is usually written: the language in small letters, a country in capitals.

    >>> language_code("EN"), language_code("de-at"), language_code(" sr_Latn ")
    ('en', 'de_AT', 'sr_Latn')
    """
    language, mark, rest = given.strip().replace("-", "_").partition("_")
    return language.lower() + mark + (rest.upper() if len(rest) == 2 else rest)


def base(language: str) -> str:
    """Return the language of a code like `de_AT`.

    >>> base("de_AT"), base("EN-gb")
    ('de', 'en')
    """
    return language.replace("_", "-").partition("-")[0].lower()


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    import wordfreq  # takes a quarter of the time in which all methods are loaded

    return frozenset(wordfreq.available_languages())


@lru_cache(maxsize=200_000)
def _zipf(word: str, language: str) -> float:
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, language))
