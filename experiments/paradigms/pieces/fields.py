"""Form fields for settings of paradigms, each with label, default and help text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django import forms

if TYPE_CHECKING:
    from experiments.sentences import Words

LONGEST_MS = 60_000

# Returns what is read instead of a text in another language; the first value is the rest of its key.
InWords = Callable[[str, str], str]


class SaidField(forms.CharField):
    """A text that participants read as it is, so that studies in several languages translate it.

    Every field of settings whose value holds texts of participants has `in_words`, which says them otherwise and leaves
    alone what is stored with answers.
    """

    def in_words(self, value: str, say: InWords) -> str:
        """Return the text as `say` says it."""
        return say("", value)


def switch(label: Words, initial: bool, help_text: Words) -> forms.BooleanField:
    """Return a checkbox field."""
    return forms.BooleanField(label=label, required=False, initial=initial, help_text=help_text)


def optional_text(label: Words, initial: str, help_text: Words, *, longest: int) -> forms.CharField:
    """Return a field for a text of up to `longest` characters, which may be empty."""
    return forms.CharField(label=label, required=False, initial=initial, max_length=longest, help_text=help_text)


def said_text(label: Words, initial: str, help_text: Words, *, longest: int) -> SaidField:
    """Return a field for a text that participants read, of up to `longest` characters, which may be empty."""
    return SaidField(label=label, required=False, initial=initial, max_length=longest, help_text=help_text)


def whole_number(label: Words, initial: int, help_text: Words, *, low: int = 0, high: int) -> forms.IntegerField:
    """Return a field for a whole number from `low` to `high`."""
    return forms.IntegerField(label=label, initial=initial, min_value=low, max_value=high, help_text=help_text)


def milliseconds(
    label: Words, initial: int, help_text: Words, *, low: int = 0, high: int = LONGEST_MS
) -> forms.IntegerField:
    """Return a field for a number of milliseconds."""
    return whole_number(label, initial, help_text, low=low, high=high)


def percentage(label: Words, initial: int, help_text: Words) -> forms.IntegerField:
    """Return a field for a whole number from 0 to 100."""
    return whole_number(label, initial, help_text, high=100)


def break_every_field(label: Words, initial: int, help_text: Words) -> forms.IntegerField:
    """Return the field for the number of trials between two breaks: `break_every`, where 0 means none."""
    return whole_number(label, initial, help_text, high=1_000)
