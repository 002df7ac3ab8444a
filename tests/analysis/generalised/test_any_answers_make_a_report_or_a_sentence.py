"""Whatever was answered in small designs, glmm and ordinal give finite numbers, or say why there are none."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from tests.selection import EXHAUSTIVE

pytestmark = pytest.mark.slow

RANDOM_TERMS = (
    "(1 | participant)",
    "(1 | participant) + (1 | item)",
    "(1 + order | participant)",
    "(1 + order || participant) + (1 | item)",
    "(1 + order | participant) + (1 + order | item)",
)
FIXED = ("order", "order * marker", "1", "0 + order", "order + x")


@st.composite
def designs(draw, categories):
    people, items = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    size = people * items
    answers = draw(st.lists(st.integers(0, categories - 1), min_size=size, max_size=size))
    kept = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    frame = pd.DataFrame(
        {
            "participant": np.repeat([f"P{p}" for p in range(people)], items),
            "item": np.tile([f"I{i}" for i in range(items)], people),
            "order": random.choice(["ab", "ba"], size),
            "marker": random.choice(["because", "cause", "so"], size),
            "x": random.normal(size=size).round(3),
            "answer": answers,
        }
    )
    frame = frame[np.array(kept)] if draw(st.booleans()) else frame
    return frame, f"answer ~ {draw(st.sampled_from(FIXED))} + {draw(st.sampled_from(RANDOM_TERMS))}"


def check(method, frame, formula):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            report = run(method, frame, {"formula": formula})
        except BadInput as refusal:
            said = str(refusal)
        else:
            said = ""
    if said:
        assert said.endswith((".", "…"))
        return
    fixed = report.table("fixed").frame()
    for column in ("estimate", "se", "p"):
        undefined = fixed[column].isna() if len(fixed) else pd.Series(dtype=bool)
        assert not undefined.any() or any("separation" in said for said in report.warnings), (column, report.warnings)
    fit = report.table("fit").frame().iloc[0]
    assert np.isfinite(fit["log_lik"])
    assert fit["log_lik"] <= 1e-9
    assert fit["converged"] or any("did not converge" in said for said in report.warnings)


@settings(max_examples=20 if EXHAUSTIVE else 6, deadline=None, derandomize=True)
@given(made=designs(2))
def test_two_answers(made):
    check(GLMM, *made)


@settings(max_examples=12 if EXHAUSTIVE else 4, deadline=None, derandomize=True)
@given(made=designs(4))
def test_four_ordered_answers(made):
    check(ORDINAL, *made)


@settings(max_examples=12 if EXHAUSTIVE else 4, deadline=None, derandomize=True)
@given(made=designs(3))
def test_f_tests_of_three_ordered_answers_are_finite_or_say_why_there_are_none(made):
    frame, formula = made
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            report = run(ORDINAL, frame, {"formula": formula, "tests": "f", "nominal": "false"})
            said, tables = "", report.tables
        except BadInput as refusal:
            said, tables = str(refusal), ()
    assert said.endswith((".", "…")) or tables
    for line in (line for table in tables if table.name == "anova" for line in table.lines()):
        if line["test"] is None:
            continue
        assert line["test"] == "F"
        assert np.isfinite(line["f"])
        assert line["f"] >= 0
        assert line["df2"] > 0
        assert 0 <= line["p"] <= 1


@pytest.mark.parametrize("method", [GLMM, ORDINAL], ids=["glmm", "ordinal"])
def test_everybody_answering_the_same_is_refused(method):
    frame = pd.DataFrame({"participant": ["a", "a", "b", "b"], "order": ["x", "y", "x", "y"], "answer": [1, 1, 1, 1]})
    with pytest.raises(BadInput):
        run(method, frame, {"formula": "answer ~ order + (1 | participant)"})
