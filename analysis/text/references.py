"""Source and references of one item, with n-gram counts computed once for all systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.text.ngrams import Counts, Gram


@dataclass(frozen=True)
class Compared:
    """The n-grams of one order: in the source, in all references together, at most in one of them.

    The last four numbers do not hang on the output: kinds of n-grams that the references add to the source, and the
    n-grams of the source that they keep and delete, each source n-gram counted once per reference.
    """

    source: dict[Gram, int]
    summed: dict[Gram, int]
    most: dict[Gram, int]
    source_total: int
    added: int
    kept: int
    deleted: int


@dataclass(frozen=True)
class Target:
    """The source and the references of an item; `lengths` are those of the references, in tokens."""

    orders: tuple[Compared, ...]
    lengths: tuple[int, ...]

    @property
    def n_references(self) -> int:
        return len(self.lengths)


def target(source: Counts, references: Sequence[Counts]) -> Target:
    """Compare the n-grams of a source with those of its references.

    Without a source, give that of a text without words; BLEU does not look at it.

    >>> from analysis.text.ngrams import ngram_counts
    >>> order = target(ngram_counts(["a", "b"]), [ngram_counts(["a"]), ngram_counts(["a", "c"])]).orders[0]
    >>> order.summed, order.added, order.kept, order.deleted
    ({('a',): 2, ('c',): 1}, 1, 2, 2)
    """
    return Target(
        orders=tuple(
            _compared(counts, [reference[order] for reference in references]) for order, counts in enumerate(source)
        ),
        lengths=tuple(sum(reference[0].values()) for reference in references),
    )


def _compared(source: dict[Gram, int], references: Sequence[dict[Gram, int]]) -> Compared:
    summed: Counter[Gram] = Counter()
    most: dict[Gram, int] = {}
    for reference in references:
        summed.update(reference)
        for gram, count in reference.items():
            if count > most.get(gram, 0):
                most[gram] = count
    times = len(references)
    kept = sum(min(times * count, summed[gram]) for gram, count in source.items())
    total = sum(source.values())
    return Compared(
        source=source,
        summed=dict(summed),
        most=most,
        source_total=times * total,
        added=len(summed.keys() - source.keys()),
        kept=kept,
        deleted=times * total - kept,
    )
