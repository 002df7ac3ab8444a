"""Compute the versions of an analysis: every scale of the measure, with and without each exclusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.conditions.designs import CellMeans, cell_means
from analysis.methods.conditions.minf import minf_row
from analysis.methods.conditions.variance import Analysis, Effect, analyse
from analysis.methods.measures.scales import score_values
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import coded, numbers
from analysis.methods.rows.selection import matching

NOTHING = "nothing"
ALL = "all of these"
SIGNIFICANT, NOT_SIGNIFICANT, IMPOSSIBLE = "significant", "not significant", "not possible"


@dataclass(frozen=True)
class Plan:
    """Which columns are analysed and how a version decides."""

    dv: str
    participant: str
    item: str | None
    within: tuple[str, ...]
    between_participants: tuple[str, ...]
    between_items: tuple[str, ...]
    modulus: str | None
    standard: float | None
    criterion: str
    alpha: float


@dataclass(frozen=True)
class Version:
    """One scale under one exclusion: a line per effect, or why there is none."""

    scale: str
    exclusion: str
    lines: tuple[dict[str, Any], ...]
    fault: str = ""


def exclusions(frame: pd.DataFrame, text: str | None) -> dict[str, pd.DataFrame]:
    """Return the rows that remain under no exclusion, under each, and under all where there are several.

    Raises BadInput for an exclusion that cannot be read.

    >>> frame = pd.DataFrame({"rt": [100, 500, 9000]})
    >>> {name: len(kept) for name, kept in exclusions(frame, "rt<200; rt>4000").items()}
    {'nothing': 3, 'rt<200': 2, 'rt>4000': 2, 'all of these': 1}
    """
    conditions = list(dict.fromkeys(part.strip() for part in (text or "").split(";") if part.strip()))
    found = {NOTHING: frame}
    every = np.zeros(len(frame), dtype=bool)
    for condition in conditions:
        try:
            hit = matching(frame, condition)
        except BadInput as fault:
            raise BadInput(f"exclusion: {str(fault).removeprefix('where: ')}") from fault
        every |= hit
        found[condition] = frame.loc[~hit]
    if len(conditions) > 1:
        found[ALL] = frame.loc[~every]
    return found


def version(frame: pd.DataFrame, plan: Plan, *, scale: str, exclusion: str, with_items: bool = True) -> Version:
    """Score the measure on one scale and analyse it over participants and items.

    Where the analysis is impossible the version holds the reason.
    """
    if frame.empty:
        return Version(scale, exclusion, (), "No row is left.")
    try:
        scored = frame.assign(**{plan.dv: scores(frame, plan, scale=scale)})
        first = over_participants(scored, plan)
        second = over_items(scored, plan) if with_items and plan.item is not None else None
    except BadInput as fault:
        return Version(scale, exclusion, (), str(fault))
    by_items = None if second is None else analyse(second)
    found = analyse(first)
    lines = [
        _line(effect, by_items, plan)
        | {
            "scale": scale,
            "exclusion": exclusion,
            "highest": _highest(effect, first),
            "n": int(first.trials.sum()),
            "n_participants": len(first.units),
            "n_items": None if second is None else len(second.units),
        }
        for effect in found.effects
    ]
    return Version(scale, exclusion, tuple(lines))


def over_participants(frame: pd.DataFrame, plan: Plan) -> CellMeans:
    """Return the means of F1."""
    within = [*plan.within, *plan.between_items]
    return cell_means(frame, dv=plan.dv, unit=plan.participant, within=within, between=plan.between_participants)


def over_items(frame: pd.DataFrame, plan: Plan) -> CellMeans:
    """Return the means of F2."""
    within = [*plan.within, *plan.between_participants]
    return cell_means(frame, dv=plan.dv, unit=plan.item, unit_role="item", within=within, between=plan.between_items)


def scores(frame: pd.DataFrame, plan: Plan, *, scale: str) -> Floats:
    """Return the measure on one scale; what has no place on it is NaN."""
    value = np.asarray(numbers(frame, plan.dv), dtype=np.float64)
    if scale == "raw":
        return value
    people = coded(frame, plan.participant)
    references = None
    if scale == "log-ratio":
        references = (
            np.full(len(frame), plan.standard)
            if plan.standard is not None
            else np.asarray(numbers(frame, str(plan.modulus)), dtype=np.float64)
        )
        references = np.where(references > 0, references, np.nan)
    return score_values(
        value, positions=people.positions, count=len(people.levels), how=scale, references=references, offset=None
    ).scores


def _line(effect: Effect, second: Analysis | None, plan: Plan) -> dict[str, Any]:
    line: dict[str, Any] = {
        "effect": effect.name,
        "f1": effect.f,
        "p1": effect.p(),
        "df1": effect.df1,
        "df1_error": effect.stratum.df_error,
        "p1_gg": effect.p(effect.sphericity.eps_gg),
        "ges": effect.ges,
    }
    other = None if second is None else second.effect(effect.factors)
    if other is not None:
        combined = minf_row(effect, other)
        line |= {
            "f2": other.f,
            "p2": other.p(),
            "df2_error": other.stratum.df_error,
            "p2_gg": other.p(other.sphericity.eps_gg),
            "minf": combined["minf"],
            "df_minf": combined.get("df2"),
            "p_minf": combined.get("p"),
        }
    p = _deciding(effect, other, line, plan.criterion)
    decision = IMPOSSIBLE if p is None else SIGNIFICANT if p < plan.alpha else NOT_SIGNIFICANT
    return line | {"p": p, "decision": decision}


def _deciding(effect: Effect, other: Effect | None, line: dict[str, Any], criterion: str) -> float | None:
    """Return the p that decides: of F1, the larger one of F1 and F2, or that of minF′."""
    first = _reported(effect)
    if other is None or criterion == "f1":
        return first
    if criterion == "min-f":
        return line["p_minf"] if line["p_minf"] is None else float(line["p_minf"])
    second = _reported(other)
    return None if first is None or second is None else max(first, second)


def _reported(effect: Effect) -> float | None:
    return effect.p(effect.epsilon_told)


def _highest(effect: Effect, cells: CellMeans) -> str | None:
    """Return the level with the highest mean, for a main effect of a within factor."""
    names = [factor.name for factor in cells.within]
    if len(effect.factors) != 1 or effect.factors[0] not in names:
        return None
    place = names.index(effect.factors[0])
    groups = [cells.means[cells.group_index == group].mean(axis=0) for group in range(len(cells.group_cells))]
    shape = [len(factor.levels) for factor in cells.within]
    table = np.mean(groups, axis=0).reshape(shape)
    means = table.mean(axis=tuple(axis for axis in range(len(shape)) if axis != place))
    return cells.within[place].levels[int(np.argmax(means))]


def conclusions(lines: Sequence[dict[str, Any]]) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Return per scale and exclusion what one would conclude about one effect: the decision, and its direction."""
    return {
        (line["scale"], line["exclusion"]): (
            line["decision"],
            line["highest"] if line["decision"] == SIGNIFICANT else None,
        )
        for line in lines
        if line["decision"] != IMPOSSIBLE
    }
