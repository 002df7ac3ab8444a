"""Sense or nonsense: a text and two buttons."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from rest_framework import serializers

from experiments.paradigms.base import Measure, Paradigm, ShownStimulus, TrialPlan, VirtualParticipant
from experiments.paradigms.pieces.payloads import ExactPayload
from experiments.paradigms.pieces.shared_pages import SHARED_RESPONSES, simulated_answer, simulated_page_ms

PLUGIN = "sample-judgement"
ANSWERS = ("sense", "nonsense")


class Judged(ExactPayload):
    """What the browser sends."""

    judgement = serializers.ChoiceField(choices=ANSWERS)


class SampleJudgement(Paradigm):
    """A text, and two buttons."""

    slug = PLUGIN
    label = "Sense or nonsense"
    summary = "Participants say of every text whether it makes sense."
    settings_form = forms.Form
    responses = {PLUGIN: Judged, **SHARED_RESPONSES}
    browser_modules = {PLUGIN: "judgement.js"}
    measures = (Measure("judgement", "text", "What was said of the text.", values=ANSWERS),)
    seconds_per_trial = 4.0

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        return [
            TrialPlan(
                "practice" if stimulus.is_practice else "main", PLUGIN, {"text": stimulus.text}, stimulus.stimulus_id
            )
            for stimulus in shown
        ]

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        return {"judgement": payload["judgement"]} if "judgement" in payload else {}

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return Judge(rng)


class Judge(VirtualParticipant):
    """Says one or the other at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def respond(
        self,
        plugin: str,
        params: Mapping[str, Any],
        *,
        levels: Mapping[str, str],
        item: str,
        carried: Mapping[str, Any],
    ) -> dict[str, Any]:
        if plugin in SHARED_RESPONSES:
            return simulated_answer(plugin, params, self.rng)
        return {"judgement": self.rng.choice(ANSWERS)}

    def response_ms(self, plugin: str, payload: Mapping[str, Any]) -> float:
        if plugin in SHARED_RESPONSES:
            return simulated_page_ms(plugin, payload, self.rng)
        return round(self.rng.lognormvariate(7.0, 0.3), 1)
