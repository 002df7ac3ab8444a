"""The list of studies: the first page after logging in."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from django.conf import settings as platform
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from experiments import tour
from experiments.models import Study
from experiments.paradigms import UnknownParadigm
from experiments.study.access import may_make_studies, studies_to_code, studies_with_data_for
from experiments.study.steps import StepLink, coding_links, next_step, study_steps
from experiments.views.listings import Column, Table, table_of
from experiments.views.page import ResearcherView

COLUMNS = [
    Column("title", _("Study"), order_by=("title",)),
    Column("status", _("Status"), order_by=("status",)),
    Column("participants", _("Participants")),
    Column("next", pgettext_lazy("step", "Next")),
    Column("created", _("Created"), order_by=("created_at",)),
]
ARCHIVED = "archived"
FILTERS = {
    "status": [
        (Study.Status.DRAFT.value, _("Drafts"), Q(status=Study.Status.DRAFT)),
        (Study.Status.OPEN.value, _("Open"), Q(status=Study.Status.OPEN)),
        (Study.Status.CLOSED.value, _("Closed"), Q(status=Study.Status.CLOSED)),
        (ARCHIVED, _("Archived"), Q(archived_at__isnull=False)),
    ]
}


@dataclass(frozen=True)
class StudyRow:
    """A study with the steps that the list mentions."""

    study: Study
    watch: StepLink | None
    next_step: StepLink | None
    done: int
    total: int
    # The paradigm that is not installed any more; nothing else is known of the study then.
    lacking: str = ""


def study_table(request: HttpRequest) -> tuple[Table, list[StudyRow]]:
    """Return the page of studies that the address asks for and its rows."""
    studies = studies_with_data_for(request.user).select_related("owner")
    if request.GET.get("status") != ARCHIVED:
        studies = studies.filter(archived_at=None)
    table = table_of(
        request,
        studies,
        columns=COLUMNS,
        default_sort="-created",
        search_in=("title", "slug", "description", "tags"),
        filters=FILTERS,
        per_page=20,
    )
    return table, [_row(study, request) for study in table.page]


def _row(study: Study, request: HttpRequest) -> StudyRow:
    try:
        steps = study_steps(study, request.user)
    except UnknownParadigm as unknown:
        return StudyRow(study, watch=None, next_step=None, done=0, total=0, lacking=unknown.slug)
    return StudyRow(
        study=study,
        watch=next((step for step in steps if step.slug == "watch"), None),
        next_step=next_step(steps),
        done=sum(step.state.kind == "done" for step in steps),
        total=len(steps),
    )


@dataclass(frozen=True)
class CodingRow:
    """A study in which somebody may only code, with the page to do so."""

    study: Study
    link: StepLink


def coding_rows(request: HttpRequest) -> list[CodingRow]:
    """Return the studies in which the person may only code."""
    rows: list[CodingRow] = []
    for study in studies_to_code(request.user):
        with contextlib.suppress(UnknownParadigm):
            rows += [CodingRow(study, link) for link in coding_links(study, request.user)]
    return rows


def fill_start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Put the list of studies on the admin's first page."""
    table, rows = study_table(request)
    makes_studies = may_make_studies(request.user)
    return {
        **context,
        "title": _("Studies"),
        "table": table,
        "rows": rows,
        "to_code": coding_rows(request),
        "notices": [said for path in platform.START_NOTICES if (said := import_string(path)(request.user))],
        "makes_studies": makes_studies,
        "tour": tour if makes_studies and not rows and tour.is_there() else None,
    }


class Index(ResearcherView):
    """All studies a researcher owns or was added to."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return TemplateResponse(request, "studies/index.html", fill_start_page(request, self.frame()))
