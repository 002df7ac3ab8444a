"""Read counts and times as the outcome of a model."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.generalised.outcomes.answers import Outcome
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import numbers, required, row_number
from analysis.methods.wording import counted

# Every count up to the largest is visited once per step of the search.
LARGEST_COUNT = 1_000_000


def counts(frame: pd.DataFrame, column: str, *, exposure: str | None = None) -> Outcome:
    """Read whole numbers from 0 on, with the `exposure` of each: how long or how much was counted.

    The exposure is in `trials` of what is returned.

    Raises BadInput for other numbers, and for an exposure that is not positive.

    >>> counts(pd.DataFrame({"fixations": ["3", "", "0"]}), "fixations").values.tolist()
    [3.0, nan, 0.0]
    """
    values = np.array(numbers(frame, required(frame, column, role="outcome")), dtype=np.float64)
    known = ~np.isnan(values)
    _refuse(
        frame, values < 0, column, "is negative", "A count is a whole number from 0 on; correct or empty that cell."
    )
    _refuse(
        frame,
        known & (values != np.round(values)),
        column,
        "is no whole number",
        "Poisson and negative binomial models are for counts. Analyse times with family=gamma or lmm; of a rate give "
        "the count, and as exposure=… what it is counted in.",
    )
    _refuse(frame, values > LARGEST_COUNT, column, "is very large", "Analyse numbers as large as this with lmm.")
    size = None
    if exposure:
        size = np.array(numbers(frame, exposure), dtype=np.float64)
        _refuse(
            frame,
            known & (size <= 0),
            exposure,
            "is not positive",
            "The exposure is how long or how much was counted; leave out rows in which nothing could be counted "
            f"(where={exposure}>0).",
        )
        values[np.isnan(size)] = np.nan
    return Outcome(values, size, ())


def times(frame: pd.DataFrame, column: str) -> Outcome:
    """Read positive numbers.

    Raises BadInput for zeros and negative numbers.

    >>> times(pd.DataFrame({"rt": ["350.5", "410"]}), "rt").values.tolist()
    [350.5, 410.0]
    """
    values = np.array(numbers(frame, required(frame, column, role="outcome")), dtype=np.float64)
    _refuse(
        frame,
        values <= 0,
        column,
        "is not positive",
        f"Gamma and inverse Gaussian models are for times, which are greater than 0. Leave such rows out "
        f"(where={column}>0) where they are no times, such as skipped regions; analyse differences and logarithms with "
        f"lmm.",
    )
    return Outcome(values, None, ())


def _refuse(frame: pd.DataFrame, wrong: npt.NDArray[np.bool_], column: str, what: str, advice: str) -> None:
    places = np.flatnonzero(wrong)
    if not len(places):
        return
    first = int(places[0])
    value: Floats = np.array(numbers(frame, column), dtype=np.float64)[first]
    more = f"; so {'is' if len(places) == 2 else 'are'} {counted(len(places) - 1, 'other')}" if len(places) > 1 else ""
    raise BadInput(f"'{column}' {what} in data row {row_number(frame, first)} ({value:g}){more}. {advice}")
