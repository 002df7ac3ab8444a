"""Read what is asked of a mixed model: its formulas, contrasts, orders of levels, and the rows that they can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Progress, no_progress
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.contrast_choice import Chosen, chosen_for
from analysis.methods.mixed.design.levels import read_levels
from analysis.methods.mixed.design.terms import Formula, random_text
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.report import BadInput
from analysis.methods.rows import used as rows
from analysis.methods.rows.design import PEOPLE, THINGS
from analysis.methods.rows.read_as import digits_read_as_numbers


@dataclass(frozen=True)
class Asked:
    """The formula, the one that it is `compare`d with, and the rows that both use, with what is said about these.

    `layout` is the design as the rows show it. The other fields are the parameters of these names, read.
    """

    formula: Formula
    compare: Formula | None
    frame: pd.DataFrame
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    layout: str
    contrasts: Chosen
    levels: dict[str, list[str]]
    categorical: tuple[str, ...]
    uncorrelated: str
    means: tuple[str, ...]
    by: tuple[str, ...]
    reduce: str
    confidence: float

    def read(self, text: Formula, values: Floats | None = None) -> variables.Variables:
        """Read what a formula takes from the rows; `values` (one per row) take the place of its measure."""
        frame = self.frame if values is None else self.frame.assign(**{text.response.column: values})
        return variables.read(frame, text, categorical=self.categorical, order_of_levels=self.levels)

    def design(self, text: Formula, read: variables.Variables, **needs: bool) -> matrices.Design:
        """Build the design of a formula; `needs` are `residual` and `random` of `matrices.build`."""
        return matrices.build(text, read, contrasts=self.contrasts, uncorrelated=self.uncorrelated, **needs)


def asked(
    frame: pd.DataFrame,
    *,
    formula: str,
    contrasts: str,
    categorical: Sequence[str],
    levels: str | None,
    uncorrelated: str,
    confidence: float,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    compare: str | None = None,
    reduce: str = reduction.NONE,
    measured: Sequence[str | None] = (),
    is_part: bool = False,
) -> Asked:
    """Read the parameters that all mixed models share; `measured` are columns of numbers beside the measure.

    Of rows that are a part of those that are analysed (`is_part`) no design is read.

    Raises BadInput for what cannot be read, names that do not exist, and parameters that do not go together.
    """
    check_confidence(confidence)
    if by and not means:
        raise BadInput("by: name with means=… the factors whose means are compared inside every level of by.")
    names = [str(name) for name in frame.columns]
    parsed = formulas.parse(formula, names)
    other = formulas.parse(compare, names) if compare else None
    if reduce != reduction.NONE and other and set(other.random) != set(parsed.random):
        raise BadInput(
            f"compare: with reduce={reduce} the other formula has the random effects that are chosen, so give it "
            f"those of the formula: {random_text(parsed)}."
        )
    order = read_levels(levels, names)
    coded = chosen_for(contrasts, [parsed, *([other] if other else [])])
    progress(0.02, "reading the data")
    chosen = rows.select(
        frame,
        used=[*measured, *parsed.columns, *(other.columns if other else ())],
        measured=[*measured, parsed.response.column],
        units=parsed.groupings,
        where=where,
        keep=keep,
    )
    chosen = chosen if is_part else with_design(chosen, parsed, measure=next(filter(None, measured), None))
    as_numbers = digits_read_as_numbers(chosen.frame, parsed.plain_predictors, categorical=categorical)
    return Asked(
        formula=parsed,
        compare=other,
        frame=chosen.frame,
        notes=tuple(chosen.notes),
        warnings=(*chosen.warnings, *as_numbers),
        layout=chosen.design,
        contrasts=coded,
        levels=order,
        categorical=tuple(categorical),
        uncorrelated=uncorrelated,
        means=tuple(means),
        by=tuple(by),
        reduce=reduce,
        confidence=confidence,
    )


def with_design(chosen: rows.Rows, formula: Formula, *, measure: str | None = None) -> rows.Rows:
    """Return rows with the design that they show to a model.

    Its units are the grouping factors that are no part of others. An effect that varies by a unit is within it by the
    formula, whatever ids there are.
    """
    singles = {term.group[0] for term in formula.random if len(term.group) == 1}
    groups = dict.fromkeys(term.group for term in formula.random if len(term.group) == 1 or not singles & {*term.group})
    units = {":".join(group): group for group in groups}
    if not units:
        units = {name: (name,) for name in (PEOPLE, THINGS) if name in chosen.frame.columns}
    return rows.with_design(
        chosen,
        units=units,
        factors=[variable.column for variable in formula.fixed.variables],
        measure=measure if measure in chosen.frame.columns else formula.response.column,
        within={
            (factor, unit)
            for term in formula.random
            for unit in term.group
            for factor in (*(variable.column for variable in term.part.variables), *term.group)
        },
        in_formula=bool(formula.random),
    )
