"""Forms of the study pages. Settings of the procedure have theirs in `experiments.rules.procedure`."""

from __future__ import annotations

import re
from typing import Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from experiments.models import NOTICE, Membership, Study
from experiments.paradigms import PARADIGMS
from experiments.procedure.forms import FormOfStudy
from experiments.rules.shape import RESERVED_SLUGS
from experiments.study_files.examples import example_studies

QUOTA_MAX = 100_000
LINKS_MAX = 5_000


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
    """An example under an address of one's own."""

    example = forms.ChoiceField(
        label=_("Example"), choices=lambda: [(example.slug, example.title) for example in example_studies()]
    )


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
        cast("forms.ModelChoiceField[Study]", self.fields["source"]).queryset = studies


NEEDED_TO_OPEN = ("responsible", "contact", "data_protection_note")


class StudyFacts(FormOfStudy):
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
            "erases_itself",
        ]
        labels = {
            "contact": _("Contact address"),
            "estimated_minutes": _("Estimated duration in minutes"),
            "retention_until": _("Data are deleted on"),
            "erases_itself": _("Erase all participants on that day without asking again"),
        }
        help_texts = {
            "retention_until": _(
                "A reminder: on this day the page Watch asks the owner to erase the participants. They are erased "
                "without anybody doing it only where that is ticked below."
            ),
            "erases_itself": _(
                "The study is closed and everything about its participants is erased for good. The owner is told 30 "
                "days before. Only the owner can change this."
            ),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "data_protection_note": forms.Textarea(attrs={"rows": 4}),
            "retention_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, is_owner: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in NEEDED_TO_OPEN:
            field: Any = self.fields[name]  # the template asks for the mark
            field.needed_to_open = True
        if self.instance.is_frozen:
            self.fields["language"].disabled = True
            self.fields["language"].help_text = _("Fixed since the study was opened.")
        if not is_owner:
            self.fields["erases_itself"].disabled = True
            if self.instance.erases_itself:
                self.fields["retention_until"].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("erases_itself") and {"erases_itself", "retention_until"} & set(self.changed_data):
            day, first = cleaned.get("retention_until"), timezone.localdate() + NOTICE
            if day is None or day < first:
                self.add_error(
                    "retention_until",
                    _(
                        "Choose %(day)s or a later day, so that you can be told 30 days before. Nothing was saved. "
                        "To erase the participants sooner, use the page Watch."
                    )
                    % {"day": date_format(first, "j F Y")},
                )
        return cleaned


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
        name: str = self.cleaned_data["username"].strip()
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


class NumberOfLinks(forms.Form):
    """How many personal links are wanted."""

    number = forms.IntegerField(label=_("Number of links"), min_value=1, max_value=LINKS_MAX)
