"""Light and dark colours of figures: one picture whose colours are replaced, so that nothing else differs.

`python -m analysis.reports.figure_styles` prints the rules by which a page in the dark theme exchanges them, too
(`static/analysis/figure-dark.css`); paper is always light.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Style = Literal["light", "dark"]
# What stands behind the name of a file that is dark.
DARK_NAME = "-dark"


class Colour(NamedTuple):
    """A colour of light pictures and what stands for it in dark ones.

    `use` is what has to be told from the paper: `text` by 4.5 : 1, a `mark` by 3 : 1, the `paper` and an `aid` (lines
    of the grid, the inside of a band that has an edge) by nothing.
    """

    light: str
    dark: str
    use: Literal["paper", "text", "mark", "aid"]


# The theme's `--paper` in the dark is the same, so that a picture lies on the page without a frame.
PAPER = Colour("white", "#161A1F", "paper")
# Okabe & Ito (2008): distinguishable with every common form of colour blindness, and in print; in the dark the same
# hues, lighter.
SERIES = (
    Colour("#0072B2", "#4BA3E3", "mark"),
    Colour("#D55E00", "#FF8A4C", "mark"),
    Colour("#009E73", "#2FC99A", "mark"),
    Colour("#CC79A7", "#E59CC5", "mark"),
    Colour("#E69F00", "#F5BE4A", "mark"),
    Colour("#56B4E9", "#9AD4F7", "mark"),
    Colour("#000000", "#E8E8E8", "mark"),
    Colour("#8A8A00", "#C9C94A", "mark"),
)
# Counts from few to many.
RAMP = (
    Colour("#4292C6", "#3D7AB0", "mark"),
    Colour("#2A7AB9", "#5A97CB", "mark"),
    Colour("#1561A9", "#7DB3E0", "mark"),
    Colour("#084A91", "#A6CEF0", "mark"),
    Colour("#08306B", "#D6EAFB", "mark"),
)
TITLE = Colour("#111111", "#F2F3F5", "text")
LABEL = Colour("#222222", "#DFE2E6", "text")
NAME = Colour("#333333", "#D0D4D9", "text")
AXIS = Colour("#444444", "#A9AFB7", "mark")
GRID = Colour("#E4E4E4", "#2E333A", "aid")
REFERENCE = Colour("#777777", "#9AA1A9", "mark")
WAY = Colour("#8A8A8A", "#868D96", "mark")
BAND = Colour("#D5E3EF", "#27405A", "aid")
EDGE = Colour("#6F8FAA", "#7C9DB9", "mark")
# What the renderer chooses by itself: words of legends and panels, and the shapes of legends.
LEGEND = Colour("#000", "#F1F2F4", "text")
SHAPE = Colour("black", "#E7E8EA", "mark")

PALETTE = (
    PAPER, *SERIES, *RAMP, TITLE, LABEL, NAME, AXIS, GRID, REFERENCE, WAY, BAND, EDGE, LEGEND, SHAPE,
)  # fmt: skip
_DARK = {colour.light: colour.dark for colour in PALETTE}
_TAG = re.compile(r"<[^<>]+>")
# A whole attribute each time: what its value quotes is never taken for another one.
_ATTRIBUTE = re.compile(r"""(\s)([\w:-]+)=("[^"]*"|'[^']*')""")
_COLOURED = ("fill", "stroke", "stop-color")


def in_style(picture: str, style: Style) -> str:
    """Return an SVG of light colours in a style. Raises KeyError where it has a colour that is not in the palette.

    >>> in_style('<path fill="#0072B2" aria-label="a"/>', "dark")
    '<path fill="#4BA3E3" aria-label="a"/>'
    """
    return picture if style == "light" else _TAG.sub(lambda tag: _ATTRIBUTE.sub(_darkened, tag.group()), picture)


def _darkened(found: re.Match[str]) -> str:
    space, name, value = found.groups()
    if name not in _COLOURED or value[1:-1] in ("none", "transparent") or value[1:-1].startswith("url("):
        return found.group()
    return f'{space}{name}="{_DARK[value[1:-1]]}"'


def dark_rules() -> str:
    """Return the rules by which a page in the dark theme shows light pictures dark."""
    lines = [
        f'  .dark .figure-picture svg [{name}="{colour.light}"] {{ {name}: {colour.dark}; }}'
        for colour in PALETTE
        for name in ("fill", "stroke")
    ]
    return "\n".join(
        [
            "/* Made by `python -m analysis.reports.figure_styles`: figures in the dark theme; paper stays light. */",
            "@media screen {",
            *lines,
            "}",
            "",
        ]
    )


if __name__ == "__main__":
    print(dark_rules(), end="")  # noqa: T201
