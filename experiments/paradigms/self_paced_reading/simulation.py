"""Simulate participants of self-paced reading with known effects.

The logarithm of a simulated reading time of a region in milliseconds is

    BASE + PER_CHARACTER · characters + speed + item + effect(condition, distance) + noise

where the effect of a condition is `simulated_slowing` at the critical region, half of it at the next, and zero
elsewhere; without a critical region it applies to all regions. `speed` belongs to the participant.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.pieces.comprehension import simulated_question
from experiments.paradigms.pieces.named_effects import level_effect, spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant
from experiments.paradigms.self_paced_reading.payload import RSVP, total_ms

# In natural logarithms of milliseconds: 0.1 is about ten per cent.
BASE = 5.65
PER_CHARACTER = 0.02
CONDITION_EFFECT = 0.25
SPILLOVER = 0.5
ITEM_EFFECT = 0.08
NOISE = 0.25
FRAME_MS = 1000 / 60


def simulated_slowing(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log reading time at the critical region.

    >>> simulated_slowing({})
    0.0
    """
    return level_effect(levels, size=CONDITION_EFFECT)


class SelfPacedParticipant(SimulatedParticipant):
    """A reader with an individual speed and accuracy."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.speed = rng.gauss(0, 0.2)
        self.noise = NOISE * rng.lognormvariate(0, 0.15)
        self.attention = rng.betavariate(14, 2)

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        begun = round(self.rng.lognormvariate(6.8, 0.5), 3)
        if params["window"] == RSVP:
            return {
                "first_key_ms": begun,
                "displays": self._displays(params),
                "frame_interval_ms": FRAME_MS,
                "touches": 0,
                "question": simulated_question(params, attention=self.attention, rng=self.rng),
            }
        presses, onsets = [0.0], []
        for number, region in enumerate(params["regions"], start=1):
            share = self._share_of_effect(params["critical_region"], number)
            log_ms = (
                BASE
                + PER_CHARACTER * len(region["text"])
                + self.speed
                + ITEM_EFFECT * spread(f"item {item}")
                + share * simulated_slowing(levels)
                + self.rng.gauss(0, self.noise)
            )
            time = max(3 * FRAME_MS, math.exp(log_ms))
            lag = self.rng.uniform(0.5, 1.5) * FRAME_MS if self.rng.random() > 0.002 else 5 * FRAME_MS
            onsets.append(round(presses[-1] + min(lag, time), 3))
            presses.append(round(presses[-1] + time, 3))
        return {
            "first_key_ms": begun,
            "presses": presses,
            "onsets": onsets,
            "frame_interval_ms": FRAME_MS,
            "touches": 0,
            "question": simulated_question(params, attention=self.attention, rng=self.rng),
        }

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        question = payload["question"]
        return float(round(total_ms(payload) + ((question["rt_ms"] or 0.0) if question else 0.0), 3))

    @staticmethod
    def _share_of_effect(critical: int | None, number: int) -> float:
        if critical is None:
            return 1.0
        return {0: 1.0, 1: SPILLOVER}.get(number - critical, 0.0)

    def _displays(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return displays of whole frames at 60 Hz; occasionally one lasts a frame too long."""
        displays, now = [], 0.0
        for _region in params["regions"]:
            late = self.rng.random() < 0.003
            shown = (round(params["region_ms"] / FRAME_MS) + late) * FRAME_MS
            displays.append(
                {
                    "shown_ms": round(now, 3),
                    "gone_ms": round(now + shown, 3),
                    "dropped_frames": int(late),
                    "doubtful": False,
                }
            )
            now += shown + round(params["blank_ms"] / FRAME_MS) * FRAME_MS
        return displays
