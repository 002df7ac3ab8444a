"""Oracle: `tests/oracles/matching.R` (t.test of R, two-sided and the two one-sided tests)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.methods.texts.matching import ALIKE, DIFFER, MATCHED, UNDECIDED, difference, verdict_of, with_verdicts
from analysis.methods.texts.matching_bounds import Bound
from analysis.methods.texts.matching_wording import matching_sentences

CASES = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "matching.json").read_text("utf-8"))["cases"]
COLUMNS = "diff sd d d_low d_high diff_low diff_high percent bound t df p p_equivalence".split()  # noqa: SIM905


def line_of(name):
    case = CASES[name]
    bound = Bound(case["kind"], case["size"])
    a, b = (np.array(case[side], dtype=float) for side in ("a", "b"))
    return difference(a, b, paired=case["paired"], bound=bound, alpha=0.05)


@pytest.mark.parametrize("name", CASES)
def test_differences_and_equivalence_tests_are_those_of_r(name):
    line = line_of(name)
    for column in COLUMNS:
        assert line[column] == pytest.approx(CASES[name][column], rel=1e-9, abs=1e-12), column


def verdict(a, b, *, paired=True):
    bound = Bound("percent", 5)
    line = difference(np.array(a, float), np.array(b, float), paired=paired, bound=bound, alpha=0.05)
    return verdict_of(line, alpha=0.05)


def test_a_verdict_follows_from_both_tests():
    names = ("paired_close", "paired_surely_alike", "paired_apart", "paired_alike")
    assert [verdict_of(line_of(name), alpha=0.05) for name in names] == [MATCHED, ALIKE, DIFFER, UNDECIDED]
    assert verdict([10, 12, 14, 9], [11, 10, 16, 12]) == UNDECIDED
    assert verdict([1, 2], [1], paired=False) == UNDECIDED


def test_without_any_error_the_signs_of_the_differences_are_tested():
    """Eight equal differences have the same sign once in 2^7 times, three once in four."""
    a = np.arange(50.0, 58.0)
    assert verdict(a, a) == MATCHED
    assert verdict(a, a + 1) == ALIKE
    assert verdict(a, a + 5) == DIFFER
    assert verdict(a[:3], a[:3] + 5) == UNDECIDED
    line = difference(a, a + 5, paired=True, bound=Bound("raw", 6), alpha=0.05)
    assert (line["p"], line["p_equivalence"]) == (2**-7, 2**-8)


def test_two_texts_of_each_level_that_never_overlap_are_not_different_for_sure():
    """Two of four texts can be parted from the others in six ways, so this happens once in three times by chance."""
    assert verdict([1, 1], [2, 2], paired=False) == UNDECIDED
    assert verdict([5, 5, 5], [5, 5], paired=False) == MATCHED
    line = difference(np.ones(6), np.full(6, 2.0), paired=False, bound=Bound("d", 0.2), alpha=0.05)
    assert line["p"] == pytest.approx(2 / 924)
    assert verdict_of(line, alpha=0.05) == DIFFER


def test_two_levels_change_sides_with_the_sign_alone():
    a, b = np.array(CASES["separate_unequal"]["a"]), np.array(CASES["separate_unequal"]["b"])
    bound = Bound("d", 0.8)
    there, back = (difference(x, y, paired=False, bound=bound, alpha=0.05) for x, y in ((a, b), (b, a)))
    assert there["d"] == pytest.approx(-back["d"])
    assert (there["d_low"], there["d_high"]) == pytest.approx((-back["d_high"], -back["d_low"]))
    assert there["percent"] == pytest.approx(-back["percent"])
    assert there["p_equivalence"] == pytest.approx(back["p_equivalence"])


def test_holm_adjusts_within_lists_together_and_apart_from_what_is_over_all_texts():
    lines = [
        {"list": name, "factor": factor, "diff": 1.0, "p": p, "p_equivalence": 0.5}
        for name, factor, p in (("", "f", 0.01), ("", "list", 0.02), ("1", "f", 0.01), ("2", "f", 0.03))
    ]
    made = with_verdicts(lines, alpha=0.05)
    assert [line["p_holm"] for line in made] == [0.01, 0.02, 0.02, 0.03]
    assert {line["verdict"] for line in made} == {DIFFER}
    wide = with_verdicts([{**lines[2], "list": str(n)} for n in range(6)], alpha=0.05)
    assert {line["verdict"] for line in wide} == {UNDECIDED}


def test_the_p_that_a_sentence_tells_is_called_holms():
    """With three measures the smallest p is multiplied by 3 (Holm 1979), which the sentence has to say."""
    line = {**line_of("paired_apart"), "list": "", "factor": "c", "a": "x", "b": "y", "measure": "words"}
    line |= {"verdict": DIFFER, "p": 0.01, "p_holm": 0.03, "mean_a": 9.0, "mean_b": 7.0}
    (sentence,) = matching_sentences([line], confidence=0.95)
    assert ", p = .030 (Holm))" in sentence
