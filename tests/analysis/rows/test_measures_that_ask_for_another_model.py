"""Another model is asked for where the measure says so; signs for missing values, lone zeros and averages are named."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.mixed.design.formula import parse
from analysis.methods.report import BadInput, Report
from analysis.methods.rows.measure import sentinels
from analysis.methods.rows.read_as import is_amount
from analysis.methods.rows.remarks import Importance, Remark, by_importance
from experiments.paradigms import paradigm_named
from experiments.rules.plan import primary_of

FORMULA = "~ a * b + (1 + a | participant) + (1 | item)"


def trials(seed: int = 4) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    lines = []
    for person, item, a in product(range(10), range(12), range(2)):
        y = random.normal() + a * (item % 2)
        lines.append(
            {
                "participant": f"P{person}",
                "item": f"I{item}",
                "a": "xy"[a],
                "b": "uv"[item % 2],
                "rt": round(float(np.exp(6 + 0.3 * y)), 1),
                "right": int(y > 0),
                "said": ("no", "yes")[int(y > 0)],
                "rating": int(np.clip(np.round(4 + y), 1, 7)),
                "errors": int(random.poisson(np.exp(1.3 + 0.5 * y))),
                "share": round(random.binomial(8, 1 / (1 + np.exp(-y))) / 8, 3),
                "slider": round(float(100 / (1 + np.exp(-y))), 1),
            }
        )
    return pd.DataFrame(lines).astype(str)


def run(method: str, frame: pd.DataFrame, **given: Any) -> Report:
    return registry.run(registry.method_named(method), frame, given)


def of_model(report: Report) -> list[str]:
    return [said for said in report.warnings if getattr(said, "importance", None) is Importance.MODEL]


ASKED = [
    ("right", "glmm", {}),
    ("rating", "ordinal", {"nominal": False, "tests": "f"}),
    ("errors", "glmm", {"family": "negative-binomial"}),
]


@pytest.mark.parametrize(("measure", "method", "options"), ASKED)
def test_lmm_and_rm_anova_name_the_model_with_a_command_that_runs(
    measure: str, method: str, options: dict[str, Any]
) -> None:
    frame = trials()
    (of_lmm,) = of_model(run("lmm", frame, formula=f"{measure} {FORMULA}"))
    (of_anova,) = of_model(run("rm-anova", frame, dv=measure, within=["a", "b"]))
    assert f'{method} formula="{measure} {FORMULA}"' in of_lmm
    formula = of_anova.split('formula="')[1].split('"')[0]
    assert formula == f"{measure} ~ a * b + (1 + a * b | participant) + (1 + a | item)"
    # The whole model would take seconds; a smaller one shows that the method takes this measure.
    assert run(method, frame[frame["item"] < "I3"], formula=f"{measure} ~ a + (1 | participant)", **options).tables
    assert registry.read_parameters(registry.method_named(method), {"formula": formula, **options}, frame)


@pytest.mark.parametrize("measure", ["rt", "slider", "log(rt)"])
def test_measures_that_suit_are_told_nothing(measure: str) -> None:
    assert of_model(run("lmm", trials(), formula=f"{measure} {FORMULA}")) == []


def test_shares_are_named() -> None:
    (said,) = of_model(run("lmm", trials(), formula=f"share {FORMULA}"))
    assert "shares of 8 trials" in said
    assert "trials=…" in said


@pytest.mark.parametrize(
    ("sign", "values"), [(-999, (212, 900)), (9999, (300, 890)), (99, (1, 7)), (-99, (0, 50)), (999, (18, 65))]
)
def test_signs_for_missing_values_are_named_and_left_out_as_said(sign: int, values: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    frame = trials().assign(m=lambda one: random.integers(*values, len(one), endpoint=True).astype(str))
    frame.loc[frame.index[7], "m"] = frame.loc[frame.index[70], "m"] = str(sign)
    report = run("lmm", frame, formula="m ~ a + (1 | participant)")
    (said,) = [one for one in report.warnings if "a sign for a missing value?" in one]
    assert f"'m' holds {sign} in 2 rows" in said
    where = said.split('where="')[1].split('"')[0]
    left = run("lmm", frame, formula="m ~ a + (1 | participant)", where=where)
    assert any("Of 240 rows, 238 satisfied" in note for note in left.notes)
    assert not [one for one in left.warnings if "missing value" in one]


@pytest.mark.parametrize(
    "values", [[*range(1, 100)] * 2, [*range(-120, 120)], [7.0, 8, 9, 9, 88, 90, 99], [*range(9000, 10100, 3), 9999]]
)
def test_such_numbers_among_others_are_values(values: list[float]) -> None:
    assert sentinels(pd.DataFrame({"m": values}), ["m"]) == []


def test_averages_under_an_interaction_name_what_holds_levels_apart() -> None:
    frame = trials()
    formula = "rt ~ a * b + (1 | participant)"
    (said,) = of_model(run("lmm", frame, formula=formula, means=["a"]))
    assert "by=b" in said
    assert "a:b (p " in said
    assert of_model(run("lmm", frame, formula=formula, means=["a"], by=["b"])) == []
    assert of_model(run("lmm", frame, formula=formula)) == []
    (of_glmm,) = of_model(run("glmm", frame, formula="said ~ a * b + (1 | participant)", means=["a"]))
    assert "by=b" in of_glmm


@pytest.mark.parametrize("method", ["lmm", "ordinal"])
def test_an_empty_row_of_means_says_which_combination_nobody_saw(method: str) -> None:
    frame = trials()
    frame = frame[(frame["a"] == "y") | (frame["b"] == "u")]
    measure, more = ("rt", {}) if method == "lmm" else ("rating", {"nominal": False})
    report = run(method, frame, formula=f"{measure} ~ a * b + (1 | participant)", means=["a"], **more)
    assert any(
        "There is no mean of x: it would be an average over b, and no row has x:v." in s for s in report.warnings
    )
    assert report.table("means").frame().set_index("a")["mean"].isna().to_dict() == {"x": True, "y": False}


def test_a_test_without_intercept_says_that_it_is_one_against_zero() -> None:
    frame = trials()
    report = run("lmm", frame, formula="rt ~ 0 + a + (1 | participant)")
    (said,) = of_model(report)
    assert "whether all of its means are zero" in said
    assert report.table("anova").frame()["f"].iloc[0] > 500
    assert of_model(run("lmm", frame, formula="rt ~ a + (1 | participant)")) == []


def test_covariates_of_suggestions_are_amounts() -> None:
    """`characters` of three lengths is no factor, in the warnings, in the notes and in the line of the design."""
    frame = trials().assign(characters=lambda one: one["item"].map(lambda item: str(int(item[1:]) % 3)))
    report = run("lmm", frame, formula="rt ~ a + characters + (1 | participant) + (1 | item)")
    assert not [said for said in (*report.warnings, *report.notes) if "'characters'" in said]
    assert "characters" not in report.design
    words = frame.assign(frequency=frame["a"])
    assert "frequency: within" in run("lmm", words, formula="rt ~ frequency + (1 | participant)").design
    named: set[str] = set()
    for slug in ("self-paced-reading", "maze"):
        for suggested in paradigm_named(slug).suggested_analyses(["cond"]):
            formula = str(suggested.params.get("formula", ""))
            if formula:
                plain = parse(formula).plain_predictors
                named |= {name for name in plain if name != "cond"}
    assert named == {"characters", "words"}
    assert all(map(is_amount, named))


def test_remarks_are_ordered_by_what_they_are_about() -> None:
    frame = trials()
    frame = pd.concat([frame, frame.iloc[:3]], ignore_index=True)
    report = run("lmm", frame, formula=f"right {FORMULA}")
    places = [getattr(said, "importance", Importance.USUAL) for said in report.warnings]
    assert places == sorted(places)
    assert places[0] is Importance.ROWS
    assert by_importance(["b", Remark("a", Importance.UNITS)]) == ("a", "b")


def test_of_several_ways_to_one_measure_the_first_is_primary() -> None:
    ways = [
        {"method": "lmm", "params": {"formula": "log_rt ~ a + (1 | item)", "where": "correct = true"}},
        {"method": "glmm", "params": {"formula": "correct ~ a + (1 | item)"}},
        {"method": "lmm", "params": {"formula": "inverse_rt ~ a + (1 | item)", "where": "correct = true"}},
        {"method": "rm-anova", "params": {"dv": "rt_ms", "within": "a", "where": "correct = true"}},
        {"method": "lmm", "params": {"formula": "log(rt_ms) ~ a + (1 | item)", "where": "correct = true"}},
        {"method": "signal-detection", "params": {"response": "choice"}},
    ]
    assert [primary_of(ways, place) for place in range(6)] == [(0, 4), (1, 1), (0, 4), (0, 4), (0, 4), (5, 1)]
    ways[3]["sequential"] = {"looks": []}
    assert primary_of(ways, 0) == (3, 4)


def test_ids_joined_of_columns_that_are_not_there_are_refused() -> None:
    with pytest.raises(BadInput, match="no column 'grup:participant'"):
        run("rm-anova", trials(), dv="rt", within=["a"], participant="grup:participant")
