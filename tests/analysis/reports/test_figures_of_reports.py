"""Figures: every kind draws what its table holds, the same each time, without a script or an address to fetch."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from analysis.methods.report import Column, Figure, FigureKind, Report, Table
from analysis.reports import figures

pytestmark = pytest.mark.slow

COLUMNS = (
    Column("condition", "Condition", "text"),
    Column("order", "Order", "text"),
    Column("mean.value", "Mean"),
    Column("ci_low", "Low"),
    Column("ci_high", "High"),
    Column("size", "Size", "integer"),
)
ROWS: list[dict[str, object]] = [
    {"condition": c, "order": o, "mean.value": i + 0.5 * (o == "x"), "ci_low": i - 1, "ci_high": i + 1, "size": i}
    for i, c in enumerate(["<b>bold</b>", "because", "cause [noun]"])
    for o in ("x", "y")
]
XY = {"x": "condition", "y": "mean.value"}
INTERVAL = {"low": "ci_low", "high": "ci_high"}
KINDS: dict[FigureKind, dict[str, str]] = {
    "interaction": {**XY, **INTERVAL, "colour": "order"},
    "bars": {**XY, **INTERVAL, "colour": "order"},
    "histogram": {"x": "mean.value", "panel": "order"},
    "lines": {"x": "size", "y": "mean.value", "colour": "order", **INTERVAL},
    "points": {"x": "size", "y": "mean.value", "colour": "order", "text": "condition"},
    "roc": {"x": "size", "y": "mean.value", "colour": "order"},
    "intervals": {"x": "mean.value", "y": "condition", "colour": "order", **INTERVAL},
}


def report(kind: FigureKind, rows: list[dict[str, object]] = ROWS, **changes: Any) -> tuple[Report, Figure]:
    encoding = changes.pop("encoding", KINDS[kind])
    figure = Figure(name="f", title="A title", kind=kind, table="t", encoding=encoding, **changes)
    table = Table.from_rows("t", "Table", COLUMNS, rows)
    return Report(method="m", params={}, tables=(table,), figures=(figure,)), figure


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_the_same_each_time(kind: FigureKind) -> None:
    first, second = (figures.svg(*report(kind)) for _ in range(2))
    assert first == second
    assert "A title" in first
    assert len(re.findall(r"<path", first)) > 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_neither_runs_nor_fetches_anything(kind: FigureKind) -> None:
    picture = figures.svg(*report(kind))
    assert "<script" not in picture
    assert not re.findall(r"(?:href|src)=", picture)
    assert "<b>bold</b>" not in picture


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_or_values_is_an_empty_picture(kind: FigureKind) -> None:
    assert figures.svg(*report(kind, rows=[])).startswith("<svg")
    empty: list[dict[str, object]] = [{"condition": "a", "order": "x"}]
    assert figures.svg(*report(kind, rows=empty)).startswith("<svg")


@pytest.mark.parametrize("kind", ["interaction", "bars", "lines", "points", "intervals"])
def test_a_reference_line_and_panels_can_be_drawn(kind: FigureKind) -> None:
    encoding = {**{k: v for k, v in KINDS[kind].items() if k != "colour"}, "panel": "order"}
    without = figures.svg(*report(kind, encoding=encoding))
    assert figures.svg(*report(kind, encoding=encoding, reference=0.25)) != without
    assert without.count('aria-label="x" d=') == 1


def test_a_level_is_written_as_it_is() -> None:
    picture = figures.svg(*report("interaction"))
    assert "cause [noun]" in picture
    assert "&lt;b&gt;bold&lt;/b&gt;" in picture


@pytest.mark.parametrize("character", ["\x07", "\x0b", "\x1b", "\ufffe", "\uffff"])
def test_a_character_that_no_picture_can_hold_is_replaced(character: str) -> None:
    picture = figures.svg(*report("bars", [{**ROWS[0], "condition": f"a{character}b"}]))
    assert "a\ufffdb" in picture
    assert character not in picture


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["if", "constructor", "toString"])
def test_a_word_of_the_renderer_is_drawn_as_any_other(kind: FigureKind, word: str) -> None:
    """`if` is a discourse marker as good as `because`."""
    rows: list[dict[str, object]] = [
        {**row, "condition": word, "order": word if row["order"] == "x" else "y"} for row in ROWS
    ]
    made, figure = report(kind, rows, x_label=word, y_label=word)
    picture = figures.svg(made, dataclasses.replace(figure, title=word))
    assert picture.count(f'aria-label="{word}" d=') >= 2


def test_series_differ_in_colour_and_in_dash() -> None:
    picture = figures.svg(*report("interaction", ordered=True))
    assert figures.COLOURS[0].lower() in picture.lower()
    assert figures.COLOURS[1].lower() in picture.lower()
    assert "stroke-dasharray" in picture


def test_interval_ends_lie_inside_the_picture() -> None:
    rows = [{"condition": "a", "order": "x", "mean.value": 0, "ci_low": -7, "ci_high": 9}]
    picture = figures.svg(*report("interaction", rows=rows))
    assert 'aria-label="−6" d=' in picture
    assert 'aria-label="8" d=' in picture


def test_many_points_become_a_grid_of_counts() -> None:
    rows: list[dict[str, object]] = [
        {"condition": "a", "order": "x", "mean.value": (i * 37) % 101, "size": i} for i in range(5000)
    ]
    encoding = {"x": "size", "y": "mean.value"}
    first, second = (figures.svg(*report("points", rows=rows, encoding=encoding)) for _ in range(2))
    assert first == second
    assert "Points" in first


def test_png_and_pdf_are_what_they_say() -> None:
    assert figures.png(*report("bars")).startswith(b"\x89PNG")
    assert figures.png(*report("bars")) == figures.png(*report("bars"))
    assert figures.pdf(*report("bars")).startswith(b"%PDF")


def test_a_figure_of_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError, match="lacks: nothing"):
        figures.svg(*report("bars", encoding={"x": "condition", "y": "nothing"}))
