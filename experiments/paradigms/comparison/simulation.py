"""Simulate participants of comparisons: conditions have known worths, from which people and items deviate. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.paradigms.comparison.payload import BESIDE, BEST, BETWEEN, WORST
from experiments.paradigms.pieces.named_effects import spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant

# On the log scale: a difference of 1 means odds of 2.7 to 1.
CONDITION_EFFECT = 1.5
PERSON_SD = 0.4
ITEM_SD = 0.3
FIRST_PLACE = 0.2
NO_DIFFERENCE = 0.5
# Fillers are meant to be easy: the text in the column `text` is better by this much.
FILLER_EFFECT = 3.0


class Comparer(SimulatedParticipant):
    """A participant with individual worths around the common ones, a bias towards the first place, and a pace."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.pace_ms = rng.lognormvariate(8.4, 0.3)
        self.own: dict[str, float] = {}

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        worths = [FIRST_PLACE if place == 0 else 0.0 for place in range(len(params["options"]))]
        for place, condition in enumerate(params["conditions"]):
            if condition not in self.own:
                self.own[condition] = self.rng.gauss(0, PERSON_SD)
            worths[place] += simulated_worth(condition) + self.own[condition] + item_worth(condition, item)
        if not params["conditions"]:
            worths[params["own_place"]] += FILLER_EFFECT
        time = self.pace_ms * len(worths) / 2 * self.rng.lognormvariate(0, 0.4)
        return {
            "ranks": self.ranks(worths, params["task"], no_difference=params["no_difference"]),
            "answer_ms": round(time, 1),
            "changes": int(self.rng.random() < 0.08),
            "layout": BESIDE,
            **self.heard(params["options"]),
        }

    def heard(self, options: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return how often each sound was played: one in five twice, if allowed; nothing without sounds."""
        sounds = [option.get("audio") for option in options]
        if not any(sounds):
            return {}
        return {"plays": [(1 + (sound["replay"] and self.rng.random() < 0.2)) if sound else 0 for sound in sounds]}

    def ranks(self, worths: Sequence[float], task: str, *, no_difference: bool) -> list[int]:
        """Draw ranks: Davidson's model for pairs, Plackett–Luce for rankings; for best–worst the best, then the worst
        of the rest.
        """
        places = list(range(len(worths)))
        if task == "pair":
            better, worse = (math.exp(worth) for worth in worths)
            equal = NO_DIFFERENCE * math.sqrt(better * worse) if no_difference else 0.0
            drawn = self.rng.choices(("first", "second", "tie"), weights=(better, worse, equal))[0]
            return {"first": [1, 2], "second": [2, 1], "tie": [1, 1]}[drawn]
        if task == "best-worst":
            ranks = [BETWEEN] * len(worths)
            best = self.one_of(places, worths)
            ranks[best] = BEST
            places.remove(best)
            ranks[self.one_of(places, [-worth for worth in worths])] = WORST
            return ranks
        ranks = [0] * len(worths)
        for rank in range(1, len(worths) + 1):
            chosen = self.one_of(places, worths)
            ranks[chosen] = rank
            places.remove(chosen)
        return ranks

    def one_of(self, places: Sequence[int], worths: Sequence[float]) -> int:
        """Draw one of these places, with odds by their worths."""
        return self.rng.choices(places, weights=[math.exp(worths[place]) for place in places])[0]

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        return round(float(payload["answer_ms"]) + self.rng.lognormvariate(6.0, 0.4), 1)


def simulated_worth(condition: str) -> float:
    """Return the worth of a condition for an average person and item, on the log scale; computed from its name."""
    return CONDITION_EFFECT * spread(f"worth of {condition}")


def item_worth(condition: str, item: str) -> float:
    """Return the deviation of a condition's worth on one item: uniform, with standard deviation ITEM_SD."""
    return ITEM_SD * math.sqrt(3) * spread(f"worth of {condition} on {item}")
