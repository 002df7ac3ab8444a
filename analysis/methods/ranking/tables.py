"""Tables, figures and sentences of `ranking`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import FromData, declared_table, shares, usual
from analysis.methods.ranking.accuracies import LEVELS, Accuracy, interval
from analysis.methods.ranking.folding import META
from analysis.methods.ranking.rankers import ALL, CONTINUITY, LENGTH, WITHIN, WITHOUT, Ranked, is_ablated
from analysis.methods.ranking.splits import Shares
from analysis.methods.ranking.texts import Texts
from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import percent_text, share_text
from analysis.text.quality.measuring import class_of

CHANCE = 0.5
_SCORE = Column("score", "Rating", "text", meaning="The rating.")
_FEATURES = Column(
    "features", "Features", "text", meaning="A class, `length` alone, `all` classes, or the `meta` ranker."
)
_LEVEL = usual("level", meaning="`input`: pairs of texts of one input; `system`: pairs of systems by their means.")
_ACCURACY = Column("accuracy", "Accuracy", "share", meaning="Share of pairs ordered as people order them.")
ACCURACY = declared_table(
    "accuracy",
    "Pairwise accuracy on inputs that were not trained on",
    "How often rankers order two texts as their mean ratings do, mean over folds. `length` is the logarithm of the "
    "number of words, `all` one ranker of all classes, `meta` a ranker on the predictions of the classes. Means of "
    "systems are over all inputs that are tested or, with system_level=within-folds, over those of a fold.",
    [_SCORE, _FEATURES, _LEVEL],
    Column("pairs", "Pairs", "integer", meaning="Pairs whose mean ratings differ."),
    Column("tied", "Tied", "integer", meaning="Pairs with equal mean ratings, which are left out."),
    _ACCURACY,
    shares("ci_low ci_high"),
    Column("baseline", "Chance", "share", meaning="The accuracy that chance gives."),
    detail="tied baseline",
    order=("features: meta all length", "level: system input"),
)
_ABLATED = (
    _SCORE,
    Column("without", "Without", "text", meaning="What was taken away."),
    _LEVEL,
    _ACCURACY,
    Column(
        "change", "Change", "share", meaning="This accuracy minus that with nothing taken away; its interval follows."
    ),
    *shares("ci_low ci_high"),
)
ABLATION = declared_table(
    "ablation", "All classes without one", "Accuracy of all classes but one.", _ABLATED, when="with several classes"
)
COMPONENTS = declared_table(
    CONTINUITY,
    f"The class {CONTINUITY} without one of its components",
    "Accuracy of the class continuity without cosine (similarity of adjacent sentences), coreference (places of "
    "possible antecedents) or source context.",
    _ABLATED,
    when="with the class continuity, where several of its components are there",
)
SPLITS = declared_table(
    "splits",
    "Accuracies over random divisions of the inputs into folds",
    "How far accuracies depend on the division of the inputs into folds; the interval is mean ± z · SD.",
    [_SCORE, _FEATURES, _LEVEL],
    Column("splits", "Divisions", "integer", meaning="How many divisions, that of the other tables among them."),
    Column("mean", "Mean accuracy", "share", meaning="Mean over divisions."),
    "sd",
    Column("lowest", "Lowest", "share", meaning="The lowest accuracy of a division."),
    Column("highest", "Highest", "share", meaning="The highest accuracy of a division."),
    shares("ci_low ci_high"),
    when="with splits > 1",
)
WEIGHTS = declared_table(
    "weights",
    "Weights in standard deviations of the features; above zero speaks for a text",
    "Weights of rankers trained on all inputs, the heaviest first.",
    _SCORE,
    Column("class", "Class", "text", meaning="The class of the feature."),
    Column("feature", "Feature", "text", meaning="The feature."),
    Column("weight", "Weight among all", meaning="Per standard deviation, among all features."),
    Column(
        "weight_alone", "Weight within its class", meaning="Per standard deviation, among the features of its class."
    ),
)
META_WEIGHTS = declared_table(
    "meta",
    "Weights of the classes in the meta ranker",
    "One row per class of features.",
    _SCORE,
    Column("features", "Features", "text", meaning="The class."),
    Column("weight", "Weight", meaning="Mean over folds."),
    Column("lowest", "Lowest", meaning="The lowest weight in a fold."),
    Column("highest", "Highest", meaning="The highest weight in a fold."),
    when="with several classes",
)
FEATURES = declared_table(
    "features",
    "The texts",
    "One row per text.",
    Column("item", "Input", "text", meaning="The input that texts share."),
    "system text",
    Column("n", "Ratings", "integer", meaning="How many rows were averaged."),
    FromData(
        "ratings",
        "The mean of each rating, and `<rating>_predicted`, the score by all features of the ranker that did not see "
        "the input, comparable within an input only.",
        "number",
    ),
    FromData("features", "Every feature, by class; the page of the method lists them.", "number"),
)
TABLES = (ACCURACY, ABLATION, COMPONENTS, SPLITS, WEIGHTS, META_WEIGHTS, FEATURES)


def accuracy_table(results: Sequence[Ranked], *, confidence: float) -> Table:
    """Return the accuracy of every set of features but the ablated ones."""
    return ACCURACY.of(
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
        for result, level, name, found in _accuracies(results)
        if not is_ablated(name)
    )


def ablation_tables(results: Sequence[Ranked], *, confidence: float) -> list[Table]:
    """Return how accuracies change without each class, and without each component of the class continuity.

    Leave out the table of what has no parts to take away.
    """
    tables = []
    for declaration, begin, whole in ((ABLATION, WITHOUT, ALL), (COMPONENTS, WITHIN, CONTINUITY)):
        lines = [
            {
                "score": result.score,
                "without": name.removeprefix(begin),
                "level": level,
                "accuracy": found.value,
                "change": found.value - result.found[whole][level].value,
                **difference(found, result.found[whole][level], confidence),
            }
            for result, level, name, found in _accuracies(results)
            if name.startswith(begin)
        ]
        if lines:
            tables.append(declaration.of(lines))
    return tables


def _accuracies(results: Sequence[Ranked]) -> Iterator[tuple[Ranked, str, str, Accuracy]]:
    """Yield rating, level, set of features and accuracy."""
    for result in results:
        for level in LEVELS:
            for name, levels in result.found.items():
                if level in levels:
                    yield result, level, name, levels[level]


def splits_table(results: Sequence[Ranked], divided: Sequence[Shares], *, confidence: float) -> Table:
    """Return how far accuracies depend on the division of the inputs into folds."""
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    lines = []
    for result, found in zip(results, divided, strict=True):
        for (name, level), values in found.items():
            mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
            ends = {"ci_low": max(0.0, mean - z * sd), "ci_high": min(1.0, mean + z * sd)}
            of_values = {"mean": mean, "sd": sd, "lowest": min(values), "highest": max(values)}
            about = {"score": result.score, "features": name, "level": level, "splits": len(values)}
            lines.append(about | of_values | ends)
    return SPLITS.of(lines)


def difference(found: Accuracy, other: Accuracy, confidence: float) -> dict[str, float | None]:
    """Return the interval of a difference between two sets of features on the same draws."""
    return _interval(found.value - other.value, found.draws - other.draws, confidence, low=-1.0)


def _interval(value: float, draws: Floats, confidence: float, *, low: float) -> dict[str, float | None]:
    below, above = interval(value, draws, confidence)
    if below is None or above is None:
        return {"ci_low": None, "ci_high": None}
    return {"ci_low": max(low, below), "ci_high": min(1.0, above)}


def weights_table(results: Sequence[Ranked], names: Sequence[str], used: Sequence[int]) -> Table:
    """Return the weight of every feature among all, and among those of its class."""
    every = pd.DataFrame({"class": map(class_of, names), "feature": names})
    found = []
    for result in results:
        of_result = every.assign(score=result.score, weight=result.weights, weight_alone=result.alone).iloc[list(used)]
        heaviest = of_result["weight"].round(9).abs().sort_values(ascending=False, kind="stable").index
        found.append(of_result.loc[heaviest])
    return WEIGHTS.of(pd.concat(found))


def meta_tables(results: Sequence[Ranked], classes: Sequence[str]) -> list[Table]:
    """Return the weights of the meta rankers over folds; nothing where there is one class."""
    lines = [
        {"score": result.score, "features": name, "weight": own.mean(), "lowest": own.min(), "highest": own.max()}
        for result in results
        if result.meta is not None
        for name, own in zip(classes, result.meta.T, strict=True)
    ]
    return [META_WEIGHTS.of(lines)] if lines else []


def features_table(texts: Texts, results: Sequence[Ranked], names: Sequence[str], features: Floats) -> Table:
    """Return the texts with their ratings, their scores by the ranker that did not see the input, and features."""
    taken = {"item", "system", "text", "n", *names}
    about = pd.DataFrame(
        {
            "item": np.array(texts.item_names, dtype=object)[texts.items],
            "system": np.array(texts.system_names, dtype=object)[texts.systems],
            "text": texts.texts,
            "n": texts.rows,
        }
    )
    columns = []
    for result in results:
        name, predicted = result.score, f"{result.score}_predicted"
        rating = f"{name}_rating" if name in taken else name
        about[rating], about[predicted] = texts.ratings[name], result.predicted
        columns += [Column(rating, name), Column(predicted, f"{name}, predicted")]
    return FEATURES.of(
        pd.concat([about, pd.DataFrame(features, columns=list(names))], axis=1),
        ratings=columns,
        # Spaces, so that a heading can be broken into lines.
        features={name.replace("_", " "): name for name in names},
    )


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
        length = result.found[LENGTH]["input"]
        text = (
            f"{result.score}: {what} put {share_text(own.value)} of {own.pairs:,} pairs of texts in the order that "
            f"people gave them{between}; length alone {share_text(length.value)}, chance .50."
        )
        systems = result.found[main].get("system")
        if systems is not None and not np.isnan(systems.value):
            text += f" Of {systems.pairs:,} pairs of systems it was {share_text(systems.value)}."
        said.append(text)
    return tuple(said)
