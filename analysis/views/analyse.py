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
from analysis.tables import checked_other, studies_to_compare, table_named, tables_of
from experiments.access import can_view, studies_for
from experiments.audit import record
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import SuggestedAnalysis
from experiments.plan import complete_plan
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


def params_in_words(params: Mapping[str, Any], *, table: str = "trials", other: Study | None = None) -> str:
    """Return parameters as one line, such as `dv = rating_z · within = marker, order`; the table, if it is another."""
    tables = [] if table == "trials" else [f"{table}.csv" if other is None else f"{table}.csv, {other.slug}"]
    return " · ".join(
        tables
        + [
            f"{name} = {', '.join(value) if isinstance(value, (list, tuple)) else str(value).replace(',', ', ')}"
            for name, value in params.items()
            if not (name == "trial" and value == "position")
        ]
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
    needs_other_study: bool


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
        changes = Changes(self.study, data_stamp(self.study))
        methods = registry.analyses()
        runs = AnalysisRun.objects.filter(study=self.study).defer("report")
        runs = runs.select_related("created_by", "other_study")
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
                self._suggestion(index, suggestion, changes) for index, suggestion in enumerate(suggestions(self.study))
            ],
            methods=list(methods.values()),
            earlier=[
                Earlier(
                    run=run,
                    label=methods[run.method].label if run.method in methods else run.method,
                    params=params_in_words(run.params, table=run.table, other=run.other_study),
                    changes=changes.since(run),
                )
                for run in page
            ],
            runs_page=page,
            limits=limits_in_words(),
        )

    def _suggestion(self, index: int, suggestion: SuggestedAnalysis, changes: Changes) -> Suggestion:
        refusal, run, needs_other = "", None, False
        try:
            needs_other = table_named(self.study, suggestion.table).needs_other_study
            params = checked_params(
                self.study, method=suggestion.method, params=suggestion.params, table=suggestion.table
            )
            alike = AnalysisRun.objects.filter(
                study=self.study, method=suggestion.method, params=params, table=suggestion.table
            )
            run = alike.filter(status=AnalysisRun.Status.DONE).select_related("other_study").defer("report").first()
        except BadInput as fault:
            refusal = str(fault)
        return Suggestion(
            index=index,
            title=suggestion.title,
            method=registry.method_named(suggestion.method),
            params=params_in_words(suggestion.params, table=suggestion.table, other=run.other_study if run else None),
            refusal=refusal,
            run=run,
            is_current=run is not None
            and run.data_stamp == changes.stamp_for(run)
            and run.code_version == code_version(),
            needs_other_study=needs_other,
        )


class RunSuggested(StudyView):
    """One click: run a suggested analysis."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        offered = suggestions(self.study)
        if index >= len(offered):
            raise Http404(_("There is no such suggestion."))
        offer = offered[index]
        return start(request, self.study, method=offer.method, params=offer.params, table=offer.table)


class NewAnalysis(StudyView):
    """The form of one method on one of the study's tables.

    `?run=` starts from an earlier run, `?suggested=` from a suggestion, `?planned=` from a planned analysis; `?table=`
    chooses a table and `?other=` the study that is compared.
    """

    step = "analyse"
    template_name = "analysis/new.html"

    def get(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        start_from = self._start_from(request)
        return self._form_page(
            AnalysisForm(
                initial={name: as_initial(value) for name, value in start_from.params.items()},
                method=declared,
                study=self.study,
                table=self.table(request, otherwise=start_from.table or usual_table(self.study, method)),
            ),
            other=self.other(request) or start_from.other,
        )

    def post(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        form = AnalysisForm(
            request.POST,
            method=declared,
            study=self.study,
            table=self.table(request),
            initial=chosen_of(request, declared),
        )
        other = self.other(request)
        if form.is_valid():
            try:
                checked_other(self.study, form.table, other)
            except BadInput as fault:
                form.add_error(None, str(fault))
        if not form.is_valid():
            return self._form_page(form, status=422, other=other)
        return start(request, self.study, method=method, params=form.params, table=form.table, other=other)

    def table(self, request: HttpRequest, *, otherwise: str = "trials") -> str:
        """Return the table that was chosen. Raises Http404 for one that the study does not have."""
        given = request.POST.get("study_table") or request.GET.get("table") or otherwise
        try:
            return table_named(self.study, given).name
        except BadInput as fault:
            raise Http404(str(fault)) from fault

    def other(self, request: HttpRequest) -> Study | None:
        """Return the study that was chosen for comparison, if the person may see it."""
        given = request.POST.get("other_study") or request.GET.get("other") or ""
        return studies_for(request.user).filter(slug=given).first() if given else None

    def _form_page(self, form: AnalysisForm, *, status: int = 200, other: Study | None = None) -> HttpResponseBase:
        table = table_named(self.study, form.table)
        return self.page(
            status=status,
            table=table,
            tables=tables_of(self.study),
            other=other,
            others=studies_to_compare(self.study, self.request.user) if table.needs_other_study else [],
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

    def _start_from(self, request: HttpRequest) -> StartFrom:
        run_id, index = request.GET.get("run", ""), request.GET.get("suggested", "")
        if is_number(run_id):
            runs = AnalysisRun.objects.filter(study=self.study, pk=run_id).select_related("other_study")
            run = runs.defer("report").first()
            if run is not None:
                other = run.other_study if run.other_study and can_view(request.user, run.other_study) else None
                return StartFrom(run.params, run.table, other)
        if is_number(index) and int(index) < len(offered := suggestions(self.study)):
            return StartFrom(offered[int(index)].params, offered[int(index)].table, None)
        place = request.GET.get("planned", "")
        if is_number(place) and int(place) < len(analyses := complete_plan(self.study.plan)["analyses"]):
            return StartFrom(analyses[int(place)]["params"], analyses[int(place)]["table"], None)
        return StartFrom({}, "", None)


@dataclass(frozen=True)
class StartFrom:
    """What the form of an analysis begins with."""

    params: Mapping[str, Any]
    table: str
    other: Study | None


def is_number(text: str) -> bool:
    """Return whether a part of an address is a number that a key or a place in a list can have."""
    return text.isdecimal() and len(text) < 16


def usual_table(study: Study, method: str) -> str:
    """Return the table that a method is mostly for, where the study has it."""
    usual = {"reading": "visits", "agreement": "codings", "incidence": "codings"}.get(method, "trials")
    return usual if usual in {table.name for table in tables_of(study)} else "trials"


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


def start(
    request: HttpRequest,
    study: Study,
    *,
    method: str,
    params: Mapping[str, Any],
    table: str = "trials",
    other: Study | None = None,
) -> HttpResponseRedirect:
    """Request a run and go to its page; back to the analyse page with a sentence where it is refused."""
    try:
        if other is not None and not can_view(request.user, other):
            raise BadInput(_("The study that is compared is not among yours; ask its owner to add you to it."))
        run = request_run(study, method=method, params=params, user=request.user, table=table, other=other)
    except BadInput as fault:
        messages.error(request, str(fault))
        return redirect(reverse("analysis:analyse", args=[study.slug]))
    if run.status == AnalysisRun.Status.DONE:
        messages.info(request, _("The data have not changed since this analysis was run, so this is its report."))
    else:
        words = params_in_words(run.params, table=table, other=other)
        record(study, action="analysis requested", user=request.user, detail=f"{method}: {words}")
    return redirect(reverse("analysis:run", args=[study.slug, run.pk]))
