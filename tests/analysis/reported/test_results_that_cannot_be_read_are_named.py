"""What `consistency` cannot read it names: thousands, a p before its statistic; and it takes the number of people."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.report import BadInput, Report
from analysis.methods.reported.consistency_checks import ZERO_P
from analysis.methods.reported.consistency_results import COMMA, P_FIRST


def check(text: str, **given: object) -> Report:
    return registry.run(registry.method_named("consistency"), pd.DataFrame({"text": [text]}), given)


def lines(report: Report) -> list[dict[str, object]]:
    return report.table("consistency").lines()


def test_the_number_of_people_is_taken_as_documented() -> None:
    report = check("F1(1, 49) = 5.19, p = .027", n="48")
    assert "need at least 50 participants; there were 48" in str(lines(report)[0]["remark"])
    assert lines(check("F1(1, 47) = 5.19, p = .027", n="48"))[0]["remark"] is None


def test_n_is_still_the_name_of_a_column() -> None:
    frame = pd.DataFrame({"text": ["t(47) = 2.10, p = .041"], "people": ["30"]})
    report = registry.run(registry.method_named("consistency"), frame, {"n": "people"})
    assert "needs more than 30 participants" in str(lines(report)[0]["remark"])
    with pytest.raises(BadInput, match="did you mean 'people'"):
        registry.run(registry.method_named("consistency"), frame, {"n": "peple"})
    with pytest.raises(BadInput, match="contradict each other"):
        check("t(47) = 2.10, p = .041", n="48", n_participants=47)


@pytest.mark.parametrize("text", ["F1(1, 49) = 25.19, p = .000", "t(23) = 9.10, p = 0.000"])
def test_a_p_of_zero_is_flagged_though_it_rounds_well(text: str) -> None:
    report = check(text)
    assert lines(report)[0]["consistent"]
    assert lines(report)[0]["remark"] == ZERO_P
    assert any(ZERO_P in warning for warning in report.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "F(1, 49) = 5,190, p = .027",
        "t(23) = 2,147, p = .043",
        "F(1, 1,5) = 5.1, p = .2",
        "t(9) = 1,200 and no p, N = 10",
    ],
)
def test_a_comma_that_may_be_a_decimal_one_is_named_and_not_read_as_something_else(text: str) -> None:
    found = lines(check(f"{text}; F(3, 147) = 3.48, p = .018"))
    assert [line["verdict"] for line in found] == ["not checked", "consistent"]
    assert COMMA in str(found[0]["remark"])


def test_two_degrees_of_freedom_without_a_space_are_two() -> None:
    (line,) = lines(check("F(1,147) = 3.48, p = .064"))
    assert (line["df1"], line["df2"], line["consistent"]) == (1.0, 147.0, True)


@pytest.mark.parametrize("text", ["p = .027, F(1, 49) = 5.19", "with p = .03, F(1, 49) = 5.19, p = .04, t(23) = 2.10"])
def test_a_p_before_its_statistic_is_named_and_given_to_no_other(text: str) -> None:
    found = lines(check(text))
    assert (found[0]["test"], found[0]["verdict"], found[0]["remark"]) == ("F", "not checked", P_FIRST)
    assert all(line["consistent"] is None for line in found)


def test_a_p_that_belongs_to_the_result_before_is_no_p_in_front() -> None:
    text = "F1(1, 49) = 5.19, p = .027, F2(1, 30) = 4.50, p = .042. With all ps < .05, z = 2.10, p = .036"
    assert [line["consistent"] for line in lines(check(text))] == [True, True, True]
