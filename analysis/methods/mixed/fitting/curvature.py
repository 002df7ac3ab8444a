"""The exact Hessian of the criterion over (θ, σ), with σ not profiled out.

For elements i and j of θ, with V_i = ∂V/∂θ_i = Z(∂_iΛ Λ' + Λ ∂_iΛ')Z' and P as in `engine`,

    ∂²d/∂θ_i∂θ_j = tr(P V_ij) − tr(P V_i P V_j) − (y'P V_ij P y − 2 y'P V_i P V_j P y)/σ²

(ML: V⁻¹ in place of P in the traces). All of it follows from G = Z'PZ, whose blocks are formed a few levels at a time.
For the largest group with itself, G = D − LL' with D block-diagonal and L as wide as all else in the model. With many
levels its blocks are never formed: with S_i = ∂_iΛ Λ' + Λ ∂_iΛ' and C_k = L_k L_k',

    Σ_kl tr(G_kl S_i G_kl' S_j) = tr(A_i A_j) + Σ_k [tr((D_k − C_k) S_i (D_k − C_k) S_j) − tr(C_k S_i C_k S_j)],

A_i = Σ_k L_k' S_i L_k, so that the work grows with the number of people and not with its square.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Group
from analysis.methods.mixed.fitting.crossproducts import Crossproducts
from analysis.methods.mixed.fitting.engine import Derived, State, product

CHUNK = 2_000_000
# With so many times as many effects as the rest of the model has, the blocks of the largest group are not formed.
MANY = 4
# Blocks of more numbers than this are squared where Λ is diagonal.
LARGE = 100_000


@dataclass(frozen=True)
class Place:
    """One element of θ: its group, and its row and column in that group's Λ.

    `tied` are further columns of that group whose diagonal elements are the same number: contrasts with one variance.
    """

    group: int
    row: int
    column: int
    tied: tuple[int, ...] = ()

    @property
    def diagonal(self) -> bool:
        """Return whether it stands on the diagonal."""
        return self.row == self.column

    @property
    def elements(self) -> tuple[Place, ...]:
        """Return the elements of Λ that this one is, each by itself."""
        if not self.tied:
            return (self,)
        return tuple(Place(self.group, column, column) for column in (self.column, *self.tied))


def places(groups: Sequence[Group]) -> tuple[Place, ...]:
    """Return the elements of θ, column by column inside each block; one for all columns of a shared block."""
    found: list[Place] = []
    for number, group in enumerate(groups):
        for block in group.blocks:
            first, *others = block.columns
            if block.shared:
                found.append(Place(number, first, first, tuple(others)))
                continue
            found += [
                Place(number, row, column)
                for position, column in enumerate(block.columns)
                for row in block.columns[position:]
            ]
    return tuple(found)


def factors(groups: Sequence[Group], elements: Sequence[Place], theta: Floats) -> tuple[Floats, ...]:
    """Return the factor Λ of every group."""
    made = tuple(np.zeros((len(group.names), len(group.names))) for group in groups)
    for place, value in zip(elements, theta, strict=True):
        for one in place.elements:
            made[place.group][one.row, one.column] = value
    return made


def by_elements(by_group: Sequence[Floats], elements: Sequence[Place]) -> Floats:
    """Return for every element of θ the sum of what the groups' matrices hold at its places."""
    return np.array(
        [sum(by_group[place.group][one.row, one.column] for one in place.elements) for place in elements],
        dtype=np.float64,
    )


def slopes(derived: Derived, *, weight: float) -> tuple[Floats, ...]:
    """Return Γ = Σ G_l − w Σ h_l h_l' of every group: the derivative with respect to its covariance matrix."""
    return tuple(
        gamma - weight * (effect.T @ effect) for gamma, effect in zip(derived.gammas, derived.effects, strict=True)
    )


def gradient(state: State, derived: Derived, elements: tuple[Place, ...], *, weight: float) -> Floats:
    """Return the derivative with respect to θ; `weight` is df/r² where σ is profiled out, else 1/σ²."""
    by_group = [2 * slope @ factor for slope, factor in zip(slopes(derived, weight=weight), state.lambdas, strict=True)]
    return by_elements(by_group, elements)


