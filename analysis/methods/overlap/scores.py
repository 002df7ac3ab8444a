"""Count the n-grams of systems' texts once; every table is computed from these counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats
from analysis.methods.declarations import Progress, no_progress
from analysis.methods.overlap.system_outputs import Output, Outputs
from analysis.text import bleu, sari
from analysis.text.edits_and_characters import Metric, counts_of
from analysis.text.ngrams import Counts, ngram_counts, tokens
from analysis.text.references import Target, target

Numbers = npt.NDArray[np.int64]
SARI_PARTS = ("add_f1", "keep_f1", "delete_f1", "delete_precision")


@dataclass(frozen=True)
class OfNothing:
    """SARI of the empty outputs, and what it would be had their sources been copied instead."""

    texts: int
    empty: float
    copied: float


@dataclass(frozen=True)
class Scored:
    """The texts with their counts, row by row as in `read.outputs`.

    `by_groups` maps a number of references to the counts (BLEU, SARI) with each group of that size; `further` holds the
    counts of chrF and TER on request.
    """

    read: Outputs
    tokenizer: str
    lowercase: bool
    delete: str
    lengths: tuple[int, ...]
    bleu: Numbers
    sari: Numbers
    by_kinds: tuple[float, ...]
    by_groups: dict[int, list[tuple[Numbers, Numbers]]]
    further: dict[str, Floats]
    of_nothing: OfNothing | None = None

    @property
    def has_source(self) -> bool:
        return self.read.has_source

    @property
    def same_references(self) -> bool:
        """Whether all texts have the same number of references."""
        return len(set(self.read.n_references)) == 1

    def rows_of(self, system: str) -> npt.NDArray[np.intp]:
        """Return which rows are of a system."""
        return np.array([at for at, output in enumerate(self.read.outputs) if output.system == system], dtype=np.intp)


class Targets:
    """Sources and references, tokenised and counted once for all systems that share them."""

    def __init__(self, *, tokenizer: str, lowercase: bool) -> None:
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self._counts: dict[str, Counts] = {}
        self._targets: dict[tuple[str, tuple[str, ...]], Target] = {}

    def counts(self, text: str) -> Counts:
        """Return the n-grams of a text."""
        if text not in self._counts:
            words = tokens(text, tokenizer=self.tokenizer, lowercase=self.lowercase)
            self._counts[text] = ngram_counts(words)
        return self._counts[text]

    def of(self, output: Output, references: Sequence[str] | None = None) -> Target:
        """Return what an output is compared with: all its references, or those that are given."""
        chosen = output.references if references is None else tuple(references)
        key = (output.source, chosen)
        if key not in self._targets:
            self._targets[key] = target(self.counts(output.source), [self.counts(text) for text in chosen])
        return self._targets[key]


def score_outputs(
    read: Outputs,
    *,
    tokenizer: str,
    lowercase: bool,
    delete: str,
    further: Sequence[Metric] = (),
    progress: Progress = no_progress,
) -> Scored:
    """Count the n-grams of every text against its source and references."""
    targets = Targets(tokenizer=tokenizer, lowercase=lowercase)
    texts = read.outputs
    progress(0.0, "counting n-grams")
    grams = [targets.counts(output.text) for output in texts]
    every = [targets.of(output) for output in texts]
    by_kinds = [sari.sari_by_kinds(own, aim) for own, aim in zip(grams, every, strict=True)] if read.has_source else []
    progress(0.2, "counting n-grams")
    of_bleu, of_sari = _counts(grams, every, with_sari=read.has_source)
    by_groups: dict[int, list[tuple[Numbers, Numbers]]] = {}
    sizes = group_sizes(read.n_references)
    groups = [(size, at) for size in sizes for at in range(min(read.n_references) // size)]
    for done, (size, at) in enumerate(groups):
        progress(0.3 + 0.6 * done / len(groups), f"comparing with {size} of the references")
        aims = [targets.of(output, output.references[at * size : (at + 1) * size]) for output in texts]
        by_groups.setdefault(size, []).append(_counts(grams, aims, with_sari=read.has_source))
    return Scored(
        read=read,
        tokenizer=tokenizer,
        lowercase=lowercase,
        delete=delete,
        lengths=tuple(sum(own[0].values()) for own in grams),
        bleu=of_bleu,
        sari=of_sari,
        by_kinds=tuple(by_kinds),
        by_groups=by_groups,
        further={
            metric.name: _further(metric, texts, lowercase=lowercase, share=(0.5 + 0.2 * place), progress=progress)
            for place, metric in enumerate(further)
        },
        of_nothing=_of_nothing(read, targets, delete=delete) if read.has_source else None,
    )


def _of_nothing(read: Outputs, targets: Targets, *, delete: str) -> OfNothing | None:
    empty = [output for output in read.outputs if not targets.counts(output.text)[0]]
    if not empty:
        return None
    aims = [targets.of(output) for output in empty]
    pairs = list(zip(empty, aims, strict=True))
    nothing = np.sum([sari.sari_counts(targets.counts(output.text), aim) for output, aim in pairs], axis=0)
    copies = np.sum([sari.sari_counts(targets.counts(output.source), aim) for output, aim in pairs], axis=0)
    scores = [sari.sari_score(counts, delete=delete).score for counts in (nothing, copies)]
    return OfNothing(len(empty), scores[0], scores[1])


def _further(metric: Metric, texts: Sequence[Output], *, lowercase: bool, share: float, progress: Progress) -> Floats:
    rows = []
    for at, output in enumerate(texts):
        if at % 50 == 0:
            progress(share + 0.2 * at / len(texts), f"counting for {metric.label}")
        rows.append(counts_of(metric, output.text, output.references, lowercase=lowercase))
    return np.array(rows, dtype=np.float64)


def group_sizes(n_references: Sequence[int]) -> list[int]:
    """Return the numbers of references, fewer than all, for which scores are compared: 1, 2, 4, …; none where texts
    have different numbers of references.

    >>> group_sizes([8, 8]), group_sizes([1, 1]), group_sizes([3, 2])
    ([1, 2, 4], [], [])
    """
    if len(set(n_references)) != 1:
        return []
    return [2**power for power in range(10) if 2**power < n_references[0]]


def _counts(grams: Sequence[Counts], aims: Sequence[Target], *, with_sari: bool) -> tuple[Numbers, Numbers]:
    of_bleu = [bleu.bleu_counts(own, aim) for own, aim in zip(grams, aims, strict=True)]
    of_sari = [sari.sari_counts(own, aim) for own, aim in zip(grams, aims, strict=True)] if with_sari else []
    return (
        np.array(of_bleu, dtype=np.int64).reshape(-1, bleu.SIZE),
        np.array(of_sari, dtype=np.int64).reshape(-1, sari.SIZE),
    )
