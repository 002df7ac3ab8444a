"""Compute Bayes factors of conditions: JZS t tests of differences and ANOVA within units (`bayes-factor`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.anova import example
from analysis.methods.conditions.assumptions import unequal_groups
from analysis.methods.conditions.designs import CellMeans, averaged
from analysis.methods.conditions.effect_sizes import deviation
from analysis.methods.conditions.fitted import Fitted, fitted
from analysis.methods.conditions.planned_contrasts import CONTRASTS, all_pairs, contrasts_of
from analysis.methods.conditions.variance import Analysis, Effect, analyse
from analysis.methods.contrast_texts import split
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.effects.marginal_likelihood import Term, log_marginal
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.wording import df_text, listed, number_text

BF10 = Column("bf10", "BF10", "statistic", meaning="For a difference against none; empty where it is too large.")
BF01 = Column("bf01", "BF01", "statistic", meaning="For none against a difference: 1 / BF10.")
LN_BF10 = Column("ln_bf10", "ln BF10", meaning="The natural logarithm, also where BF10 is too large for a number.")
OF_T = declared_table(
    "t",
    "Bayes factors of differences of {dv}",
    "JZS t test of every contrast: the true d_z has a Cauchy prior of scale `r` (Rouder et al. 2009).",
    "family contrast estimate t df",
    (BF10, BF01),
    Column("bf10_wide", "BF10 (r = 1)", "statistic", meaning="With the scale 1.", importance="detail"),
    Column("bf10_ultrawide", "BF10 (r = √2)", "statistic", meaning="With the scale √2.", importance="detail"),
    usual("reading", "Evidence"),
    LN_BF10,
    "d_z",
    key="bf10",
    detail="ln_bf10",
)
OF_MODELS = declared_table(
    "models",
    "Bayes factors of models of {dv}",
    "Every model with its main effects, against units alone.",
    "model",
    replace(BF10, label="BF10 against units alone"),
    LN_BF10,
    when="with one or two factors within units and none between",
)
OF_EFFECTS = declared_table(
    "effects",
    "Bayes factors of effects on {dv}",
    "All models with an effect and nothing above it, against the same models without it.",
    "effect",
    replace(BF10, label="BF10 (models with it against those without)"),
    BF01,
    usual("reading", "Evidence"),
    LN_BF10,
    when="with one or two factors within units and none between",
)
MEDIUM, WIDE, ULTRAWIDE = math.sqrt(2) / 2, 1.0, math.sqrt(2)
OF_UNITS = 1.0
# With three factors the model of all effects has an integral of eight dimensions.
MOST_FACTORS = 2
GRADES = (
    (math.log(100), "extreme"),
    (math.log(30), "very strong"),
    (math.log(10), "strong"),
    (math.log(3), "moderate"),
)


def bayes_factor(
    frame: pd.DataFrame,
    *,
    dv: str,
    within: Sequence[str] = (),
    between: Sequence[str] = (),
    contrasts: str | None = None,
    unit: str = "participant",
    r: float = MEDIUM,
    r_fixed: float = 0.5,
    participant: str | None = "participant",
    item: str | None = "item",
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare effects with none by Bayes factors, on means of units in cells.

    Every contrast (as in `rm-anova`; all pairs of every factor unless given) has a JZS t test.

    Analysis of variance after Rouder et al. (2012): fixed effects with scale `r_fixed`, units as random effects with
    scale 1, one residual variance for all effects (no random slopes), by quadrature. `ln_bf10` stays where a Bayes
    factor is too large for a number.

    Raises BadInput where the design cannot be analysed, a contrast not read, or a scale does not lie between
    0.01 and 10.

    >>> frame, parameters = _example()
    >>> [round(line["bf10"], 3) for line in bayes_factor(frame, **parameters).table("t").lines()]
    [0.51]
    """
    if not within and not between:
        raise BadInput("Name at least one factor, with within=… or between=….")
    for name, value in (("r", r), ("r_fixed", r_fixed)):
        if not 0.01 <= value <= 10:
            raise BadInput(f"{name} must lie between 0.01 and 10, such as 0.5; {value:g} does not.")
    progress(0.2, "averaging")
    cells = averaged(frame, dv, within, between, unit=unit, units=(participant, item), where=where, keep=keep)
    analysis = analyse(cells)
    progress(0.3, "comparing conditions")
    lines, warnings = _of_contrasts(cells, fitted(cells, analysis), text=contrasts or all_pairs(cells), r=r)
    tables = [OF_T.of(lines, dv=dv)]
    sentences = [_of_line(line, f"the difference {line['contrast']}", r=r) for line in lines]
    if not between and len(within) <= MOST_FACTORS and analysis.strata[-1].ss_error > 0:
        progress(0.4, "comparing models")
        models, effects = _of_models(cells, analysis, r_fixed=r_fixed)
        tables = [OF_EFFECTS.of(effects, dv=dv), OF_MODELS.of(models, dv=dv), *tables]
        sentences = [_of_line(line, f"an effect of {line['effect']}", r=None) for line in effects] + sentences
    else:
        warnings.append(
            "Only differences have Bayes factors here: those of whole effects are computed for one or two factors "
            "within units, none between them, with an error variance."
        )
    return Report(
        tables=tuple(tables),
        figures=(
            Figure(
                name="evidence",
                title=f"Evidence for differences of {dv}",
                kind="points",
                table="t",
                encoding={"x": "ln_bf10", "y": "contrast"},
                caption="Natural logarithm of the Bayes factor: above zero for a difference, below for none; ±1.1 is "
                "a Bayes factor of 3, ±2.3 one of 10.",
                x_label="ln BF10",
            ),
        ),
        notes=(*cells.notes, *_notes(cells, r=r, r_fixed=r_fixed, with_models=len(tables) > 1)),
        warnings=(
            *cells.warnings,
            *unequal_groups(cells, what="The Bayes factor between groups"),
            *warnings,
        ),
        sentences=tuple(sentences),
        design=cells.layout,
    )


