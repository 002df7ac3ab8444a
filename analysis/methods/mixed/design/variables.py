"""Read the columns that a formula names, numeric or categorical, on the rows without missing values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, Integers
from analysis.methods.mixed.design.terms import Formula, Variable
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import NO_NUMBER, codes, levels, numbers, row_number
from analysis.methods.rows.read_as import is_amount
from analysis.methods.wording import counted, listed, no_such

_FUNCTIONS: dict[str, Callable[[Floats], Floats]] = {
    "": lambda x: x,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
}
FEW = 8
MOSTLY = 0.5


@dataclass(frozen=True)
class Numeric:
    """A numeric variable: one value per row, and the value at the mean of its column."""

    variable: Variable
    values: Floats
    at_mean: float


@dataclass(frozen=True)
class Categorical:
    """A categorical variable: the position of every row's level in `levels`."""

    variable: Variable
    levels: tuple[str, ...]
    index: Integers


Read = Numeric | Categorical


@dataclass(frozen=True)
class Variables:
    """All variables over the rows that have a value in every one of them.

    `groups` holds the codes of the columns that grouping factors are made of; `rows` are the positions of the rows
    in the frame.
    """

    response: Floats
    predictors: Mapping[Variable, Read]
    groups: Mapping[str, npt.NDArray[np.object_]]
    rows: Integers
    notes: tuple[str, ...]

    def of(self, formula: Formula) -> Variables:
        """Return what a formula with fewer terms has of them, over the same rows."""
        kept = {variable: read for variable, read in self.predictors.items() if variable in formula.predictors}
        return replace(self, predictors=kept)


def read(
    frame: pd.DataFrame,
    formula: Formula,
    *,
    categorical: Collection[str] = (),
    order_of_levels: Mapping[str, Sequence[str]] | None = None,
) -> Variables:
    """Read the variables of a formula from a frame.

    A predictor is numeric where all its cells are numbers, and categorical otherwise, in `factor(x)`, and where
    `categorical` names its column. `order_of_levels` gives the levels of a column in another order than sorted.

    Raises BadInput for columns that do not exist (all together), a measure that is not numeric, a logarithm of zero,
    a factor with one level, or where no row is complete.
    """
    names = [str(name) for name in frame.columns]
    absent = [no_such("column", name, names) for name in formula.columns if name not in names]
    if absent:
        raise BadInput("formula: " + " ".join(absent))
    predictors = formula.predictors
    _check_roles(formula)
    response = _transformed(frame, formula.response)
    as_category = {variable: _is_categorical(frame, variable, categorical) for variable in predictors}
    numeric = {variable: _transformed(frame, variable) for variable in predictors if not as_category[variable]}
    raw = {variable: np.asarray(numbers(frame, variable.column), dtype=np.float64) for variable in numeric}
    coded = {variable: codes(frame, variable.column) for variable in predictors if as_category[variable]}
    groups = {name: codes(frame, name) for name in formula.groupings}

    missing = {formula.response.column: np.isnan(response)}
    missing |= {variable.column: np.isnan(values) for variable, values in numeric.items()}
    missing |= {variable.column: values.isna().to_numpy() for variable, values in coded.items()}
    missing |= {name: values.isna().to_numpy() for name, values in groups.items()}
    complete = ~np.logical_or.reduce(list(missing.values()))
    if not complete.any():
        empty = [name for name, mask in missing.items() if mask.all()]
        which = f"Empty in every row: {listed(empty)}." if empty else "Check which columns of the formula are empty."
        raise BadInput(f"No row has a value in every column of the formula. {which}")
    kept = frame.loc[complete]
    found: dict[Variable, Read] = {
        variable: _numeric(variable, numeric[variable][complete], raw=raw[variable][complete])
        if variable in numeric
        else _categorical(kept, variable, (order_of_levels or {}).get(variable.column))
        for variable in predictors
    }
    for values in found.values():
        if isinstance(values, Numeric) and float(np.ptp(values.values)) == 0:
            raise BadInput(
                f"'{values.variable.column}' has the same value in every row that can be analysed "
                f"({values.values[0]:g}) and can predict nothing; take it out of the formula or check the data."
            )
    return Variables(
        response=_numeric(formula.response, response[complete], raw=response[complete]).values,
        predictors=found,
        groups={name: values[complete].to_numpy(dtype=object) for name, values in groups.items()},
        rows=np.flatnonzero(complete),
        notes=tuple(_notes(missing, complete, found)),
    )


