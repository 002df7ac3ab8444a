"""Simulate participants of magnitude estimation with known effects.

The logarithm of a simulated rating is

    log(modulus) + compression · (BASE + effect(condition)) + item + noise

`compression` and `noise` belong to the participant, `item` to the item, and `effect(condition)` is the same for
everybody: `simulated_effect` computes it from the names of the levels, so that analyses of simulated data can be
compared with the truth for any materials.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from experiments.formats.numbers import number_from
from experiments.paradigms.pieces.media import simulated_media
from experiments.paradigms.pieces.named_effects import spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant

# Natural logarithms: 0.1 is about ten per cent.
BASE = 0.3
MAIN_EFFECT = 0.45
INTERACTION = 0.30
ITEM_EFFECT = 0.25
NOISE = 0.25


def simulated_effect(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log ratio to the modulus.

    One main effect per factor level, at most MAIN_EFFECT in size, and one interaction per pair of levels of two
    factors, at most INTERACTION in size, each computed from the names.

    >>> simulated_effect({})
    0.0
    >>> simulated_effect({"order": "a"}) == simulated_effect({"order": "a"})
    True
    """
    named = sorted(f"{factor}={level}" for factor, level in levels.items())
    main = sum(MAIN_EFFECT * spread(name) for name in named)
    interaction = sum(INTERACTION * spread(f"{a}:{b}") for a, b in combinations(named, 2))
    return float(main + interaction)


def simulated_item_effect(item: str) -> float:
    """Return the effect of an item on the log ratio: between −ITEM_EFFECT and ITEM_EFFECT, from its code."""
    return ITEM_EFFECT * spread(f"item {item}")


class MagnitudeParticipant(SimulatedParticipant):
    """A participant with a modulus number, a compressed scale, a rounding habit and a pace of its own."""

    def __init__(self, rng: random.Random, settings: Mapping[str, Any]) -> None:
        super().__init__(rng)
        self.allow_zero = bool(settings.get("allow_zero", False))
        self.modulus = rng.choice((1, 5, 10, 10, 20, 50, 100, 100))
        self.compression = rng.lognormvariate(0.0, 0.3)
        self.significant_digits = rng.choice((1, 2, 2, 3))
        self.noise = NOISE * rng.lognormvariate(0.0, 0.25)
        self.line_exponent = rng.gauss(0.95, 0.1)
        self.thinking_ms = rng.lognormvariate(7.9, 0.35)
        self.uses_comma = rng.random() < 0.2
        self.uses_zero = self.allow_zero and rng.random() < 0.3

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        """Return the payload for one trial; `params` holds `modulus_number` once the modulus has been judged."""
        if "reference" in params:
            ratio = params["length"] / params["reference"]
            estimate = params["reference_number"] * ratio**self.line_exponent * self.rng.lognormvariate(0, 0.1)
            return self._typed(estimate)
        if params["kind"] == "modulus":
            return {**self._typed(self.modulus), "modulus_number": None, **_copying(params)}
        modulus = params["modulus_number"]
        log_ratio = (
            self.compression * (BASE + simulated_effect(levels))
            + simulated_item_effect(item)
            + self.rng.gauss(0, self.noise)
        )
        if self.uses_zero and params["allow_zero"] and log_ratio < -1:
            return {
                **self._typed(0.0),
                "modulus_number": modulus,
                **_copying(params),
                **simulated_media(params, self.rng),
            }
        judged = self._typed(modulus * math.exp(log_ratio))
        return {**judged, "modulus_number": modulus, **_copying(params), **simulated_media(params, self.rng)}

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return the time to submission: the first key, then typing."""
        first_key: float = payload["first_key_ms"]
        typing = len(payload["typed"]) * self.rng.lognormvariate(5.2, 0.3)
        return round(first_key + typing + self.rng.lognormvariate(6.0, 0.4), 1)

    def _typed(self, number: float) -> dict[str, Any]:
        text = self._rounded(number)
        if self.uses_comma:
            text = text.replace(".", ",")
        refused = ["-1"] if self.rng.random() < 0.005 else []
        return {
            "typed": text,
            "number": number_from(text, allow_zero=number == 0),
            "first_key_ms": round(self.thinking_ms * self.rng.lognormvariate(0, 0.4), 1),
            "edits": int(self.rng.random() < 0.04) + len(refused),
            "refused": refused,
        }

    def _rounded(self, number: float) -> str:
        """Return the number as this participant would write it: few significant digits, never 0 for a positive one."""
        if number == 0:
            return "0"
        places = self.significant_digits - 1 - math.floor(math.log10(number))
        places = min(places, 4)
        rounded = round(number, places) or 10.0**-places
        return f"{rounded:.{max(places, 0)}f}"


def _copying(params: Mapping[str, Any]) -> dict[str, Any]:
    return {"copy_attempts": 0} if params.get("refuse_copying") else {}
