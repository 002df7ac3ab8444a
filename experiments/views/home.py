"""Overview page of a study: next step, facts, recent changes."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from experiments.other_tools.stored import stored_report
from experiments.paradigms import paradigm_named
from experiments.study.steps import study_steps
from experiments.views.flow import flow_of
from experiments.views.page import StudyView


class Home(StudyView):
    """The first page of a study."""

    template_name = "studies/home.html"
    is_about_data = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not self.sees_all:
            # The overview is about how the study is made.
            first = next(step for step in study_steps(self.study, request.user) if step.is_about_data)
            return redirect(first.url)
        return self.page(
            tasks=[_(paradigm_named(task.paradigm).label) for task in self.study.tasks],
            # A study of one task is its steps; with parts and groups, the way through them is worth a picture.
            flow=flow_of(self.study) if len(self.study.ordered_parts) > 1 or self.study.groups else None,
            is_imported=stored_report(self.study) is not None,
            entries=self.study.audit_entries.select_related("user")[:8],
        )
