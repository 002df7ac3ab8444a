"""Simulate participants of sentence recall with known effects.

Each word of a sentence is lost on its own with the probability

    logistic(LOSS + loss effect(condition) + forgetfulness + LATER · (place − ½))

where place runs from 0 for the first to 1 for the last word. With the probability

    logistic(GARBLE + loss effect(condition) + forgetfulness)

one half of the sentence, either one equally often, is garbled: each word in it is lost with the probability
LOST_WHERE_GARBLED as well. Each connective is replaced by another one with the probability

    logistic(CHANGE + change effect(condition) + forgetfulness)

`forgetfulness` belongs to the participant. The effects of a condition are the same for everybody and computed from the
names of its levels alone (`simulated_loss_effect`, `simulated_change_effect`), so analyses of simulated recalls can be
compared with the truth.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.pieces.displays import is_off
from experiments.paradigms.pieces.named_effects import level_effect
from experiments.paradigms.pieces.simulated import SimulatedParticipant
from experiments.paradigms.pieces.typed_text import simulated_attempts
from experiments.paradigms.sentence_recall.arithmetic import Problem, problems_of
from experiments.paradigms.sentence_recall.payload import intended_displays

# In logits.
LOSS = -3.6
GARBLE = -1.6
CHANGE = -1.8
LATER = 1.5
LOSS_EFFECT = 0.8
CHANGE_EFFECT = 0.8
FORGETFULNESS = 0.6

LOST_WHERE_GARBLED = 0.6
OTHER_MEANING = 0.2
NOTHING_RECALLED = 0.01
LATE_DISPLAY = 0.01
FRAME_MS = 1000 / 60

# Each connective with its substitutions; the last one changes the meaning.
CONNECTIVES: Mapping[str, tuple[str, ...]] = {
    "because of": ("due to", "owing to", "despite"),
    "due to": ("because of", "after"),
    "because": ("since", "as", "although"),
    "caused by": ("the result of", "followed by"),
    "the cause of": ("the reason for", "linked to"),
    "caused": ("led to", "came before"),
    "weil": ("da", "obwohl"),
    "wegen": ("aufgrund", "trotz"),
}
_CONNECTIVE = re.compile(rf"\b({'|'.join(CONNECTIVES)})\b", re.IGNORECASE)


def simulated_loss_effect(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log odds that a word is lost: up to LOSS_EFFECT for each level.

    >>> simulated_loss_effect({})
    0.0
    """
    return level_effect(levels, size=LOSS_EFFECT, what="loss ")


def simulated_change_effect(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log odds that a connective is replaced: up to CHANGE_EFFECT per level."""
    return level_effect(levels, size=CHANGE_EFFECT, what="change ")


def logistic(logit: float) -> float:
    """Return 1 / (1 + e^−logit).

    >>> logistic(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-logit))


class RecallParticipant(SimulatedParticipant):
    """A participant with individual memory, arithmetic skill and typing speed."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.forgetfulness = rng.gauss(0, FORGETFULNESS)
        self.accuracy = rng.betavariate(18, 2)
        self.solving_ms = rng.lognormvariate(8.2, 0.3)
        self.key_ms = rng.lognormvariate(5.2, 0.25)

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        recall = self.recalled(params["text"], levels=levels)
        return {
            "displays": self._displays(params),
            "arithmetic": [
                self._solved(problem, time_limit_ms=params["time_limit_ms"])
                for problem in problems_of(params["problems"])
            ],
            "recall": recall,
            "first_key_ms": round(self.rng.lognormvariate(7.3, 0.4), 1) if recall else None,
            "typing_ms": round(len(recall) * self.key_ms * self.rng.lognormvariate(0, 0.15), 1),
            "edits": sum(self.rng.random() < 0.04 for _ in recall),
            **simulated_attempts(self.rng),
            "full_screen_exits": 0,
        }

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return the time from the recall box to its submission: thinking, typing, reading it over."""
        thinking: float = payload["first_key_ms"] or self.rng.lognormvariate(8.5, 0.3)
        typing: float = payload["typing_ms"]
        return round(thinking + typing + self.rng.lognormvariate(6.8, 0.4), 1)

    def recalled(self, text: str, *, levels: Mapping[str, str]) -> str:
        """Return the simulated recall of a sentence: some words lost, connectives replaced, occasionally nothing at
        all.
        """
        if self.rng.random() < NOTHING_RECALLED:
            return ""
        change = logistic(CHANGE + simulated_change_effect(levels) + self.forgetfulness)
        words = _CONNECTIVE.sub(lambda match: self._connective(match[0], change=change), text).split()
        tendency = simulated_loss_effect(levels) + self.forgetfulness
        is_garbled = self.rng.random() < logistic(GARBLE + tendency)
        garbled_half = self.rng.randrange(2)
        kept = []
        for index, word in enumerate(words):
            place = index / max(1, len(words) - 1)
            lost = logistic(LOSS + tendency + LATER * (place - 0.5))
            if is_garbled and (place >= 0.5) == garbled_half:
                lost += (1 - lost) * LOST_WHERE_GARBLED
            if self.rng.random() >= lost:
                kept.append(word)
        return " ".join(kept)

    def _connective(self, found: str, *, change: float) -> str:
        if self.rng.random() >= change:
            return found
        *same, different = CONNECTIVES[found.casefold()]
        other = different if self.rng.random() < OTHER_MEANING else self.rng.choice(same)
        return other[0].upper() + other[1:] if found[0].isupper() else other

    def _displays(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return displays of whole frames at 60 Hz; occasionally one lasts too long."""
        onset = 0.0
        displays = []
        for intended in intended_displays(params):
            late = self.rng.choice((2, 3)) if self.rng.random() < LATE_DISPLAY else 0
            offset = onset + (round(intended / FRAME_MS) + late) * FRAME_MS
            shown = {
                "onset_ms": round(onset, 3),
                "offset_ms": round(offset, 3),
                "frame_interval_ms": round(FRAME_MS, 3),
            }
            displays.append(
                {
                    "intended_ms": intended,
                    **shown,
                    "measured_ms": round(offset - onset, 3),
                    "dropped_frames": late,
                    "late_frames": None,
                    "flagged": is_off({**shown, "late_frames": None}, intended_ms=intended),
                }
            )
            onset = offset
        return displays

    def _solved(self, problem: Problem, *, time_limit_ms: float | None) -> dict[str, Any]:
        ms = round(self.solving_ms * self.rng.lognormvariate(0, 0.3), 1)
        first_key_ms = round(ms * self.rng.uniform(0.5, 0.8), 1)
        wrong_by = self.rng.choice((-10, -1, 1, 10))
        answer = problem.answer + (0 if self.rng.random() < self.accuracy else wrong_by)
        if time_limit_ms is not None and ms > time_limit_ms:
            begun = first_key_ms <= time_limit_ms
            return {
                "typed": str(answer)[:1] if begun else "",
                "answer": None,
                "ms": float(time_limit_ms),
                "first_key_ms": first_key_ms if begun else None,
                "timed_out": True,
            }
        return {
            "typed": str(answer),
            "answer": answer,
            "ms": ms,
            "first_key_ms": first_key_ms,
            "timed_out": False,
        }
