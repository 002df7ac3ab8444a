"""Models of invitations, of users' preferences, of personal tokens, and of the shared cache."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Membership, Study


class Invitation(models.Model):
    """A link that makes one account. The link itself is not stored, only the digest of its token."""

    class Role(models.TextChoices):
        """Role of an account on the platform."""

        ADMINISTRATOR = "administrator", _("everything, on the whole platform")
        RESEARCHER = "researcher", _("make studies of their own")
        GUEST = "guest", _("see only what is shared with them")

    token_hash = models.CharField(max_length=64)
    role = models.CharField(max_length=16, choices=Role.choices)
    # The very first link, valid only as long as there is no administrator.
    is_first = models.BooleanField(default=False)
    email = models.EmailField(blank=True)
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    study_role = models.CharField(max_length=16, choices=Membership.Role.choices, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_role_display()}, {self.created_at:%Y-%m-%d}"


class Preference(models.Model):
    """A user's preferences for all pages; empty fields mean no choice."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    language = models.CharField(max_length=8, choices=settings.LANGUAGES)

    def __str__(self) -> str:
        return f"{self.user}: {self.get_language_display()}"


class SharedCacheEntry(models.Model):
    """A row of Django's database cache, which reads and writes it; here it is declared so that migrations make it."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "shared_cache"

    def __str__(self) -> str:
        return self.cache_key


class PersonalToken(models.Model):
    """A token with which a program acts for a person. The token itself is not stored, only its digest."""

    class Scope(models.TextChoices):
        """What a token may be used for, within what its person may do."""

        READ = "read", _("Read studies: settings, materials, texts, counts")
        WRITE = "write", _("Change studies: create, edit, open, close, exclude, erase")
        DATA = "data", _("Read the data of participants: sessions, exports, analyses")
        IDENTITIES = "identities", _("Read and erase recruitment ids, for payment")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(max_length=100)
    beginning = models.CharField(max_length=24, help_text=_("The first characters, by which people recognise it."))
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    # A token for some studies stays one where all of them have been deleted.
    is_for_some_studies = models.BooleanField(default=False)
    studies = models.ManyToManyField(Study, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"


class KeptAnswer(models.Model):
    """The answer to a request with an idempotency key, given again where the same request comes again."""

    token = models.ForeignKey(PersonalToken, on_delete=models.CASCADE, related_name="kept_answers")
    key = models.CharField(max_length=100)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_answer_per_key")]

    def __str__(self) -> str:
        return f"{self.key} ({self.status})"
