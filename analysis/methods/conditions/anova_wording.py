"""Sentences in APA style, notes and warnings of an analysis of variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.methods.conditions import effect_sizes
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.conditions.planned_contrasts import factors_of
from analysis.methods.conditions.variance import Analysis, Effect
from analysis.methods.contrast_texts import split
from analysis.methods.effects.noncentral import SHARE_OF_F, partial_eta2_text
from analysis.methods.wording import counted, df_text, listed, number_text, p_text, percent_text, share_text

NOTE_OF_D = (
    "dz is the difference over the standard deviation of the differences, dav over the root of the mean variance of "
    "the two means (Cumming 2012); their intervals are by the noncentral t."
)


def f_text(effect: Effect, *, unit: str) -> str:
    """Return an F test in APA style, its degrees of freedom corrected by Greenhouse and Geisser."""
    epsilon = effect.epsilon_told
    if effect.f is None or epsilon is None:
        return f"F{2 if unit == 'item' else 1} not defined (no error variance)"
    df1, df2 = df_text(effect.df1 * epsilon), df_text(effect.stratum.df_error * epsilon)
    partial = partial_eta2_text({"pes": effect.pes or 0.0, **effect_sizes.of_effect(effect)})
    sizes = f"{partial}, ηG² = {share_text(effect.ges or 0.0)}"
    number = f"F{2 if unit == 'item' else 1}({df1}, {df2}) = {number_text(effect.f)}"
    return f"{number}, {p_text(effect.p(epsilon))}{sizes}"


def effect_sentence(effect: Effect, *, unit: str) -> str:
    """Return one result in APA style."""
    p = effect.p(effect.epsilon_told)
    if p is None:
        kind = "main effect" if len(effect.factors) == 1 else "interaction"
        return f"The {kind} of {listed(effect.factors)} could not be tested, {f_text(effect, unit=unit)}."
    significant = p < 0.05
    if len(effect.factors) == 1:
        subject = "a main effect" if significant else "no significant main effect"
    else:
        subject = "an interaction" if significant else "no significant interaction"
    return f"There was {subject} of {listed(effect.factors)}, {f_text(effect, unit=unit)}."


def simple_sentence(line: Mapping[str, Any], *, unit: str) -> str:
    """Return a row of table `simple` in APA style, with the Greenhouse–Geisser p, which is what Holm's p adjusts."""
    subject = f"{'simple effect' if ':' not in line['effect'] else 'simple interaction'} of {line['effect']}"
    if line["p_gg"] is None:
        return f"At {line['at']}, the {subject} could not be tested: there is no error variance."
    df1, df2 = (df_text(line[name] * line["eps_gg"]) for name in ("df1", "df2"))
    found = "a" if line["p_gg"] < 0.05 else "no significant"
    return (
        f"At {line['at']}, there was {found} {subject}, F{2 if unit == 'item' else 1}({df1}, {df2}) = "
        f"{number_text(line['f'])}, {p_text(line['p_gg'])}{partial_eta2_text(line)}, "
        f"ηG² = {share_text(line['ges'])}; over the levels, Holm-adjusted {p_text(line['p_holm'])}."
    )


def contrast_sentence(line: Mapping[str, Any], *, confidence: float) -> str:
    """Return a row of table `contrasts` in APA style."""
    factors = " × ".join(factors_of(line["family"]))
    subject = f"The planned contrast of {factors} ({line['contrast']})"
    if line["p"] is None:
        return f"{subject} could not be tested: it is exactly the same in every unit."
    found = "was significant" if line["p"] < 0.05 else "was not significant"
    low, high = number_text(line["ci_low"]), number_text(line["ci_high"])
    return (
        f"{subject} {found}, estimate {number_text(line['estimate'])}, {percent_text(confidence)} CI [{low}, {high}], "
        f"t({df_text(line['df'])}) = {number_text(line['t'])}, {p_text(line['p'])}"
        f"{d_text(line, confidence=confidence)}; Holm-adjusted {p_text(line['p_holm'])}."
    )


def d_text(line: Mapping[str, Any], *, confidence: float) -> str:
    """Return d_z with its interval as it follows a test; nothing where there is none."""
    if line.get("d_z") is None:
        return ""
    low, high = number_text(line["d_z_low"]), number_text(line["d_z_high"])
    return f", dz = {number_text(line['d_z'])}, {percent_text(confidence)} CI [{low}, {high}]"


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
                f"there {'is' if stratum.df_units == 1 else 'are'} "
                f"{counted(stratum.df_units, 'error degree of freedom', 'error degrees of freedom')} per contrast for "
                f"{stratum.dimensions} contrasts"
                if stratum.df_units < stratum.dimensions
                else "the contrasts are linearly dependent in these data"
            )
            warnings.append(
                f"Mauchly's test is not defined for {names}: {reason}. "
                f"The Greenhouse–Geisser correction, which is told, still holds."
            )
        if stratum.dimensions > 1 and tested[0].sphericity.eps_hf is None and tested[0].f is not None:
            warnings.append(f"The Huynh–Feldt correction is not defined for {names} with so few units.")
    return warnings


def design_notes(cells: CellMeans, *, intervals: str, confidence: float) -> list[str]:
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
            f"Every within effect is tested against its own interaction with {cells.unit}s. The sentences have the "
            f"Greenhouse–Geisser correction wherever an effect has several contrasts, whatever Mauchly's test says: "
            f"with few {cells.unit}s it misses what matters. The table shows every version."
        )
    notes.append(
        "ηp² is SS/(SS + its error SS); ηG² is SS/(SS + all error SS), which treats all factors as manipulated. Their "
        f"intervals and that of ω² are those of the noncentrality of F, at {percent_text(SHARE_OF_F)}, as is usual: "
        "so they leave out zero exactly where F is significant at .05."
    )
    if intervals == "within" and cells.within:
        inside = " inside each group" if cells.between else ""
        notes.append(
            f"Confidence intervals of the means are {percent_text(confidence)} within-{cells.unit} intervals "
            f"(Cousineau 2005, with the correction of Morey 2008){inside}: they show how precise differences between "
            "conditions are, not how precise the means are."
        )
    else:
        notes.append(
            f"Confidence intervals of the means are {percent_text(confidence)} between-{cells.unit} t intervals."
        )
    return notes


def follow_up_notes(cells: CellMeans, *, simple: Sequence[str], contrasts: str | None) -> list[str]:
    notes = [
        "The table of assumptions shows Mauchly's test of sphericity, Levene's test and its version around the median "
        "where there are groups, and the Shapiro–Wilk test of the residuals; with many units such tests find "
        "departures too small to matter, with few they miss large ones."
    ]
    if simple:
        notes.append(
            f"Simple effects at each level of {listed(simple)} are tested with the error of that level alone; in the "
            f"sentences they are corrected by Greenhouse and Geisser, and Holm's p adjusts these p over the levels."
        )
    if contrasts:
        families = filter(None, split(contrasts, ";"))
        notes.append(
            f"Planned contrasts were {listed(families, shown=40)}. "
            f"Each is tested against how it varies over {cells.unit}s within groups, so it needs no "
            f"sphericity; Holm and Bonferroni adjust within a family of contrasts. {NOTE_OF_D}"
        )
    return notes
