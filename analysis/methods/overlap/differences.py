"""Test whether two systems differ in a metric: paired bootstrap and approximate randomisation over items.

Koehn (2004) and Riezler & Maxwell (2005), as sacrebleu has them: the same seed gives the same drawings as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.overlap.scores import Scored
from analysis.methods.report import Column
from analysis.methods.wording import number_text, p_text
from analysis.text.bleu import bleu_score
from analysis.text.edits_and_characters import CHRF, TER, score_of
from analysis.text.sari import sari_score

AT_ONCE = 500
NOISE = 1e-9
DIFFERENCES = declared_table(
    "differences",
    "Systems compared",
    "Every two systems under every metric, over the items that both have.",
    "metric a b",
    Column("n", "Items", "integer", meaning="How many items both systems have."),
    Column("score_a", "Score of a", meaning="The score of `a` over these items."),
    Column("score_b", "Score of b", meaning="The score of `b` over these items."),
    usual("diff", "a − b"),
    Column("diff_low", "a − b, low", meaning="Lower end of the 95 % bootstrap interval."),
    Column("diff_high", "a − b, high", meaning="Upper end of the 95 % bootstrap interval."),
    Column("p_bootstrap", "p (bootstrap)", "p", meaning="Of the paired bootstrap (Koehn 2004)."),
    Column("p_randomisation", "p (randomisation)", "p", meaning="Of approximate randomisation."),
    usual("p_holm", "p (randomisation, Holm)", "The latter, adjusted by Holm among the pairs of a metric."),
    detail="n score_a score_b p_randomisation",
    when="with tests between systems or bootstrap samples",
)


@dataclass(frozen=True)
class Additive:
    """A metric whose score follows from counts that add up over texts, with the counts of every text."""

    label: str
    counts: Floats
    score: Callable[[Floats], float]


def additive_metrics(scored: Scored) -> dict[str, Additive]:
    """Return the metrics of a report by the name of their column."""
    of_bleu = scored.bleu.astype(np.float64)
    made = {"bleu": Additive("BLEU", of_bleu, lambda counts: bleu_score(counts.astype(np.int64)).score)}
    if scored.has_source:
        made["sari"] = Additive(
            "SARI",
            scored.sari.astype(np.float64),
            lambda counts: sari_score(counts.astype(np.int64), delete=scored.delete).score,
        )
    for metric in (CHRF, TER):
        if metric.name in scored.further:

            def score(counts: Floats, metric: Any = metric) -> float:
                return score_of(metric, counts, lowercase=scored.lowercase)

            made[metric.name] = Additive(metric.label, scored.further[metric.name], score)
    return made


def tested_rows(scored: Scored, *, resamples: int, trials: int, seed: int) -> list[dict[str, Any]]:
    """Return one row for every metric and pair of systems, over the items that both have.

    `p_bootstrap` is the share of bootstrap samples whose |difference| exceeds their mean by more than the |difference|
    found; `p_randomisation` the share of `trials` in which |difference| is at least the one found when the two systems
    change places at random item by item. Both count the data themselves as one more.
    """
    metrics = additive_metrics(scored)
    places = {system: _places(scored, system) for system in scored.read.systems}
    rows: list[dict[str, Any]] = []
    for name, metric in metrics.items():
        lines = [
            {"metric": name, "a": a, "b": b, **_compared(metric, places[a], places[b], resamples=resamples,
                                                         trials=trials, seed=seed)}
            for a, b in combinations(scored.read.systems, 2)
        ]  # fmt: skip
        for line, p in zip(lines, holm([line.get("p_randomisation") for line in lines]), strict=True):
            line["p_holm"] = p
        rows += lines
    return rows


def _places(scored: Scored, system: str) -> dict[str, int]:
    """Return the row of every item of a system; of an item with several texts the first."""
    found: dict[str, int] = {}
    for at in scored.rows_of(system):
        found.setdefault(scored.read.outputs[at].item, int(at))
    return found


def _compared(
    metric: Additive, a: Mapping[str, int], b: Mapping[str, int], *, resamples: int, trials: int, seed: int
) -> dict[str, Any]:
    shared = [item for item in a if item in b]
    first, second = (metric.counts[[places[item] for item in shared]] for places in (a, b))
    line: dict[str, Any] = {"n": len(shared)}
    if not shared:
        return line
    score_a, score_b = metric.score(first.sum(axis=0)), metric.score(second.sum(axis=0))
    found = abs(score_a - score_b)
    line |= {"score_a": score_a, "score_b": score_b, "diff": score_a - score_b}
    if len(shared) < 2:
        return line
    if resamples:
        drawn = np.array(
            [
                metric.score(times @ first) - metric.score(times @ second)
                for times in _samples(len(shared), resamples, seed)
            ]
        )
        low, high = np.quantile(drawn, (0.025, 0.975))
        # A difference that is nothing in the data and does not vary is none in any sample.
        none = found <= NOISE and float(np.abs(drawn).max()) <= NOISE
        beyond = (np.abs(drawn) - np.abs(drawn).mean() > found) | none
        line |= {"diff_low": float(low), "diff_high": float(high), "p_bootstrap": _share(beyond)}
    if trials:
        changed = np.array(
            [
                metric.score(stay @ first + ~stay @ second) - metric.score(~stay @ first + stay @ second)
                for stay in _exchanges(len(shared), trials, seed)
            ]
        )
        # An exchange that changes nothing is as extreme as the data; with few items there are many of those.
        line["p_randomisation"] = _share(np.abs(changed) >= found - NOISE)
    return line


def _samples(n: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each item is drawn, sample by sample; the same drawings as sacrebleu's."""
    random = np.random.default_rng(seed)
    for start in range(0, resamples, AT_ONCE):
        for drawn in random.choice(n, size=(min(AT_ONCE, resamples - start), n), replace=True):
            yield np.bincount(drawn, minlength=n).astype(np.float64)


def _exchanges(n: int, trials: int, seed: int) -> Iterator[npt.NDArray[np.bool_]]:
    """Yield which items stay where they are, trial by trial; the same as sacrebleu's."""
    yield from np.random.default_rng(seed).integers(2, size=(trials, n), dtype=bool)


def _share(beyond: npt.NDArray[np.bool_]) -> float:
    return (int(beyond.sum()) + 1) / (len(beyond) + 1)


def tested_sentences(rows: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> list[str]:
    """Say of two systems in what they differ for sure; of more the table has every pair."""
    said = []
    for name, label in labels.items():
        tested = [line for line in rows if line["metric"] == name and line.get("p_randomisation") is not None]
        if len(tested) != 1:
            continue
        line = tested[0]
        verb = "differ" if line["p_randomisation"] < 0.05 else "do not differ significantly"
        said.append(
            f"{line['a']} and {line['b']} {verb} in {label} by {number_text(line['diff'])}, approximate randomisation "
            f"over {line['n']:,} items: {p_text(line['p_randomisation'])}."
        )
    return said
