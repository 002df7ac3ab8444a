"""Compare distractors with their target words, as rows of a review table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from analysis.distractors.choosing import LEAST_BITS, LENGTH_WITHIN, ZIPF_WITHIN, Choice, Item
from analysis.distractors.sentences import FIRST

REVIEW = (
    "item",
    "position",
    "word_in_region",
    "words",
    "distractor",
    "words_length",
    "distractor_length",
    "length_difference",
    "words_zipf",
    "distractor_zipf",
    "zipf_difference",
    "surprisal_difference",
    "flag",
)


def review_rows(item: Item, chosen: Sequence[Choice]) -> list[list[object]]:
    """Return a row for every place of an item, with the columns of `REVIEW`; the first word stands beside x-x-x."""
    first = dict.fromkeys(
        " ".join(slot.word for slot in sentence.regions[0]) for sentence in item.sentences if sentence.regions
    )
    rows: list[list[object]] = [[item.code, 1, 1, " / ".join(first), FIRST, *[None] * 7, ""]]
    return [*rows, *(review_row(item.code, choice) for choice in chosen)]


def review_row(item: str, choice: Choice) -> list[object]:
    """Return the row of one place; numbers of several words beside one distractor are their means, differences the
    largest over them, and the difference in surprisal the smallest.
    """
    listed = [zipf for zipf in choice.word_zipfs if zipf is not None]
    return [
        item,
        *choice.place,
        " / ".join(choice.words),
        choice.distractor,
        round(fmean(len(word) for word in choice.words), 3),
        len(choice.distractor),
        choice.length_difference,
        round(fmean(listed), 3) if listed else None,
        choice.zipf,
        None if choice.zipf_difference is None else round(choice.zipf_difference, 3),
        None if choice.bits is None else round(choice.bits, 3),
        "; ".join(choice.flags),
    ]


def matched(choices: Sequence[Choice]) -> list[tuple[str, int, int]]:
    """Return (bound, how many distractors keep it, how many could be compared) for length, frequency and surprisal.

    The last one is there where a model gave surprisals.
    """
    zipfs = [zipf for choice in choices if (zipf := choice.zipf_difference) is not None]
    bits = [choice.bits for choice in choices if choice.bits is not None]
    found = [
        ("length", sum(choice.length_difference <= LENGTH_WITHIN for choice in choices), len(choices)),
        ("frequency", sum(zipf <= ZIPF_WITHIN for zipf in zipfs), len(zipfs)),
    ]
    return [*found, ("surprisal", sum(one >= LEAST_BITS for one in bits), len(bits))] if bits else found
