"""The tables of `overlap`, made from counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.overlap.scores import Numbers, Scored
from analysis.text.bleu import bleu_score
from analysis.text.edits_and_characters import CHRF, TER, score_of
from analysis.text.ngrams import ORDERS
from analysis.text.sari import sari_score

OPERATIONS = ("add", "keep", "delete")


def system_rows(scored: Scored, *, resamples: int, seed: int) -> list[dict[str, Any]]:
    """Return one row per system: corpus-level scores with intervals over items."""
    samples = _samples(scored, resamples=resamples, seed=seed)
    lines = []
    for system in scored.read.systems:
        at = scored.rows_of(system)
        bleu = bleu_score(scored.bleu[at].sum(axis=0))
        line: dict[str, Any] = {
            "system": system,
            "n": len(at),
            "words": float(np.mean([scored.lengths[row] for row in at])),
            "bleu": bleu.score,
            **{f"precision_{n}": value for n, value in enumerate(bleu.precisions, start=1)},
            "brevity_penalty": bleu.brevity_penalty,
            "length_ratio": bleu.length_ratio,
        }
        line |= _interval("bleu", [bleu_score(total).score for total in samples[system][0]])
        if scored.has_source:
            line |= _sari_parts(scored.sari[at].sum(axis=0), delete=scored.delete)
            saris = [sari_score(total, delete=scored.delete).score for total in samples[system][1]]
            line |= _interval("sari", saris)
        for name, counts in scored.further.items():
            line[name] = _further_score(scored, name, counts[at].sum(axis=0))
            again = [_further_score(scored, name, times @ counts[at]) for times in samples[system][2]]
            line |= _interval(name, again)
        lines.append(line)
    return lines


def ngram_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return one row per system and order."""
    lines = []
    for system in scored.read.systems:
        at = scored.rows_of(system)
        precisions = bleu_score(scored.bleu[at].sum(axis=0)).precisions
        orders = sari_score(scored.sari[at].sum(axis=0)).orders if scored.has_source else ()
        for order in range(ORDERS):
            line: dict[str, Any] = {"system": system, "order": order + 1, "bleu_precision": precisions[order]}
            for name, operation in zip(OPERATIONS, orders[order], strict=True) if orders else ():
                line |= {
                    f"{name}_precision": operation.precision,
                    f"{name}_recall": operation.recall,
                    f"{name}_f1": operation.f1,
                }
            lines.append(line)
    return lines


def variant_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return one row per system and variant of a metric, each with the rank of the system under it."""
    variants: list[tuple[dict[str, str], Mapping[str, float]]] = []
    systems = {system: scored.rows_of(system) for system in scored.read.systems}

    def add(metric: str, variant: str, level: str, delete: str, score: Callable[[Any], float]) -> None:
        about = {"metric": metric, "variant": variant, "level": level, "delete": delete}
        variants.append((about, {system: score(at) for system, at in systems.items()}))

    def mean_of(counts: Numbers, score: Callable[[Numbers], float]) -> float:
        return float(np.mean([score(row) for row in counts]))

    add("BLEU", "sacrebleu", "corpus", "", lambda at: bleu_score(scored.bleu[at].sum(axis=0)).score)
    add(
        "BLEU",
        "mean of texts",
        "texts",
        "",
        lambda at: mean_of(scored.bleu[at], lambda row: bleu_score(row, effective_order=True).score),
    )
    if scored.has_source:
        for level, of in (("corpus", "EASSE"), ("texts", "mean of texts")):
            for delete in ("f1", "precision"):

                def score(at: Any, *, level: str = level, delete: str = delete) -> float:
                    if level == "corpus":
                        return sari_score(scored.sari[at].sum(axis=0), delete=delete).score
                    return mean_of(scored.sari[at], lambda row: sari_score(row, delete=delete).score)

                add("SARI", f"{of}, delete {'F1' if delete == 'f1' else delete}", level, delete, score)
        kinds = np.array(scored.by_kinds)
        add(
            "SARI",
            "script of Xu et al. (2016), mean of texts",
            "texts",
            "precision",
            lambda at: float(kinds[at].mean()),
        )
    return [
        {"system": system, **about, "score": scores[system], "rank": _rank(scores, system)}
        for about, scores in variants
        for system in systems
    ]


def reference_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return mean scores with 1, 2, 4, … and all references; nothing where texts have different numbers of them."""
    if not scored.same_references:
        return []
    every = {**scored.by_groups, scored.read.n_references[0]: [(scored.bleu, scored.sari)]}
    lines = []
    for system in scored.read.systems:
        at = scored.rows_of(system)
        for size, groups in every.items():
            line: dict[str, Any] = {
                "system": system,
                "references": size,
                "groups": len(groups),
                "bleu": float(np.mean([bleu_score(bleu[at].sum(axis=0)).score for bleu, _ in groups])),
            }
            if scored.has_source:
                saris = [sari_score(sari[at].sum(axis=0), delete=scored.delete).score for _, sari in groups]
                line["sari"] = float(np.mean(saris))
            lines.append(line)
    return lines


