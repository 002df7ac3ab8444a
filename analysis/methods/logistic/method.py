"""Fit binary logistic regressions in blocks and cross-validate them (`logistic`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.declarations import Parameter, Progress, no_progress
from analysis.methods.logistic.design import (
    Design,
    Standardiser,
    Standardisers,
    columns_of,
    design,
    read_blocks,
    read_sets,
)
from analysis.methods.logistic.models import Question, Shuffles, asked, baseline, fitted, numbered, questions, validated
from analysis.methods.logistic.rows import (
    complete_rows,
    fillers_asked_for,
    groups_of,
    standardised_within,
    with_variance,
)
from analysis.methods.logistic.tables import TABLES, report_of
from analysis.methods.logistic.validation import Procedure
from analysis.methods.logistic.wording import Answer
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import numbers
from analysis.methods.rows.read_as import digits_read_as_numbers
from analysis.methods.seeds import check_seed
from analysis.methods.wording import counted, listed


def logistic(
    frame: pd.DataFrame,
    *,
    outcome: str,
    blocks: Any = None,
    sets: Any = None,
    positive: str | None = None,
    ladder: str | None = None,
    select: str = "none",
    folds: int = 10,
    standardise: str = "none",
    participant: str | None = None,
    item: str | None = None,
    words: str | None = None,
    categorical: tuple[str, ...] = (),
    penalty: str = "none",
    p_remove: float = 0.05,
    seed: int = 1,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Predict a binary outcome from blocks of predictors.

    `blocks` such as `fluency,clarity|pace_total`: each block adds to the ones before; words are dummy coded (as are
    columns named in `categorical`), `a:b` is an interaction. `positive` is the predicted value of `outcome`; `ladder`
    such as `filler,sem,lin,gold` asks filler against the rest, then, without fillers, sem against the rest, and so on;
    fillers, whose condition is empty, are called `filler`. `sets` instead of `blocks` compares predictor sets, each in
    a model of its own: `Ratings = fluency, clarity; Times = pace, speed`. `z(pace)` is standardised within
    participant, `z2(pace)` within item, by training rows alone in every fold; `log(pace)` is the logarithm.
    `select=backward` removes, one at a time, the term of a block with the largest likelihood-ratio p above
    `p_remove`. `standardise` is none, all, participant, item or any column: z of measured predictors within its
    groups. `penalty=firth` gives Firth's (1993) estimates, finite also under separation.

    With D0 = −2LL of the intercept alone and χ² = D0 − D: Cox and Snell's R² = 1 − exp(−χ²/n), Nagelkerke's is that
    divided by 1 − exp(−D0/n), McFadden's = 1 − D/D0. In every fold, standardisation and selection use training rows
    only. Where the values are separated by the predictors no finite maximum exists: the coefficients concerned are
    empty, the other numbers are the limits to which the likelihood tends, and a warning says so.

    Sources: Hosmer and Lemeshow (2000), *Applied Logistic Regression*; Nagelkerke (1991), *Biometrika* 78, 691–692;
    Albert and Anderson (1984), *Biometrika* 71, 1–10; Firth (1993), *Biometrika* 80, 27–38.

    Raises BadInput for outcomes without two values, unknown or constant predictors, and too few rows.

    >>> trials = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6, 7, 8], "error": [0, 0, 1, 0, 1, 0, 1, 1]})
    >>> report = logistic(trials, outcome="error", blocks="x", folds=4)
    >>> table = report.table("blocks").frame()
    >>> table[["minus2ll", "model_chi2", "nagelkerke"]].round(3).values.tolist()
    [[8.45, 2.641, 0.375]]
    """
    if (blocks is None) == (sets is None):
        raise BadInput("Give either blocks, such as a,b|c,d, or sets, such as Ratings = a, b; Times = c, d.")
    compared = read_sets(sets) if sets is not None else {"": read_blocks(blocks)}
    frame = rows.with_fillers_named(frame, outcome) if rows.FILLER in as_names(ladder or positive or ()) else frame
    predictors = tuple(dict.fromkeys(name for named in compared.values() for block in named for name in block))
    needed = tuple(dict.fromkeys(column for name in predictors for column in columns_of(name, frame)))
    if outcome in needed:
        raise BadInput(f"'{outcome}' is both the outcome and a predictor; a variable cannot predict itself.")
    words = words if words is not None else "words" if "words" in frame.columns else None
    participant = participant or ("participant" if "participant" in frame.columns else None)
    item = item or ("item" if "item" in frame.columns else None)
    within = standardised_within(frame, standardise, participant=participant, item=item)
    if folds < 2:
        raise BadInput(f"folds must be 2 or more, not {folds}; ten is usual.")
    if not 0 < p_remove < 1:
        raise BadInput(f"p_remove must lie between 0 and 1, not {p_remove:g}.")
    check_seed(seed)
    used = [outcome, *needed, *fillers_asked_for(frame, outcome, positive=positive, ladder=ladder)]
    chosen = rows.select(frame, used=used, measured=[outcome], units=(participant, item), where=where, keep=keep)
    chosen = rows.with_design(chosen, units={"participant": participant, "item": item}, factors=needed, measure=outcome)
    notes, warnings = list(chosen.notes), list(chosen.warnings)
    warnings += digits_read_as_numbers(chosen.frame, needed, categorical=categorical, coded=True)
    complete = complete_rows(chosen.frame, outcome, needed, categorical=categorical, notes=notes)
    asking = questions(complete, outcome, positive=positive, ladder=ladder)
    procedure = Procedure(penalty=penalty, eliminate=select == "backward", p_remove=p_remove)
    columns_within = {"": within, "participant": participant, "item": item}
    answers = []
    for place, (question, label) in enumerate((question, label) for question in asking for label in compared):

        def tell(share: float, place: int = place, name: str = question.name) -> None:
            progress((place + share) / (len(asking) * len(compared)), f"Cross-validating {name}")

        about, value = asked(complete, outcome, question)
        part = complete.iloc[np.flatnonzero(about)]
        made = design(part, compared[label], categorical=categorical)
        named = replace(question, name=f"{question.name}, {label}") if label else question
        part, value, made = with_variance(part, value, made, columns=columns_within, notes=notes, question=named)
        _check(part, value, made, named)
        standardiser = Standardisers(
            tuple(Standardiser(group=group, numeric=mask) for group, mask in groups_of(part, made, columns_within))
        )
        shuffles = Shuffles(folds, seed, participant=numbered(part, participant), item=numbered(part, item))
        X = made.of(standardiser.apply(made.parts, rows=np.ones(len(part), dtype=bool)))
        cv = validated(made, value, standardiser=standardiser, procedure=procedure, shuffles=shuffles, report=tell)
        found = fitted(made, X, value, procedure)
        # The length of the text is the same rival for every set of predictors.
        first = label == next(iter(compared))
        length = _length_only(part, value, words, shuffles) if words and first else None
        answers.append(
            Answer(named, made, value, found, cv=cv, baseline=baseline(value), length=length, asked=question, set=label)
        )
    report = report_of(
        answers,
        procedure=procedure,
        folds=folds,
        seed=seed,
        within=within,
        groups=tuple(column for column in (participant, item) if column),
        notes=notes,
        warnings=warnings,
    )
    return replace(report, design=chosen.design)


