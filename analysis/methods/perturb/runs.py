"""Spoil growing shares of the texts repeatedly, and compute every metric at each share.

All metrics are made from counts that add up over texts, so a text is counted twice, as it was and as it was spoilt, and
every share of spoilt texts is a sum of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.declarations import Progress, no_progress
from analysis.methods.overlap.scores import SARI_PARTS, Targets
from analysis.methods.overlap.system_outputs import Output, Outputs
from analysis.methods.perturb.slopes import drawn_slopes
from analysis.text import bleu, sari
from analysis.text.ngrams import ngram_counts, tokens
from analysis.text.perturbations import WITHOUT_CHANCE, parts_of, perturbed
from analysis.text.readability import Counting
from analysis.text.readability import Counts as Readable
from analysis.text.scripts import LATIN, is_written_in

FKGL_SIZE = 3
SIZE = FKGL_SIZE + bleu.SIZE + sari.SIZE
TEXTS_BETWEEN_LOOKS = 500  # after which a cancelled run stops
SLOPES_OF = ("fkgl", "bleu", "sari")

Numbers = npt.NDArray[np.int64]
Values = dict[str, float | None]


@dataclass(frozen=True)
class Measuring:
    """How texts are measured."""

    counting: Counting
    spaced: bool
    tokenizer: str
    lowercase: bool
    delete: str


@dataclass(frozen=True)
class Curve:
    """One system under one edit: for every share (0 first) and repetition, the values of all metrics.

    `orders` holds the parts by order of n-grams, of the untouched texts and at the largest share; `slopes` those of
    the main metrics in texts that were drawn again.
    """

    system: str
    edit: str
    shares: tuple[float, ...]
    values: tuple[tuple[Values, ...], ...]
    orders: tuple[tuple[Values, ...], tuple[Values, ...]]
    texts: int
    edited: int
    slopes: Mapping[str, Sequence[float]]

    def mean(self, share: int, name: str) -> float | None:
        """Return the mean over repetitions at a share, by its place; None where the metric is not defined."""
        return _mean(self.all(share, name))

    def all(self, share: int, name: str) -> list[float | None]:
        """Return the value of every repetition at a share."""
        return [values[name] for values in self.values[share]]


@dataclass(frozen=True)
class Spoilt:
    """The curves, and one spoilt version of every text under every edit (None where there is none)."""

    curves: tuple[Curve, ...]
    versions: Mapping[tuple[str, int], str | None]


class Meter:
    """Counts a text against its source and references."""

    def __init__(self, by: Measuring, *, has_source: bool, has_references: bool) -> None:
        self.by = by
        self.has_source = has_source
        self.has_references = has_references
        self.targets = Targets(tokenizer=by.tokenizer, lowercase=by.lowercase)

    def counts(self, text: str, output: Output) -> list[int]:
        """Return words, sentences and syllables, then the counts of BLEU and SARI (zeros where they are not made)."""
        # Programs that read a file see a line end after every text.
        read = self.by.counting.count(f"{text}\n" if self.by.counting.joined else text)
        counts = [read.words, read.sentences, read.syllables] if is_written_in(text, LATIN) else [0] * FKGL_SIZE
        if not self.has_references:
            return counts + [0] * (SIZE - FKGL_SIZE)
        grams = ngram_counts(tokens(text, tokenizer=self.by.tokenizer, lowercase=self.by.lowercase))
        aim = self.targets.of(output)
        counts += bleu.bleu_counts(grams, aim)
        return counts + (sari.sari_counts(grams, aim) if self.has_source else [0] * sari.SIZE)

    def values(self, total: Numbers) -> Values:
        """Return all metrics of counts that were added up."""
        words, sentences, syllables = (int(number) for number in total[:FKGL_SIZE])
        read = Readable(words=words, sentences=sentences, syllables=syllables)
        values: Values = {
            "fkgl": self.by.counting.grade(read),
            "words_per_sentence": read.words_per_sentence,
            "syllables_per_word": read.syllables_per_word,
        }
        if self.has_references:
            scored = bleu.bleu_score(total[FKGL_SIZE : FKGL_SIZE + bleu.SIZE])
            values["bleu"] = scored.score
            values |= {f"precision_{n}": value for n, value in enumerate(scored.precisions, start=1)}
            values["brevity_penalty"] = scored.brevity_penalty
        if self.has_references and self.has_source:
            simple = sari.sari_score(total[FKGL_SIZE + bleu.SIZE :], delete=self.by.delete)
            values["sari"] = simple.score
            values |= {name: getattr(simple, name) for name in SARI_PARTS}
        return values

    def orders(self, total: Numbers) -> tuple[Values, ...]:
        """Return the parts of BLEU and SARI for n = 1 … 4; nothing without references."""
        if not self.has_references:
            return ()
        precisions = bleu.bleu_score(total[FKGL_SIZE : FKGL_SIZE + bleu.SIZE]).precisions
        lines: list[Values] = [{"bleu_precision": precision} for precision in precisions]
        if self.has_source:
            orders = sari.sari_score(total[FKGL_SIZE + bleu.SIZE :]).orders
            for line, (add, keep, deleted) in zip(lines, orders, strict=True):
                line |= dict(zip(SARI_PARTS, (add.f1, keep.f1, deleted.f1, deleted.precision), strict=True))
        return tuple(lines)


def spoil(
    read: Outputs,
    *,
    by: Measuring,
    edits: Sequence[str],
    shares: Sequence[float],
    repetitions: int,
    seed: int,
    resamples: int = 0,
    progress: Progress = no_progress,
) -> Spoilt:
    """Spoil growing shares of every system's texts, as often as asked for.

    In one repetition the same texts are spoilt under every edit, a larger share holds the smaller ones, and places are
    drawn once per text, so that edits and shares differ by nothing else.
    """
    meter = Meter(by, has_source=read.has_source, has_references=read.has_references)
    parts = [parts_of(output.text, spaced=by.spaced) for output in read.outputs]
    progress(0.0, "counting the texts as they are")
    before = np.array([meter.counts(output.text, output) for output in read.outputs], dtype=np.int64)
    of_system = {
        system: np.array([at for at, output in enumerate(read.outputs) if output.system == system], dtype=np.intp)
        for system in read.systems
    }
    kept: dict[str, Numbers] = {}
    versions: dict[tuple[str, int], str | None] = {}
    totals: dict[tuple[str, str], list[Numbers]] = {(system, edit): [] for system in read.systems for edit in edits}
    slopes: dict[tuple[str, str], dict[str, list[float]]] = {}
    steps = repetitions * len(edits)
    for repetition in range(repetitions):
        random = np.random.default_rng([seed, repetition])
        draws = random.random(len(parts))
        orders = {system: random.permutation(len(rows)) for system, rows in of_system.items()}
        for number, edit in enumerate(edits):
            done, note = repetition * len(edits) + number, f"repetition {repetition + 1} of {repetitions}, {edit}"
            progress(0.02 + 0.9 * done / steps, note)
            if edit not in kept or edit not in WITHOUT_CHANCE:
                after = before.copy()
                for at, output in enumerate(read.outputs):
                    if at and at % TEXTS_BETWEEN_LOOKS == 0:
                        progress(0.02 + 0.9 * (done + at / len(parts)) / steps, note)
                    version = perturbed(parts[at], edit, draw=float(draws[at]))
                    if repetition == 0:
                        versions[edit, at] = version
                    if version is not None:
                        after[at] = meter.counts(version, output)
                kept[edit] = after
            for system, rows in of_system.items():
                totals[system, edit].append(_at_shares(before[rows], kept[edit][rows], orders[system], shares))
                if repetition == 0:
                    slopes[system, edit] = drawn_slopes(
                        before[rows],
                        kept[edit][rows],
                        orders[system],
                        places=[0, *(texts_spoilt(share, len(rows)) for share in shares)],
                        values_of=meter.values,
                        names=SLOPES_OF,
                        resamples=resamples,
                        seed=seed,
                    )
    progress(0.95, "averaging repetitions")
    return Spoilt(
        curves=tuple(
            _curve(
                meter,
                system=system,
                edit=edit,
                shares=shares,
                totals=totals[system, edit],
                texts=len(of_system[system]),
                slopes=slopes[system, edit],
                edited=sum(versions[edit, int(at)] is not None for at in of_system[system]),
            )
            for system in read.systems
            for edit in edits
        ),
        versions=versions,
    )


def texts_spoilt(share: float, texts: int) -> int:
    """Return the number of texts that a share in percent amounts to, halves rounded up.

    >>> texts_spoilt(10, 359), texts_spoilt(50, 5)
    (36, 3)
    """
    return int(share / 100 * texts + 0.5)


def _at_shares(before: Numbers, after: Numbers, order: npt.NDArray[np.intp], shares: Sequence[float]) -> Numbers:
    """Return the counts of all texts with none of them spoilt, then with each share of them spoilt."""
    changes = np.vstack([np.zeros((1, SIZE), dtype=np.int64), np.cumsum((after - before)[order], axis=0)])
    places = [0, *(texts_spoilt(share, len(before)) for share in shares)]
    result: Numbers = before.sum(axis=0) + changes[places]
    return result


def _curve(
    meter: Meter,
    *,
    system: str,
    edit: str,
    shares: Sequence[float],
    totals: list[Numbers],
    texts: int,
    edited: int,
    slopes: Mapping[str, Sequence[float]],
) -> Curve:
    untouched = meter.values(totals[0][0])
    values = [(untouched,) * len(totals)]
    values += [tuple(meter.values(total[place]) for total in totals) for place in range(1, len(shares) + 1)]
    return Curve(
        system=system,
        edit=edit,
        shares=(0.0, *shares),
        values=tuple(values),
        orders=(meter.orders(totals[0][0]), _mean_orders([meter.orders(total[-1]) for total in totals])),
        texts=texts,
        edited=edited,
        slopes=slopes,
    )


def _mean_orders(repetitions: Sequence[tuple[Values, ...]]) -> tuple[Values, ...]:
    """Return the means over repetitions for every order."""
    return tuple(
        {name: _mean([one[name] for one in lines]) for name in lines[0]} for lines in zip(*repetitions, strict=True)
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean, None where a value is missing."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
