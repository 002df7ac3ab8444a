"""Numbers and codes in text cells mean the same whichever way they are read."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import booleans, coded, codes, levels, numbers, repeated, required
from analysis.methods.rows.selection import matching

pytestmark = pytest.mark.slow


def text(*cells: str) -> pd.DataFrame:
    return pd.DataFrame({"z": list(cells)}, dtype="str")


def objects(*cells: object) -> pd.DataFrame:
    return pd.DataFrame({"z": list(cells)}, dtype=object)


def test_plain_numbers_are_read_to_the_last_bit_as_pandas_reads_them() -> None:
    random = np.random.default_rng(3)
    cells = [f"{value:.{places}f}"[:15] for value, places in zip(*drawn(random), strict=True)]
    expected = pd.to_numeric(pd.Series(cells, dtype=object)).astype("float64")
    assert numbers(text(*cells), "z").to_numpy().tobytes() == expected.to_numpy().tobytes()


def drawn(random: np.random.Generator) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    return random.normal(size=5000) * 10.0 ** random.integers(-6, 9, 5000), random.integers(1, 12, 5000)


@pytest.mark.parametrize(
    "cells",
    [
        ("1", "", "2.5"),
        ("-0", "0", "7"),
        ("-0.0", "0.5"),
        (" 1", "2 ", "3"),
        ("1e3", "2E-2"),
        ("NA", "1", "nan"),
        ("0.1234567890123456789", "1"),
        ("123456789012345678901", "1"),
        ("+1", "2"),
        (".5", "5."),
    ],
)
def test_text_and_objects_give_the_same_numbers(cells: tuple[str, ...]) -> None:
    assert numbers(text(*cells), "z").to_numpy().tobytes() == numbers(objects(*cells), "z").to_numpy().tobytes()


@pytest.mark.parametrize("cell", ["1_0", "١", "1-2", "-", ".", "1.2.3", "1,5", "many"])
def test_what_is_no_number_is_refused_however_it_stands_in_the_frame(cell: str) -> None:
    for frame in (text("1", cell), objects("1", cell)):
        with pytest.raises(BadInput, match="data row 2"):
            numbers(frame, "z")


@pytest.mark.parametrize(("size", "words"), [("1e61", "too large"), ("1e-61", "only numbers too small")])
def test_numbers_whose_squares_cannot_be_computed_with_are_refused(size: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        numbers(text(size, "0", ""), "z")
    assert numbers(text("1e-61", "1", "0"), "z").tolist() == [1e-61, 1.0, 0.0]
    assert numbers(text("0", ""), "z").tolist()[0] == 0.0


def test_a_column_called_as_its_parameter_is_found_without_being_named() -> None:
    assert required(pd.DataFrame(columns=["enter", "enter_ms"]), None, role="enter") == "enter"
    with pytest.raises(BadInput, match="There is no column 'enter' in the data"):
        required(pd.DataFrame(columns=["begin"]), None, role="enter")


def test_codes_that_r_and_pandas_write_for_missing_cells_are_missing() -> None:
    frame = text("NA", "none", "NaN", "", "Na")
    assert coded(frame, "z").levels == ("Na", "none")
    assert codes(frame, "z").tolist() == [None, "none", None, None, "Na"]
    marks = booleans(text("TRUE", "NA", "FALSE"), "z")
    assert marks is not None
    assert marks.tolist() == [True, False, False]
    assert matching(frame, "z=NA").tolist() == matching(frame, "z=''").tolist() == [True, False, True, True, False]


def test_a_missing_cell_of_text_has_no_number() -> None:
    frame = pd.DataFrame({"z": pd.Series(["1", None], dtype="str")})
    assert np.isnan(numbers(frame, "z").iloc[1])


def test_codes_of_the_same_number_always_stand_in_the_same_order() -> None:
    program = (
        "import pandas as pd; from analysis.methods.rows.columns import levels; "
        "print(levels(pd.DataFrame({'z': ['1.0', '01', '1', '001', 'nan', 'inf', '2']}), 'z'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert found == {"('001', '01', '1', '1.0', '2', 'inf', 'nan')\n"}


def test_a_raised_digit_in_a_code_is_no_number() -> None:
    assert levels(text("m²", "²", "m10", "m9"), "z") == ("m9", "m10", "m²", "²")


def test_rows_are_repeated_where_their_codes_are_the_same_whatever_is_around_them() -> None:
    frame = pd.DataFrame({"a": ["x", " x", "", "", "y"], "b": ["1", "1", "2", "2", "1"]})
    assert repeated(frame, ["a", "b"]).tolist() == [True, True, False, False, False]


def test_text_and_categories_have_the_same_positions() -> None:
    frame = text("b", "a", "", "b")
    assert coded(frame, "z").positions.tolist() == coded(frame.astype(object), "z").positions.tolist() == [1, 0, -1, 1]


def test_a_normalisation_without_any_participant_is_refused() -> None:
    frame = pd.DataFrame({"participant": ["", ""], "z": ["1", "2"]})
    with pytest.raises(BadInput, match="No row says to which participant it belongs"):
        registry.run(registry.method_named("normalise"), frame, {"dv": "z"})


@pytest.mark.parametrize("slug", ["glmm", "ordinal"])
def test_an_outcome_that_the_data_lack_is_named(slug: str) -> None:
    method = registry.method_named(slug)
    assert method.example is not None
    frame, given = method.example()
    outcome = str(given["formula"]).partition("~")[0].strip()
    with pytest.raises(BadInput, match=f"no column '{outcome}'"):
        registry.run(method, frame.drop(columns=outcome), given)
