"""What exists before anyone takes part: studies, their design and their texts.

Rules about when these rows may change live in `lifecycle`; how a table becomes rows lives in `materials`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.conf import settings as platform
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from experiments.languages import language_choices
from experiments.one_task import PAGE, QUESTIONNAIRE, TASK, OfOneTask, OfPart
from experiments.rules.shape import shape_faults
from experiments.rules.wording import own_direction, own_language

# How long before the data are erased the owner is told, and how long at least where that was not possible in time.
NOTICE = timedelta(days=30)
LEAST_NOTICE = timedelta(days=7)


class Markup(models.TextChoices):
    """How the marks of a text are read: as Markdown, or as the four marks that there were before."""

    PLAIN = "plain", _("Four marks: heading, list, example, new page")
    MARKDOWN = "markdown", _("Markdown")


class Study(OfOneTask):
    """One experiment: its parts in their order, its participants and its data."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    slug = models.SlugField(
        unique=True,
        max_length=60,
        validators=[
            RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*$", _("Use lower-case letters, digits and single hyphens."))
        ],
        help_text=_("Part of the participants' link: lower-case letters, digits and hyphens."),
    )
    title = models.CharField(max_length=200, help_text=_("Participants see this title."))
    description = models.TextField(
        blank=True, help_text=_("For you and your collaborators; participants never see it.")
    )
    language = models.CharField(max_length=8, default="en", choices=language_choices)
    responsible = models.CharField(max_length=200, blank=True, help_text=_("Who is responsible for the study."))
    contact = models.EmailField(blank=True, help_text=_("Where participants can write to."))
    estimated_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("How long it takes, until it has been measured."),
    )
    conduct = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Resuming, supervision and completion, checked by the form of the procedure."),
    )
    groups = models.JSONField(
        default=list, blank=True, help_text=_("Groups of participants: name, weight, and how many at most.")
    )
    order_sets = models.JSONField(
        default=dict, blank=True, help_text=_("Order sets whose parts change places at random instead of balanced.")
    )
    sources = models.JSONField(
        default=list, blank=True, help_text=_("Where participants come from, and how each outcome leads back there.")
    )
    criteria = models.JSONField(
        default=list, blank=True, help_text=_("Quotas by criterion: at most so many of whom certain answers hold.")
    )
    plan = models.JSONField(
        default=dict, blank=True, help_text=_("Hypotheses, exclusion rules and analyses, stated before opening.")
    )
    packages = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text=_("Paradigm → the package, version and browser modules that an open study runs with."),
    )
    seed = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    is_paused = models.BooleanField(
        default=False, help_text=_("While paused nobody can start; who has started can finish.")
    )
    quota = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("How many valid sessions at most; empty means no limit.")
    )
    version = models.PositiveIntegerField(default=1)
    copied_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="copies")
    owner = models.ForeignKey(
        platform.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="studies"
    )
    data_protection_note = models.TextField(
        blank=True, help_text=_("Where the data are kept, for how long, and who can see them.")
    )
    retention_until = models.DateField(null=True, blank=True, help_text=_("When the data will be deleted."))
    erases_itself = models.BooleanField(
        default=False, help_text=_("Whether all participants are erased on that day without anybody doing it.")
    )
    retention_noticed_for = models.DateField(
        null=True, blank=True, help_text=_("The day of which the owner was last told that everybody will be erased.")
    )
    retention_noticed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Since when it is out of the way in lists of studies; nothing else changes.")
    )
    tags = models.CharField(
        max_length=200, blank=True, help_text=_("Words separated by commas, by which the list of studies is searched.")
    )
    notice = models.TextField(
        blank=True,
        max_length=1000,
        help_text=_(
            "Participants read it first: on the landing page, and while the study is paused, full or closed. "
            "Such as: on Sunday the study rests until 18:00."
        ),
    )
    look = models.JSONField(
        default=dict, blank=True, help_text=_("Logo and colour of participants’ pages before and after the trials.")
    )
    labels = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Names for print of factors and levels; data keep those of the materials."),
    )

    wording = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("What participants read instead of texts of the interface, by their keys, such as pages.next."),
    )

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("participants:landing", args=[self.slug])

    def clean(self) -> None:
        """Check the JSON fields by the forms that write them.

        Errors belong to no field: a form that leaves a field out could not show them.
        """
        faults = shape_faults(self)
        if faults:
            raise ValidationError([str(fault) for fault in faults])

    @property
    def erasure_day(self) -> date | None:
        """The day on which the platform erases all participants; None before the owner was told about it.

        Who was told late, because the server was off, still has a week.
        """
        if not self.erases_itself or self.retention_until is None or self.retention_noticed_at is None:
            return None
        if self.retention_noticed_for != self.retention_until:
            return None
        return max(self.retention_until, (self.retention_noticed_at + LEAST_NOTICE).date())

    @property
    def is_frozen(self) -> bool:
        """Whether the design can no longer change."""
        return self.status != self.Status.DRAFT

    @property
    def participants_language(self) -> str:
        """The language that participants read: the one in which its wording is, else `language`."""
        return own_language(self.wording, self.language)

    @property
    def participants_direction(self) -> str:
        """`ltr` or `rtl`, how that language is written."""
        return own_direction(self.wording, self.language)

    @property
    def tag_list(self) -> list[str]:
        """The tags as they were written, each once."""
        return list(dict.fromkeys(tag.strip() for tag in self.tags.split(",") if tag.strip()))


