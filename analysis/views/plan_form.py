"""Form of a plan: hypotheses and exclusion rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.languages import in_language
from experiments.models import Study
from experiments.questionnaire.conditions import condition_faults
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.written import condition_from, condition_text, fitted
from experiments.rules.exclusion_rules import ANSWER, ExclusionRule, Limit, rules_for
from experiments.rules.plan import MAX_CHARACTERS, complete_plan, measures_of_tasks
from experiments.rules.shape import tasks_to_plan


@dataclass(frozen=True)
class Line:
    """One rule on the page: its box, its numbers and, in a study of several tasks, the task that it is for."""

    rule: ExclusionRule
    name: str

    def field(self, limit: Limit) -> str:
        """Return the name of the field of a number."""
        return f"{self.name}-{limit.name}"

    @property
    def part(self) -> str:
        """The name of the field of the task."""
        return f"{self.name}-part"


class PlanForm(forms.Form):
    """Hypotheses, and for every exclusion rule of the paradigm a box and its numbers.

    In a study of several tasks a rule can be stated again, for another task with other numbers: beside those that are
    stated there is one more line.
    """

    hypotheses = forms.CharField(
        label=gettext_lazy("Hypotheses"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy(
            "What you expect, and which analysis decides it. The text is kept with the study and its exports."
        ),
    )

    answers = forms.CharField(
        label=gettext_lazy("Exclude people by an answer, a score or checks"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "One condition per line, such as: age is below 18, or: check_failed is at least 2, or: score_mood is "
            "above 20. People who did not answer are not excluded, unless the line says: age has no answer."
        ),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        plan = complete_plan(study.plan)
        conditions = [condition_text(rule) for rule in plan["exclusion_rules"] if rule["rule"] == ANSWER]
        initial = {"hypotheses": plan["hypotheses"], "answers": "\n".join(conditions)}
        self.questions = study.shown_questions
        super().__init__(*args, **{**kwargs, "initial": {**initial, **kwargs.get("initial", {})}})
        tasks = tasks_to_plan(study)
        self.has_several_tasks = len(tasks) > 1
        self.rules: list[Line] = []
        for rule in rules_for(measures_of_tasks(tasks)):
            stated = [one for one in plan["exclusion_rules"] if one["rule"] == rule.slug]
            for number in range(self._lines_of(rule, len(stated))):
                given = stated[number] if number < len(stated) else {}
                line = Line(rule, f"{rule.slug}-{number + 1}" if number else rule.slug)
                self.rules.append(line)
                self._add(line, given, list(tasks))

    def _lines_of(self, rule: ExclusionRule, stated: int) -> int:
        """Return how often a rule stands on the page: as sent, else as stated and once more for another task."""
        if not self.has_several_tasks:
            return 1
        sent = sum(f"{rule.slug}-{number}-part" in self.data for number in range(2, 2 + len(self.data)))
        return max(sent + 1 if self.is_bound else 0, stated + 1)

    def _add(self, line: Line, stated: Mapping[str, Any], tasks: Sequence[str]) -> None:
        rule = line.rule
        self.fields[line.name] = forms.BooleanField(label=rule.label, required=False, initial=bool(stated))
        for limit in rule.limits:
            value = stated.get(limit.name, limit.default)
            self.fields[line.field(limit)] = limit_field(rule, limit, initial=value)
        if self.has_several_tasks:
            self.fields[line.part] = forms.ChoiceField(
                label=_("in"),
                required=False,
                choices=[("", _("every task")), *((task, task) for task in tasks)],
                initial=stated.get("part", ""),
                widget=forms.Select(attrs={"aria-label": f"{in_language(rule.label)}: {_('in')}"}),
            )

    def clean_answers(self) -> list[dict[str, Any]]:
        """Read the conditions, and say everything that is wrong with any of them."""
        rules, faults = [], []
        for number, line in enumerate(self.cleaned_data["answers"].splitlines(), start=1):
            if not line.strip():
                continue
            try:
                condition = fitted(condition_from(line), self.questions)
            except ValueError as unreadable:
                faults.append(
                    _("Line %(number)d: %(message)s") % {"number": number, "message": in_language(str(unreadable))}
                )
                continue
            wrong = condition_faults(condition, all_variables(self.questions), what="answer")
            faults += [
                _("Line %(number)d: %(message)s") % {"number": number, "message": in_language(message)}
                for message in wrong
            ]
            rules.append({"rule": ANSWER, **condition})
        if faults:
            raise forms.ValidationError(faults)
        return rules

    def clean(self) -> dict[str, Any]:
        """Ask for a number only where its rule is chosen, and state no rule twice for the same task."""
        cleaned = super().clean() or {}
        stated = set()
        for line in self.rules:
            for limit in line.rule.limits:
                name = line.field(limit)
                if cleaned.get(line.name) and cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("The rule needs this number."))
                elif not cleaned.get(line.name):
                    self.errors.pop(name, None)
            if cleaned.get(line.name):
                key = (line.rule.slug, cleaned.get(line.part, ""))
                if key in stated:
                    self.add_error(line.part, _("You stated this rule twice for this task."))
                stated.add(key)
        return cleaned

    def exclusion_rules(self) -> list[dict[str, Any]]:
        """Return the rules that were chosen."""
        return [
            {
                "rule": line.rule.slug,
                **{limit.name: self.cleaned_data[line.field(limit)] for limit in line.rule.limits},
                **({"part": self.cleaned_data[line.part]} if self.cleaned_data.get(line.part) else {}),
            }
            for line in self.rules
            if self.cleaned_data.get(line.name)
        ] + list(self.cleaned_data["answers"])

    def lines(self) -> list[dict[str, Any]]:
        """Return the rules with their fields, for the page."""
        return [
            {
                "rule": line.rule,
                "chosen": self[line.name],
                "limits": [self[line.field(limit)] for limit in line.rule.limits],
                "part": self[line.part] if self.has_several_tasks else None,
            }
            for line in self.rules
        ]


def limit_field(rule: ExclusionRule, limit: Limit, *, initial: float) -> forms.Field:
    """Return the field for the number of a rule."""
    kind = forms.IntegerField if limit.is_whole else forms.FloatField
    label = f"{in_language(rule.label)}: {in_language(limit.label)}"
    attributes = {"step": 1 if limit.is_whole else "any", "aria-label": label}
    return kind(
        label=limit.label,
        required=False,
        initial=initial,
        min_value=limit.low,  # type: ignore[arg-type]
        max_value=limit.high,  # type: ignore[arg-type]
        widget=forms.NumberInput(attrs=attributes),
    )
