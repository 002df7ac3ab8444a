"""Fields and shapes of bodies: they take JSON of the declared type alone, and refuse what they do not know.

Django REST framework reads "5" as 5 and leaves unknown fields aside; a program that sends either has a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from experiments.formats.faults import did_you_mean


class Text(serializers.CharField):
    """A JSON string."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A JSON number without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    """A JSON number."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Truth(serializers.BooleanField):
    """JSON true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """One of some JSON strings."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class Anything(serializers.JSONField):
    """Any JSON value, checked by the rules of the study."""


class Table(serializers.DictField):
    """A JSON object, checked by the rules of the study."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"child": Anything(allow_null=True), **kwargs})


class Shape(serializers.Serializer[Any]):
    """A JSON object with these fields and no others."""

    def to_internal_value(self, data: Any) -> Any:
        faults: dict[str, Any] = {}
        value: Any = {}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as invalid:
            if not isinstance(data, Mapping):
                raise
            faults = dict(invalid.detail) if isinstance(invalid.detail, dict) else {"": invalid.detail}
        known = [name for name, field in self.fields.items() if not field.read_only]
        for name in data:
            if name not in known:
                faults[name] = [f"There is no such field. {did_you_mean(name, known)}".strip()]
        if faults:
            raise serializers.ValidationError(faults)
        return value


class Asked(Shape):
    """The query of an address: texts, read as what its fields are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if isinstance(given := kwargs.get("data"), Mapping):
            kwargs["data"] = {name: self._read(name, text) for name, text in given.items()}
        super().__init__(*args, **kwargs)

    def _read(self, name: str, text: str) -> Any:
        field = self._declared_fields.get(name)
        if isinstance(field, Whole) and text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal():
            return int(text) if len(text) < 19 else text
        if isinstance(field, Truth):
            return {"true": True, "false": False}.get(text, text)
        return text
