"""Read visits from a frame: readings, AOIs in the order of the text, words per AOI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.reading.measures import Integers, Truths
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, codes, in_order, numbers, row_number
from analysis.methods.wording import counted, listed


@dataclass(frozen=True)
class Visits:
    """Kept visits, sorted by reading and time, and every AOI of every reading (its cells).

    `start` is when each of them began; `readings` has one row per reading: its keys and every other column that is
    constant within each reading.
    `labels` names the AOIs by their place in the order of the text; `cell_words` is NaN where words are not known.
    """

    reading: Integers
    aoi: Integers
    start: Floats
    duration: Floats
    cell_reading: Integers
    cell_aoi: Integers
    cell_words: Floats
    readings: pd.DataFrame
    labels: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """Which columns hold what. `keys` identify a reading, `stimulus` the text that was read.

    `aois` is how many AOIs a text has, or the column that says so; without it they are inferred. `shown` is the column
    that is false where an AOI was crossed without ever becoming clear.
    """

    keys: tuple[str, ...]
    stimulus: tuple[str, ...]
    condition: str | None
    aoi: str
    enter: str
    leave: str
    words: str | None
    aois: int | str | None
    shown: str | None = None


@dataclass(frozen=True)
class _Places:
    """The place of every row's AOI in its text: AOI numbers minus the lowest one, or codes in natural order."""

    place: Integers
    labels: tuple[str, ...]
    numbered: bool


