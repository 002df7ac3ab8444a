"""Put contrast weights into words: `(c − mean of a, b) / 3`, `mean of c minus mean of a and b, divided by 3`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.codings import OWN, Coding
from analysis.methods.wording import listed, number_text

TRENDS = ("linear", "quadratic", "cubic")
LARGEST_DENOMINATOR = 120
EXACT = 1e-9


def weight_text(value: float) -> str:
    """Print a weight: a fraction where it is one.

    >>> weight_text(-2 / 3), weight_text(0.0), weight_text(0.70710678)
    ('−2/3', '0', '0.707')
    """
    near = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    if abs(float(near) - value) > EXACT * max(1.0, abs(value)):
        return number_text(value, places=3)
    return str(near).replace("-", "−")


def weights_text(levels: Sequence[str], weights: Floats) -> str:
    """Return every level with its weight.

    >>> weights_text(["a", "b", "c"], np.array([-0.5, -0.5, 1]))
    'a −1/2, b −1/2, c 1'
    """
    return ", ".join(f"{level} {weight_text(float(weight))}" for level, weight in zip(levels, weights, strict=True))


def difference(levels: Sequence[str], weights: Floats, *, whole: bool = False) -> str:
    """Return what weights that sum to 0 compare, in short, or as a `whole` phrase.

    >>> levels = ["a", "b", "c"]
    >>> difference(levels, np.array([-1, 1, 0])), difference(levels, np.array([-1, 1, 0]), whole=True)
    ('b − a', 'mean of b minus mean of a')
    >>> difference(levels, np.array([-1, -1, 2]) / 6)
    '(c − mean of a, b) / 3'
    >>> difference(levels, np.array([-1, -1, 2]) / 6, whole=True)
    'mean of c minus mean of a and b, divided by 3'
    >>> difference(levels, np.array([-0.75, -0.25, 1]))
    'c − 3/4 a − 1/4 b'
    """
    zero = EXACT * float(np.abs(weights).max())
    up = [place for place, weight in enumerate(weights) if weight > zero]
    down = [place for place, weight in enumerate(weights) if weight < -zero]
    size = float(weights[up].sum())
    if np.ptp(weights[up]) > EXACT * size or np.ptp(weights[down]) > EXACT * size:
        parts = [(weight_text(abs(float(weights[place]))), levels[place]) for place in (*up, *down)]
        signs = ["", *(" + " for _ in up[1:]), *(" − " for _ in down)]
        named = [level if weight == "1" else f"{weight} {level}" for weight, level in parts]
        text = "".join(sign + name for sign, name in zip(signs, named, strict=True))
        return f"weighted means, {text}" if whole else text
    sides = [[levels[place] for place in places] for places in (up, down)]
    first, second = (
        f"mean of {listed(side, shown=len(side))}"
        if whole
        else side[0]
        if len(side) == 1
        else f"mean of {', '.join(side)}"
        for side in sides
    )
    text = f"{first} minus {second}" if whole else f"{first} − {second}"
    if abs(size - 1) <= EXACT:
        return text
    over = weight_text(1 / size)
    how = (" / ", ", divided by ", over) if over.isdigit() else (" × ", ", times ", weight_text(size))
    return f"{text}{how[1]}{how[2]}" if whole else f"({text}){how[0]}{how[2]}"


def contrast_text(name: str, levels: Sequence[str], coding: Coding, column: int, *, whole: bool = False) -> str:
    """Return what one column of a factor compares, in short, or as a `whole` phrase."""
    weights = coding.hypotheses[column]
    if coding.kind == "full":
        return f"mean of {levels[column]}" if whole else f"{name} {levels[column]}"
    if coding.kind == "sum":
        return (
            f"mean of {levels[column]} minus mean of all levels of {name}"
            if whole
            else f"{levels[column]} − mean of {name}"
        )
    if coding.kind == "polynomial":
        trend = TRENDS[column] if column < len(TRENDS) else f"power {column + 1}"
        return f"{trend} trend over {', '.join(levels)}"
    if coding.kind == OWN and column >= coding.given:
        number = column - coding.given + 1
        return f"remaining difference {number} between levels of {name}" + (
            ", orthogonal to what the other contrasts compare" if whole else ""
        )
    return difference(levels, weights, whole=whole)
