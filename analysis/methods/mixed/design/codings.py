"""Code factors: the columns of the model matrix, and the hypothesis that each coefficient tests.

A coefficient does not test the column of its codes but a row of the generalised inverse of the codes (with a column of
ones for the intercept), and the other way round: codes for hypotheses of one's own are the generalised inverse of their
weights (Schad, Vasishth, Hohenstein & Kliegl 2020, *Journal of Memory and Language* 110, 104038).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.terms import Variable

SETS = ("treatment", "sum", "helmert", "repeated", "polynomial")
OWN = "own"
POWERS = (".L", ".Q", ".C")
ZERO, ROUNDING = 1e-9, 1e-13


@dataclass(frozen=True)
class Coding:
    """The coding of one factor: `codes` (levels × columns) and `hypotheses` (columns × levels).

    The weights of a hypothesis sum to 0; its coefficient is their sum over the means of levels. Of the rows of `own`
    contrasts the first `given` were asked for, the others complete them.
    """

    kind: str
    codes: Floats
    hypotheses: Floats
    given: int = 0

    @property
    def is_centred(self) -> bool:
        """Whether coefficients of other factors, and the intercept, average over the levels of this one."""
        return self.kind != "treatment"


Codings = Mapping[Variable, Coding]


def contrast_matrix(size: int, kind: str) -> Floats:
    """Return the codes of a factor with `size` levels (levels × columns).

    `treatment` compares with the first level, `sum` with the mean of all (the last level has −1), `helmert` with the
    mean of the levels before, `repeated` with the level before, `polynomial` has orthonormal trends over equally
    spaced levels: R's contr.treatment, contr.sum, contr.helmert, contr.sdif (of MASS) and contr.poly. `full` has one
    column per level. `even` has orthogonal columns of the same length in which no level is special: independent
    coefficients with variance 1 give every level a deviation from their mean with variance 1.

    >>> contrast_matrix(3, "sum").tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
    >>> contrast_matrix(2, "repeated").tolist()
    [[-0.5], [0.5]]
    """
    steps = np.arange(1, size)
    if kind == "full":
        return np.eye(size)
    if kind == "treatment":
        return np.eye(size)[:, 1:]
    if kind == "repeated":
        return np.asarray((np.arange(size)[:, None] >= steps) - (size - steps) / size)
    if kind == "polynomial":
        centred = np.arange(size) - (size - 1) / 2
        trends, root = np.linalg.qr(np.vander(centred, size, increasing=True))
        return np.asarray((trends * np.sign(np.diag(root)))[:, 1:])
    if kind in ("even", "helmert"):
        helmert = np.eye(size, size - 1, -1) * steps - np.triu(np.ones((size, size - 1)))
        return helmert if kind == "helmert" else -helmert / np.sqrt(steps * (steps + 1)) * np.sqrt(size / (size - 1))
    return np.vstack([np.eye(size - 1), -np.ones((1, size - 1))])


def coding_of(kind: str, size: int) -> Coding:
    """Return a set of contrasts for a factor with `size` levels.

    >>> coding_of("helmert", 3).hypotheses.round(3).tolist()
    [[-0.5, 0.5, 0.0], [-0.167, -0.167, 0.333]]
    """
    codes = contrast_matrix(size, kind)
    if kind == "full":
        return Coding(kind, codes, np.eye(size))
    return Coding(
        kind, _without_rounding(codes), _without_rounding(np.linalg.inv(np.column_stack([np.ones(size), codes]))[1:])
    )


def own_coding(hypotheses: Floats) -> Coding:
    """Return the coding whose coefficients test independent rows of weights, each with the sum 0.

    The codes are the generalised inverse of the weights. Where they are fewer than levels − 1, orthonormal columns that
    have no part in the hypotheses complete them, so that the factor keeps its degrees of freedom.

    >>> own_coding(np.array([[1.0, -1.0, 0.0]])).codes.round(3).tolist()
    [[0.5, 0.408], [-0.5, 0.408], [0.0, -0.816]]
    """
    given, size = hypotheses.shape
    axes = np.linalg.svd(np.vstack([np.ones(size), hypotheses]))[2]
    rest = axes[given + 1 :]
    first = np.argmax(np.abs(rest) > ZERO, axis=1) if len(rest) else np.zeros(0, dtype=np.intp)
    rest = rest * np.sign(rest[np.arange(len(rest)), first])[:, None]
    codes = np.hstack([np.linalg.pinv(hypotheses), rest.T])
    return Coding(OWN, _without_rounding(codes), _without_rounding(np.vstack([hypotheses, rest])), given)


def _without_rounding(values: Floats) -> Floats:
    return np.where(np.abs(values) <= ROUNDING * np.abs(values).max(axis=0), 0.0, values)


def column_names(text: str, levels: Sequence[str], coding: Coding) -> list[str]:
    """Return the names of the columns of a factor, as R names them."""
    count = coding.codes.shape[1]
    if coding.kind in ("full", "treatment"):
        return [f"{text}{level}" for level in levels[len(levels) - count :]]
    if coding.kind == "even":
        return [text] * count
    if coding.kind == "repeated":
        return [f"{text}{after}-{before}" for before, after in pairwise(levels)]
    if coding.kind == "polynomial":
        return [f"{text}{POWERS[place] if place < len(POWERS) else f'^{place + 1}'}" for place in range(count)]
    return [f"{text}{number}" for number in range(1, count + 1)]
