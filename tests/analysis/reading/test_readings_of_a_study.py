"""Visits as a study exports them: crossings, fillers, trials by position, and the scan paths that are drawn."""

import pandas as pd
import pytest

from analysis.methods.reading.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.reports import figures

HEADER = ["participant", "position", "item", "condition", "is_filler", "aoi", "enter_ms", "leave_ms", "words", "shown"]


def exported(rows):
    return pd.DataFrame(rows, columns=HEADER).astype(str)


VISITS = exported(
    [
        ("P1", 4, "a", "gold", "false", 1, 100, 600, 5, "true"),
        ("P1", 4, "a", "gold", "false", 2, 600, 605, 5, "false"),
        ("P1", 4, "a", "gold", "false", 3, 605, 1105, 5, "true"),
        ("P1", 4, "a", "gold", "false", 2, 1105, 1605, 5, "true"),
        ("P1", 5, "f", "", "true", 1, 0, 300, 4, "true"),
        ("P1", 5, "f", "", "true", 2, "", "", 4, "false"),
        ("P2", 4, "a", "sem", "false", 1, 50, 450, 6, "true"),
        ("P2", 4, "a", "sem", "false", 2, 450, 850, 6, "true"),
        ("P2", 4, "a", "sem", "false", 3, 850, 1250, 6, "true"),
    ]
)


def report(frame=VISITS, **parameters):
    return run(METHOD, frame, parameters)


def test_a_crossing_is_no_visit_and_is_counted():
    found = report()
    text = found.table("text").frame()
    assert text["transitions"].tolist() == [2, 2]
    assert text["regressions"].tolist() == [1, 0]
    assert any("1 crossing during which the AOI never became clear left out" in note for note in found.notes)
    counted = report(VISITS.drop(columns="shown"))
    assert counted.table("text").frame()["transitions"].tolist() == [3, 2]


def test_fillers_become_a_condition_where_they_are_kept():
    assert report().table("text").frame()["condition"].tolist() == ["gold", "sem"]
    kept = report(keep="fillers")
    assert kept.table("text").frame()["condition"].tolist() == ["gold", "filler", "sem"]
    assert set(kept.table("conditions").frame()["condition"]) == {"filler", "gold", "sem"}
    filler = kept.table("aoi").frame().query("condition == 'filler'")
    assert filler["visited"].tolist() == [1, 0]


def test_the_position_of_the_trial_tells_readings_apart_as_a_trial_would():
    assert report().table("text").rows == report(trial="position").table("text").rows


def test_scan_paths_are_those_of_the_first_reading_of_every_condition_in_seconds_since_the_first_entry():
    paths = report(keep="fillers", paths=2).table("paths").frame()
    assert paths["reading"].unique().tolist() == ["P1 f filler", "P1 a gold"]
    gold = paths[paths["reading"] == "P1 a gold"]
    assert gold[["aoi", "enter_s", "leave_s"]].to_numpy().tolist() == [
        ["1", 0.0, 0.5],
        ["3", 0.505, 1.005],
        ["2", 1.005, 1.505],
    ]


def test_scan_paths_are_drawn_the_same_every_time():
    found = report(keep="fillers")
    figure = next(figure for figure in found.figures if figure.name == "paths")
    assert figures.svg(found, figure) == figures.svg(found, figure)
    assert "Time (s)" in figures.svg(found, figure)


def test_without_scan_paths_there_is_no_table_and_no_figure():
    found = report(paths=0)
    assert "paths" not in {table.name for table in found.tables}
    assert [figure.name for figure in found.figures] == ["dwell"]
    with pytest.raises(BadInput, match="0 or more"):
        report(paths=-1)
