"""Describe the settings of a paradigm as JSON Schema, made from the form that checks them.

The form is the one declaration of a setting: its label, help, initial value and limits appear on the page, in study
files and here. Rules that join several settings (two keys that must differ) are the form's alone.
"""

from __future__ import annotations

from typing import Any, cast

from django import forms

from experiments.paradigms.base import Paradigm


def settings_schema(paradigm: Paradigm) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the table `[settings]` of a study of this paradigm.

    >>> from experiments.paradigms import paradigm_named
    >>> schema = settings_schema(paradigm_named("maze"))
    >>> schema["properties"]["error_delay_ms"]["maximum"], schema["properties"]["after_error"]["enum"]
    (10000, ['end', 'redo'])
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Settings of {paradigm.label}",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: of_field(field) for name, field in paradigm.settings_form.base_fields.items()},
    }


def of_field(field: forms.Field) -> dict[str, Any]:
    """Return the schema of one setting; a kind of field of its own, such as rating questions, takes any value here."""
    described = {
        "title": str(field.label or ""),
        "description": str(field.help_text or ""),
        "default": field.initial() if callable(field.initial) else field.initial,
    }
    return {name: value for name, value in described.items() if value not in ("", None)} | _limits(field)


def _limits(field: forms.Field) -> dict[str, Any]:
    match field:
        case forms.BooleanField():
            return {"type": "boolean"}
        case forms.ChoiceField():
            return {"enum": [value for value, _label in cast("list[tuple[str, Any]]", field.choices)]}
        case forms.FloatField() | forms.DecimalField() | forms.IntegerField():
            kind = "integer" if type(field) is forms.IntegerField else "number"
            bounds = {"minimum": field.min_value, "maximum": field.max_value}
            return {"type": kind, **{name: bound for name, bound in bounds.items() if bound is not None}}
        case forms.CharField():
            lengths = {"minLength": 1 if field.required else field.min_length, "maxLength": field.max_length}
            return {"type": "string", **{name: length for name, length in lengths.items() if length is not None}}
    return {}
