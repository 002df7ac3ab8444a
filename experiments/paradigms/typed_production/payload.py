"""Validate the payload of a typed production trial: answers and typing times by field, refused attempts."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from experiments.paradigms.pieces.media import MediaPayload
from experiments.paradigms.pieces.payloads import DurationField, TextField, TruthField
from experiments.paradigms.pieces.typed_text import RefusedAttempts, TypedTimes
from experiments.paradigms.typed_production.lengths import FAULTS, MAX_CHARACTERS, TOO_SHORT, length_fault


class TypedField(TypedTimes):
    """One field: the answer as it was typed, blanks around it included."""

    typed = TextField(max_length=MAX_CHARACTERS, allow_blank=True)


class Produced(RefusedAttempts, MediaPayload):
    """The answers of one trial, in the order of its fields.

    `typing_ms` runs from the first change in any field to the last one. Where the time ran out an answer is what there
    was, however short.
    """

    responses = serializers.ListField(child=TypedField())
    typing_ms = DurationField()
    timed_out = TruthField()

    def validate_responses(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        expected = self.params["fields"]
        if len(answers) != expected:
            raise serializers.ValidationError(f"There are {len(answers)} answers; the trial has {expected} fields.")
        return answers

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["timed_out"]:
            if self.params["time_limit_ms"] is None:
                raise serializers.ValidationError({"timed_out": "This trial has no time limit."})
            return attrs
        faults = [
            f"Field {number}: {FAULTS[fault]}"
            for number, answer in enumerate(attrs["responses"], start=1)
            if (fault := self._fault(answer["typed"]))
        ]
        if faults:
            raise serializers.ValidationError({"responses": faults})
        return attrs

    def _fault(self, typed: str) -> str:
        """Return the fault of an answer. Older browsers count some clusters as several: no fault of theirs."""
        fault = length_fault(typed, self.params)
        is_long_enough = (
            self.params["length_unit"] == "characters" and len(typed.strip()) >= self.params["minimum_length"]
        )
        return "" if fault == TOO_SHORT and is_long_enough else fault
