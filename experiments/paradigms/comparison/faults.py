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
    SIDE,
    against,
    by_item,
    files_against,
    place_in,
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
                "Item {items} has only one text, so there is nothing to compare. Give every item a row for each "
                "condition, and a column that tells the conditions apart, such as system.",
                "Items {items} have only one text each, so there is nothing to compare. Give every item a row "
                "for each condition, and a column that tells the conditions apart, such as system.",
                len(alone),
                items=_items(alone),
            )
        ]
    n = max(map(len, texts_of.values()))
    return [
        *_condition_faults(n, settings),
        *_other_faults(stimuli, settings),
        *_side_faults(stimuli, texts_of, options_of(n, settings)),
    ]


def _condition_faults(n: int, settings: Mapping[str, Any]) -> list[str]:
    size = options_of(n, settings)
    if size > n:
        return [
            Sentence(
                "A page should show {size} texts, but an item has {n} conditions. Show {n} at most, or write 0 "
                "for all of them.",
                size=size,
                n=n,
            )
        ]
    if settings["task"] != PAIR and size < 3:
        if settings["task"] == BEST_WORST:
            return [
                Sentence(
                    "An item has {n} conditions, but best and worst need at least three. Let people choose the "
                    "better of two.",
                    n=n,
                )
            ]
        return [
            Sentence(
                "An item has {n} conditions, but an order needs at least three. Let people choose the better of two.",
                n=n,
            )
        ]
    number = len(blocks(n, size))
    if settings["design"] in (BALANCED, ADAPTIVE) and settings["per_item"] > number:
        asked = {"n": n, "number": number, "asked": settings["per_item"]}
        if size == 2:
            return [
                Sentence(
                    "{n} conditions make {number} pairs, but you ask for {asked} comparisons of each item. Ask "
                    "for {number} at most.",
                    **asked,
                )
            ]
        return [
            Sentence(
                "{n} conditions make {number} groups of {size}, but you ask for {asked} comparisons of each "
                "item. Ask for {number} at most.",
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
            "Item {items} has no text to compare with. {needed}",
            "Items {items} have no texts to compare with. {needed}",
            len(lacking),
            items=_items(lacking),
            needed=Sentence(
                "Fillers and practice texts need a column against with the other text, against_image with the "
                "other picture, or against_audio with the other sound. Separate several by ||."
            ),
        )
    for a, b in combinations(_RIVALS, 2):
        uneven = [stimulus.item for stimulus in others if 0 < _number(stimulus, a) != _number(stimulus, b) > 0]
        if uneven:
            yield counting(
                "Item {items} has a different number of {of_a} in {a} than of {of_b} in {b}. {advice}",
                "Items {items} have a different number of {of_a} in {a} than of {of_b} in {b}. {advice}",
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
            "Item {items} has fewer or more texts than the task needs: write {needed} in the column against.",
            "Items {items} have fewer or more texts than the task needs: write {needed} in the column against.",
            len(wrong),
            items=_items(wrong),
            needed=needed,
        )


def _side_faults(stimuli: Sequence[ShownStimulus], texts_of: Mapping[str, Any], size: int) -> Iterator[str]:
    """Places in the column `side` that a page does not have, or that two texts of an item have, which may meet."""
    number = {stimulus.item: len(against(stimulus)) + 1 for stimulus in stimuli if against(stimulus)}
    asked = [(stimulus.item, str(stimulus.extra.get(SIDE) or "")) for stimulus in stimuli]
    cells = {f"{item}: {cell}": place for item, cell in asked if (place := place_in(cell)) is not None}
    strange = [
        said
        for (item, cell), said in zip(asked, (f"{item}: {cell}" for item, cell in asked), strict=True)
        if said in cells and not 1 <= cells[said] <= number.get(item, size)
    ]
    if strange:
        yield Sentence(
            "The column 'side' names places that a page of {size} texts does not have: {cells}. Write left, "
            "right, a number from 1, or nothing.",
            size=size,
            cells=listed(list(dict.fromkeys(strange))),
        )
    taken = {
        item: [place for text in texts if (place := place_in(str(text.extra.get(SIDE) or "")))]
        for item, texts in texts_of.items()
    }
    twice = [item for item, places in taken.items() if len(set(places)) < len(places)]
    if twice:
        yield counting(
            "Two texts of item {items} have the same place in the column 'side', but they may be on one page.",
            "Texts of the items {items} have the same place in the column 'side', but they may be on one page.",
            len(twice),
            items=_items(twice),
        )


def _number(stimulus: ShownStimulus, column: str) -> int:
    return len(texts_against(stimulus) if column == AGAINST else files_against(stimulus, column))


def _items(codes: Sequence[str]) -> str:
    return codes[0] if len(codes) == 1 else listed(list(codes))
