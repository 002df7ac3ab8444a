"""The study step *Monitor*: state and URL of monitoring."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from experiments.models import Study
from experiments.study.steps import StepState, StudyStep
from participants.models import Session
from participants.watching.monitoring import tally_of


class Watch(StudyStep):
    """Participants, their progress, and anomalies."""

    slug = "watch"
    label = _("Monitor")
    document = "first-study/#10-monitor"
    is_about_data = True

    def state(self, study: Study, user: Any) -> StepState:
        real = tally_of(study, simulated=False)
        if real.started:
            text = ngettext("%(n)d finished", "%(n)d finished", real.finished) % {"n": real.finished}
            return StepState("number", text)
        simulated = Session.objects.filter(study=study, is_simulated=True).count()
        if simulated:
            return StepState("number", ngettext("%(n)d simulated", "%(n)d simulated", simulated) % {"n": simulated})
        if study.status == Study.Status.DRAFT:
            return StepState("waiting", _("Once the study is open"))
        return StepState("number", "0")

    def url(self, study: Study) -> str:
        return reverse("watch:watch", args=[study.slug])
