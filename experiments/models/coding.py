"""Models of coding schemes: the codes that coders assign to participants' texts."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from experiments.models.studies import Study


class ErrorCode(models.Model):
    """One code of a study's coding scheme, with its weight in the score."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="error_codes")
    position = models.PositiveSmallIntegerField()
    code = models.CharField(
        max_length=10,
        validators=[RegexValidator(r"^[A-Za-z0-9]+$", _("Use letters and digits only."))],
        help_text=_("What a coder types. One digit or letter is quickest."),
    )
    description = models.CharField(max_length=300, help_text=_("What the code means, in the words coders read."))
    weight = models.FloatField(help_text=_("What the code adds to the score of a text."))
    is_exclusive = models.BooleanField(
        default=False, help_text=_("Whether the code is exclusive: nobody can give another code together with it.")
    )

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="one_error_code_per_position"),
            models.UniqueConstraint(fields=["study", "code"], name="one_error_code_per_name"),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def meaning(self) -> str:
        """The description for display; default descriptions are translated into the language of the page."""
        return gettext(self.description)
