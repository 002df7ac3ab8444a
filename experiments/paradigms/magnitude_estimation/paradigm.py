"""Magnitude estimation of acceptability: participants give every sentence a number relative to a reference, the
modulus.

Source: Siddharthan & Katsos (2012), section 3.1, after Bard, Robertson & Sorace (1996).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from experiments.design.mixed_formulas import mixed_formula
from experiments.formats.numbers import MAX_CHARACTERS, NotANumber, number_from
from experiments.paradigms.base import (
    Measure,
    Paradigm,
    ShownStimulus,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
    shown_kind,
)
from experiments.paradigms.magnitude_estimation.simulation import MagnitudeParticipant
from experiments.paradigms.pieces import line_length
from experiments.paradigms.pieces.fields import SaidField, break_every_field, switch, whole_number
from experiments.paradigms.pieces.media import (
    DELAY_COLUMN,
    MEDIA_COLUMNS,
    SOUND_RESPONSES,
    VIDEO_MEASURES,
    MediaPayload,
    delay_faults,
    headphones_check_field,
    measured_media,
    media_measures,
    media_params,
    sound_check_field,
    sound_check_trials,
    sound_field,
)
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, NumberField, TextField
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.pieces.typed_text import COPY_MEASURE
from experiments.paradigms.suggested import companions
from experiments.sentences import Sentence

PLUGIN = "magnitude-estimation"


class MagnitudeSettings(forms.Form):
    """Settings of a magnitude estimation study."""

    folded = (
        (_("Pictures and sounds"), ("modulus_image", "sound", "sound_check", "headphones_check")),
        (_("Further settings"), ("allow_zero", "refuse_copying", "line_length_trials")),
    )

    modulus_text = SaidField(
        label=_("Modulus sentence"),
        widget=forms.Textarea(attrs={"rows": 2}),
        required=False,
        max_length=2_000,
        help_text=_(
            "The reference sentence. Every participant first gives it a number; then it stays on the screen with "
            "that number. A sentence of medium acceptability leaves room above and below."
        ),
    )
    # The form takes a draft without it; the study does not open without it.
    modulus_text.needed_to_open = True  # type: ignore[attr-defined]
    allow_zero = switch(
        _("Zero is allowed"),
        False,
        _("0 as the lowest judgement. Zero has no logarithm, so log analyses leave such trials out."),
    )
    refuse_copying = switch(
        _("Prevent copying of sentences"),
        False,
        _("People cannot select, copy or drag sentences. Attempts are counted."),
    )
    line_length_training = switch(
        _("Training with lines"),
        True,
        _("Participants first estimate the lengths of lines. This teaches ratios and shows who can judge them."),
    )
    line_length_trials = whole_number(
        _("Number of lines"),
        6,
        _("At least 3; with fewer, the slope of the training cannot be estimated."),
        low=3,
        high=20,
    )
    break_every = break_every_field(
        _("Break after every … judgements"), 36, _("0 means no breaks. There is none after the last judgement.")
    )
    question = SaidField(
        label=_("Question"),
        required=False,
        max_length=300,
        help_text=_(
            "The question below every item, if it is not about acceptability. Example: How regular is this "
            "shape, compared with the reference?"
        ),
    )
    modulus_image = forms.CharField(
        label=_("Modulus picture"),
        required=False,
        max_length=100,
        help_text=_(
            "The name of its file, if people judge pictures. The sentence may then be empty or say what the "
            "picture shows."
        ),
    )
    sound = sound_field()
    sound_check = sound_check_field()
    headphones_check = headphones_check_field()


class Judgement(MediaPayload):
    """One number for one sentence, picture or sound."""

    typed = TextField(max_length=100)
    number = NumberField()
    modulus_number = NumberField(allow_null=True)
    first_key_ms = DurationField(allow_null=True)
    edits = CountField()
    refused = serializers.ListField(child=TextField(max_length=200, allow_blank=True), max_length=1_000)
    # Where copying is refused.
    copy_attempts = CountField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        check_typed_number(attrs, allow_zero=bool(self.params["allow_zero"]) and self.params["kind"] != "modulus")
        modulus = attrs["modulus_number"]
        if self.params["kind"] == "modulus":
            if modulus is not None:
                raise serializers.ValidationError({"modulus_number": "The modulus itself has no modulus number."})
        elif modulus is None or modulus <= 0:
            raise serializers.ValidationError({"modulus_number": "The number given to the modulus is missing."})
        return attrs


class LineEstimate(ExactPayload):
    """One number for one line."""

    typed = TextField(max_length=100)
    number = NumberField()
    first_key_ms = DurationField(allow_null=True)
    edits = CountField()
    refused = serializers.ListField(child=TextField(max_length=200, allow_blank=True), max_length=1_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        check_typed_number(attrs, allow_zero=False)
        return attrs


def check_typed_number(attrs: Mapping[str, Any], *, allow_zero: bool) -> None:
    """Check that `number` is the value of `typed` by the rules shared with the browser.

    Raises serializers.ValidationError for the field that is wrong.
    """
    try:
        meant = number_from(attrs["typed"], allow_zero=allow_zero)
    except NotANumber as refusal:
        raise serializers.ValidationError({"typed": f"Not an acceptable number: {refusal.reason}."}) from refusal
    if meant != attrs["number"]:
        raise serializers.ValidationError({"number": f"The text means {meant!r}, not {attrs['number']!r}."})


class MagnitudeEstimation(Paradigm):
    """Numbers relative to a modulus; see the module."""

    slug = "magnitude-estimation"
    label = "Magnitude estimation of acceptability"
    summary = (
        "Participants give a reference sentence any number. They then give every other sentence a number "
        "relative to it: twice the number if it is twice as acceptable."
    )
    settings_form = MagnitudeSettings
    stimulus_columns = (DELAY_COLUMN,)
    has_looks = True
    media_columns = MEDIA_COLUMNS
    measures_of_media = {"video": VIDEO_MEASURES}
    media_settings = {"modulus_image": "image"}
    responses = {PLUGIN: Judgement, line_length.PLUGIN: LineEstimate, **SHARED_RESPONSES, **SOUND_RESPONSES}
    seconds_per_trial = 9.0
    measures = (
        Measure("rating", "number", "The number given: to a sentence, to the modulus, or to a line of the training."),
        Measure(
            "typed",
            "text",
            f"The text as it was typed, up to {MAX_CHARACTERS} characters and spaces around it.",
            has_own_words=True,
        ),
        Measure("modulus", "number", "The number that this participant gave to the modulus sentence."),
        Measure(
            "first_key_ms",
            "number",
            "Onset of the stimulus to the first key pressed; 0 for a key before the recorded onset.",
            "ms",
        ),
        Measure("edits", "integer", "Changes that took away or replaced something that had been typed.", "changes"),
        Measure("refused_attempts", "integer", "How often Enter was pressed on a text that was refused.", "attempts"),
        Measure("line_ratio", "number", "Training only: length of the line divided by that of the reference line."),
        BREAK_MEASURE,
    )

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        ask = ("alone", "sounds") if "sounds" in shown else ("alone",)
        return TaskSentences(shown_kind(shown, "pictures", "sounds"), ("numbers",), ask)

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return delay_faults(extra)

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        copying = (COPY_MEASURE,) if settings.get("refuse_copying") else ()
        return (*self.measures, *copying, *media_measures(settings))

    def judgements_of(self, settings: Mapping[str, Any]) -> Mapping[str, bool]:
        return {"rating": True}

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        trials = sound_check_trials(settings, rng)
        if settings["line_length_training"]:
            trials += line_length.training(settings["line_length_trials"], rng=rng)
        trials.append(self._modulus(settings))
        picture = self._modulus_picture(settings)
        alike = {**_further_params(settings), **({"modulus_image": picture} if picture else {})}
        for stimulus, place in zip(shown, places_of(shown), strict=True):
            trials.append(self._judgement(stimulus, settings, place, alike))
            trials += place.break_after(settings["break_every"])
        return trials

    def _modulus(self, settings: Mapping[str, Any]) -> TrialPlan:
        # All ratings are ratios to the modulus, so the modulus itself can never be zero.
        text = settings["modulus_text"]
        params = {"kind": "modulus", "text": text, "modulus_text": text, "allow_zero": False, "index": 1, "total": 1}
        picture = self._modulus_picture(settings)
        further = {**({"image": picture} if picture else {}), **_further_params(settings)}
        return TrialPlan("modulus", PLUGIN, {**params, **further})

    def _modulus_picture(self, settings: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the picture of the modulus as the browser needs it; the modulus sentence is its alternative text."""
        facts = settings.get("media", {}).get("modulus_image")
        return None if facts is None else {**facts, "alt": settings["modulus_text"]}

    def _judgement(
        self, stimulus: ShownStimulus, settings: Mapping[str, Any], place: Place, alike: Mapping[str, Any]
    ) -> TrialPlan:
        """Return the trial of a stimulus; `alike` are the parameters that all judgements share."""
        params = {
            "kind": place.kind,
            "text": stimulus.text,
            "modulus_text": settings["modulus_text"],
            "allow_zero": settings["allow_zero"],
            **place.progress,
            **media_params(stimulus, settings),
            **alike,
        }
        return TrialPlan(place.phase, PLUGIN, params, stimulus.stimulus_id)

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "typed" not in payload:
            return {**measured_break(payload), **measured_media(params, payload)}
        measures = {
            "rating": payload["number"],
            "typed": payload["typed"],
            "first_key_ms": payload["first_key_ms"],
            "edits": payload["edits"],
            "refused_attempts": len(payload["refused"]),
        }
        if "reference" in params:
            return {**measures, "line_ratio": params["length"] / params["reference"]}
        copying = {"copy_attempts": payload["copy_attempts"]} if "copy_attempts" in payload else {}
        return {**measures, "modulus": payload["modulus_number"], **copying, **measured_media(params, payload)}

    def carried(self, answered: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
        """Return `{"modulus_number": …}` once the modulus has been judged, else an empty dictionary."""
        for plugin, payload in reversed(answered):
            if plugin == PLUGIN:
                own = payload["modulus_number"]
                return {"modulus_number": payload["number"] if own is None else own}
        return {}

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        lines = [
            (params["length"] / params["reference"], payload["number"])
            for plugin, params, payload in answered
            if plugin == line_length.PLUGIN
        ]
        ratings = [payload["number"] for _params, payload in main_trials(answered, PLUGIN)]
        return {
            **line_length.fit(lines),
            "distinct_ratings": len(set(ratings)),
            "modal_share": max(map(ratings.count, set(ratings))) / len(ratings) if ratings else None,
            "zero_ratings": ratings.count(0),
            "refused_attempts_total": sum(len(p["refused"]) for plugin, _p, p in answered if plugin == PLUGIN),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                "line_slope", "number", "Line training: slope of log estimate on log length. 1 is a true ratio scale."
            ),
            Measure("line_correlation", "number", "Line training: Pearson correlation of log estimate and log length."),
            Measure(
                "distinct_ratings", "integer", "How many different numbers the participant gave to targets and fillers."
            ),
            Measure("modal_share", "number", "Share of targets and fillers that got the most frequent number.", ""),
            Measure("zero_ratings", "integer", "How many targets and fillers got 0.", "trials"),
            Measure(
                "refused_attempts_total", "integer", "How many typed texts the page refused in the session.", "attempts"
            ),
        )

    def opening_faults(self, settings: Mapping[str, Any]) -> list[str]:
        if not str(settings.get("modulus_text", "")).strip() and not settings.get("modulus_image"):
            return [
                Sentence(
                    "The modulus sentence is empty. Write the reference sentence into the settings of the paradigm."
                )
            ]
        return []

    def suggested_analyses(self, factors: Sequence[str]) -> list[SuggestedAnalysis]:
        """Return, where there are factors, a mixed model of log ratings; normalisation; F1, F2, minF′, comparisons and
        n-best.

        The measures `rating_z` and `rating_log` are the ratings normalised within each participant.
        """
        normalised = SuggestedAnalysis("normalise", "z-scores within each participant", {"dv": "rating", "how": "z"})
        if not factors:
            return [normalised]
        best = {"dv": "rating_z", "condition": ",".join(factors)}
        return [
            SuggestedAnalysis("lmm", "Mixed model of log ratings", {"formula": mixed_formula("rating_log", factors)}),
            normalised,
            SuggestedAnalysis("n-best", "Best formulations of each item", best),
            *companions("rating_z", factors, title="z-scores"),
        ]

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return MagnitudeParticipant(rng, settings)


def _further_params(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what all sentences share in some studies: a question of the study's own, and that copying is refused."""
    question = {"question": settings["question"]} if settings.get("question") else {}
    return {**question, "refuse_copying": True} if settings.get("refuse_copying") else question
