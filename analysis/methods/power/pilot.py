"""What pilot data say about a design: its factors, its effects, and how much people and items differ.

Estimated by a mixed model (REML) on orthonormal contrasts of the cells, with uncorrelated slopes. The contrasts of one
term share a variance in the simulation, so theirs are averaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.conditions.designs import Advice, Factor, cell_means
from analysis.methods.mixed import design as matrices
from analysis.methods.mixed import formula as formulas
from analysis.methods.mixed import variables
from analysis.methods.mixed.crossproducts import prepare
from analysis.methods.mixed.optimise import fit
from analysis.methods.mixed.satterthwaite import Fitted, fitted
from analysis.methods.power.design import Design, Term, design_of
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import coded, numbers
from analysis.methods.wording import counted, listed

ADVICE = Advice(
    constant=". power simulates factors within participants only and does not cover factors between them: leave it out."
)
MOST_SLOPES = 8
FEW_PEOPLE = 10


@dataclass(frozen=True)
class Pilot:
    """A design with estimated effects (means of cells per term) and standard deviations (see `power_design`)."""

    design: Design
    effects: dict[str, Floats]
    sds: dict[str, float]
    participants: int
    items: int | None
    notes: tuple[str, ...]
    warnings: tuple[str, ...]

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
        }

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Pilot:
        """Return what `as_dict` was made of; numbers are the same to the last bit."""
        return cls(
            design=design_of([Factor(name, tuple(levels)) for name, levels in known["factors"]]),
            effects={name: np.array(values, dtype=np.float64) for name, values in known["effects"].items()},
            sds=dict(known["sds"]),
            participants=known["participants"],
            items=known["items"],
            notes=tuple(known["notes"]),
            warnings=tuple(known["warnings"]),
        )


def pilot_of(
    frame: pd.DataFrame, *, dv: str, within: Sequence[str], participant: str, item: str | None, scale: str
) -> Pilot:
    """Estimate everything that a simulation needs.

    Raises BadInput where the data have no complete design or too few rows for any variance.
    """
    values = np.asarray(numbers(frame, dv), dtype=np.float64)
    notes: list[str] = []
    warnings: list[str] = []
    if scale == "log":
        lost = int((values <= 0).sum())
        values = np.where(values > 0, np.log10(np.where(values > 0, values, 1.0)), np.nan)
        notes.append(f"'{dv}' was taken as its logarithm to base 10; all sizes are on that scale.")
        if lost:
            warnings.append(f"{counted(lost, 'value')} of '{dv}' that are not above zero have no logarithm.")
    frame = frame.assign(**{dv: values})
    cells = cell_means(frame, dv=dv, unit=participant, within=within, advice=ADVICE)
    warnings += cells.warnings
    design = design_of(cells.within)
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
    rows = _Rows(
        y=values[usable] / _unit(values[usable]),
        unit=_unit(values[usable]),
        cell=cell[usable],
        people=people.positions[usable],
        things=None if things is None else things.positions[usable],
    )
    model, slopes, fixed = _fitted(rows, design, dv=dv)
    effects, sds = _estimates(model, rows, design, slopes)
    lacking = [term.name for term in design.terms if term not in slopes]
    if lacking:
        notes.append(
            f"The data are too few to estimate how {listed(lacking)} differs between people or items; 0 assumed."
        )
    if fixed:
        warnings.append(
            f"{listed(fixed)} does not vary within items in the data, so how much items differ in it is not known (0 "
            f"assumed); the simulated design shows every item in every cell."
        )
    count = len(np.unique(rows.people))
    notes.append(
        f"Variances were estimated by REML from {len(rows.y):,} rows of {counted(count, 'participant')}"
        + (f" and {counted(len(np.unique(rows.things)), 'item')}." if rows.things is not None else ", without items.")
    )
    if count < FEW_PEOPLE:
        warnings.append(
            f"{counted(count, 'participant')} say little about variances; treat this power as a rough guess."
        )
    if sds["participant"] == 0:
        warnings.append(
            "Participants have the same mean, as after z-scoring. F tests of within effects do not mind; a mixed model "
            "of such data is singular."
        )
    return Pilot(
        design=design,
        effects=effects,
        sds=sds,
        participants=count,
        items=None if rows.things is None else len(np.unique(rows.things)),
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


@dataclass(frozen=True)
class _Rows:
    y: Floats
    unit: float
    cell: np.typing.NDArray[np.intp]
    people: np.typing.NDArray[np.intp]
    things: np.typing.NDArray[np.intp] | None


def _unit(values: Floats) -> float:
    """Return a scale on which squares of the values neither overflow nor vanish."""
    return float(np.abs(values).max()) or 1.0


def _fitted(rows: _Rows, design: Design, *, dv: str) -> tuple[Fitted, list[Term], list[str]]:
    """Fit with as many slopes as the data allow: all terms, main effects, none."""
    main = [term for term in design.terms if len(term.factors) == 1]
    attempts: list[list[Term]] = [terms for terms in (list(design.terms), main) if _df(terms) <= MOST_SLOPES]
    reason = ""
    for slopes in [*attempts, []]:
        try:
            return _fit_with(rows, design, slopes)
        except BadInput as fault:
            reason = str(fault)
    raise BadInput(
        f"The variances cannot be estimated from these data ('{dv}'). State them with sds=…, such as "
        f"sds=participant=0.3; item=0.2; residual=0.6, and the design with design=…. What stood in the way: {reason}"
    )


def _fit_with(rows: _Rows, design: Design, slopes: list[Term]) -> tuple[Fitted, list[Term], list[str]]:
    values = design.contrasts[rows.cell]
    names = [f"c{number}" for number in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names)
    frame["y"], frame["p"] = rows.y, [f"p{code}" for code in rows.people]
    varying = [name for name, term in zip(names, _owners(design), strict=True) if term in slopes]
    random = [f"(1 + {' + '.join(varying)} || p)" if varying else "(1 | p)"]
    still: list[str] = []
    if rows.things is not None:
        frame["i"] = [f"i{code}" for code in rows.things]
        spread = frame.groupby("i")[names].transform(lambda column: column - column.iloc[0]).abs().max()
        moving = [name for name in varying if spread[name] > 1e-9]
        owners = dict(zip(names, _owners(design), strict=True))
        still = list(dict.fromkeys(owners[name].name for name in varying if name not in moving))
        random.append(f"(1 + {' + '.join(moving)} || i)" if moving else "(1 | i)")
    formula = formulas.parse(f"y ~ {' + '.join(names)} + {' + '.join(random)}", list(frame.columns))
    made = matrices.build(formula, variables.read(frame, formula), contrasts="sum")
    prepared = prepare(made)
    return fitted(made, prepared, fit(prepared, reml=True), reml=True), slopes, still


def _estimates(
    model: Fitted, rows: _Rows, design: Design, slopes: list[Term]
) -> tuple[dict[str, Floats], dict[str, float]]:
    beta = dict(zip(model.names, model.beta, strict=True))
    variances = {
        group.name: dict(zip(group.names, np.diag(covariance), strict=True))
        for group, covariance in zip(model.prepared.groups, model.random_covariances(), strict=True)
    }
    owners = _owners(design)
    effects: dict[str, Floats] = {}
    sds: dict[str, float] = {"participant": 0.0, "item": 0.0}
    for group, role in (("p", "participant"), ("i", "item")):
        known = variances.get(group, {})
        sds[role] = _sd(known.get("(Intercept)", 0.0)) * rows.unit
        for term in slopes:
            found = [known.get(f"c{number}", 0.0) for number, owner in enumerate(owners) if owner is term]
            sds[f"{role}:{term.name}"] = _sd(float(np.mean(found))) / term.loading(len(design.cells)) * rows.unit
    sds["residual"] = model.sigma * rows.unit
    for term in design.terms:
        weights = np.array([beta.get(f"c{number}", 0.0) for number, owner in enumerate(owners) if owner is term])
        effects[term.name] = term.contrasts @ weights * rows.unit
    return effects, sds


def _sd(variance: float) -> float:
    return 0.0 if variance < 1e-12 else float(np.sqrt(variance))


def _owners(design: Design) -> list[Term]:
    return [term for term in design.terms for _ in range(term.contrasts.shape[1])]


def _df(terms: Sequence[Term]) -> int:
    return sum(term.contrasts.shape[1] for term in terms)
