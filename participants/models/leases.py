"""Rows at which one worker is at a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Leased(models.Model):
    """A row with a lease for the worker that is at it; when the lease expires, another worker goes on."""

    claimed_by = models.CharField(max_length=32, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)
    # What waited longest comes first.
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def claim(self, worker: str, lease: timedelta, **still: Any) -> bool:
        """Take or renew the lease where it is free or the worker's own and `still` is so; return whether it is."""
        now = timezone.now()
        mine = type(self)._default_manager.filter(free_at(now) | Q(claimed_by=worker), pk=self.pk, **still)
        return bool(mine.update(claimed_by=worker, claimed_until=now + lease, tried_at=now))

    def let_go(self, worker: str) -> None:
        """End the lease of a worker, so that the next one need not wait."""
        mine = type(self)._default_manager.filter(pk=self.pk, claimed_by=worker)
        mine.update(claimed_by="", claimed_until=None)


def free_at(now: datetime) -> Q:
    """Return the condition of rows at which no worker is."""
    return Q(claimed_until=None) | Q(claimed_until__lt=now)
