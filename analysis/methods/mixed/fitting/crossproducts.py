"""Cross-products of a design: everything about the data that the criterion needs, computed once.

The columns of Z are scaled to root mean square 1, X to orthonormal columns, y to the residuals of X with standard
deviation 1. Estimates do not depend on that, their precision does.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design, Group
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, number_text

ALIASED = 1e-7
LARGEST_BYTES = 6e9


@dataclass(frozen=True)
class Scaled:
    """The groups (most random effects first) with the scales of their columns, and the columns of X that were kept.

    `n` counts all rows; `root` is the triangular factor of X (kept columns).
    """

    groups: tuple[Group, ...]
    scales: tuple[Floats, ...]
    kept: tuple[int, ...]
    root: Floats
    n: int


@dataclass(frozen=True)
class Crossproducts(Scaled):
    """Cross-products of a design, scaled: Z to root mean square 1, X to orthonormal columns, y to residuals of sd 1.

    `first` is (q, P, P), `cross` (q, P, R), `rest` (R, R), where R counts the random effects of the other groups, then
    the columns of X, then y.
    """

    start: Floats
    unit: float
    first: Floats
    cross: Floats
    rest: Floats

    @property
    def p(self) -> int:
        """Return the number of fixed effects that can be estimated."""
        return len(self.kept)

    @property
    def others(self) -> int:
        """Return the number of random effects outside the first group."""
        return int(self.rest.shape[0]) - self.p - 1

    @property
    def places(self) -> tuple[slice, ...]:
        """Return where the random effects of every group stand: the first among themselves, the others in `rest`."""
        ends = np.cumsum([0, *(group.size for group in self.groups[1:])])
        others = (slice(int(a), int(b)) for a, b in pairwise(ends))
        return (slice(0, self.groups[0].size), *others)

    def constant(self, *, reml: bool) -> float:
        """Return what scaling took out of the criterion."""
        log_unit = 2 * np.log(self.unit)
        if not reml:
            return float(self.n * log_unit)
        return float((self.n - self.p) * log_unit + 2 * np.log(np.abs(np.diag(self.root))).sum())


@dataclass(frozen=True)
class Frame:
    """What a design is apart from its measure: everything that many measures on one design share.

    `columns` are the scaled ones of every group, `X` the orthonormal fixed effects; `first`, `cross` and `rest` are as
    in `Crossproducts`, with nothing yet where the measure belongs.
    """

    groups: tuple[Group, ...]
    scales: tuple[Floats, ...]
    columns: tuple[Floats, ...]
    X: Floats
    kept: tuple[int, ...]
    root: Floats
    first: Floats
    cross: Floats
    rest: Floats
    measure: str


def prepare(design: Design) -> Crossproducts:
    """Compute the cross-products of a design.

    Raises BadInput where the fixed effects use up the rows, the measure has no variance beyond them, or the model is
    too large for memory.
    """
    return measured(framed(design), design.y)


def check_memory(groups: tuple[Group, ...], needed: float) -> None:
    """Raise BadInput where the matrices of a model need too many bytes."""
    if needed > LARGEST_BYTES:
        sizes = listed(f"{group.name} {group.size:,}" for group in groups)
        raise BadInput(
            f"This model has too many random effects for memory ({sizes}; about {number_text(needed / 1e9, places=0)} "
            f"GB). Let fewer effects vary, above all by the smaller groups."
        )


def framed(design: Design) -> Frame:
    """Compute the cross-products of a design without its measure.

    Raises BadInput where the fixed effects use up the rows or the model is too large for memory.
    """
    groups = tuple(sorted(design.groups, key=lambda group: -group.size))
    n = len(design.y)
    sizes = sizes_of(design.fixed.values)
    raw = design.fixed.values / sizes
    kept, root = independent(raw)
    if len(kept) >= n:
        raise BadInput(
            f"The formula has {len(kept)} fixed effects for {n} rows; there must be more rows than effects. "
            f"Use fewer terms."
        )
    dense = sum(group.size for group in groups[1:]) + len(kept) + 1
    needed = 8.0 * (3 * groups[0].size * dense + 4 * dense**2 + 4 * n * dense / max(dense, 1))
    check_memory(groups, needed)
    X = scipy.linalg.solve_triangular(root, raw[:, kept].T, trans="T", lower=False).T if kept else None
    X = np.zeros((n, 0)) if X is None else np.ascontiguousarray(X)
    scales = tuple(scales_of(group) for group in groups)
    columns = tuple(group.columns / scale for group, scale in zip(groups, scales, strict=True))
    offsets = np.cumsum([0, *(group.size for group in groups[1:])])
    first = _within(groups[0], columns[0])
    cross = np.zeros((len(groups[0].levels), len(groups[0].names), dense))
    rest = np.zeros((dense, dense))
    fixed = slice(offsets[-1], dense - 1)
    rest[fixed, fixed] = X.T @ X
    cross[:, :, fixed] = _with_columns(groups[0], columns[0], X)
    for number, group in enumerate(groups[1:], start=1):
        place = slice(offsets[number - 1], offsets[number])
        cross[:, :, place] = _between(groups[0], columns[0], group, columns[number])
        mixed = _with_columns(group, columns[number], X).reshape(group.size, -1)
        rest[place, fixed], rest[fixed, place] = mixed, mixed.T
        for other in range(1, number):
            there = slice(offsets[other - 1], offsets[other])
            block = _between(groups[other], columns[other], group, columns[number]).reshape(-1, group.size)
            rest[there, place], rest[place, there] = block, block.T
        q, P = len(group.levels), len(group.names)
        own = np.zeros((q, P, q, P))
        own[np.arange(q), :, np.arange(q), :] = _within(group, columns[number])
        rest[place, place] = own.reshape(group.size, group.size)
    name = design.formula.response.text
    return Frame(groups, scales, columns, X, kept, root * sizes[list(kept)], first, cross, rest, name)


def measured(frame: Frame, y: Floats) -> Crossproducts:
    """Complete the cross-products of a design with a measure.

    Raises BadInput where it has no variance beyond the fixed effects.
    """
    X, n = frame.X, len(y)
    start = X.T @ y
    residual = y - X @ start
    correction = X.T @ residual
    start, residual = start + correction, residual - X @ correction
    unit = float(np.sqrt(residual @ residual / n))
    if unit <= 1e-10 * float(np.abs(y).max(initial=0.0)) or unit == 0.0:
        raise BadInput(
            f"'{frame.measure}' has no variance beyond the fixed effects; there is nothing to analyse. "
            f"Check that the formula names the measure itself."
        )
    residual = residual / unit
    right = residual[:, None]
    cross, rest = frame.cross.copy(), frame.rest.copy()
    cross[:, :, -1:] = _with_columns(frame.groups[0], frame.columns[0], right)
    parts = [
        _with_columns(group, columns, right).reshape(-1)
        for group, columns in zip(frame.groups[1:], frame.columns[1:], strict=True)
    ]
    rest[-1] = rest[:, -1] = np.concatenate([*parts, X.T @ residual, [residual @ residual]])
    return Crossproducts(frame.groups, frame.scales, frame.kept, frame.root, n, start, unit, frame.first, cross, rest)


def independent(X: Floats) -> tuple[tuple[int, ...], Floats]:
    """Return the columns that are no combination of earlier ones, and their triangular factor (X = QR)."""
    kept = list(range(X.shape[1]))
    norms = np.sqrt((X**2).sum(axis=0))
    while True:
        if not kept:
            return (), np.zeros((0, 0))
        root: Floats = np.asarray(np.linalg.qr(X[:, kept], mode="r"))
        size = np.zeros(len(kept))
        size[: root.shape[0]] = np.abs(np.diag(root))
        dependent = np.flatnonzero(size <= ALIASED * norms[kept])
        if not len(dependent):
            return tuple(kept), np.asarray(root)
        del kept[int(dependent[0])]


def sizes_of(X: Floats) -> Floats:
    """Return the largest absolute value of every column; 1 for a column of zeros."""
    sizes = np.abs(X).max(axis=0, initial=0.0)
    return np.where(sizes > 0, sizes, 1.0)


def scales_of(group: Group) -> Floats:
    largest = np.abs(group.columns).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    scale = largest * np.sqrt(((group.columns / largest) ** 2).mean(axis=0))
    for block in group.blocks:
        if block.shared:  # columns with one variance have one scale
            together = scale[list(block.columns)]
            top = float(together.max()) or 1.0
            scale[list(block.columns)] = top * np.sqrt(((together / top) ** 2).mean())
    return np.where(scale > 0, scale, 1.0)


def _within(group: Group, columns: Floats) -> Floats:
    q, P = len(group.levels), columns.shape[1]
    result = np.empty((q, P, P))
    for a in range(P):
        for b in range(a + 1):
            result[:, a, b] = result[:, b, a] = _sums(group.index, columns[:, a] * columns[:, b], q)
    return result


def _with_columns(group: Group, columns: Floats, right: Floats) -> Floats:
    q, P = len(group.levels), columns.shape[1]
    result = np.empty((q, P, right.shape[1]))
    for a in range(P):
        for b in range(right.shape[1]):
            result[:, a, b] = _sums(group.index, columns[:, a] * right[:, b], q)
    return result


def _between(group: Group, columns: Floats, other: Group, more: Floats) -> Floats:
    """Return Z'Z of two groups as (levels, P, levels' · P')."""
    q1, P1, q2, P2 = len(group.levels), columns.shape[1], len(other.levels), more.shape[1]
    result = np.empty((q1, P1, q2, P2))
    flat = group.index * q2 + other.index
    for a in range(P1):
        for b in range(P2):
            result[:, a, :, b] = _sums(flat, columns[:, a] * more[:, b], q1 * q2).reshape(q1, q2)
    return result.reshape(q1, P1, q2 * P2)


def _sums(index: npt.NDArray[np.intp], values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(index, weights=values, minlength=size), dtype=np.float64)