def _of_contrasts(cells: CellMeans, fit: Fitted, *, text: str, r: float) -> tuple[list[dict[str, Any]], list[str]]:
    lines: list[dict[str, Any]] = []
    warnings: list[str] = []
    for family in filter(None, split(text, ";")):
        for name, weights in contrasts_of(family, cells):
            line: dict[str, Any] = {"family": family.replace('"', ""), "contrast": name}
            line |= {"estimate": fit.estimate(weights), "df": fit.df, "ln_bf10": None}
            se = float(np.sqrt(fit.variance(fit.shape(weights))))
            if se > 0:
                sd, t = deviation(fit, weights), line["estimate"] / se
                size = (sd / se) ** 2
                found = {scale: jzs(t, fit.df, size=size, r=scale) for scale in (r, WIDE, ULTRAWIDE)}
                line |= {"t": t, "d_z": line["estimate"] / sd, **_told(found[r])}
                line |= {"bf10_wide": _factor(found[WIDE]), "bf10_ultrawide": _factor(found[ULTRAWIDE])}
            else:
                warnings.append(f"No test is possible for {name}: it is exactly the same in every {cells.unit}.")
            lines.append(line)
    if not lines:
        raise BadInput("contrasts names none; write such as marker: because=1, cause=-1, or leave it out.")
    return lines, warnings


def jzs(t: float, df: float, *, size: float, r: float) -> float:
    """Return ln BF10 of a t (Rouder et al. 2009); `size` is n, or n1 n2/(n1 + n2) of two groups.

    >>> round(math.exp(jzs(2.5, 23, size=24, r=math.sqrt(2) / 2)), 6)
    2.722659
    """
    half = (df + 1) / 2
    with_effect = log_marginal([Term(ss=t**2, df=1, c=size, r=r)], ss_rest=df, half=half)
    return with_effect - log_marginal([], ss_rest=df + t**2, half=half)


