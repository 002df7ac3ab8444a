"""Confirms that what a study began with, such as its consent, has been looked at and is fine."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from experiments.study.lifecycle import mark_looked_at
from experiments.study.steps import StepLink, next_step, study_steps
from experiments.views.page import StudyView


class LookedAt(StudyView):
    """Marks a standard text, design or procedure as looked at."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:home", str(self.study.slug))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        known = {key for link in self._steps() for key in link.state.standard}
        keys = request.POST.getlist("key")
        if not keys or not {*keys} <= {*known, *self.study.looked_at}:
            raise Http404(_("There is nothing with this name to review."))
        for key in keys:
            if key in known:
                mark_looked_at(self.study, key, request.user)
        messages.success(request, _("Noted: you keep it as it is."))
        # On with what comes next; the overview says so where nothing is missing any more.
        after = next_step(self._steps())
        return redirect(after.next_url if after else reverse("study:home", args=[str(self.study.slug)]))

    def _steps(self) -> list[StepLink]:
        self.study.refresh_from_db(fields=["looked_at"])
        return study_steps(self.study, self.request.user)
