"""The plan step: hypotheses, exclusion rules and analyses before the study opens; afterwards what they did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.exports.flow import study_flow
from analysis.forms import AnalysisForm
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.models import AnalysisRun
from analysis.planned import run_of
from analysis.runs import checked_params
from analysis.tables import table_named
from analysis.views.analyse import NewAnalysis, chosen_of, params_in_words, start, suggestions
from experiments.editing import locked
from experiments.exclusion_rules import ExclusionRule, Limit, described, rules_for
from experiments.lifecycle import LifecycleRefusal, save_plan
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.plan import MAX_CHARACTERS, complete_plan, is_planned, measure_names
from experiments.views.page import StudyView
from participants.models import Response


class PlanForm(forms.Form):
    """Hypotheses, and for every exclusion rule of the paradigm a box and its numbers."""

    hypotheses = forms.CharField(
        label=_("Hypotheses"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("What you expect and which analysis decides it. Kept with the study and its exports."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        plan = complete_plan(study.plan)
        stated = {rule["rule"]: rule for rule in plan["exclusion_rules"]}
        initial = {"hypotheses": plan["hypotheses"]}
        super().__init__(*args, **{**kwargs, "initial": {**initial, **kwargs.get("initial", {})}})
        self.rules = rules_for(measure_names(paradigm_named(study.paradigm), study.settings))
        for rule in self.rules:
            self.fields[rule.slug] = forms.BooleanField(label=rule.label, required=False, initial=rule.slug in stated)
            for limit in rule.limits:
                value = stated.get(rule.slug, {}).get(limit.name, limit.default)
                self.fields[f"{rule.slug}-{limit.name}"] = limit_field(rule, limit, initial=value)

    def clean(self) -> dict[str, Any]:
        """Ask for a number only where its rule is chosen."""
        cleaned = super().clean() or {}
        for rule in self.rules:
            for limit in rule.limits:
                name = f"{rule.slug}-{limit.name}"
                if cleaned.get(rule.slug) and cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("The rule needs this number."))
                elif not cleaned.get(rule.slug):
                    self.errors.pop(name, None)
        return cleaned

    def exclusion_rules(self) -> list[dict[str, Any]]:
        """Return the rules that were chosen."""
        return [
            {
                "rule": rule.slug,
                **{limit.name: self.cleaned_data[f"{rule.slug}-{limit.name}"] for limit in rule.limits},
            }
            for rule in self.rules
            if self.cleaned_data.get(rule.slug)
        ]

    def lines(self) -> list[dict[str, Any]]:
        """Return the rules with their fields, for the page."""
        return [
            {"rule": rule, "chosen": self[rule.slug], "limits": [self[f"{rule.slug}-{x.name}"] for x in rule.limits]}
            for rule in self.rules
        ]


def limit_field(rule: ExclusionRule, limit: Limit, *, initial: float) -> forms.Field:
    """Return the field for the number of a rule."""
    kind = forms.IntegerField if limit.is_whole else forms.FloatField
    attributes = {"step": 1 if limit.is_whole else "any", "aria-label": f"{rule.label}: {limit.label}"}
    return kind(
        label=limit.label,
        required=False,
        initial=initial,
        min_value=limit.low,  # type: ignore[arg-type]
        max_value=limit.high,  # type: ignore[arg-type]
        widget=forms.NumberInput(attrs=attributes),
    )


@dataclass(frozen=True)
class Planned:
    """A planned analysis on the page, with its report where there is one."""

    index: int
    title: str
    method: str
    label: str
    params: str
    refusal: str
    run: AnalysisRun | None
    needs_other_study: bool


class ChangesPlan:
    """Views that change the plan: what two people change at once is changed one after the other."""

    study: Study

    def plan_to_change(self) -> dict[str, Any]:
        """Return the plan as it is now, held until the request's transaction ends."""
        self.study = locked(self.study)
        return complete_plan(self.study.plan)


