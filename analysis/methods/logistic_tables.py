"""The report of a logistic analysis: tables as SPSS orders them, curves, and what must be said beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from analysis.methods.logistic_design import Design
from analysis.methods.logistic_models import Block, Question, terms_named
from analysis.methods.logistic_validation import Procedure
from analysis.methods.report import Column, Figure, Report, Table
from analysis.methods.wording import df_text, listed, number_text, p_text, share_text

Floats = npt.NDArray[np.float64]
_Z = float(stats.norm.ppf(0.975))
CURVE_POINTS = 400


@dataclass(frozen=True)
class Answer:
    """One question with its fitted blocks, their cross-validated accuracies and the baselines."""

    question: Question
    design: Design
    outcome: Floats
    blocks: Sequence[Block]
    cv: dict[str, list[float | None]]
    baseline: float
    length: dict[str, float | None] | None


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
    tables = (
        Table.from_rows("blocks", "Models", _BLOCKS, _blocks(answers)),
        Table.from_rows("coefficients", "Coefficients", _COEFFICIENTS, _coefficients(answers)),
        Table.from_rows("terms", "Likelihood-ratio tests of predictors", _TERMS, _terms(answers)),
        Table.from_rows("classification", "Classification at p = .5", _CLASSIFICATION, _classification(answers)),
        Table.from_rows("baselines", "What is reached without the predictors", _BASELINES, _baselines(answers)),
        Table.from_rows("roc", "Receiver operating characteristic", _ROC, _curves(answers)),
    )
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
        method="logistic",
        params={},
        tables=tables,
        figures=(figure,),
        notes=(*notes, *_notes(answers, procedure, folds=folds, seed=seed, within=within, groups=groups)),
        warnings=(*warnings, *_warnings(answers, procedure)),
        sentences=tuple(_sentence(answer) for answer in answers),
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
                "step_p": _p(block.step_chi2, block.step_df),
                "model_chi2": block.model_chi2,
                "model_df": block.model_df,
                "model_p": _p(block.model_chi2, block.model_df),
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
                yield {
                    "model": answer.question.name,
                    "block": block.number,
                    "term": name,
                    "b": b,
                    "se": se,
                    "wald": wald,
                    "p": float(stats.chi2.sf(wald, 1)),
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
                    "threshold": float(special.expit(linear[place])),
                }


def _notes(
    answers: Sequence[Answer], procedure: Procedure, *, folds: int, seed: int, within: str, groups: Sequence[str]
) -> list[str]:
    notes = []
    for answer in answers:
        ones = int(answer.outcome.sum())
        notes.append(
            f"Model {answer.question.name}: {answer.question.positive} (n = {ones}) against "
            f"{listed(answer.question.rest)} (n = {len(answer.outcome) - ones})."
        )
    if procedure.penalty == "firth":
        notes.append(
            "Estimates maximise Firth's penalised likelihood; χ² are penalised likelihood ratios, −2LL and R² are "
            "those of the ordinary likelihood at these estimates, and intervals and p of coefficients are Wald's."
        )
    else:
        notes.append("Estimates are maximum likelihood; intervals and p of coefficients are Wald's.")
    if procedure.eliminate:
        notes.append(
            f"Backward elimination: within each block the term with the largest likelihood-ratio p was removed while "
            f"that was above {share_text(procedure.p_remove)}; p values after selection are too small."
        )
    if within != "none":
        where = "over all rows" if within == "all" else f"within '{within}'"
        notes.append(f"Measured predictors were standardised {where} (z with the sample standard deviation).")
    notes.append(
        f"Cross-validation with up to {folds} folds (seed {seed}), pooled over folds: by trial with both values spread "
        f"evenly"
        + (f", and with whole groups of {listed(groups)} held out together" if groups else "")
        + ". Standardisation and selection were repeated inside every fold on training rows only; the groups that a "
        "fold leaves out are standardised by their own predictor values, which needs no outcome."
    )
    return notes


def _warnings(answers: Sequence[Answer], procedure: Procedure) -> list[str]:
    warnings = []
    for answer in answers:
        name = answer.question.name
        for block in answer.blocks:
            columns = [label for term in block.terms for label in answer.design.terms[term].coefficients]
            labels = ["(Intercept)", *columns]
            aliased = [label for label, lost in zip(labels, block.fit.aliased, strict=True) if lost]
            if aliased:
                warnings.append(
                    f"Model {name}, block {block.number}: {listed(aliased)} is constant or a linear combination of "
                    f"other predictors and has no coefficient of its own."
                )
            if block.fit.separated == "none":
                continue
            infinite = [
                label
                for label, b, lost in zip(labels, block.fit.b, block.fit.aliased, strict=True)
                if np.isnan(b) and not lost
            ]
            how = "completely separate" if block.fit.separated == "complete" else "separate some rows of"
            warnings.append(
                f"Model {name}, block {block.number}: the predictors {how} {answer.question.positive} and "
                f"{listed(answer.question.rest)}, so no finite maximum-likelihood estimate exists for "
                f"{listed(infinite)}; −2LL, R², χ² and accuracy are the limits to which the likelihood tends, and "
                f"their p cannot be trusted. Use penalty=firth, or fewer predictors."
            )
        events = min(float(answer.outcome.sum()), float((1 - answer.outcome).sum()))
        most = max(block.fit.rank - 1 for block in answer.blocks)
        if most and events / most < 10:
            warnings.append(
                f"Model {name} has {events / most:.1f} rows of the rarer value per coefficient; below about 10, "
                f"estimates and fit are too optimistic. Look at cross-validated accuracy."
            )
        warnings.extend(_leaks(answer))
    return warnings


def _leaks(answer: Answer) -> list[str]:
    """Say where accuracy by trial is not reached on new people or new texts."""
    found = []
    for name, what in (("cv_participant", "participants"), ("cv_item", "items")):
        by_trial, by_group = answer.cv["cv_trial"][-1], answer.cv[name][-1]
        if by_trial is None or by_group is None:
            continue
        if by_trial > answer.baseline and by_trial - by_group > 0.05:
            found.append(
                f"Model {answer.question.name} classifies {share_text(by_trial)} of held-out trials but only "
                f"{share_text(by_group)} of those of new {what} (baseline {share_text(answer.baseline)}): part of what "
                f"it knows are the {what} themselves."
            )
    return found


def _sentence(answer: Answer) -> str:
    block = answer.blocks[-1]
    cv = [
        f"{share_text(float(share))} by {name.removeprefix('cv_')}"
        for name, shares in answer.cv.items()
        if (share := shares[-1]) is not None
    ]
    tested = p_text(_p(block.model_chi2, block.model_df))
    test = f"χ²({df_text(block.model_df)}) = {number_text(block.model_chi2)}, {tested}"
    return (
        f"The model of {answer.question.positive} against {listed(answer.question.rest)} with {block.model_df} "
        f"coefficients had {test}, Nagelkerke R² = {share_text(block.nagelkerke)}, and classified "
        f"{share_text(block.accuracy)} of {len(answer.outcome):,} rows correctly (baseline "
        f"{share_text(answer.baseline)}; cross-validated {listed(cv)})."
    )


def _p(chi2: float, df: int) -> float | None:
    return float(stats.chi2.sf(chi2, df)) if df > 0 else None


_BLOCKS = (
    Column("model", "Model", "text"),
    Column("block", "Block", "integer"),
    Column("n", "n", "integer"),
    Column("minus2ll", "−2LL"),
    Column("step_chi2", "χ² of the step", "statistic"),
    Column("step_df", "df", "df"),
    Column("step_p", "p", "p"),
    Column("model_chi2", "χ² of the model", "statistic"),
    Column("model_df", "df", "df"),
    Column("model_p", "p", "p"),
    Column("cox_snell", "Cox and Snell R²", "share"),
    Column("nagelkerke", "Nagelkerke R²", "share"),
    Column("fit_accuracy", "Correct in these data", "share"),
    Column("baseline", "Majority baseline", "share"),
    Column("auc", "AUC", "share"),
    Column("cv_trial", "Correct, new trials", "share"),
    Column("cv_participant", "Correct, new participants", "share"),
    Column("cv_item", "Correct, new items", "share"),
    Column("separated", "Separated", "boolean"),
    Column("separation", "Separation", "text"),
    Column("mcfadden", "McFadden R²", "share"),
    Column("n_coefficients", "Coefficients (without intercept)", "integer"),
    Column("predictors", "Predictors", "text"),
)
_COEFFICIENTS = (
    Column("model", "Model", "text"),
    Column("block", "Block", "integer"),
    Column("term", "Term", "text"),
    Column("b", "B"),
    Column("se", "SE"),
    Column("wald", "Wald", "statistic"),
    Column("p", "p", "p"),
    Column("exp_b", "exp(B)"),
    Column("or_low", "95 % CI from"),
    Column("or_high", "95 % CI to"),
    Column("remark", "Remark", "text"),
)
_TERMS = (
    Column("model", "Model", "text"),
    Column("block", "Block", "integer"),
    Column("term", "Term", "text"),
    Column("chi2", "χ²", "statistic"),
    Column("df", "df", "df"),
    Column("p", "p", "p"),
)
_CLASSIFICATION = (
    Column("model", "Model", "text"),
    Column("block", "Block", "integer"),
    Column("observed", "Observed", "text"),
    Column("n", "n", "integer"),
    Column("predicted_rest", "Predicted: rest", "integer"),
    Column("predicted_positive", "Predicted: positive", "integer"),
    Column("correct", "Correct", "share"),
)
_BASELINES = (
    Column("model", "Model", "text"),
    Column("predictor", "Predictor", "text"),
    Column("n", "n", "integer"),
    Column("fit_accuracy", "Correct in these data", "share"),
    Column("auc", "AUC", "share"),
    Column("cv_trial", "Correct, new trials", "share"),
    Column("cv_participant", "Correct, new participants", "share"),
    Column("cv_item", "Correct, new items", "share"),
)
_ROC = (
    Column("model", "Model", "text"),
    Column("block", "Block", "text"),
    Column("false_positive_rate", "False positive rate", "share"),
    Column("true_positive_rate", "True positive rate", "share"),
    Column("threshold", "Threshold", "share"),
)
