"""Bootstrap intervals of correlations over items, participants or both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats, without_noise
from analysis.methods.declarations import Progress
from analysis.methods.judged import weighted
from analysis.methods.judged.texts import Texts

NOISE = 1e-18
CELLS_AT_ONCE = 1_000_000
MANY_TEXTS = 2_000
MOST_SYSTEMS = 60
FEWER = {"pearson": (20_000, 20_000), "spearman": (20_000, 100), "kendall": (200, 50)}
"""The most bootstrap samples with up to `MANY_TEXTS` texts, and with more. Ranks must be counted for every sample and
metric, which is slow, and only their standard error is used."""


@dataclass(frozen=True)
class Drawn:
    """Coefficients of one scheme: `text` and `system`, by coefficient: [drawing, metric]."""

    text: dict[str, Floats]
    system: dict[str, Floats]


def schemes_of(texts: Texts) -> tuple[str, ...]:
    """Return what can be drawn again: items where there are several, participants where they are named."""
    found = ["item"] if len(np.unique(texts.item_of)) > 1 else []
    if len(np.unique(texts.person_of)) > 1:
        found += ["participant", "both"] if found else ["participant"]
    return tuple(found)


def drawings_of(how: str, texts: Texts, resamples: int) -> int:
    """Return how often a coefficient of texts is drawn."""
    return min(resamples, FEWER[how][len(texts.human) > MANY_TEXTS])


def drawn(texts: Texts, scheme: str, *, resamples: int, seed: int, progress: Progress) -> Drawn:
    """Draw items with all their texts, participants with all their ratings, or both, and correlate again.

    `both` draws items and participants independently of each other; a rating counts as often as its item, in a mean
    over the people drawn. The same seed gives the same items in `item` and `both`.
    """
    of_text: dict[str, list[Floats]] = {how: [] for how in weighted.HOW}
    of_systems: dict[str, list[Floats]] = {how: [] for how in weighted.HOW}
    of_how = {"pearson": weighted.pearson, "spearman": weighted.spearman, "kendall": weighted.kendall}
    several = len(texts.systems) > 2
    sums = _Systems(texts) if several else None
    done = 0
    for weights, human in _drawings(texts, scheme, resamples=resamples, seed=seed):
        progress(done / resamples, f"drawing {'items and participants' if scheme == 'both' else scheme + 's'} again")
        for how, coefficient in of_how.items():
            rest = max(0, drawings_of(how, texts, resamples) - done)
            if rest:
                of_text[how].append(coefficient(weights[:rest], human[:rest], texts.metrics))
        if sums is not None:
            for how, found in sums.coefficients(weights, human).items():
                of_systems[how].append(found)
        done += len(weights)
    return Drawn(
        text={how: np.vstack(found) for how, found in of_text.items()},
        system={how: np.vstack(found) for how, found in of_systems.items() if found},
    )


def text_interval(r: float, again: Floats, *, confidence: float) -> tuple[float | None, float | None]:
    """Return tanh(artanh r ± z SE), where SE is the standard deviation of artanh r over the drawings.

    Drawing people again adds their noise a second time and so lowers every correlation; the spread is right where the
    place is not, and so only the spread is used.
    """
    known = again[~np.isnan(again)]
    if abs(r) >= 1 or len(known) < max(2, len(again) / 2):
        return None, None
    spread = float(np.arctanh(np.clip(known, -1 + 1e-9, 1 - 1e-9)).std(ddof=1))
    half = float(scipy.stats.norm.isf((1 - confidence) / 2)) * spread
    return float(np.tanh(np.arctanh(r) - half)), float(np.tanh(np.arctanh(r) + half))


def system_interval(again: Floats, *, confidence: float) -> tuple[float | None, float | None]:
    """Return percentiles: with a handful of systems a rank correlation takes a few values only."""
    known = again[~np.isnan(again)]
    if len(known) < max(2, len(again) / 2):
        return None, None
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _drawings(texts: Texts, scheme: str, *, resamples: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield weights[drawing, text] and human[drawing, text] (one row where people are not drawn), some at a time."""
    of_items, of_people = np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2])
    present, item = np.unique(texts.item_of, return_inverse=True)
    people = np.unique(texts.person_of)
    sums, numbers = texts.by_person()
    size = max(1, min(resamples, 100, CELLS_AT_ONCE // len(texts.human)))
    for start in range(0, resamples, size):
        count = min(size, resamples - start)
        weights = np.ones((count, len(texts.human)))
        human = texts.human[None, :]
        if scheme != "participant":
            weights = _drawn(of_items, len(present), count)[:, item]
        if scheme != "item":
            chosen = np.zeros((sums.shape[1], count))
            chosen[people] = _drawn(of_people, len(people), count).T
            number = np.asarray(numbers @ chosen).T
            human = np.asarray(sums @ chosen).T / np.where(number > 0, number, 1.0)
            human = without_noise(np.where(number > 0, human, texts.human))
            weights = weights * (number > 0)
        yield weights, human


def _drawn(random: np.random.Generator, n: int, count: int) -> Floats:
    """Return how often each of n is among n that are drawn with replacement, for several drawings."""
    return random.multinomial(n, np.full(n, 1 / n), size=count).astype(np.float64)


class _Systems:
    """Means of systems and their correlations, for many drawings at once."""

    def __init__(self, texts: Texts) -> None:
        n, self.metrics = texts.metrics.shape
        self.systems = len(texts.systems)
        there = ~np.isnan(texts.metrics)
        place = np.arange(self.metrics)[None, :] * self.systems + texts.system_of[:, None]
        text = np.broadcast_to(np.arange(n)[:, None], there.shape)
        shape = (self.metrics * self.systems, n)
        self.value = scipy.sparse.csr_array((texts.metrics[there], (place[there], text[there])), shape=shape)
        self.member = scipy.sparse.csr_array((np.ones(int(there.sum())), (place[there], text[there])), shape=shape)

    def coefficients(self, weights: Floats, human: Floats) -> dict[str, Floats]:
        """Return by coefficient: [drawing, metric]; NaN where a system has no text or one side does not vary."""
        number = np.asarray(self.member @ weights.T)
        with np.errstate(invalid="ignore", divide="ignore"):
            x = np.asarray(self.value @ weights.T) / number
            y = np.asarray(self.member @ (weights * human).T) / number
        shape = (self.metrics, self.systems, len(weights))
        x, y = (np.moveaxis(side.reshape(shape), 2, 0) for side in (x, y))
        whole = ~(np.isnan(x) | np.isnan(y)).any(axis=2)
        x, y = (without_noise(np.where(whole[:, :, None], side, 0.0)) for side in (x, y))
        found = {"pearson": _r(x, y), "spearman": _r(scipy.stats.rankdata(x, axis=2), scipy.stats.rankdata(y, axis=2))}
        if self.systems <= MOST_SYSTEMS:
            found["kendall"] = _kendall(x, y)
        return {how: np.where(whole, values, np.nan) for how, values in found.items()}


def _kendall(x: Floats, y: Floats) -> Floats:
    """Return τ-b over the last axis, of a few drawings at a time: all pairs of systems are looked at."""
    size = max(1, CELLS_AT_ONCE // (x.shape[1] * x.shape[2] ** 2))
    found = []
    for start in range(0, len(x), size):
        sides = (side[start : start + size] for side in (x, y))
        signs = (np.sign(side[..., :, None] - side[..., None, :]) for side in sides)
        found.append(_r(*(sign.reshape(*sign.shape[:2], -1) for sign in signs), centred=True))
    return np.concatenate(found)


def _r(x: Floats, y: Floats, *, centred: bool = False) -> Floats:
    """Return correlations over the last axis; of signs of differences, which are centred, that is τ-b."""
    sizes = (x**2).sum(axis=-1), (y**2).sum(axis=-1)
    if not centred:
        x, y = x - x.mean(axis=-1, keepdims=True), y - y.mean(axis=-1, keepdims=True)
    xx, yy = (x**2).sum(axis=-1), (y**2).sum(axis=-1)
    flat = (xx <= NOISE * sizes[0]) | (yy <= NOISE * sizes[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(flat, np.nan, np.clip((x * y).sum(axis=-1) / np.sqrt(xx * yy), -1, 1)))
