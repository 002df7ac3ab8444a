"""Who plans with a mixed model that lacks slopes is told what it does, whether by name or by a formula of their own."""

import pandas as pd
import pytest

from analysis.methods.power.method import METHOD
from analysis.methods.registry import run

STATED = {
    "design": "marker=2; order=2",
    "sds": "participant=0.4; item=0.3; item:order=0.3; residual=0.6",
    "n_participants": "8",
    "n_items": "8",
    "simulations": "3",
    "method": "lmm",
}
NEITHER = "order does not vary between participants and order does not vary between items"


def said(formula, effect="order=0.3", **more):
    report = run(METHOD, pd.DataFrame({"x": ["1"]}), {**STATED, "effect": effect, "formula": formula, **more})
    return [warning for warning in report.warnings if "vary between" in warning]


@pytest.mark.parametrize(
    ("random", "expected"),
    [
        ("(1 | participant) + (1 | item)", NEITHER),
        ("(1 + order | participant) + (1 | item)", "order does not vary between items"),
        ("(1 + marker | participant) + (1 + order | item)", "order does not vary between participants"),
        ("(1 + order | participant)", "order does not vary between items"),
    ],
)
def test_effects_without_a_slope_are_named_with_who_differs_in_them(random, expected):
    (warning,) = said(f"z ~ order * marker + {random}")
    assert warning.startswith(f"In the formula {expected}. A mixed model takes such differences")
    assert warning.endswith("compare its false positives (null=true) before relying on its power.")


@pytest.mark.parametrize(
    "random",
    [
        "(1 + order | participant) + (1 + order | item)",
        "(0 + order | participant) + (1 + order || item)",
        "(1 | participant) + (1 | participant:order) + (1 + order * marker | item)",
    ],
)
def test_slopes_of_any_kind_are_slopes(random):
    assert said(f"z ~ order * marker + {random}") == []


def test_an_interaction_needs_a_slope_of_its_own():
    (warning,) = said(
        "z ~ order * marker + (1 + order + marker | participant) + (1 + order * marker | item)",
        effect="order=0.3; marker:order=0.2",
    )
    assert warning.startswith("In the formula marker:order does not vary between participants.")


def test_where_false_positives_are_shown_they_need_not_be_asked_for():
    (warning,) = said("z ~ order * marker + (1 | participant) + (1 | item)", null="true")
    assert "null=true" not in warning


def test_a_formula_that_is_not_used_is_not_judged():
    assert said("z ~ order * marker + (1 | participant) + (1 | item)", method="f1") == []
