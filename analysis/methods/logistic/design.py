"""The design of a logistic regression: blocks of predictors, dummy coding, standardisation within groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import codes, levels, numbers
from analysis.methods.rows.scored_terms import scored_term, values_of
from analysis.methods.wording import counted, listed, no_such

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
MOST_LEVELS = 50


@dataclass(frozen=True)
class Term:
    """One predictor: its name, the names of its coefficients, and where these stand in the matrix."""

    name: str
    coefficients: tuple[str, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Design:
    """Predictors of n rows. `blocks` holds, for every block, the terms that it adds.

    `parts` (n × m) are measured columns and dummy codes; `products` says of every column of X (which has no intercept)
    which of them it multiplies. Parts and not products are standardised: `numeric` says which, `within` within what as
    their term asks: participant, item, or empty.
    """

    parts: Floats
    products: tuple[tuple[int, ...], ...]
    terms: tuple[Term, ...]
    blocks: tuple[tuple[int, ...], ...]
    numeric: Truths
    within: tuple[str, ...]

    @property
    def X(self) -> Floats:  # noqa: N802
        """Return the predictors as they were measured."""
        return self.of(self.parts)

    def of(self, parts: Floats) -> Floats:
        """Return the predictors made of parts that were standardised."""
        return np.column_stack([parts[:, list(product)].prod(axis=1) for product in self.products])

    def columns(self, terms: Sequence[int]) -> list[int]:
        """Return the matrix columns of some terms, in the order of the terms."""
        return [column for term in terms for column in self.terms[term].columns]


def read_blocks(given: Any) -> tuple[tuple[str, ...], ...]:
    """Read blocks of predictors.

    Raises BadInput for an empty block or a predictor that is named twice.

    >>> read_blocks("fluency, clarity | pace")
    (('fluency', 'clarity'), ('pace',))
    """
    parts = given.split("|") if isinstance(given, str) else list(given)
    blocks = tuple(as_names(part) for part in parts)
    named = [name for block in blocks for name in block]
    if not named or not all(blocks):
        raise BadInput("blocks: a block is empty; name the predictors of each block, such as a,b|c,d.")
    repeated = sorted({name for name in named if named.count(name) > 1})
    if repeated:
        raise BadInput(f"blocks: {listed(repeated)} is named more than once; a later block adds to the earlier ones.")
    return blocks


def read_sets(given: Any) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Read sets of predictors, each with blocks of its own.

    Raises BadInput for a set without a name or predictors, and for a name that is used twice.

    >>> read_sets("Ratings = z(fluency), clarity; Times = pace")
    {'Ratings': (('z(fluency)', 'clarity'),), 'Times': (('pace',),)}
    """
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for part in str(given).split(";"):
        if not part.strip():
            continue
        label, equals, named = part.partition("=")
        label = " ".join(label.split())
        if not equals or not label:
            raise BadInput(f"sets: '{part.strip()}' is no set; write its name, =, and its predictors: Ratings = a, b.")
        if label in found:
            raise BadInput(f"sets: there are two sets called '{label}'; give each a name of its own.")
        found[label] = read_blocks(named)
    if not found:
        raise BadInput("sets: there is none; write Ratings = a, b; Times = c, d.")
    return found


