"""Reading measures from visits to areas of interest, computed for all readings at once.

A *visit* is an uninterrupted stay on one area of interest (AOI). M(k) is the highest AOI visited before visit k; AOIs
are ordered as they stand in the text. A measure of an AOI that was not visited (or, for first-pass measures, not
visited before something to its right) is NaN, never 0.

| name | rule |
|---|---|
| `first_duration` | duration of the first visit |
| `total_duration` | sum over the visits |
| `gaze_duration` | the single visit with which the AOI is first entered while nothing to its right, nor the AOI itself, has been visited |
| `first_pass` | that visit and those that follow it on the same AOI, until another AOI is entered |
| `right_bounded` | sum of visits before which nothing to the right had been visited: a ≥ M |
| `go_past` | from the first-pass entry, everything until the first visit to a later AOI |
| `rereading` | total_duration − first_pass |

Sources: Rayner (1998), *Psychological Bulletin* 124, 372–422, for the measures of eye tracking; Wilcox, Ding, Sachan
and Jäger (2024), *Cognition* 242, 105629, for mouse tracking for reading (MoTR), whose published values these equal.
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

AOI_MEASURES = (
    "first_duration",
    "total_duration",
    "first_pass",
    "gaze_duration",
    "right_bounded",
    "go_past",
    "rereading",
    "first_pass_visited",
    "first_pass_regression",
    "regression_in",
    "visited",
    "visits",
)
TEXT_MEASURES = (
    "total_time",
    "first_pass_time",
    "first_pass_share",
    "transitions",
    "path_log",
    "regressions",
    "visits",
    "aois_visited",
    "aois",
)


@dataclass(frozen=True)
class Measures:
    """Measures per cell (an AOI of a reading, in the order of `reading`, then `aoi`) and per reading."""

    reading: Integers
    aoi: Integers
    of_aois: dict[str, Floats]
    of_texts: dict[str, Floats]


def measures(
    *, reading: Integers, aoi: Integers, duration: Floats, cell_reading: Integers, cell_aoi: Integers
) -> Measures:
    """Compute every measure.

    `reading`, `aoi`, `duration`: one entry per visit, sorted by reading and within it by time; `reading` counts from
    0 and `aoi` is the place of the AOI in its text, from 0. `cell_reading`, `cell_aoi`: every AOI that exists in
    every reading, visited or not, sorted by reading, then AOI; each visit must be to one of them.

    >>> found = measures(
    ...     reading=np.array([0, 0, 0]), aoi=np.array([0, 2, 1]), duration=np.array([300.0, 200.0, 150.0]),
    ...     cell_reading=np.array([0, 0, 0]), cell_aoi=np.array([0, 1, 2]),
    ... )
    >>> found.of_aois["total_duration"].tolist(), found.of_aois["first_pass"].tolist()
    ([300.0, 150.0, 200.0], [300.0, nan, 200.0])
    >>> found.of_texts["regressions"].tolist(), found.of_texts["total_time"].tolist()
    ([1.0], [650.0])
    """
    width = int(cell_aoi.max(initial=0)) + 1
    cells = cell_reading * width + cell_aoi
    cell = np.searchsorted(cells, reading * width + aoi)
    order = _Order.of(reading=reading, aoi=aoi, width=width)
    of_aois = _of_aois(order, cell=cell, duration=duration, cells=len(cells))
    of_texts = _of_texts(
        order,
        reading=reading,
        duration=duration,
        first_visit=_first_of(cell, len(cells)),
        visited=np.bincount(cell_reading, weights=of_aois["visited"]).astype(np.float64),
        aois=np.bincount(cell_reading).astype(np.float64),
    )
    return Measures(reading=cell_reading, aoi=cell_aoi, of_aois=of_aois, of_texts=of_texts)


@dataclass(frozen=True)
class _Order:
    """What a visit knows about the visits before and after it in its reading."""

    run: Integers
    right_bounded: Truths
    first_pass_entry: Truths
    left_to_earlier: Truths
    entered_from_later: Truths
    changed: Truths

    @classmethod
    def of(cls, *, reading: Integers, aoi: Integers, width: int) -> _Order:
        new_reading = np.ones(len(reading), dtype=bool)
        new_reading[1:] = reading[1:] != reading[:-1]
        changed = np.zeros(len(reading), dtype=bool)
        changed[1:] = (aoi[1:] != aoi[:-1]) & ~new_reading[1:]
        # Readings lie behind one another on one axis, so that one running maximum serves them all.
        highest = np.maximum.accumulate(reading * width + aoi)
        before = np.full(len(reading), -1, dtype=np.int64)
        before[1:] = highest[:-1] - reading[1:] * width
        backwards = np.zeros(len(reading), dtype=bool)
        backwards[1:] = (aoi[1:] < aoi[:-1]) & ~new_reading[1:]
        run = np.cumsum(new_reading | changed) - 1
        run_goes_back = np.zeros(int(run[-1]) + 2 if len(run) else 1, dtype=bool)
        run_goes_back[run[backwards]] = True
        return cls(
            run=run,
            right_bounded=aoi >= before,
            first_pass_entry=aoi > before,
            left_to_earlier=run_goes_back[run + 1] if len(run) else backwards,
            entered_from_later=backwards,
            changed=changed,
        )


def _of_aois(order: _Order, *, cell: Integers, duration: Floats, cells: int) -> dict[str, Floats]:
    count = np.bincount(cell, minlength=cells).astype(np.float64)
    visited = count > 0
    first = _first_of(cell, cells)
    entry = np.flatnonzero(order.first_pass_entry)
    entered = np.zeros(cells, dtype=bool)
    entered[cell[entry]] = True

    def at_entry(values: Floats) -> Floats:
        result = np.full(cells, np.nan)
        result[cell[entry]] = values[entry]
        return result

    first_duration = np.full(cells, np.nan)
    first_duration[cell[first]] = duration[first]
    total = np.where(visited, np.bincount(cell, weights=duration, minlength=cells), np.nan)
    per_run = np.bincount(order.run, weights=duration).astype(np.float64)
    first_pass = at_entry(per_run[order.run] if len(duration) else duration)
    bounded = order.right_bounded
    right = np.bincount(cell[bounded], weights=duration[bounded], minlength=cells)
    ever_bounded = np.bincount(cell[bounded], minlength=cells) > 0
    # What follows a first-pass entry belongs to it until the next one; each reading begins with one.
    stretch = np.cumsum(order.first_pass_entry) - 1
    first_runs = np.zeros(len(per_run), dtype=bool)
    first_runs[order.run[entry]] = True
    again = ~first_runs[order.run] if len(duration) else np.zeros(0, dtype=bool)
    rereading = np.bincount(cell[again], weights=duration[again], minlength=cells).astype(np.float64)
    per_stretch = np.bincount(stretch, weights=duration).astype(np.float64)
    return {
        "first_duration": first_duration,
        "total_duration": total,
        "first_pass": first_pass,
        "gaze_duration": at_entry(duration),
        "right_bounded": np.where(ever_bounded, right, np.nan),
        "go_past": at_entry(per_stretch[stretch] if len(duration) else duration),
        "rereading": np.where(entered, rereading, np.nan),
        "first_pass_visited": entered.astype(np.float64),
        "first_pass_regression": at_entry(order.left_to_earlier.astype(np.float64)),
        "regression_in": np.where(
            visited, np.bincount(cell[order.entered_from_later], minlength=cells).clip(max=1), np.nan
        ),
        "visited": visited.astype(np.float64),
        "visits": count,
    }


def _of_texts(
    order: _Order, *, reading: Integers, duration: Floats, first_visit: Integers, visited: Floats, aois: Floats
) -> dict[str, Floats]:
    readings = len(aois)
    total = np.bincount(reading, weights=duration, minlength=readings)
    visits = np.bincount(reading, minlength=readings)
    last_new = np.full(readings, -1, dtype=np.int64)
    np.maximum.at(last_new, reading[first_visit], order.run[first_visit])
    in_first_pass = order.run <= last_new[reading] if len(duration) else np.zeros(0, dtype=bool)
    first_pass = np.bincount(reading[in_first_pass], weights=duration[in_first_pass], minlength=readings)
    first_pass = np.where((visited == aois) & (visits > 0), first_pass, np.nan)
    transitions = np.bincount(reading[order.changed], minlength=readings).astype(np.float64)
    regressions = np.bincount(reading[order.entered_from_later], minlength=readings).astype(np.float64)
    read = visits > 0
    return {
        "total_time": np.where(read, total, np.nan),
        "first_pass_time": first_pass,
        "first_pass_share": first_pass / np.where(read, total, np.nan),
        "transitions": transitions,
        "path_log": np.log1p(transitions),
        "regressions": regressions,
        "visits": visits.astype(np.float64),
        "aois_visited": visited,
        "aois": aois,
    }


def _first_of(cell: Integers, cells: int) -> Integers:
    """Return the position of the first visit to every cell that was visited."""
    position = np.full(cells, -1, dtype=np.int64)
    backwards = np.arange(len(cell) - 1, -1, -1)
    position[cell[backwards]] = backwards
    return position[position >= 0]
