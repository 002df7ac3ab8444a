"""Split a text into the units of a Maze, and give a distractor the capitalisation and punctuation of its target.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.text.tokens import words_and_marks
from experiments.formats.words import split_regions, split_segments, split_words

FIRST = "x-x-x"
"""What stands beside the first word or region, where nothing has been read that a distractor could contradict."""

Place = tuple[int, int]
"""Number of the region in its text and of the word in its region, both counted from 1. Without marks, every word is a
region."""


@dataclass(frozen=True)
class Slot:
    """A word of a text at its place with the marks around it."""

    place: Place
    before: str
    word: str
    after: str

    def dressed(self, distractor: str) -> str:
        """Return a distractor with the capitals of the word and the marks around it.

        >>> Slot((2, 1), "“", "Hunde", ",”").dressed("kreise"), Slot((2, 1), "", "NASA", ".").dressed("mild")
        ('“Kreise,”', 'MILD.')
        """
        return f"{self.before}{as_capitalised(distractor, like=self.word)}{self.after}"


@dataclass(frozen=True)
class Sentence:
    """The regions of a text, each with its slots; `bare` holds regions without a word, by their number."""

    regions: tuple[tuple[Slot, ...], ...]
    is_marked: bool
    bare: Mapping[int, str]

    def slots(self) -> Iterator[Slot]:
        """Yield all words in their order, the first region included."""
        for region in self.regions:
            yield from region

    def contexts(self) -> dict[Place, tuple[str, ...]]:
        """Return the tokens before every word in its sentence; the context restarts after . ! or ?"""
        found: dict[Place, tuple[str, ...]] = {}
        tokens: list[str] = []
        for slot in self.slots():
            tokens += words_and_marks(slot.before)
            found[slot.place] = tuple(tokens)
            tokens += [slot.word, *words_and_marks(slot.after)]
            if any(mark in slot.after for mark in ".!?"):
                tokens = []
        return found

    def beside(self, distractors: Mapping[Place, str]) -> str:
        """Return the distractors in the form of the text: the same number of words, or of regions between marks."""
        written = []
        for number, region in enumerate(self.regions, start=1):
            words = [slot.dressed(distractors[slot.place]) for slot in region if slot.place in distractors]
            written.append(FIRST if number == 1 else " ".join(words) or self.bare.get(number, ""))
        return (" | " if self.is_marked else " ").join(written)


def cut(text: str, *, regions: str = "") -> Sentence:
    """Return the words or marked regions of a text. `regions` is the text with marks, where they are not in it.

    Raises NeedsRegions for scripts without spaces between words.

    >>> [slot.place for slot in cut("The dog | barked, then slept.").slots()]
    [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]
    >>> cut("A dog barked.").beside({(2, 1): "sum", (3, 1): "formed"})
    'x-x-x sum formed.'
    """
    marked = regions or text
    pieces = split_regions(marked)
    is_marked = len(pieces) > 1 or "|" in marked
    if not is_marked:
        pieces = split_segments(text)
    found, bare = [], {}
    for number, piece in enumerate(pieces, start=1):
        segments = split_segments(piece.strip()) if split_words(piece) else []
        if not segments:
            bare[number] = piece.strip()
        found.append(tuple(_slot(segment, (number, place)) for place, segment in enumerate(segments, start=1)))
    return Sentence(tuple(found), is_marked, bare)


def as_capitalised(word: str, *, like: str) -> str:
    """Return a word in small letters with the capitals of another: its first letter, or all of more than one.

    >>> as_capitalised("mild", like="Rain"), as_capitalised("mild", like="UK"), as_capitalised("mild", like="rain")
    ('Mild', 'MILD', 'mild')
    """
    letters = [letter for letter in like if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return word.upper()
    return word[:1].upper() + word[1:] if letters and letters[0].isupper() else word


def _slot(segment: str, place: Place) -> Slot:
    word = next(iter(split_words(segment)), segment)
    before, _, after = segment.partition(word)
    return Slot(place, before, word, after)
