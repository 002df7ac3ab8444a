"""The picture with which Analyse begins, and how far its means are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.exports.reports import words_of
from analysis.studies.picture import (
    BY_ITSELF,
    MainMeasure,
    Progress,
    fill,
    is_hidden,
    main_measure,
    progress_of,
    title_of,
)
from analysis.studies.picture import report_of as picture_of
from analysis.views.asking import AnalysisView, suggestions
from experiments.models import Study

# Of a figure on a telephone: one column of a journal.
NARROW = 85


@dataclass(frozen=True)
class Picture:
    """The picture on the page of Analyse. `mark` changes whenever what it shows may have changed."""

    progress: Progress
    measure: str
    title: str
    mark: str

    @property
    def is_made_at_once(self) -> bool:
        """Whether what is missing is made while the picture is asked for."""
        return self.progress.people > 0 and self.progress.missing <= BY_ITSELF

    @property
    def is_made_in_steps(self) -> bool:
        """Whether there is so much to read that the page says how far it is."""
        return self.progress.missing > BY_ITSELF

    @property
    def share(self) -> float:
        return self.progress.done / max(1, self.progress.people)


def picture_on_page(study: Study) -> Picture | None:
    """Return the picture of a task; None where it has no measure to show, or nobody may look yet."""
    measure = None if is_hidden(study) else main_measure(study, suggestions(study))
    if measure is None:
        return None
    progress = progress_of(study, measure)
    facts = (measure.stamp, progress, study.labels, get_language())
    mark = hashlib.sha256(repr(facts).encode()).hexdigest()[:12]
    words = words_of(study)
    return Picture(progress, words.name(measure.column), title_of(words, measure), mark)


class PictureView(AnalysisView):
    """A page about the picture of a task. Raises Http404 where there is none, or where nobody may look yet."""

    is_about_data = True
    step = "analyse"

    def measure(self) -> MainMeasure:
        if is_hidden(self.study):
            raise Http404(_("A sequential analysis decides when the study stops. Until then nobody sees its data."))
        measure = main_measure(self.study, suggestions(self.study))
        if measure is None:
            raise Http404(_("This study has no main measure to show."))
        return measure


class PictureFile(PictureView):
    """The main measure by condition as SVG; with `?width=85` of one column."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        # The drawing library takes half a second to load.
        from analysis.reports import figure_widths, figures

        measure = self.measure()
        if not fill(self.study, measure).done:
            raise Http404(_("Nobody has finished this study yet."))
        report = picture_of(self.study, measure)
        if not report.tables[0].rows:
            raise Http404(_("There are no values of the main measure yet."))
        figure = report.figures[0]
        if request.GET.get("width") == str(NARROW):
            drawn = figure_widths.sized_svg(report, figure, millimetres=NARROW)
        else:
            drawn = figures.svg(report, figure)
        response = HttpResponse(drawn, content_type="image/svg+xml")
        # A picture with scripts would run them on this site if it were opened by itself.
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response["Cache-Control"] = "private, max-age=3600"
        return response


class PictureProgress(PictureView):
    """Make means for a second, and say how far they are: the page asks until all are there."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        progress = fill(self.study, self.measure())
        answer = {
            "status": "running" if progress.missing else "done",
            "progress": progress.done / max(1, progress.people),
            "note": _("%(done)d of %(people)d people") % {"done": progress.done, "people": progress.people},
        }
        response = JsonResponse(answer)
        response["Cache-Control"] = "no-store"
        return response
