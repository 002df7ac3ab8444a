"""Normalise ratings within participants: z scores, logarithms, ratios to a modulus (`normalise`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.columns import FromData, declared_table
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.measures import normalise_wording as words
from analysis.methods.measures.normalise_participants import (
    PARTICIPANTS,
    flag_warnings,
    modulus_warnings,
    of_participants,
)
from analysis.methods.measures.rankings import RANKINGS, ranking_table, ranking_warnings
from analysis.methods.measures.scales import HOW, score_values
from analysis.methods.report import BadInput, Column, Figure, Report, Table, plain
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import joined, numbers, required
from analysis.methods.wording import counted, listed

PANELS = 60
SCORES = declared_table(
    "scores",
    "Scores of {dv}",
    "One row per row of data that satisfies `where`; rows that are left out (excluded, fillers …) and values without a "
    "score keep their row with an empty score.",
    FromData("columns", "The columns of the data."),
    FromData("score", "The score, `<dv>_<how>`.", "number"),
)


def normalise(
    frame: pd.DataFrame,
    *,
    dv: str,
    by: Sequence[str] = (),
    how: str = "z",
    modulus: str | None = "modulus",
    standard: float | None = None,
    offset: float | None = None,
    compare: Sequence[str] = (),
    participant: str | None = "participant",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Score every value against the other values of the same participant, or against the modulus.

    `how`: `z` = (x − mean)/sd with the sample sd (n − 1); `z-population` with n; `log` = log10 x; `log-z` = z of
    log10 x; `ratio` = x/modulus; `log-ratio` = log10(x/modulus). The modulus is the number that this participant gave
    the reference: the column `modulus`, or `standard` where everybody was given the same number. `by` names what a
    score is relative to, the participant unless given (several columns are joined with a colon).

    Zero and negative values have no logarithm: they are counted and left without a score; `offset` (added to every
    value before the logarithm) is only used where it is given. A column of the data that is called like the score is
    replaced. A participant with one value or with equal values has
    no z and is flagged.

    Raises BadInput where nothing can be scored, or a modulus is missing for a method that needs it.

    >>> frame = pd.DataFrame({"participant": ["a", "a", "a", "b", "b"], "rating": [1, 2, 3, 5, 5]})
    >>> report = normalise(frame, dv="rating", modulus=None)
    >>> report.table("scores").frame()["rating_z"].tolist()
    [-1.0, 0.0, 1.0, nan, nan]
    >>> [row[4] for row in report.table("participants").rows]
    [None, 'all values are equal, so there is no z']
    """
    people = tuple(by) or (required(frame, participant, role="participant"),)
    name = f"{dv}_{how}"
    if dv in people:
        raise BadInput(f"'{dv}' cannot be both the measure and what it is scored within; choose another column.")
    # Data that were exported with this score, or scored before, get it afresh.
    replaced = name in frame.columns
    numbered = frame.drop(columns=name, errors="ignore").reset_index(drop=True)
    chosen = rows.select(
        numbered, used=[dv, *people, modulus, *compare], measured=[dv, *compare], where=where, keep=keep
    )
    value = np.asarray(numbers(chosen.frame, dv), dtype=np.float64)
    scored_within = joined(chosen.frame, people)
    names, positions = scored_within.levels, scored_within.positions
    if not names:
        raise BadInput(f"No row says to which {listed(people)} it belongs; choose a column that is not empty.")
    references = _references(chosen.frame, modulus=modulus, standard=standard, how=how)
    progress(0.3, "scoring")
    scores = score_values(value, positions=positions, count=len(names), how=how, references=references, offset=offset)
    if not np.isfinite(scores.scores).any():
        raise BadInput(words.nothing_scored(dv, how=how, value=value))
    participants = of_participants(value, scores, positions, names, how=how, references=references)
    listing = rows.satisfying(numbered, where)
    column = pd.Series(np.nan, index=listing.index)
    column.loc[chosen.frame.index] = scores.scores
    tables = [
        _scores_table(listing, column, dv=dv, name=name),
        PARTICIPANTS.of(participants, dv=dv),
    ]
    unknown = int((positions < 0).sum())
    group = "participant" if people == (participant,) else f"{listed(people)} group"
    warnings = [
        *chosen.warnings,
        *flag_warnings(participants, value, positions, how=how, offset=offset, dv=dv, group=group),
        *(modulus_warnings(references, positions, names) if "ratio" in how and people == (participant,) else ()),
    ]
    if unknown:
        warnings.append(f"{counted(unknown, 'row')} had no {listed(people)} and got no score.")
    if compare:
        progress(0.7, "ranking")
        scales = _scales(value, positions=positions, count=len(names), how=how, references=references, offset=offset)
        table = ranking_table(chosen.frame, scales, compare=compare)
        tables.append(table)
        warnings += ranking_warnings(chosen.frame, scales, table, compare=compare, dv=dv)
    return Report(
        tables=tuple(tables),
        figures=_figures(name, dv=dv, people=people, count=len(names), how=how),
        notes=(
            *chosen.notes,
            *words.notes(dv, how=how, people=people, value=value, offset=offset, standard=standard),
            *((f"The column '{name}' that the data had already was replaced.",) if replaced else ()),
        ),
        warnings=tuple(warnings),
        sentences=(words.sentence(name, scores.scores, groups=counted(len(names), group)),),
    )


