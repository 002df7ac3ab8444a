"""Text of every mark of a figure (tooltip): levels, value, interval and n, as its table prints them.

The words stand in the `aria-label` of the mark, in the file as on the page, where they are read aloud and shown in a
small box. Values behind means do not say whose they are: a picture that is published would carry it unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.methods.report import Column, Figure, Table
from analysis.methods.wording import number_text
from analysis.reports.apa import UNDEFINED, places_of, shown_cells

# Kinds whose values lie along the x axis, with what they belong to on the y axis.
ALONG_X = ("intervals", "caterpillar")
BETWEEN = "; "
# The channel of a Vega-Lite mark that becomes its `aria-label`, and what a mark without words of its own gets.
SAID: dict[str, Any] = {"description": {"field": "said", "type": "nominal"}}
SILENT: dict[str, Any] = {"aria": False}
# What the values behind means are called, by which a page also tells them from the means.
BEHIND = "single value"


def said_of(table: Table, figure: Figure) -> list[str]:
    """Return what the mark of each row of a figure's table says.

    Such as `marker: cause; Mean: 0.51 [0.30, 0.72]; n: 24`.
    """
    told = _Told(table, figure)
    value = "x" if figure.kind in ALONG_X or told.is_text(figure.encoding.get("y", "")) else "y"
    names = [
        told.channel(channel)
        for channel in ("text", "y" if value == "x" else "x", "colour", "panel")
        if channel in figure.encoding
    ]
    names += [told.value(value), told.count()]
    lists = [part for part in names if part]
    return [BETWEEN.join(dict.fromkeys(filter(None, parts))) for parts in zip(*lists, strict=True)]


def said_behind(table: Table, figure: Figure, value: str) -> list[str]:
    """Return what the values behind means say: where they belong, and the value in the column of that name."""
    told = _Told(table, figure)
    lists = [told.channel(channel) for channel in ("x", "colour", "panel") if channel in figure.encoding]
    lists.append([f"{figure.y_label or value}: {text}" for text in told.texts(value)])
    return [BETWEEN.join(dict.fromkeys(filter(None, parts))) for parts in zip(*lists, strict=True)]


def said_of_bin(low: float, high: float, count: int, *, figure: Figure, panel: Any = None) -> str:
    """Return what a bar of a histogram says."""
    ends = [number_text(end) for end in (low, high)]
    where = f"{figure.title_of('panel')}: {panel}" if panel is not None else ""
    told = (where, f"{figure.x_label or 'Value'}: {' to '.join(ends)}", f"{figure.y_label or 'Values'}: {count}")
    return BETWEEN.join(filter(None, told))


def said_of_cell(x: Sequence[float], y: Sequence[float], count: int, *, figure: Figure) -> str:
    """Return what a field of a grid of counts says, given the ends of its sides."""
    sides = ((figure.x_label or "x", x), (figure.y_label or "y", y))
    told = [f"{label}: {number_text(float(ends[0]))} to {number_text(float(ends[1]))}" for label, ends in sides]
    return BETWEEN.join([*told, f"Points: {count}"])


def said_of_curve(row: Mapping[str, Any], *, figure: Figure) -> str:
    """Return what the curve says to which a row belongs."""
    told = [
        f"{figure.title_of(channel)}: {row[channel]}" for channel in ("colour", "panel") if row.get(channel) is not None
    ]
    return BETWEEN.join(told) or figure.title


class _Told:
    """The columns of a table in words."""

    def __init__(self, table: Table, figure: Figure) -> None:
        self.figure = figure
        self.columns = {column.name: column for column in table.columns}
        places = {column.name: place for place, column in enumerate(table.columns)}
        self.values = {name: [row[place] for row in table.rows] for name, place in places.items()}

    def is_text(self, name: str) -> bool:
        """Say whether a column has words."""
        return any(isinstance(value, str) for value in self.values.get(name, ()))

    def texts(self, name: str) -> list[str]:
        """Return the cells of a column as a report prints them; a value and its interval have the same places."""
        encoding = self.figure.encoding
        value = encoding.get("x" if self.figure.kind in ALONG_X else "y")
        together = [other for other in (value, encoding.get("low"), encoding.get("high")) if other is not None]
        if name not in together or any(self.columns[other].format != "number" for other in together):
            return _texts(self.columns[name], self.values[name])
        places = max(places_of(self.values[other]) for other in together)
        return [str(cell) for cell in shown_cells(self.columns[name], self.values[name], places=places)]

    def channel(self, channel: str) -> list[str]:
        """Return a channel of every row with what it is called; nothing where the row has none."""
        name = self.figure.encoding[channel]
        called = self._called(channel, name)
        return [f"{called}{text}" if text != UNDEFINED else "" for text in self.texts(name)]

    def value(self, channel: str) -> list[str]:
        """Return the value of every row with its interval, where the figure has them."""
        encoding = self.figure.encoding
        has_interval = {"low", "high"} <= set(encoding)
        ends = list(zip(self.texts(encoding["low"]), self.texts(encoding["high"]), strict=True)) if has_interval else []
        if channel not in encoding:
            called = self._called(channel, "")
            return [f"{called}{low} to {high}" for low, high in ends]
        told = self.channel(channel)
        if not has_interval:
            return told
        return [
            f"{text} [{low}, {high}]" if text and UNDEFINED not in (low, high) else text
            for text, (low, high) in zip(told, ends, strict=True)
        ]

    def count(self) -> list[str]:
        """Return of how many values the value of every row is, where the table says so."""
        if "n" not in self.columns or "n" in self.figure.encoding.values():
            return []
        return [f"n: {text}" if text != UNDEFINED else "" for text in self.texts("n")]

    def _called(self, channel: str, name: str) -> str:
        label = {"x": self.figure.x_label, "y": self.figure.y_label}.get(channel, "")
        if not label and channel in ("colour", "panel"):
            label = self.figure.title_of(channel)
        if not label and name in self.columns:
            label = self.columns[name].label
        return f"{label}: " if label and name not in ("panel", "effect_panel") else ""


def _texts(column: Column, values: Sequence[Any]) -> list[str]:
    if column.format in ("text", "boolean"):
        return [UNDEFINED if value is None or value == "" else str(value) for value in values]
    return [str(cell) for cell in shown_cells(column, values)]
