"""Settings of mouse-contingent reading, and the measures that depend on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.base import Measure
from experiments.paradigms.pieces.comprehension import (
    QUESTION_MEASURES,
    question_choices_field,
    question_deadline_field,
    question_feedback_field,
    question_feedback_in_main_field,
    question_keys_field,
    question_order_field,
)
from experiments.paradigms.pieces.fields import break_every_field, percentage, switch, whole_number
from experiments.paradigms.pieces.rating_questions import FLUENCY_AND_CLARITY
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE

MOST_AREAS_IN_COLUMNS = 12
# Measures that the analysis computes from visits that uncovered an area.
OF_TEXTS = (
    Measure("total_time", "number", "Sum of the durations of all visits.", "ms"),
    Measure(
        "first_pass_time",
        "number",
        "Sum of the visits until the last area that had not been visited is left; empty where one never was.",
        "ms",
    ),
    Measure("first_pass_share", "number", "first_pass_time / total_time."),
    Measure("transitions", "integer", "Changes from one area to another.", "changes"),
    Measure("path_log", "number", "ln(1 + transitions)."),
    Measure("regressions", "integer", "Transitions to an earlier area.", "changes"),
    Measure("visits", "integer", "Visits to areas.", "visits"),
    Measure("areas_visited", "integer", "Areas that were visited.", "areas"),
    Measure("speed", "number", "words / total_time.", "words per ms"),
    Measure("pace", "number", "total_time / words.", "ms per word"),
)
OF_AREAS = (
    Measure("words", "integer", "Words of area {}.", "words"),
    Measure("time", "number", "Sum of the durations of the visits to area {}; empty where it was not visited.", "ms"),
    Measure("speed", "number", "words_{0} / time_{0}.", "words per ms"),
    Measure("pace", "number", "time_{0} / words_{0}.", "ms per word"),
    Measure("visits", "integer", "Visits to area {}.", "visits"),
)
OF_READING = (
    Measure("areas", "integer", "Areas of the text.", "areas"),
    Measure("words", "integer", "Words of the text.", "words"),
    Measure("first_entry_ms", "number", "From the onset of the text until an area became clear.", "ms"),
    Measure("reading_ms", "number", "From the first entry to the last leave, pauses and gaps included.", "ms"),
    Measure("areas_passed", "integer", "Areas crossed too fast to become clear; no visits.", "times"),
    Measure("mode", "text", "Way of reading.", values=("pointer", "drag", "keyboard")),
    Measure("pointer_type", "text", "Kind of pointer that the browser reported.", values=("mouse", "pen", "touch")),
    Measure("layout_changes", "integer", "How often the text was laid out again: resized, zoomed, moved.", "changes"),
    Measure("pauses", "integer", "How often the text was covered and paused.", "pauses"),
    Measure("paused_ms", "number", "How long it was paused.", "ms"),
    Measure("copy_attempts", "integer", "Attempts to copy, print or search the text; all prevented.", "attempts"),
    Measure("font_loaded", "boolean", "Whether the text stood in the font of the platform."),
    Measure("frame_interval_ms", "number", "Time between two updates of the screen.", "ms"),
    Measure(
        "path_agrees",
        "boolean",
        "Whether the visits computed again from the path of the pointer are the same; empty without a path.",
    ),
    *QUESTION_MEASURES,
    BREAK_MEASURE,
)
TAKEN = frozenset(
    {
        *(measure.name for measure in (*OF_READING, *OF_TEXTS)),
        *(f"{measure.name}_{place}" for measure in OF_AREAS for place in range(1, MOST_AREAS_IN_COLUMNS + 1)),
    }
)


class ReadingSettings(forms.Form):
    """Settings of a mouse-contingent reading study."""

    folded = (
        (_("Ways of reading"), ("allow_drag", "allow_keyboard", "full_screen")),
        (
            _("Questions about the texts"),
            (
                "question_choices",
                "question_keys",
                "question_order",
                "question_feedback_in_practice",
                "question_feedback_in_main",
                "question_deadline_ms",
            ),
        ),
        (_("Further settings"), ("comprehension_threshold", "record_path", "areas_in_columns")),
    )

    unit = forms.ChoiceField(
        label=_("Area of interest (AOI)"),
        choices=[
            ("sentence", _("Sentence")),
            ("clause", _("Clause")),
            ("word", _("Word")),
            ("marked", _("Marked by hand")),
        ],
        initial="sentence",
        help_text=_(
            "What is uncovered at a time. A mark | in a text always ends an area. Texts without punctuation need "
            "these marks; participants never see them."
        ),
    )
    arrangement = forms.ChoiceField(
        label=_("Layout"),
        choices=[("bands", _("Below each other, each across the full width")), ("flow", _("In running lines"))],
        initial="bands",
        help_text=_("Sentences are always shown below each other."),
    )
    mask = forms.ChoiceField(
        label=_("Mask"),
        choices=[
            ("bar", _("A bar that is the same for every area")),
            ("dashes", _("Dashes as long as the words")),
            ("blur", _("The text, blurred")),
        ],
        initial="bar",
        help_text=_("Dashes and blur show the length of the covered text before people read it."),
    )
    ratings = RatingQuestionsField(
        label=_("Questions after each text"),
        required=False,
        initial=[dict(question) for question in FLUENCY_AND_CLARITY["en"]],
        taken=TAKEN,
        help_text=_("In this order. Leave it empty if there are no questions."),
    )
    question_choices = question_choices_field()
    question_keys = question_keys_field(
        _(
            "Letters or digits from the first choice to the last, such as: f j. If empty, people tick a choice and "
            "confirm it."
        )
    )
    question_order = question_order_field()
    question_feedback_in_practice = question_feedback_field()
    question_feedback_in_main = question_feedback_in_main_field()
    question_deadline_ms = question_deadline_field()
    comprehension_threshold = percentage(
        _("Minimum comprehension (%)"),
        0,
        _(
            "Flags participants with a smaller share of correct answers to the questions in the materials. 0 "
            "flags nobody."
        ),
    )
    allow_drag = switch(
        _("Allow reading by dragging"),
        False,
        _(
            "On touch screens, an area is open while a finger rests on it. Such times cannot be compared with "
            "those of a mouse."
        ),
    )
    allow_keyboard = switch(
        _("Allow reading by keyboard"),
        True,
        _("The arrow keys open the areas, for people who cannot use a pointer. The data say how each person read."),
    )
    record_path = switch(
        _("Record the path of the pointer"),
        False,
        _("Records every movement. From these the visits are computed again and compared. The data become larger."),
    )
    full_screen = switch(_("Full screen"), False, _("The text pauses when somebody leaves full screen."))
    areas_in_columns = whole_number(
        _("Areas of interest with columns of their own"),
        3,
        _("The first … areas of a text get columns in the table of trials: time_1, pace_1, visits_1."),
        high=MOST_AREAS_IN_COLUMNS,
    )
    break_every = break_every_field(
        _("Break after every … texts"), 8, _("0 means no breaks. There is none after the last text.")
    )


def measures_of_visits(areas: int) -> tuple[Measure, ...]:
    """Return the measures computed from visits, with separate columns for the first areas.

    >>> [measure.name for measure in measures_of_visits(1)[-2:]]
    ['pace_1', 'visits_1']
    """
    return (
        *OF_TEXTS,
        *(
            replace(measure, name=f"{measure.name}_{place}", description=measure.description.format(place))
            for place in range(1, areas + 1)
            for measure in OF_AREAS
        ),
    )


def modes(settings: Any) -> list[str]:
    """Return the ways of reading that a study allows; the pointer is always allowed.

    >>> modes({"allow_drag": False, "allow_keyboard": True})
    ['pointer', 'keyboard']
    """
    return [
        "pointer",
        *(["drag"] if settings.get("allow_drag") else []),
        *(["keyboard"] if settings.get("allow_keyboard") else []),
    ]
