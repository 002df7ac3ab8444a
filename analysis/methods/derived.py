"""Derived columns of a frame: what an expression (`analysis.methods.expressions`) gives in every row.

They are made once, before a method sees the data: which rows are left out is decided by the columns that are there, and
an analysis may use the derived ones like any other, in `where` as well.

A column is numbers where all its cells are, true and false where all are those words, and text otherwise; 0 and 1
count as false and true where that is asked for, and cells are compared with a text as they are written. What hangs on
an empty cell is empty, but for `true or …`, `false and …`, `missing(x)`, and `min`, `max`, `mean` and `count`, which
leave empty cells out. Logarithms of what is not above 0, roots of what is below 0, and divisions by 0 are empty, and it
is said in how many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.expressions import (
    DERIVE,
    Call,
    Derived,
    Expression,
    Name,
    Number,
    Text,
    Truth,
    checked,
)
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import codes, numbers
from analysis.methods.rows.factors import factor_of
from analysis.methods.wording import counted, listed, nearest

Kind = Literal["number", "truth", "text"]
Texts = npt.NDArray[np.object_]
LARGEST = 1e300
TRUTHS = frozenset({"true", "false"})


@dataclass(frozen=True)
class Values:
    """What an expression gives in every row: numbers and truths (1 and 0) with NaN, texts with None, where empty.

    `written` are the cells of a column of numbers as they stand in the data, where `001` is not `1`.
    """

    kind: Kind
    cells: Any
    said: str
    written: Texts | None = None

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Return in which rows there is no value."""
        return np.asarray(pd.isna(self.cells), dtype=bool)


@dataclass(frozen=True)
class Made:
    """A frame with its derived columns, and what is to be said of each."""

    frame: pd.DataFrame
    notes: tuple[str, ...]


def with_derived(frame: pd.DataFrame, text: str) -> Made:
    """Return a frame with the columns that a text derives from its columns.

    Truths are `true`, `false` and empty cells, as exports write them. Raises BadInput where the text cannot be read, a
    column is missing, or values cannot be computed so.

    >>> frame = pd.DataFrame({"code_3": ["true", "false"], "code_4": ["false", "false"], "rt_ms": ["400", "0"]})
    >>> made = with_derived(frame, "garbled = code_3 or code_4; pace = log(rt_ms)")
    >>> made.frame["garbled"].tolist(), made.frame["pace"].round(3).tolist()
    (['true', 'false'], [5.991, nan])
    >>> print(*made.notes, sep="\\n")
    Derived column: garbled = code_3 or code_4; true in 1 of 2 rows.
    Derived column: pace = log(rt_ms); from 5.99146 to 5.99146; empty in 1 of 2 rows, where log was to be taken of 0 or
    less (1 row).
    """
    notes = []
    for column in checked(text, [str(name) for name in frame.columns]):
        reader = _Evaluation(frame, column)
        made = reader.of(column.expression)
        frame = frame.assign(**{column.name: _as_cells(made, frame)})
        notes.append(_told(column, made, reader.undefined))
    return Made(frame, tuple(notes))


