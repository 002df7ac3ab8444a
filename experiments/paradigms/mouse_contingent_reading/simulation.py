"""Simulate readers with known effects.

The logarithm of the first-pass time on an area is

    log(words) + log(pace) + slowing(condition) + item + noise

with pace, noise and probability of regressions drawn for every reader, and the same `slowing` for everybody. `goodness`
shifts the ratings, in standard deviations of one reader's ratings. `reading_effect` has fixed effects for the
conditions gold, lin and sem and for fillers; the effects of any other level are computed from its name.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.paradigms.mouse_contingent_reading.columns import packed
from experiments.paradigms.pieces.named_effects import spread
from experiments.paradigms.pieces.ratings import SimulatedRater
from experiments.paradigms.pieces.simulated import SimulatedParticipant

ITEM_SLOWING = 0.08
ITEM_GOODNESS = 0.25
NOISE = 0.22
LINE_PX = 32
WIDTH_PX = 720


@dataclass(frozen=True)
class ReadingEffect:
    """Effects of a condition on log reading times, on ratings, and on the probability of regressions."""

    slowing: float
    goodness: float
    regressing: float


NAMED = {
    "gold": ReadingEffect(0.0, 0.8, 0.0),
    "lin": ReadingEffect(0.06, 0.0, 0.03),
    "sem": ReadingEffect(0.14, -0.4, 0.08),
}
FILLER = ReadingEffect(0.45, -1.4, 0.15)


def reading_effect(levels: Mapping[str, str]) -> ReadingEffect:
    """Return the effect of a condition: the sum over its levels.

    >>> reading_effect({"version": "sem"}).slowing > reading_effect({"version": "gold"}).slowing
    True
    """
    effects = [NAMED.get(level) or _from_name(f"{factor}={level}") for factor, level in sorted(levels.items())]
    return ReadingEffect(
        sum(effect.slowing for effect in effects),
        sum(effect.goodness for effect in effects),
        sum(effect.regressing for effect in effects),
    )


def _from_name(name: str) -> ReadingEffect:
    size = spread(name)
    return ReadingEffect(0.1 * size, -0.5 * size, 0.03 * max(size, 0.0))


class SimulatedReader(SimulatedParticipant):
    """A reader with an individual pace, probability of regressions, device and use of rating scales."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.rater = SimulatedRater(rng)
        self.pace_ms = rng.lognormvariate(5.65, 0.25)
        self.noise = NOISE * rng.lognormvariate(0, 0.2)
        self.regressing = min(0.5, rng.lognormvariate(-1.6, 0.4))
        self.device = rng.choice(("mouse", "mouse", "touchpad"))
        self.hand = rng.choice(("right",) * 9 + ("left",))

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        """Return the payload for one trial. A target without levels is a filler."""
        is_filler = not levels and params["kind"] == "target"
        effect = FILLER if is_filler else reading_effect(levels)
        visits = self._visits(params["areas"], effect, item)
        finished = round(visits[-1][2] + self.rng.uniform(80, 600), 1)
        goodness = effect.goodness + ITEM_GOODNESS * spread(f"goodness of {item}")
        payload = {
            "visits": visits,
            "finished_ms": finished,
            "layouts": [_layout(params["areas"])],
            "layout_changes": 0,
            "pauses": [],
            "mode": "pointer",
            "pointer_type": "mouse",
            "device": {"device": self.device, "hand": self.hand} if params["ask_device"] else None,
            "copy_attempts": 0,
            "frame_interval_ms": 16.7,
            "ratings": self.rater.answers(params["ratings"], goodness),
            "question": self._answered(params["question"]),
        }
        return packed(payload)

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return when the text was finished."""
        return float(payload["finished_ms"])

    def _visits(self, areas: Sequence[Mapping[str, Any]], effect: ReadingEffect, item: str) -> list[list[Any]]:
        """Return visits from the first area to the last, with regressions and, rarely, a skipped area."""
        slowing = effect.slowing + ITEM_SLOWING * spread(f"time of {item}")
        chance = min(0.9, (self.regressing + effect.regressing) * 3 / max(3, len(areas)))
        visits: list[list[Any]] = []
        clock = self.rng.uniform(150, 900)

        def visit(aoi: int, share: float) -> None:
            nonlocal clock
            words = max(1, areas[aoi - 1]["words"])
            stay = words * self.pace_ms * share * self.rng.lognormvariate(slowing, self.noise)
            enter = round(clock, 1)
            clock = max(enter + 20.0, clock + stay)
            visits.append([aoi, enter, round(clock, 1), "moved"])
            clock += self.rng.uniform(0, 90) if self.rng.random() < 0.3 else 0.0

        for aoi in range(1, len(areas) + 1):
            if aoi > 2 and self.rng.random() < 2 * chance:
                # A regression from the previous area to an earlier one.
                visit(self.rng.randint(1, aoi - 2), self.rng.uniform(0.2, 0.7))
            if len(areas) > 1 and aoi > 1 and self.rng.random() < 0.002:
                continue
            visit(aoi, 1.0)
        if self.rng.random() < chance:
            again = self.rng.randint(1, len(areas))
            if again != visits[-1][0]:
                visit(again, self.rng.uniform(0.2, 0.8))
        return [_at_least(before, now) for before, now in zip([None, *visits], visits, strict=False)]

    def _answered(self, question: Mapping[str, Any] | None) -> dict[str, Any] | None:
        if question is None:
            return None
        # As in the browser, the question comes without its answer, so a simulated reader can only guess.
        choice, rt_ms = self.rng.randrange(len(question["choices"])), round(self.rng.lognormvariate(8.0, 0.4), 1)
        if rt_ms > question.get("deadline_ms", math.inf):
            return {"choice": None, "rt_ms": None}
        return {"choice": choice, "rt_ms": rt_ms}


def _at_least(before: list[Any] | None, now: list[Any]) -> list[Any]:
    """Return a visit that does not begin before the previous one ends, despite rounding."""
    if before is not None and now[1] < before[2]:
        now[1] = before[2]
    return now


def _layout(areas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a layout of one band per area."""
    return {
        "at_ms": 0,
        "viewport": [1280, 800],
        "zoom": 1,
        "dpr": 1,
        "font": "simulated",
        "font_loaded": True,
        "origin": [280, 120],
        "size": [WIDTH_PX, LINE_PX * len(areas)],
        "lines": len(areas),
        "boxes": [[aoi, 0, LINE_PX * (aoi - 1), WIDTH_PX, LINE_PX] for aoi in range(1, len(areas) + 1)],
    }
