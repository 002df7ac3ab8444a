"""Compute Cronbach's α, McDonald's ω and item statistics of a scale (`reliability`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, shares, usual
from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.reliability import coefficients
from analysis.methods.reliability.answers import AnswersToItems, answers_to
from analysis.methods.reliability.example import example
from analysis.methods.reliability.one_factor import OneFactor, omega, one_factor, rmsea
from analysis.methods.report import Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import required
from analysis.methods.wording import counted, listed, p_text, percent_text, share_text

MISFIT = 0.08
"""The RMSEA above which a model is said to fit badly (Browne & Cudeck 1993)."""
RELIABILITY = declared_table(
    "reliability",
    "Reliability of the scale",
    "One row: the sum of the items. ω is McDonald's, of a one-factor model by maximum likelihood; two items have none.",
    usual("n", meaning="How many participants."),
    Column("items", "Items", "integer", meaning="How many items."),
    Column("alpha", "α", "share", meaning="Cronbach's α of the sum."),
    shares("ci_low ci_high"),
    Column("alpha_standardised", "α of standardised items", "share", meaning="Cronbach's α.", importance="detail"),
    Column("omega", "ω total", "share", meaning="ω of the sum of the items."),
    Column("omega_standardised", "ω of standardised items", "share", meaning="McDonald's ω.", importance="detail"),
    Column("mean_r", "Mean correlation of items", "share", meaning="Over pairs of items."),
    usual("mean", "Mean of the sum"),
    usual("sd", "SD of the sum"),
)
ITEMS = declared_table(
    "items",
    "What every item contributes",
    "One row per item, in the units of its answers.",
    usual("item", meaning="The column of the answers."),
    Column("reversed", "Reversed", "boolean", meaning="Whether it counts as low + high − x.", importance="detail"),
    "mean sd",
    Column("r_rest", "r with the rest", "share", meaning="Correlation with the sum of the other items."),
    Column("alpha_dropped", "α if dropped", "share", meaning="Cronbach's α of the other items."),
    Column("loading", "Loading", "share", meaning="On the one factor, standardised."),
    Column("uniqueness", "Uniqueness", "share", meaning="Variance that is not the factor's, standardised."),
)
FIT = declared_table(
    "fit",
    "Fit of one factor",
    "One row: the one-factor model by maximum likelihood; χ² has Bartlett's correction.",
    "chi2 df p converged",
    when="with three or more items, and more participants than items",
)


def reliability(
    frame: pd.DataFrame,
    *,
    items: tuple[str, ...],
    reverse: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
    participant: str | None = "participant",
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compute Cronbach's α and McDonald's ω of the sum of several items, and what every item contributes.

    `items` are columns of numbers, one answer per participant; where a participant has several rows, as in
    `trials.csv`, these must agree. Items in `reverse` count as low + high − x, with the smallest and largest answer
    where `low` and `high` are not given. Participants without an answer to every item are left out.

    With two items there is no one-factor model: ω and loadings are empty.

    Raises BadInput for fewer than two items or three participants, and items that do not vary.

    >>> frame, parameters = example()
    >>> print(reliability(frame, **parameters).sentences[0])
    Cronbach’s α = ..., 95 % CI [...], McDonald’s ω = ... (5 items, 40 participants).
    """
    check_confidence(confidence)
    people = required(frame, participant, role="participant")
    chosen = rows.select(frame, used=[people, *items], where=where, keep=keep)
    read = answers_to(chosen.frame, items=items, reverse=reverse, low=low, high=high, participant=people)
    progress(0.3, "α")
    answers = read.answers
    correlations: Floats = np.asarray(np.corrcoef(answers, rowvar=False))
    n, k = answers.shape
    model = one_factor(correlations, people=n) if k > 2 and n > k else None
    progress(0.8, "ω")
    line = _reliability(answers, correlations, model, confidence=confidence)
    tables = [RELIABILITY.of([line]), ITEMS.of(_of_items(answers, items, reverse, model))]
    if model is not None:
        fit = {"chi2": model.chi2 if model.df else None, "df": model.df, "p": model.p, "converged": model.converged}
        tables.append(FIT.of([fit]))
    return Report(
        tables=tuple(tables),
        figures=(
            Figure(
                name="dropped",
                title="What the scale would be without an item",
                kind="points",
                table="items",
                encoding={"x": "r_rest", "y": "alpha_dropped", "text": "item"},
                caption="A point is an item; above the line the others would agree better without it.",
                x_label="Correlation with the rest",
                y_label="α without the item",
                reference=line["alpha"] if np.isfinite(line["alpha"]) else None,
            ),
        ),
        notes=(*chosen.notes, *read.notes, *_notes(model, k, confidence)),
        warnings=(*chosen.warnings, *_warnings(read, items, line, model)),
        sentences=(_sentence(line, confidence),),
    )


def _reliability(
    answers: Floats, correlations: Floats, model: OneFactor | None, *, confidence: float
) -> dict[str, Any]:
    n, k = answers.shape
    value = coefficients.alpha(np.cov(answers, rowvar=False))
    ci_low, ci_high = coefficients.feldt_interval(value, people=n, items=k, confidence=confidence)
    total = answers.sum(axis=1)
    found = {
        "n": n,
        "items": k,
        "alpha": value,
        "ci_low": ci_low,
        "ci_high": ci_high,
        "alpha_standardised": coefficients.alpha(correlations),
        "mean_r": coefficients.mean_correlation(correlations),
        "mean": float(total.mean()),
        "sd": float(total.std(ddof=1)),
    }
    if model is not None:
        spread = answers.std(axis=0, ddof=1)
        found["omega"] = omega(model.loadings, model.uniquenesses, spread)
        found["omega_standardised"] = omega(model.loadings, model.uniquenesses)
    return found


