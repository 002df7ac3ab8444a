"""Validate the payload of a timed choice trial, and compute its measures and rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.pieces.displays import Display, frames_shown, in_order, is_off, lasted_ms
from experiments.paradigms.pieces.media import MediaPayload, measured_media
from experiments.paradigms.pieces.payloads import CountField, DurationField, NumberField, TruthField
from experiments.paradigms.timed_choice.answers import WITHHELD, side_of
from experiments.paradigms.timed_choice.planned import TARGET
from experiments.sentences import Sentence

PRIME = "prime"
BY = ("key", "button")

DISPLAYS = LongTable(
    "displays",
    Sentence("One row for every display of a trial with a duration, in order: fixation, masks, prime, timed target."),
    (
        Measure("display", "integer", "Place of the display in its trial, counted from 1."),
        Measure("kind", "text", "What it is: fixation, forward_mask, prime, backward_mask or target."),
        Measure("display_text", "text", "The text that was shown; empty where the screen was blank."),
        Measure("planned_ms", "number", "How long it was to be on the screen.", "ms"),
        Measure("shown_ms", "number", "How long it was, as far as the browser knows.", "ms"),
        Measure("frames", "integer", "For how many updates of the screen that was.", "frames"),
        Measure("frame_interval_ms", "number", "Time between two updates of the screen.", "ms"),
        Measure("dropped_frames", "integer", "Updates that the screen skipped meanwhile.", "frames"),
        Measure("display_flagged", "boolean", "True where it was off by more than half an update, or may have been."),
        Measure("display_file", "text", "The name of the file that was shown or played; empty where it was a text."),
        Measure(
            "display_onset_ms", "number", "From the onset of the target to that of the display; below 0 before.", "ms"
        ),
        Measure(
            "played_onset_ms",
            "number",
            "From the onset of the target to that of the display's sound or video; empty where nothing was played.",
            "ms",
        ),
    ),
)


class ChoiceDisplay(Display):
    """A display of a text, picture, sound or video; `played_ms` is when a sound or video began, on the page's clock."""

    played_ms = NumberField(allow_null=True, required=False)


class TimedAnswer(MediaPayload):
    """One trial: its displays, and the answer by its place from the left, counted from 0; null where the time ran out.

    `rt_ms` is counted from the onset of the target or from its end, as the parameters say.
    """

    displays = serializers.ListField(child=ChoiceDisplay(), max_length=1_000)
    answer = CountField(allow_null=True)
    by = serializers.ChoiceField(choices=BY, allow_null=True)
    rt_ms = DurationField(allow_null=True)
    timed_out = TruthField()
    early = CountField()

    def validate_displays(self, displays: list[dict[str, Any]]) -> list[dict[str, Any]]:
        in_order(displays, expected=len(self.params["displays"]))
        return displays

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [name for name in ("answer", "by", "rt_ms") if attrs[name] is not None]
        if attrs["timed_out"]:
            if not self.params["deadline_ms"]:
                raise serializers.ValidationError({"timed_out": "This trial has no deadline."})
            if given:
                raise serializers.ValidationError({given[0]: "There is no answer where the time ran out."})
        elif len(given) < 3:
            raise serializers.ValidationError({"answer": "An answer has a place, a way and a time."})
        elif attrs["answer"] >= len(self.params["answers"]):
            raise serializers.ValidationError({"answer": "There is no such answer."})
        return attrs


def display_rows(params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `DISPLAYS` for one trial.

    >>> params = {"displays": [{"kind": "prime", "text": "table", "ms": 50}]}
    >>> shown = {"shown_ms": 500.0, "gone_ms": 566.7, "doubtful": False, "frame_interval_ms": 16.67}
    >>> shown |= {"dropped_frames": 1}
    >>> row = display_rows(params, {"displays": [shown]})[0]
    >>> row["shown_ms"], row["frames"], row["display_flagged"]
    (66.7, 4, True)
    """
    rows = []
    target = target_onset(params, payload)
    for place, (planned, shown) in enumerate(zip(params["displays"], payload["displays"], strict=True), start=1):
        rows.append(
            {
                "display": place,
                "kind": planned["kind"],
                "display_text": planned["text"],
                "planned_ms": planned["ms"],
                "shown_ms": round(lasted_ms(shown), 3),
                "frames": frames_shown(shown),
                "frame_interval_ms": round(shown["frame_interval_ms"], 3),
                "dropped_frames": shown["dropped_frames"],
                "display_flagged": is_off(shown, intended_ms=planned["ms"]),
                "display_file": planned.get("file", ""),
                "display_onset_ms": None if "shown_ms" not in shown else round(shown["shown_ms"] - target, 3),
                "played_onset_ms": None if shown.get("played_ms") is None else round(shown["played_ms"] - target, 3),
            }
        )
    return rows


def is_withheld(params: Mapping[str, Any]) -> bool:
    """Return whether the right answer of a trial is to press nothing; `params` with its private part."""
    return bool(params.get("withheld")) and params.get("right_answer") == WITHHELD


def target_onset(params: Mapping[str, Any], payload: Mapping[str, Any]) -> float:
    """Return when the screen showed the target, on the page's clock: its first display, or the end of the last one.

    >>> target_onset({"displays": [{"kind": "prime"}]}, {"displays": [{"shown_ms": 500.0, "gone_ms": 550.0}]})
    550.0
    """
    shown = list(zip(params["displays"], payload["displays"], strict=True))
    onset = next((one.get("shown_ms") for planned, one in shown if planned["kind"] == TARGET), None)
    if onset is None:
        onset = shown[-1][1].get("gone_ms", math.nan) if shown else math.nan
    return float(onset)


def _prime_soa(display: Mapping[str, Any], target: float) -> float | None:
    """Return the time from a prime's onset to the target's; None for displays that do not say it."""
    onset = display.get("played_ms")
    onset = display.get("shown_ms") if onset is None else onset
    return None if onset is None or math.isnan(target) else round(target - onset, 3)


def answer_measures(params: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of one trial. `params` includes its private part if known."""
    place, rt = payload["answer"], payload["rt_ms"]
    answers, right = params["answers"], params.get("right_answer")
    choice = None if place is None else answers[place]["name"]
    # Where pressing nothing may be right it is an answer, too.
    answered = WITHHELD if choice is None and params.get("withheld") else choice
    is_timed = rt is not None and rt > 0
    shown = list(zip(params["displays"], payload["displays"], strict=True))
    flagged = [is_off(one, intended_ms=planned["ms"]) for planned, one in shown]
    primes = [place for place, (planned, _) in enumerate(shown) if planned["kind"] == PRIME]
    return {
        "choice": choice,
        "right_answer": right,
        "correct": None if answered is None or right is None else answered == right,
        "timed_out": payload["timed_out"],
        "too_fast": None if rt is None else rt < params.get("too_fast_ms", 0),
        "side": None if place is None else side_of(place, of=len(answers)),
        "answered_by": payload["by"],
        "mapping": params["mapping"],
        "log_rt": math.log(rt) if is_timed else None,
        "inverse_rt": -1000 / rt if is_timed else None,
        "early_presses": payload["early"],
        "prime_ms": round(lasted_ms(shown[primes[0]][1]), 3) if primes else None,
        "prime_flagged": any(flagged[place] for place in primes) if primes else None,
        "displays_flagged": sum(flagged),
        "answer_label": None if place is None else answers[place]["label"],
        "prime_soa_ms": _prime_soa(shown[primes[0]][1], target_onset(params, payload)) if primes else None,
        **measured_media(params, payload),
    }
