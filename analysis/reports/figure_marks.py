"""Vega-Lite specifications of the kinds of figure. Channels are renamed to fixed fields (`x`, `y`, …), so that
no column name can be read as a path or an expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analysis.methods.report import Figure, Table
from analysis.methods.rows.columns import in_order
from analysis.reports.diagnostic_marks import band, caterpillar
from analysis.reports.figure_channels import (
    Rows,
    Spec,
    is_number,
    levels_of,
    named_x,
    reference,
    series,
    x_channel,
    y_channel,
)
from analysis.reports.figure_counts import density, histogram, people
from analysis.reports.figure_styles import NAME, PAPER, REFERENCE, SERIES, TITLE, WAY
from analysis.reports.figure_words import (
    BEHIND,
    SAID,
    SILENT,
    said_behind,
    said_of,
    said_of_curve,
)

PANEL_COLUMNS = 3
POINTS_AS_DOTS = 4000
LABELS = {"ticks": False, "labelLimit": 460, "grid": False}


def spec_of(table: Table, figure: Figure, *, points: Table | None = None) -> Spec:
    """Return the specification of a figure without title and style; `points` is what stands behind its means."""
    rows = _rows(table, figure)
    if points is not None:
        rows += _points_behind(points, figure)
    spec = _KINDS[figure.kind](rows, figure, table)
    values = spec.pop("values", rows)
    if figure.kind == "caterpillar":  # its panels have axes of their own
        return spec
    if "panel" not in figure.encoding:
        return {"data": {"values": values}, **spec}
    panels = levels_of(rows, "panel")
    small = {**spec, "width": 150, "height": 110} if len(panels) > 12 else spec
    return {
        "data": {"values": values},
        "facet": {
            "field": "panel",
            "type": "nominal",
            "sort": panels,
            "title": None if figure.encoding["panel"] == "panel" or len(panels) == 1 else figure.title_of("panel"),
        },
        "columns": PANEL_COLUMNS * 2 if len(panels) > 12 else PANEL_COLUMNS,
        "spec": small,
    }


def _rows(table: Table, figure: Figure) -> Rows:
    names = [column.name for column in table.columns]
    places = {channel: names.index(column) for channel, column in figure.encoding.items()}
    return [
        {**{channel: row[place] for channel, place in places.items()}, "said": said}
        for row, said in zip(table.rows, said_of(table, figure), strict=True)
    ]


def _points_behind(table: Table, figure: Figure) -> Rows:
    """Return the values behind means: rows of their own, without a mean."""
    names = [column.name for column in table.columns]
    kept = {channel: figure.encoding.get(channel) for channel in ("x", "colour", "panel")}
    places = {channel: names.index(column) for channel, column in kept.items() if column is not None}
    value = names.index(figure.points_value)
    empty = dict.fromkeys(figure.encoding)
    return [
        {**empty, **{channel: row[place] for channel, place in places.items()}, "value": row[value], "said": said}
        for row, said in zip(table.rows, said_behind(table, figure, figure.points_value), strict=True)
    ]


def _is_ordered(levels: list[Any]) -> bool:
    """Return whether levels are numbers, which have an order whoever names them."""
    return bool(levels) and all(re.fullmatch(r"[-−+]?\d+([.,]\d+)?", str(level)) for level in levels)


def _interaction(rows: Rows, figure: Figure, table: Table) -> Spec:
    levels = levels_of(rows, "x")
    shared: Spec = {"x": named_x(rows, figure)}
    if "colour" in figure.encoding:
        colours = levels_of(rows, "colour")
        shared["xOffset"] = {"field": "colour", "sort": colours, "scale": {"paddingOuter": 0.42, "paddingInner": 0}}
    layers = _line_layers(rows, figure, joined=figure.ordered or _is_ordered(levels))
    return {"width": max(220, 90 * len(levels)), "height": 280, "encoding": shared, "layer": layers}


def _line_layers(rows: Rows, figure: Figure, *, joined: bool = True) -> list[Spec]:
    """Return lines where levels are `joined`, intervals and points that share one y scale, over what lies behind."""
    y = y_channel(figure) | {"scale": {"zero": False, "domain": _domain(rows, figure)}}
    colour: Spec = {}
    both: Spec = {}
    dash: Spec = {}
    if "colour" in figure.encoding:
        levels = levels_of(rows, "colour")
        both = series(levels, title=figure.title_of("colour"))
        dash = {"strokeDash": both.pop("strokeDash")}
        colour = {"color": both["color"]}
    is_mean = [{"filter": "datum.y != null"}]
    layers: list[Spec] = []
    if any(row.get("value") is not None for row in rows):
        # Hollow rather than translucent: the bytes of a PDF with translucent marks differ from run to run.
        behind: Spec = {"type": "point", "filled": False, "size": 14, "strokeWidth": 0.7, "opacity": 1}
        behind["ariaRoleDescription"] = BEHIND
        layers.append({"mark": behind, "encoding": {"y": y | {"field": "value"}, **colour, **SAID}})
    if joined:
        line = {"type": "line", "strokeWidth": 1.8, **SILENT}
        layers.append({"transform": is_mean, "mark": line, "encoding": {"y": y, **colour, **dash}})
    if {"low", "high"} <= set(figure.encoding):
        interval = {"y": y | {"field": "low"}, "y2": {"field": "high"}, **colour}
        layers.append({"mark": {"type": "rule", "strokeWidth": 1.4, **SILENT}, "encoding": interval})
    point = {"type": "point", "filled": True, "size": 70, "opacity": 1}
    layers.append({"mark": point, "encoding": {"y": y, **both, **SAID}})
    return [*layers, *reference(figure)]


def _domain(rows: Rows, figure: Figure) -> list[float]:
    """Return the range of all values and interval ends, with a margin."""
    channels = [channel for channel in ("y", "low", "high") if channel in figure.encoding]
    values = [float(row[channel]) for row in rows for channel in (*channels, "value") if row.get(channel) is not None]
    if figure.reference is not None:
        values.append(figure.reference)
    if not values:
        return [0.0, 1.0]
    margin = 0.04 * (max(values) - min(values)) or abs(values[0]) * 0.1 or 1.0
    return [min(values) - margin, max(values) + margin]


def _bars(rows: Rows, figure: Figure, table: Table) -> Spec:
    levels = levels_of(rows, "x")
    shared: Spec = {"x": named_x(rows, figure)}
    width = max(220, 46 * len(levels))
    if "colour" in figure.encoding:
        colours = levels_of(rows, "colour")
        shared["xOffset"] = {"field": "colour", "sort": colours}
        shared["color"] = {"field": "colour", "type": "nominal", "sort": colours, "title": figure.title_of("colour")}
        width = max(220, 30 * len(levels) * len(colours))
    y = y_channel(figure) | {"scale": {"zero": True}}
    layers: list[Spec] = [{"mark": {"type": "bar"}, "encoding": {"y": y, **SAID}}]
    if {"low", "high"} <= set(figure.encoding):
        ends = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
        # In a seam of the paper's colour an interval is seen on its bar, too.
        layers += [
            {"mark": {"type": "rule", "color": colour.light, "strokeWidth": width, **SILENT}, "encoding": ends}
            for colour, width in ((PAPER, 3.4), (TITLE, 1.4))
        ]
    layers += reference(figure)
    return {"width": min(width, 1100), "height": 280, "encoding": shared, "layer": layers}


def _lines(rows: Rows, figure: Figure, table: Table) -> Spec:
    return {
        "width": 420,
        "height": 280,
        "encoding": {"x": x_channel(rows, figure)},
        "layer": _line_layers(rows, figure),
    }


def _points(rows: Rows, figure: Figure, table: Table) -> Spec:
    known = [row for row in rows if row["x"] is not None and row["y"] is not None]
    if not is_number(known, "y"):
        return _intervals(known, figure, table)
    encoding: Spec = {"x": x_channel(rows, figure), "y": y_channel(figure)}
    if len(known) > POINTS_AS_DOTS and "panel" not in figure.encoding and is_number(known, "x"):
        return density(known, figure)
    if "colour" in figure.encoding:
        encoding |= series(levels_of(rows, "colour"), title=figure.title_of("colour"), dashed=False)
    opacity = 0.85 if len(known) < 300 else 0.35
    layers: list[Spec] = [{"mark": {"type": "point", "filled": True, "size": 50, "opacity": opacity}, "encoding": SAID}]
    if "text" in figure.encoding:
        text = {"type": "text", "align": "left", "dx": 7, "fontSize": 11, "color": NAME.light, **SILENT}
        layers.append({"mark": text, "encoding": {"text": {"field": "text"}}})
    layers += reference(figure)
    return {"values": known, "width": 420, "height": 320, "encoding": encoding, "layer": layers}


def _roc(rows: Rows, figure: Figure, table: Table) -> Spec:
    domain = {"domain": [0, 1]}
    encoding: Spec = {
        "x": {"field": "x", "type": "quantitative", "title": figure.x_label or None, "scale": domain},
        "y": {"field": "y", "type": "quantitative", "title": figure.y_label or None, "scale": domain},
        "order": {"field": "position", "type": "quantitative"},
    }
    if "colour" in figure.encoding:
        encoding |= series(levels_of(rows, "colour"), title=figure.title_of("colour"), shaped=False)
    chance: Spec = {
        "data": {"values": [{"x": 0, "y": 0, "position": 0}, {"x": 1, "y": 1, "position": 1}]},
        "mark": {"type": "line", "color": WAY.light, "strokeDash": [3, 3], "strokeWidth": 1, **SILENT},
        "encoding": {channel: encoding[channel] for channel in ("x", "y", "order")},
    }
    # A curve has one set of words for all of its points.
    line = {"type": "line", "strokeWidth": 1.8, "interpolate": "linear"}
    curve: Spec = {"mark": line, "encoding": {**encoding, "description": {"field": "curve", "type": "nominal"}}}
    numbered = [
        {**row, "position": position, "curve": said_of_curve(row, figure=figure)} for position, row in enumerate(rows)
    ]
    return {"values": numbered, "width": 320, "height": 320, "layer": [chance, curve]}


def _intervals(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Draw labels on the left, each with its estimate and its interval along the x axis."""
    labels = levels_of(rows, "y")
    y = {"field": "y", "type": "nominal", "sort": labels, "title": figure.y_label or None, "axis": LABELS}
    encoding: Spec = {"y": y}
    drawn = {row[end] for row in rows for end in ("x", "low", "high") if row.get(end) is not None}
    # One value alone has no scale.
    scale: Spec = {"zero": False}
    drawn |= {figure.reference} - {None}
    if len(drawn) == 1:
        (only,) = drawn
        scale["domain"] = [only - 1, only + 1]
    x = {"type": "quantitative", "title": figure.x_label or None, "scale": scale}
    if "colour" in figure.encoding:
        levels = levels_of(rows, "colour")
        encoding |= series(levels, title=figure.title_of("colour"), dashed=False)
        encoding["yOffset"] = {"field": "colour", "sort": levels}
    layers: list[Spec] = []
    if figure.reference is not None:
        layers.append(
            {
                "data": {"values": [{"reference": figure.reference}]},
                "mark": {"type": "rule", "color": REFERENCE.light, "strokeDash": [4, 3], **SILENT},
                "encoding": {"x": {"field": "reference", "type": "quantitative"}},
            }
        )
    if {"low", "high"} <= set(figure.encoding):
        # With a shape the renderer would set one at the end of every interval.
        unshaped = {channel: entry for channel, entry in encoding.items() if channel != "shape"}
        interval = {"x": {"field": "low", **x}, "x2": {"field": "high"}, **unshaped}
        layers.append({"mark": {"type": "rule", "strokeWidth": 1.6, **SILENT}, "encoding": interval})
    points = {"x": {"field": "x", **x}, **encoding, **SAID}
    layers.append({"mark": {"type": "point", "filled": True, "size": 60, "opacity": 1}, "encoding": points})
    return {"width": 420, "height": {"step": 20}, "layer": layers}


