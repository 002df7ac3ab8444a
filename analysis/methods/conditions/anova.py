"""Repeated-measures analysis of variance over participants (F1) or items (F2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import declared_table
from analysis.methods.conditions.anova_wording import (
    contrast_sentence,
    design_notes,
    effect_sentence,
    effect_warnings,
    follow_up_notes,
    simple_sentence,
)
from analysis.methods.conditions.assumptions import ASSUMPTIONS, assumptions_table, unequal_groups
from analysis.methods.conditions.cells import CELLS, OBSERVED, cells_table, figures_of, units_table
from analysis.methods.conditions.designs import averaged, of_others
from analysis.methods.conditions.effect_sizes import of_effect
from analysis.methods.conditions.planned_contrasts import PLANNED, contrasts_table
from analysis.methods.conditions.simple_effects import SIMPLE, simple_effects
from analysis.methods.conditions.variance import Effect, analyse
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Report
from analysis.methods.roles import declared

ANOVA = declared_table(
    "anova",
    "Analysis of variance of {dv}",
    "One row per effect; sums of squares of type III with sum coding.",
    "effect ss df1 ss_error df2 f p eps_gg p_gg",
    Column("eps_hf", "ε (Huynh–Feldt)", "share", meaning="As computed; used at most at 1."),
    Column("p_hf", "p (Huynh–Feldt)", "p", meaning="p with both df multiplied by ε of Huynh and Feldt."),
    Column("mauchly_w", "Mauchly's W", "share", meaning="None with one contrast or no more units than contrasts."),
    Column("mauchly_p", "p (Mauchly)", "p", meaning="p of Mauchly's test of sphericity."),
    "ges pes",
    Column("ms_error", "Error MS", meaning="Mean square of the error."),
    Column("df1_gg", "df1 (Greenhouse–Geisser)", "df", meaning="df1 times ε."),
    Column("df2_gg", "df2 (Greenhouse–Geisser)", "df", meaning="df2 times ε."),
    Column("df1_hf", "df1 (Huynh–Feldt)", "df", meaning="df1 times ε."),
    Column("df2_hf", "df2 (Huynh–Feldt)", "df", meaning="df2 times ε."),
    Column("eps_lb", "ε (lower bound)", "share", meaning="One over the number of contrasts."),
    Column("p_lb", "p (lower bound)", "p", meaning="p with both df multiplied by the lower bound of ε."),
    Column("omega2", "Partial ω²", "share", meaning="df1 (F − 1) / (df1 F + df2 + 1), at least 0."),
    "pes_low pes_high ges_low ges_high",
    Column("omega2_low", "Partial ω² CI low (90 %)", "share", meaning="Lower end of its 90 % interval."),
    Column("omega2_high", "Partial ω² CI high (90 %)", "share", meaning="Upper end of its 90 % interval."),
    key="f p",
    detail="ss ss_error eps_gg eps_hf p_hf mauchly_w mauchly_p ms_error df1_gg df2_gg df1_hf df2_hf eps_lb p_lb omega2 "
    "ges_low ges_high omega2_low omega2_high",
)


def rm_anova(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str] = (),
    between: Sequence[str] = (),
    unit: str = "participant",
    simple: Sequence[str] = (),
    contrasts: str | None = None,
    intervals: str = "within",
    confidence: float = 0.95,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Analyse the means of every unit in every cell.

    Tables: `METHOD`.

    Raises BadInput where the design cannot be analysed (see `designs.cell_means`), and where `simple` or `contrasts`
    name what is not there.

    Generalised η² = SS / (SS + all error SS), for factors that are all manipulated (Olejnik & Algina 2003; Bakeman
    2005); partial η² = SS / (SS + error SS); partial ω² = df1 (F − 1) / (df1 F + df2 + 1), at least 0 (Carroll &
    Nordholm 1975, as Albers & Lakens 2018 write it). Their intervals: `effect_sizes.of_effect`.

    >>> frame, parameters = example()
    >>> print(rm_anova(frame, **parameters).sentences[0][48:])
    F1(1.04, 5.19) = 0.20, p = .679, ηp² = .04, 90 % CI [.00, .44], ηG² = .01.
    """
    if not within and not between:
        raise BadInput("Name at least one factor, with within=… or between=….")
    check_confidence(confidence)
    progress(0.2, "averaging")
    cells = averaged(frame, dv, within, between, unit=unit, units=(participant, item), where=where, keep=keep)
    progress(0.6, "computing sums of squares")
    analysis = analyse(cells)
    tables = [
        ANOVA.of(map(anova_row, analysis.effects), dv=dv),
        cells_table(cells, intervals=intervals, confidence=confidence),
        assumptions_table(cells, analysis),
    ]
    sentences = [effect_sentence(effect, unit=unit) for effect in analysis.effects]
    follow_up_warnings: list[str] = []
    if simple:
        table, found = simple_effects(cells, at=simple)
        tables.append(table)
        sentences += [simple_sentence(line, unit=unit) for line in table.lines()]
        follow_up_warnings += found
    if contrasts:
        table, found = contrasts_table(cells, analysis, text=contrasts, confidence=confidence)
        tables.append(table)
        sentences += [contrast_sentence(line, confidence=confidence) for line in table.lines()]
        follow_up_warnings += found
    tables.append(units_table(cells))
    return Report(
        tables=tuple(tables),
        figures=figures_of(cells, confidence=confidence),
        notes=(
            *cells.notes,
            *design_notes(cells, intervals=intervals, confidence=confidence),
            *follow_up_notes(cells, simple=simple, contrasts=contrasts),
        ),
        warnings=(
            *cells.warnings,
            *effect_warnings(analysis),
            *of_others(frame, "rm-anova", unit=unit, units=(participant, item)),
            *unequal_groups(cells, what="The F test between groups"),
            *follow_up_warnings,
        ),
        sentences=tuple(sentences),
        design=cells.layout,
    )


