"""Every mark of a figure says in the file what it shows: levels, value, interval, n, with the digits of the report."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest

from analysis.methods.registry import method_named, run
from analysis.methods.report import Column, Figure, Report, Table
from analysis.reports import figures
from analysis.reports.figure_counts import steps_of
from tests.analysis.reports.test_figures_of_reports import report

SVG = "{http://www.w3.org/2000/svg}"


def said(made: Report, figure: Figure) -> list[list[str]]:
    """Return what the marks say, a list for each layer that says anything."""
    layers = []
    for layer in ElementTree.fromstring(figures.svg(made, figure)).iter(f"{SVG}g"):
        if "role-mark" in layer.get("class", "").split() and layer.get("aria-hidden") != "true":
            layers.append([str(mark.get("aria-label")) for mark in layer if mark.get("aria-label")])
    return layers


def of(method: str, name: str) -> tuple[Report, Figure]:
    found = method_named(method)
    assert found.example is not None
    made = run(found, *found.example())
    return made, next(figure for figure in made.figures if figure.name == name)


def test_a_mean_says_its_levels_interval_and_n_and_a_single_value_not_whose_it_is() -> None:
    made, figure = of("rm-anova", "means")
    behind, means = said(made, figure)
    row = made.table("cells").lines()[0]
    assert len(means) == len(made.table("cells").rows)
    assert means[0] == (
        f"marker: {row['marker']}; order: {row['order']}; Mean z: {row['mean']:.3f} "
        f"[{row['ci_low']:.3f}, {row['ci_high']:.3f}]; n: {row['n']}"
    )
    observed = made.table("observed").lines()
    assert len(behind) == len(observed)
    assert {words.split("; ")[0] for words in behind} == {f"marker: {line['marker']}" for line in observed}
    units = {str(line["unit"]) for line in observed}
    assert not units & set(re.findall(r"[\w-]+", " ".join(behind)))


def test_an_estimate_says_what_it_is_of_and_its_interval() -> None:
    (differences,) = said(*of("tukey", "differences"))
    assert all(re.fullmatch(r"Comparison: .+; Difference in z: −?\d+\.\d\d\d? \[.+, .+\]", one) for one in differences)


def test_a_random_effect_says_whose_it_is_and_a_point_beside_its_band_how_wide_that_is() -> None:
    made, figure = of("glmm", "random-effects")
    layers = said(made, figure)
    assert sum(map(len, layers)) == len(made.table("units").rows)
    assert re.fullmatch(r"Level: P\d+; \(Intercept\) by participant; Deviation: −?[\d.]+ \[.+, .+\]", layers[0][0])
    (bins,) = said(*of("glmm", "calibration"))
    assert re.fullmatch(r"Predicted probability: \.\d+; Observed share: \.\d+ \[\.\d+, \.\d+\]; n: \d+", bins[0])


def test_bars_of_counts_say_from_where_to_where() -> None:
    columns = (Column("x", "X"),)
    table = Table.from_rows("t", "T", columns, [{"x": value} for value in (0.0, 0.1, 0.9, 1.0)])
    figure = Figure(name="f", title="F", kind="histogram", table="t", encoding={"x": "x"}, bins=2, x_label="Rating")
    made = Report(method="m", params={}, tables=(table,), figures=(figure,))
    assert said(made, figure) == [["Rating: 0.00 to 0.50; Values: 2", "Rating: 0.50 to 1.00; Values: 2"]]


def test_fields_of_many_points_say_how_many_and_the_legend_has_steps() -> None:
    rows: list[dict[str, object]] = [
        {"condition": "a", "order": "x", "mean.value": (i * i) % 101, "size": i % 83} for i in range(5000)
    ]
    made, figure = report("points", rows, encoding={"x": "size", "y": "mean.value"}, x_label="Size", y_label="Mean")
    (fields,) = said(made, figure)
    counts = [int(one.rsplit(" ", 1)[1]) for one in fields]
    assert sum(counts) == 5000
    assert fields[0].startswith("Size: ")
    names = [name for name, _end in steps_of(max(counts))]
    legend = figures.svg(made, figure)
    assert all(f'aria-label="{name}"' in legend for name in names)


@pytest.mark.parametrize("most", [1, 2, 3, 5, 7, 40, 1000])
def test_steps_hold_every_count_once(most: int) -> None:
    steps = steps_of(most)
    assert steps[-1][1] == most
    ends = [end for _name, end in steps]
    assert ends == sorted(set(ends))
    assert steps[0][0].split("–")[0] == "1"
    for (_, before), (name, end) in itertools.pairwise(steps):
        assert name == (f"{before + 1}–{end}" if before + 1 < end else str(end))


def test_what_has_words_beside_it_is_silent() -> None:
    for kind in ("interaction", "bars", "lines", "intervals"):
        layers = said(*report(kind, reference=0.25, ordered=True))
        assert len(layers) == 1, kind


def test_a_picture_has_a_name() -> None:
    made, figure = report("bars", caption='Bars of "means".')
    root = ElementTree.fromstring(figures.svg(made, figure))
    assert (root.get("role"), root.get("aria-label")) == (
        "graphics-document document",
        'A title. Bars of "means".',
    )


def test_values_of_words_lie_along_the_other_axis() -> None:
    made, figure = of("bayes-factor", "evidence")
    (points,) = said(made, figure)
    assert len(points) == len(made.table("t").rows)
    assert all(one.startswith("Contrast: ") for one in points)


def test_a_value_that_is_not_there_is_not_said() -> None:
    rows: list[dict[str, object]] = [{"condition": "a", "order": "x", "mean.value": 1.5}]
    assert said(*report("interaction", rows)) == [["Condition: a; order: x; Mean: 1.50"]]
