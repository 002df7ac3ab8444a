"""Oracles: Kneser–Ney and IBM model 1 written down slowly from the formulas, word by word."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from analysis.text.arpa import read_arpa
from analysis.text.quality.language_model import NgramCorpus, orders_of
from analysis.text.quality.segments import Sentence, sentences
from analysis.text.quality.word_coherence import LONGEST, SMOOTHING, AdjacentSentences
from tests.analysis.text.bigrams import BIGRAMS

TRIGRAMS = """
\\data\\
ngram 1=4
ngram 2=2
ngram 3=1

\\1-grams:
-99 <s> -0.30
-1.2 </s>
-0.5 the
-0.8 dog

\\2-grams:
-3.1 <s> the
-0.4 the dog

\\3-grams:
-0.05 <s> the dog

\\end\\
"""
TEXTS = [
    "The cat sat on the mat. The dog sat too. It rained.",
    "A dog ran. The dog ran to the cat!",
    "Rain fell on the mat. Nobody sat there.",
    "The cat ran. It rained. A bird sang on the mat.",
]
SPLIT = [sentences(text) for text in TEXTS]
TEACHERS = np.array([True, True, True, False])


def slow_probability(gram: tuple[str, ...], counts: dict[int, Counter[tuple[str, ...]]], words: int) -> float:
    if not gram:
        return 1 / (words + 1)
    level = counts[len(gram)]
    total = sum(n for known, n in level.items() if known[:-1] == gram[:-1])
    shorter = slow_probability(gram[1:], counts, words)
    if total == 0:
        return shorter
    once, twice = (sum(n == size for n in level.values()) for size in (1, 2))
    discount = once / (once + 2 * twice) if once and twice else 0.5
    kinds = sum(known[:-1] == gram[:-1] for known in level)
    return max(level[gram] - discount, 0) / total + discount * kinds / total * shorter


def slow_kneser_ney(order: int) -> list[float]:
    def grams(size: int, texts: Sequence[Sequence[Sentence]]) -> list[tuple[str, ...]]:
        found = []
        for text in texts:
            for sentence in text:
                words = ("<s>", "<s>", *sentence.words, "</s>")
                found += [words[at - size + 1 : at + 1] for at in range(2, len(words))]
        return found

    taught = [text for text, teaches in zip(SPLIT, TEACHERS, strict=True) if teaches]
    counts = {order: Counter(grams(order, taught))}
    for lower in range(order - 1, 0, -1):
        counts[lower] = Counter(gram[1:] for gram in counts[lower + 1])
    words = len(set(grams(1, taught)))
    return [math.log10(slow_probability(gram, counts, words)) for gram in grams(order, SPLIT)]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_language_model_is_interpolated_kneser_ney(order: int) -> None:
    assert NgramCorpus(SPLIT).log10(TEACHERS)[order - 1] == pytest.approx(slow_kneser_ney(order), abs=1e-12)


def test_the_probabilities_of_all_words_add_up_to_one() -> None:
    taught = [text for text, teaches in zip(SPLIT, TEACHERS, strict=True) if teaches]
    words = sorted({word for text in taught for sentence in text for word in sentence.words})
    # After "the" comes a word of the vocabulary, one that is not in it, or the end.
    corpus = NgramCorpus([*SPLIT, *(sentences(f"the {word}") for word in [*words, "unheard"]), sentences("the")])
    log10 = corpus.log10(np.array([*TEACHERS, *[False] * (corpus.number - len(TEACHERS))]))
    second = [np.flatnonzero(corpus.owner == at)[1] for at in range(len(SPLIT), corpus.number)]
    assert (10 ** log10[:, second]).sum(axis=1) == pytest.approx(1)


def slow_model_one(taught: Sequence[Sequence[Sentence]], asked: Sequence[Sequence[Sentence]]) -> list[float]:
    pairs = [(("", *a.words), b.words) for text in taught for a, b in pairwise(text)]
    t: dict[tuple[str, str], float] = {(a, b): 1.0 for first, second in pairs for a in first for b in second}
    for _ in range(5):
        expected: dict[tuple[str, str], float] = defaultdict(float)
        for first, second in pairs:
            for y in second:
                total = sum(t[x, y] for x in first)
                for x in first:
                    expected[x, y] += t[x, y] / total
        sums: dict[str, float] = defaultdict(float)
        for (word, _), n in expected.items():
            sums[word] += n
        t = {(x, y): n / sums[x] for (x, y), n in expected.items()}
    size = len({b for _, second in pairs for b in second})
    found = []
    for text in asked:
        for a, b in pairwise(text):
            given = ("", *a.words)
            logs = [
                math.log((1 - SMOOTHING) * sum(t.get((x, y), 0) for x in given) / len(given) + SMOOTHING / (size + 1))
                for y in b.words
            ]
            found.append(sum(logs) / len(logs))
    return found


def test_word_coherence_is_model_one_forward_and_backward() -> None:
    taught = SPLIT[:3]
    forward = AdjacentSentences(SPLIT).per_word(TEACHERS)
    assert forward == pytest.approx(slow_model_one(taught, SPLIT), abs=1e-12)
    turned = [text[::-1] for text in SPLIT]
    # Turned round, the pairs of a text come in the other order.
    backward = AdjacentSentences(SPLIT, backward=True)
    expected = slow_model_one([text[::-1] for text in taught], turned)
    means = [np.mean(expected[start:end]) for start, end in ((0, 2), (2, 3), (3, 4), (4, 6))]
    assert backward.means(backward.per_word(TEACHERS)) == pytest.approx(means, abs=1e-12)


def test_a_sentence_that_goes_on_and_on_is_cut() -> None:
    long = sentences("It began. And " + " ".join(f"w{n}" for n in range(1000)) + ".")
    pairs = AdjacentSentences([long])
    assert len(pairs._pair) == LONGEST
    assert np.isfinite(pairs.per_word(np.array([True]))).all()


def test_a_model_from_a_file_gives_its_own_probabilities() -> None:
    corpus = NgramCorpus([sentences("The cat.")])
    found = corpus.features(corpus.log10_by(orders_of(read_arpa(BIGRAMS))))
    assert found["lm_unigram_total"][0] == pytest.approx(-0.6 - 0.9 - 1.5)
    assert found["lm_bigram_total"][0] == pytest.approx(-0.2 - 0.3 - (0.3 + 1.5))
    assert found["lm_trigram_total"][0] == found["lm_bigram_total"][0]


def test_texts_without_words_have_no_probability() -> None:
    corpus = NgramCorpus([(), sentences("The cat.")])
    found = corpus.features(corpus.log10(np.array([True, True])))
    assert all(math.isnan(values[0]) and not math.isnan(values[1]) for values in found.values())


def test_a_model_is_used_up_to_one_two_and_three_words() -> None:
    model = read_arpa(TRIGRAMS)
    of_orders = orders_of(model)
    assert [one.log10("dog", ("<s>", "the")) for one in of_orders] == [-0.8, -0.4, -0.05]
    # Out of the vocabulary: as rare as the rarest word, whatever rarer n-grams there are.
    assert [one.log10("owl", ("<s>", "the")) for one in of_orders] == [-1.2] * 3


def test_without_any_n_gram_that_comes_twice_half_of_one_is_discounted() -> None:
    """Three events, each once: (1 − .5)/3 + .5 · 3/3 · 1/(3 + 1)."""
    corpus = NgramCorpus([sentences("Owls eat.")])
    assert 10 ** corpus.log10(np.array([True]))[0] == pytest.approx([0.5 / 3 + 0.125] * 3)
    once = NgramCorpus([sentences("Owls. Owls.")])
    # `owls` and the end twice each: (2 − .5)/4 + .5 · 2/4 · 1/(2 + 1).
    assert 10 ** once.log10(np.array([True]))[0] == pytest.approx([1.5 / 4 + 0.25 / 3] * 4)


def test_features_of_probabilities_are_sums_over_sentences_and_means() -> None:
    """Four events of the first sentence with log10 p of −1 to −4, three of the second with −5 to −7."""
    corpus = NgramCorpus([sentences("The cat sat. Dogs ran."), sentences("It rained.")])
    found = corpus.features(np.tile(-np.arange(1.0, 11), (3, 1)))
    for order in ("unigram", "bigram", "trigram"):
        of_text = [found[f"lm_{order}_{what}"][0] for what in ("min", "max", "mean", "total", "per_word")]
        assert of_text == pytest.approx([-18, -10, -14, -28, -4])
        assert found[f"lm_{order}_min"][1] == found[f"lm_{order}_max"][1] == -27
