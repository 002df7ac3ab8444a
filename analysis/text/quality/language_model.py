"""Language-model features: n-gram models trained on other texts, or read from an ARPA file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.text.arpa import BackOffModel
from analysis.text.quality.segments import Sentence

NEVER = -99.0
"""log10 p of what cannot come, such as the beginning of a sentence within one, in files of models."""

ORDERS = ("unigram", "bigram", "trigram")
START, END = "<s>", "</s>"

Gram = tuple[str, ...]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OfOrder:
    """A back-off model used up to one order."""

    model: BackOffModel
    order: int
    rarest: float
    """log10 p of the rarest word, for words out of the vocabulary where the model has no unknown word."""

    def log10(self, word: str, context: Gram) -> float:
        """Return log10 p(word | context)."""
        before = context[len(context) - self.order + 1 :] if self.order > 1 else ()
        found = self.model.log10_probability(word, before)
        return self.rarest if found is None else found


def orders_of(model: BackOffModel) -> tuple[OfOrder, ...]:
    """Return a back-off model as unigram, bigram and trigram model, as far as its order goes.

    >>> model = BackOffModel(2, {("cat",): -0.9, ("the", "cat"): -0.3}, {}, None)
    >>> [one.log10("cat", ("<s>", "the")) for one in orders_of(model)]
    [-0.9, -0.3, -0.3]
    """
    words = [value for gram, value in model.probabilities.items() if len(gram) == 1 and value > NEVER]
    rarest = min(words, default=NEVER)
    return tuple(OfOrder(model, min(order, model.order), rarest) for order in (1, 2, 3))


class NgramCorpus:
    """Texts as counted n-grams, from which a model is trained on some and asked about all in hundredths of a second.

    An event is a word, or the end of a sentence, after the two words before it. Words are in lower case.
    """

    def __init__(self, texts: Sequence[Sequence[Sentence]]) -> None:
        words: dict[str, int] = {START: 0, END: 1}
        events: list[tuple[int, int, int]] = []
        owners: list[int] = []
        sentence_of: list[int] = []
        self.text_of_sentence: list[int] = []
        for text, sentences in enumerate(texts):
            for sentence in sentences:
                ids = [0, 0, *(words.setdefault(word, len(words)) for word in sentence.words), 1]
                events.extend(zip(ids, ids[1:], ids[2:], strict=False))
                owners.extend([text] * (len(ids) - 2))
                sentence_of.extend([len(self.text_of_sentence)] * (len(ids) - 2))
                self.text_of_sentence.append(text)
        self.number = len(texts)
        self.words = list(words)
        self.events = np.array(events, dtype=np.int64).reshape(-1, 3)
        self.owner = np.array(owners, dtype=np.intp)
        self.sentence = np.array(sentence_of, dtype=np.intp)
        size = len(words)
        first, second, third = self.events.T
        # Of every order: which gram each event is, and of every gram its context and the gram without its first word.
        self._grams: list[Ints] = []
        self._contexts: list[Ints] = []
        self._shorter: list[Ints] = [np.empty(0, dtype=np.intp)]
        for gram, context in (
            (third, np.zeros_like(third)),
            (second * size + third, second),
            ((first * size + second) * size + third, first * size + second),
        ):
            _, where, ids = np.unique(gram, return_index=True, return_inverse=True)
            self._grams.append(ids.astype(np.intp))
            self._contexts.append(np.unique(context, return_inverse=True)[1].astype(np.intp)[where])
            if len(self._grams) > 1:
                self._shorter.append(self._grams[-2][where])

    def log10(self, teachers: Flags) -> Floats:
        """Return log10 p of every event (columns) by the unigram, bigram and trigram model of the texts in `teachers`.

        Interpolated Kneser–Ney: p(w|h) = max(c(hw) − D, 0)/c(h) + D·N(h)/c(h) · p(w|h′), D = n₁/(n₁ + 2 n₂). Below
        the highest order counts are those of different words before (Kneser & Ney 1995; Chen & Goodman 1999); the
        last step is uniform over the vocabulary with one place for unknown words.

        >>> from analysis.text.quality.segments import sentences
        >>> corpus = NgramCorpus([sentences("The cat sat. The cat ran. A dog sat."), sentences("The cat. The dog.")])
        >>> asked = 10 ** corpus.log10(np.array([True, False]))[1][corpus.owner == 1]
        >>> asked.round(3).tolist()  # the | start, cat | the, end | cat, …
        [0.534, 0.776, 0.107, 0.534, 0.026, 0.107]
        """
        used = teachers[self.owner]
        found = np.empty((len(ORDERS), len(self.owner)))
        for order in range(len(ORDERS)):
            counts: list[Floats] = [
                np.bincount(self._grams[order][used], minlength=self._grams[order].max(initial=-1) + 1).astype(
                    np.float64
                )
            ]
            for lower in range(order, 0, -1):
                there = counts[0] > 0
                size = len(self._contexts[lower - 1])
                counts.insert(0, np.bincount(self._shorter[lower][there], minlength=size).astype(np.float64))
            different = len(np.unique(self._grams[0][used]))
            probability = np.full(len(self.owner), 1.0 / (different + 1))
            for level, count in enumerate(counts):
                probability = self._interpolated(level, count, probability)
            found[order] = np.log10(probability)
        return found

    def _interpolated(self, level: int, counts: Floats, shorter: Floats) -> Floats:
        """Return the probabilities of one order from those of the next shorter one."""
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        discount = once / (once + 2 * twice) if once and twice else 0.5
        contexts = self._contexts[level]
        totals = np.bincount(contexts, weights=counts)
        kinds = np.bincount(contexts, weights=counts > 0)
        gram = self._grams[level]
        context = contexts[gram]
        total = totals[context]
        seen = np.maximum(total, 1)
        mixed = np.maximum(counts[gram] - discount, 0) / seen + discount * kinds[context] / seen * shorter
        return np.asarray(np.where(total > 0, mixed, shorter), dtype=np.float64)

    def log10_by(self, models: Sequence[OfOrder]) -> Floats:
        """Return log10 p of every event by models from elsewhere."""
        return np.array(
            [
                [model.log10(self.words[c], (self.words[a], self.words[b])) for a, b, c in self.events.tolist()]
                for model in models
            ]
        ).reshape(len(models), -1)

    def features(self, log10: Floats) -> dict[str, Floats]:
        """Return for each model and text the lowest, highest and mean log10 probability of its sentences, that of the
        whole text, and that of the text per word (sentence ends counted). NaN where a text has no sentence.

        >>> from analysis.text.quality.segments import sentences
        >>> corpus = NgramCorpus([sentences("The cat sat. The dog ran."), sentences("The cat ran.")])
        >>> found = corpus.features(corpus.log10(np.array([True, False])))
        >>> len(found), bool(found["lm_trigram_min"][1] == found["lm_trigram_total"][1])
        (15, True)
        """
        owners = np.array(self.text_of_sentence, dtype=np.intp)
        number = np.bincount(owners, minlength=self.number).astype(np.float64)
        words = np.bincount(self.owner, minlength=self.number).astype(np.float64)
        empty = number == 0
        found: dict[str, Floats] = {}
        for name, logs in zip(ORDERS, log10, strict=True):
            sentences = np.bincount(self.sentence, weights=logs, minlength=len(owners))
            lowest, highest = np.full(self.number, np.inf), np.full(self.number, -np.inf)
            np.minimum.at(lowest, owners, sentences)
            np.maximum.at(highest, owners, sentences)
            total = np.bincount(owners, weights=sentences, minlength=self.number)
            for what, values in (
                ("min", lowest),
                ("max", highest),
                ("mean", total / np.maximum(number, 1)),
                ("total", total),
                ("per_word", total / np.maximum(words, 1)),
            ):
                found[f"lm_{name}_{what}"] = np.where(empty, np.nan, values)
        return found
