"""Page of a questionnaire's screening rules and number of attempts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.languages import in_language
from experiments.procedure.sequence import before_assignment
from experiments.questionnaire.conditions import GIVEN, NOT_GIVEN, WORDS
from experiments.questionnaire.kinds import Question
from experiments.questionnaire.scores import all_variables, has_checks
from experiments.questionnaire.written import fitted, plain, value_from
from experiments.rules.screening import FAILED_CHECK, MAX_MESSAGE, MAX_RULES, SCREENED_OUT
from experiments.rules.shape import questionnaire_faults
from experiments.study.parts import save_screening
from experiments.views.page import QuestionnaireView

OUTCOMES = [
    (SCREENED_OUT, gettext_lazy("screened out: the study does not look for this person")),
    (FAILED_CHECK, gettext_lazy("failed the check: after the last attempt")),
]


class Rule(forms.Form):
    """Who does not go on, by one answer."""

    question = forms.ChoiceField(label=gettext_lazy("If the answer to"))
    operator = forms.ChoiceField(label=gettext_lazy("Comparison"), choices=list(WORDS.items()))
    value = forms.CharField(
        label=gettext_lazy("Value"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("As in the questions: an answer or a number. For a statement, write true or false."),
    )
    outcome = forms.ChoiceField(label=gettext_lazy("Ends as"), choices=OUTCOMES)
    # Said in study files; participants read the page of the outcome.
    message = forms.CharField(required=False, max_length=MAX_MESSAGE, widget=forms.HiddenInput)

    def __init__(self, *args: Any, asked: Sequence[Question], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = asked
        question: Any = self.fields["question"]
        question.choices = [(one.name, f"{one.name} – {in_language(one.label)}"[:90]) for one in all_variables(asked)]
        gone = self.initial.get("question")
        if gone and gone not in dict(question.choices):
            question.choices = [(gone, gone), *question.choices]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("operator") not in (GIVEN, NOT_GIVEN) and not cleaned.get("value"):
            self.add_error("value", _("Enter the answer to compare with."))
        return cleaned

    @property
    def rule(self) -> dict[str, Any]:
        """The rule as it is stored."""
        given = {name: self.cleaned_data[name] for name in ("question", "operator")}
        if given["operator"] not in (GIVEN, NOT_GIVEN):
            given = fitted({**given, "value": value_from(self.cleaned_data["value"])}, self.asked)
        message = self.cleaned_data["message"].replace("\r\n", "\n")
        return {**given, "outcome": self.cleaned_data["outcome"], **({"message": message} if message else {})}


# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    SetOfRules = forms.BaseFormSet[Rule]
else:
    SetOfRules = forms.BaseFormSet


class RuleSet(SetOfRules):
    """All rules of a questionnaire, in order; faults among them are said above."""

    def clean(self) -> None:
        if any(self.errors):
            return
        asked = self.form_kwargs["asked"]
        if faults := questionnaire_faults(asked, {"screening": self.rules()}):
            raise forms.ValidationError([str(fault) for fault in faults])

    def rules(self) -> list[dict[str, Any]]:
        """Return the rules as they are stored, without those that are to be removed."""
        return [form.rule for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]


Rules: type[RuleSet] = forms.formset_factory(  # type: ignore[assignment]  # it is derived from `formset`
    Rule, formset=RuleSet, extra=0, can_delete=True, max_num=MAX_RULES, absolute_max=MAX_RULES + 20, validate_max=True
)


class AttemptsForm(forms.Form):
    """How often the questions may be answered."""

    attempts = forms.TypedChoiceField(
        label=gettext_lazy("Attempts"),
        coerce=int,
        choices=[
            (1, gettext_lazy("One")),
            (2, gettext_lazy("Two: after a failed check, people read the instructions again")),
        ],
        help_text=gettext_lazy("An attention or comprehension check is a question with a right answer."),
    )


class Screening(QuestionnaireView):
    """The rules of one questionnaire."""

    template_name = "studies/procedure/screening.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        rules, attempts = self._forms()
        return self._page(rules, attempts)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        rules, attempts = self._forms(request.POST)
        if not (rules.is_valid() and attempts.is_valid()):
            return self._page(rules, attempts, status=422)
        stated = {"rules": rules.rules(), "attempts": attempts.cleaned_data["attempts"], "user": request.user}
        self.attempt(save_screening, self.part_name, **stated, done=_("The rules were saved."))
        return redirect("study:screening", str(self.study.slug), self.part_name)

    def _forms(self, data: Any = None) -> tuple[RuleSet, AttemptsForm]:
        part = self.questionnaire
        stored = [{**rule, "value": plain(rule.get("value"))} for rule in part.settings.get("screening", [])]
        rules = Rules(data, initial=stored, prefix="rules", form_kwargs={"asked": part.questions})
        return rules, AttemptsForm(data, initial={"attempts": part.settings.get("attempts", 1)})

    def _page(self, rules: RuleSet, attempts: AttemptsForm, *, status: int = 200) -> HttpResponseBase:
        part = self.questionnaire
        return self.page(
            part=part,
            rules=rules,
            attempts=attempts,
            has_checks=has_checks(part.questions),
            comes_first=part in before_assignment(self.study),
            stored_faults=[] if rules.is_bound else questionnaire_faults(part.questions, part.settings),
            is_fixed=self.study.is_frozen or not self.can_edit,
            status=status,
        )
