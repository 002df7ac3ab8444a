"""Read-only Django admin for analyses, limited to a researcher's studies."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from analysis.methods.parameters import as_written
from analysis.models import AnalysisRun
from analysis.studies.access import readable_runs
from experiments.views.records import RecordAdmin, facts


@admin.register(AnalysisRun)
class AnalysisRunAdmin(RecordAdmin):
    """Runs with their state; reports are read on their own pages."""

    list_display = ("pk", "study", "method", "status", "created_by", "created_at", "report_page")
    list_filter = ("status", "method")
    search_fields = ("study__title", "study__slug", "method")
    list_select_related = ("study", "created_by")
    fields = (
        "study", "method", "shown_params", "table", "other_study", "status", "error", "error_reference", "attempts",
        "data_hash", "code_version", "created_by", "created_at", "started_at", "finished_at", "report_page",
    )  # fmt: skip
    readonly_fields = ("shown_params", "report_page")

    def get_queryset(self, request: HttpRequest) -> QuerySet[AnalysisRun]:
        return readable_runs(super().get_queryset(request), request.user).defer("report")

    @admin.display(description=_("parameters"))
    def shown_params(self, run: AnalysisRun) -> SafeString | str:
        shown = {name: as_written(value) if isinstance(value, dict) else value for name, value in run.params.items()}
        return facts(shown)

    @admin.display(description=_("report"))
    def report_page(self, run: AnalysisRun) -> SafeString:
        return format_html(
            '<a href="{}">{}</a>', reverse("analysis:run", args=[run.study.slug, run.pk]), _("Open the page")
        )
