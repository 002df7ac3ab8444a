"""Rules look at every task of a study by itself, or at the one that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import pytest

from experiments.paradigms.base import Paradigm
from experiments.rules.exclusion_checks import SeenTrial
from experiments.rules.exclusion_rules import judge, rule_faults
from experiments.rules.exclusion_verdict import verdict_on

RULES = [{"rule": "choice-accuracy", "at_least": 0.6}]


class Task(Paradigm):
    """Answers are right or wrong, and that is all."""

    slug = "right-or-wrong"
    responses: ClassVar[Mapping[str, Any]] = {"right-or-wrong": object}

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
    params: dict[str, Any] = {}
    stimulus: int = 1
    rt_ms: float = 900.0
    interrupted: bool = False
    focus_losses: int = 0
    out_of_view: int | None = None


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


# Words are answered within a second, sentences within seconds.
WORDS = [500.0, 510, 520, 530, 540, 550, 560, 2000]
SENTENCES = [4000.0, 4100, 4200, 4300, 4400, 4500, 4600, 4700]


def of_two_tasks(**cells: Any) -> list[SeenTrial]:
    """Return trials of the tasks words and sentences; `cells` give a value to each of them, by task and trial."""
    times = [("words", time) for time in WORDS] + [("sentences", time) for time in SENTENCES]
    seen = [SeenTrial(number, time, 0, False, True, task=task) for number, (task, time) in enumerate(times)]
    return [replace(one, **{name: values[one.position] for name, values in cells.items()}) for one in seen]


@pytest.mark.parametrize("slug", ["outlying-sd", "outlying-mad"])
def test_a_slow_word_is_outlying_among_words_though_sentences_take_longer(slug: str) -> None:
    assert set(judge([{"rule": slug, "k": 2.4}], of_two_tasks()).trials) == {WORDS.index(2000)}


def test_a_bound_for_the_times_of_words_leaves_the_sentences_in() -> None:
    verdict = judge([{"rule": "slow-trial", "ms": 1500, "part": "words"}], of_two_tasks())
    assert verdict.trials == {7: "planned rule: answered more slowly than 1500 ms in the task 'words'"}
    assert len(judge([{"rule": "slow-trial", "ms": 1500}], of_two_tasks()).trials) == 1 + len(SENTENCES)


def test_who_answers_one_task_too_fast_is_not_saved_by_the_slowness_of_the_other() -> None:
    rule = {"rule": "fast-participant", "ms": 600, "share": 0.5}
    assert judge([rule], of_two_tasks()).session
    assert judge([{**rule, "part": "words"}], of_two_tasks()).session
    assert not judge([{**rule, "part": "sentences"}], of_two_tasks()).session


def test_attention_items_are_held_against_the_ratings_of_their_own_task() -> None:
    ratings = [1.0, 2, 3, 4, 5, 6, 7, 6.5, 100.0, 200, 300, 400, 500, 600, 700, 800]
    attention = [""] * 7 + ["high"] + [""] * 7 + ["high"]
    seen = [
        replace(trial, is_target=not trial.attention) for trial in of_two_tasks(rating=ratings, attention=attention)
    ]
    assert judge([{"rule": "failed-attention", "at_most": 0}], seen).session == ""
    seen[7] = replace(seen[7], rating=1.0)
    assert judge([{"rule": "failed-attention", "at_most": 0}], seen).session
    assert judge([{"rule": "failed-attention", "at_most": 1}], seen).session == ""


def test_one_rating_for_all_of_a_task_is_seen_beside_a_task_with_many() -> None:
    ratings = [4.0] * len(WORDS) + [float(number) for number in range(len(SENTENCES))]
    assert judge([{"rule": "zero-variance"}], of_two_tasks(rating=ratings)).session
    assert not judge([{"rule": "zero-variance", "part": "sentences"}], of_two_tasks(rating=ratings)).session


def test_a_quality_rule_for_one_task_says_nothing_of_the_others() -> None:
    rule, quality_of = {"rule": "choice-accuracy", "at_least": 0.6}, {"words": {"accuracy": 0.4}, "sentences": {}}
    assert judge([{**rule, "part": "words"}], [], {"accuracy": 0.4}, None, quality_of).session
    assert not judge([{**rule, "part": "sentences"}], [], {"accuracy": 0.4}, None, quality_of).session


def test_faults_of_rules_for_tasks_are_told_with_what_to_do() -> None:
    measures = {"words": ["choice"], "sentences": ["rating"]}
    rules = [
        {"rule": "slow-trial", "ms": 2000, "part": "words"},
        {"rule": "slow-trial", "ms": 60_000, "part": "sentences"},
        {"rule": "slow-trial", "ms": 70_000, "part": "sentences"},
        {"rule": "fast-trial", "ms": 200, "part": "wrods"},
        {"rule": "outlying-sd", "k": 3, "part": "sentences"},
    ]
    assert [str(fault) for fault in rule_faults(rules, measures=measures)] == [
        "Exclusion rule 3: 'slow-trial' appears twice for the task 'sentences'.",
        "Exclusion rule 4 ('fast-trial'): the study has no task 'wrods'. Did you mean 'words'?",
        "Exclusion rule 5: 'outlying-sd' needs the measure 'choice', but the task 'sentences' does not have it.",
    ]