def anova_row(effect: Effect) -> dict[str, Any]:
    """Return one line of the `anova` table."""
    sphericity, df2 = effect.sphericity, effect.stratum.df_error
    gg, hf = sphericity.eps_gg, sphericity.eps_hf
    capped = None if hf is None else min(1.0, hf)
    return {
        "effect": effect.name,
        "ss": effect.ss,
        "df1": effect.df1,
        "ss_error": effect.stratum.ss_error,
        "df2": df2,
        "f": effect.f,
        "p": effect.p(),
        "eps_gg": gg,
        "p_gg": effect.p(gg),
        "eps_hf": hf,
        "p_hf": effect.p(hf),
        "mauchly_w": sphericity.mauchly_w,
        "mauchly_p": sphericity.mauchly_p,
        "ges": effect.ges,
        "pes": effect.pes,
        "ms_error": effect.stratum.mean_square,
        "df1_gg": None if gg is None else effect.df1 * gg,
        "df2_gg": None if gg is None else df2 * gg,
        "df1_hf": None if capped is None else effect.df1 * capped,
        "df2_hf": None if capped is None else df2 * capped,
        "eps_lb": sphericity.eps_lb,
        "p_lb": effect.p(sphericity.eps_lb),
        "omega2": None
        if effect.f is None
        else max(0.0, (effect.f - 1) * effect.df1 / (effect.f * effect.df1 + df2 + 1)),
        **of_effect(effect),
    }


def example() -> Example:
    """Return a small complete design: six participants, three markers, two orders, two items a cell."""
    random = np.random.default_rng(20100602)
    lines = [
        {
            "participant": f"P{p}",
            "item": f"I{i}",
            "marker": marker,
            "order": order,
            "z": round(0.4 * (marker == "because") * (order == "ab") + 0.2 * p + float(random.normal()), 3),
        }
        for p in range(1, 7)
        for marker in ("because", "because-of", "cause")
        for order in ("ab", "ba")
        for i in range(1, 4)
    ]
    return pd.DataFrame(lines), {"dv": "z", "within": ("marker", "order")}


METHOD = declared(
    "rm-anova",
    "Repeated-measures ANOVA",
    "F tests over participants (F1) or items (F2) with sphericity corrections and effect sizes.",
    rm_anova,
    Parameter(
        "simple",
        "Simple effects at",
        "columns",
        help="Tests the other factors at each level of these factors.",
        role="factor",
    ),
    Parameter(
        "contrasts",
        "Planned contrasts",
        "text",
        help="Such as marker: because=1, cause=-1; order: first * marker: polynomial.",
    ),
    Parameter(
        "intervals",
        "Intervals of the means",
        "choice",
        help="Within-unit intervals show differences between conditions; between-unit intervals show the means.",
        choices=("within", "between"),
    ),
    group="compare",
    question=("Does {measure} differ by {factors}? By {units}", "Does a measure differ by condition? ANOVA (F1, F2)"),
    needs=("numbers", "conditions"),
    example=example,
    tables=(ANOVA, CELLS, ASSUMPTIONS, SIMPLE, PLANNED, OBSERVED),
)
