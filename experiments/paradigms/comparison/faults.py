"""What keeps materials from being compared with the settings of a study, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

_RIVALS = {AGAINST: "text", AGAINST_IMAGE: "picture", AGAINST_AUDIO: "sound"}


def comparison_faults(stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each thing that keeps texts from being compared: conditions, blocks, fillers."""
    texts_of = {item: texts for items in by_item(stimuli).values() for item, texts in items.items()}
    if not texts_of:
        return []
    alone = [item for item, texts in texts_of.items() if len(texts) < 2]
    if alone:
        return [
            f"{_items(alone)} one text only, and what has one condition cannot be compared. Give every item a row for "
            f"each condition, and a column that tells them apart, such as system."
        ]
    n = max(map(len, texts_of.values()))
    return [*_condition_faults(n, settings), *_other_faults(stimuli, settings)]


def _condition_faults(n: int, settings: Mapping[str, Any]) -> list[str]:
    size = options_of(n, settings)
    if size > n:
        return [
            f"A page is to show {size} texts, and an item has {n} conditions. Show {n} at most, or 0 for all of them."
        ]
    if settings["task"] != PAIR and size < 3:
        what = "best and a worst" if settings["task"] == BEST_WORST else "an order"
        return [
            f"An item has {n} conditions; for {what} there must be three at least. Let the better of two be chosen."
        ]
    number = len(blocks(n, size))
    if settings["design"] in (BALANCED, ADAPTIVE) and settings["per_item"] > number:
        several = "pairs" if size == 2 else f"groups of {size}"
        return [
            f"Of {n} conditions there are {number} {several} to be shown; {settings['per_item']} comparisons of each "
            f"item are asked for. Ask for {number} at most."
        ]
    return []


def _other_faults(stimuli: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[str]:
    others = [stimulus for stimulus in stimuli if stimulus.is_filler or stimulus.is_practice]
    lacking = [stimulus.item for stimulus in others if not against(stimulus)]
    faults = []
    if lacking:
        faults.append(
            f"{_items(lacking)} nothing to be compared with. Fillers and practice texts need a column against with the "
            f"other text, against_image with the other picture, or against_audio with the other sound; several are "
            f"separated by ||."
        )
    for (a, of_a), (b, of_b) in combinations(_RIVALS.items(), 2):
        uneven = [stimulus.item for stimulus in others if 0 < _number(stimulus, a) != _number(stimulus, b) > 0]
        if uneven:
            faults.append(
                f"{_items(uneven)} not as many {of_a}s in {a} as {of_b}s in {b}. Give every {of_b} its {of_a}, or "
                f"leave one of the two cells empty."
            )
    is_pair = settings["task"] == PAIR
    wrong = [
        stimulus.item
        for stimulus in others
        if (texts := against(stimulus)) and (len(texts) != 1 if is_pair else not 2 <= len(texts) < MOST_OPTIONS)
    ]
    if wrong:
        needed = "one other text" if is_pair else f"two to {MOST_OPTIONS - 1} other texts, separated by ||,"
        faults.append(f"{_items(wrong)} not as many texts as the task asks for: {needed} in the column against.")
    return faults


def _number(stimulus: ShownStimulus, column: str) -> int:
    return len(texts_against(stimulus) if column == AGAINST else files_against(stimulus, column))


def _items(codes: Sequence[str]) -> str:
    return f"Item {codes[0]} has" if len(codes) == 1 else f"Items {listed(list(codes))} have"
