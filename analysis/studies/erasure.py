"""When a participant withdraws, reports that name the participant go too.

A report of tests keeps what it says; its page tells that the data have changed since. A report that lists participants
(the scores of a normalisation, the points behind means, the random effects of a mixed model, an incomplete participant
named in a note) or quotes what participants wrote holds a trace of the one who withdrew and is deleted; where its
parameters name that participant, they go too. A run that is in parts began with the data of the one who withdrew and
begins anew.
"""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext as _

from analysis.models import AnalysisRun
from participants.models import Participant


@receiver(post_delete, sender=Participant, dispatch_uid="analysis.erase_reports_that_name")
def erase_reports_that_name(sender: type[Participant], instance: Participant, **event: Any) -> None:
    """Delete every report of the study that names the participant; its run stays and says why."""
    # Imported here, as methods below, because that is too early while Django starts.
    from analysis.runs import life as runs

    runs.begin_anew_without(instance.study_id, instance.pseudonym)
    of_study = AnalysisRun.objects.filter(study_id=instance.study_id)
    quoting = [slug for slug in set(of_study.values_list("method", flat=True)) if _quotes_answers(slug)]
    of_study.filter(
        Q(report__contains=instance.pseudonym)
        | Q(error__contains=instance.pseudonym)
        | ~Q(report="") & Q(method__in=quoting)
    ).update(
        status=AnalysisRun.Status.FAILED,
        report="",
        data_hash="",
        data_stamp="",
        error=_(
            "A participant whose data this report listed has withdrawn, so the report was deleted. "
            "Run the analysis again to have it without them."
        ),
    )
    for run_id, params in list(of_study.values_list("pk", "params")):
        kept = {name: value for name, value in params.items() if instance.pseudonym not in json.dumps(value)}
        if kept != params:
            AnalysisRun.objects.filter(pk=run_id).update(params=kept)


def _quotes_answers(slug: str) -> bool:
    from analysis.methods.registry import method_named
    from analysis.methods.report import BadInput

    try:
        return method_named(slug).quotes_answers
    except BadInput:  # a method of a package that is no longer there
        return True