def _path(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Draw time down and places across: a bar for every stay, and a thin line from each to the next."""
    levels = sorted(levels_of(rows, "x"), key=in_order)
    x: Spec = {"field": "x", "type": "nominal", "sort": levels, "title": figure.x_label or None}
    x |= {"axis": {"labelAngle": 0}, "scale": {"domain": levels}}
    y = {"type": "quantitative", "title": figure.y_label or None, "scale": {"reverse": True, "zero": True}}
    numbered = [{**row, "position": position} for position, row in enumerate(rows)]
    ways = [
        {
            **{key: row[key] for key in row if key not in ("low", "high")},
            "y": row[end],
            "step": 2 * row["position"] + at,
        }
        for row in numbered
        for at, end in enumerate(("low", "high"))
    ]
    panel = {"panel"} & set(figure.encoding)
    line: Spec = {
        "transform": [{"filter": "datum.step >= 0"}],
        "mark": {"type": "line", "color": WAY.light, "strokeWidth": 1, **SILENT},
        "encoding": {"x": x, "y": {"field": "y", **y}, "order": {"field": "step", "type": "quantitative"}},
    }
    bar: Spec = {
        "transform": [{"filter": "datum.position >= 0 && datum.low != null"}],
        "mark": {"type": "bar", "color": SERIES[0].light, "width": {"band": 0.6}},
        "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}, **SAID},
    }
    width = max(150 if panel else 320, 14 * len(levels))
    return {"values": [*numbered, *ways], "width": min(width, 900), "height": 300, "layer": [line, bar]}


_KINDS: dict[str, Callable[[Rows, Figure, Table], Spec]] = {
    "interaction": _interaction,
    "bars": _bars,
    "histogram": histogram,
    "lines": _lines,
    "points": _points,
    "roc": _roc,
    "intervals": _intervals,
    "path": _path,
    "band": band,
    "caterpillar": caterpillar,
    "people": people,
}
