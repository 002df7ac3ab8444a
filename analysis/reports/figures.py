"""Draw a report's figures as SVG, PNG and PDF, offline and reproducibly.

A figure only names a table and its columns (`analysis.methods.report.Figure`); `analysis.reports.figure_marks` turns it
into a Vega-Lite specification, and vl-convert draws that without a browser or a network. Bytes of SVG and PNG are equal
from run to run; those of PDF are not (it holds a time stamp).
"""

from __future__ import annotations

import re
import textwrap
from typing import Any
from xml.sax.saxutils import quoteattr

import vl_convert

from analysis.methods.report import Figure, Report
from analysis.reports.figure_marks import spec_of
from analysis.reports.figure_styles import AXIS, GRID, LABEL, PAPER, SERIES, TITLE, Style, in_style
from analysis.reports.letters import as_outlines

VEGA_LITE = "6.4"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
COLOURS = tuple(colour.light for colour in SERIES)
TITLE_WIDTH = 64
# What XML 1.0 does not allow; the renderer ends the whole process where an SVG holds one.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PAGE_GROUP = re.compile(rb"(/Parent \d+ \d+ R\s+)(/Group <<[^<>]*>>)")
# Levels and titles that the renderer takes for names of its own: the operator if, and what every JavaScript object has.
TAKEN_WORDS = frozenset((
    "if", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
    "valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
))  # fmt: skip

CONFIG: dict[str, Any] = {
    "background": PAPER.light,
    "font": FONT,
    "view": {"stroke": None},
    "mark": {"color": COLOURS[0]},
    "title": {"fontSize": 15, "fontWeight": 600, "anchor": "start", "offset": 14, "color": TITLE.light},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "labelColor": LABEL.light,
        "titleColor": TITLE.light,
        "domainColor": AXIS.light,
        "tickColor": AXIS.light,
        "gridColor": GRID.light,
        "labelLimit": 260,
    },
    "axisBand": {"grid": False},
    "axisXQuantitative": {"labelFlush": False},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "symbolSize": 90},
    "header": {"labelFontSize": 12, "titleFontSize": 12, "labelFontWeight": 600, "titleFontWeight": "normal"},
    "range": {"category": list(COLOURS)},
}


def svg(report: Report, figure: Figure, *, style: Style = "light") -> str:
    """Return a figure as SVG without scripts, its letters as outlines.

    Raises KeyError where it names a table or column that is not there.
    """
    picture = str(vl_convert.vegalite_to_svg(specification(report, figure), vl_version=VEGA_LITE))
    return in_style(with_name(as_outlines(with_own_numbers(picture)), figure), style)


def png(report: Report, figure: Figure, *, scale: float = 2.0) -> bytes:
    """Return a figure as PNG, by default at twice its size for print."""
    return bytes(vl_convert.vegalite_to_png(specification(report, figure), vl_version=VEGA_LITE, scale=scale))


def pdf(report: Report, figure: Figure) -> bytes:
    """Return a figure as PDF."""
    return for_typesetters(vl_convert.vegalite_to_pdf(specification(report, figure), vl_version=VEGA_LITE))


def outlined_png(picture: str, *, scale: float = 2.0) -> bytes:
    """Return a picture of `svg` as PNG: what is drawn once serves for both."""
    return bytes(vl_convert.svg_to_png(picture, scale=scale))


def outlined_pdf(picture: str) -> bytes:
    """Return a picture of `svg` as PDF: its letters are outlines, and the bytes are equal from run to run."""
    return for_typesetters(vl_convert.svg_to_pdf(picture))


def for_typesetters(content: bytes) -> bytes:
    """Return a PDF of one picture as every LaTeX takes it without a warning: as version 1.5, of which it has nothing
    newer, and without a group of transparency for the page. Both keep their room, so that all addresses in the file
    stay right.
    """
    page = _PAGE_GROUP.sub(lambda found: found[1] + b" " * len(found[2]), content)
    return re.sub(rb"\A%PDF-1\.[67]", b"%PDF-1.5", page)


def with_name(picture: str, figure: Figure) -> str:
    """Say in an SVG that it is a picture with parts that can be read one by one, and what it is called."""
    called = quoteattr(NO_XML.sub("\ufffd", " ".join(filter(None, (f"{figure.title}.", figure.caption)))))
    end = picture.index(">", picture.index("<svg"))
    return f'{picture[:end]} role="graphics-document document" aria-label={called}{picture[end:]}'


def with_own_numbers(picture: str) -> str:
    """Number clip paths and gradients from zero: the renderer goes on counting from one picture to the next.

    Levels that are numbers get minus signs for hyphens, as the renderer gives them to its own numbers.
    """
    seen: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        return seen.setdefault(found.group(0), f"{found.group(1)}{len(seen)}")

    return re.sub(r">-(?=[\d.]+</text>)", ">−", re.sub(r"\b(clip|gradient_)\d+\b", renamed, picture))


def specification(report: Report, figure: Figure) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure with title and style, safe to draw.

    Raises KeyError where it names a table or column that is not there.
    """
    table = report.table(figure.table)
    names = {column.name for column in table.columns}
    missing = sorted(set(figure.encoding.values()) - names)
    if missing:
        raise KeyError(f"figure '{figure.name}' names columns that table '{table.name}' lacks: {', '.join(missing)}")
    specification = {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE.split('.')[0]}.json",
        "description": figure.caption or figure.title,
        "title": textwrap.wrap(figure.title, TITLE_WIDTH) or [""],
        "padding": 12,
        "config": CONFIG,
        **spec_of(table, figure, points=report.table(figure.points) if figure.points else None),
    }
    drawable: dict[str, Any] = _drawable(specification)
    return drawable


def _drawable(part: Any) -> Any:
    """Return a part of a specification with U+FFFD in place of characters that a picture cannot hold.

    A word that the renderer would take for a name of its own gets a space, which is not drawn.
    """
    if isinstance(part, str):
        return f"{part} " if part in TAKEN_WORDS else NO_XML.sub("\ufffd", part)
    if isinstance(part, dict):
        return {_drawable(key): _drawable(value) for key, value in part.items()}
    return [_drawable(entry) for entry in part] if isinstance(part, (list, tuple)) else part
