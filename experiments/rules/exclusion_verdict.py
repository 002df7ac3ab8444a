"""Apply the exclusion rules of a plan to a stored session.

Rules get a `SeenTrial` for every answered main trial, which has no condition, item or list. So they are applied blind,
and identically at the end of a session, in exports and in analyses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from experiments.paradigms.base import Paradigm
from experiments.paradigms.pieces.shared_pages import BACKGROUND_QUESTIONS
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.scores import all_values
from experiments.rules.exclusion_checks import SeenTrial
from experiments.rules.exclusion_rules import Verdict, judge

ATTENTION = "attention"


class AnsweredTrial(Protocol):
    """A stored trial with its response; `payload` is None without a response, `stimulus` if it shows none."""

    @property
    def pk(self) -> int: ...
    @property
    def position(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def plugin(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def stimulus(self) -> int | None: ...
    @property
    def payload(self) -> dict[str, Any] | None: ...
    @property
    def rt_ms(self) -> float | None: ...
    @property
    def interrupted(self) -> bool | None: ...
    @property
    def focus_losses(self) -> int | None: ...
    @property
    def out_of_view(self) -> int | None: ...
    @property
    def part(self) -> int: ...


def verdict_on(
    trials: Sequence[AnsweredTrial],
    *,
    rules: Sequence[Mapping[str, Any]],
    paradigms: Mapping[int, Paradigm],
    measured: Mapping[int, Mapping[str, Any]],
    targets: Mapping[int | None, bool],
    attention: Mapping[int | None, str],
    questions: Sequence[Question] = (),
    tasks: Mapping[int, str] = MappingProxyType({}),
) -> Verdict:
    """Return the verdict on one finished session.

    `paradigms` are those of the parts, `tasks` their names in rules, one name for the tasks of a pool. If several tasks
    have the same quality measure, a rule without a task uses the lowest value, so it applies to participants below the
    limit in any task. `measured`
    holds the measures of the trials, `targets` whether each stimulus is a target, `attention` the expected side of
    attention items; `questions` are those of the study.
    """
    seen = [
        SeenTrial(
            position=trial.position,
            rt_ms=trial.rt_ms,
            focus_losses=trial.focus_losses or 0,
            interrupted=bool(trial.interrupted),
            is_target=targets.get(trial.stimulus, False),
            rating=_number(measured.get(trial.pk, {}).get("rating")),
            attention=attention.get(trial.stimulus, ""),
            correct=_truth(measured.get(trial.pk, {}).get("correct")),
            task=tasks.get(trial.part, str(trial.part)),
            out_of_view=trial.out_of_view or 0,
            early_presses=int(measured.get(trial.pk, {}).get("early_presses") or 0),
        )
        for trial in trials
        if trial.phase == "main" and trial.payload is not None and trial.stimulus is not None
    ]
    parts: dict[str, list[int]] = {}
    for part in paradigms:
        parts.setdefault(tasks.get(part, str(part)), []).append(part)
    of_tasks = {name: quality_of_task(own, paradigms[own[0]], trials) for name, own in parts.items()}
    return judge(rules, seen, lowest(of_tasks.values()), _said(trials, questions), of_tasks)


def quality_of_task(parts: Collection[int], paradigm: Paradigm, trials: Sequence[AnsweredTrial]) -> dict[str, Any]:
    """Return the quality measures of one task in a session, or of the tasks of a pool together."""
    return paradigm.quality(
        [
            (trial.plugin, trial.params, trial.payload)
            for trial in trials
            if trial.part in parts and trial.payload is not None and trial.plugin in paradigm.responses
        ]
    )


def lowest(of_tasks: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the minimum of every numeric quality measure over tasks; tasks without a value are ignored.

    >>> lowest([{"accuracy": 0.4}, {"accuracy": 0.9, "device": "mouse"}, {"accuracy": None}])
    {'accuracy': 0.4}
    """
    found: dict[str, float] = {}
    for quality in of_tasks:
        for name, value in quality.items():
            number = _number(value)
            if number is not None:
                found[name] = min(number, found.get(name, number))
    return found


def _said(trials: Sequence[AnsweredTrial], questions: Sequence[Question]) -> dict[str, Any]:
    """Return answers, scores and failed checks of a session; empty if no questions were answered."""
    given: dict[str, Any] = {}
    for trial in trials:
        if trial.plugin == BACKGROUND_QUESTIONS and trial.payload is not None:
            given.update(trial.payload.get("answers") or {})
    return all_values(questions, given) if given else {}


def expected(attributes: Mapping[str, Any]) -> str:
    """Return the expected side of an attention item, "high" or "low", from its attribute `attention`; empty for others.

    >>> expected({"attention": " High "}), expected({"genre": "news"})
    ('high', '')
    """
    return str(attributes.get(ATTENTION, "")).strip().lower()


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
