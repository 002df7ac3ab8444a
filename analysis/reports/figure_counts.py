"""Vega-Lite marks of counts and distributions: histograms, many points as a grid, people behind means."""

from __future__ import annotations

import math
import textwrap

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.report import Figure, Table
from analysis.reports.figure_channels import Rows, Spec, levels_of, series
from analysis.reports.figure_styles import BAND, LABEL, PAPER, RAMP, SERIES
from analysis.reports.figure_words import BEHIND, SAID, SILENT, said_of_bin, said_of_cell

# How far the dots of people lie from the mean, and how wide a distribution is, in the space of one condition.
DOTS, WIDE, STEPS = 0.3, 0.42, 48
# The part of the golden ratio by which neighbours are moved apart.
_APART = (math.sqrt(5) - 1) / 2


def histogram(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Count values in equal bins over the whole range; every panel has the same bins."""
    known = [row for row in rows if row["x"] is not None]
    values = np.array([float(row["x"]) for row in known])
    edges = np.histogram_bin_edges(values, bins=figure.bins) if len(values) else np.array([0.0, 1.0])
    panels = levels_of(rows, "panel") if "panel" in figure.encoding else [None]
    bins: Rows = []
    for panel in panels:
        inside = np.array([panel is None or row.get("panel") == panel for row in known], dtype=bool)
        counts, _ = np.histogram(values[inside], bins=edges)
        bins += [
            {
                "low": float(low),
                "high": float(high),
                "count": int(count),
                "base": 0,
                "panel": panel,
                "said": said_of_bin(float(low), float(high), int(count), figure=figure, panel=panel),
            }
            for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
            if count
        ]
    encoding: Spec = {
        "x": {
            "field": "low",
            "type": "quantitative",
            "title": figure.x_label or None,
            "scale": {"zero": False, "domain": [float(edges[0]), float(edges[-1])]},
        },
        "x2": {"field": "high"},
        "y": {"field": "count", "type": "quantitative", "title": figure.y_label or "Values"},
        "y2": {"field": "base"},
        **SAID,
    }
    mark = {"type": "bar", "color": SERIES[0].light, "stroke": PAPER.light, "strokeWidth": 0.5}
    return {"values": bins, "width": 420, "height": 240, "mark": mark, "encoding": encoding}


def density(rows: Rows, figure: Figure) -> Spec:
    """Draw many points as a grid of counts, in steps of equal ratio."""
    x, y = (np.array([float(row[channel]) for row in rows]) for channel in ("x", "y"))
    counts, x_edges, y_edges = np.histogram2d(x, y, bins=60)
    steps = steps_of(int(counts.max()))
    cells = [
        {
            "x": float(x_edges[i]),
            "x2": float(x_edges[i + 1]),
            "y": float(y_edges[j]),
            "y2": float(y_edges[j + 1]),
            "step": next(name for name, highest in steps if counts[i, j] <= highest),
            "said": said_of_cell(x_edges[i : i + 2], y_edges[j : j + 2], int(counts[i, j]), figure=figure),
        }
        for i, j in zip(*np.nonzero(counts), strict=True)
    ]
    scale = {"zero": False}
    names = [name for name, _highest in steps]
    colours = {"domain": names, "range": [colour.light for colour in RAMP[-len(names) :]]}
    return {
        "values": cells,
        "width": 420,
        "height": 320,
        "mark": {"type": "rect"},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": figure.x_label or None, "scale": scale},
            "x2": {"field": "x2"},
            "y": {"field": "y", "type": "quantitative", "title": figure.y_label or None, "scale": scale},
            "y2": {"field": "y2"},
            "color": {"field": "step", "type": "nominal", "sort": names, "scale": colours, "title": "Points"},
            **SAID,
        },
    }


def steps_of(most: int) -> list[tuple[str, int]]:
    """Return the steps in which counts up to `most` are drawn, each with the highest count that belongs to it.

    >>> steps_of(40)
    [('1–2', 2), ('3–4', 4), ('5–9', 9), ('10–19', 19), ('20–40', 40)]
    >>> steps_of(2)
    [('1', 1), ('2', 2)]
    """
    ends = sorted({max(1, round(most ** (step / len(RAMP)))) for step in range(1, len(RAMP))} | {most})
    begins = [1, *(end + 1 for end in ends[:-1])]
    return [(str(end) if begin == end else f"{begin}–{end}", end) for begin, end in zip(begins, ends, strict=True)]


def people(rows: Rows, figure: Figure, table: Table) -> Spec:
    """Draw means with intervals, every value behind them as a dot, and their distribution on the other side."""
    levels = levels_of(rows, "x")
    colours = levels_of(rows, "colour") if "colour" in figure.encoding else [None]
    panels = levels_of(rows, "panel") if "panel" in figure.encoding else [None]
    between = len(colours) + (0.35 if len(colours) > 1 else 0)
    drawn: Rows = []
    for panel in panels:
        for place, level in enumerate(levels):
            middle = place * between + (len(colours) - 1) / 2
            drawn.append({"kind": "label", "panel": panel, "at": middle, "label": _lines_of(level)})
            for number, colour in enumerate(colours):
                cell = (level, colour, panel)
                own = [row for row in rows if (row["x"], row.get("colour"), row.get("panel")) == cell]
                drawn += _of_condition(own, place * between + number, {"panel": panel, "colour": colour})
    height, domain = 300, _range_of(rows)
    ends = [-0.6, (len(levels) - 1) * between + len(colours) - 0.4]
    x: Spec = {
        "field": "at",
        "type": "quantitative",
        "scale": {"domain": ends, "nice": False, "zero": False},
        "axis": {"labels": False, "ticks": False, "grid": False, "title": figure.x_label or None, "titlePadding": 34},
    }
    y: Spec = {"type": "quantitative", "title": figure.y_label or None, "scale": {"zero": False, "domain": domain}}
    own_series = series(colours, title=figure.title_of("colour"), dashed=False) if colours != [None] else {}
    colour_alone = {"color": own_series["color"]} if own_series else {}
    at = {"x": x, "y": {**y, "field": "y"}}
    area = {"type": "area", "orient": "horizontal", "color": BAND.light, "interpolate": "monotone", **SILENT}
    dot: Spec = {"type": "point", "filled": False, "size": 14, "strokeWidth": 0.7, "opacity": 1}
    dot["ariaRoleDescription"] = BEHIND
    text = {"type": "text", "baseline": "top", "fontSize": 12, "color": LABEL.light, "lineBreak": "\n", **SILENT}
    interval = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, **colour_alone}
    layers = [
        _layer("density", area, {**at, "x2": {"field": "end"}, "detail": {"field": "cell"}}),
        _layer("dot", dot, {**at, **colour_alone, **SAID}),
        _layer("mean", {"type": "rule", "strokeWidth": 1.8, "color": SERIES[0].light, **SILENT}, interval),
        _layer("mean", {"type": "point", "filled": True, "size": 80, "opacity": 1}, {**at, **own_series, **SAID}),
        _layer("label", text, {"x": x, "y": {"value": height + 8}, "text": {"field": "label"}}),
    ]
    width = min(720, max(240, 110 * len(levels) * len(colours)))
    return {"values": drawn, "width": width, "height": height, "layer": layers}


def _layer(kind: str, mark: Spec, encoding: Spec) -> Spec:
    return {"transform": [{"filter": f"datum.kind == '{kind}'"}], "mark": mark, "encoding": encoding}


def _range_of(rows: Rows) -> list[float]:
    channels = ("y", "low", "high", "value")
    values = [float(row[channel]) for row in rows for channel in channels if row.get(channel) is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    margin = 0.05 * (high - low) or 1.0
    return [low - margin, high + margin]


def _of_condition(rows: Rows, at: float, shared: Spec) -> Rows:
    """Return the marks of one condition: its mean, its dots on the left, its distribution on the right."""
    values = sorted((row for row in rows if row.get("value") is not None), key=lambda row: float(row["value"]))
    dots = [
        {"kind": "dot", "at": at - 0.08 - DOTS * ((number * _APART) % 1), "y": float(row["value"]), "said": row["said"]}
        for number, row in enumerate(values)
    ]
    means = [{**row, "kind": "mean", "at": at} for row in rows if row.get("y") is not None]
    shape = [
        {"kind": "density", "cell": str(at), "at": at + 0.06, "end": at + 0.06 + WIDE * share, "y": value}
        for value, share in density_of(np.array([float(row["value"]) for row in values]))
    ]
    return [{**mark, **shared} for mark in (*dots, *means, *shape)]


def density_of(values: Floats) -> list[tuple[float, float]]:
    """Return points of the distribution of values, with heights from 0 to 1: a Gaussian kernel of Silverman's width.

    Empty where fewer than three values differ.

    >>> max(density_of(np.array([1.0, 2.0, 2.0, 2.5, 3.0])), key=lambda point: point[1])[0].__round__(1)
    2.0
    >>> density_of(np.array([2.0, 2.0, 2.0]))
    []
    """
    if len(np.unique(values)) < 3:
        return []
    quarters = float(np.subtract(*np.percentile(values, [75, 25]))) / 1.34
    spread = min(filter(None, (float(values.std(ddof=1)), quarters)))
    width = 0.9 * spread * len(values) ** -0.2
    at = np.linspace(values.min(), values.max(), STEPS)
    heights = np.exp(-0.5 * ((at[:, None] - values[None, :]) / width) ** 2).sum(axis=1)
    return list(zip(at.tolist(), (heights / heights.max()).tolist(), strict=True))


def _lines_of(level: object) -> str:
    return "\n".join(textwrap.wrap(str(level), 16)[:3])
