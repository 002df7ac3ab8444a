"""Tables of `perturb`: metrics by the share of spoilt texts, what is rewarded, slopes, and the texts themselves."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.methods.columns import declared_table, usual
from analysis.methods.overlap.scores import SARI_PARTS
from analysis.methods.overlap.system_outputs import Outputs
from analysis.methods.perturb.runs import Curve, Spoilt, texts_spoilt
from analysis.methods.perturb.slopes import slope_row
from analysis.methods.report import Column, named
from analysis.text.ngrams import ORDERS

NONE = "none"
NOISE = 1e-9
MOST_TEXT_ROWS = 20_000  # as many as an import of materials reads


@dataclass(frozen=True)
class Metric:
    """A metric or a part of one: `sign` is 1 where more is better, −1 where less is."""

    name: str
    label: str
    sign: int
    part_of: str = ""


METRICS = (
    Metric("fkgl", "FKGL", -1),
    Metric("bleu", "BLEU", 1),
    Metric("sari", "SARI", 1),
    Metric("words_per_sentence", "Words per sentence", -1, "FKGL"),
    Metric("syllables_per_word", "Syllables per word", -1, "FKGL"),
    *(Metric(f"precision_{n}", f"{n}-gram precision", 1, "BLEU") for n in range(1, ORDERS + 1)),
    Metric("brevity_penalty", "Brevity penalty", 1, "BLEU"),
    Metric("add_f1", "Add F1", 1, "SARI"),
    Metric("keep_f1", "Keep F1", 1, "SARI"),
    Metric("delete_f1", "Delete F1", 1, "SARI"),
    Metric("delete_precision", "Delete precision", 1, "SARI"),
)
MAIN = tuple(metric for metric in METRICS if not metric.part_of)

EDIT = Column("edit", "Edit", "text", meaning="How texts were spoilt.")
METRIC = usual("metric", meaning="FKGL, BLEU or SARI.")
BEFORE = Column("before", "Untouched", meaning="Its value when no text is spoilt.")
AFTER = Column("after", "Spoilt", meaning="Its value at the largest share of spoilt texts.")
CHANGE = Column("change", "Change", meaning="`after` minus `before`.")
REWARDED = Column("rewarded", "Rewarded", "boolean", meaning="Whether the metric is better afterwards.")
OF_PARTS = [Column(one.name, one.label, meaning=f"A part of {one.part_of}.") for one in METRICS if one.part_of]

SUMMARY = declared_table(
    "summary",
    "Is sabotage rewarded?",
    "One row per edit and metric: means over systems.",
    [EDIT, METRIC],
    Column("systems", "Systems", "integer", meaning="How many systems."),
    [BEFORE, AFTER, CHANGE],
    Column("change_low", "Lowest", meaning="The smallest change of a system."),
    Column("change_high", "Highest", meaning="The largest change of a system."),
    REWARDED,
    Column("systems_rewarded", "Systems rewarded", "integer", meaning="How many systems it rewards."),
    Column("systems_first", "Systems made first", "integer", meaning="How many would become the first."),
    detail="systems systems_rewarded systems_first",
)
REWARDS = declared_table(
    "rewarded",
    "What every edit does to every system",
    "One row per system, edit and metric or part of one. The other systems stay as they are in ranks.",
    "system",
    EDIT,
    usual("metric", meaning="The metric, or a part of one."),
    Column("part_of", "Part of", "text", meaning="The metric that it is a part of."),
    [BEFORE, AFTER, CHANGE],
    usual("sd", "SD over repetitions"),
    REWARDED,
    Column("repetitions_rewarded", "Repetitions rewarded", "share", meaning="Share of repetitions that are better."),
    Column("largest_gain", "Largest gain", meaning="The largest improvement at any share."),
    Column("at_share", "At % of texts", meaning="The share of that gain."),
    Column("rank_before", "Rank", "integer", meaning="Rank of the system, untouched."),
    Column("rank_after", "Rank when spoilt", "integer", meaning="Rank of the system at the largest share."),
    Column("first_from", "First from % of texts", meaning="The smallest share that makes it the first."),
    detail="part_of sd repetitions_rewarded at_share",
)
CURVES = declared_table(
    "curves",
    "Metrics by the share of spoilt texts",
    "One row per system, edit and share of spoilt texts, 0 first: means over repetitions.",
    "system",
    EDIT,
    Column("share", "% of texts", meaning="Share of texts that were spoilt."),
    Column("spoilt", "Texts", "integer", meaning="How many texts that is."),
    [
        column
        for one in MAIN
        for column in (
            Column(one.name, one.label, meaning="Of all texts together."),
            Column(f"{one.name}_sd", "SD", meaning="Standard deviation over repetitions."),
        )
    ],
    OF_PARTS,
)
NGRAMS = declared_table(
    "ngrams",
    "Parts of BLEU and SARI by n",
    "For untouched texts (edit none) and for the largest share of every edit.",
    "system",
    EDIT,
    Column("order", "n", "integer", meaning="Length of the n-grams."),
    Column("bleu_precision", "BLEU precision", meaning="Share of n-grams that are in a reference, in %."),
    named(OF_PARTS, " ".join(SARI_PARTS)),
)
EDITS = declared_table(
    "edits",
    "Texts that could be edited",
    "One row per edit.",
    EDIT,
    Column("texts", "Texts", "integer", meaning="All texts."),
    Column("edited", "Could be edited", "integer", meaning="Texts that were long enough."),
    Column("untouched", "Too short", "integer", meaning="Texts that were not."),
)
TEXTS = declared_table(
    "texts",
    "The texts, as they are and spoilt",
    "Every text untouched (edit none) and spoilt, as materials of a rating study.",
    "item text system",
    EDIT,
    Column("context", "Source", "text", meaning="What the text was made from."),
)
SLOPES = declared_table(
    "slopes",
    "Change per 10 % of texts spoilt",
    "One row per system, edit and metric: the line through the untouched value that fits the curve best.",
    "system",
    [EDIT, METRIC],
    Column("slope", "Change per 10 % of texts", meaning="Slope of that line."),
    "ci_low ci_high",
    Column("sure", "Sure", "boolean", meaning="Whether the interval leaves out 0."),
    REWARDED,
    Column("linear", "Share of the curve that is a line", "share", meaning="Near 1 where the slope tells the curve."),
)
TABLES = (SUMMARY, REWARDS, CURVES, SLOPES, NGRAMS, EDITS, TEXTS)


def curve_rows(spoilt: Spoilt) -> list[dict[str, Any]]:
    """Return one row per system, edit and share."""
    lines = []
    for curve in spoilt.curves:
        for place, share in enumerate(curve.shares):
            line: dict[str, Any] = {"system": curve.system, "edit": curve.edit, "share": share}
            line["spoilt"] = texts_spoilt(share, curve.texts)
            for metric in _known(curve):
                line[metric.name] = curve.mean(place, metric.name)
                if not metric.part_of:
                    line[f"{metric.name}_sd"] = _sd(curve.all(place, metric.name))
            lines.append(line)
    return lines


def reward_rows(spoilt: Spoilt) -> list[dict[str, Any]]:
    """Return one row per system, edit and metric: what the largest share of the edit does to it, and to its rank."""
    untouched = {
        (curve.system, metric.name): curve.mean(0, metric.name) for curve in spoilt.curves for metric in _known(curve)
    }
    return [_reward(curve, metric, untouched) for curve in spoilt.curves for metric in _known(curve)]


def ngram_rows(spoilt: Spoilt) -> list[dict[str, Any]]:
    """Return the parts of BLEU and SARI by order, of the untouched texts and with the largest share of every edit."""
    lines: list[dict[str, Any]] = []
    seen: set[str] = set()
    for curve in spoilt.curves:
        shown = ((NONE, 0), (curve.edit, 1)) if curve.system not in seen else ((curve.edit, 1),)
        seen.add(curve.system)
        lines += [
            {"system": curve.system, "edit": edit, "order": order, **values}
            for edit, which in shown
            for order, values in enumerate(curve.orders[which], start=1)
        ]
    return lines


def summary_rows(rewards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row per main metric and edit: the mean change over systems, its range, and how many it rewards."""
    summary = []
    for metric in MAIN:
        for edit in dict.fromkeys(line["edit"] for line in rewards if line["metric"] == metric.label):
            every = [line for line in rewards if line["metric"] == metric.label and line["edit"] == edit]
            known = [line for line in every if line.get("change") is not None]
            row: dict[str, Any] = {"edit": edit, "metric": metric.label, "systems": len(every)}
            if known:
                row |= {name: statistics.fmean(line[name] for line in known) for name in ("before", "after", "change")}
                row |= {
                    "change_low": min(line["change"] for line in known),
                    "change_high": max(line["change"] for line in known),
                    "rewarded": metric.sign * row["change"] > NOISE,
                    "systems_rewarded": sum(line["rewarded"] for line in known),
                    "systems_first": sum(line.get("first_from") is not None for line in known),
                }
            summary.append(row)
    return summary


