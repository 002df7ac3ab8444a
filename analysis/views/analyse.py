"""The analyse step: what suggests itself, every other method, and what was analysed before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.changes import Changes
from analysis.forms import AnalysisForm
from analysis.frames import data_stamp
from analysis.isolation import limits_in_words
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.runs import checked_params, code_version, request_run
from experiments.audit import record
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import SuggestedAnalysis
from experiments.views.page import StudyView
from participants.models import Response, Session

RUNS_PER_PAGE = 25


def suggestions(study: Study) -> list[SuggestedAnalysis]:
    """Return the analyses that the paradigm suggests for the study's design, as far as their methods are there."""
    factors = {str(factor["name"]): [str(level) for level in factor.get("levels", ())] for factor in study.factors}
    has_fillers = study.items.filter(is_filler=True).exists()
    known = registry.analyses()
    return [
        suggestion
        for suggestion in paradigm_named(study.paradigm).suggestions(factors, study.settings, has_fillers=has_fillers)
        if suggestion.method in known
    ]


def params_in_words(params: Mapping[str, Any]) -> str:
    """Return parameters as one line, such as `dv = rating_z · within = marker, order`."""
    return " · ".join(
        f"{name} = {', '.join(value) if isinstance(value, (list, tuple)) else str(value).replace(',', ', ')}"
        for name, value in params.items()
        if not (name == "trial" and value == "position")
    )


@dataclass(frozen=True)
class Suggestion:
    """A suggested analysis on the page, with its latest finished run."""

    index: int
    title: str
    method: registry.Method
    params: str
    refusal: str
    run: AnalysisRun | None
    is_current: bool


@dataclass(frozen=True)
class Earlier:
    """An earlier run on the page."""

    run: AnalysisRun
    label: str
    params: str
    changes: str


class AnalysePage(StudyView):
    """Suggested analyses, all methods, earlier runs."""

    step = "analyse"
    template_name = "analysis/analyse.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        stamp = data_stamp(self.study)
        changes = Changes(self.study, stamp)
        methods = registry.analyses()
        runs = AnalysisRun.objects.filter(study=self.study).defer("report").select_related("created_by")
        page = Paginator(runs, RUNS_PER_PAGE).get_page(request.GET.get("page"))
        sessions = Session.objects.filter(study=self.study)
        finished = sessions.filter(status=Session.Status.COMPLETE)
        return self.page(
            has_data=Response.objects.filter(trial__session__study=self.study).exists(),
            finished=finished.count(),
            left_out=finished.filter(is_excluded=True).count(),
            running=sessions.exclude(status=Session.Status.COMPLETE).count(),
            simulated=finished.filter(is_simulated=True).count(),
            suggestions=[
                self._suggestion(index, suggestion, stamp) for index, suggestion in enumerate(suggestions(self.study))
            ],
            methods=list(methods.values()),
            earlier=[
                Earlier(
                    run=run,
                    label=methods[run.method].label if run.method in methods else run.method,
                    params=params_in_words(run.params),
                    changes=changes.since(run),
                )
                for run in page
            ],
            runs_page=page,
            limits=limits_in_words(),
        )

    def _suggestion(self, index: int, suggestion: SuggestedAnalysis, stamp: str) -> Suggestion:
        refusal, run = "", None
        try:
            params = checked_params(self.study, method=suggestion.method, params=suggestion.params)
            alike = AnalysisRun.objects.filter(study=self.study, method=suggestion.method, params=params)
            run = alike.filter(status=AnalysisRun.Status.DONE).defer("report").first()
        except BadInput as fault:
            refusal = str(fault)
        return Suggestion(
            index=index,
            title=suggestion.title,
            method=registry.method_named(suggestion.method),
            params=params_in_words(suggestion.params),
            refusal=refusal,
            run=run,
            is_current=run is not None and run.data_stamp == stamp and run.code_version == code_version(),
        )


class RunSuggested(StudyView):
    """One click: run a suggested analysis."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        offered = suggestions(self.study)
        if index >= len(offered):
            raise Http404(_("There is no such suggestion."))
        return start(request, self.study, method=offered[index].method, params=offered[index].params)


class NewAnalysis(StudyView):
    """The form of one method; `?run=` starts from the parameters of an earlier run."""

    step = "analyse"
    template_name = "analysis/new.html"

    def get(self, request: HttpRequest, method: str) -> HttpResponseBase:
        return self._form_page(
            AnalysisForm(initial=self._initial(request), method=self._method(method), study=self.study)
        )

    def post(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        form = AnalysisForm(request.POST, method=declared, study=self.study, initial=chosen_of(request, declared))
        if not form.is_valid():
            return self._form_page(form, status=422)
        return start(request, self.study, method=method, params=form.params)

    def _form_page(self, form: AnalysisForm, *, status: int = 200) -> HttpResponseBase:
        return self.page(
            status=status,
            form=form,
            method=form.method,
            limits=limits_in_words(),
            has_data=Response.objects.filter(trial__session__study=self.study).exists(),
        )

    def _method(self, slug: str) -> registry.Method:
        try:
            return registry.method_named(slug)
        except BadInput as fault:
            raise Http404(str(fault)) from fault

    def _initial(self, request: HttpRequest) -> dict[str, Any]:
        run_id = request.GET.get("run", "")
        if run_id.isdigit():
            run = AnalysisRun.objects.filter(study=self.study, pk=run_id).first()
            if run is not None:
                return {name: as_initial(value) for name, value in run.params.items()}
        return {}


def as_initial(value: Any) -> Any:
    """Return a stored parameter as a form shows it: several names become a list."""
    from analysis.methods.parameters import as_names

    return list(as_names(value)) if isinstance(value, str) and "," in value else value


def chosen_of(request: HttpRequest, method: registry.Method) -> dict[str, Any]:
    """Return what was posted for parameters that take several columns, so that the form can offer it again."""
    return {
        parameter.name: request.POST.getlist(parameter.name)
        for parameter in method.parameters
        if parameter.kind == "columns" and request.POST.getlist(parameter.name)
    }


def start(request: HttpRequest, study: Study, *, method: str, params: Mapping[str, Any]) -> HttpResponseRedirect:
    """Request a run and go to its page; back to the analyse page with a sentence where it is refused."""
    try:
        run = request_run(study, method=method, params=params, user=request.user)
    except BadInput as fault:
        messages.error(request, str(fault))
        return redirect(reverse("analysis:analyse", args=[study.slug]))
    if run.status == AnalysisRun.Status.DONE:
        messages.info(request, _("The data have not changed since this analysis was run, so this is its report."))
    else:
        record(study, action="analysis requested", user=request.user, detail=f"{method}: {params_in_words(run.params)}")
    return redirect(reverse("analysis:run", args=[study.slug, run.pk]))
