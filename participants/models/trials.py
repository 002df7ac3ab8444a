"""Models of trials, responses, events, intake problems and browser errors."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Part, Stimulus, Study
from participants.models.sessions import Session


class Trial(models.Model):
    """One step of a session that yields data, with the exact parameters that are shown.

    `private` holds what the server needs to judge an answer and the browser must never learn.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="trials")
    # Without an index: trials are found by their session, and every start writes a hundred of them.
    part = models.ForeignKey(Part, on_delete=models.PROTECT, related_name="trials", db_index=False)
    position = models.PositiveIntegerField()
    phase = models.CharField(max_length=20)
    plugin = models.CharField(max_length=60)
    params = models.JSONField("parameters", default=dict)
    private = models.JSONField(default=dict)
    stimulus = models.ForeignKey(Stimulus, null=True, blank=True, on_delete=models.PROTECT, related_name="trials")
    opened_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=_("When the browser first began this trial; without a response, the trial was interrupted."),
    )

    class Meta:
        ordering = ["session_id", "position"]
        constraints = [models.UniqueConstraint(fields=["session", "position"], name="one_trial_per_position")]

    def __str__(self) -> str:
        return f"{self.position + 1}. {self.plugin}"


class Response(models.Model):
    """What a participant answered in one trial, exactly as it was acknowledged."""

    trial = models.OneToOneField(Trial, on_delete=models.CASCADE, related_name="response")
    payload = models.JSONField()
    rt_ms = models.FloatField(
        "response time (ms)", null=True, help_text=_("Onset to submission on one monotonic clock, in milliseconds.")
    )
    onset_ms = models.FloatField(
        "onset (ms)", null=True, help_text=_("Onset of the stimulus since the page was opened, in milliseconds.")
    )
    clock = models.CharField(max_length=20, blank=True, help_text=_("Which clock gave the onset."))
    onset_error_ms = models.FloatField(
        "uncertainty of the onset (ms)",
        null=True,
        help_text=_("By how many milliseconds the onset may be off, as far as the browser knows."),
    )
    interrupted = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=1)
    focus_losses = models.PositiveSmallIntegerField(default=0)
    translated = models.BooleanField(
        null=True, help_text=_("Whether a program of the browser had translated the page; empty if none did.")
    )
    out_of_view = models.PositiveSmallIntegerField(
        null=True,
        help_text=_("How many timed elements were not completely in the window; empty if unknown."),
    )
    draft_restored = models.BooleanField(
        null=True,
        help_text=_("Whether text that was typed before a reload of the page was restored; empty if there was none."),
    )
    page_slept_ms = models.FloatField(
        "standstill of the page (ms)",
        null=True,
        help_text=_("For how many milliseconds the page stood still during the trial; empty if it did not."),
    )
    event_batches = models.PositiveIntegerField(default=0, help_text=_("How many event batches belong to this trial."))
    content_hash = models.CharField(max_length=64)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["trial_id"]

    def __str__(self) -> str:
        return str(_("Response to %(trial)s") % {"trial": self.trial_id})


class EventBatch(models.Model):
    """A batch of browser events of one trial. Rows are only ever added."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="event_batches")
    sequence = models.PositiveIntegerField()
    events = models.JSONField()
    content_hash = models.CharField(max_length=64)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["trial_id", "sequence"]
        verbose_name_plural = "event batches"
        constraints = [models.UniqueConstraint(fields=["trial", "sequence"], name="one_event_batch_per_sequence")]

    def __str__(self) -> str:
        return f"Batch {self.sequence} of {self.trial_id}"


class IntakeProblem(models.Model):
    """A result that is not among the responses: refused, contradicting, or set aside. Kept as it came and shown."""

    class Kind(models.TextChoices):
        CONFLICT = "conflict", _("Contradicts a stored result")
        REFUSED = "refused", _("Refused")
        RESTARTED = "restarted", _("Set aside when its block was restarted")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="intake_problems")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    sequence = models.IntegerField()
    entry = models.JSONField()
    reason = models.TextField()
    content_hash = models.CharField(max_length=64)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "sequence", "content_hash"], name="one_problem_per_content")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.sequence}"


class BrowserError(models.Model):
    """An error in a participant's browser."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="browser_errors")
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="browser_errors")
    message = models.CharField(max_length=500)
    detail = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.message
