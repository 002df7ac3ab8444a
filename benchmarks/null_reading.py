"""Null simulation of the design of Zarrieß, Loth & Schlangen (2015): reading times without any effect.

33 readers read 16 texts of three sentences: 12 in one of three conditions (Latin square), 4 fillers that are the same
for everybody. The logarithm of the time on a sentence is log(words) + pace of the reader + difficulty of the sentence
+ noise. Nothing depends on the condition, so nothing can be told about it; but a filler is always one of four texts.

    python -m benchmarks.null_reading --repetitions 40

prints the table of docs/methods/logistic-null-simulation.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.methods.logistic.method import logistic

READERS, CRITICAL, FILLERS, SENTENCES = 33, 12, 4, 3
CONDITIONS = ("gold", "lin", "sem")
SENTENCE_TIMES = tuple(f"{name}_{place}" for place in (1, 2, 3) for name in ("time", "pace", "speed"))
PREDICTORS = {
    "text times": "total_time,pace,speed",
    "text and sentence times": ",".join(["total_time,pace,speed", *SENTENCE_TIMES]),
    "the same, and z and z2 of them": ",".join(
        ["total_time,pace,speed", *SENTENCE_TIMES, "z(total_time),z(pace),z(speed)"]
        + [f"z2({name})" for name in SENTENCE_TIMES]
    ),
}
SHARES = ("fit_accuracy", "cv_trial", "cv_participant", "cv_item")


def null_readings(seed: int) -> pd.DataFrame:
    """Return 528 trials: participant, item, condition, words, total_time, pace, speed, and time_k, pace_k, speed_k."""
    random = np.random.default_rng(seed)
    texts = CRITICAL + FILLERS
    words = random.integers(8, 17, size=(texts, SENTENCES))
    difficulty = random.normal(0, 0.10, size=(texts, SENTENCES))
    reader = random.normal(np.log(280), 0.25, size=READERS)
    rows = []
    for person in range(READERS):
        for text in range(texts):
            condition = CONDITIONS[(text + person) % 3] if text < CRITICAL else "filler"
            log_time = np.log(words[text]) + reader[person] + difficulty[text] + random.normal(0, 0.22, size=SENTENCES)
            time = np.exp(log_time)
            length, total = int(words[text].sum()), float(time.sum())
            row: dict[str, str | float] = {"participant": f"P{person + 1}", "item": f"T{text + 1}"}
            row |= {"condition": condition, "words": length, "total_time": total}
            row |= {"pace": total / length, "speed": length / total}
            for place in range(SENTENCES):
                own, count = float(time[place]), int(words[text][place])
                row |= {f"time_{place + 1}": own, f"pace_{place + 1}": own / count, f"speed_{place + 1}": count / own}
            rows.append(row)
    return pd.DataFrame(rows)


def shares(seed: int, predictors: str) -> dict[str, float]:
    """Return the shares classified correctly of filler against the rest, and those that length alone reaches."""
    report = logistic(null_readings(seed), outcome="condition", positive="filler", blocks=predictors, seed=seed)
    block = report.table("blocks").frame().iloc[0]
    baselines = report.table("baselines").frame().set_index("predictor")["cv_item"]
    found = {name: float(block[name]) for name in SHARES}
    return found | {"length_item": float(baselines["length in words"])}


def table(repetitions: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield for each set of predictors the mean shares over repetitions with the seeds 1, 2, 3 …"""
    for name, predictors in PREDICTORS.items():
        found = pd.DataFrame([shares(seed, predictors) for seed in range(1, repetitions + 1)])
        yield name, {str(column): float(found[column].mean()) for column in found}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repetitions", type=int, default=40)
    for name, means in table(options.parse_args().repetitions):
        print(f"| {name} | " + " | ".join(f"{100 * means[column]:.1f}" for column in (*SHARES, "length_item")) + " |")
