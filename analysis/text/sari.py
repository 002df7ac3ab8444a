"""SARI (Xu et al., 2016): what a simplification adds, keeps and deletes, judged by references and the source.

Three operations, each for n-grams of n = 1 … 4. With s, h and r the occurrences of an n-gram in the source, in the
output and in all R references together:

    added     kinds of n-grams with h > 0 and s = 0; right where r > 0; wanted are those with r > 0 and s = 0
    kept      R·min(s, h); right min(R·min(s, h), r); wanted min(R·s, r)
    deleted   R·max(s − h, 0); right min(R·max(s − h, 0), wanted); wanted max(R·s − r, 0)

Precision = right / done, recall = right / wanted, F1 their harmonic mean, 0/0 = 0, each averaged over n. SARI is the
mean of Add F1, Keep F1 and a score of deletion: its precision in the article, its F1 by default in EASSE
(Alva-Manchego et al., 2019), which also adds the counts of all texts before it divides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.text.ngrams import ORDERS, Counts
from analysis.text.references import Target

SIZE = 9 * ORDERS
DELETES = ("f1", "precision")

Numbers = npt.NDArray[np.int64]


class Operation(NamedTuple):
    """How well one operation was done, 0 to 100."""

    precision: float
    recall: float
    f1: float


class Sari(NamedTuple):
    """SARI and its parts, 0 to 100; `orders` are the three operations (add, keep, delete) for n = 1 … 4."""

    score: float
    add_f1: float
    keep_f1: float
    delete_f1: float
    delete_precision: float
    orders: tuple[tuple[Operation, Operation, Operation], ...]


def sari_counts(output: Counts, aim: Target) -> list[int]:
    """Return the counts of one output: for n = 1 … 4 right, done and wanted of added, kept and deleted n-grams.

    >>> from analysis.text.ngrams import ngram_counts
    >>> from analysis.text.references import target
    >>> source, output = ngram_counts(["a", "b"]), ngram_counts(["a", "c"])
    >>> sari_counts(output, target(source, [output, source]))[:9]
    [1, 1, 1, 2, 2, 3, 1, 2, 1]
    """
    counts: list[int] = []
    times = aim.n_references
    for grams, compared in zip(output, aim.orders, strict=True):
        source, summed = compared.source, compared.summed
        added = rightly_added = both = rightly_kept = 0
        rightly_deleted = compared.deleted
        for gram, count in grams.items():
            in_source = source.get(gram)
            in_references = summed.get(gram, 0)
            if in_source is None:
                added += 1
                rightly_added += in_references > 0
                continue
            kept = times * (count if count < in_source else in_source)
            both += kept
            rightly_kept += kept if kept < in_references else in_references
            wanted = times * in_source - in_references
            if wanted > 0:
                deleted = times * in_source - kept
                rightly_deleted -= wanted - (deleted if deleted < wanted else wanted)
        counts += [rightly_added, added, compared.added]
        counts += [rightly_kept, both, compared.kept]
        counts += [rightly_deleted, compared.source_total - both, compared.deleted]
    return counts


def sari_score(counts: Sequence[int] | Numbers, *, delete: str = "f1") -> Sari:
    """Return SARI from counts, of one text or added up over texts. `delete` is the score of deletion in it.

    >>> round(sari_score([1, 1, 1, 2, 2, 3, 1, 2, 1] + 27 * [0]).score, 2)
    20.56
    """
    numbers = [int(number) for number in counts]
    orders = []
    for at in range(0, SIZE, 9):
        add, keep, deleted = numbers[at : at + 3], numbers[at + 3 : at + 6], numbers[at + 6 : at + 9]
        orders.append((_operation(*add), _operation(*keep), _operation(*deleted)))
    add_f1, keep_f1, delete_f1 = (sum(order[which].f1 for order in orders) / ORDERS for which in range(3))
    delete_precision = sum(order[2].precision for order in orders) / ORDERS
    last = delete_f1 if delete == "f1" else delete_precision
    return Sari(
        score=(add_f1 + keep_f1 + last) / 3,
        add_f1=add_f1,
        keep_f1=keep_f1,
        delete_f1=delete_f1,
        delete_precision=delete_precision,
        orders=tuple(orders),
    )


def sari_by_kinds(output: Counts, aim: Target) -> float:
    """Return SARI of one text as the script of Xu et al. computes it: in kept and deleted n-grams every kind of n-gram
    counts alike, by the share of its occurrences that is right, and deletion is scored by its precision.

    >>> from analysis.text.ngrams import ngram_counts
    >>> from analysis.text.references import target
    >>> source, output, *references = [
    ...     ngram_counts(text.split())
    ...     for text in (
    ...         "about 95 species are currently accepted .",
    ...         "about 95 you now get in .",
    ...         "about 95 species are currently known .",
    ...         "about 95 species are now accepted .",
    ...         "95 species are now accepted .",
    ...     )
    ... ]
    >>> round(sari_by_kinds(output, target(source, references)), 6)
    26.827824
    """
    times = aim.n_references
    scores = []
    for grams, compared in zip(output, aim.orders, strict=True):
        added = grams.keys() - compared.source.keys()
        rightly_added = len(added & compared.summed.keys())
        kept: list[float] = []
        wanted: list[float] = []
        deleted: list[float] = []
        for gram, in_source in compared.source.items():
            in_references = compared.summed.get(gram, 0)
            done = times * min(in_source, grams.get(gram, 0))
            right = min(done, in_references)
            gone = times * in_source - done
            if done:
                kept.append(right / done)
            if in_references:
                wanted.append(right / min(times * in_source, in_references))
            if gone:
                # Of an n-gram that is deleted in part, the script takes what the references have from what is gone.
                deleted.append(max(gone - in_references, 0) / gone)
        scores.append(
            _operation(rightly_added, len(added), compared.added).f1
            + 100 * _harmonic(_mean(kept), _mean(wanted))
            + 100 * _mean(deleted)
        )
    return sum(scores) / 3 / ORDERS


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0


def _operation(right: int, done: int, wanted: int) -> Operation:
    precision = 100 * right / done if done else 0.0
    recall = 100 * right / wanted if wanted else 0.0
    return Operation(precision, recall, _harmonic(precision, recall))


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
