"""A new study: from a paradigm, from the example, from a study file, or as a copy."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.access import studies_for
from experiments.lifecycle import copy_study, create_study
from experiments.models import Study
from experiments.paradigms import PARADIGMS
from experiments.views.forms import CopyOf, NewStudy
from experiments.views.page import ResearcherView

WAYS = {
    "paradigm": gettext_lazy("From a paradigm"),
    "example": gettext_lazy("From the example"),
    "file": gettext_lazy("From a file"),
    "copy": gettext_lazy("As a copy"),
}


class Start(ResearcherView):
    """One page with four ways to begin."""

    template_name = "studies/start.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        way = request.GET.get("way", "paradigm")
        way = way if way in WAYS else "paradigm"
        return self._page(way, self._form(way))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        way = request.POST.get("way", "paradigm")
        way = way if way in WAYS else "paradigm"
        form = self._form(way, request.POST, request.FILES)
        if not form.is_valid():
            return self._page(way, form, status=422)
        make = {"paradigm": self._from_paradigm, "copy": self._as_copy}[way]
        study = make(form.cleaned_data)
        messages.success(request, _("The study is a draft. What is still missing is marked on the left."))
        return redirect("study:home", study.slug)

    def _from_paradigm(self, given: dict[str, Any]) -> Study:
        return create_study(
            slug=given["slug"],
            title=given["title"],
            paradigm=given["paradigm"],
            language=given["language"],
            user=self.request.user,
        )

    def _as_copy(self, given: dict[str, Any]) -> Study:
        return copy_study(given["source"], given["slug"], self.request.user)

    def _form(self, way: str, *data: Any) -> forms.Form:
        if way == "copy":
            source = self.request.GET.get("source")
            return CopyOf(*data, studies=studies_for(self.request.user), initial={"source": source})
        return NewStudy(*data, initial={"paradigm": PARADIGMS[0].slug, "language": "en"})

    def _page(self, way: str, form: forms.Form, *, faults: Any = (), status: int = 200) -> HttpResponseBase:
        return TemplateResponse(
            self.request,
            self.template_name,
            self.frame(
                way=way,
                ways=WAYS.items(),
                form=form,
                paradigms=PARADIGMS,
                faults=faults,
                button=_("Make the copy") if way == "copy" else _("Create the study"),
            ),
            status=status,
        )
