"""Settings of a typed production study: task, limits of answers, normalisation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.fields import (
    break_every_field,
    milliseconds,
    optional_text,
    percentage,
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
            (CONTINUATION, _("Write how a text goes on")),
            (ASSOCIATION, _("Say what comes to mind after a word")),
            (NAMING, _("Name a picture or a sound")),
            (TRANSLATION, _("Translate a text")),
            (PARAPHRASE, _("Say a text in other words")),
        ],
        initial=COMPLETION,
        help_text=_(
            "A gap is ___ (three underscores or more) in the text. Pictures stand in the column image, sounds in audio."
        ),
    )
    prompt = optional_text(
        _("What people are asked"),
        "",
        _("Stands above the text in every trial. Left empty, it is a sentence that suits the task."),
        longest=300,
    )
    number_of_fields = whole_number(
        _("Fields to type into"),
        1,
        _("In texts with gaps, the most gaps that a text has: each gap is a field."),
        low=1,
        high=MAX_FIELDS,
    )
    one_word = switch(_("One word only"), False, _("An answer with a blank in it is refused, with the reason."))
    length_unit = forms.ChoiceField(
        label=_("Length is counted in"),
        choices=[("characters", _("characters")), ("words", _("words"))],
        initial="characters",
    )
    minimum_length = whole_number(
        _("Shortest answer"), 1, _("Shorter ones are refused, with the reason."), low=1, high=500
    )
    maximum_length = whole_number(
        _("Longest answer"),
        0,
        _("Longer ones are refused, with the reason. 0 means no limit but that of 2,000 characters."),
        high=MAX_CHARACTERS,
    )
    may_be_empty = switch(
        _("Nothing may be answered"),
        True,
        _("An empty field is taken at the second try. Otherwise people answer before they go on."),
    )
    time_limit_ms = milliseconds(
        _("Time limit in milliseconds"),
        0,
        _("When it is over, what has been typed is the answer. 0 means no limit."),
        high=600_000,
    )
    fold_accents = switch(
        _("Accents do not matter"),
        False,
        _("In response_folded and for targets: café and cafe are one answer. Capitals and blanks never matter."),
    )
    fold_punctuation = switch(
        _("Punctuation around an answer does not matter"), True, _("“butter.” and “butter” are one answer.")
    )
    spellings = forms.CharField(
        label=_("Spellings"),
        required=False,
        initial="",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("One per line, as it is typed and as it is meant: colour = color."),
    )
    coding = switch(
        _("People code the answers"), False, _("Adds the step Code, with codes to begin with that you may change.")
    )
    keyboard_required = switch(
        _("Real keyboard required"), False, _("Telephones are refused. Use it where the time of the first key matters.")
    )
    keystroke_log = switch(
        _("Keystroke log"),
        False,
        _("Every change of an answer with its time, in events.csv. Say so in the consent text."),
    )
    empty_threshold = percentage(
        _("Flag sessions with more empty answers than … per cent"),
        30,
        _("Such sessions are pointed out under Watch and excluded by nobody but you. 100 flags nobody."),
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
            self.add_error("minimum_length", _("One word only, and more than one word: choose one of the two."))
        return cleaned
