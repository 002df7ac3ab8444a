"""The JSON Schema of a paradigm's settings says what its form says: same limits, same words, same verdict on values."""

from __future__ import annotations

from typing import Any, cast

import jsonschema_rs
import pytest
from django import forms

from experiments.paradigms import BUILT_IN
from experiments.paradigms.settings_schema import settings_schema

FIELDS = [
    pytest.param(paradigm, name, id=f"{paradigm.slug}-{name}")
    for paradigm in BUILT_IN
    for name in paradigm.settings_form.base_fields
]


def candidates(field: Any) -> list[Any]:
    """Return values at and beyond every limit of a field, as a study file would give them."""
    if isinstance(field, forms.BooleanField):
        return [True, False]
    if isinstance(field, forms.ChoiceField):
        return [*(value for value, _label in cast("list[tuple[str, Any]]", field.choices)), "no such choice"]
    if isinstance(field, forms.IntegerField):
        low, high = cast("int", field.min_value or 0), cast("int", field.max_value or 10**6)
        return [low - 1, low, (low + high) // 2, high, high + 1]
    if isinstance(field, forms.CharField) and type(field) is forms.CharField:
        longest = field.max_length or 100
        return ["", "a", "a" * longest, "a" * (longest + 1)]
    return []


def is_taken(field: forms.Field, value: Any) -> bool:
    try:
        field.clean(value)
    except forms.ValidationError:
        return False
    return True


@pytest.mark.parametrize(("paradigm", "name"), FIELDS)
def test_form_and_schema_take_and_refuse_the_same_values(paradigm: Any, name: str) -> None:
    field = paradigm.settings_form.base_fields[name]
    schema = settings_schema(paradigm)
    validator = jsonschema_rs.validator_for(schema)
    for value in candidates(field):
        unlimited = isinstance(field, forms.CharField) and field.max_length is None
        if not unlimited:
            assert validator.is_valid({name: value}) == is_taken(field, value), value
    assert schema["properties"][name].get("title", "") == str(field.label or "")


@pytest.mark.parametrize("paradigm", BUILT_IN, ids=lambda paradigm: paradigm.slug)
def test_a_setting_that_does_not_exist_is_refused(paradigm: Any) -> None:
    validator = jsonschema_rs.validator_for(settings_schema(paradigm))
    assert validator.is_valid({})
    assert not validator.is_valid({"no_such_setting": 1})
