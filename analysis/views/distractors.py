"""Page for generating, reviewing and storing the distractors of a Maze study."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from analysis.data.frames import data_stamp
from analysis.data.tables import TEXTS
from analysis.distractors.candidates import LANGUAGES
from analysis.exports.reports import report_from
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from analysis.reports.symbols import sentence_html
from analysis.studies.distractors import (
    METHOD,
    DistractorsRefused,
    Replaced,
    as_text,
    newest_run,
    parameters_for,
    refusal_to_make,
    replaced_from,
    reviewed,
    store_distractors,
    takes_distractors,
    with_another,
    with_distractors,
)
from analysis.views.asking import AnalysisView, start
from analysis.views.forms import TextFileField
from experiments.started_by import command
from experiments.study.lifecycle import FrozenStudy
from experiments.views.page import StudyView


class MakeDistractors(forms.Form):
    """What distractors are made with."""

    model = TextFileField(
        label=gettext_lazy("Language model"),
        required=False,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        initial=1,
        min_value=0,
        max_value=1_000_000,
        help_text=gettext_lazy("Another number draws other distractors."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].help_text = _(
            "An n-gram model in the ARPA format. Without a model, only length and frequency are matched, and you "
            "have to check whether a word happens to continue its sentence. For a large model, use the command "
            "%(command)s."
        ) % {"command": command("make_distractors")}


class DistractorsPage(AnalysisView):
    """Made by a run, reviewed here. Posting makes new ones; replacing one stores nothing."""

    is_of_pools = False
    step = "materials"
    template_name = "analysis/texts/distractors.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.show(MakeDistractors(), {})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        _refuse_others(self)
        if "replace" in request.POST:
            run, replaced = newest_run(self.study), replaced_from(request.POST.get("replaced", ""))
            if run is None or not run.report or str(run.pk) != request.POST.get("run"):
                return _made_anew(self)
            number = request.POST["replace"]
            report = report_from(run.report)
            changed = with_another(report, replaced, int(number)) if number.isdecimal() else replaced
            return self.show(MakeDistractors(), changed, last=number)
        form = MakeDistractors(request.POST, request.FILES)
        refusal = self.refusal()
        if refusal or not form.is_valid():
            return self.show(form, {}, status=422)
        given = form.cleaned_data
        params = parameters_for(self.study, seed=given["seed"], model=given["model"])
        start(request, self.study, method=METHOD, params=params, table=TEXTS)
        return redirect("analysis:distractors", self.study.slug)

    def refusal(self) -> str:
        """Return why no distractors can be made, as a sentence; empty where they can."""
        if self.study.is_frozen:
            return _("Locked: the study has been opened. Duplicate it to make changes.")
        if self.study.participants_language.partition("-")[0] not in LANGUAGES:
            return _("Word lists are available for English and German only.")
        return refusal_to_make(self.study)

    def show(self, form: MakeDistractors, replaced: Replaced, *, last: str = "", status: int = 200) -> HttpResponseBase:
        """Return the page with what was replaced so far."""
        _refuse_others(self)
        run = newest_run(self.study)
        report: Report | None = report_from(run.report) if run is not None and run.report else None
        places = reviewed(report, replaced) if report is not None else []
        stored, texts = with_distractors(self.study)
        return self.page(
            form=form,
            refusal=self.refusal(),
            run=run,
            is_failed=run is not None and run.status in (AnalysisRun.Status.FAILED, AnalysisRun.Status.CANCELLED),
            is_old=report is not None and run is not None and run.data_stamp != data_stamp(self.study),
            sentences=[sentence_html(sentence) for sentence in report.sentences] if report is not None else [],
            places=places,
            has_model=any(place.surprisal_difference is not None for place in places),
            n_flagged=sum(bool(place.flag) for place in places),
            n_replaced=sum(place.is_replaced for place in places),
            replaced=as_text(replaced),
            last=last,
            stored=stored,
            texts=texts,
            status=status,
        )


class StoreDistractors(AnalysisView):
    """Put the distractors into the materials of the draft."""

    is_of_pools = False
    step = "materials"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("analysis:distractors", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        _refuse_others(self)
        run = newest_run(self.study)
        if run is None or not run.report or str(run.pk) != request.POST.get("run"):
            return _made_anew(self)
        replaced = replaced_from(request.POST.get("replaced", ""))
        try:
            number = store_distractors(self.study, report_from(run.report), replaced, request.user)
        except (DistractorsRefused, FrozenStudy) as refusal:
            messages.error(request, str(refusal))
            return redirect("analysis:distractors", self.study.slug)
        messages.success(
            request,
            ngettext("%(n)d text now has distractors.", "%(n)d texts now have distractors.", number) % {"n": number},
        )
        return redirect("study:materials", self.study.slug)


def _refuse_others(view: StudyView) -> None:
    if not takes_distractors(view.study):
        raise Http404(_("This study has no distractors."))


def _made_anew(view: StudyView) -> HttpResponseBase:
    messages.error(view.request, _("New distractors were made in the meantime. Review these."))
    return redirect("analysis:distractors", view.study.slug)
