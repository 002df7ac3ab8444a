"""Model of a study as a whole; its parts have their own rows."""

from __future__ import annotations

from datetime import date, timedelta

from django.conf import settings as platform
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from experiments.languages import language_choices
from experiments.models.one_task import OfOneTask
from experiments.rules.shape import shape_faults
from experiments.rules.wording import own_direction, own_language

# How long before erasure the owner is notified, and the least notice if that was not possible in time.
NOTICE = timedelta(days=30)
LEAST_NOTICE = timedelta(days=7)


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
        """Validate the JSON fields with the forms that write them.

        Errors are not tied to a field: a form without that field could not show them.
        """
        faults = shape_faults(self)
        if faults:
            raise ValidationError([str(fault) for fault in faults])

    @property
    def erasure_day(self) -> date | None:
        """The day on which the platform erases all participants; None until the owner has been notified.

        An owner who was notified late, because the server was down, still has a week.
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
        """The language that participants read: that of its wording, otherwise `language`."""
        return own_language(self.wording, self.language)

    @property
    def participants_direction(self) -> str:
        """Writing direction of that language: `ltr` or `rtl`."""
        return own_direction(self.wording, self.language)

    @property
    def tag_list(self) -> list[str]:
        """The tags as entered, without duplicates."""
        return list(dict.fromkeys(tag.strip() for tag in self.tags.split(",") if tag.strip()))
