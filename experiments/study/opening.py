"""Whether a study is ready to open: every fault at once, each with the page where it is put right."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings as platform
from django.utils import timezone
from django.utils.module_loading import import_string

from experiments.design.latin_square import is_balanced
from experiments.design.ordering import impossible_rules
from experiments.formats.faults import Fault, listed, spoken
from experiments.languages import language_of_texts, name_of
from experiments.materials.lists import shown_together
from experiments.materials.stimuli import together_faults
from experiments.materials.store import design_of
from experiments.media.naming import media_state
from experiments.models import Part, Stimulus, StimulusList, Study, StudyText
from experiments.paradigms import PARADIGMS, UnknownParadigm, paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.procedure.sequence import first_questionnaires
from experiments.procedure.sessions import (
    SessionStimulus,
    complete_procedure,
    complete_settings,
    order_rules,
    session_stimuli,
    shown_stimulus,
)
from experiments.procedure.texts import current_text, default_body, default_required_boxes
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.variables import CHECK_FAILED
from experiments.rules.criteria import criteria_faults, criteria_shape_faults, most_by_criteria
from experiments.rules.exclusion_rules import described
from experiments.rules.questions import question_faults
from experiments.rules.shape import shape_faults
from experiments.rules.wording import DIRECTION, LANGUAGE, changes_since
from experiments.sentences import Sentence, counting
from experiments.study.packages import changed_package

KNOWN = frozenset(paradigm.slug for paradigm in PARADIGMS)
logger = logging.getLogger(__name__)


def opening_faults(study: Study) -> list[Fault]:
    """Return everything that keeps a study from opening; empty where it is ready."""
    return [*design_faults(study), *_package_faults(study), *_text_faults(study), *_fact_faults(study)]


def _package_faults(study: Study) -> list[Fault]:
    """A study that was open before goes on with the paradigm that its data were collected with."""
    changed = changed_package(study)
    return [] if changed is None else [Fault(message=changed, step="open")]


def design_faults(study: Study) -> list[Fault]:
    """Return what keeps a study from being run at all: settings, questions, materials, lists, order; of every task."""
    faults = shape_faults(study) + faults_of_criteria(study)
    if not study.tasks and not study.ordered_parts:
        return [*faults, Fault(message=Sentence("The study has no parts yet."), step="parts")]
    faults += _faults_of_shared_names(study)
    media = media_state(study).faults
    if len(study.tasks) < 2:
        is_sound = not any(fault.step == "settings" for fault in faults)
        return [*faults, *_task_faults(study, is_sound=is_sound), *media]
    for task in study.tasks:
        of_task = _task_faults(study.seen_through(task.name), is_sound=task.paradigm in KNOWN)
        faults += [
            replace(fault, message=Sentence("Part '{part}': {said}", part=task.name, said=fault.message))
            for fault in of_task
        ]
    return [*faults, *media]


def _faults_of_shared_names(study: Study) -> list[Fault]:
    """Return the names of answers and scales that stand in two questionnaires: data and rules know them by name."""
    asked: dict[str, str] = {}
    faults = []
    for part in study.ordered_parts:
        if question_faults(part.questions):
            continue
        for name in (variable.name for variable in all_variables(part.questions)):
            # Failed checks are counted over all questionnaires.
            if name == CHECK_FAILED or asked.setdefault(name, part.name) == part.name:
                continue
            message = Sentence(
                "The questionnaires '{one}' and '{other}' both measure '{name}'.",
                one=asked[name],
                other=part.name,
                name=name,
            )
            suggestion = Sentence(
                "Data, scores and rules know it by its name; call one of them otherwise, such as '{name}_after'.",
                name=name,
            )
            faults.append(Fault(message=message, suggestion=suggestion, step="parts"))
    return faults


def faults_of_criteria(study: Study) -> list[Fault]:
    """Return why the quotas by criterion of a study cannot be kept; those that are not well formed are left out."""
    if not _has_sound_criteria(study):
        return []
    later = [variable.name for part in study.ordered_parts for variable in all_variables(part.questions)]
    return criteria_faults(study.criteria, first_questionnaires(study.ordered_parts), later)


def _has_sound_criteria(study: Study) -> bool:
    unsound = criteria_shape_faults(study.criteria) or any(question_faults(p.questions) for p in study.ordered_parts)
    return bool(study.criteria) and not unsound


def _task_faults(study: Study, *, is_sound: bool) -> list[Fault]:
    faults = []
    if is_sound:
        paradigm = paradigm_named(study.paradigm)
        needed = paradigm.opening_faults(complete_settings(paradigm, study.settings))
        faults += [Fault(message=message, step="procedure") for message in needed]
        faults += _shown_text_faults(study, paradigm)
        faults += _together_faults(study, paradigm)
    return faults + _material_faults(study)


def _shown_text_faults(study: Study, paradigm: Paradigm) -> list[Fault]:
    """Return the first fault of every text that the paradigm cannot show, the same sentence once for all its items."""
    settings = complete_settings(paradigm, study.settings)
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


def opening_warnings(study: Study) -> list[Fault]:
    """Return what a researcher should know before opening, and may accept."""
    warnings = [*of_every_task(study, _task_warnings), *media_state(study).warnings]
    most = None
    if study.quota and _has_sound_criteria(study) and not faults_of_criteria(study):
        most = most_by_criteria(study.criteria, first_questionnaires(study.ordered_parts), len(study.groups))
    if most and study.quota and most[0] < study.quota:
        message = Sentence(
            "The study wants {quota} people, but the criteria on '{criterion}' let {most} at most take part.",
            quota=study.quota,
            criterion=most[1],
            most=most[0],
        )
        warnings.append(Fault(message=message, step="sources"))
    if study.retention_until is None:
        warnings.append(Fault(message=Sentence("There is no date on which the data will be deleted."), step="settings"))
    elif not study.erases_itself and study.retention_until <= timezone.localdate():
        message = Sentence(
            "The day on which the data are deleted, {day}, has passed.", day=study.retention_until.isoformat()
        )
        warnings.append(Fault(message=message, suggestion=Sentence("Choose a later day."), step="settings"))
    if not study.plan.get("analyses"):
        message = Sentence("No analysis is planned; every analysis will be reported as exploratory.")
        warnings.append(Fault(message=message, step="plan"))
    if _is_coded(study) and not study.error_codes.exists():
        message = Sentence("There are no codes yet with which people can code what participants write.")
        warnings.append(Fault(message=message, suggestion=Sentence("They can also be written later."), step="code"))
    warnings += _shared_bounds(study) + _english_texts(study) + _wording_warnings(study)
    for path in platform.OPENING_WARNINGS:
        try:
            warnings += import_string(path)(study)
        except Exception:
            # What only informs may not keep a study from opening.
            logger.exception("%s failed for the study %s", path, study.slug)
            message = Sentence("One of the checks could not be made because of a fault of the platform.")
            warnings.append(
                Fault(message=message, suggestion=Sentence("The server's log has the reason."), step="open")
            )
    return warnings


def of_every_task(study: Study, ask: Callable[[Study], list[Fault]]) -> list[Fault]:
    """Return what `ask` says of each task, with its name in front where the study as a whole has several."""
    if study.chosen_task or not study.has_several_tasks:
        return ask(study)
    return [
        replace(fault, message=Sentence("Part '{part}': {said}", part=task.name, said=fault.message))
        for task in study.tasks
        for fault in ask(study.seen_through(task.name))
    ]


def _task_warnings(study: Study) -> list[Fault]:
    """Return what to know of the design and the order of a task: shares that are not equal, and no practice."""
    said = settings_warnings(study, settings=study.settings, procedure=study.procedure)
    warnings = [Fault(message=message, step="procedure") for message in said]
    k = study.conditions.count()
    conditions = str(complete_procedure(study.procedure)["conditions"])
    if k > 1 and conditions != "all" and shown_together(study) is None:
        sizes = Counter(study.items.filter(is_filler=False, is_practice=False).values_list("item_set", flat=True))
        warnings += [
            Fault(
                message=Sentence(
                    "{n} items of the set {item_set} cannot be shared equally among {k} conditions; within a list some "
                    "conditions have one item more.",
                    n=n,
                    item_set=repr(item_set),
                    k=k,
                )
                if item_set
                else Sentence(
                    "{n} items cannot be shared equally among {k} conditions; within a list some conditions have one "
                    "item more.",
                    n=n,
                    k=k,
                ),
                step="design",
            )
            for item_set, n in sizes.items()
            if not is_balanced(n, k)
        ]
    n_lists = study.lists.count()
    if n_lists > 1 and study.quota and study.quota % n_lists:
        warnings.append(
            Fault(
                message=Sentence(
                    "A quota of {quota} does not fill {n_lists} lists equally.", quota=study.quota, n_lists=n_lists
                ),
                step="open",
            )
        )
    if not study.items.filter(is_practice=True).exists():
        warnings.append(Fault(message=Sentence("There are no practice texts."), step="materials"))
    return warnings


def _shared_bounds(study: Study) -> list[Fault]:
    """Return which rules hold one bound in milliseconds against tasks of different kinds."""
    if len({task.paradigm for task in study.tasks}) < 2:
        return []
    shared = [rule for rule in study.plan.get("exclusion_rules", ()) if "ms" in rule and not rule.get("part")]
    return [
        Fault(
            message=Sentence(
                "The rule “{rule}” holds in every task, and tasks take differently long.", rule=described(rule)
            ),
            suggestion=Sentence("Choose the task that it is for, and state it again for the others."),
            step="plan",
        )
        for rule in shared
    ]


def _wording_warnings(study: Study) -> list[Fault]:
    """Return what to know of a draft's own texts: that they are there, and what today's interface makes of them."""
    if study.is_frozen or not study.wording:
        return []
    warnings = []
    n = sum(key not in (LANGUAGE, DIRECTION) for key in study.wording)
    if n and study.participants_language.partition("-")[0] == study.language:
        message = counting(
            "The study has {n} text of its own, read among those in {language}.",
            "The study has {n} texts of its own, read among those in {language}.",
            n,
            language=name_of(study.language),
        )
        advice = Sentence(
            "Check that they are in this language, above all where the language of the study was changed."
        )
        warnings.append(Fault(message=message, suggestion=advice, step="texts"))
    return warnings + changes_since(study.wording, study.language)


def _english_texts(study: Study) -> list[Fault]:
    """Return which texts are still those with which a study begins where participants read another language.

    They are the English ones, or the German ones of a German study whose interface is in a language of its own.
    """
    begun = language_of_texts(study.language)
    if begun == study.participants_language.partition("-")[0]:
        return []
    found: list[str] = []
    for kind, name in (
        (StudyText.Kind.WELCOME, Sentence("the text of the landing page")),
        (StudyText.Kind.CONSENT, Sentence("the consent")),
        (StudyText.Kind.INSTRUCTIONS, Sentence("the instructions")),
        (StudyText.Kind.DEBRIEFING, Sentence("the debriefing")),
    ):
        for task in study.tasks if kind == StudyText.Kind.INSTRUCTIONS else [None]:
            text = current_text(study, kind, task)
            english = default_body(kind, paradigm=task.paradigm if task else study.paradigm, language=begun)
            boxes = default_required_boxes(begun)
            if text and (text.body.strip() == english or set(text.required_boxes) & set(boxes)):
                if task and study.has_several_tasks:
                    found.append(Sentence("{text} of part '{part}'", text=name, part=task.name))
                else:
                    found.append(name)
    for task in study.tasks:
        if _asks_as_in_the_beginning(task):
            questions = Sentence("the questions of part '{part}'", part=task.name)
            found.append(questions if study.has_several_tasks else Sentence("the rating questions"))
    if not found:
        return []
    message = Sentence(
        "The pages are in {pages}, but these are still {language}: {texts}.",
        pages=name_of(study.participants_language),
        language=name_of(begun),
        texts=spoken(found, ", "),
    )
    return [
        Fault(message=message, suggestion=Sentence("Write them in the language of the participants."), step="texts")
    ]


def _asks_as_in_the_beginning(task: Part) -> bool:
    """Return whether a task asks about its texts what its paradigm asks where nobody has written other questions."""
    paradigm = next((each for each in PARADIGMS if each.slug == task.paradigm), None)
    fields = paradigm.settings_form.base_fields if paradigm else {}
    now = complete_settings(paradigm, task.settings) if paradigm else {}
    asked = [name for name in ("questions", "ratings") if name in fields and fields[name].initial]
    return any([dict(one) for one in now[name]] == [dict(one) for one in fields[name].initial] for name in asked)


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


def _is_coded(study: Study) -> bool:
    tasks = [study.task] if study.chosen_task else study.tasks
    return any(
        paradigm_named(task.paradigm).coded_measure_of(task.settings) for task in tasks if task.paradigm in KNOWN
    )


def _fact_faults(study: Study) -> list[Fault]:
    needed = {
        "title": Sentence("The study has no title."),
        "responsible": Sentence("Nobody is named as responsible for the study."),
        "contact": Sentence("There is no address to which participants can write."),
        "data_protection_note": Sentence(
            "The data-protection note is empty: where data are kept, how long, who sees them."
        ),
    }
    return [
        Fault(message=message, step="settings")
        for name, message in needed.items()
        if not str(getattr(study, name)).strip()
    ] + _day_faults(study)


def _day_faults(study: Study) -> list[Fault]:
    """Return that everybody who takes part would be erased at once, where the day for it has come."""
    if not study.erases_itself or study.retention_until is None or study.retention_until > timezone.localdate():
        return []
    message = Sentence(
        "The day on which all participants are erased, {day}, has come already.", day=study.retention_until.isoformat()
    )
    return [Fault(message=message, suggestion=Sentence("Choose a later day."), step="settings")]


def _text_faults(study: Study) -> list[Fault]:
    faults, named = [], dict[str, str]()
    empty = {
        "welcome": Sentence("The text of the landing page is empty."),
        "consent": Sentence("The consent is empty."),
        "instructions": Sentence("The instructions are empty."),
        "debriefing": Sentence("The debriefing is empty."),
    }
    undated = {
        "welcome": Sentence(
            "The text of the landing page names the duration with {{minutes}}, but the study has no estimate of it."
        ),
        "consent": Sentence("The consent names the duration with {{minutes}}, but the study has no estimate of it."),
        "instructions": Sentence(
            "The instructions name the duration with {{minutes}}, but the study has no estimate of it."
        ),
        "debriefing": Sentence(
            "The debriefing names the duration with {{minutes}}, but the study has no estimate of it."
        ),
    }
    for kind in empty:
        text = current_text(study, kind)
        if text is None or not text.body.strip():
            faults.append(Fault(message=empty[kind], step="texts"))
        elif kind == "consent" and not text.required_boxes:
            faults.append(Fault(message=Sentence("The consent has no box that must be ticked."), step="texts"))
        if kind == "instructions":
            others = {task.name: current_text(study, kind, task) for task in study.tasks[1:]}
            faults += [
                Fault(message=Sentence("Part '{part}': {said}", part=task, said=empty[kind]), step="texts")
                for task, other in others.items()
                if not (other and other.body.strip())
            ]
            named |= {
                Sentence(
                    "The instructions of part '{part}' name the duration with {{minutes}}, but the study has no "
                    "estimate of it.",
                    part=task,
                ): other.body
                for task, other in others.items()
                if other
            }
        if text:
            named[undated[kind]] = text.body
    named |= {
        Sentence(
            "The page '{page}' names the duration with {{minutes}}, but the study has no estimate of it.",
            page=part.label,
        ): part.body
        for part in study.ordered_parts
        if part.kind == Part.Kind.PAGE
    }
    if not study.estimated_minutes:
        faults += [Fault(message=message, step="texts") for message, body in named.items() if "{minutes}" in body]
    return faults


def _material_faults(study: Study) -> list[Fault]:
    columns = ("pk", "item_id", "item__code", "item__item_set", "item__is_filler", "item__is_practice", "condition_id")
    rows = list(Stimulus.objects.filter(item__part=study.task).values_list(*columns))
    targets = [row for row in rows if not row[4] and not row[5]]
    if not targets:
        return [Fault(message=Sentence("There are no materials yet."), step="materials")]
    faults = _hole_faults(study, targets)
    entry = StimulusList.stimuli.through
    shown: dict[int, list[int]] = {pk: [] for pk in study.lists.values_list("pk", flat=True)}
    pairs = entry.objects.filter(stimuluslist__part=study.task).values_list("stimuluslist_id", "stimulus_id")
    for list_id, stimulus_id in pairs:
        shown[list_id].append(stimulus_id)
    if not shown:
        return [
            *faults,
            Fault(
                message=Sentence("There are no lists."),
                suggestion=Sentence("Store the materials again."),
                step="design",
            ),
        ]
    by_pk = {row[0]: row for row in rows}
    faults += _list_faults(study, shown, by_pk, targets)
    if shown_together(study) is not None:
        return faults
    return faults + _order_faults(study, shown, by_pk)


def _hole_faults(study: Study, targets: list[Any]) -> list[Fault]:
    k = max(1, study.conditions.count())
    filled = Counter(row[2] for row in targets)
    incomplete = [code for code, n in filled.items() if n != k]
    if incomplete:
        message = Sentence("The items {items} have no text in some conditions.", items=listed(incomplete))
        return [Fault(message=message, step="materials")]
    return []


def _list_faults(study: Study, shown: dict[int, list[int]], by_pk: dict[int, Any], targets: list[Any]) -> list[Fault]:
    """Each list shows each of its items once, or all of their texts; over all lists each text is shown once."""
    faults = []
    together = shown_together(study)
    in_every_condition = together is not None or study.procedure.get("conditions") == "all"
    texts_of = Counter(row[1] for row in targets) if in_every_condition else Counter()
    times_each = together.n_lists if together else 1
    for stimulus_list in study.lists.all():
        expected = {row[1] for row in targets if not stimulus_list.item_set or row[3] == stimulus_list.item_set}
        items = [by_pk[stimulus][1] for stimulus in shown[stimulus_list.pk]]
        times_shown = Counter(items)
        if set(items) != expected or any(times_shown[item] != texts_of.get(item, 1) for item in expected):
            faults.append(
                Fault(
                    message=Sentence(
                        "The list {name} does not show every item in every condition.", name=stimulus_list.name
                    )
                    if texts_of
                    else Sentence("The list {name} does not show every item once.", name=stimulus_list.name),
                    suggestion=Sentence("Store the materials again."),
                    step="design",
                )
            )
    times = Counter(stimulus for stimuli in shown.values() for stimulus in stimuli)
    if set(times) != {row[0] for row in targets} or set(times.values()) != {times_each}:
        faults.append(
            Fault(
                message=counting(
                    "The lists together do not show every text once.",
                    "The lists together do not show every text {n} times.",
                    times_each,
                ),
                suggestion=Sentence("Store the materials again."),
                step="design",
            )
        )
    return faults


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


def _together_faults(study: Study, paradigm: Paradigm) -> list[Fault]:
    """Return why what is to stand together cannot, or which rules of order it cannot keep.

    Lists differ too little in the order to ask each of them.
    """
    if not paradigm.shows_several or not study.items.exists():
        return []
    settings = complete_settings(paradigm, study.settings)
    faults = together_faults(design_of(study), paradigm, settings)
    if faults:
        return faults
    rules = order_rules(complete_procedure(study.procedure))
    reasons: dict[str, None] = {}
    for first in {each.item_set: each for each in reversed(list(study.lists.all()))}.values():
        stimuli = [shown_stimulus(stimulus) for stimulus in session_stimuli(study, first)]
        shown = paradigm.together(stimuli, settings, random.Random(0), ())  # noqa: S311 - any order will do
        reasons.update(dict.fromkeys(impossible_rules(shown, rules)))
    return [Fault(message=reason, step="procedure") for reason in reasons]


def _trial(row: Any, names: dict[int, str]) -> SessionStimulus:
    return SessionStimulus(row[0], "", row[2], names.get(row[6]), is_filler=row[4] and not row[5], is_practice=row[5])
