"""The marks of a picture lie where the values of its table are on the scales of its axes, and nothing in it runs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace

import pytest

from analysis.methods.report import Figure, FigureKind, Report
from analysis.reports import figures
from tests.analysis.measures.test_means_per_condition import predicted
from tests.analysis.reports.test_figures_of_reports import KINDS, ROWS, report

SVG = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element
DRAWN = {"svg", "g", "rect", "path", "line", "text", "tspan", "defs", "clipPath", "linearGradient", "stop", "title"}
ATTRIBUTES = {"fill", "stroke", "opacity", "d", "transform", "class", "role", "width", "height", "viewBox", "version"}
HARMLESS = re.compile(r"(aria|stroke|font|text|fill|clip|pointer)-[a-z-]+|id|display|[xyr][12xy]?")
HOSTILE = '"><script>alert(1)</script><image href="https://example.org/x.png" onload="alert(1)"/>'


def drawn(made: Report, figure: Figure) -> Element:
    return ElementTree.fromstring(figures.svg(made, figure))


def layers(part: Element, kind: str, role: str = "role-mark") -> Iterator[Element]:
    """Yield the groups of marks of a kind (rule, symbol, text) in a role."""
    for group in part.iter(f"{SVG}g"):
        if {f"mark-{kind}", role} <= set(group.get("class", "").split()):
            yield group


def place(mark: Element) -> tuple[float, float]:
    found = re.match(r"translate\((-?[\d.]+),(-?[\d.]+)\)", mark.get("transform", ""))
    assert found is not None
    return float(found[1]), float(found[2])


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def scale_of(part: Element) -> tuple[float, float]:
    """Return the value at zero pixels and that of one pixel, from the places of the words at the horizontal axis."""
    axis = next(
        group for group in part.iter(f"{SVG}g") if re.match(r"X-axis.* for a linear scale", group.get("aria-label", ""))
    )
    marked = [
        (place(text)[0], number(str(text.get("aria-label"))))
        for group in layers(axis, "text", "role-axis-label")
        for text in group
    ]
    (at, low), (end, high) = marked[0], marked[-1]
    of_pixel = (high - low) / (end - at)
    return low - of_pixel * at, of_pixel


def panels(picture: Element) -> list[Element]:
    return [group for group in picture.iter(f"{SVG}g") if re.search(r"concat_\d+_group", group.get("class", ""))]


def words(part: Element, role: str) -> list[str]:
    return [str(text.get("aria-label")) for group in layers(part, "text", role) for text in group]


def test_sets_of_predictors_lie_at_what_they_tell_of_new_items_beside_the_baseline_of_their_model() -> None:
    made = predicted(sets="Ratings = z(fluency); Times = z(pace), pace", ladder="filler,sem,lin,gold")
    picture = drawn(made, next(figure for figure in made.figures if figure.name == "sets"))
    ladder = made.table("ladder").frame()
    drawn_panels = panels(picture)
    assert [words(panel, "role-title-text") for panel in drawn_panels] == [["filler"], ["sem"], ["lin"]]
    for panel, (model, lines) in zip(drawn_panels, ladder.groupby("model", sort=False), strict=True):
        first, of_pixel = scale_of(panel)
        ordered = lines.sort_values("cv_item", ascending=False)
        ((rule,),) = layers(panel, "rule")
        assert rule.get("stroke-dasharray") == "4,3"
        assert first + of_pixel * place(rule)[0] == pytest.approx(lines["baseline"].iloc[0], abs=1e-6)
        ((*points,),) = layers(panel, "symbol")
        assert [first + of_pixel * place(point)[0] for point in points] == pytest.approx(ordered["cv_item"], abs=1e-6)
        heights = [place(point)[1] for point in points]
        assert heights == sorted(heights)
        assert words(panel, "role-axis-label")[-2:] == ordered["set"].tolist()
        assert words(panel, "role-axis-title") == ["Correct, new items"]
        for point, line in zip(points, ordered.to_dict("records"), strict=True):
            share = f"{line['cv_item']:.3f}".removeprefix("0")
            assert point.get("aria-label") == (
                f"Predictors: {line['set']}; model: {model}; Correct, new items: {share}; n: {line['n']}"
            )


def test_one_set_is_compared_with_nothing() -> None:
    made = predicted(blocks="pace", positive="sem")
    assert "sets" not in {figure.name for figure in made.figures}


def test_intervals_begin_and_end_at_their_bounds_with_the_estimate_between() -> None:
    rows = [
        {"condition": name, "order": "x", "mean.value": middle, "ci_low": low, "ci_high": high, "size": 1}
        for name, low, middle, high in (("a", -1.5, 0.25, 2.0), ("b", 1.0, 3.5, 4.0))
    ]
    encoding = {"x": "mean.value", "y": "condition", "low": "ci_low", "high": "ci_high"}
    picture = drawn(*report("intervals", rows, encoding=encoding, reference=0.5))
    first, of_pixel = scale_of(picture)
    reference, bounds = layers(picture, "rule")
    assert [first + of_pixel * place(line)[0] for line in reference] == pytest.approx([0.5], abs=1e-6)
    ends = [sorted((place(line)[0], place(line)[0] + float(line.get("x2", 0)))) for line in bounds]
    assert [[first + of_pixel * end for end in pair] for pair in ends] == [
        pytest.approx([-1.5, 2.0], abs=1e-6),
        pytest.approx([1.0, 4.0], abs=1e-6),
    ]
    (points,) = layers(picture, "symbol")
    assert [first + of_pixel * place(point)[0] for point in points] == pytest.approx([0.25, 3.5], abs=1e-6)
    assert words(picture, "role-axis-label")[-2:] == ["a", "b"]


def test_an_estimate_alone_has_an_axis_around_it() -> None:
    picture = drawn(*report("intervals", ROWS[:1], encoding={"x": "mean.value", "y": "condition"}))
    first, of_pixel = scale_of(picture)
    (points,) = layers(picture, "symbol")
    assert [first + of_pixel * place(point)[0] for point in points] == pytest.approx([0.5], abs=1e-6)
    ticks = [number(word) for word in words(picture, "role-axis-label")[:-1]]
    assert min(ticks) < 0.5 < max(ticks)
    assert len(set(ticks)) > 2


def test_levels_that_are_numbers_have_minus_signs() -> None:
    rows: list[dict[str, object]] = [
        {**row, "condition": name} for row, name in zip(ROWS[:2], ("-1", "P-1"), strict=True)
    ]
    picture = drawn(*report("intervals", rows, encoding={"x": "mean.value", "y": "condition"}))
    assert words(picture, "role-axis-label")[-2:] == ["−1", "P-1"]


OTHERS: dict[FigureKind, dict[str, str]] = {
    "path": {"x": "condition", "low": "ci_low", "high": "ci_high"},
    "band": {"x": "size", "y": "mean.value", "low": "ci_low", "high": "ci_high"},
    "caterpillar": {"x": "mean.value", "y": "condition", "panel": "order", "low": "ci_low", "high": "ci_high"},
}


@pytest.mark.parametrize("kind", [*KINDS, *OTHERS])
def test_no_kind_of_picture_runs_or_fetches_what_names_say(kind: FigureKind) -> None:
    rows: list[dict[str, object]] = [
        {**row, "condition": HOSTILE, "order": HOSTILE + str(row["order"])} for row in ROWS
    ]
    made, figure = report("bars", rows, encoding={**KINDS, **OTHERS}[kind], caption=HOSTILE)
    picture = drawn(made, replace(figure, kind=kind, x_label="javascript:alert(1)"))
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= DRAWN
    for element in picture.iter():
        for name, value in element.attrib.items():
            assert name in ATTRIBUTES or HARMLESS.fullmatch(name), name
            if name != "aria-label":
                assert "script" not in value, name
                assert re.findall(r"url\((?!#)", value) == []
    # What a researcher called a level is there as words.
    assert any(HOSTILE in str(element.get("aria-label")) for element in picture.iter()), kind
