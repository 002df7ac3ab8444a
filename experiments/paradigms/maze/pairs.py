"""Pair words with distractors and counterbalance their sides. Pure.

The column `distractors` has the form of the text: the same number of words, or of regions between marks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.formats.words import REGION_MARKS, NeedsRegions
from experiments.paradigms.base import StimulusColumn
from experiments.paradigms.pieces.regions import region_faults, regions_of
from experiments.sentences import Sentence

COLUMN = "distractors"
DISTRACTORS_COLUMN = StimulusColumn(
    COLUMN,
    "The distractors of the words, in order: as many words as the text has, or regions separated by |. Write "
    "x-x-x for the first.",
)
LEFT, RIGHT = "left", "right"
SIDES_COLUMN = StimulusColumn(
    "sides",
    "The side of each word of the text: l or r for each region, separated by spaces. If the cell is empty, sides "
    "are random and balanced.",
)
_SIDES = {"l": LEFT, "left": LEFT, "r": RIGHT, "right": RIGHT}


def distractors_of(extra: Mapping[str, Any]) -> list[str]:
    """Return the distractors of a row in their order.

    >>> distractors_of({"distractors": "x-x-x sum, formed."})
    ['x-x-x', 'sum,', 'formed.']
    >>> distractors_of({"distractors": "x-x-x | you power | invited."})
    ['x-x-x', 'you power', 'invited.']
    """
    given = str(extra.get(COLUMN, "") or "").strip()
    return [region["text"] for region in regions_of(given, {}, unit="word")] if given else []


def sides_of(extra: Mapping[str, Any]) -> list[str]:
    """Return the sides that a row gives for its words; empty where chance decides, and for what is no side.

    >>> sides_of({"sides": "l r R"}), sides_of({"sides": "l x"}), sides_of({})
    (['left', 'right', 'right'], [], [])
    """
    given = [_SIDES.get(word, "") for word in str(extra.get("sides", "") or "").casefold().split()]
    return given if all(given) else []


def sides_faults(text: str, extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) where the sides of a row do not fit its text.

    >>> sides_faults("The dog ran.", {"sides": "l r"})
    [('sides', 'There are 2 sides for 3 words: write l or r for each of them, or leave the cell empty.')]
    """
    words = str(extra.get("sides", "") or "").split()
    if not words or region_faults(text, extra, unit="word"):
        return []
    n = len(regions_of(text, extra, unit="word"))
    if len(words) == n and sides_of(extra):
        return []
    said = Sentence(
        "There are {sides} sides for {words} words: write l or r for each of them, or leave the cell empty.",
        sides=len(words) if sides_of(extra) else 0,
        words=n,
    )
    return [("sides", said)]


