"""Cells of the measurement: systems, kinds of trials, loads and browsers, with numbers of trials."""

from __future__ import annotations

import random
from dataclasses import dataclass

SYSTEMS = ("lectern", "jspsych")
BROWSERS = ("chromium", "firefox")


@dataclass(frozen=True)
class Kind:
    """A kind of trial: number of words per sentence, and duration of a display in milliseconds (0: until the
    answer).
    """

    name: str
    label: str
    words: int
    display_ms: int
    word_by_word: bool = False
    # A key comes after so many milliseconds without a change: later than the longest display.
    idle_ms: tuple[int, int] = (150, 400)
    # Shown as the prime of a timed choice, whose target follows at once.
    is_prime: bool = False

    @property
    def displays(self) -> int:
        """How many displays one sentence has."""
        return self.words if self.word_by_word else 1


RT = Kind("rt", "reaction time", words=5, display_ms=0)
SHORT = Kind("100", "display of 100 ms", words=2, display_ms=100, idle_ms=(230, 330))
LONG = Kind("500", "display of 500 ms", words=5, display_ms=500, idle_ms=(560, 660))
WORDS = Kind("words", "word by word, 500 ms each", words=5, display_ms=500, word_by_word=True, idle_ms=(560, 660))
PRIME_33 = Kind("prime-33", "prime of 33 ms", words=2, display_ms=33, is_prime=True)
PRIME_50 = Kind("prime-50", "prime of 50 ms", words=2, display_ms=50, is_prime=True)
KINDS = (RT, SHORT, LONG, WORDS, PRIME_33, PRIME_50)
FIXATION_MS = 200
BLANK_MS = 150


@dataclass(frozen=True)
class Cell:
    """One condition of the measurement."""

    browser: str
    load: str
    kind: Kind
    system: str
    sentences: int


# Sentences of one cell at scale 1, by browser and load: Chromium is what most people have, Firefox the one without
# Element Timing, whose onsets are what is asked about.
SENTENCES = {
    ("chromium", "quiet"): {RT: 24, SHORT: 14, LONG: 10, WORDS: 4, PRIME_33: 24, PRIME_50: 24},
    ("firefox", "quiet"): {RT: 20, LONG: 8, PRIME_50: 16},
    ("chromium", "busy"): {RT: 24, SHORT: 14, LONG: 10, WORDS: 4},
    ("firefox", "busy"): {RT: 16},
}


def cells(
    *, scale: float, browsers: tuple[str, ...], chance: random.Random, kinds: tuple[Kind, ...] = KINDS
) -> list[Cell]:
    """Return the cells of these browsers and kinds; the two systems of a condition follow each other in a random order.

    >>> len(cells(scale=1.0, browsers=BROWSERS, chance=random.Random(1)))
    28
    """
    found = []
    for (browser, load), numbers in SENTENCES.items():
        for kind, number in numbers.items():
            if browser in browsers and kind in kinds:
                count = max(2, round(scale * number))
                found += [Cell(browser, load, kind, system, count) for system in chance.sample(SYSTEMS, 2)]
    return found


WORDS_OF_SENTENCES = (
    ("Harvests", "Bridges", "Markets", "Gardens", "Lanterns", "Villages", "Kitchens", "Orchards"),
    ("suffered", "flourished", "vanished", "reopened", "trembled", "expanded", "emptied", "recovered"),
    ("because", "although", "whenever", "before", "unless"),
    ("storms", "winters", "strangers", "traders", "engineers", "neighbours", "floods"),
    ("arrived.", "returned.", "departed.", "lingered.", "threatened.", "hesitated."),
)


def sentences(kind: Kind, number: int) -> list[str]:
    """Return so many sentences, no two that follow each other with a word in the same place.

    >>> sentences(SHORT, 2)
    ['Harvests suffered.', 'Bridges flourished.']
    """
    return [
        " ".join(words[index % len(words)] for words in WORDS_OF_SENTENCES[: kind.words]).rstrip(".") + "."
        for index in range(number)
    ]
