"""Oracle: least squares through the untouched value by NumPy; the interval holds the slope of other texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.perturb.method import METHOD, example, perturb
from analysis.methods.perturb.slopes import linearity, slope_of
from analysis.methods.registry import run
from analysis.methods.report import BadInput


def texts(*, items: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    words = np.array(["the", "committee", "decided", "against", "a", "proposal", "that", "nobody", "understood"])
    rows = [
        {"item": f"I{item}", "system": "one", "text": " ".join(random.choice(words, random.integers(8, 20))) + "."}
        for item in range(items)
    ]
    return pd.DataFrame(rows)


def slopes_of(frame: pd.DataFrame, **given: str) -> list[dict[str, Any]]:
    return run(METHOD, frame, given).table("slopes").lines()


def test_the_slope_is_that_of_least_squares_through_the_untouched_value():
    shares, values = [0, 10, 40, 100], [8.0, 7.2, 6.1, 2.0]
    x = np.array(shares) / 10
    expected = np.linalg.lstsq(x[:, None], np.array(values) - 8.0, rcond=None)[0][0]
    assert slope_of(shares, values) == pytest.approx(expected)
    assert linearity([0, 50, 100], [8.0, 6.0, 4.0], -0.4) == 1
    bent = linearity(shares, values, slope_of(shares, values))
    assert bent is not None
    assert bent < 1
    assert slope_of(shares, [8.0, None, 6.1, 2.0]) is None


def test_the_report_has_the_slope_of_every_curve():
    frame, parameters = example()
    report = perturb(frame, **{**parameters, "resamples": 30})
    curves = report.table("curves").frame()
    lines = report.table("slopes").lines()
    assert {line["metric"] for line in lines} == {"FKGL", "BLEU", "SARI"}
    for line in lines:
        curve = curves[(curves["system"] == line["system"]) & (curves["edit"] == line["edit"])]
        assert line["slope"] == pytest.approx(slope_of(curve["share"].tolist(), curve[line["metric"].lower()].tolist()))
        assert line["ci_low"] <= line["slope"] <= line["ci_high"]
        assert line["sure"] == (line["ci_low"] > 0 or line["ci_high"] < 0)
        assert line["rewarded"] == ((-1 if line["metric"] == "FKGL" else 1) * line["slope"] > 0)


def test_a_full_stop_in_every_tenth_text_lowers_the_grade_for_sure_and_that_is_told_as_a_reward():
    report = slopes_of(texts(items=60, seed=1), edits="random-period", resamples="50", repetitions="2")
    (line,) = report
    assert line["slope"] < 0
    assert line["sure"] is True
    assert line["rewarded"] is True
    assert line["linear"] > 0.9


def test_intervals_hold_the_slope_of_very_many_texts_about_as_often_as_they_should():
    """The slope of 2,000 texts stands for the truth; 19 of 20 intervals of 40 texts should hold it."""
    given = {"edits": "replace-rand-the", "shares": "50,100", "repetitions": "1"}
    truth = slopes_of(texts(items=1000, seed=99), resamples="0", **given)[0]["slope"]
    held = 0
    for seed in range(40):
        (line,) = slopes_of(texts(items=40, seed=seed), resamples="60", seed=str(seed), **given)
        held += line["ci_low"] <= truth <= line["ci_high"]
    assert held >= 32


def test_without_drawings_there_is_no_interval_and_too_many_are_refused():
    frame, parameters = example()
    line = perturb(frame, **{**parameters, "resamples": 0}).table("slopes").lines()[0]
    assert line["slope"] is not None
    assert line["ci_low"] is None
    with pytest.raises(BadInput, match="resamples must be from 0"):
        run(METHOD, frame, {**parameters, "resamples": "-1"})
