"""Order of trials, resuming, what comes after the last page, the paradigm's settings, background questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.design.ordering import ImpossibleOrder
from experiments.paradigms import paradigm_named
from experiments.procedure.sessions import Duration, estimated_duration, study_snapshot
from experiments.rules.procedure import ProcedureForm, initial_values
from experiments.study.lifecycle import LifecycleRefusal, save_details, save_procedure, save_questions
from experiments.study.opening import settings_warnings
from experiments.views.page import StudyView
from experiments.views.writing_forms import Questions, initial_questions

SECTIONS = [
    (
        gettext_lazy("Order of the trials"),
        (
            "conditions",
            "item_sets",
            "practice_first",
            "leading_fillers",
            "max_same_condition_run",
            "max_target_run",
            "blocked",
        ),
    ),
    (gettext_lazy("Coming back"), ("resume", "stale_after_minutes", "supervised")),
    (gettext_lazy("After the last page"), ("completion_code", "redirect_url", "recruitment_parameters")),
]
# What `lifecycle.save_procedure` lets change while a study is open.
CHANGEABLE_WHEN_OPEN = {"completion_code", "redirect_url", "recruitment_parameters", "resume", "stale_after_minutes"}


@dataclass(frozen=True)
class Estimate:
    """How long a session takes under given settings, or why that cannot be said."""

    duration: Duration | None = None
    reason: str = ""


class Procedure(StudyView):
    """Both forms on one page, stored together."""

    step = "procedure"
    template_name = "studies/procedure.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        procedure, settings = self._forms()
        return self._page(procedure, settings)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        procedure, settings = self._forms(request.POST)
        if not (procedure.is_valid() and settings.is_valid()):
            return self._page(procedure, settings, status=422)
        if request.POST.get("action") == "estimate":
            return self._page(procedure, settings, is_unsaved=True)
        try:
            with transaction.atomic():
                save_procedure(self.study, procedure.cleaned_data, request.user)
                if not self.study.is_frozen:
                    save_details(self.study, {"settings": settings.cleaned_data}, request.user)
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("The procedure was saved."))
        return redirect("study:procedure", self.study.slug)

    def _forms(self, data: Any = None) -> tuple[forms.Form, forms.Form]:
        settings_form = paradigm_named(self.study.paradigm).settings_form
        procedure = ProcedureForm(data, initial=initial_values(ProcedureForm, self.study.procedure))
        settings = settings_form(data, initial=initial_values(settings_form, self.study.settings))
        for form in (procedure, settings):
            for name, field in form.fields.items():
                fixed = self.study.is_frozen and not (form is procedure and name in CHANGEABLE_WHEN_OPEN)
                field.disabled = fixed or not self.can_edit
        return procedure, settings

    def _page(
        self, procedure: forms.Form, settings: forms.Form, *, is_unsaved: bool = False, status: int = 200
    ) -> HttpResponseBase:
        bound = procedure.is_bound and procedure.is_valid() and settings.is_valid()
        stated: dict[str, Mapping[str, Any]] = {
            "procedure": procedure.cleaned_data if bound else self.study.procedure,
            "settings": settings.cleaned_data if bound else self.study.settings,
        }
        return self.page(
            sections=[
                (label, [procedure[name] for name in names if name in procedure.fields]) for label, names in SECTIONS
            ],
            procedure_form=procedure,
            settings_form=settings,
            paradigm_label=paradigm_named(self.study.paradigm).label,
            estimate=self._estimate(**stated),
            remarks=settings_warnings(self.study, **stated),
            is_unsaved=is_unsaved,
            n_questions=len(self.study.questions),
            status=status,
        )

    def _estimate(self, *, procedure: Mapping[str, Any], settings: Mapping[str, Any]) -> Estimate:
        shown = self.study.lists.first()
        if shown is None:
            return Estimate(reason=_("It can be estimated once there are materials."))
        snapshot = study_snapshot(self.study, shown)
        changed = replace(
            snapshot,
            procedure={**snapshot.procedure, **procedure},
            settings={**snapshot.settings, **settings},
        )
        try:
            return Estimate(duration=estimated_duration(changed))
        except ImpossibleOrder as impossible:
            return Estimate(reason=str(impossible))


class QuestionsPage(StudyView):
    """The background questions as rows of a form."""

    step = "procedure"
    template_name = "studies/questions.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(Questions(initial=initial_questions(self.study.questions), prefix="questions"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        questions = Questions(request.POST, initial=initial_questions(self.study.questions), prefix="questions")
        if not questions.is_valid():
            return self._page(questions, status=422)
        try:
            save_questions(self.study, questions.questions(), request.user)
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("The questions were saved."))
        return redirect("study:questions", self.study.slug)

    def _page(self, questions: Any, *, status: int = 200) -> HttpResponseBase:
        is_fixed = self.study.is_frozen or not self.can_edit
        return self.page(questions=questions, empty_question=questions.empty_form, is_fixed=is_fixed, status=status)
