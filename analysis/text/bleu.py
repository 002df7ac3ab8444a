"""BLEU (Papineni et al., 2002): n-gram precision against references, from counts that add up over texts.

The counts are ours, so that texts can be exchanged one by one; the score from the counts, its smoothing and its
signature are those of sacrebleu (Post, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.text.ngrams import ORDERS, Counts
from analysis.text.references import Target

SIZE = 2 * ORDERS + 2

Numbers = npt.NDArray[np.int64]


class Bleu(NamedTuple):
    """BLEU and what it is made of, 0 to 100. A precision is None where no text has so many tokens."""

    score: float
    precisions: tuple[float | None, ...]
    brevity_penalty: float
    length_ratio: float | None


def bleu_counts(output: Counts, aim: Target) -> list[int]:
    """Return the counts of one output: n-grams found in a reference and n-grams in all for n = 1 … 4, then the length
    of the output and of the reference that is nearest to it in length.

    An n-gram counts as found at most as often as the reference that has most of them has it. Of two references that
    are equally near the shorter counts.

    >>> from analysis.text.ngrams import ngram_counts
    >>> from analysis.text.references import target
    >>> reference = ngram_counts("the cat sat down".split())
    >>> bleu_counts(ngram_counts("the the cat".split()), target(ngram_counts([]), [reference]))
    [2, 3, 1, 2, 0, 1, 0, 0, 3, 4]
    """
    length = sum(output[0].values())
    counts: list[int] = []
    for order, (grams, compared) in enumerate(zip(output, aim.orders, strict=True), start=1):
        most = compared.most
        found = 0
        for gram, count in grams.items():
            limit = most.get(gram)
            if limit is not None:
                found += count if count < limit else limit
        counts += [found, max(0, length - order + 1)]
    nearest = min(aim.lengths, key=lambda other: (abs(other - length), other)) if aim.lengths else 0
    return [*counts, length, nearest]


def bleu_score(counts: Sequence[int] | Numbers, *, effective_order: bool = False) -> Bleu:
    """Return BLEU from counts, of one text or added up over texts.

    BLEU = 100 · BP · exp(mean over n of log p_n), BP = exp(1 − reference length / length) for outputs that are shorter
    than the references. Orders without any match are smoothed as sacrebleu does (exp: half, a quarter … of a match);
    the precisions reported are not smoothed. For single texts `effective_order` leaves out orders that the text is too
    short for.

    >>> round(bleu_score([3, 3, 2, 2, 1, 1, 0, 0, 3, 3], effective_order=True).score, 2)
    100.0
    """
    from sacrebleu.metrics.bleu import BLEU

    numbers = [int(number) for number in counts]
    found, total = numbers[0 : 2 * ORDERS : 2], numbers[1 : 2 * ORDERS : 2]
    length, nearest = numbers[-2:]
    scored = BLEU.compute_bleu(
        found, total, length, nearest, smooth_method="exp", effective_order=effective_order, max_ngram_order=ORDERS
    )
    return Bleu(
        score=float(scored.score),
        precisions=tuple(100 * f / t if t else None for f, t in zip(found, total, strict=True)),
        brevity_penalty=float(scored.bp),
        length_ratio=length / nearest if nearest else None,
    )


def bleu_signature(
    n_references: Sequence[int], *, tokenizer: str, lowercase: bool, effective_order: bool = False
) -> str:
    """Return the signature under which sacrebleu would publish the score; `var` where texts have different numbers of
    references.

    >>> bleu_signature([8, 8], tokenizer="13a", lowercase=True).partition("|version:")[0]
    'nrefs:8|case:lc|eff:no|tok:13a|smooth:exp'
    """
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(lowercase=lowercase, tokenize=tokenizer, effective_order=effective_order)
    metric.num_refs = n_references[0] if len(set(n_references)) == 1 else -1
    return str(metric.get_signature())
