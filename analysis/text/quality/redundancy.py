"""Redundancy: repeated content within a text."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence

from analysis.text.quality import word_lists as lists
from analysis.text.quality.continuity import cosine
from analysis.text.quality.segments import Sentence, ngrams

MOST_SENTENCES = 100
"""Sentences that are compared with each other: of longer texts the first hundred."""


def redundancy(text: Sequence[Sentence]) -> dict[str, float]:
    """Return the shares of repeated runs of one to four words, of repeated sentences, of words repeated at once, the
    greatest similarity of any two sentences, and how far the text can be compressed.

    The share of repeated runs is 1 − different runs / runs; runs do not cross sentence ends.

    >>> from analysis.text.quality.segments import sentences
    >>> found = redundancy(sentences("We left left. We left left."))
    >>> found["redundancy_repeated_2"], found["redundancy_sentences"], round(found["redundancy_stutter"], 2)
    (0.5, 0.5, 0.5)
    """
    words = [word for sentence in text for word in sentence.words]
    found: dict[str, float] = {}
    for size in (1, 2, 3, 4):
        runs = [run for sentence in text for run in ngrams(sentence.words, size)]
        found[f"redundancy_repeated_{size}"] = 1 - len(set(runs)) / len(runs) if runs else 0.0
        found[f"redundancy_extra_{size}"] = float(len(runs) - len(set(runs)))
    content = Counter(word for sentence in text for word in lists.content_words(sentence.words))
    adjacent = [a == b for sentence in text for a, b in zip(sentence.words, sentence.words[1:], strict=False)]
    begin = text[:MOST_SENTENCES]
    similar = [cosine(a.words, b.words) for at, a in enumerate(begin) for b in begin[at + 1 :]]
    joined = " ".join(words).encode()
    total = sum(content.values())
    return found | {
        "redundancy_content": 1 - len(content) / total if total else 0.0,
        "redundancy_commonest": max(content.values(), default=0) / total if total else 0.0,
        "redundancy_sentences": 1 - len({sentence.words for sentence in text}) / len(text) if text else math.nan,
        "redundancy_stutter": sum(adjacent) / len(adjacent) if adjacent else 0.0,
        "redundancy_similar_max": max(similar, default=0.0),
        "redundancy_similar_mean": math.fsum(similar) / len(similar) if similar else 0.0,
        "redundancy_compressed": len(zlib.compress(joined, 9)) / len(joined) if joined else math.nan,
    }
