"""Forms for what participants read and are asked: texts with their boxes, and background questions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from experiments.models import StudyText
from experiments.rules.questions import MAX_QUESTIONS

QUESTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
QUESTION_KINDS = [("choice", _("Choice from a list")), ("text", _("Short text")), ("number", _("Number"))]


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


class ConsentBody(TextBody):
    """The consent: a text and its boxes."""

    required_boxes = forms.CharField(
        label=_("Boxes that must be ticked"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One statement per line. Nobody can start without ticking all of them."),
    )
    optional_boxes = forms.CharField(
        label=_("Boxes that may be ticked"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One statement per line. What each participant ticked is stored with the session."),
    )

    def clean_required_boxes(self) -> list[str]:
        return self._boxes("required_boxes")

    def clean_optional_boxes(self) -> list[str]:
        return self._boxes("optional_boxes")

    def _boxes(self, name: str) -> list[str]:
        boxes = lines_of(self.cleaned_data[name])
        if len(set(boxes)) < len(boxes):
            raise forms.ValidationError(_("Two boxes say the same."))
        if any(len(box) > 500 for box in boxes):
            raise forms.ValidationError(_("A statement is longer than 500 characters."))
        return boxes

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if set(cleaned.get("required_boxes", [])) & set(cleaned.get("optional_boxes", [])):
            raise forms.ValidationError(_("A statement stands among the boxes that must and that may be ticked."))
        return cleaned


def text_form(kind: str) -> type[TextBody]:
    """Return the form for a kind of text."""
    return ConsentBody if kind == StudyText.Kind.CONSENT else TextBody


class Question(forms.Form):
    """One background question."""

    label = forms.CharField(label=_("Question"), max_length=500)
    name = forms.CharField(
        label=_("Column in the data"),
        max_length=40,
        help_text=_("Lower-case letters, digits and underscores, such as native_language."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "class": "mono"}),
    )
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=QUESTION_KINDS)
    choices = forms.CharField(
        label=_("Answers to choose from"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One per line. “Prefer not to say” is added unless an answer is required."),
    )
    help = forms.CharField(label=_("Explanation under the question"), required=False, max_length=500)
    required = forms.BooleanField(
        label=_("An answer is required"),
        required=False,
        help_text=_("Only where an exclusion depends on it; otherwise participants may prefer not to say."),
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if not QUESTION_NAME.fullmatch(name):
            raise forms.ValidationError(_("Begin with a lower-case letter; then letters, digits and underscores."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        choices = lines_of(cleaned.get("choices", ""))
        if cleaned.get("kind") == "choice":
            if len(choices) < 2:
                self.add_error("choices", _("A choice needs at least two answers, one per line."))
            elif len(set(choices)) < len(choices):
                self.add_error("choices", _("Two answers are the same."))
        cleaned["choices"] = choices if cleaned.get("kind") == "choice" else []
        return cleaned


# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    SetOfQuestions = forms.BaseFormSet[Question]
else:
    SetOfQuestions = forms.BaseFormSet


class QuestionSet(SetOfQuestions):
    """All background questions, in order."""

    def clean(self) -> None:
        if any(self.errors):
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

    def questions(self) -> list[dict[str, Any]]:
        """Return the questions as they are stored."""
        return [
            {name: form.cleaned_data[name] for name in ("name", "label", "kind", "choices", "required", "help")}
            for form in self.ordered_forms
            if form.cleaned_data and not form.cleaned_data.get("DELETE")
        ]


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
    return [{**question, "choices": "\n".join(question.get("choices") or [])} for question in questions]
