"""Oracle: `tests/oracles/matching.R` (t.test of R, two-sided and the two one-sided tests)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.methods.matching import DIFFER, EQUAL, MATCHED, TOO_FEW, UNDECIDED, difference

CASES = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "matching.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("name", CASES)
def test_differences_and_equivalence_tests_are_those_of_r(name):
    case = CASES[name]
    line = difference(
        np.array(case["a"], dtype=float),
        np.array(case["b"], dtype=float),
        paired=case["paired"],
        bound=case["bound"],
        alpha=0.05,
    )
    for column in ("diff", "sd", "d", "d_low", "d_high", "t", "df", "p", "p_equivalence"):
        assert line[column] == pytest.approx(case[column], rel=1e-9, abs=1e-12), column


def verdict(a, b, *, paired=True):
    return difference(np.array(a, float), np.array(b, float), paired=paired, bound=0.5, alpha=0.05)["verdict"]


def test_a_verdict_follows_from_both_tests():
    assert verdict(CASES["paired_close"]["a"], CASES["paired_close"]["b"]) == MATCHED
    assert verdict(CASES["paired_apart"]["a"], CASES["paired_apart"]["b"]) == DIFFER
    assert verdict([10, 12, 14, 9], [11, 10, 16, 12]) == UNDECIDED
    assert verdict([1, 2], [1], paired=False) == TOO_FEW


def test_without_any_error_the_amount_decides():
    assert verdict([5, 9, 13], [5, 9, 13]) == EQUAL
    assert verdict([5, 9, 13], [6, 10, 14]) == MATCHED
    assert verdict([5, 6, 7], [9, 10, 11]) == DIFFER
    assert verdict([5, 5, 5], [6, 6, 6]) == DIFFER
    assert verdict([5, 5, 5], [5, 5], paired=False) == EQUAL


def test_two_levels_change_sides_with_the_sign_alone():
    a, b = np.array(CASES["separate_unequal"]["a"]), np.array(CASES["separate_unequal"]["b"])
    there, back = (difference(x, y, paired=False, bound=0.8, alpha=0.05) for x, y in ((a, b), (b, a)))
    assert there["d"] == pytest.approx(-back["d"])
    assert (there["d_low"], there["d_high"]) == pytest.approx((-back["d_high"], -back["d_low"]))
    assert there["p_equivalence"] == pytest.approx(back["p_equivalence"])
