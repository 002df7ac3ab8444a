"""One page, three depths: the sentences with one table and one figure, the rest folded, rows of data as pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.exports.report_page import sections_of
from analysis.methods import registry
from analysis.methods.report import Column, Report, Table
from analysis.reports.essentials import COLUMNS, FIRST, ROWS_SHOWN
from analysis.reports.shown_tables import PAPER, WIDEST

pytestmark = pytest.mark.slow

METHODS = [slug for slug in registry.slugs() if registry.method_named(slug).example is not None]


def example_report(slug: str) -> Report:
    method = registry.method_named(slug)
    assert method.example is not None
    frame, given = method.example()
    return registry.run(method, frame, given)


@pytest.mark.parametrize("slug", METHODS)
def test_every_method_begins_with_one_table_and_no_table_is_wider_than_a_sheet(slug: str) -> None:
    report = example_report(slug)
    sections = sections_of(report)
    assert len(sections) == len(report.tables)
    assert not sections[0].is_listing
    assert len(sections[0].figures) == min(1, len(report.figures))
    for section in sections:
        printed = section.table.excerpt.columns
        assert len(printed) == 1 or sum(column.width for column in printed) <= PAPER
        assert len(printed) <= WIDEST
    drawn = [figure.name for section in sections for figure in (*section.figures, *section.further_figures)]
    assert sorted(drawn) == sorted(figure.name for figure in report.figures)


def test_what_is_named_as_essential_exists() -> None:
    made = {slug: example_report(slug) for slug in {*FIRST, *(slug for slug, _table in COLUMNS)}}
    for slug, names in FIRST.items():
        assert {table.name for table in made[slug].tables} & set(names), slug
    others = {
        "glmm": [*map(of_family, ("poisson", "gamma")), of_two_outcomes()],
        "lmm": [registry.run(registry.method_named("lmm"), *of_logarithms())],
    }
    for (slug, name), columns in COLUMNS.items():
        reports = (made[slug], *others.get(slug, ()))
        tables = [table for report in reports for table in report.tables if table.name == name]
        assert tables, (slug, name)
        assert set(columns) <= {column.name for table in tables for column in table.columns}, (slug, name)


def example_of(slug: str) -> tuple[pd.DataFrame, dict[str, str]]:
    example = registry.method_named(slug).example
    assert example is not None
    return example()


def of_two_outcomes() -> Report:
    frame, given = example_of("glmm")
    frame = frame.assign(other=frame["correct"].shift(1).fillna(frame["correct"].iloc[-1]))
    return registry.run(registry.method_named("glmm"), frame, {**given, "outcome": "correct,other"})


def of_logarithms() -> tuple[pd.DataFrame, dict[str, str]]:
    """Return what makes a report of `lmm` whose means are geometric ones."""
    frame, given = example_of("lmm")
    return frame.assign(rt=np.exp(frame["z"])), {**given, "formula": given["formula"].replace("z ~", "log(rt) ~")}


def of_family(family: str) -> Report:
    """Return a report of `glmm` whose ratios are of counts or times instead of odds."""
    counts = pd.DataFrame({"condition": list("ab") * 6, "n": [1, 3, 2, 5, 1, 4, 2, 2, 3, 6, 1, 3]})
    counts["participant"] = [f"p{number // 4}" for number in counts.index]
    given = {"formula": "n ~ condition + (1 | participant)", "family": family}
    return registry.run(registry.method_named("glmm"), counts, given)


def test_rows_of_data_are_a_picture_of_how_they_lie() -> None:
    rows = tuple((f"p{number}", float(number % 7)) for number in range(ROWS_SHOWN + 1))
    data = Table("scores", "Scores", (Column("participant", "Participant", "text"), Column("score", "Score")), rows)
    result = Table("means", "Means", (Column("mean", "Mean"),), ((3.0,),))
    sections = sections_of(Report(method="any", params={}, tables=(data, result)))
    assert [section.table.name for section in sections] == ["means", "scores"]
    listed = sections[1]
    assert listed.table.rows == ()
    assert [(one.label, one.n, one.least, one.greatest) for one in listed.distributions] == [
        ("Score", 61, "0.00", "6.00")
    ]
