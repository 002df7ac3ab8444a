"""Forms for participants' texts (with consent boxes) and for questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from experiments.formats.faults import Fault
from experiments.formats.names import short_name
from experiments.languages import in_language
from experiments.models import Markup, StudyText
from experiments.procedure.texts import body_faults
from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.faults import numbered_faults
from experiments.questionnaire.kinds import (
    FEWEST_POINTS,
    INFORMATION,
    KEYS_OF_KIND,
    MATRIX,
    MAX_QUESTIONS,
    MOST_POINTS,
    USUAL_POINTS,
    WITH_CHOICES,
)
from experiments.questionnaire.written import cells_of, fitted, question_from

QUESTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
QUESTION_KINDS = [
    ("choice", _("Choice from a list")),
    ("several", _("Several choices from a list")),
    ("text", _("Short text")),
    ("long-text", _("Long text")),
    ("number", _("Number")),
    ("scale", _("Scale with points")),
    ("matrix", _("Matrix: several lines on one scale")),
    ("slider", _("Slider")),
    ("birth-year", _("Year of birth")),
    ("languages", _("Languages that a person knows")),
    ("statement", _("Statement to be ticked")),
    ("information", _("Information without an answer")),
]


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that hold something, without spaces around them.

    >>> lines_of(" one \\n\\ntwo")
    ['one', 'two']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]


class TextBody(forms.Form):
    """One text that participants read."""

    body = forms.CharField(
        label=_("Text"),
        required=False,
        strip=True,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 18}),
    )
    markup = forms.ChoiceField(
        label=_("Markup"),
        choices=Markup.choices,
        help_text=_("Earlier texts do not change until you choose Markdown."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for fault in body_faults(cleaned.get("body", ""), cleaned.get("markup", "")):
            self.add_error("body", str(fault))
        return cleaned


class ConsentBody(TextBody):
    """The consent: a text and its boxes."""

    required_boxes = forms.CharField(
        label=_("Required boxes"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One statement per line. Nobody can start without ticking all of them."),
    )
    optional_boxes = forms.CharField(
        label=_("Optional boxes"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One statement per line. The session stores which of them each participant ticked."),
    )

    def clean_required_boxes(self) -> list[str]:
        return self._boxes("required_boxes")

    def clean_optional_boxes(self) -> list[str]:
        return self._boxes("optional_boxes")

    def _boxes(self, name: str) -> list[str]:
        boxes = lines_of(self.cleaned_data[name])
        if len(set(boxes)) < len(boxes):
            raise forms.ValidationError(_("Two boxes have the same text."))
        if any(len(box) > 500 for box in boxes):
            raise forms.ValidationError(_("A statement is longer than 500 characters."))
        return boxes

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if set(cleaned.get("required_boxes", [])) & set(cleaned.get("optional_boxes", [])):
            raise forms.ValidationError(_("A required box and an optional box have the same statement."))
        return cleaned


def text_form(kind: str) -> type[TextBody]:
    """Return the form for a kind of text."""
    return ConsentBody if kind == StudyText.Kind.CONSENT else TextBody


def _lines(label: Any, help_text: Any, *, rows: int = 3) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, required=False, max_length=10_000, widget=widget, help_text=help_text)


def _short(label: Any, help_text: Any = "", *, most: int = 200) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=most, help_text=help_text)


_NAMED = re.compile(r"(?:- *)?[^:\s]+ *:")


def named_lines(lines: Sequence[str]) -> list[str]:
    """Return lines of a matrix, each with a name: of one that has none it is made from what participants read.

    >>> named_lines(["calm: I feel calm.", "- I feel tense.", "Calm"])
    ['calm: I feel calm.', '- feel_tense: I feel tense.', 'calm_2: Calm']
    """
    taken = {line.removeprefix("-").partition(":")[0].strip() for line in lines if _NAMED.match(line)}
    found = []
    for line in lines:
        if _NAMED.match(line):
            found.append(line)
            continue
        turned = "- " if line.startswith("- ") else ""
        said = line.removeprefix(turned)
        # Behind the text may be the right answer of a check.
        name = short_name(re.sub(r" = [0-9]{1,9}$", "", said), joint="_", most=30, taken=taken, otherwise="line")
        taken.add(name)
        found.append(f"{turned}{name}: {said}")
    return found


class Question(forms.Form):
    """One question. What only some kinds have is written as in a table, with lists in lines."""

    label = forms.CharField(label=_("Question"), max_length=2_000, widget=forms.Textarea(attrs={"rows": 2}))
    name = forms.CharField(
        label=_("Column in the data"),
        max_length=40,
        help_text=_("Lower-case letters, digits and underscores, such as native_language."),
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "none",
                "spellcheck": "false",
                "class": "mono",
                "data-name-kind": "column",
                "data-named-after": "label",
            }
        ),
    )
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=QUESTION_KINDS)
    choices = _lines(
        _("Answers to choose from"),
        _("One per line. If no answer is required, “Prefer not to say” is added."),
        rows=4,
    )
    minimum = forms.FloatField(label=_("Smallest number"), required=False, min_value=0)
    maximum = forms.FloatField(label=_("Largest number"), required=False)
    unit = _short(_("Unit"), _("Shown after the field, such as years."), most=40)
    points = forms.IntegerField(
        label=_("Points"), required=False, initial=USUAL_POINTS, min_value=FEWEST_POINTS, max_value=MOST_POINTS
    )
    labels = _lines(
        _("Labels"), _("One per line, the lowest first. Write one for each end, or one for each point of a scale.")
    )
    items = _lines(
        _("Lines of the matrix"),
        _(
            "One per line, in the form name: text for participants. Write “- ” before the name to reverse the "
            "item. Write “ = 4” at the end to make it an attention check with the right answer 4."
        ),
        rows=4,
    )
    help = forms.CharField(label=_("Explanation under the question"), required=False, max_length=500)
    required = forms.BooleanField(
        label=_("People must answer"),
        required=False,
        help_text=_(
            "Tick this only if an exclusion depends on the answer. Otherwise participants may prefer not to say."
        ),
    )
    decline = forms.ChoiceField(
        label=_("“Prefer not to say”"),
        required=False,
        choices=[("", _("Offered unless an answer is required")), ("no", _("Not offered"))],
    )
    random_order = forms.BooleanField(label=_("Different order for every participant"), required=False)
    shown_if = _short(
        _("Only shown if"),
        _("A condition on an earlier answer, such as: hand is left, or: age is at least 18."),
        most=500,
    )
    expected = _lines(
        _("Right answer"),
        _(
            "Makes the question an attention or comprehension check. If there are "
            "several right answers, write one per line."
        ),
        rows=1,
    )
    scale = _short(_("Counts towards the scale"), _("The column score_ with this name stores the score."), most=40)
    how = forms.ChoiceField(label=_("Score"), required=False, choices=[("", _("Sum")), ("mean", _("Mean"))])
    reverse = forms.BooleanField(label=_("Reversed"), required=False)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if not QUESTION_NAME.fullmatch(name):
            raise forms.ValidationError(
                _("Begin with a lower-case letter, and continue with letters, digits and underscores.")
            )
        return name

    def clean_items(self) -> str:
        return "\n".join(named_lines(lines_of(self.cleaned_data["items"])))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind = str(cleaned.get("kind"))
        choices = lines_of(cleaned.get("choices", ""))
        if kind in WITH_CHOICES:
            if len(choices) < 2:
                self.add_error("choices", _("A choice needs at least two answers, one per line."))
            elif len(set(choices)) < len(choices):
                self.add_error("choices", _("Two answers are the same."))
        if kind in KEYS_OF_KIND and not self.errors:
            cleaned["question"] = self._question(kind, cleaned)
        return cleaned

    def _question(self, kind: str, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Return the question with what its kind has; what another kind left in hidden fields is dropped."""
        own = KEYS_OF_KIND[kind]
        of_score = ("scale", "how", "reverse") if "score" in own else ()
        cells = {}
        for name in ("choices", *own, *of_score):
            value = cleaned.get(name)
            if value is None or (name == "choices" and kind not in WITH_CHOICES):
                continue
            cells[name] = ("yes" if value else "") if isinstance(value, bool) else str(value).replace("\r\n", "\n")
        if kind == MATRIX:
            cells.pop("reverse", None)
        if not cells.get("scale"):
            cells = {name: cell for name, cell in cells.items() if name not in of_score}
        cells |= {name: str(cleaned[name]) for name in ("name", "label", "kind", "help")}
        cells["required"] = "yes" if cleaned["required"] and kind != INFORMATION else ""
        question, faults = question_from(cells, separator="\n")
        for column, message, suggestion in faults:
            said = str(Fault(message=message, suggestion=suggestion))
            self.add_error(column if column in self.fields else None, said)
        return question


# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    SetOfQuestions = forms.BaseFormSet[Question]
else:
    SetOfQuestions = forms.BaseFormSet


class QuestionSet(SetOfQuestions):
    """All background questions, in order."""

    def clean(self) -> None:
        # A request without the fields that count the rows has no rows at all.
        if not self.management_form.is_valid() or any(self.errors):
            return
        names = [question["name"] for question in self.questions()]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise forms.ValidationError(
                ngettext(
                    "Two questions write to the same column: %(names)s.",
                    "Several questions write to the same columns: %(names)s.",
                    len(doubled),
                ),
                params={"names": ", ".join(doubled)},
            )
        # A form that is to be removed has no place in the order; the others are numbered as they will stand.
        kept = [form for form in self.ordered_forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]
        for number, fault in numbered_faults(self.questions(is_checked=False), is_placed=False):
            message = in_language(str(fault))
            if number:
                kept[number - 1].add_error(None, message[:1].upper() + message[1:])
            else:
                raise forms.ValidationError(message)

    def questions(self, *, is_checked: bool = True) -> list[dict[str, Any]]:
        """Return the questions as they are stored, or before they were checked as they were written."""
        questions: list[dict[str, Any]] = []
        for form in self.ordered_forms:
            if form.cleaned_data and not form.cleaned_data.get("DELETE"):
                question = form.cleaned_data["question"]
                if "shown_if" in question:
                    question = {**question, "shown_if": fitted(question["shown_if"], questions)}
                questions.append(complete_question(question) if is_checked else question)
        return questions


Questions: type[QuestionSet] = forms.formset_factory(  # type: ignore[assignment]  # it is derived from `formset`
    Question,
    formset=QuestionSet,
    extra=0,
    can_delete=True,
    can_order=True,
    max_num=MAX_QUESTIONS,
    absolute_max=MAX_QUESTIONS + 20,
    validate_max=True,
)


def initial_questions(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return stored questions as the formset shows them."""
    shown = []
    for question in questions:
        cells: dict[str, Any] = dict(cells_of(question, separator="\n"))
        for name in ("required", "random_order", "reverse"):
            cells[name] = cells[name] == "yes"
        cells["how"] = "" if cells["how"] == "sum" else cells["how"]
        cells["points"] = cells["points"] or USUAL_POINTS
        shown.append(cells)
    return shown
