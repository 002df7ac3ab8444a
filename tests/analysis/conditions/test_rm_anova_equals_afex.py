"""Oracle: afex 1.2.1 (car 3.1.1) on R 4.2.2, ours in tests/oracles/anova/make.R and the shared ones."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from scipy import stats

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.conditions.minf import min_f
from tests.analysis.methods.references import (
    lines,
    needs_textbook,
    own,
    own_frame,
    rows_of,
    simulated,
    simulated_frame,
    textbook,
    textbook_frame,
)

pytestmark = pytest.mark.slow

RELATIVE = 1e-9


def assert_equal_to_afex(report: Any, expected: list[dict[str, Any]]) -> None:
    found = lines(report, "anova")
    assert list(found) == [row["effect"] for row in expected]
    for row in expected:
        mine = found[row["effect"]]
        for name in ("ss", "df1", "ss_error", "df2", "f", "p", "ges", "pes"):
            assert mine[name] == pytest.approx(row[name], rel=RELATIVE), (row["effect"], name)
        if row["mauchly_w"] is None:
            assert mine["mauchly_w"] is None
            assert mine["p_gg"] == pytest.approx(row["p"], rel=RELATIVE)
        else:
            for name in ("mauchly_w", "mauchly_p", "eps_gg", "p_gg", "eps_hf", "p_hf"):
                assert mine[name] == pytest.approx(row[name], rel=RELATIVE), (row["effect"], name)
            # The degrees of freedom that are printed are those that lead from F to the p of afex.
            for kind in ("gg", "hf"):
                p = stats.f.sf(mine["f"], mine[f"df1_{kind}"], mine[f"df2_{kind}"])
                assert p == pytest.approx(row[f"p_{kind}"], rel=RELATIVE), (row["effect"], kind)
                assert mine[f"df2_{kind}"] / mine[f"df1_{kind}"] == pytest.approx(row["df2"] / row["df1"], rel=RELATIVE)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("three_within", {"within": ["a", "b", "c"]}),
        ("mixed_unbalanced", {"within": ["marker", "order"], "between": ["group", "sex"]}),
        ("non_spherical", {"within": ["dose"]}),
        ("missing_cells", {"within": ["marker", "order"]}),
    ],
)
def test_every_number_of_the_table_is_that_of_afex(name: str, parameters: dict[str, Any]) -> None:
    assert_equal_to_afex(rm_anova(own_frame(name), dv="y", **parameters), own(name))


@pytest.mark.parametrize(("unit", "name"), [("participant", "f1"), ("item", "f2")])
def test_participants_and_items_are_averaged_over_missing_trials(unit: str, name: str) -> None:
    report = rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"], unit=unit)
    assert_equal_to_afex(report, own("two_within")[name])


def test_groups_alone_are_compared_with_type_three_sums_of_squares() -> None:
    found = lines(rm_anova(own_frame("mixed_unbalanced"), dv="y", between=["group", "sex"]), "anova")
    for row in own("between_only"):
        for name in ("df1", "df2", "f", "p", "ges", "pes"):
            assert found[row["effect"]][name] == pytest.approx(row[name], rel=RELATIVE)


def test_greenhouse_geisser_holds_with_fewer_participants_than_contrasts() -> None:
    report = rm_anova(own_frame("few_participants"), dv="y", within=["dose"])
    mine, expected = lines(report, "anova")["dose"], own("few_participants")
    for name in ("ss", "ss_error", "f", "p", "eps_gg", "p_gg"):
        assert mine[name] == pytest.approx(expected[name], rel=RELATIVE)
    assert mine["p_gg"] > mine["p"]
    assert mine["mauchly_w"] is None
    assert any("Mauchly's test is not defined for dose" in warning for warning in report.warnings)


def test_incomplete_participants_are_named_and_left_out() -> None:
    report = rm_anova(own_frame("missing_cells"), dv="y", within=["marker", "order"])
    assert any("2 participants (p03 and p07)" in note for note in report.notes)
    assert {row["n"] for row in rows_of(report, "cells")} == {8}


def test_intervals_of_the_means_are_those_of_cousineau_and_morey() -> None:
    report = rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"])
    found = {f"{row['marker']}:{row['order']}": row for row in rows_of(report, "cells")}
    for row in own("two_within")["cells"]:
        for name in ("mean", "sd", "ci_low", "ci_high"):
            assert found[row["cell"]][name] == pytest.approx(row[name], rel=RELATIVE)
    assert any("Cousineau" in note for note in report.notes)


def test_between_intervals_are_plain_t_intervals() -> None:
    from scipy import stats

    report = rm_anova(own_frame("three_within"), dv="y", within=["a"], intervals="between")
    frame = own_frame("three_within").assign(y=lambda data: data["y"].astype(float))
    means = frame[frame["a"] == "a1"].groupby("participant")["y"].mean()
    half = stats.t.ppf(0.975, len(means) - 1) * means.std() / len(means) ** 0.5
    first = rows_of(report, "cells")[0]
    assert first["ci_high"] - first["mean"] == pytest.approx(half, rel=RELATIVE)


def test_minf_is_that_of_clark() -> None:
    found = lines(min_f(own_frame("two_within"), dv="z", within=["marker", "order"]), "minf")
    for row in own("two_within")["minf"]:
        for name in ("minf", "df1", "df2", "p"):
            assert found[row["effect"]][name] == pytest.approx(row[name], rel=RELATIVE)


def test_a_factor_between_items_is_within_participants_for_minf() -> None:
    frame = own_frame("two_within")
    frame["genre"] = frame["item"].map(lambda item: "news" if item < "i05" else "letter")
    found = lines(min_f(frame, dv="z", within=["marker"], between_items=["genre"]), "minf")
    assert set(found) == {"marker", "genre", "marker:genre"}
    over_items = lines(rm_anova(frame, dv="z", within=["marker"], between=["genre"], unit="item"), "anova")
    assert found["genre"]["f2"] == over_items["genre"]["f"]
    assert found["genre"]["df2_error"] == over_items["genre"]["df2"] == 7


def test_a_factor_that_never_varies_within_an_item_is_found_by_minf_itself() -> None:
    frame = own_frame("two_within")
    frame["genre"] = frame["item"].map(lambda item: "news" if item < "i05" else "letter")
    named = min_f(frame, dv="z", within=["marker"], between_items=["genre"])
    found = min_f(frame, dv="z", within=["marker", "genre"])
    expected = lines(named, "minf")
    for effect, row in lines(found, "minf").items():
        assert {**row, "effect": ""} == pytest.approx({**expected[effect], "effect": ""}), effect
    assert "Every item has one level of genre only, so this differs between items here." in found.notes


def shared_effects(expected: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the shared results in the form of ours."""
    sizes = {row["term"]: row for row in expected["uncorrected"]}
    mauchly = {row["term"]: row for row in expected.get("mauchly", [])}
    epsilon = {row["term"]: row for row in expected.get("epsilon", [])}
    return [
        {
            "effect": row["term"],
            "ss": row["SS"],
            "df1": row["num_df"],
            "ss_error": row["SS_error"],
            "df2": row["den_df"],
            "f": row["F"],
            "p": row["p"],
            "ges": sizes[row["term"]]["ges"],
            "pes": sizes[row["term"]]["pes"],
            "mauchly_w": mauchly.get(row["term"], {}).get("W"),
            "mauchly_p": mauchly.get(row["term"], {}).get("p"),
            "eps_gg": epsilon.get(row["term"], {}).get("GG_eps"),
            "p_gg": epsilon.get(row["term"], {}).get("GG_p"),
            "eps_hf": epsilon.get(row["term"], {}).get("HF_eps"),
            "p_hf": epsilon.get(row["term"], {}).get("HF_p"),
        }
        for row in expected["univariate"]
        if row["term"] != "(Intercept)"
    ]