def columns_of(name: str, frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the columns that a predictor needs: its own, or both sides of an interaction `a:b`."""
    names = [str(column) for column in frame.columns]
    if "(" in name and ":" not in name and name not in names:
        return (scored_term(name, names).column,)
    parts = (name,) if name in names else tuple(part.strip() for part in name.split(":"))
    for part in parts:
        if part not in names:
            raise BadInput(f"blocks: {no_such('column', part, names)}")
    return parts


def is_numeric(frame: pd.DataFrame, column: str, categorical: Sequence[str]) -> bool:
    """Return whether a column is a measured variable; a few words among numbers are a fault, not a category.

    Raises BadInput for a column most of whose cells are numbers and some of which are not.
    """
    if column in categorical:
        return False
    text = codes(frame, column).dropna()
    if set(text.unique()) <= {"true", "false"}:
        return False
    parsed = pd.to_numeric(text, errors="coerce").notna().mean() if len(text) else 0.0
    if parsed > 0.5:
        numbers(frame, column)
    return bool(parsed > 0.5)


def design(frame: pd.DataFrame, blocks: Sequence[Sequence[str]], *, categorical: Sequence[str] = ()) -> Design:
    """Build the predictors. Categories are dummy coded against their first level; `a:b` multiplies two predictors, each
    standardised before where that is asked for.

    Coefficients are named as R names them: `length`, `markercause`, `length:markercause`.

    Raises BadInput for a category with too many levels, or with one.

    >>> made = design(pd.DataFrame({"length": [1, 2, 3], "marker": ["a", "b", "b"]}), [["length"], ["marker"]])
    >>> [term.coefficients for term in made.terms], made.X.tolist()
    ([('length',), ('markerb',)], [[1.0, 0.0], [2.0, 1.0], [3.0, 1.0]])
    """
    parts: list[Floats] = []
    products: list[tuple[int, ...]] = []
    terms: list[Term] = []
    numeric: list[bool] = []
    within: list[str] = []
    names = [str(column) for column in frame.columns]
    positions: list[tuple[int, ...]] = []
    for block in blocks:
        mine = []
        for name in block:
            columns = columns_of(name, frame)
            asked = scored_term(name, names) if len(columns) == 1 else None
            made: list[tuple[str, tuple[int, ...]]] = [("", ())]
            for column in columns:
                labels: tuple[str, ...]
                if asked is not None and asked.name != asked.column:
                    values, labels, measured = values_of(frame, asked)[:, None], (name,), True
                else:
                    values, labels, measured = _coded(frame, column, categorical)
                places = range(len(numeric), len(numeric) + len(labels))
                parts.append(values)
                numeric += [measured] * len(labels)
                within += [asked.within if asked is not None else ""] * len(labels)
                made = [
                    (f"{left}:{right}" if left else right, (*before, place))
                    for left, before in made
                    for right, place in zip(labels, places, strict=True)
                ]
            terms.append(
                Term(name, tuple(label for label, _ in made), tuple(range(len(products), len(products) + len(made))))
            )
            products += [product for _, product in made]
            mine.append(len(terms) - 1)
        positions.append(tuple(mine))
    return Design(
        np.column_stack(parts),
        tuple(products),
        tuple(terms),
        tuple(positions),
        np.array(numeric, dtype=bool),
        tuple(within),
    )


def _coded(frame: pd.DataFrame, column: str, categorical: Sequence[str]) -> tuple[Floats, tuple[str, ...], bool]:
    """Return a column as it was measured, or its dummy codes; their names; and whether it was measured."""
    if is_numeric(frame, column, categorical):
        return np.asarray(numbers(frame, column), dtype=np.float64)[:, None], (column,), True
    found = levels(frame, column)
    if len(found) > MOST_LEVELS:
        raise BadInput(
            f"Column '{column}' has {counted(len(found), 'level')}, which needs as many coefficients; as a "
            f"predictor it may have at most {MOST_LEVELS}. If it names people or texts, use a mixed model."
        )
    if len(found) < 2:
        raise BadInput(
            f"'{column}' has the same value in every row ('{found[0]}'), so nothing can be predicted from it; leave it "
            f"out."
        )
    text = codes(frame, column).to_numpy()
    values = np.column_stack([np.zeros((len(frame), 0)), *(text == level for level in found[1:])])
    return values, tuple(f"{column}{level}" for level in found[1:]), False


class Standardising(Protocol):
    """What standardises a matrix of predictors from some of its rows."""

    def apply(self, X: Floats, *, rows: Truths) -> Floats:
        """Return X standardised by what `rows` say."""


@dataclass(frozen=True)
class Standardisers:
    """Several of them, one after another, each for columns of its own."""

    parts: tuple[Standardising, ...]

    def apply(self, X: Floats, *, rows: Truths) -> Floats:
        """Return X standardised by all parts."""
        for part in self.parts:
            X = part.apply(X, rows=rows)
        return X


@dataclass(frozen=True)
class Standardiser:
    """z within groups, computed from some rows and applied to all.

    `group` numbers the groups from 0 (one group: over everything), or is None for no standardisation.
    """

    group: Integers | None
    numeric: Truths

    def apply(self, X: Floats, *, rows: Truths) -> Floats:
        """Return X with its measured columns standardised by mean and sample sd of `rows`.

        A group without rows in `rows` is standardised by its own other rows (which needs no outcome); where its sd is
        0 or it has one row, by the pooled sd within groups.
        """
        if self.group is None:
            return X
        groups = int(self.group.max()) + 1
        result = X.copy()
        values = X[:, self.numeric]
        mean, sd, known = _moments(values[rows], self.group[rows], groups)
        own_mean, own_sd, own = _moments(values[~rows], self.group[~rows], groups)
        mean = np.where(known[:, None], mean, own_mean)
        pooled = _pooled(sd, known)
        sd = np.where(known[:, None], sd, np.where(own[:, None], own_sd, 0.0))
        sd = np.where(sd > 0, sd, pooled)
        result[:, self.numeric] = (values - mean[self.group]) / sd[self.group]
        return result


def without_variance(X: Floats, group: Integers) -> Truths:
    """Return the groups in which some column has no variance, or which have one row: they have no z."""
    _, sd, _ = _moments(X, group, int(group.max()) + 1)
    return np.asarray((sd <= 0).any(axis=1))


def _moments(values: Floats, group: Integers, groups: int) -> tuple[Floats, Floats, Truths]:
    count = np.bincount(group, minlength=groups)[:, None]
    total = np.column_stack([np.bincount(group, weights=column, minlength=groups) for column in values.T])
    mean = total / np.maximum(count, 1)
    squares = (values - mean[group]) ** 2
    square = np.column_stack([np.bincount(group, weights=column, minlength=groups) for column in squares.T])
    sd = np.sqrt(square / np.maximum(count - 1, 1))
    sd = np.where(sd > 1e-12 * np.abs(mean), sd, 0.0)
    return mean, sd, np.asarray(count[:, 0] > 0)


def _pooled(sd: Floats, known: Truths) -> Floats:
    """Return the root mean square of the groups' sds; 1 where there is none."""
    mean_square = (sd[known] ** 2).mean(axis=0) if known.any() else np.zeros(sd.shape[1])
    return np.where(mean_square > 0, np.sqrt(mean_square), 1.0)
