"""Notes, warnings and main sentence of a logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.logistic.design import Design
from analysis.methods.logistic.models import Block, Question
from analysis.methods.logistic.validation import Procedure
from analysis.methods.wording import counted, df_text, listed, number_text, p_text, share_text


@dataclass(frozen=True)
class Answer:
    """One question with its fitted blocks, their cross-validated accuracies and the baselines.

    `question` is named as in the tables, `asked` without the name of the set of predictors.
    """

    question: Question
    design: Design
    outcome: Floats
    blocks: Sequence[Block]
    cv: dict[str, list[float | None]]
    baseline: float
    length: dict[str, float | None] | None
    asked: Question
    set: str


def notes_of(
    answers: Sequence[Answer], procedure: Procedure, *, folds: int, seed: int, within: str, groups: Sequence[str]
) -> list[str]:
    """Say what was done, in the order in which it was done."""
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
    scores = {within for answer in answers for within in answer.design.within if within}
    if scores:
        what = {"participant": "z(…) within participant", "item": "z2(…) within item"}
        notes.append(
            f"Standardised, with the sample standard deviation over the rows of a model: "
            f"{listed([what[kind] for kind in sorted(scores, reverse=True)])}."
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


def warnings_of(answers: Sequence[Answer], procedure: Procedure) -> list[str]:
    """Say what must be known before these numbers are used: aliasing, separation, few rows, leaks."""
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
            if not block.step_df and not aliased:
                why = "elimination kept none of its predictors" if procedure.eliminate else "it adds no coefficient"
                warnings.append(f"Model {name}, block {block.number}: {why}, so its step has no p.")
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


def sentence_of(answer: Answer) -> str:
    """Return the result of the last block in APA style."""
    block = answer.blocks[-1]
    cv = [
        f"{share_text(float(share))} by {name.removeprefix('cv_')}"
        for name, shares in answer.cv.items()
        if (share := shares[-1]) is not None
    ]
    model = f"The model of {answer.question.positive} against {listed(answer.question.rest)}"
    if answer.set:
        model += f" by {answer.set}"
    classified = (
        f"classified {share_text(block.accuracy)} of {len(answer.outcome):,} rows correctly (baseline "
        f"{share_text(answer.baseline)}; cross-validated {listed(cv)})."
    )
    if block.model_df == 0:
        return f"{model} kept no predictor and {classified}"
    tested = p_text(p_of(block.model_chi2, block.model_df))
    return (
        f"{model} with {counted(block.model_df, 'coefficient')} had χ²({df_text(block.model_df)}) = "
        f"{number_text(block.model_chi2)}, {tested}, Nagelkerke R² = {share_text(block.nagelkerke)}, and {classified}"
    )


def p_of(chi2: float, df: int) -> float | None:
    """Return p of a χ², or None without degrees of freedom."""
    return float(scipy.stats.chi2.sf(chi2, df)) if df > 0 else None
