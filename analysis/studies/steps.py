"""Study steps of `analysis`: coding, planning, analysing, exporting."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from analysis.coding.final import counts
from analysis.coding.queues import progress, queue_for
from analysis.coding.recalls import is_coded
from analysis.models import AnalysisRun, CodingQueue, CodingState
from experiments.models import Study
from experiments.study.access import CODER, role_in
from experiments.study.steps import StepState, StudyStep
from participants.models import Response, Session


class Plan(StudyStep):
    """Hypotheses, exclusion rules and analyses, stated before the study opens. A plan is advised and never required."""

    slug = "plan"
    label = _("Preregistration")
    document = "planning/"

    def state(self, study: Study, user: Any) -> StepState:
        analyses = len(study.plan.get("analyses", []))
        if analyses:
            return StepState("done", ngettext("%(n)d analysis", "%(n)d analyses", analyses) % {"n": analyses})
        return StepState("number", _("Nothing planned"))

    def url(self, study: Study) -> str:
        return reverse("analysis:plan", args=[study.slug])


class Code(StudyStep):
    """Queues, progress, agreement: only where a paradigm has something that people code."""

    slug = "code"
    of_task = True
    label = pgettext_lazy("verb", "Code")
    document = "coding-recalls/"

    def applies_to(self, study: Study) -> bool:
        return is_coded(study)

    def state(self, study: Study, user: Any) -> StepState:
        if role_in(user, study) == CODER:
            return self._state_of_coder(study, user)
        if CodingState.objects.filter(study=study, frozen_at__isnull=False).exists():
            return StepState("done", _("Frozen"))
        found = counts(study)
        if not found.total:
            return StepState("waiting", _("Needs recalls"))
        if not CodingQueue.objects.filter(study=study).exists():
            return StepState("missing", _("Nobody codes yet"))
        coded = found.total - found.uncoded
        if coded < found.total:
            return StepState("number", _("%(n)d of %(total)d coded") % {"n": coded, "total": found.total})
        if found.unresolved:
            text = ngettext("%(n)d disagreement to settle", "%(n)d disagreements to settle", found.unresolved)
            return StepState("missing", text % {"n": found.unresolved})
        return StepState("done", _("All coded"))

    def _state_of_coder(self, study: Study, user: Any) -> StepState:
        queue = queue_for(study, user)
        if queue is None:
            return StepState("waiting", _("You have no recalls to code yet"))
        so_far = progress(queue)
        return StepState("number", _("%(n)d of %(total)d coded") % {"n": so_far.coded, "total": so_far.total})

    def url(self, study: Study) -> str:
        return reverse("coding:overview", args=[study.slug])

    def url_for_coders(self, study: Study) -> str:
        return reverse("coding:workspace", args=[study.slug])


class Data(StudyStep):
    """Trials and participants as tables, before anything is computed of them."""

    slug = "data"
    is_about_data = True
    label = _("Data")
    document = "exports/#looking-at-the-data"

    def state(self, study: Study, user: Any) -> StepState:
        if Session.objects.filter(study=study).exists():
            return StepState("number", "")
        return StepState("waiting", _("Needs data"))

    def url(self, study: Study) -> str:
        return reverse("analysis:data", args=[study.slug])


class Analyse(StudyStep):
    """Suggested analyses, all other methods, earlier runs."""

    slug = "analyse"
    is_about_data = True
    label = _("Analyse")
    document = "methods/"

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
    is_about_data = True
    label = _("Export")
    document = "exports/"

    def state(self, study: Study, user: Any) -> StepState:
        sessions = Session.objects.filter(study=study).count()
        if sessions:
            return StepState("number", ngettext("%(n)d session", "%(n)d sessions", sessions) % {"n": sessions})
        return StepState("waiting", _("Needs data"))

    def url(self, study: Study) -> str:
        return reverse("analysis:export", args=[study.slug])