def _check(part: pd.DataFrame, value: Floats, made: Design, question: Question) -> None:
    against = f"{question.positive} against {listed(question.rest)}"
    if len(np.unique(value)) < 2:
        raise BadInput(f"Model {against}: only one of the two occurs in the {counted(len(value), 'row')} left.")
    spread = made.X.max(axis=0) - made.X.min(axis=0)
    if not (spread > 0).any():
        raise BadInput(f"Model {against}: every predictor is constant, so there is nothing to predict from.")
    if len(part) <= made.X.shape[1] + 1:
        raise BadInput(
            f"Model {against}: {counted(len(part), 'row')} are too few for {made.X.shape[1] + 1} coefficients; "
            f"take fewer predictors."
        )


def _length_only(part: pd.DataFrame, value: Floats, words: str, shuffles: Shuffles) -> dict[str, float | None] | None:
    """Return how well the number of words alone tells the outcome, or None where it cannot."""
    given = np.asarray(numbers(part, words), dtype=np.float64)
    if bool(np.isnan(given).any()) or float(given.max() - given.min()) == 0:
        return None
    alone = design(part, [[words]])
    standardiser = Standardiser(group=None, numeric=alone.numeric)
    found = fitted(alone, alone.X, value, Procedure())[0]
    cv = validated(
        alone, value, standardiser=standardiser, procedure=Procedure(), shuffles=shuffles, report=lambda share: None
    )
    return {"fit_accuracy": found.accuracy, "auc": found.auc, **{name: shares[0] for name, shares in cv.items()}}


def _example() -> tuple[pd.DataFrame, dict[str, Any]]:
    random = np.random.default_rng(7)
    made = []
    for person in range(1, 13):
        for place in range(1, 11):
            lin = (person + place) % 2
            made.append(
                {
                    "participant": f"P{person}",
                    "item": f"T{place}",
                    "condition": "lin" if lin else "gold",
                    "fluency": round(float(random.normal(-0.7 * lin, 1.0)), 3),
                    "pace": round(float(random.normal(250 + 20 * lin, 40.0)), 1),
                    "genre": ("news", "letters")[place % 2],
                }
            )
    return pd.DataFrame(made), {"outcome": "condition", "blocks": "fluency|pace,genre", "positive": "lin"}


METHOD = declared(
    "logistic",
    "Logistic regression in blocks",
    "Which condition was it? Blocks of predictors, cross-validated by trial, participant and item.",
    logistic,
    Parameter("outcome", "Outcome", "column", role="factor"),
    Parameter(
        "blocks",
        "Blocks of predictors",
        "text",
        role="measure",
        help="Such as a,b|c,d, or z(a),b.",
        also=("predictors",),
    ),
    Parameter("sets", "Sets of predictors", "text", help="Instead of blocks: Ratings = a, b; Times = c, d."),
    Parameter("positive", "Predicted value", "text", help="The value of the outcome that is predicted."),
    Parameter(
        "ladder",
        "Ladder",
        "text",
        help="Such as filler,sem,lin,gold: each value against the rest; the next step leaves it out.",
    ),
    Parameter("select", "Selection", "choice", choices=("none", "backward")),
    Parameter("folds", "Folds", "integer"),
    Parameter(
        "standardise",
        "Standardise within",
        "text",
        help="One of none, all, participant, item, or a column.",
        also=("standardize",),
    ),
    Parameter("participant", "Participant", "column", default="participant", role="unit"),
    Parameter("item", "Item", "column", default="item", role="unit"),
    Parameter("words", "Words", "column", default="words", help="For the baseline model with length only."),
    Parameter("categorical", "Numbers that are categories", "columns"),
    Parameter("penalty", "Penalty", "choice", choices=("none", "firth")),
    Parameter("p_remove", "p to remove", "number"),
    Parameter("seed", "Seed of the folds", "integer"),
    group="predict",
    question=("Can {measure} be predicted from the measures?", "Can the condition be predicted from the measures?"),
    needs=("numbers", "conditions"),
    example=_example,
    tables=TABLES,
)
