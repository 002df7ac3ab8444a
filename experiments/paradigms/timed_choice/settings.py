"""Settings of a timed choice: answers, target, preceding displays, feedback, pace."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.fields import (
    InWords,
    break_every_field,
    milliseconds,
    optional_text,
    percentage,
    said_text,
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


class AnswersField(forms.CharField):
    """The answers of a timed choice, one per line; participants read the word of each."""

    def in_words(self, value: str, say: InWords) -> str:
        """Return the answers with the same names and keys and the words that `say` says."""
        return "\n".join(f"{one.name} | {one.key} | {say(f'.{one.name}', one.label)}" for one in answers_in(value))


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

    answers = AnswersField(
        label=_("Answers"),
        initial=DEFAULT_ANSWERS,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=_(
            "Two to four, one per line, from left to right: name | key, or name | key | the word that "
            "participants see. A key is one character, or space, left, right, up, down."
        ),
    )
    scored = switch(
        _("Answers are right or wrong"),
        True,
        _("The column 'correct' of the materials then names the right answer of every text."),
    )
    mapping = forms.ChoiceField(
        label=_("Mapping of keys to answers"),
        choices=[
            (COUNTERBALANCED, _("counterbalanced over participants, within every list")),
            (FIXED, _("the same for everybody")),
        ],
        initial=COUNTERBALANCED,
        help_text=_("If counterbalanced, the keys stay at their places and the answers swap theirs."),
    )
    respond_with = forms.ChoiceField(
        label=_("Participants answer with"),
        choices=[
            (BOTH, _("keys, or buttons on the screen")),
            (KEYS, _("only keys")),
            (BUTTONS, _("only buttons on the screen")),
        ],
        initial=BOTH,
        help_text=_(
            "With keys only, people without a keyboard cannot take part; the page tells them before the consent."
        ),
    )
    presentation = forms.ChoiceField(
        label=_("The target is shown"),
        choices=[("whole", _("at once")), (WORD_BY_WORD, _("word by word at one place (RSVP)"))],
        initial="whole",
        help_text=_(
            "If a row has a cell in the column 'image' or 'audio', that picture is shown or that sound is played."
        ),
    )
    ms_per_word = milliseconds(
        _("Milliseconds per word"), 300, _("Only for word by word: how long each word stays."), low=16, high=5_000
    )
    timed_from = forms.ChoiceField(
        label=_("Times are counted from"),
        choices=[(ONSET, _("the onset of the target")), (END, _("the end of the target"))],
        initial=ONSET,
        help_text=_(
            "Applies to reaction time and deadline. If you count from the end, answers are accepted only "
            "after the target."
        ),
    )
    deadline_ms = milliseconds(
        _("Deadline in milliseconds"), 3_000, _("Then the trial ends without an answer. 0 means no deadline.")
    )
    fixation_ms = milliseconds(_("Fixation in milliseconds"), 500, _("Shown first. 0 means no fixation."), high=10_000)
    feedback_in_practice = switch(
        _("Feedback in practice"), True, _("In practice, people read after each answer whether it was right.")
    )
    break_every = break_every_field(
        _("Break after every … trials"), 40, _("0 means no breaks. There is none after the last trial.")
    )

    forward_mask = optional_text(
        _("Forward mask"),
        "#",
        _(
            "The platform repeats one character to the length of the text. Cells in the column 'forward_mask' "
            "replace this."
        ),
        longest=100,
    )
    forward_mask_ms = milliseconds(_("Forward mask in milliseconds"), 0, _("0 means none."), high=10_000)
    prime = optional_text(
        _("Prime"),
        "",
        _(
            "For rows without a cell in the column 'prime'. If both are empty, the screen is blank for the time of "
            "the prime."
        ),
        longest=200,
    )
    prime_ms = milliseconds(
        _("Prime in milliseconds"),
        0,
        _(
            "0 means no prime. Screens show whole frames: at 60 frames a second, 33 or 50 ms are possible, 40 ms "
            "are not. Trials with a prime that was off by a frame are flagged."
        ),
        high=10_000,
    )
    backward_mask = optional_text(
        _("Backward mask"),
        "",
        _(
            "Between prime and target. If empty, the screen is blank, and its time is the ISI. Cells in the column "
            "'backward_mask' replace this."
        ),
        longest=100,
    )
    backward_mask_ms = milliseconds(
        _("Backward mask or blank (ISI) in milliseconds"), 0, _("0 means none."), high=10_000
    )

    feedback_in_main = switch(
        _("Feedback in the main trials"),
        False,
        _("After each answer. Without feedback, the browser never learns which answer is right."),
    )
    feedback_ms = milliseconds(_("Feedback in milliseconds"), 700, _("How long it stays."), low=100, high=10_000)
    error_pause_ms = milliseconds(
        _("Pause after errors in milliseconds"),
        0,
        _(
            "After a wrong or missing answer, in addition to the usual interval. The pause tells people that they "
            "were wrong."
        ),
    )
    iti_ms = milliseconds(
        _("Interval between trials (ITI) in milliseconds"), 500, _("Blank screen before the fixation.")
    )
    iti_jitter_ms = milliseconds(
        _("Jitter of the ITI in milliseconds"),
        0,
        _("A random time up to this one is added. It is drawn for every trial from the seed of the session."),
        high=20_000,
    )

    fixation = optional_text(
        _("Fixation"),
        "+",
        _("If empty, the screen is blank for that time. Cells in the column 'fixation' replace this."),
        longest=100,
    )
    target_ms = milliseconds(
        _("Target in milliseconds"),
        0,
        _("How long it stays. 0 means until the answer. Not used for sounds or word by word."),
    )
    with_text = switch(
        _("Text with a picture or sound"), True, _("Rows with a picture or a sound also show their text.")
    )
    prompt = said_text(
        _("After the target"),
        "?",
        _("Shown until the answer when the target has gone: word by word, or after a set time."),
        longest=200,
    )
    withheld = switch(
        _("Not pressing may be the right answer"),
        False,
        _(
            "For go/no-go and catch trials: 'none' in the column 'correct' means that people should press "
            "nothing until the deadline. One answer is then enough."
        ),
    )
    signal = optional_text(
        _("Answer that counts as signal"),
        "",
        _("The name of an answer, such as word. The platform then suggests d′ and criterion. Empty means none."),
        longest=40,
    )
    too_fast_ms = milliseconds(
        _("Too fast below … milliseconds"),
        200,
        _("The data mark such answers. They stay in the analyses unless a planned rule excludes them."),
        high=10_000,
    )
    accuracy_threshold = percentage(
        _("Flag sessions with fewer than … % right answers"),
        0,
        _("0 flags nobody. A flag never excludes a session."),
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
            self.add_error("signal", _("This is not one of the answers. Write it exactly as in the list of answers."))
        if cleaned.get("withheld"):
            if not cleaned.get("deadline_ms"):
                self.add_error(
                    "deadline_ms",
                    _("If not pressing may be right, a trial needs a deadline. Write its milliseconds."),
                )
            if WITHHELD in names:
                self.add_error(
                    "answers",
                    _("'none' means that people should press nothing. Give the answer with that name another name."),
                )
        elif names and len(names) < FEWEST:
            self.add_error("answers", too_few(len(names)))
        if not cleaned.get("scored"):
            for name in ("feedback_in_main", "error_pause_ms", "withheld", "signal"):
                if cleaned.get(name):
                    self.add_error(name, _("This needs answers that are right or wrong."))
        return cleaned
