"""Tables and figures of a report on signal detection."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.report import INTERVAL, Column, Figure, Table
from analysis.methods.signal import sensitivity
from analysis.methods.signal.counting import Counts
from analysis.methods.wording import percent_text

COUNTS = (
    Column("hits", "Hits", "integer"),
    Column("n_signal", "Signals", "integer"),
    Column("false_alarms", "False alarms", "integer"),
    Column("n_noise", "Noises", "integer"),
    Column("d_prime", "d′"),
    Column("criterion", "Criterion c"),
    Column("hit_rate", "Hit rate", "share"),
    Column("false_alarm_rate", "False-alarm rate", "share"),
)
INTERVALS = (
    Column("d_prime_se", "SE of d′"),
    Column("d_prime_low", "CI low of d′"),
    Column("d_prime_high", "CI high of d′"),
    Column("criterion_se", "SE of c"),
    Column("criterion_low", "CI low of c"),
    Column("criterion_high", "CI high of c"),
)
MEANS = (
    Column("n", "n", "integer"),
    Column("mean", "Mean d′"),
    Column("sd", "SD"),
    *INTERVAL,
    Column("criterion", "Mean criterion c"),
    Column("criterion_sd", "SD of c"),
    Column("criterion_low", "CI low of c"),
    Column("criterion_high", "CI high of c"),
)


def sensitivity_table(counts: Counts, d: Floats, c: Floats, labels: dict[str, str], *, confidence: float) -> Table:
    """Return d′ and criterion of every participant in every cell, with their normal intervals."""
    lines: list[dict[str, Any]] = []
    se = sensitivity.standard_error(counts.hits, counts.n_signal, counts.false_alarms, counts.n_noise)
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    for at, (person, cell) in enumerate(zip(counts.participant, counts.cell, strict=True)):
        n_signal, n_noise = counts.n_signal[at], counts.n_noise[at]
        lines.append(
            {
                "participant": counts.participants[person],
                **dict(zip(labels.values(), counts.cells[cell], strict=True)),
                "hits": int(counts.hits[at]),
                "n_signal": int(n_signal),
                "false_alarms": int(counts.false_alarms[at]),
                "n_noise": int(n_noise),
                "d_prime": d[at],
                "criterion": c[at],
                "hit_rate": counts.hits[at] / n_signal if n_signal else None,
                "false_alarm_rate": counts.false_alarms[at] / n_noise if n_noise else None,
                "d_prime_se": se[at],
                "d_prime_low": d[at] - z * se[at],
                "d_prime_high": d[at] + z * se[at],
                "criterion_se": se[at] / 2,
                "criterion_low": c[at] - z * se[at] / 2,
                "criterion_high": c[at] + z * se[at] / 2,
            }
        )
    columns = [Column("participant", "Participant", "text"), *factor_columns(labels), *COUNTS, *INTERVALS]
    return Table.from_rows("sensitivity", "Sensitivity and criterion of every participant", columns, lines)


def means_table(counts: Counts, d: Floats, c: Floats, labels: dict[str, str], *, confidence: float) -> Table:
    """Return the means over participants of every cell, with t intervals."""
    lines = []
    for cell, names in enumerate(counts.cells):
        own = (counts.cell == cell) & ~np.isnan(d)
        mean, sd, low, high = _interval(d[own], confidence)
        bias, bias_sd, bias_low, bias_high = _interval(c[own], confidence)
        lines.append(
            {
                **dict(zip(labels.values(), names, strict=True)),
                "n": int(own.sum()),
                "mean": mean,
                "sd": sd,
                "ci_low": low,
                "ci_high": high,
                "criterion": bias,
                "criterion_sd": bias_sd,
                "criterion_low": bias_low,
                "criterion_high": bias_high,
            }
        )
    return Table.from_rows("cells", "Means over participants", [*factor_columns(labels), *MEANS], lines)


def _interval(values: Floats, confidence: float) -> tuple[float, float, float, float]:
    if len(values) == 0:
        return (np.nan,) * 4
    mean = float(values.mean())
    if len(values) == 1:
        return mean, np.nan, np.nan, np.nan
    # Equal values may differ from their mean by rounding.
    sd = float(values.std(ddof=1)) if values.min() < values.max() else 0.0
    half = float(scipy.stats.t.isf((1 - confidence) / 2, len(values) - 1)) * sd / np.sqrt(len(values))
    return mean, sd, mean - half, mean + half


def factor_columns(labels: dict[str, str]) -> list[Column]:
    """Return a column for every factor, under the name that it has in the tables."""
    return [Column(column, name, "text") for name, column in labels.items()]


def figures(labels: dict[str, str], *, confidence: float) -> tuple[Figure, ...]:
    """Return the means by condition, where there are conditions, and every participant as a point."""
    columns = list(labels.values())
    found = [
        Figure(
            name="participants",
            title="Sensitivity and criterion",
            kind="points",
            table="sensitivity",
            encoding={"x": "criterion", "y": "d_prime"} | ({"colour": columns[0]} if columns else {}),
            caption="A point is a participant in a cell; left of 0 people lean to the answer signal.",
            x_label="Criterion c",
            y_label="d′",
        )
    ]
    if columns:
        channels = dict(zip(("x", "colour", "panel"), columns, strict=False))
        found.insert(
            0,
            Figure(
                name="means",
                title="Mean sensitivity",
                kind="interaction",
                table="cells",
                encoding={"y": "mean", "low": "ci_low", "high": "ci_high", **channels},
                caption=f"Means over participants with {percent_text(confidence)} intervals; every small point is one "
                "participant.",
                x_label=next(iter(labels)),
                y_label="Mean d′",
                points="sensitivity",
                points_value="d_prime",
            ),
        )
    return tuple(found)
