"""Settings of a sentence recall study: display, distractors, recall box."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.fields import break_every_field, milliseconds, percentage, switch, whole_number

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
        help_text=_("Word by word: each word replaces the previous one at the same place."),
    )
    ms_per_word = milliseconds(
        _("Milliseconds per word"),
        500,
        _(
            "A whole sentence stays for this time multiplied by its number of words. Word by word, each word stays "
            "for this time."
        ),
        low=50,
        high=5_000,
    )
    minimum_display_ms = milliseconds(
        _("Shortest display in milliseconds"),
        0,
        _("Only for whole sentences: short ones stay for at least this time. 0 means no limit."),
        high=60_000,
    )
    maximum_display_ms = milliseconds(
        _("Longest display in milliseconds"),
        0,
        _("Only for whole sentences: long ones stay for at most this time. 0 means no limit."),
        high=120_000,
    )
    fixation_ms = milliseconds(
        _("Fixation cross in milliseconds"),
        500,
        _("Shown before the sentence, at its place. 0 means no cross."),
        high=10_000,
    )
    blank_ms = milliseconds(
        _("Blank in milliseconds"), 500, _("Empty screen after the sentence. 0 means no blank."), high=10_000
    )
    arithmetic_problems = whole_number(
        _("Arithmetic problems"),
        2,
        _(
            "Between sentence and recall. Numbers run from 10 to 99; half of the problems are additions and half "
            "subtractions. Without problems, people recall the sound of the sentence. 0 means no problems."
        ),
        high=10,
    )
    arithmetic_order = forms.ChoiceField(
        label=_("Order of the problems"),
        choices=[
            ("random", _("Random")),
            ("addition-first", _("In turn, addition first")),
            ("subtraction-first", _("In turn, subtraction first")),
        ],
        initial="random",
        help_text=_("For every trial, new numbers are drawn from the seed of the session."),
    )
    carry_only = switch(
        _("Only problems with a carry or a borrow"),
        False,
        _("Such as 27 + 45 or 71 − 18, which are harder than 23 + 45 or 78 − 11."),
    )
    non_negative = switch(
        _("No negative results"), True, _("The first number of a subtraction is never the smaller one.")
    )
    time_limit_ms = milliseconds(
        _("Time limit of a problem in milliseconds"),
        0,
        _("Then the next problem comes, and the answer counts as missing. 0 means no limit."),
        high=120_000,
    )
    feedback_in_practice = switch(
        _("Feedback in practice"),
        True,
        _(
            "In practice, people read after each problem whether they were right. In the main trials there is no "
            "feedback."
        ),
    )
    accuracy_threshold = percentage(
        _("Flag sessions with fewer than … % right answers to problems"),
        70,
        _(
            "People who skip the arithmetic can rehearse the sentence. The page Monitor points such sessions "
            "out; only you can exclude them. Practice does not count. 0 flags nobody."
        ),
    )
    keystroke_log = switch(
        _("Keystroke log"),
        False,
        _("Stores every change of the recall with its time in events.csv. Say so in the consent."),
    )
    full_screen = switch(
        _("Require full screen"),
        False,
        _("The page asks for full screen, and asks again when somebody leaves it. Exits are counted."),
    )
    break_every = break_every_field(
        _("Break after every … sentences"), 13, _("0 means no breaks. There is none after the last sentence.")
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        shortest, longest = cleaned.get("minimum_display_ms"), cleaned.get("maximum_display_ms")
        if shortest and longest and shortest > longest:
            self.add_error("maximum_display_ms", _("The longest display is shorter than the shortest."))
        return cleaned
