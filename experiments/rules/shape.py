"""Validate the declarations of a study: paradigm, settings, procedure, questions, parts, plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from experiments.formats.faults import Fault, did_you_mean, unknown_keys
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.rules.criteria import criteria_shape_faults
from experiments.rules.labels import labels_faults
from experiments.rules.look import look_faults
from experiments.rules.plan import Tasks, plan_faults
from experiments.rules.procedure import ProcedureForm, checked
from experiments.rules.questions import question_faults
from experiments.rules.screening import screening_faults
from experiments.rules.sources import source_faults
from experiments.rules.wording import wording_shape_faults
from experiments.sentences import Sentence

RESERVED_SLUGS = ("new",)
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MOST_CHARACTERS = 40
MOST_SECONDS = 600
GROUP_KEYS = ("name", "weight", "quota")
# How the parts of an order set change places; balanced where nothing is said.
ORDERS = ("random", "balanced")


class SaidOfPart(Protocol):
    """What is read of a part of a study; `experiments.models.Part` has it."""

    name: str
    kind: str
    groups: Any
    order_set: str
    pool: str
    paradigm: str
    settings: Any
    procedure: Any
    questions: Any


class SaidOfStudy(Protocol):
    """What is read of a study; `experiments.models.Study` has it."""

    slug: str
    groups: Any
    sources: Any
    criteria: Any
    look: Any
    labels: Any
    wording: Any
    plan: Any

    @property
    def ordered_parts(self) -> Sequence[SaidOfPart]: ...

    @property
    def tasks(self) -> Sequence[SaidOfPart]: ...

    @property
    def task(self) -> SaidOfPart: ...

    def pool_of(self, task: Any) -> str: ...

    @property
    def shown_questions(self) -> Sequence[Any]: ...

    @property
    def paradigm(self) -> str: ...

    @property
    def settings(self) -> Any: ...

    @property
    def procedure(self) -> Mapping[str, Any]: ...


def questionnaire_faults(questions: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with the screening rules of a questionnaire, and how often it may be answered (1 or 2).

    That includes rules that nobody can pass.
    """
    faults = screening_faults(questions, settings.get("screening", []))
    if settings.get("attempts", 1) not in (1, 2) or isinstance(settings.get("attempts", 1), bool):
        faults.append(_fault(Sentence("'attempts' must be 1, or 2 for questions that are asked again.")))
    return faults