def visits(frame: pd.DataFrame, columns: Columns, *, shortest: float, longest: float | None) -> Visits:
    """Read visits; a row without times declares an AOI that was not visited.

    Kept are visits with shortest < duration < longest, in milliseconds.

    Raises BadInput for a row that ends before it begins, for AOIs beyond their declared number, and where no visit is
    left.
    """
    notes: list[str] = []
    warnings: list[str] = []
    frame = _placed(frame, columns, notes)
    reading, readings = _readings(frame, columns)
    text = _groups(readings, columns.stimulus)
    places = _places(frame, columns.aoi, notes)
    start = np.asarray(numbers(frame, columns.enter), dtype=np.float64)
    end = np.asarray(numbers(frame, columns.leave), dtype=np.float64)
    happened = _happened(frame, start, end, columns)
    happened &= _was_shown(frame, columns, happened, notes)
    if columns.aois is None:
        cells = _inferred(places, text=text[reading], notes=notes)
    else:
        cells, places = _declared(frame, columns.aois, places, text=text[reading])
    width = len(places.labels)
    words = _words(frame, columns, cell=text[reading] * width + places.place, cells=cells)
    duration = end - start
    order = np.lexsort((start, reading))
    order = order[happened[order]]
    _look_for_overlaps(reading[order], start[order], end[order], warnings)
    longer = duration[order] > shortest
    kept = order[longer if longest is None else longer & (duration[order] < longest)]
    upper = "" if longest is None else f" and shorter than {longest:g} ms"
    were = "was" if len(kept) == 1 else "were"
    notes.append(f"Of {counted(len(order), 'visit')}, {len(kept):,} {were} kept: longer than {shortest:g} ms{upper}.")
    if len(kept) == 0:
        raise BadInput(
            "No visit is left: each was too short or too long. Lower min_ms, raise max_ms, or check that the times "
            "are in milliseconds."
        )
    cell_reading, where = _per_reading(cells, text=text, width=width)
    return Visits(
        reading=reading[kept],
        aoi=places.place[kept],
        start=start[kept],
        duration=duration[kept],
        cell_reading=cell_reading,
        cell_aoi=cells[where] % width,
        cell_words=words[where],
        readings=readings,
        labels=places.labels,
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _placed(frame: pd.DataFrame, columns: Columns, notes: list[str]) -> pd.DataFrame:
    without = np.zeros(len(frame), dtype=bool)
    for column in columns.keys:
        without |= codes(frame, column).isna().to_numpy()
    nowhere = codes(frame, columns.aoi).isna().to_numpy()
    if without.any():
        notes.append(f"{counted(int(without.sum()), 'row')} without {listed(columns.keys)} left out.")
    if (nowhere & ~without).any():
        notes.append(f"{counted(int((nowhere & ~without).sum()), 'row')} on no AOI (empty '{columns.aoi}') left out.")
    placed = frame.loc[~(without | nowhere)]
    if len(placed) == 0:
        raise BadInput(f"No row has both {listed(columns.keys)} and an AOI in column '{columns.aoi}'.")
    return placed


def _groups(frame: pd.DataFrame, by: Sequence[str]) -> Integers:
    """Return a group number for every row, counted in the order of first appearance."""
    group = np.zeros(len(frame), dtype=np.int64)
    for column in by:
        numbered, distinct = pd.factorize(codes(frame, column), use_na_sentinel=False)
        group = pd.factorize(group * max(len(distinct), 1) + numbered)[0].astype(np.int64)
    return group


def _readings(frame: pd.DataFrame, columns: Columns) -> tuple[Integers, pd.DataFrame]:
    reading = _groups(frame, columns.keys)
    first = np.unique(reading, return_index=True)[1]
    found: dict[str, object] = {column: codes(frame, column).to_numpy()[first] for column in columns.keys}
    own = {*columns.keys, columns.aoi, columns.enter, columns.leave, columns.words}
    for column in (str(name) for name in frame.columns if str(name) not in own):
        level = pd.factorize(frame[column], use_na_sentinel=False)[0]
        if bool((level == level[first][reading]).all()):
            found[column] = frame[column].to_numpy()[first]
    missing = [column for column in columns.stimulus if column not in found]
    if missing:
        raise BadInput(
            f"Column '{missing[0]}' differs within a reading ({listed(columns.keys)}); name the column that tells "
            f"readings apart with trial=…"
        )
    return reading, pd.DataFrame(found)


def _places(frame: pd.DataFrame, aoi: str, notes: list[str]) -> _Places:
    code = codes(frame, aoi)
    distinct = sorted({str(entry) for entry in code.unique()}, key=in_order)
    whole = all(entry.isdecimal() for entry in distinct)
    # Numbers count the areas of a text from 0 or 1; others, such as those of a database, only tell areas apart.
    lowest = 0 if whole and int(distinct[0]) == 0 else 1
    if whole and int(distinct[-1]) - lowest < 10 * len(distinct) + 10:
        labels = tuple(str(number) for number in range(lowest, int(distinct[-1]) + 1))
        by_code = {entry: int(entry) - lowest for entry in distinct}
    else:
        labels = tuple(distinct)
        by_code = {entry: place for place, entry in enumerate(distinct)}
        whole = False
        notes.append(f"AOIs are taken to stand in the text in the order {listed(labels, shown=6)}.")
    place = np.asarray(code.map(by_code), dtype=np.int64)
    return _Places(place=place, labels=labels, numbered=whole)


def _happened(frame: pd.DataFrame, start: Floats, end: Floats, columns: Columns) -> Truths:
    half = np.isnan(start) != np.isnan(end)
    if half.any():
        where = row_number(frame, int(np.flatnonzero(half)[0]))
        raise BadInput(
            f"Data row {where} has only one of '{columns.enter}' and '{columns.leave}'; give both, or neither for an "
            f"AOI that was not visited."
        )
    with np.errstate(invalid="ignore"):
        backwards = end < start
    if backwards.any():
        where = row_number(frame, int(np.flatnonzero(backwards)[0]))
        raise BadInput(
            f"Data row {where} leaves its AOI before it is entered ({counted(int(backwards.sum()), 'row')} like that); "
            f"check that '{columns.enter}' and '{columns.leave}' are not exchanged."
        )
    return ~np.isnan(start)


def _was_shown(frame: pd.DataFrame, columns: Columns, happened: Truths, notes: list[str]) -> Truths:
    """Return which rows are visits during which the AOI was clear; a crossing declares its AOI and is no visit."""
    marks = booleans(frame, columns.shown) if columns.shown is not None else None
    if marks is None:
        return np.ones(len(frame), dtype=bool)
    shown = marks.to_numpy(dtype=bool)
    crossings = int((happened & ~shown).sum())
    if crossings:
        notes.append(
            f"{counted(crossings, 'crossing')} during which the AOI never became clear left out ({columns.shown} is "
            f"false)."
        )
    return np.asarray(shown, dtype=np.bool_)


def _inferred(places: _Places, *, text: Integers, notes: list[str]) -> Integers:
    width = len(places.labels)
    seen = np.unique(text * width + places.place)
    notes.append(
        "The AOIs of a text are those that anybody visited in it"
        + (", with the numbers between them" if places.numbered else "")
        + "; set aois to say how many there are."
    )
    if not places.numbered:
        return seen
    texts, first = np.unique(seen // width, return_index=True)
    last = np.append(first[1:], len(seen)) - 1
    lowest, count = seen[first] % width, seen[last] - seen[first] + 1
    return np.repeat(texts * width + lowest, count) + _counting(count)


def _declared(frame: pd.DataFrame, aois: int | str, places: _Places, *, text: Integers) -> tuple[Integers, _Places]:
    if not places.numbered:
        raise BadInput("aois can be given only where AOIs are numbered 1, 2, 3 … (or 0, 1, 2 …) in the order of text.")
    stated = np.full(len(frame), float(aois)) if isinstance(aois, int) else numbers(frame, aois).to_numpy()
    count = np.full(int(text.max()) + 1, -1, dtype=np.int64)
    if bool(np.isnan(stated).any()) or bool((stated < 1).any()) or bool((stated % 1 != 0).any()):
        raise BadInput(f"The number of AOIs of a text must be 1, 2, 3 …; check aois={aois}.")
    np.maximum.at(count, text, stated.astype(np.int64))
    beyond = (places.place >= count[text]) | (stated != count[text])
    if beyond.any():
        position = int(np.flatnonzero(beyond)[0])
        raise BadInput(
            f"Data row {row_number(frame, position)} has AOI {places.labels[int(places.place[position])]}, but aois "
            f"says that its text has {stated[position]:g}; correct one of them."
        )
    lowest = int(places.labels[0])
    width = max(len(places.labels), int(count.max()))
    labels = tuple(str(number) for number in range(lowest, lowest + width))
    cells = np.repeat(np.arange(len(count)) * width, count) + _counting(count)
    return cells, _Places(place=places.place, labels=labels, numbered=True)


def _counting(count: Integers) -> Integers:
    """Return 0, 1, … count−1 for every count, one after another."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)


def _per_reading(cells: Integers, *, text: Integers, width: int) -> tuple[Integers, Integers]:
    """Return for every AOI of every reading the reading, and the position of the AOI among the cells of texts."""
    first = np.searchsorted(cells, text * width)
    count = np.searchsorted(cells, (text + 1) * width) - first
    return np.repeat(np.arange(len(text)), count), np.repeat(first, count) + _counting(count)


def _words(frame: pd.DataFrame, columns: Columns, *, cell: Integers, cells: Integers) -> Floats:
    words = np.full(len(cells), np.nan)
    if columns.words is None:
        return words
    given = numbers(frame, columns.words).to_numpy()
    known = ~np.isnan(given)
    if bool((given[known] <= 0).any()):
        where = row_number(frame, int(np.flatnonzero(known & (given <= 0))[0]))
        raise BadInput(f"Column '{columns.words}' must hold numbers of words above 0; data row {where} does not.")
    at = np.searchsorted(cells, cell[known])
    words[at] = given[known]
    differs = words[at] != given[known]
    if differs.any():
        where = row_number(frame, int(np.flatnonzero(known)[int(np.flatnonzero(differs)[0])]))
        raise BadInput(
            f"Column '{columns.words}' gives two numbers of words for one AOI of one text (data row {where}); it must "
            f"hold the words of the AOI in that row."
        )
    return words


def _look_for_overlaps(reading: Integers, start: Floats, end: Floats, warnings: list[str]) -> None:
    overlap = (reading[1:] == reading[:-1]) & (start[1:] < end[:-1])
    if overlap.any():
        warnings.append(
            f"{counted(int(overlap.sum()), 'visit')} began before the visit before it had ended; at any moment at "
            f"most one AOI can be open, so check the clock of these data."
        )
