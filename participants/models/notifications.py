"""Models of notifications: what somebody wants to be told of a study, and what they were told."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study


class Subscription(models.Model):
    """What a person wants to be told of a study; everything off means nothing."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions")
    every_finished = models.PositiveIntegerField(
        _("Finished participants"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100_000)],
        help_text=_("Each time this many more people have finished. Empty for never."),
    )
    quota_full = models.BooleanField(_("The quota is full"), default=False)
    errors = models.BooleanField(
        _("Errors"),
        default=False,
        help_text=_("In a participant’s browser, or a result that was set aside; once a day."),
    )
    dropouts_above = models.PositiveSmallIntegerField(
        _("Drop-outs above (%)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("The share of people who began and left; counted from ten people on. Empty for never."),
    )
    by_mail = models.BooleanField(_("By e-mail, too"), default=False)
    # What was there when the choice was made is no news.
    finished_before = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="one_subscription_per_person")]

    def __str__(self) -> str:
        return f"{self.user}: {self.study_id}"


class Notification(models.Model):
    """One thing that somebody was told; `key` keeps it from being told twice."""

    class Kind(models.TextChoices):
        FINISHED = "finished", _("Finished participants")
        QUOTA = "quota", _("The quota is full")
        ERRORS = "errors", _("Errors")
        DROPOUTS = "dropouts", _("Drop-outs")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="notifications")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=40)
    number = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "user", "kind", "key"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
