"""The tables of `perturb`."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.methods.overlap.system_outputs import Outputs
from analysis.methods.perturb.runs import Curve, Spoilt
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

CURVE_COLUMNS = (
    Column("system", "System", "text"),
    Column("edit", "Edit", "text"),
    Column("share", "% of texts"),
    Column("spoilt", "Texts", "integer"),
    *(column for metric in MAIN for column in (Column(metric.name, metric.label), Column(f"{metric.name}_sd", "SD"))),
    *(Column(metric.name, metric.label) for metric in METRICS if metric.part_of),
)
REWARD_COLUMNS = (
    *named(CURVE_COLUMNS, "system edit"),
    Column("metric", "Metric", "text"),
    Column("part_of", "Part of", "text"),
    Column("before", "Untouched"),
    Column("after", "Spoilt"),
    Column("change", "Change"),
    Column("sd", "SD over repetitions"),
    Column("rewarded", "Rewarded", "boolean"),
    Column("repetitions_rewarded", "Repetitions rewarded", "share"),
    Column("largest_gain", "Largest gain"),
    Column("at_share", "At % of texts"),
    Column("rank_before", "Rank", "integer"),
    Column("rank_after", "Rank when spoilt", "integer"),
    Column("first_from", "First from % of texts"),
)
NGRAM_COLUMNS = (
    *named(CURVE_COLUMNS, "system edit"),
    Column("order", "n", "integer"),
    Column("bleu_precision", "BLEU precision"),
    *named(CURVE_COLUMNS, "add_f1 keep_f1 delete_f1 delete_precision"),
)
SUMMARY_COLUMNS = (
    Column("edit", "Edit", "text"),
    Column("metric", "Metric", "text"),
    Column("systems", "Systems", "integer"),
    Column("before", "Untouched"),
    Column("after", "Spoilt"),
    Column("change", "Change"),
    Column("change_low", "Lowest"),
    Column("change_high", "Highest"),
    Column("rewarded", "Rewarded", "boolean"),
    Column("systems_rewarded", "Systems rewarded", "integer"),
    Column("systems_first", "Systems made first", "integer"),
)
EDIT_COLUMNS = (
    Column("edit", "Edit", "text"),
    Column("texts", "Texts", "integer"),
    Column("edited", "Could be edited", "integer"),
    Column("untouched", "Too short", "integer"),
)
TEXT_COLUMNS = (
    Column("item", "Item", "text"),
    Column("text", "Text", "text"),
    *named(CURVE_COLUMNS, "system edit"),
    Column("context", "Source", "text"),
)


def curve_rows(spoilt: Spoilt, places: dict[str, list[int]]) -> list[dict[str, Any]]:
    """Return one row per system, edit and share; `places` says how many texts of a system each share is."""
    lines = []
    for curve in spoilt.curves:
        for place, share in enumerate(curve.shares):
            line: dict[str, Any] = {
                "system": curve.system,
                "edit": curve.edit,
                "share": share,
                "spoilt": places[curve.system][place],
            }
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


def summary_rows(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row per edit and main metric: the mean change over systems, its range, and how many it rewards."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in lines:
        if not line["part_of"]:
            groups.setdefault((line["edit"], line["metric"]), []).append(line)
    signs = {metric.label: metric.sign for metric in MAIN}
    summary = []
    for (edit, metric), of_systems in groups.items():
        known = [line for line in of_systems if line.get("change") is not None]
        row: dict[str, Any] = {"edit": edit, "metric": metric, "systems": len(of_systems)}
        if known:
            changes = [line["change"] for line in known]
            change = statistics.fmean(changes)
            row |= {
                "before": statistics.fmean(line["before"] for line in known),
                "after": statistics.fmean(line["after"] for line in known),
                "change": change,
                "change_low": min(changes),
                "change_high": max(changes),
                "rewarded": signs[metric] * change > NOISE,
                "systems_rewarded": sum(line["rewarded"] for line in known),
                "systems_first": sum(line.get("first_from") is not None for line in known),
            }
        summary.append(row)
    return sorted(summary, key=lambda row: [metric.label for metric in MAIN].index(row["metric"]))


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


def edit_rows(spoilt: Spoilt) -> list[dict[str, Any]]:
    """Return in how many texts every edit could be made."""
    counts: dict[str, list[int]] = {}
    for curve in spoilt.curves:
        texts, edited = counts.get(curve.edit, [0, 0])
        counts[curve.edit] = [texts + curve.texts, edited + curve.edited]
    return [
        {"edit": edit, "texts": texts, "edited": edited, "untouched": texts - edited}
        for edit, (texts, edited) in counts.items()
    ]


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
        for edit, version in {NONE: " ".join(output.text.split()), **versions}.items():
            lines.append(
                {
                    "item": output.item,
                    "text": version,
                    "system": output.system,
                    "edit": edit,
                    "context": " ".join(output.source.split()),
                }
            )
    return lines


def _known(curve: Curve) -> list[Metric]:
    return [metric for metric in METRICS if metric.name in curve.values[0][0]]


def _reward(curve: Curve, metric: Metric, untouched: dict[tuple[str, str], float | None]) -> dict[str, Any]:
    before, after = curve.mean(0, metric.name), curve.mean(len(curve.shares) - 1, metric.name)
    line: dict[str, Any] = {
        "system": curve.system,
        "edit": curve.edit,
        "metric": metric.label,
        "part_of": metric.part_of,
        "before": before,
        "after": after,
    }
    if before is None or after is None:
        return line
    gains = [
        metric.sign * (value - before) for value in curve.all(len(curve.shares) - 1, metric.name) if value is not None
    ]
    means = [curve.mean(place, metric.name) for place in range(1, len(curve.shares))]
    best = max((metric.sign * (mean - before), -place) for place, mean in enumerate(means, start=1) if mean is not None)
    line |= {
        "change": after - before,
        "sd": _sd(gains),
        "rewarded": metric.sign * (after - before) > NOISE,
        "repetitions_rewarded": sum(gain > NOISE for gain in gains) / len(gains),
        "largest_gain": best[0] if best[0] > NOISE else None,
        "at_share": curve.shares[-best[1]] if best[0] > NOISE else None,
    }
    others = [
        value
        for (system, name), value in untouched.items()
        if name == metric.name and system != curve.system and value is not None
    ]
    if others:
        line["rank_before"] = _rank(before, others, metric.sign)
        line["rank_after"] = _rank(after, others, metric.sign)
        if line["rank_before"] > 1:
            first = [
                share
                for share, mean in zip(curve.shares[1:], means, strict=True)
                if mean is not None and _rank(mean, others, metric.sign) == 1
            ]
            line["first_from"] = first[0] if first else None
    return line


def _rank(value: float, others: list[float], sign: int) -> int:
    return 1 + sum(sign * other > sign * value + NOISE for other in others)


def _sd(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.stdev(known) if len(known) > 1 else None
