"""Models of codings, analysis runs and looks of sequential plans.

Rows of codings are written by `analysis.coding` alone. A run's row is the truth; the broker only wakes a worker up.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Stimulus, Study
from participants.models import Response, Session
from participants.sealing import opened, seal


class MethodRun(models.Model):
    """One method run with one set of parameters: what a worker claims, computes and concludes, whatever the table."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    method = models.CharField(max_length=60)
    params = models.JSONField("parameters", default=dict)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    # Text and not JSON: report.json leaves byte for byte as it was computed, whatever a database does to JSON.
    report = models.TextField(blank=True, help_text=_("The report.json of the analysis."))
    error = models.TextField(blank=True)
    code_version = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.method} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class AnalysisRun(MethodRun):
    """One method run on one study's data."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="analysis_runs")
    part = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The name of the task that is analysed; empty for the first one."),
    )
    table = models.CharField(
        max_length=60, default="trials", help_text=_("The name that the analysed table of the study has in exports.")
    )
    other_study = models.ForeignKey(
        Study,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("The study whose ratings are compared; only for the table “pairs”."),
    )
    cancel_requested = models.BooleanField(default=False)
    is_in_parts = models.BooleanField(
        default=False, help_text=_("The analysis is computed in parts, which background processes take one by one.")
    )
    preparation = models.TextField(
        blank=True, help_text=_("JSON: what every part needs to know about the data, until the analysis has ended.")
    )
    error_reference = models.CharField(
        max_length=12,
        blank=True,
        help_text=_(
            "With this reference, people who run the server find the details of an unexpected error in its log."
        ),
    )
    data_stamp = models.CharField(
        max_length=64, blank=True, help_text=_("Changes whenever the study's data change; quick to compute.")
    )
    data_hash = models.CharField(
        max_length=64, blank=True, help_text=_("SHA-256 of the table that was analysed, as it is exported.")
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="run_by_status")]


class AnalysisPart(models.Model):
    """A part of a run that is split among workers. It is there from the splitting until the run has ended.

    Description and result are text, like the report: a database may reorder JSON and turn 1e16 into an integer.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")

    run = models.ForeignKey(AnalysisRun, on_delete=models.CASCADE, related_name="parts")
    index = models.PositiveIntegerField(help_text=_("From 0; results are put together in this order."))
    description = models.TextField(help_text=_("JSON: what the part consists of."))
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    result = models.TextField(blank=True, help_text=_("JSON: what came out."))

    class Meta:
        ordering = ["run_id", "index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="one_part_per_index")]
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="part_by_status")]

    def __str__(self) -> str:
        return f"{self.index} ({self.get_status_display()})"


class UploadedTable(models.Model):
    """A table that a researcher uploaded to analyse it without a study; nobody else sees it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploaded_tables")
    name = models.CharField(max_length=200, help_text=_("The name of the file, without its folder."))
    content = models.TextField(help_text=_("The table as CSV: UTF-8, commas."))
    columns = models.JSONField(help_text=_("For each column: its name, whether it has numbers, and how many values."))
    rows = models.PositiveIntegerField()
    first_rows = models.JSONField(default=list)
    said = models.JSONField(default=list, help_text=_("Remarks on how the file was read."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class TableRun(MethodRun):
    """One method run on an uploaded table; it is claimed like the run of a study."""

    table = models.ForeignKey(UploadedTable, on_delete=models.CASCADE, related_name="runs")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="table_run_by_status")]


class SequentialLook(models.Model):
    """One look of the sequential plan of a study, made by a worker; what it found is shown when the plan has stopped.

    There is a row from the moment at which the look's number of people is there; it is claimed like a run.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Made")

    class Decision(models.TextChoices):
        CONTINUES = "continues", _("continues")
        FOUND = "found", _("stops: the boundary is crossed")
        ENDED = "ended", _("stops: the last look is made")
        UNTESTED = "untested", _("continues: there was no test")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="sequential_looks")
    number = models.PositiveSmallIntegerField(help_text=_("From 1; a look is made once."))
    people = models.PositiveIntegerField(help_text=_("How many people the look includes: the first ones who finished."))
    share = models.FloatField(help_text=_("Share of the planned information, 0 to 1."))
    spent = models.FloatField(help_text=_("Share of studies without the effect that stop at this look or before."))
    boundary = models.FloatField(help_text=_("The study stops at this look if |z| is at least this."))
    level = models.FloatField(help_text=_("The same as a two-sided p."))
    is_last = models.BooleanField(default=False)
    lists = models.JSONField(default=dict, help_text=_("The number of people on each list."))
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    p = models.FloatField(
        null=True, blank=True, help_text=_("Nobody sees this before the sequential analysis has stopped.")
    )
    error = models.TextField(blank=True, help_text=_("Why there was no test."))
    run = models.OneToOneField(
        AnalysisRun,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="look",
        help_text=_("The report of the look that stopped the study; other looks have no report."),
    )
    created_at = models.DateTimeField(auto_now_add=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study_id", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_look_per_number")]

    def __str__(self) -> str:
        return f"{self.number} ({self.get_status_display()})"

    @property
    def stops(self) -> bool:
        """Whether the plan stopped with this look."""
        return self.decision in (self.Decision.FOUND, self.Decision.ENDED)


