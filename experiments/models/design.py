"""Models of a task's design: conditions, items, stimuli, lists and media files."""

from __future__ import annotations

from django.conf import settings as platform
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models.one_task import OfPart
from experiments.models.parts import Part
from experiments.models.studies import Study


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
    attributes = models.JSONField(
        default=dict, blank=True, help_text=_("What describes this text alone, such as its plausibility.")
    )

    class Meta:
        verbose_name_plural = "stimuli"
        # Two constraints instead of one with NULLS NOT DISTINCT, which SQLite lacks.
        constraints = [
            models.UniqueConstraint(fields=["item", "condition"], name="one_stimulus_per_cell"),
            models.UniqueConstraint(
                fields=["item"], condition=models.Q(condition__isnull=True), name="one_stimulus_without_condition"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class StimulusList(OfPart):
    """A stimulus list: one group of participants sees each item once, in one condition.

    `item_set` is empty if a participant sees all sets together.
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
        """The name in pages and exports: `1`, `2`, …, or `A-1` if sets have their own lists."""
        number = str(self.index + 1)
        return f"{self.item_set}-{number}" if self.item_set else number


class MediaFile(models.Model):
    """A picture, sound or video of a study, by the name in its materials; the content is stored under its hash."""

    class Kind(models.TextChoices):
        IMAGE = "image", _("Picture")
        AUDIO = "audio", _("Sound")
        VIDEO = "video", _("Video")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="media_files")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    extension = models.CharField(max_length=8, help_text=_("Decided by the content, not by the name."))
    content_hash = models.CharField(max_length=64, db_index=True, help_text=_("SHA-256 of what is stored."))
    size = models.PositiveIntegerField(help_text=_("Bytes."))
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    has_sound = models.BooleanField(default=False, help_text=_("For videos: whether there is sound."))
    licence = models.CharField(
        max_length=300, blank=True, help_text=_("Who made it, and what others may do with it; goes with every export.")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_media_file_per_name")]

    def __str__(self) -> str:
        return self.name


class WordScore(OfPart):
    """A measure of every word of a task's texts, such as its surprisal, under the name of its column in exports.

    Participants never get it; it can be stored before and after a study opens.
    """

    class Together(models.TextChoices):
        SUM = "sum", _("their sum")
        MEAN = "mean", _("their mean")

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="word_scores")
    name = models.CharField(max_length=60, help_text=_("The column in exports of regions and visits."))
    together = models.CharField(
        max_length=4,
        choices=Together.choices,
        default=Together.SUM,
        help_text=_(
            "The value of a region with several words: their sum, as for surprisal, or their mean, as for frequency."
        ),
    )
    provenance = models.TextField(help_text=_("Where the numbers come from, as the codebook says it."))
    values = models.JSONField(
        default=dict, help_text=_("By the key of a text: its hash, and a number or null for each of its words.")
    )
    stored_by = models.ForeignKey(
        platform.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    stored_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["part", "name"], name="one_word_score_per_name")]

    def __str__(self) -> str:
        return self.name