@pytest.mark.parametrize("dv", ["z", "logmod"])
@pytest.mark.parametrize(("unit", "name"), [("participant", "F1"), ("item", "F2")])
def test_a_magnitude_estimation_study_with_missing_ratings(dv: str, unit: str, name: str) -> None:
    report = rm_anova(simulated_frame("scores"), dv=dv, within=["marker", "order"], unit=unit)
    assert_equal_to_afex(report, shared_effects(simulated()[dv][name]))


@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_cells_and_minf_of_a_magnitude_estimation_study(dv: str) -> None:
    frame, expected = simulated_frame("scores"), simulated()[dv]
    cells = rows_of(rm_anova(frame, dv=dv, within=["marker", "order"]), "cells")
    found = {(row["marker"], row["order"]): row for row in cells}
    for row in expected["cells"]:
        mine = found[row["marker"].replace(".", "-"), row["order"].replace(".", "-")]
        assert (mine["mean"], mine["sd"], mine["n"]) == pytest.approx((row["mean"], row["sd"], row["n"]), rel=RELATIVE)
    minf = lines(min_f(frame, dv=dv, within=["marker", "order"]), "minf")
    for row in expected["minF"]:
        mine = minf[row["term"]]
        assert mine["minf"] == pytest.approx(row["minF"], rel=RELATIVE)
        assert (mine["df1"], mine["df2"], mine["p"]) == pytest.approx((row["num_df"], row["den_df"], row["p"]))


@needs_textbook
@pytest.mark.parametrize(
    ("name", "key", "parameters"),
    [
        ("obk_long", "obk_mixed", {"dv": "value", "within": ["phase", "hour"], "between": ["treatment", "gender"]}),
        ("obk_long", "obk_within_only", {"dv": "value", "within": ["phase", "hour"]}),
        ("obk_long", "obk_treatment_phase", {"dv": "value", "within": ["phase"], "between": ["treatment"]}),
        ("md_12_1", "md_12_1", {"dv": "rt", "within": ["angle", "noise"]}),
        (
            "sk2011_1",
            "sk2011_1",
            {"dv": "response", "within": ["inference", "plausibility"], "between": ["instruction"]},
        ),
        (
            "fhch2010_correct",
            "fhch_mixed5",
            {"dv": "log_rt", "within": ["stimulus", "density", "frequency", "length"], "between": ["task"]},
        ),
        ("fhch2010_correct", "fhch_within2", {"dv": "log_rt", "within": ["stimulus", "length"]}),
        (
            "stroop_study1_correct",
            "stroop1",
            {"dv": "rt", "within": ["condition", "congruency"], "participant": "pno"},
        ),
    ],
)
def test_textbook_and_published_data(name: str, key: str, parameters: dict[str, Any]) -> None:
    frame: pd.DataFrame = textbook_frame(name)
    report = rm_anova(frame, **{"participant": "id", **parameters})
    assert_equal_to_afex(report, shared_effects(textbook()[key]))
