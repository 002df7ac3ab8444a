"""Tables and figures of a report on signal detection."""

from __future__ import annotations

import pandas as pd
import scipy

from analysis.methods.columns import FACTORS, declared_table, usual
from analysis.methods.report import Column, Figure, Table
from analysis.methods.signal import sensitivity
from analysis.methods.signal.counting import FOUR, Counts
from analysis.methods.t_intervals import t_intervals
from analysis.methods.wording import percent_text

SENSITIVITY = declared_table(
    "sensitivity",
    "Sensitivity and criterion of every participant",
    "One row per participant and cell; normal intervals, standard errors of Gourevitch and Galanter (1967).",
    "participant",
    FACTORS,
    Column("hits", "Hits", "integer", meaning="Signals that were answered as signal."),
    Column("n_signal", "Signals", "integer", meaning="How many signals there were."),
    Column("false_alarms", "False alarms", "integer", meaning="Noises that were answered as signal."),
    Column("n_noise", "Noises", "integer", meaning="How many noises there were."),
    Column("d_prime", "d′", meaning="z(H) − z(F), with the log-linear correction in all cells (Hautus 1995)."),
    Column("criterion", "Criterion c", meaning="−(z(H) + z(F))/2."),
    Column("hit_rate", "Hit rate", "share", meaning="Hits per signal, as observed."),
    Column("false_alarm_rate", "False-alarm rate", "share", meaning="False alarms per noise, as observed."),
    Column("d_prime_se", "SE of d′", meaning="Standard error of d′."),
    Column("d_prime_low", "CI low of d′", meaning="Lower end of the interval of d′."),
    Column("d_prime_high", "CI high of d′", meaning="Upper end of the interval of d′."),
    Column("criterion_se", "SE of c", meaning="Standard error of c, half of that of d′."),
    Column("criterion_low", "CI low of c", meaning="Lower end of the interval of c."),
    Column("criterion_high", "CI high of c", meaning="Upper end of the interval of c."),
)
CELLS = declared_table(
    "cells",
    "Means over participants",
    "One row per cell; t intervals over participants.",
    FACTORS,
    usual("n", meaning="How many participants have d′."),
    usual("mean", "Mean d′"),
    "sd ci_low ci_high",
    Column("criterion", "Mean criterion c", meaning="The mean of c."),
    Column("criterion_sd", "SD of c", meaning="The standard deviation of c."),
    Column("criterion_low", "CI low of c", meaning="Lower end of the interval of the mean of c."),
    Column("criterion_high", "CI high of c", meaning="Upper end of the interval of the mean of c."),
)
OWN_NAMES = (*SENSITIVITY.names(), *CELLS.names())


def sensitivity_table(counts: Counts, labels: dict[str, str], *, confidence: float) -> Table:
    """Return d′ and criterion of every participant in every cell, with their normal intervals."""
    frame = counts.frame
    hits, n_signal, false_alarms, n_noise = (frame[name].to_numpy() for name in FOUR)
    se = sensitivity.standard_error(hits, n_signal, false_alarms, n_noise)
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    found = frame.assign(
        participant=[counts.participants[person] for person in frame["participant"]],
        hit_rate=frame["hits"] / frame["n_signal"],
        false_alarm_rate=frame["false_alarms"] / frame["n_noise"],
        d_prime_se=se,
        d_prime_low=frame["d_prime"] - z * se,
        d_prime_high=frame["d_prime"] + z * se,
        criterion_se=se / 2,
        criterion_low=frame["criterion"] - z * se / 2,
        criterion_high=frame["criterion"] + z * se / 2,
    )
    return SENSITIVITY.of(with_levels(found, counts, labels), factors=labels)


def means_table(counts: Counts, labels: dict[str, str], *, confidence: float) -> Table:
    """Return the means over participants of every cell, with t intervals."""
    known = counts.frame.assign(criterion=counts.frame["criterion"].where(counts.frame["d_prime"].notna()))
    means, biases = (
        t_intervals(known[measure], known["cell"], confidence=confidence) for measure in ("d_prime", "criterion")
    )
    found = means.assign(
        cell=means.index,
        criterion=biases["mean"],
        criterion_sd=biases["sd"],
        criterion_low=biases["ci_low"],
        criterion_high=biases["ci_high"],
    )
    return CELLS.of(with_levels(found, counts, labels), factors=labels)


def with_levels(frame: pd.DataFrame, counts: Counts, labels: dict[str, str]) -> pd.DataFrame:
    """Return the frame with a column for every factor, under the name that it has in the tables."""
    levels = pd.DataFrame([counts.cells[cell] for cell in frame.pop("cell")], columns=list(labels.values()))
    return pd.concat([frame.reset_index(drop=True), levels], axis=1)


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
