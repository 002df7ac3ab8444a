"""Group settings into sections: common ones open, rarely changed ones folded under a summary.

A form lists rarely changed fields in `folded`: groups of a label and field names. A group is open if a field has an
error or differs from its default, so that nothing relevant is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Fold:
    """Settings that are seldom changed, under their name and what they are."""

    label: Any
    fields: list[forms.BoundField]

    @property
    def is_open(self) -> bool:
        """Whether something in it is to be corrected or differs from the default."""
        return any(field.errors or _differs(field) for field in self.fields)

    @property
    def says(self) -> str:
        """What is set, in one line."""
        return " · ".join(f"{field.label}: {_in_words(field)}" for field in self.fields)


@dataclass(frozen=True)
class Section:
    """Settings under one heading."""

    label: Any
    fields: list[forms.BoundField]
    folds: list[Fold]


def section(label: Any, form: forms.Form, names: Sequence[str]) -> Section:
    """Return the fields with these names, those apart that the form folds."""
    folds = [
        Fold(title, [form[name] for name in group if name in names]) for title, group in getattr(form, "folded", ())
    ]
    folded = {field.name for fold in folds for field in fold.fields}
    shown = [form[name] for name in names if name in form.fields and name not in folded]
    return Section(label, shown, [fold for fold in folds if fold.fields])


def _differs(field: forms.BoundField) -> bool:
    return field.field.has_changed(field.field.initial, field.value())


def _in_words(field: forms.BoundField) -> str:
    value = field.value()
    if isinstance(field.field, forms.BooleanField):
        return _("yes") if value and value != "False" else _("no")
    if isinstance(field.field, forms.ChoiceField):
        choices: Any = field.field.choices
        return str(next((words for known, words in choices if str(known) == str(value)), value))
    shown = field.field.prepare_value(value)
    return _("none") if shown in (None, "", []) else str(shown)
