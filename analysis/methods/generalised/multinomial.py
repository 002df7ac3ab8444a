"""Declare the method `multinomial`: mixed models of answers of several categories, each against a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.columns import FACTORS, declared_table
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.generalised.estimates.probabilities import covariance_of, interval, standard_errors
from analysis.methods.generalised.estimates.shared_answers import influences, shared_covariance
from analysis.methods.generalised.estimates.type_three import ANOVA, TESTS
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.generalised.reported.several import joined, with_outcomes
from analysis.methods.generalised.single import Options, reported_model
from analysis.methods.mixed.asked import Asked, asked
from analysis.methods.mixed.design import matrices
from analysis.methods.mixed.design.contrast_choice import AUTOMATIC
from analysis.methods.mixed.estimates.means import marginal_means, named_factors
from analysis.methods.mixed.estimates.scales import BINOMIAL, scale_of
from analysis.methods.mixed.random_effects import reduction
from analysis.methods.mixed.reported.declared import GENERALISED, STEPS
from analysis.methods.mixed.reported.figures import figures
from analysis.methods.mixed.reported.sentences import sentences
from analysis.methods.mixed.settings import CODING, REDUCE, formula_parameter
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows.columns import codes, level_meant
from analysis.methods.wording import listed, no_such, p_text

FEWEST, MOST = 3, 12
# Further from an observed share than this a probability is not one that a reader would expect.
FAR = 0.15
SINGLE_ANSWERS = frozenset({"observed", "units", "influence", "calibration"})
PROBABILITIES = declared_table(
    "probabilities",
    "Estimated probabilities of every category",
    "One row per condition and category, of the middle person and item; they add up to 1 in a condition.",
    FACTORS,
    Column("category", "Category", "text", meaning="The answer."),
    Column("probability", "Probability", "share", meaning="exp(η) of the category over the sum of all; empty where a "
           "model has no finite estimate."),
    Column("observed", "Observed share", "share", meaning="Share of the answers in the condition."),
    Column("n", "n", "integer", meaning="How many answers were of the category in the condition."),
    Column("se", "SE", "number", meaning="Standard error of the probability (delta method); empty where a model has no "
           "finite estimate."),
    Column("ci_low", "CI low", "share", meaning="Lower end of the confidence interval, symmetric in log odds."),
    Column("ci_high", "CI high", "share", meaning="Upper end of the confidence interval."),
    when="where the formula has factors",
)  # fmt: skip
CATEGORIES = declared_table(
    "categories",
    "Categories",
    "One row per category, the baseline first.",
    Column("category", "Category", "text", meaning="The answer."),
    Column("n", "n", "integer", meaning="How many answers it has."),
    Column("share", "Share", "share", meaning="Share of all answers."),
    Column("is_baseline", "Baseline", "boolean", meaning="Whether the others are held against it."),
)


def multinomial(
    frame: pd.DataFrame,
    *,
    formula: str,
    baseline: str | None = None,
    contrasts: str = AUTOMATIC,
    categorical: Sequence[str] = (),
    levels: str | None = None,
    means: Sequence[str] = (),
    by: Sequence[str] = (),
    uncorrelated: str = matrices.BY_TERM,
    tests: str = "f",
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    reduce: str = reduction.NONE,
    progress: Progress = no_progress,
) -> Report:
    """Fit a multinomial logistic mixed model as baseline contrasts: every category against one, in lme4's syntax.

    The left side of `formula` is a column of three or more unordered categories. For every category k but the
    `baseline` (by default the most frequent one) the answers that are k or the baseline have a mixed logistic model,
    log(p_k / p_baseline) = η_k, with coefficients and random effects of its own, as `glmm` fits it. These are the
    individualised logits of Begg & Gray (1984, *Biometrika* 71, 11–18): consistent for the coefficients of the
    multinomial model, equal to its maximum likelihood where the fixed effects are saturated and there are no random
    effects, nearly as precise otherwise if the baseline is frequent.

    An effect is tested once per category, with p_outcomes adjusted by Holm over the categories: the effect is
    significant where the smallest of them is. Probabilities of a condition are exp(η_k) / Σ exp(η_j), η = 0 for the
    baseline, at random effects of 0. Their standard errors and intervals (delta method, symmetric in log odds) count
    that the models of two categories share the answers of the baseline, and how the predicted random effects of their
    people and items go together (`estimates.shared_answers`).

    Tables: `METHOD`; every one of a model has the column `outcome`, such as `left vs none`.

    Raises BadInput where there are fewer than three categories or more than twelve, and where no category can be
    compared with the baseline.

    >>> frame, parameters = multinomial_example()
    >>> report = multinomial(frame, **parameters)
    >>> report.table("categories").frame()["category"].tolist()
    ['none', 'left', 'right']
    """
    question = asked(
        frame, formula=formula, contrasts=contrasts, categorical=categorical, levels=levels, uncorrelated=uncorrelated,
        confidence=confidence, means=means, by=by, where=where, keep=keep, progress=progress, reduce=reduce,
    )  # fmt: skip
    column = question.formula.response.column
    if question.formula.response.function:
        raise BadInput(f"'{question.formula.response.text}' is a number; left of ~ stands a column of categories.")
    answers = codes(question.frame, column)
    counts = answers.value_counts()
    base = _baseline(baseline, column, counts)
    others = [category for category in sorted(counts.index, key=str) if category != base]
    options = Options(
        family=BINOMIAL, link="logit", positive="1", trials=None, exposure=None, tests=tests, is_single=False
    )
    reports: dict[str, Report] = {}
    fits: dict[str, Fitted] = {}
    refused: dict[str, str] = {}
    for number, category in enumerate(others):
        name = f"{category} vs {base}"
        share = 0.96 / len(others)

        def watch(count: int, start: float = 0.02 + share * number, size: float = share, what: str = name) -> None:
            progress(start + size * (1 - 0.995**count), f"fitting {what} ({count} evaluations)")

        try:
            reports[name], fits[category] = reported_model(
                options, _against(question, answers, category, base), watch=watch
            )
        except BadInput as fault:
            refused[name] = str(fault)
    if not reports:
        raise BadInput(f"No category of '{column}' could be compared with '{base}'. {' '.join(refused.values())}")
    report = joined(reports, refused)
    tables = tuple(table for table in report.tables if table.name not in SINGLE_ANSWERS)
    likely = _probabilities(question, answers, reports, fits, base=base, refused=refused)
    return replace(
        report,
        tables=(*([likely] if likely else []), *tables, _categories(counts, [base, *others])),
        figures=(*_figure_of(likely), *figures(
            tables, response=column, confidence=confidence, ordered=tuple(question.levels), scale=scale_of(
                BINOMIAL, "logit"
            ),
        )),
        notes=(*question.notes, _how(column, base, others), *report.notes),
        warnings=(*question.warnings, *_far_from_observed(likely), *report.warnings),
        sentences=(*_effects(tables, len(reports)), *_in_words(likely), *sentences(tables, confidence=confidence)),
        design=question.layout,
    )  # fmt: skip


def _baseline(wanted: str | None, column: str, counts: pd.Series[int]) -> str:
    found = sorted(map(str, counts.index))
    if not found:
        raise BadInput(f"Column '{column}' is empty in every row that can be analysed.")
    if len(found) < FEWEST:
        what = f"one value only ('{found[0]}')" if len(found) == 1 else f"two values ({listed(found)})"
        way = "there is nothing to explain" if len(found) == 1 else f"use glmm with positive={found[1]}"
        raise BadInput(f"Column '{column}' has {what} in the rows that can be analysed; {way}.")
    if len(found) > MOST:
        raise BadInput(
            f"Column '{column}' has {len(found):,} values ({listed(found, shown=4)}); at most {MOST} categories are "
            f"analysed. Merge rare ones into one with derive, or use lmm for a column of numbers."
        )
    if wanted is None or not wanted.strip():
        return max(found, key=lambda category: int(counts[category]))
    meant = level_meant(wanted, found)
    if meant is None:
        raise BadInput(f"baseline: {no_such('category', wanted, found)} They belong to '{column}'.")
    return meant


def _against(question: Asked, answers: pd.Series[Any], category: str, base: str) -> Asked:
    """Return what is asked of the rows whose answer is a category or the baseline."""
    chosen = answers.isin([category, base]).to_numpy()
    rows = question.frame.loc[chosen]
    one_or_other = np.where(answers[chosen] == category, "1", "0")
    return replace(question, frame=rows.assign(**{question.formula.response.column: one_or_other}))


def _categories(counts: pd.Series[int], order: Sequence[str]) -> Table:
    total = int(counts.sum())
    lines = [
        {"category": one, "n": int(counts[one]), "share": int(counts[one]) / total, "is_baseline": one == order[0]}
        for one in order
    ]
    return CATEGORIES.of(lines)


def _probabilities(
    question: Asked,
    answers: pd.Series[Any],
    reports: Mapping[str, Report],
    fits: Mapping[str, Fitted],
    *,
    base: str,
    refused: Mapping[str, str],
) -> Table | None:
    """Return the probabilities of all categories in every cell of the factors; None without any factor."""
    means = {name: _means_of(report) for name, report in reports.items()}
    factors = next((factors for factors, _ in means.values() if factors), ())
    if not factors or refused:
        return None
    of_rows = {factor: codes(question.frame, factor).to_numpy() for factor in factors}
    cells = list(dict.fromkeys(cell for _, cells in means.values() for cell in cells))
    spread = _spread_of(question, answers, fits, base=base, factors=factors)
    lines = []
    for cell in cells:
        here = np.logical_and.reduce([of_rows[factor] == level for factor, level in zip(factors, cell, strict=True)])
        given = answers[here].value_counts()
        names = [base, *(name.removesuffix(f" vs {base}") for name in means)]
        known = [0.0, *(cells.get(cell) for _, cells in means.values())]
        finite = [np.nan if value is None else float(value) for value in known]
        odds = [
            -np.inf if np.isnan(value) and int(given.get(name, 0)) == 0 and int(given.get(base, 0)) > 0 else value
            for name, value in zip(names, finite, strict=True)
        ]
        shares = np.exp(np.array(odds) - np.nanmax(odds))
        shares = shares / shares.sum()
        errors = standard_errors(shares, spread[cell]) if cell in spread else None
        lines += [
            {
                **dict(zip(factors, cell, strict=True)),
                "category": name,
                "probability": float(share),
                "observed": int(given.get(name, 0)) / max(int(given.sum()), 1),
                "n": int(given.get(name, 0)),
                **_uncertain(float(share), None if errors is None else float(errors[at]), question.confidence),
            }
            for at, (name, share) in enumerate(zip(names, shares, strict=True))
        ]
    return PROBABILITIES.of(lines, factors={factor: factor for factor in factors})


def _spread_of(
    question: Asked, answers: pd.Series[Any], fits: Mapping[str, Fitted], *, base: str, factors: Sequence[str]
) -> dict[tuple[str, ...], Floats]:
    """Return the covariance matrix of the log odds of the categories in every cell that all models know.

    Empty where a model has no finite estimates: nothing is known then of how uncertain the others are together.
    """
    if any(fit.is_limit for fit in fits.values()):
        return {}
    given = answers.to_numpy()
    found = [
        influences(fit, np.flatnonzero((given == category) | (given == base))[fit.design.variables.rows])
        for category, fit in fits.items()
    ]
    crossed = {
        (j, k): shared_covariance(found[j], found[k]) for j in range(len(found)) for k in range(j + 1, len(found))
    }
    means = [
        {mean.levels: mean.weights for mean in marginal_means(fit, named_factors(fit, factors, parameter="means"))}
        for fit in fits.values()
    ]
    spread = {}
    for cell in means[0]:
        weights = [of.get(cell) for of in means]
        known = [one for one in weights if one is not None]
        if len(known) == len(weights):
            spread[cell] = covariance_of([fit.covariance for fit in fits.values()], crossed, known)
    return spread


def _uncertain(share: float, se: float | None, confidence: float) -> dict[str, float]:
    """Return the standard error and the interval of a probability; nothing where it is 0 or 1, or not known."""
    if se is None or not np.isfinite(se) or not 1e-12 < share < 1 - 1e-12:
        return {}
    low, high = interval(share, se, confidence=confidence)
    return {"se": se, "ci_low": low, "ci_high": high}


def _far_from_observed(table: Table | None) -> list[str]:
    """Warn where the probabilities of the middle person and item are far from the shares of all."""
    lines = [line for line in (table.lines() if table else ()) if line["probability"] is not None]
    gap = max((abs(line["probability"] - line["observed"]) for line in lines), default=0.0)
    if gap <= FAR:
        return []
    return [
        f"Estimated probabilities differ from the observed shares by up to {100 * gap:.0f} percentage points: they are "
        f"those of a middle person and item, and people or items differ so much that hardly any is like it. Report the "
        f"observed shares beside them."
    ]


def _means_of(report: Report) -> tuple[tuple[str, ...], dict[tuple[str, ...], float | None]]:
    """Return the factors of the means of a model, and the log odds of every cell."""
    found = next((table for table in report.tables if table.name == "means"), None)
    if found is None:
        return (), {}
    names = [column.name for column in found.columns]
    factors = tuple(names[: names.index("mean")])
    return factors, {tuple(str(line[name]) for name in factors): line["mean"] for line in found.lines()}


def _figure_of(table: Table | None) -> tuple[Figure, ...]:
    if table is None:
        return ()
    names = [column.name for column in table.columns]
    factors = names[: names.index("category")]
    return (
        Figure(
            name="probabilities",
            title="Estimated probabilities",
            kind="bars",
            table="probabilities",
            encoding={"x": "category", "y": "probability", "low": "ci_low", "high": "ci_high", "colour": factors[0],
                      **({"panel": factors[1]} if len(factors) > 1 else {})},
            caption="Of the middle person and item, with confidence intervals where they are known.",
            y_label="Probability",
        ),
    )  # fmt: skip


def _how(column: str, base: str, others: Sequence[str]) -> str:
    return (
        f"The {len(others) + 1} categories of {column} are a multinomial logistic mixed model in {len(others)} "
        f"baseline contrasts: {listed(others, shown=MOST)} each against '{base}', fitted to the answers of these two "
        f"alone (individualised logits, Begg & Gray 1984). p_outcomes is p adjusted by Holm over the categories; an "
        f"effect is significant where the smallest of them is. Probabilities are those of the middle person and item, "
        f"exp(η) of a category over the sum of all, with standard errors by the delta method and intervals that are "
        f"symmetric in log odds."
    )


def _effects(tables: Sequence[Table], number: int) -> list[str]:
    """Say of every effect the smallest of its adjusted p, which tests it over all categories."""
    anova = next((table for table in tables if table.name == "anova"), None)
    said = []
    for effect in dict.fromkeys(line["effect"] for line in anova.lines()) if anova else ():
        tested = [line for line in anova.lines() if line["effect"] == effect] if anova else []
        known = [line for line in tested if line.get("p_outcomes") is not None]
        if known:
            least = min(known, key=lambda line: line["p_outcomes"])
            over = f"the smallest of {number} adjusted by Holm" if number > 1 else "one contrast"
            said.append(f"{effect}, over all categories: {p_text(least['p_outcomes'])} ({over}, {least['outcome']}).")
    return said


def _in_words(table: Table | None) -> list[str]:
    """Say the probabilities of every condition."""
    if table is None:
        return []
    lines = table.lines()
    names = [column.name for column in table.columns]
    factors = names[: names.index("category")]
    cells = dict.fromkeys(tuple(line[name] for name in factors) for line in lines)
    said = []
    for cell in cells:
        own = [line for line in lines if tuple(line[name] for name in factors) == cell]
        where = listed(f"{name} {level}" for name, level in zip(factors, cell, strict=True))
        if any(line["probability"] is None for line in own):
            said.append(f"Estimated probabilities for {where}: not known, since a model has no finite estimate there.")
            continue
        shares = listed(
            (f"{line['category']} {_percent(line['probability'])}{_within(line)}" for line in own), shown=MOST
        )
        said.append(f"Estimated probabilities for {where}: {shares}.")
    return said


def _within(line: Mapping[str, Any]) -> str:
    """Return the interval of a probability in words; empty where there is none."""
    if line["ci_low"] is None:
        return ""
    return f" [{100 * line['ci_low']:.1f}, {100 * line['ci_high']:.1f}]"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def multinomial_example() -> Example:
    """Return answers of ten people to twelve texts in two orders, and a model with crossed intercepts."""
    random = np.random.default_rng(20101125)
    people: Floats = random.normal(0, 0.6, 10)
    lines = []
    for person in range(10):
        for item in range(12):
            order = ("ab", "ba")[(person + item) % 2]
            odds = np.exp([0.6, 0.8 * (order == "ba") + people[person] - 0.3, -0.2])
            answer = random.choice(["none", "left", "right"], p=odds / odds.sum())
            lines.append({"participant": f"P{person + 1}", "item": f"I{item + 1}", "order": order, "answer": answer})
    return pd.DataFrame(lines), {"formula": "answer ~ order + (1 | participant) + (1 | item)", "baseline": "none"}


METHOD = declared(
    "multinomial",
    "Multinomial mixed model",
    "Answers of three or more categories without an order, every category against a baseline, with crossed random "
    "effects; probabilities per condition.",
    multinomial,
    formula_parameter("As in lme4: choice ~ marker*order + (1 + order || participant) + (1 + order || item)."),
    Parameter("baseline", "Baseline", "text", help="The category with which the others are compared; "
              "if empty, the most frequent one."),
    *CODING,
    replace(TESTS, default="f"),
    REDUCE,
    group="compare",
    question=(
        "Does {measure} depend on {factors}? Multinomial mixed model",
        "Do answers in several categories depend on the condition? Multinomial mixed model",
    ),
    needs=("categories",),
    example=multinomial_example,
    tables=(PROBABILITIES, *map(with_outcomes, (*GENERALISED.tables(ANOVA), STEPS)), CATEGORIES),
)  # fmt: skip
