"""Counts of a text and the Flesch-Kincaid grade level made from them.

The grade is a weighted sum of two ratios, so it is never given without them: one number hides which of the two moved,
and an inserted full stop moves it as much as a simpler text does (Tanprasert & Kauchak 2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from analysis.text import syllables, tokens
from analysis.text.boundaries import sentences_in
from analysis.text.frequency import base, language_code


@dataclass(frozen=True)
class Counts:
    """Raw counts of one text or of several; they add up."""

    words: int
    sentences: int
    syllables: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.words + other.words, self.sentences + other.sentences, self.syllables + other.syllables)

    @property
    def words_per_sentence(self) -> float | None:
        """Return W/S; None without a sentence."""
        return self.words / self.sentences if self.sentences else None

    @property
    def syllables_per_word(self) -> float | None:
        """Return Y/W; None without a word."""
        return self.syllables / self.words if self.words else None

    @property
    def grade(self) -> float | None:
        """Return the Flesch-Kincaid grade level of these counts; None without a word or a sentence."""
        return grade_level(self)


def grade_level(counts: Counts, *, floor: bool = False) -> float | None:
    """Return the Flesch-Kincaid grade level .39 W/S + 11.8 Y/W − 15.59 (Kincaid et al. 1975).

    `floor` rounds W/S down to a whole number, as programs written for Python 2 did without meaning to. None where a
    ratio is not defined.

    >>> round(grade_level(Counts(words=7236, sentences=361, syllables=11853)), 4)
    11.5564
    >>> grade_level(Counts(words=0, sentences=0, syllables=0)) is None
    True
    """
    length, weight = counts.words_per_sentence, counts.syllables_per_word
    if length is None or weight is None:
        return None
    return 0.39 * (counts.words // counts.sentences if floor else length) + 11.8 * weight - 15.59


@dataclass(frozen=True)
class Counting:
    """How counts are made: the rules for words and sentences, the counter of syllables, and the grade from them.

    `joined` counts words over all texts as one, with line breaks between them, as programs do that are given a file.
    """

    words: tokens.Rule
    sentences: tokens.Rule
    syllables: syllables.SyllableCounter
    floor: bool = False
    joined: bool = False

    @property
    def label(self) -> str:
        """Return the three rules with their versions, as reports print them."""
        floored = ", words per sentence rounded down" if self.floor else ""
        return f"words {self.words.label}, sentences {self.sentences.label}, syllables {self.syllables.label}{floored}"

    def count(self, text: str) -> Counts:
        """Return the counts of one text.

        >>> counting().count("The rain came. It stopped.")
        Counts(words=5, sentences=2, syllables=5)
        """
        words = self.words.split(text)
        return Counts(len(words), len(self.sentences.split(text)), sum(map(self.syllables.count, words)))

    def words_in(self, texts: Sequence[str]) -> Counter[str]:
        """Return how often every word occurs in several texts; ways with the same rule for words share this."""
        if self.joined:
            return Counter(self.words.split("\n".join(texts)))
        return Counter(chain.from_iterable(map(self.words.split, texts)))

    def sentences_in(self, texts: Sequence[str]) -> int:
        """Return the number of sentences of several texts."""
        return sum(len(self.sentences.split(text)) for text in texts)

    def counted(self, words: Counter[str], sentences: int) -> Counts:
        """Return the counts of texts with these words and so many sentences.

        >>> way, texts = counting(), ["The rain came.", "It stopped."]
        >>> way.counted(way.words_in(texts), way.sentences_in(texts))
        Counts(words=5, sentences=2, syllables=5)
        """
        syllable_count = sum(number * self.syllables.count(word) for word, number in words.items())
        return Counts(words.total(), sentences, syllable_count)

    def grade(self, counts: Counts) -> float | None:
        """Return the grade level of counts that were made in this way."""
        return grade_level(counts, floor=self.floor)


def counting(
    *, words: str = "running", sentences: str = "running", counter: str = "", language: str = "en"
) -> Counting:
    """Return a way to count by the names of its rules; without a counter the usual one of the language.

    Raises KeyError for a name that does not exist.

    >>> counting(words="spaced", sentences="spaced").label
    'words spaced 1, sentences spaced 2, syllables english-spoken 1 (CMU dictionary of 2025)'
    """
    language = language_code(language)
    rule = tokens.SENTENCE_RULES[sentences]
    if sentences == "running" and base(language) != "en":
        rule = tokens.Rule(f"running:{base(language)}", rule.description, sentences_in(language), rule.version)
    return Counting(
        words=tokens.WORD_RULES[words],
        sentences=rule,
        syllables=syllables.counter_named(counter, language=language) if counter else syllables.usual_counter(language),
    )
