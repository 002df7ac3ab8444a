"""Pages of the design: factors with labels, item sets, the Latin square and every list."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from experiments.materials import design_of, preview_of
from experiments.materials.lists import shown_together
from experiments.models import StimulusList, Study
from experiments.models.one_task import SlugOfTask
from experiments.paradigms import paradigm_named
from experiments.procedure.sessions import session_stimuli
from experiments.rules.labels import LONGEST, Factors
from experiments.study.labels import LabelFaults, factors_to_label, save_labels
from experiments.study.lifecycle import mark_looked_at
from experiments.study.steps import key_of
from experiments.views.materials.matrix import groups_of, keys_of, squares_of
from experiments.views.page import StudyView


class LabelsForm(forms.Form):
    """A label for every factor and every level; an empty one leaves the word of the materials."""

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, auto_id=False)
        self.factors: Factors = factors_to_label(study)
        # Reports set the order of levels; this form leaves it as it is.
        self._orders = {name: {"order": said["order"]} for name, said in study.labels.items() if "order" in said}
        for number, (factor, levels) in enumerate(self.factors.items()):
            said = study.labels.get(factor, {})
            self._add(_key(factor), f"factor-{number}", factor, said.get("label", ""))
            for place, level in enumerate(levels):
                label = said.get("levels", {}).get(level, "")
                self._add(_key(factor, level), f"level-{number}-{place}", level, label)
        if data is not None:
            # What a form that was open before materials were replaced does not have stays as it is stored.
            self.data = {key: data.get(key, field.initial) for key, field in self.fields.items()}

    def _add(self, key: str, place: str, name: str, label: str) -> None:
        shown = {"id": f"label-{place}", "maxlength": LONGEST, "placeholder": name}
        self.fields[key] = forms.CharField(
            label=name, required=False, initial=label, widget=forms.TextInput(attrs={**shown, "autocomplete": "off"})
        )

    @property
    def rows(self) -> list[tuple[forms.BoundField, list[forms.BoundField]]]:
        """The fields of every factor: its own, and those of its levels."""
        return [
            (self[_key(factor)], [self[_key(factor, level)] for level in levels])
            for factor, levels in self.factors.items()
        ]

    @property
    def labels(self) -> dict[str, Any]:
        """The labels as they were given."""
        return {
            str(own.label): {
                "label": self.cleaned_data[own.name],
                "levels": {str(level.label): self.cleaned_data[level.name] for level in levels},
                **self._orders.get(str(own.label), {}),
            }
            for own, levels in self.rows
        }


def _key(factor: str, level: str | None = None) -> str:
    """Return the key of a field: words alone, since places change when materials are replaced under an open form."""
    return f"factor:{factor}" if level is None else f"level:{quote(factor, safe='')}:{level}"


class Design(StudyView):
    """The whole design on one page."""

    step = "design"
    template_name = "studies/materials/design.html"

    @property
    def shown_standard(self) -> str:
        return key_of("design", self.study)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(LabelsForm(study=self.study))

    def _page(self, labels: LabelsForm, *, status: int = 200) -> HttpResponseBase:
        design = design_of(self.study)
        preview = preview_of(design)
        stored = {each.name: each.pk for each in self.study.lists.all()}
        keys, squares = keys_of(preview), squares_of(preview, stored=stored)
        together = shown_together(self.study)
        paradigm = paradigm_named(self.study.paradigm)
        return self.page(
            status=status,
            labels=labels,
            preview=preview,
            keys=list(zip(keys, design.conditions, strict=False)),
            squares=squares,
            together=paradigm.together_words(len(keys), self.study.settings) if together else [],
            groups=[(square, groups_of(square, together, keys)) for square in squares]
            if together and not together.is_adaptive
            else [],
        )


class Labels(Design):
    """Stores the names for print of factors and levels, also of a study that has been opened."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:design", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = LabelsForm(request.POST, study=self.study)
        if form.is_valid():
            try:
                save_labels(self.study, form.labels, request.user)
            except LabelFaults as found:
                for fault in found.faults:
                    form.add_error(None, str(fault))
            else:
                mark_looked_at(self.study, self.shown_standard, request.user)
                messages.success(request, _("The labels were saved."))
                return redirect(reverse("study:design", args=[self.study.slug]) + "#labels")
        return self._page(form, status=422)


class ListPage(StudyView):
    """One list with its texts, in the order of the materials."""

    step = "design"
    template_name = "studies/materials/list.html"

    def get(self, request: HttpRequest, list_id: int) -> HttpResponseBase:
        shown = StimulusList.objects.filter(part__study=self.study, pk=list_id).select_related("part").first()
        if shown is None:
            raise Http404(_("This study has no such list."))
        if shown.part_id != self.study.task.pk:
            # Its page is that of its task.
            return redirect("study:list", SlugOfTask(str(self.study.slug), shown.part.name), shown.pk)
        keys = {key.name: key for key in keys_of(preview_of(design_of(self.study)))}
        stimuli = session_stimuli(self.study, shown)
        return self.page(
            shown=shown,
            rows=[{"stimulus": stimulus, "key": keys.get(stimulus.condition or "")} for stimulus in stimuli],
            lists=list(self.study.lists.all()),
        )
