"""Reading measures of each trial, computed from its visits by the rules of the method `reading`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.exports.cells import Cell, Cells
from analysis.exports.stored import StoredTrial
from analysis.methods.reading.measures import measures
from experiments.paradigms.base import Paradigm

TABLE = "visits"
COUNTS = frozenset({"transitions", "regressions", "visits", "areas_visited"})


def visit_cells(paradigm: Paradigm, trials: Sequence[StoredTrial], *, names: Sequence[str]) -> dict[int, Cells]:
    """Return the measures of `names` by trial, for the trials of a session that have visits.

    Only visits during which the area was clear count; what was not visited is empty, never 0.
    """
    rows: list[tuple[int, int, float, float]] = []
    words: dict[int, list[float]] = {}
    for trial in trials:
        if trial.payload is None or trial.plugin not in paradigm.responses:
            continue
        visits = paradigm.long_rows(TABLE, trial.params, trial.payload, [])
        if not visits:
            continue
        own = {row["aoi"]: float(row["words"]) for row in visits}
        words[trial.pk] = [own[aoi] for aoi in sorted(own)]
        rows += [(trial.pk, row["aoi"] - 1, row["enter_ms"], row["leave_ms"]) for row in visits if row["shown"]]
    if not words:
        return {}
    order = list(words)
    reading = np.array([order.index(row[0]) for row in rows], dtype=np.int64)
    aoi = np.array([row[1] for row in rows], dtype=np.int64)
    duration = np.array([row[3] - row[2] for row in rows], dtype=np.float64)
    counts = [len(words[pk]) for pk in order]
    cell_reading = np.repeat(np.arange(len(order)), counts)
    found = measures(
        reading=reading,
        aoi=aoi,
        duration=duration,
        cell_reading=cell_reading,
        cell_aoi=np.concatenate([np.arange(count) for count in counts]),
    )
    first = np.cumsum([0, *counts])
    cells = {}
    for place, pk in enumerate(order):
        values = {name: float(column[place]) for name, column in found.of_texts.items()}
        values["areas_visited"] = values.pop("aois_visited")
        values |= _paces(values["total_time"], sum(words[pk]))
        for area, count in enumerate(words[pk]):
            at = int(first[place]) + area
            time = float(found.of_aois["total_duration"][at])
            own_values = {"words": count, "time": time, "visits": float(found.of_aois["visits"][at])}
            values |= {f"{name}_{area + 1}": value for name, value in {**own_values, **_paces(time, count)}.items()}
        cells[pk] = tuple(_cell(name, values.get(name)) for name in names)
    return cells


def _paces(time: float, words: float) -> dict[str, float]:
    return {"speed": words / time if time > 0 else float("nan"), "pace": time / words if words else float("nan")}


def _cell(name: str, value: float | None) -> Cell:
    if value is None or np.isnan(value):
        return None
    # Differences of tenths of milliseconds carry binary noise that nobody measured.
    return int(value) if name.partition("_")[0] in ("words", "visits") or name in COUNTS else round(value, 9)
