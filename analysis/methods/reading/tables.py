"""Derive speed, pace and z scores from reading measures, and average them by condition and AOI."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.reading.measures import AOI_MEASURES, TEXT_MEASURES, Integers
from analysis.methods.reading.visits import Columns, Visits
from analysis.methods.report import BadInput, Column, Table
from analysis.methods.wording import counted, listed

MEANS = (
    "total_time",
    "first_pass_time",
    "first_pass_share",
    "path_log",
    "regressions",
    "speed",
    "pace",
    "time_z",
    "speed_z",
    "pace_z",
    "first_pass_time_z",
    "time_z2",
    "speed_z2",
    "pace_z2",
)
_COMPUTED = frozenset({*AOI_MEASURES, *TEXT_MEASURES, *MEANS, "words", "time", "words_per_minute"})


def without_measures(readings: pd.DataFrame, columns: Columns, warnings: list[str]) -> pd.DataFrame:
    """Return readings without those columns of the data that are called like a measure, which would hide it.

    The number of AOIs may well be in a column `aois`; of all others a warning says that they were left out. Raises
    BadInput where a column that tells readings or conditions apart is called so.

    >>> made = Columns(("who", "text"), ("text",), None, "aoi", "enter_ms", "leave_ms", None, None)
    >>> list(without_measures(pd.DataFrame(columns=["who", "text", "visits", "age"]), made, []))
    ['who', 'text', 'age']
    """
    clash = sorted({*columns.keys, *columns.stimulus, columns.condition or ""} & _COMPUTED)
    if clash:
        raise BadInput(f"The column {listed(clash)} is called like a measure of reading; give it another name.")
    found = [name for name in map(str, readings.columns) if name in _COMPUTED]
    told = [name for name in found if name not in ("aois", columns.aois)]
    if told:
        warnings.append(
            f"The {'column' if len(told) == 1 else 'columns'} {listed(told)} of the data "
            f"{'is called like a measure' if len(told) == 1 else 'are called like measures'} of reading and had no "
            f"part; rename what you want to keep."
        )
    return readings.drop(columns=found)


def derived(frame: pd.DataFrame, *, time: str, words: Floats) -> pd.DataFrame:
    """Add `words`, `time`, `speed` = words / time, `pace` = time / words and `words_per_minute`.

    >>> derived(pd.DataFrame({"total": [2000.0]}), time="total", words=np.array([10.0]))["pace"].tolist()
    [200.0]
    """
    spent = frame[time].to_numpy(dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.where(spent > 0, words / spent, np.nan)
        pace = spent / words
    return frame.assign(words=words, time=spent, speed=speed, pace=pace, words_per_minute=speed * 60_000)


def standard_scores(
    frame: pd.DataFrame,
    columns: Sequence[str],
    *,
    by: Sequence[str],
    suffix: str,
    what: str,
    plural: str = "",
    warnings: list[str],
) -> pd.DataFrame:
    """Add z = (x − mean) / sd of every column within the groups of `by`, with the sample standard deviation (n − 1).

    A group without variance, or with fewer than two values, has no z: NaN, and a warning that names it.
    """
    group = frame.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    groups = int(group.max()) + 1
    added: dict[str, Floats] = {}
    without: set[int] = set()
    for column in columns:
        values = frame[column].to_numpy(dtype=np.float64)
        known = ~np.isnan(values)
        if not known.any():
            added[column + suffix] = np.full(len(frame), np.nan)
            continue
        count = np.bincount(group[known], minlength=groups)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.bincount(group[known], weights=values[known], minlength=groups) / count
            centred = values - mean[group]
            square = np.bincount(group[known], weights=centred[known] ** 2, minlength=groups)
            sd = np.sqrt(square / (count - 1))
            flat = (count > 0) & ~(sd > 1e-12 * np.abs(mean))
            added[column + suffix] = np.where(flat[group], np.nan, centred / sd[group])
        without |= set(np.flatnonzero(flat).tolist())
    if without:
        first = [int(np.flatnonzero(group == number)[0]) for number in sorted(without)[:8]]
        names = [" ".join(str(frame[column].iloc[place]) for column in by) for place in first]
        more = f" and {len(without) - 8} more" if len(without) > 8 else ""
        warnings.append(
            f"{counted(len(without), what, plural)} ({listed(names)}{more}) had no variance, or fewer than two values, "
            f"in some measure; {suffix} is empty there."
        )
    return frame.assign(**added)


def sentence_columns(
    text: pd.DataFrame, aoi: pd.DataFrame, *, reading: Integers, labels: Sequence[object]
) -> pd.DataFrame:
    """Add the measures of every AOI as columns of its reading: `time_1`, `pace_1`, `visits_1`, `time_1_z2` …"""
    added: dict[str, Floats] = {}
    for label in labels:
        rows = np.flatnonzero((aoi["aoi"] == label).to_numpy())
        for measure in ("time", "speed", "pace", "visits", "time_z2", "speed_z2", "pace_z2"):
            if measure not in aoi.columns:
                continue
            values = np.full(len(text), np.nan)
            values[reading[rows]] = aoi[measure].to_numpy(dtype=np.float64)[rows]
            name, _, suffix = measure.partition("_")
            added[f"{name}_{label}" + (f"_{suffix}" if suffix else "")] = values
    return text.assign(**added)


def condition_means(text: pd.DataFrame, *, who: str, condition: str | None) -> Table:
    """Return the mean of every text measure per condition and the SD of participants' means, as a paper prints it."""
    sentences = [name for name in text.columns if name[-3:] == "_z2" and name not in MEANS]
    found = []
    for level, part in _by(text, condition):
        for measure in (*MEANS, *sentences):
            if measure not in part.columns or part[measure].isna().all():
                continue
            of_people = part.groupby(who, sort=False)[measure].mean()
            found.append(
                {
                    "condition": level,
                    "measure": measure,
                    "n": int(part[measure].notna().sum()),
                    "participants": int(of_people.notna().sum()),
                    "mean": float(part[measure].mean()),
                    "sd_participants": float(of_people.std()),
                }
            )
    columns = (
        Column("condition", "Condition", "text"),
        Column("measure", "Measure", "text"),
        Column("n", "Readings", "integer"),
        Column("participants", "Participants", "integer"),
        Column("mean", "Mean"),
        Column("sd_participants", "SD of participants' means"),
    )
    return Table.from_rows("conditions", "Means per condition", columns, found)


