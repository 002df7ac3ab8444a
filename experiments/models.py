"""What exists before anyone takes part: studies, their design and their texts.

Rules about when these rows may change live in `lifecycle`; how a table becomes rows lives in `materials`.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.conf import settings as platform
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from experiments.rules.shape import shape_faults

# How long before the data are erased the owner is told, and how long at least where that was not possible in time.
NOTICE = timedelta(days=30)
LEAST_NOTICE = timedelta(days=7)


class Study(models.Model):
    """One experiment: a paradigm, materials, a design, a procedure, its participants and its data."""

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
    paradigm = models.CharField(max_length=60)
    language = models.CharField(max_length=8, default="en", choices=[("en", _("English")), ("de", _("German"))])
    responsible = models.CharField(max_length=200, blank=True, help_text=_("Who is responsible for the study."))
    contact = models.EmailField(blank=True, help_text=_("Where participants can write to."))
    estimated_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("How long it takes, until it has been measured."),
    )
    settings = models.JSONField(default=dict, blank=True, help_text=_("Settings of the paradigm, checked by its form."))
    procedure = models.JSONField(
        default=dict, blank=True, help_text=_("Order, lists, resuming and completion, checked by its form.")
    )
    questions = models.JSONField(default=list, blank=True, help_text=_("Background questions, in order."))
    factors = models.JSONField(
        default=list, blank=True, help_text=_("Factors with their levels, in the order of the materials.")
    )
    plan = models.JSONField(
        default=dict, blank=True, help_text=_("Hypotheses, exclusion rules and analyses, stated before opening.")
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
    kind = models.CharField(max_length=20, choices=Kind.choices)
    version = models.PositiveIntegerField(default=1)
    body = models.TextField(blank=True)
    required_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that must be ticked."))
    optional_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that may be ticked."))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "-version"]
        constraints = [models.UniqueConstraint(fields=["study", "kind", "version"], name="one_text_per_version")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.version}"


class Condition(models.Model):
    """One combination of factor levels."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="conditions")
    position = models.PositiveSmallIntegerField()
    levels = models.JSONField(help_text=_("Factor name to level."))

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="one_condition_per_position"),
            models.UniqueConstraint(fields=["study", "levels"], name="one_condition_per_combination"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The levels joined by a colon, in the order of the study's factors."""
        order = [factor["name"] for factor in self.study.factors]
        return ":".join(str(self.levels[name]) for name in order if name in self.levels)


class Item(models.Model):
    """One piece of content that exists in every condition of its item set; or a filler; or a practice text."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
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
        constraints = [models.UniqueConstraint(fields=["study", "code"], name="one_item_per_code")]

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


class StimulusList(models.Model):
    """What one group of participants sees of the items: each once, in one condition.

    `item_set` is empty where a participant sees all sets together.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="lists")
    item_set = models.CharField(max_length=60, blank=True)
    index = models.PositiveSmallIntegerField()
    stimuli = models.ManyToManyField(Stimulus, related_name="lists")

    class Meta:
        ordering = ["item_set", "index"]
        constraints = [models.UniqueConstraint(fields=["study", "item_set", "index"], name="one_list_per_index")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name in pages and exports: `1`, `2`, … or `A-1` where sets have lists of their own."""
        number = str(self.index + 1)
        return f"{self.item_set}-{number}" if self.item_set else number


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
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
