"""The form of a plan: hypotheses and exclusion rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.rules.exclusion_rules import ExclusionRule, Limit, rules_for
from experiments.rules.plan import MAX_CHARACTERS, complete_plan, measure_names


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
