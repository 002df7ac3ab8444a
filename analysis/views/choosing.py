"""Page with the form of one method: table, other study, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from analysis.codebook.columns import names
from analysis.codebook.questions import general_question
from analysis.computing.outcomes import limits_in_words
from analysis.data.tables import TEXTS, checked_other, columns_of, studies_to_compare, table_named, tables_of
from analysis.exports.reports import words_of
from analysis.methods import declarations, registry
from analysis.methods.expressions import DERIVE, checked
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.studies.materials import METHOD as PROFILE
from analysis.studies.materials import parameters_of
from analysis.studies.planned import planned_analyses
from analysis.studies.power_of_design import METHOD as POWER
from analysis.studies.power_of_design import attributes_with_levels
from analysis.studies.power_of_design import parameters_of as design_of
from analysis.views.asking import AnalysisView, start, suggestions
from analysis.views.builder import BUILD
from analysis.views.forms import AnalysisForm
from experiments.models import Study
from experiments.study.access import can_view, studies_for
from experiments.views.addresses import is_number
from participants.models import Response

OFFER = "offer"
"""The button of a form that offers derived columns and runs nothing."""


class NewAnalysis(AnalysisView):
    """The form of one method on one of the study's tables.

    `?run=` starts from an earlier run, `?suggested=` from a suggestion, `?planned=` from a planned analysis; `?table=`
    chooses a table and `?other=` the study that is compared.
    """

    is_about_data = True
    step = "analyse"
    template_name = "analysis/new.html"
    # A file is kept with a run; a plan is exported and printed, and holds none.
    takes_files: ClassVar[bool] = True

    def get(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        start_from = self._start_from(request)
        if start_from.is_empty and method == PROFILE:
            start_from = StartFrom(parameters_of(self.study), TEXTS, None)
        if start_from.is_empty and method == POWER and request.GET.get("from") == "design":
            attribute = request.GET.get("with", "")
            start_from = StartFrom(design_of(self.study, attribute=attribute), "trials", None)
        return self._form_page(
            AnalysisForm(
                initial=as_shown(declared, start_from.params),
                method=declared,
                study=self.study,
                table=self.table(request, otherwise=start_from.table or usual_table(self.study, method)),
                takes_files=self.takes_files,
            ),
            other=self.other(request) or start_from.other,
        )

    def post(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        if OFFER in request.POST or BUILD in request.POST:
            return self._form_page(self.form_with_derived(request, declared), other=self.other(request))
        form = AnalysisForm(
            request.POST,
            request.FILES,
            method=declared,
            study=self.study,
            table=self.table(request),
            takes_files=self.takes_files,
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

    def form_with_derived(self, request: HttpRequest, declared: declarations.Method) -> AnalysisForm:
        """Return the form as it was filled in, with the derived columns among its choices; what is wrong is said.

        Where a formula was put together, it is the text of the formula.
        """
        initial: dict[str, Any] = {**request.POST.dict(), **chosen_of(request, declared)}
        form = AnalysisForm(
            initial=initial,
            method=declared,
            study=self.study,
            table=self.table(request),
            takes_files=self.takes_files,
        )
        form.write_formula(request.POST)
        try:
            checked(request.POST.get(DERIVE, ""), names(columns_of(self.study, form.table)))
        except BadInput as fault:
            messages.error(request, str(fault))
        return form

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
            question=general_question(form.method),
            attributes=self._attributes(form),
            has_data=table.name == TEXTS
            # Power is asked for before there are data.
            or form.method.slug == POWER
            or Response.objects.filter(trial__session__study=self.study).exists(),
        )

    def _attributes(self, form: AnalysisForm) -> list[tuple[str, str]]:
        """Return the attributes that a simulated design can have as factors: columns, and what they are called."""
        words = words_of(self.study)
        found = attributes_with_levels(self.study) if form.method.slug == POWER else []
        return [(one.column, words.name(one.column)) for one in found]

    def _method(self, slug: str) -> declarations.Method:
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
        if is_number(place) and int(place) < len(analyses := planned_analyses(self.study)):
            planned = analyses[int(place)]
            other = studies_for(request.user).filter(slug=planned.get("other_study", "")).first()
            return StartFrom(planned["params"], planned["table"], other)
        return StartFrom({}, "", None)


@dataclass(frozen=True)
class StartFrom:
    """What the form of an analysis begins with."""

    params: Mapping[str, Any]
    table: str
    other: Study | None

    @property
    def is_empty(self) -> bool:
        return not self.params and not self.table


def usual_table(study: Study, method: str) -> str:
    """Return the table that a method is mostly for, where the study has it."""
    usual = {"reading": "visits", "agreement": "codings", "incidence": "codings", PROFILE: TEXTS}.get(method, "trials")
    return usual if usual in {table.name for table in tables_of(study)} else "trials"


def as_shown(method: declarations.Method, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored parameters as a form shows them: several columns become a list, other texts stay as they are."""
    from analysis.methods.parameters import as_names

    several = {parameter.name for parameter in method.parameters if parameter.kind == "columns"}
    return {
        name: list(as_names(value)) if name in several and isinstance(value, str) and "," in value else value
        for name, value in params.items()
    }


def chosen_of(request: HttpRequest, method: declarations.Method) -> dict[str, Any]:
    """Return what was posted for parameters that take several columns, so that the form can offer it again."""
    return {
        parameter.name: request.POST.getlist(parameter.name)
        for parameter in method.parameters
        if parameter.kind == "columns" and request.POST.getlist(parameter.name)
    }
