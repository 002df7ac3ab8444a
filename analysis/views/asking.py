"""Shared by pages that offer or run analyses: suggestions, parameters in words, the request itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.codebook.materials import metric_names
from analysis.codebook.questions import question
from analysis.exports.of_task import task_label, through_task
from analysis.exports.reports import words_of
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.studies.asking import run_asked_for
from analysis.studies.attributes import with_attributes, with_lengths_that_vary
from analysis.studies.design import Experiment, experiments_of_task
from experiments.models import Study
from experiments.models.one_task import SlugOfTask
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import SuggestedAnalysis
from experiments.paradigms.suggested import first_ones_first, fitting, names_in
from experiments.study.access import researcher_of
from experiments.views.page import StudyView


class AnalysisView(StudyView):
    """A page about one task, or a pool of them: the one that the address names (`/parts/<task>/` or `?part=`), or the
    first.

    Every address that is made with the slug of `self.study` stays with the task.
    """

    is_of_pools = True

    def study_of(self, request: HttpRequest, slug: str) -> Study:
        part = getattr(slug, "task", "") or request.GET.get("part", "")
        study = super().study_of(request, SlugOfTask(slug, part))
        if not self.is_of_pools and not study.chosen_task and study.has_several_tasks:
            return study.seen_through(study.task.name)
        return through_task(study, study.chosen_task)

    def page(self, **context: Any) -> TemplateResponse:
        """Return the page, with the choice of the task where there are several."""
        whole = self.study.seen_through("")
        names = list(dict.fromkeys([*whole.analysed_tasks, *(task.name for task in whole.tasks)]))
        choice = [
            {"name": name, "label": task_label(whole, name), "slug": whole.seen_through(name).slug}
            for name in (names if whole.has_several_tasks else [])
            if name not in whole.pools or self.is_of_pools
        ]
        return super().page(**context, task_choice=choice, task=task_label(self.study, self.study.chosen_task))


def suggestions(study: Study) -> list[SuggestedAnalysis]:
    """Return the analyses that the paradigm suggests for the study's design, as far as their methods are there."""
    has_fillers = study.items.filter(is_filler=True).exists()
    known = registry.analyses()
    paradigm = paradigm_named(study.paradigm)
    fit: list[SuggestedAnalysis] = []
    experiments = experiments_of_task(study)
    for experiment in experiments:
        offered = paradigm.suggestions(experiment.factors, study.settings, has_fillers=has_fillers)
        found = [one for suggestion in offered if (one := fitting(suggestion, experiment.design))]
        fit += [one for each in found if (one := _of_experiment(each, experiment)) not in fit]
    fit = first_ones_first(fit) if len(experiments) > 1 else fit
    # Addresses have places in this list: what was added later stands at its end, and pages show companions last.
    fit = with_lengths_that_vary(study, fit)
    every = [*fit, *comparisons_with_metrics(study), *with_attributes(study, fit)]
    return [suggestion for suggestion in every if suggestion.method in known]


def _of_experiment(suggestion: SuggestedAnalysis, experiment: Experiment) -> SuggestedAnalysis:
    """Return a suggestion about the items of one experiment alone, if it is about factors."""
    said = " ".join(str(value) for value in suggestion.params.values())
    if not experiment.where or names_in(said).isdisjoint(experiment.factors):
        return suggestion
    where = " and ".join(filter(None, (suggestion.params.get("where"), experiment.where)))
    title = f"{experiment.name}: {suggestion.title}"
    return replace(suggestion, title=title, params={**suggestion.params, "where": where})


def means_do_not_apply(study: Study) -> bool:
    """Return whether ANOVA, minF′ and the like are not suggested because items lack conditions."""
    return any(experiment.design.is_incomplete for experiment in experiments_of_task(study))


def comparisons_with_metrics(study: Study) -> list[SuggestedAnalysis]:
    """Return, where the materials have metrics of their texts, a comparison with each kind of judgement."""
    metrics = ",".join(metric_names(study))
    judgements = paradigm_named(study.paradigm).judgements_of(study.settings) if metrics else {}
    return [
        SuggestedAnalysis(
            "metric-vs-human",
            f"{name}: metrics against people",
            {"dv": name, "metrics": metrics, "scale": "log-z" if are_ratios else "z"},
        )
        for name, are_ratios in judgements.items()
    ]


def question_of_suggestion(study: Study, suggestion: SuggestedAnalysis) -> str:
    """Return what a suggested analysis is called on a page: its question."""
    return question(registry.method_named(suggestion.method), suggestion.params, words_of(study))


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
        run = run_asked_for(study, method=method, params=params, user=researcher_of(request), table=table, other=other)
    except BadInput as fault:
        messages.error(request, str(fault))
        return redirect(reverse("analysis:analyse", args=[study.slug]))
    if run.status == AnalysisRun.Status.DONE:
        messages.info(
            request, _("The data have not changed since this analysis was run, so this is its current report.")
        )
    return redirect(reverse("analysis:run", args=[study.slug, run.pk]))
