"""What the exclusion rules of a plan say of a session, from its trials as they are stored.

Rules get a `SeenTrial` for every answered trial of the main phase, which has no condition, item or list; so they are
applied blind, the same way when a session is finished, for every export and every analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from experiments.paradigms.base import Paradigm
from experiments.rules.exclusion_checks import SeenTrial
from experiments.rules.exclusion_rules import Verdict, judge

ATTENTION = "attention"


class AnsweredTrial(Protocol):
    """A stored trial with its response; `payload` is None where it has none, `stimulus` where it shows none."""

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


def verdict_on(
    trials: Sequence[AnsweredTrial],
    *,
    rules: Sequence[Mapping[str, Any]],
    paradigm: Paradigm,
    measured: Mapping[int, Mapping[str, Any]],
    targets: Mapping[int | None, bool],
    attention: Mapping[int | None, str],
) -> Verdict:
    """Return what the rules say of one finished session.

    `measured` holds the measures of its trials, `targets` says of every stimulus whether it is a target, `attention`
    what is expected of attention items.
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
        )
        for trial in trials
        if trial.phase == "main" and trial.payload is not None and trial.stimulus is not None
    ]
    answered = [
        (trial.plugin, trial.params, trial.payload)
        for trial in trials
        if trial.payload is not None and trial.plugin in paradigm.responses
    ]
    return judge(rules, seen, paradigm.quality(answered))


def expected(attributes: Mapping[str, Any]) -> str:
    """Return what is expected of an item, "high" or "low", by its attribute `attention`; empty where it is not one.

    >>> expected({"attention": " High "}), expected({"genre": "news"})
    ('high', '')
    """
    return str(attributes.get(ATTENTION, "")).strip().lower()


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
