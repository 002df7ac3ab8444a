"""When a participant withdraws, reports that name the participant go too.

A report of means, tests and models keeps what it says; its page tells that the data have changed since. A report that
lists participants (the scores of a normalisation, an incomplete participant named in a note) holds a trace of the one
who withdrew and is deleted. A run that is in parts began with the data of the one who withdrew and begins anew.
"""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext as _

from analysis.models import AnalysisRun
from participants.models import Participant


@receiver(post_delete, sender=Participant, dispatch_uid="analysis.erase_reports_that_name")
def erase_reports_that_name(sender: type[Participant], instance: Participant, **event: Any) -> None:
    """Delete every report of the study that names the participant; its run stays and says why."""
    # Imported here because it loads all methods, which is too early while Django starts.
    from analysis.runs import life as runs

    runs.begin_anew_without(instance.study_id, instance.pseudonym)
    AnalysisRun.objects.filter(study_id=instance.study_id, report__contains=instance.pseudonym).update(
        status=AnalysisRun.Status.FAILED,
        report="",
        data_hash="",
        data_stamp="",
        error=_(
            "A participant whose data this report listed has withdrawn, so the report was deleted. "
            "Run the analysis again to have it without them."
        ),
    )
