"""A figure is 85, 114 or 174 mm wide in every format, with letters of the same size."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from analysis.exports import NoSuchFile
from analysis.methods.mixed.example import example
from analysis.methods.registry import method_named, run
from analysis.methods.report import Column, Figure, Report, Table
from analysis.papers.run_files import file_of
from analysis.reports.figure_widths import WIDTHS, sized_svg
from analysis.reports.labels import Labels
from analysis.views.reports import PRINT_WIDTHS


@pytest.fixture(scope="module")
def report():
    frame, parameters = example()
    return run(method_named("lmm"), frame, parameters)


def box(pdf: bytes) -> float:
    found = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)", pdf)
    assert found is not None
    return float(found.group(1)) / 72 * 25.4


@pytest.mark.parametrize("width", WIDTHS)
def test_every_format_has_the_width_that_was_asked_for(report, width):
    svg, kind = file_of(report, f"means-{width}mm", "svg", labels=Labels())
    assert kind == "image/svg+xml"
    assert f'width="{width}mm"' in svg.decode()[:400]
    png = Image.open(io.BytesIO(file_of(report, f"means-{width}mm", "png", labels=Labels())[0]))
    assert png.width == pytest.approx(width / 25.4 * 300, abs=1)
    assert box(file_of(report, f"means-{width}mm", "pdf", labels=Labels())[0]) == pytest.approx(width, abs=0.2)


@pytest.mark.parametrize("name", ["means", "residuals", "random-effects"])
def test_letters_keep_their_size_because_the_picture_is_not_scaled(report, name):
    for width in WIDTHS:
        svg = file_of(report, f"{name}-{width}mm", "svg", labels=Labels())[0].decode()
        found = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
        assert found is not None
        assert float(found.group(1)) == pytest.approx(width / 25.4 * 96, rel=0.06)


def test_the_same_figure_has_the_same_bytes(report):
    for suffix in ("svg", "png"):
        once, again = (file_of(report, "quantiles-85mm", suffix, labels=Labels()) for _ in range(2))
        assert once == again


def test_other_widths_and_figures_do_not_exist(report):
    for name in ("means-86mm", "nothing-85mm"):
        with pytest.raises(NoSuchFile):
            file_of(report, name, "svg", labels=Labels())


def test_the_page_offers_what_can_be_drawn():
    assert tuple(width for width, _called in PRINT_WIDTHS) == WIDTHS


@pytest.mark.parametrize(("level", "turned"), [("a", ""), ("because-of", "rotate(325)"), ("1000", "rotate(270)")])
def test_labels_that_would_run_into_each_other_are_tilted(level, turned):
    n = 20 if level == "1000" else 8
    columns = (Column("x", "X", "text"), Column("mean", "Mean"))
    table = Table("means", "Means", columns, tuple((f"{level}{place}", float(place)) for place in range(n)))
    figure = Figure("means", "Means", "interaction", "means", {"x": "x", "y": "mean"}, x_label="X", y_label="Mean")
    svg = sized_svg(Report(tables=(table,), figures=(figure,)), figure, millimetres=85)
    first = re.search(rf'<path[^>]*aria-label="{level}0"', svg)
    assert first is not None
    assert (turned in first[0]) if turned else ("rotate" not in first[0])


def test_typesetters_take_a_pdf_without_a_warning(report):
    for name in ("means", "means-85mm"):
        content = file_of(report, name, "pdf", labels=Labels())[0]
        assert content.startswith(b"%PDF-1.5")
        assert not re.search(rb"/Parent \d+ \d+ R\s+/Group", content)
        # Nothing in the file has moved: the table of addresses is where the end says it is.
        at = int(content.rsplit(b"startxref", 1)[1].split()[0])
        assert content[at : at + 4] == b"xref"