class Part(models.Model):
    """What a participant goes through in one go: a task with its own design, a questionnaire, or a page.

    A task has a paradigm, settings, factors and, of the procedure, what `TASK_KEYS` names; a questionnaire has
    questions, a page a body. What a kind does not have stays empty.
    """

    class Kind(models.TextChoices):
        TASK = TASK, _("Task")
        QUESTIONNAIRE = QUESTIONNAIRE, _("Questionnaire")
        PAGE = PAGE, _("Page")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="parts")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.SlugField(
        max_length=40,
        validators=[
            RegexValidator(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", _("Use lower-case letters, digits and single hyphens."))
        ],
        help_text=_("Short, for addresses and tables: lower-case letters, digits and hyphens."),
    )
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.TASK)
    title = models.CharField(max_length=200, blank=True, help_text=_("Participants see it above the part."))
    groups = models.JSONField(
        default=list, blank=True, help_text=_("Names of the groups that see it; empty means all.")
    )
    order_set = models.CharField(
        max_length=40, blank=True, help_text=_("Parts with the same word here change places among each other.")
    )
    paradigm = models.CharField(max_length=60, blank=True)
    settings = models.JSONField(default=dict, blank=True, help_text=_("Settings of the paradigm, checked by its form."))
    procedure = models.JSONField(
        default=dict, blank=True, help_text=_("Order and lists of a task, checked by the form of the procedure.")
    )
    factors = models.JSONField(
        default=list, blank=True, help_text=_("Factors with their levels, in the order of the materials.")
    )
    questions = models.JSONField(default=list, blank=True, help_text=_("Questions of a questionnaire, in order."))
    body = models.TextField(blank=True, help_text=_("What a page says."))
    markup = models.CharField(max_length=10, choices=Markup.choices, default=Markup.PLAIN)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_part_per_name")]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """What researchers read: the title, or the name where there is none."""
        return self.title or self.name


class Membership(models.Model):
    """A researcher who was added to a study by its owner."""

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


class StudyText(models.Model):
    """One version of a text that participants read. A change is a new row, so a consent can name what was agreed to."""

    class Kind(models.TextChoices):
        WELCOME = "welcome", _("Landing page")
        CONSENT = "consent", _("Consent")
        INSTRUCTIONS = "instructions", _("Instructions")
        DEBRIEFING = "debriefing", _("Debriefing")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="texts")
    part = models.ForeignKey(
        Part,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="texts",
        help_text=_("Of instructions: the task."),
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    version = models.PositiveIntegerField(default=1)
    body = models.TextField(blank=True)
    markup = models.CharField(max_length=10, choices=Markup.choices, default=Markup.PLAIN)
    required_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that must be ticked."))
    optional_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that may be ticked."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "kind", "version"], condition=models.Q(part=None), name="one_text_per_version"
            ),
            models.UniqueConstraint(fields=["part", "kind", "version"], name="one_text_of_a_part_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        # Instructions belong to a task: to the first one where none is named.
        if self.kind == self.Kind.INSTRUCTIONS and self.part is None and self.study.task.pk is not None:
            self.part = self.study.task
        super().save(*args, **kwargs)


class Condition(OfPart):
    """One combination of factor levels."""

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="conditions")
    position = models.PositiveSmallIntegerField()
    levels = models.JSONField(help_text=_("Factor name to level."))

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["part", "position"], name="one_condition_per_position"),
            models.UniqueConstraint(fields=["part", "levels"], name="one_condition_per_combination"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The levels joined by a colon, in the order of the factors."""
        order = [factor["name"] for factor in self.part.factors]
        return ":".join(str(self.levels[name]) for name in order if name in self.levels)


