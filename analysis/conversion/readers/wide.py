"""Read a wide table, as jamovi and JASP take it for repeated measures: a row for each person, a column for each cell.

Columns `rt_long_match`, `rt_long_clash`, … have the measure in common; what follows it names the condition. Where all
names have as many parts and every combination is there, the parts are factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from analysis.conversion.columns import number_or_none
from analysis.conversion.people import NAMES
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, Row, cell, first_of, folded, identifier

_SEPARATORS = ("_", ".", " ", "-")
_MEASURES = {"rt": "rt_ms", "rtms": "rt_ms", "reactiontime": "rt_ms", "responsetime": "rt_ms"}
# What else has a number for each person and several columns of one stem.
_OTHER = ("age", "date", "q", "item", "question", "time", "score", "scale", "n", "num", "total")
_STATISTICS = {"mean", "median", "sd", "se", "min", "max", "n", "count", "sum", "total"}
# Tables of this platform are ready as they are.
_OURS = {"study", "simulated"}
_LEAST_MS = 30


def _recognised(source: Source) -> bool:
    who = first_of(source.columns, NAMES)
    if who is None or len(source.rows) < 2 or set(source.columns) >= _OURS:
        return False
    people = [cell(row.get(who)) for row in source.rows]
    return None not in people and len(set(people)) == len(people) and bool(_cells(source, who))


def _cells(source: Source, who: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]] | None:
    """Return the measure, and for each of its columns the levels in its name; None where there is no such set."""
    numeric = [name for name in source.columns if name != who and _is_numeric(source, name)]
    found: dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]] = {}
    for name in numeric:
        separator = next((sign for sign in _SEPARATORS if sign in name), "")
        stem, _, rest = name.partition(separator) if separator else (name, "", "")
        levels = tuple(part.strip() for part in rest.split(separator)) if rest else ()
        # Numbered columns are questions of a scale, not conditions.
        if levels and all(levels) and not any(level.isdigit() for level in levels) and folded(stem) not in _OTHER:
            found.setdefault((separator, stem), []).append((name, levels))
    sets = [
        (stem, cells)
        for (_separator, stem), cells in found.items()
        if len(cells) >= 2
        and len({len(levels) for _name, levels in cells}) == 1
        and not all(levels[-1].casefold() in _STATISTICS for _name, levels in cells)
    ]
    return max(sets, key=lambda one: len(one[1]), default=None)


def _is_numeric(source: Source, name: str) -> bool:
    given = [row.get(name) for row in source.rows if cell(row.get(name)) is not None]
    missing = ("na", ".", "nan")
    return bool(given) and all(
        number_or_none(value) is not None or str(value).strip().casefold() in missing for value in given
    )


def _read(source: Source) -> Converted:
    who = first_of(source.columns, NAMES) or ""
    stem, columns = _cells(source, who) or ("", [])
    measure = _measure(stem, source, [name for name, _levels in columns])
    factors = _factors([levels for _name, levels in columns])
    wide = {name for name, _levels in columns}
    rows: list[Row] = []
    for given in source.rows:
        kept = {identifier(name): cell(value) for name, value in given.items() if name not in wide and name != who}
        for name, levels in columns:
            row: Row = {"participant": cell(given.get(who)), "condition": "_".join(levels)}
            row |= dict(zip(factors, levels, strict=False)) if factors else {}
            rows.append({**row, **kept, measure: number_or_none(given.get(name))})
    names = f" and {', '.join(factors)}" if factors else ""
    return Converted(
        "wide table",
        rows,
        sources={"participant": who, "condition": "names of columns", measure: ", ".join(sorted(wide))},
        notes=[
            f"A row for each person became one for each of the {len(columns)} columns of '{stem}': their names are in "
            f"condition{names}, their numbers in {measure}."
        ],
    )


def _measure(stem: str, source: Source, columns: Sequence[str]) -> str:
    known = _MEASURES.get(folded(stem))
    values = [value for name in columns for row in source.rows if (value := number_or_none(row.get(name))) is not None]
    if known and max(float(str(value)) for value in values) > _LEAST_MS:
        return known
    own = identifier(stem)
    return f"{own}_value" if own in ("participant", "condition") else own


def _factors(levels: Sequence[tuple[str, ...]]) -> list[str]:
    """Return names of factors where the parts of the names are crossed; a single part is the condition itself."""
    parts = list(zip(*levels, strict=True))
    if len(parts) < 2 or set(levels) != set(product(*(dict.fromkeys(part) for part in parts))):
        return []
    return [f"factor_{number}" for number in range(1, len(parts) + 1)]


WIDE = Reader(
    "wide table",
    files="CSV with a row for each person and a column for each condition, as jamovi and JASP take it",
    becomes="columns `MEASURE_LEVEL` or `MEASURE_LEVEL_LEVEL` → a row for each, with `condition`, the crossed parts "
    "as `factor_1`, `factor_2`, and the measure (`rt` → `rt_ms`); other columns stay",
    documentation="https://jamovi.readthedocs.io/en/latest/",
    recognised=_recognised,
    read=_read,
)
