"""Settings of a timed choice: answers, target, preceding displays, feedback, pace."""

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
)
from experiments.paradigms.timed_choice.answers import FEWEST, WITHHELD, answer_faults, answers_in, too_few
from experiments.paradigms.timed_choice.planned import WORD_BY_WORD

FIXED, COUNTERBALANCED = "fixed", "counterbalanced"
KEYS, BUTTONS, BOTH = "keys", "buttons", "both"
ONSET, END = "onset", "end"
DEFAULT_ANSWERS = "no | f\nyes | j"
# What participants see in other languages; the data keep the names.
_SEEN_ANSWERS = {
    "ar": ("لا", "نعم"),
    "cs": ("ne", "ano"),
    "de": ("nein", "ja"),
    "el": ("όχι", "ναι"),
    "es": ("no", "sí"),
    "fr": ("non", "oui"),
    "he": ("לא", "כן"),
    "hi": ("नहीं", "हाँ"),
    "hu": ("nem", "igen"),
    "it": ("no", "sì"),
    "ja": ("いいえ", "はい"),
    "ko": ("아니요", "예"),
    "nl": ("nee", "ja"),
    "pl": ("nie", "tak"),
    "pt": ("não", "sim"),
    "ru": ("нет", "да"),
    "sv": ("nej", "ja"),
    "tr": ("hayır", "evet"),
    "zh": ("否", "是"),
}
FIRST_ANSWERS = {language: f"no | f | {no}\nyes | j | {yes}" for language, (no, yes) in _SEEN_ANSWERS.items()}


