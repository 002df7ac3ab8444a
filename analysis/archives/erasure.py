"""Keep nobody in archives who withdrew or was erased."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from participants.models import Participant


@receiver(post_delete, sender=Participant, dispatch_uid="analysis.erase_archives_with")
def erase_archives_with(sender: type[Participant], instance: Participant, **event: Any) -> None:
    """Delete the archives that hold data of a participant who is gone."""
    # Imported here, because that is too early while Django starts.
    from analysis.archives.kept import begin_anew_without_whoever_is_gone

    begin_anew_without_whoever_is_gone(instance.study_id)
