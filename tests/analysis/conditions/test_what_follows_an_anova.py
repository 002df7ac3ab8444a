"""Oracle: car 3.1.1 (leveneTest), effectsize 0.8.3, afex 1.2.1 on subsets, emmeans 1.8.4.1 (multivariate model) on R
4.2.2, by tests/oracles/anova/follow_up.R; Shapiro–Wilk against R's own value for the same residuals.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pandas as pd
import pytest

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.report import BadInput
from tests.analysis.methods.references import OWN, lines, own_frame, rows_of

RELATIVE = 1e-9
MARKERS = ("because", "cause", "so")
MIXED: dict[str, Any] = {"within": ["marker", "order"], "between": ["group", "sex"]}


@cache
def expected() -> Any:
    return json.loads((OWN / "follow_up.json").read_text(encoding="utf-8"))


def same_effect(name: str, other: str) -> bool:
    return set(name.split(":")) == set(other.split(":"))


@pytest.mark.parametrize(("check", "centre"), [("Levene (mean)", "mean"), ("Brown–Forsythe (median)", "median")])
def test_groups_variances_are_compared_as_in_car(check: str, centre: str) -> None:
    report = rm_anova(own_frame("mixed_unbalanced"), dv="y", **MIXED)
    row = next(r for r in rows_of(report, "assumptions") if r["check"] == check and r["of"] == "means over cells")
    reference = expected()["levene"][centre]
    assert (row["statistic"], row["df1"], row["df2"], row["p"]) == pytest.approx(
        (reference["f"], reference["df1"], reference["df2"], reference["p"]), rel=RELATIVE
    )


def test_every_cell_has_its_own_comparison_of_variances() -> None:
    report = rm_anova(own_frame("mixed_unbalanced"), dv="y", **MIXED)
    found = {r["of"]: r["p"] for r in rows_of(report, "assumptions") if r["check"] == "Brown–Forsythe (median)"}
    for cell, reference in expected()["levene"]["cells"].items():
        assert found[cell] == pytest.approx(reference["p"], rel=RELATIVE)


def test_groups_of_two_have_no_comparison_of_variances_and_the_table_says_why() -> None:
    """Both of two values lie equally far from their mean, so nothing is left to compare; car prints p = 1e-32."""
    values = pd.DataFrame({"participant": list("abcd"), "group": list("gghh"), "y": [1.0, 2.5, 4.0, 9.0]})
    found = lines(rm_anova(values, dv="y", between=["group"]), "assumptions", key="check")["Levene (mean)"]
    assert (found["statistic"], found["p"]) == (None, None)
    assert found["reading"] == "not defined: within groups all deviations are equal, as with two units each"


@pytest.mark.parametrize(("name", "dv", "parameters"), [
    ("two_within", "z", {"within": ["marker", "order"]}),
    ("mixed_unbalanced", "y", MIXED),
])  # fmt: skip
def test_partial_omega_squared_is_that_of_effectsize(name: str, dv: str, parameters: dict[str, Any]) -> None:
    found = lines(rm_anova(own_frame(name), dv=dv, **parameters), "anova")
    for effect, reference in expected()["omega"][name].items():
        mine = next(row for own, row in found.items() if same_effect(own, effect))
        assert mine["omega2"] == pytest.approx(reference, rel=RELATIVE, abs=1e-12)


@pytest.mark.parametrize(("key", "name", "dv", "parameters", "at"), [
    ("marker_by_order", "two_within", "z", {"within": ["marker", "order"]}, "order"),
    ("order_by_marker", "two_within", "z", {"within": ["marker", "order"]}, "marker"),
    ("mixed_by_group", "mixed_unbalanced", "y", MIXED, "group"),
    ("mixed_by_marker", "mixed_unbalanced", "y", MIXED, "marker"),
])  # fmt: skip
def test_simple_effects_are_those_of_afex_on_each_level(
    key: str, name: str, dv: str, parameters: dict[str, Any], at: str
) -> None:
    rows = rows_of(rm_anova(own_frame(name), dv=dv, simple=[at], **parameters), "simple")
    compared = 0
    for level, effects in expected()["simple"][key].items():
        for effect, reference in effects.items():
            mine = next(row for row in rows if row["at"] == level and same_effect(row["effect"], effect))
            for column in ("df1", "df2", "f", "p", "p_gg", "p_holm"):
                assert mine[column] == pytest.approx(reference[column], rel=RELATIVE), (level, effect, column)
            compared += 1
    assert compared == len(rows)


def assert_contrasts_equal(rows: list[dict[str, Any]], references: list[dict[str, Any]]) -> None:
    assert len(rows) == len(references)
    for mine, reference in zip(rows, references, strict=True):
        for column, name in [("estimate", "estimate"), ("se", "SE"), ("df", "df"), ("t", "t.ratio"), ("p", "p.value"),
                             ("ci_low", "lower.CL"), ("ci_high", "upper.CL"), ("p_holm", "p_holm"),
                             ("p_bonferroni", "p_bonferroni")]:  # fmt: skip
            if name in reference:
                assert mine[column] == pytest.approx(reference[name], rel=RELATIVE), (mine["contrast"], column)


@pytest.mark.parametrize(("key", "text"), [
    ("first", "marker: first"),
    ("polynomial", "marker: polynomial"),
    ("sum", "marker: sum"),
    ("helmert", "marker: helmert"),
    ("interaction", "marker: because=1, cause=-1 * order: ab=1, ba=-1"),
])  # fmt: skip
def test_contrasts_within_participants_are_those_of_emmeans(key: str, text: str) -> None:
    report = rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"], contrasts=text)
    assert_contrasts_equal(rows_of(report, "contrasts"), expected()["contrasts"][key])


def test_weights_may_be_fractions() -> None:
    text = "marker: because=-1/2, cause=-1/2, so=1"
    report = rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"], contrasts=text)
    reference = expected()["contrasts"]["helmert"][-1]
    assert reference["contrast"] == "so"
    alone = {name: value for name, value in reference.items() if name not in ("p_holm", "p_bonferroni")}
    assert_contrasts_equal(rows_of(report, "contrasts"), [alone])


def test_contrasts_between_groups_are_those_of_emmeans() -> None:
    report = rm_anova(own_frame("mixed_unbalanced"), dv="y", contrasts="group: g1=1, g2=-1", **MIXED)
    assert_contrasts_equal(rows_of(report, "contrasts"), expected()["contrasts"]["mixed_group"])


def test_families_are_adjusted_apart() -> None:
    report = rm_anova(
        own_frame("two_within"), dv="z", within=["marker", "order"], contrasts="marker: first; order: first"
    )
    rows = rows_of(report, "contrasts")
    assert [row["family"] for row in rows] == ["marker: first", "marker: first", "order: first"]
    assert rows[2]["p_bonferroni"] == rows[2]["p"]


@pytest.mark.parametrize(("text", "sentence"), [
    ("markr: first", "did you mean 'marker'"),
    ("marker: because=1, cuase=-1", "did you mean 'cause'"),
    ("marker: because=1, cause=-0.5", "sum to 0.5"),
    ("marker: because=1, because=-1", "has two weights"),
    ("marker: because=one, cause=-1", "is no number"),
    ("marker: because=0, cause=0", "are 0"),
    ("marker: because=1/0, cause=-1", "is no number"),
    ("marker: deviation", "no set of contrasts"),
    ("marker first", "is no contrast"),
    ("marker: because=1e308, cause=-1e308", "no number between"),
    ("marker: becuase=1", "The levels of marker are: "),
    ("marker: first * marker: first", "names 'marker' twice"),
    (" ; ", "names none"),
])  # fmt: skip
def test_a_contrast_that_cannot_be_read_is_refused_with_what_to_write(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"], contrasts=text)


@pytest.mark.parametrize(
    ("at", "sentence"), [(["ordr"], "did you mean 'order'"), (["marker", "order"], "none to test")]
)
def test_simple_effects_need_a_factor_to_test(at: list[str], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        rm_anova(own_frame("two_within"), dv="z", within=["marker", "order"], simple=at)


def test_a_level_at_which_nothing_varies_is_named() -> None:
    frame = own_frame("two_within")
    frame.loc[frame["order"] == "ba", "z"] = "1"
    report = rm_anova(frame, dv="z", within=["marker", "order"], simple=["order"])
    assert {row["at"] for row in rows_of(report, "simple")} == {"ab"}
    assert any("Nothing varies at ba" in warning for warning in report.warnings)


def test_a_simple_effect_without_error_is_named_and_the_others_are_tested() -> None:
    frame = own_frame("two_within")
    frame.loc[frame["order"] == "ba", "z"] = frame["marker"].map({name: str(i) for i, name in enumerate(MARKERS)})
    report = rm_anova(frame, dv="z", within=["marker", "order"], simple=["order"])
    assert {row["at"]: row["f"] is None for row in rows_of(report, "simple")} == {"ab": False, "ba": True}
    warned = [text for text in report.warnings if " at ba is" in text]
    assert warned == ["F of marker at ba is not defined: the error variance is zero."]


def test_a_level_with_no_more_participants_than_groups_is_refused() -> None:
    frame = own_frame("mixed_unbalanced")
    kept = frame[frame["group"] == "g1"].drop_duplicates(["participant", "sex"]).drop_duplicates("sex")["participant"]
    few = frame[(frame["group"] != "g1") | frame["participant"].isin(kept)]
    with pytest.raises(BadInput, match="There are 2 complete participants at g1 and 2 groups to estimate"):
        rm_anova(few, dv="y", simple=["group"], **MIXED)


def test_the_sentences_name_simple_effects_and_contrasts() -> None:
    frame = own_frame("two_within")
    report = rm_anova(
        frame, dv="z", within=["marker", "order"], simple=["order"], contrasts="order: first; marker: polynomial"
    )
    simple, contrasts = rows_of(report, "simple"), rows_of(report, "contrasts")
    told = report.sentences[3:]
    assert len(told) == len(simple) + len(contrasts)
    assert told[0].startswith(f"At {simple[0]['at']}, there was ")
    assert "simple effect of marker, F1(" in told[0]
    assert "over the levels, Holm-adjusted p" in told[0]
    assert told[len(simple)].startswith(f"The planned contrast of order ({contrasts[0]['contrast']}) was ")
    assert any("Planned contrasts were order: first and marker: polynomial." in note for note in report.notes)


def test_contrasts_of_any_size_of_weights_are_tested_alike() -> None:
    frame = own_frame("two_within")
    first, second = sorted(frame["order"].unique())
    texts = [f"order: {first}={size}, {second}=-{size}" for size in ("1", "0.000001", "999999")]
    found = [
        rows_of(rm_anova(frame, dv="z", within=["marker", "order"], contrasts=text), "contrasts")[0] for text in texts
    ]
    assert [row["t"] for row in found] == pytest.approx([found[0]["t"]] * 3, rel=1e-9)


def test_names_with_signs_stand_in_quotes_in_contrasts() -> None:
    frame = own_frame("two_within")
    first, second = sorted(frame["order"].unique())
    signs = frame.assign(**{"x: *y": frame["order"].map({first: "a, b;", second: "c*=d"})})
    plain, quoted = (
        rows_of(rm_anova(data, dv="z", within=["marker", name], contrasts=text), "contrasts")
        for data, name, text in (
            (frame, "order", f"order: {first}=1, {second}=-1 * marker: first"),
            (signs, "x: *y", '"x: *y": "a, b;"=1, "c*=d"=-1 * marker: first'),
        )
    )
    assert [row["t"] for row in quoted] == pytest.approx([row["t"] for row in plain])
