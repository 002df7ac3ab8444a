"""Repeated-measures analysis of variance over participants (F1) or items (F2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods import rows
from analysis.methods.cells import cells_table, figures_of
from analysis.methods.designs import DV, ITEM, PARTICIPANT, UNIT, CellMeans, cell_means, unit_column
from analysis.methods.registry import Example, Method, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Report, Table
from analysis.methods.variance import Analysis, Effect, analyse
from analysis.methods.wording import df_text, listed, number_text, p_text, share_text

ANOVA_COLUMNS = (
    Column("effect", "Effect", "text"),
    Column("ss", "Sum of squares"),
    Column("df1", "df1", "df"),
    Column("ss_error", "Error SS"),
    Column("df2", "df2", "df"),
    Column("f", "F", "statistic"),
    Column("p", "p", "p"),
    Column("eps_gg", "ε (Greenhouse–Geisser)", "share"),
    Column("p_gg", "p (Greenhouse–Geisser)", "p"),
    Column("eps_hf", "ε (Huynh–Feldt)", "share"),
    Column("p_hf", "p (Huynh–Feldt)", "p"),
    Column("mauchly_w", "Mauchly's W", "share"),
    Column("mauchly_p", "p (Mauchly)", "p"),
    Column("ges", "Generalised η²", "share"),
    Column("pes", "Partial η²", "share"),
    Column("ms_error", "Error MS"),
    Column("df1_gg", "df1 (Greenhouse–Geisser)", "df"),
    Column("df2_gg", "df2 (Greenhouse–Geisser)", "df"),
    Column("df1_hf", "df1 (Huynh–Feldt)", "df"),
    Column("df2_hf", "df2 (Huynh–Feldt)", "df"),
    Column("eps_lb", "ε (lower bound)", "share"),
    Column("p_lb", "p (lower bound)", "p"),
)


def rm_anova(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str] = (),
    between: Sequence[str] = (),
    unit: str = "participant",
    intervals: str = "within",
    confidence: float = 0.95,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Analyse the means of every unit in every cell.

    Tables:
        `anova`: effect, ss, df1, ss_error, df2, f, p, eps_gg, p_gg, eps_hf, p_hf, mauchly_w, mauchly_p, ges, pes,
        ms_error, df1_gg, df2_gg, df1_hf, df2_hf, eps_lb, p_lb. One row per effect; sums of squares of type III with
        sum coding. `eps_hf` is printed as computed and used at most at 1. An effect with a single contrast has ε = 1
        and no Mauchly test. Where there are no more units than contrasts, Mauchly's test is undefined and ε of
        Greenhouse and Geisser still holds.
        `cells`: the factors, n, mean, sd, ci_low, ci_high, se. Means over units in the units of `dv`. `intervals`
        chooses the confidence interval: `within` units (Cousineau 2005 with the correction of Morey 2008, inside
        each group) or `between` units (mean ± t · sd/√n).

    Raises BadInput where the design cannot be analysed (see `designs.cell_means`).

    Generalised η² = SS / (SS + all error SS), for factors that are all manipulated (Olejnik & Algina 2003; Bakeman
    2005); partial η² = SS / (SS + error SS).

    >>> frame, parameters = example()
    >>> print(rm_anova(frame, **parameters).sentences[0])
    There was no significant main effect of marker, F1(1.04, 5.19) = 0.20, p = .679, ηp² = .04, ηG² = .01.
    """
    if not within and not between:
        raise BadInput("Name at least one factor, with within=… or between=….")
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")
    column = unit_column(unit, participant=participant, item=item)
    chosen = rows.select(frame, used=[dv, column, *within, *between], where=where, keep=keep)
    progress(0.2, "averaging")
    cells = cell_means(chosen.frame, dv=dv, unit=column, unit_role=unit, within=within, between=between)
    progress(0.6, "computing sums of squares")
    analysis = analyse(cells)
    anova = Table.from_rows("anova", f"Analysis of variance of {dv}", ANOVA_COLUMNS, map(anova_row, analysis.effects))
    means = cells_table(cells, intervals=intervals, confidence=confidence)
    return Report(
        method="rm-anova",
        params={},
        tables=(anova, means),
        figures=figures_of(cells, confidence=confidence),
        notes=(*chosen.notes, *cells.notes, *_notes(cells, intervals=intervals, confidence=confidence)),
        warnings=(*chosen.warnings, *cells.warnings, *effect_warnings(analysis)),
        sentences=tuple(effect_sentence(effect, unit=unit) for effect in analysis.effects),
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
    }


def is_corrected(effect: Effect) -> bool:
    """Return whether sentences use the Greenhouse–Geisser correction: Mauchly's test is significant or undefined."""
    sphericity = effect.sphericity
    if effect.stratum.dimensions == 1 or sphericity.eps_gg is None:
        return False
    return sphericity.mauchly_p is None or sphericity.mauchly_p < 0.05


