"""Rows of published papers that lost a column, an order or a digit on a page or in a paper, each by its number."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from analysis.exports.report_page import sections_of
from analysis.methods import registry
from analysis.methods.report import Column, Report, Table
from analysis.models import AnalysisRun
from analysis.papers.blocks import Tabular
from analysis.papers.collected import Told
from analysis.papers.data_sheet.texts import _inputs
from analysis.papers.design import settings_rows
from analysis.papers.results import printed_table
from analysis.reports.labelled import labelled
from analysis.reports.labels import Labels
from analysis.reports.shown_tables import shown_table
from tests.analysis.papers.test_every_method_as_a_paper import heads_of, told
from tests.analysis.studies import make_study


def table_in_paper(report: Report, name: str) -> Tabular:
    run = AnalysisRun(pk=1, method=report.method, table="trials")
    return printed_table([Told(run, report, report.method)], name)


def made(slug: str, frame: pd.DataFrame, **given: object) -> Report:
    return registry.run(registry.method_named(slug), frame, given)


def test_row_8_the_table_of_minf_has_minf():
    one = told("min-f")
    assert "minF′" in heads_of(printed_table([one], "minf"))
    assert "minF′" in [column.label for column in sections_of(one.report)[0].table.excerpt.columns]


def test_row_12_means_of_markers_are_sorted_by_mean():
    means = {"because": 3, "cause": 5, "since": 1, "so": 4}
    rows = [
        (f"p{person}", marker, mean + noise)
        for person, noise in enumerate((0.0, 0.5, 0.2))
        for marker, mean in means.items()
    ]
    frame = pd.DataFrame(rows, columns=["participant", "marker", "rating"])
    report = made("normalise", frame, dv="rating", compare="marker")
    order = ["cause", "so", "because", "since"]
    assert [row[0] for row in labelled(report, Labels()).table("rankings").rows] == order
    assert [row[0] for row in table_in_paper(report, "rankings").rows] == order


def test_row_31_the_codes_by_type_have_every_code_the_score_and_its_sd():
    heads = heads_of(printed_table([told("incidence")], "incidence"))
    assert {f"Code {code}" for code in range(7)} <= set(heads)
    one = told("incidence").report.table("incidence")
    assert {column.label for column in one.columns if column.name in ("score", "score_sd")} <= set(heads)


@pytest.mark.parametrize("conditions", [["gold", "lin", "sem"], ["a", "b", "c", "d", "e"]])
def test_row_45_every_condition_keeps_its_sd(conditions):
    rows = [
        (f"p{person}", condition, person + place * 0.5, (person + place) / 1000)
        for person in range(4)
        for place, condition in enumerate(conditions)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "condition", "time", "speed"])
    report = made("condition-means", frame, measures="time,speed", condition="condition")
    heads = heads_of(table_in_paper(report, "means"))
    assert {f"{condition}: SD" for condition in conditions} <= set(heads)


def test_row_45_the_sets_of_predictors_have_coefficients_and_nagelkerke():
    example = registry.method_named("logistic").example
    assert example is not None
    frame, given = example()
    first, *others = [part.strip() for block in str(given["blocks"]).split("|") for part in block.split(",")]
    asked = {name: value for name, value in given.items() if name != "blocks"}
    report = made("logistic", frame, **{**asked, "sets": f"One = {first}; All = {', '.join([first, *others])}"})
    heads = heads_of(table_in_paper(report, "ladder"))
    assert "Nagelkerke R²" in heads
    assert any(head.startswith("Coefficients") for head in heads)
    table = shown_table(report.table("ladder"), limit=9, key=("nagelkerke", "n_coefficients"))
    assert {"nagelkerke", "n_coefficients"} <= {column.name for column in table.excerpt.columns}


def test_a_speed_of_some_thousandths_keeps_three_digits():
    frame = pd.DataFrame(
        {"participant": ["p1", "p2"] * 2, "condition": ["a", "a", "b", "b"], "speed": [2e-3, 3e-3, 4e-3, 5e-3]}
    )
    report = made("condition-means", frame, measures="speed", condition="condition")
    assert "0.00250" in table_in_paper(report, "means").rows[0]


def test_fillers_come_after_what_is_compared():
    rows = [
        ("p1", "filler", 1.0),
        ("p1", "lin", 2.0),
        ("p1", "gold", 3.0),
        ("p2", "filler", 1.5),
        ("p2", "lin", 2.5),
        ("p2", "gold", 2.0),
    ]
    frame = pd.DataFrame(rows, columns=["participant", "condition", "time"])
    report = made("condition-means", frame, measures="time", condition="condition")
    shown = labelled(report, Labels.of({"version": ["gold", "lin"]}, {}))
    levels = [column.label.partition(": ")[0] for column in shown.table("means").columns[1:]]
    assert list(dict.fromkeys(levels)) == ["gold", "lin", "filler"]
    assert [row[1] for row in shown.table("long").rows] == ["gold", "lin", "filler"]


@pytest.mark.parametrize(("slug", "name"), [("metric-vs-human", "correlations"), ("ranking", "accuracy")])
def test_systems_and_what_joins_all_features_come_first(slug, name):
    method = registry.method_named(slug)
    declared = next(table for table in method.tables if table.name == name)
    columns = ("features", "level", "accuracy")
    rows = [("length", "input", 0.6), ("meta", "input", 0.8), ("length", "system", 0.7), ("meta", "system", 0.9)]
    frame = pd.DataFrame(rows, columns=columns)
    table = Table.from_frame(name, "T", [Column("features", "F", "text"), Column("level", "L", "text")], frame)
    assert any("system" in entry for entry in declared.order)
    shown = labelled(Report(method=slug, tables=(table,)), Labels()).table(name).rows
    assert shown[0][1] == "system"
    if slug == "ranking":
        assert shown[0] == ("meta", "system")


def test_the_data_sheet_names_sources_as_input_and_cuts_between_words():
    item = SimpleNamespace(attributes={"source": "word " * 80})
    own: list[Any] = [SimpleNamespace(item_id=1, item=item, extra={"context": "Shown above."})]
    task = SimpleNamespace(task=SimpleNamespace(name="rate"))
    facts: Any = SimpleNamespace(tasks=(task,), titled=lambda task, text: text, setup="set-up")
    answer = _inputs(facts, {"rate": own})
    assert "a source, from which the texts were made, 80.0 words on average" in answer.text
    assert "word …”" in answer.text
    assert "a context, 2.0 words on average, such as “Shown above.”" in answer.text


@pytest.mark.django_db
def test_settings_are_words_and_say_nothing_of_sound_in_a_study_without():
    said = dict(settings_rows(make_study()))
    assert said
    assert not [label for label in said if "ound" in label or "eadphones" in label]
    assert not [value for value in said.values() if "kind:" in value or "name:" in value]
