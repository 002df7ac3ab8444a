"""A pooled variance of unequal groups that vary unequally is warned of, with the direction of the error."""

import pandas as pd
import pytest

from analysis.methods.conditions.anova import METHOD as RM_ANOVA
from analysis.methods.conditions.bayes_factors import METHOD as BAYES_FACTOR
from analysis.methods.conditions.equivalence import METHOD as EQUIVALENCE
from analysis.methods.registry import run


def warned(method, small, large, sizes=(6, 18), **given):
    """Return the warnings about groups whose values spread evenly by `small` and `large`."""
    groups = zip("ab", sizes, (small, large), strict=True)
    rows = [
        (f"{name}{unit}", name, spread * (2 * unit / (size - 1) - 1) + 0.01 * (unit % 2))
        for name, size, spread in groups
        for unit in range(size)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "g", "z"])
    more = {"bound": "0.5"} if method is EQUIVALENCE else {}
    report = run(method, frame, {"dv": "z", "between": "g", **more, **given})
    return [text for text in report.warnings if "differ in variance" in text]


@pytest.mark.parametrize("method", [RM_ANOVA, EQUIVALENCE, BAYES_FACTOR])
def test_unequal_groups_with_unequal_variances_are_warned_of(method):
    (liberal,) = warned(method, small=5, large=1)
    assert "a (n = 6, SD 3.7" in liberal
    assert "the smaller groups vary more, and what is significant or equivalent is so too often" in liberal
    (conservative,) = warned(method, small=1, large=5)
    assert "found too rarely" in conservative
    assert warned(method, small=2, large=2) == []
    assert warned(method, small=5, large=1, sizes=(12, 12)) == []


def test_variances_that_are_not_pooled_are_not_warned_of():
    assert warned(EQUIVALENCE, small=5, large=1, variances="welch") == []


def test_a_group_without_variance_is_warned_of():
    rows = [(f"a{n}", "a", 1.0) for n in range(4)] + [(f"b{n}", "b", n % 3) for n in range(9)]
    frame = pd.DataFrame(rows, columns=["participant", "g", "z"])
    report = run(RM_ANOVA, frame, {"dv": "z", "between": "g"})
    assert any("a (n = 4, SD 0" in text and "found too rarely" in text for text in report.warnings)