def hessian(
    prepared: Crossproducts, state: State, derived: Derived, elements: tuple[Place, ...], *, sigma: float, reml: bool
) -> Floats:
    """Return the second derivatives with respect to θ where σ is held."""
    single = tuple(one for place in elements for one in place.elements)
    made = _hessian(prepared, state, derived, single, sigma=sigma, reml=reml)
    if len(single) == len(elements):
        return made
    owners = np.repeat(np.arange(len(elements)), [len(place.elements) for place in elements])
    tie = np.eye(len(elements))[owners]
    return np.asarray(tie.T @ made @ tie)


def _hessian(
    prepared: Crossproducts, state: State, derived: Derived, elements: tuple[Place, ...], *, sigma: float, reml: bool
) -> Floats:
    weight = 1 / sigma**2
    gammas = slopes(derived, weight=weight)
    result = np.zeros((len(elements), len(elements)))
    for i, first in enumerate(elements):
        for j, second in enumerate(elements):
            if first.group == second.group and first.column == second.column:
                result[i, j] = 2 * gammas[first.group][first.row, second.row]
    arms = _arms(prepared, state, derived, elements)
    through = _through_design(prepared, state, derived, arms) if not reml else None
    by_group = [
        np.array([i for i, place in enumerate(elements) if place.group == number]) for number in range(len(arms))
    ]
    for g, h in combinations_with_replacement(reversed(range(len(arms))), 2):
        rows, columns = by_group[g], by_group[h]
        of_rows, of_columns = [elements[i] for i in rows], [elements[j] for j in columns]
        used = prepared.others + (prepared.p if reml else 0)
        if g == h == 0 and prepared.groups[0].size > MANY * used:
            traces, quadratic = _of_largest(derived, state.lambdas[0], of_rows, arms[0], used)
        else:
            traces = np.zeros((len(rows), len(columns)))
            quadratic = np.zeros_like(traces)
            for levels, block in _blocks(prepared, state, derived, g, h, reml=reml):
                traces += _traces(block, state.lambdas[g], state.lambdas[h], of_rows, of_columns)
                part = arms[g][levels].reshape(-1, len(rows))
                flat = block.reshape(part.shape[0], -1)
                quadratic += product(part.T, product(flat, arms[h].reshape(flat.shape[1], -1)))
        if through is not None:
            quadratic -= through[g].T @ through[h]
        result[np.ix_(rows, columns)] += 2 * weight * quadratic - traces
        if g != h:
            result[np.ix_(columns, rows)] = result[np.ix_(rows, columns)].T
    return np.asarray((result + result.T) / 2)


def _of_largest(
    derived: Derived, factor: Floats, elements: list[Place], arms: Floats, used: int
) -> tuple[Floats, Floats]:
    """Return traces and quadratic forms of the largest group with itself, without the blocks of G."""
    levels, width, _elements = arms.shape
    flat = derived.left[0][:, :used]
    left = flat.reshape(levels, width, used)
    common = left @ left.swapaxes(1, 2)
    own, through = (block[:, :, None, :] for block in (derived.inner - common, common))
    traces = _traces(own, factor, factor, elements, elements) - _traces(through, factor, factor, elements, elements)
    rows = [np.ascontiguousarray(left[:, row]) for row in range(width)]
    sides = np.empty((len(elements), used * used))
    for side, place in zip(sides, elements, strict=True):
        if _is_diagonal(factor, [place]):
            half = np.tril(scipy.linalg.blas.dsyrk(factor[place.row, place.row], rows[place.row].T, lower=1))
            np.fill_diagonal(half, np.diag(half) / 2)
            half *= 2
        else:
            turned = sum(value * rows[row] for row, value in enumerate(factor[:, place.column]))
            half = product(rows[place.row].T, turned)
        side[:] = (half + half.T).ravel()
    shared = product(flat.T, arms.reshape(levels * width, -1))
    within = np.einsum("kpi,kpq,kqj->ij", arms, derived.inner, arms, optimize=True)
    return traces + product(sides, sides.T), within - product(shared.T, shared)


def _is_diagonal(factor: Floats, elements: list[Place]) -> bool:
    """Return whether Λ is diagonal, and the elements stand on its diagonal."""
    return all(place.diagonal for place in elements) and not np.count_nonzero(factor - np.diag(np.diag(factor)))


