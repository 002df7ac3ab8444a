"""Report background activity in a researcher's studies: running simulations and waiting analyses."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from analysis.models import AnalysisRun
from experiments.study.access import studies_for
from participants.watching.simulations import filling


def notice(user: Any) -> str:
    """Return a sentence for the list of studies: how many simulated participants and analyses are done, of how many."""
    said = []
    people = filling(user)
    if people is not None:
        said.append(
            _("Simulated participants are taking part: %(done)d of %(total)d.")
            % {"done": people.done, "total": people.total}
        )
    unfinished = AnalysisRun.objects.filter(
        study__in=studies_for(user), status__in=(AnalysisRun.Status.QUEUED, AnalysisRun.Status.RUNNING)
    ).count()
    if unfinished:
        said.append(_("Analyses that are not done yet: %(n)d.") % {"n": unfinished})
    if said:
        said.append(_("The studies fill themselves while you look around."))
    return " ".join(said)
