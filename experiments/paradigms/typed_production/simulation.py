"""Simulate participants of typed production with known effects.

If a row of the materials has a cell in the column `simulated`, such as `butter=0.6|jam=0.3`, everybody gives these
answers with these probabilities, otherwise one of RARE. Without such a cell, the probability of the target is

    logistic(TARGET + target effect(condition) + ITEM_EFFECT · spread(item) + knowledge)

and other answers are drawn from RARE; `knowledge` belongs to the participant. The logarithm of the latency of the first
key is

    BASE + latency effect(condition) + ITEM_SLOWING · spread(item) + slowness + noise

The effects of a condition follow from the names of its levels alone (`simulated_target_effect`,
`simulated_latency_effect`), so analyses of simulated answers can be compared with the truth. One answer in ten begins
with a capital, one in ten ends with a blank; folding removes these differences.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.paradigms.pieces.media import simulated_media
from experiments.paradigms.pieces.named_effects import level_effect, spread
from experiments.paradigms.pieces.simulated import SimulatedParticipant
from experiments.paradigms.pieces.typed_text import simulated_attempts
from experiments.paradigms.typed_production.answers import BETWEEN_ACCEPTED, BETWEEN_FIELDS, targets_in
from experiments.paradigms.typed_production.lengths import length_fault
from experiments.sentences import Sentence

# In logits.
TARGET = 0.3
TARGET_EFFECT = 0.8
ITEM_EFFECT = 0.6
KNOWLEDGE = 0.4
# In natural logarithms of milliseconds.
BASE = 7.2
LATENCY_EFFECT = 0.15
ITEM_SLOWING = 0.1
SLOWNESS = 0.2
NOISE = 0.3

NOTHING = 0.01
RARE = ("thing", "place", "time", "water", "house", "hand", "paper", "light")


def simulated_target_effect(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log odds of the target: up to TARGET_EFFECT for each level.

    >>> simulated_target_effect({})
    0.0
    """
    return level_effect(levels, size=TARGET_EFFECT, what="target ")


def simulated_latency_effect(levels: Mapping[str, str]) -> float:
    """Return the effect of a condition on the log latency of the first key: up to LATENCY_EFFECT for each level."""
    return level_effect(levels, size=LATENCY_EFFECT, what="latency ")


def shares_in(cell: Any, *, fields: int) -> list[dict[str, float]]:
    """Return the probabilities of answers for each field; an empty mapping for a field without any.

    Raises ValueError if a share is not a probability, or the shares of a field add up to more than 1.

    >>> shares_in("butter=0.6|jam=0.3", fields=1)
    [{'butter': 0.6, 'jam': 0.3}]
    """
    parts = str(cell or "").split(BETWEEN_FIELDS) if fields > 1 else [str(cell or "")]
    found = []
    for part in parts[:fields]:
        shares: dict[str, float] = {}
        for entry in part.split(BETWEEN_ACCEPTED):
            if not entry.strip():
                continue
            answer, _mark, share = entry.rpartition("=")
            try:
                shares[answer.strip()] = float(share)
            except ValueError:
                raise _no_share(entry) from None
            if not answer.strip() or not 0 <= shares[answer.strip()] <= 1:
                raise _no_share(entry)
        if sum(shares.values()) > 1 + 1e-9:
            raise ValueError(Sentence("The probabilities of '{answers}' add up to more than 1.", answers=part.strip()))
        found.append(shares)
    return found + [{} for _ in range(fields - len(found))]


def _no_share(entry: str) -> ValueError:
    return ValueError(
        Sentence("'{entry}' is not an answer with its probability, such as butter=0.6.", entry=entry.strip())
    )


