"""Checks of the exclusion rules. Pure, and blind by construction: `SeenTrial` has no condition, item or list."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Scales the median absolute deviation to the standard deviation of a normal distribution.
NORMAL_MAD = 1.4826
FEWEST_TIMES = 3


@dataclass(frozen=True)
class SeenTrial:
    """The data of one answered main trial that rules may use.

    `attention` is "high" or "low" for an attention item, whose rating must lie above or below the median of the
    participant's targets in this task, otherwise empty. `correct` is None if no answer is correct or none was given.
    Ratings and times are only compared within a `task`.
    """

    position: int
    rt_ms: float | None
    focus_losses: int
    interrupted: bool
    is_target: bool
    rating: float | None = None
    attention: str = ""
    correct: bool | None = None
    task: str = ""
    out_of_view: int = 0
    early_presses: int = 0


def by_task(trials: Sequence[SeenTrial]) -> list[list[SeenTrial]]:
    """Group the trials by task, tasks in order of first occurrence."""
    tasks: dict[str, list[SeenTrial]] = {}
    for trial in trials:
        tasks.setdefault(trial.task, []).append(trial)
    return list(tasks.values())


def _target_ratings(trials: Sequence[SeenTrial]) -> list[float]:
    return [trial.rating for trial in trials if trial.is_target and trial.rating is not None]


def _zero_variance(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], _stated: Mapping[str, Any]) -> bool:
    given = [_target_ratings(of_task) for of_task in by_task(trials)]
    return any(len(ratings) > 1 and len(set(ratings)) == 1 for ratings in given)


def _few_distinct(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    given = [_target_ratings(of_task) for of_task in by_task(trials)]
    return any(bool(ratings) and len(set(ratings)) < stated["at_least"] for ratings in given)


def _too_fast(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    timed = [[trial.rt_ms for trial in of_task if trial.rt_ms is not None] for of_task in by_task(trials)]
    return any(bool(times) and sum(rt < stated["ms"] for rt in times) / len(times) > stated["share"] for times in timed)


def _failed_attention(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    return sum(_failures(of_task) for of_task in by_task(trials)) > int(stated["at_most"])


def _failures(of_task: Sequence[SeenTrial]) -> int:
    """Return the number of attention items of a task rated on the wrong side of the median of its targets."""
    ratings = _target_ratings(of_task)
    if not ratings:
        return 0
    middle = statistics.median(ratings)
    return sum(
        (trial.attention == "high" and trial.rating <= middle) or (trial.attention == "low" and trial.rating >= middle)
        for trial in of_task
        if trial.rating is not None
    )


def _below(name: str) -> Callable[[Sequence[SeenTrial], Mapping[str, Any], Mapping[str, Any]], bool]:
    def test(_trials: Sequence[SeenTrial], quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
        value = quality.get(name)
        return value is not None and bool(value < stated["at_least"])

    return test


def _often_away(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    return bool(sum(trial.focus_losses for trial in trials) > stated["at_most"])


def _pressed_early(trials: Sequence[SeenTrial], _quality: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    return bool(sum(trial.early_presses for trial in trials) > stated["at_most"])


PARTICIPANT_TESTS: Mapping[str, Callable[[Sequence[SeenTrial], Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "zero-variance": _zero_variance,
    "few-distinct-values": _few_distinct,
    "fast-participant": _too_fast,
    "failed-attention": _failed_attention,
    "line-training": _below("line_correlation"),
    "arithmetic-accuracy": _below("arithmetic_accuracy"),
    "comprehension-accuracy": _below("comprehension"),
    "choice-accuracy": _below("accuracy"),
    "focus-losses": _often_away,
    "early-presses": _pressed_early,
}
TRIAL_TESTS: Mapping[str, Callable[[SeenTrial, Mapping[str, Any]], bool]] = {
    "fast-trial": lambda trial, stated: trial.rt_ms is not None and trial.rt_ms < stated["ms"],
    "slow-trial": lambda trial, stated: trial.rt_ms is not None and trial.rt_ms > stated["ms"],
    "interrupted-trial": lambda trial, _stated: trial.interrupted,
    "unfocused-trial": lambda trial, _stated: trial.focus_losses > 0,
    "out-of-view-trial": lambda trial, _stated: trial.out_of_view > 0,
    "early-press-trial": lambda trial, _stated: trial.early_presses > 0,
}


def _spread_of_times(trials: Sequence[SeenTrial], *, robust: bool) -> tuple[float, float] | None:
    """Return centre and spread of a participant's reaction times to targets, without those of wrong answers.

    Mean and standard deviation (n − 1), or median and 1.4826 × median absolute deviation (consistent for the standard
    deviation of normal times). All conditions together, because rules are blind to them. None for fewer than three
    times.
    """
    times = [trial.rt_ms for trial in trials if trial.is_target and trial.correct is not False and trial.rt_ms]
    if len(times) < FEWEST_TIMES:
        return None
    if not robust:
        return statistics.fmean(times), statistics.stdev(times)
    middle = statistics.median(times)
    return middle, NORMAL_MAD * statistics.median(abs(time - middle) for time in times)


def outlying(trials: Sequence[SeenTrial], stated: Mapping[str, Any], *, robust: bool) -> list[SeenTrial]:
    """Return the targets, including errors, whose reaction time is more than k spreads from the participant's centre.

    Bounds come from a participant's times to targets in all conditions, without wrong answers. If times do not
    vary, there are no outliers.

    >>> times = [500, 510, 520, 530, 540, 2000]
    >>> seen = [SeenTrial(n, time, 0, False, True) for n, time in enumerate(times)]
    >>> [trial.rt_ms for trial in outlying(seen, {"k": 3}, robust=True)]
    [2000]
    """
    known = _spread_of_times(trials, robust=robust)
    if known is None or known[1] <= 0:
        return []
    centre, spread = known
    return [
        trial
        for trial in trials
        if trial.is_target and trial.rt_ms is not None and abs(trial.rt_ms - centre) > stated["k"] * spread
    ]


# Rules that compare a trial with the others of the same task.
OUTLIER_TESTS: Mapping[str, Callable[[Sequence[SeenTrial], Mapping[str, Any]], list[SeenTrial]]] = {
    "outlying-sd": lambda trials, stated: outlying(trials, stated, robust=False),
    "outlying-mad": lambda trials, stated: outlying(trials, stated, robust=True),
}
