"""Fit figures to journal widths: font sizes stay fixed, the plotting area takes the remaining width.

Titles stay away, as journals print them in the caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import vl_convert

from analysis.methods.report import Figure, Report
from analysis.reports.figure_styles import Style, in_style
from analysis.reports.figures import VEGA_LITE, for_typesetters, specification, with_name, with_own_numbers
from analysis.reports.letters import as_outlines

# Millimetres: one column, one and a half, and the whole page.
WIDTHS = (85, 114, 174)
PIXELS_PER_MM = 96 / 25.4
POINTS_PER_PIXEL = 72 / 96
PRINT_PPI = 300
# Pixels of a letter of a label, between two labels, and between two that are tilted.
LETTER, BETWEEN, TILTED = 6.3, 6, 22
# Axes narrower than this are put below each other, or drawn smaller as a whole.
NARROWEST = 90


@dataclass(frozen=True)
class Sized:
    """A figure that is drawn once for a width, its letters as outlines; every format is made of it."""

    figure: Figure
    picture: str
    millimetres: int
    width: float
    height: float

    def svg(self, style: Style = "light") -> str:
        """Return it as SVG."""
        shown = f'width="{self.millimetres}mm" height="{self.millimetres * self.height / self.width:.2f}mm"'
        return in_style(with_name(self._of(shown), self.figure), style)

    def png(self, style: Style = "light") -> bytes:
        """Return it as PNG at 300 pixels per inch."""
        made = self._across(self.millimetres * PIXELS_PER_MM)
        return bytes(vl_convert.svg_to_png(in_style(made, style), scale=POINTS_PER_PIXEL, ppi=PRINT_PPI))

    def pdf(self, style: Style = "light") -> bytes:
        """Return it as PDF."""
        made = self._across(self.millimetres * PIXELS_PER_MM * POINTS_PER_PIXEL)
        return for_typesetters(vl_convert.svg_to_pdf(in_style(made, style)))

    def _across(self, size: float) -> str:
        return self._of(f'width="{size:.3f}" height="{size * self.height / self.width:.3f}"')

    def _of(self, shown: str) -> str:
        return _with_size(self.picture, shown, self.width, self.height)


def sized(report: Report, figure: Figure, *, millimetres: int) -> Sized:
    """Return a figure that is drawn for a width.

    Raises KeyError where the figure names a table or column that is not there.
    """
    picture, width, height = _drawn(report, figure, millimetres)
    return Sized(figure, as_outlines(picture), millimetres, width, height)


def sized_svg(report: Report, figure: Figure, *, millimetres: int, style: Style = "light") -> str:
    """Return a figure as SVG of that width."""
    return sized(report, figure, millimetres=millimetres).svg(style)


def sized_png(report: Report, figure: Figure, *, millimetres: int, style: Style = "light") -> bytes:
    """Return a figure as PNG of that width at 300 pixels per inch."""
    return sized(report, figure, millimetres=millimetres).png(style)


def sized_pdf(report: Report, figure: Figure, *, millimetres: int, style: Style = "light") -> bytes:
    """Return a figure as PDF of that width."""
    return sized(report, figure, millimetres=millimetres).pdf(style)


def _drawn(report: Report, figure: Figure, millimetres: int) -> tuple[str, float, float]:
    """Return a picture that is about as wide as asked for, and its size in pixels."""
    made = specification(report, figure)
    del made["title"]
    made["padding"] = 2
    made["config"] = {**made["config"], "legend": {**made["config"]["legend"], "orient": "bottom", "columns": 3}}
    _shorten_labels(made, int(millimetres * PIXELS_PER_MM / 3))
    target = millimetres * PIXELS_PER_MM
    columns, views = _columns(made), list(_views(made))
    across = views[0]["width"] if isinstance(views[0]["width"], int | float) else 200
    for beside in range(columns, 0, -1):
        if "columns" in made:
            made["columns"] = beside
        _set_width(views, across)
        width = _measured(made)[1]
        across += (target - width) / beside
        if across >= NARROWEST or beside == 1:
            break
    _set_width(views, max(across, NARROWEST))
    return _measured(made)


def _columns(made: dict[str, Any]) -> int:
    if "concat" in made:
        return min(len(made["concat"]), int(made["columns"]))
    if "facet" in made:
        return min(len({row["panel"] for row in made["data"]["values"]}), int(made["columns"]))
    return 1


def _views(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from made.get("concat", [made.get("spec", made)])


def _set_width(views: list[dict[str, Any]], width: float) -> None:
    for view in views:
        view["width"] = round(width, 2)
        for x in _named_axes(view):
            x["axis"] = {**(x.get("axis") or {}), "labelAngle": angle_for(x["sort"], width)}


def _named_axes(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the horizontal channels of a view that have words, or numbers as names, with labels."""
    if isinstance(part, dict):
        x = part.get("x")
        if isinstance(x, dict) and isinstance(x.get("sort"), list) and x.get("axis", {}) is not None:
            yield x
        for entry in part.values():
            yield from _named_axes(entry)
    elif isinstance(part, list):
        for entry in part:
            yield from _named_axes(entry)


def angle_for(levels: Sequence[Any], width: float) -> int:
    """Return the angle at which labels below an axis of so many pixels do not run into each other.

    >>> angle_for(["a", "b"], 200), angle_for(["because-of"] * 6, 200), angle_for(["1000"] * 15, 200)
    (0, -35, -90)
    """
    room = width / max(1, len(levels))
    longest = max((len(str(level)) for level in levels), default=0)
    if longest * LETTER + BETWEEN <= room:
        return 0
    return -35 if room >= TILTED else -90


def _shorten_labels(part: Any, limit: int) -> None:
    if isinstance(part, dict):
        if part.get("labelLimit", 0) > limit:
            part["labelLimit"] = limit
        for entry in part.values():
            _shorten_labels(entry, limit)
    elif isinstance(part, list):
        for entry in part:
            _shorten_labels(entry, limit)


def _measured(made: dict[str, Any]) -> tuple[str, float, float]:
    picture = with_own_numbers(str(vl_convert.vegalite_to_svg(made, vl_version=VEGA_LITE)))
    found = re.search(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', picture)
    if found is None:
        raise ValueError("The picture has no size; draw the figure without a width instead.")
    return picture, float(found.group(1)), float(found.group(2))


def _with_size(picture: str, shown: str, width: float, height: float) -> str:
    begin, end = picture.index("<svg"), picture.index(">", picture.index("<svg"))
    head = re.sub(r' (width|height|viewBox)="[^"]*"', "", picture[begin:end])
    return f'{picture[:begin]}{head} {shown} viewBox="0 0 {width:g} {height:g}"{picture[end:]}'
