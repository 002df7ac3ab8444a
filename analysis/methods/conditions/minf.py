"""Compute minF′, one F that generalises over participants and items at once (Clark 1973; `min-f`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import scipy

from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.anova import example
from analysis.methods.conditions.anova_wording import effect_warnings, f_text
from analysis.methods.conditions.constant_factors import constant_factors
from analysis.methods.conditions.designs import cell_means
from analysis.methods.conditions.variance import Effect, analyse
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.error_rates.recorded import measured_in
from analysis.methods.report import BadInput, Column, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.rows.design import PEOPLE, THINGS
from analysis.methods.rows.measure import formula_of, other_model
from analysis.methods.wording import df_text, listed, number_text, p_text

MINF = declared_table(
    "minf",
    "minF′ of {dv}",
    "One row per effect, from uncorrected F1 and F2.",
    "effect",
    Column("f1", "F₁", "statistic", meaning="F over participants."),
    Column("df1_error", "Error df of F₁", "df", meaning="Degrees of freedom of its error."),
    Column("f2", "F₂", "statistic", meaning="F over items."),
    Column("df2_error", "Error df of F₂", "df", meaning="Degrees of freedom of its error."),
    Column("minf", "minF′", "statistic", meaning="F1·F2 / (F1 + F2)."),
    "df1",
    usual("df2", meaning="(F1 + F2)² / (F1² / df2_error + F2² / df1_error)."),
    usual("p", meaning="p of minF′."),
    Column("p1", "p of F₁", "p", meaning="Not corrected for sphericity."),
    Column("p2", "p of F₂", "p", meaning="Not corrected for sphericity."),
    key="minf p",
)


def min_f(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str] = (),
    between_participants: Sequence[str] = (),
    between_items: Sequence[str] = (),
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Combine the analyses over participants and over items.

    minF′ = F1·F2 / (F1 + F2), df2 = (F1 + F2)² / (F1² / df2_error + F2² / df1_error). A factor that differs between
    participants and one that differs between items each are within factors of the other analysis. So is a factor named
    in `within` of which every participant, or every item, has one level only; a note says so.

    Raises BadInput where either analysis is impossible.

    >>> frame, parameters = example()
    >>> print(min_f(frame, **parameters).sentences[0])  # doctest: +ELLIPSIS
    marker: minF′(2, ...
    """
    if not (within or between_participants or between_items):
        raise BadInput("Name at least one factor with within=….")
    used = [dv, participant, item, *within, *between_participants, *between_items]
    chosen = rows.select(frame, used=used, measured=[dv], units=(participant, item), where=where, keep=keep)
    progress(0.2, "analysing participants")
    people, things = required(frame, participant, role="participant"), required(frame, item, role="item")
    factors = (*within, *between_participants, *between_items)
    chosen = rows.with_design(
        chosen,
        units={PEOPLE: people, THINGS: things},
        factors=factors,
        measure=dv,
        within={(name, unit) for name in factors for unit in (people, things)},
    )
    of_people = constant_factors(chosen.frame, dv=dv, unit=people, factors=within)
    of_things = constant_factors(chosen.frame, dv=dv, unit=things, factors=within)
    over_participants = cell_means(
        chosen.frame,
        dv=dv,
        unit=people,
        unit_role="participant",
        within=[*(name for name in within if name not in of_people), *between_items],
        between=[*of_people, *between_participants],
    )
    progress(0.6, "analysing items")
    over_items = cell_means(
        chosen.frame,
        dv=dv,
        unit=things,
        unit_role="item",
        within=[*(name for name in within if name not in of_things), *between_participants],
        between=[*of_things, *between_items],
    )
    first, second = analyse(over_participants), analyse(over_items)
    asked = other_model(chosen.frame, dv, formula_of(dv, chosen.layout)) if chosen.layout else []
    warnings = [*chosen.warnings, *asked, *over_participants.warnings, *over_items.warnings]
    warnings += [*effect_warnings(first), *effect_warnings(second)]
    lines: list[dict[str, Any]] = []
    sentences: list[str] = []
    for effect in first.effects:
        other = second.effect(effect.factors)
        if other is None:
            continue
        line = minf_row(effect, other)
        lines.append(line)
        sentences.append(_sentence(effect, other, line))
        if line["minf"] is None:
            warnings.append(f"minF′ of {effect.name} is not defined: F1 and F2 must exist and not both be zero.")
    return Report(
        tables=(MINF.of(lines, dv=dv),),
        notes=(
            *chosen.notes,
            *(
                f"Every {unit} has one level of {listed(names)} only, so this differs between {unit}s here."
                for unit, names in ((people, of_people), (things, of_things))
                if names
            ),
            *(f"F1: {note}" for note in over_participants.notes),
            *(f"F2: {note}" for note in over_items.notes),
            "minF′ = F1·F2/(F1 + F2) (Clark 1973), from uncorrected F1 and F2. It is conservative: it holds for "
            f"participants and items at once. {measured_in('min-f', {})}".strip(),
        ),
        warnings=tuple(dict.fromkeys(warnings)),
        sentences=tuple(sentences),
        design=chosen.design,
    )


def minf_row(first: Effect, second: Effect) -> dict[str, Any]:
    """Return minF′ of one effect from its analysis over participants and the one over items."""
    line: dict[str, Any] = {
        "effect": first.name,
        "f1": first.f,
        "df1_error": first.stratum.df_error,
        "f2": second.f,
        "df2_error": second.stratum.df_error,
        "df1": first.df1,
        "p1": first.p(),
        "p2": second.p(),
        "minf": None,
    }
    if first.f is None or second.f is None or first.f + second.f == 0:
        return line
    minf = first.f * second.f / (first.f + second.f)
    df2 = (first.f + second.f) ** 2 / (first.f**2 / second.stratum.df_error + second.f**2 / first.stratum.df_error)
    return line | {"minf": minf, "df2": df2, "p": float(scipy.stats.f.sf(minf, first.df1, df2))}


def _sentence(first: Effect, second: Effect, line: dict[str, Any]) -> str:
    both = f"{f_text(first, unit='participant')}; {f_text(second, unit='item')}"
    if line["minf"] is None:
        return f"{listed(first.factors)}: minF′ not defined; {both}."
    result = f"minF′({df_text(line['df1'])}, {df_text(line['df2'])}) = {number_text(line['minf'])}, {p_text(line['p'])}"
    return f"{listed(first.factors)}: {result}; {both}."


METHOD = declared(
    "min-f",
    "minF′",
    "F1 over participants, F2 over items, and minF′, which generalises over both.",
    min_f,
    Parameter(
        "between_participants",
        "Between-participants factors",
        "columns",
        help="Within items: every item is seen at every level, by different people.",
        role="factor",
    ),
    Parameter(
        "between_items",
        "Between-items factors",
        "columns",
        help="Within participants: everybody sees every level, with different items.",
        role="factor",
    ),
    group="compare",
    question=(
        "Does {measure} differ by {factors}? Participants and items together (minF′)",
        "Does a measure differ by condition? Participants and items together (minF′)",
    ),
    needs=("numbers", "conditions"),
    example=example,
    tables=(MINF,),
)