def _of_models(
    cells: CellMeans, analysis: Analysis, *, r_fixed: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows_of_means = cells.means.size
    of_units, *others = analysis.strata
    units = Term(ss=of_units.ss_error, df=len(cells.units) - 1, c=cells.means.shape[1], r=OF_UNITS)
    terms = {effect.factors: _term(effect, cells, r=r_fixed) for effect in analysis.effects}
    residual = sum(stratum.ss_error for stratum in others)

    def of_model(model: frozenset[tuple[str, ...]]) -> float:
        left_out = sum(term.ss for factors, term in terms.items() if factors not in model)
        chosen = [terms[factors] for factors in terms if factors in model]
        return log_marginal([units, *chosen], ss_rest=residual + left_out, half=(rows_of_means - 1) / 2)

    every = [frozenset(some) for some in chain.from_iterable(combinations(terms, n) for n in range(len(terms) + 1))]
    marginal = {model: of_model(model) for model in every if all(_has_margins(model, effect) for effect in model)}
    nothing = marginal[frozenset()]
    models = [
        {"model": " + ".join(":".join(factors) for factors in terms if factors in model)}
        | {"bf10": _factor(value - nothing), "ln_bf10": value - nothing}
        for model, value in marginal.items()
        if model
    ]
    effects = []
    for effect in terms:
        matched = [model for model in marginal if effect in model and not any(set(effect) < set(o) for o in model)]
        with_it = np.logaddexp.reduce([marginal[model] for model in matched])
        without = np.logaddexp.reduce([marginal[model - {effect}] for model in matched])
        effects.append({"effect": ":".join(effect), **_told(float(with_it - without))})
    return models, effects


def _has_margins(model: frozenset[tuple[str, ...]], effect: tuple[str, ...]) -> bool:
    return all(margin in model for size in range(1, len(effect)) for margin in combinations(effect, size))


def _term(effect: Effect, cells: CellMeans, *, r: float) -> Term:
    levels = math.prod(len(factor.levels) for factor in cells.within if factor.name in effect.factors)
    return Term(ss=effect.ss, df=effect.df1, c=cells.means.size / levels, r=r)


def _factor(log: float) -> float | None:
    return math.exp(log) if abs(log) < 700 else None


def _told(log: float) -> dict[str, Any]:
    return {"bf10": _factor(log), "bf01": _factor(-log), "reading": reading(log), "ln_bf10": log}


def reading(log: float) -> str:
    """Return how a Bayes factor is usually read (Lee & Wagenmakers 2013, after Jeffreys 1961).

    >>> reading(math.log(5)), reading(math.log(0.02)), reading(0.5)
    ('moderate for a difference', 'very strong for none', 'anecdotal')
    """
    grade = next((name for least, name in GRADES if abs(log) >= least), "anecdotal")
    return grade if grade == "anecdotal" else f"{grade} {'for a difference' if log > 0 else 'for none'}"


def _of_line(line: Mapping[str, Any], subject: str, *, r: float | None) -> str:
    if line["ln_bf10"] is None:
        return f"For {subject} there is no Bayes factor: it is exactly the same in every unit."
    favours = "10" if line["ln_bf10"] >= 0 else "01"
    value = line[f"bf{favours}"]
    number = f"> {number_text(math.exp(700))}" if value is None else f"= {number_text(value)}"
    prior = "" if r is None else f", t({df_text(line['df'])}) = {number_text(line['t'])}"
    return f"Evidence on {subject}: BF{favours} {number} ({line['reading']}){prior}."


def _notes(cells: CellMeans, *, r: float, r_fixed: float, with_models: bool) -> list[str]:
    notes = [
        "BF10 says how many times more likely the data are with a difference than with none, BF01 the reverse. "
        f"Differences have JZS t tests: d_z has a Cauchy prior with scale r = {number_text(r, places=3)}, so that half "
        f"of the prior lies within ±{number_text(r, places=3)} (Rouder, Speckman, Sun, Morey & Iverson 2009). They "
        "assume normal differences and hang on r: the table shows 1 and √2 beside it.",
        "Words for the evidence are those of Lee and Wagenmakers (2013); they are no thresholds.",
    ]
    if with_models:
        names = listed(factor.name for factor in cells.within)
        notes.append(
            f"Models of {names} are those of Rouder, Morey, Speckman and Province (2012): fixed effects with scale "
            f"{number_text(r_fixed, places=3)}, {cells.unit}s with scale 1, p(σ²) ∝ 1/σ², integrated by quadrature. "
            f"They have one residual variance: {cells.unit}s are not taken to differ in the effects, unlike in the F "
            "tests of rm-anova, where each effect has an error of its own."
        )
    return notes


def _example() -> Example:
    frame, _ = example()
    return frame, {"dv": "z", "within": ("order",)}


METHOD = declared(
    "bayes-factor",
    "Bayes factors",
    "How strong the evidence for a difference is, or for no difference: JZS t tests and analysis of variance.",
    bayes_factor,
    CONTRASTS,
    Parameter("r", "Prior scale of d", "number", help="0.707 is usual."),
    Parameter("r_fixed", "Prior scale of effects", "number", help="0.5 is usual."),
    group="compare",
    question=(
        "How strong is the evidence that {measure} differs by {factors}? Bayes factors",
        "How strong is the evidence for a difference, or for none? Bayes factors",
    ),
    needs=("numbers", "conditions"),
    example=_example,
    tables=(OF_EFFECTS, OF_MODELS, OF_T),
)
