"""The form of a new personal token."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from config.accounts.models import PersonalToken
from experiments.models import Study
from experiments.study.access import studies_for

DAYS = (7, 30, 90, 365)


class StudiesField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # takes none at run time
    """Studies by title and address: titles of copies are the same."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.title} ({obj.slug})"


class NewToken(forms.Form):
    """What a token is for, what it may do, and for how long."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("What it is for, such as: nightly export on the laboratory’s computer."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=PersonalToken.Scope.choices,
        initial=[PersonalToken.Scope.READ.value],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Always within what you may do yourself. Every token can read studies."),
    )
    studies = StudiesField(
        label=_("Only for these studies"),
        queryset=Study.objects.none(),
        required=False,
        help_text=_("Choose none for all studies that you see, those included that are made later."),
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(days, ngettext_lazy("%(n)d day", "%(n)d days", days) % {"n": days}) for days in DAYS],
        initial=90,
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("StudiesField", self.fields["studies"]).queryset = studies_for(user)

    @property
    def expires_at(self) -> datetime:
        """When the token expires, after the form was found valid."""
        return timezone.now() + timedelta(days=self.cleaned_data["days"])