def _of_items(
    answers: Floats, items: tuple[str, ...], reverse: tuple[str, ...], model: OneFactor | None
) -> pd.DataFrame:
    found = pd.DataFrame(
        {
            "item": items,
            "reversed": [item in reverse for item in items],
            "mean": [column.mean() for column in answers.T],
            "sd": [column.std(ddof=1) for column in answers.T],
            "r_rest": coefficients.item_rest_correlations(answers),
        }
    )
    if len(items) > 2:  # One item alone has no α.
        others = (np.delete(answers, place, axis=1) for place in range(len(items)))
        found["alpha_dropped"] = [coefficients.alpha(np.cov(each, rowvar=False)) for each in others]
    return found if model is None else found.assign(loading=model.loadings, uniqueness=model.uniquenesses)


def _notes(model: OneFactor | None, k: int, confidence: float) -> list[str]:
    said = [
        "Cronbach’s α = k/(k − 1) · (1 − Σ item variances / variance of the sum), with the "
        f"{percent_text(confidence)} interval of Feldt, Woodruff and Salih (1987)."
    ]
    if model is not None:
        said.append(
            "McDonald’s ω total = (Σλ)² / ((Σλ)² + Σψ) of a model with one factor, fitted to the correlations by "
            "maximum likelihood and brought back to the spread of the items."
        )
    elif k == 2:
        said.append("Two items cannot tell a factor from what they share by chance, so there is no ω.")
    return said


def _warnings(read: AnswersToItems, items: tuple[str, ...], line: dict[str, Any], model: OneFactor | None) -> list[str]:
    said = list(read.warnings)
    n, k = read.answers.shape
    rest = coefficients.item_rest_correlations(read.answers)
    against = [item for item, r in zip(items, rest, strict=True) if r < 0]
    if against:
        said.append(
            f"{listed(against)} {'goes' if len(against) == 1 else 'go'} against the rest (negative correlation). If "
            f"worded the other way round, name {'it' if len(against) == 1 else 'them'} in reverse=…."
        )
    if line["alpha"] < 0:
        said.append("α is negative: the items have less in common than by chance, so their sum measures nothing.")
    if n < 30 and np.isfinite(line["alpha"]):
        said.append(f"With {counted(n, 'participant')} the interval of α is wide; it is what to report.")
    if model is None and k > 2:
        said.append(
            "There is no ω: "
            + (
                f"a one-factor model of {k} items needs more than {k} participants."
                if n <= k
                else "an item follows exactly from the others, so the matrix of correlations is singular."
            )
        )
    if model is not None:
        if not model.converged:
            said.append("The one-factor model did not converge; do not report ω.")
        if any(model.at_bound):
            bound = [item for item, is_at in zip(items, model.at_bound, strict=True) if is_at]
            said.append(
                f"The unique variance of {listed(bound)} is estimated as almost none (a Heywood case): ω is too large, "
                f"and there are too few participants or items for one factor."
            )
        if model.df > 0 and model.p < 0.05 and (misfit := rmsea(model, people=n)) > MISFIT:
            said.append(
                f"One factor does not reproduce the correlations (χ²({model.df}) = {model.chi2:.2f}, "
                f"p {p_text(model.p).removeprefix('p ')}, RMSEA = {share_text(misfit)}): the items may measure more "
                f"than one thing, and α and ω then say little. χ² and RMSEA need normal answers: with skewed answers "
                f"or few answer categories, one factor alone is rejected much too often. Look at the content of the "
                f"items and at their distributions."
            )
    return said


def _sentence(line: dict[str, Any], confidence: float) -> str:
    of = f"({counted(line['items'], 'item')}, {counted(line['n'], 'participant')})."
    if not np.isfinite(line["alpha"]):
        return f"Cronbach’s α is not defined: the sum of the items is the same for everybody {of}"
    between = f"[{share_text(line['ci_low'])}, {share_text(line['ci_high'])}]"
    second = f", McDonald’s ω = {share_text(line['omega'])}" if "omega" in line else ""
    return f"Cronbach’s α = {share_text(line['alpha'])}, {percent_text(confidence)} CI {between}{second} {of}"


METHOD = declared(
    "reliability",
    "Reliability of a scale",
    "Cronbach’s α with its interval, McDonald’s ω, item–total correlations and α if an item is dropped.",
    reliability,
    Parameter(
        "items",
        "Items",
        "columns",
        help="The columns whose sum is the scale, one answer per participant.",
        role="measure",
    ),
    Parameter("reverse", "Reversed items", "columns", help="Items with reversed wording.", role="measure"),
    Parameter("low", "Lowest answer", "number", help="For reversed items: x counts as low + high − x."),
    Parameter("high", "Highest answer", "number", help="The highest answer that could be given."),
    group="agreement",
    question=("Do several questions measure the same thing?",),
    needs=("several questions",),
    example=example,
    tables=(RELIABILITY, ITEMS, FIT),
)
