"""Settings of a sentence recall study: display, distractors, recall box."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

WHOLE, WORD_BY_WORD = "whole", "word-by-word"


class RecallSettings(forms.Form):
    """Settings of a sentence recall study."""

    folded = (
        (_("Times of the display"), ("minimum_display_ms", "maximum_display_ms", "fixation_ms", "blank_ms")),
        (
            _("Kinds of problems"),
            ("arithmetic_order", "carry_only", "non_negative", "feedback_in_practice", "accuracy_threshold"),
        ),
        (_("Further settings"), ("time_limit_ms", "keystroke_log", "full_screen")),
    )

    presentation = forms.ChoiceField(
        label=_("Presentation"),
        choices=[(WHOLE, _("The whole sentence at once")), (WORD_BY_WORD, _("One word after the other"))],
        initial=WHOLE,
        help_text=_("Word by word, each word replaces the one before it at the same place."),
    )
    ms_per_word = forms.IntegerField(
        label=_("Milliseconds per word"),
        initial=500,
        min_value=50,
        max_value=5_000,
        help_text=_(
            "A whole sentence stays for its number of words times this; word by word, each word stays so long."
        ),
    )
    minimum_display_ms = forms.IntegerField(
        label=_("Shortest display in milliseconds"),
        initial=0,
        min_value=0,
        max_value=60_000,
        help_text=_("Whole sentences only: short ones stay at least so long. 0 means no limit."),
    )
    maximum_display_ms = forms.IntegerField(
        label=_("Longest display in milliseconds"),
        initial=0,
        min_value=0,
        max_value=120_000,
        help_text=_("Whole sentences only: long ones stay no longer than this. 0 means no limit."),
    )
    fixation_ms = forms.IntegerField(
        label=_("Fixation cross in milliseconds"),
        initial=500,
        min_value=0,
        max_value=10_000,
        help_text=_("Shown before the sentence, where it is about to appear. 0 means no cross."),
    )
    blank_ms = forms.IntegerField(
        label=_("Blank in milliseconds"),
        initial=500,
        min_value=0,
        max_value=10_000,
        help_text=_("Empty screen after the sentence. 0 means none."),
    )
    arithmetic_problems = forms.IntegerField(
        label=_("Arithmetic problems"),
        initial=2,
        min_value=0,
        max_value=10,
        help_text=_(
            "Between sentence and recall, with numbers from 10 to 99, half of them additions and half subtractions. "
            "Without them people recall from the sound of the sentence. 0 means none."
        ),
    )
    arithmetic_order = forms.ChoiceField(
        label=_("Order of the problems"),
        choices=[
            ("random", _("Random")),
            ("addition-first", _("In turn, addition first")),
            ("subtraction-first", _("In turn, subtraction first")),
        ],
        initial="random",
        help_text=_("The numbers are drawn anew for every trial from the seed of the session."),
    )
    carry_only = forms.BooleanField(
        label=_("Only problems that carry or borrow"),
        required=False,
        initial=False,
        help_text=_("Such as 27 + 45 or 71 − 18: harder than 23 + 45 or 78 − 11."),
    )
    non_negative = forms.BooleanField(
        label=_("No negative results"),
        required=False,
        initial=True,
        help_text=_("The first number of a subtraction is never the smaller one."),
    )
    time_limit_ms = forms.IntegerField(
        label=_("Time limit of a problem in milliseconds"),
        initial=0,
        min_value=0,
        max_value=120_000,
        help_text=_("When it is over the next problem comes, and the answer counts as missing. 0 means no limit."),
    )
    feedback_in_practice = forms.BooleanField(
        label=_("Feedback in practice"),
        required=False,
        initial=True,
        help_text=_("Practice says after each problem whether the answer was right. Afterwards there is no feedback."),
    )
    accuracy_threshold = forms.IntegerField(
        label=_("Flag sessions with fewer right answers than … per cent"),
        initial=70,
        min_value=0,
        max_value=100,
        help_text=_(
            "Who does not do the arithmetic can rehearse the sentence. Such sessions are pointed out under Watch and "
            "excluded by nobody but you. Practice does not count. 0 flags nobody."
        ),
    )
    keystroke_log = forms.BooleanField(
        label=_("Keystroke log"),
        required=False,
        initial=False,
        help_text=_("Every change of the recall with its time, in events.csv. Say so in the consent text."),
    )
    full_screen = forms.BooleanField(
        label=_("Full screen required"),
        required=False,
        initial=False,
        help_text=_("The page asks for full screen, and asks again where somebody leaves it. Exits are counted."),
    )
    break_every = forms.IntegerField(
        label=_("Break after every … sentences"),
        initial=13,
        min_value=0,
        max_value=1_000,
        help_text=_("0 means no breaks. There is none after the last sentence."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        shortest, longest = cleaned.get("minimum_display_ms"), cleaned.get("maximum_display_ms")
        if shortest and longest and shortest > longest:
            self.add_error("maximum_display_ms", _("The longest display is shorter than the shortest."))
        return cleaned
