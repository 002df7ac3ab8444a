"""Whether a study is ready to open: every fault at once, each with the page where it is put right."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings as platform
from django.utils.module_loading import import_string

from experiments.design.latin_square import is_balanced
from experiments.design.ordering import impossible_rules
from experiments.formats.faults import Fault, listed
from experiments.models import Stimulus, StimulusList, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.procedure.sessions import SessionStimulus, complete_procedure, complete_settings, order_rules
from experiments.procedure.texts import current_text
from experiments.rules.shape import shape_faults
from experiments.study.schemes import default_codes

logger = logging.getLogger(__name__)


def opening_faults(study: Study) -> list[Fault]:
    """Return everything that keeps a study from opening; empty where it is ready."""
    return [*design_faults(study), *_text_faults(study), *_fact_faults(study)]


def design_faults(study: Study) -> list[Fault]:
    """Return what keeps a study from being run at all: settings, questions, materials, lists, order."""
    faults = shape_faults(study)
    if not any(fault.step == "settings" for fault in faults):
        paradigm = paradigm_named(study.paradigm)
        needed = paradigm.opening_faults(complete_settings(paradigm, study.settings))
        faults += [Fault(message=message, step="procedure") for message in needed]
        faults += _shown_text_faults(study, paradigm)
    return faults + _material_faults(study)


def _shown_text_faults(study: Study, paradigm: Paradigm) -> list[Fault]:
    """Return the first fault of every text that the paradigm cannot show, the same sentence once for all its items."""
    settings = complete_settings(paradigm, study.settings)
    rows = Stimulus.objects.filter(item__study=study).order_by("item__position", "pk")
    items: dict[str, dict[str, None]] = {}
    for item, text, extra in rows.values_list("item__code", "text", "extra"):
        for message in paradigm.text_faults(text, extra, settings)[:1]:
            items.setdefault(message, {})[item] = None
    return [
        Fault(message=f"{'Item' if len(codes) == 1 else 'Items'} {listed(list(codes))}: {message}", step="materials")
        for message, codes in items.items()
    ]


def opening_warnings(study: Study) -> list[Fault]:
    """Return what a researcher should know before opening, and may accept."""
    warnings = []
    conditions = str(complete_procedure(study.procedure)["conditions"])
    k = study.conditions.count()
    said = settings_warnings(study, settings=study.settings, procedure=study.procedure)
    warnings += [Fault(message=message, step="procedure") for message in said]
    if k > 1 and conditions != "all":
        sizes = Counter(study.items.filter(is_filler=False, is_practice=False).values_list("item_set", flat=True))
        warnings += [
            Fault(
                message=f"{n} items{f' of the set {item_set!r}' if item_set else ''} cannot be shared equally among "
                f"{k} conditions; within a list some conditions have one item more.",
                step="design",
            )
            for item_set, n in sizes.items()
            if not is_balanced(n, k)
        ]
    n_lists = study.lists.count()
    if n_lists > 1 and study.quota and study.quota % n_lists:
        warnings.append(Fault(message=f"A quota of {study.quota} does not fill {n_lists} lists equally.", step="open"))
    if study.retention_until is None:
        warnings.append(Fault(message="There is no date on which the data will be deleted.", step="settings"))
    if not study.plan.get("analyses"):
        message = "No analysis is planned; every analysis will be reported as exploratory."
        warnings.append(Fault(message=message, step="plan"))
    if not study.items.filter(is_practice=True).exists():
        warnings.append(Fault(message="There are no practice texts.", step="materials"))
    if default_codes(study.paradigm) and not study.error_codes.exists():
        message = "There are no codes yet with which people can code what participants write."
        warnings.append(Fault(message=message, suggestion="They can also be written later.", step="code"))
    for path in platform.OPENING_WARNINGS:
        try:
            warnings += import_string(path)(study)
        except Exception:
            # What only informs may not keep a study from opening.
            logger.exception("%s failed for the study %s", path, study.slug)
            message = "One of the checks could not be made because of a fault of the platform."
            warnings.append(Fault(message=message, suggestion="The server's log has the reason.", step="open"))
    return warnings


def opening_panels(study: Study) -> list[str]:
    """Return the parts of the page that opens a study which other apps make, as HTML; one that fails is left out."""
    panels = []
    for path in platform.OPENING_PANELS:
        try:
            panels.append(import_string(path)(study))
        except Exception:
            # The warnings say that something failed: they rest on the same functions.
            logger.exception("%s failed for the study %s", path, study.slug)
    return [panel for panel in panels if panel]


def settings_warnings(study: Study, *, settings: Mapping[str, Any], procedure: Mapping[str, Any]) -> list[str]:
    """Return what the paradigm has to say about settings and a procedure that the study could have."""
    try:
        paradigm = paradigm_named(study.paradigm)
    except UnknownParadigm:
        return []
    if study.conditions.count() < 2:
        return []
    conditions = str(complete_procedure(procedure)["conditions"])
    said = paradigm.opening_warnings(complete_settings(paradigm, settings), conditions=conditions)
    return [str(sentence) for sentence in said]


def _fact_faults(study: Study) -> list[Fault]:
    needed = {
        "title": "The study has no title.",
        "responsible": "Nobody is named as responsible for the study.",
        "contact": "There is no address to which participants can write.",
        "data_protection_note": "The data-protection note is empty: where data are kept, how long, who sees them.",
    }
    return [
        Fault(message=message, step="settings")
        for name, message in needed.items()
        if not str(getattr(study, name)).strip()
    ]


def _text_faults(study: Study) -> list[Fault]:
    faults = []
    for kind, name in (
        ("welcome", "text of the landing page"),
        ("consent", "consent"),
        ("instructions", "instructions"),
        ("debriefing", "debriefing"),
    ):
        text = current_text(study, kind)
        if text is None or not text.body.strip():
            faults.append(
                Fault(message=f"The {name} is empty." if name[-1] != "s" else f"The {name} are empty.", step="texts")
            )
        elif kind == "consent" and not text.required_boxes:
            faults.append(Fault(message="The consent has no box that must be ticked.", step="texts"))
        if text and "{minutes}" in text.body and not study.estimated_minutes:
            message = f"The {name} names the duration with {{minutes}}, but the study has no estimate of it."
            faults.append(Fault(message=message, step="texts"))
    return faults


def _material_faults(study: Study) -> list[Fault]:
    columns = ("pk", "item_id", "item__code", "item__item_set", "item__is_filler", "item__is_practice", "condition_id")
    rows = list(Stimulus.objects.filter(item__study=study).values_list(*columns))
    targets = [row for row in rows if not row[4] and not row[5]]
    if not targets:
        return [Fault(message="There are no materials yet.", step="materials")]
    faults = _hole_faults(study, targets)
    entry = StimulusList.stimuli.through
    shown: dict[int, list[int]] = {pk: [] for pk in study.lists.values_list("pk", flat=True)}
    pairs = entry.objects.filter(stimuluslist__study=study).values_list("stimuluslist_id", "stimulus_id")
    for list_id, stimulus_id in pairs:
        shown[list_id].append(stimulus_id)
    if not shown:
        return [*faults, Fault(message="There are no lists.", suggestion="Store the materials again.", step="design")]
    by_pk = {row[0]: row for row in rows}
    faults += _list_faults(study, shown, by_pk, targets)
    return faults + _order_faults(study, shown, by_pk)


def _hole_faults(study: Study, targets: list[Any]) -> list[Fault]:
    k = max(1, study.conditions.count())
    filled = Counter(row[2] for row in targets)
    incomplete = [code for code, n in filled.items() if n != k]
    if incomplete:
        message = f"The items {listed(incomplete)} have no text in some conditions."
        return [Fault(message=message, step="materials")]
    return []


def _list_faults(study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any], targets: list[Any]) -> list[Fault]:
    """Each list shows each of its items once, or all of their texts; over all lists each text is shown once."""
    faults = []
    texts_of = Counter(row[1] for row in targets) if study.procedure.get("conditions") == "all" else Counter()
    for stimulus_list in study.lists.all():
        expected = {row[1] for row in targets if not stimulus_list.item_set or row[3] == stimulus_list.item_set}
        items = [by_pk[stimulus][1] for stimulus in shown[stimulus_list.pk]]
        times_shown = Counter(items)
        if set(items) != expected or any(times_shown[item] != texts_of.get(item, 1) for item in expected):
            faults.append(
                Fault(
                    message=f"The list {stimulus_list.name} does not show every item "
                    f"{'in every condition' if texts_of else 'once'}.",
                    suggestion="Store the materials again.",
                    step="design",
                )
            )
    times = Counter(stimulus for stimuli in shown.values() for stimulus in stimuli)
    if set(times) != {row[0] for row in targets} or set(times.values()) != {1}:
        faults.append(
            Fault(
                message="The lists together do not show every text once.",
                suggestion="Store the materials again.",
                step="design",
            )
        )
    return faults


def _order_faults(study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any]) -> list[Fault]:
    rules = order_rules(complete_procedure(study.procedure))
    names = {condition.pk: condition.name for condition in study.conditions.select_related("study")}
    everybody = [_trial(row, names) for row in by_pk.values() if row[4] or row[5]]
    # Lists that differ in their conditions alone fail by the same rule; each sentence is said once.
    reasons: dict[str, None] = {}
    for stimuli in shown.values():
        trials = [_trial(by_pk[stimulus], names) for stimulus in stimuli]
        reasons.update(dict.fromkeys(impossible_rules([*everybody, *trials], rules)))
    return [Fault(message=reason, step="procedure") for reason in reasons]


def _trial(row: Any, names: dict[int, str]) -> SessionStimulus:
    return SessionStimulus(row[0], "", row[2], names.get(row[6]), is_filler=row[4] and not row[5], is_practice=row[5])
