"""Page of the step *Preregistration*: hypotheses, exclusion rules and analyses; after opening, their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.data.tables import checked_other, studies_to_compare
from analysis.exports.of_task import task_label, through_task
from analysis.methods import registry
from analysis.methods.report import BadInput
from analysis.studies.families import families_of
from analysis.studies.planned import planned_analyses, planned_study
from analysis.studies.possible import grouped
from analysis.studies.sequential import course_of
from analysis.views.asking import AnalysisView, start, suggestions
from analysis.views.builder import BUILD
from analysis.views.choosing import OFFER, NewAnalysis, chosen_of
from analysis.views.forms import AnalysisForm
from analysis.views.plan_form import PlanForm
from analysis.views.planned import (
    asks_for_study,
    needs_study,
    of_questions,
    offers_family,
    offers_of,
    planned_of,
    said_flow,
)
from experiments.models import Study
from experiments.rules.exclusion_rules import described
from experiments.rules.plan import SLUG, complete_plan, is_planned
from experiments.study.access import studies_for
from experiments.study.editing import locked
from experiments.study.lifecycle import LifecycleRefusal, save_plan
from experiments.views.addresses import is_number
from experiments.views.page import StudyView, shown_of
from participants.models import Response

# What the family of the rating questions is called; of a study with several tasks, of all of them.
FAMILY = "questions"


def _shown_plan(plan: Mapping[str, Any]) -> str:
    """Return the mark of what the form of the plan shows; analyses have forms of their own."""
    return shown_of({name: plan[name] for name in ("hypotheses", "exclusion_rules")})


class ChangesPlan:
    """Views that change the plan: what two people change at once is changed one after the other."""

    study: Study

    def plan_to_change(self) -> dict[str, Any]:
        """Return the plan as it is now, held until the request's transaction ends."""
        self.study = locked(self.study)
        return complete_plan(self.study.plan)

    def analysis(self, plan: dict[str, Any], index: int) -> dict[str, Any]:
        """Return a planned analysis. Raises Http404 where there is none at this place."""
        if index >= len(plan["analyses"]):
            raise Http404(_("There is no such planned analysis."))
        found: dict[str, Any] = plan["analyses"][index]
        return found

    def part_of_plan(self) -> dict[str, str]:
        """Return what the plan says of the task of an analysis; nothing in a study of one task."""
        return {"part": self.study.chosen_task} if self.study.chosen_task else {}


class PlanPage(ChangesPlan, StudyView):
    """The plan: its form in a draft; what it says, and the flow of people and trials, once the study was opened."""

    step = "plan"
    template_name = "analysis/plan/page.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(PlanForm(study=self.study))

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = PlanForm(request.POST, study=self.study)
        if not form.is_valid():
            return self._page(form, status=422)
        plan = self.plan_to_change()
        if conflict := self.conflict_of(_shown_plan(plan)):
            return self._page(form, conflict=conflict, status=409)
        plan |= {"hypotheses": form.cleaned_data["hypotheses"], "exclusion_rules": form.exclusion_rules()}
        return keep(request, self.study, plan, said=_("The plan was saved."))

    def _page(self, form: PlanForm, *, conflict: str = "", status: int = 200) -> HttpResponseBase:
        plan = complete_plan(self.study.plan)
        for field in form.fields.values():
            field.disabled = self.study.is_frozen or not self.can_edit
        has_data = Response.objects.filter(trial__session__study=self.study).exists()
        return self.page(
            status=status,
            form=form,
            conflict=conflict,
            shown=_shown_plan(plan),
            plan=plan,
            rules=[described(rule) for rule in plan["exclusion_rules"]],
            planned=planned_of(self.study, self.request.user),
            families=families_of(self.study, self.request.user),
            course=course_of(self.study),
            tasks=[
                {
                    "label": task_label(seen, seen.chosen_task),
                    "slug": seen.slug,
                    "has_factors": bool(seen.factors),
                    "groups": [] if self.study.is_frozen else grouped(seen, registry.analyses())[0],
                    "offered": [] if self.study.is_frozen else offers_of(seen),
                    "offers_family": not self.study.is_frozen and offers_family(seen),
                }
                for seen in (through_task(self.study, name) for name in self.study.analysed_tasks)
            ],
            flow=said_flow(self.study) if has_data else [],
            is_editable=self.can_edit and not self.study.is_frozen,
        )


class PlanSuggested(ChangesPlan, AnalysisView):
    """One click: plan an analysis that the paradigm suggests."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        offered = suggestions(self.study)
        if index >= len(offered):
            raise Http404(_("There is no such suggestion."))
        offer = offered[index]
        plan = self.plan_to_change()
        planned = {"title": offer.title, "method": offer.method, "table": offer.table, "params": dict(offer.params)}
        planned |= self.part_of_plan()
        # A second click on the same button plans nothing twice.
        if complete_plan({"analyses": [planned]})["analyses"][0] not in plan["analyses"]:
            plan["analyses"].append(planned)
        return keep(request, self.study, plan, said=_("“%(title)s” is planned.") % {"title": offer.title})


class PlanFamily(ChangesPlan, AnalysisView):
    """One click: plan the first analysis of every rating question, all as one family."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        offered = of_questions(self.study)
        if not offered:
            raise Http404(_("The study has fewer than two rating questions."))
        plan = self.plan_to_change()
        part = self.part_of_plan()
        for offer in offered:
            plan["analyses"] = [
                one
                for one in plan["analyses"]
                if one.get("sequential")
                or not is_planned(
                    [one], method=offer.method, table=offer.table, params=offer.params, part=part.get("part", "")
                )
            ]
            planned = {"title": offer.title, "method": offer.method, "table": offer.table, "params": dict(offer.params)}
            plan["analyses"].append({**planned, **part, "family": FAMILY})
        return keep(request, self.study, plan, said=_("The questions are planned as one family."))


