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
        DATA = "data", _("Can look at the data only: no materials, no identities")
        CODER = "coder", _("Can code and sees nothing else")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(platform.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VIEWER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.user} – {self.get_role_display()}"


class Team(models.Model):
    """Researchers of one laboratory or project, who get roles in studies together."""

    name = models.CharField(max_length=80, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """Somebody in a team. Its leads add and remove people."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(platform.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="teams")
    is_lead = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.user} – {self.team}"


class TeamShare(models.Model):
    """A study that is shared with a team: everybody who is in it at the moment has the role."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="team_shares")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="shares")
    role = models.CharField(max_length=10, choices=Membership.Role.choices, default=Membership.Role.VIEWER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "team"], name="one_share_per_team")]

    def __str__(self) -> str:
        return f"{self.team} – {self.get_role_display()}"


class Comment(models.Model):
    """What somebody who works on a study says about one of its steps, for the others. Never exported."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="comments")
    step = models.CharField(max_length=40)
    # The task whose step it is, in a study of several; else empty.
    task = models.CharField(max_length=60, blank=True)
    author = models.ForeignKey(platform.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    body = models.TextField(max_length=2_000)
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(platform.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.author or '–'}: {self.step}"


class PreviewLink(models.Model):
    """A link for reading and trying out a study without an account, until it expires; nothing is stored.

    Only the hash of its token is stored: the link itself is shown once.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="preview_links")
    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=100, help_text=_("Who uses it, such as: ethics board."))
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
