"""The method `metric-vs-human`: correlate automatic metrics of texts with human ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.codes.intraclass import Intraclass, intraclass, one_way
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.judged import tables
from analysis.methods.judged.accuracy import ACCURACY
from analysis.methods.judged.halves import CEILING, ceiling_of_systems, ceiling_of_texts
from analysis.methods.judged.resampling import drawn, schemes_of
from analysis.methods.judged.texts import SCALES, Texts, columns_of, texts_of
from analysis.methods.judged.wording import cautions, denied_by_intervals, direction_remarks, notes_of, sentences_of
from analysis.methods.report import BadInput, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.seeds import check_seed
from analysis.methods.wording import listed

MOST_DRAWINGS = 20_000


def metric_vs_human(
    frame: pd.DataFrame,
    *,
    dv: str,
    metrics: Sequence[str],
    lower_is_better: Sequence[str] = (),
    direction: str = "signed",
    scale: str = "raw",
    participant: str | None = "participant",
    item: str | None = "item",
    condition: str | None = "condition",
    resamples: int = 1000,
    splits: int = 100,
    seed: int = 1,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare what automatic metrics say about texts with what people say about them.

    One row per rating, with the metrics of the rated text in every row; or one row per text with a mean rating. A text
    is an item in a condition, which is the system that wrote it (without a column `condition`, one called `system`).
    `dv` are the ratings, put on the scale `scale` (`z`, `z-population`, `log`, `log-z`: see `normalise`) before a
    text's are averaged. `metrics` are columns of numbers; `lower_is_better` names those of which less is better.

    Raises BadInput where fewer than three texts have a rating, a metric has no values, and for columns without numbers.

    >>> frame, parameters = example()
    >>> report = metric_vs_human(frame, **parameters)
    >>> print(report.sentences[0])
    overlap and people over 24 texts: r(22) = .65, p < .001, 95 % CI [.47, .78] from drawing items and participants \
again, ρ = .59, τ = .44.
    """
    _check(metrics, lower_is_better, resamples=resamples, splits=splits, confidence=confidence)
    check_seed(seed)
    columns = columns_of(frame, dv=dv, metrics=metrics, item=item, condition=condition, participant=participant)
    chosen = rows.select(
        frame,
        used=[dv, *columns.key(), *metrics],
        measured=[dv, *metrics],
        units=(participant, item),
        where=where,
        keep=keep,
    )
    notes, warnings = list(chosen.notes), list(chosen.warnings)
    texts = texts_of(chosen.frame, columns, scale=scale, notes=notes, warnings=warnings)
    schemes = schemes_of(texts)
    again = {}
    for place, scheme in enumerate(schemes):

        def watch(share: float, note: str, place: int = place) -> None:
            progress(0.05 + 0.8 * (place + share) / len(schemes), note)

        again[scheme] = drawn(texts, scheme, resamples=resamples, seed=seed, progress=watch)
    progress(0.85, "splitting the raters")
    of_texts = ceiling_of_texts(texts, splits=splits, seed=seed) if texts.people else None
    of_systems = ceiling_of_systems(texts, splits=splits, seed=seed)
    progress(0.95, "comparing metrics")
    declared = tables.declared_signs(texts.names, lower=lower_is_better)
    signs = tables.signs_for_strength(texts, declared, lower=lower_is_better) if direction == "absolute" else declared
    levels = [(tables.level_of_texts(texts), of_texts)]
    if len(texts.systems) > 2:
        levels.append((tables.level_of_systems(texts), of_systems))
    broadest = again.get("both", next(iter(again.values()), None))
    correlations: list[dict[str, Any]] = []
    compared: list[dict[str, Any]] = []
    accuracies: list[dict[str, Any]] = []
    for level, ceiling in levels:
        lines, problems = tables.correlation_rows(level, texts, again, ceiling=ceiling, confidence=confidence)
        pairs, untested = tables.williams_rows(level, texts, signs, broadest, confidence=confidence)
        correlations += lines
        compared += pairs
        accuracies += tables.accuracy_rows(level, texts, declared)
        warnings += [*problems, *untested]
    halves = ((tables.TEXT, of_texts), (tables.SYSTEM, of_systems))
    ceilings = [{"level": level, **found} for level, found in halves if found]
    reliability = _reliability(texts, confidence=confidence)
    turned, wrong_way = direction_remarks(texts, signs, correlations, lower=lower_is_better, direction=direction)
    notes += [
        *notes_of(texts, columns, scale=scale, schemes=schemes, resamples=resamples, splits=splits, seed=seed,
                  confidence=confidence, has_ceiling=bool(ceilings)),
        *turned, *reliability.notes,
    ]  # fmt: skip
    denied = denied_by_intervals(correlations, compared)
    warnings += [*wrong_way, *denied, *cautions(texts, columns, schemes=schemes), *reliability.warnings]
    label = dv if scale == "raw" else f"{dv} ({scale})"
    means = [tables.systems_table(texts, tables.level_of_systems(texts), human=label)] if texts.systems else []
    return Report(
        tables=(
            tables.CORRELATIONS.of(correlations, dv=dv),
            tables.WILLIAMS.of(compared),
            ACCURACY.of(accuracies),
            CEILING.of(ceilings),
            tables.RELIABILITY.of(reliability.rows, dv=dv),
            *means,
            tables.texts_table(texts, human=label),
        ),
        figures=_figures(texts, dv=label, correlations=correlations),
        notes=tuple(notes),
        warnings=tuple(dict.fromkeys(warnings)),
        sentences=tuple(sentences_of(correlations, compared, ceilings, reliability.rows, confidence=confidence)),
    )


