"""Names of a figure's files and how to make them: `means.svg`, `means-dark.png`, `means-85mm.pdf`,
`means-85mm-dark.svg`.
"""

from __future__ import annotations

import re

from analysis.methods.report import Figure, Report
from analysis.reports import figure_widths, figures
from analysis.reports.figure_styles import DARK_NAME, Style

KINDS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_SIZED = re.compile(rf"(.+)-({'|'.join(map(str, figure_widths.WIDTHS))})mm")


def picture_of(report: Report, stem: str, suffix: str) -> tuple[bytes, str] | None:
    """Return the file of a figure with its media type; None where the name means none.

    A figure of exactly this name comes first: methods call theirs what they like.
    """
    if suffix not in KINDS:
        return None
    by_name = {figure.name: figure for figure in report.figures}
    style: Style = "light"
    if stem not in by_name and stem.endswith(DARK_NAME):
        stem, style = stem.removesuffix(DARK_NAME), "dark"
    if stem in by_name:
        return _drawn(report, by_name[stem], suffix, style), KINDS[suffix]
    sized = _SIZED.fullmatch(stem)
    if sized is None or sized[1] not in by_name:
        return None
    return _of_width(report, by_name[sized[1]], suffix, style, millimetres=int(sized[2])), KINDS[suffix]


def _drawn(report: Report, figure: Figure, suffix: str, style: Style) -> bytes:
    if suffix == "svg":
        return figures.svg(report, figure, style=style).encode("utf-8")
    if style == "light":
        return figures.png(report, figure) if suffix == "png" else figures.pdf(report, figure)
    picture = figures.svg(report, figure, style=style)
    return figures.outlined_png(picture) if suffix == "png" else figures.outlined_pdf(picture)


def _of_width(report: Report, figure: Figure, suffix: str, style: Style, *, millimetres: int) -> bytes:
    if suffix == "svg":
        return figure_widths.sized_svg(report, figure, millimetres=millimetres, style=style).encode("utf-8")
    draw = figure_widths.sized_png if suffix == "png" else figure_widths.sized_pdf
    return draw(report, figure, millimetres=millimetres, style=style)
