"""The band of calibration holds 95 % of what right predictions would show, counted over all outcomes of a bin."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from analysis.methods.logistic.calibration import calibration_figures, calibration_lines


@pytest.mark.parametrize("n", [30, 200])
@pytest.mark.parametrize("p", [0.5, 0.1, 0.01, 0.99])
def test_the_band_holds_at_least_95_percent_of_observed_shares_and_leaves_out_the_rest_on_either_side(
    p: float, n: int
) -> None:
    """Every number of successes has probability C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ; below and above the band lie at most 2.5 %."""
    lines = calibration_lines(np.full(5 * n, p), np.zeros(5 * n), np.ones(5 * n))
    low, high = lines[0]["low"], lines[0]["high"]
    size = lines[0]["n"]
    chance = [comb(size, k) * p**k * (1 - p) ** (size - k) for k in range(size + 1)]
    shares = np.arange(size + 1) / size
    inside = sum(mass for share, mass in zip(shares, chance, strict=True) if low <= share <= high)
    assert inside >= 0.95
    assert sum(mass for share, mass in zip(shares, chance, strict=True) if share < low) <= 0.025
    assert sum(mass for share, mass in zip(shares, chance, strict=True) if share > high) <= 0.025
    # It is no wider than that: without its ends it would hold too little on that side.
    assert low == 0 or sum(m for share, m in zip(shares, chance, strict=True) if share <= low) >= 0.025
    assert sum(m for share, m in zip(shares, chance, strict=True) if share >= high) >= 0.025


def test_a_bin_of_certain_predictions_has_a_band_without_width() -> None:
    lines = calibration_lines(np.repeat([0.0, 1.0], 75), np.repeat([0.0, 1.0], 75), np.ones(150))
    assert [(line["low"], line["high"]) for line in (lines[0], lines[-1])] == [(0.0, 0.0), (1.0, 1.0)]


def test_the_captions_call_the_band_binomial() -> None:
    assert all("(binomial)" in figure.caption and "Wilson" not in figure.caption for figure in calibration_figures("y"))