class PlanAnalysis(ChangesPlan, NewAnalysis):
    """The form of one method; what is chosen is planned and not run."""

    # The plan is about how the study is made.
    is_about_data = False
    step = "plan"
    takes_files = False

    @transaction.atomic
    def post(self, request: HttpRequest, method: str) -> HttpResponseBase:
        declared = self._method(method)
        if OFFER in request.POST or BUILD in request.POST:
            return self._form_page(self.form_with_derived(request, declared))
        form = AnalysisForm(
            request.POST,
            method=declared,
            study=self.study,
            table=self.table(request),
            initial=chosen_of(request, declared),
        )
        other = request.POST.get("other_study", "").strip() if needs_study(self.study, form.table) else ""
        if form.is_valid() and (wrong := self._wrong_with(other, form.table)):
            form.add_error(None, wrong)
        if not form.is_valid():
            return self._form_page(form, status=422)
        title = self._title(form, otherwise=declared.label)
        planned = {"title": title, "method": method, "table": form.table, "params": form.params, **self.part_of_plan()}
        plan = self.plan_to_change()
        plan["analyses"].append({**planned, "other_study": other} if other else planned)
        return keep(request, self.study, plan, said=_("“%(title)s” is planned.") % {"title": title})

    def _wrong_with(self, slug: str, table: str) -> str:
        """Return what speaks against comparing with a study of this short name, which need not be there yet."""
        if slug and not SLUG.fullmatch(slug):
            return _("A short name has letters, digits, hyphens and underscores, as in the address of a study.")
        if slug == self.study.slug:
            return _("The study cannot be compared with itself; give the short name of the study with the ratings.")
        there = studies_for(self.request.user).filter(slug=slug).first()
        try:
            if there is not None:
                checked_other(self.study, table, there)
        except BadInput as fault:
            return str(fault)
        return ""

    def _title(self, form: AnalysisForm, *, otherwise: str) -> str:
        """Return the title of the suggestion that the form began with, if it was left as it was."""
        place, offered = self.request.POST.get("suggested", ""), suggestions(self.study)
        if is_number(place) and int(place) < len(offered):
            filled = {"method": form.method.slug, "table": form.table, "params": form.params}
            begun = offered[int(place)]
            if is_planned([filled], method=begun.method, table=begun.table, params=begun.params):
                return begun.title
        return otherwise

    def page(self, **context: Any) -> Any:
        """Return the form with the words of planning."""
        return super().page(
            **context,
            for_plan=True,
            submit_label=_("Add to the plan"),
            named_study=self.request.POST.get("other_study", ""),
            studies_there=studies_to_compare(self.study, self.request.user),
            begun_with=self.request.POST.get("suggested") or self.request.GET.get("suggested", ""),
        )


class RunPlanned(StudyView):
    """One click: run a planned analysis; one that compares with a study that the plan does not name asks for it."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        analyses = planned_analyses(self.study)
        if index >= len(analyses):
            raise Http404(_("There is no such planned analysis."))
        planned = analyses[index]
        self.study = self.study.seen_through(planned["part"])
        if asks_for_study(self.study, planned):
            form = reverse("analysis:new", args=[self.study.slug, planned["method"]])
            return redirect(f"{form}?planned={index}")
        try:
            other = planned_study(self.study, planned, request.user)
        except BadInput as fault:
            messages.error(request, str(fault))
            return redirect(reverse("analysis:plan", args=[self.study.slug]))
        return start(
            request,
            self.study,
            method=planned["method"],
            params=planned["params"],
            table=planned["table"],
            other=other,
        )


class Unplan(ChangesPlan, StudyView):
    """Take an analysis out of the plan."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        plan = self.plan_to_change()
        gone = self.analysis(plan, index)
        shown = shown_of(planned_analyses(self.study)[index])
        if request.POST.get("shown", shown) != shown:
            messages.error(
                request, _("The plan has changed since you saw it. Nothing was removed; look at the plan again.")
            )
            return redirect(reverse("analysis:plan", args=[self.study.slug]))
        del plan["analyses"][index]
        return keep(request, self.study, plan, said=_("“%(title)s” is no longer planned.") % {"title": gone["title"]})


def keep(request: HttpRequest, study: Study, plan: Mapping[str, Any], *, said: str) -> HttpResponseBase:
    """Store a plan and go back to its page with a sentence."""
    try:
        save_plan(study, plan, request.user)
    except LifecycleRefusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect(reverse("analysis:plan", args=[study.slug]))
