"""Split-half reliability of the ratings of texts and systems, and the ceiling that it sets for metrics."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.judged.texts import Texts
from analysis.methods.report import Column

NOISE = 1e-18


CEILING = declared_table(
    "ceiling",
    "What a metric can reach",
    "Correlations of random halves of the raters.",
    usual("level", meaning="`text` or `system`."),
    usual("n", meaning="How many texts or systems."),
    Column("splits", "Splits", "integer", meaning="How many splits have a correlation."),
    Column("r_half", "r of halves", "share", meaning="Mean correlation of two halves."),
    Column("half_low", "2.5 % of splits", "share", meaning="2.5 % of the splits have a lower one."),
    Column("half_high", "97.5 % of splits", "share", meaning="2.5 % of the splits have a higher one."),
    Column("reliability", "Spearman–Brown", "share", meaning="Of all ratings together: k r/(1 + (k − 1) r)."),
    Column(
        "ceiling", "Highest possible r", "share", meaning="√reliability, as of a metric that knows the true scores."
    ),
    order=("level: system text",),
)

Ceiling = dict[str, float | None]
"""A row of `CEILING` without its level."""


def ceiling_of_texts(texts: Texts, *, splits: int, seed: int) -> Ceiling | None:
    """Split the ratings of every text into random halves; a rating that is left over has no part. None without halves.

    People are split again for every text, so that the level of a person does not count as agreement. Where everybody
    rated every text, levels do not tell texts apart, and people are split once for all texts.
    """
    if texts.is_crossed:
        return _of_people(texts, scipy.sparse.eye_array(len(texts.human), format="csr"), splits=splits, seed=seed)
    counts = texts.ratings
    rated = counts > 1
    if int(rated.sum()) < 3:
        return None
    random = np.random.default_rng([seed, 3])
    order = np.argsort(texts.text_of, kind="stable")
    text_of, score = texts.text_of[order], texts.score[order]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    place = np.arange(len(score)) - starts[text_of]
    half = counts // 2
    found = np.full(splits, np.nan)
    for index in range(splits):
        shuffled = score[np.argsort(text_of + random.random(len(score)))]
        first, second = (
            np.bincount(text_of[chosen], weights=shuffled[chosen], minlength=len(counts))[rated] / half[rated]
            for chosen in (place < half[text_of], (place >= half[text_of]) & (place < 2 * half[text_of]))
        )
        found[index] = _r(first, second)
    return _ceiling(found, n=int(rated.sum()), factor=float(counts[rated].mean() / half[rated].mean()))


def ceiling_of_systems(texts: Texts, *, splits: int, seed: int) -> Ceiling | None:
    """Split the participants into random halves and correlate the systems' means; None without systems or people."""
    k = len(texts.systems)
    if k < 3:
        return None
    systems = np.zeros((k, len(texts.human)))
    systems[texts.system_of, np.arange(len(texts.human))] = 1
    return _of_people(texts, systems, splits=splits, seed=seed)


def _of_people(texts: Texts, systems: Floats | scipy.sparse.csr_array, *, splits: int, seed: int) -> Ceiling | None:
    people = np.unique(texts.person_of)
    if len(people) < 2 or systems.shape[0] < 3:
        return None
    random = np.random.default_rng([seed, 4])
    sums, numbers = texts.by_person()
    half = len(people) // 2
    found = np.full(splits, np.nan)
    for index in range(splits):
        shuffled = random.permutation(people)
        sides = np.zeros((2, sums.shape[1]))
        sides[0, shuffled[:half]] = sides[1, shuffled[half : 2 * half]] = 1
        first, second = (_system_means(sums @ side, numbers @ side, systems) for side in sides)
        if not np.isnan(first).any() and not np.isnan(second).any():
            found[index] = _r(first, second)
    return _ceiling(found, n=systems.shape[0], factor=len(people) / half)


def _system_means(sums: Floats, numbers: Floats, systems: Floats | scipy.sparse.csr_array) -> Floats:
    """Return the mean over texts of the mean score that those people gave, for every system; NaN without any text."""
    there = numbers > 0
    means = np.where(there, sums / np.where(there, numbers, 1.0), 0.0)
    texts = systems @ there.astype(np.float64)
    return np.asarray(np.where(texts > 0, systems @ means / np.where(texts > 0, texts, 1.0), np.nan))


def _r(first: Floats, second: Floats) -> float:
    sizes = float(first @ first), float(second @ second)
    first, second = first - first.mean(), second - second.mean()
    xx, yy = float(first @ first), float(second @ second)
    flat = xx <= NOISE * sizes[0] or yy <= NOISE * sizes[1]
    return float("nan") if flat else float(first @ second) / float(np.sqrt(xx * yy))


def _ceiling(found: Floats, *, n: int, factor: float) -> Ceiling | None:
    """Return the row of these correlations, where all ratings are `factor` times as many as those of a half."""
    known = found[~np.isnan(found)]
    if not len(known):
        return None
    half = float(known.mean())
    low, high = (float(value) for value in np.quantile(known, [0.025, 0.975]))
    below = 1 + (factor - 1) * half
    reliability = factor * half / below if below > 1e-9 else None
    ceiling = float(np.sqrt(reliability)) if reliability is not None and reliability > 0 else None
    found_half = {"n": n, "splits": len(known), "r_half": half, "half_low": low, "half_high": high}
    return found_half | {"reliability": reliability, "ceiling": ceiling}
