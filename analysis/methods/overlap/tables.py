"""Tables of `overlap`: BLEU, SARI, chrF and TER of systems and texts, from counts that add up over texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.overlap.scores import SARI_PARTS, Numbers, Scored
from analysis.methods.report import Column
from analysis.text.bleu import bleu_score
from analysis.text.edits_and_characters import CHRF, TER, score_of
from analysis.text.ngrams import ORDERS
from analysis.text.sari import sari_score

OPERATIONS = ("add", "keep", "delete")

Places = npt.NDArray[np.intp]


def _scored(name: str, label: str, meaning: str) -> list[Column]:
    """Return a score and the ends of its interval."""
    low = Column(f"{name}_low", f"{label}, low", meaning="Lower end of the 95 % bootstrap interval over items.")
    high = Column(f"{name}_high", f"{label}, high", meaning="Upper end of the 95 % bootstrap interval over items.")
    return [Column(name, label, meaning=meaning), low, high]


BLEU, SARI = _scored("bleu", "BLEU", "From 0 to 100."), _scored("sari", "SARI", "From 0 to 100.")
CHRF_SCORE = _scored(CHRF.name, CHRF.label, "From 0 to 100, where it was asked for.")
TER_SCORE = _scored(TER.name, TER.label, "Edits per 100 tokens of a reference; less is better. Where it was asked for.")
OF_SARI = [
    Column("add_f1", "Add F1", meaning="F1 of n-grams that were added."),
    Column("keep_f1", "Keep F1", meaning="F1 of n-grams that were kept."),
    Column("delete_f1", "Delete F1", meaning="F1 of n-grams that were deleted."),
    Column("delete_precision", "Delete precision", meaning="Precision of n-grams that were deleted."),
]
SYSTEMS = declared_table(
    "systems",
    "BLEU and SARI of the systems",
    "Counts of all texts are added up before anything is divided. BLEU (Papineni et al. 2002) with the smoothing of "
    "sacrebleu; SARI (Xu et al. 2016) is the mean of Add F1, Keep F1 and the score of deletion that `delete` names.",
    "system",
    Column("n", "Texts", "integer", meaning="How many texts."),
    Column("words", "Tokens per text", meaning="Mean number of tokens."),
    BLEU,
    [Column(f"precision_{n}", f"{n}-gram precision", meaning="A part of BLEU.") for n in range(1, ORDERS + 1)],
    Column("brevity_penalty", "Brevity penalty", "share", meaning="A factor of BLEU, below 1 for short texts."),
    Column("length_ratio", "Length ratio", meaning="Tokens per token of the references."),
    SARI,
    OF_SARI,
    CHRF_SCORE,
    TER_SCORE,
    detail="words precision_1 precision_2 precision_3 precision_4 brevity_penalty length_ratio add_f1 keep_f1 "
    "delete_f1 delete_precision chrf_low chrf_high ter_low ter_high",
)
NGRAMS = declared_table(
    "ngrams",
    "What the scores are made of",
    "One row per system and length of n-grams.",
    "system",
    Column("order", "n", "integer", meaning="Length of the n-grams."),
    Column("bleu_precision", "BLEU precision", meaning="Share of n-grams that are in a reference, in %."),
    [
        Column(
            f"{operation}_{part}",
            f"{operation.capitalize()} {part if part != 'f1' else 'F1'}",
            meaning=f"A part of SARI: {part if part != 'f1' else 'F1'} of n-grams to {operation}.",
        )
        for operation in OPERATIONS
        for part in ("precision", "recall", "f1")
    ],
)
VARIANTS = declared_table(
    "variants",
    "The same metrics as others compute them",
    "One row per variant of a metric and system.",
    "system metric",
    Column("variant", "Variant", "text", meaning="Who computes it so."),
    usual("level", meaning="`corpus`: counts added up over texts; `texts`: mean over texts."),
    Column("delete", "Deletion", "text", meaning="How SARI scores deletion."),
    Column("score", "Score", meaning="From 0 to 100."),
    Column("rank", "Rank", "integer", meaning="Rank of the system under the variant; equal scores share one."),
)
REFERENCES = declared_table(
    "references",
    "Scores with fewer references",
    "Means over groups of references that have none in common; empty where texts have different numbers of them.",
    "system",
    Column("references", "References", "integer", meaning="How many references a group has."),
    Column("groups", "Groups", "integer", meaning="How many groups."),
    [BLEU[0], SARI[0]],
)
TEXTS = declared_table(
    "texts",
    "Scores of single texts",
    "One row per text. BLEU leaves out the orders that a text is too short for (effective order).",
    "system item",
    Column("words", "Tokens", "integer", meaning="How many tokens."),
    Column("references", "References", "integer", meaning="How many references."),
    [BLEU[0], SARI[0]],
    OF_SARI,
    [CHRF_SCORE[0], TER_SCORE[0]],
)


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
        of_bleu, of_sari, drawn = samples[system]
        line |= _interval("bleu", [bleu_score(total).score for total in of_bleu])
        if scored.has_source:
            line |= _sari_parts(scored.sari[at].sum(axis=0), delete=scored.delete)
            line |= _interval("sari", [sari_score(total, delete=scored.delete).score for total in of_sari])
        for name, counts in scored.further.items():
            line[name] = _further_score(scored, name, counts[at].sum(axis=0))
            line |= _interval(name, [_further_score(scored, name, times @ counts[at]) for times in drawn])
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
            for name, found in zip(OPERATIONS, orders[order], strict=True) if orders else ():
                line |= {f"{name}_{part}": getattr(found, part) for part in ("precision", "recall", "f1")}
            lines.append(line)
    return lines


def variant_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return one row per system and variant of a metric, each with the rank of the system under it."""

    def bleu_of_corpus(at: Places) -> float:
        return bleu_score(scored.bleu[at].sum(axis=0)).score

    def bleu_of_texts(at: Places) -> float:
        return float(np.mean([bleu_score(row, effective_order=True).score for row in scored.bleu[at]]))

    def sari_of_corpus(delete: str, at: Places) -> float:
        return sari_score(scored.sari[at].sum(axis=0), delete=delete).score

    def sari_of_texts(delete: str, at: Places) -> float:
        return float(np.mean([sari_score(row, delete=delete).score for row in scored.sari[at]]))

    def sari_by_kinds(at: Places) -> float:
        return float(np.array(scored.by_kinds)[at].mean())

    variants: list[tuple[str, str, str, str, Callable[[Places], float]]] = [
        ("BLEU", "sacrebleu", "corpus", "", bleu_of_corpus),
        ("BLEU", "mean of texts", "texts", "", bleu_of_texts),
    ]
    if scored.has_source:
        variants += [
            ("SARI", "EASSE, delete F1", "corpus", "f1", partial(sari_of_corpus, "f1")),
            ("SARI", "EASSE, delete precision", "corpus", "precision", partial(sari_of_corpus, "precision")),
            ("SARI", "mean of texts, delete F1", "texts", "f1", partial(sari_of_texts, "f1")),
            ("SARI", "mean of texts, delete precision", "texts", "precision", partial(sari_of_texts, "precision")),
            ("SARI", "script of Xu et al. (2016), mean of texts", "texts", "precision", sari_by_kinds),
        ]
    rows = []
    for *about, score in variants:
        scores = {system: score(scored.rows_of(system)) for system in scored.read.systems}
        told = dict(zip(("metric", "variant", "level", "delete"), about, strict=True))
        rows += [{"system": one, **told, "score": scores[one], "rank": _rank(scores, one)} for one in scores]
    return rows


def reference_rows(scored: Scored) -> list[dict[str, Any]]:
    """Return mean scores with 1, 2, 4, … and all references; nothing where texts have different numbers of them."""
    if not scored.same_references:
        return []
    every = {**scored.by_groups, scored.read.n_references[0]: [(scored.bleu, scored.sari)]}
    lines = []
    for system in scored.read.systems:
        at = scored.rows_of(system)
        for size, groups in every.items():
            line: dict[str, Any] = {"system": system, "references": size, "groups": len(groups)}
            line["bleu"] = float(np.mean([bleu_score(bleu[at].sum(axis=0)).score for bleu, _ in groups]))
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
    return {"sari": sari.score, **{name: getattr(sari, name) for name in SARI_PARTS}}


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
