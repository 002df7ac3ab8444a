"""The tables, figures and sentences of `ranking`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.ranking.accuracies import LEVELS, Accuracy, interval
from analysis.methods.ranking.folding import META
from analysis.methods.ranking.rankers import ALL, LENGTH, WITHIN, WITHOUT, Ranked, is_ablated
from analysis.methods.ranking.splits import Shares
from analysis.methods.ranking.texts import Texts
from analysis.methods.report import SHARE_INTERVAL, Column, Figure, Table
from analysis.methods.wording import percent_text, share_text
from analysis.text.quality.measuring import class_of

CHANCE = 0.5
_SCORE = Column("score", "Rating", "text")
ACCURACY = (
    _SCORE,
    Column("features", "Features", "text"),
    Column("level", "Level", "text"),
    Column("pairs", "Pairs", "integer"),
    Column("tied", "Tied", "integer"),
    Column("accuracy", "Accuracy", "share"),
    *SHARE_INTERVAL,
    Column("baseline", "Chance", "share"),
)
ABLATION = (
    _SCORE,
    Column("without", "Without", "text"),
    Column("level", "Level", "text"),
    Column("accuracy", "Accuracy", "share"),
    Column("change", "Change", "share"),
    *SHARE_INTERVAL,
)
SPLITS = (
    _SCORE,
    Column("features", "Features", "text"),
    Column("level", "Level", "text"),
    Column("splits", "Divisions", "integer"),
    Column("mean", "Mean accuracy", "share"),
    Column("sd", "SD"),
    Column("lowest", "Lowest", "share"),
    Column("highest", "Highest", "share"),
    *SHARE_INTERVAL,
)
WEIGHTS = (
    _SCORE,
    Column("class", "Class", "text"),
    Column("feature", "Feature", "text"),
    Column("weight", "Weight among all"),
    Column("weight_alone", "Weight within its class"),
)
META_WEIGHTS = (
    _SCORE,
    Column("features", "Features", "text"),
    Column("weight", "Weight"),
    Column("lowest", "Lowest"),
    Column("highest", "Highest"),
)


def accuracy_table(results: Sequence[Ranked], *, confidence: float) -> Table:
    """Return the accuracy of every set of features but the ablated ones."""
    return Table.from_rows(
        "accuracy",
        "Pairwise accuracy on inputs that were not trained on",
        ACCURACY,
        [
            {
                "score": result.score,
                "features": name,
                "level": level,
                "pairs": found.pairs,
                "tied": found.tied,
                "accuracy": found.value,
                "baseline": CHANCE,
                **_interval(found.value, found.draws, confidence, low=0.0),
            }
            for result in results
            for level in LEVELS
            for name, levels in result.found.items()
            if not is_ablated(name) and (found := levels.get(level)) is not None
        ],
    )


def ablation_table(results: Sequence[Ranked], *, confidence: float, within: str = "") -> Table | None:
    """Return how the accuracy of all classes changes without each, or that of the class `within` without each of its
    components; None where nothing can be taken away.
    """
    begin, whole_name = (WITHIN, within) if within else (WITHOUT, ALL)
    lines: list[dict[str, Any]] = []
    for result in results:
        for level in LEVELS:
            for name, levels in result.found.items():
                if not name.startswith(begin) or level not in levels:
                    continue
                found, whole = levels[level], result.found[whole_name][level]
                lines.append(
                    {
                        "score": result.score,
                        "without": name.removeprefix(begin),
                        "level": level,
                        "accuracy": found.value,
                        "change": found.value - whole.value,
                        **difference(found, whole, confidence),
                    }
                )
    title = f"The class {within} without one of its components" if within else "All classes without one"
    return Table.from_rows(within or "ablation", title, ABLATION, lines) if lines else None


def splits_table(results: Sequence[Ranked], shares: Sequence[Shares], *, confidence: float) -> Table:
    """Return how far accuracies hang on the division of the inputs into folds."""
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    lines = []
    for result, found in zip(results, shares, strict=True):
        for (name, level), values in found.items():
            mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
            lines.append(
                {
                    "score": result.score,
                    "features": name,
                    "level": level,
                    "splits": len(values),
                    "mean": mean,
                    "sd": sd,
                    "lowest": min(values),
                    "highest": max(values),
                    "ci_low": max(0.0, mean - z * sd),
                    "ci_high": min(1.0, mean + z * sd),
                }
            )
    return Table.from_rows("splits", "Accuracies over random divisions of the inputs into folds", SPLITS, lines)


def difference(found: Accuracy, other: Accuracy, confidence: float) -> dict[str, float | None]:
    """Return the interval of a difference between two sets of features on the same draws."""
    return _interval(found.value - other.value, found.draws - other.draws, confidence, low=-1.0)


def _interval(value: float, draws: Floats, confidence: float, *, low: float) -> dict[str, float | None]:
    below, above = interval(value, draws, confidence)
    if below is None or above is None:
        return {"ci_low": None, "ci_high": None}
    return {"ci_low": max(low, below), "ci_high": min(1.0, above)}


def weights_table(results: Sequence[Ranked], names: Sequence[str], used: Sequence[int]) -> Table:
    """Return the weight of every feature among all, and among those of its class, trained on all inputs; the heaviest
    first.
    """
    return Table.from_rows(
        "weights",
        "Weights in standard deviations of the features; above zero speaks for a text",
        WEIGHTS,
        [
            {
                "score": result.score,
                "class": class_of(names[at]),
                "feature": names[at],
                "weight": float(result.weights[at]),
                "weight_alone": float(result.alone[at]),
            }
            for result in results
            for at in sorted(used, key=lambda at: -abs(round(float(result.weights[at]), 9)))
        ],
    )


def meta_table(results: Sequence[Ranked], classes: Sequence[str]) -> Table | None:
    """Return the weights of the meta rankers over folds; None where there is one class."""
    lines = [
        {
            "score": result.score,
            "features": name,
            "weight": float(column.mean()),
            "lowest": float(column.min()),
            "highest": float(column.max()),
        }
        for result in results
        if result.meta is not None
        for name, column in zip(classes, result.meta.T, strict=True)
    ]
    return Table.from_rows("meta", "Weights of the classes in the meta ranker", META_WEIGHTS, lines) if lines else None


def features_table(texts: Texts, results: Sequence[Ranked], names: Sequence[str], features: Floats) -> Table:
    """Return one row per text: its ratings, the scores of the ranker that did not see its input, its features."""
    taken = {"item", "system", "text", "n", *names}
    rating = {name: f"{name}_rating" if name in taken else name for name in texts.ratings}
    columns = [
        Column("item", "Input", "text"),
        Column("system", "System", "text"),
        Column("text", "Text", "text"),
        Column("n", "Ratings", "integer"),
    ]
    for name, shown in rating.items():
        columns += [Column(shown, name), Column(f"{name}_predicted", f"{name}, predicted")]
    # Spaces, so that a heading can be broken into lines.
    columns += [Column(name, name.replace("_", " ")) for name in names]
    rows: list[dict[str, Any]] = []
    for at, (item, system) in enumerate(zip(texts.items, texts.systems, strict=True)):
        row: dict[str, Any] = {
            "item": texts.item_names[item],
            "system": texts.system_names[system],
            "text": texts.texts[at],
            "n": int(texts.rows[at]),
        }
        for result in results:
            row[rating[result.score]] = float(texts.ratings[result.score][at])
            row[f"{result.score}_predicted"] = float(result.predicted[at])
        rows.append(row | dict(zip(names, features[at].tolist(), strict=True)))
    return Table.from_rows("features", "The texts", columns, rows)


def figures(results: Sequence[Ranked], *, confidence: float, ablated: bool) -> tuple[Figure, ...]:
    """Return accuracies by class and level, and what is lost without each class; one picture per rating and level."""
    panel = {"panel": "level"} if len(results) == 1 else {"panel": "level", "colour": "score"}
    found = [
        Figure(
            name="accuracy",
            title="Pairwise accuracy",
            kind="intervals",
            table="accuracy",
            encoding={"x": "accuracy", "y": "features", "low": "ci_low", "high": "ci_high", **panel},
            caption=f"Share of pairs in the order that people gave them, on inputs that were not trained on, with "
            f"{percent_text(confidence)} intervals over inputs; the line is chance.",
            x_label="Accuracy",
            reference=CHANCE,
        )
    ]
    if ablated:
        found.append(
            Figure(
                name="ablation",
                title="What changes without a class",
                kind="intervals",
                table="ablation",
                encoding={"x": "change", "y": "without", "low": "ci_low", "high": "ci_high", **panel},
                caption=f"Accuracy without the class minus that of all classes, with {percent_text(confidence)} "
                "intervals; left of the line the class was of use beside the others.",
                x_label="Change in accuracy",
                reference=0.0,
            )
        )
    return tuple(found)


def sentences(results: Sequence[Ranked], *, confidence: float) -> tuple[str, ...]:
    """Return what to say about every rating."""
    said = []
    for result in results:
        main = META if META in result.found else next(iter(result.found))
        what = "the meta ranker" if main == META else main
        own = result.found[main]["input"]
        low, high = interval(own.value, own.draws, confidence)
        between = (
            f", {percent_text(confidence)} CI [{share_text(max(0.0, low))}, {share_text(min(1.0, high))}]"
            if low is not None and high is not None
            else ""
        )
        text = f"{result.score}: {what} put {_share(own)} of {own.pairs:,} pairs of texts in the order that people "
        text += f"gave them{between}"
        length = result.found[LENGTH]["input"]
        text += f"; length alone {_share(length)}, chance .50."
        systems = result.found[main].get("system")
        if systems is not None and not np.isnan(systems.value):
            text += f" Of {systems.pairs:,} pairs of systems it was {_share(systems)}."
        said.append(text)
    return tuple(said)


def _share(found: Accuracy) -> str:
    return share_text(found.value)
