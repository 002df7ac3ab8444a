"""Draw and check the arithmetic problems between presentation and recall.

Pure. Additions and subtractions of two numbers from 10 to 99 (Siddharthan and Katsos 2012, section 3.2).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from experiments.formats.numbers import plain_digits

LOWEST, HIGHEST = 10, 99
PLUS, MINUS = "+", "−"
ORDERS = ("random", "addition-first", "subtraction-first")

Order = Literal["random", "addition-first", "subtraction-first"]

# The forms of minus that keyboards and autocorrection produce.
_TYPED = re.compile(r"([-−–+]?) ?([0-9]{1,9})")


@dataclass(frozen=True)
class Problem:
    """One problem: `a` `operator` `b`, the operator being + or − (U+2212).

    >>> print(Problem(23, "+", 45), "=", Problem(23, "+", 45).answer)
    23 + 45 = 68
    """

    a: int
    operator: str
    b: int

    @property
    def answer(self) -> int:
        """The right answer."""
        return self.a + self.b if self.operator == PLUS else self.a - self.b

    def __str__(self) -> str:
        return f"{self.a} {self.operator} {self.b}"

    def as_params(self) -> dict[str, Any]:
        """Return the parameters for the browser: the operands, never the answer."""
        return {"a": self.a, "operator": self.operator, "b": self.b}


def problems_of(params: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return the problems of a trial from its parameters.

    >>> problems_of([{"a": 71, "operator": "−", "b": 18}])[0].answer
    53
    """
    return [Problem(problem["a"], problem["operator"], problem["b"]) for problem in params]


def needs_carrying(problem: Problem) -> bool:
    """Return whether an addition carries a ten, or a subtraction borrows one from the larger number.

    >>> needs_carrying(Problem(27, "+", 45)), needs_carrying(Problem(23, "+", 45))
    (True, False)
    >>> needs_carrying(Problem(71, "−", 18)), needs_carrying(Problem(18, "−", 71)), needs_carrying(Problem(48, "−", 11))
    (True, True, False)
    """
    if problem.operator == PLUS:
        return problem.a % 10 + problem.b % 10 >= 10
    larger, smaller = max(problem.a, problem.b), min(problem.a, problem.b)
    return larger % 10 < smaller % 10


@cache
def possible_problems(operator: str, *, carry_only: bool, non_negative: bool) -> tuple[Problem, ...]:
    """Return every problem that the options allow, in order.

    >>> len(possible_problems("+", carry_only=False, non_negative=True))
    8100
    """
    operands = range(LOWEST, HIGHEST + 1)
    return tuple(
        problem
        for a in operands
        for b in operands
        if (problem := Problem(a, operator, b)).answer >= 0 or not non_negative
        if not carry_only or needs_carrying(problem)
    )


def draw_problems(
    number: int, *, order: Order, carry_only: bool, non_negative: bool, rng: random.Random
) -> list[Problem]:
    """Draw the problems of one trial uniformly, without repetition.

    Additions and subtractions alternate, beginning with the one that `order` names; "random" shuffles them, and where
    `number` is odd draws which of the two there is one more of. Raises ValueError for an order that does not exist.

    >>> draw_problems(2, order="addition-first", carry_only=True, non_negative=True, rng=random.Random(1))
    [Problem(a=26, operator='+', b=28), Problem(a=84, operator='−', b=35)]
    """
    if order not in ORDERS:
        raise ValueError(f"There is no order '{order}'. Known are: {', '.join(ORDERS)}.")
    pair = (MINUS, PLUS) if order == "subtraction-first" else (PLUS, MINUS)
    if order == "random" and rng.random() < 0.5:
        pair = (MINUS, PLUS)
    operators = [pair[index % 2] for index in range(number)]
    if order == "random":
        rng.shuffle(operators)
    drawn: list[Problem] = []
    for operator in operators:
        possible = possible_problems(operator, carry_only=carry_only, non_negative=non_negative)
        problem = rng.choice(possible)
        while problem in drawn:
            problem = rng.choice(possible)
        drawn.append(problem)
    return drawn


def answer_from(typed: str) -> int | None:
    """Parse the whole number that was typed; None if it is none.

    >>> answer_from(" 68 "), answer_from("-5"), answer_from("−5"), answer_from("6 8"), answer_from("")
    (68, -5, -5, None, None)
    """
    match = _TYPED.fullmatch(plain_digits(typed.strip()))
    if match is None:
        return None
    return -int(match[2]) if match[1] not in ("", "+") else int(match[2])


def number_correct(problems: Sequence[Problem], answers: Sequence[int | None]) -> int:
    """Return the number of correct answers; None is never correct.

    Raises ValueError if the numbers of answers and problems differ.

    >>> number_correct([Problem(23, "+", 45), Problem(71, "−", 18)], [68, None])
    1
    """
    return sum(answer == problem.answer for problem, answer in zip(problems, answers, strict=True))
