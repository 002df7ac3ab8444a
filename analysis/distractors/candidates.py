"""Candidate words for distractors: ordinary words of a language with their Zipf frequency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from analysis.distractors.ordinary_words import SHORT, is_ordinary
from analysis.text.frequency import zipf_of

LANGUAGES = ("en", "de")
LEAST_ZIPF = 3.5
"""Rarer words are no candidates: among them are many names and slips, and readers stumble over them."""

# A name is about as frequent in every language; a word of this one is rarer elsewhere by a factor of ten at least.
OWN_BY = 1.0
# Very frequent words stand in texts of other languages too, as quotations do.
OWN_IF_FREQUENT = (6.0, 0.8)
_OTHERS = ("de", "en", "es", "fr", "it", "nl", "pl", "pt")
_VOWELS = frozenset("aeiouyäöü")
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("a", "ä"), ("o", "ö"), ("u", "ü"))


@dataclass(frozen=True)
class Candidate:
    """A word in small letters and its Zipf frequency."""

    word: str
    zipf: float


@lru_cache(maxsize=4)
def candidates(language: str) -> tuple[Candidate, ...]:
    """Return the candidates of English or German in alphabetic order: letters only, frequent enough, in small letters.

    Left out are words that are about as frequent in other languages (most names, brands and abbreviations), names of
    countries, languages and cities, slips, and what `ordinary_words` lists. German lists write ß as ss, so words with
    ss, which may lack their ß, are left out too.
    """
    listed = {word: zipf for word in _wordlist(language) if (zipf := _zipf(word, language)) >= LEAST_ZIPF}
    places = _places(language)
    return tuple(
        Candidate(word, zipf)
        for word, zipf in sorted(listed.items())
        if is_ordinary(word, language=language)
        and (len(word) <= 3 or not (word in places or _is_slip(word, listed, language)))
        and (len(word) <= 3 or _is_own(word, zipf, language))
    )


def _wordlist(language: str) -> Iterator[str]:
    from wordfreq import iter_wordlist  # only where it is needed; see `analysis.text.frequency`

    for word in iter_wordlist(language, "small"):
        if word in SHORT[language] or (word.isalpha() and not _VOWELS.isdisjoint(word)):
            yield word


def _is_own(word: str, zipf: float, language: str) -> bool:
    elsewhere = max(_zipf_elsewhere(word, other) for other in _OTHERS if other != language)
    frequent, less = OWN_IF_FREQUENT
    return zipf - elsewhere >= (less if zipf > frequent else OWN_BY)


def _is_slip(word: str, listed: dict[str, float], language: str) -> bool:
    """Say whether a more frequent word is the same with its apostrophe, its umlaut or its last letter."""
    if language == "de":
        if "ss" in word:
            return True
        others: Iterable[str] = [
            word[:place] + right + word[place + len(wrong) :]
            for wrong, right in _UMLAUTS
            for place in range(len(word))
            if word.startswith(wrong, place)
        ]
        return any(listed.get(other, 0.0) > listed[word] + 1.0 for other in others)
    in_full = listed.get(f"{word}g", 0.0) if word.endswith("in") else 0.0
    return in_full > listed[word] or _zipf(f"{word[:-1]}'{word[-1]}", language) > listed[word]


@lru_cache(maxsize=4)
def _places(language: str) -> frozenset[str]:
    """Return the words of the names of countries, languages and cities in a language."""
    from babel import Locale
    from babel.core import get_global

    locale = Locale.parse(language)
    zones = locale.time_zones
    # A city that is written as in the name of its zone, such as Europe/Berlin, has no entry of its own.
    cities = [zones[zone].get("city", "") for zone in zones] + [
        zone.rpartition("/")[2] for zone in get_global("zone_territories")
    ]
    names = [*locale.territories.values(), *locale.languages.values(), *cities]
    return frozenset(word for name in names for word in name.casefold().split() if len(word) > 3)


def _zipf(word: str, language: str) -> float:
    return zipf_of([word], language=language).zipf or 0.0


def _zipf_elsewhere(word: str, language: str) -> float:
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, language, "small"))
