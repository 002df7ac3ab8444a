"""Form field for editing rating questions: one block per question, with templates.

Its value is a list of complete questions, both in a study file and on the page.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from experiments.languages import LANGUAGES, in_language
from experiments.paradigms.pieces.fields import InWords
from experiments.paradigms.pieces.rating_questions import (
    ERROR_SPANS,
    FEWEST_POINTS,
    KINDS,
    MAX_QUESTIONS,
    MAX_TEXT,
    MOST_POINTS,
    TEMPLATES,
    USUAL_POINTS,
    QuestionTemplate,
    RatingQuestion,
    complete_rating_question,
    faults_of_question,
    rating_question_faults,
)

KIND_CHOICES = (
    ("scale", _("Scale with points")),
    ("slider", _("Slider")),
    ("magnitude", _("Any number (magnitude estimation)")),
    (ERROR_SPANS, _("Error spans: people mark minor and major errors in the text")),
)


class QuestionBlock(forms.Form):
    """The form fields of one question; validation is left to the rules for questions."""

    # An empty field in a folded block could not be shown by the browser, which would then refuse to send the form.
    use_required_attribute = False

    text = forms.CharField(label=_("Question"), max_length=MAX_TEXT)
    name = forms.CharField(
        label=_("Column in the data"),
        max_length=30,
        help_text=_("Lower-case letters, digits and underscores, such as clarity."),
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "none",
                "spellcheck": "false",
                "class": "mono",
                "data-name-kind": "column",
                "data-named-after": "text",
            }
        ),
    )
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=KIND_CHOICES)
    points = forms.IntegerField(label=_("Points"), initial=USUAL_POINTS, min_value=FEWEST_POINTS, max_value=MOST_POINTS)
    labels = forms.CharField(
        label=_("Labels"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One per line, the lowest first. Write one for each end, or one for each point of a scale."),
    )
    categories = forms.CharField(
        label=_("Categories of errors"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One per line; people choose one for every error. You can leave this empty."),
    )
    score = forms.BooleanField(label=_("Then ask for a score from 0 to 100 on a slider"), required=False, initial=True)
    required = forms.BooleanField(label=_("People must answer"), required=False, initial=True)

    def __init__(self, *args: Any, kinds: Sequence[str] = KINDS, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [choice for choice in KIND_CHOICES if choice[0] in kinds]
        self.fields["kind"] = forms.ChoiceField(label=_("Kind of answer"), choices=choices)
        if ERROR_SPANS not in kinds:
            del self.fields["categories"], self.fields["score"]


@dataclass(frozen=True)
class BlockShown:
    """A question for display: its fields, its faults, and the names of the inputs that move and remove it."""

    form: QuestionBlock
    prefix: str
    place: str
    faults: Sequence[str]


class RatingQuestionsInput(forms.Widget):
    """Blocks of fields whose names begin with the name of the field and the number of the block."""

    template_name = "studies/procedure/rating_questions.html"
    use_fieldset = True

    def __init__(
        self,
        templates: Sequence[QuestionTemplate] = TEMPLATES,
        taken: Collection[str] = (),
        kinds: Sequence[str] = KINDS,
    ) -> None:
        super().__init__()
        self.templates = templates
        # That of the study, whose templates come first; the page of a study sets it.
        self.language = "en"
        self.taken = taken
        self.kinds = kinds

    def id_for_label(self, id_: str | None) -> str:
        return ""

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data and f"{name}-TOTAL_FORMS" not in data

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the questions in order; in a study file they already are a list."""
        total = data.get(f"{name}-TOTAL_FORMS")
        if total is None:
            return data.get(name)
        placed: list[tuple[float, int, RatingQuestion]] = []
        for number in range(min(_whole(total, 0), 2 * MAX_QUESTIONS)):
            prefix = f"{name}-{number}"
            if f"{prefix}-DELETE" in data or f"{prefix}-kind" not in data:
                continue
            place = _whole(data.get(f"{prefix}-ORDER"), number + 1)
            placed.append((place, number, _question_in(data, prefix)))
        placed.sort(key=lambda entry: entry[:2])
        return [question for _place, _number, question in placed]

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        questions = value if isinstance(value, list) else []
        return {
            **context,
            "name": name,
            "blocks": [self._block(name, number, questions) for number in range(len(questions))],
            "empty_block": BlockShown(
                QuestionBlock(prefix=f"{name}-__prefix__", kinds=self.kinds), f"{name}-__prefix__", "", ()
            ),
            "templates": [self._template(template, self.language) for template in self.templates],
            "translated_templates": [
                (LANGUAGES[tag].label, tag, [self._template(template, tag) for template in templates])
                for tag in LANGUAGES
                if tag != self.language
                and (templates := [template for template in self.templates if tag in template.questions])
            ],
            "is_disabled": bool((attrs or {}).get("disabled")),
        }

    def _template(self, template: QuestionTemplate, language: str) -> dict[str, Any]:
        # The page fills a new block with each of the questions.
        questions = json.dumps(template.questions_in(language), ensure_ascii=False)
        return {"label": template.label, "questions": questions, "is_english": language not in template.questions}

    def _block(self, name: str, number: int, questions: Sequence[Any]) -> BlockShown:
        prefix = f"{name}-{number}"
        question = questions[number] if isinstance(questions[number], Mapping) else {}
        before = {str(other.get("name")) for other in questions[:number] if isinstance(other, Mapping)}
        said = [in_language(fault) for fault in faults_of_question(question, {*before, *self.taken}, self.kinds)]
        faults = [f"{fault[:1].upper()}{fault[1:]}" for fault in said]
        shown = {**question, "labels": "\n".join(map(str, question.get("labels") or []))}
        shown["categories"] = "\n".join(map(str, question.get("categories") or []))
        if not shown.get("points"):
            shown["points"] = USUAL_POINTS
        return BlockShown(
            QuestionBlock(initial=shown, prefix=prefix, kinds=self.kinds), prefix, str(number + 1), faults
        )


