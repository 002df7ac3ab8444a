"""Estimate design, effects and variances of participants and items from pilot data.

A factor of which everybody has one level is between participants, one of which every item has one level between items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.conditions.constant_factors import constant_factors
from analysis.methods.conditions.designs import Factor, cell_means
from analysis.methods.generalised.outcomes import answers
from analysis.methods.power.baseline import Outcome
from analysis.methods.power.design import ROLES, Design, design_of
from analysis.methods.power.pilot_fits import Rows, estimates_of, scale_of
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import coded, numbers
from analysis.methods.wording import counted, listed

FEW_PEOPLE = 10


@dataclass(frozen=True)
class Pilot:
    """A design with estimated effects (means of cells per term) and standard deviations.

    Of answers also thresholds, all in log odds, and the `labels` of ordered categories. `layout` is the design as the
    rows show it.
    """

    design: Design
    effects: dict[str, Floats]
    sds: dict[str, float]
    participants: int
    items: int | None
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    thresholds: tuple[float, ...] | None = None
    labels: tuple[str, ...] = ()
    layout: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return {
            "factors": [[factor.name, list(factor.levels)] for factor in self.design.factors],
            "effects": {name: values.tolist() for name, values in self.effects.items()},
            "sds": self.sds,
            "participants": self.participants,
            "items": self.items,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "between_participants": list(self.design.between_participants),
            "between_items": list(self.design.between_items),
            "thresholds": None if self.thresholds is None else list(self.thresholds),
            "labels": list(self.labels),
            "layout": self.layout,
        }

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Pilot:
        """Return what `as_dict` was made of; numbers are the same to the last bit."""
        return cls(
            design=design_of(
                [Factor(name, tuple(levels)) for name, levels in known["factors"]],
                between_participants=known["between_participants"],
                between_items=known["between_items"],
            ),
            effects={name: np.array(values, dtype=np.float64) for name, values in known["effects"].items()},
            sds=dict(known["sds"]),
            participants=known["participants"],
            items=known["items"],
            notes=tuple(known["notes"]),
            warnings=tuple(known["warnings"]),
            thresholds=None if known["thresholds"] is None else tuple(known["thresholds"]),
            labels=tuple(known["labels"]),
            layout=known.get("layout", ""),
        )


def pilot_of(
    frame: pd.DataFrame,
    *,
    dv: str,
    factors: Sequence[str],
    participant: str,
    item: str | None,
    scale: str = "raw",
    between_participants: Sequence[str] = (),
    between_items: Sequence[str] = (),
    outcome: Outcome = "measure",
) -> Pilot:
    """Estimate everything that a simulation needs.

    Raises BadInput where the data have no complete design or too few rows for any variance, or a factor that is named
    between participants or items varies within them.
    """
    frame, values, labels, notes, warnings = _values(frame, dv=dv, scale=scale, outcome=outcome)
    of_people, of_things, found = _between(
        frame,
        dv=dv,
        factors=factors,
        units=(participant, item),
        named=(between_participants, between_items),
    )
    notes += found
    cells = cell_means(
        frame,
        dv=dv,
        unit=participant,
        within=[name for name in factors if name not in of_people],
        between=of_people,
    )
    warnings += cells.warnings
    read = {factor.name: factor for factor in (*cells.within, *cells.between)}
    design = design_of([read[name] for name in factors], between_participants=of_people, between_items=of_things)
    columns = [coded(frame, factor.name) for factor in design.factors]
    people = coded(frame, participant)
    things = None if item is None else coded(frame, item)
    usable = ~np.isnan(values) & (people.positions >= 0)
    for column in (*columns, *(() if things is None else (things,))):
        usable &= column.positions >= 0
    if not usable.any():
        raise BadInput(f"There is no row with a value of '{dv}', an item and a level of every factor.")
    cell = np.zeros(len(frame), dtype=np.intp)
    for column in columns:
        cell = cell * len(column.levels) + column.positions
    unit = scale_of(values[usable]) if outcome == "measure" else 1.0
    rows = Rows(
        y=values[usable] / unit,
        unit=unit,
        cell=cell[usable],
        people=people.positions[usable],
        things=None if things is None else things.positions[usable],
        outcome=outcome,
    )
    estimates = estimates_of(rows, design, dv=dv)
    lacking = [
        term.name
        for term in design.terms
        if term.name not in estimates.slopes and any(term in design.slopes(role) for role in ROLES)
    ]
    if lacking:
        notes.append(
            f"The data are too few to estimate how {listed(lacking)} differs between people or items; 0 assumed."
        )
    if estimates.still:
        warnings.append(
            f"{listed(estimates.still)} does not vary within items in the data, so how much items differ in it is not "
            f"known (0 assumed); the simulated design shows every item in every cell."
        )
    count = len(np.unique(rows.people))
    how = "REML" if outcome == "measure" else "maximum likelihood (Laplace), in log odds,"
    notes.append(
        f"Variances were estimated by {how} from {len(rows.y):,} rows of {counted(count, 'participant')}"
        + (f" and {counted(len(np.unique(rows.things)), 'item')}." if rows.things is not None else ", without items.")
    )
    if count < FEW_PEOPLE:
        warnings.append(
            f"{counted(count, 'participant')} say little about variances; treat this power as a rough guess."
        )
    if estimates.sds["participant"] == 0 and outcome == "measure":
        warnings.append(
            "Participants have the same mean, as after z-scoring. F tests of within effects do not mind; a mixed model "
            "of such data is singular."
        )
    return Pilot(
        design=design,
        effects=estimates.effects,
        sds=estimates.sds,
        participants=count,
        items=None if rows.things is None else len(np.unique(rows.things)),
        notes=tuple(notes),
        warnings=tuple(warnings),
        thresholds=estimates.thresholds,
        labels=labels,
    )


def _values(
    frame: pd.DataFrame, *, dv: str, scale: str, outcome: Outcome
) -> tuple[pd.DataFrame, Floats, tuple[str, ...], list[str], list[str]]:
    """Return the frame with the measure as numbers, these numbers, the ordered categories, notes and warnings."""
    notes: list[str] = []
    warnings: list[str] = []
    labels: tuple[str, ...] = ()
    if outcome == "measure":
        values = np.asarray(numbers(frame, dv), dtype=np.float64)
    else:
        if scale == "log":
            raise BadInput("scale=log: answers of glmm and ordinal have no logarithm; leave scale at raw.")
        read = answers.binary(frame, dv) if outcome == "binary" else answers.ordered(frame, dv)
        values = read.values
        labels = read.levels if outcome == "ordered" else ()
        notes += read.notes
        warnings += read.warnings
    if scale == "log":
        lost = int((values <= 0).sum())
        values = np.where(values > 0, np.log10(np.where(values > 0, values, 1.0)), np.nan)
        notes.append(f"'{dv}' was taken as its logarithm to base 10; all sizes are on that scale.")
        if lost:
            warnings.append(f"{counted(lost, 'value')} of '{dv}' that are not above zero have no logarithm.")
    return frame.assign(**{dv: values}), values, labels, notes, warnings


def _between(
    frame: pd.DataFrame,
    *,
    dv: str,
    factors: Sequence[str],
    units: tuple[str, str | None],
    named: tuple[Sequence[str], Sequence[str]],
) -> tuple[list[str], list[str], list[str]]:
    """Return the factors between participants and between items, as named and as found in the data, and notes.

    Raises BadInput where one that is named has several levels within a unit.
    """
    made: list[list[str]] = []
    notes: list[str] = []
    if not numbers(frame, dv).notna().any():
        return [], [], []
    for role, unit, asked in zip(ROLES, units, named, strict=True):
        constant = [] if unit is None else constant_factors(frame, dv=dv, unit=unit, factors=factors)
        varying = [name for name in asked if name not in constant]
        if varying:
            raise BadInput(
                f"between_{role}s: {listed(varying)} has several levels within some {role} of the data. Where ids "
                f"begin anew at its levels, join them: {role}={':'.join((*varying, str(unit)))}. Else name it in "
                f"within, or correct the data."
            )
        made.append(constant)
        found = [name for name in constant if name not in asked]
        if found:
            notes.append(f"Every {unit} has one level of {listed(found)} only, so this differs between {role}s here.")
    both = [name for name in made[0] if name in made[1] and len(coded(frame, name).levels) > 1]
    if both:
        raise BadInput(
            f"In the data every participant and every item has one level of {listed(both)} only, so different people "
            f"saw different items at its levels, and power simulates people and items that are crossed. Leave it out, "
            f"or analyse its levels apart with where=…."
        )
    return made[0], made[1], notes
