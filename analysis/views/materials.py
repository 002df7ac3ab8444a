"""Page with the profile of the materials: text measures, and whether conditions and lists are matched."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.translation import gettext as _

from analysis.data.tables import TEXTS
from analysis.methods import registry
from analysis.methods.texts.matching import DIFFER
from analysis.methods.texts.matching_bounds import bounds_of
from analysis.methods.texts.measures import MEASURES
from analysis.reports.essentials import ROWS_SHOWN
from analysis.reports.shown_tables import shown_table
from analysis.reports.symbols import sentence_html
from analysis.studies.materials import (
    FIGURE,
    KEPT_PARAMETERS,
    METHOD,
    MOST_TEXTS,
    lines_of,
    matrix_of,
    number_of_texts,
    parameters_of,
    profile_of,
)
from analysis.views.asking import AnalysisView, start

FOLDED = ("worst", "matching_within_lists", "implementations")


class ProfilePage(AnalysisView):
    """The profile as it is now; posting makes an analysis of it that stays, with bounds that then hold here as well."""

    step = "materials"
    template_name = "analysis/texts/profile.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        report = profile_of(self.study)
        tables = [table for table in report.tables if table.name in FOLDED and table.rows] if report else []
        texts = number_of_texts(self.study)
        return self.page(
            report=report,
            first=[sentence_html(report.sentences[place]) for place in (0, -1)] if report else [],
            profile=shown_table(report.table("profile"), limit=ROWS_SHOWN) if report else None,
            matrix=matrix_of(report) if report else None,
            tables=[shown_table(table, limit=ROWS_SHOWN) for table in tables],
            differing=[line for line in lines_of(report, "matching") if line["verdict"] == DIFFER] if report else [],
            bounds=self._bounds(),
            has_figure=report is not None and any(figure.name == FIGURE for figure in report.figures),
            has_texts=texts > 0,
            is_large=texts > MOST_TEXTS,
            most_texts=MOST_TEXTS,
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        chosen = {name: request.POST[name].strip() for name in KEPT_PARAMETERS if request.POST.get(name, "").strip()}
        defaults = {parameter.name: str(parameter.default) for parameter in registry.method_named(METHOD).parameters}
        kept = {name: value for name, value in chosen.items() if value != defaults[name]}
        try:
            bounds_of(
                chosen.get("bounds", defaults["bounds"]),
                d=float(chosen.get("bound", defaults["bound"])),
                measures=tuple(MEASURES),
            )
        except ValueError as fault:
            messages.error(request, format_html('<span lang="en">{}</span>', fault))
            return redirect("analysis:profile", self.study.slug)
        given = {name: value for name, value in parameters_of(self.study).items() if name not in KEPT_PARAMETERS}
        return start(request, self.study, method=METHOD, params={**given, **kept}, table=TEXTS)

    def _bounds(self) -> list[dict[str, Any]]:
        """Return the fields of the bounds with what holds now."""
        now = parameters_of(self.study)
        declared = {parameter.name: parameter for parameter in registry.method_named(METHOD).parameters}
        return [
            {
                "name": name,
                "label": _(declared[name].label),
                "help": _(declared[name].help),
                "value": now.get(name, str(declared[name].default)),
            }
            for name in KEPT_PARAMETERS
        ]


class ProfileFigure(AnalysisView):
    """The differences between conditions and lists as a picture."""

    step = "materials"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        report = profile_of(self.study)
        figure = next((figure for figure in report.figures if figure.name == FIGURE), None) if report else None
        if report is None or figure is None:
            raise Http404(_("The report has no such file."))
        # The drawing library takes half a second to load.
        from analysis.reports import figures

        response = HttpResponse(figures.svg(report, figure), content_type="image/svg+xml")
        # A picture with scripts would run them on this site if it were opened by itself.
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response["Cache-Control"] = "private, no-store"
        return response
