"""Say comparisons of means in sentences: in the unit of the measure first, then the test, then the effect size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.estimates.scales import OF_LOGS, RATIOS
from analysis.methods.report import Table
from analysis.methods.wording import df_text, number_text, p_text, percent_text, places_beside, share_text

# A factor with more comparisons is read from the table.
MOST_SAID = 6
_MEANS = {
    "geometric_mean": "geometric means",
    "back_transformed": "back-transformed means",
    "probability": "probabilities",
    "expected": "expected values",
    "points": "means",
}


def unit_of(response: Variable) -> str:
    """Return the unit of a measure as its column names it, with a space before it; nothing where it does not.

    >>> unit_of(Variable("log(rt_ms)", "rt_ms", "log")), unit_of(Variable("rating", "rating"))
    (' ms', '')
    """
    return " ms" if response.column.endswith("_ms") and response.function in ("", "log", "log2", "log10") else ""


def compared_sentences(table: Table, *, confidence: float, unit: str = "") -> list[str]:
    """Return a sentence for every comparison, but for those of a factor with more than six."""
    lines = [line for line in table.lines() if line["p"] is not None]
    many = Counter((line.get("outcome"), line["factor"]) for line in lines)
    return [
        (f"{line['outcome']}, " if line.get("outcome") else "") + _said(line, confidence=confidence, unit=unit)
        for line in lines
        if many[line.get("outcome"), line["factor"]] <= MOST_SAID
    ]


def _said(line: dict[str, Any], *, confidence: float, unit: str) -> str:
    level = f"{percent_text(confidence)} CI"
    name = next((name for name in _MEANS if line.get(f"{name}_diff") is not None), "")
    unit = " points" if name == "points" else unit
    if name:
        values = [line[f"{name}_{which}"] for which in ("a", "b", "diff", "diff_low", "diff_high")]
        a, b, diff, low, high = _texts(values, se=line[f"{name}_diff_se"], is_share=name == "probability")
    else:
        values = [line[which] for which in ("mean_a", "mean_b", "diff", "ci_low", "ci_high")]
        a, b, diff, low, high = _texts(values, se=line["se"])
    within = f" within {line['by']}" if line["by"] else ""
    words = f"{_MEANS.get(name, 'means')} {a}{unit} ({line['a']}) and {b}{unit} ({line['b']})"
    parts = [f"difference {diff}{unit}, {level} [{low}, {high}]"]
    for ratio in (*RATIOS, OF_LOGS):
        if line.get(ratio.name) is not None:
            value, *ends = (number_text(line[column.name]) for column in ratio.columns)
            parts.append(f"{ratio.words} {value}, {level} [{', '.join(ends)}]")
    test = f"t({df_text(line['df'])}) = {number_text(line['t'])}" if "t" in line else f"z = {number_text(line['z'])}"
    parts.append(f"{test}, {'Tukey-adjusted ' if line['k'] > 2 else ''}{p_text(line['p'])}")
    if line.get("d") is not None:
        d, *ends = (_two_places(line[column]) for column in ("d", "d_low", "d_high"))
        parts.append(f"d = {d}, {level} [{', '.join(ends)}]")
    return f"{line['factor']}{within}: {words}; {'; '.join(parts)}."


def _two_places(value: float) -> str:
    """Return an effect size with two places: digits beyond them say nothing of one that is near zero."""
    return number_text(round(value, 2) + 0.0)


def _texts(values: Sequence[float], *, se: float, is_share: bool = False) -> list[str]:
    if is_share:
        return [share_text(value) for value in values]
    return [number_text(value, places=places_beside(se)) for value in values]
