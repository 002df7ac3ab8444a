"""Faults of a task's materials that prevent running it: texts, lists, order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from experiments.design.ordering import impossible_rules
from experiments.formats.faults import Fault, listed
from experiments.materials.lists import shown_together
from experiments.materials.stimuli import together_faults
from experiments.materials.store import design_of
from experiments.models import Stimulus, StimulusList, Study
from experiments.paradigms.base import Paradigm, ShownStimulus
from experiments.procedure.sessions import (
    complete_procedure,
    order_rules,
    session_stimuli,
)
from experiments.sentences import Sentence, counting


def shown_text_faults(study: Study, paradigm: Paradigm) -> list[Fault]:
    """Return the first fault of every text that the paradigm cannot show; equal sentences are merged over items."""
    settings = paradigm.complete_settings(study.settings)
    rows = Stimulus.objects.filter(item__part=study.task).order_by("item__position", "pk")
    items: dict[str, dict[str, None]] = {}
    for item, text, extra in rows.values_list("item__code", "text", "extra"):
        for message in paradigm.text_faults(text, extra, settings)[:1]:
            items.setdefault(message, {})[item] = None
    return [
        Fault(
            message=counting(
                "Item {items}: {said}", "Items {items}: {said}", len(codes), items=listed(list(codes)), said=message
            ),
            step="materials",
        )
        for message, codes in items.items()
    ]


def material_faults(study: Study) -> list[Fault]:
    columns = ("pk", "item_id", "item__code", "item__item_set", "item__is_filler", "item__is_practice", "condition_id")
    rows = list(Stimulus.objects.filter(item__part=study.task).values_list(*columns))
    targets = [row for row in rows if not row[4] and not row[5]]
    if not targets:
        return [Fault(message=Sentence("There are no materials yet."), step="materials")]
    entry = StimulusList.stimuli.through
    shown: dict[int, list[int]] = {pk: [] for pk in study.lists.values_list("pk", flat=True)}
    pairs = entry.objects.filter(stimuluslist__part=study.task).values_list("stimuluslist_id", "stimulus_id")
    for list_id, stimulus_id in pairs:
        shown[list_id].append(stimulus_id)
    if not shown:
        return [
            Fault(
                message=Sentence("There are no lists."),
                suggestion=Sentence("Store the materials again."),
                step="design",
            )
        ]
    by_pk = {row[0]: row for row in rows}
    faults = _hole_faults(study, shown, by_pk, targets)
    faults += _list_faults(study, shown, by_pk, targets)
    if shown_together(study) is not None:
        return faults
    return faults + _order_faults(study, shown, by_pk)


def _hole_faults(study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any], targets: list[Any]) -> list[Fault]:
    """Items that lack a text which a list needs; in an incomplete design every list has a text of each item."""
    k = max(1, study.conditions.count())
    filled = Counter(row[1] for row in targets)
    lists = study.lists.values_list("pk", "item_set")
    there = {pk: {by_pk[stimulus][1] for stimulus in stimuli} for pk, stimuli in shown.items()}
    of_set = {name: [there[pk] for pk, item_set in lists if item_set in ("", name)] for name in {r[3] for r in targets}}
    is_needed = shown_together(study) is not None
    incomplete = {
        row[2]: None
        for row in targets
        if filled[row[1]] != k and (is_needed or any(row[1] not in items for items in of_set[row[3]]))
    }
    if incomplete:
        message = Sentence("The items {items} have no text in some conditions.", items=listed(list(incomplete)))
        return [Fault(message=message, step="materials")]
    return []


def _list_faults(
    study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any], targets: list[Any]
) -> Iterator[Fault]:
    """Each list shows each of its items once, or all of their texts; over all lists, texts of an item equally often."""
    together = shown_together(study)
    in_every_condition = together is not None or study.procedure.get("conditions") == "all"
    texts_of = Counter(row[1] for row in targets) if in_every_condition else Counter()
    times_each = together.n_lists if together else 1
    for stimulus_list in study.lists.all():
        expected = {row[1] for row in targets if not stimulus_list.item_set or row[3] == stimulus_list.item_set}
        items = [by_pk[stimulus][1] for stimulus in shown[stimulus_list.pk]]
        times_shown = Counter(items)
        if set(items) != expected or any(times_shown[item] != texts_of.get(item, 1) for item in expected):
            yield Fault(
                message=Sentence(
                    "The list {name} does not show every item in every condition.", name=stimulus_list.name
                )
                if texts_of
                else Sentence("The list {name} does not show every item once.", name=stimulus_list.name),
                suggestion=Sentence("Store the materials again."),
                step="design",
            )
    times = Counter(stimulus for stimuli in shown.values() for stimulus in stimuli)
    if in_every_condition:
        is_even = set(times) == {row[0] for row in targets} and set(times.values()) == {times_each}
    else:
        by_set = Counter(study.lists.values_list("item_set", flat=True))
        texts = Counter(row[1] for row in targets)
        # Where the lists are no multiple of an item's texts, some of these are in one list more.
        is_even = all((by_set[""] or by_set[row[3]]) // texts[row[1]] <= times[row[0]] for row in targets) and all(
            times[row[0]] <= -(-(by_set[""] or by_set[row[3]]) // texts[row[1]]) for row in targets
        )
    if not is_even:
        yield Fault(
            message=counting(
                "The lists together do not show every text once.",
                "The lists together do not show every text {n} times.",
                times_each,
            )
            if in_every_condition or max(times.values(), default=1) == 1
            else Sentence("The lists together do not show the texts of every item equally often."),
            suggestion=Sentence("Store the materials again."),
            step="design",
        )


def _order_faults(study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any]) -> list[Fault]:
    rules = order_rules(complete_procedure(study.procedure))
    names = {condition.pk: condition.name for condition in study.conditions.select_related("part")}
    everybody = [_trial(row, names) for row in by_pk.values() if row[4] or row[5]]
    # Lists that differ in their conditions alone fail by the same rule; each sentence is said once.
    reasons: dict[str, None] = {}
    for stimuli in shown.values():
        trials = [_trial(by_pk[stimulus], names) for stimulus in stimuli]
        reasons.update(dict.fromkeys(impossible_rules([*everybody, *trials], rules)))
    return [Fault(message=reason, step="procedure") for reason in reasons]


def faults_of_together(study: Study, paradigm: Paradigm) -> list[Fault]:
    """Return why conditions cannot share trials, or which ordering rules their trials cannot satisfy.

    Lists differ too little in the order to ask each of them.
    """
    if not paradigm.shows_several or not study.items.exists():
        return []
    settings = paradigm.complete_settings(study.settings)
    faults = together_faults(design_of(study), paradigm, settings)
    if faults:
        return faults
    rules = order_rules(complete_procedure(study.procedure))
    reasons: dict[str, None] = {}
    for first in {each.item_set: each for each in reversed(list(study.lists.all()))}.values():
        stimuli = session_stimuli(study, first)
        shown = paradigm.together(stimuli, settings, random.Random(0), ())  # noqa: S311 - any order will do
        reasons.update(dict.fromkeys(impossible_rules(shown, rules)))
    return [Fault(message=reason, step="procedure") for reason in reasons]


def _trial(row: Any, names: dict[int, str]) -> ShownStimulus:
    return ShownStimulus(
        row[0], "", item=row[2], condition=names.get(row[6]), is_filler=row[4] and not row[5], is_practice=row[5]
    )
