"""Models of sessions: their lists, their one-time resume codes, the codes of supervised sessions, and pauses."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import StimulusList, Study
from participants.codes import normalised_resume_code, normalised_session_code
from participants.models.people import Participant
from participants.sealing import digest, keyed_digest, opened, seal


class Session(models.Model):
    """One participant's run through a study, with its list, its seed and its order."""

    # Whether whoever asks has shown no more than a link: they never learn the withdrawal code or the resume code.
    is_joined_by_link = False

    class Status(models.TextChoices):
        RUNNING = "running", _("Running")
        COMPLETE = "complete", _("Complete")
        ENDED = "ended", _("Ended early")

    class Outcome(models.TextChoices):
        COMPLETED = "completed", _("Completed")
        SCREENED_OUT = "screened-out", _("Screened out")
        DECLINED = "declined", _("Declined")
        OVER_QUOTA = "over-quota", _("Over quota")
        FAILED_CHECK = "failed-check", _("Failed a check")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        DROPPED_OUT = "dropped-out", _("Dropped out")

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="sessions")
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="sessions")
    list = models.ForeignKey(StimulusList, null=True, on_delete=models.PROTECT, related_name="sessions")
    group = models.CharField(
        max_length=60, blank=True, help_text=_("The group of the study; empty if the study has no groups.")
    )
    order = models.CharField(
        max_length=1_000,
        blank=True,
        help_text=_("The names of the counterbalanced parts, in the order of this session."),
    )
    assigned_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When group, order and lists were decided; empty until then.")
    )
    token_hash = models.CharField(max_length=64, unique=True)
    token_sealed = models.TextField()
    start_key_hash = models.CharField(
        max_length=64, help_text=_("Hash of the key that the open page made; makes Start idempotent.")
    )
    resume_code_hash = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text=_("Hash of the code with which the session continues on another device."),
    )
    resume_code_sealed = models.TextField(blank=True, default="")
    seed = models.PositiveBigIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    outcome = models.CharField(
        max_length=20, choices=Outcome.choices, blank=True, help_text=_("How the session ended; empty while it runs.")
    )
    source = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The source of the study from which the person came; empty without a named source."),
    )
    criteria = models.CharField(
        max_length=1_500, blank=True, help_text=_("The criteria with a quota that the answers meet, by their names.")
    )
    skipped = models.CharField(
        max_length=1_000,
        blank=True,
        default="",
        help_text=_(
            "The names of the parts that are not for this session because its answers do not match their rules."
        ),
    )
    skipped_because = models.TextField(
        blank=True,
        default="",
        help_text=_("For each part that later answers or scores ruled out: the answers or scores that decided."),
    )
    stage = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=None,
        help_text=_("The last stage that is decided while later ones wait for answers; otherwise no value."),
    )
    study_version = models.PositiveIntegerField()
    language = models.CharField(max_length=8)
    is_simulated = models.BooleanField(default=False)
    consent_version = models.PositiveIntegerField()
    consent_given_at = models.DateTimeField()
    consent_choices = models.JSONField(
        default=dict, blank=True, help_text=_("Optional statements and whether they were ticked.")
    )
    started_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    client = models.JSONField(
        default=dict, blank=True, help_text=_("Browser, window, refresh rate and clock, as reported.")
    )
    lease_holder = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    is_excluded = models.BooleanField(default=False)
    exclusion_reason = models.CharField(max_length=500, blank=True)
    excluded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    excluded_at = models.DateTimeField(null=True, blank=True)
    planned_exclusion = models.CharField(
        max_length=500,
        null=True,
        blank=True,
        default=None,
        help_text=_("The rule of the plan that excludes the finished session; no value until the session is judged."),
    )
    returned_late = models.BooleanField(
        default=False,
        help_text=_("The person came back after their place in the list had become free; they keep the same list."),
    )
    given_up_at = models.DateTimeField(
        null=True,
        blank=True,
        default=None,
        help_text=_("When the recruitment service said that the person returned the study or ran out of time."),
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "participant"], name="one_session_per_participant"),
            models.UniqueConstraint(fields=["study", "start_key_hash"], name="one_session_per_start_key"),
            models.UniqueConstraint(
                fields=["study", "resume_code_hash"],
                condition=~models.Q(resume_code_hash=""),
                name="one_session_per_resume_code",
            ),
        ]
        indexes = [models.Index(fields=["study", "status", "last_seen_at"], name="session_by_status")]

    def __str__(self) -> str:
        return f"{self.participant} ({self.get_status_display()})"

    @property
    def token(self) -> str:
        """What the browser's cookie holds; empty where it was sealed with another key."""
        return opened(self.token_sealed)

    @token.setter
    def token(self, token: str) -> None:
        self.token_hash = digest(token)
        self.token_sealed = seal(token)

    @property
    def resume_code(self) -> str:
        """What continues the session on another device; empty where there is none, or it was sealed with another
        key.
        """
        return opened(self.resume_code_sealed) if self.resume_code_sealed else ""

    @resume_code.setter
    def resume_code(self, code: str) -> None:
        self.resume_code_hash = Session.hash_of_resume_code(code)
        self.resume_code_sealed = seal(code)

    @staticmethod
    def hash_of_resume_code(typed: str) -> str:
        """Return the hash by which a resume code is found, however it was typed."""
        return keyed_digest(normalised_resume_code(typed))

    def _take_start_key(self, key: str) -> None:
        self.start_key_hash = digest(key)

    # Nobody has to be shown it again, so nothing but its hash is kept.
    start_key = property(fset=_take_start_key)


