"""Rows counted twice, levels called NA and simulated rows are said by every registered method."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.declarations import Method
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.people import ONLY_SIMULATED

pytestmark = pytest.mark.slow

READING = [
    method for method in registry.analyses().values() if "keep" in {parameter.name for parameter in method.parameters}
]
# The parameters of their examples name columns of numbers only.
WITHOUT_NAMES = {"correlation"}
named = pytest.mark.parametrize("method", READING, ids=lambda method: method.slug)


def example(method: Method) -> tuple[pd.DataFrame, dict[str, Any]]:
    assert method.example is not None
    frame, parameters = method.example()
    return frame.astype("str"), parameters


@cache
def report_of(slug: str) -> Report:
    method = registry.method_named(slug)
    return registry.run(method, *example(method))


@named
def test_the_example_itself_has_no_row_twice(method: Method) -> None:
    assert not [said for said in report_of(method.slug).warnings if "pasted twice" in said]


@named
def test_an_export_that_was_pasted_twice_is_warned_of(method: Method) -> None:
    frame, parameters = example(method)
    twice = pd.concat([frame, frame], ignore_index=True)
    if method.slug == "agreement":
        with pytest.raises(BadInput, match=r"more than once .* or remove the repetition"):
            registry.run(method, twice, parameters)
        return
    report = registry.run(method, twice, parameters)
    said = [warning for warning in report.warnings if "pasted twice" in warning]
    assert len(said) == 1
    assert f"{len(frame):,} rows are exact copies" in said[0]


@named
def test_simulated_rows_are_labelled(method: Method) -> None:
    frame, parameters = example(method)
    assert ONLY_SIMULATED in registry.run(method, frame.assign(simulated="true"), parameters).warnings


def columns_of_names(method: Method, frame: pd.DataFrame, parameters: dict[str, Any]) -> list[str]:
    """Return the columns of names (factors, units) that the example's parameters use, with three levels or more."""
    given = registry.read_parameters(method, parameters, frame)
    asked: list[str] = []
    for parameter in method.parameters:
        value = given[parameter.name]
        if parameter.kind in ("column", "columns") and value:
            asked += as_names(value)
    formula = str(given.get("formula") or given.get("blocks") or "")
    asked += [name for name in frame.columns if re.search(rf"\b{re.escape(str(name))}\b", formula)]
    return [
        name
        for name in dict.fromkeys(asked)
        if not pd.to_numeric(frame[name], errors="coerce").notna().any() and len(frame[name].unique()) > 1
    ]


@named
def test_a_level_called_na_is_said_with_what_to_do(method: Method) -> None:
    frame, parameters = example(method)
    columns = columns_of_names(method, frame, parameters)
    assert bool(columns) == (method.slug not in WITHOUT_NAMES)
    for column in columns:
        level = sorted(frame[column].unique())[-1]
        spoilt = frame.assign(**{column: frame[column].replace({level: "NA"})})
        try:
            said = list(registry.run(method, spoilt, parameters).warnings)
        except BadInput as refusal:
            said = [str(refusal)]
        told = [text for text in said if "'NA'" in text and f"'{column}'" in text and "call it otherwise" in text]
        assert told, (column, said)


def test_every_method_reads_its_rows_at_the_shared_place() -> None:
    assert len(READING) == len(registry.analyses()), "a method without `keep` does not take its rows from rows.select"