class PlanPage(ChangesPlan, StudyView):
    """The plan: its form in a draft; what it says, and the flow of people and trials, once the study was opened."""

    step = "plan"
    template_name = "analysis/plan.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(PlanForm(study=self.study))

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = PlanForm(request.POST, study=self.study)
        if not form.is_valid():
            return self._page(form, status=422)
        plan = self.plan_to_change()
        plan |= {"hypotheses": form.cleaned_data["hypotheses"], "exclusion_rules": form.exclusion_rules()}
        return keep(request, self.study, plan, said=_("The plan was saved."))

    def _page(self, form: PlanForm, *, status: int = 200) -> HttpResponseBase:
        plan = complete_plan(self.study.plan)
        for field in form.fields.values():
            field.disabled = self.study.is_frozen or not self.can_edit
        has_data = Response.objects.filter(trial__session__study=self.study).exists()
        offered = [] if self.study.is_frozen else unplanned(self.study, plan)
        return self.page(
            status=status,
            form=form,
            plan=plan,
            rules=[described(rule) for rule in plan["exclusion_rules"]],
            planned=[self._planned(index, analysis) for index, analysis in enumerate(plan["analyses"])],
            offered=[
                {"index": index, "title": offer.title, "params": params_in_words(offer.params, table=offer.table)}
                for index, offer in offered
            ],
            methods=list(registry.analyses().values()),
            flow=study_flow(self.study) if has_data else [],
            is_editable=self.can_edit and not self.study.is_frozen,
        )

    def _planned(self, index: int, analysis: Mapping[str, Any]) -> Planned:
        refusal, run, needs_other = "", None, False
        try:
            needs_other = table_named(self.study, analysis["table"]).needs_other_study
            run = run_of(self.study, analysis)
        except BadInput as fault:
            refusal = str(fault)
        known = registry.analyses()
        label = known[analysis["method"]].label if analysis["method"] in known else analysis["method"]
        return Planned(
            index=index,
            title=analysis["title"],
            method=analysis["method"],
            label=label,
            params=params_in_words(analysis["params"], table=analysis["table"]),
            refusal=refusal,
            run=run,
            needs_other_study=needs_other,
        )


class PlanSuggested(ChangesPlan, StudyView):
    """One click: plan an analysis that the paradigm suggests."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        offered = suggestions(self.study)
        if index >= len(offered):
            raise Http404(_("There is no such suggestion."))
        offer = offered[index]
        plan = self.plan_to_change()
        plan["analyses"].append(
            {"title": offer.title, "method": offer.method, "table": offer.table, "params": dict(offer.params)}
        )
        return keep(request, self.study, plan, said=_("“%(title)s” is planned.") % {"title": offer.title})


class PlanAnalysis(ChangesPlan, NewAnalysis):
    """The form of one method; what is chosen is planned and not run."""

    step = "plan"

    @transaction.atomic
    def post(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        form = AnalysisForm(
            request.POST,
            method=declared,
            study=self.study,
            table=self.table(request),
            initial=chosen_of(request, declared),
        )
        if not form.is_valid():
            return self._form_page(form, status=422)
        plan = self.plan_to_change()
        plan["analyses"].append({"title": declared.label, "method": method, "table": form.table, "params": form.params})
        return keep(request, self.study, plan, said=_("“%(title)s” is planned.") % {"title": declared.label})

    def page(self, **context: Any) -> Any:
        """Return the form with the words of planning."""
        return super().page(**context, for_plan=True, submit_label=_("Add to the plan"))


class RunPlanned(StudyView):
    """One click: run a planned analysis; one that compares with another study leads to the form that asks for it."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        analyses = complete_plan(self.study.plan)["analyses"]
        if index >= len(analyses):
            raise Http404(_("There is no such planned analysis."))
        planned = analyses[index]
        if asks_for_study(self.study, planned):
            form = reverse("analysis:new", args=[self.study.slug, planned["method"]])
            return redirect(f"{form}?planned={index}")
        return start(request, self.study, method=planned["method"], params=planned["params"], table=planned["table"])


class Unplan(ChangesPlan, StudyView):
    """Take an analysis out of the plan."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        plan = self.plan_to_change()
        if index >= len(plan["analyses"]):
            raise Http404(_("There is no such planned analysis."))
        gone = plan["analyses"].pop(index)
        return keep(request, self.study, plan, said=_("“%(title)s” is no longer planned.") % {"title": gone["title"]})


def asks_for_study(study: Study, analysis: Mapping[str, Any]) -> bool:
    """Return whether a planned analysis that can be computed needs another study, which no plan names."""
    try:
        checked_params(study, method=analysis["method"], params=analysis["params"], table=analysis["table"])
        return table_named(study, analysis["table"]).needs_other_study
    except BadInput:
        return False


def unplanned(study: Study, plan: Mapping[str, Any]) -> list[tuple[int, Any]]:
    """Return the suggestions that are not in the plan yet, with their place among all suggestions."""
    return [
        (index, offer)
        for index, offer in enumerate(suggestions(study))
        if not is_planned(plan, method=offer.method, table=offer.table, params=offer.params)
    ]


def keep(request: HttpRequest, study: Study, plan: Mapping[str, Any], *, said: str) -> HttpResponseBase:
    """Store a plan and go back to its page with a sentence."""
    try:
        save_plan(study, plan, request.user)
    except LifecycleRefusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect(reverse("analysis:plan", args=[study.slug]))
