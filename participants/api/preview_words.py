"""The preview's panel in words: what a page shows (part, list, item, condition), and what of its answer is stored.

Internal names stay in the payload, which the panel folds away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from experiments.models import Part, Stimulus, StimulusList, Study
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import TrialPlan
from experiments.views.records import plain

Fact = dict[str, str]
# What pages without an answer of their own are called.
PHASES = {
    "questions": gettext_lazy("Questionnaire"),
    "instructions": gettext_lazy("Instructions"),
    "training": gettext_lazy("Training"),
    "modulus": gettext_lazy("Reference of the ratings"),
    "practice": gettext_lazy("Practice trial"),
    "main": gettext_lazy("Trial"),
    "break": gettext_lazy("Break"),
    "debriefing": gettext_lazy("Debriefing"),
    "page": pgettext_lazy("of a study", "Page"),
}
# Of a payload that is longer the panel has the details.
MOST_LETTERS = 300


def pages_in_words(
    study: Study, plans: Sequence[tuple[Part, TrialPlan]], *, chosen: StimulusList
) -> list[dict[str, Any]]:
    """Return `heading` and `facts` (`label`, `value`) of every page, in the order of `plans`."""
    wanted = {plan.stimulus_id for _part, plan in plans if plan.stimulus_id is not None}
    found = Stimulus.objects.filter(pk__in=wanted, item__part__study=study).select_related("item", "condition")
    stimuli = {stimulus.pk: stimulus for stimulus in found}
    counts: dict[tuple[int, str], int] = {}
    several = len(study.tasks) > 1
    lists: dict[int, StimulusList] = {}
    for each in StimulusList.objects.filter(part__study=study).order_by("item_set", "index"):
        # Tasks whose list was not chosen are shown with their first.
        lists.setdefault(each.part_id, each)
    lists[chosen.part_id] = chosen
    pages = []
    for part, plan in plans:
        key = (part.pk, plan.phase)
        counts[key] = counts.get(key, 0) + 1
        heading = str(PHASES.get(plan.phase, plan.phase))
        if plan.phase in ("main", "practice"):
            heading = f"{heading} {counts[key]}"
        facts: list[Fact] = []
        if several:
            facts.append(_fact(_("Part"), part.shown_name))
        stimulus = stimuli.get(plan.stimulus_id or 0)
        if stimulus is not None:
            if part.pk in lists:
                facts.append(_fact(_("List"), lists[part.pk].name))
            facts += _facts_of(stimulus, study.labels, shows_several=paradigm_behind(part.paradigm).shows_several)
        pages.append({"heading": heading, "facts": facts})
    return pages


def _facts_of(stimulus: Stimulus, labels: Mapping[str, Any], *, shows_several: bool) -> list[Fact]:
    item = stimulus.item
    kind = _("practice") if item.is_practice else _("filler") if item.is_filler else ""
    facts = [_fact(_("Item"), f"{item.code} ({kind})" if kind else item.code)]
    if stimulus.condition is not None and not shows_several:
        for factor, level in stimulus.condition.levels.items():
            said = labels.get(factor, {})
            facts.append(_fact(said.get("label", factor), said.get("levels", {}).get(level, level)))
    return facts


def stored_in_words(
    params: Mapping[str, Any], payload: Mapping[str, Any], measures: Mapping[str, Any], *, rt_ms: float | None
) -> list[Fact]:
    """Return what of an answer is stored, as `label` and `value`: measures, or answers to questions.

    What has parts of its own, such as events, is told by their number.
    """
    label = import_string(settings.COLUMN_WORDS)
    asked = {
        str(question["name"]): str(question.get("label") or question["name"])
        for question in params.get("questions", ())
        if isinstance(question, Mapping) and "name" in question
    }
    given = payload.get("answers")
    if not measures and isinstance(given, Mapping):
        answers = [_fact(asked.get(str(name), label(str(name))), _said(value)) for name, value in given.items()]
    else:
        answers = [
            _fact(asked.get(name) or label(name), _said(value, unit=name.endswith("_ms")))
            for name, value in measures.items()
            if value is not None and name != "rt_ms"
        ]
    return [*answers, _fact(label("rt_ms"), _said(float(rt_ms), unit=True))] if rt_ms is not None else answers


def _said(value: Any, *, unit: bool = False) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_said(each)}" for name, each in value.items())[:MOST_LETTERS] or "–"
    if isinstance(value, list | tuple):
        if any(isinstance(each, Mapping | list | tuple) for each in value):
            return _("{number} entries").format(number=len(value))
        return ", ".join(plain(each) for each in value)[:MOST_LETTERS] or "–"
    if unit and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{plain(float(round(value, 1)))} ms"
    return plain(value)[:MOST_LETTERS]


def _fact(label: str, value: str) -> Fact:
    return {"label": label[:1].upper() + label[1:], "value": value}
