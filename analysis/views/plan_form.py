"""The form of a plan: hypotheses and exclusion rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.questionnaire.conditions import condition_faults
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.written import condition_from, condition_text, fitted
from experiments.rules.exclusion_rules import ANSWER, ExclusionRule, Limit, rules_for
from experiments.rules.plan import MAX_CHARACTERS, complete_plan, measures_of_tasks
from experiments.rules.shape import tasks_to_plan


class PlanForm(forms.Form):
    """Hypotheses, and for every exclusion rule of the paradigm a box and its numbers."""

    hypotheses = forms.CharField(
        label=_("Hypotheses"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("What you expect and which analysis decides it. Kept with the study and its exports."),
    )

    answers = forms.CharField(
        label=_("Leave out people by an answer, a score or checks"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "One condition per line, such as: age is below 18, or: check_failed is at least 2, or: score_mood is above "
            "20. Nobody is left out for not answering, unless the line says: age has no answer."
        ),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        plan = complete_plan(study.plan)
        stated = {rule["rule"]: rule for rule in plan["exclusion_rules"]}
        conditions = [condition_text(rule) for rule in plan["exclusion_rules"] if rule["rule"] == ANSWER]
        initial = {"hypotheses": plan["hypotheses"], "answers": "\n".join(conditions)}
        self.questions = study.shown_questions
        super().__init__(*args, **{**kwargs, "initial": {**initial, **kwargs.get("initial", {})}})
        self.rules = rules_for(measures_of_tasks(tasks_to_plan(study)))
        for rule in self.rules:
            self.fields[rule.slug] = forms.BooleanField(label=rule.label, required=False, initial=rule.slug in stated)
            for limit in rule.limits:
                value = stated.get(rule.slug, {}).get(limit.name, limit.default)
                self.fields[f"{rule.slug}-{limit.name}"] = limit_field(rule, limit, initial=value)

    def clean_answers(self) -> list[dict[str, Any]]:
        """Read the conditions, and say everything that is wrong with any of them."""
        rules, faults = [], []
        for number, line in enumerate(self.cleaned_data["answers"].splitlines(), start=1):
            if not line.strip():
                continue
            try:
                condition = fitted(condition_from(line), self.questions)
            except ValueError as unreadable:
                faults.append(_("Line %(number)d: %(message)s") % {"number": number, "message": unreadable})
                continue
            wrong = condition_faults(condition, all_variables(self.questions), what="answer")
            faults += [_("Line %(number)d: %(message)s") % {"number": number, "message": message} for message in wrong]
            rules.append({"rule": ANSWER, **condition})
        if faults:
            raise forms.ValidationError(faults)
        return rules

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
        ] + list(self.cleaned_data["answers"])

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
