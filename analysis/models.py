"""What exists afterwards: analysis runs. A run's row is the truth; the broker only wakes a worker up."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study


class AnalysisRun(models.Model):
    """One method run on one study's data with one set of parameters."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="analysis_runs")
    method = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    cancel_requested = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    # Text and not JSON: report.json leaves byte for byte as it was computed, whatever a database does to JSON.
    report = models.TextField(blank=True, help_text=_("The report.json of the analysis."))
    error = models.TextField(blank=True)
    error_reference = models.CharField(
        max_length=12, blank=True, help_text=_("Under which the server's log holds the details of an unexpected error.")
    )
    data_stamp = models.CharField(
        max_length=64, blank=True, help_text=_("Changes whenever the study's data change; quick to compute.")
    )
    data_hash = models.CharField(max_length=64, blank=True, help_text=_("SHA-256 of the trials.csv that was analysed."))
    code_version = models.CharField(max_length=40, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="run_by_status")]

    def __str__(self) -> str:
        return f"{self.method} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)
