"""The form for what a study is; how it runs has its form in `experiments.rules.procedure`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.models import Study
from experiments.paradigms import PARADIGMS

# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    FormOfStudy = forms.ModelForm[Study]
else:
    FormOfStudy = forms.ModelForm


class StudyForm(FormOfStudy):
    """A new study: what it is called, which paradigm it uses, who answers for it."""

    paradigm = forms.ChoiceField(
        label=_("Paradigm"),
        choices=[(paradigm.slug, paradigm.label) for paradigm in PARADIGMS],
        help_text=_("What a participant does. It cannot be changed once there are materials."),
    )

    class Meta:
        model = Study
        fields = (
            "title",
            "slug",
            "paradigm",
            "language",
            "description",
            "responsible",
            "contact",
            "estimated_minutes",
            "data_protection_note",
            "retention_until",
            "quota",
            "seed",
        )

    def clean_paradigm(self) -> str:
        # The paradigm is that of the study's task, which no form of a study writes by itself.
        self.instance.paradigm = self.cleaned_data["paradigm"]
        return str(self.cleaned_data["paradigm"])
