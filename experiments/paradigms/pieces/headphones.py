"""Headphone screening: which of three tones is the quietest?

After Woods, Siegel, Traer & McDermott (2017), Headphone screening to facilitate web-based auditory experiments. One
tone is quieter by 6 dB, another has its two channels in antiphase: through loudspeakers these cancel out, so that it
seems the quietest. Five of six answers must be correct. Participants with fewer are asked to put on headphones and try
once more; then the study continues, and the result is recorded. If the browser cannot play sounds, the study continues
without answers. The browser side is `frontend/src/plugins/headphones-check/`, which makes the tones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from experiments.paradigms.base import Measure, TrialPlan
from experiments.paradigms.pieces.fields import switch
from experiments.paradigms.pieces.payloads import CountField, ExactPayload, TruthField

HEADPHONES_CHECK = "headphones-check"
PLAIN, TURNED, QUIET = TONES = ("plain", "turned", "quiet")
ROUNDS = 2
NEEDED = 5

HEADPHONES_MEASURES = (
    Measure(
        "headphones_right",
        "integer",
        "Headphones check only: how many answers of the last round of six named the quietest tone; empty where the "
        "browser played nothing.",
        "answers",
    ),
    Measure(
        "headphones_passed", "boolean", f"Headphones check only: whether {NEEDED} of six answers were right in the end."
    ),
    Measure(
        "headphones_rounds",
        "integer",
        "Headphones check only: how many rounds there were, 1 or 2; 0 where the browser played nothing.",
        "rounds",
    ),
)


def headphones_check_field() -> forms.BooleanField:
    """Return the settings field that switches the headphone check on."""
    return switch(
        _("Headphones check"),
        False,
        _(
            "Before the first trial, participants say six times which of three tones is the quietest. This is "
            "hard without headphones. People who fail are asked to put headphones on and try once more. The "
            "result is stored. Only in studies with sounds."
        ),
    )


def headphones_trial(rng: random.Random) -> TrialPlan:
    """Return the check: every order of the three tones once in each round, so that each place is correct equally
    often.
    """
    orders = [list(order) for order in permutations(TONES)]
    rounds = [rng.sample(orders, len(orders)) for _round in range(ROUNDS)]
    return TrialPlan("training", HEADPHONES_CHECK, {"rounds": rounds, "needed": NEEDED})


class HeadphonesAnswers(ExactPayload):
    """The places, counted from 0, that were chosen as the quietest, round by round; none where nothing was played."""

    chosen = serializers.ListField(child=serializers.ListField(child=CountField(), max_length=100), max_length=ROUNDS)
    unplayed = TruthField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("unplayed", False) == bool(attrs["chosen"]):
            raise serializers.ValidationError({"chosen": "There are answers unless the browser played nothing."})
        return attrs

    def validate_chosen(self, chosen: list[list[int]]) -> list[list[int]]:
        if not chosen:
            return chosen
        rounds = self.params["rounds"]
        for orders, places in zip(rounds, chosen, strict=False):
            if len(places) != len(orders) or any(place >= len(TONES) for place in places):
                raise serializers.ValidationError("A round has an answer for each of its trials: the place of a tone.")
        last = right_answers(rounds[len(chosen) - 1], chosen[-1])
        if len(chosen) < len(rounds) and last < self.params["needed"]:
            raise serializers.ValidationError("The check goes on after too many wrong answers.")
        early = zip(rounds, chosen[:-1], strict=False)
        if any(right_answers(orders, places) >= self.params["needed"] for orders, places in early):
            raise serializers.ValidationError("The check ends with the first round that is passed.")
        return chosen


def right_answers(orders: Sequence[Sequence[str]], places: Sequence[int]) -> int:
    """Return the number of correct answers.

    >>> right_answers([["quiet", "plain", "turned"], ["turned", "plain", "quiet"]], [0, 0])
    1
    """
    return sum(order[place] == QUIET for order, place in zip(orders, places, strict=True))


def measured_headphones(params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of one check.

    >>> measured_headphones({"rounds": [[["quiet", "plain", "turned"]]], "needed": 1}, {"chosen": [[0]]})
    {'headphones_right': 1, 'headphones_passed': True, 'headphones_rounds': 1}
    """
    chosen = payload["chosen"]
    if not chosen:
        return {"headphones_right": None, "headphones_passed": False, "headphones_rounds": 0}
    right = right_answers(params["rounds"][len(chosen) - 1], chosen[-1])
    return {
        "headphones_right": right,
        "headphones_passed": right >= params["needed"],
        "headphones_rounds": len(chosen),
    }


def simulated_headphones(params: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the answers of a simulated participant: one in five listens through loudspeakers and fails."""
    fooled = rng.random() < 0.2
    chosen: list[list[int]] = []
    for orders in params["rounds"]:
        heard = [TURNED if fooled else QUIET for _order in orders]
        chosen.append([order.index(tone) for order, tone in zip(orders, heard, strict=True)])
        if not fooled:
            break
        # Half of them have headphones at hand.
        fooled = rng.random() < 0.5
    return {"chosen": chosen}
