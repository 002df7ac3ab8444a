"""The profile of the materials: what the texts are like, and whether conditions and lists are matched."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from analysis.apa import sentence_html, shown_table
from analysis.materials import METHOD, MOST_TEXTS, lines_of, matrix_of, parameters_of, profile_of
from analysis.methods.matching import DIFFER
from analysis.report_page import ROWS_SHOWN
from analysis.tables import TEXTS
from analysis.views.asking import start
from experiments.models import Stimulus
from experiments.views.page import StudyView

FOLDED = ("worst", "matching_within_lists", "implementations")


class ProfilePage(StudyView):
    """The profile as it is now; posting makes an analysis of it that stays."""

    step = "materials"
    template_name = "analysis/profile.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        report = profile_of(self.study)
        tables = [table for table in report.tables if table.name in FOLDED and table.rows] if report else []
        return self.page(
            report=report,
            first=[sentence_html(report.sentences[place]) for place in (0, -1)] if report else [],
            profile=shown_table(report.table("profile"), limit=ROWS_SHOWN) if report else None,
            matrix=matrix_of(report) if report else None,
            tables=[shown_table(table, limit=ROWS_SHOWN) for table in tables],
            differing=[line for line in lines_of(report, "matching") if line["verdict"] == DIFFER] if report else [],
            has_texts=Stimulus.objects.filter(item__study=self.study).exists(),
            most_texts=MOST_TEXTS,
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        return start(request, self.study, method=METHOD, params=parameters_of(self.study), table=TEXTS)