def _check_roles(formula: Formula) -> None:
    if any(variable.column == formula.response.column for variable in formula.predictors):
        raise BadInput(
            f"formula: '{formula.response.column}' is the measure and cannot predict itself; "
            f"take it out of the right-hand side."
        )
    if formula.response.function == "factor":
        raise BadInput("formula: the measure must be numeric; factor() cannot stand left of ~.")


def _is_categorical(frame: pd.DataFrame, variable: Variable, named: Collection[str]) -> bool:
    if variable.function == "factor" or (variable.column in named and not variable.function):
        return True
    if variable.function:
        return False
    values = frame[variable.column]
    if isinstance(values.dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(values):
        return True
    if pd.api.types.is_numeric_dtype(values):
        return False
    distinct = pd.Series(values.unique(), dtype="string").str.strip()
    distinct = distinct[~(distinct.isna() | distinct.str.casefold().isin(NO_NUMBER))]
    numeric = pd.to_numeric(distinct, errors="coerce").notna()
    if numeric.all():
        return False
    if len(distinct) > FEW and float(numeric.mean()) > MOSTLY:
        numbers(frame, variable.column)  # raises, and says in which row there is no number
    return True


def _transformed(frame: pd.DataFrame, variable: Variable) -> Floats:
    values = np.asarray(numbers(frame, variable.column), dtype=np.float64)
    if variable.function in ("scale", "center"):
        return values
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result = values**variable.power if variable.function == "I" else _FUNCTIONS[variable.function](values)
    wrong = ~np.isfinite(result) & ~np.isnan(values)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        rows = counted(int(wrong.sum()), "row")
        raise BadInput(
            f"{variable.text} is not defined for {rows} (the first is data row {row_number(frame, first)}, "
            f"value {values[first]:g}). Leave such rows out, for example with where={variable.column}>0, or analyse "
            f"another measure; nothing was replaced."
        )
    return np.asarray(result, dtype=np.float64)


def _numeric(variable: Variable, values: Floats, *, raw: Floats) -> Numeric:
    """Apply `scale` and `center`, which depend on the rows that are analysed, and find the value at the mean."""
    if variable.function in ("scale", "center"):
        centred = values - values.mean()
        if variable.function == "center":
            return Numeric(variable, centred, 0.0)
        sd = float(values.std(ddof=1)) if len(centred) > 1 else 0.0
        if sd == 0:
            raise BadInput(f"{variable.text} is not defined: '{variable.column}' does not vary.")
        return Numeric(variable, centred / sd, 0.0)
    mean = np.array([raw.mean()])
    with np.errstate(all="ignore"):
        at_mean = mean**variable.power if variable.function == "I" else _FUNCTIONS[variable.function](mean)
    return Numeric(variable, values, float(at_mean[0]))


def _categorical(frame: pd.DataFrame, variable: Variable, wanted: Sequence[str] | None) -> Categorical:
    found = levels(frame, variable.column)
    if wanted is not None:
        unknown = [level for level in wanted if level not in found]
        if unknown:
            raise BadInput(f"levels: {no_such('level', unknown[0], found)} They belong to '{variable.column}'.")
        found = (*wanted, *(level for level in found if level not in wanted))
    if len(found) < 2:
        raise BadInput(
            f"Factor '{variable.column}' has one level only ('{found[0]}') in the rows that can be analysed; "
            f"a factor needs at least two, so take it out of the formula or check the data."
        )
    index = pd.Index(found, dtype=object).get_indexer(pd.Index(codes(frame, variable.column), dtype=object))
    return Categorical(variable, found, np.asarray(index, dtype=np.intp))


def _notes(
    missing: Mapping[str, npt.NDArray[np.bool_]], complete: npt.NDArray[np.bool_], found: Mapping[Variable, Read]
) -> list[str]:
    notes: list[str] = []
    lost = int((~complete).sum())
    if lost:
        where = listed(f"{name} ({int(mask.sum()):,})" for name, mask in missing.items() if mask.any())
        notes.append(f"{counted(lost, 'row')} without a value in every column had no part in the model: {where}.")
    for variable, values in found.items():
        if isinstance(values, Numeric) and not variable.function and not is_amount(variable.column):
            distinct = np.unique(values.values)
            if 2 < len(distinct) <= FEW and bool((distinct == np.round(distinct)).all()):
                notes.append(
                    f"'{variable.column}' holds numbers ({listed(f'{value:g}' for value in distinct)}) and went in as "
                    f"one slope; if they are names of conditions, write factor({variable.column})."
                )
    return notes