class _Evaluation:
    """Evaluates one derived column; counts rows in which something was not defined."""

    def __init__(self, frame: pd.DataFrame, column: Derived) -> None:
        self.frame, self.column = frame, column
        self.undefined: dict[str, int] = {}

    def of(self, expression: Expression) -> Values:
        """Return the values of an expression."""
        n = len(self.frame)
        match expression:
            case Number(value):
                return Values("number", np.full(n, value), f"{value:g}")
            case Truth(value):
                return Values("truth", np.full(n, float(value)), str(value).lower())
            case Text(value):
                return Values("text", np.full(n, value, dtype=object), f"'{value}'")
            case Name(name, may_be_word):
                if may_be_word and name not in self.frame.columns:
                    return Values("text", np.full(n, name, dtype=object), f"'{name}'")
                return _column(self.frame, name)
            case Call(name, parts):
                if name in ("=", "!=", "in"):
                    return self._same(name, parts)
                return self._called(name, [self.of(part) for part in parts])

    def _called(self, name: str, parts: list[Values]) -> Values:
        said = f"{name}(…)"
        if name in ("and", "or"):
            return Values("truth", _joined([self._truths(part, name) for part in parts], all_of=name == "and"), said)
        if name == "not":
            return Values("truth", 1 - self._truths(parts[0], "not"), said)
        if name == "if":
            return self._chosen(parts)
        if name == "missing":
            return Values("truth", parts[0].empty.astype(np.float64), said)
        if name == "count":
            found = np.array([np.nan_to_num(self._truths(part, name)) for part in parts])
            return Values("number", found.sum(axis=0), said)
        if name in _OF_TEXTS:
            kind, function = _OF_TEXTS[name]
            cells = [_texts(part) for part in parts]
            return Values(kind, _each(function, cells, kind), said)
        figures = [self._numbers(part, name) for part in parts]
        if name in _ORDERED:
            with np.errstate(invalid="ignore"):
                found = np.asarray(_ORDERED[name](*figures), dtype=np.float64)
            found[np.isnan(figures[0]) | np.isnan(figures[1])] = np.nan
            return Values("truth", found, said)
        return Values("number", self._computed(name, figures), said)

    def _computed(self, name: str, figures: list[Floats]) -> Floats:
        if name in ("min", "max", "mean"):
            return _over(name, np.array(figures))
        if name == "round":
            digits = np.nan_to_num(figures[1]) if len(figures) > 1 else np.zeros(len(figures[0]))
            scale = 10.0 ** np.clip(np.round(digits), -15, 15)
            return np.asarray(np.round(figures[0] * scale) / scale)
        if name == "number":
            return figures[0]
        wrong, said = _UNDEFINED.get(name, (None, ""))
        with np.errstate(all="ignore"):
            found = np.asarray(_COMPUTED[name](*figures), dtype=np.float64)
        known = ~np.logical_or.reduce([np.isnan(part) for part in figures])
        if wrong is not None:
            self._count(known & wrong(figures[-1]), said, found)
            known &= ~np.isnan(found)
        self._count(known & ~(np.abs(found) < LARGEST), "a number would be too large or is not defined", found)
        return found

    def _count(self, rows: npt.NDArray[np.bool_], said: str, found: Floats) -> None:
        found[rows] = np.nan
        if rows.any():
            self.undefined[said] = self.undefined.get(said, 0) + int(rows.sum())

    def _same(self, name: str, parts: tuple[Expression, ...]) -> Values:
        left = self.of(parts[0])
        found = [self._equal(left, self.of(part), part) for part in parts[1:]]
        same = _joined(found, all_of=False)
        return Values("truth", 1 - same if name == "!=" else same, name)

    def _equal(self, left: Values, right: Values, part: Expression) -> Floats:
        if "text" not in (left.kind, right.kind):
            same = np.asarray(left.cells == right.cells, dtype=np.float64)
        else:
            if isinstance(part, Name) and part.may_be_word and part.name not in self.frame.columns:
                self._known_level(left, part.name)
            same = np.asarray(_texts(left) == _texts(right), dtype=np.float64)
        same[left.empty | right.empty] = np.nan
        return same

    def _known_level(self, values: Values, word: str) -> None:
        levels = sorted({text for text in _texts(values) if text is not None})
        if word in levels or not levels:
            return
        guess = nearest(word, levels)
        meant = f"; did you mean '{guess}'?" if guess else "."
        raise self._fault(
            f"'{word}' is neither a column nor a value of {values.said}{meant} Its values are: {listed(levels)}. Put a "
            f"value that does not occur in quotes."
        )

    def _chosen(self, parts: list[Values]) -> Values:
        condition, first, second = self._truths(parts[0], "if"), parts[1], parts[2]
        if first.kind != second.kind:
            if {first.kind, second.kind} == {"number", "truth"}:
                first, second = (Values("number", part.cells, part.said) for part in (first, second))
            else:
                raise self._fault(f"if(…) must give the same kind of value in both cases, and gives {first.kind} or "
                                  f"{second.kind}.")  # fmt: skip
        cells = np.where(condition == 1, first.cells, second.cells)
        cells[np.isnan(condition)] = None if first.kind == "text" else np.nan
        return Values(first.kind, cells, "if(…)")

    def _truths(self, part: Values, name: str) -> Floats:
        known = part.cells[~part.empty]
        if part.kind == "truth" or (part.kind == "number" and bool(np.isin(known, (0, 1)).all())):
            return np.asarray(part.cells, dtype=np.float64)
        raise self._fault(
            f"'{name}' joins what is true or false, and {part.said} is not: it holds {_some(part)}. Compare it with "
            f"something, such as {part.said} > 0."
        )

    def _numbers(self, part: Values, name: str) -> Floats:
        if part.kind == "text" and len(part.cells) and not part.empty.all():
            raise self._fault(f"'{name}' needs numbers, and {part.said} holds {_some(part)}.")
        return np.asarray(part.cells, dtype=np.float64)

    def _fault(self, text: str) -> BadInput:
        return BadInput(f"{DERIVE}: in '{self.column.in_words}' {text}")


