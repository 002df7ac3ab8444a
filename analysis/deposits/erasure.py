"""Keep nobody in files of deposits who withdrew or was erased."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from participants.models import Participant


@receiver(post_delete, sender=Participant, dispatch_uid="analysis.begin_deposits_again_without")
def begin_deposits_again(sender: type[Participant], instance: Participant, **event: Any) -> None:
    """Make the files of deposits again, as a participant is gone."""
    # Imported here, because that is too early while Django starts.
    from analysis.deposits.managing import begin_again_without_whoever_is_gone

    begin_again_without_whoever_is_gone(instance.study_id)