def _arms(prepared: Crossproducts, state: State, derived: Derived, elements: tuple[Place, ...]) -> list[Floats]:
    """Return (∂_iΛ Λ' + Λ ∂_iΛ') h for every element, by group: levels × P × elements of that group."""
    arms = []
    for number, group in enumerate(prepared.groups):
        mine = [place for place in elements if place.group == number]
        effects, factor = derived.effects[number], state.lambdas[number]
        scaled = effects @ factor
        made = np.zeros((len(group.levels), len(group.names), len(mine)))
        for index, place in enumerate(mine):
            made[:, place.row, index] += scaled[:, place.column]
            made[:, :, index] += effects[:, place.row, None] * factor[:, place.column]
        arms.append(made)
    return arms


def _through_design(prepared: Crossproducts, state: State, derived: Derived, arms: list[Floats]) -> list[Floats]:
    """Return R⁻¹X'V⁻¹Z a of every element: what Z'PZ has less than Z'V⁻¹Z."""
    if not prepared.p:
        return [np.zeros((0, arm.shape[2])) for arm in arms]
    return [
        np.asarray(
            scipy.linalg.solve_triangular(state.fixed_root, np.tensordot(design, arm, ((0, 1), (0, 1))), lower=True)
        )
        for design, arm in zip(derived.by_design, arms, strict=True)
    ]


def _blocks(
    prepared: Crossproducts, state: State, derived: Derived, g: int, h: int, *, reml: bool
) -> Iterator[tuple[slice, Floats]]:
    """Yield Z'PZ (REML) or Z'V⁻¹Z of two groups (h ≤ g), some levels of g at a time: levels × P × levels' × P'."""
    used = prepared.others + (prepared.p if reml else 0)
    group, other = prepared.groups[g], prepared.groups[h]
    width = len(group.names)
    left = derived.left[0][:, :used] if g == 0 else derived.left[1][prepared.places[g], :used]
    right = derived.left[0][:, :used] if h == 0 else derived.left[1][prepared.places[h], :used]
    at_once = max(1, CHUNK // (width * other.size))
    for start in range(0, len(group.levels), at_once):
        levels = slice(start, min(start + at_once, len(group.levels)))
        rows = slice(levels.start * width, levels.stop * width)
        block = -product(left[rows], right.T).reshape(-1, width, len(other.levels), len(other.names))
        if g == 0:
            some = np.arange(levels.stop - levels.start)
            block[some, :, some + levels.start, :] += derived.inner[levels]
        elif h == 0:
            offset = prepared.places[g].start
            there = slice(offset + rows.start, offset + rows.stop)
            block += derived.remaining[:, there].T.reshape(block.shape)
        else:
            offset = prepared.places[g].start
            there = slice(offset + rows.start, offset + rows.stop)
            block += state.schur[there, prepared.places[h]].reshape(block.shape)
        yield levels, block


def _traces(block: Floats, factor: Floats, other: Floats, rows: list[Place], columns: list[Place]) -> Floats:
    """Return tr(G S_i G' S_j) with S = ∂Λ Λ' + Λ ∂Λ', summed over the levels in the block.

    For i = (a, b) and j = (c, d): 2 Σ [G_ac (Λ'GΛ)_bd + (GΛ)_ad (Λ'G)_bc].
    """
    P, Q = block.shape[1], block.shape[3]
    if block.size > LARGE and _is_diagonal(factor, rows) and _is_diagonal(other, columns):
        squares = np.einsum("kalc,kalc->ac", block, block)
        own, others = ([place.row for place in places] for places in (rows, columns))
        return np.asarray(4 * np.outer(factor[own, own], other[others, others]) * squares[np.ix_(own, others)])
    plain = np.ascontiguousarray(block.transpose(1, 3, 0, 2)).reshape(P * Q, -1)
    right = product(_kron(np.eye(P), other).T, plain)
    left = product(_kron(factor, np.eye(Q)).T, plain)
    both = product(_kron(factor, np.eye(Q)).T, right)
    one = product(plain, both.T).reshape(P, Q, P, Q)
    two = product(right, left.T).reshape(P, Q, P, Q)
    a, b = np.array([(place.row, place.column) for place in rows]).T
    c, d = np.array([(place.row, place.column) for place in columns]).T
    first = one[a[:, None], c[None, :], b[:, None], d[None, :]]
    second = two[a[:, None], d[None, :], b[:, None], c[None, :]]
    return np.asarray(2 * (first + second))


def _kron(first: Floats, second: Floats) -> Floats:
    return np.asarray(np.kron(first, second), dtype=np.float64)