class SessionList(models.Model):
    """The list of a further task of a session; that of its first task is a field of the session itself."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="further_lists")
    list = models.ForeignKey(StimulusList, on_delete=models.PROTECT, related_name="further_sessions")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["session", "list"], name="one_further_list_per_session")]

    def __str__(self) -> str:
        return f"{self.list} of {self.session_id}"


class OneTimeResumeCode(models.Model):
    """A resume code that a researcher gave out for a session. It opens the session once; only its hash is kept."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="one_time_resume_code")
    code_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"One-time resume code of {self.session_id}"


class SessionCode(models.Model):
    """A code with which an experimenter lets one session of a supervised study begin, and one that ends its pauses."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="session_codes")
    code_hash = models.CharField(max_length=64)
    code_sealed = models.TextField()
    release_code_sealed = models.TextField()
    session = models.OneToOneField(
        Session, null=True, blank=True, on_delete=models.CASCADE, related_name="session_code"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["study", "code_hash"], name="one_session_per_code")]

    def __str__(self) -> str:
        return f"Code {self.pk}"

    @property
    def code(self) -> str:
        """What the experimenter reads out at the start; empty where it was sealed with another key."""
        return opened(self.code_sealed)

    @code.setter
    def code(self, code: str) -> None:
        self.code_hash = SessionCode.hash_of_code(code)
        self.code_sealed = seal(code)

    @property
    def release_code(self) -> str:
        """What the experimenter types to end a pause; empty where it was sealed with another key."""
        return opened(self.release_code_sealed)

    @release_code.setter
    def release_code(self, code: str) -> None:
        self.release_code_sealed = seal(code)

    @staticmethod
    def hash_of_code(typed: str) -> str:
        """Return the hash by which a session code is found, however it was typed."""
        return keyed_digest(normalised_session_code(typed))


class SessionPause(models.Model):
    """A pause of a supervised session, which only an experimenter ends."""

    class Reason(models.TextChoices):
        FULL_SCREEN = "full-screen", _("Full screen was left")
        EXPERIMENTER = "experimenter", _("Asked for by the experimenter")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="pauses")
    reason = models.CharField(max_length=20, choices=Reason.choices)
    began_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(ended_at__isnull=True), name="one_pause_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()} ({self.began_at:%Y-%m-%d %H:%M})"
