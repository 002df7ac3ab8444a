"""Page of the step *Code*: coders' progress, agreement, and open disagreements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.coding import queues
from analysis.coding.agreeing import Agreement, agreement_of_coders, agreement_of_suggestions
from analysis.coding.final import counts
from analysis.coding.queues import Progress
from analysis.coding.recalls import is_coded, state_of, through_coded_task
from analysis.coding.refusals import CodingRefusal
from analysis.models import CodingQueue
from experiments.models import Study
from experiments.study.access import CODER, DATA, role_in
from experiments.study.schemes import scheme_of
from experiments.views.page import StudyView


class CodeView(StudyView):
    """A page of the step Code. It does not exist for studies in which nothing is coded."""

    step = "code"

    def study_of(self, request: HttpRequest, slug: str) -> Study:
        study = through_coded_task(super().study_of(request, slug))
        if not is_coded(study):
            raise Http404(_("There is nothing to code in this study."))
        return study

    def queue(self, number: int) -> CodingQueue:
        """Return the queue of that number. Raises Http404 where there is none."""
        queue = next((queue for queue in queues.queues_of(self.study) if queue.number == number), None)
        if queue is None:
            raise Http404(_("There is no such coder in this study; somebody may have removed them."))
        return queue

    @contextmanager
    def refusals_told(self) -> Iterator[None]:
        """Change codings within; a refusal is told on the page that comes next."""
        try:
            yield
        except CodingRefusal as refusal:
            messages.error(self.request, str(refusal))

    def url(self, name: str, *arguments: Any) -> str:
        """Return the address of another page of this step."""
        return reverse(f"coding:{name}", args=[self.study.slug, *arguments])


class NewCoder(forms.Form):
    """Somebody who is to code, and how much."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "If the person is not in the study yet, they are added as a coder: they can code and see nothing else."
        ),
    )
    share = forms.IntegerField(
        label=gettext_lazy("Share of the recalls (%)"),
        min_value=1,
        max_value=100,
        initial=100,
        help_text=gettext_lazy(
            "100 for all recalls. For agreement, a second coder for a fifth (20) is common; coders with the same "
            "share get the same recalls."
        ),
    )

    def __init__(self, *args: Any, study: Study, is_owner: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        self.is_owner = is_owner

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"]).strip()
        person = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
        if person is None:
            raise forms.ValidationError(
                _("Nobody has the user name “%(name)s”. An administrator can create an account."),
                params={"name": name},
            )
        role = role_in(person, self.study)
        if role == DATA:
            raise forms.ValidationError(
                _("%(name)s looks at the data only and codes nothing. Change the role on the page People first."),
                params={"name": name},
            )
        self.is_new = not role
        if self.is_new and not self.is_owner:
            raise forms.ValidationError(
                _("%(name)s is not in the study, and only its owner can add people."), params={"name": name}
            )
        self.person = person
        return name


@dataclass(frozen=True)
class CoderLine:
    """A coder on the page."""

    queue: CodingQueue
    progress: Progress
    percent: int
    is_blind: bool

    @property
    def minutes(self) -> float:
        return self.progress.seconds / 60

    @property
    def share(self) -> int:
        return round(self.queue.share * 100)


def coefficient_text(value: float | None) -> str:
    """Return a share or a coefficient of agreement to two decimals, without a zero that says nothing.

    >>> coefficient_text(0.8149), coefficient_text(-0.05), coefficient_text(1.0), coefficient_text(None)
    ('.81', '−.05', '1.00', '–')
    """
    if value is None:
        return "–"
    text = f"{abs(value):.2f}"
    return ("−" if value < 0 and float(text) > 0 else "") + text.removeprefix("0")


def weight_text(weight: float) -> str:
    """Return a weight with its sign.

    >>> weight_text(0.5), weight_text(-0.25), weight_text(0.0)
    ('+0.5', '−0.25', '0')
    """
    return f"{weight:+.10g}".replace("-", "−") if weight else "0"


def plain_notes(agreement: Agreement) -> list[str]:
    """Return the notes of a table of agreement with the codes as the page calls them."""
    return [re.sub(r"\bcode_(\w+)", r"\1", note) for note in agreement.notes]


def coder_lines(study: Study) -> list[CoderLine]:
    """Return the coders of a study with how far they are."""
    lines = []
    for queue in queues.queues_of(study):
        progress = queues.progress(queue)
        percent = round(100 * progress.coded / progress.total) if progress.total else 0
        lines.append(CoderLine(queue, progress, percent, role_in(queue.coder, study) == CODER))
    return lines


def agreement_lines(agreement: Agreement, descriptions: dict[str, str]) -> list[dict[str, Any]]:
    """Return the lines of a table of agreement: of the whole coding, then of each code with its description."""
    return [
        {
            "code": "" if row.code == "all" else row.code,
            "description": str(_("the codes, weights and all codings"))
            if row.code == "all"
            else descriptions.get(row.code, ""),
            "n": row.n,
            **{name: coefficient_text(getattr(row, name)) for name in ("raw", "kappa", "alpha")},
        }
        for row in agreement.rows
    ]


class Overview(CodeView):
    """The page of the step."""

    template_name = "analysis/coding/overview.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.show()

    def show(self, form: NewCoder | None = None, *, status: int = 200) -> HttpResponseBase:
        """Return the page, with a form that has to be corrected where there is one."""
        scheme = scheme_of(self.study)
        descriptions = {entry.code: entry.meaning for entry in scheme}
        agreement = agreement_of_coders(self.study)
        suggested = agreement_of_suggestions(self.study)
        lines = coder_lines(self.study)
        return self.page(
            status=status,
            counts=counts(self.study),
            coders=lines,
            mine=next((line for line in lines if line.queue.coder_id == self.request.user.pk), None),
            agreement=agreement,
            agreement_notes=plain_notes(agreement),
            agreement_lines=agreement_lines(agreement, descriptions),
            suggested=suggested,
            suggested_notes=plain_notes(suggested),
            suggested_lines=agreement_lines(suggested, descriptions),
            scheme=[(entry, weight_text(entry.weight)) for entry in scheme],
            state=state_of(self.study),
            form=form or NewCoder(study=self.study, is_owner=self.is_owner),
        )
