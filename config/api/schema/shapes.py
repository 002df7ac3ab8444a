"""JSON Schema (draft 2020-12) of shapes and their fields."""

from __future__ import annotations

import inspect
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

Schema = dict[str, Any]


class Components:
    """The named shapes of a document, each once."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}

    def ref(self, shape: type[serializers.BaseSerializer[Any]]) -> Schema:
        """Return a reference to a shape, which is described under its name."""
        name = shape.__name__
        if name not in self.schemas:
            self.schemas[name] = {}  # there already where a shape holds itself
            self.schemas[name] = self._object(shape())
        return {"$ref": f"#/components/schemas/{name}"}

    def of_field(self, field: serializers.Field[Any, Any, Any, Any]) -> Schema:
        """Return the schema of a field with its help text and default."""
        found = self._kind(field)
        if field.allow_null:
            found = _or_null(found)
        if field.help_text:
            found = {**found, "description": str(field.help_text)}
        if field.default is not empty and not callable(field.default):
            found = {**found, "default": field.default}
        return found

    def _object(self, shape: serializers.BaseSerializer[Any]) -> Schema:
        fields: dict[str, Any] = dict(getattr(shape, "fields", {}))
        described: Schema = {
            "type": "object",
            "properties": {name: self.of_field(field) for name, field in fields.items()},
            "additionalProperties": False,
        }
        if required := [name for name, field in fields.items() if field.required]:
            described["required"] = required
        if text := inspect.getdoc(type(shape)):
            described["description"] = text
        return described

    def _kind(self, field: Any) -> Schema:
        match field:
            case serializers.ListSerializer():
                return self._list(field, self._kind(field.child))
            case serializers.Serializer():
                return self.ref(type(field))
            case serializers.ListField():
                return self._list(field, self.of_field(field.child))
            case serializers.DictField():
                return {"type": "object", "additionalProperties": self.of_field(field.child)}
            case serializers.JSONField():
                return {}
            case serializers.BooleanField():
                return {"type": "boolean"}
            case serializers.IntegerField():
                return {"type": "integer", **_range(field)}
            case serializers.FloatField():
                return {"type": "number", **_range(field)}
            case serializers.ChoiceField():
                return {"type": "string", "enum": [*field.choices, *([""] if field.allow_blank else [])]}
            case serializers.DateTimeField():
                return {"type": "string", "format": "date-time"}
            case serializers.DateField():
                return {"type": "string", "format": "date"}
            case serializers.CharField():
                least = field.min_length or (0 if field.allow_blank else 1)
                limits = {"minLength": least, "maxLength": field.max_length}
                pattern = getattr(field, "pattern", None)
                return {
                    "type": "string",
                    **{k: v for k, v in limits.items() if v},
                    **({"pattern": pattern} if pattern else {}),
                }
        raise TypeError(f"No schema is known for {type(field).__name__}.")

    def _list(self, field: Any, items: Schema) -> Schema:
        limits = {"minItems": field.min_length, "maxItems": field.max_length}
        return {"type": "array", "items": items, **{name: value for name, value in limits.items() if value}}


def _range(field: Any) -> Schema:
    limits = {"minimum": field.min_value, "maximum": field.max_value}
    return {name: value for name, value in limits.items() if value is not None}


def _or_null(schema: Schema) -> Schema:
    if not schema:
        return schema
    if "enum" in schema:
        return {**schema, "type": ["string", "null"], "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