class StudyArchive(models.Model):
    """Everything of a study as one file, made by a worker for the person who asked for it, and deleted after a day."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")
        FAILED = "failed", _("Failed")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="archives")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    layout = models.CharField(max_length=20)
    variant = models.CharField(max_length=10)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField(default=0, help_text=_("Size of the file in bytes."))
    runs = models.JSONField(default=list, help_text=_("The analyses whose reports the archive may contain."))
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.layout}, {self.variant} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


class Deposit(models.Model):
    """A draft in an archive of research data that a worker fills with the files of a study; people publish it there."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Uploading")
        DONE = "done", _("Draft ready")
        FAILED = "failed", _("Failed")

    class Archive(models.TextChoices):
        ZENODO = "zenodo", "Zenodo"
        SANDBOX = "zenodo-sandbox", _("Zenodo Sandbox, for trying out")
        OSF = "osf", "OSF"
        DATAVERSE = "dataverse", "Dataverse"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="deposits")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    archive = models.CharField(max_length=20, choices=Archive.choices)
    host = models.CharField(max_length=500, blank=True, help_text=_("Address of the Dataverse."))
    collection = models.CharField(max_length=100, blank=True, help_text=_("Collection of the Dataverse."))
    layout = models.CharField(max_length=20)
    metadata = models.JSONField(default=dict)
    token_sealed = models.TextField(blank=True)
    # By this the draft is found again where the answer that it was made got lost.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    draft = models.CharField(max_length=200, blank=True, help_text=_("Number of the draft in the archive."))
    doi = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=500, blank=True, help_text=_("Page of the draft."))
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0, help_text=_("Failed attempts since the last progress."))
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    is_to_be_deleted = models.BooleanField(default=False, help_text=_("The draft is to be deleted in the archive."))
    is_outdated = models.BooleanField(default=False, help_text=_("Somebody withdrew after the files were made."))
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_archive_display()} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)

    @property
    def token(self) -> str:
        """The token of the archive; empty where it was forgotten or sealed with another key."""
        return opened(self.token_sealed) if self.token_sealed else ""

    @token.setter
    def token(self, text: str) -> None:
        self.token_sealed = seal(text) if text else ""


class DepositFile(models.Model):
    """One file of a deposit: what it has to be in the archive, and how much of it the archive has acknowledged."""

    deposit = models.ForeignKey(Deposit, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField()
    md5 = models.CharField(max_length=32)
    sha256 = models.CharField(max_length=64)
    sent = models.PositiveBigIntegerField(default=0, help_text=_("Bytes that the archive has acknowledged."))
    is_stored = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["deposit", "name"], name="one_file_of_a_name_per_deposit")]

    def __str__(self) -> str:
        return self.name


