"""Forms of the study pages. Settings of the procedure and of a paradigm have their own in `experiments.forms`."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from experiments.models import Membership, Study, StudyText
from experiments.paradigms import PARADIGMS
from experiments.questions import MAX_QUESTIONS

RESERVED_SLUGS = {"new"}
QUESTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
QUESTION_KINDS = [("choice", _("Choice from a list")), ("text", _("Short text")), ("number", _("Number"))]
QUOTA_MAX = 100_000


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that hold something, without spaces around them.

    >>> lines_of(" one \\n\\ntwo")
    ['one', 'two']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]


def checked_address(slug: str) -> str:
    """Return the address of a study that may be created. Raises ValidationError for any other."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        raise forms.ValidationError(_("Use lower-case letters, digits and single hyphens."))
    if slug in RESERVED_SLUGS:
        raise forms.ValidationError(_("This address is used by the platform itself. Choose another one."))
    if Study.objects.filter(slug=slug).exists():
        raise forms.ValidationError(_("There is already a study at this address. Choose another one."))
    return slug


class CopyAddress(forms.Form):
    """An address that is not taken yet."""

    slug = forms.CharField(
        label=_("Address"),
        max_length=60,
        help_text=_(
            "Part of the participants’ link: lower-case letters, digits and hyphens. It stays as it is for good."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "placeholder": "word-order-2"}),
    )

    def clean_slug(self) -> str:
        return checked_address(self.cleaned_data["slug"].strip())


class NewStudy(CopyAddress):
    """What a new study needs at least."""

    title = forms.CharField(label=_("Title"), max_length=200, help_text=_("Participants see this title."))
    paradigm = forms.ChoiceField(
        label=_("Paradigm"), choices=lambda: [(paradigm.slug, paradigm.label) for paradigm in PARADIGMS]
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("en", _("English")), ("de", _("German"))],
        help_text=_("Of the participants’ pages and of the texts that the study starts with."),
    )


class ExampleStudy(CopyAddress):
    """The example under an address of one's own."""


class StudyFile(forms.Form):
    """A study in a file, under another address where one is given."""

    file = forms.FileField(label=_("Study file (.toml) or archive (.zip)"))
    materials = forms.FileField(
        label=_("Materials (.csv or .xlsx)"),
        required=False,
        help_text=_("Only with a study file: the table that its line materials.file names."),
    )
    slug = forms.CharField(
        label=_("Another address"),
        required=False,
        max_length=60,
        help_text=_("Empty for the address that stands in the file."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).strip()
        return checked_address(slug) if slug else ""


class CopyOf(CopyAddress):
    """A study to copy and an address for the copy."""

    source = forms.ModelChoiceField(label=_("Study"), queryset=Study.objects.none(), empty_label=_("Choose a study"))
    field_order = ["source", "slug"]

    def __init__(self, *args: Any, studies: QuerySet[Study], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"].queryset = studies


NEEDED_TO_OPEN = ("responsible", "contact", "data_protection_note")


class StudyFacts(forms.ModelForm):
    """What a study is called, who answers for it, and how the data are kept."""

    class Meta:
        model = Study
        fields = [
            "title",
            "description",
            "language",
            "responsible",
            "contact",
            "estimated_minutes",
            "data_protection_note",
            "retention_until",
        ]
        labels = {
            "contact": _("Contact address"),
            "estimated_minutes": _("Estimated duration in minutes"),
            "retention_until": _("Data are deleted on"),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "data_protection_note": forms.Textarea(attrs={"rows": 4}),
            "retention_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in NEEDED_TO_OPEN:
            self.fields[name].needed_to_open = True
        if self.instance.is_frozen:
            self.fields["language"].disabled = True
            self.fields["language"].help_text = _("Fixed since the study was opened.")


class Person(forms.Form):
    """Somebody with an account who is to be added to a study."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.VIEWER)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study

    def clean_username(self) -> str:
        name = self.cleaned_data["username"].strip()
        person = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
        if person is None:
            raise forms.ValidationError(
                _("No researcher has the user name “%(name)s”. An administrator can create an account."),
                params={"name": name},
            )
        if person.pk == self.study.owner_id:
            raise forms.ValidationError(_("This person already owns the study."))
        self.person = person
        return name


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
        name = self.cleaned_data["name"].strip()
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


class QuestionSet(forms.BaseFormSet):
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


Questions = forms.formset_factory(
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


class Quota(forms.Form):
    """How many people may take part."""

    quota = forms.IntegerField(
        label=_("Quota"),
        required=False,
        min_value=1,
        max_value=QUOTA_MAX,
        help_text=_(
            "How many valid sessions at most: finished, or running and not abandoned. Empty means no limit. "
            "A multiple of the number of lists fills every list equally."
        ),
    )
