"""Who did what and when: of one study, or of all studies that somebody sees."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.models import AuditEntry
from experiments.study.access import studies_for
from experiments.views.listings import Column, Table, table_of
from experiments.views.page import ResearcherView, StudyView

WHEN = Column("at", gettext_lazy("When"), order_by=("at",))
WHERE = Column("study", gettext_lazy("Study"), order_by=("study_slug",))
REST = (
    Column("user", gettext_lazy("Who"), order_by=("user__username",)),
    Column("action", gettext_lazy("What happened"), order_by=("action",)),
    Column("detail", gettext_lazy("In detail")),
)


def history_table(request: HttpRequest, entries: QuerySet[AuditEntry], *, of_one_study: bool) -> dict[str, Any]:
    """Return what the table of entries needs, with a choice of actions: those that the entries have."""
    actions = sorted(entries.order_by().values_list("action", flat=True).distinct())
    table: Table = table_of(
        request,
        entries.select_related("user", "study"),
        columns=[WHEN, *([] if of_one_study else [WHERE]), *REST],
        default_sort="-at",
        search_in=("detail", "user__username") if of_one_study else ("study_slug", "detail", "user__username"),
        filters={"action": [(action, capfirst(_(action)), Q(action=action)) for action in actions]},
    )
    chosen = request.GET.get("action", "")
    return {
        "table": table,
        "actions": [(action, capfirst(_(action)), action == chosen) for action in actions],
        "of_one_study": of_one_study,
    }


class History(ResearcherView):
    """Everything that was done in the studies that somebody sees; administrators also see what concerns accounts."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        entries = AuditEntry.objects.all()
        if not request.user.is_superuser:
            entries = entries.filter(study__in=studies_for(request.user))
        shown = history_table(request, entries, of_one_study=False)
        return TemplateResponse(request, "studies/history.html", self.frame(**shown))


class StudyHistory(StudyView):
    """Everything that was done in one study."""

    template_name = "studies/history_of_study.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        entries = AuditEntry.objects.filter(study=self.study)
        return self.page(**history_table(request, entries, of_one_study=True), extra="history")
