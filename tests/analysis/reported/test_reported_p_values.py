"""Does a reported p follow from its statistic: the paper's exchanged values, printed precision, decisions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.methods.conditions.anova import example as anova_example
from analysis.methods.conditions.anova import rm_anova
from analysis.methods.registry import run
from analysis.methods.report import BadInput, Report
from analysis.methods.reported.consistency import METHOD
from analysis.methods.reported.consistency_checks import agrees, checked
from analysis.methods.reported.consistency_results import Printed, results_in

pytestmark = pytest.mark.slow

PAPER = "an effect of order (F1(1, 49) = 5.19, p =\n.017) and marker (F1(3, 147) = 3.48, p\n= .027)"


def report_of(*texts: str, **parameters: Any) -> Report:
    return run(METHOD, pd.DataFrame({"text": list(texts)}), parameters)


def rows_of(report: Report) -> list[dict[Hashable, Any]]:
    return report.table("consistency").frame().astype(object).to_dict("records")


def only(text: str, **parameters: Any) -> dict[Hashable, Any]:
    (row,) = rows_of(report_of(text, **parameters))
    return row


def test_the_exchanged_p_values_of_the_paper_are_found_and_recomputed() -> None:
    order, marker = rows_of(report_of(PAPER))
    assert (order["df1"], order["df2"], order["reported_p"]) == (1, 49, 0.017)
    assert order["computed_p"] == pytest.approx(stats.f.sf(5.19, 1, 49), rel=1e-12)
    assert (round(order["computed_p"], 3), round(marker["computed_p"], 3)) == (0.027, 0.018)
    assert (order["consistent"], marker["consistent"]) == (False, False)
    assert (order["decision_error"], marker["decision_error"]) == (False, False)


def test_exchanging_the_two_p_values_of_the_paper_makes_both_consistent() -> None:
    """3.48 may stand for 3.485, which gives .0175: printed as .017 it is what was reported for the other effect."""
    remark = next(warning for warning in report_of(PAPER).warnings if "p values exchanged" in warning)
    assert "F1(1, 49) = 5.19 and F1(3, 147) = 3.48" in remark
    assert "p = .017 and p = .027" in remark
    exchanged = PAPER.replace(".017", "x").replace(".027", ".017").replace("x", ".027")
    assert [row["consistent"] for row in rows_of(report_of(exchanged))] == [True, True]


def test_degrees_of_freedom_beyond_the_participants_are_pointed_out() -> None:
    report = report_of(PAPER, n_participants=48)
    assert any(
        "49 error degrees of freedom for 1 need at least 50 participants; there were 48" in w for w in report.warnings
    )
    assert any("147 error degrees of freedom for 3 need at least 50 participants" in w for w in report.warnings)
    assert not any("need at least" in warning for warning in report_of(PAPER, n_participants=50).warnings)


def test_the_columns_give_what_the_text_gives() -> None:
    frame = pd.DataFrame(
        {
            "test": ["F1", "F1"],
            "df1": [1, 3],
            "df2": [49, 147],
            "statistic": [5.19, 3.48],
            "p": [0.017, 0.027],
            "n": [48, 48],
        }
    )
    report = run(METHOD, frame, {})
    expected = rows_of(report_of(PAPER, n_participants=48))
    for row, other in zip(rows_of(report), expected, strict=True):
        same = set(row) - {"source"}
        assert {name: row[name] for name in same} == {name: other[name] for name in same}
    assert any("p values exchanged" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t(28) = 2.20, p = .036", 2 * stats.t.sf(2.20, 28)),
        ("t (28) = −2.20, p = .036", 2 * stats.t.sf(2.20, 28)),
        ("χ2(2, N = 48) = 6.25, p = .044", stats.chi2.sf(6.25, 2)),
        ("χ²(1) = 6.25, p = .012", stats.chi2.sf(6.25, 1)),
        ("chi-square(1) = 6.25, p = .012", stats.chi2.sf(6.25, 1)),
        ("z = 1.96, p = .050", 2 * stats.norm.sf(1.96)),
        ("r(30) = .43, p = .014", 2 * stats.t.sf(0.43 * np.sqrt(30 / (1 - 0.43**2)), 30)),
        ("F(1.04, 5.19) = 0.20, MSE = 3.1, p = .679", stats.f.sf(0.2, 1.04, 5.19)),
        ("q(8, 147) = 4.52, p = .036", stats.studentized_range.sf(4.52, 8, 147)),
        ("minF′(1, 22.4) = 3.20, p = .087", stats.f.sf(3.2, 1, 22.4)),
        ("min F' (1, 22.4) = 3.20, p = .087", stats.f.sf(3.2, 1, 22.4)),
    ],
)
def test_every_kind_of_test_is_read_and_recomputed(text: str, expected: float) -> None:
    row = only(text)
    assert row["computed_p"] == pytest.approx(expected, rel=1e-6)
    assert row["consistent"] is True


@pytest.mark.parametrize(
    ("text", "consistent", "decision_error"),
    [
        ("F(1, 20) = 4.35, p = .050", True, False),  # p(4.35) = .0501, p(4.355) = .04997
        ("F(1, 20) = 4.30, p < .05", False, True),
        ("F(1, 20) = 4.30, p > .05", True, False),
        ("F(1, 20) = 4.30, n.s.", True, False),
        ("F(1, 20) = 8.90, ns", False, True),
        ("F(1, 20) = 8.90, p < .05", True, False),
        ("F(1, 20) = 8.90, p < .001", False, False),
        ("F(1, 20) = 8.90, p = .070", False, True),
        ("F(1, 20) = 8.90, p = .007", True, False),
        ("F(1, 20) = 25.1, p = .000", True, False),
        ("F(1, 20) = 25.1, p > .01", False, False),  # p > .01 says nothing about .05, and neither does p < .10
        ("F(1, 20) = 2.0, p < .10", False, False),
        ("F(1, 20) < 1, ns", True, False),
        ("F(1, 20) < 1, p < .05", False, True),
    ],
)
def test_rounding_and_decisions(text: str, consistent: bool, decision_error: bool) -> None:
    row = only(text)
    assert (row["consistent"], row["decision_error"]) == (consistent, decision_error)


def test_a_final_zero_counts_in_text() -> None:
    assert only("t(10) = 2.2, p = .0528")["consistent"] is True  # 2.2 may be 2.197
    assert only("t(10) = 2.200, p = .0528")["consistent"] is False


def test_a_one_tailed_p_is_recognised() -> None:
    row = only("t(28) = 2.20, p = .018")
    assert row["consistent"] is False
    assert "one-tailed" in row["remark"]
    assert only("t(28) = 2.20, p = .018", tails="one")["consistent"] is True


@pytest.mark.parametrize(
    "text",
    [
        "rs(10) = .50; Wilcoxon's W = 12, p = .03",
        "r(10) = .50. Mann and Whitney's test gave U(10, 12) = 31, p = .03",
        "r(10) = .50. Everything else was significant, p = .03",
    ],
)
def test_the_p_of_another_test_or_sentence_is_not_taken_for_that_of_a_result(text: str) -> None:
    row = only(text)
    assert (row["reported_p"], row["consistent"], row["remark"]) == (None, None, "No p is reported.")


@pytest.mark.parametrize("between", [" (A vs. B)", ", MSE = 2.3", ", ηp² = .09, 95 % CI [.01, .20]", " ."])
def test_what_commonly_stands_between_a_statistic_and_its_p_does_not_part_them(between: str) -> None:
    assert only(f"F(1, 49) = 5.19{between}, p = .027")["consistent"] is True


@pytest.mark.parametrize(
    "text", ["F(1, 49) = 5,19, p = .027", "F(1, 49) = 5.19, p = 0,027", "F(1, 49) = 5.19, p < ,05", "t(9) = 1,200, ns"]
)
def test_a_decimal_comma_is_pointed_out_and_nothing_is_computed_from_half_a_number(text: str) -> None:
    row = only(text)
    assert (row["statistic"], row["computed_p"], row["consistent"]) == (None, None, None)
    assert "holds a comma; write decimals with a point" in row["remark"]


@pytest.mark.parametrize("printed", ["−2.20", "–2.20", "-2.20*", "−2.20 **"])
def test_signs_and_stars_of_print_are_read_in_columns_as_in_text(printed: str) -> None:
    frame = pd.DataFrame({"test": ["t"], "df1": ["28"], "statistic": [printed], "p": [".036*"]})
    (row,) = rows_of(run(METHOD, frame, {}))
    assert row["statistic"] == -2.2
    assert row["consistent"] is True


def test_degrees_of_freedom_over_items_are_not_compared_with_the_participants() -> None:
    report = report_of("F2(1, 95) = 5.19, p = .025; minF′(1, 96.2) = 4.1, p = .046; t2(95) = 2.1", n_participants=48)
    assert not any("participants" in warning for warning in report.warnings)
    assert any("need at least 96" in w for w in report_of("F1(1, 95) = 5.19, p = .025", n_participants=48).warnings)


def test_a_correlation_has_two_degrees_of_freedom_less_than_people() -> None:
    assert "has 30 degrees of freedom, not 32" in only("r(32) = .43, p = .011", n_participants=32)["remark"]


def test_exchanged_values_are_looked_for_within_a_source() -> None:
    parts = PAPER.split(" and marker ")
    frame = pd.DataFrame({"text": [*parts, "t(28) = 2.20, p = .036"], "source": ["a", "b", "b"]})
    assert not any("p values exchanged" in warning for warning in run(METHOD, frame, {}).warnings)
    frame["source"] = "a"
    assert any("A: F1(1, 49)" in warning for warning in run(METHOD, frame, {}).warnings)


def test_what_cannot_be_recomputed_is_listed_and_explained() -> None:
    frame = pd.DataFrame(
        {"test": ["F", "r", "U", "F", "t"], "df1": ["1", "20", "", "2", ""], "df2": ["", "", "", "30", ""]}
    ).assign(statistic=["4.1", "1.20", "88", "-3", "2.0"], p=["", ".01", ".3", ".2", ".05"])
    remarks = [row["remark"] for row in rows_of(run(METHOD, frame, {}))]
    assert remarks[0] == "Two degrees of freedom are needed."
    assert remarks[1] == "A correlation lies between −1 and 1."
    assert "'U' is none of F, t" in remarks[2]
    assert remarks[3] == "F cannot be negative."
    assert remarks[4] == "The degrees of freedom are missing."
    assert all(row["computed_p"] is None for row in rows_of(run(METHOD, frame, {})))


def test_an_impossible_p_is_inconsistent() -> None:
    row = only("F(1, 20) = 4.30, p = 1.7")
    assert (row["consistent"], row["remark"]) == (False, "A p lies between 0 and 1.")


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"text": ["nothing was found (n = 12)"]}), "No test result was found"),
        (pd.DataFrame({"rating": ["1"]}), "There is nothing to check"),
        (pd.DataFrame({"test": ["F"], "statistic": ["4.1"], "p": ["small"]}), "data row 1 holds 'small'"),
        (pd.DataFrame({"test": ["F"], "statistic": ["4.1"], "p": ["0,04"]}), "with a decimal point"),
        (pd.DataFrame({"test": ["F"], "statistic": ["four"], "p": [".04"]}), "'statistic' must hold numbers"),
    ],
)
def test_data_without_results_are_refused_in_a_sentence(frame: pd.DataFrame, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(METHOD, frame, {})


def test_sentences_of_our_own_analyses_are_consistent() -> None:
    frame, parameters = anova_example()
    sentences = [*rm_anova(frame, **parameters).sentences, *rm_anova(frame, unit="item", **parameters).sentences]
    rows = rows_of(report_of(*sentences))
    assert len(rows) == 6
    assert all(row["consistent"] for row in rows)


@settings(deadline=None)
@given(
    kind=st.sampled_from(["F", "t", "χ²", "z", "r"]),
    size=st.floats(0, 0.999),
    df1=st.integers(1, 12),
    df2=st.integers(2, 400),
    places=st.integers(1, 4),
)
def test_what_was_computed_and_rounded_is_always_consistent(
    kind: str, size: float, df1: int, df2: int, places: int
) -> None:
    value = size if kind == "r" else size * 8
    p = {
        "F": stats.f.sf(value, df1, df2),
        "t": 2 * stats.t.sf(value, df2),
        "χ²": stats.chi2.sf(value, df1),
        "z": 2 * stats.norm.sf(value),
        "r": 2 * stats.t.sf(size * np.sqrt(df2 / (1 - size**2)), df2),
    }[kind]
    dfs = {"F": f"({df1}, {df2})", "t": f"({df2})", "χ²": f"({df1})", "z": "", "r": f"({df2})"}[kind]
    (result,) = results_in(f"{kind}{dfs} = {value:.{places}f}, p = {p:.3f}", source="", alpha=0.05)
    check = checked(result, alpha=0.05, one_tailed=False)
    assert check.consistent is True
    assert check.low is not None
    assert check.p is not None
    assert check.high is not None
    assert check.low <= check.p <= check.high


@settings(deadline=None)
@given(df1=st.integers(1, 6), df2=st.integers(10, 200), f=st.floats(0.5, 12), wrong=st.floats(0.004, 0.5))
def test_a_p_that_is_off_is_never_consistent(df1: int, df2: int, f: float, wrong: float) -> None:
    printed = float(f"{f:.2f}")
    p = float(stats.f.sf(printed, df1, df2))
    spread = abs(stats.f.sf(printed - 0.005, df1, df2) - p) + 0.0006
    reported = round(p + wrong if p + wrong < 0.999 else p - wrong, 3)
    if abs(reported - p) > spread and reported > 0:
        (result,) = results_in(f"F({df1}, {df2}) = {printed:.2f}, p = {reported:.3f}", source="", alpha=0.05)
        assert checked(result, alpha=0.05, one_tailed=False).consistent is False


def test_a_consistent_result_is_not_said_to_fit_another_number_of_tails() -> None:
    assert only("t(28) = 2.20, p < .05")["remark"] is None
    assert only("t(28) = 2.20, p = .036", tails="one")["remark"] is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("F(1, 20) < 1, p = .80", stats.f.sf(1.5, 1, 20), 1),
        ("t(20) > 3.0, p = .001", 0, 2 * stats.t.sf(2.95, 20)),
        ("z = 0.3, p = .75", 2 * stats.norm.sf(0.35), 2 * stats.norm.sf(0.25)),
        ("z = 0.02, p = 1.00", 2 * stats.norm.sf(0.025), 2 * stats.norm.sf(0.015)),
        ("z = 0, p = .90", 2 * stats.norm.sf(0.5), 1),
    ],
)
def test_the_bounds_of_p_are_those_of_what_the_statistic_may_stand_for(text: str, low: float, high: float) -> None:
    row = only(text)
    assert (row["p_low"], row["p_high"]) == pytest.approx((low, high), rel=1e-12)
    assert row["consistent"] is (text != "z = 0.02, p = 1.00")


@pytest.mark.parametrize(
    ("printed", "low", "high", "fits"),
    [
        (".050", 0.0505, 0.06, True),  # .05 + .0005 is a little less than .0505 in binary
        (".050", 0.0506, 0.06, False),
        (".050", 0.04, 0.0495, True),
        (".050", 0.04, 0.0494, False),
        ("1.00", 0.995, 1.0, True),
        ("0", 0.4, 0.5, True),
    ],
)
def test_a_p_on_the_edge_of_its_last_digit_is_still_printed_so(
    printed: str, low: float, high: float, fits: bool
) -> None:
    assert agrees(Printed.of(printed), low=low, high=high) is fits


def exchanged(*texts: str) -> list[str]:
    return [warning for warning in report_of(" and ".join(texts)).warnings if "p values exchanged" in warning]


def test_consistent_results_are_never_called_exchanged() -> None:
    assert exchanged("t(28) = 2.20, p = .036", "t(29) = 2.20, p = .036") == []
    assert exchanged("F(1, 49) = 5.19, p = .027", "F(1, 49) = 5.19, p = .017", "F(3, 147) = 3.48, p = .018") == []


def test_a_p_that_fits_another_result_is_not_exchanged_unless_both_fit() -> None:
    assert exchanged("F(1, 49) = 5.19, p = .3", "F(3, 147) = 3.48, p = .027") == []
    assert exchanged("F(3, 147) = 3.48, p = .027", "F(1, 49) = 5.19, p = .3") == []


def test_a_result_is_exchanged_with_one_other_at_most() -> None:
    first, second = "F(1, 49) = 5.19, p = .017", "F(3, 147) = 3.48, p = .027"
    assert len(exchanged(first, second, second)) == 1
    assert len(exchanged(first, second, first, second)) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("F(1, 20) = 9, p = .300", "F(1, 20) = 9 gives p = .007, reported is p = .300"),
        ("F(1, 20) = 9.0, p = .3", "F(1, 20) = 9.0 gives p = .007, reported is p = .3"),
        ("t(23) = −3.125, p = .0528", "t(23) = −3.125 gives p = .005, reported is p = .0528"),
        ("r(20) = .60, p = 1", "r(20) = .60 gives p = .003, reported is p = 1"),
        ("F(1, 20) = 9.00, ns", "F(1, 20) = 9.00 gives p = .007, reported is p > .05"),
        ("F(1, 20) < 1, p < .05", "F(1, 20) < 1 gives p = .329, reported is p < .05"),
    ],
)
def test_a_contradiction_is_quoted_with_the_digits_that_were_printed(text: str, words: str) -> None:
    assert words in report_of(text).sentences[1]


@pytest.mark.parametrize(
    ("test", "df1", "df2", "statistic", "remark"),
    [
        ("q", "3", "", "4.0", "Two degrees of freedom are needed."),
        ("q", "1", "12", "4.0", "The first number of q is how many means are compared, 2 or more."),
        ("q", "2.5", "12", "4.0", "The first number of q is how many means are compared, 2 or more."),
        ("q", "3", "0.5", "4.0", "The error degrees of freedom of q are 1 or more."),
        ("F", "0", "12", "4.0", "Degrees of freedom are numbers above 0."),
        ("F", "2", "0", "4.0", "Degrees of freedom are numbers above 0."),
        ("t", "-3", "", "4.0", "Degrees of freedom are numbers above 0."),
        ("t", "1e9", "", "4.0", "Degrees of freedom are numbers above 0."),
    ],
)
def test_impossible_degrees_of_freedom_are_named_and_nothing_is_computed(
    test: str, df1: str, df2: str, statistic: str, remark: str
) -> None:
    frame = pd.DataFrame({"test": [test], "df1": [df1], "df2": [df2], "statistic": [statistic], "p": [".05"]})
    (row,) = rows_of(run(METHOD, frame, {}))
    assert (row["remark"], row["computed_p"], row["consistent"]) == (remark, None, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q(2, 1) = 4.0, p = .22", stats.studentized_range.sf(4.0, 2, 1)),
        ("q(2, 12) = 4.0, p = .016", 2 * stats.t.sf(4 / np.sqrt(2), 12)),  # two means: t times the root of 2
        ("r(20) = 1.00, p < .001", 0),
        ("r(20) = −1, p < .001", 0),
    ],
)
def test_the_smallest_designs_and_perfect_correlations_are_computed(text: str, expected: float) -> None:
    row = only(text)
    assert row["computed_p"] == pytest.approx(expected, rel=1e-6)
    assert row["consistent"] is True


def test_the_bounds_of_a_correlation_near_one_end_at_zero() -> None:
    row = only("r(4) = .998, p < .001")
    assert row["p_low"] == pytest.approx(2 * stats.t.sf(0.9985 * np.sqrt(4 / (1 - 0.9985**2)), 4), rel=1e-9)
    assert only("r(4) = 1.0, p < .001")["p_low"] == 0


@pytest.mark.parametrize(
    ("text", "people", "remark"),
    [
        ("F(1, 49) = 5.19", 50, None),
        ("F(1, 49) = 5.19", 49, "49 error degrees of freedom for 1 need at least 50 participants; there were 49."),
        ("F(1.04, 5.19) = 5.19", 6, None),
        ("F(1.13, 5.65) = 5.19", 6, None),  # 5.65 / 1.13 is a little more than 5 in binary
        ("F(1.13, 5.65) = 5.19", 5, "5.65 error degrees of freedom for 1.13 need at least 6 participants; there were"),
        ("F(3, 6) = 5.19", 40, None),
        ("t(49) = 2.1", 50, None),
        ("t(49) = 2.1", 49, "t with 49 degrees of freedom needs more than 49 participants."),
        ("t(8) = 2.1", 50, None),
        ("r(48) = .30", 50, None),
        ("r(47) = .30", 50, "A correlation over 50 participants has 48 degrees of freedom, not 47."),
        ("r(49) = .30", 50, "A correlation over 50 participants has 48 degrees of freedom, not 49."),
        ("χ²(60) = 70.0", 50, None),
        ("q(3, 60) = 3.0", 10, None),
    ],
)
def test_degrees_of_freedom_and_people_are_compared_exactly(text: str, people: int, remark: str | None) -> None:
    found = only(f"{text}, p < 1", n_participants=people)["remark"]
    assert found is None if remark is None else found.startswith(remark)


def test_a_reported_p_of_alpha_counts_as_significant() -> None:
    assert only("F(1, 20) = 4.20, p = .050")["decision_error"] is True
    assert only("F(1, 20) = 4.20, p = .051")["decision_error"] is False
    assert only("F(1, 20) = 4.40, p = .051")["decision_error"] is True


@pytest.mark.parametrize(
    ("p", "consistent"),
    [("≤ .05", True), ("<= .05", True), ("≥ .05", False), (">= .05", False), ("≤ .001", False), (">= .001", True)],
)
def test_at_most_and_at_least_are_read_in_text_and_in_columns(p: str, consistent: bool) -> None:
    assert only(f"F(1, 20) = 8.90, p {p}")["consistent"] is consistent
    frame = pd.DataFrame({"test": ["F"], "df1": ["1"], "df2": ["20"], "statistic": ["8.90"], "p": [p]})
    assert rows_of(run(METHOD, frame, {}))[0]["consistent"] is consistent


def test_a_result_without_a_p_does_not_take_that_of_the_next() -> None:
    rows = rows_of(report_of("t(9) = 2.10 and F(1, 20) = 4.35, p = .050, and r(20) = .30 but t(8) = 2.4, p = .043"))
    assert [row["result"] for row in rows if row["reported_p"] > 0] == ["F(1, 20) = 4.35", "t(8) = 2.4"]


def test_a_p_that_stands_far_off_belongs_to_something_else() -> None:
    assert only(f"F(1, 20) = 8.90, which is {'very ' * 15}large, p = .007")["reported_p"] == 0.007
    assert only(f"F(1, 20) = 8.90, which is {'very ' * 30}large, p = .007")["reported_p"] is None


@pytest.mark.parametrize(("statistic", "consistent"), [("8.90", False), ("4.30", True)])
def test_not_significant_in_a_column_is_above_alpha(statistic: str, consistent: bool) -> None:
    frame = pd.DataFrame({"test": ["F"], "df1": ["1"], "df2": ["20"], "statistic": [statistic], "p": ["n.s."]})
    (row,) = rows_of(run(METHOD, frame, {}))
    assert (row["relation"], row["reported_p"], row["consistent"]) == (">", 0.05, consistent)


@pytest.mark.parametrize("parameters", [{"alpha": 0}, {"alpha": 1}, {"n_participants": 0}])
def test_parameters_without_sense_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"alpha must lie between 0 and 1|n_participants must be at least 1"):
        report_of(PAPER, **parameters)


def test_one_participant_is_too_few_for_any_error() -> None:
    assert "need at least 50 participants; there were 1." in report_of(PAPER, n_participants=1).warnings[-1]


def test_rows_may_lack_what_their_test_does_not_need() -> None:
    (row,) = rows_of(run(METHOD, pd.DataFrame({"test": ["z"], "statistic": ["1.96"]}), {}))
    assert row["computed_p"] == pytest.approx(2 * stats.norm.sf(1.96), rel=1e-12)
    frame = pd.DataFrame({"test": ["t", "chi2"], "df1": ["", ""], "df2": ["28", "2"], "statistic": ["2.2", "6.25"]})
    found = rows_of(run(METHOD, frame, {}))
    assert [row["df1"] for row in found] == [28, 2]
    assert found[0]["computed_p"] == pytest.approx(2 * stats.t.sf(2.2, 28), rel=1e-12)


def test_a_row_holds_a_result_in_its_columns_or_in_its_text_or_none() -> None:
    frame = pd.DataFrame(
        {
            "text": ["", "t(28) = 2.20, p = .036", ""],
            "test": ["z", "", ""],
            "statistic": ["1.96", "", ""],
            "p": [".05", "", ""],
        }
    )
    found = rows_of(run(METHOD, frame, {}))
    assert [(row["source"], row["result"]) for row in found] == [("row 1", "z = 1.96"), ("row 2", "t(28) = 2.20")]


def test_own_names_of_columns_are_taken() -> None:
    frame = pd.DataFrame({"kind": ["t"], "df": ["28"], "value": ["2.2"], "printed": [".036"], "people": ["20"]})
    named = {"test": "kind", "df1": "df", "statistic": "value", "p": "printed", "n": "people"}
    (row,) = rows_of(run(METHOD, frame, named))
    assert (row["consistent"], row["remark"]) == (True, "t with 28 degrees of freedom needs more than 20 participants.")


@pytest.mark.parametrize(
    "between",
    ["(Wilcoxon U = 50, ", ", ρ = .30, ", ", G²(2) = 3.1, ", ", MWU = 300, ", ", all other ps > .2, "],
)
def test_a_p_of_another_test_is_not_charged_to_the_one_before(between: str) -> None:
    (result,) = results_in(f"t(23) = 2.10{between}p = .62", source="a", alpha=0.05)
    assert (result.test, result.p) == ("t", None)


@pytest.mark.parametrize(
    "between",
    ["d = 0.43, 95% CI [0.1, 0.8]", "MSE = 1.2, ηp² = .09", "η²p = .1", "partial eta squared = .1", "BF10 = 3.2",
     "SE = 0.3, dz = .4", "R² = .16", "M_diff = 3", "η_p^2 = .4", "n = 24", "ω² = .1"],
)  # fmt: skip
def test_an_effect_size_between_leaves_the_p_where_it_belongs(between: str) -> None:
    (result,) = results_in(f"t(23) = 2.10, {between}, p = .047", source="a", alpha=0.05)
    assert result.p == Printed.of(".047")


def test_z_in_capitals_is_read_with_its_own_p() -> None:
    first, second = results_in("t(23) = 2.10 (Wilcoxon Z = 3.00, p = .003)", source="a", alpha=0.05)
    assert (first.p, second.kind, second.p) == (None, "z", Printed.of(".003"))


@pytest.mark.parametrize(
    ("printed", "value"),
    [("= 3.1 × 10^-6", 3.1e-6), ("< 2 × 10−16", 2e-16), ("< 10^-5", 1e-5), ("< 10−5", 1e-5), ("= 3·10⁻⁴", 3e-4)],
)
def test_powers_of_ten_are_read(printed: str, value: float) -> None:
    (result,) = results_in(f"F(1, 49) = 4.9 × 10^3, p {printed}", source="a", alpha=0.05)
    assert result.statistic == Printed(4900.0, 50.0)
    assert result.p is not None
    assert result.p.value == pytest.approx(value, rel=1e-12)
    assert "power of ten" in only("t(23) = 5.10, p = 3.1 × 106")["remark"]


@pytest.mark.parametrize("text", ["t(1, 23) = 2.10, p = .047", "t(9,2) = 2.30, p = .04", "r(1, 20) = .5, p = .02"])
def test_two_degrees_of_freedom_of_a_test_that_has_one_are_a_fault(text: str) -> None:
    row = only(text)
    assert "decimal comma" in row["remark"]
    assert (row["decision_error"], row["consistent"]) == (None, None)
    assert only("χ²(2, N = 48) = 9.10, p = .011")["consistent"]
