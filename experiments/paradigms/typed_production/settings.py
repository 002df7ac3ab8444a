"""Settings of a typed production study: task, limits of answers, normalisation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.fields import (
    break_every_field,
    milliseconds,
    percentage,
    said_text,
    switch,
    whole_number,
)
from experiments.paradigms.pieces.media import headphones_check_field, sound_check_field, sound_field
from experiments.paradigms.typed_production.answers import spelling_faults
from experiments.paradigms.typed_production.lengths import MAX_CHARACTERS

COMPLETION, CONTINUATION, ASSOCIATION = "completion", "continuation", "association"
NAMING, TRANSLATION, PARAPHRASE = "naming", "translation", "paraphrase"
MAX_FIELDS = 6


class ProductionSettings(forms.Form):
    """Settings of a typed production study."""

    folded = (
        (_("Length and time"), ("length_unit", "minimum_length", "maximum_length", "may_be_empty", "time_limit_ms")),
        (_("Comparing answers"), ("fold_accents", "fold_punctuation", "spellings")),
        (_("Sounds"), ("sound", "sound_check", "headphones_check")),
        (_("Further settings"), ("keyboard_required", "keystroke_log", "empty_threshold")),
    )

    task = forms.ChoiceField(
        label=_("Task"),
        choices=[
            (COMPLETION, _("Fill the gaps of a text")),
            (CONTINUATION, _("Continue a text")),
            (ASSOCIATION, _("Write what comes to mind after a word")),
            (NAMING, _("Name a picture or a sound")),
            (TRANSLATION, _("Translate a text")),
            (PARAPHRASE, _("Paraphrase a text")),
        ],
        initial=COMPLETION,
        help_text=_(
            "A gap is ___ (at least three underscores) in the text. Write names of pictures into the column "
            "image, names of sounds into audio."
        ),
    )
    prompt = said_text(
        _("What people are asked"),
        "",
        _("Shown above the text in every trial. If empty, a sentence that suits the task is shown."),
        longest=300,
    )
    number_of_fields = whole_number(
        _("Text fields"),
        1,
        _("For texts with gaps, write the largest number of gaps in one text; each gap is a field."),
        low=1,
        high=MAX_FIELDS,
    )
    one_word = switch(_("One word only"), False, _("People cannot submit an answer with a space, and read why."))
    length_unit = forms.ChoiceField(
        label=_("Unit of length"),
        choices=[("characters", _("characters")), ("words", _("words"))],
        initial="characters",
    )
    minimum_length = whole_number(
        _("Shortest answer"), 1, _("People cannot submit shorter answers, and read why."), low=1, high=500
    )
    maximum_length = whole_number(
        _("Longest answer"),
        0,
        _("People cannot submit longer answers, and read why. 0 means only the general limit of 2,000 characters."),
        high=MAX_CHARACTERS,
    )
    may_be_empty = switch(
        _("Allow empty answers"),
        True,
        _("People can submit an empty field at the second try. Without this, they must answer."),
    )
    time_limit_ms = milliseconds(
        _("Time limit in milliseconds"),
        0,
        _("Then the text typed so far is the answer. 0 means no limit."),
        high=600_000,
    )
    fold_accents = switch(
        _("Ignore accents"),
        False,
        _("In response_folded and for targets, café and cafe are one answer. Capitals and spaces are always ignored."),
    )
    fold_punctuation = switch(
        _("Ignore punctuation around an answer"), True, _("“butter.” and “butter” are one answer.")
    )
    spellings = forms.CharField(
        label=_("Spellings"),
        required=False,
        initial="",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("One per line, as typed and as intended: colour = color."),
    )
    coding = switch(
        _("People code the answers"), False, _("Adds the step Code. It starts with a few codes that you can change.")
    )
    keyboard_required = switch(
        _("Require a real keyboard"), False, _("Phones cannot take part. Use it if the time of the first key matters.")
    )
    keystroke_log = switch(
        _("Keystroke log"),
        False,
        _("Stores every change of an answer with its time in events.csv. Say so in the consent."),
    )
    empty_threshold = percentage(
        _("Flag sessions with more than … % empty answers"),
        30,
        _("The page Monitor points such sessions out; only you can exclude them. 100 flags nobody."),
    )
    break_every = break_every_field(
        _("Break after every … texts"), 20, _("0 means no breaks. There is none after the last text.")
    )
    sound = sound_field()
    sound_check = sound_check_field()
    headphones_check = headphones_check_field()

    def clean_spellings(self) -> str:
        text: str = self.cleaned_data["spellings"]
        faults = spelling_faults(text)
        if faults:
            raise forms.ValidationError(faults)
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        shortest, longest = cleaned.get("minimum_length"), cleaned.get("maximum_length")
        if shortest and longest and shortest > longest:
            self.add_error("maximum_length", _("The longest answer is shorter than the shortest."))
        if cleaned.get("one_word") and cleaned.get("length_unit") == "words" and (shortest or 1) > 1:
            self.add_error(
                "minimum_length",
                _("The settings ask for one word only and for more than one word. Choose one of the two."),
            )
        return cleaned