def slope_rows(spoilt: Spoilt, *, resamples: int) -> list[dict[str, Any]]:
    """Return how much each main metric changes per 10 % of texts that are spoilt, for every system and edit."""
    return [
        {
            "system": curve.system,
            "edit": curve.edit,
            "metric": metric.label,
            **slope_row(
                curve.shares,
                [curve.mean(place, metric.name) for place in range(len(curve.shares))],
                curve.slopes.get(metric.name, ()),
                sign=metric.sign,
                resamples=resamples,
            ),
        }
        for curve in spoilt.curves
        for metric in _known(curve)
        if not metric.part_of
    ]


def edit_counts(spoilt: Spoilt) -> pd.DataFrame:
    """Return in how many texts every edit could be made."""
    of_curves = pd.DataFrame([vars(curve) for curve in spoilt.curves])
    counts = of_curves.groupby("edit", sort=False, as_index=False)[["texts", "edited"]].sum()
    return counts.assign(untouched=counts["texts"] - counts["edited"])


def version_rows(spoilt: Spoilt, read: Outputs, edits: Sequence[str]) -> list[dict[str, Any]]:
    """Return texts as they are and under every edit, as they were spoilt in the first repetition, ready to be rated.

    Materials need every item in every condition, so a text that one of the edits cannot be made in is left out, and of
    several texts of a system for one item the first is taken. Of very many items those are taken that lie evenly over
    the data, so that the table can still be imported.
    """
    lines: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    every = list(dict.fromkeys(output.item for output in read.outputs))
    most = max(1, MOST_TEXT_ROWS // (len(read.systems) * (len(edits) + 1)))
    items = set(every if len(every) <= most else (every[place * len(every) // most] for place in range(most)))
    for at, output in enumerate(read.outputs):
        if output.item not in items:
            continue
        versions = {edit: spoilt.versions[edit, at] for edit in edits}
        if (output.system, output.item) in seen or None in versions.values():
            continue
        seen.add((output.system, output.item))
        about = {"item": output.item, "system": output.system, "context": " ".join(output.source.split())}
        untouched = " ".join(output.text.split())
        lines += [about | {"edit": edit, "text": text} for edit, text in {NONE: untouched, **versions}.items()]
    return lines


def _known(curve: Curve) -> list[Metric]:
    return [metric for metric in METRICS if metric.name in curve.values[0][0]]


def _reward(curve: Curve, metric: Metric, untouched: dict[tuple[str, str], float | None]) -> dict[str, Any]:
    last = len(curve.shares) - 1
    before, after = curve.mean(0, metric.name), curve.mean(last, metric.name)
    line: dict[str, Any] = {"system": curve.system, "edit": curve.edit, "metric": metric.label}
    line |= {"part_of": metric.part_of, "before": before, "after": after}
    if before is None or after is None:
        return line
    gains = [metric.sign * (value - before) for value in curve.all(last, metric.name) if value is not None]
    means = [curve.mean(place, metric.name) for place in range(1, last + 1)]
    best = max((metric.sign * (mean - before), -place) for place, mean in enumerate(means, start=1) if mean is not None)
    line |= {
        "change": after - before,
        "sd": _sd(gains),
        "rewarded": metric.sign * (after - before) > NOISE,
        "repetitions_rewarded": sum(gain > NOISE for gain in gains) / len(gains),
    }
    if best[0] > NOISE:
        line |= {"largest_gain": best[0], "at_share": curve.shares[-best[1]]}
    others = [
        value
        for (system, name), value in untouched.items()
        if name == metric.name and system != curve.system and value is not None
    ]
    if others:
        line["rank_before"] = _rank(before, others, metric.sign)
        line["rank_after"] = _rank(after, others, metric.sign)
        if line["rank_before"] > 1:
            ranked = zip(curve.shares[1:], means, strict=True)
            first = (share for share, mean in ranked if mean is not None and _rank(mean, others, metric.sign) == 1)
            line["first_from"] = next(first, None)
    return line


def _rank(value: float, others: list[float], sign: int) -> int:
    return 1 + sum(sign * other > sign * value + NOISE for other in others)


def _sd(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.stdev(known) if len(known) > 1 else None
