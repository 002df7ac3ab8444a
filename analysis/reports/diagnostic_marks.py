"""Vega-Lite marks of model diagnostics: points with expected bands, and caterpillar plots."""

from __future__ import annotations

from typing import Any

from analysis.methods.report import Figure, Table
from analysis.reports.figure_channels import Rows, Spec, levels_of
from analysis.reports.figure_styles import BAND, EDGE, REFERENCE, SERIES
from analysis.reports.figure_words import SAID, SILENT

# More levels than these have no room for their names.
NAMED = 50
TALLEST = 420
# Of more levels, some at even steps show how they lie.
MOST_DRAWN = 400


def band(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Draw points over the band from `low` to `high`, with what is expected: `centre`, a level reference, or y = x."""
    x: Spec = {"field": "x", "type": "quantitative", "title": figure.x_label or None, "scale": {"zero": False}}
    y: Spec = {"type": "quantitative", "title": figure.y_label or None, "scale": {"zero": False}}
    area = {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}}
    rule = "x" if figure.reference is None and "centre" not in figure.encoding else "centre"
    values = [{"centre": figure.reference, **row} for row in rows]
    line = {"type": "line", "color": REFERENCE.light, "strokeDash": [4, 3], "strokeWidth": 1, **SILENT}
    filled = {"type": "area", "color": BAND.light, "stroke": EDGE.light, "strokeWidth": 0.7, **SILENT}
    outside = "datum.y < datum.low || datum.y > datum.high"
    colour = {"condition": {"test": outside, "value": SERIES[1].light}, "value": SERIES[0].light}
    point = {"type": "point", "filled": True, "size": 28, "opacity": 0.85}
    return {
        "values": values,
        "width": 320,
        "height": 280,
        "layer": [
            {"mark": filled, "encoding": area},
            {"mark": line, "encoding": {"x": x, "y": {"field": rule, **y}}},
            {"mark": point, "encoding": {"x": x, "y": {"field": "y", **y}, "color": colour, **SAID}},
        ],
    }


def caterpillar(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Draw the levels of every panel in the order of their estimates, with intervals where there are any."""
    known = [row for row in rows if row["x"] is not None]
    panels = levels_of(known, "panel") if "panel" in figure.encoding else [None]
    of_panel = [[row for row in known if panel is None or row["panel"] == panel] for panel in panels]
    drawn = [_panel(own, figure, panel) for own, panel in zip(of_panel, panels, strict=True)]
    return drawn[0] if len(drawn) == 1 else {"concat": drawn, "columns": 2}


def _panel(rows: Rows, figure: Figure, panel: Any) -> Spec:
    ordered = sorted(rows, key=lambda row: (-row["x"], str(row["y"])))
    step = -(-len(ordered) // MOST_DRAWN)
    values = [{**row, "place": place} for place, row in enumerate(ordered[::step])]
    height = min(max(11 * len(values), 60), TALLEST)
    names = len(values) <= NAMED
    x: Spec = {"type": "quantitative", "title": figure.x_label or None, "scale": {"zero": False}}
    axis = {"ticks": False, "grid": False, "labelFontSize": 9, "labelOverlap": False} if names else None
    y: Spec = {
        "field": "y",
        "type": "nominal",
        "sort": [row["y"] for row in values],
        "title": None,
        "axis": axis,
    }
    centre = values[0].get("centre") if "centre" in figure.encoding else figure.reference
    layers: list[Spec] = []
    if centre is not None:
        rule = {"type": "rule", "color": REFERENCE.light, "strokeDash": [4, 3], **SILENT}
        layers.append(
            {"data": {"values": [{"at": centre}]}, "mark": rule, "encoding": {"x": {"field": "at", **x}}},
        )
    if {"low", "high"} <= set(figure.encoding):
        interval = {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": y}
        layers.append(
            {"mark": {"type": "rule", "strokeWidth": 1.2, "color": SERIES[0].light, **SILENT}, "encoding": interval}
        )
    point = {"type": "point", "filled": True, "size": 26, "opacity": 1, "color": SERIES[0].light}
    layers.append({"mark": point, "encoding": {"x": {"field": "x", **x}, "y": y, **SAID}})
    title = {} if panel is None else {"title": {"text": str(panel), "fontSize": 12, "offset": 6}}
    return {"data": {"values": values}, **title, "width": 240, "height": height, "layer": layers}
