"""Overlap with the source: how much of a text is taken from what it was made from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.text.quality import word_lists as lists
from analysis.text.quality.continuity import cosine
from analysis.text.quality.segments import Sentence, ngrams


def source_overlap(text: Sequence[Sentence], source: Sequence[Sentence]) -> dict[str, float]:
    """Return shares of runs of words found in the source and of the source's words kept, fragments copied, and
    lengths.

    `source_coverage` is the share of words in fragments copied from the source, `source_density` the mean squared
    length of those fragments per word (Grusky, Naaman & Artzi 2018: fragments are found greedily from the left).

    >>> from analysis.text.quality.segments import sentences
    >>> found = source_overlap(sentences("Tom left early."), sentences("Tom left. He was early."))
    >>> found["source_precision_1"], found["source_precision_2"], found["source_longest"]
    (1.0, 0.5, 2.0)
    """
    words = tuple(word for sentence in text for word in sentence.words)
    original = tuple(word for sentence in source for word in sentence.words)
    found: dict[str, float] = {}
    for size in (1, 2, 3):
        runs, there = ngrams(words, size), set(ngrams(original, size))
        found[f"source_precision_{size}"] = sum(run in there for run in runs) / len(runs) if runs else 0.0
    content, kept = lists.content_words(words), set(lists.content_words(original))
    names = {t.casefold() for s in text for t in s.written[1:] if t[0].isupper()} - lists.FUNCTION_WORDS
    fragments = _fragments(words, original)
    total = len(words) or math.nan
    found |= {
        "source_recall": len(set(words) & set(original)) / len(set(original)) if original else math.nan,
        "source_content_recall": len(set(content) & kept) / len(kept) if kept else math.nan,
        "source_content_precision": sum(word in kept for word in content) / len(content) if content else math.nan,
        "source_new_names": float(len(names - set(original))),
        "source_cosine": cosine(words, original),
        "source_coverage": sum(fragments) / total,
        "source_density": sum(length**2 for length in fragments) / total,
        "source_longest": float(max(fragments, default=0)),
        "source_compression": len(words) / len(original) if original else math.nan,
    }
    # Without a source there is nothing that a text could share or lack.
    return found if original else dict.fromkeys(found, math.nan)


def _fragments(words: Sequence[str], original: Sequence[str]) -> list[int]:
    places: dict[str, list[int]] = {}
    for position, word in enumerate(original):
        places.setdefault(word, []).append(position)
    lengths: list[int] = []
    at = 0
    while at < len(words):
        longest = 0
        for start in places.get(words[at], ()):
            length = 0
            while (
                at + length < len(words)
                and start + length < len(original)
                and words[at + length] == original[start + length]
            ):
                length += 1
            longest = max(longest, length)
        if longest:
            lengths.append(longest)
        at += longest or 1
    return lengths
