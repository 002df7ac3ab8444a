"""What a formula asks for grows exponentially with its length: one beyond any model is refused before it costs."""

from __future__ import annotations

import time
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods import parameters, registry
from analysis.methods.conditions.designs import cell_means
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.bounds import LONGEST, MOST_TERMS, TooLargeFormula
from analysis.methods.mixed.design.formula import check_size, parse
from analysis.methods.report import BadInput

FACTORS = [f"f{number}" for number in range(20)]
CROSSED = "*".join(FACTORS)
# Seconds of the processor, of which each of these needs a thousandth; multiplied out, the first takes minutes.
MOST_SECONDS = 1.0
HOSTILE = {
    "20 crossed factors": f"y ~ {CROSSED} + (1 | g)",
    "20 crossed factors in a random term": f"y ~ 1 + (1 + {CROSSED} | g)",
    "a sum of 20 to the power of 9": f"y ~ ({'+'.join(FACTORS)})^9 + (1 | g)",
    "sums that interact": f"y ~ ({'+'.join(FACTORS)}):({'+'.join(reversed(FACTORS))}) + (1 | g)",
    "powers of powers": "y ~ ((((a+b+c+d)^3)^9)^9)^9 + (1 | g)",
    "nested factors": f"y ~ ({CROSSED})/h + (1 | g)",
    "what is taken out again": f"y ~ {CROSSED} - {CROSSED} + (1 | g)",
    "3,000 brackets": f"y ~ {'(' * 3_000}a{')' * 3_000} + (1 | g)",
    "400 brackets": f"y ~ {'(' * 400}a{')' * 400} + (1 | g)",
    "2,000 brackets that are never closed": f"y ~ {'(' * 2_000}a + (1 | g)",
    "brackets around a grouping factor": f"y ~ 1 + (1 | {'(' * 900}g{')' * 900})",
    "5,000 terms": f"y ~ {'+'.join(f'x{number}' for number in range(5_000))} + (1 | g)",
    "900 terms": f"y ~ {'+'.join(f'x{number}' for number in range(700))} + (1 | g)",
    "900 random terms": f"y ~ 1 + {'+'.join('(1|g)' for _ in range(700))}",
    "a number of 5,000 digits": f"y ~ a^{'9' * 5_000} + (1 | g)",
    "a number that is no power": f"y ~ a^{'9' * (LONGEST - 20)} + (1 | g)",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_a_formula_that_would_cost_is_refused_in_a_short_sentence(text: str) -> None:
    began = time.process_time()
    with pytest.raises(BadInput) as refused:
        parse(text)
    assert time.process_time() - began < MOST_SECONDS
    sentence = str(refused.value)
    assert sentence.startswith("formula: ")
    assert len(sentence) < 1_000
    if isinstance(refused.value, TooLargeFormula):
        with pytest.raises(TooLargeFormula):
            check_size(text)


def takes(method: str, name: str) -> bool:
    return any(parameter.name == name for parameter in registry.method_named(method).parameters)


@pytest.mark.parametrize("method", [slug for slug in registry.slugs() if takes(slug, "formula")])
@pytest.mark.parametrize(
    "text", [HOSTILE["20 crossed factors"], HOSTILE["3,000 brackets"]], ids=["crossed", "brackets"]
)
def test_every_method_refuses_it_before_it_runs(method: str, text: str) -> None:
    declared = registry.method_named(method)
    for name in ("formula", "compare"):
        if not takes(method, name):
            continue
        with pytest.raises(BadInput, match=r"multiplied out|characters"):
            parameters.read(declared.parameters, {name: text}, ["y", "g", *FACTORS])


def test_what_people_write_stays_within_the_bounds() -> None:
    for intercept in ("", "1 + ", "0 + "):
        eight = parse(f"y ~ {intercept}{'*'.join(FACTORS[:8])} + (1 | g)")
        assert len(eight.fixed.terms) == MOST_TERMS
    assert len(parse(f"y ~ ({'+'.join(FACTORS)})^2 + (1 | g)").fixed.terms) == 210
    assert len(parse(f"y ~ {'(' * 30}a*b{')' * 30} + (1 | g)").fixed.terms) == 3
    check_size("log-rating ~ text type * order + (1 | participant)")  # the columns are known only with the data
    check_size("")
    assert len(parse(f"y ~ 1 + (1 | {'*'.join(FACTORS)})").random) == 39


@given(st.lists(st.sampled_from([*"ab()*:/^+-|~019", "(a+b)", "*(", ")^9", "||", "log(", " "]), max_size=LONGEST // 4))
@settings(max_examples=60, deadline=None)
def test_any_signs_in_any_order_are_read_or_refused_at_little_cost(signs: list[str]) -> None:
    began = time.process_time()
    try:
        found = parse("y ~ " + "".join(signs))
    except BadInput:
        pass
    else:
        assert len(found.fixed.terms) <= MOST_TERMS
    assert time.process_time() - began < MOST_SECONDS


def test_factors_of_many_levels_are_refused_before_their_columns_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.arange(3_000)
    frame = pd.DataFrame({"y": rows % 7 / 1.0, "g": rows % 10, "item": [f"i{n % 500}" for n in rows]})
    frame["person"] = [f"p{n % 60}" for n in rows]
    parsed = parse("y ~ item * person + (1 | g)")
    read = variables.read(frame, parsed)

    def made(*arguments: object) -> None:
        raise AssertionError("its columns were made")

    with pytest.raises(BadInput, match=r"formula: with item:person the model has 30,000 columns over 3,000 rows"):
        matrices.build(parsed, read, contrasts="sum")
    small = formulas.parse("y ~ person + (1 | g)")
    assert len(matrices.build(small, variables.read(frame, small), contrasts="sum").fixed.names) == 60


@pytest.mark.parametrize("role", ["within", "between"])
def test_crossed_factors_without_a_formula_are_bounded_too(role: str) -> None:
    generator = np.random.default_rng(1)
    frame = pd.DataFrame({name: generator.integers(0, 2, 200).astype(str) for name in FACTORS})
    frame = frame.assign(y=1.0, p=[f"p{number % 20}" for number in range(200)])
    with pytest.raises(BadInput, match="20 factors make 1,048,576 combinations of levels; at most 4,096"):
        cell_means(frame, dv="y", unit="p", **cast("Any", {role: FACTORS}))
