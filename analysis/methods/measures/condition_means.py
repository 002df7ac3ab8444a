"""Compute means of several measures per condition, with the SD of participants' means (`condition-means`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.columns import FromData, declared_table, usual
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Column, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import codes, levels, numbers, required
from analysis.methods.rows.scored_terms import ScoredTerm, scored, scored_term
from analysis.methods.wording import counted, listed, number_text

MEANS = declared_table(
    "means",
    "Means and SDs of participants' means: {conditions}",
    "One row per measure.",
    "measure",
    FromData("cells", "Per condition the mean over trials, and the SD of participants' means.", "number"),
)
LONG = declared_table(
    "long",
    "The same, one row per cell",
    "One row per measure and condition.",
    "measure condition",
    Column("n", "Trials", "integer", meaning="How many trials have a value."),
    Column("participants", "Participants", "integer", meaning="How many participants these are of."),
    usual("mean", meaning="The mean over trials."),
    Column("sd_participants", "SD of participants' means", meaning="How far participants' means differ."),
    Column("sd_trials", "SD of trials", meaning="The standard deviation over trials."),
    Column("min", "Least", meaning="The smallest value."),
    Column("max", "Greatest", meaning="The largest value."),
)


def condition_means(
    frame: pd.DataFrame,
    *,
    measures: Any,
    condition: str | None = None,
    participant: str | None = None,
    item: str | None = None,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Describe measures per condition, as table 2 of Zarrieß, Loth and Schlangen (2015) does.

    `measures` such as `z(fluency), z(pace), path_log, z2(pace_1)`: columns, or z(…) within participant, z2(…) within
    item over its conditions, log(…). Standard scores are computed over all analysed rows; fillers, whose condition is
    empty, are called `filler` where keep=fillers is given.

    Raises BadInput for unknown columns, and where a measure is empty in every row.

    >>> trials = pd.DataFrame({
    ...     "participant": ["P1", "P1", "P2", "P2"], "condition": ["gold", "sem"] * 2, "pace": [200, 260, 300, 380],
    ... })
    >>> report = condition_means(trials, measures="pace", condition="condition")
    >>> report.table("means").frame()[["mean_gold", "mean_sem"]].values.tolist()
    [[250.0, 320.0]]
    """
    names = [str(column) for column in frame.columns]
    by = required(frame, condition or ("condition" if "condition" in names else None), role="condition")
    who = required(frame, participant or ("participant" if "participant" in names else None), role="participant")
    item = item or ("item" if "item" in names else None)
    terms = [scored_term(name, names) for name in as_names(measures)]
    if not terms:
        raise BadInput("measures is empty; name what to describe, such as z(fluency),z(pace),path_log.")
    twice = sorted({term.name for term in terms if sum(other.name == term.name for other in terms) > 1})
    if twice:
        raise BadInput(f"measures: {listed(twice)} is named more than once; name every measure once.")
    asked = [term.column for term in terms]
    chosen = rows.select(frame, used=[by, *asked], measured=asked, units=(who, item), where=where, keep=keep)
    part = rows.with_fillers_named(chosen.frame, by)
    found = levels(part, by)
    if not found:
        raise BadInput(f"Column '{by}' is empty in every row; name the column of conditions with condition=…")
    notes = list(chosen.notes)
    warnings = list(chosen.warnings)
    conditions = codes(part, by)
    placed = pd.Index(found).get_indexer(pd.Index(conditions))
    numbered = pd.factorize(codes(part, who), sort=True)[0]
    people = np.where(numbered < 0, np.nan, numbered)
    long: list[dict[str, Any]] = []
    # A column that several terms need is read once.
    shared = {term.column for term in terms} - {by, who, item}
    part = part.assign(**{column: numbers(part, column) for column in part.columns if column in shared})
    for place, term in enumerate(terms):
        progress(place / len(terms), f"Describing {term.name}")
        values = scored(part, term, participant=who, item=item)
        _tell(term, values, notes=notes)
        long += [
            {
                "measure": term.name,
                "condition": level,
                **_cell(values, people, (placed == number) & ~np.isnan(values)),
            }
            for number, level in enumerate(found)
        ]
    unplaced, unknown = int(pd.isna(conditions).sum()), int((numbered < 0).sum())
    warnings += _gaps(long, unplaced=unplaced, unknown=unknown, by=by, who=who)
    if any(term.within for term in terms):
        notes.append(
            "z(…) is standardised within participant and z2(…) within item over its conditions, with the sample "
            "standard deviation, over all rows analysed here."
        )
    notes.append("SD is that of participants' means: it shows how far participants agree, not how trials scatter.")
    first = [row for row in long if row["measure"] == terms[0].name and row["mean"] is not None]
    sentence = f"{terms[0].name}: " + ", ".join(
        f"{row['condition']} M = {number_text(row['mean'])}"
        + (f" (SD = {number_text(row['sd_participants'])})" if row["sd_participants"] is not None else "")
        for row in first
    )
    return Report(
        tables=(_wide(found, long), LONG.of(long)),
        notes=tuple(notes),
        warnings=tuple(warnings),
        sentences=(f"{sentence}.",),
    )


