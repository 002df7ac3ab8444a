"""The life of a study: draft, open, closed. Opening freezes the design; a change after that is a copy.

Every function that writes takes the user and leaves an entry in the audit record. A change of a study whose design is
frozen raises FrozenStudy; a study that is not ready to open raises NotReady with all faults. Nothing is written then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from experiments.formats.faults import Fault
from experiments.materials.store import copy_design
from experiments.models import Membership, Study, StudyText
from experiments.procedure.texts import KINDS, current_text, default_body, default_required_boxes
from experiments.rules.error_codes import SchemeCode
from experiments.study.audit import record
from experiments.study.editing import (
    DESIGN,
    FACTS,
    NOTES,
    add_version,
    locked,
    save_design,
    save_details,
    save_plan,
    save_procedure,
    save_questions,
    save_text,
)
from experiments.study.opening import opening_faults, opening_panels, opening_warnings
from experiments.study.refusals import FrozenStudy, LifecycleRefusal, NotReady
from experiments.study.schemes import default_codes, scheme_of, store_scheme


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    paradigm: str,
    user: Any,
    owner: Any = None,
    language: str = "en",
    origin: str = "",
    error_codes: Sequence[SchemeCode] | None = None,
    **details: Any,
) -> Study:
    """Return a new draft with the default texts of its language.

    `details` are further fields of Study; `origin` says in the audit record where it came from. Settings and
    procedure stay empty until they are confirmed; an empty one means the defaults everywhere. `error_codes` are those
    with which people code, checked before; None means those of the paradigm. Raises ValidationError (of Django) for
    fields that are not valid.
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
    store_scheme(study, default_codes(paradigm) if error_codes is None else error_codes)
    record(
        study,
        action="created",
        user=user,
        detail=f"{study.title} ({study.paradigm}){f', from {origin}' if origin else ''}",
    )
    return study


@transaction.atomic
def open_study(study: Study, user: Any) -> Study:
    """Open a draft, or a closed study again. Raises NotReady with all faults, LifecycleRefusal where it is open."""
    study = locked(study)
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
            add_version(copy, kind, text.body, text.required_boxes, text.optional_boxes)
    copy_design(study, copy)
    store_scheme(copy, scheme_of(study))
    record(copy, action="created", user=user, detail=f"copy of {study.slug}, version {study.version}")
    record(study, action="copied", user=user, detail=f"as {slug}")
    return copy


@transaction.atomic
def delete_draft(study: Study, user: Any) -> None:
    """Delete a draft with its materials and texts. Raises FrozenStudy for any other study."""
    study = locked(study)
    if study.is_frozen:
        raise FrozenStudy(study)
    record(study, action="deleted", user=user, detail=f"{study.title}: {study.items.count()} items")
    study.lists.all().delete()
    study.delete()


@transaction.atomic
def save_member(study: Study, member: Any, role: str, user: Any) -> Membership:
    """Give a researcher a role, 'editor', 'viewer' or 'coder', in a study. Raises LifecycleRefusal for its owner."""
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


def _open(study: Study, otherwise: str) -> Study:
    study = locked(study)
    if study.status != Study.Status.OPEN:
        raise LifecycleRefusal(f"{otherwise} '{study.slug}' is in the state '{study.get_status_display()}'.")
    return study


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
    "opening_panels",
    "opening_warnings",
    "pause",
    "remove_member",
    "resume",
    "save_design",
    "save_details",
    "save_member",
    "save_plan",
    "save_procedure",
    "save_questions",
    "save_text",
]
