"""Page of a study's coding scheme: codes with description, weight and exclusiveness."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.coding.recalls import state_of
from analysis.coding.refusals import CodingRefusal
from analysis.coding.scheme import is_bound, save_scheme
from analysis.views.coding.overview import CodeView
from experiments.formats.faults import spoken
from experiments.models import ErrorCode
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import DefaultErrorCode
from experiments.rules.error_codes import MOST_CODES
from experiments.study.schemes import plain_codes, scheme_of

FIELD_OF_FAULT = re.compile(r"error_codes\.(\d+)\.(\w+)")


class CodeRow(forms.Form):
    """One code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=10,
        widget=forms.TextInput(attrs={"class": "mono", "data-name-kind": "code", "data-named-after": "description"}),
    )
    description = forms.CharField(
        label=gettext_lazy("What it means"), max_length=300, widget=forms.Textarea(attrs={"rows": 1})
    )
    weight = forms.FloatField(label=gettext_lazy("Weight"), widget=forms.NumberInput(attrs={"step": "any"}))
    is_exclusive = forms.BooleanField(label=gettext_lazy("Exclusive"), required=False)


CodeRows = forms.formset_factory(CodeRow, extra=0, can_delete=True, max_num=MOST_CODES, validate_max=True)


class Scheme(CodeView):
    """The table of codes."""

    template_name = "analysis/coding/scheme.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(self._stored())

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if request.POST.get("default"):
            return self._save(list(paradigm_named(self.study.paradigm).default_error_codes), self._stored())
        rows = CodeRows(request.POST, prefix="codes", initial=self._initial())
        if not rows.is_valid():
            return self._page(rows, status=422)
        kept = [row for row in rows.forms if row.cleaned_data and not row.cleaned_data.get("DELETE")]
        codes = [
            DefaultErrorCode(
                row.cleaned_data["code"].strip(),
                " ".join(row.cleaned_data["description"].split()),
                row.cleaned_data["weight"],
                row.cleaned_data["is_exclusive"],
            )
            for row in kept
        ]
        return self._save(codes, rows, kept)

    def _save(self, codes: list[DefaultErrorCode], rows: Any, kept: list[CodeRow] | None = None) -> HttpResponseBase:
        try:
            save_scheme(self.study, codes, user=self.request.user)
        except CodingRefusal as refusal:
            return self._page(rows, faults=self._unplaced(refusal, kept or []), status=422)
        messages.success(self.request, _("The codes were saved."))
        return redirect(self.url("scheme"))

    def _unplaced(self, refusal: CodingRefusal, kept: list[CodeRow]) -> list[str]:
        """Put faults at the fields they are about and return the sentences that belong to no field."""
        sentences = [] if refusal.faults else [str(refusal)]
        for fault in refusal.faults:
            said = spoken(filter(None, (fault.message, fault.suggestion)))
            place = FIELD_OF_FAULT.fullmatch(fault.setting)
            number = int(place[1]) - 1 if place else -1
            if place and 0 <= number < len(kept) and place[2] in kept[number].fields:
                kept[number].add_error(place[2], said)
            else:
                sentences.append(said)
        return sentences

    def _stored(self) -> Any:
        return CodeRows(prefix="codes", initial=self._initial())

    def _initial(self) -> list[dict[str, Any]]:
        return plain_codes(scheme_of(self.study))

    def _page(self, rows: Any, *, faults: list[str] | None = None, status: int = 200) -> HttpResponseBase:
        bound, frozen = is_bound(self.study), state_of(self.study).is_frozen
        default = paradigm_named(self.study.paradigm).default_error_codes
        stored: list[ErrorCode] = scheme_of(self.study)
        return self.page(
            rows=rows,
            bound=bound,
            frozen=frozen,
            faults=faults or [],
            can_change=self.can_edit and not frozen,
            empty_row=rows.empty_form,
            offers_default=bool(default) and not bound and not is_default(stored, default),
            status=status,
        )


def is_default(stored: list[ErrorCode], default: tuple[DefaultErrorCode, ...]) -> bool:
    """Return whether the codes of the study are those of the paradigm."""
    return plain_codes(stored) == plain_codes(default)
