"""What participants type is read by the rules that the browser follows too."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.numbers import NotANumber, number_from

CASES = json.loads((Path(__file__).resolve().parents[2] / "contract" / "numbers.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['input']!r}-{case['allow_zero']}")
def test_the_shared_vectors_hold(case):
    if case["number"] is not None:
        assert number_from(case["input"], allow_zero=case["allow_zero"]) == case["number"]
    else:
        with pytest.raises(NotANumber) as refusal:
            number_from(case["input"], allow_zero=case["allow_zero"])
        assert refusal.value.reason == case["reason"]


def test_the_vectors_cover_every_reason_and_acceptance():
    assert {case["reason"] for case in CASES} == {
        None,
        "empty",
        "too-long",
        "negative",
        "exponent",
        "several-separators",
        "zero",
        "not-a-number",
    }


@given(st.text(max_size=40), st.booleans())
def test_any_text_is_either_a_finite_number_in_range_or_refused(typed, allow_zero):
    try:
        number = number_from(typed, allow_zero=allow_zero)
    except NotANumber:
        return
    assert math.isfinite(number)
    assert number >= 0 if allow_zero else number > 0


@given(st.integers(1, 10**9), st.integers(0, 999))
def test_point_and_comma_mean_the_same(whole, decimals):
    assert number_from(f"{whole}.{decimals:03d}") == number_from(f"{whole},{decimals:03d}")
