"""Models of hooks: where a study sends its events, and each event that was stored to be sent."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study
from participants.models.leases import Leased
from participants.models.sessions import Session
from participants.sealing import opened, seal


class Hook(Leased):
    """An address of a study to which its events are sent. It outlives the study until the last event has been sent."""

    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="hooks")
    study_slug = models.CharField(max_length=60)
    address = models.CharField(max_length=500)
    secret_sealed = models.TextField()
    previous_secret_sealed = models.TextField(blank=True, default="")
    both_sign_until = models.DateTimeField(null=True, blank=True)
    kinds = models.JSONField(
        default=dict, help_text=_("The chosen kinds of events, each with the time from which they are news.")
    )
    is_active = models.BooleanField(default=True)
    # Why it is off, where nobody switched it off: the answer of the receiver.
    off_because = models.CharField(max_length=200, blank=True, default="")
    # Up to here everything was looked for.
    looked_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "address"], name="one_hook_per_address")]

    def __str__(self) -> str:
        return f"Hook {self.pk} of {self.study_slug}"

    @property
    def secret(self) -> str:
        """With what events are signed; empty where it was sealed with another key."""
        return opened(self.secret_sealed)

    @secret.setter
    def secret(self, text: str) -> None:
        self.secret_sealed = seal(text)

    @property
    def previous_secret(self) -> str:
        """What signed before the last rotation; empty where there was none."""
        return opened(self.previous_secret_sealed) if self.previous_secret_sealed else ""


class HookEvent(models.Model):
    """Something that happened in a study, as it is sent to one hook. The key keeps it from being stored twice."""

    class Kind(models.TextChoices):
        OPENED = "study.opened", _("The study was opened")
        CLOSED = "study.closed", _("The study was closed")
        PAUSED = "study.paused", _("The study was paused")
        RESUMED = "study.resumed", _("The study was resumed")
        ENDED = "session.completed", _("A session ended, with its outcome")
        QUOTA = "quota.reached", _("The quota was reached")
        LOOK = "look.due", _("An interim look is due")
        RUN = "run.finished", _("An analysis finished")
        ERASED = "participants.erased", _("Participants were erased")
        DELETED = "study.deleted", _("The study was deleted")
        TEST = "test", _("A test")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("delivered")
        GIVEN_UP = "given-up", _("given up")

    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="events")
    # What is sent of a session is erased with it.
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    delivery = models.UUIDField(default=uuid.uuid4, unique=True)
    kind = models.CharField(max_length=30, choices=Kind.choices)
    key = models.CharField(max_length=60)
    # Text: every attempt sends the same bytes.
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    queued_at = models.DateTimeField()
    next_attempt_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True, default="")
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["hook", "kind", "key"], name="stored_once")]
        indexes = [models.Index(fields=["hook", "state", "id"], name="hook_events_by_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
