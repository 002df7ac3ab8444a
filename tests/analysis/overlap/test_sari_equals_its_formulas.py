"""Oracle: SARI a second time, from the equations of Xu et al. (2016, section 4.1) with multisets, on random words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.text.ngrams import ngram_counts
from analysis.text.references import target
from analysis.text.sari import sari_by_kinds, sari_counts, sari_score

Words = Sequence[str]
Multiset = Counter[tuple[str, ...]]
ORDERS = (1, 2, 3, 4)
words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=9)
sentences = st.tuples(words, words, st.lists(words, min_size=1, max_size=3))


def grams(text: Words, n: int) -> Multiset:
    return Counter(tuple(text[at : at + n]) for at in range(len(text) - n + 1))


def times(counts: Multiset, number: int) -> Multiset:
    return Counter({gram: number * count for gram, count in counts.items()})


def multisets(source: Words, output: Words, references: Sequence[Words], n: int) -> tuple[Multiset, Multiset, Multiset]:
    """Return the n-grams of source and output, each as often as there are references, and of all references."""
    together: Multiset = Counter()
    for reference in references:
        together += grams(reference, n)
    return times(grams(source, n), len(references)), times(grams(output, n), len(references)), together


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def share(right: float, of: float) -> float:
    return right / of if of else 0.0


def operations(texts: Sequence[tuple[Words, Words, Sequence[Words]]]) -> np.ndarray:
    """Return [order, operation, (precision, recall, F1)] of counts that are added up over texts."""
    found = np.zeros((4, 3, 3))
    for row, n in enumerate(ORDERS):
        totals = np.zeros((3, 3))
        for source, output, references in texts:
            before, after, wanted = multisets(source, output, references, n)
            added, useful = set(after) - set(before), set(wanted) - set(before)
            kept, to_keep = before & after, before & wanted
            deleted, to_delete = before - after, before - wanted
            totals += [
                (len(added & useful), len(added), len(useful)),
                ((kept & wanted).total(), kept.total(), to_keep.total()),
                ((deleted & to_delete).total(), deleted.total(), to_delete.total()),
            ]
        for at, (right, done, asked) in enumerate(totals):
            precision, recall = share(right, done), share(right, asked)
            found[row, at] = precision, recall, f1(precision, recall)
    return 100 * found


def by_kinds(source: Words, output: Words, references: Sequence[Words]) -> float:
    """Return SARI of one text where each kind of n-gram counts alike, as the script of the article has it."""
    total = 0.0
    for n in ORDERS:
        before, after, wanted = multisets(source, output, references, n)
        kept, deleted = before & after, before - after
        right, left = kept & wanted, deleted - wanted
        asked = before & wanted
        total += f1(
            share(sum(right[gram] / kept[gram] for gram in right), len(kept)),
            share(sum(right[gram] / asked[gram] for gram in right), len(asked)),
        )
        total += share(sum(left[gram] / deleted[gram] for gram in left), len(deleted))
        total += operations([(source, output, references)])[n - 1, 0, 2] / 100
    return 100 * total / 12


def counted(source: Words, output: Words, references: Sequence[Words]) -> list[int]:
    aim = target(ngram_counts(source), [ngram_counts(reference) for reference in references])
    return sari_counts(ngram_counts(output), aim)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(sentences, min_size=1, max_size=3))
def test_every_part_is_that_of_the_equations(texts: list[tuple[Words, Words, Sequence[Words]]]) -> None:
    expected = operations(texts)
    found = sari_score(np.sum([counted(*text) for text in texts], axis=0))
    for n, parts in enumerate(found.orders):
        for at, part in enumerate(parts):
            assert (part.precision, part.recall, part.f1) == pytest.approx(tuple(expected[n, at]), abs=1e-9)
    means = expected.mean(axis=0)
    assert (found.add_f1, found.keep_f1, found.delete_f1) == pytest.approx(tuple(means[:, 2]), abs=1e-9)
    assert found.delete_precision == pytest.approx(means[2, 0], abs=1e-9)
    assert found.score == pytest.approx(means[:, 2].mean(), abs=1e-9)
    precise = sari_score(np.sum([counted(*text) for text in texts], axis=0), delete="precision")
    assert precise.score == pytest.approx((means[0, 2] + means[1, 2] + means[2, 0]) / 3, abs=1e-9)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(sentences)
def test_the_variant_by_kinds_is_that_of_the_script(text: tuple[Words, Words, Sequence[Words]]) -> None:
    source, output, references = text
    aim = target(ngram_counts(source), [ngram_counts(reference) for reference in references])
    assert sari_by_kinds(ngram_counts(output), aim) == pytest.approx(by_kinds(*text), abs=1e-9)
