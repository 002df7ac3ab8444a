"""Pictures and sounds in trials: columns, settings, parameters, payload fields, measures and checks.

A paradigm with media contains

    media_columns = MEDIA_COLUMNS                                       # in its class
    measures_of_media = {"video": VIDEO_MEASURES}
    sound, sound_check = sound_field(), sound_check_field()             # in its settings form
    headphones_check = headphones_check_field()
    responses = {PLUGIN: …, **SHARED_RESPONSES, **SOUND_RESPONSES}      # its payload inherits MediaPayload
    {"text": …, **media_params(stimulus, settings)}                    # the parameters of a trial
    {…, **measured_media(params, payload)}                  # in `measure`; `media_measures` in `measures_of`
    {…, **simulated_media(params, rng)}                                 # the answer of a virtual participant

and puts `sound_check_trials(settings, rng)` before its trials. Every `SimulatedParticipant` answers the plugins in
`SOUND_RESPONSES`. The browser side is `frontend/src/page/media.ts`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from experiments.paradigms.base import Measure, MediaKind, ShownStimulus, StimulusColumn, TrialPlan, alt_column
from experiments.paradigms.pieces.fields import switch
from experiments.paradigms.pieces.headphones import (
    HEADPHONES_CHECK,
    HEADPHONES_MEASURES,
    HeadphonesAnswers,
    headphones_trial,
    measured_headphones,
    simulated_headphones,
)
from experiments.paradigms.pieces.headphones import (
    headphones_check_field as headphones_check_field,
)
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, NumberField, TruthField
from experiments.sentences import Sentence

MEDIA_COLUMNS: Mapping[str, MediaKind] = {"image": "image", "audio": "audio", "video": "video"}
DELAY = "audio_delay_ms"
MOST_DELAY_MS = 10_000
DELAY_COLUMN = StimulusColumn(
    DELAY,
    "Milliseconds from the onset of the picture, video or text to the onset of its sound (SOA). Empty means 0.",
    may_be_factor=True,
)
SOUND_CHECK = "sound-check"
NO_SOUND = "none"
REPLAY = "replay"
# Number of tones in each round of a check; a wrong answer leads to the next round.
_ROUNDS = 3
_TONES = (2, 3, 4, 5)

SOUND_MEASURES = (
    Measure(
        "audio_onset_ms",
        "number",
        "From the onset of the trial to that of its sound at the output of the computer; below 0 where a busy computer "
        "showed the trial after it began to sound; empty where none was played.",
        "ms",
    ),
    Measure("audio_latency_ms", "number", "What the browser says its sound takes from program to output.", "ms"),
    Measure("plays", "integer", "How often the sound was played.", "times"),
)
VIDEO_MEASURES = (
    Measure(
        "video_onset_ms",
        "number",
        "From the onset of the trial to the first frame of its video on the screen; empty where none was shown.",
        "ms",
    ),
    Measure("video_dropped_frames", "integer", "Frames of the video that the browser left out.", "frames"),
    Measure("video_ended", "boolean", "True where the video was over before the answer."),
)
CHECK_MEASURES = (
    Measure("sound_check_passed", "boolean", "Sound check only: whether the tones were counted rightly in the end."),
    Measure("sound_check_tries", "integer", "Sound check only: how many answers were given.", "answers"),
)


def sound_field() -> forms.ChoiceField:
    """Return the settings field for how often a sound may be played."""
    return forms.ChoiceField(
        label=_("Sounds"),
        choices=[
            (NO_SOUND, _("the study has none")),
            ("once", _("are played once, with the text or picture")),
            (REPLAY, _("can be played again as often as people want")),
        ],
        initial=NO_SOUND,
        required=False,
        help_text=_("The sounds of the column “audio” of the materials. The data say how often each was played."),
    )


def sound_check_field() -> forms.BooleanField:
    """Return the settings field that switches the sound check on."""
    return switch(
        _("Sound check"),
        True,
        _("Before the first trial, participants count a few tones. Only in studies with sounds."),
    )


def media_params(stimulus: ShownStimulus, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a trial that shows the pictures and plays the sounds of a stimulus.

    One for each column that names a file: `{"image": {kind, url, width, height, alt}, "audio": {kind, url, duration_ms,
    replay}}`; nothing for a stimulus without files, and no sounds if the settings switch them off. The browser preloads
    everything in a trial's parameters that has a `kind` and a `url`, at any depth.
    """
    params: dict[str, Any] = {}
    for column, facts in stimulus.media.items():
        if facts["kind"] == "image":
            params[column] = {**facts, "alt": str(stimulus.extra.get(alt_column(column), ""))}
        elif facts["kind"] == "video":
            params[column] = {**facts, "muted": not (facts.get("has_sound") and has_sound(settings))}
        elif has_sound(settings):
            cells = {**stimulus.levels, **stimulus.extra}
            params[column] = {**facts, "replay": settings["sound"] == REPLAY, **delay_of(cells)}
    return params