class ProducingParticipant(SimulatedParticipant):
    """A participant with individual vocabulary, pace and typing speed."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.knowledge = rng.gauss(0, KNOWLEDGE)
        self.slowness = rng.gauss(0, SLOWNESS)
        self.key_ms = rng.lognormvariate(5.2, 0.25)
        self.limit: float | None = None

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        self.limit = params["time_limit_ms"]
        fields = params["fields"]
        shares = shares_in(params.get("simulated"), fields=fields)
        targets = targets_in(params.get("target"), fields=fields)
        log_ms = BASE + simulated_latency_effect(levels) + ITEM_SLOWING * spread(f"item {item}") + self.slowness
        begins = math.exp(log_ms + self.rng.gauss(0, NOISE))
        answers: list[dict[str, Any]] = []
        timed_out = False
        for known, accepted in zip(shares, targets, strict=True):
            typed = fitted(self._answer(known, accepted, levels=levels, item=item), params)
            takes = len(typed) * self.key_ms * self.rng.lognormvariate(0, 0.15)
            if self.limit is not None and begins + takes > self.limit:
                timed_out = True
                kept = int(len(typed) * max(0.0, self.limit - begins) / takes) if takes else 0
                typed, takes = typed[:kept], max(0.0, self.limit - begins) if kept else 0.0
            answers.append(
                {
                    "typed": typed,
                    "first_key_ms": round(begins, 1) if typed else None,
                    "typing_ms": round(takes, 1),
                    "edits": sum(self.rng.random() < 0.04 for _ in typed),
                }
            )
            begins += takes + self.rng.lognormvariate(6.0, 0.3)
        typed_at = [answer["first_key_ms"] for answer in answers if answer["first_key_ms"] is not None]
        ends = [answer["first_key_ms"] + answer["typing_ms"] for answer in answers if answer["typed"]]
        return {
            "responses": answers,
            "typing_ms": round(max(ends) - min(typed_at), 1) if ends else 0.0,
            "timed_out": timed_out,
            **simulated_attempts(self.rng),
            **simulated_media(params, self.rng),
        }

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        """Return the time from the onset to the submission: thinking, typing, reading it over."""
        if payload["timed_out"] and self.limit is not None:
            return float(self.limit)
        begun = [answer["first_key_ms"] for answer in payload["responses"] if answer["first_key_ms"] is not None]
        thinking = min(begun, default=self.rng.lognormvariate(8.5, 0.3))
        return float(round(thinking + payload["typing_ms"] + self.rng.lognormvariate(6.0, 0.4), 1))

    def _answer(
        self, known: Mapping[str, float], accepted: Sequence[str], *, levels: Mapping[str, str], item: str
    ) -> str:
        if known:
            drawn = self.rng.random()
            for answer, share in known.items():
                drawn -= share
                if drawn < 0:
                    return self._as_typed(answer)
            return self._as_typed(self.rng.choice([word for word in RARE if word not in known]))
        if self.rng.random() < NOTHING:
            return ""
        logit = TARGET + simulated_target_effect(levels) + ITEM_EFFECT * spread(f"item {item}") + self.knowledge
        if accepted and self.rng.random() < 1 / (1 + math.exp(-logit)):
            return self._as_typed(self.rng.choice(accepted))
        return self._as_typed(self.rng.choice([word for word in RARE if word not in accepted]))

    def _as_typed(self, answer: str) -> str:
        written = answer[:1].upper() + answer[1:] if self.rng.random() < 0.1 else answer
        return f"{written} " if self.rng.random() < 0.1 else written


def fitted(typed: str, limits: Mapping[str, Any]) -> str:
    """Adapt an answer to the limits of the trial, changing as little as possible.

    >>> limits = {"one_word": False, "length_unit": "words", "minimum_length": 3, "maximum_length": 0,
    ...           "may_be_empty": True}
    >>> fitted("the sea", limits)
    'the sea and'
    """
    least, most = int(limits["minimum_length"]), int(limits["maximum_length"])
    match length_fault(typed, limits):
        case "several-words":
            return fitted(typed.split()[0], limits)
        case "empty":
            return fitted(RARE[0], limits)
        case "too-short" if limits["length_unit"] == "words":
            words = typed.split()
            return " ".join([*words, *["and"] * (least - len(words))])
        case "too-short":
            return typed.strip().ljust(least, "n")
        case "too-long" if limits["length_unit"] == "words":
            return " ".join(typed.split()[:most])
        case "too-long":
            return typed.strip()[:most].strip()
    return typed
