"""Model of what is counted and measured of a finished session."""

from __future__ import annotations

from django.db import models

from participants.models.sessions import Session


class SessionFigures(models.Model):
    """What pages and tables say of a finished session, kept when it ends, so that nobody reads its answers again.

    Everything here follows from answers, which never change, and from what `stamp` names; it can be made again.
    """

    session = models.OneToOneField(Session, primary_key=True, on_delete=models.CASCADE, related_name="figures")
    stamp = models.CharField(max_length=64)
    trials = models.PositiveIntegerField()
    answered = models.PositiveIntegerField()
    # Trials that were cut and answered later, and those in which the window was left.
    interrupted = models.PositiveIntegerField()
    away = models.PositiveIntegerField()
    focus_losses = models.PositiveIntegerField()
    # Trials that a browser began, batches of events that answers announced, and the newest rows of both kinds.
    opened = models.PositiveIntegerField()
    event_batches = models.PositiveIntegerField()
    last_trial = models.PositiveBigIntegerField(null=True)
    last_response = models.PositiveBigIntegerField(null=True)
    # Answered trials whose page had been translated.
    translated = models.PositiveIntegerField()
    # Answered trials with something outside of the window, and those in which the page stood still.
    out_of_view = models.PositiveIntegerField()
    slept = models.PositiveIntegerField()
    # Median time of the trials of the main phases.
    median_rt_ms = models.FloatField(null=True)
    last_result_at = models.DateTimeField(null=True)
    # Whether a quality measure is below a threshold of the study.
    is_flagged = models.BooleanField()
    # Part → answers, and number and median of the times of its main phase.
    parts = models.JSONField(default=dict)
    # Task → quality measures, by their names.
    quality = models.JSONField(default=dict)
    # Answers of the main phases: part, whether fillers, the rule that leaves them out, how many.
    counted = models.JSONField(default=list)
    # Why rules leave the session out, and for each reason the positions of the trials that are left out by themselves.
    ruled_out = models.TextField(blank=True, default="")
    ruled_out_trials = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "session figures"

    def __str__(self) -> str:
        return f"{self.session_id}: {self.answered} / {self.trials}"
