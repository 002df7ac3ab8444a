"""A dark figure is the light one in other colours, all of which are told from the paper; a page has the same ones."""

from __future__ import annotations

import io
import itertools
import re
from pathlib import Path

import pytest
from PIL import Image

import analysis
from analysis.exports import NoSuchFile
from analysis.methods.report import Column, Figure, Report, Table
from analysis.papers.run_files import file_of
from analysis.reports import figures
from analysis.reports.figure_styles import PALETTE, PAPER, RAMP, SERIES, dark_rules, in_style
from analysis.reports.figure_widths import WIDTHS
from analysis.reports.labels import Labels
from tests.analysis.reports.test_figures_of_reports import KINDS, report

pytestmark = pytest.mark.slow

STYLES = Path(analysis.__file__).parent / "static" / "analysis" / "figure-dark.css"
COLOURS = re.compile(r'\b(fill|stroke)="([^"]*)"')
# Fifth and sixth of Okabe & Ito: too light on white by themselves, which is why series have shapes and dashes, too.
LIGHT_BY_THEMSELVES = {"#E69F00", "#56B4E9"}
ENOUGH = {"text": 4.5, "mark": 3.0}


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2 of a colour as CSS writes it."""
    digits = {"white": "ffffff", "black": "000000"}.get(colour, colour.removeprefix("#"))
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_wcag_says() -> None:
    assert contrast("#000", "white") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("style", ["light", "dark"])
def test_text_and_marks_are_told_from_the_paper(style: str) -> None:
    paper = getattr(PAPER, style)
    for colour in PALETTE:
        if colour.use in ENOUGH and not (style == "light" and colour.light in LIGHT_BY_THEMSELVES):
            assert contrast(getattr(colour, style), paper) >= ENOUGH[colour.use], colour


@pytest.mark.parametrize("style", ["light", "dark"])
def test_more_is_further_from_the_paper(style: str) -> None:
    steps = [contrast(getattr(colour, style), getattr(PAPER, style)) for colour in RAMP]
    assert steps == sorted(steps)
    assert all(after / before > 1.2 for before, after in itertools.pairwise(steps))


def test_no_two_colours_become_one() -> None:
    assert len({colour.light for colour in PALETTE}) == len({colour.dark for colour in PALETTE}) == len(PALETTE)


def drawn() -> list[tuple[Report, Figure]]:
    many = [{"condition": "a", "order": "x", "mean.value": (i * i) % 101, "size": i % 83} for i in range(5000)]
    lines = [*KINDS, "roc"]
    return [*(report(kind) for kind in lines), report("points", many, encoding={"x": "size", "y": "mean.value"})]


def test_every_colour_of_every_kind_of_figure_is_in_the_palette_and_becomes_dark() -> None:
    known, dark = ({getattr(colour, style) for colour in PALETTE} for style in ("light", "dark"))
    for made, figure in drawn():
        found = {colour for _name, colour in COLOURS.findall(figures.svg(made, figure))}
        assert found - known <= {"none", "transparent"}, figure.kind
        found = {colour for _name, colour in COLOURS.findall(figures.svg(made, figure, style="dark"))}
        assert found - dark <= {"none", "transparent"}, figure.kind


def test_nothing_but_colours_differs() -> None:
    for made, figure in drawn():
        light, dark = (figures.svg(made, figure, style=style) for style in ("light", "dark"))
        assert light != dark
        assert COLOURS.sub("", light) == COLOURS.sub("", dark), figure.kind


def test_a_colour_that_words_name_is_left_alone() -> None:
    level = 'fill="#0072B2"'
    rows = [{"condition": level, "order": "x", "mean.value": 1.0, "ci_low": 0.5, "ci_high": 2.0, "size": 3}]
    light, dark = (figures.svg(*report("bars", rows), style=style) for style in ("light", "dark"))
    written = re.compile('fill=(&quot;|")#0072B2(&quot;|")(?=[;\']| for)')
    assert len(written.findall(light)) == len(written.findall(dark)) > 0


def test_a_colour_without_a_dark_one_is_a_fault() -> None:
    with pytest.raises(KeyError, match="#123456"):
        in_style('<path fill="#123456"/>', "dark")


def test_the_page_exchanges_the_same_colours() -> None:
    assert STYLES.read_text(encoding="utf-8") == dark_rules()


def test_every_file_of_a_figure_is_there_light_and_dark() -> None:
    made, figure = report("interaction")
    for name in (figure.name, *(f"{figure.name}-{width}mm" for width in WIDTHS)):
        light, dark = (file_of(made, f"{name}{style}", "svg", labels=Labels())[0].decode() for style in ("", "-dark"))
        assert COLOURS.sub("", light) == COLOURS.sub("", dark)
        pictures = [
            Image.open(io.BytesIO(file_of(made, f"{name}{style}", "png", labels=Labels())[0])).convert("RGB")
            for style in ("", "-dark")
        ]
        assert [picture.getpixel((1, 1)) for picture in pictures] == [(255, 255, 255), (0x16, 0x1A, 0x1F)]
        assert pictures[0].size == pictures[1].size
        assert file_of(made, f"{name}-dark", "pdf", labels=Labels())[0].startswith(b"%PDF")
    for name in ("f-dark-dark", "g-dark", "f-dark-85mm"):
        with pytest.raises(NoSuchFile):
            file_of(made, name, "svg", labels=Labels())


def test_a_figure_that_is_called_dark_is_that_figure() -> None:
    table = Table.from_rows("t", "Table", (Column("a", "A", "text"), Column("m", "M")), [{"a": "x", "m": 1.0}])
    night = Figure(name="after-dark", title="Night", kind="bars", table="t", encoding={"x": "a", "y": "m"})
    made = Report(method="m", params={}, tables=(table,), figures=(night,))
    assert SERIES[0].light in file_of(made, "after-dark", "svg", labels=Labels())[0].decode()
    assert SERIES[0].dark in file_of(made, "after-dark-dark", "svg", labels=Labels())[0].decode()
