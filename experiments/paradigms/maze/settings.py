"""Settings of a Maze study: keys, handling of errors, kind of distractors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.comprehension import (
    comprehension_threshold_field,
    question_choices_field,
    question_keys_field,
    question_order_field,
)
from experiments.paradigms.pieces.fields import (
    break_every_field,
    milliseconds,
    percentage,
    said_text,
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
        (_("Questions about the texts"), ("question_choices", "question_keys", "question_order")),
        (_("Further settings"), ("accuracy_threshold", "comprehension_threshold")),
    )

    after_error = forms.ChoiceField(
        label=_("After a wrong choice"),
        choices=[
            (END, _("the sentence ends")),
            (REDO, _("people choose from the same pair again until they are right")),
        ],
        initial=END,
        help_text=_("If people choose again, the data have the times of the first choice and of the right one."),
    )
    error_delay_ms = milliseconds(
        _("Pause after a wrong choice in milliseconds"),
        1_000,
        _("During this time no choice counts. 0 means no pause."),
        high=10_000,
    )
    error_message = said_text(
        _("Message after a wrong choice"),
        "",
        _("If empty, people read the standard sentence in the study's language."),
        longest=200,
    )
    left_key = KeyField(label=_("Key of the left word"), initial="e", help_text=_("One letter or digit."))
    right_key = KeyField(label=_("Key of the right word"), initial="i", help_text=_("One letter or digit."))
    buttons = switch(
        _("People can touch or click words"),
        True,
        _(
            "The study then also runs on phones. Without this, people need a real keyboard, and devices without "
            "one cannot take part."
        ),
    )
    distractor_kind = forms.ChoiceField(
        label=_("Distractors"),
        choices=[
            ("A", _("A: improbable words, found by a program")),
            ("G", _("G: words that make the sentence ungrammatical")),
            ("L", _("L: nonwords")),
            ("other", _("of another kind")),
        ],
        initial="A",
        help_text=_("Only a label: it is stored with the data and changes nothing else."),
    )
    question_choices = question_choices_field()
    question_keys = question_keys_field(
        _("Letters or digits from the first choice to the last, such as: f j. If empty, the digits from 1 are used.")
    )
    question_order = question_order_field()
    accuracy_threshold = percentage(
        _("Flag sessions with fewer than … % right choices"),
        0,
        _("First choices count. 0 flags nobody. A flag never excludes a session."),
    )
    comprehension_threshold = comprehension_threshold_field()
    break_every = break_every_field(
        _("Break after every … texts"), 24, _("0 means no breaks. There is none after the last text.")
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        left, right = cleaned.get("left_key"), cleaned.get("right_key")
        if left and left == right:
            self.add_error("right_key", _("Choose different keys for left and right."))
        return cleaned
