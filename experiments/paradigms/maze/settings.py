"""Settings of a Maze study: keys, handling of errors, kind of distractors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.comprehension import comprehension_threshold_field
from experiments.paradigms.pieces.fields import (
    break_every_field,
    milliseconds,
    optional_text,
    percentage,
    switch,
)

END, REDO = "end", "redo"
# The distractor of the first word: nothing has been read yet that it could contradict.
DISTRACTOR_KINDS = ("A", "G", "L", "other")


class KeyField(forms.CharField):
    """One letter or digit, in lower case: a key that types the same on every keyboard that has it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=1, **options)

    def clean(self, value: Any) -> str:
        key = str(super().clean(value)).casefold()
        if len(key) != 1 or not key.isalnum():
            raise forms.ValidationError(_("Name one letter or digit."))
        return key


class MazeSettings(forms.Form):
    """Settings of a Maze study."""

    folded = (
        (_("Wait and words after a wrong choice"), ("error_delay_ms", "error_message")),
        (_("Keys and buttons"), ("left_key", "right_key", "buttons")),
        (_("Further settings"), ("accuracy_threshold", "comprehension_threshold")),
    )

    after_error = forms.ChoiceField(
        label=_("After a wrong choice"),
        choices=[
            (END, _("the sentence ends")),
            (REDO, _("the same pair is chosen from again until the choice is right")),
        ],
        initial=END,
        help_text=_("Where it is redone, the times of the first choice and of the right one are both kept."),
    )
    error_delay_ms = milliseconds(
        _("Pause after a wrong choice in milliseconds"),
        1_000,
        _("So long no choice counts. 0 for no pause."),
        high=10_000,
    )
    error_message = optional_text(
        _("Message after a wrong choice"), "", _("Empty for the sentence of the study's language."), longest=200
    )
    left_key = KeyField(label=_("Key of the left word"), initial="e", help_text=_("One letter or digit."))
    right_key = KeyField(label=_("Key of the right word"), initial="i", help_text=_("One letter or digit."))
    buttons = switch(
        _("Words can be touched or clicked"),
        True,
        _(
            "Then the study also runs on telephones. Without this a real keyboard is asked for, and devices without "
            "one are turned away."
        ),
    )
    distractor_kind = forms.ChoiceField(
        label=_("Distractors"),
        choices=[
            ("A", _("A: improbable words that a program found")),
            ("G", _("G: words that make the sentence ungrammatical")),
            ("L", _("L: nonwords")),
            ("other", _("of another kind")),
        ],
        initial="A",
        help_text=_("A label: it is written into the data and changes nothing else."),
    )
    accuracy_threshold = percentage(
        _("Flag sessions with fewer than … % right choices"),
        0,
        _("First choices count. 0 flags nobody. Flagged sessions are never excluded by this."),
    )
    comprehension_threshold = comprehension_threshold_field()
    break_every = break_every_field(
        _("Break after every … texts"), 24, _("0 means no breaks. There is none after the last text.")
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        left, right = cleaned.get("left_key"), cleaned.get("right_key")
        if left and left == right:
            self.add_error("right_key", _("Left and right need two keys."))
        return cleaned
