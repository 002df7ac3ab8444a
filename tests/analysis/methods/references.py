"""Where the reference results of R are: those of our own and of simulated data, and those of data of others."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from analysis.data.analyse_file import read_table
from analysis.methods.report import Report
from tests import needs

OWN = Path(__file__).resolve().parents[2] / "oracles" / "anova"
SIMULATED = OWN.parent / "magnitude_estimation"
TEXTBOOK = needs.SHARED / "oracles" / "d_textbook"

needs_textbook = needs.shared("oracles/d_textbook")


@cache
def own(name: str) -> Any:
    """Return what afex, emmeans and base R computed for one of our own small data sets."""
    return json.loads((OWN / "expected.json").read_text(encoding="utf-8"))[name]


def own_frame(name: str) -> pd.DataFrame:
    """Return one of our own small data sets as `manage.py analyse` reads it."""
    return read_table(OWN / f"{name}.csv")


@cache
def simulated() -> Any:
    """Return what R computed for a simulated magnitude estimation study."""
    return json.loads(lzma.decompress((SIMULATED / "expected.json.xz").read_bytes()))


@cache
def simulated_frame(name: str) -> pd.DataFrame:
    """Return the `trials` or `scores` of this study as `manage.py analyse` reads them."""
    with TemporaryDirectory() as folder:
        unpacked = Path(folder) / f"{name}.csv"
        unpacked.write_bytes(lzma.decompress((SIMULATED / f"{name}.csv.xz").read_bytes()))
        return read_table(unpacked)


@cache
def textbook() -> Any:
    """Return what R computed for data of textbooks and packages, which are not part of the repository."""
    return json.loads((TEXTBOOK / "expected.json").read_text(encoding="utf-8"))


@cache
def textbook_frame(name: str) -> pd.DataFrame:
    """Return one of these data sets as `manage.py analyse` reads it."""
    return read_table(TEXTBOOK / f"{name}.csv")


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
