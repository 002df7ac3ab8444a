"""Simulate participants of a timed choice with known effects.

The logarithm of a simulated reaction time in milliseconds is

    BASE + speed + ITEM_EFFECT · item + slowing(condition) + noise

and the log odds of a correct answer are

    ACCURACY + care + ITEM_ACCURACY · item − ERRORS_PER_SLOWING · slowing(condition)

`speed` and `care` belong to the participant. The effect of a condition is the same for everybody and follows from the
names of its levels alone (`simulated_slowing`), so that analyses of simulated answers can be compared with the truth.
Levels with a conventional meaning have the usual direction (`KNOWN`); that of others is derived from their names.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

from experiments.paradigms.pieces.displays import FRAME_MS
from experiments.paradigms.pieces.media import simulated_media
from experiments.paradigms.pieces.named_effects import spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant
from experiments.paradigms.timed_choice.answers import WITHHELD
from experiments.paradigms.timed_choice.planned import PLAYED

# In natural logarithms of milliseconds: 0.1 is about ten per cent.
BASE = 6.4
SPEED = 0.12
NOISE = 0.2
ITEM_EFFECT = 0.05
CONDITION_EFFECT = 0.05
KNOWN = {
    "frequency=high": -0.04, "frequency=low": 0.04,
    "prime_type=identity": -0.03, "prime_type=unrelated": 0.03,
    "grammaticality=grammatical": -0.04, "grammaticality=ungrammatical": 0.04,
    "polarity=affirmative": -0.05, "polarity=negative": 0.05,
    "sentence=matching": -0.04, "sentence=mismatching": 0.04,
}  # fmt: skip
# In logits.
ACCURACY = 2.6
CARE = 0.5
ITEM_ACCURACY = 0.4
ERRORS_PER_SLOWING = 10.0

LAPSE = 0.004
LATE_DISPLAY = 0.01
EARLY_PRESS = 0.01
BUTTON = 0.1


def simulated_slowing(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log reaction time.

    >>> simulated_slowing({"frequency": "low"}) - simulated_slowing({"frequency": "high"})
    0.08
    >>> simulated_slowing({})
    0.0
    """
    names = [f"{factor}={level}" for factor, level in sorted(levels.items())]
    return float(sum(KNOWN.get(name, CONDITION_EFFECT * spread(name)) for name in names))


def simulated_log_odds(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log odds of a right answer."""
    return -ERRORS_PER_SLOWING * simulated_slowing(levels)


class ChoiceParticipant(SimulatedParticipant):
    """A participant with individual speed and care."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.speed = rng.gauss(0, SPEED)
        self.care = rng.gauss(0, CARE)
        self.uses_buttons = rng.random() < BUTTON

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        rt_ms = self._reaction_ms(levels, item)
        early = int(self.rng.random() < EARLY_PRESS)
        displays = self._displays(params)
        media = simulated_media(params, self.rng)
        missing = {"answer": None, "by": None, "rt_ms": None, "timed_out": True}
        if params["deadline_ms"] and rt_ms > params["deadline_ms"]:
            return {"displays": displays, **missing, "early": early, **media}
        by = "button" if params["respond_with"] == "buttons" or self._by_button(params) else "key"
        place = self._place(params, levels, item)
        if place is None:
            return {"displays": displays, **missing, "early": early, **media}
        answer = {"answer": place, "by": by, "rt_ms": rt_ms, "timed_out": False, "early": early}
        return {"displays": displays, **answer, **media}

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return the time from onset to answer, in milliseconds; one frame if there was none."""
        return float(payload["rt_ms"] if payload["rt_ms"] is not None else FRAME_MS)

    def _by_button(self, params: Mapping[str, Any]) -> bool:
        return params["respond_with"] == "both" and self.uses_buttons

    def _reaction_ms(self, levels: Mapping[str, str], item: str) -> float:
        log_ms = BASE + self.speed + ITEM_EFFECT * spread(f"time {item}") + simulated_slowing(levels)
        time = math.exp(log_ms + self.rng.gauss(0, NOISE))
        # Occasional lapses of attention and slips of the finger.
        if self.rng.random() < LAPSE:
            time = self.rng.choice((self.rng.uniform(60, 180), 4 * time))
        return round(time, 3)

    def _place(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> int | None:
        """Return the place of the answer; None where nothing is pressed."""
        names = [answer["name"] for answer in params["answers"]]
        places: list[int | None] = list(range(len(names)))
        if params.get("withheld"):
            names, places = [*names, WITHHELD], [*places, None]
        right = params.get("right_answer")
        logit = ACCURACY + self.care + ITEM_ACCURACY * spread(f"accuracy {item}") + simulated_log_odds(levels)
        is_right = self.rng.random() < 1 / (1 + math.exp(-logit))
        guess = self.rng.randrange(len(names))
        if right is None:
            # Without correct answers, the first answer is given as often as a correct one would be.
            right = params.get("first_answer", names[0])
        at = names.index(right)
        return places[at if is_right else (at + 1 + guess % (len(names) - 1)) % len(names)]

    def _displays(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return displays of whole frames at 60 Hz; occasionally one lasts a frame too long."""
        onset = 1_000.0
        displays = []
        for planned in params["displays"]:
            late = int(self.rng.random() < LATE_DISPLAY)
            offset = onset + (max(1, round(planned["ms"] / FRAME_MS)) + late) * FRAME_MS
            displays.append(
                {
                    "intended_ms": planned["ms"],
                    "onset_ms": round(onset, 3),
                    "offset_ms": round(offset, 3),
                    "shown_ms": round(onset + 8, 3),
                    "gone_ms": round(offset + 8, 3),
                    "measured_ms": round(offset - onset, 3),
                    "dropped_frames": late,
                    "late_frames": 0,
                    "frame_interval_ms": round(FRAME_MS, 3),
                    "doubtful": False,
                    "flagged": bool(late),
                }
            )
            if any(kind in planned for kind in PLAYED):
                displays[-1]["played_ms"] = round(onset + 20, 3)
            onset = offset
        return displays