def _references(frame: pd.DataFrame, *, modulus: str | None, standard: float | None, how: str) -> Floats | None:
    """Return the modulus of every row; a modulus that is not above zero is NaN."""
    if standard is not None:
        if standard <= 0:
            raise BadInput(f"standard must be above zero; {standard:g} is not.")
        return np.full(len(frame), standard)
    if modulus is not None and modulus in frame.columns:
        found = np.asarray(numbers(frame, modulus), dtype=np.float64)
        return np.where(found > 0, found, np.nan)
    if how in ("ratio", "log-ratio"):
        raise BadInput(
            f"how={how} needs the number that was given to the reference: name its column with modulus=…, "
            f"or give the number itself with standard=… if it was the same for everybody."
        )
    return None


def _scales(
    value: Floats, *, positions: Any, count: int, how: str, references: Floats | None, offset: float | None
) -> dict[str, Floats]:
    z = "z-population" if how == "z-population" else "z"
    wanted = {"raw": "", "log": "log", "z": z}
    if references is not None:
        wanted["log_ratio"] = "log-ratio"
    return {
        scale: score_values(
            value, positions=positions, count=count, how=name, references=references, offset=offset
        ).scores
        if name
        else value
        for scale, name in wanted.items()
    }


def _scores_table(listing: pd.DataFrame, column: pd.Series[float], *, dv: str, name: str) -> Table:
    columns = [
        Column(str(given), str(given), "number" if pd.api.types.is_numeric_dtype(listing[given]) else "text")
        for given in listing.columns
    ]
    cells = [_cells(listing[given]) for given in listing.columns]
    scores = column.to_numpy().astype(object)
    scores[column.isna()] = None
    return Table(
        name=SCORES.name,
        title=SCORES.title.format(dv=dv),
        columns=(*columns, Column(name, name)),
        rows=tuple(zip(*cells, scores.tolist(), strict=True)),
    )


def _cells(column: pd.Series[Any]) -> list[Any]:
    """Return an input column as plain values, an empty cell as None."""
    values = column.tolist()
    if pd.api.types.is_string_dtype(column) and not column.isna().any():
        return [value or None for value in values] if "" in values else values
    return [(value or None) if isinstance(value, str) else plain(value) for value in values]


def _figures(name: str, *, dv: str, people: Sequence[str], count: int, how: str) -> tuple[Figure, ...]:
    label = f"{dv} ({how})"
    figures = [
        Figure(
            name="distribution",
            title=f"Distribution of {label}",
            kind="histogram",
            table="scores",
            encoding={"x": name},
            x_label=label,
            y_label="Values",
            bins=30,
        )
    ]
    if len(people) == 1 and count <= PANELS:
        figures.append(
            Figure(
                name="participants",
                title=f"Distribution of {label} per participant",
                kind="histogram",
                table="scores",
                encoding={"x": name, "panel": people[0]},
                x_label=label,
                y_label="Values",
                bins=20,
            )
        )
    return tuple(figures)


def _example() -> Example:
    random = np.random.default_rng(3)
    lines = [
        {
            "participant": f"{p:03d}",
            "item": f"I{i}",
            "condition": "ab"[(p + i) % 2],
            "modulus": 10 * p,
            "rating": round(10 * p * float(np.exp(random.normal(0.3 * ((p + i) % 2), 0.4))), 1),
        }
        for p in range(1, 6)
        for i in range(1, 9)
    ]
    return pd.DataFrame(lines), {"dv": "rating", "how": "log-ratio", "compare": ("condition",)}


METHOD = declared(
    "normalise",
    "Normalisation",
    "z scores within participants, logarithms, and ratios to the modulus.",
    normalise,
    Parameter(
        "by",
        "Scored within",
        "columns",
        help="The unit to which a score is relative; if empty, the participant.",
        role="unit",
    ),
    Parameter("how", "Scale", "choice", help="z uses the sample SD, z-population the population SD.", choices=HOW),
    Parameter(
        "modulus", "Modulus", "column", help="The number that the participant gave the reference.", role="measure"
    ),
    Parameter("standard", "Modulus for everybody", "number", help="If the reference had a fixed number."),
    Parameter("offset", "Offset", "number", help="Added before a logarithm; if empty, nothing is added."),
    Parameter("compare", "Order these conditions", "columns", help="Raw, log and z order side by side.", role="factor"),
    group="describe",
    question=(
        "How does {measure} look on one scale for all participants?",
        "How do answers look on one scale for all participants?",
    ),
    needs=("numbers",),
    example=_example,
    tables=(SCORES, PARTICIPANTS, RANKINGS),
)