def dwell(aoi: pd.DataFrame, *, who: str, condition: str | None) -> Table:
    """Return the mean total duration of every AOI: mean of participants' means with a t interval."""
    found = []
    for level, part in _by(aoi, condition):
        for label, cell in part.groupby("aoi", sort=False):
            of_people = cell.groupby(who, sort=False)["total_duration"].mean().dropna()
            count = len(of_people)
            mean = float(of_people.mean()) if count else float("nan")
            half = float("nan")
            if count > 1:
                half = float(scipy.stats.t.ppf(0.975, count - 1)) * float(of_people.std()) / float(np.sqrt(count))
            found.append(
                {
                    "condition": level,
                    "aoi": str(label),
                    "n": len(cell),
                    "visited": float(cell["visited"].mean()),
                    "mean": mean,
                    "ci_low": mean - half,
                    "ci_high": mean + half,
                }
            )
    columns = (
        Column("condition", "Condition", "text"),
        Column("aoi", "AOI", "text"),
        Column("n", "Readings", "integer"),
        Column("visited", "Share visited", "share"),
        Column("mean", "Mean total duration (ms)"),
        Column("ci_low", "95 % CI from"),
        Column("ci_high", "95 % CI to"),
    )
    return Table.from_rows("dwell", "Dwell time per area of interest", columns, found)


def scan_paths(seen: Visits, *, columns: Columns, many: int) -> Table | None:
    """Return the visits of the first readings of every condition in turn, up to `many` of them; None for none."""
    readings, condition = seen.readings, columns.condition
    level = readings[condition].astype(str).to_numpy() if condition else np.full(len(readings), "all")
    turn = pd.Series(level).groupby(level, sort=False).cumcount().to_numpy()
    chosen = np.lexsort((level, turn))[:many]
    if not len(chosen):
        return None
    who, what = columns.keys[0], columns.stimulus[0]
    named_by = [who, what if what != who else columns.keys[1], *([condition] if condition else [])]
    names = [" ".join(str(cell) for cell in row if cell is not None) for row in readings[named_by].to_numpy(object)]
    found = []
    for reading in chosen.tolist():
        own = np.flatnonzero(seen.reading == reading)
        for number, place in enumerate(own.tolist(), start=1):
            begun = float(seen.start[place] - seen.start[own[0]])
            found.append(
                {
                    "reading": names[reading],
                    "visit": number,
                    "aoi": seen.labels[int(seen.aoi[place])],
                    "enter_s": begun / 1000,
                    "leave_s": (begun + float(seen.duration[place])) / 1000,
                }
            )
    shown = (
        Column("reading", "Reading", "text"),
        Column("visit", "Visit", "integer"),
        Column("aoi", "AOI", "text"),
        Column("enter_s", "Entered (s)"),
        Column("leave_s", "Left (s)"),
    )
    return Table.from_rows("paths", "Scan paths of some readings", shown, found)


def _by(frame: pd.DataFrame, condition: str | None) -> list[tuple[str, pd.DataFrame]]:
    if condition is None:
        return [("all", frame)]
    return [(str(level), part) for level, part in frame.groupby(condition, sort=True)]