def f_text(effect: Effect, *, unit: str) -> str:
    """Return an F test in APA style, with corrected degrees of freedom where sphericity fails."""
    epsilon = effect.sphericity.eps_gg if is_corrected(effect) else 1.0
    if effect.f is None or epsilon is None:
        return f"F{2 if unit == 'item' else 1} not defined (no error variance)"
    df1, df2 = df_text(effect.df1 * epsilon), df_text(effect.stratum.df_error * epsilon)
    sizes = f"ηp² = {share_text(effect.pes or 0.0)}, ηG² = {share_text(effect.ges or 0.0)}"
    number = f"F{2 if unit == 'item' else 1}({df1}, {df2}) = {number_text(effect.f)}"
    return f"{number}, {p_text(effect.p(epsilon))}, {sizes}"


def effect_sentence(effect: Effect, *, unit: str) -> str:
    """Return one result in APA style."""
    p = effect.p(effect.sphericity.eps_gg if is_corrected(effect) else 1.0)
    significant = p is not None and p < 0.05
    if len(effect.factors) == 1:
        subject = "a main effect" if significant else "no significant main effect"
    else:
        subject = "an interaction" if significant else "no significant interaction"
    return f"There was {subject} of {listed(effect.factors)}, {f_text(effect, unit=unit)}."


def effect_warnings(analysis: Analysis) -> list[str]:
    """Say where a test or a correction is not defined, and why."""
    warnings = []
    for stratum in analysis.strata:
        tested = [effect for effect in analysis.effects if effect.stratum is stratum]
        if not tested:
            continue
        names = listed(effect.name for effect in tested)
        if any(effect.f is None for effect in tested):
            warnings.append(
                f"F is not defined for {names}: the error variance is zero, every unit shows exactly the same pattern."
            )
        elif stratum.dimensions > 1 and tested[0].sphericity.mauchly_w is None:
            reason = (
                f"there are {stratum.df_units} error degrees of freedom per contrast for {stratum.dimensions} contrasts"
                if stratum.df_units < stratum.dimensions
                else "the contrasts are linearly dependent in these data"
            )
            warnings.append(
                f"Mauchly's test is not defined for {names}: {reason}. "
                f"Use the Greenhouse–Geisser correction, which still holds."
            )
        if stratum.dimensions > 1 and tested[0].sphericity.eps_hf is None and tested[0].f is not None:
            warnings.append(f"The Huynh–Feldt correction is not defined for {names} with so few units.")
    return warnings


def _notes(cells: CellMeans, *, intervals: str, confidence: float) -> list[str]:
    within, between = listed(f.name for f in cells.within), listed(f.name for f in cells.between)
    design = " and ".join(
        part
        for part in (
            f"{within} within {cells.unit}s" if within else "",
            f"{between} between {cells.unit}s" if between else "",
        )
        if part
    )
    notes = [f"Analysis of variance with {design}; sums of squares of type III, sum coding."]
    if cells.between:
        sizes = np.bincount(cells.group_index, minlength=len(cells.group_cells))
        groups = (f"{':'.join(group)} {size}" for group, size in zip(cells.group_cells, sizes, strict=True))
        notes.append(
            f"Groups: {listed(groups, shown=40)}. Between effects are tested against {cells.unit}s within groups."
        )
    if cells.within:
        notes.append(
            f"Every within effect is tested against its own interaction with {cells.unit}s. In the sentences the "
            f"Greenhouse–Geisser correction is applied where Mauchly's test is significant at .05 or not defined; the "
            f"table shows every version."
        )
    notes.append(
        "ηp² is SS/(SS + its error SS); ηG² is SS/(SS + all error SS), which treats all factors as manipulated."
    )
    if intervals == "within" and cells.within:
        inside = " inside each group" if cells.between else ""
        notes.append(
            f"Confidence intervals of the means are {confidence:.0%} within-{cells.unit} intervals (Cousineau 2005, "
            f"with the correction of Morey 2008){inside}: they show how precise differences between conditions are, "
            f"not how precise the means are."
        )
    else:
        notes.append(f"Confidence intervals of the means are {confidence:.0%} between-{cells.unit} t intervals.")
    return notes


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


CONFIDENCE = Parameter("confidence", "Confidence level", "number", help="Of all intervals.", default=0.95)
WITHIN = Parameter("within", "Within factors", "columns", help="Factors that change within every unit.", role="factor")

METHOD = Method(
    slug="rm-anova",
    label="Repeated-measures ANOVA",
    summary="F tests over participants (F1) or items (F2) with sphericity corrections and effect sizes.",
    function=rm_anova,
    parameters=(
        DV,
        WITHIN,
        Parameter("between", "Between factors", "columns", help="Factors that differ between units.", role="factor"),
        UNIT,
        Parameter(
            "intervals",
            "Intervals of the means",
            "choice",
            help="Within-unit intervals show differences between conditions; between-unit intervals show the means.",
            default="within",
            choices=("within", "between"),
        ),
        CONFIDENCE,
        PARTICIPANT,
        ITEM,
        *rows.ROW_PARAMETERS,
    ),
    example=example,
)
