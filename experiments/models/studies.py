"""Model of a study as a whole; its parts have their own rows."""

from __future__ import annotations

from copy import copy
from datetime import date, timedelta
from typing import Any

from django.conf import settings as platform
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from experiments.languages import language_choices
from experiments.models.one_task import OfOneTask
from experiments.models.parts import Part
from experiments.rules.own_texts import (
    part_in_words,
    study_in_words,
    translated,
    translation_faults,
    wording_in_words,
)
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
    languages = models.JSONField(
        default=list, blank=True, help_text=_("Further languages that participants can choose, by their tags.")
    )
    translations = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("By further language and key of a text: what participants read there."),
    )
    responsible = models.CharField(
        max_length=200, blank=True, help_text=_("The person who is responsible for the study.")
    )
    contact = models.EmailField(blank=True, help_text=_("Where participants can write to."))
    estimated_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("How long it takes, as long as there is no measured time."),
    )
    conduct = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Resuming, supervision and completion; the form of the procedure checks them."),
    )
    groups = models.JSONField(default=list, blank=True, help_text=_("Groups of participants: name, weight and quota."))
    order_sets = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Order sets with a random order of parts in place of a counterbalanced one."),
    )
    sources = models.JSONField(
        default=list, blank=True, help_text=_("Where participants come from, and where each outcome sends them back.")
    )
    criteria = models.JSONField(
        default=list, blank=True, help_text=_("Quotas by criterion: a limit for people with certain answers.")
    )
    plan = models.JSONField(
        default=dict, blank=True, help_text=_("Hypotheses, exclusion rules and analyses, stated before opening.")
    )
    packages = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text=_("Paradigm → the package, version and browser modules with which an open study runs."),
    )
    seed = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    is_paused = models.BooleanField(
        default=False, help_text=_("While the study is paused, nobody can start. People who have started can finish.")
    )
    quota = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("The largest number of valid sessions; empty means no limit.")
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
        default=False, help_text=_("Whether the platform erases all participants on that day without asking.")
    )
    retention_noticed_for = models.DateField(
        null=True, blank=True, help_text=_("The erasure day about which the owner was last told.")
    )
    retention_noticed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=_("Since when it is archived: lists of studies hide it, and nothing else changes."),
    )
    tags = models.CharField(
        max_length=200,
        blank=True,
        help_text=_("Words separated by commas. You can search the list of studies for them."),
    )
    notice = models.TextField(
        blank=True,
        max_length=1000,
        help_text=_(
            "Participants read it first: on the landing page, and while the study is paused, full or closed. "
            "Example: The study is paused on Sunday until 18:00."
        ),
    )
    look = models.JSONField(
        default=dict, blank=True, help_text=_("Logo and colour of participants’ pages before and after the trials.")
    )
    labels = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Labels of factors and levels; data keep the names of the materials."),
    )

    wording = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("What participants read in place of texts of the interface, by key, such as pages.next."),
    )

    looked_at = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text=_("When a researcher looked at a standard value and kept it, by step and task."),
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
        faults = shape_faults(self) + translation_faults(self.languages, self.translations, language=self.language)
        if faults:
            raise ValidationError([str(fault) for fault in faults])

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.read_in:
            raise TypeError("A study that is read in one of its further languages cannot be stored.")
        super().save(*args, **kwargs)

    @property
    def read_in(self) -> str:
        """The tag of the further language in which this object says the study (`said_in`); empty for the main one."""
        return str(self.__dict__.get("_read_in", ""))

    @property
    def all_languages(self) -> list[str]:
        """The tags of all languages that participants can read, the main one first."""
        return [self.said_in("").language, *self.languages]

    def said_in(self, tag: str) -> Study:
        """Return the study as participants read it in one of its further languages; itself in any other.

        It is to be read, not stored: `save` refuses. Texts with versions are those of the language, and texts of the
        study and of its parts are translated as far as there are translations.
        """
        if self.read_in:
            return self if tag == self.read_in else self.__dict__["_in_main_language"].said_in(tag)
        if tag not in self.languages:
            return self
        said = copy(self)
        said.__dict__ |= {"_read_in": tag, "_in_main_language": self}

        def say(key: str, _text: str) -> str:
            return str(self.translations.get(tag, {}).get(key, ""))

        # Where only some fields were read, such as to store a result, the rest of them has nothing to say.
        is_whole = {"title", "sources"} <= self.__dict__.keys()
        fields = study_in_words(self, say) if is_whole else {"wording": wording_in_words(self.wording, say)}
        said.__dict__.update(fields, language=tag)
        if "_parts" in self.__dict__:
            said.ordered_parts = [_apart(part) for part in self.ordered_parts]
        return said

    def _as_said(self, part: Part) -> Part:
        if self.read_in and not part.__dict__.get("_is_said"):
            say = translated(self.translations.get(self.read_in, {}))
            part.__dict__.update(part_in_words(part, say), _is_said=True)
        return part

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


def _apart(part: Part) -> Part:
    """Return a copy of a part that can belong to another object of its study."""
    other = copy(part)
    other._state = copy(part._state)
    other._state.fields_cache = {}
    return other
