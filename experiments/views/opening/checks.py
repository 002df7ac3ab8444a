"""The check list of the page that opens a study: a line for each subject, with what stops the opening and what is
worth knowing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from experiments.study.lifecycle import opening_faults, opening_warnings
from experiments.study.opening.texts import mention_warnings

if TYPE_CHECKING:
    from experiments.formats.faults import Fault
    from experiments.models import Study

# Step, what it is about, what is true once nothing stops the opening there.
SUBJECTS = [
    ("materials", gettext_lazy("Materials"), gettext_lazy("Materials are complete")),
    ("design", gettext_lazy("Design"), gettext_lazy("The design is valid")),
    ("procedure", gettext_lazy("Procedure"), gettext_lazy("The procedure is possible")),
    ("texts", gettext_lazy("Texts and consent"), gettext_lazy("Participants’ texts and consent are written")),
    ("languages", gettext_lazy("Languages"), gettext_lazy("Every language of participants is complete")),
    ("sources", gettext_lazy("Recruitment and quotas"), gettext_lazy("Recruitment and quotas are valid")),
    (
        "settings",
        gettext_lazy("Settings"),
        gettext_lazy("The study names contact, responsible person and data protection"),
    ),
]
FURTHER = ("", pgettext_lazy("check list", "Further"), gettext_lazy("Worth knowing before you open"))


@dataclass(frozen=True)
class Check:
    """A line of the check list: its subject, the page for it, the faults that stop the opening, and the warnings.

    `notes` counts what else is said below the line, such as sentences that an edited text lacks.
    """

    step: str
    subject: Any
    text: Any
    url: str
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    notes: int = 0

    @property
    def is_ok(self) -> bool:
        """Whether nothing stops the opening."""
        return not self.faults

    @property
    def number_of_notes(self) -> int:
        """How many things are worth knowing that do not stop the opening."""
        return len(self.warnings) + self.notes


def check_list(study: Study, lacking: Sequence[object] = ()) -> list[Check]:
    """Return the check list for opening, one line for each subject; `lacking` are the notes on edited texts."""
    faults, of_texts = opening_faults(study), mention_warnings(study)
    # What edited texts lack is shown as notes, with the buttons that put it right.
    warnings = [each for each in opening_warnings(study) if each not in of_texts]
    known = {step for step, _subject, _text in SUBJECTS}
    checks = []
    for step, subject, text in SUBJECTS:
        check = Check(
            step,
            subject,
            text,
            reverse(f"study:{step}", args=[study.slug]),
            [fault for fault in faults if fault.step == step or (step == "settings" and fault.step not in known)],
            [warning for warning in warnings if warning.step == step],
            len(lacking) if step == "texts" else 0,
        )
        is_said = check.faults or check.number_of_notes
        is_used = {
            "sources": bool(study.sources or study.criteria),
            "design": study.lists.exists(),
            "languages": bool(study.languages),
        }.get(step, True)
        if is_said or is_used:
            checks.append(check)
    further = [warning for warning in warnings if warning.step not in known]
    if further:
        checks.append(Check(*FURTHER, url="", warnings=further))
    return checks
