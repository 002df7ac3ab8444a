"""Word coherence after Soricut & Marcu (2006): how well the words of a sentence foretell those of the next.

IBM model 1 (Brown et al. 1993) "translates" a sentence into the one that follows it (forward) and back (backward).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from analysis.text.quality.segments import Sentence

ITERATIONS = 5
LONGEST = 40
"""Words of a sentence that take part; a sentence of hundreds of words would make millions of pairs."""
MOST_SENTENCES = 60
"""Sentences of a text, from its beginning, that take part."""
SMOOTHING = 0.1
"""Share of a uniform distribution, so that a word never seen beside another has a small probability, not none."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_NONE = np.empty(0, dtype=np.int32)


class AdjacentSentences:
    """The pairs of adjacent sentences of texts, on some of which model 1 is trained and then asked about all."""

    def __init__(self, texts: Sequence[Sequence[Sentence]], *, backward: bool = False) -> None:
        words: dict[str, int] = {"": 0}
        left, right, slots = [_NONE], [_NONE], [_NONE]
        pair_of_slot: list[int] = []
        given_of_pair: list[int] = []
        self.owner: list[int] = []
        for text, sentences in enumerate(texts):
            for pair in pairwise(sentences[:MOST_SENTENCES]):
                first, second = reversed(pair) if backward else pair
                # The empty word stands for whatever no word of the other sentence foretells.
                given = [0, *(words.setdefault(word, len(words)) for word in first.words[:LONGEST])]
                made = [words.setdefault(word, len(words)) for word in second.words[:LONGEST]]
                left.append(np.array(given * len(made), dtype=np.int32))
                right.append(np.repeat(np.array(made, dtype=np.int32), len(given)))
                places = np.arange(len(pair_of_slot), len(pair_of_slot) + len(made), dtype=np.int32)
                slots.append(np.repeat(places, len(given)))
                pair_of_slot.extend([len(self.owner)] * len(made))
                given_of_pair.append(len(given))
                self.owner.append(text)
        self.number = len(texts)
        self._size = len(words)
        self._slot = np.concatenate(slots)
        self._pair = np.array(pair_of_slot, dtype=np.intp)
        self._given = np.array(given_of_pair, dtype=np.float64)
        codes = np.concatenate(left).astype(np.int64) * self._size + np.concatenate(right)
        kinds, self._kind = np.unique(codes, return_inverse=True)
        self._source, self._target = kinds // self._size, kinds % self._size

    def per_word(self, teachers: Flags) -> Floats:
        """Return for every pair the mean natural logarithm of p(word | other sentence), t learnt on `teachers`.

        t by EM, five rounds from uniform; p = 0.9 · Σ t / (l + 1) + 0.1 / (V + 1), with l words in the other sentence
        and V different words on the side of the words.

        >>> from analysis.text.quality.segments import sentences
        >>> texts = ("It rained. We left. It rained. We left.", "It rained. We left.", "We left. Cats sing.")
        >>> pairs = AdjacentSentences([sentences(text) for text in texts])
        >>> pairs.per_word(np.array([True, False, False])).round(2).tolist()
        [-0.78, -1.1, -0.78, -0.78, -3.91]
        """
        pairs = teachers[np.array(self.owner, dtype=np.intp)] if self.owner else np.zeros(0, dtype=bool)
        used = pairs[self._pair][self._slot] if len(self._slot) else np.zeros(0, dtype=bool)
        kind, slot = self._kind[used], self._slot[used]
        there = np.zeros(len(self._source), dtype=bool)
        there[kind] = True
        different = len(np.unique(self._target[there]))
        t = np.where(there, 1.0, 0.0)
        for _ in range(ITERATIONS if len(kind) else 0):
            shares = t[kind]
            shares /= np.bincount(slot, weights=shares, minlength=len(self._pair))[slot]
            expected = np.bincount(kind, weights=shares, minlength=len(t))
            sums = np.bincount(self._source, weights=expected, minlength=self._size)[self._source]
            t = expected / np.where(sums > 0, sums, 1)
        foretold = np.bincount(self._slot, weights=t[self._kind], minlength=len(self._pair))
        p = (1 - SMOOTHING) * foretold / self._given[self._pair] + SMOOTHING / (different + 1)
        logs = np.bincount(self._pair, weights=np.log(p), minlength=len(self._given))
        return np.asarray(logs / np.maximum(np.bincount(self._pair, minlength=len(self._given)), 1), dtype=np.float64)

    def means(self, per_pair: Floats) -> Floats:
        """Return the mean over the pairs of each text; NaN in a text of one sentence."""
        owner = np.array(self.owner, dtype=np.intp)
        number = np.bincount(owner, minlength=self.number)
        sums = np.bincount(owner, weights=per_pair, minlength=self.number)
        return np.asarray(np.where(number > 0, sums / np.maximum(number, 1), np.nan), dtype=np.float64)