def _column(frame: pd.DataFrame, name: str) -> Values:
    factor = factor_of(frame[name])
    known = [code for code in factor.codes if code is not None]
    if known and {code.casefold() for code in known} <= TRUTHS:
        truths = [np.nan if code is None else float(code.casefold() == "true") for code in factor.codes]
        return Values("truth", np.array(factor.each(truths, np.nan), dtype=np.float64), name)
    try:
        written = np.array(factor.each(factor.codes, None), dtype=object)
        return Values("number", np.array(numbers(frame, name), dtype=np.float64), name, written)
    except BadInput:
        return Values("text", codes(frame, name).to_numpy(dtype=object), name)


def _texts(part: Values) -> Texts:
    if part.kind == "text":
        return np.asarray(part.cells, dtype=object)
    if part.written is not None:
        return part.written
    if part.kind == "truth":
        return np.array([None if np.isnan(cell) else "true" if cell else "false" for cell in part.cells], dtype=object)
    return np.array([None if np.isnan(cell) else f"{cell:.15g}" for cell in part.cells], dtype=object)


def _joined(parts: Sequence[Floats], *, all_of: bool) -> Floats:
    """Return Kleene's `and` or `or`: an empty cell matters only where the others do not decide."""
    cells = np.array(parts)
    deciding = 0.0 if all_of else 1.0
    decided = (cells == deciding).any(axis=0)
    open_ = np.isnan(cells).any(axis=0)
    return np.where(decided, deciding, np.where(open_, np.nan, 1 - deciding))


def _over(name: str, cells: Floats) -> Floats:
    """Return the smallest, largest or mean number of a row that is there."""
    there = ~np.isnan(cells)
    count = there.sum(axis=0)
    if name == "mean":
        found = np.where(there, cells, 0.0).sum(axis=0) / np.maximum(count, 1)
    else:
        worst = np.inf if name == "min" else -np.inf
        found = getattr(np, name)(np.where(there, cells, worst), axis=0)
    return np.where(count > 0, found, np.nan)


def _each(function: Callable[..., Any], cells: Sequence[Texts], kind: Kind) -> Any:
    nothing: Any = None if kind == "text" else np.nan
    found = [nothing if None in row else function(*row) for row in zip(*cells, strict=True)]
    return np.array(found, dtype=object if kind == "text" else np.float64)


_OF_TEXTS: Mapping[str, tuple[Kind, Callable[..., Any]]] = {
    "length": ("number", len),
    "words": ("number", lambda text: len(text.split())),
    "contains": ("truth", lambda text, part: part.casefold() in text.casefold()),
    "begins": ("truth", lambda text, part: text.casefold().startswith(part.casefold())),
    "ends": ("truth", lambda text, part: text.casefold().endswith(part.casefold())),
    "lower": ("text", str.lower),
    "join": ("text", lambda *parts: ":".join(parts)),
}
_ORDERED: Mapping[str, Callable[[Floats, Floats], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_COMPUTED: Mapping[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
}
_UNDEFINED: Mapping[str, tuple[Callable[[Floats], Any], str]] = {
    **{name: (lambda x: x <= 0, f"{name} was to be taken of 0 or less") for name in ("log", "log2", "log10")},
    "sqrt": (lambda x: x < 0, "a root was to be taken of less than 0"),
    "/": (lambda x: x == 0, "something was to be divided by 0"),
}


def _as_cells(made: Values, frame: pd.DataFrame) -> pd.Series[Any]:
    if made.kind == "number":
        return pd.Series(made.cells, index=frame.index, dtype=np.float64)
    cells = ["" if text is None else text for text in _texts(made)]
    return pd.Series(cells, index=frame.index, dtype=object)


def _some(part: Values) -> str:
    shown = dict.fromkeys(f"'{text}'" for text in _texts(part) if text is not None)
    return listed(shown, shown=3)


def _told(column: Derived, made: Values, undefined: Mapping[str, int]) -> str:
    empty = made.empty
    n = len(empty)
    rows = counted(n, "row")
    known = made.cells[~empty]
    if not len(known):
        what = f"empty in all of {rows}"
    elif made.kind == "truth":
        what = f"true in {int(known.sum()):,} of {rows}"
    elif made.kind == "number":
        what = f"from {known.min():g} to {known.max():g}"
    else:
        what = counted(len(set(known)), "value")
    gone = f"; empty in {int(empty.sum()):,} of {rows}" if len(known) and empty.any() else ""
    why = "".join(f", where {said} ({counted(count, 'row')})" for said, count in undefined.items())
    return f"Derived column: {column.in_words}; {what}{gone}{why}."
