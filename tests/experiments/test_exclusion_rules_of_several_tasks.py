"""A rule on the quality of a session holds of whoever falls below it in any of the tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from experiments.paradigms.base import Paradigm
from experiments.rules.exclusion_verdict import verdict_on

RULES = [{"rule": "choice-accuracy", "at_least": 0.6}]


class Task(Paradigm):
    """Answers are right or wrong, and that is all."""

    slug = "right-or-wrong"
    responses: Mapping[str, Any] = {"right-or-wrong": object}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        right = [payload["right"] for _plugin, _params, payload in answered]
        return {"accuracy": sum(right) / len(right) if right else None}


class Answered(NamedTuple):
    pk: int
    part: int
    payload: dict[str, Any]
    position: int = 0
    phase: str = "main"
    plugin: str = "right-or-wrong"
    params: Mapping[str, Any] = {}
    stimulus: int = 1
    rt_ms: float = 900.0
    interrupted: bool = False
    focus_losses: int = 0


def is_excluded(first: str, second: str) -> bool:
    """Return the verdict on answers to two tasks, as text: r for a right one, w for a wrong one."""
    trials = [
        Answered(pk=100 * part + number, part=part, payload={"right": answer == "r"})
        for part, answers in enumerate((first, second), start=1)
        for number, answer in enumerate(answers)
    ]
    paradigms = {1: Task(), 2: Task()}
    verdict = verdict_on(trials, rules=RULES, paradigms=paradigms, measured={}, targets={1: True}, attention={})
    return bool(verdict.session)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("rrrr", "rrrr", False),
        ("wwww", "rrrr", True),
        ("rrrr", "wwww", True),
        # Of groups with a task each, the other task says nothing.
        ("wwww", "", True),
        ("", "wwww", True),
        ("rrrr", "", False),
    ],
)
def test_failing_one_task_is_enough_and_a_task_that_was_not_seen_says_nothing(
    first: str, second: str, expected: bool
) -> None:
    assert is_excluded(first, second) is expected