def pair_faults(text: str, extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) for each reason why words and distractors cannot be paired.

    Missing distractors are no fault here: they are made later, and the paradigm's `text_faults` asks for them before a
    study opens.

    >>> pair_faults("A dog barked.", {"distractors": "x-x-x sum"})
    [('distractors', 'The text has 3 words, but there are 2 distractors: word 3, ‘barked.’, has no distractor.')]
    >>> pair_faults("A dog barked.", {"distractors": "x-x-x Dog formed."})
    [('distractors', 'Word 2, ‘dog’, has itself as its distractor. Write another one.')]
    """
    if not str(extra.get(COLUMN, "") or "").strip():
        return []
    # Faults of the text itself are reported elsewhere.
    if region_faults(text, {**extra, "critical_region": ""}, unit="word"):
        return []
    words = [region["text"] for region in regions_of(text, extra, unit="word")]
    try:
        beside = distractors_of(extra)
    except NeedsRegions:
        return [(COLUMN, Sentence("Put | between the distractors, as between the words of the text."))]
    is_marked = _has_marks(text) or _has_marks(extra.get("regions"))
    if is_marked != _has_marks(extra[COLUMN]):
        return [(COLUMN, _fault_of_marks(is_marked=is_marked))]
    if len(words) != len(beside):
        return [(COLUMN, _fault_of_numbers(words, beside, is_marked=is_marked))]
    return [
        (COLUMN, _fault_of_pair(place, word, is_marked=is_marked))
        for place, (word, other) in enumerate(zip(words, beside, strict=True), start=1)
        if _bare(word) == _bare(other)
    ]


def _fault_of_marks(*, is_marked: bool) -> str:
    if is_marked:
        return Sentence(
            "Separate words and distractors in the same way. Here, the text has marks (|), but the distractors "
            "have none."
        )
    return Sentence("Separate words and distractors in the same way. Here, only the distractors have marks (|).")


def _fault_of_numbers(words: Sequence[str], beside: Sequence[str], *, is_marked: bool) -> str:
    numbers = {"words": len(words), "beside": len(beside)}
    told = Sentence("The text has {words} words, but there are {beside} distractors", **numbers)
    if is_marked:
        told = Sentence("The text has {words} regions, but there are {beside} distractors", **numbers)
    if len(beside) > len(words):
        return Sentence("{told}: no word of the text belongs to ‘{word}’.", told=told, word=beside[len(words)])
    alone = {"told": told, "place": len(beside) + 1, "word": words[len(beside)]}
    if is_marked:
        return Sentence("{told}: region {place}, ‘{word}’, has no distractor.", **alone)
    return Sentence("{told}: word {place}, ‘{word}’, has no distractor.", **alone)


def _fault_of_pair(place: int, word: str, *, is_marked: bool) -> str:
    if is_marked:
        return Sentence(
            "Region {place}, ‘{word}’, has itself as its distractor. Write another one.", place=place, word=word
        )
    return Sentence("Word {place}, ‘{word}’, has itself as its distractor. Write another one.", place=place, word=word)


def balanced_sides(
    lengths: Sequence[int], *, critical: Sequence[int | None], strata: Sequence[str], rng: random.Random
) -> list[list[str]]:
    """Return a random side for every word of every text, with equally many left and right in each text (± 1).

    `critical` holds the number of the critical region of each text, from 1, or None. Sides are also balanced (± 1) over
    the critical regions of a stratum (such as a condition), and over the odd words of all texts.

    >>> sides = balanced_sides([5, 4], critical=[2, 2], strata=["a", "a"], rng=random.Random(1))
    >>> [side.count("left") in (2, 3) for side in sides], {side[1] for side in sides} == {"left", "right"}
    ([True, True], True)
    """
    odd = _balanced(sum(length % 2 for length in lengths), rng)
    of_stratum: dict[str, list[str]] = {}
    for stratum in dict.fromkeys(strata):
        members = [one for one, place in zip(strata, critical, strict=True) if one == stratum and place is not None]
        of_stratum[stratum] = _balanced(len(members), rng)
    found = []
    for length, place, stratum in zip(lengths, critical, strata, strict=True):
        rest = [LEFT, RIGHT] * (length // 2) + ([odd.pop()] if length % 2 else [])
        if place is None:
            rng.shuffle(rest)
            found.append(rest)
            continue
        side = of_stratum[stratum].pop()
        # A text of one word may already have drawn the other side.
        if side in rest:
            rest.remove(side)
        else:
            rest.pop()
        rng.shuffle(rest)
        found.append([*rest[: place - 1], side, *rest[place - 1 :]])
    return found


def _balanced(number: int, rng: random.Random) -> list[str]:
    """Return this many sides in random order, half of them left; for an odd number the more frequent side is random."""
    pair = [LEFT, RIGHT]
    rng.shuffle(pair)
    sides = (pair * (number // 2 + 1))[:number]
    rng.shuffle(sides)
    return sides


def _has_marks(text: Any) -> bool:
    return any(mark in str(text or "") for mark in REGION_MARKS)


def _bare(word: str) -> str:
    return "".join(character for character in word.casefold() if character.isalnum())