def delay_of(cells: Mapping[str, Any]) -> dict[str, int]:
    """Return the delay of a sound as a parameter of the browser; nothing without one.

    >>> delay_of({"audio_delay_ms": "150"}), delay_of({"audio_delay_ms": "0"})
    ({'delay_ms': 150}, {})
    """
    cell = str(cells.get(DELAY) or "").strip()
    ms = int(cell) if cell.isascii() and cell.isdigit() and len(cell) <= 5 else 0
    return {"delay_ms": ms} if 0 < ms <= MOST_DELAY_MS else {}


def delay_faults(extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (column, sentence) if the delay of a row is no number of milliseconds, or has no sound.

    >>> [column for column, _sentence in delay_faults({"audio_delay_ms": "soon", "audio": "dog.wav"})]
    ['audio_delay_ms']
    """
    cell = str(extra.get(DELAY) or "").strip()
    if not cell:
        return []
    if cell != "0" and not delay_of(extra):
        message = Sentence(
            "'{cell}' is not a whole number of milliseconds up to {most}. If the sound comes first, use it as a prime.",
            cell=cell,
            most=MOST_DELAY_MS,
        )
        return [(DELAY, message)]
    return [] if extra.get("audio") else [(DELAY, Sentence("This row has no sound to delay."))]


def has_sound(settings: Mapping[str, Any]) -> bool:
    """Return whether a study with these settings plays sounds."""
    return bool(settings.get("sound")) and settings["sound"] != NO_SOUND


class MediaPayload(ExactPayload):
    """Payload fields of a trial with a sound or a video; missing or null if it has none."""

    audio_onset_ms = NumberField(allow_null=True, required=False)
    audio_latency_ms = DurationField(allow_null=True, required=False)
    plays = CountField(required=False)
    video_onset_ms = NumberField(allow_null=True, required=False)
    video_dropped_frames = CountField(allow_null=True, required=False)
    video_ended = TruthField(required=False)

    def to_internal_value(self, data: Any) -> Any:
        for kind, what, names in (
            ("audio", "sound", ("audio_onset_ms", "audio_latency_ms", "plays")),
            ("video", "video", ("video_onset_ms", "video_dropped_frames", "video_ended")),
        ):
            said = [name for name in names if name in data] if isinstance(data, Mapping) else []
            if said and kind not in self.params:
                raise serializers.ValidationError({name: [f"This trial has no {what}."] for name in said})
        return super().to_internal_value(data)


class SoundCheckAnswers(ExactPayload):
    """How many tones somebody heard in each round, until one was right or the rounds were over."""

    heard = serializers.ListField(child=CountField(), min_length=1, max_length=_ROUNDS)
    plays = CountField()
    passed = TruthField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        tones = list(self.params["tones"])
        heard = attrs["heard"]
        right = [number == tones[place] for place, number in enumerate(heard)]
        if any(right[:-1]) or attrs["passed"] != right[-1]:
            raise serializers.ValidationError({"passed": "The check ends with the first right answer."})
        if not right[-1] and len(heard) < len(tones):
            raise serializers.ValidationError({"heard": "The check goes on after a wrong answer."})
        return attrs


SOUND_RESPONSES: Mapping[str, type[serializers.Serializer[Any]]] = {
    SOUND_CHECK: SoundCheckAnswers,
    HEADPHONES_CHECK: HeadphonesAnswers,
}


def sound_check_trials(settings: Mapping[str, Any], rng: random.Random) -> list[TrialPlan]:
    """Return the trials of the sound check and the headphone check that the settings ask for."""
    if not has_sound(settings):
        return []
    trials = []
    if settings.get("sound_check"):
        trials.append(TrialPlan("training", SOUND_CHECK, {"tones": rng.sample(_TONES, _ROUNDS)}))
    if settings.get("headphones_check"):
        trials.append(headphones_trial(rng))
    return trials


def media_measures(settings: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Return the measures of sounds in a study with these settings; none if it has no sounds."""
    return (*SOUND_MEASURES, *check_measures(settings)) if has_sound(settings) else ()


def check_measures(settings: Mapping[str, Any]) -> tuple[Measure, ...]:
    """Return the measures of the checks that a study with these settings has before its sounds."""
    if not has_sound(settings):
        return ()
    heard = CHECK_MEASURES if settings.get("sound_check") else ()
    return (*heard, *(HEADPHONES_MEASURES if settings.get("headphones_check") else ()))


def measured_media(params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures that `media_measures` declares for one answer; none for a trial without sound.

    >>> measured_media({"tones": [3, 2, 4]}, {"heard": [4, 2], "plays": 2, "passed": True})
    {'sound_check_passed': True, 'sound_check_tries': 2}
    """
    if "rounds" in params:
        return measured_headphones(params, payload)
    if "tones" in params:
        return {"sound_check_passed": payload["passed"], "sound_check_tries": len(payload["heard"])}
    measures: dict[str, Any] = {}
    if "audio" in params:
        measures["audio_onset_ms"] = payload.get("audio_onset_ms")
        measures["audio_latency_ms"] = payload.get("audio_latency_ms")
        measures["plays"] = payload.get("plays", 0)
    if "video" in params:
        measures |= {measure.name: payload.get(measure.name) for measure in VIDEO_MEASURES}
    return measures


def simulated_media(params: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the simulated payload fields for sound and video of a trial; empty without one."""
    video: dict[str, Any] = {}
    if "video" in params:
        onset = round(20 + rng.expovariate(1 / 8), 1)
        video = {"video_onset_ms": onset, "video_dropped_frames": 0, "video_ended": rng.random() < 0.8}
    if "audio" not in params:
        return video
    again = rng.random() < 0.2 if params["audio"].get("replay") else False
    delay = params["audio"].get("delay_ms", 0)
    return {
        **video,
        "audio_onset_ms": round(delay + 40 + rng.expovariate(1 / 8), 1),
        "audio_latency_ms": 20.0,
        "plays": 1 + int(again),
    }


def simulated_sound_check(params: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a simulated answer to the sound check: one in ten miscounts once."""
    if "rounds" in params:
        return simulated_headphones(params, rng)
    tones = list(params["tones"])
    heard = [tones[0]] if rng.random() < 0.9 else [tones[0] + 1, tones[1]]
    return {"heard": heard, "plays": len(heard), "passed": True}


def simulated_sound_check_ms(payload: Mapping[str, Any], rng: random.Random) -> float:
    """Return the simulated response time of such an answer, in milliseconds."""
    rounds = len(payload["heard"]) if "heard" in payload else sum(map(len, payload["chosen"]))
    return round(rounds * rng.lognormvariate(8.5, 0.3), 1)
