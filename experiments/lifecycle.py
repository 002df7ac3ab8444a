"""The life of a study: draft, open, closed. Opening freezes the design; a change after that is a copy.

Every function that writes takes the user and leaves an entry in the audit record. A change of a study whose design is
frozen raises FrozenStudy; a study that is not ready to open raises NotReady with all faults. Nothing is written then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from experiments.audit import record
from experiments.faults import Fault
from experiments.materials.store import copy_design, store_design
from experiments.models import Membership, Study, StudyText
from experiments.opening import opening_faults, opening_warnings
from experiments.procedure import complete_procedure
from experiments.questions import complete_question, question_faults
from experiments.texts import (
    KINDS,
    current_text,
    default_body,
    default_required_boxes,
    facts_of,
    filled,
)


class LifecycleRefusal(ValueError):
    """A change that the state of the study does not allow. The message says what can be done instead."""


class FrozenStudy(LifecycleRefusal):
    """The design of a study that has been opened cannot change."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            f"The study '{study.slug}' has been opened, so its design cannot change any more. Nothing was changed. "
            "Make a copy of the study and change that."
        )


class NotReady(LifecycleRefusal):
    """The study cannot open yet; `faults` says why."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("The study cannot open yet. " + " ".join(str(fault) for fault in faults))
        self.faults = faults


# What participants read about the study itself; may change while it runs, but is never changed silently.
FACTS = ("title", "responsible", "contact", "estimated_minutes", "data_protection_note")
# What does not touch the data at all.
NOTES = ("description", "quota", "retention_until")
# What decides which data come about.
DESIGN = ("paradigm", "language", "seed", "settings", "questions")


@transaction.atomic
def create_study(
    *, slug: str, title: str, paradigm: str, user: Any, owner: Any = None, language: str = "en", **details: Any
) -> Study:
    """Return a new draft with the default texts of its language.

    `details` are further fields of Study. Settings and procedure stay empty until they are confirmed; an empty one
    means the defaults everywhere. Raises ValidationError (of Django) for fields that are not valid.
    """
    study = Study(slug=slug, title=title, paradigm=paradigm, language=language, owner=owner or user, **details)
    study.full_clean()
    study.save()
    for kind in KINDS:
        StudyText.objects.create(
            study=study,
            kind=kind,
            body=default_body(kind, paradigm=paradigm, language=language),
            required_boxes=default_required_boxes(language) if kind == "consent" else [],
        )
    record(study, action="created", user=user, detail=f"{study.title} ({study.paradigm})")
    return study


@transaction.atomic
def save_details(study: Study, changes: Mapping[str, Any], user: Any) -> Study:
    """Change fields of the study: those of NOTES and FACTS at any time, `slug` and those of DESIGN in a draft.

    Where a fact changes that the consent names by a placeholder, a study that has been opened gets a new version of
    the consent, so that every participant's consent still says what was agreed to.
    """
    study = _locked(study)
    frozen = study.is_frozen
    unknown = [name for name in changes if name not in (*FACTS, *NOTES, *DESIGN, "slug")]
    if unknown:
        raise LifecycleRefusal(f"A study has no field that can be changed under the name '{unknown[0]}'.")
    changed = [name for name, value in changes.items() if getattr(study, name) != value]
    if frozen and any(name in (*DESIGN, "slug") for name in changed):
        raise FrozenStudy(study)
    consent = current_text(study, "consent")
    agreed = filled(consent.body, facts_of(study)) if consent else ""
    detail = "; ".join(f"{name}: {getattr(study, name)!r} → {changes[name]!r}" for name in changed)
    for name in changed:
        setattr(study, name, changes[name])
    if not changed:
        return study
    study.full_clean()
    study.save()
    if frozen and consent and filled(consent.body, facts_of(study)) != agreed:
        _add_version(study, consent.kind, consent.body, consent.required_boxes, consent.optional_boxes)
        detail += "; consent: new version, since it names what changed"
    record(study, action="details changed", user=user, detail=detail)
    return study


@transaction.atomic
def save_procedure(study: Study, procedure: Mapping[str, Any], user: Any) -> Study:
    """Store a procedure that ProcedureForm has checked.

    While a study is open, where participants are sent afterwards and which parameters name them may still change.
    """
    study = _locked(study)
    before = complete_procedure(study.procedure)
    after = complete_procedure(procedure)
    changed = [name for name in after if before.get(name) != after[name]]
    running = ("completion_code", "redirect_url", "recruitment_parameters", "resume", "stale_after_minutes")
    if study.is_frozen and any(name not in running for name in changed):
        raise FrozenStudy(study)
    if not changed and study.procedure:
        return study
    study.procedure = after
    study.full_clean()
    study.save(update_fields=["procedure"])
    if "item_sets" in changed and study.items.exists():
        # Lists follow the rule by which item sets are rotated.
        copy_design(study, study, item_sets=after["item_sets"])
    detail = "; ".join(f"{name}: {before.get(name)!r} → {after[name]!r}" for name in changed)
    record(study, action="procedure changed", user=user, detail=detail)
    return study


@transaction.atomic
def save_questions(study: Study, questions: list[Mapping[str, Any]], user: Any) -> Study:
    """Store the background questions. Raises LifecycleRefusal with all faults where they are not well formed."""
    faults = question_faults(questions)
    if faults:
        raise LifecycleRefusal(" ".join(str(fault) for fault in faults))
    return save_details(study, {"questions": [complete_question(question) for question in questions]}, user)


@transaction.atomic
def save_text(
    study: Study,
    kind: str,
    body: str,
    user: Any,
    *,
    required_boxes: list[str] | None = None,
    optional_boxes: list[str] | None = None,
) -> StudyText:
    """Return the text as it now stands: a new version where something changed, else the version that holds.

    Boxes that are not given stay as they are. The texts of an open study may be corrected: who agreed before the
    correction agreed to the version that stands in their session. Instructions are part of what was measured, so they
    are frozen with the design.
    """
    if kind not in KINDS:
        raise LifecycleRefusal(f"There is no text '{kind}'. Known are: {', '.join(KINDS)}.")
    study = _locked(study)
    now = current_text(study, kind)
    body = body.replace("\r\n", "\n").strip()
    required = list(required_boxes if required_boxes is not None else now.required_boxes if now else [])
    optional = list(optional_boxes if optional_boxes is not None else now.optional_boxes if now else [])
    if now and (now.body, now.required_boxes, now.optional_boxes) == (body, required, optional):
        return now
    if kind == "instructions" and study.is_frozen:
        raise FrozenStudy(study)
    text = _add_version(study, kind, body, required, optional)
    record(study, action="text changed", user=user, detail=f"{kind}, version {text.version}")
    return text


@transaction.atomic
def save_design(study: Study, design: Any, user: Any) -> None:
    """Replace the materials and lists of a draft. Raises FrozenStudy for any other study."""
    study = _locked(study)
    if study.is_frozen:
        raise FrozenStudy(study)
    replaced = study.items.count()
    store_design(study, design)
    detail = f"{len(design.items)} items, {len(design.conditions)} conditions, {len(design.lists)} lists"
    record(
        study,
        action="materials replaced" if replaced else "materials stored",
        user=user,
        detail=f"{detail}; {replaced} items before" if replaced else detail,
    )


@transaction.atomic
def open_study(study: Study, user: Any) -> Study:
    """Open a draft, or a closed study again. Raises NotReady with all faults, LifecycleRefusal where it is open."""
    study = _locked(study)
    if study.status == Study.Status.OPEN:
        raise LifecycleRefusal(f"The study '{study.slug}' is open already.")
    faults = opening_faults(study)
    if faults:
        raise NotReady(faults)
    again = study.status == Study.Status.CLOSED
    study.status = Study.Status.OPEN
    study.is_paused = False
    study.opened_at = study.opened_at or timezone.now()
    study.closed_at = None
    study.save(update_fields=["status", "is_paused", "opened_at", "closed_at"])
    record(study, action="opened again" if again else "opened", user=user, detail=f"version {study.version}")
    return study


@transaction.atomic
def close_study(study: Study, user: Any) -> Study:
    """Close an open study: nobody can start or go on. Raises LifecycleRefusal for any other study."""
    study = _open(study, "Only an open study can be closed.")
    study.status = Study.Status.CLOSED
    study.is_paused = False
    study.closed_at = timezone.now()
    study.save(update_fields=["status", "is_paused", "closed_at"])
    record(study, action="closed", user=user)
    return study


@transaction.atomic
def pause(study: Study, user: Any) -> Study:
    """Let nobody start any more; who has started can finish. Does nothing where the study is paused."""
    study = _open(study, "Only an open study can be paused.")
    if not study.is_paused:
        study.is_paused = True
        study.save(update_fields=["is_paused"])
        record(study, action="paused", user=user)
    return study


@transaction.atomic
def resume(study: Study, user: Any) -> Study:
    """Let people start again. Does nothing where the study is not paused."""
    study = _open(study, "Only an open study can be resumed.")
    if study.is_paused:
        study.is_paused = False
        study.save(update_fields=["is_paused"])
        record(study, action="resumed", user=user)
    return study


@transaction.atomic
def copy_study(study: Study, slug: str, user: Any) -> Study:
    """Return a draft with the same settings, texts and design, one version on; people and data stay behind."""
    names = (*FACTS, *NOTES, *DESIGN, "procedure", "factors")
    copy = Study(
        slug=slug,
        owner=user if user is not None and user.is_authenticated else study.owner,
        version=study.version + 1,
        copied_from=study,
        **{name: getattr(study, name) for name in names},
    )
    copy.full_clean()
    copy.save()
    for kind in KINDS:
        text = current_text(study, kind)
        if text:
            _add_version(copy, kind, text.body, text.required_boxes, text.optional_boxes)
    copy_design(study, copy)
    record(copy, action="created", user=user, detail=f"copy of {study.slug}, version {study.version}")
    record(study, action="copied", user=user, detail=f"as {slug}")
    return copy


@transaction.atomic
def delete_draft(study: Study, user: Any) -> None:
    """Delete a draft with its materials and texts. Raises FrozenStudy for any other study."""
    study = _locked(study)
    if study.is_frozen:
        raise FrozenStudy(study)
    record(study, action="deleted", user=user, detail=f"{study.title}: {study.items.count()} items")
    study.lists.all().delete()
    study.delete()


@transaction.atomic
def save_member(study: Study, member: Any, role: str, user: Any) -> Membership:
    """Give a researcher a role, 'editor' or 'viewer', in a study. Raises LifecycleRefusal for its owner."""
    if member.pk == study.owner_id:
        raise LifecycleRefusal(f"{member} owns the study and needs no other role.")
    if role not in Membership.Role.values:
        raise LifecycleRefusal(f"There is no role '{role}'. Known are: {', '.join(Membership.Role.values)}.")
    membership, _created = Membership.objects.update_or_create(study=study, user=member, defaults={"role": role})
    record(study, action="member added", user=user, detail=f"{member}: {role}")
    return membership


@transaction.atomic
def remove_member(study: Study, member: Any, user: Any) -> None:
    """Take a researcher's role in a study away. Does nothing where there is none."""
    removed, _rows = Membership.objects.filter(study=study, user=member).delete()
    if removed:
        record(study, action="member removed", user=user, detail=str(member))


def _locked(study: Study) -> Study:
    """Return the study as it is stored, held until the transaction ends, so that two changes cannot cross."""
    return Study.objects.select_for_update(of=("self",)).get(pk=study.pk)


def _open(study: Study, otherwise: str) -> Study:
    study = _locked(study)
    if study.status != Study.Status.OPEN:
        raise LifecycleRefusal(f"{otherwise} '{study.slug}' is in the state '{study.get_status_display()}'.")
    return study


def _add_version(study: Study, kind: str, body: str, required: list[str], optional: list[str]) -> StudyText:
    now = current_text(study, kind)
    return StudyText.objects.create(
        study=study,
        kind=kind,
        version=now.version + 1 if now else 1,
        body=body,
        required_boxes=required,
        optional_boxes=optional,
    )


__all__ = [
    "Fault",
    "FrozenStudy",
    "LifecycleRefusal",
    "NotReady",
    "close_study",
    "copy_study",
    "create_study",
    "delete_draft",
    "open_study",
    "opening_faults",
    "opening_warnings",
    "pause",
    "remove_member",
    "resume",
    "save_design",
    "save_details",
    "save_member",
    "save_procedure",
    "save_questions",
    "save_text",
]
