"""Combine stated and pilot values into the true effects and variances of the simulated studies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.methods.power.baseline import LOGISTIC_SD, check_answers
from analysis.methods.power.design import ROLES, Design, Truth
from analysis.methods.power.pilot import Pilot
from analysis.methods.power.stated import numbers_of, stated_effects, stated_sds
from analysis.methods.report import BadInput
from analysis.methods.wording import listed


def truth_of(
    design: Design,
    *,
    effect: str | None,
    sds: str | None,
    pilot: Pilot | None,
    thresholds: tuple[float, ...] | None = None,
) -> Truth:
    """Return effects and standard deviations; what is stated goes before what the pilot data show.

    With `thresholds` all are in log odds, and the residual is that of the logistic distribution.

    Raises BadInput where effects or the residual are neither stated nor estimated.
    """
    observed = None if pilot is None else pilot.effects
    if effect and effect.strip():
        effects = stated_effects(effect, design, observed)
    elif observed is not None:
        effects = dict(observed)
    else:
        raise BadInput(f"effect is missing: state how large it is, such as effect={design.terms[0].name}=0.2.")
    known = (dict(pilot.sds) if pilot is not None else {}) | stated_sds(sds, design)
    if thresholds is not None:
        if "residual" in known:
            raise BadInput(
                f"sds: leave residual out; answers of glmm and ordinal have the residual of the logistic distribution, "
                f"whose standard deviation is π/√3 = {LOGISTIC_SD:.2f} in log odds."
            )
        known["residual"] = LOGISTIC_SD
    if known.get("residual", 0.0) <= 0:
        raise BadInput(
            "The residual standard deviation must be above 0: state how much a person's ratings of the same kind vary, "
            "such as sds=participant=0.3; item=0.2; residual=0.6."
        )
    slopes = {
        role: {term.name: known.get(f"{role}:{term.name}", 0.0) for term in design.slopes(role)} for role in ROLES
    }
    made = Truth(
        effects=effects,
        residual=known["residual"],
        participant=known.get("participant", 0.0),
        item=known.get("item", 0.0),
        participant_slopes=slopes["participant"],
        item_slopes=slopes["item"],
        thresholds=thresholds,
    )
    if thresholds is not None:
        check_answers(design, made)
    return made


def unit_of(truth: Truth) -> float:
    """Return the largest standard deviation, in which everything is simulated: tests do not depend on units.

    Log odds are simulated as they are.
    """
    if truth.thresholds is not None:
        return 1.0
    slopes = [*(truth.participant_slopes or {}).values(), *(truth.item_slopes or {}).values()]
    unit = max(truth.residual, truth.participant, truth.item, *slopes)
    largest = max(float(np.abs(values).max()) for values in truth.effects.values())
    if largest > 1e6 * unit or truth.residual < 1e-6 * unit:
        raise BadInput(
            "The effects and standard deviations differ by more than a million times; check that all are in the units "
            "of the same measure."
        )
    return unit


def scaled(truth: Truth, unit: float) -> Truth:
    """Return the same truth in other units."""

    def shrunk(values: Any) -> dict[str, float]:
        return {name: value / unit for name, value in (values or {}).items()}

    return replace(
        truth,
        effects={name: np.asarray(values / unit, dtype=np.float64) for name, values in truth.effects.items()},
        residual=truth.residual / unit,
        participant=truth.participant / unit,
        item=truth.item / unit,
        participant_slopes=shrunk(truth.participant_slopes),
        item_slopes=shrunk(truth.item_slopes),
    )


def sizes_of(
    design: Design, *, n_participants: Any, n_items: Any, pilot: Pilot | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of participants and of items, those of the pilot data where none are given.

    Raises BadInput where a group between participants or items would have fewer than two.
    """
    people = numbers_of(
        n_participants, parameter="n_participants", fallback=None if pilot is None else pilot.participants
    )
    items = numbers_of(n_items, parameter="n_items", fallback=None if pilot is None else pilot.items)
    for role, numbers, groups in zip(ROLES, (people, items), design.places.shape[:2], strict=True):
        few = [number for number in numbers if groups > 1 and number < 2 * groups]
        if few:
            raise BadInput(
                f"n_{role}s: {few[0]} {role}s in {groups} groups by {listed(design.between(role))} are fewer than two "
                f"in each, so nobody could tell a difference between groups from one between single {role}s; take at "
                f"least {2 * groups}."
            )
    return people, items
