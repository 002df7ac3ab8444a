"""Factors, item sets and lists: the Latin square as one can read it, and every list with its texts."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from experiments.materials import design_of, preview_of
from experiments.procedure.sessions import session_stimuli
from experiments.views.matrix import keys_of, squares_of
from experiments.views.page import StudyView


class Design(StudyView):
    """The whole design on one page."""

    step = "design"
    template_name = "studies/design.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        design = design_of(self.study)
        preview = preview_of(design)
        stored = {each.name: each.pk for each in self.study.lists.all()}
        return self.page(
            preview=preview,
            keys=list(zip(keys_of(preview), design.conditions, strict=False)),
            squares=squares_of(preview, stored=stored),
        )


class ListPage(StudyView):
    """One list with its texts, in the order of the materials."""

    step = "design"
    template_name = "studies/list.html"

    def get(self, request: HttpRequest, list_id: int) -> HttpResponseBase:
        shown = self.study.lists.filter(pk=list_id).first()
        if shown is None:
            raise Http404(_("This study has no such list."))
        keys = {key.name: key for key in keys_of(preview_of(design_of(self.study)))}
        stimuli = session_stimuli(self.study, shown)
        return self.page(
            shown=shown,
            rows=[{"stimulus": stimulus, "key": keys.get(stimulus.condition or "")} for stimulus in stimuli],
            lists=list(self.study.lists.all()),
        )