def text_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return one row per text."""
    lines = []
    for at, output in enumerate(scored.read.outputs):
        line: dict[str, Any] = {
            "system": output.system,
            "item": output.item,
            "words": scored.lengths[at],
            "references": len(output.references),
            "bleu": bleu_score(scored.bleu[at], effective_order=True).score,
        }
        if scored.has_source:
            line |= _sari_parts(scored.sari[at], delete=scored.delete)
        line |= {name: _further_score(scored, name, counts[at]) for name, counts in scored.further.items()}
        lines.append(line)
    return lines


def _further_score(scored: Scored, name: str, counts: Floats) -> float:
    return score_of(CHRF if name == CHRF.name else TER, counts, lowercase=scored.lowercase)


def _sari_parts(counts: Numbers, *, delete: str) -> dict[str, float]:
    sari = sari_score(counts, delete=delete)
    return {
        "sari": sari.score,
        "add_f1": sari.add_f1,
        "keep_f1": sari.keep_f1,
        "delete_f1": sari.delete_f1,
        "delete_precision": sari.delete_precision,
    }


def _samples(
    scored: Scored, *, resamples: int, seed: int
) -> dict[str, tuple[list[Numbers], list[Numbers], list[Numbers]]]:
    """Return the added counts of every system in every bootstrap sample, and how often each of its texts was drawn,
    where there are further metrics; an item is drawn for all systems at once. A sample without a
    text of a system says nothing of it and is left out; a system with one item has none."""
    items = {name: at for at, name in enumerate(dict.fromkeys(output.item for output in scored.read.outputs))}
    place = np.array([items[output.item] for output in scored.read.outputs], dtype=np.intp)
    rows = {system: scored.rows_of(system) for system in scored.read.systems}
    samples: dict[str, tuple[list[Numbers], list[Numbers], list[Numbers]]] = {system: ([], [], []) for system in rows}
    random = np.random.default_rng(seed)
    # One sample at a time: all of them together would fill the memory where there are many texts.
    for _ in range(resamples if len(items) > 1 else 0):
        times = np.bincount(random.integers(len(items), size=len(items)), minlength=len(items))[place]
        for system, at in rows.items():
            if len(set(place[at])) < 2 or not times[at].any():
                continue
            of_bleu, of_sari, drawn = samples[system]
            if scored.further:
                drawn.append(times[at])
            of_bleu.append(times[at] @ scored.bleu[at])
            if scored.has_source:
                of_sari.append(times[at] @ scored.sari[at])
    return samples


def _interval(name: str, scores: Sequence[float]) -> dict[str, float]:
    if not scores:
        return {}
    low, high = np.quantile(scores, (0.025, 0.975))
    return {f"{name}_low": float(low), f"{name}_high": float(high)}


def _rank(scores: Mapping[str, float], system: str) -> int:
    """Return 1 for the highest score; equal scores share a rank. Scores that differ in binary noise are equal."""
    return 1 + sum(other > scores[system] + 1e-9 for other in scores.values())
