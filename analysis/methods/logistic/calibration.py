"""Compare predicted with observed shares of a logistic model (calibration), and bin its residuals.

Rows are put in order of their predicted probability and into bins of equal size. For a bin of n answers with mean
prediction p, the band reaches from the 2.5 % to the 97.5 % quantile of Binomial(n, p)/n, so that it holds at least 95 %
of the shares that may be observed where p is right, and never leaves 0 to 1. Within a bin all predictions are taken as
p; where they differ, shares vary a little less than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table
from analysis.methods.report import Column, Figure, Table

FEWEST, MOST, PER_BIN = 5, 20, 30

CALIBRATION = declared_table(
    "calibration",
    "Calibration: predicted and observed shares",
    "One row per bin of equal size, in the order of the predicted probability; of the last block where there are some.",
    "model",
    Column("bin", "Bin", "integer", meaning="1 has the lowest predictions."),
    Column("n", "Answers", "integer", meaning="How many answers."),
    Column("predicted", "Predicted", "share", meaning="Mean predicted probability."),
    Column("observed", "Observed", "share", meaning="Observed share."),
    Column("low", "Expected low", "share", meaning="Lower end of the binomial band of 95 %."),
    Column("high", "Expected high", "share", meaning="Upper end of the binomial band of 95 %."),
    Column("residual", "Observed − predicted", "share", meaning="Observed less predicted."),
    Column("residual_low", "Residual low", "share", meaning="Lower end of the band, less predicted."),
    Column("residual_high", "Residual high", "share", meaning="Upper end of the band, less predicted."),
    optional="model",
)


def calibration_table(lines: Iterable[Mapping[str, Any]]) -> Table:
    """Return the table of calibration; of several models each line has its `model`."""
    return CALIBRATION.of(lines)


def calibration_lines(predicted: Floats, successes: Floats, trials: Floats) -> list[dict[str, Any]]:
    """Return predicted and observed shares by bins of the predicted probability.

    >>> predicted = np.repeat([0.2, 0.8], 90)
    >>> lines = calibration_lines(predicted, (predicted > 0.5).astype(float), np.ones(180))
    >>> [round(line["residual"], 2) for line in lines]
    [-0.2, -0.2, -0.2, 0.2, 0.2, 0.2]
    """
    order = np.argsort(predicted, kind="stable")
    count = int(np.clip(len(predicted) // PER_BIN, FEWEST, MOST))
    lines = []
    for number, rows in enumerate(np.array_split(order, min(count, len(order))), start=1):
        n = trials[rows].sum()
        p = float((predicted[rows] * trials[rows]).sum() / n)
        low, high = expected_shares(p, n)
        observed = float(successes[rows].sum() / n)
        lines.append(
            {
                "bin": number,
                "n": int(n),
                "predicted": p,
                "observed": observed,
                "low": low,
                "high": high,
                "residual": observed - p,
                "residual_low": low - p,
                "residual_high": high - p,
            }
        )
    return lines


def expected_shares(p: float, n: float) -> tuple[float, float]:
    """Return the bounds of at least 95 % of the shares of n answers that each succeed with probability p.

    They are quantiles of the binomial distribution, divided by n.

    >>> expected_shares(0.5, 30)  # 10 and 20 of 30
    (0.3333333333333333, 0.6666666666666666)
    """
    low, high = scipy.stats.binom.ppf((0.025, 0.975), round(n), min(max(p, 0.0), 1.0))
    return float(low / n), float(high / n)


def calibration_figures(response: str, *, remark: str = "", of_models: bool = False) -> tuple[Figure, ...]:
    """Return the pictures of calibration and of binned residuals."""
    panel = {"panel": "model"} if of_models else {}
    band = "The band holds at least 95 % of what a bin would show if its mean prediction were right for all its answers"
    return (
        Figure(
            name="calibration",
            title=f"Calibration: {response} as predicted and as observed",
            kind="band",
            table="calibration",
            encoding={"x": "predicted", "y": "observed", "low": "low", "high": "high", **panel},
            caption=f"Bins of equal size in the order of the prediction. {band} (binomial).{remark}",
            x_label="Predicted probability",
            y_label="Observed share",
        ),
        Figure(
            name="binned-residuals",
            title=f"Binned residuals of {response}",
            kind="band",
            table="calibration",
            encoding={"x": "predicted", "y": "residual", "low": "residual_low", "high": "residual_high", **panel},
            caption=f"Observed minus predicted share in every bin. {band} (binomial).{remark}",
            x_label="Predicted probability",
            y_label="Observed − predicted",
            reference=0.0,
        ),
    )
