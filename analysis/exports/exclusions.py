"""What the exclusion rules of a study's plan say of a session as it is exported.

Rules get a `SeenTrial` for every answered trial of the main phase, which has no condition, item or list; so they are
applied blind, the same way for every export and every analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.exports.stored import StoredSession, StoredTrial
from experiments.exclusion_rules import SeenTrial, Verdict, judge
from experiments.paradigms.base import Paradigm

NOTHING = Verdict()
ATTENTION = "attention"


def verdict_on(
    session: StoredSession,
    trials: Sequence[StoredTrial],
    *,
    rules: Sequence[Mapping[str, Any]],
    paradigm: Paradigm,
    measured: Mapping[int, Mapping[str, Any]],
    targets: Mapping[int | None, bool],
    attention: Mapping[int | None, str],
) -> Verdict:
    """Return what the rules say of one session; nothing of one that is left out already.

    `targets` says of every stimulus whether it is a target, `attention` what is expected of attention items.
    """
    if not rules or session.is_left_out:
        return NOTHING
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


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
