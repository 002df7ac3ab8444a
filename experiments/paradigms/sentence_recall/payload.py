"""Validate the payload of a sentence recall trial: displays, answers to the problems, recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers

from experiments.paradigms.pieces.displays import Display, in_order, is_off, lasted_ms
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, TextField, TruthField
from experiments.paradigms.pieces.typed_text import RefusedAttempts, TypedTimes
from experiments.paradigms.sentence_recall.arithmetic import answer_from
from experiments.paradigms.sentence_recall.settings import WORD_BY_WORD

MAX_RECALL = 20_000


class WholeNumberField(serializers.IntegerField):
    """A whole JSON number, also a negative one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class ArithmeticAnswer(ExactPayload):
    """The answer to one problem. Whether it is right is found on the server."""

    typed = TextField(max_length=30, allow_blank=True)
    answer = WholeNumberField(allow_null=True)
    ms = DurationField()
    first_key_ms = DurationField(allow_null=True)
    timed_out = TruthField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        answer = attrs["answer"]
        if attrs["timed_out"]:
            if self.params["time_limit_ms"] is None:
                raise serializers.ValidationError({"timed_out": "This trial has no time limit."})
            if answer is not None:
                raise serializers.ValidationError({"answer": "There is no answer where the time ran out."})
        elif answer != answer_from(attrs["typed"]):
            raise serializers.ValidationError({"answer": f"The text means {answer_from(attrs['typed'])}."})
        return attrs


class RecalledSentence(TypedTimes, RefusedAttempts):
    """One trial: the sentence as it was displayed, the problems, the recall."""

    displays = serializers.ListField(child=Display())
    arithmetic = serializers.ListField(child=ArithmeticAnswer())
    recall = TextField(max_length=MAX_RECALL, allow_blank=True)
    full_screen_exits = CountField()

    def validate_displays(self, displays: list[dict[str, Any]]) -> list[dict[str, Any]]:
        in_order(displays, expected=len(intended_displays(self.params)))
        return displays

    def validate_arithmetic(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        expected = len(self.params["problems"])
        if len(answers) != expected:
            raise serializers.ValidationError(f"There are {len(answers)} answers; the trial has {expected} problems.")
        return answers


def intended_displays(params: Mapping[str, Any]) -> list[float]:
    """Return the intended duration of each display of a trial, in milliseconds.

    >>> intended_displays({"presentation": "whole", "display_ms": 4500})
    [4500]
    >>> intended_displays({"presentation": "word-by-word", "segments": ["He", "came."], "ms_per_word": 500})
    [500, 500]
    """
    if params["presentation"] == WORD_BY_WORD:
        return [params["ms_per_word"]] * len(params["segments"])
    return [params["display_ms"]]


def display_measures(params: Mapping[str, Any], displays: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the measures of the displays of one trial, computed from time stamps and parameters."""
    intended = intended_displays(params)
    return {
        "display_intended_ms": sum(intended),
        "display_measured_ms": round(sum(map(lasted_ms, displays)), 3),
        "display_flagged": any(
            is_off(each, intended_ms=wanted) for each, wanted in zip(displays, intended, strict=True)
        ),
        "dropped_frames": sum(each["dropped_frames"] for each in displays),
    }
