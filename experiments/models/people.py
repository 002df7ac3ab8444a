"""Models of access and audit: members of a study, preview links, the audit log."""

from __future__ import annotations

from django.conf import settings as platform
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models.studies import Study


class Membership(models.Model):
    """A researcher whom the owner added to a study."""

    class Role(models.TextChoices):
        EDITOR = "editor", _("Can edit and analyse")
        VIEWER = "viewer", _("Can look and download")
        CODER = "coder", _("Can code and sees nothing else")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(platform.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VIEWER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.user} – {self.get_role_display()}"


class PreviewLink(models.Model):
    """A link for reading and trying out a study without an account, until it expires; nothing is stored.

    Only the hash of its token is stored: the link itself is shown once.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="preview_links")
    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=100, help_text=_("For whom it is, such as: ethics board."))
    created_by = models.ForeignKey(platform.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.note


class AuditEntry(models.Model):
    """Who changed, opened, excluded, exported or deleted what, and when. Rows are only ever added."""

    study = models.ForeignKey(Study, null=True, on_delete=models.SET_NULL, related_name="audit_entries")
    study_slug = models.CharField(max_length=60, blank=True)
    user = models.ForeignKey(platform.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    action = models.CharField(max_length=60)
    detail = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("entry of the history")
        verbose_name_plural = _("entries of the history")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