def _check(metrics: Sequence[str], lower: Sequence[str], *, resamples: int, splits: int, confidence: float) -> None:
    if not metrics:
        raise BadInput("metrics is empty; name the columns of automatic metrics, such as metrics=bleu,sari.")
    unknown = [name for name in lower if name not in metrics]
    if unknown:
        raise BadInput(f"lower_is_better: {listed(unknown)} is not among the metrics; name it there as well.")
    check_confidence(confidence)
    for name, value in (("resamples", resamples), ("splits", splits)):
        if not 10 <= value <= MOST_DRAWINGS:
            raise BadInput(f"{name} must lie between 10 and {MOST_DRAWINGS:,}; {value:,} does not.")


def _reliability(texts: Texts, *, confidence: float) -> Intraclass:
    """Return ICC(1), and the other forms where everybody rated every text."""
    people = np.unique(texts.person_of)
    if not texts.people or len(people) < 2 or int(texts.ratings.max()) < 2:
        return Intraclass(())
    if not texts.is_crossed:
        return one_way(texts.score, texts.text_of, confidence=confidence)
    ratings = np.full((len(texts.human), len(people)), np.nan)
    ratings[texts.text_of, np.searchsorted(people, texts.person_of)] = texts.score
    return intraclass(ratings, confidence=confidence)


def _figures(texts: Texts, *, dv: str, correlations: Sequence[dict[str, Any]]) -> tuple[Figure, ...]:
    """Return the metric that goes best with people against their scores, and the accuracies of all metrics."""
    strength = {line["metric"]: abs(line["r"] or 0.0) for line in reversed(correlations) if line["how"] == "pearson"
                and line["level"] == tables.TEXT}  # fmt: skip
    best = max(texts.names, key=lambda name: strength.get(name, 0.0))
    x = tables.metric_columns(texts, tables.TEXTS)[best]
    return (
        Figure(
            name="scatter",
            title=f"{dv} against {best}",
            kind="points",
            table="texts",
            encoding={"x": x, "y": "human", **({"colour": "condition"} if texts.systems else {})},
            caption="Every point is a text; of several metrics, the one that correlates most.",
            x_label=best,
            y_label=dv,
        ),
        Figure(
            name="accuracy",
            title="Pairs ordered as people order them",
            kind="bars",
            table="accuracy",
            encoding={"x": "metric", "y": "accuracy", "colour": "level"},
            caption="Share of pairs that people do not tie.",
            x_label="Metric",
            y_label="Accuracy",
            reference=0.5,
        ),
    )


def example() -> Example:
    """Return ratings of six people for texts of four systems on six inputs, with two metrics of the texts."""
    random = np.random.default_rng(20231206)
    good = random.normal(0, 1, (6, 4)) + np.array([0.0, 0.4, 0.8, 1.2])
    overlap, length = good + random.normal(0, 0.7, (6, 4)), random.integers(8, 20, (6, 4)) - 2 * good
    lines = [
        {
            "participant": f"P{p}",
            "item": f"I{i}",
            "condition": f"S{s}",
            "rating": int(np.clip(round(4 + good[i, s] + 0.4 * (p - 3) + float(random.normal()) * 0.7), 1, 7)),
            "overlap": round(float(overlap[i, s]), 3),
            "length": round(float(length[i, s]), 1),
        }
        for p in range(6)
        for i in range(6)
        for s in range(4)
    ]
    return pd.DataFrame(lines), {"dv": "rating", "metrics": ("overlap", "length"), "resamples": 30, "splits": 20}


METHOD = declared(
    "metric-vs-human",
    "Metrics against people",
    (
        "How closely automatic metrics of texts agree with people's ratings, which metric is best, and how much "
        "agreement is possible."
    ),
    metric_vs_human,
    Parameter("dv", "Ratings", "column", help="People's ratings.", role="measure", also=("human", "score", "rating")),
    Parameter(
        "metrics", "Metrics", "columns", help="Values of the rated text in every row.", role="measure", also=("metric",)
    ),
    Parameter(
        "lower_is_better",
        "Lower is better",
        "columns",
        help="Metrics for which a lower value is better.",
        role="measure",
    ),
    Parameter(
        "direction",
        "Compare correlations",
        "choice",
        help="With their signs (signed), or by their strength (absolute); the sign is then taken from the data.",
        choices=("absolute", "signed"),
    ),
    Parameter(
        "scale",
        "Scale of the ratings",
        "choice",
        help="The values from which the mean of a text is computed.",
        choices=SCALES,
    ),
    Parameter(
        "condition",
        "System",
        "column",
        help="Which system wrote the text; an item in a condition is a text.",
        role="factor",
        also=("system",),
    ),
    Parameter("resamples", "Draws", "integer", help="For the intervals."),
    Parameter("splits", "Splits", "integer", help="How often the raters are split into halves."),
    Parameter("seed", "Seed", "integer", help="For draws and splits."),
    group="agreement",
    question=("Can {measure} be predicted from automatic metrics?", "Do automatic metrics agree with people?"),
    needs=("numbers", "metrics"),
    example=example,
    tables=tables.TABLES,
)