def _tell(term: ScoredTerm, values: Floats, *, notes: list[str]) -> None:
    missing = int(np.isnan(values).sum())
    if missing == len(values):
        why = f": no {term.within} has two values of '{term.column}' that differ" if term.within else ""
        raise BadInput(f"{term.name} is empty in every row{why}; leave it out of measures.")
    if missing:
        notes.append(f"{term.name}: {counted(missing, 'row')} of {len(values):,} without a value.")


def _gaps(long: list[dict[str, Any]], *, unplaced: int, unknown: int, by: str, who: str) -> list[str]:
    """Warn of rows without a condition or a participant, and of cells without a mean or an SD."""
    warnings = []
    if unplaced:
        warnings.append(f"{counted(unplaced, 'row')} had no '{by}' and {'is' if unplaced == 1 else 'are'} in no mean.")
    if unknown:
        warnings.append(
            f"{counted(unknown, 'row')} had no '{who}' and {'has' if unknown == 1 else 'have'} no part in the SD."
        )
    empty = [f"{row['measure']} in {row['condition']}" for row in long if row["n"] == 0]
    if empty:
        warnings.append(f"There is no value of {listed(empty, shown=12)}.")
    alone = [f"{row['measure']} in {row['condition']}" for row in long if row["n"] and row["participants"] < 2]
    if alone:
        warnings.append(
            f"The SD of participants' means needs at least two participants, and there are fewer for "
            f"{listed(alone, shown=12)}."
        )
    return warnings


def _cell(values: Floats, people: Floats, here: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Describe the values of one condition; `people` numbers the participants (NaN: unknown) in their order."""
    own = pd.Series(values[here])
    of_people = own.groupby(people[here]).mean()
    return {
        "n": len(own),
        "participants": len(of_people),
        "mean": _known(own.mean()),
        "sd_participants": _known(of_people.std()),
        "sd_trials": _known(own.std()),
        "min": _known(own.min()),
        "max": _known(own.max()),
    }


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _wide(found: tuple[str, ...], long: list[dict[str, Any]]) -> Table:
    given: dict[str, dict[str, Any]] = {}
    for row in long:
        line = given.setdefault(row["measure"], {"measure": row["measure"]})
        line |= {f"mean_{row['condition']}": row["mean"], f"sd_{row['condition']}": row["sd_participants"]}
    cells = [
        Column(f"{name}_{level}", f"{level}: {label}")
        for level in found
        for name, label in (("mean", "mean"), ("sd", "SD"))
    ]
    return MEANS.of(given.values(), conditions=listed(found), cells=cells)


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    random = np.random.default_rng(8)
    made = []
    for person in range(1, 7):
        for place in range(1, 7):
            condition = ("gold", "sem")[(person + place) % 2]
            slower = {"gold": 0.0, "sem": 30.0}[condition]
            made.append((f"P{person}", f"T{place}", condition, round(float(random.normal(250 + slower, 20)), 1)))
    frame = pd.DataFrame(made, columns=["participant", "item", "condition", "pace"])
    return frame, {"measures": "z(pace),z2(pace),pace"}


METHOD = declared(
    "condition-means",
    "Means per condition",
    "Means of several measures per condition, raw or standardised, with the SD of participants' means.",
    condition_means,
    Parameter(
        "measures",
        "Measures",
        "text",
        role="measure",
        help="Such as z(fluency),pace. z within participant, z2 within item, log.",
    ),
    Parameter("condition", "Condition", "column", default="condition", role="factor"),
    Parameter("participant", "Participant", "column", default="participant", role="unit"),
    Parameter("item", "Item", "column", default="item", role="unit", help="For z2(…)."),
    group="describe",
    question=("What are the means of the measures by {factors}?", "What are the means of the measures by condition?"),
    needs=("numbers", "conditions"),
    example=_example,
    tables=(MEANS, LONG),
)