class CodingState(models.Model):
    """What holds for all coders of a study: what is coded, and whether the codings are frozen.

    Every change of a coding locks this row, so that freezing and coding cannot cross.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="coding_state")
    salt = models.CharField(
        max_length=32,
        help_text=_("A secret from which the names of the recalls are made, so that they tell coders nothing."),
    )
    with_fillers = models.BooleanField(default=False, help_text=_("Whether fillers are coded too."))
    last_number = models.PositiveSmallIntegerField(default=0, help_text=_("The last number that was given to a coder."))
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    def __str__(self) -> str:
        return f"Coding of {self.study_id}"

    @property
    def is_frozen(self) -> bool:
        return self.frozen_at is not None


class CodingQueue(models.Model):
    """What one coder codes, in an order of the coder's own."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="coding_queues")
    coder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="coding_queues")
    number = models.PositiveSmallIntegerField(help_text=_("The coder's number in exports: coder-1, coder-2, …"))
    seed = models.PositiveBigIntegerField()
    share = models.FloatField(
        default=1.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_("Share of the recalls, 0 to 1."),
    )
    is_second = models.BooleanField(default=False, help_text=_("Codes to measure agreement."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "coder"], name="one_queue_per_coder"),
            models.UniqueConstraint(fields=["study", "number"], name="one_queue_per_number"),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def pseudonym(self) -> str:
        """What the coder is called in exports and reports."""
        return f"coder-{self.number}"


class Coding(models.Model):
    """The codes that one coder gave to one response, as they stand."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="codings")
    coder = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="codings")
    codes = models.JSONField(help_text=_("In the order of the study's scheme."))
    note = models.TextField(blank=True)
    seconds = models.FloatField(default=0, help_text=_("How long the coder had it on the screen in total."))
    revision = models.PositiveIntegerField(default=1, help_text=_("Increases with every change."))
    earlier = models.JSONField(default=list, blank=True, help_text=_("Earlier states, the latest last."))
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["response", "coder"], name="one_coding_per_coder")]

    def __str__(self) -> str:
        return ";".join(self.codes)


class Adjudication(models.Model):
    """The codes on which a recall was settled where coders differed; these are what is analysed."""

    response = models.OneToOneField(Response, on_delete=models.CASCADE, related_name="adjudication")
    codes = models.JSONField(help_text=_("In the order of the study's scheme."))
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    basis = models.JSONField(default=list, blank=True, help_text=_("The codings that were seen when it was decided."))
    revision = models.PositiveIntegerField(default=1, help_text=_("Increases with every change."))
    earlier = models.JSONField(default=list, blank=True, help_text=_("Earlier states, the latest last."))
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return ";".join(self.codes)


class TextScore(models.Model):
    """A measure of a study's texts that was computed here or elsewhere, under the name of its column in exports.

    Participants never get it: it is kept apart from the materials, which their browsers are sent.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="text_scores")
    part = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The name of the task for which it was stored; empty if the study had one task."),
    )
    name = models.CharField(max_length=100, help_text=_("The column in exports; it begins with metric_."))
    provenance = models.TextField(help_text=_("Where the numbers come from, as the codebook says it."))
    stored_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    stored_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "part", "name"], name="one_score_per_name")]

    def __str__(self) -> str:
        return self.name


class TextScoreValue(models.Model):
    """The value of one score for one text, and the text that it was computed for."""

    score = models.ForeignKey(TextScore, on_delete=models.CASCADE, related_name="values")
    stimulus = models.ForeignKey(Stimulus, on_delete=models.CASCADE, related_name="+")
    value = models.FloatField()
    text_hash = models.CharField(
        max_length=16, help_text=_("Hash of the text, which may change until the study opens.")
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["score", "stimulus"], name="one_value_per_text")]

    def __str__(self) -> str:
        return f"{self.value:g}"


class SessionMeans(models.Model):
    """The means of the main measure of one finished session, by condition: what the picture of Analyse is made of.

    They follow from answers, which never change, and from what `stamp` names; they can be made again.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="means")
    part = models.CharField(max_length=40, blank=True, help_text=_("The name of the task."))
    stamp = models.CharField(max_length=64, help_text=_("Hash of the measure, the rows and the factors."))
    cells = models.JSONField(default=list, help_text=_("Levels of the factors, number of trials, mean."))

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["session", "part"], name="one_row_of_means_per_task")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.part}"
