"""The method `signal-detection`: d′ and criterion per participant and cell, and their means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.conditions.cell_names import column_names
from analysis.methods.declarations import Method, Parameter, Progress, no_progress
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import CONFIDENCE, PARTICIPANT
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.signal import sensitivity
from analysis.methods.signal.counting import Counts, count
from analysis.methods.signal.example import example
from analysis.methods.wording import counted, listed, number_text, percent_text

FEW = 10
"""Trials of a kind below which the correction moves d′ by much."""

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
MEANS = (
    Column("n", "n", "integer"),
    Column("mean", "Mean d′"),
    Column("sd", "SD"),
    Column("ci_low", "CI low"),
    Column("ci_high", "CI high"),
    Column("criterion", "Mean criterion c"),
    Column("criterion_sd", "SD of c"),
    Column("criterion_low", "CI low of c"),
    Column("criterion_high", "CI high of c"),
)


def signal_detection(
    frame: pd.DataFrame,
    *,
    response: str,
    target: str,
    signal: str,
    within: tuple[str, ...] = (),
    participant: str | None = "participant",
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Say how well every participant tells signal from noise, and to which answer they lean.

    `response` holds the answers, `target` the truth, and `signal` names what counts as signal in both (`word`; where
    they have different names both, `yes,old`). Every other answer and every other target is noise.

    Table `sensitivity`: participant, the factors, hits, n_signal, false_alarms, n_noise, d_prime = z(H) − z(F),
    criterion = −(z(H) + z(F))/2, hit_rate, false_alarm_rate (as observed). H = (hits + .5)/(n_signal + 1) and F alike,
    for all cells (log-linear correction, Hautus 1995). Table `cells`: the factors, n (participants), mean, sd, ci_low,
    ci_high of d′ (t intervals over participants), and criterion, criterion_sd, criterion_low, criterion_high.

    Raises BadInput where a column lacks signal or noise, and where nobody had both in a cell.

    >>> frame, parameters = example()
    >>> print(signal_detection(frame, **parameters).sentences[0])
    band high: mean d′ = ..., 95 % CI [...], c = ... (12 participants).
    """
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    names = as_names(signal)
    if not names:
        raise BadInput("Name the answer that counts as signal with signal=…, such as signal=word.")
    people = required(frame, participant, role="participant")
    chosen = rows.select(
        frame, used=[people, response, target, *within], measured=[response], units=[people], where=where, keep=keep
    )
    counts = count(chosen.frame, response=response, target=target, signal=names, participant=people, within=within)
    progress(0.5, "d′ and criterion")
    four = (counts.hits, counts.n_signal, counts.false_alarms, counts.n_noise)
    d, c = sensitivity.d_prime(*four), sensitivity.criterion(*four)
    if np.isnan(d).all():
        raise BadInput(
            f"No participant has both signal and noise in one cell{f' of {listed(within)}' if within else ''}: "
            f"d′ compares the answers to the two. Check target=… and within=…"
        )
    labels = column_names(within, ["participant", *(column.name for column in (*COUNTS, *MEANS))])
    means = _means(counts, d, c, labels, confidence=confidence)
    return Report(
        method="signal-detection",
        params={},
        tables=(_sensitivity(counts, d, c, labels), means),
        figures=_figures(labels, confidence=confidence),
        notes=(
            *chosen.notes,
            *counts.notes,
            f"Signal is {listed(names)} in '{response}' and '{target}'. d′ = z(H) − z(F), c = −(z(H) + z(F))/2, with "
            f"the log-linear correction H = (hits + .5)/(signals + 1) and F = (false alarms + .5)/(noises + 1) in all "
            f"cells (Hautus 1995). {percent_text(confidence)} intervals of means: t over participants.",
        ),
        warnings=(*chosen.warnings, *counts.warnings, *_warnings(counts, d)),
        sentences=tuple(_sentence(line, labels, confidence=confidence) for line in means.lines()),
    )


def _sensitivity(counts: Counts, d: Floats, c: Floats, labels: dict[str, str]) -> Table:
    lines: list[dict[str, Any]] = []
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
            }
        )
    columns = [Column("participant", "Participant", "text"), *_factor_columns(labels), *COUNTS]
    return Table.from_rows("sensitivity", "Sensitivity and criterion of every participant", columns, lines)


