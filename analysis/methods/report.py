"""What every analysis returns: tables, figures that only name a table, notes and warnings.

A figure holds no numbers of its own: it names a table and the columns to draw, so it can never show a value
that the table lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
import pandas as pd

One = TypeVar("One")
Format = Literal["text", "integer", "number", "p", "df", "statistic", "share", "boolean"]
# What a table is named after, what a paper prints as well, and what is in the file alone where not all fits a page.
Importance = Literal["key", "main", "detail"]
FigureKind = Literal[
    "interaction", "bars", "histogram", "lines", "points", "roc", "intervals", "path", "band", "caterpillar", "people"
]


class BadInput(ValueError):
    """The data or the parameters do not allow this analysis.

    The message is one or more whole sentences for a researcher: what is wrong, where, and what to do.
    """


class TooFew(BadInput):
    """There are too few people or items for this analysis, or too few that have every condition."""


class Cancelled(Exception):
    """Raised by a progress callback when the person who started the analysis cancelled it."""


@dataclass(frozen=True)
class Column:
    """One column of a table: an identifier (`p_gg`), a heading for people, and how its numbers are shown.

    Unit, meaning (a sentence) and importance are part of a declaration (`analysis.methods.columns`) and of no stored
    report: a column that is read back equals the one that was written.
    """

    name: str
    label: str
    format: Format = "number"
    unit: str = field(default="", compare=False, repr=False)
    meaning: str = field(default="", compare=False, repr=False)
    importance: Importance = field(default="main", compare=False, repr=False)


INTERVAL = (Column("ci_low", "CI low"), Column("ci_high", "CI high"))


def named(columns: Iterable[Column], names: str) -> tuple[Column, ...]:
    """Return the columns of those names, in their order, as another table has them.

    >>> named([Column("n", "n", "integer"), Column("p", "p", "p")], "p")
    (Column(name='p', label='p', format='p'),)
    """
    known = {column.name: column for column in columns}
    return tuple(known[name] for name in names.split())


@dataclass(frozen=True)
class Table:
    """A table at full precision. `rows` holds plain Python values; a value that is not defined is None."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def from_rows(cls, name: str, title: str, columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> Table:
        """Build a table from mappings; a key that a row lacks becomes None, NaN and infinities become None."""
        names = [column.name for column in columns]
        return cls(
            name=name,
            title=title,
            columns=tuple(columns),
            rows=tuple(tuple(plain(row.get(key)) for key in names) for row in rows),
        )

    @classmethod
    def from_frame(cls, name: str, title: str, columns: Sequence[Column], frame: pd.DataFrame) -> Table:
        """Build a table from the columns of a frame by name; one that the frame lacks is empty, NaN becomes None.

        Whole numbers that became floats beside NaN are whole again where the format is `integer`.
        """
        values = [_cells(frame, column) for column in columns]
        return cls(name, title, tuple(columns), tuple(zip(*values, strict=True)))

    def lines(self) -> list[dict[str, Any]]:
        """Return one mapping per row, from the identifiers of the columns to their values."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def frame(self) -> pd.DataFrame:
        """Return the table as a data frame with the identifiers as column names."""
        return pd.DataFrame([list(row) for row in self.rows], columns=[column.name for column in self.columns])


@dataclass(frozen=True)
class Figure:
    """A picture of one table.

    `encoding` maps a channel to a column of that table. Channels: `x`, `y`, `low`, `high` (interval ends),
    `colour`, `panel` (small multiples), `text`, `centre` (a rule across a panel). `bins` applies to histograms.
    `reference` draws a rule at that value. Of means, `points` names a table with what stands behind them: the same
    columns for `x`, `colour` and `panel`, and the column `points_value`; `ordered` says that the levels on the x axis
    have an order, so that lines may join them (numbers always have one). `titles` says what `colour` and `panel` are
    called where they are drawn; it is made when a report is shown and never stored.
    """

    name: str
    title: str
    kind: FigureKind
    table: str
    encoding: Mapping[str, str]
    caption: str = ""
    x_label: str = ""
    y_label: str = ""
    bins: int = 20
    reference: float | None = None
    points: str = ""
    ordered: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)
    points_value: str = "value"

    def title_of(self, channel: str) -> str:
        """Return what stands above the levels of `colour` or `panel`."""
        return self.titles.get(channel, self.encoding[channel])


@dataclass(frozen=True)
class Report:
    """The result of one analysis.

    `notes` read like a methods section (whole sentences, in order); `warnings` are what a careful colleague would
    point out before this is published. `sentences` are results in APA style, the main one first. `part` names the task
    that was analysed where a study has several. `scripts` are texts of further files by their names, such as `brms.R`.
    `design` is a line on the design as the data show it. `registry.run` writes `method`, `params` and `versions` into
    it.
    """

    method: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    scripts: Mapping[str, str] = field(default_factory=dict)
    design: str = ""

    def table(self, name: str) -> Table:
        """Return the table of that name. Raises KeyError where there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Report:
        """Return the report of which `as_dict` made these plain values."""
        return cls(
            method=stored["method"],
            params=stored["params"],
            tables=tuple(
                Table(
                    name=table["name"],
                    title=table["title"],
                    columns=tuple(Column(**column) for column in table["columns"]),
                    rows=tuple(tuple(row) for row in table["rows"]),
                )
                for table in stored["tables"]
            ),
            figures=tuple(
                Figure(**{name: value for name, value in figure.items() if name != "file"})
                for figure in stored["figures"]
            ),
            notes=tuple(stored["notes"]),
            warnings=tuple(stored["warnings"]),
            sentences=tuple(stored["sentences"]),
            versions=stored["versions"],
            part=stored.get("part", ""),
            scripts=stored.get("scripts", {}),
            design=stored.get("design", ""),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, in the shape of `report.json`."""
        return {
            "method": self.method,
            **({"part": self.part} if self.part else {}),
            **({"design": self.design} if self.design else {}),
            "params": {key: plain(value) for key, value in self.params.items()},
            "tables": [
                {
                    "name": table.name,
                    "title": table.title,
                    "columns": [
                        {"name": column.name, "label": column.label, "format": column.format}
                        for column in table.columns
                    ],
                    "rows": [list(row) for row in table.rows],
                }
                for table in self.tables
            ],
            "figures": [
                {
                    "name": figure.name,
                    "title": figure.title,
                    "file": f"{figure.name}.svg",
                    "kind": figure.kind,
                    "table": figure.table,
                    "encoding": dict(figure.encoding),
                    "caption": figure.caption,
                    "x_label": figure.x_label,
                    "y_label": figure.y_label,
                    "bins": figure.bins,
                    "reference": figure.reference,
                    "points": figure.points,
                    "ordered": figure.ordered,
                    **({"points_value": figure.points_value} if figure.points_value != "value" else {}),
                }
                for figure in self.figures
            ],
            "sentences": list(self.sentences),
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "versions": dict(self.versions),
            **({"scripts": dict(self.scripts)} if self.scripts else {}),
        }


def _cells(frame: pd.DataFrame, column: Column) -> list[Any]:
    if column.name not in frame:
        return [None] * len(frame)
    values = [plain(value) for value in frame[column.name].tolist()]
    if column.format != "integer":
        return values
    return [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]


def plain(value: Any) -> Any:
    """Turn a NumPy or pandas value into a plain Python one; NaN, NaT, NA and infinities become None.

    >>> plain(np.float64(0.5)), plain(float("nan")), plain(np.int64(3)), plain(("a", "b"))
    (0.5, None, 3, ['a', 'b'])
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return number if math.isfinite(number) else None
    if pd.isna(value):
        return None
    return str(value)


def in_one_order(several: Iterable[Sequence[One]]) -> list[One]:
    """Return everything once; what a later sequence has more stands behind what is before it there.

    >>> in_one_order([["b", "p", "k"], ["b", "odds", "p", "k"]])
    ['b', 'odds', 'p', 'k']
    """
    merged: list[One] = []
    for sequence in several:
        place = 0
        for each in sequence:
            if each in merged:
                place = merged.index(each) + 1
            else:
                merged.insert(place, each)
                place += 1
    return merged
