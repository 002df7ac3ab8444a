"""Oracles: emmeans 1.8.4.1 and R's ptukey and qtukey; SciPy's studentized_range where R loses its tail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods.adjusted import holm
from analysis.methods.conditions.studentised_range import critical_value, upper_tail
from analysis.methods.conditions.tukey import tukey
from analysis.methods.report import BadInput
from tests.analysis.methods.references import (
    comparison,
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

FACTORS: dict[str, Any] = {"dv": "z", "within": ["marker", "order"]}


def compared(error: str, **parameters: Any) -> list[dict[str, Any]]:
    return rows_of(tukey(own_frame("two_within"), **FACTORS, error=error, **parameters), "comparisons")


def names_of(contrast: str) -> list[str]:
    """Turn emmeans' `(because ab) - (cause ab)` into two cells as Lectern names them."""
    return [name.strip("()").replace(" ", ":").replace(".", "-") for name in contrast.split(" - ")]


@pytest.mark.parametrize("error", ["univariate", "multivariate"])
def test_all_cells_have_the_errors_intervals_and_p_of_emmeans(error: str) -> None:
    rows = compared(error)
    expected = own("two_within")["tukey"][error]["all"]
    assert len(rows) == len(expected) == 15
    for row in expected:
        mine = comparison(rows, *names_of(row["contrast"]))
        for name, theirs in (("diff", "estimate"), ("se", "SE"), ("df", "df"), ("p_holm", "holm")):
            assert mine[name] == pytest.approx(row[theirs], rel=1e-9), (row["contrast"], name)
        assert mine["q"] == pytest.approx(abs(row["t.ratio"]) * 2**0.5, rel=1e-9)
        assert mine["p"] == pytest.approx(row["p.value"], rel=1e-6, abs=1e-9)
        assert mine["ci_low"] == pytest.approx(row["lower.CL"], rel=1e-6, abs=1e-9)
        assert mine["ci_high"] == pytest.approx(row["upper.CL"], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("error", ["univariate", "multivariate"])
def test_levels_held_apart_are_families_of_their_own(error: str) -> None:
    rows = compared(error, by=["marker"])
    expected = own("two_within")["tukey"][error]["inside"]
    assert len(rows) == len(expected) == 3
    for row in expected:
        mine = comparison(rows, *names_of(row["contrast"]), by=row["marker"])
        assert (mine["diff"], mine["se"], mine["df"]) == pytest.approx((row["estimate"], row["SE"], row["df"]))
        assert mine["p"] == pytest.approx(row["p.value"], rel=1e-6, abs=1e-9)
        assert mine["k"] == 2


def test_the_pooled_version_uses_the_interaction_error_and_all_cells() -> None:
    rows = compared("pooled")
    for row in own("two_within")["pooled"]:
        mine = comparison(rows, row["a"], row["b"])
        for name in ("diff", "q", "df"):
            assert mine[name] == pytest.approx(row[name], rel=1e-9)
        for name in ("p", "ci_low", "ci_high"):
            assert mine[name] == pytest.approx(row[name], rel=1e-6, abs=1e-8)


def test_the_pooled_version_keeps_its_family_when_levels_are_held_apart() -> None:
    whole, apart = compared("pooled"), compared("pooled", by=["order"])
    assert len(apart) == 6
    for row in apart:
        same = comparison(whole, f"{row['a']}:{row['by']}", f"{row['b']}:{row['by']}")
        assert (row["p"], row["k"]) == (same["p"], 6)


def test_groups_are_averaged_with_equal_weights() -> None:
    report = tukey(
        own_frame("mixed_unbalanced"),
        dv="y",
        within=["marker", "order"],
        between=["group", "sex"],
        compare=["marker"],
        error="multivariate",
    )
    rows = rows_of(report, "comparisons")
    for row in own("mixed_unbalanced_pairs"):
        mine = comparison(rows, *names_of(row["contrast"]))
        assert (mine["diff"], mine["se"], mine["df"]) == pytest.approx((row["estimate"], row["SE"], row["df"]))
        assert mine["p"] == pytest.approx(row["p.value"], rel=1e-6, abs=1e-9)


def test_every_row_says_q_as_difference_over_standard_error() -> None:
    for error in ("pooled", "univariate", "multivariate"):
        for row in compared(error):
            assert row["q"] == pytest.approx(abs(row["diff"]) * 2**0.5 / row["se"], rel=1e-12)
            assert row["ci_low"] < row["diff"] < row["ci_high"]


def test_which_version_ran_is_in_the_notes() -> None:
    for error, words in (("pooled", "pooled error"), ("univariate", "univariate"), ("multivariate", "multivariate")):
        report = tukey(own_frame("two_within"), **FACTORS, error=error)
        assert any(words in note for note in report.notes)


def test_the_error_of_the_pooled_version_is_that_of_the_interaction_in_afex() -> None:
    row = next(row for row in own("two_within")["f1"] if row["effect"] == "marker:order")
    report = tukey(own_frame("two_within"), **FACTORS, by=["order"])
    said = (
        f"the error of marker:order over participants, {row['ss_error'] / row['df2']:.4f} (14 df); studentised range "
    )
    assert any(said + "of all 6 cells" in note for note in report.notes)


def test_what_is_averaged_over_is_said() -> None:
    averaged = tukey(own_frame("two_within"), **FACTORS, compare=["order"], error="univariate", unit="item")
    assert "Means are averaged over marker with equal weights." in averaged.notes
    assert any("9 items × 6 cells" in note for note in averaged.notes)
    apart = tukey(own_frame("two_within"), **FACTORS, by=["marker"], error="univariate")
    assert not any("averaged over" in note for note in apart.notes)


def test_the_sentences_name_the_higher_mean_first_and_say_whether_it_differed() -> None:
    # Every participant's b is 3, 4 or 5 above a and 2, 3 or 4 above c, whose error is far smaller.
    frame = pd.DataFrame(
        [
            {"participant": f"p{p}", "place": place, "marker": marker, "z": base + p + extra[p % 3]}
            for p in range(6)
            for place in ("x", "y")
            for marker, base, extra in (("a", 0, (0, 0, 0)), ("b", 3, (0, 1, 2)), ("c", 1, (0, 1, 0)))
        ]
    )
    frame["z"] += (frame["place"] == "y") * (frame["participant"] > "p2") * 0.5
    report = tukey(frame, dv="z", within=["place", "marker"], by=["place"], error="multivariate")
    rows = rows_of(report, "comparisons")
    assert len(report.sentences) == len(rows) == 6
    for sentence, row in zip(report.sentences, rows, strict=True):
        by_marker = {row["a"]: row["mean_a"], row["b"]: row["mean_b"]}
        high, low = sorted(by_marker, key=by_marker.__getitem__, reverse=True)
        means = f"{high} (M = {by_marker[high]:.2f}) and {low} (M = {by_marker[low]:.2f})"
        assert sentence.startswith(f"In {row['by']}, {means} differed, q({row['k']}, 5) = {row['q']:.2f}, p ")
    assert {row["a"] for row in rows if row["diff"] > 0} == {"b"}


def test_a_difference_that_may_be_chance_is_not_called_one() -> None:
    sentences = tukey(own_frame("two_within"), **FACTORS).sentences
    assert sentences[0].startswith(
        "because:ab (M = −0.06) and because:ba (M = −0.21) did not differ significantly, q(6,"
    )
    assert all(row["p"] > 0.05 for row in compared("pooled"))
    assert all("did not differ significantly" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"by": ["marker", "order"]}, "nothing is left to compare"),
        ({"by": ["mark"]}, "did you mean 'marker'"),
        ({"by": ["marker"], "compare": ["marker"]}, "both held apart and compared"),
        ({"compare": ["marker"]}, "compare averages over order; use error=univariate or error=multivariate"),
        ({"within": []}, "Name at least one within factor"),
        ({"confidence": 95}, "confidence must lie between"),
    ],
)
def test_what_cannot_be_compared_is_said(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        tukey(own_frame("two_within"), **{**FACTORS, **parameters})


def test_cells_that_would_have_one_name_are_refused() -> None:
    levels = {"because": "a:b", "cause": "a", "ab": "c", "ba": "b:c"}
    frame = own_frame("two_within").query("marker in ['because', 'cause']").replace(levels)
    with pytest.raises(BadInput, match="Two cells of marker and order would both be called 'a:b:c'; rename"):
        tukey(frame, **FACTORS)
    assert len(rows_of(tukey(frame, **FACTORS, by=["order"]), "comparisons")) == 2


def test_a_difference_that_is_the_same_in_everybody_is_not_tested() -> None:
    frame = (
        own_frame("two_within").query("order == 'ab'").assign(z=lambda data: data["z"].replace("", "0").astype(float))
    )
    shifted = frame.query("marker == 'cause'").assign(marker="cause-more", z=lambda data: data["z"] + 1)
    report = tukey(pd.concat([frame, shifted]), dv="z", within=["marker"], error="multivariate")
    row = comparison(rows_of(report, "comparisons"), "cause", "cause-more")
    assert (row["q"], row["p"], row["ci_low"]) == (None, None, None)
    assert any("exactly the same in every participant" in warning for warning in report.warnings)


def test_the_studentised_range_is_that_of_r() -> None:
    for row in own("studentised_range"):
        mine = float(upper_tail(row["q"], k=row["k"], df=row["df"]))
        # R's own value is off by up to 1e-3 with two degrees of freedom: there the t test below is the oracle.
        assert mine == pytest.approx(row["p"], rel=1e-3 if row["df"] == 2 else 1e-6, abs=1e-8), row


def test_the_studentised_range_is_that_of_scipy() -> None:
    for row in own("studentised_range")[::5]:
        mine = float(upper_tail(row["q"], k=row["k"], df=row["df"]))
        assert mine == pytest.approx(stats.studentized_range.sf(row["q"], row["k"], row["df"]), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("df", [2, 49, 141, 1e5])
@pytest.mark.parametrize("t", [0.3, 2.0, 6.0, 11.0])
def test_two_means_give_the_t_test_far_into_the_tail(t: float, df: float) -> None:
    assert float(upper_tail(t * 2**0.5, k=2, df=df)) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-8)


@pytest.mark.parametrize(("k", "df"), [(3, 20), (8, 147.3), (28, 47)])
def test_critical_values_are_those_of_scipy(k: int, df: float) -> None:
    assert critical_value(0.05, k=k, df=df) == pytest.approx(stats.studentized_range.ppf(0.95, k, df), rel=1e-7)


def test_the_tail_falls_from_one_to_zero() -> None:
    tails = upper_tail(np.linspace(0, 60, 200), k=8, df=10)
    assert tails[0] == pytest.approx(1)
    assert (np.diff(tails) <= 1e-12).all()
    assert 0 < tails[-1] < 1e-6


def test_holm_never_falls_below_an_earlier_p() -> None:
    assert holm([0.04, 0.01, 0.9, 0.03]) == pytest.approx([0.09, 0.04, 0.9, 0.09])


@pytest.mark.parametrize("dv", ["z", "logmod"])
@pytest.mark.parametrize("error", ["univariate", "multivariate"])
@pytest.mark.parametrize(
    ("key", "parameters", "by", "column"),
    [
        ("order_by_marker", {"by": ["marker"]}, "marker", "p"),
        ("marker_by_order", {"by": ["order"]}, "order", "p"),
        ("all8", {}, "", "p"),
        ("all8_holm", {}, "", "p_holm"),
        ("marker_main", {"compare": ["marker"]}, "", "p"),
    ],
)
def test_a_magnitude_estimation_study_has_the_comparisons_of_emmeans(
    dv: str, error: str, key: str, parameters: dict[str, Any], by: str, column: str
) -> None:
    frame = simulated_frame("scores")
    rows = rows_of(tukey(frame, dv=dv, within=["marker", "order"], error=error, **parameters), "comparisons")
    expected = simulated()[dv][f"emmeans_{error}"][key]
    assert len(rows) == len(expected)
    for row in expected:
        held = row[by].replace(".", "-") if by else ""
        mine = comparison(rows, *names_of(row["contrast"]), by=held)
        assert (mine["diff"], mine["se"], mine["df"]) == pytest.approx((row["estimate"], row["SE"], row["df"]))
        assert mine[column] == pytest.approx(row["p.value"], rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_the_classical_version_of_the_paper(dv: str) -> None:
    frame, expected = simulated_frame("scores"), simulated()[dv]
    rows = rows_of(tukey(frame, dv=dv, within=["marker", "order"]), "comparisons")
    for row in expected["tukey_classical_8cells"]:
        a, b = (row[name].replace("|", ":").replace(".", "-") for name in ("a", "b"))
        mine = comparison(rows, a, b)
        assert (mine["diff"], mine["q"], mine["df"]) == pytest.approx((row["diff"], row["q"], row["df"]))
        assert (mine["ci_low"], mine["ci_high"]) == pytest.approx((row["hsd_lo"], row["hsd_hi"]), rel=1e-6)
        assert mine["p"] == pytest.approx(row["p"], rel=1e-6, abs=1e-8)


@needs_textbook
@pytest.mark.parametrize(("error", "key"), [("multivariate", "pairs_phase"), ("univariate", "pairs_phase_uni")])
def test_unequal_groups_of_obrien_and_kaiser(error: str, key: str) -> None:
    report = tukey(
        textbook_frame("obk_long"),
        dv="value",
        within=["phase"],
        between=["treatment"],
        participant="id",
        error=error,
    )
    rows = rows_of(report, "comparisons")
    for row in textbook()["obk_treatment_phase"][key]:
        mine = comparison(rows, *names_of(row["contrast"]))
        assert (mine["diff"], mine["se"], mine["df"]) == pytest.approx((row["estimate"], row["SE"], row["df"]))
        assert mine["p"] == pytest.approx(row["p.value"], rel=1e-6)


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99])
def test_a_sentence_and_the_caption_of_intervals_are_about_the_same_level(confidence: float) -> None:
    """The interval of Tukey's test leaves out zero exactly where its p lies below 1 − confidence."""
    report = tukey(own_frame("two_within"), **FACTORS, error="multivariate", confidence=confidence)
    lines = rows_of(report, "comparisons")
    for line, sentence in zip(lines, report.sentences, strict=True):
        leaves_out_zero = line["ci_low"] > 0 or line["ci_high"] < 0
        assert ("did not differ significantly" not in sentence) == leaves_out_zero
    at = "" if confidence == 0.95 else f" at α = {round(1 - confidence, 2):g}"
    assert f"the difference is significant{at}." in report.figures[0].caption
    assert all(f"differed{at}, q(" in said or f"significantly{at}, q(" in said for said in report.sentences)


@pytest.mark.parametrize("df", [0.0, 1e-4, 0.5, 0.99, float("nan")])
def test_less_than_one_degree_of_freedom_gives_no_number_instead_of_a_wrong_one(df: float) -> None:
    assert np.isnan(upper_tail(3.5, k=3, df=df))
    assert np.isnan(critical_value(0.05, k=3, df=df))


@pytest.mark.parametrize("k", [3, 8])
@pytest.mark.parametrize("df", [1.0, 1.5, 3.0])
def test_few_degrees_of_freedom_have_the_tail_of_scipy(df: float, k: int) -> None:
    value = critical_value(0.05, k=k, df=df)
    assert float(stats.studentized_range.sf(value, k, df)) == pytest.approx(0.05, abs=2e-6)
