"""Raw numbers, z scores and logarithms side by side: equal to the single analyses, and words that follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.conditions.minf import min_f
from analysis.methods.measures.normalise import normalise
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Report
from analysis.methods.reported.robustness import METHOD, example
from analysis.methods.reported.robustness_versions import conclusions

pytestmark = pytest.mark.slow

SCALES = {"raw": None, "z": "z", "log-z": "log-z", "log-ratio": "log-ratio"}


def ratings(
    *, effect: float = 0.05, seed: int = 4, levels: int = 2, people: int = 12, things: int = 12
) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    modulus = random.integers(10, 200, people)
    return pd.DataFrame(
        [
            {
                "participant": f"P{p}",
                "item": f"I{i}",
                "order": "abc"[o],
                "genre": "xy"[i % 2],
                "modulus": int(modulus[p]),
                "rating": float(modulus[p] * 10 ** (effect * o + random.normal(0, 0.15))),
                "rt": 100 if (p + i) % 11 == 0 else 900,
            }
            for p in range(people)
            for i in range(things)
            for o in range(levels)
        ]
    )


def report_of(frame: pd.DataFrame, **parameters: Any) -> Report:
    return run(METHOD, frame, {"dv": "rating", "within": "order", **parameters})


def lines(report: Report) -> list[dict[str, Any]]:
    rows = report.table("robustness").frame().astype(object).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("left_out", ["nothing", "rt<500"])
@pytest.mark.parametrize("scale", SCALES)
def test_every_version_is_the_analysis_of_the_normalised_scores(scale: str, left_out: str) -> None:
    frame = ratings(levels=3)
    row = next(
        line
        for line in lines(report_of(frame, exclusion="rt<500"))
        if (line["scale"], line["exclusion"]) == (scale, left_out)
    )
    kept = frame[frame["rt"] >= 500] if left_out != "nothing" else frame
    how, dv = SCALES[scale], "rating"
    if how is not None:
        kept = normalise(kept, dv="rating", how=how).table("scores").frame()
        dv = f"rating_{how}"
    first = rm_anova(kept, dv=dv, within=["order"]).table("anova").frame().iloc[0]
    second = rm_anova(kept, dv=dv, within=["order"], unit="item").table("anova").frame().iloc[0]
    both = min_f(kept, dv=dv, within=["order"]).table("minf").frame().iloc[0]
    expected = {
        "f1": first["f"],
        "p1": first["p"],
        "p1_gg": first["p_gg"],
        "ges": first["ges"],
        "f2": second["f"],
        "p2": second["p"],
        "minf": both["minf"],
        "p_minf": both["p"],
        "df_minf": both["df2"],
    }
    assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-9)
    assert row["n"] == len(kept)


def test_without_a_modulus_logarithms_take_the_place_of_log_ratios_with_the_same_f() -> None:
    frame = ratings()
    with_modulus = next(row for row in lines(report_of(frame)) if row["scale"] == "log-ratio")
    without = next(row for row in lines(report_of(frame.drop(columns="modulus"))) if row["scale"] == "log")
    assert (without["f1"], without["f2"]) == pytest.approx((with_modulus["f1"], with_modulus["f2"]), rel=1e-9)


def test_a_clear_effect_does_not_hang_on_the_choice() -> None:
    report = report_of(ratings(effect=0.3))
    assert "does not hang on the choice" in report.sentences[0]
    assert "significant in all 4 versions, with the highest mean for b throughout" in report.sentences[0]
    assert not any("hangs on" in warning for warning in report.warnings)


def test_one_typed_number_makes_the_conclusion_hang_on_the_scale() -> None:
    frame = ratings(effect=0.1)
    frame.loc[frame.index[frame["order"] == "a"][5], "rating"] = 111_111
    report = report_of(frame)
    decisions = {row["scale"]: row["decision"] for row in lines(report)}
    assert decisions["raw"] == "not significant"
    assert decisions["log-z"] == "significant"
    assert "hangs on the choice of scale: not significant with raw" in report.sentences[0]
    twice = report_of(frame, exclusion="participant=P3").sentences[0]
    assert "not significant with raw; significant with the highest mean for b with z" in twice
    assert "left out" not in twice
    assert any("hangs on the choice of scale" in warning for warning in report.warnings)


def test_leaving_that_number_out_makes_the_conclusion_hang_on_the_exclusion() -> None:
    frame = ratings(effect=0.1)
    frame.loc[frame.index[frame["order"] == "a"][5], "rating"] = 111_111
    report = report_of(frame, exclusion="rating>100000", criterion="min-f")
    found = conclusions(lines(report))
    assert found[("raw", "nothing")][0] == "not significant"
    assert found[("raw", "rating>100000")] == ("significant", "b")
    assert "exclusion" in report.sentences[0].split(":")[0]


def test_a_significant_reversal_is_no_agreement() -> None:
    frame = ratings(effect=0.1, things=24)
    # Three people rate on a scale of thousands and the other way round: they own the raw means.
    loud = frame["participant"].isin([f"P{p}" for p in range(9)])
    frame["rating"] = 100 * 10 ** np.where(frame["order"] == "a", 0.0, np.where(loud, 0.06, -0.02))
    frame["rating"] += np.random.default_rng(1).normal(0, 3, len(frame))
    frame.loc[~loud, "rating"] = frame.loc[~loud, "rating"] * 100
    report = report_of(frame.drop(columns="modulus"), criterion="f1")
    highest = {row["scale"]: row["highest"] for row in lines(report)}
    assert highest["raw"] == "a"
    assert highest["z"] == "b"


def test_several_exclusions_are_tried_alone_and_together() -> None:
    report = report_of(ratings(), exclusion="rt<500; participant=P3")
    assert list(dict.fromkeys(row["exclusion"] for row in lines(report))) == [
        "nothing",
        "rt<500",
        "participant=P3",
        "all of these",
    ]
    by_exclusion = {row["exclusion"]: row["n_participants"] for row in lines(report)}
    assert by_exclusion["participant=P3"] == by_exclusion["nothing"] - 1
    assert any("participant=P3 (24 rows)" in note for note in report.notes)


def test_zeros_are_left_out_of_logarithms_only() -> None:
    frame = ratings()
    frame.loc[[0, 30, 60], "rating"] = 0
    counts = {row["scale"]: row["n"] for row in lines(report_of(frame))}
    assert counts == {"raw": 288, "z": 288, "log-z": 285, "log-ratio": 285}


def test_a_version_that_cannot_be_computed_is_listed_with_the_reason() -> None:
    frame = ratings()
    frame["rating"] = -frame["rating"]
    report = report_of(frame)
    decisions = {row["scale"]: row["decision"] for row in lines(report)}
    assert decisions["log-z"] == decisions["log-ratio"] == "not possible"
    assert decisions["raw"] != "not possible"
    assert any(warning.startswith("log-z, left out: nothing. Not possible:") for warning in report.warnings)


def test_z_scores_say_nothing_about_groups_and_a_warning_says_so() -> None:
    frame = ratings()
    frame["group"] = frame["participant"].map(lambda name: "old" if int(name[1:]) < 5 else "young")
    report = report_of(frame, between_participants=["group"])
    by_scale = {row["scale"]: row for row in lines(report) if row["effect"] == "group"}
    assert pd.isna(by_scale["z"]["f1"])
    assert by_scale["raw"]["p"] is not None
    assert any(text.startswith("z scores take away all differences between participants") for text in report.warnings)
    assert any(text.startswith("F of group is not defined, for want of error variance") for text in report.warnings)


def test_without_items_the_decision_rests_on_participants() -> None:
    report = report_of(ratings().drop(columns="item"))
    assert all(row["f2"] is None and row["p"] is not None for row in lines(report))
    assert any("rest on F1 alone" in warning for warning in report.warnings)


def test_the_criterion_decides() -> None:
    frame = ratings(effect=0.02, seed=8)
    both = lines(report_of(frame))
    combined = lines(report_of(frame, criterion="min-f"))
    alone = lines(report_of(frame, criterion="f1"))
    for first, second, third in zip(both, combined, alone, strict=True):
        assert first["p"] == max(first["p1"], first["p2"])
        assert second["p"] == second["p_minf"] >= first["p"]
        assert third["p"] == third["p1"]
        assert first["decision"] == ("significant" if first["p"] < 0.05 else "not significant")


def test_a_factor_between_items_is_analysed_as_in_minf() -> None:
    frame = ratings()
    report = report_of(frame, between_items="genre")
    expected = min_f(frame, dv="rating", within=["order"], between_items=["genre"]).table("minf").frame()
    found = report.table("robustness").frame().query("scale == 'raw'")
    assert list(found["effect"]) == list(expected["effect"])
    assert list(found["minf"]) == pytest.approx(list(expected["minf"]))


def test_an_exclusion_that_meets_no_row_changes_nothing_and_is_pointed_out() -> None:
    report = report_of(ratings(), exclusion="rt<1")
    found = {(row["scale"], row["exclusion"]): row["f1"] for row in lines(report)}
    assert found["raw", "rt<1"] == found["raw", "nothing"]
    assert any("No row satisfies 'rt<1'" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"exclusion": "rt<"}, "rt<"),
        ({"exclusion": "rtt<100"}, "There is no column 'rtt'"),
        ({"within": ""}, "Name at least one factor"),
        ({"standard": -1}, "standard must be above zero"),
        ({"alpha": 5}, "alpha must lie between 0 and 1"),
        ({"participant": "rt"}, "rt"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_in_a_sentence(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        report_of(ratings().assign(rt=5), **parameters)


def test_the_example_shows_a_figure_with_a_line_at_alpha() -> None:
    frame, parameters = example()
    (figure,) = run(METHOD, frame, {**parameters, "alpha": 0.01}).figures
    assert figure.reference == 0.01
    assert figure.encoding["panel"] == "exclusion"


def test_values_without_a_logarithm_are_counted_before_anything_is_concluded() -> None:
    frame = ratings()
    frame.loc[[0, 30], "rating"] = [0.0, -2.0]
    frame.loc[frame["participant"] == "P1", "modulus"] = 0
    warnings = report_of(frame).warnings
    assert any(
        "2 values of 'rating' are not above zero, and the versions on log-z and log-ratio" in w for w in warnings
    )
    assert any("24 rows have no 'modulus' above zero" in warning for warning in warnings)
    assert not any("above zero" in warning for warning in report_of(ratings()).warnings)


def test_an_exclusion_of_everything_or_of_nothing_that_exists_is_said_plainly() -> None:
    warnings = report_of(ratings(), exclusion="rt<10000").warnings
    assert "raw, left out: rt<10000. Not possible: No row is left." in warnings
    with pytest.raises(BadInput, match=r"^exclusion: There is no column 'rtt'"):
        report_of(ratings(), exclusion="rtt<10000")
