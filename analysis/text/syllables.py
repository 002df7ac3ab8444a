"""Count the syllables of a word in named ways.

No rule of spelling knows how a word is spoken. On one text they differ by a fifth, so a number of syllables is worth
nothing without the name of its counter; compare numbers only where that is the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version as package_version

import pyphen

from analysis.text.frequency import base
from analysis.text.pronounced.spoken import spoken

RULES_VERSION = "1"
DICTIONARY = "1 (CMU dictionary of 2025)"
HYPHENATION = "hyphenation"

# Spellings by which a word has one syllable more or fewer than groups of vowels. The final e is off already.
_FEWER = ("cial", "tia", "cius", "cious", "gui", "ion", "iou", "sia$", ".ely$")
_MORE = (
    *("ia", "riet", "dien", "iu", "io", "ii"),  # two vowels that are both heard
    *("[aeiouy]bl$", "mbl$", "ism$", "dnt$"),  # a syllable without a vowel of its own: able, humble, prism, didnt
    "[aeiou]{3}",
    "^mc",
    r"(.)(?!\1)([aeiouy])\2l$",
    "[^l]llien",
    *("^coad.", "^coag.", "^coal.", "^coax."),
    r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]",
)
# Words that the rules get wrong, with their syllables.
_SYLLABLES_OF = {
    word: number
    for number, words in {
        1: "brutes chummed flapped foamed gaped h'm lb mimes ms peeped sheered st",
        2: "60 bepatched capered caressed clattered deafened dr effaced effaces fringed gravesend greyish jr mangroves "
        "messieurs motioned moustaches mr mrs pencilled poleman quivered reclined shivered sidespring slandered sombre "
        "sr stammered suavely tottered trespassed truckle unstained",
        3: "discoloured disinterred hemispheres manoeuvred sepulchre shamefully unexpressed veriest",
        4: "etc sailmaker satiated sententiously",
        5: "particularized unostentatious",
        6: "propitiatory",
    }.items()
    for word in words.split()
}
_COMPILED_FEWER = tuple(re.compile(pattern) for pattern in _FEWER)
_COMPILED_MORE = tuple(re.compile(pattern) for pattern in _MORE)
_VOWELS = re.compile("[aeiouy]+")
# Vowel letters of alphabets beside the Latin one, whose accents are taken off first.
_VOWELS_ANYWHERE = re.compile("[aeiouyæœøıαεηιουωаеиоуыэюяієї]+")


@dataclass(frozen=True)
class SyllableCounter:
    """A named way to count the syllables of a word; `version` says whose rules of which version."""

    name: str
    version: str
    description: str
    count: Callable[[str], int]

    @property
    def label(self) -> str:
        """Return the name with its version, as reports print it."""
        return f"{self.name} {self.version}"


@lru_cache(maxsize=200_000)
def english_rules(word: str) -> int:
    """Count by spelling: groups of vowels without a final e, corrected by spellings and a list of words.

    These are the rules of Lingua::EN::Syllable (G. Fast) as NLTK's readability tools, M. Mautner's `readability` and
    DRESS use them, with one syllable for `the`. What has no vowel letter besides a final e has none: figures, `'s`,
    `nth`, and also `he`, `she`, `we`, `be` and `me`; `apple`, `little` and `people` have one.

    >>> [english_rules(word) for word in ("rain", "the", "riding", "table", "nation", "1990", "didn't")]
    [1, 1, 2, 2, 2, 0, 1]
    >>> [english_rules(word) for word in ("she", "people")]
    [0, 1]
    """
    return 1 if word.lower() == "the" else _by_rules(word)


@lru_cache(maxsize=200_000)
def english_spoken(word: str) -> int:
    """Count as a speaker of American English says it: the first pronunciation of the CMU Pronouncing Dictionary.

    What the dictionary lacks is counted by `english_rules`, at least one where there is a letter; figures are read out.

    >>> [english_spoken(word) for word in ("she", "people", "the", "well-known", "1990", "didn't")]
    [1, 2, 1, 2, 4, 2]
    """
    return spoken(word, rules=english_rules)


@lru_cache(maxsize=200_000)
def english_rules_without_the(word: str) -> int:
    """Count as `english_rules`, with no syllable for `the`: the rules take its e for a silent one.

    >>> english_rules_without_the("the"), english_rules_without_the("rain")
    (0, 1)
    """
    return _by_rules(word)


@lru_cache(maxsize=200_000)
def english_rules_easse(word: str) -> int:
    """Count as `english_rules`, where every final e is silent, not just one, as EASSE does.

    >>> english_rules_easse("three"), english_rules("three")
    (0, 1)
    """
    return 1 if word.lower() == "the" else _by_rules(word, all_final=True)


@lru_cache(maxsize=200_000)
def vowel_groups(word: str) -> int:
    """Count groups of vowel letters, accents aside; a word with a letter has at least one syllable.

    For languages whose spelling follows their sound. In English it counts silent vowels.

    >>> [vowel_groups(word) for word in ("Abend", "Häuser", "école", "молоко", "Strč", "1990")]
    [2, 2, 3, 3, 1, 0]
    """
    plain = "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))
    groups = len(_VOWELS_ANYWHERE.findall(plain))
    return groups or int(any(character.isalpha() for character in plain))


def _by_rules(word: str, *, all_final: bool = False) -> int:
    lower = word.lower().strip()
    known = _SYLLABLES_OF.get(lower)
    if known is not None:
        return known
    stem = lower.rstrip("e") if all_final else lower.removesuffix("e")
    count = len(_VOWELS.findall(stem))
    count += sum(1 for pattern in _COMPILED_MORE if pattern.search(stem))
    return count - sum(1 for pattern in _COMPILED_FEWER if pattern.search(stem))


@cache
def hyphenation(language: str) -> SyllableCounter:
    """Return the counter that takes the parts into which pyphen would hyphenate a word.

    `language` is a code like `de`, `de_DE` or `en_US`; `en` means `en_US`. A word is at least one part, and no part is
    shorter than two letters, so `Abend` has one. Raises KeyError where pyphen has no dictionary of the language.

    >>> hyphenation("de").count("Wissenschaft"), hyphenation("en").count("hyphenation")
    (3, 3)
    >>> hyphenation("en").name
    'hyphenation:en_US'
    """
    found = dictionary_of(language)
    if found is None:
        raise KeyError(language)

    @lru_cache(maxsize=200_000)
    def count(word: str) -> int:
        return len(_dictionary(found).positions(word)) + 1

    name = f"{HYPHENATION}:{found}"
    return SyllableCounter(name, f"pyphen {package_version('pyphen')}", "parts of a hyphenated word", count)


@cache
def _dictionary(name: str) -> pyphen.Pyphen:
    """Read a dictionary when the first word is counted: that of English takes a twentieth of a second."""
    return pyphen.Pyphen(lang=name)


def dictionary_of(language: str) -> str | None:
    """Return the name of pyphen's dictionary for a language code, or None.

    >>> dictionary_of("en"), dictionary_of("de"), dictionary_of("de-AT"), dictionary_of("xx")
    ('en_US', 'de_DE', 'de_AT', None)
    """
    code = language.replace("-", "_")
    usual = {"en": "en_US", "de": "de_DE", "pt": "pt_PT", "no": "nb_NO"}.get(code, code)
    if usual in pyphen.LANGUAGES:
        return usual
    fallback = pyphen.language_fallback(usual)
    return str(fallback) if fallback else None


ENGLISH_SPOKEN = SyllableCounter(
    "english-spoken", DICTIONARY, "the CMU Pronouncing Dictionary, rules for what it lacks", english_spoken
)
ENGLISH_RULES = SyllableCounter("english-rules", RULES_VERSION, "spelling rules, `the` has one", english_rules)
WITHOUT_THE = SyllableCounter(
    "english-rules-without-the", RULES_VERSION, "spelling rules, `the` has none", english_rules_without_the
)
EASSE = SyllableCounter(
    "english-rules-easse", RULES_VERSION, "spelling rules, every final e is silent", english_rules_easse
)
VOWEL_GROUPS = SyllableCounter("vowel-groups", RULES_VERSION, "groups of vowel letters, at least one", vowel_groups)
COUNTERS = {counter.name: counter for counter in (ENGLISH_SPOKEN, ENGLISH_RULES, WITHOUT_THE, EASSE, VOWEL_GROUPS)}


def counter_named(name: str, *, language: str = "en") -> SyllableCounter:
    """Return a counter by name: one of `COUNTERS`, `hyphenation` (of the language) or `hyphenation:de_AT`.

    Raises KeyError where there is none.

    >>> counter_named("hyphenation", language="de").name, counter_named("vowel-groups").label
    ('hyphenation:de_DE', 'vowel-groups 1')
    """
    kind, _, dictionary = name.partition(":")
    if kind == HYPHENATION:
        return hyphenation(dictionary or language)
    return COUNTERS[name]


def usual_counter(language: str) -> SyllableCounter:
    """Return the counter where none is named: the dictionary for English, else hyphenation, else vowel groups.

    >>> usual_counter("en").name, usual_counter("de").name, usual_counter("tr").name
    ('english-spoken', 'hyphenation:de_DE', 'vowel-groups')
    """
    if base(language) == "en":
        return ENGLISH_SPOKEN
    return hyphenation(language) if dictionary_of(language) else VOWEL_GROUPS
