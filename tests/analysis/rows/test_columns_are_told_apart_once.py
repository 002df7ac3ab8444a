"""While a method runs, a column is told apart once, and what is remembered of it is never of other cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.data import decimal_commas
from analysis.methods import registry
from analysis.methods.rows import factors
from analysis.methods.rows.columns import coded, codes, numbers, repeated
from benchmarks.needs import Need
from tests import needs

pytestmark = needs.mark(Need("pandas 3", "pip install 'pandas>=3'", lambda: factors.COPIES_ON_WRITE))


@pytest.mark.parametrize("method", ["rm-anova", "correlation", "normalise", "condition-means", "incidence"])
def test_a_column_is_told_apart_once_however_many_checks_ask(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int]] = []
    original = factors._told_apart

    def counted(values: pd.Series) -> factors.Factor:
        told.append((str(values.name), len(values)))
        return original(values)

    monkeypatch.setattr(factors, "_told_apart", counted)
    declared = registry.method_named(method)
    assert declared.example is not None
    frame, given = declared.example()
    registry.run(declared, frame.astype("str"), given)
    assert told
    assert sorted(told) == sorted(set(told))


def test_a_column_that_is_changed_in_place_is_read_anew() -> None:
    frame = pd.DataFrame({"item": ["a", "b", "a"], "rating": ["1", "2", "1"]}, dtype="str")
    with factors.read_once():
        assert codes(frame, "item").tolist() == ["a", "b", "a"]
        assert numbers(frame, "rating").tolist() == [1.0, 2.0, 1.0]
        frame.loc[0, "item"] = "c"
        frame["rating"] = ["5", "6", "7"]
        assert codes(frame, "item").tolist() == ["c", "b", "a"]
        assert numbers(frame, "rating").tolist() == [5.0, 6.0, 7.0]


def test_a_column_of_numbers_that_is_changed_in_place_is_read_anew() -> None:
    frame = pd.DataFrame({"block": [1, 2, 1], "z": [0.5, np.nan, 2.0]})
    with factors.read_once():
        assert coded(frame, "block").positions.tolist() == [0, 1, 0]
        frame.iloc[2, 0] = 3
        assert coded(frame, "block").levels == ("1", "2", "3")
        assert codes(frame, "z").tolist() == ["0.5", None, "2"]


def test_parts_of_a_frame_are_columns_of_their_own() -> None:
    frame = pd.DataFrame({"item": ["a", "b", "c", "b"]}, dtype="str")
    with factors.read_once():
        assert coded(frame, "item").levels == ("a", "b", "c")
        assert coded(frame.iloc[1:], "item").levels == ("b", "c")
        assert coded(frame.iloc[:2], "item").positions.tolist() == [0, 1]
        assert coded(frame.iloc[::2], "item").levels == ("a", "c")


def test_so_many_columns_are_remembered_and_no_more() -> None:
    with factors.read_once():
        for number in range(3 * factors.MOST_KEPT):
            frame = pd.DataFrame({"item": [f"{number}", "x"]}, dtype="str")
            assert codes(frame, "item").tolist() == [f"{number}", "x"]
        kept = factors._kept.get()
        assert kept is not None
        assert len(kept) == factors.MOST_KEPT
    assert factors._kept.get() is None


def test_what_is_remembered_cannot_be_written_to() -> None:
    frame = pd.DataFrame({"item": ["a", "b"]}, dtype="str")
    with factors.read_once(), pytest.raises(ValueError, match="read-only"):
        coded(frame, "item").positions[0] = 1


@pytest.mark.parametrize("levels", [3, 3000])
def test_rows_that_repeat_are_found_whether_they_are_counted_or_looked_up(levels: int) -> None:
    random = np.random.default_rng(33)
    frame = pd.DataFrame({name: random.integers(0, levels, 400).astype(str) for name in "abc"}, dtype="str")
    frame.loc[::7, "b"] = ""
    frame = pd.concat([frame, frame.iloc[:50]], ignore_index=True)
    expected = frame.duplicated(["a", "b", "c"], keep=False) & (frame["b"] != "")
    assert repeated(frame, ["a", "b", "c"]).tolist() == expected.tolist()


def test_many_columns_of_many_levels_do_not_overflow() -> None:
    frame = pd.DataFrame({f"c{number}": [str(row) for row in range(200)] for number in range(12)}, dtype="str")
    twice = pd.concat([frame, frame.iloc[[5]]], ignore_index=True)
    assert np.flatnonzero(repeated(twice, list(frame.columns))).tolist() == [5, 200]


def test_decimal_commas_are_sought_among_distinct_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Asked:
        def __init__(self, form) -> None:
            self.form = form

        def fullmatch(self, cell: str):
            asked.append(cell)
            return self.form.fullmatch(cell)

    for name in ("_WITH_COMMA", "_THOUSANDS", "_WITH_POINT", "_SURELY_DECIMAL"):
        monkeypatch.setattr(decimal_commas, name, Asked(getattr(decimal_commas, name)))
    rows = 5_000
    frame = pd.DataFrame({"who": [f"P{row}" for row in range(rows)], "z": ["1,5", "2,25"] * (rows // 2)}, dtype="str")
    read, _ = decimal_commas.with_points(frame)
    assert read["z"].tolist()[:2] == ["1.5", "2.25"]
    assert len(asked) < 4 * (2 + decimal_commas.FIRST)
