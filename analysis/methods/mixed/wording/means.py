"""Remarks on what tests and means compare: averages under an interaction, means that cannot be known, zero."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import written_name
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.estimates.means import factors
from analysis.methods.report import Table
from analysis.methods.rows.remarks import Importance, of
from analysis.methods.wording import listed, p_text

ALPHA = 0.05
CELLS_SHOWN = 3


def about_means(fit: Estimates, tables: Sequence[Table], *, means: Sequence[str], by: Sequence[str]) -> list[str]:
    """Return remarks on the means over `means` inside levels of `by`; none where all cells are shown."""
    if not means:
        return []
    return of(Importance.MODEL, [*_under_interactions(fit, tables, means=means, by=by), *_unknown(fit, [*by, *means])])


def _under_interactions(
    fit: Estimates, tables: Sequence[Table], *, means: Sequence[str], by: Sequence[str]
) -> list[str]:
    """Say where means are averages over levels between which their differences change."""
    p_of = {str(line["effect"]): line.get("p") for table in tables if table.name == "anova" for line in table.lines()}
    known = {variable.text: variable.column for variable in factors(fit)}
    found: dict[str, str] = {}
    for effect, p in p_of.items():
        columns = [known[part] for part in effect.split(":") if part in known]
        beside = [name for name in columns if name not in means and name not in by]
        if p is not None and p < ALPHA and beside and len(columns) > 1 and any(name in means for name in columns):
            found.setdefault(effect, beside[0])
    if not found:
        return []
    told = listed(f"{effect} ({p_text(p_of[effect])})" for effect in found)
    beside = list(dict.fromkeys(found.values()))
    within = ",".join([*by, *beside])
    return [
        f"The means of {listed(means)} are averages over {listed(beside)}, and their differences depend on it: {told}. "
        f"An average may hold at no level. Compare them inside the levels: by={within}."
    ]


def _unknown(fit: Estimates, names: Sequence[str]) -> list[str]:
    """Say why a row of means is empty: a combination over which it would be an average has no rows."""
    read = factors(fit)
    over = [variable for variable in read if variable.column in names]
    others = [variable for variable in read if variable not in over]
    # Over all factors the empty row is the combination itself.
    if not others or not fit.design.formula.fixed.terms:
        return []
    order = [*over, *others]
    index = np.stack([read[variable].index for variable in order])
    present = set(map(tuple, index.T.tolist()))
    lacking = [
        cell for cell in product(*(range(len(read[variable].levels)) for variable in order)) if cell not in present
    ]
    crossed = {variable for term in fit.design.fixed.terms if len(term) > 1 for variable in term}
    if not lacking or not crossed & {*others}:
        return []
    rows = list(dict.fromkeys(cell[: len(over)] for cell in lacking))
    empty = listed(
        (":".join(read[variable].levels[at] for variable, at in zip(over, cell, strict=True)) for cell in rows),
        shown=CELLS_SHOWN,
    )
    cells = listed(
        (":".join(read[variable].levels[at] for variable, at in zip(order, cell, strict=True)) for cell in lacking),
        shown=CELLS_SHOWN,
    )
    every = ",".join(variable.column for variable in order)
    return [
        f"There is no mean of {empty}: it would be an average over {listed(one.text for one in others)}, and no row "
        f"has {cells}. Ask for the means of the combinations that there are (means={every}), or take the interaction "
        f"out of the formula if the effects add up."
    ]


def against_zero(design: Design) -> list[str]:
    """Say where the test of a factor asks whether its means are zero, as there is no intercept."""
    fixed = design.formula.fixed
    if fixed.intercept:
        return []
    alone = [
        variable
        for place, variable in design.fixed.full
        if len(design.fixed.terms[place]) == 1 and isinstance(design.variables.predictors[variable], Categorical)
    ]
    if not alone:
        return []
    return of(
        Importance.MODEL,
        [
            f"The formula has no intercept, so the test of {listed(one.text for one in alone)} asks whether all of its "
            f"means are zero, and not whether they differ. Take 0 + (or − 1) out: "
            f"{written_name(design.formula.response.column)} ~ {fixed.written} + …"
        ],
    )
