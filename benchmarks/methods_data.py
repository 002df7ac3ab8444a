"""Generate the data of the benchmarks against R, identical on every machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

ITEMS = 144
MARKERS = np.array(["because", "because-of", "cause-noun", "cause-verb"])
ORDERS = np.array(["cause-effect", "effect-cause"])
CODES = np.array(["0", "1", "2", "2+3", "3", "4", "5+6", "none"])


def ratings(participants: int, *, seed: int = 20100602) -> pd.DataFrame:
    """Generate ratings of a Latin square of 8 conditions over 144 items, two per cent of them missing."""
    random = np.random.default_rng(seed)
    people = np.repeat(np.arange(participants), ITEMS)
    items = np.tile(np.arange(ITEMS), participants)
    condition = (people + items) % 8
    slopes = random.normal(0, 0.35, (participants, 8)) + random.normal(0, 0.4, (participants, 1))
    of_items = random.normal(0, 0.45, (ITEMS, 8))
    z = slopes[people, condition] + of_items[items, condition] + random.normal(0, 0.9, len(people))
    frame = pd.DataFrame(
        {
            "participant": [f"P{person:04d}" for person in people],
            "item": [f"I{item:03d}" for item in items],
            "marker": MARKERS[condition // 2],
            "order": ORDERS[condition % 2],
            "words": random.integers(8, 25, ITEMS)[items],
            "z": (z + 0.15 * (condition % 3)).round(4),
        }
    )
    return frame[random.random(len(frame)) > 0.02]


def answers(participants: int, *, seed: int = 2012) -> pd.DataFrame:
    """Generate for every trial an answer `y`, a second one `v`, a predictor `x`, codes, and what was typed."""
    random = np.random.default_rng(seed)
    frame = ratings(participants).drop(columns=["words", "z"]).reset_index(drop=True)
    marker, order = pd.factorize(frame["marker"], sort=True)[0], pd.factorize(frame["order"], sort=True)[0]
    x = random.normal(size=len(frame)).round(3)
    linear = 0.8 * x + np.array([0.0, 0.4, -0.2, 0.1])[marker] - 0.3 * order
    chance = 1 / (1 + np.exp(-linear))
    return frame.assign(
        x=x,
        y=(random.random(len(frame)) < chance).astype(int),
        v=(random.random(len(frame)) < 0.2 + 0.5 * chance).astype(int),
        codes=CODES[random.choice(len(CODES), len(frame), p=[0.4, 0.12, 0.08, 0.1, 0.1, 0.08, 0.06, 0.06])],
        rating=np.exp(3 + 0.5 * linear + random.normal(0, 0.4, len(frame))).round(2),
    )


def codings(participants: int, *, seed: int = 1960) -> pd.DataFrame:
    """Generate what two coders gave each recall: the same code for three in four, else one of five by chance."""
    random = np.random.default_rng(seed)
    units = participants * ITEMS
    first, other = random.integers(0, 5, units), random.integers(0, 5, units)
    second = np.where(random.random(units) < 0.75, first, other)
    unit = np.array([f"R{number:06d}" for number in range(units)])
    return pd.DataFrame(
        {
            "unit": np.tile(unit, 2),
            "coder": np.repeat(["AB", "CD"], units),
            "code": np.concatenate([first, second]),
        }
    )


def write_files(folder: Path, participants: int) -> None:
    """Write `ratings.csv`, `answers.csv` and `codings.csv` into a folder."""
    for make in (ratings, answers, codings):
        make(participants).to_csv(folder / f"{make.__name__}.csv", index=False)
