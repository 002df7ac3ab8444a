"""Thousands inside results: however a number is printed, it is read as that number, and what follows with it."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.methods import registry
from analysis.methods.report import Report
from analysis.methods.reported.consistency_checks import checked
from analysis.methods.reported.consistency_results import results_in

# Signs between thousands, and before decimals.
FORMS = {
    "plain": ("", "."),
    "comma": (",", "."),
    "thin": ("\u202f", "."),
    "apostrophe": ("’", "."),
    "point": (".", ","),
}


def check(text: str) -> Report:
    return registry.run(registry.method_named("consistency"), pd.DataFrame({"text": [text]}), {})


def printed(value: float, places: int, form: str) -> str:
    thousands, decimal = FORMS[form]
    whole, _, rest = f"{value:,.{places}f}".partition(".")
    return whole.replace(",", thousands) + (f"{decimal}{rest}" if rest else "")


@pytest.mark.parametrize(
    ("text", "dfs", "statistic", "p"),
    [
        ("F(1, 1,234) = 12,345.6, p < .001", (1, 1234), 12345.6, 0.001),
        ("t(1,234) = 2.50, p = .013", (1234, None), 2.5, 0.013),
        ("t(12,345.6) = 2.50, p = .012", (12345.6, None), 2.5, 0.012),
        ("χ²(1, N = 1,234) = 5.10, p = .024", (1, None), 5.1, 0.024),
        ("χ²(2, N=12,345) = 1,234.50, p < .001", (2, None), 1234.5, 0.001),
        ("F(1,1,234) = 5.19, p = .023", (1, 1234), 5.19, 0.023),
        ("F(2; 1,234) = 5.19, p = .006", (2, 1234), 5.19, 0.006),
        ("F(1, 49) = 1,234,567.8, p < .001", (1, 49), 1234567.8, 0.001),
        ("F(1,\u00a01\u00a0234)\u00a0=\u00a05.19, p = .023", (1, 1234), 5.19, 0.023),
        ("F(1, 49) = 12,345, p < .001", (1, 49), 12345, 0.001),
        ("r(1,234) = .10, p < .001", (1234, None), 0.1, 0.001),
    ],
)
def test_thousands_are_part_of_their_number(
    text: str, dfs: tuple[float, float | None], statistic: float, p: float
) -> None:
    (line,) = check(text).table("consistency").lines()
    assert (line["df1"], line["df2"]) == dfs
    assert (line["statistic"], line["reported_p"], line["verdict"]) == (statistic, p, "consistent")


def test_what_follows_a_result_with_thousands_is_a_result_of_its_own() -> None:
    text = "F(1, 1,234) = 12,345.6, p < .001, ηp² = .91; t(1,234) = 1,5, p = .14; F(3, 147) = 3.48, p = .018"
    lines = check(text).table("consistency").lines()
    assert [line["verdict"] for line in lines] == ["consistent", "not checked", "consistent"]
    assert [line["df2"] for line in lines] == [1234, None, 147]


def test_a_wrong_p_behind_thousands_is_found() -> None:
    (line,) = check("F(1, 1,234) = 1,234.5, p = .27").table("consistency").lines()
    assert (line["consistent"], line["decision_error"]) == (False, True)


@pytest.mark.parametrize(
    ("cell", "df2"), [("1,234.50", "1,234"), ("1’234.50", "1’234"), ("1.234,50", "1234"), ("1234.50", "1,234")]
)
def test_columns_hold_thousands_in_the_same_forms(cell: str, df2: str) -> None:
    frame = pd.DataFrame({"test": ["F"], "df1": ["1"], "df2": [df2], "statistic": [cell], "p": ["< .001"]})
    (line,) = registry.run(registry.method_named("consistency"), frame, {}).table("consistency").lines()
    assert (line["df2"], line["statistic"], line["verdict"]) == (1234, 1234.5, "consistent")


def test_a_comma_alone_in_a_column_is_one_of_thousands_where_decimals_have_a_point() -> None:
    frame = pd.DataFrame({"test": ["F", "F"], "df1": ["1", "1"], "df2": ["1,234", "49"], "statistic": ["5.19", "1"]})
    report = registry.run(registry.method_named("consistency"), frame, {})
    assert [line["df2"] for line in report.table("consistency").lines()] == [1234, 49]


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(["F", "F2", "t", "χ²"]),
    df1=st.integers(1, 12),
    df2=st.integers(2, 2_000_000),
    size=st.floats(0.5, 50_000),
    places=st.integers(1, 3),
    of_df=st.sampled_from(["plain", "comma", "thin", "apostrophe"]),
    of_value=st.sampled_from(sorted(FORMS)),
    space=st.sampled_from(["", " "]),
)
def test_true_results_are_consistent_in_every_form(
    kind: str, df1: int, df2: int, size: float, places: int, of_df: str, of_value: str, space: str
) -> None:
    value = float(f"{size:.{places}f}")
    if of_value == "point" and value < 1000:
        of_value = "plain"  # a decimal comma alone may be one of thousands: it is named instead
    p = {
        "F": lambda: stats.f.sf(value, df1, df2),
        "F2": lambda: stats.f.sf(value, df1, df2),
        "t": lambda: 2 * stats.t.sf(value, df2),
        "χ²": lambda: stats.chi2.sf(value, df1),
    }[kind]()
    inside = {"t": printed(df2, 0, of_df), "χ²": f"{df1},{space}N = {printed(df2, 0, of_df)}"}.get(
        kind, f"{df1},{space}{printed(df2, 0, of_df)}"
    )
    reported = "p < .001" if p < 0.001 else f"p = {p:.3f}"
    shown = printed(value, places, of_value)
    text = f"They differed, {kind}({inside}) = {shown}, {reported}, in 1,234 trials (N = 2,345)."
    (result,) = results_in(text, source="", alpha=0.05)
    check = checked(result, alpha=0.05, one_tailed=False)
    assert check.consistent is True, text
