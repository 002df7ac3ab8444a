"""Compose the comparisons of a session, from the list's design or adaptively from earlier answers. Pure."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from experiments.design.adaptive_pairs import next_pairs, posterior
from experiments.design.together import TogetherDesign
from experiments.formats.media_names import parts_of
from experiments.paradigms.base import ShownStimulus, alt_column

IMAGE, AUDIO = "image", "audio"
AGAINST, AGAINST_IMAGE, AGAINST_AUDIO = "against", "against_image", "against_audio"
# Media columns of a text, and the columns in which a filler names the media of its rivals.
OF_RIVALS = {IMAGE: AGAINST_IMAGE, AUDIO: AGAINST_AUDIO}
OF_FILLERS = (AGAINST, *OF_RIVALS.values(), alt_column(AGAINST_IMAGE))

Items = dict[str, dict[str, list[ShownStimulus]]]


def by_item(stimuli: Sequence[ShownStimulus]) -> Items:
    """Return the targets by item set and item, in the order of the materials."""
    sets: Items = {}
    for stimulus in stimuli:
        if not stimulus.is_filler and not stimulus.is_practice:
            sets.setdefault(stimulus.item_set, {}).setdefault(stimulus.item, []).append(stimulus)
    return sets


@dataclass(frozen=True)
class Rival:
    """What a filler is compared with: a text, a picture, a sound, or several of them.

    `files` are those of the columns `image` and `audio`, each with its number in the filler's cell, from 1.
    """

    text: str = ""
    files: Mapping[str, tuple[int, str]] = field(default_factory=dict)


def texts_against(stimulus: ShownStimulus) -> list[str]:
    """Return the texts that a filler or a practice text is compared with.

    >>> texts_against(ShownStimulus(1, "a", extra={"against": "b || c"}))
    ['b', 'c']
    """
    return [text for text in parts_of(str(stimulus.extra.get(AGAINST, ""))) if text]


def files_against(stimulus: ShownStimulus, column: str) -> list[tuple[int, str]]:
    """Return the files that a filler or a practice text names in a column, each with its number in the cell, from 1.

    >>> files_against(ShownStimulus(1, "", extra={"against_image": "b.png || c.png"}), "against_image")
    [(1, 'b.png'), (2, 'c.png')]
    """
    cell = str(stimulus.extra.get(column, ""))
    return [(number, name) for number, name in enumerate(parts_of(cell), start=1) if name]


def against(stimulus: ShownStimulus) -> list[Rival]:
    """Return what a filler or a practice text is compared with: texts and files combined by their place.

    >>> against(ShownStimulus(1, "a", extra={"against": "b || c"}))
    [Rival(text='b', files={}), Rival(text='c', files={})]
    """
    texts = texts_against(stimulus)
    files = {own: files_against(stimulus, column) for own, column in OF_RIVALS.items()}
    return [
        Rival(
            texts[place] if place < len(texts) else "",
            {own: named[place] for own, named in files.items() if place < len(named)},
        )
        for place in range(max(len(texts), *map(len, files.values())))
    ]


def composed(
    stimuli: Sequence[ShownStimulus],
    design: TogetherDesign,
    rng: random.Random,
    earlier: Sequence[Mapping[str, Any]],
) -> list[ShownStimulus]:
    """Return one entry for each comparison of a session: its first text, with all its texts in `group`."""
    others = [stimulus for stimulus in stimuli if stimulus.is_filler or stimulus.is_practice]
    made = [_grouped([_own(one), *_rivals(one)], rng) for one in others]
    for items in by_item(stimuli).values():
        texts = list(items.values())
        if design.is_adaptive:
            shown = adaptive_blocks(texts, design.per_item, rng, earlier)
        else:
            index = texts[0][0].list_index % design.n_lists
            shown = design.shown(len(texts), index)
        for of_item, groups in zip(texts, shown, strict=True):
            made += [_grouped([of_item[number] for number in group]) for group in groups]
    return made


def _own(stimulus: ShownStimulus) -> ShownStimulus:
    """Return a filler with only its own files: the browser gets all of `media`, and more files would reveal the
    filler.
    """
    return replace(stimulus, media={name: stimulus.media[name] for name in OF_RIVALS if name in stimulus.media})


def _rivals(stimulus: ShownStimulus) -> list[ShownStimulus]:
    """Return the rivals of a filler as stimuli; only the filler itself has the columns that name them."""
    taken = (*OF_FILLERS, *OF_RIVALS, alt_column(IMAGE), SIDE)
    extra = {name: value for name, value in stimulus.extra.items() if name not in taken}
    alts = parts_of(str(stimulus.extra.get(alt_column(AGAINST_IMAGE), "")))
    rivals = []
    for rival in against(stimulus):
        own, media = dict(extra), {}
        for column, (number, name) in rival.files.items():
            own[column] = name
            if column == IMAGE:
                own[alt_column(IMAGE)] = "".join(alts[number - 1 : number])
            if facts := stimulus.media.get(f"{OF_RIVALS[column]} {number}"):
                media[column] = facts
        rivals.append(replace(stimulus, text=rival.text, extra=own, media=media))
    return rivals


SIDE = "side"
_NAMED_SIDES = {"left": 1, "first": 1, "right": 2, "second": 2}


def place_in(cell: str) -> int | None:
    """Return the place that a cell of the column `side` names, from 1; 0 for no name of a place, None if it is empty.

    >>> place_in("right"), place_in(" 3 "), place_in(""), place_in("top")
    (2, 3, None, 0)
    """
    named = cell.strip().casefold()
    if not named:
        return None
    return _NAMED_SIDES.get(named, int(named) if named.isdecimal() and len(named) < 3 else 0)


def sided(texts: Sequence[ShownStimulus]) -> list[ShownStimulus]:
    """Return the texts of a page with those that name a place there; the others keep their order around them.

    >>> left, right = ShownStimulus(1, "a"), ShownStimulus(2, "b", extra={"side": "left"})
    >>> [text.text for text in sided([left, right])]
    ['b', 'a']
    """
    asked = [place_in(str(text.extra.get(SIDE) or "")) for text in texts]
    fixed = {place: text for place, text in zip(asked, texts, strict=True) if place and place <= len(texts)}
    if not fixed:
        return list(texts)
    others = iter([text for text in texts if not any(text is one for one in fixed.values())])
    return [fixed[place] if place in fixed else next(others) for place in range(1, len(texts) + 1)]


def is_own(stimulus: ShownStimulus) -> bool:
    """Return whether a text in a filler's group is the filler's own text rather than a rival."""
    return any(stimulus.extra.get(name) for name in (AGAINST, *OF_RIVALS.values()))


def _grouped(texts: Sequence[ShownStimulus], rng: random.Random | None = None) -> ShownStimulus:
    """Combine texts into one entry; for ordering rules its condition names those that meet, regardless of side."""
    placed = list(texts)
    if rng is not None:
        rng.shuffle(placed)
    placed = sided(placed)
    names = sorted(text.condition for text in placed if text.condition is not None)
    return replace(placed[0], condition=" + ".join(names) if names else None, group=tuple(placed))


def adaptive_blocks(
    texts: Sequence[Sequence[ShownStimulus]],
    per_item: int,
    rng: random.Random,
    earlier: Sequence[Mapping[str, Any]],
) -> list[list[tuple[int, ...]]]:
    """Choose this many pairs for each item: the most informative ones given the answers so far, spread over the items.

    A pair goes to the item in which it was shown least often, and to the side that was rarer for this pair.
    """
    names = [text.condition or "" for text in texts[0]]
    number_of = {name: number for number, name in enumerate(names)}
    wins = wins_of(earlier, number_of)
    firsts: Counter[tuple[int, int]] = Counter()
    shown: Counter[tuple[str, int, int]] = Counter()
    for answer in earlier:
        if answer.get("a") in number_of and answer.get("b") in number_of:
            a, b = number_of[answer["a"]], number_of[answer["b"]]
            firsts[(a, b) if answer.get("side") == "first" else (b, a)] += 1
            shown[(str(answer.get("item", "")), min(a, b), max(a, b))] += 1
    blocks: list[list[tuple[int, ...]]] = [[] for _ in texts]
    for one, other in next_pairs(posterior(wins), len(texts) * per_item, rng=rng):
        open_to = [
            place
            for place, made in enumerate(blocks)
            if len(made) < per_item and {one, other} not in [set(block) for block in made]
        ]
        if not open_to:
            continue
        rng.shuffle(open_to)
        place = min(open_to, key=lambda at: (shown[(texts[at][0].item, one, other)], len(blocks[at])))
        blocks[place].append(_sided(one, other, firsts, rng))
    # A pair that was chosen more often than there are items for it is replaced by another pair.
    for made in blocks:
        left = [pair for pair in combinations(range(len(names)), 2) if set(pair) not in [set(block) for block in made]]
        rng.shuffle(left)
        made += [_sided(one, other, firsts, rng) for one, other in left[: per_item - len(made)]]
    return blocks


def wins_of(earlier: Iterable[Mapping[str, Any]], number_of: Mapping[str, int]) -> list[list[float]]:
    """Return the matrix of wins: how often each condition was preferred to each other; a tie counts half for both."""
    wins = [[0.0] * len(number_of) for _ in number_of]
    for answer in earlier:
        a, b = number_of.get(str(answer.get("a"))), number_of.get(str(answer.get("b")))
        if a is None or b is None:
            continue
        for_a = {"a": 1.0, "b": 0.0, "tie": 0.5}[answer["choice"]]
        wins[a][b] += for_a
        wins[b][a] += 1 - for_a
    return wins


def _sided(one: int, other: int, firsts: Counter[tuple[int, int]], rng: random.Random) -> tuple[int, int]:
    sides = [(one, other), (other, one)]
    rng.shuffle(sides)
    chosen = min(sides, key=lambda pair: firsts[pair])
    firsts[chosen] += 1
    return chosen
