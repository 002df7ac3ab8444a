"""Add columns to the rows of `regions`: word frequency, preceding regions, residual reading times. Pure.

Residuals are those of Ferreira & Clifton (1986): of every participant the times of all regions of the main phase are
regressed on their number of characters; a region's residual is its time minus what the line expects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analysis.exports.cells import Cells, cell
from analysis.text.frequency import has_frequencies, zipf_of
from experiments.formats.words import NeedsRegions, split_words

# A line through fewer lengths says nothing of what length does.
LEAST_LENGTHS = 3
Row = Mapping[str, Any]
Line = tuple[float, float]


def added_cells(rows: Sequence[Row], *, language: str, lines: tuple[Line | None, Line | None]) -> list[Cells]:
    """Return the cells of `codebook.regions.REGION_COLUMNS` for the regions of one text, in their order."""
    zipfs = [region_zipf(str(row["region_text"]), language) for row in rows]
    found = []
    for place, row in enumerate(rows):
        before: list[Any] = []
        for back in (1, 2):
            at = place - back
            before += (rows[at]["characters"], zipfs[at], rows[at]["rt_ms"]) if at >= 0 else (None, None, None)
        time = row["rt_ms"]
        log = float(np.log(time)) if time is not None and time > 0 else None
        of_time, of_log = lines
        residuals = (_residual(time, row, of_time, places=3), _residual(log, row, of_log, places=6))
        found.append(tuple(cell(value) for value in (zipfs[place], *before, *residuals)))
    return found


def lines_of(rows: Sequence[Row]) -> tuple[Line | None, Line | None]:
    """Return the regressions of times and of their logarithms on characters, each as (intercept, slope).

    `rows` are those of one participant's main phase. None where there are fewer than three different lengths.

    >>> rows = [{"characters": n, "rt_ms": 200.0 + 10 * n} for n in (3, 5, 8)]
    >>> [round(float(value), 6) for value in lines_of(rows)[0]]
    [200.0, 10.0]
    """
    used = [row for row in rows if row["rt_ms"] is not None and row["rt_ms"] > 0 and row.get("correct") is not False]
    lengths = np.array([row["characters"] for row in used], dtype=np.float64)
    if len(set(lengths.tolist())) < LEAST_LENGTHS:
        return None, None
    times = np.array([row["rt_ms"] for row in used], dtype=np.float64)
    return _line(lengths, times), _line(lengths, np.log(times))


@lru_cache(maxsize=20_000)
def region_zipf(text: str, language: str) -> float | None:
    """Return the mean Zipf frequency of the listed words of a region, rounded to 0.001; None where none is listed, or
    there is no list for the language.

    >>> region_zipf("the dog,", "en") > region_zipf("neurosurgeon", "en"), region_zipf("xyzzyq", "en")
    (True, None)
    """
    if not has_frequencies(language):
        return None
    try:
        words = split_words(text)
    except NeedsRegions:
        return None
    found = zipf_of(words, language=language).zipf
    return None if found is None else round(found, 3)


def _line(x: Any, y: Any) -> Line:
    centred = x - x.mean()
    slope = float(centred @ (y - y.mean()) / (centred @ centred))
    return float(y.mean() - slope * x.mean()), slope


def _residual(value: float | None, row: Row, line: Line | None, *, places: int) -> float | None:
    if value is None or line is None:
        return None
    intercept, slope = line
    return round(float(value - intercept - slope * row["characters"]), places)
