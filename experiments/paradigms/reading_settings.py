"""The settings of mouse-contingent reading, and the names that its columns of data take."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.paradigms.rating_questions import FLUENCY_AND_CLARITY
from experiments.paradigms.rating_questions_field import RatingQuestionsField

MOST_AREAS_IN_COLUMNS = 12
# What is computed per area and per text from the visits; analyses and exports use the same names.
AREA_MEASURES = ("words", "time", "speed", "pace", "visits")
TEXT_MEASURES = (
    "total_time",
    "first_pass_time",
    "first_pass_share",
    "transitions",
    "path_log",
    "regressions",
    "visits",
    "areas_visited",
    "speed",
    "pace",
)
OWN_MEASURES = (
    "areas",
    "words",
    "first_entry_ms",
    "reading_ms",
    "areas_passed",
    "mode",
    "pointer_type",
    "layout_changes",
    "pauses",
    "paused_ms",
    "copy_attempts",
    "font_loaded",
    "frame_interval_ms",
    "path_agrees",
    "question",
    "question_answer",
    "question_correct",
    "question_ms",
    "break_ms",
)
TAKEN = frozenset(
    {
        *OWN_MEASURES,
        *TEXT_MEASURES,
        *(f"{name}_{place}" for name in AREA_MEASURES for place in range(1, MOST_AREAS_IN_COLUMNS + 1)),
    }
)


class ReadingSettings(forms.Form):
    """Settings of a mouse-contingent reading study."""

    unit = forms.ChoiceField(
        label=_("Area of interest"),
        choices=[
            ("sentence", _("Sentence")),
            ("clause", _("Clause")),
            ("word", _("Word")),
            ("marked", _("Marked by hand")),
        ],
        initial="sentence",
        help_text=_(
            "What is uncovered at a time. A mark | in a text ends an area whatever the unit; texts without punctuation "
            "need these marks. The mark is never shown."
        ),
    )
    arrangement = forms.ChoiceField(
        label=_("Arrangement"),
        choices=[("bands", _("One below the other, each across the full width")), ("flow", _("In running lines"))],
        initial="bands",
        help_text=_("Sentences always stand in bands."),
    )
    mask = forms.ChoiceField(
        label=_("Mask"),
        choices=[
            ("bar", _("A bar that is the same for every area")),
            ("dashes", _("Dashes as long as the words")),
            ("blur", _("The text, blurred")),
        ],
        initial="bar",
        help_text=_("Dashes and blur tell the length of what they cover before it is read."),
    )
    ratings = RatingQuestionsField(
        label=_("Questions after each text"),
        required=False,
        initial=[dict(question) for question in FLUENCY_AND_CLARITY["en"]],
        taken=TAKEN,
        help_text=_("In this order. Leave it empty to ask nothing."),
    )
    comprehension_threshold = forms.IntegerField(
        label=_("Least comprehension (%)"),
        initial=0,
        min_value=0,
        max_value=100,
        help_text=_(
            "Participants with a smaller share of right answers to the questions in the materials are flagged. 0 flags "
            "nobody."
        ),
    )
    allow_drag = forms.BooleanField(
        label=_("Reading by dragging is allowed"),
        required=False,
        initial=False,
        help_text=_(
            "On touch screens an area is open while a finger rests on it. Its times are those of another task."
        ),
    )
    allow_keyboard = forms.BooleanField(
        label=_("Reading by keyboard is allowed"),
        required=False,
        initial=True,
        help_text=_("The arrow keys open the areas, for people who cannot use a pointer. The data tell how was read."),
    )
    record_path = forms.BooleanField(
        label=_("Record the path of the pointer"),
        required=False,
        initial=False,
        help_text=_("Every movement, from which the visits are computed again and compared. Makes the data larger."),
    )
    full_screen = forms.BooleanField(
        label=_("Full screen"), required=False, initial=False, help_text=_("Leaving it pauses the text.")
    )
    areas_in_columns = forms.IntegerField(
        label=_("Areas with columns of their own"),
        initial=3,
        min_value=0,
        max_value=MOST_AREAS_IN_COLUMNS,
        help_text=_("The first … areas of a text get columns in the table of trials: time_1, pace_1, visits_1."),
    )
    break_every = forms.IntegerField(
        label=_("Break after every … texts"),
        initial=8,
        min_value=0,
        max_value=1_000,
        help_text=_("0 means no breaks. There is none after the last text."),
    )


def modes(settings: Any) -> list[str]:
    """Return the ways of reading that a study allows: by pointer always.

    >>> modes({"allow_drag": False, "allow_keyboard": True})
    ['pointer', 'keyboard']
    """
    return [
        "pointer",
        *(["drag"] if settings.get("allow_drag") else []),
        *(["keyboard"] if settings.get("allow_keyboard") else []),
    ]
