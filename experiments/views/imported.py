"""Page of a study that was made of a project of another tool: what became of every element."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from experiments.other_tools.pcibex.study import REPORT_FILE
from experiments.other_tools.stored import sections_of, stored_report
from experiments.views.page import StudyView


class ImportReport(StudyView):
    """The report of an import, as a page or as a file."""

    template_name = "studies/import_report.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        report = stored_report(self.study)
        if report is None:
            raise Http404
        if "file" in request.GET:
            answer = HttpResponse(report, content_type="text/markdown; charset=utf-8")
            answer["Content-Disposition"] = f'attachment; filename="{self.study.slug}-{REPORT_FILE}"'
            return answer
        return self.page(sections=sections_of(report))
