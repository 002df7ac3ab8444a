from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms.sentence_recall.arithmetic import (
    HIGHEST,
    LOWEST,
    MINUS,
    ORDERS,
    PLUS,
    Problem,
    answer_from,
    draw_problems,
    needs_carrying,
    number_correct,
    possible_problems,
    problems_of,
)

OPTIONS = st.fixed_dictionaries(
    {"order": st.sampled_from(ORDERS), "carry_only": st.booleans(), "non_negative": st.booleans()}
)
DEFAULT: dict[str, Any] = {"order": "random", "carry_only": False, "non_negative": True}


@given(st.integers(0, 10), OPTIONS, st.integers())
def test_every_drawn_problem_keeps_to_the_options(number, options, seed):
    drawn = draw_problems(number, **options, rng=random.Random(seed))
    assert len(drawn) == len(set(drawn)) == number
    assert all(LOWEST <= operand <= HIGHEST for problem in drawn for operand in (problem.a, problem.b))
    assert not options["non_negative"] or all(problem.answer >= 0 for problem in drawn)
    assert not options["carry_only"] or all(map(needs_carrying, drawn))
    operators = Counter(problem.operator for problem in drawn)
    assert abs(operators[PLUS] - operators[MINUS]) == number % 2
    first = {"addition-first": PLUS, "subtraction-first": MINUS}.get(options["order"])
    if first:
        assert [problem.operator == first for problem in drawn] == [index % 2 == 0 for index in range(number)]


@given(OPTIONS, st.integers())
def test_the_same_seed_gives_the_same_problems(options, seed):
    assert draw_problems(4, **options, rng=random.Random(seed)) == draw_problems(4, **options, rng=random.Random(seed))


@given(st.integers(LOWEST, HIGHEST), st.integers(LOWEST, HIGHEST))
def test_carrying_is_what_doing_it_digit_by_digit_needs(a, b):
    assert needs_carrying(Problem(a, PLUS, b)) == ((a % 10 + b % 10) != (a + b) % 10)
    difference = abs(a - b)
    assert needs_carrying(Problem(a, MINUS, b)) == (max(a, b) // 10 - min(a, b) // 10 != difference // 10)


def test_random_order_begins_with_either_operation_about_equally_often():
    rng = random.Random(3)
    firsts = Counter(draw_problems(2, **DEFAULT, rng=rng)[0].operator for _ in range(400))
    assert 160 < firsts[PLUS] < 240


def test_problems_cover_what_is_possible():
    assert len(possible_problems(MINUS, carry_only=False, non_negative=False)) == 8100
    assert len(possible_problems(MINUS, carry_only=False, non_negative=True)) == 4095
    assert len(possible_problems(PLUS, carry_only=True, non_negative=True)) == 81 * 45


def test_an_unknown_order_is_refused():
    with pytest.raises(ValueError, match="no order 'alphabetical'"):
        draw_problems(2, **{**DEFAULT, "order": "alphabetical"}, rng=random.Random(1))


def test_what_the_browser_gets_holds_no_answer():
    problem = Problem(71, MINUS, 18)
    assert problem.as_params() == {"a": 71, "operator": "−", "b": 18}
    assert problems_of([problem.as_params()]) == [problem]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("68", 68), ("068", 68), ("+5", 5), ("- 5", -5), ("–5", -5), ("", None), ("-", None), ("6.5", None), ("x", None),
     ("٣", 3), ("1" * 10, None)],
)  # fmt: skip
def test_only_whole_numbers_are_answers(typed, answer):
    assert answer_from(typed) == answer


def test_a_missing_answer_is_not_correct():
    problems = [Problem(10, MINUS, 10), Problem(10, PLUS, 10)]
    assert number_correct(problems, [0, 20]) == 2
    assert number_correct(problems, [None, 20]) == 1
