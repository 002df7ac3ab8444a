"""What exists while people take part: participants, sessions, trials and what they answered.

Rows are written by `sessions` and `intake` alone. Recruitment ids live in a table of their own, so that they can be
erased without touching the data. Of what a participant holds (cookie, start key, codes) there is a hash to find it by
and, where it has to be shown again, a sealed copy: the properties of the same name take and give the text itself.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Part, Stimulus, StimulusList, Study
from participants.codes import normalised_session_code, normalised_withdrawal_code
from participants.sealing import digest, keyed_digest, opened, seal


class Participant(models.Model):
    """A person in a study, known by a pseudonym only."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participants")
    pseudonym = models.CharField(max_length=20)
    withdrawal_code_hash = models.CharField(max_length=64, unique=True)
    withdrawal_code_sealed = models.TextField()
    is_simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "pseudonym"], name="one_participant_per_pseudonym")]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def withdrawal_code(self) -> str:
        """The code that the last page shows; empty where it was sealed with another key."""
        return opened(self.withdrawal_code_sealed)

    @withdrawal_code.setter
    def withdrawal_code(self, code: str) -> None:
        self.withdrawal_code_hash = Participant.hash_of_code(code)
        self.withdrawal_code_sealed = seal(code)

    @staticmethod
    def hash_of_code(typed: str) -> str:
        """Return the hash by which a withdrawal code is found, however it was typed."""
        return digest(normalised_withdrawal_code(typed))


class RecruitmentIdentity(models.Model):
    """The id by which a recruitment platform knows a participant. Never exported; erasable alone."""

    participant = models.OneToOneField(Participant, on_delete=models.CASCADE, related_name="recruitment")
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=40, help_text=_("The parameter that carried the id, such as PROLIFIC_PID."))
    external_id_hash = models.CharField(max_length=64)
    external_id_sealed = models.TextField()
    parameters = models.JSONField(default=dict, blank=True, help_text=_("The other declared parameters of the link."))

    class Meta:
        verbose_name_plural = "recruitment identities"
        constraints = [
            models.UniqueConstraint(
                fields=["study", "source", "external_id_hash"], name="one_participant_per_external_id"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} of {self.participant_id}"

    @property
    def external_id(self) -> str:
        """The id as the link carried it; empty where it was sealed with another key."""
        return opened(self.external_id_sealed)

    @external_id.setter
    def external_id(self, text: str) -> None:
        self.external_id_hash = keyed_digest(text)
        self.external_id_sealed = seal(text)


class Session(models.Model):
    """One participant's run through a study, with its list, its seed and its order."""

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
    group = models.CharField(max_length=60, blank=True, help_text=_("The group of the study; empty where it has none."))
    order = models.CharField(
        max_length=1_000,
        blank=True,
        help_text=_("The parts that change places, by their names, in the order of this session."),
    )
    assigned_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When group, order and lists were decided; empty as long as they are not.")
    )
    token_hash = models.CharField(max_length=64, unique=True)
    token_sealed = models.TextField()
    start_key_hash = models.CharField(
        max_length=64, help_text=_("Of the key that the page made which was open; makes Start idempotent.")
    )
    seed = models.PositiveBigIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    outcome = models.CharField(
        max_length=20, choices=Outcome.choices, blank=True, help_text=_("How it ended; empty while it runs.")
    )
    source = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The source of the study by which somebody came; empty for no named one."),
    )
    criteria = models.CharField(
        max_length=1_500, blank=True, help_text=_("The criteria with a quota that the answers meet, by their names.")
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
        help_text=_("The rule of the plan that leaves the finished session out; no value as long as nobody judged it."),
    )
    returned_late = models.BooleanField(
        default=False, help_text=_("Came back after the place in the list had been given free; keeps the same list.")
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "participant"], name="one_session_per_participant"),
            models.UniqueConstraint(fields=["study", "start_key_hash"], name="one_session_per_start_key"),
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

    def _take_start_key(self, key: str) -> None:
        self.start_key_hash = digest(key)

    # Nobody has to be shown it again, so nothing but its hash is kept.
    start_key = property(fset=_take_start_key)


class SessionList(models.Model):
    """The list of a further task of a session; that of its first task stands in the session itself."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="further_lists")
    list = models.ForeignKey(StimulusList, on_delete=models.PROTECT, related_name="further_sessions")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["session", "list"], name="one_further_list_per_session")]

    def __str__(self) -> str:
        return f"{self.list} of {self.session_id}"


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
    params = models.JSONField(default=dict)
    private = models.JSONField(default=dict)
    stimulus = models.ForeignKey(Stimulus, null=True, blank=True, on_delete=models.PROTECT, related_name="trials")
    opened_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the browser first began this trial; without a response it was cut.")
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
    rt_ms = models.FloatField(null=True, help_text=_("Onset to submission on one monotonic clock, in milliseconds."))
    onset_ms = models.FloatField(
        null=True, help_text=_("Onset of the stimulus since the page was opened, in milliseconds.")
    )
    clock = models.CharField(max_length=20, blank=True, help_text=_("Which clock gave the onset."))
    onset_error_ms = models.FloatField(
        null=True, help_text=_("By how many milliseconds the onset may be off, as far as the browser knows.")
    )
    interrupted = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=1)
    focus_losses = models.PositiveSmallIntegerField(default=0)
    translated = models.BooleanField(
        null=True, help_text=_("Whether a program of the browser had translated the page; empty where none did.")
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


class WriteProbe(models.Model):
    """One row that is written when somebody asks whether anything can be."""

    written_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.written_at:%Y-%m-%d %H:%M:%S}"


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

    `digest` can be computed from the erased rows alone: whoever has no backup that holds the person learns nothing.
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


class Simulation(models.Model):
    """Simulated participants that somebody asked for: how many, and how far they are."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="simulations")
    participants = models.PositiveIntegerField()
    seed = models.IntegerField()
    dropout = models.FloatField(default=0)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    done = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Until when the process that is at it has it for itself; after that another goes on.
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.done} of {self.participants}, {self.get_status_display()}"

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits or runs."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)
