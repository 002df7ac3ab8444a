"""Vega-Lite channels shared by all figures: axes, series, reference lines."""

from __future__ import annotations

from typing import Any

from analysis.methods.report import Figure
from analysis.reports.figure_styles import REFERENCE

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4], [3, 1, 1, 1])

Spec = dict[str, Any]
Rows = list[dict[str, Any]]


def series(levels: list[Any], *, title: str, dashed: bool = True, shaped: bool = True) -> Spec:
    """Tell series apart by colour and by shape and dash, so that the figure survives a grey printer."""
    field = {"field": "colour", "type": "nominal", "sort": levels, "title": title}
    encoding: Spec = {"color": {**field, "scale": {"domain": levels}}}
    if shaped:
        shapes = [SHAPES[index % len(SHAPES)] for index in range(len(levels))]
        encoding["shape"] = {**field, "scale": {"domain": levels, "range": shapes}}
    if dashed:
        dashes = [DASHES[index % len(DASHES)] for index in range(len(levels))]
        encoding["strokeDash"] = {**field, "scale": {"domain": levels, "range": dashes}}
    return encoding


def reference(figure: Figure) -> list[Spec]:
    """Return the layer of the line at the reference value, where the figure has one."""
    if figure.reference is None:
        return []
    return [
        {
            "data": {"values": [{"reference": figure.reference}]},
            "mark": {"type": "rule", "color": REFERENCE.light, "strokeDash": [4, 3], "aria": False},
            "encoding": {
                "y": {"field": "reference", "type": "quantitative"},
                "x": None,
                "xOffset": None,
                "color": None,
                "shape": None,
                "strokeDash": None,
            },
        }
    ]


def x_channel(rows: Rows, figure: Figure) -> Spec:
    """Return the horizontal channel: nominal for words, ordinal for a few whole numbers, else quantitative."""
    title = figure.x_label or None
    if not is_number(rows, "x"):
        return named_x(rows, figure)
    whole = all(isinstance(row["x"], int) for row in rows if row["x"] is not None)
    distinct = len({row["x"] for row in rows})
    if whole and distinct <= 20 and figure.kind == "lines":
        return {"field": "x", "type": "ordinal", "title": title, "axis": {"labelAngle": 0}}
    return {"field": "x", "type": "quantitative", "title": title, "scale": {"zero": False}}


def named_x(rows: Rows, figure: Figure) -> Spec:
    """Return the horizontal channel of words, in the order in which they come."""
    levels = levels_of(rows, "x")
    axis = {"labelAngle": angle_of(levels)}
    return {"field": "x", "type": "nominal", "sort": levels, "title": figure.x_label or None, "axis": axis}


def y_channel(figure: Figure) -> Spec:
    """Return the vertical channel."""
    return {"field": "y", "type": "quantitative", "title": figure.y_label or None, "scale": {"zero": False}}


def is_number(rows: Rows, channel: str) -> bool:
    """Return whether a channel holds numbers only."""
    return all(isinstance(row[channel], (int, float)) for row in rows if row[channel] is not None)


def levels_of(rows: Rows, channel: str) -> list[Any]:
    """Return the values of a channel in the order in which they come."""
    return list(dict.fromkeys(row[channel] for row in rows if row[channel] is not None))


def angle_of(levels: list[Any]) -> int:
    """Return the angle at which labels are legible: long ones are tilted."""
    return 0 if max((len(str(level)) for level in levels), default=0) <= 14 else -35
