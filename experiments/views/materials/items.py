"""Page for correcting the texts of one item without uploading the materials again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from experiments.formats.media_names import text_or_files
from experiments.materials import (
    Design,
    DesignItem,
    MaterialsFaults,
    design_from,
    design_of,
    materials_csv,
    preview_of,
    read_table,
    with_lists,
)
from experiments.paradigms import paradigm_named
from experiments.study.editing import locked
from experiments.study.lifecycle import FrozenStudy, save_design
from experiments.study.versions.kept import Kind
from experiments.views.materials.pages import MaterialsView


class ItemTexts(forms.Form):
    """The texts of one item, one field for each condition."""

    def __init__(self, item: DesignItem, conditions: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number, stimulus in enumerate(item.stimuli):
            label = conditions[stimulus.condition] if stimulus.condition is not None else _("Text")
            self.fields[f"text-{number}"] = forms.CharField(
                label=label,
                initial=stimulus.text,
                required=bool(stimulus.text),
                help_text="" if stimulus.text else text_or_files("", stimulus.extra),
                widget=forms.Textarea(attrs={"rows": 2, "class": "stimulus"}),
            )

    def texts(self) -> list[str]:
        """Return the texts in the order of the item's stimuli."""
        return [self.cleaned_data[name] for name in self.fields]


class EditItem(MaterialsView):
    """Corrects the texts of one item of a draft. The design as a whole is checked again before it is stored."""

    template_name = "studies/materials/item.html"

    def get(self, request: HttpRequest, item_id: int) -> HttpResponseBase:
        design, number = self._found(item_id)
        return self._page(design, number, self._form(design, number))

    @transaction.atomic
    def post(self, request: HttpRequest, item_id: int) -> HttpResponseBase:
        # The whole design is stored again, so nobody may correct another item between reading and storing.
        self.study = locked(self.study)
        design, number = self._found(item_id)
        form = self._form(design, number, request.POST)
        if not form.is_valid():
            return self._page(design, number, form, status=422)
        item = design.items[number]
        stimuli = [
            replace(stimulus, text=text.replace("\r\n", "\n"))
            for stimulus, text in zip(item.stimuli, form.texts(), strict=True)
        ]
        items = [*design.items[:number], replace(item, stimuli=tuple(stimuli)), *design.items[number + 1 :]]
        changed = replace(design, items=tuple(items))
        try:
            checked = design_from(
                read_table(materials_csv(changed).encode("utf-8", "surrogatepass")),
                paradigm_named(self.study.paradigm),
                factors={factor.name: factor.levels for factor in design.factors},
                text_attributes=design.text_attributes,
                item_sets=self.study.procedure.get("item_sets", "together"),
                incomplete=True,
            )
            design = with_lists(
                checked, self.study.procedure, paradigm=self.study.paradigm, settings=self.study.settings
            )
            save_design(self.study, design, request.user, kind=Kind.CORRECTED, detail=item.code)
        except MaterialsFaults as found:
            for fault in found.faults:
                form.add_error(None, f"{fault.message} {fault.suggestion}".strip())
            return self._page(design, number, form, status=422)
        except FrozenStudy as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("The texts of “%(item)s” were saved.") % {"item": item.code})
        return redirect("study:materials", self.study.slug)

    def _found(self, item_id: int) -> tuple[Design, int]:
        code = self.study.items.filter(pk=item_id).values_list("code", flat=True).first()
        design = design_of(self.study)
        for number, item in enumerate(design.items):
            if item.code == code:
                return design, number
        raise Http404(_("There is no such item. Perhaps somebody has replaced the materials."))

    def _form(self, design: Design, number: int, data: Any = None) -> ItemTexts:
        form = ItemTexts(design.items[number], preview_of(design).conditions, data)
        for field in form.fields.values():
            field.disabled = self.study.is_frozen or not self.can_edit
        return form

    def _page(self, design: Design, number: int, form: ItemTexts, *, status: int = 200) -> HttpResponseBase:
        return self.page(item=design.items[number], form=form, status=status)
