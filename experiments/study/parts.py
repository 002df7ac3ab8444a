"""Change the parts and groups of a draft. A refused change leaves everything as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from experiments.formats.faults import listed, spoken
from experiments.media.naming import files_named_by
from experiments.media.storage import copy_files, files_of
from experiments.models import Markup, Part, StimulusList, Study, StudyText
from experiments.paradigms import PARADIGMS, UnknownParadigm, paradigm_named
from experiments.procedure.default_texts import default_body
from experiments.procedure.stages import faults_of_branches
from experiments.questionnaire.written import fitted
from experiments.rules.error_codes import SchemeCode
from experiments.rules.questions import complete_question, question_faults
from experiments.rules.shape import part_faults, questionnaire_faults
from experiments.study.audit import record
from experiments.study.copying import copied, copy_task
from experiments.study.editing import forget_looked_at, locked_draft
from experiments.study.refusals import LifecycleRefusal
from experiments.study.schemes import default_codes, scheme_of, store_scheme

MOST_PARTS = 20
# Landing page, consent and debriefing tell of all parts, so they are to be looked at again.
OF_WHOLE_STUDY = ("texts/welcome", "texts/consent", "texts/debriefing")


@transaction.atomic
def add_part(
    study: Study,
    *,
    name: str,
    kind: str,
    user: Any,
    paradigm: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Part:
    """Add a part at the end; a task gets the default instructions of its paradigm, and unless others are given the
    settings of a new task. Raises LifecycleRefusal.
    """
    study = _draft(study)
    if kind not in Part.Kind.values:
        raise LifecycleRefusal(_("Choose what the part is: a task, a questionnaire or a page."))
    if kind == Part.Kind.TASK:
        try:
            first = paradigm_named(paradigm).settings_of_new_task(study.language)
        except UnknownParadigm as unknown:
            raise LifecycleRefusal(str(unknown)) from unknown
    made = Part(name=name.strip(), kind=kind, paradigm=paradigm if kind == Part.Kind.TASK else "")
    if kind == Part.Kind.PAGE:
        made.markup = Markup.MARKDOWN
    elif kind == Part.Kind.TASK:
        made.settings = first if settings is None else dict(settings)
    part = _stored(study, made)
    if kind == Part.Kind.TASK:
        body = default_body("instructions", paradigm=paradigm, language=study.language)
        StudyText.objects.create(
            study=study,
            part=part,
            kind=StudyText.Kind.INSTRUCTIONS,
            body=body,
            markup=Markup.MARKDOWN,
            is_default=True,
        )
        _give_codes(part, default_codes(paradigm))
    forget_looked_at(study, *OF_WHOLE_STUDY)
    record(study, action="part added", user=user, detail=f"{part.name} ({paradigm or kind})")
    return part


@transaction.atomic
def copy_part(study: Study, source: Part, name: str, user: Any) -> Part:
    """Add a copy of a part of this study or of another one, with its materials, under a new name."""
    study = _draft(study)
    copy = copied(source)
    copy.name = name.strip()
    if source.study_id != study.pk:
        copy.groups, copy.order_set, copy.pool, copy.shown_if = [], "", "", []
    part = _stored(study, copy)
    if part.kind == Part.Kind.TASK:
        copy_task(source, part, user)
        _give_codes(part, scheme_of(source.study) or default_codes(part.paradigm))
        if source.study_id != study.pk:
            _copy_media(source, study)
    forget_looked_at(study, *OF_WHOLE_STUDY)
    record(study, action="part added", user=user, detail=f"{part.name}, copy of {source.study.slug}: {source.name}")
    return part


@transaction.atomic
def move_part(study: Study, name: str, by: int, user: Any) -> None:
    """Move a part `by` places down (up if negative). Does nothing at the ends."""
    study = _draft(study)
    names = [part.name for part in study.ordered_parts]
    here = names.index(_part(study, name).name)
    there = min(max(here + by, 0), len(names) - 1)
    names.insert(there, names.pop(here))
    order_parts(study, names, user)


@transaction.atomic
def order_parts(study: Study, names: Sequence[str], user: Any) -> None:
    """Put all parts into the order of `names`. Raises LifecycleRefusal where these are not the names of all parts."""
    study = _draft(study)
    parts = study.ordered_parts
    if sorted(names) != sorted(part.name for part in parts):
        raise LifecycleRefusal(_("Somebody changed the parts in the meantime. Nothing was moved."))
    if list(names) == [part.name for part in parts]:
        return
    _aim_plan(study)
    parts.sort(key=lambda part: names.index(part.name))
    study.save()
    record(study, action="parts moved", user=user, detail=", ".join(part.name for part in parts))


@transaction.atomic
def change_part(study: Study, name: str, changes: Mapping[str, Any], user: Any) -> None:
    """Change title, groups, order set, pool or rule of a part.

    Raises LifecycleRefusal for groups that do not exist, and for a rule on what is not known before the part.
    """
    study = _draft(study)
    part = _part(study, name)
    if changes.get("shown_if"):
        asked = [question for each in study.ordered_parts for question in each.questions]
        changes = {**changes, "shown_if": [fitted(condition, asked) for condition in changes["shown_if"]]}
    for field, value in changes.items():
        setattr(part, field, value)
    # A set becomes one with its second part, so a single member is said when the study opens.
    _check(study)
    part.save()
    record(study, action="part changed", user=user, detail=f"{name}: {', '.join(changes)}")


@transaction.atomic
def save_questions_of_part(study: Study, name: str, questions: list[dict[str, Any]], user: Any) -> None:
    """Store the questions of a questionnaire. Raises LifecycleRefusal with all faults where they are not sound."""
    faults = question_faults(questions)
    if faults:
        raise LifecycleRefusal(spoken(faults))
    change_part(study, name, {"questions": [complete_question(question) for question in questions]}, user)


@transaction.atomic
def save_screening(study: Study, name: str, *, rules: list[dict[str, Any]], attempts: int, user: Any) -> None:
    """Store who goes on after a questionnaire. Raises LifecycleRefusal with all faults, as of rules nobody can pass."""
    part = _part(study, name)
    settings = {name: value for name, value in part.settings.items() if name not in ("screening", "attempts")}
    settings |= {"screening": rules} if rules else {}
    settings |= {"attempts": attempts} if attempts > 1 else {}
    if faults := questionnaire_faults(part.questions, settings):
        raise LifecycleRefusal(spoken(faults))
    change_part(study, name, {"settings": settings}, user)


@transaction.atomic
def remove_part(study: Study, name: str, user: Any) -> None:
    """Remove a part from a draft, with its materials, its instructions and what is planned for it."""
    study = _draft(study)
    part = _part(study, name)
    if part.kind == Part.Kind.TASK and len(study.tasks) == 1:
        raise LifecycleRefusal(_("A study needs at least one task. Add another task first."))
    _aim_plan(study)
    lost = planned_for(study, name)
    StimulusList.objects.filter(part=part).delete()
    part.delete()
    if any(lost.values()):
        left = {key: [one for one in study.plan[key] if one not in lost[key]] for key in lost if lost[key]}
        study.plan = {**study.plan, **left}
        study.save(update_fields=["plan"])
    own = (f"design:{name}", f"procedure:{name}", f"texts/instructions:{name}")
    forget_looked_at(study, *own, *OF_WHOLE_STUDY)
    record(study, action="part removed", user=user, detail=name)


def _aim_plan(study: Study) -> None:
    """Write the name of the first task, or of its pool, into planned analyses without a task, so that they stay with it
    when other tasks come first.
    """
    analyses = study.plan.get("analyses", ())
    if study.has_several_tasks and any(not one.get("part") for one in analyses):
        aimed = [{**one, "part": one.get("part") or study.analysed_tasks[0]} for one in analyses]
        study.plan = {**study.plan, "analyses": aimed}
        study.save(update_fields=["plan"])


def planned_for(study: Study, name: str) -> dict[str, list[Any]]:
    """Return the analyses of a part and the exclusion rules that name it; one without a name is of the first task."""
    first = study.analysed_tasks[0] if study.tasks else ""
    return {
        "analyses": [one for one in study.plan.get("analyses", ()) if (one.get("part") or first) == name],
        "exclusion_rules": [one for one in study.plan.get("exclusion_rules", ()) if one.get("part") == name],
    }


@transaction.atomic
def save_groups(study: Study, groups: Sequence[Mapping[str, Any]], user: Any) -> None:
    """Replace the groups of a draft. Raises LifecycleRefusal with all faults, as of a part for a group that is gone."""
    study = _draft(study)
    study.groups = [dict(group) for group in groups]
    _check(study)
    study.save(update_fields=["groups"])
    record(study, action="groups changed", user=user, detail=", ".join(str(group["name"]) for group in groups))


def _give_codes(task: Part, codes: Sequence[SchemeCode]) -> None:
    """Store the codes that come with a coded task, unless its study has a scheme: one is that of all tasks."""
    is_coded = any(one.slug == task.paradigm and one.coded_measure for one in PARADIGMS)
    if is_coded and not scheme_of(task.study):
        store_scheme(task.study, codes)


def _copy_media(source: Part, study: Study) -> None:
    """Give a study the files that a task of another one names. Raises LifecycleRefusal where a name is taken."""
    wanted = {named.name for named in files_named_by([source])}
    here = {row.name: row.content_hash for row in files_of(study)}
    there = {row.name: row.content_hash for row in files_of(source.study)}
    taken = sorted(name for name in wanted & here.keys() & there.keys() if here[name] != there[name])
    if taken:
        raise LifecycleRefusal(
            _("Other pictures or sounds of this study have the same names: %(names)s. Rename them and copy again.")
            % {"names": listed(taken)}
        )
    copy_files(source.study, study, only=wanted - here.keys())


def _draft(study: Study) -> Study:
    return locked_draft(study).seen_through("")


def _part(study: Study, name: str) -> Part:
    for part in study.ordered_parts:
        if part.name == name:
            return part
    raise LifecycleRefusal(_("There is no part “%(name)s”.") % {"name": name})


def _stored(study: Study, part: Part) -> Part:
    if len(study.ordered_parts) >= MOST_PARTS:
        raise LifecycleRefusal(_("A study can have at most %(n)d parts.") % {"n": MOST_PARTS})
    part.study, part.position = study, len(study.ordered_parts)
    study.ordered_parts.append(part)
    _check(study)
    part.save()
    return part


def _check(study: Study) -> None:
    faults = [replace(fault, step="") for fault in part_faults(study, growing=True)]
    faults += [replace(fault, step="") for fault in faults_of_branches(study.ordered_parts)]
    if faults:
        raise LifecycleRefusal(spoken(faults))
