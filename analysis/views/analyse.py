"""Page of the step *Analyse*: suggested analyses, all other methods, previous runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from analysis.computing.code_version import code_version
from analysis.computing.outcomes import limits_in_words
from analysis.computing.parameters import checked_params
from analysis.data.tables import table_named
from analysis.exports.reports import question_of
from analysis.methods import declarations, registry
from analysis.methods.error_rates.recorded import Rates, rates_of
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.studies.access import readable_runs, refusal_to_read
from analysis.studies.asking import params_in_words
from analysis.studies.changes import Changes
from analysis.studies.families import families_of
from analysis.studies.materials import number_of_texts
from analysis.studies.picture import is_hidden
from analysis.studies.planned import planned_analyses
from analysis.studies.possible import grouped
from analysis.studies.sequential import course_of
from analysis.views.asking import (
    AnalysisView,
    means_do_not_apply,
    question_of_suggestion,
    start,
    suggestions,
)
from analysis.views.picture import picture_on_page
from analysis.views.planned import planned_of
from experiments.paradigms.base import SuggestedAnalysis
from experiments.rules.plan import is_planned
from participants.models import Response, Session
from participants.session.answered import A_PAGE
from participants.session.planned_exclusion import LEFT_OUT, judge_finished, people_have_answered

RUNS_PER_PAGE = 25
# Methods that are about the texts of the materials, and need nobody to have taken part.
OF_TEXTS = ("text-profile", "overlap", "perturb", "ranking")


@dataclass(frozen=True)
class Suggestion:
    """A suggested analysis on the page, with its latest finished run."""

    index: int
    question: str
    method: declarations.Method
    params: str
    refusal: str
    run: AnalysisRun | None
    is_current: bool
    needs_other_study: bool
    is_companion: bool
    rates: Rates | None


class AnalysePage(AnalysisView):
    """Suggested analyses, all methods, earlier runs."""

    is_about_data = True
    step = "analyse"
    template_name = "analysis/analyse.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        changes = Changes(self.study)
        groups, impossible = grouped(self.study, registry.analyses())
        # Scores of texts may be made on the way, so nothing of texts is left out before there are data.
        every = [*(one for group in groups for one in group.offered), *impossible]
        runs = AnalysisRun.objects.filter(study=self.study).defer("report")
        runs = runs.select_related("created_by", "other_study")
        page = Paginator(runs, RUNS_PER_PAGE).get_page(request.GET.get("page"))
        sessions = Session.objects.filter(study=self.study)
        finished = sessions.filter(status=Session.Status.COMPLETE)
        judge_finished(self.study, most=A_PAGE)
        planned = planned_analyses(self.study)
        return self.page(
            has_data=Response.objects.filter(trial__session__study=self.study).exists(),
            finished=finished.count(),
            left_out=finished.filter(LEFT_OUT).count(),
            running=sessions.exclude(status=Session.Status.COMPLETE).count(),
            simulated=finished.filter(is_simulated=True).count(),
            people_took_part=people_have_answered(self.study),
            planned=[one for one in planned_of(self.study, request.user) if one.part == self.study.chosen_task],
            picture=picture_on_page(self.study),
            is_hidden=is_hidden(self.study),
            families=families_of(self.study, self.request.user),
            course=course_of(self.study),
            suggestions=sorted(
                (
                    self._suggestion(index, suggestion, changes)
                    for index, suggestion in enumerate(suggestions(self.study))
                    if not is_planned(
                        planned,
                        method=suggestion.method,
                        table=suggestion.table,
                        params=suggestion.params,
                        part=self.study.chosen_task,
                    )
                ),
                key=lambda suggestion: suggestion.is_companion,
            ),
            lacks_means=means_do_not_apply(self.study),
            groups=groups,
            impossible=impossible,
            texts=(texts := number_of_texts(self.study)),
            text_methods=[one for one in every if texts and one.method.slug in OF_TEXTS],
            earlier=[self._earlier(run, changes) for run in page],
            runs_page=page,
            limits=limits_in_words(),
        )

    def _earlier(self, run: AnalysisRun, changes: Changes) -> dict[str, Any]:
        """Return an earlier run for the page; `refusal` says why the person may not read its report."""
        refusal = refusal_to_read(run, self.request.user)
        run.study = self.study
        other = run.other_study.slug if run.other_study and not refusal else ""
        return {
            "run": run,
            "question": question_of(run),
            "params": params_in_words(run.params, table=run.table, other=other),
            "changes": "" if refusal else changes.since(run),
            "refusal": refusal,
        }

    def _suggestion(self, index: int, suggestion: SuggestedAnalysis, changes: Changes) -> Suggestion:
        refusal, run, needs_other = "", None, False
        try:
            needs_other = table_named(self.study, suggestion.table).needs_other_study
            params = checked_params(
                self.study, method=suggestion.method, params=suggestion.params, table=suggestion.table
            )
            alike = readable_runs(
                AnalysisRun.objects.filter(
                    study=self.study,
                    part__in=self.study.names_of_task,
                    method=suggestion.method,
                    params=params,
                    table=suggestion.table,
                ),
                self.request.user,
            )
            run = alike.filter(status=AnalysisRun.Status.DONE).select_related("other_study").defer("report").first()
        except BadInput as fault:
            refusal = str(fault)
        other = run.other_study.slug if run and run.other_study else ""
        return Suggestion(
            index=index,
            question=question_of_suggestion(self.study, suggestion),
            method=registry.method_named(suggestion.method),
            params=params_in_words(suggestion.params, table=suggestion.table, other=other),
            refusal=refusal,
            run=run,
            is_current=run is not None
            and run.data_stamp == changes.stamp_for(run)
            and run.code_version == code_version(run.method),
            needs_other_study=needs_other,
            is_companion=suggestion.is_companion,
            rates=None if suggestion.with_attribute else rates_of(suggestion.method, suggestion.params),
        )


class RunSuggested(AnalysisView):
    """One click: run a suggested analysis."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        offered = suggestions(self.study)
        if index >= len(offered):
            raise Http404(_("There is no such suggestion."))
        offer = offered[index]
        return start(request, self.study, method=offer.method, params=offer.params, table=offer.table)
