"""Pictures of means show what they are means of, join only levels with an order, and stay in the possible range."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.methods.registry import method_named, run
from analysis.reports.figures import outlined_pdf, specification, svg

MIXED = "(1 | participant) + (1 | item)"


def trials(levels: tuple[object, ...] = ("because", "cause")) -> pd.DataFrame:
    random = np.random.default_rng(3)
    p, i = (place.ravel() for place in np.indices((12, 12)))
    level = (p + i) % len(levels)
    y = random.normal(0, 0.5, 12)[p] + random.normal(0, 0.4, 12)[i] + 0.4 * level + random.normal(0, 1, len(p))
    return pd.DataFrame(
        {
            "participant": [f"P{number:02d}" for number in p],
            "item": [f"I{number:02d}" for number in i],
            "marker": [levels[number] for number in level],
            "y": y,
            "correct": (y > -1.5).astype(int),
        }
    )


def of(method: str, frame: pd.DataFrame, **parameters):
    report = run(method_named(method), frame, parameters)
    return report, next(figure for figure in report.figures if figure.name == "means")


def marks(report, figure) -> list[str]:
    return [layer["mark"]["type"] for layer in specification(report, figure)["layer"]]


@pytest.mark.parametrize(
    ("method", "parameters", "measure"),
    [
        ("lmm", {"formula": f"y ~ marker + {MIXED}"}, "y"),
        ("glmm", {"formula": f"correct ~ marker + {MIXED}"}, "correct"),
        ("rm-anova", {"dv": "y", "within": "marker"}, "y"),
    ],
)
def test_behind_every_mean_stand_the_means_of_the_people(method, parameters, measure):
    frame = trials()
    report, figure = of(method, frame, **parameters)
    observed = report.table(figure.points).frame()
    expected = frame.groupby(["participant", "marker"])[measure].mean()
    found = observed.set_index(["unit", "marker"])["value"]
    pd.testing.assert_series_equal(found.sort_index(), expected.sort_index(), check_names=False)
    drawn = [row["value"] for row in specification(report, figure)["data"]["values"] if "value" in row]
    assert len(drawn) == 24
    assert svg(report, figure).startswith("<svg")


def test_levels_without_an_order_are_not_joined():
    assert "line" not in marks(*of("lmm", trials(), formula=f"y ~ marker + {MIXED}"))
    assert "line" not in marks(*of("rm-anova", trials(), dv="y", within="marker"))


def test_numbers_and_levels_in_a_given_order_are_joined():
    by_number = of("lmm", trials((1, 2, 3)), formula=f"y ~ marker + {MIXED}", categorical="marker")
    declared = of("lmm", trials(), formula=f"y ~ marker + {MIXED}", levels="marker=cause,because")
    assert "line" in marks(*by_number)
    assert "line" in marks(*declared)


def test_intervals_of_shares_stay_between_none_and_all():
    frame = trials()
    frame["correct"] = (frame["participant"] != "P00") | (frame["item"] > "I03")
    frame["correct"] = frame["correct"].astype(int) - ((frame["participant"] == "P00") & (frame["item"] == "I05"))
    cells = of("rm-anova", frame, dv="correct", within="marker", intervals="between")[0].table("cells").frame()
    assert cells["ci_high"].max() == 1.0
    assert (cells["ci_low"] < cells["mean"]).all()


def test_intervals_of_other_measures_are_left_as_they_are():
    frame = trials().assign(y=lambda d: d["y"] / 1000 + 0.9995)
    cells = of("rm-anova", frame, dv="y", within="marker", intervals="between")[0].table("cells").frame()
    assert cells["ci_high"].max() > 1.0


def test_a_report_from_before_is_drawn_without_points():
    report, figure = of("lmm", trials(), formula=f"y ~ marker + {MIXED}")
    stored = {name: value for name, value in report.as_dict()["figures"][0].items() if name not in ("points", "file")}
    assert "value" not in str(specification(report, type(figure)(**stored))["data"]["values"][0])


def test_the_picture_of_a_paper_has_the_same_bytes_each_time():
    report, figure = of("lmm", trials(), formula=f"y ~ marker + {MIXED}")
    assert len({outlined_pdf(svg(report, figure)) for _ in range(4)}) == 1


def test_behind_the_means_of_regions_stand_the_means_of_the_people_in_each():
    frame = pd.concat([(one := trials()).assign(region=number, y=one["y"] + number) for number in (1, 2)])
    report = run(method_named("regions"), frame, {"formula": f"y ~ marker + {MIXED}", "region": "region"})
    figure = report.figures[0]
    found = report.table(figure.points).frame().set_index(["region", "unit", "marker"])["value"]
    expected = frame.assign(region=frame["region"].astype(str)).groupby(["region", "participant", "marker"])["y"].mean()
    pd.testing.assert_series_equal(found.sort_index(), expected.sort_index(), check_names=False)
    drawn = [row["value"] for row in specification(report, figure)["data"]["values"] if row.get("value") is not None]
    assert len(drawn) == 48
    assert "one participant in one region" in figure.caption


def test_behind_mean_sensitivity_stands_that_of_every_participant():
    frame = trials().assign(signal=lambda d: (d["item"] > "I05").astype(int))
    frame["answer"] = np.where(frame["y"] > 0, frame["signal"], 1 - frame["signal"])
    parameters = {"response": "answer", "target": "signal", "signal": "1", "within": "marker"}
    report, figure = of("signal-detection", frame, **parameters)
    assert report.as_dict()["figures"][0]["points_value"] == "d_prime"
    table = report.table("sensitivity").frame()
    drawn = [row["value"] for row in specification(report, figure)["data"]["values"] if row.get("value") is not None]
    assert sorted(drawn) == sorted(table["d_prime"])
    assert svg(report, figure).startswith("<svg")
