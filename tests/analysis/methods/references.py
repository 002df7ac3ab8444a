"""Where the reference results of R are: our own (in the repository) and the shared ones (beside the checkout)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.data.analyse_file import read_table
from analysis.methods.report import Report

OWN = Path(__file__).resolve().parents[2] / "oracles" / "anova"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "oracles"

needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared oracles are not beside this checkout")


@cache
def own(name: str) -> Any:
    """Return what afex, emmeans and base R computed for one of our own small data sets."""
    return json.loads((OWN / "expected.json").read_text(encoding="utf-8"))[name]


def own_frame(name: str) -> pd.DataFrame:
    """Return one of our own small data sets as `manage.py analyse` reads it."""
    return read_table(OWN / f"{name}.csv")


@cache
def shared(folder: str) -> Any:
    """Return the shared reference results of one folder."""
    return json.loads((SHARED / folder / "expected.json").read_text(encoding="utf-8"))


@cache
def shared_frame(folder: str, name: str) -> pd.DataFrame:
    """Return a shared data set as `manage.py analyse` reads it."""
    return read_table(SHARED / folder / f"{name}.csv")


def lines(report: Report, table: str, *, key: str = "effect") -> dict[Any, dict[str, Any]]:
    """Return a table as one mapping per row, by the value of one column."""
    found = report.table(table)
    names = [column.name for column in found.columns]
    rows = [dict(zip(names, row, strict=True)) for row in found.rows]
    return {row[key]: row for row in rows}


def comparison(rows: list[dict[str, Any]], a: str, b: str, *, by: str = "") -> dict[str, Any]:
    """Return the comparison of a and b, turned round where the table has it the other way."""
    for row in rows:
        if row["by"] == by and (row["a"], row["b"]) == (a, b):
            return row
        if row["by"] == by and (row["a"], row["b"]) == (b, a):
            return row | {"diff": -row["diff"], "ci_low": -row["ci_high"], "ci_high": -row["ci_low"]}
    raise AssertionError(f"no comparison of {a} and {b} in {by or 'all'}")


def rows_of(report: Report, table: str) -> list[dict[str, Any]]:
    """Return a table as one mapping per row."""
    found = report.table(table)
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]
