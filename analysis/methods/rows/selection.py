"""Conditions on rows, written as a person would: `words>=14 and method=plainME`. Parsed, never evaluated as code.

    condition   := comparison ("and" comparison)*
    comparison  := column operator value
    operator    := >= | <= | != | == | = | > | <

Names and values that hold spaces, operators or the word `and` stand in single or double quotes. `=` and `!=` compare
numbers where both sides are numbers and text otherwise; the others need numbers. An empty cell satisfies only
`!=` and `= ''`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.rows.columns import NO_CODE, codes, numbers
from analysis.methods.wording import no_such

_TOKEN = re.compile(
    r"""\s*(?: (?P<quoted>"[^"]*"|'[^']*') | (?P<operator>>=|<=|!=|==|=|>|<|≥|≤|≠) | (?P<word>[^\s<>=!≥≤≠"']+) )""",
    re.VERBOSE,
)
_SAME = {"==": "=", "≥": ">=", "≤": "<=", "≠": "!="}


@dataclass(frozen=True)
class Comparison:
    """One condition on one column."""

    column: str
    operator: str
    value: str


def parse(text: str) -> tuple[Comparison, ...]:
    """Read conditions.

    Raises BadInput where the text is not of that form.

    >>> parse("words>=14 and text type='a b'")
    (Comparison(column='words', operator='>=', value='14'), Comparison(column='text type', operator='=', value='a b'))
    """
    parts: list[list[tuple[str, str]]] = [[]]
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        token = _TOKEN.match(stripped, position)
        if token is None:
            raise BadInput(f"where: '{text}' cannot be read at '{stripped[position:]}'; write for example words>=14.")
        position = token.end()
        kind, word = str(token.lastgroup), str(token.group(str(token.lastgroup)))
        if kind == "word" and word.casefold() == "and":
            parts.append([])
        else:
            parts[-1].append((kind, word[1:-1] if kind == "quoted" else word))
    return tuple(_comparison(part, text) for part in parts)


def matching(frame: pd.DataFrame, text: str) -> npt.NDArray[np.bool_]:
    """Return for every row whether it satisfies the conditions.

    Raises BadInput for a column that is not there or cannot be compared.

    >>> matching(pd.DataFrame({"words": ["9", "14", ""]}), "words>=14").tolist()
    [False, True, False]
    """
    result = np.ones(len(frame), dtype=bool)
    for comparison in parse(text):
        result &= _satisfied(frame, comparison)
    return result


def _comparison(tokens: list[tuple[str, str]], text: str) -> Comparison:
    operators = [index for index, (kind, _) in enumerate(tokens) if kind == "operator"]
    if len(operators) != 1 or operators[0] == 0 or operators[0] == len(tokens) - 1:
        raise BadInput(
            f"where: '{text}' cannot be read; write conditions such as words>=14, joined by 'and', and put names or "
            f"values that hold spaces or signs in quotes."
        )
    middle = operators[0]
    operator = tokens[middle][1]
    return Comparison(
        column=" ".join(word for _, word in tokens[:middle]),
        operator=_SAME.get(operator, operator),
        value=" ".join(word for _, word in tokens[middle + 1 :]),
    )


def _satisfied(frame: pd.DataFrame, comparison: Comparison) -> npt.NDArray[np.bool_]:
    names = [str(name) for name in frame.columns]
    if comparison.column not in names:
        raise BadInput(f"where: {no_such('column', comparison.column, names)}")
    number = _number(comparison.value)
    if comparison.operator in ("=", "!="):
        equal = _equal(frame, comparison, number)
        return equal if comparison.operator == "=" else ~equal
    if number is None:
        raise BadInput(
            f"where: '{comparison.column}{comparison.operator}{comparison.value}' compares sizes, "
            f"but '{comparison.value}' is not a number."
        )
    values = numbers(frame, comparison.column).to_numpy()
    with np.errstate(invalid="ignore"):
        match comparison.operator:
            case ">=":
                return np.asarray(values >= number)
            case "<=":
                return np.asarray(values <= number)
            case ">":
                return np.asarray(values > number)
            case _:
                return np.asarray(values < number)


def _equal(frame: pd.DataFrame, comparison: Comparison, number: float | None) -> npt.NDArray[np.bool_]:
    text = codes(frame, comparison.column)
    if comparison.value in NO_CODE:
        return text.isna().to_numpy(dtype=bool)
    same = (text == comparison.value).to_numpy(dtype=bool)
    if number is None:
        return same
    parsed = pd.to_numeric(text.astype("string"), errors="coerce").astype("float64").to_numpy()
    return np.asarray(same | (parsed == number))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
