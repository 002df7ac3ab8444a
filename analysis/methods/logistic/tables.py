"""Tables and curves of a logistic regression, in the order in which SPSS prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy

from analysis.methods.logistic.calibration import CALIBRATION, calibration_figures, calibration_lines
from analysis.methods.logistic.columns import (
    BASELINES,
    BLOCKS,
    CLASSIFICATION,
    COEFFICIENTS,
    FINAL,
    LADDER,
    ROC,
    TERMS,
)
from analysis.methods.logistic.models import terms_named
from analysis.methods.logistic.validation import Procedure
from analysis.methods.logistic.wording import Answer, notes_of, p_of, sentence_of, warnings_of
from analysis.methods.report import Column, Figure, Report, Table

_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution
CURVE_POINTS = 400


TABLES = (LADDER, FINAL, BLOCKS, COEFFICIENTS, TERMS, CLASSIFICATION, BASELINES, ROC, CALIBRATION)


def report_of(
    answers: Sequence[Answer],
    *,
    procedure: Procedure,
    folds: int,
    seed: int,
    within: str,
    groups: Sequence[str],
    notes: Sequence[str],
    warnings: Sequence[str],
) -> Report:
    """Put all answers into one report."""
    tables: tuple[Table, ...] = (
        BLOCKS.of(_blocks(answers)),
        COEFFICIENTS.of(_coefficients(answers)),
        TERMS.of(_terms(answers)),
        CLASSIFICATION.of(_classification(answers)),
        BASELINES.of(_baselines(answers)),
        ROC.of(_curves(answers)),
        CALIBRATION.of(_calibrations(answers)),
    )
    compared: tuple[Figure, ...] = ()
    if answers[0].set:
        ladder = LADDER.of(_ladder(answers))
        tables, compared = (ladder, _final(answers), *tables), _sets_figure(ladder)
    figure = Figure(
        name="roc",
        title="Receiver operating characteristic",
        kind="roc",
        table="roc",
        encoding={"x": "false_positive_rate", "y": "true_positive_rate", "colour": "block", "panel": "model"},
        caption="In the data that the models were fitted to.",
        x_label="False positive rate",
        y_label="True positive rate",
    )
    return Report(
        tables=tables,
        figures=(*compared, figure, *calibration_figures("the outcome", of_models=True)),
        notes=(*notes, *notes_of(answers, procedure, folds=folds, seed=seed, within=within, groups=groups)),
        warnings=(*warnings, *warnings_of(answers, procedure)),
        sentences=tuple(sentence_of(answer) for answer in answers),
    )


def _blocks(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        for place, block in enumerate(answer.blocks):
            yield {
                "model": answer.question.name,
                "block": block.number,
                "n": len(answer.outcome),
                "minus2ll": block.fit.deviance,
                "step_chi2": block.step_chi2,
                "step_df": block.step_df,
                "step_p": p_of(block.step_chi2, block.step_df),
                "model_chi2": block.model_chi2,
                "model_df": block.model_df,
                "model_p": p_of(block.model_chi2, block.model_df),
                "cox_snell": block.cox_snell,
                "nagelkerke": block.nagelkerke,
                "fit_accuracy": block.accuracy,
                "baseline": answer.baseline,
                "auc": block.auc,
                **{name: shares[place] for name, shares in answer.cv.items()},
                "separated": block.fit.separated != "none",
                "separation": block.fit.separated,
                "mcfadden": block.mcfadden,
                "n_coefficients": block.fit.rank - 1,
                "predictors": terms_named(answer.design, block.terms),
            }


def _ladder(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    """Yield the last block of every model as table 3 of Zarrieß, Loth and Schlangen (2015) has it, and more."""
    for answer in answers:
        block = answer.blocks[-1]
        yield {
            "model": answer.asked.name,
            "set": answer.set,
            "n": len(answer.outcome),
            "baseline": answer.baseline,
            "fit_accuracy": block.accuracy,
            **{name: shares[-1] for name, shares in answer.cv.items()},
            "n_coefficients": block.fit.rank - 1,
            "nagelkerke": block.nagelkerke,
            "separation": block.fit.separated,
        }


def _sets_figure(ladder: Table) -> tuple[Figure, ...]:
    """Return the sets of predictors of every model by what they tell of rows that they have not seen."""
    told = {"cv_item": "new items", "cv_participant": "new participants", "cv_trial": "new trials"}
    lines = ladder.lines()
    column = next((name for name in told if any(line[name] is not None for line in lines)), None)
    if column is None:
        return ()
    return (
        Figure(
            name="sets",
            title=f"Correct of {told[column]}, by sets of predictors",
            kind="caterpillar",
            table="ladder",
            encoding={"x": column, "y": "set", "panel": "model", "centre": "baseline"},
            caption="The dashed line is the majority baseline of the model.",
            x_label=f"Correct, {told[column]}",
        ),
    )


def _final(answers: Sequence[Answer]) -> Table:
    """Return the coefficients of the last set of predictors side by side, as its table 4 has them."""
    last = answers[-1].set
    found: dict[str, dict[str, float]] = {}
    models = []
    for answer in answers:
        if answer.set != last:
            continue
        block = answer.blocks[-1]
        models.append(answer.asked.name)
        labels = [label for term in block.terms for label in answer.design.terms[term].coefficients]
        for label, b in zip(["(Intercept)", *labels], block.fit.b, strict=True):
            found.setdefault(label, {})[answer.asked.name] = float(b)
    order = ["(Intercept)", *(label for term in answers[-1].design.terms for label in term.coefficients)]
    given = [
        {"term": label, **{f"b_{name}": b for name, b in found[label].items()}} for label in order if label in found
    ]
    return FINAL.of(given, set=last, models=[Column(f"b_{name}", f"B, {name}") for name in models])


def _coefficients(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        for block in answer.blocks:
            names = [label for term in block.terms for label in answer.design.terms[term].coefficients]
            for place, name in enumerate(["(Intercept)", *names]):
                b, se = float(block.fit.b[place]), float(block.fit.se[place])
                wald = (b / se) ** 2
                with np.errstate(over="ignore"):
                    ratio, low, high = (float(np.exp(value)) for value in (b, b - _Z * se, b + _Z * se))
                remark = None
                if block.fit.aliased[place]:
                    remark = "linear combination of others"
                elif np.isnan(b):
                    remark = "no finite estimate"
                elif not np.isfinite([ratio, high]).all():
                    remark = "odds ratio too large to be written"
                yield {
                    "model": answer.question.name,
                    "block": block.number,
                    "term": name,
                    "b": b,
                    "se": se,
                    "wald": wald,
                    "p": float(scipy.stats.chi2.sf(wald, 1)),
                    "exp_b": ratio,
                    "or_low": low,
                    "or_high": high,
                    "remark": remark,
                }


def _terms(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        for block in answer.blocks:
            for term in block.terms:
                chi2, df, p = block.tests[term]
                name = answer.design.terms[term].name
                shown = {"chi2": chi2, "df": df, "p": p} if df else {"df": 0}
                yield {"model": answer.question.name, "block": block.number, "term": name, **shown}


def _classification(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        rest = "+".join(answer.question.rest)
        for block in answer.blocks:
            said = block.fit.linear >= 0
            for observed, value in ((rest, 0.0), (answer.question.positive, 1.0)):
                mine = answer.outcome == value
                as_positive = int(said[mine].sum())
                as_rest = int(mine.sum()) - as_positive
                yield {
                    "model": answer.question.name,
                    "block": block.number,
                    "observed": observed,
                    "n": int(mine.sum()),
                    "predicted_rest": as_rest,
                    "predicted_positive": as_positive,
                    "correct": (as_positive if value else as_rest) / int(mine.sum()),
                }


def _baselines(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        head = {"model": answer.question.name, "n": len(answer.outcome)}
        same = {name: answer.baseline for name, shares in answer.cv.items() if shares[0] is not None}
        yield {**head, "predictor": "majority", "fit_accuracy": answer.baseline, "auc": 0.5, **same}
        if answer.length is not None:
            yield {**head, "predictor": "length in words", **answer.length}


def _curves(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    for answer in answers:
        for block in answer.blocks:
            order = np.argsort(-block.fit.linear, kind="stable")
            linear, positive = block.fit.linear[order], answer.outcome[order]
            last = np.append(np.flatnonzero(linear[1:] != linear[:-1]), len(linear) - 1)
            hits, alarms = np.cumsum(positive)[last], np.cumsum(1 - positive)[last]
            if len(last) > CURVE_POINTS:
                shown = np.unique(np.linspace(0, len(last) - 1, CURVE_POINTS).round().astype(int))
                last, hits, alarms = last[shown], hits[shown], alarms[shown]
            head = {"model": answer.question.name, "block": str(block.number)}
            yield {**head, "false_positive_rate": 0.0, "true_positive_rate": 0.0, "threshold": None}
            for place, hit, alarm in zip(last, hits, alarms, strict=True):
                yield {
                    **head,
                    "false_positive_rate": float(alarm / (1 - answer.outcome).sum()),
                    "true_positive_rate": float(hit / answer.outcome.sum()),
                    "threshold": float(scipy.special.expit(linear[place])),
                }


def _calibrations(answers: Sequence[Answer]) -> Iterable[dict[str, Any]]:
    """Yield predicted and observed shares of the last block of every model."""
    for answer in answers:
        predicted = scipy.special.expit(answer.blocks[-1].fit.linear)
        for line in calibration_lines(predicted, answer.outcome, np.ones(len(predicted))):
            yield {"model": answer.question.name, **line}
