"""Page of a planned analysis' sequential plan: define or remove it in a draft, stop it early in a closed study."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.methods.sequential.decided import effects_of
from analysis.sequential_plans.looks import end_now
from analysis.studies.sequential import course_of, refusal_of, rows_of, uneven_looks, words_of
from analysis.views.plan import ChangesPlan, keep
from experiments.models import Study
from experiments.rules.sequential import (
    ALPHA,
    GAMMA,
    HWANG_SHIH_DECANI,
    OBRIEN_FLEMING,
    POCOCK,
    SequentialPlan,
    complete_sequential,
    sequential_faults,
)
from experiments.study.access import researcher_of
from experiments.views.page import StudyView

SPENDING_CHOICES = (
    (OBRIEN_FLEMING, gettext_lazy("O’Brien–Fleming type: hard to cross early, last look nearly at α")),
    (HWANG_SHIH_DECANI, gettext_lazy("Hwang–Shih–DeCani: between, by γ")),
    (POCOCK, gettext_lazy("Pocock type: about the same level at every look")),
)


class SequentialForm(forms.Form):
    """Looks, effect and spending of a sequential plan; `cleaned()` is the plan as it is stored."""

    effect = forms.ChoiceField(
        label=gettext_lazy("Effect that decides"),
        help_text=gettext_lazy(
            "One effect of the model. All other effects are reported without a correction for the looks."
        ),
    )
    looks = forms.CharField(
        label=gettext_lazy("Numbers of people at the looks"),
        max_length=200,
        help_text=gettext_lazy(
            "People who finished and are not excluded, such as: 24, 48, 72, 96. The last number is the maximum."
        ),
    )
    spending = forms.ChoiceField(label=gettext_lazy("How α is spent"), choices=SPENDING_CHOICES)
    gamma = forms.FloatField(
        label=gettext_lazy("γ"),
        required=False,
        help_text=gettext_lazy("Only for Hwang–Shih–DeCani; −4 if left empty."),
    )
    alpha = forms.FloatField(label=gettext_lazy("α, two-sided"))

    def __init__(self, data: Any = None, *, effects: list[str], stored: dict[str, Any]) -> None:
        initial = {"spending": OBRIEN_FLEMING, "alpha": ALPHA, **stored}
        initial["looks"] = ", ".join(str(people) for people in stored.get("looks", []))
        super().__init__(data, initial=initial)
        choices = [(effect, effect) for effect in effects]
        self.fields["effect"].choices = choices  # type: ignore[attr-defined]

    def clean_looks(self) -> list[int]:
        """Read whole numbers between commas or blanks."""
        words = re.split(r"[\s,;]+", self.cleaned_data["looks"].strip(" ,;"))
        if not all(word.isascii() and word.isdigit() for word in words):
            raise forms.ValidationError(_("Write whole numbers with commas between them, such as: 24, 48, 72, 96."))
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            for fault in sequential_faults(self.stored(), _("Sequential analysis")):
                self.add_error(None, fault.message)
        return cleaned

    def stored(self) -> dict[str, Any]:
        """Return what was filled in as a plan has it."""
        given = {name: self.cleaned_data[name] for name in ("effect", "looks", "spending", "alpha")}
        if given["spending"] == HWANG_SHIH_DECANI:
            gamma = self.cleaned_data.get("gamma")
            given["gamma"] = GAMMA if gamma is None else gamma
        return given


class OfPlanned(ChangesPlan, StudyView):
    """A page about one analysis of the plan, by its place there."""

    step = "plan"

    def back(self) -> HttpResponseBase:
        """Go back to the page of the plan."""
        return redirect(reverse("analysis:plan", args=[self.study.slug]))


class SequentialPage(OfPlanned):
    """The form of the sequential plan of one planned analysis."""

    template_name = "analysis/plan/sequential.html"

    @transaction.atomic
    def get(self, request: HttpRequest, index: int) -> HttpResponseBase:
        analysis = self.analysis(self.plan_to_change(), index)
        if refusal := self._refusal(analysis):
            messages.error(request, refusal)
            return self.back()
        return self._page(analysis, self._form(analysis), index)

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        plan = self.plan_to_change()
        analysis = self.analysis(plan, index)
        if refusal := self._refusal(analysis):
            messages.error(request, refusal)
            return self.back()
        form = self._form(analysis, request.POST)
        if not form.is_valid():
            return self._page(analysis, form, index, status=422)
        if "show" in request.POST:
            return self._page(analysis, form, index, shown=SequentialPlan.of(complete_sequential(form.stored())))
        for other in plan["analyses"]:
            other.pop("sequential", None)
        analysis["sequential"] = form.stored()
        return keep(request, self.study, plan, said=_("“%(title)s” now decides when the study stops.") % analysis)

    def _refusal(self, analysis: dict[str, Any]) -> str:
        if self.study.is_frozen:
            return _("The study was opened, so you cannot change its plan.")
        return refusal_of(self.study, analysis)

    def _form(self, analysis: dict[str, Any], data: Any = None) -> SequentialForm:
        effects = effects_of(str(analysis["params"]["formula"]))
        return SequentialForm(data, effects=effects, stored=analysis.get("sequential", {}))

    def _page(
        self,
        analysis: dict[str, Any],
        form: SequentialForm,
        index: int,
        *,
        shown: SequentialPlan | None = None,
        status: int = 200,
    ) -> HttpResponseBase:
        return self.page(
            status=status,
            form=form,
            analysis=analysis,
            index=index,
            is_planned=bool(analysis.get("sequential")),
            words=words_of(shown) if shown else "",
            rows=rows_of(shown, [], shows_p=False) if shown else [],
            uneven=uneven_looks(self.study, shown) if shown else "",
        )


class WithoutSequential(OfPlanned):
    """Take the sequential plan of an analysis out; the analysis stays planned."""

    http_method_names = ["post"]

    @transaction.atomic
    def post(self, request: HttpRequest, index: int) -> HttpResponseBase:
        plan = self.plan_to_change()
        if self.analysis(plan, index).pop("sequential", None) is None:
            messages.error(
                request, _("The plan has changed since you saw it. Nothing was removed; look at the plan again.")
            )
            return self.back()
        return keep(request, self.study, plan, said=_("The study no longer has a sequential analysis."))


class EndSequential(StudyView):
    """Ask, then make the last look of a closed study on the people who are there."""

    step = "plan"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        course = course_of(self.study)
        if course is None or not course.can_end:
            return self._cannot(request)
        return self.page(
            heading=_("Make the last look now?"),
            sentences=[
                _("%(n)d people have finished, fewer than planned.") % {"n": course.people},
                _("The look includes all of them and uses all of α that is left; you then see its report."),
                _("The sequential analysis stops with this look: people who take part later are not included."),
            ],
            button=_("Make the last look"),
            cancel_url=reverse("analysis:plan", args=[self.study.slug]),
        )

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        study = Study.objects.select_for_update().get(pk=self.study.pk)
        if end_now(study, researcher_of(request)) is None:
            return self._cannot(request)
        messages.success(request, _("The last look is being made; you will find its report on the page Analyse."))
        return redirect(reverse("analysis:analyse", args=[self.study.slug]))

    def _cannot(self, request: HttpRequest) -> HttpResponseBase:
        why = _(
            "You can make a last look only if the study is closed and somebody has finished since the previous look."
        )
        messages.error(request, why)
        return redirect(reverse("analysis:plan", args=[self.study.slug]))
