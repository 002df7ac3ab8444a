"""Models of a study's parts (tasks, questionnaires, pages) and of its versioned texts."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

TASK, QUESTIONNAIRE, PAGE = "task", "questionnaire", "page"
# The names of the parts that a study of one task has.
ONLY_TASK, BACKGROUND = "task", "background"
WORDS_OF_USUAL_NAMES = {(TASK, ONLY_TASK): _("Task"), (QUESTIONNAIRE, BACKGROUND): _("Demographics")}


class Markup(models.TextChoices):
    """Markup of a text: Markdown, or the four marks of earlier versions."""

    PLAIN = "plain", _("Four marks: heading, list, example, new page")
    MARKDOWN = "markdown", _("Markdown")


class Part(models.Model):
    """What a participant goes through in one go: a task with its own design, a questionnaire, or a page.

    A task has a paradigm, settings, factors and the keys of the procedure named in `TASK_KEYS`; a questionnaire has
    questions, a page has a body. Fields of other kinds stay empty.
    """

    class Kind(models.TextChoices):
        TASK = TASK, _("Task")
        QUESTIONNAIRE = QUESTIONNAIRE, _("Questionnaire")
        PAGE = PAGE, _("Page")

    study = models.ForeignKey("Study", on_delete=models.CASCADE, related_name="parts")
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
        max_length=40,
        blank=True,
        help_text=_("Give parts the same word to counterbalance their order over participants."),
    )
    pool = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("Give tasks of one paradigm the same word to analyse them as one task."),
    )
    shown_if = models.JSONField(
        default=list,
        blank=True,
        help_text=_("Conditions on earlier answers. People who meet all of them get the part; empty means everybody."),
    )
    paradigm = models.CharField(max_length=60, blank=True)
    settings = models.JSONField(
        default=dict, blank=True, help_text=_("Settings of the paradigm; its form checks them.")
    )
    procedure = models.JSONField(
        default=dict, blank=True, help_text=_("Order and lists of a task; the form of the procedure checks them.")
    )
    factors = models.JSONField(
        default=list, blank=True, help_text=_("Factors with their levels, in the order of the materials.")
    )
    reading = models.JSONField(
        default=dict,
        blank=True,
        help_text=_(
            "How the table of a task was read: what each column is, and what was left out. The next table is "
            "read in the same way."
        ),
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
        """The name in files, reports and logs: the title, or the name if there is no title."""
        return self.title or self.name

    @property
    def shown_name(self) -> str:
        """The name on researchers' pages: as `label`, with words for the names that the platform gives by itself."""
        return self.title or str(WORDS_OF_USUAL_NAMES.get((self.kind, self.name), self.name))


class StudyText(models.Model):
    """One version of a text that participants read. A change is a new row, so a consent can name what was agreed to."""

    class Kind(models.TextChoices):
        WELCOME = "welcome", _("Landing page")
        CONSENT = "consent", _("Consent")
        INSTRUCTIONS = "instructions", _("Instructions")
        DEBRIEFING = "debriefing", _("Debriefing")

    study = models.ForeignKey("Study", on_delete=models.CASCADE, related_name="texts")
    part = models.ForeignKey(
        Part,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="texts",
        help_text=_("For instructions: the task."),
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    language = models.CharField(
        max_length=8,
        blank=True,
        default="",
        help_text=_("The further language of the study in which it is; empty: in the main one."),
    )
    version = models.PositiveIntegerField(default=1)
    body = models.TextField(blank=True)
    markup = models.CharField(max_length=10, choices=Markup.choices, default=Markup.PLAIN)
    required_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that must be ticked."))
    optional_boxes = models.JSONField(default=list, blank=True, help_text=_("Consent: statements that may be ticked."))
    is_default = models.BooleanField(
        default=False, help_text=_("Nobody has edited the text. In a draft it follows the settings and the materials.")
    )
    mentions = models.JSONField(
        default=list,
        blank=True,
        help_text=_("For an edited text: the keys of what it is known to mention of parts and sources."),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "kind", "language", "version"],
                condition=models.Q(part=None),
                name="one_text_per_version",
            ),
            models.UniqueConstraint(
                fields=["part", "kind", "language", "version"], name="one_text_of_a_part_per_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        # Instructions belong to a task, by default to the first one.
        if self.kind == self.Kind.INSTRUCTIONS and self.part is None and self.study.task.pk is not None:
            self.part = self.study.task
        super().save(*args, **kwargs)
