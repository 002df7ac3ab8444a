"""Strict serializer fields for payloads: nothing is converted, trimmed or dropped.

The received JSON is stored as it is, so a text that looks like a number must not pass as one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class ExactPayload(serializers.Serializer[Any]):
    """A serializer that refuses unknown keys. `context["params"]` holds the parameters of the trial."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(str(key) for key in data if key not in self.fields)
            if unknown:
                raise serializers.ValidationError({key: ["This trial has no such field."] for key in unknown})
        return super().to_internal_value(data)

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters with which the trial was shown."""
        params: Mapping[str, Any] = self.context["params"]
        return params


class NumberField(serializers.FloatField):
    """A finite JSON number; neither a text nor true or false."""

    default_error_messages = {"invalid": "A number is required.", "infinite": "The number must be finite."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, (int, float)):
            self.fail("invalid")
        try:
            number = float(data)
        except OverflowError:
            self.fail("infinite")
        if not math.isfinite(number):
            self.fail("infinite")
        return number


class DurationField(NumberField):
    """A duration in milliseconds, 0 or more."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, **options)


class CountField(serializers.IntegerField):
    """A whole JSON number, 0 or more."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=100_000, **options)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class TextField(serializers.CharField):
    """A JSON text, kept with its spaces. NUL characters and lone surrogates are refused: no database holds them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class TruthField(serializers.BooleanField):
    """JSON true or false, and nothing else that is truthy or falsy."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data
