"""Published counting rules for the Flesch-Kincaid grade level, by name.

On one text they differ by more than two school years, so a grade can be compared with another paper's only if both
were counted in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.text.frequency import base
from analysis.text.readability import Counting, counting
from analysis.text.syllables import (
    EASSE,
    ENGLISH_RULES,
    ENGLISH_SPOKEN,
    VOWEL_GROUPS,
    WITHOUT_THE,
    SyllableCounter,
    dictionary_of,
    hyphenation,
)
from analysis.text.tokens import SENTENCE_RULES, WORD_RULES


@dataclass(frozen=True)
class Implementation:
    """A way to count that has a name."""

    name: str
    counting: Counting


def _way(
    words: str, sentences: str, counter: SyllableCounter, *, floor: bool = False, joined: bool = False
) -> Counting:
    return Counting(WORD_RULES[words], SENTENCE_RULES[sentences], counter, floor=floor, joined=joined)


def _english(*, words: str, everything: str, sentences: str) -> dict[str, Implementation]:
    ways = {
        "pronouncing dictionary, words only": _way(words, sentences, ENGLISH_SPOKEN),
        "rules, words only": _way(words, sentences, ENGLISH_RULES),
        "rules, punctuation counted as words": _way(everything, sentences, ENGLISH_RULES),
        "hyphenation, words only": _way(words, sentences, hyphenation("en_US")),
        "vowel groups, words only": _way(words, sentences, VOWEL_GROUPS),
        "readability (Mautner)": _way("mautner", sentences, WITHOUT_THE, joined=True),
        "readability (Mautner), Python 2": _way("mautner", sentences, WITHOUT_THE, joined=True, floor=True),
        "EASSE": _way("13a", "13a-marks", EASSE),
    }
    return {name: Implementation(name, way) for name, way in ways.items()}


ENGLISH = _english(words="spaced", everything="spaced-all", sentences="spaced")
"""The implementations for English texts that were tokenised already. Tanprasert and Kauchak (2021) used Mautner's.
`EASSE` is meant for texts in print."""

ENGLISH_IN_PRINT = _english(words="running", everything="running-all", sentences="running")
"""The same for English texts in print."""


def implementations(*, language: str = "en", tokenised: bool = False) -> tuple[Implementation, ...]:
    """Return all implementations for texts of a language; outside English there are no published ones, only counters.

    >>> [implementation.name for implementation in implementations(language="de")]
    ['hyphenation, words only', 'vowel groups, words only']
    >>> len(implementations())
    8
    """
    if base(language) == "en":
        return tuple((ENGLISH if tokenised else ENGLISH_IN_PRINT).values())
    rule = "spaced" if tokenised else "running"
    counters = {"hyphenation": "hyphenation", "vowel-groups": "vowel groups"}
    return tuple(
        Implementation(f"{name}, words only", counting(words=rule, sentences=rule, counter=counter, language=language))
        for counter, name in counters.items()
        if counter != "hyphenation" or dictionary_of(language)
    )
