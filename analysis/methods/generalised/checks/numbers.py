"""Tables and figures that show a fitted model of counts or times: a rootogram's numbers, random effects, influence."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.checks.answers import equations_of, random_effects, without_itself
from analysis.methods.generalised.checks.dispersion import offset_of, theta_of
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.logistic.calibration import expected_shares
from analysis.methods.mixed.checks.diagnostics import Shown, units_figures, units_table
from analysis.methods.mixed.checks.influence import influence_figure, influence_table
from analysis.methods.mixed.estimates.scales import LOG_COUNTS
from analysis.methods.report import Column, Figure, Table

FREQUENCIES = (
    Column("count", "Count", "text"),
    Column("value", "Value", "integer"),
    Column("observed", "Observed rows", "integer"),
    Column("expected", "Expected rows"),
    Column("low", "Expected low"),
    Column("high", "Expected high"),
)
# Counts above the largest of so many values are taken together.
MOST_VALUES = 30
BENT = (
    "What the effects are without each person and item was left out: the likelihood of some rows is bent the other "
    "way, so that one step does not lead there."
)


def shown_numbers(fit: Fitted, *, confidence: float) -> Shown:
    """Return what shows a model of counts or times."""
    units = units_table(fit, random_effects(fit), confidence=confidence)
    influence, notes = None, [BENT]
    if bool((fit.optimum.mode.derivatives.weight > 0).all()):
        influence, notes = influence_table(fit, equations_of(fit))
    tables: list[Table | None] = [units, influence]
    figures: list[Figure] = []
    if fit.scale.family in LOG_COUNTS:
        tables.insert(0, frequencies_table(fit))
        figures.append(_frequencies_figure(fit))
    figures += units_figures(units, confidence=confidence)
    figures += [influence_figure(influence)] if influence is not None else []
    return Shown(tuple(table for table in tables if table is not None), tuple(figures), tuple(notes))


def frequencies_table(fit: Fitted) -> Table:
    """Return how many rows have every count, and how many the model expects: Σ P(y = j) over the rows.

    Every row is predicted from all others, by one step from the estimates of all. The band holds at least 95 % of what
    would be observed (binomial, of all rows with the mean probability). The last line takes larger counts together.
    """
    y = fit.design.y
    with np.errstate(over="ignore"):
        mu = np.minimum(np.exp(without_itself(fit) + offset_of(fit)), 1e15)
    largest = int(min(y.max(), MOST_VALUES))
    n, lines, left = len(y), [], np.ones(len(y))
    for value in range(largest + 2):
        is_rest = value > largest
        share = np.maximum(left, 0.0) if is_rest else probabilities(float(value), mu, theta_of(fit))
        left = left - share
        mean = float(share.mean())
        low, high = expected_shares(mean, n)
        lines.append(
            {
                "count": f"more than {largest}" if is_rest else str(value),
                "value": value,
                "observed": int((y > largest).sum() if is_rest else (y == value).sum()),
                "expected": mean * n,
                "low": low * n,
                "high": high * n,
            }
        )
    return Table.from_rows("frequencies", "Counts as observed and as expected by the model", FREQUENCIES, lines)


def probabilities(count: float, mu: Floats, theta: float) -> Floats:
    """Return P(y = count) of Poisson (θ infinite) or negative binomial counts.

    >>> probabilities(0.0, np.array([1.0]), 1.0).round(12).tolist()
    [0.5]
    """
    if np.isinf(theta):
        return np.asarray(scipy.stats.poisson.pmf(count, mu))
    return np.asarray(scipy.stats.nbinom.pmf(count, theta, theta / (theta + mu)))


def _frequencies_figure(fit: Fitted) -> Figure:
    name = fit.design.formula.response.text
    return Figure(
        name="frequencies",
        title=f"How often each count of {name} occurred, and how often the model expects it",
        kind="band",
        table="frequencies",
        encoding={"x": "value", "y": "observed", "centre": "expected", "low": "low", "high": "high"},
        caption="The line is what the model expects; the band holds at least 95 % of what would be observed if it were "
        "right (binomial); every row is predicted from all others. The last point takes all larger counts together.",
        x_label="Count",
        y_label="Rows",
    )
