"""Where the researcher takes part in any list without anything being counted."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from experiments.views.page import StudyView


class Preview(StudyView):
    """Links into the participants' pages, one for each list."""

    step = "preview"
    template_name = "studies/preview.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page(lists=list(self.study.lists.all()))
