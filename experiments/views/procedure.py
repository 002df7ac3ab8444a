"""Pages of the procedure: order of trials, resuming, redirection, paradigm settings, background questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.formats.faults import Fault
from experiments.models import Part
from experiments.paradigms import paradigm_named
from experiments.paradigms.declarations import Interval
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.procedure.arranging import block_names, complete_procedure
from experiments.procedure.sessions import Duration, estimated_duration, study_snapshot
from experiments.questionnaire.ready import COMPREHENSION_CHECK, LANGUAGE_BACKGROUND, ready_questions
from experiments.questionnaire.table import MAX_BYTES, TEMPLATE, written_questions
from experiments.questionnaire.written import COLUMNS
from experiments.rules.procedure import ProcedureForm, initial_values
from experiments.study.editing import locked
from experiments.study.lifecycle import LifecycleRefusal, save_details, save_procedure, save_questions
from experiments.study.opening import settings_warnings
from experiments.study.parts import save_questions_of_part
from experiments.study.steps import key_of
from experiments.uploads.reading import read_uploaded_list
from experiments.views.folds import section
from experiments.views.page import QuestionnaireView, StudyView, attachment, shown_of
from experiments.views.texts.forms import Questions, initial_questions

SECTIONS = [
    (
        gettext_lazy("Order of the trials"),
        (
            "conditions",
            "sequence",
            "practice_first",
            "item_sets",
            "leading_fillers",
            "max_same_condition_run",
            "max_target_run",
            "mix_fillers",
            "blocked",
            "fixed_by",
            "chain_by",
            "block_by",
            "block_order",
            "block_breaks",
            "block_instructions",
            "conditions_per_item",
            "repetitions",
            "repetitions_by",
            "repetition_rounds",
            "min_distance",
            "minimum_seconds",
            "break_feedback",
            "end_feedback",
            "practice_order",
            "practice_until",
            "practice_rounds",
        ),
    ),
    (gettext_lazy("Continuing later"), ("resume", "stale_after_minutes", "supervised")),
    (gettext_lazy("After the last page"), ("completion_code", "redirect_url", "recruitment_parameters")),
    (gettext_lazy("Earlier studies"), ("earlier_participation", "earlier_studies")),
]
# What `lifecycle.save_procedure` lets change while a study is open.
CHANGEABLE_WHEN_OPEN = {
    "completion_code", "redirect_url", "recruitment_parameters", "resume", "stale_after_minutes",
    "earlier_participation", "earlier_studies",
}  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """How long a session takes under given settings, or why that cannot be said, and the intervals of its trials."""

    duration: Duration | None = None
    reason: str = ""
    intervals: Sequence[Interval] = ()


class Procedure(StudyView):
    """Both forms on one page, stored together."""

    step = "procedure"
    template_name = "studies/procedure/page.html"

    @property
    def shown_standard(self) -> str:
        return key_of("procedure", self.study)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        procedure, settings = self._forms()
        return self._page(procedure, settings)

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        self.study = locked(self.study)
        procedure, settings = self._forms(request.POST)
        if not (procedure.is_valid() and settings.is_valid()):
            return self._page(procedure, settings, status=422)
        if request.POST.get("action") == "estimate":
            return self._page(procedure, settings, is_unsaved=True)
        if conflict := self.conflict_of(self._stored()):
            return self._page(procedure, settings, is_unsaved=True, conflict=conflict, status=409)
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

    def _stored(self) -> str:
        return shown_of({"procedure": complete_procedure(self.study.procedure), "settings": self.study.settings})

    def _forms(self, data: Any = None) -> tuple[forms.Form, forms.Form]:
        settings_form = paradigm_named(self.study.paradigm).settings_form
        procedure = ProcedureForm(data, initial=initial_values(ProcedureForm, self.study.procedure))
        settings = settings_form(data, initial=initial_values(settings_form, self.study.settings))
        for field in settings.fields.values():
            if isinstance(field, RatingQuestionsField):
                field.widget.language = self.study.language
        for form in (procedure, settings):
            for name, field in form.fields.items():
                fixed = self.study.is_frozen and not (form is procedure and name in CHANGEABLE_WHEN_OPEN)
                field.disabled = fixed or not self.can_edit
        return procedure, settings

    def _page(
        self,
        procedure: forms.Form,
        settings: forms.Form,
        *,
        is_unsaved: bool = False,
        conflict: str = "",
        status: int = 200,
    ) -> HttpResponseBase:
        bound = procedure.is_bound and procedure.is_valid() and settings.is_valid()
        stated: dict[str, Mapping[str, Any]] = {
            "procedure": procedure.cleaned_data if bound else self.study.procedure,
            "settings": settings.cleaned_data if bound else self.study.settings,
        }
        return self.page(
            sections=[section(label, procedure, names) for label, names in SECTIONS],
            # What was refused or tried out goes on from what its form showed first.
            shown=self._stored() if conflict else self.request.POST.get("shown", self._stored()),
            conflict=conflict,
            procedure_form=procedure,
            settings_form=settings,
            paradigm_section=section(_(paradigm_named(self.study.paradigm).label), settings, list(settings.fields)),
            estimate=self._estimate(**stated),
            remarks=settings_warnings(self.study, **stated),
            is_unsaved=is_unsaved,
            n_questions=len(self.study.questions),
            status=status,
        )

    def _estimate(self, *, procedure: Mapping[str, Any], settings: Mapping[str, Any]) -> Estimate:
        shown = self.study.lists.first()
        paradigm = paradigm_named(self.study.paradigm)
        if shown is None:
            intervals = paradigm.intervals_of((), paradigm.complete_settings(settings))
            return Estimate(reason=_("The platform can estimate it once there are materials."), intervals=intervals)
        snapshot = study_snapshot(self.study, shown)
        changed = replace(
            snapshot,
            procedure={**snapshot.procedure, **procedure},
            settings={**snapshot.settings, **settings},
            blocks=block_names(self.study.task, str(procedure.get("block_by", ""))),
        )
        intervals = paradigm.intervals_of(changed.stimuli, paradigm.complete_settings(settings))
        try:
            return Estimate(duration=estimated_duration(changed), intervals=intervals)
        except ImpossibleOrder as impossible:
            return Estimate(reason=str(impossible), intervals=intervals)


READY_LABELS = {
    LANGUAGE_BACKGROUND: gettext_lazy("Language background"),
    COMPREHENSION_CHECK: gettext_lazy("Comprehension check: five questions about the instructions"),
}


class QuestionsPage(StudyView):
    """The background questions as rows of a form, as a table to download and upload, and ready-made ones to insert."""

    step = "procedure"
    template_name = "studies/procedure/questions.html"

    @property
    def of_part(self) -> Part | None:
        """The questionnaire whose questions these are; None for the background questions."""
        return None

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The questions that are edited here."""
        questions: list[dict[str, Any]] = self.study.questions
        return questions

    def save(self, questions: list[dict[str, Any]], user: Any) -> str:
        """Store the questions and return the address to go on with. Raises LifecycleRefusal."""
        save_questions(self.study, questions, user)
        return reverse("study:questions", args=[self.study.slug])

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if wanted := request.GET.get("table"):
            return self._table(TEMPLATE if wanted == "template" else self.asked, wanted)
        return self._page(Questions(initial=initial_questions(self.asked), prefix="questions"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if request.POST.get("action") == "table":
            return self._store_table(request)
        questions = Questions(request.POST, initial=initial_questions(self.asked), prefix="questions")
        if not questions.is_valid():
            return self._page(questions, status=422)
        ready = request.POST.get("insert", "")
        added = ready_questions(ready, self.study.language) if ready in READY_LABELS else []
        return self._stored(request, [*questions.questions(), *added])

    def _store_table(self, request: HttpRequest) -> HttpResponseBase:
        """Put the questions of a table after those that are there, or in their place."""
        file = request.FILES.get("table")
        faults: list[Fault] = []
        read: list[dict[str, Any]] = []
        if file is None:
            faults = [Fault(message=_("Choose a file first."))]
        else:
            read, faults = read_uploaded_list(
                "experiments.questionnaire.table:read_questions", file.read(MAX_BYTES + 1)
            )
        if faults:
            shown = Questions(initial=initial_questions(self.asked), prefix="questions")
            return self._page(shown, table_faults=faults, status=422)
        before = [] if request.POST.get("replace") else list(self.asked)
        return self._stored(request, [*before, *read])

    def _stored(self, request: HttpRequest, questions: list[dict[str, Any]]) -> HttpResponseBase:
        try:
            address = self.save(questions, request.user)
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
            return redirect(request.path)
        messages.success(request, _("The questions were saved."))
        return redirect(address)

    def _table(self, questions: Sequence[Mapping[str, Any]], name: str) -> HttpResponse:
        name = "template" if name == "template" else self.study.slug
        return attachment(written_questions(questions), f"questions-{name}.csv")

    def _page(self, questions: Any, *, table_faults: Sequence[Fault] = (), status: int = 200) -> HttpResponseBase:
        is_fixed = self.study.is_frozen or not self.can_edit
        return self.page(
            questions=questions,
            empty_question=questions.empty_form,
            is_fixed=is_fixed,
            table_faults=table_faults,
            table_columns=[(name, _(text)) for name, text in COLUMNS.items()],
            ready=READY_LABELS,
            asked=self.asked,
            of_part=self.of_part,
            status=status,
        )


class QuestionsOfPart(QuestionnaireView, QuestionsPage):
    """The same for a questionnaire of a study of several parts."""

    @property
    def of_part(self) -> Part:
        return self.questionnaire

    @property
    def asked(self) -> list[dict[str, Any]]:
        questions: list[dict[str, Any]] = self.of_part.questions
        return questions

    def save(self, questions: list[dict[str, Any]], user: Any) -> str:
        save_questions_of_part(self.study, self.part_name, questions, user)
        return reverse("study:part_questions", args=[str(self.study.slug), self.part_name])
