"""Models of write probes and of requested simulations."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study


class WriteProbe(models.Model):
    """One row that is written when somebody asks whether anything can be."""

    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.written_at:%Y-%m-%d %H:%M:%S}"


class Simulation(models.Model):
    """Simulated participants that somebody asked for: how many, and how far they are."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="simulations")
    participants = models.PositiveIntegerField()
    seed = models.IntegerField()
    dropout = models.FloatField(default=0)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    done = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Lease of the process that runs it; when it expires, another process continues.
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.done} of {self.participants}, {self.get_status_display()}"

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits or runs."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)
