"""Models of withdrawals (tombstones) and erasures, without any personal data."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study


class Tombstone(models.Model):
    """That someone withdrew, and nothing else about them."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="tombstones")
    by_participant = models.BooleanField()
    was_complete = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Withdrawn {self.at:%Y-%m-%d}"


class Erasure(models.Model):
    """That data of somebody were erased, so that a backup from before can be made to forget them again.

    `digest` can only be computed from the erased rows, so it reveals nothing without a backup that contains them.
    """

    class Kind(models.TextChoices):
        WITHDRAWN = "withdrawn", _("Withdrawn by the participant")
        REMOVED = "removed", _("Withdrawn by a researcher")
        RETENTION = "retention", _("Erased with all participants of the study")
        IDENTITY = "identity", _("Recruitment id erased")

    digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField()
    traces_left = models.BooleanField(
        default=True, help_text=_("Whether the log of an SQLite database may still hold what was erased.")
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["digest", "kind"], name="one_erasure_per_person_and_kind")]
        indexes = [
            models.Index(fields=["at"], condition=models.Q(traces_left=True), name="erasures_with_traces"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d}"