def _means(counts: Counts, d: Floats, c: Floats, labels: dict[str, str], *, confidence: float) -> Table:
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
    return Table.from_rows("cells", "Means over participants", [*_factor_columns(labels), *MEANS], lines)


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


def _factor_columns(labels: dict[str, str]) -> list[Column]:
    return [Column(column, name, "text") for name, column in labels.items()]


def _figures(labels: dict[str, str], *, confidence: float) -> tuple[Figure, ...]:
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
                caption=f"Means over participants with {percent_text(confidence)} intervals.",
                x_label=next(iter(labels)),
                y_label="Mean d′",
            ),
        )
    return tuple(found)


def _warnings(counts: Counts, d: Floats) -> list[str]:
    said = []
    undefined = np.isnan(d)
    if undefined.any():
        who = dict.fromkeys(counts.participants[at] for at in counts.participant[undefined])
        said.append(
            f"{counted(int(undefined.sum()), 'cell')} of {listed(who)} had only signal or only noise and no d′; "
            f"they have no part in the means."
        )
    missing = len(counts.participants) * len(counts.cells) - len(d)
    if missing:
        said.append(
            f"{counted(missing, 'combination')} of participant and cell did not occur; means of cells are over "
            f"different participants."
        )
    known = ~undefined
    extreme = known & (
        np.isin(counts.hits, 0) | (counts.hits == counts.n_signal) | (counts.false_alarms == counts.n_noise)
        | (counts.false_alarms == 0)
    )  # fmt: skip
    if extreme.any():
        said.append(
            f"In {counted(int(extreme.sum()), 'cell')} of {int(known.sum()):,} a rate was 0 or 1: d′ is there as large "
            f"as the correction lets it be for so many trials, and cells with more trials could reach more."
        )
    fewest = np.minimum(counts.n_signal, counts.n_noise)[known]
    if fewest.min() < FEW:
        n = int(fewest.min())
        said.append(
            f"{counted(int((fewest < FEW).sum()), 'cell has', 'cells have')} fewer than {FEW} trials of a kind: with "
            f"{n} of each, a true d′ of 2 is estimated as "
            f"{number_text(sensitivity.expected_d_prime(2.0, n, n))} on average. Compare cells with equal numbers of "
            f"trials only."
        )
    elif (
        counts.n_signal[known].max() > 2 * counts.n_signal[known].min()
        or counts.n_noise[known].max() > 2 * counts.n_noise[known].min()
    ):
        said.append(
            "Some cells have more than twice as many trials as others; the correction pulls d′ of small cells towards "
            "0 more than that of large ones."
        )
    alone = sum(int((known & (counts.cell == cell)).sum()) < 2 for cell in range(len(counts.cells)))
    if alone:
        said.append(f"{counted(alone, 'cell')} with fewer than two participants: no spread and no interval there.")
    return said


def _sentence(line: dict[str, Any], labels: dict[str, str], *, confidence: float) -> str:
    cell = ", ".join(f"{name} {line[column]}" for name, column in labels.items())
    if line["mean"] is None:
        return f"{cell}: no participant with signal and noise."
    between = (
        f", {percent_text(confidence)} CI [{number_text(line['ci_low'])}, {number_text(line['ci_high'])}]"
        if line["ci_low"] is not None
        else ""
    )
    text = f"ean d′ = {number_text(line['mean'])}{between}, c = {number_text(line['criterion'])} "
    return f"{f'{cell}: m' if cell else 'M'}{text}({counted(line['n'], 'participant')})."


METHOD = Method(
    slug="signal-detection",
    label="Signal detection",
    summary="Sensitivity d′ and criterion c per participant and cell, from answers that are signal or noise.",
    function=signal_detection,
    parameters=(
        Parameter(
            "response",
            "Response",
            "column",
            help="What was answered.",
            default="response",
            required=True,
            role="measure",
            also=("choice", "answer"),
        ),
        Parameter(
            "target",
            "Truth",
            "column",
            help="What it was: the column with the right answer, or a factor such as lexicality.",
            default="target",
            required=True,
            role="factor",
            also=("truth",),
        ),
        Parameter(
            "signal",
            "Signal",
            "text",
            help="The answer or level that counts as signal; where they have different names both, as in yes,old.",
            required=True,
        ),
        Parameter("within", "Factors", "columns", help="One d′ per combination of their levels.", role="factor"),
        PARTICIPANT,
        CONFIDENCE,
        *rows.ROW_PARAMETERS,
    ),
    example=example,
)
