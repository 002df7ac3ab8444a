"""Residuals, quantiles with a simulated envelope, and what is left out where it would mean nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.mixed.checks.influence import MOST_WORK, Equations
from analysis.methods.mixed.example import example
from analysis.methods.registry import method_named, run

RANDOM = "(1 | participant) + (1 | item)"


def trials(participants: int, items: int, noise) -> pd.DataFrame:
    random = np.random.default_rng(7)
    p, i = (place.ravel() for place in np.indices((participants, items)))
    order = (p + i) % 2
    y = random.normal(0, 0.5, participants)[p] + random.normal(0, 0.4, items)[i] + 0.3 * order
    return pd.DataFrame(
        {
            "participant": [f"P{number:03d}" for number in p],
            "item": [f"I{number:03d}" for number in i],
            "order": np.array(["ab", "ba"])[order],
            "y": y + noise(random, len(p)),
        }
    )


def outside(frame: pd.DataFrame) -> float:
    report = run(method_named("lmm"), frame, {"formula": f"y ~ order + {RANDOM}"})
    table = report.table("quantiles").frame()
    return float(((table["observed"] < table["low"]) | (table["observed"] > table["high"])).mean())


def test_normal_residuals_lie_in_the_envelope_and_others_do_not():
    normal = outside(trials(24, 24, lambda random, n: random.normal(0, 1, n)))
    skewed = outside(trials(24, 24, lambda random, n: random.exponential(1, n)))
    assert normal < 0.15
    assert skewed > 0.5


def test_the_envelope_is_the_same_each_time():
    frame, parameters = example()
    first, second = (run(method_named("lmm"), frame, parameters).table("quantiles") for _ in range(2))
    assert first == second


def test_of_many_rows_some_are_kept_and_the_largest_residuals_always():
    frame = trials(50, 40, lambda random, n: random.normal(0, 1, n))
    frame.loc[frame.index == 1234, "y"] += 30
    report = run(method_named("lmm"), frame, {"formula": f"y ~ order + {RANDOM}"})
    table = report.table("residuals")
    assert 500 < len(table.rows) <= 600
    assert f"{len(table.rows)} of 2,000 rows" in table.title
    assert table.frame()["residual"].max() > 25
    assert len(report.table("quantiles").rows) <= 150


def test_an_effect_that_hangs_on_one_item_has_no_estimate_without_it():
    frame = trials(12, 6, lambda random, n: random.normal(0, 1, n))
    frame["genre"] = np.where(frame["item"] == "I000", "poem", "prose")
    report = run(method_named("lmm"), frame, {"formula": f"y ~ genre + {RANDOM}"})
    influence = report.table("influence").frame()
    of_items = influence[influence["group"] == "item"].set_index("unit")["without"]
    assert bool(of_items.isna()["I000"])
    assert of_items.drop("I000").notna().all()


def test_a_term_without_variance_has_no_picture_of_zeros():
    frame = trials(12, 12, lambda random, n: random.normal(0, 1, n))
    frame["y"] -= frame.groupby("participant")["y"].transform("mean")
    report = run(method_named("lmm"), frame, {"formula": f"y ~ order + {RANDOM}"})
    assert set(report.table("units").frame()["group"]) == {"item"}


def test_a_model_that_is_too_large_leaves_influence_out():
    frame, parameters = example()
    small = run(method_named("lmm"), frame, parameters)
    assert any("Influence" in note for note in small.notes)
    n, width = 200_000, 4000
    large = Equations((_group(n, 400, 4), _group(n, width // 4, 4)), (), np.zeros((n, 4)), np.zeros(n), np.eye(4))
    assert n * width**2 > MOST_WORK
    assert not large.is_small


def _group(n: int, levels: int, width: int):
    from analysis.methods.mixed.design.matrices import Group

    names = tuple(str(number) for number in range(levels))
    return Group("g", names, np.arange(n) % levels, ("x",) * width, np.zeros((n, 0)), ())
