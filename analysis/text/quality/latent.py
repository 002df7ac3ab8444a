"""Latent semantic analysis: similarity of sentences that share a topic without sharing words (Deerwester et al. 1990).

Documents (texts, sources, or the paragraphs of a corpus) are counted by content words, weighted by logarithm and
entropy (Dumais 1991), and a truncated singular value decomposition keeps the strongest dimensions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
import scipy

from analysis.text.quality import word_lists as lists
from analysis.text.quality.segments import Sentence

DIMENSIONS = 50
MOST_SENTENCES = 60
"""Sentences of a text, from its beginning, that are compared with each other."""
DENSE = 200
"""Documents or words up to which all singular values are computed."""
NOTHING = 1e-9
"""A singular value below this share of the largest is zero but for rounding."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

FEATURES = ("cohmetrix_lsa_min", "cohmetrix_lsa_max", "cohmetrix_lsa_mean", "cohmetrix_lsa_all")


class LatentSpace:
    """Documents to learn from, and texts whose sentences are compared in what some of the documents teach."""

    def __init__(self, texts: Sequence[Sequence[Sentence]], documents: Sequence[Sequence[Sentence]]) -> None:
        words: dict[str, int] = {}
        self._documents = _counts(
            [[word for sentence in document for word in lists.content_words(sentence.words)] for document in documents],
            words,
        )
        own = [sentence for text in texts for sentence in text[:MOST_SENTENCES]]
        self._sentences = _counts([lists.content_words(sentence.words) for sentence in own], words)
        self._starts = np.cumsum([0, *(min(len(text), MOST_SENTENCES) for text in texts)])
        self._size = len(words)

    def similarities(self, teachers: Flags, asked: Sequence[int], *, dimensions: int = DIMENSIONS) -> dict[str, Floats]:
        """Return for the texts at the positions `asked` the least, greatest and mean cosine of adjacent sentences and
        the mean over all pairs of sentences, in the space of the documents for which `teachers` is true.

        A pair of which one sentence has no word that the documents have is left out; NaN where none is left.

        >>> from analysis.text.quality.segments import sentences
        >>> known = [sentences(text) for text in ("Cats purr.", "Cats sleep.", "Banks lend.", "Banks pay.")]
        >>> space = LatentSpace([sentences("Cats purr. They sleep."), sentences("Cats purr. Banks pay.")], known)
        >>> space.similarities(np.ones(4, dtype=bool), [0, 1], dimensions=2)["cohmetrix_lsa_mean"].round(3).tolist()
        [1.0, 0.0]
        """
        vectors = self.vectors(teachers, dimensions=dimensions)
        rows = [self._of_text(vectors[self._starts[at] : self._starts[at + 1]]) for at in asked]
        return {name: np.array([row[place] for row in rows]) for place, name in enumerate(FEATURES)}

    def vectors(self, teachers: Flags, *, dimensions: int = DIMENSIONS) -> Floats:
        """Return every sentence of the texts in the latent space, of length 1; NaN where it has no place there."""
        counts = _widened(self._documents, self._size)[np.flatnonzero(teachers)]
        counts = counts[np.flatnonzero(np.diff(counts.indptr))]
        if counts.shape[0] < 2 or self._size == 0:
            return np.full((self._sentences.shape[0], 1), np.nan)
        weights = entropy_weights(counts)
        directions = _right_vectors(_weighted(counts, weights), dimensions)
        found = np.asarray(_weighted(_widened(self._sentences, self._size), weights) @ directions.T)
        lengths = np.sqrt((found**2).sum(axis=1))
        there = lengths > NOTHING
        return np.where(there[:, None], found / np.where(there, lengths, 1)[:, None], np.nan)

    @staticmethod
    def _of_text(vectors: Floats) -> tuple[float, float, float, float]:
        cosines = np.round(vectors @ vectors.T, 9)
        number = len(vectors)
        beside = [float(cosines[a, b]) for a, b in pairwise(range(number)) if not math.isnan(cosines[a, b])]
        every = [float(cosines[a, b]) for a, b in combinations(range(number), 2) if not math.isnan(cosines[a, b])]
        return (
            min(beside, default=math.nan),
            max(beside, default=math.nan),
            math.fsum(beside) / len(beside) if beside else math.nan,
            math.fsum(every) / len(every) if every else math.nan,
        )


def entropy_weights(counts: scipy.sparse.csr_array) -> Floats:
    """Return 1 + Σ p log p / log n of every word over n documents: 0 for one that is spread evenly, 1 for one that is
    in a single document; 0 for a word that is in none.

    >>> entropy_weights(scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [1.0, 0.0, 0.0]]))).tolist()
    [0.0, 1.0, 0.0]
    """
    totals = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    shares = counts.data / totals[counts.indices]
    summed = np.bincount(counts.indices, weights=shares * np.log(shares), minlength=counts.shape[1])
    return np.where(totals > 0, 1 + summed / math.log(counts.shape[0]), 0.0)


def _weighted(counts: scipy.sparse.csr_array, weights: Floats) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array(
        (np.log1p(counts.data) * weights[counts.indices], counts.indices, counts.indptr), shape=counts.shape
    )


def _right_vectors(matrix: scipy.sparse.csr_array, dimensions: int) -> Floats:
    """Return the directions of the strongest singular values in the space of words, one per row."""
    smaller = min(matrix.shape)
    # Exact where that is cheap: iterations may miss one of several directions of the same strength.
    if smaller <= max(DENSE, dimensions + 1):
        _, values, right = scipy.linalg.svd(matrix.toarray(), full_matrices=False, lapack_driver="gesvd")
        values, right = values[:dimensions], right[:dimensions]
    else:
        # Started from the same vector always, so that the same texts give the same numbers.
        _, values, right = scipy.sparse.linalg.svds(
            matrix, k=dimensions, v0=np.full(smaller, smaller**-0.5), solver="arpack"
        )
    kept = values > NOTHING * max(float(values.max(initial=0.0)), NOTHING)
    return np.asarray(right[kept], dtype=np.float64).reshape(-1, matrix.shape[1])


def _counts(texts: Sequence[Sequence[str]], words: dict[str, int]) -> scipy.sparse.csr_array:
    """Return the counts of words (columns, numbered in `words`, which grows) in texts (rows)."""
    data: list[int] = []
    columns: list[int] = []
    ends = [0]
    for text in texts:
        counted = sorted((words.setdefault(word, len(words)), number) for word, number in Counter(text).items())
        columns += [column for column, _ in counted]
        data += [number for _, number in counted]
        ends.append(len(data))
    return scipy.sparse.csr_array(
        (np.array(data, dtype=np.float64), np.array(columns, dtype=np.int64), np.array(ends, dtype=np.int64)),
        shape=(len(texts), max(1, len(words))),
    )


def _widened(counts: scipy.sparse.csr_array, size: int) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], max(1, size)))
