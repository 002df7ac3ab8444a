"""Faults of a task's materials that prevent running it: texts, lists, order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from experiments.design.orders.arranged import arrangement_faults
from experiments.design.orders.randomised import impossible_rules
from experiments.formats.faults import Fault, listed
from experiments.materials.lists import shown_together
from experiments.materials.stimuli import together_faults
from experiments.materials.store import design_of
from experiments.models import Stimulus, StimulusList, Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, ShownStimulus
from experiments.procedure.arranging import (
    arrangement_of,
    block_names,
    column_faults,
    complete_procedure,
    order_rules,
    placed_by,
)
from experiments.procedure.sessions import session_stimuli
from experiments.rules.procedure import arranging_rules, is_arranged
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
                message=Sentence("The materials have no lists."),
                suggestion=Sentence("Store the materials again."),
                step="design",
            )
        ]
    by_pk = {row[0]: row for row in rows}
    faults = _hole_faults(study, shown, by_pk, targets)
    faults += _list_faults(study, shown, by_pk, targets)
    if shown_together(study) is not None or faults:
        return faults
    if is_arranged(study.procedure):
        return arranging_faults(study, None)
    return _order_faults(study, shown, by_pk)


def arranging_faults(study: Study, paradigm: Paradigm | None) -> list[Fault]:
    """Return why the trials of some list cannot be arranged as the procedure says; each sentence once.

    With a `paradigm` that puts several texts into a trial, the trials that it makes.
    """
    faults = column_faults(study.task, study.procedure)
    known = paradigm_named(study.paradigm)
    said = known.arrangement_faults(known.complete_settings(study.settings), arranging_rules(study.procedure))
    faults += [Fault(message=message, step="procedure") for message in said]
    if faults:
        return faults
    arrangement = arrangement_of(
        study.procedure, block_names(study.task, str(complete_procedure(study.procedure)["block_by"]))
    )
    reasons: dict[str, None] = {}
    for stimulus_list in study.lists.all():
        stimuli = session_stimuli(study, stimulus_list)
        if paradigm is not None:
            settings = paradigm.complete_settings(study.settings)
            stimuli = paradigm.together(stimuli, settings, random.Random(0), ())  # noqa: S311 - any order will do
        placed = placed_by(stimuli, study.procedure)
        reasons.update(dict.fromkeys(arrangement_faults(placed, arrangement)))
    return [Fault(message=reason, step="procedure") for reason in reasons]


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
    times_each: int | None = together.n_lists if together else 1
    if together is None and study.procedure.get("conditions") == "several":
        per_item = int(complete_procedure(study.procedure)["conditions_per_item"])
        texts_of = Counter({item: min(n, per_item) for item, n in Counter(row[1] for row in targets).items()})
        # How often each text is shown follows from the block design, whose blocks are the lists.
        times_each = None
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
    if study.procedure.get("conditions") == "several" and together is None:
        is_even = set(times) == {row[0] for row in targets}
    elif in_every_condition:
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
                "Together, the lists do not show every text once.",
                "Together, the lists do not show every text {n} times.",
                times_each or 1,
            )
            if in_every_condition or max(times.values(), default=1) == 1
            else Sentence("Together, the lists do not show the texts of every item equally often."),
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
    if is_arranged(study.procedure):
        return arranging_faults(study, paradigm)
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
