"""The report of `reading`: tables with headings and units, figures, notes and sentences."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis.methods.reading.measures import AOI_MEASURES, TEXT_MEASURES
from analysis.methods.reading.tables import condition_means, dwell, scan_paths
from analysis.methods.reading.visits import Columns, Visits
from analysis.methods.report import Column, Figure, Format, Report, Table
from analysis.methods.wording import counted, number_text

_LABELS: dict[str, tuple[str, Format]] = {
    "first_duration": ("First visit (ms)", "number"),
    "total_duration": ("Total duration (ms)", "number"),
    "first_pass": ("First pass (ms)", "number"),
    "gaze_duration": ("Gaze duration (ms)", "number"),
    "right_bounded": ("Right-bounded duration (ms)", "number"),
    "go_past": ("Go-past duration (ms)", "number"),
    "rereading": ("Rereading (ms)", "number"),
    "first_pass_visited": ("Visited in first pass", "integer"),
    "first_pass_regression": ("Regression out of first pass", "integer"),
    "regression_in": ("Regression into", "integer"),
    "visited": ("Visited", "integer"),
    "visits": ("Visits", "integer"),
    "total_time": ("Total reading time (ms)", "number"),
    "first_pass_time": ("First-pass reading time (ms)", "number"),
    "first_pass_share": ("Share of first pass", "share"),
    "transitions": ("Transitions", "integer"),
    "path_log": ("ln(1 + transitions)", "number"),
    "regressions": ("Regressions", "integer"),
    "aois_visited": ("AOIs visited", "integer"),
    "aois": ("AOIs", "integer"),
    "words": ("Words", "integer"),
    "time": ("Time (ms)", "number"),
    "speed": ("Speed (words per ms)", "number"),
    "pace": ("Pace (ms per word)", "number"),
    "words_per_minute": ("Words per minute", "number"),
}


def report_of(
    aoi: pd.DataFrame,
    text: pd.DataFrame,
    *,
    columns: Columns,
    seen: Visits,
    paths: int,
    notes: tuple[str, ...],
    warnings: list[str],
) -> Report:
    """Put measures per AOI and per text into a report."""
    who, condition = columns.keys[0], columns.condition
    never = int((aoi["visited"] == 0).sum())
    unread = int(text["first_pass_time"].isna().sum())
    if columns.words is None:
        notes = (*notes, "No column of words was given, so speed and pace are empty.")
    notes = (
        *notes,
        f"Of {counted(len(aoi), 'AOI', 'AOIs')} in all readings, {never:,} were not visited; their measures are empty, "
        f"not 0. First-pass reading time runs until the last AOI that had not been visited is left; it is empty for "
        f"{counted(unread, 'reading')} in which an AOI was never visited.",
    )
    if unread:
        warnings.append(
            f"In {counted(unread, 'reading')} of {len(text):,} not every AOI was visited; consider leaving these out."
        )
    means = dwell(aoi, who=who, condition=condition) if len(seen.labels) <= 60 else None
    tables = [
        _table("aoi", "Reading measures per area of interest", aoi, AOI_MEASURES),
        _table("text", "Reading measures per text", text, TEXT_MEASURES),
        condition_means(text, who=who, condition=condition),
    ]
    figures: list[Figure] = []
    if means is not None:
        tables.append(means)
        encoding = {"x": "aoi", "y": "mean", "low": "ci_low", "high": "ci_high"}
        figures.append(
            Figure(
                name="dwell",
                title="Dwell time per area of interest",
                kind="bars",
                table="dwell",
                encoding={**encoding, "colour": "condition"} if condition else encoding,
                caption="Means of participants' mean total durations (visited areas only) with 95 % intervals.",
                x_label="Area of interest",
                y_label="Total duration (ms)",
            )
        )
    drawn = scan_paths(seen, columns=columns, many=paths)
    if drawn is not None:
        tables.append(drawn)
        figures.append(
            Figure(
                name="paths",
                title="Scan paths",
                kind="path",
                table="paths",
                encoding={"x": "aoi", "low": "enter_s", "high": "leave_s", "panel": "reading"},
                caption="Each bar is a visit; time runs downwards from the first entry. The first readings of each "
                "condition.",
                x_label="Area of interest",
                y_label="Time (s)",
            )
        )
    of_people = text.groupby(who, sort=False)["total_time"].mean()
    sd = f", SD over participants = {number_text(float(of_people.std()), places=0)} ms" if len(of_people) > 1 else ""
    mean = number_text(float(text["total_time"].mean()), places=0)
    whose = f"{counted(len(text), 'reading')} of {counted(len(of_people), 'participant')}"
    sentence = f"Reading a text took {mean} ms on average ({whose}{sd})."
    return Report(
        tables=tuple(tables),
        figures=tuple(figures),
        notes=notes,
        warnings=tuple(dict.fromkeys(warnings)),
        sentences=(sentence,),
    )


def _table(name: str, title: str, frame: pd.DataFrame, first: tuple[str, ...]) -> Table:
    identifiers = [column for column in frame.columns if column not in _LABELS and not _is_measure(column)]
    names = [*identifiers, *first, *(column for column in frame.columns if column not in {*identifiers, *first})]
    shown = tuple(Column(column, *_heading(frame, column)) for column in names)
    values = [_plain(frame[column], shown[place].format) for place, column in enumerate(names)]
    return Table(name=name, title=title, columns=shown, rows=tuple(zip(*values, strict=True)))


def _heading(frame: pd.DataFrame, column: str) -> tuple[str, Format]:
    if column == "aoi":
        return "AOI", "integer" if isinstance(frame["aoi"].iloc[0], int) else "text"
    return _LABELS.get(column, (column, "number" if _is_measure(column) else "text"))


def _is_measure(column: str) -> bool:
    return column.endswith(("_z", "_z2")) or column.rsplit("_", 1)[0] in {"time", "speed", "pace", "visits"}


def _plain(values: pd.Series[Any], shown_as: Format) -> list[Any]:
    if shown_as == "integer":
        return [None if value != value else int(value) if value % 1 == 0 else value for value in values.tolist()]
    return [None if value is None or value != value else value for value in values.tolist()]
