"""Models of codings, analysis runs and looks of sequential plans.

Rows of codings are written by `analysis.coding` alone. A run's row is the truth; the broker only wakes a worker up.
"""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Stimulus, Study
from participants.models import Response


class AnalysisRun(models.Model):
    """One method run on one study's data with one set of parameters."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="analysis_runs")
    method = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    part = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The task that is analysed, by its name; empty for the first one."),
    )
    table = models.CharField(
        max_length=60, default="trials", help_text=_("The table of the study that is analysed, by its name in exports.")
    )
    other_study = models.ForeignKey(
        Study,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("The study whose ratings are compared; for the table pairs alone."),
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    cancel_requested = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    is_in_parts = models.BooleanField(
        default=False, help_text=_("Running, and nobody holds the run itself: workers claim its parts.")
    )
    preparation = models.TextField(
        blank=True, help_text=_("JSON: what every part needs to know of the data, until the run has ended.")
    )
    # Text and not JSON: report.json leaves byte for byte as it was computed, whatever a database does to JSON.
    report = models.TextField(blank=True, help_text=_("The report.json of the analysis."))
    error = models.TextField(blank=True)
    error_reference = models.CharField(
        max_length=12, blank=True, help_text=_("Under which the server's log holds the details of an unexpected error.")
    )
    data_stamp = models.CharField(
        max_length=64, blank=True, help_text=_("Changes whenever the study's data change; quick to compute.")
    )
    data_hash = models.CharField(
        max_length=64, blank=True, help_text=_("SHA-256 of the table that was analysed, as it is exported.")
    )
    code_version = models.CharField(max_length=40, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="run_by_status")]

    def __str__(self) -> str:
        return f"{self.method} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)


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
    columns = models.JSONField(help_text=_("Of every column its name, whether it holds numbers, how many values."))
    rows = models.PositiveIntegerField()
    first_rows = models.JSONField(default=list)
    said = models.JSONField(default=list, help_text=_("What is to be said of how the file was read."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class TableRun(models.Model):
    """One method run on an uploaded table with one set of parameters; it is claimed like the run of a study."""

    table = models.ForeignKey(UploadedTable, on_delete=models.CASCADE, related_name="runs")
    method = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=AnalysisRun.Status.choices, default=AnalysisRun.Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    report = models.TextField(blank=True, help_text=_("The report.json of the analysis."))
    error = models.TextField(blank=True)
    code_version = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "heartbeat_at"], name="table_run_by_status")]

    def __str__(self) -> str:
        return f"{self.method} ({self.get_status_display()})"

    @property
    def is_unfinished(self) -> bool:
        return self.status in (AnalysisRun.Status.QUEUED, AnalysisRun.Status.RUNNING)


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
    people = models.PositiveIntegerField(help_text=_("How many people are looked at: the first who finished."))
    share = models.FloatField(help_text=_("Share of the planned information, 0 to 1."))
    spent = models.FloatField(help_text=_("Share of all studies without the effect that stop up to this look."))
    boundary = models.FloatField(help_text=_("The look stops the study where |z| is at least this."))
    level = models.FloatField(help_text=_("The same as a two-sided p."))
    is_last = models.BooleanField(default=False)
    lists = models.JSONField(default=dict, help_text=_("How many of the people had each list."))
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    p = models.FloatField(null=True, blank=True, help_text=_("Shown to nobody before the plan has stopped."))
    error = models.TextField(blank=True, help_text=_("Why there was no test."))
    run = models.OneToOneField(
        AnalysisRun,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="look",
        help_text=_("The report of the look that stopped the study; the others leave none."),
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
    layout = models.CharField(max_length=10)
    variant = models.CharField(max_length=10)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    progress = models.FloatField(default=0, help_text=_("Share done, 0 to 1."))
    progress_note = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField(default=0, help_text=_("Of the file, in bytes."))
    runs = models.JSONField(default=list, help_text=_("The analyses whose reports it may hold."))
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


class CodingState(models.Model):
    """What holds for all coders of a study: what is coded, and whether the codings are frozen.

    Every change of a coding locks this row, so that freezing and coding cannot cross.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="coding_state")
    salt = models.CharField(max_length=32, help_text=_("From which the opaque names of the recalls are made."))
    with_fillers = models.BooleanField(default=False, help_text=_("Whether fillers are coded too."))
    last_number = models.PositiveSmallIntegerField(default=0, help_text=_("The last number that a coder was given."))
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
    seconds = models.FloatField(default=0, help_text=_("Time that the coder had it on the screen, added up."))
    revision = models.PositiveIntegerField(default=1, help_text=_("Grows with every change."))
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
    revision = models.PositiveIntegerField(default=1, help_text=_("Grows with every change."))
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
        help_text=_("The task for which it was stored, by its name; empty where the study had one task."),
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
    text_hash = models.CharField(max_length=16, help_text=_("Of the text, which may change until the study opens."))

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["score", "stimulus"], name="one_value_per_text")]

    def __str__(self) -> str:
        return f"{self.value:g}"