class Item(OfPart):
    """One piece of content that exists in every condition of its item set; or a filler; or a practice text."""

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="items")
    code = models.CharField(max_length=100)
    position = models.PositiveIntegerField(
        help_text=_("Order in the materials; the Latin square counts within the item set.")
    )
    item_set = models.CharField(max_length=60, blank=True)
    is_filler = models.BooleanField(default=False)
    is_practice = models.BooleanField(default=False)
    attributes = models.JSONField(default=dict, blank=True, help_text=_("Between-item attributes such as genre."))

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["part", "code"], name="one_item_per_code")]

    def __str__(self) -> str:
        return self.code


class Stimulus(models.Model):
    """One item in one condition: the text that is shown. A filler or a practice text has no condition."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="stimuli")
    condition = models.ForeignKey(Condition, null=True, blank=True, on_delete=models.CASCADE, related_name="stimuli")
    text = models.TextField()
    extra = models.JSONField(default=dict, blank=True, help_text=_("Further columns that the paradigm uses."))

    class Meta:
        verbose_name_plural = "stimuli"
        # Two constraints instead of one with nulls that are not distinct, which SQLite does not know.
        constraints = [
            models.UniqueConstraint(fields=["item", "condition"], name="one_stimulus_per_cell"),
            models.UniqueConstraint(
                fields=["item"], condition=models.Q(condition__isnull=True), name="one_stimulus_without_condition"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class StimulusList(OfPart):
    """What one group of participants sees of the items: each once, in one condition.

    `item_set` is empty where a participant sees all sets together.
    """

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="lists")
    item_set = models.CharField(max_length=60, blank=True)
    index = models.PositiveSmallIntegerField()
    stimuli = models.ManyToManyField(Stimulus, related_name="lists")

    class Meta:
        ordering = ["item_set", "index"]
        constraints = [models.UniqueConstraint(fields=["part", "item_set", "index"], name="one_list_per_index")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name in pages and exports: `1`, `2`, … or `A-1` where sets have lists of their own."""
        number = str(self.index + 1)
        return f"{self.item_set}-{number}" if self.item_set else number


class MediaFile(models.Model):
    """A picture or sound of a study under the name that its materials use; the content is kept under its hash."""

    class Kind(models.TextChoices):
        IMAGE = "image", _("Picture")
        AUDIO = "audio", _("Sound")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="media_files")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    extension = models.CharField(max_length=8, help_text=_("By the content, whatever the name says."))
    content_hash = models.CharField(max_length=64, db_index=True, help_text=_("SHA-256 of what is stored."))
    size = models.PositiveIntegerField(help_text=_("Bytes."))
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    licence = models.CharField(
        max_length=300, blank=True, help_text=_("Who made it, and what others may do with it; goes with every export.")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_media_file_per_name")]

    def __str__(self) -> str:
        return self.name


class PreviewLink(models.Model):
    """Lets somebody without an account read a study and go through it, with nothing stored, until it ends.

    Only the hash of its token is kept: the link itself is shown once.
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


class ErrorCode(models.Model):
    """One code of the scheme with which people code what participants wrote, with its weight in the score."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="error_codes")
    position = models.PositiveSmallIntegerField()
    code = models.CharField(
        max_length=10,
        validators=[RegexValidator(r"^[A-Za-z0-9]+$", _("Use letters and digits only."))],
        help_text=_("What a coder types: one digit or letter is quickest."),
    )
    description = models.CharField(max_length=300, help_text=_("What the code means, in the words coders read."))
    weight = models.FloatField(help_text=_("What the code adds to the score of a text."))
    is_exclusive = models.BooleanField(default=False, help_text=_("Whether no other code may stand beside it."))

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="one_error_code_per_position"),
            models.UniqueConstraint(fields=["study", "code"], name="one_error_code_per_name"),
        ]

    def __str__(self) -> str:
        return self.code


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
