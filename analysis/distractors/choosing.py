"""Choose distractors: one per place of an item, the same in all its conditions. Pure.

For every place 100 candidates are drawn: those whose length differs from no word beside them by more than one letter,
nearest in frequency first, in a random order that hangs on the seed, the item and the place alone. Of these the first
is taken that is less probable than every word beside it by ten bits; where none is, the one with the largest
difference. Without a model the first is taken.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from analysis.distractors.candidates import LEAST_ZIPF, Candidate
from analysis.distractors.improbable import Improbability
from analysis.distractors.sentences import Place, Sentence, Slot
from analysis.text.frequency import zipf_of

CANDIDATES = 100
LENGTH_WITHIN = 1
ZIPF_WITHIN = 0.5
LEAST_BITS = 10.0
# Nearer than this in Zipf, frequencies count as equal, and chance decides.
_ZIPF_STEP = 0.25


class TooFewCandidates(ValueError):
    """There are fewer candidates than places in an item."""


@dataclass(frozen=True)
class Item:
    """The texts of an item in its conditions."""

    code: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True)
class Choice:
    """The distractor of a place, and its differences from the words there; None if not comparable.

    `others` are choices that could take its place, the best first: none of them is a distractor of the item.
    """

    place: Place
    words: tuple[str, ...]
    distractor: str
    zipf: float
    word_zipfs: tuple[float | None, ...]
    bits: float | None
    flags: tuple[str, ...]
    others: tuple[Choice, ...] = ()

    @property
    def length_difference(self) -> int:
        """Letters by which the distractor differs at most from a word beside it."""
        return max(abs(len(word) - len(self.distractor)) for word in self.words)

    @property
    def zipf_difference(self) -> float | None:
        """Zipf by which the distractor differs at most from a word beside it that is listed."""
        listed = [abs(self.zipf - zipf) for zipf in self.word_zipfs if zipf is not None]
        return max(listed) if listed else None


def choose(
    items: Sequence[Item],
    *,
    pool: Sequence[Candidate],
    language: str,
    seed: int = 1,
    model: Improbability | None = None,
    others: int = 0,
) -> list[list[Choice]]:
    """Return the distractors of every item in the order of their places, the first region left out.

    A word stands once among the distractors of an item and never in one of its texts. With every choice come as many
    others that could take its place. Raises TooFewCandidates.
    """
    usable = [one for one in pool if model is None or model.form(one.word) is not None]
    by_length: dict[int, list[Candidate]] = {}
    for one in usable:
        by_length.setdefault(len(one.word), []).append(one)
    drawn = [_shortlists(item, by_length, language=language, seed=seed) for item in items]
    if model is not None:
        for item, shortlists in zip(items, drawn, strict=True):
            for place, asked in _asked(item, model).items():
                for context, slot in asked:
                    model.ask(context, slot.word)
                    for one in shortlists.get(place, ()):
                        model.ask(context, one.word)
        model.read()
    return [
        _chosen(item, lists, language=language, model=model, others=others)
        for item, lists in zip(items, drawn, strict=True)
    ]


def slots_by_place(item: Item) -> dict[Place, list[Slot]]:
    """Return the words that stand at every place of an item, over its conditions, the first region left out."""
    found: dict[Place, list[Slot]] = {}
    for sentence in item.sentences:
        for slot in sentence.slots():
            if slot.place[0] > 1:
                found.setdefault(slot.place, []).append(slot)
    return dict(sorted(found.items()))


def _shortlists(
    item: Item, by_length: Mapping[int, Sequence[Candidate]], *, language: str, seed: int
) -> dict[Place, list[Candidate]]:
    places = slots_by_place(item)
    barred = {slot.word.casefold() for sentence in item.sentences for slot in sentence.slots()}
    # As many more as may have been taken by the other places.
    wanted = CANDIDATES + len(places)
    found = {}
    for place, slots in places.items():
        rng = random.Random(f"{seed} {item.code} {place}")  # noqa: S311 - must be repeatable
        lengths = [len(slot.word) for slot in slots]
        zipfs = [zipf for slot in slots if (zipf := zipf_of_word(slot.word, language)) is not None] or [LEAST_ZIPF]
        by_excess: dict[int, list[Candidate]] = {}
        for length, group in by_length.items():
            excess = max(0, max(abs(length - one) for one in lengths) - LENGTH_WITHIN)
            by_excess.setdefault(excess, []).extend(group)
        shortlist: list[Candidate] = []
        for excess in sorted(by_excess):
            if len(shortlist) >= wanted:
                break
            group = [one for one in by_excess[excess] if one.word not in barred]
            ranked = [(_steps(one.zipf, zipfs), rng.random(), one.word, one) for one in group]
            shortlist += [entry[3] for entry in sorted(ranked)]
        found[place] = shortlist[:wanted]
    return found


def _steps(zipf: float, others: Sequence[float]) -> int:
    """Return by how many steps of frequency a candidate is farther than what counts as equal."""
    return max(0, math.ceil((max(abs(zipf - other) for other in others) - _ZIPF_STEP) / _ZIPF_STEP))


def _asked(item: Item, model: Improbability) -> dict[Place, list[tuple[tuple[str, ...], Slot]]]:
    """Return the words of every place with the contexts in which they stand."""
    found: dict[Place, list[tuple[tuple[str, ...], Slot]]] = {}
    for sentence in item.sentences:
        contexts = sentence.contexts()
        for slot in sentence.slots():
            found.setdefault(slot.place, []).append((model.context(contexts[slot.place]), slot))
    return found


def _chosen(
    item: Item,
    shortlists: Mapping[Place, Sequence[Candidate]],
    *,
    language: str,
    model: Improbability | None,
    others: int,
) -> list[Choice]:
    asked = _asked(item, model) if model is not None else {}
    taken: set[str] = set()
    choices, rest = [], []
    for place, slots in slots_by_place(item).items():
        free = [one for one in shortlists[place] if one.word not in taken][:CANDIDATES]
        if not free:
            raise TooFewCandidates(f"Item '{item.code}' has more places than there are candidates for distractors.")
        best, bits = free[0], None
        if model is not None:
            best, bits = _least_probable(free, asked[place], model)
        taken.add(best.word)
        words = tuple(dict.fromkeys(slot.word for slot in slots))
        zipfs = tuple(zipf_of_word(word, language) for word in words)
        choices.append(_judged(Choice(place, words, best.word, best.zipf, zipfs, bits, ()), model))
        rest.append(free)
    if not others:
        return choices
    return [
        replace(choice, others=_others(choice, free, taken, asked.get(choice.place, ()), model)[:others])
        for choice, free in zip(choices, rest, strict=True)
    ]


def _others(
    choice: Choice,
    free: Sequence[Candidate],
    taken: set[str],
    asked: Sequence[tuple[tuple[str, ...], Slot]],
    model: Improbability | None,
) -> tuple[Choice, ...]:
    """Return what could take the place of a choice: those improbable enough in order, then the most improbable."""
    found = []
    for one in free:
        if one.word in taken:
            continue
        bits = None if model is None else _least_probable([one], asked, model)[1]
        found.append(_judged(replace(choice, distractor=one.word, zipf=one.zipf, bits=bits, flags=()), model))
    if model is not None:
        found.sort(key=lambda one: -min(one.bits if one.bits is not None else -math.inf, LEAST_BITS))
    return tuple(found)


def _judged(choice: Choice, model: Improbability | None) -> Choice:
    unknown = model is not None and any(model.form(word) is None for word in choice.words)
    return replace(choice, flags=_flags(choice, is_unknown=unknown, model=model))


def _least_probable(
    free: Sequence[Candidate], asked: Sequence[tuple[tuple[str, ...], Slot]], model: Improbability
) -> tuple[Candidate, float | None]:
    """Return the first candidate that is improbable enough, else the most improbable one, and the bits of difference:
    the smallest over the conditions.
    """
    real = [(context, bits) for context, slot in asked if (bits := model.bits(context, slot.word)) is not None]
    best, most = free[0], -math.inf
    for one in free:
        own = [(model.bits(context, one.word), bits) for context, bits in real]
        differences = [mine - bits for mine, bits in own if mine is not None]
        if differences and min(differences) > most:
            best, most = one, min(differences)
            if most >= LEAST_BITS:
                break
    return best, most if most > -math.inf else None


def _flags(choice: Choice, *, is_unknown: bool, model: Improbability | None) -> tuple[str, ...]:
    zipf = choice.zipf_difference
    found = {
        "length": choice.length_difference > LENGTH_WITHIN,
        "frequency": zipf is not None and zipf > ZIPF_WITHIN,
        "word not listed": None in choice.word_zipfs,
        "surprisal": model is not None and choice.bits is not None and choice.bits < LEAST_BITS,
        "word not in the model": is_unknown,
    }
    return tuple(name for name, holds in found.items() if holds)


@cache
def zipf_of_word(word: str, language: str) -> float | None:
    """Return the Zipf frequency of a word; None where the list lacks it."""
    return zipf_of([word], language=language).zipf
