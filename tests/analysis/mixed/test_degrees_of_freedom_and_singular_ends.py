"""Degrees of freedom hang on no order of levels and are no more than rows leave; parsimonious ends sound."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.registry import method_named, run
from analysis.methods.report import BadInput, Report
from analysis.methods.wording import df_text

pytestmark = pytest.mark.slow


def trials(
    *, people: int = 14, items: int = 12, seed: int = 0, slope: float = 0.6, person: float = 0.5
) -> pd.DataFrame:
    """Return four conditions in which people differ, some rows missing."""
    random = np.random.default_rng(seed)
    who, what = np.indices((people, items)).reshape(2, -1)
    condition = (who + what) % 4
    y = random.normal(0, person, people)[who] + random.normal(0, slope, (people, 4))[who, condition]
    frame = pd.DataFrame(
        {
            "participant": [f"P{one:02d}" for one in who],
            "item": [f"I{one:02d}" for one in what],
            "c": np.array(["b", "a", "c", "d"])[condition],
            "y": (y + random.normal(size=len(who))).round(4),
        }
    )
    return frame.iloc[:-9]


def lmm(frame: pd.DataFrame, formula: str, **given: str) -> Report:
    return run(method_named("lmm"), frame, {"formula": formula, **given})


@pytest.mark.parametrize("order", ["c=a,b,c,d", "c=d,c,b,a"])
def test_df2_with_correlations_does_not_hang_on_the_order_of_levels(order: str) -> None:
    formula = "y ~ c + (1 + c | participant) + (1 | item)"
    (plain,), (ordered,) = (
        list(lmm(trials(), formula, **given).table("anova").lines()) for given in ({}, {"levels": order})
    )
    assert ordered["df2"] == pytest.approx(plain["df2"], rel=1e-3)
    assert ordered["p"] == pytest.approx(plain["p"], rel=1e-3)


def test_no_test_has_more_degrees_of_freedom_than_rows_leave_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Satterthwaite's formula can give thousands for hundreds of rows, where estimates of variances are correlated."""
    formula = "y ~ c + (1 | participant) + (1 | item)"
    usual = lmm(trials(), formula)
    assert not any("are taken there" in note for note in usual.notes)
    known = Fitted._satterthwaite
    monkeypatch.setattr(Fitted, "_satterthwaite", lambda self, scaled: (known(self, scaled)[0], 12_661.0))
    report = lmm(trials(), formula)
    most = len(trials()) - 4
    assert [line["df2"] for line in report.table("anova").lines()] == [most]
    assert {line["df"] for line in report.table("fixed").lines()} == {most}
    assert any(f"n − p = {df_text(most)} are taken there" in note and "12,661" in note for note in report.notes)
    assert not any("12,661" in sentence for sentence in report.sentences)


def test_parsimonious_ends_in_no_singular_fit_and_says_its_rate() -> None:
    for seed in range(6):
        frame = trials(seed=seed, person=0.0, slope=0.0)
        report = lmm(frame, "y ~ c + (1 + c | participant) + (1 | item)", reduce="parsimonious")
        fit = next(iter(report.table("fit").lines()))
        one_left = len(report.table("random").rows) == 2
        assert not fit["singular"] or one_left
        assert any(percent_of("lmm, reduce=parsimonious") in note for note in report.notes)


def test_ordinal_refuses_more_random_effects_than_rows() -> None:
    frame = trials(people=10, items=4).assign(rating=lambda one: np.digitize(one["y"], [-0.5, 0.5]))
    with pytest.raises(BadInput, match=r"asks for \d+ random effects from 31 rows"):
        run(method_named("ordinal"), frame, {"formula": "rating ~ c + (1 + c | participant) + (1 | item)"})
