"""Overview page of a study: next step, facts, recent changes."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from experiments.other_tools.stored import stored_report
from experiments.paradigms import paradigm_named
from experiments.views.page import StudyView


class Home(StudyView):
    """The first page of a study."""

    template_name = "studies/home.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.page(
            tasks=[_(paradigm_named(task.paradigm).label) for task in self.study.tasks],
            is_imported=stored_report(self.study) is not None,
            entries=self.study.audit_entries.select_related("user")[:8],
        )
