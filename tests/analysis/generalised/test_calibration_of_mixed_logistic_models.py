"""Predicted and observed shares: every answer is predicted from all others."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.registry import method_named, run

FORMULA = "correct ~ order + (1 | participant) + (1 | item)"


def answers(seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    p, i = (place.ravel() for place in np.indices((30, 30)))
    order = (p + i) % 2
    eta = random.normal(0, 1.2, 30)[p] + random.normal(0, 0.8, 30)[i] + 0.5 * order
    return pd.DataFrame(
        {
            "participant": [f"P{number:02d}" for number in p],
            "item": [f"I{number:02d}" for number in i],
            "order": np.array(["ab", "ba"])[order],
            "correct": (random.random(len(p)) < 1 / (1 + np.exp(-eta))).astype(int),
        }
    )


def test_a_model_that_is_right_is_calibrated():
    slopes, outside = [], []
    for seed in range(4):
        table = run(method_named("glmm"), answers(seed), {"formula": FORMULA}).table("calibration").frame()
        slopes.append(np.polyfit(table["predicted"], table["observed"], 1)[0])
        outside += ((table["observed"] < table["low"]) | (table["observed"] > table["high"])).tolist()
    assert abs(float(np.mean(slopes)) - 1) < 0.08
    assert np.mean(outside) < 0.12


def test_the_bins_hold_every_answer_and_bands_stay_between_none_and_all():
    table = run(method_named("glmm"), answers(1), {"formula": FORMULA}).table("calibration").frame()
    assert table["n"].sum() == 900
    assert all(table[name].between(0, 1).all() for name in ("low", "high", "predicted", "observed"))
    np.testing.assert_allclose(table["residual"], table["observed"] - table["predicted"])


def test_leaving_an_answer_out_by_one_step_is_near_a_fit_without_it():
    """The oracle is the model fitted once more without the row, at which its probability is predicted."""
    from analysis.methods.generalised.checks.diagnostics import without_itself
    from analysis.methods.generalised.models.answers import fit_binary
    from analysis.methods.mixed.design import formula, matrices, variables

    frame = answers(2).iloc[::2].reset_index(drop=True)
    parsed = formula.parse(FORMULA, list(frame.columns))

    def fitted(part: pd.DataFrame):
        read = variables.read(part, parsed, categorical=(), order_of_levels={})
        built = matrices.build(parsed, read, contrasts="treatment", residual=False)
        return fit_binary(built, np.ones(len(part)), watch=lambda count: None)

    whole = fitted(frame)
    apart = without_itself(whole)
    for row in (3, 120, 401):
        fit = fitted(frame.drop(index=row).reset_index(drop=True))
        effects = {group.name: b for group, b in zip(fit.prepared.groups, fit.optimum.mode.effects, strict=True)}
        eta = fit.beta @ np.array([1.0, float(frame["order"][row] == "ba")])
        for group in fit.prepared.groups:
            eta += effects[group.name][group.levels.index(frame[group.name][row]), 0]
        moved = abs(whole.optimum.mode.eta[row] - eta)
        assert abs(apart[row] - eta) < 0.25 * moved + 0.01


def test_several_outcomes_at_once_have_their_tables_and_no_pictures_of_single_people():
    frame = answers(3).assign(second=lambda d: 1 - d["correct"])
    report = run(method_named("glmm"), frame, {"formula": FORMULA, "outcome": "correct,second"})
    assert {"units", "influence", "calibration"}.isdisjoint(table.name for table in report.tables)
