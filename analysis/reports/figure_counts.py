"""Vega-Lite marks of counts: histograms, and many points as a grid of counts."""

from __future__ import annotations

import numpy as np

from analysis.methods.report import Figure, Table
from analysis.reports.figure_channels import Rows, Spec, levels_of
from analysis.reports.figure_styles import PAPER, RAMP, SERIES
from analysis.reports.figure_words import SAID, said_of_bin, said_of_cell


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
