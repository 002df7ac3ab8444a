"""Simulate participants of the Maze task with known effects.

The logarithm of the time of a simulated first choice in milliseconds is

    BASE + PER_CHARACTER · characters + speed + item + effect(condition) + noise

and the log odds of a wrong first choice are

    ERROR + carelessness + effect(condition).

The effects of a condition are `simulated_slowing` and `simulated_errors`. They apply at the critical region, and a
tenth of the slowing at the next one (Maze is more local than self-paced reading); without a critical region they apply
to all regions. `speed` and `carelessness` belong to the participant.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.maze.pairs import LEFT, RIGHT
from experiments.paradigms.maze.payload import KEY, TOUCH
from experiments.paradigms.maze.settings import REDO
from experiments.paradigms.pieces.comprehension import simulated_question
from experiments.paradigms.pieces.named_effects import level_effect, spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant

# In natural logarithms of milliseconds: 0.1 is about ten per cent.
BASE = 6.45
PER_CHARACTER = 0.015
CONDITION_EFFECT = 0.2
SPILLOVER = 0.1
ITEM_EFFECT = 0.08
NOISE = 0.22
SPEED = 0.15
# In log odds of a wrong choice.
ERROR = -4.0
ERROR_EFFECT = 0.8
CARELESSNESS = 0.5
FRAME_MS = 1000 / 60


def simulated_slowing(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log time of a choice at the critical region.

    >>> simulated_slowing({})
    0.0
    """
    return level_effect(levels, size=CONDITION_EFFECT)


def simulated_errors(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log odds of a wrong choice at the critical region.

    >>> simulated_errors({})
    0.0
    """
    return level_effect(levels, size=ERROR_EFFECT, what="error ")


class MazeParticipant(SimulatedParticipant):
    """A reader with an individual speed, error rate and accuracy of answers, using keys or touch."""

    def __init__(self, rng: random.Random, settings: Mapping[str, Any]) -> None:
        super().__init__(rng)
        self.speed = rng.gauss(0, SPEED)
        self.noise = NOISE * rng.lognormvariate(0, 0.15)
        self.carelessness = rng.gauss(0, CARELESSNESS)
        self.attention = rng.betavariate(14, 2)
        touches = rng.random() < 0.3
        self.input = TOUCH if touches and settings.get("buttons", True) else KEY

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        pairs: list[dict[str, Any]] = []
        now, has_ended = 0.0, False
        for number, (region, side) in enumerate(zip(params["regions"], params["sides"], strict=True), start=1):
            onset = now
            slowing, error = self._effects(params["critical_region"], number, levels)
            now += self._choice_ms(len(region["text"]), slowing + ITEM_EFFECT * spread(f"item {item}"))
            tries = []
            if self.rng.random() < 1 / (1 + math.exp(-(ERROR + self.carelessness + error))):
                tries.append(self._try(now, LEFT if side == RIGHT else RIGHT))
                has_ended = params["after_error"] != REDO
                now += params["delay_ms"] + self.rng.lognormvariate(6.0, 0.3)
            if not has_ended:
                tries.append(self._try(now, side))
            pairs.append({"onset_ms": round(onset, 3), "tries": tries})
            if has_ended:
                break
            lag = self.rng.uniform(0.5, 1.5) if self.rng.random() > 0.002 else 5.0
            now += lag * FRAME_MS
        return {
            "pairs": pairs,
            "frame_interval_ms": FRAME_MS,
            "message_ms": round(params["delay_ms"] + self.rng.lognormvariate(6.3, 0.4), 3) if has_ended else None,
            "question": None if has_ended else simulated_question(params, attention=self.attention, rng=self.rng),
        }

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        question = payload["question"]
        return float(round(payload["pairs"][-1]["tries"][-1]["ms"] + (question["rt_ms"] if question else 0.0), 3))

    def _choice_ms(self, characters: int, effects: float) -> float:
        log_ms = BASE + PER_CHARACTER * characters + self.speed + effects + self.rng.gauss(0, self.noise)
        return max(3 * FRAME_MS, math.exp(log_ms))

    def _try(self, now: float, side: str) -> dict[str, Any]:
        return {"ms": round(now, 3), "side": side, "input": self.input}

    @staticmethod
    def _effects(critical: int | None, number: int, levels: Mapping[str, str]) -> tuple[float, float]:
        """Return the effects on the log time and on the log odds of an error."""
        distance = 0 if critical is None else number - critical
        share = {0: 1.0, 1: SPILLOVER}.get(distance, 0.0)
        return share * simulated_slowing(levels), simulated_errors(levels) if distance == 0 else 0.0
