"""Convert the letters of an SVG to outlines, so that it looks the same without the font it was laid out for.

The font is Liberation Sans 2.1.5 under the SIL Open Font License (`analysis/fonts/OFL.txt`), whose widths the renderer
lays pictures out by. A text with letters that the font lacks, or that have to be shaped (Arabic, combining marks),
stays text in whatever font without serifs the reader's system has.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from xml.sax.saxutils import quoteattr

from fontTools.misc.transform import Identity
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parents[1] / "fonts"
ANY_FONT = "sans-serif"
BOLD_FROM = 600

_TEXT = re.compile(r"<text(?P<attributes>[^>]*)>(?P<inside>.*?)</text>", re.DOTALL)
_LINE = re.compile(r"<tspan(?P<attributes>[^>]*)>(?P<inside>.*?)</tspan>", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_OF_FONTS = ("text-anchor", "font-family", "font-size", "font-weight", "font-style")


class Face:
    """One face of the font: which letters it has, how wide they are, and their outlines in units of the font."""

    def __init__(self, path: Path) -> None:
        self.font = TTFont(path)
        self.units: int = self.font["head"].unitsPerEm
        self.names: dict[int, str] = self.font.getBestCmap()
        self.widths: dict[str, tuple[int, int]] = self.font["hmtx"].metrics
        self.pairs: dict[tuple[str, str], int] = self.font["kern"].kernTables[0].kernTable
        self.outlines = self.font.getGlyphSet()
        # fontTools reads a letter when it is first drawn, in steps that another thread must not see.
        self.one_at_a_time = threading.Lock()

    @lru_cache(maxsize=2_000)  # noqa: B019 - the two faces live as long as the process
    def drawn(self, text: str) -> tuple[str, int] | None:
        """Return the outline of a text and how wide it is; None where the font does not suffice."""
        if not all(ord(letter) in self.names and _stands_alone(letter) for letter in text):
            return None
        pen = SVGPathPen(self.outlines)
        at, before = 0, ""
        with self.one_at_a_time:
            for letter in text:
                name = self.names[ord(letter)]
                at += self.pairs.get((before, name), 0)
                self.outlines[name].draw(TransformPen(pen, Identity.translate(at, 0)))
                at += self.widths[name][0]
                before = name
        return pen.getCommands(), at


@cache
def _face(name: str) -> Face:
    return Face(FONTS / f"LiberationSans-{name}.ttf")


def _stands_alone(letter: str) -> bool:
    """Say whether a letter is drawn as it is, from left to right, whatever stands beside it."""
    return not unicodedata.combining(letter) and unicodedata.bidirectional(letter) not in ("R", "AL", "AN")


def as_outlines(picture: str) -> str:
    """Return an SVG with the outlines of its letters in place of text; the text stands in `aria-label`.

    >>> as_outlines('<svg><text font-family="Arial" font-size="20.48px" fill="red">l</text></svg>')
    '<svg><path fill="red" transform="scale(0.01,-0.01)" role="img" aria-label="l" d="M138 0V1484H318V0Z"/></svg>'
    """
    return _TEXT.sub(_outlined, picture)


def _outlined(found: re.Match[str]) -> str:
    attributes = dict(_ATTRIBUTE.findall(found["attributes"]))
    size = float(attributes.get("font-size", "11px").removesuffix("px"))
    weight = attributes.get("font-weight", "normal")
    is_bold = weight == "bold" or (weight.isdecimal() and int(weight) >= BOLD_FROM)
    face = _face("Bold" if is_bold else "Regular")
    paths = []
    x = y = 0.0
    lines = list(_LINE.finditer(found["inside"]))
    for attributes_of_line, inside in (
        [(line["attributes"], line["inside"]) for line in lines] if lines else [("", found["inside"])]
    ):
        place = dict(_ATTRIBUTE.findall(attributes_of_line))
        x, y = float(place.get("x", x)), y + float(place.get("dy", 0))
        text = unescape(inside)
        drawn = face.drawn(text)
        if drawn is None:
            return _in_any_font(found)
        outline, width = drawn
        if outline:
            paths.append(_path(attributes, text, outline, scale=size / face.units, width=width, x=x, y=y))
    return "".join(paths)


def _path(attributes: dict[str, str], text: str, outline: str, *, scale: float, width: int, x: float, y: float) -> str:
    x -= {"middle": 0.5, "end": 1.0}.get(attributes.get("text-anchor", "start"), 0.0) * width * scale
    moved = f"translate({_short(x)},{_short(y)})" if x or y else ""
    scaled = f"scale({_short(scale)},{_short(-scale)})"
    kept = {name: value for name, value in attributes.items() if name not in (*_OF_FONTS, "transform")}
    kept["transform"] = " ".join(filter(None, [attributes.get("transform", ""), moved, scaled]))
    written = " ".join(f'{name}="{value}"' for name, value in kept.items())
    return f'<path {written} role="img" aria-label={quoteattr(text)} d="{outline}"/>'


def _in_any_font(found: re.Match[str]) -> str:
    attributes = re.sub(r'font-family="[^"]*"', f'font-family="{ANY_FONT}"', found["attributes"])
    return f"<text{attributes}>{found['inside']}</text>"


def _short(number: float) -> str:
    return f"{number:.7g}"
