"""Models of the versions of a task's materials."""

from __future__ import annotations

from django.conf import settings as platform
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models.one_task import OfPart
from experiments.models.parts import Part


class MaterialsContent(models.Model):
    """What materials were at some time, stored once for all versions of a task that are the same."""

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="material_contents")
    digest = models.CharField(max_length=64, help_text=_("SHA-256 of what is stored, before it was compressed."))
    packed = models.BinaryField(help_text=_("Design and mapping, compressed."))
    size = models.PositiveIntegerField(help_text=_("Bytes that it takes."))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["part", "digest"], name="one_materials_content_per_digest")]

    def __str__(self) -> str:
        return self.digest[:12]


class MaterialsVersion(OfPart):
    """One version of a task's materials: who made it, when, how, and what it changed. A change is a new row."""

    class Kind(models.TextChoices):
        FOUND = "found", _("Materials from before versions were kept")
        MADE = "made", _("Created with the study")
        COPIED = "copied", _("Copied")
        STORED = "stored", _("Table stored")
        CORRECTED = "corrected", _("Texts of an item changed")
        COLUMN = "column", _("Column changed")
        BACK = "back", _("Earlier version restored")

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="material_versions")
    number = models.PositiveIntegerField()
    content = models.ForeignKey(MaterialsContent, on_delete=models.RESTRICT, related_name="versions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    detail = models.CharField(
        max_length=200, blank=True, help_text=_("The file, the item, the column or the version that it came from.")
    )
    note = models.CharField(max_length=200, blank=True, help_text=_("What people wrote about it."))
    change = models.JSONField(default=dict, help_text=_("What it changed, in numbers; empty for the first version."))
    n_items = models.PositiveIntegerField()
    n_texts = models.PositiveIntegerField()
    paradigm = models.CharField(max_length=60)
    created_by = models.ForeignKey(
        platform.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the study was opened with it. Such a version is never removed.")
    )

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["part", "number"], name="one_materials_version_per_number")]

    def __str__(self) -> str:
        return str(self.number)