class RatingQuestionsField(forms.Field):
    """A list of rating questions.

    `taken` are column names used by the paradigm itself, `kinds` the kinds of question that it supports.
    """

    widget = RatingQuestionsInput

    def __init__(
        self,
        *,
        templates: Sequence[QuestionTemplate] = TEMPLATES,
        taken: Collection[str] = (),
        kinds: Sequence[str] = KINDS,
        **options: Any,
    ) -> None:
        super().__init__(widget=RatingQuestionsInput(templates, taken, kinds), **options)
        self.taken = taken
        self.kinds = kinds

    def to_python(self, value: Any) -> list[RatingQuestion]:
        if value in self.empty_values:
            return []
        faults = rating_question_faults(value, taken=self.taken, kinds=self.kinds)
        if faults:
            raise ValidationError([*faults])
        return [complete_rating_question(question) for question in value]

    def in_words(self, value: Sequence[RatingQuestion], say: InWords) -> list[RatingQuestion]:
        """Return the questions with texts and labels as `say` says them; categories of errors are stored."""
        return [
            {
                **one,
                "text": say(f".{one['name']}", one["text"]),
                "labels": [say(f".{one['name']}.labels.{label}", label) for label in one["labels"]],
            }
            for one in value
        ]

    def validate(self, value: Any) -> None:
        if self.required and not value:
            raise ValidationError(_("Add at least one question."))


def _question_in(data: Any, prefix: str) -> RatingQuestion:
    kind = data.get(f"{prefix}-kind")
    points = data.get(f"{prefix}-points", "")
    labels = _lines(data.get(f"{prefix}-labels", ""))
    has_score = f"{prefix}-score" in data
    of_spans = {"categories": _lines(data.get(f"{prefix}-categories", "")), "score": has_score}
    has_no_ends = kind == "magnitude" or (kind == ERROR_SPANS and not has_score)
    return {
        "name": data.get(f"{prefix}-name", "").strip(),
        "text": data.get(f"{prefix}-text", "").strip(),
        "kind": kind,
        # Fields that do not apply to the kind are hidden on the page but may still be filled in.
        "points": _whole(points, USUAL_POINTS) if kind == "scale" else 0,
        "labels": [] if has_no_ends else labels,
        "required": f"{prefix}-required" in data,
        **(of_spans if kind == ERROR_SPANS else {}),
    }


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _whole(text: Any, otherwise: int) -> int:
    try:
        return int(text)
    except (TypeError, ValueError):
        return otherwise