class ChoiceSettings(forms.Form):
    """Settings of a timed choice. The page *Procedure* folds the groups in `folded`; common settings come first."""

    # Not required: a browser cannot point to an empty required field in a closed fold, and would not submit the form.
    use_required_attribute = False
    folded = (
        (
            _("Masks and prime"),
            ("forward_mask", "forward_mask_ms", "prime", "prime_ms", "backward_mask", "backward_mask_ms"),
        ),
        (_("Feedback and pauses"), ("feedback_in_main", "feedback_ms", "error_pause_ms", "iti_ms", "iti_jitter_ms")),
        (
            _("Further settings"),
            (
                "fixation",
                "target_ms",
                "with_text",
                "prompt",
                "withheld",
                "signal",
                "too_fast_ms",
                "accuracy_threshold",
            ),
        ),
    )

    answers = forms.CharField(
        label=_("Answers"),
        initial=DEFAULT_ANSWERS,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=_(
            "Two to four, one per line, from the left to the right: name | key, or name | key | the word that "
            "participants see. Keys are one character each, or space, left, right, up, down."
        ),
    )
    scored = switch(
        _("Answers are right or wrong"),
        True,
        _("The column 'correct' of the materials then names the right answer of every text."),
    )
    mapping = forms.ChoiceField(
        label=_("Which key means which answer"),
        choices=[
            (COUNTERBALANCED, _("counterbalanced over participants, within every list")),
            (FIXED, _("the same for everybody")),
        ],
        initial=COUNTERBALANCED,
        help_text=_("Counterbalanced, the keys stay where they are and the answers change places."),
    )
    respond_with = forms.ChoiceField(
        label=_("Participants answer with"),
        choices=[
            (BOTH, _("keys, or buttons on the screen")),
            (KEYS, _("keys alone")),
            (BUTTONS, _("buttons on the screen alone")),
        ],
        initial=BOTH,
        help_text=_("With keys alone, a device without a keyboard is turned away before the consent."),
    )
    presentation = forms.ChoiceField(
        label=_("The target is shown"),
        choices=[("whole", _("at once")), (WORD_BY_WORD, _("word by word at one place (RSVP)"))],
        initial="whole",
        help_text=_("A row with a cell in the column 'image' or 'audio' shows that picture or plays that sound."),
    )
    ms_per_word = milliseconds(
        _("Milliseconds per word"), 300, _("Word by word only: how long each word stays."), low=16, high=5_000
    )
    timed_from = forms.ChoiceField(
        label=_("Times are counted from"),
        choices=[(ONSET, _("the onset of the target")), (END, _("the end of the target"))],
        initial=ONSET,
        help_text=_("Reaction time and deadline. From its end, no answer is taken before the target is over."),
    )
    deadline_ms = milliseconds(
        _("Deadline in milliseconds"), 3_000, _("Then the trial ends without an answer. 0 means none.")
    )
    fixation_ms = milliseconds(_("Fixation in milliseconds"), 500, _("Shown first. 0 means none."), high=10_000)
    feedback_in_practice = switch(
        _("Feedback in practice"), True, _("Practice says after each answer whether it was right.")
    )
    break_every = break_every_field(
        _("Break after every … trials"), 40, _("0 means no breaks. There is none after the last trial.")
    )

    forward_mask = optional_text(
        _("Forward mask"),
        "#",
        _("One character is repeated to the length of the text. The column 'forward_mask' goes before this."),
        longest=100,
    )
    forward_mask_ms = milliseconds(_("Forward mask in milliseconds"), 0, _("0 means none."), high=10_000)
    prime = optional_text(
        _("Prime"),
        "",
        _("For rows without a cell in the column 'prime'. Without either, the screen is blank for its time."),
        longest=200,
    )
    prime_ms = milliseconds(
        _("Prime in milliseconds"),
        0,
        _(
            "0 means none. Screens show whole frames: at 60 a second 33 or 50 ms can be shown, 40 cannot. "
            "Trials whose prime was off by a frame are flagged."
        ),
        high=10_000,
    )
    backward_mask = optional_text(
        _("Backward mask"),
        "",
        _("Between prime and target; left empty, the screen is blank. The column 'backward_mask' goes first."),
        longest=100,
    )
    backward_mask_ms = milliseconds(_("Backward mask in milliseconds"), 0, _("0 means none."), high=10_000)

    feedback_in_main = switch(
        _("Feedback in the main trials"),
        False,
        _("After each answer. Without it the browser never learns which answer is right."),
    )
    feedback_ms = milliseconds(_("Feedback in milliseconds"), 700, _("How long it stays."), low=100, high=10_000)
    error_pause_ms = milliseconds(
        _("Pause after errors in milliseconds"),
        0,
        _("After a wrong or missing answer, beside the usual interval. It tells people that they were wrong."),
    )
    iti_ms = milliseconds(_("Interval between trials in milliseconds"), 500, _("Blank, before the fixation."))
    iti_jitter_ms = milliseconds(
        _("Jitter of the interval in milliseconds"),
        0,
        _("Up to so many are added, drawn for every trial from the seed of the session."),
        high=20_000,
    )

    fixation = optional_text(
        _("Fixation"),
        "+",
        _("Left empty, the screen is blank for that time. The column 'fixation' goes first."),
        longest=100,
    )
    target_ms = milliseconds(
        _("Target in milliseconds"), 0, _("How long it stays; 0: until the answer. Not for sounds or word by word.")
    )
    with_text = switch(
        _("Text beside picture or sound"), True, _("Rows with a picture or a sound show their text as well.")
    )
    prompt = optional_text(
        _("After the target"),
        "?",
        _("Shown until the answer where the target has gone: word by word, or after a set time."),
        longest=200,
    )
    withheld = switch(
        _("Not pressing may be right"),
        False,
        _(
            "Go/no-go and catch trials: 'none' in the column 'correct' says that nothing is to be pressed until the "
            "deadline. One answer is then enough."
        ),
    )
    signal = optional_text(
        _("Answer that counts as signal"),
        "",
        _("The name of an answer, such as word; d′ and criterion are then suggested. Empty for none."),
        longest=40,
    )
    too_fast_ms = milliseconds(
        _("Too fast below … milliseconds"),
        200,
        _("Such answers are marked in the data, and stay in them unless the plan leaves them out."),
        high=10_000,
    )
    accuracy_threshold = percentage(
        _("Flag sessions with fewer than … % right answers"),
        0,
        _("0 flags nobody. Flagged sessions are never excluded by this."),
    )

    def clean_answers(self) -> str:
        """Return the answers, one per line. Raises ValidationError with all faults."""
        text = "\n".join(line.strip() for line in str(self.cleaned_data["answers"]).splitlines() if line.strip())
        if faults := answer_faults(text):
            raise forms.ValidationError(faults)
        return text

    def clean(self) -> dict[str, Any]:
        """Validate settings that depend on each other."""
        cleaned = super().clean() or self.cleaned_data
        names = [answer.name for answer in answers_in(cleaned.get("answers", ""))]
        signal = cleaned.get("signal")
        if names and signal and signal not in names:
            self.add_error("signal", _("This is none of the answers; write it as it stands there."))
        if cleaned.get("withheld"):
            if not cleaned.get("deadline_ms"):
                self.add_error(
                    "deadline_ms",
                    _("Where not pressing may be right, a trial ends by its deadline: say how many milliseconds."),
                )
            if WITHHELD in names:
                self.add_error(
                    "answers",
                    _("'none' says that nothing is to be pressed: give the answer of that name another one."),
                )
        elif names and len(names) < FEWEST:
            self.add_error("answers", too_few(len(names)))
        if not cleaned.get("scored"):
            for name in ("feedback_in_main", "error_pause_ms", "withheld", "signal"):
                if cleaned.get(name):
                    self.add_error(name, _("This needs answers that are right or wrong."))
        return cleaned