def minimum_faults(settings: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with the time for which people stay on a page at least.

    >>> [str(fault) for fault in minimum_faults({"minimum_seconds": 0})]
    ["'minimum_seconds' must be a whole number from 1 to 600."]
    """
    seconds = settings.get("minimum_seconds", 1)
    if _is_whole(seconds) and 1 <= seconds <= MOST_SECONDS:
        return []
    return [_fault(Sentence("'minimum_seconds' must be a whole number from 1 to {most}.", most=MOST_SECONDS))]


def part_faults(study: SaidOfStudy, *, growing: bool = False) -> list[Fault]:
    """Return what is wrong with the parts of a study among each other: names, groups, order sets, pools.

    While a study is `growing` part by part, an order set or a pool with one part is no fault.
    """
    faults, seen = group_faults(study.groups), set[str]()
    groups = [str(group.get("name")) for group in study.groups if isinstance(group, Mapping)]
    for part in study.ordered_parts:
        if not NAME.fullmatch(part.name) or len(part.name) > MOST_CHARACTERS:
            message = Sentence("Part '{name}': a name needs lower-case letters, digits and hyphens.", name=part.name)
            faults.append(_fault(message))
        if part.kind == "page":
            faults += [
                replace(fault, message=Sentence("Part '{name}': {message}", name=part.name, message=fault.message))
                for fault in minimum_faults(part.settings)
            ]
        if part.name in seen:
            faults.append(_fault(Sentence("Two parts have the name '{name}'.", name=part.name)))
        seen.add(part.name)
        faults += [
            _fault(
                Sentence("Part '{name}': there is no group '{group}'.", name=part.name, group=group),
                hint or Sentence("Add it to the groups of the study."),
            )
            for group, hint in unknown_keys(part.groups, groups)
        ]
    members = Counter(part.order_set for part in study.ordered_parts if part.order_set)
    faults += [
        _fault(Sentence("The order set '{name}' has only one part. Counterbalancing needs two or more.", name=name))
        for name, number in members.items()
        if number < 2 and not growing
    ]
    return faults + pool_faults(study.ordered_parts, growing=growing)


def pool_faults(parts: Sequence[SaidOfPart], *, growing: bool = False) -> list[Fault]:
    """Return what is wrong with the pools of parts: their names, what is no task, other paradigms, single members.

    Single members are no fault while the study is `growing`.
    """
    faults: list[Fault] = []
    names = {part.name for part in parts}
    pools: dict[str, list[SaidOfPart]] = {}
    for part in parts:
        if not part.pool:
            continue
        said = {"name": part.name, "pool": part.pool}
        if part.kind != "task":
            faults.append(_fault(Sentence("Part '{name}': only tasks can be pooled. Leave its pool empty.", **said)))
            continue
        pools.setdefault(part.pool, []).append(part)
        if not NAME.fullmatch(part.pool) or len(part.pool) > MOST_CHARACTERS:
            message = Sentence(
                "Part '{name}': the name of a pool needs lower-case letters, digits and hyphens.", **said
            )
            faults.append(_fault(message))
    for pool, members in pools.items():
        if pool in names:
            message = Sentence("The pool '{pool}' has the same name as a part. Give the pool another name.", pool=pool)
            faults.append(_fault(message))
        if len(members) < 2 and not growing:
            message = Sentence("The pool '{pool}' has only one part. A pool needs two or more.", pool=pool)
            faults.append(_fault(message))
        faults += [
            _fault(
                Sentence("Part '{name}' has a different paradigm from the first part of the pool '{pool}'.",
                         name=one.name, pool=pool),
                Sentence("Only tasks of one paradigm can be analysed as one task. Remove it from the pool."),
            )
            for one in members[1:]
            if one.paradigm != members[0].paradigm
        ]  # fmt: skip
    return faults


def group_faults(groups: Any) -> list[Fault]:
    """Return what is wrong with the groups of a study, each `{name, weight, quota}`.

    >>> [str(fault) for fault in group_faults([{"name": "young", "weight": 0}])]
    ["Group 'young': the weight must be a whole number from 1 to 100."]
    """
    if not isinstance(groups, list) or not all(isinstance(group, Mapping) for group in groups):
        return [_fault(Sentence("The groups must be a list of names with weights."))]
    faults = []
    names = [group.get("name") for group in groups]
    for group, name in zip(groups, names, strict=True):
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > MOST_CHARACTERS:
            message = Sentence("Group '{name}': a name needs lower-case letters, digits and hyphens.", name=name)
            faults.append(_fault(message))
        weight, quota = group.get("weight", 1), group.get("quota")
        if not _is_whole(weight) or not 1 <= weight <= 100:
            message = Sentence("Group '{name}': the weight must be a whole number from 1 to 100.", name=name)
            faults.append(_fault(message))
        if quota is not None and (not _is_whole(quota) or quota < 1):
            faults.append(_fault(Sentence("Group '{name}': the quota must be a whole number of 1 or more.", name=name)))
        faults += [
            _fault(Sentence("Group '{name}': there is no key '{key}'.", name=name, key=key), hint)
            for key, hint in unknown_keys(group, GROUP_KEYS)
        ]
    if len(set(map(str, names))) < len(names):
        faults.append(_fault(Sentence("Two groups have the same name.")))
    return faults


def order_set_faults(order_sets: Mapping[str, Any], members: Sequence[str]) -> list[Fault]:
    """Return what is wrong with how the parts of order sets change places; `members` are the order sets of the parts.

    >>> [str(fault) for fault in order_set_faults({"tasks": "randm"}, ["tasks", "tasks"])]
    ["Setting 'tasks': The order set 'tasks' is 'random' or 'balanced', not 'randm'. Did you mean 'random'?"]
    """
    faults = []
    for name, how in order_sets.items():
        if how not in ORDERS:
            said = {"name": name, "how": str(how)[:MOST_CHARACTERS]}
            message = Sentence("The order set '{name}' is 'random' or 'balanced', not '{how}'.", **said)
            faults.append(replace(_fault(message, did_you_mean(str(how), ORDERS)), setting=str(name)))
        elif name not in members:
            message = Sentence("No part has the order set '{name}'.", name=name)
            faults.append(replace(_fault(message, did_you_mean(str(name), members)), setting=str(name)))
    return faults


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def shape_faults(study: SaidOfStudy) -> list[Fault]:
    """Return what is wrong with the paradigm, settings, procedure and questions of a study as they stand.

    Empty settings and an empty procedure are valid: they mean the defaults.
    """
    faults = [fault for part in study.ordered_parts for fault in question_faults(part.questions)]
    for part in study.ordered_parts:
        if part.questions and not question_faults(part.questions):
            faults += questionnaire_faults(part.questions, part.settings if part.kind == "questionnaire" else {})
    faults += part_faults(study) + source_faults(study.sources) + criteria_shape_faults(study.criteria)
    faults += look_faults(study.look) + labels_faults(study.labels)
    faults += [
        replace(fault, setting=f"wording.{fault.setting}".rstrip(".")) for fault in wording_shape_faults(study.wording)
    ]
    if study.slug in RESERVED_SLUGS:
        message = Sentence("The platform itself uses the address '{address}'.", address=study.slug)
        faults.append(Fault(message=message, step="settings"))
    _values, wrong = checked(ProcedureForm, study.procedure, step="procedure")
    faults += wrong
    if not study.tasks and study.ordered_parts:
        return faults
    is_sound = True
    for task in study.tasks[1:]:
        try:
            _values, wrong = checked(paradigm_named(task.paradigm).settings_form, task.settings, step="procedure")
        except UnknownParadigm as unknown:
            wrong = [Fault(message=str(unknown), step="settings")]
        _values, wrong_procedure = checked(ProcedureForm, task.procedure, step="procedure")
        faults += [
            replace(fault, message=Sentence("Part '{name}': {message}", name=task.name, message=fault.message))
            for fault in (*wrong, *wrong_procedure)
        ]
        is_sound = is_sound and not wrong
    try:
        paradigm = paradigm_named(study.paradigm)
    except UnknownParadigm as unknown:
        return [Fault(message=str(unknown), step="settings"), *faults]
    _values, wrong = checked(paradigm.settings_form, study.settings, step="procedure")
    faults += wrong
    # A plan is checked against measures, which depend on the settings, so faults of the settings come first.
    if wrong or not is_sound:
        return faults
    # Rules on answers can only be checked against valid questions.
    asked = study.shown_questions
    questions = None if question_faults(asked) else asked
    return faults + plan_faults(study.plan, tasks=tasks_to_plan(study), questions=questions)


def tasks_to_plan(study: SaidOfStudy) -> Tasks:
    """Return the tasks of a study as plans need them; those of a pool are one. Raises UnknownParadigm."""
    found: dict[str, tuple[Any, Any]] = {}
    for task in study.tasks or [study.task]:
        found.setdefault(study.pool_of(task) or task.name, (paradigm_named(task.paradigm), task.settings))
    return found


def _fault(message: str, suggestion: str = "") -> Fault:
    return Fault(message=message, suggestion=suggestion, step="parts")
