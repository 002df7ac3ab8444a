"""Plan what people are told between blocks: how they did since the last break, and whether they practise again. Pure.

A practice until a share of right answers is planned in all its rounds; those that somebody does not need are taken out
of the session once the answers are there.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from experiments.formats.faults import Fault
from experiments.models import Part
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, ShownStimulus, TrialPlan
from experiments.paradigms.pieces.shared_pages import BREAK, BREAK_FEEDBACK
from experiments.procedure.arranging import complete_procedure
from experiments.rules.procedure import NO_FEEDBACK, RANDOM, RIGHT, RIGHT_AND_TIME, TIME
from experiments.sentences import Sentence

ROUND = "round"
"""The key of a trial's private part that says in which round of the practice it is, from 1."""
SKIPS, UNTIL = "skips", "until"
"""Keys of the private part of a page after practice: how many trials are left out where it was enough, and what is."""

Answered = tuple[str, Mapping[str, Any], Mapping[str, Any]]


def with_practice_shuffled(
    shown: Sequence[ShownStimulus], procedure: Mapping[str, Any], *, seed: int
) -> list[ShownStimulus]:
    """Return what a task shows, with practice in another order where the procedure lets it be random; else as given.

    The order rests on the seed alone, with a generator of its own, so that all other trials come as without it.
    """
    if complete_procedure(procedure)["practice_order"] != RANDOM:
        return list(shown)
    practice = [stimulus for stimulus in shown if stimulus.is_practice]
    random.Random(f"practice {seed}").shuffle(practice)  # noqa: S311 - an order that can be made again
    turn = iter(practice)
    return [next(turn) if stimulus.is_practice else stimulus for stimulus in shown]


def with_feedback(trials: Sequence[TrialPlan], procedure: Mapping[str, Any]) -> list[TrialPlan]:
    """Return the trials of a task with what breaks say, and with the rounds of its practice.

    >>> one = TrialPlan("practice", "rating", {"kind": "practice"}, 1)
    >>> again = with_feedback([one], {"practice_until": 80, "practice_rounds": 2})
    >>> [(trial.phase, trial.private) for trial in again]
    [('practice', {'round': 1}), ('break', {'round': 1, 'until': 80, 'skips': 2}), ('practice', {'round': 2}), \
('break', {'round': 2, 'until': 80, 'skips': 0})]
    """
    complete = complete_procedure(procedure)
    said = complete["break_feedback"]
    told = [
        replace(trial, plugin=BREAK_FEEDBACK, params={**trial.params, "feedback": said})
        if trial.plugin == BREAK and said != NO_FEEDBACK
        else trial
        for trial in trials
    ]
    if complete["practice_until"]:
        told = _in_rounds(told, complete)
    main = sum(trial.phase == "main" for trial in told)
    if complete["end_feedback"] != NO_FEEDBACK and main:
        params = {"done": main, "total": main, "pages": [], "feedback": complete["end_feedback"], "is_end": True}
        told.append(TrialPlan("break", BREAK_FEEDBACK, params))
    return told


def _in_rounds(trials: Sequence[TrialPlan], procedure: Mapping[str, Any]) -> list[TrialPlan]:
    planned: list[TrialPlan] = []
    run: list[TrialPlan] = []
    for trial, after in zip(trials, [*trials[1:], None], strict=True):
        if trial.phase != "practice":
            planned.append(trial)
            continue
        run.append(trial)
        if after is None or after.phase != "practice":
            planned += _rounds(run, procedure)
            run = []
    return planned


def _rounds(run: Sequence[TrialPlan], procedure: Mapping[str, Any]) -> list[TrialPlan]:
    planned: list[TrialPlan] = []
    said = procedure["break_feedback"]
    rounds = procedure["practice_rounds"]
    params = {
        "done": len(run),
        "total": len(run),
        "pages": [],
        "feedback": RIGHT_AND_TIME if said in (TIME, RIGHT_AND_TIME) else RIGHT,
        "practice": True,
    }
    for number in range(1, rounds + 1):
        planned += [replace(trial, private={**trial.private, ROUND: number}) for trial in run]
        left = (rounds - number) * (len(run) + 1)
        planned.append(
            TrialPlan(
                "break",
                BREAK_FEEDBACK,
                params,
                private={ROUND: number, UNTIL: procedure["practice_until"], SKIPS: left},
            )
        )
    return planned


@dataclass(frozen=True)
class Result:
    """What a page says: the share of right answers from 0 to 1, the mean time of an answer in milliseconds, and whether
    practice comes again. None where nothing can be said.
    """

    right: float | None
    mean_ms: float | None
    again: bool | None = None


def result_of(
    paradigm: Paradigm,
    answered: Sequence[Answered],
    times: Sequence[float | None],
    *,
    said: str,
    until: float | None = None,
    may_repeat: bool = False,
) -> Result:
    """Return what is said of these trials; `until` is the share of right answers in per cent that ends a practice.

    Where no answer of a practice can be right or wrong, it ends.
    """
    share = paradigm.share_right(answered)
    known = [time for time in times if time is not None]
    again = None
    if until is not None:
        again = may_repeat and share is not None and 100 * share < until
    return Result(
        right=share if said in (RIGHT, RIGHT_AND_TIME) else None,
        mean_ms=fmean(known) if known and said in (TIME, RIGHT_AND_TIME) else None,
        again=again,
    )


def feedback_faults(part: Part) -> list[Fault]:
    """Return why a task cannot tell people what its procedure says they are told."""
    procedure = complete_procedure(part.procedure)
    paradigm = paradigm_named(part.paradigm)
    asked = [
        name
        for name, is_asked in (
            ("break_feedback", procedure["break_feedback"] in (RIGHT, RIGHT_AND_TIME)),
            ("end_feedback", procedure["end_feedback"] in (RIGHT, RIGHT_AND_TIME)),
            ("practice_until", bool(procedure["practice_until"])),
        )
        if is_asked
    ]
    if asked and not paradigm.gives_share_right(paradigm.complete_settings(part.settings)):
        return [
            Fault(
                setting=asked[0],
                message=Sentence(
                    "People should read how many answers were right, but no answer is right or wrong here."
                ),
                suggestion=Sentence("Let breaks report how fast the answers were, or nothing."),
                step="procedure",
            )
        ]
    if not procedure["practice_until"]:
        return []
    if not part.items.filter(is_practice=True).exists():
        return [
            Fault(
                setting="practice_until",
                message=Sentence("Practice should be repeated, but there are no practice texts."),
                suggestion=Sentence("Mark rows of the materials as practice, or write 0."),
                step="procedure",
            )
        ]
    if not procedure["practice_first"]:
        return [
            Fault(
                setting="practice_until",
                message=Sentence("Practice cannot be repeated when it is mixed with the other texts."),
                suggestion=Sentence("Let practice come first, or write 0."),
                step="procedure",
            )
        ]
    return []
