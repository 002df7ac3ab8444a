"""Validate materials for comparisons under the settings of a study. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from experiments.design.incomplete_blocks import blocks
from experiments.formats.faults import listed
from experiments.paradigms.base import ShownStimulus
from experiments.paradigms.comparison.composing import (
    AGAINST,
    AGAINST_AUDIO,
    AGAINST_IMAGE,
    against,
    by_item,
    files_against,
    texts_against,
)
from experiments.paradigms.comparison.settings import ADAPTIVE, BALANCED, BEST_WORST, MOST_OPTIONS, PAIR, options_of
from experiments.sentences import Sentence, counting

_RIVALS = {AGAINST: Sentence("texts"), AGAINST_IMAGE: Sentence("pictures"), AGAINST_AUDIO: Sentence("sounds")}
_ADVICE = {
    (AGAINST, AGAINST_IMAGE): Sentence("Give every picture its text, or leave one of the two cells empty."),
    (AGAINST, AGAINST_AUDIO): Sentence("Give every sound its text, or leave one of the two cells empty."),
    (AGAINST_IMAGE, AGAINST_AUDIO): Sentence("Give every sound its picture, or leave one of the two cells empty."),
}


def comparison_faults(stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each reason why texts cannot be compared: conditions, blocks, fillers."""
    texts_of = {item: texts for items in by_item(stimuli).values() for item, texts in items.items()}
    if not texts_of:
        return []
    alone = [item for item, texts in texts_of.items() if len(texts) < 2]
    if alone:
        return [
            counting(
                "Item {items} has one text only, and what has one condition cannot be compared. Give every item a row "
                "for each condition, and a column that tells them apart, such as system.",
                "Items {items} have one text only, and what has one condition cannot be compared. Give every item a "
                "row for each condition, and a column that tells them apart, such as system.",
                len(alone),
                items=_items(alone),
            )
        ]
    n = max(map(len, texts_of.values()))
    return [*_condition_faults(n, settings), *_other_faults(stimuli, settings)]


def _condition_faults(n: int, settings: Mapping[str, Any]) -> list[str]:
    size = options_of(n, settings)
    if size > n:
        return [
            Sentence(
                "A page is to show {size} texts, and an item has {n} conditions. Show {n} at most, or 0 for all of "
                "them.",
                size=size,
                n=n,
            )
        ]
    if settings["task"] != PAIR and size < 3:
        if settings["task"] == BEST_WORST:
            return [
                Sentence(
                    "An item has {n} conditions; for best and a worst there must be three at least. Let the better of "
                    "two be chosen.",
                    n=n,
                )
            ]
        return [
            Sentence(
                "An item has {n} conditions; for an order there must be three at least. Let the better of two be "
                "chosen.",
                n=n,
            )
        ]
    number = len(blocks(n, size))
    if settings["design"] in (BALANCED, ADAPTIVE) and settings["per_item"] > number:
        asked = {"n": n, "number": number, "asked": settings["per_item"]}
        if size == 2:
            return [
                Sentence(
                    "Of {n} conditions there are {number} pairs to be shown; {asked} comparisons of each item are "
                    "asked for. Ask for {number} at most.",
                    **asked,
                )
            ]
        return [
            Sentence(
                "Of {n} conditions there are {number} groups of {size} to be shown; {asked} comparisons of each item "
                "are asked for. Ask for {number} at most.",
                size=size,
                **asked,
            )
        ]
    return []


def _other_faults(stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> Iterator[str]:
    others = [stimulus for stimulus in stimuli if stimulus.is_filler or stimulus.is_practice]
    lacking = [stimulus.item for stimulus in others if not against(stimulus)]
    if lacking:
        yield counting(
            "Item {items} has nothing to be compared with. {needed}",
            "Items {items} have nothing to be compared with. {needed}",
            len(lacking),
            items=_items(lacking),
            needed=Sentence(
                "Fillers and practice texts need a column against with the other text, against_image with the "
                "other picture, or against_audio with the other sound; several are separated by ||."
            ),
        )
    for a, b in combinations(_RIVALS, 2):
        uneven = [stimulus.item for stimulus in others if 0 < _number(stimulus, a) != _number(stimulus, b) > 0]
        if uneven:
            yield counting(
                "Item {items} has not as many {of_a} in {a} as {of_b} in {b}. {advice}",
                "Items {items} have not as many {of_a} in {a} as {of_b} in {b}. {advice}",
                len(uneven),
                items=_items(uneven),
                a=a,
                b=b,
                of_a=_RIVALS[a],
                of_b=_RIVALS[b],
                advice=_ADVICE[a, b],
            )
    is_pair = settings["task"] == PAIR
    wrong = [
        stimulus.item
        for stimulus in others
        if (texts := against(stimulus)) and (len(texts) != 1 if is_pair else not 2 <= len(texts) < MOST_OPTIONS)
    ]
    if wrong:
        needed = Sentence("two to {most} other texts, separated by ||,", most=MOST_OPTIONS - 1)
        if is_pair:
            needed = Sentence("one other text")
        yield counting(
            "Item {items} has not as many texts as the task asks for: {needed} in the column against.",
            "Items {items} have not as many texts as the task asks for: {needed} in the column against.",
            len(wrong),
            items=_items(wrong),
            needed=needed,
        )


def _number(stimulus: ShownStimulus, column: str) -> int:
    return len(texts_against(stimulus) if column == AGAINST else files_against(stimulus, column))


def _items(codes: Sequence[str]) -> str:
    return codes[0] if len(codes) == 1 else listed(list(codes))
