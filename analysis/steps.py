"""The steps of the study page that belong to analysis: analysing and exporting."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from analysis.models import AnalysisRun
from experiments.models import Study
from experiments.steps import StepState, StudyStep
from participants.models import Response, Session


class Analyse(StudyStep):
    """Suggested analyses, all other methods, earlier runs."""

    slug = "analyse"
    label = _("Analyse")

    def state(self, study: Study, user: Any) -> StepState:
        done = AnalysisRun.objects.filter(study=study, status=AnalysisRun.Status.DONE).count()
        if done:
            return StepState("number", ngettext("%(n)d report", "%(n)d reports", done) % {"n": done})
        if Response.objects.filter(trial__session__study=study).exists():
            return StepState("number", _("Nothing analysed yet"))
        return StepState("waiting", _("Needs data"))

    def url(self, study: Study) -> str:
        return reverse("analysis:analyse", args=[study.slug])


class Export(StudyStep):
    """Every file of the study."""

    slug = "export"
    label = _("Export")

    def state(self, study: Study, user: Any) -> StepState:
        sessions = Session.objects.filter(study=study).count()
        if sessions:
            return StepState("number", ngettext("%(n)d session", "%(n)d sessions", sessions) % {"n": sessions})
        return StepState("waiting", _("Needs data"))

    def url(self, study: Study) -> str:
        return reverse("analysis:export", args=[study.slug])
