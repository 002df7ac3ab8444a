"""Power that rests on one random factor alone, or on slopes that nobody stated, says so."""

import pandas as pd
import pytest

from analysis.methods.power.method import METHOD
from analysis.methods.registry import run

STATED = {
    "design": "cond=2",
    "effect": "cond=0.3",
    "n_participants": "8",
    "n_items": "8",
    "simulations": "4",
}


def warnings_of(sds, **more):
    return run(METHOD, pd.DataFrame({"x": ["1"]}), {**STATED, "sds": sds, **more}).warnings


@pytest.mark.parametrize(
    ("method", "sds", "named"),
    [
        ("f1", "participant:cond=0; item:cond=0.3; residual=0.6", "item:cond"),
        ("f2", "participant:cond=0.3; item:cond=0; residual=0.6", "participant:cond"),
        ("f1", "participant:cond=0.3; item:cond=0; residual=0.6", ""),
        ("min-f", "participant:cond=0.3; item:cond=0.3; residual=0.6", ""),
    ],
)
def test_f1_or_f2_alone_is_warned_of_where_the_others_differ_in_the_effect(method, sds, named):
    said = [text for text in warnings_of(sds, method=method) if "alone takes differences" in text]
    assert len(said) == bool(named)
    assert named in " ".join(said)


def test_slopes_that_nobody_stated_are_named_as_taken_to_be_absent():
    said = " ".join(warnings_of("participant=0.3; residual=0.6"))
    assert "participant:cond and item:cond were neither stated nor estimated from pilot data and taken to be 0" in said
    assert "neither stated" not in " ".join(warnings_of("participant:cond=0; item:cond=0; residual=0.6"))


def test_a_factor_of_which_everybody_has_one_level_is_found_to_be_between_participants():
    pilot = pd.DataFrame(
        [(f"p{p}", f"i{i}", "xy"[p % 2], p * i % 5 + p / 7) for p in range(6) for i in range(6)],
        columns=["participant", "item", "g", "z"],
    )
    report = run(METHOD, pilot, {"dv": "z", "within": "g", "effect": "g=0.3", "simulations": "4"})
    assert any("one level of g only, so this differs between participants here" in note for note in report.notes)
