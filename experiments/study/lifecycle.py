"""Life cycle of a study: draft, open, closed. Opening freezes the design; later changes need a copy.

Every function that writes takes the user and leaves an entry in the audit record. A change of a study whose design is
frozen raises FrozenStudy; a study that is not ready to open raises NotReady with all faults. Nothing is written then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.media.storage import copy_files, remove_files
from experiments.models import Item, Markup, Membership, StimulusList, Study, StudyText, Team, TeamShare
from experiments.procedure.default_texts import default_body, default_required_boxes
from experiments.procedure.texts import KINDS, current_text
from experiments.rules.error_codes import SchemeCode
from experiments.sentences import Sentence
from experiments.study.access import may_make_studies
from experiments.study.audit import record
from experiments.study.copying import copied, copy_task
from experiments.study.editing import (
    FACTS,
    NOTES,
    add_version,
    confirm_text,
    insert_sentences,
    locked,
    locked_draft,
    mark_looked_at,
    save_column,
    save_design,
    save_details,
    save_plan,
    save_procedure,
    save_questions,
    save_text,
    settle_default_texts,
)
from experiments.study.opening import opening_faults, opening_panels, opening_warnings
from experiments.study.packages import packages_of
from experiments.study.refusals import FrozenStudy, LifecycleRefusal, NotReady
from experiments.study.registration import recorded
from experiments.study.schemes import default_codes, scheme_of, store_scheme
from experiments.study.versions.kept import mark_opened

# What participants have to be told, usually the same in all studies of a person.
NEEDED_TO_OPEN = ("responsible", "contact", "data_protection_note")


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    user: Any,
    paradigm: str = "",
    owner: Any = None,
    language: str = "en",
    origin: str = "",
    error_codes: Sequence[SchemeCode] | None = None,
    **details: Any,
) -> Study:
    """Return a new draft with the default texts of its language.

    `details` are further fields of Study; `origin` says in the audit record where it came from. Settings and
    procedure stay empty until they are confirmed; an empty one means the defaults everywhere. `error_codes` are those
    with which people code, checked before; None means those of the paradigm. A study of several parts gets them as
    `ordered_parts` instead of a paradigm. Raises ValidationError (of Django) for
    fields that are not valid.
    """
    if paradigm:
        details["paradigm"] = paradigm
    study = Study(slug=slug, title=title, language=language, owner=owner or user, **details)
    study.full_clean()
    study.save()
    for kind in KINDS:
        for part in study.tasks if kind == StudyText.Kind.INSTRUCTIONS else [None]:
            StudyText.objects.create(
                study=study,
                part=part,
                kind=kind,
                body=default_body(kind, paradigm=part.paradigm if part else study.paradigm, language=language),
                markup=Markup.MARKDOWN,
                required_boxes=default_required_boxes(language) if kind == "consent" else [],
                is_default=True,
            )
    coded = next((task.paradigm for task in study.tasks if default_codes(task.paradigm)), "")
    store_scheme(study, default_codes(coded) if error_codes is None else error_codes)
    record(
        study,
        action="created",
        user=user,
        detail=f"{study.title} ({study.paradigm}){f', from {origin}' if origin else ''}",
    )
    return study


def facts_of_newest(owner: Any, language: str) -> dict[str, str]:
    """Return who is responsible, the contact and the data-protection note of the owner's newest study in a language.

    Empty where there is none with all three: they are texts for participants, written in the language of the study.
    """
    named = Study.objects.filter(owner=owner, language=language)
    for name in NEEDED_TO_OPEN:
        named = named.exclude(**{name: ""})
    return dict(named.order_by("-created_at").values(*NEEDED_TO_OPEN).first() or {})


@transaction.atomic
def open_study(study: Study, user: Any) -> Study:
    """Open a draft, or a closed study again. Raises NotReady with all faults, LifecycleRefusal where it is open."""
    study = locked(study)
    if study.status == Study.Status.OPEN:
        raise LifecycleRefusal(Sentence("The study '{slug}' is already open.", slug=study.slug))
    faults = opening_faults(study)
    if faults:
        raise NotReady(faults)
    settle_default_texts(study)
    mark_opened(study)
    again = study.status == Study.Status.CLOSED
    study.status = Study.Status.OPEN
    study.archived_at = None
    study.is_paused = False
    study.opened_at = study.opened_at or timezone.now()
    study.closed_at = None
    study.packages = packages_of(study)
    study.save(
        update_fields=[
            "status", "is_paused", "opened_at", "closed_at", "packages", "archived_at", "estimated_minutes",
        ]
    )  # fmt: skip
    record(
        study,
        action="opened again" if again else "opened",
        user=user,
        detail=f"version {study.version}; {recorded(study)}",
    )
    return study


@transaction.atomic
def close_study(study: Study, user: Any) -> Study:
    """Close an open study: nobody can start or come back. Raises LifecycleRefusal for any other study."""
    study = _open(study, Sentence("Only an open study can be closed."))
    study.status = Study.Status.CLOSED
    study.is_paused = False
    study.closed_at = timezone.now()
    study.save(update_fields=["status", "is_paused", "closed_at"])
    record(study, action="closed", user=user)
    return study


@transaction.atomic
def pause(study: Study, user: Any) -> Study:
    """Stop new sessions; running ones can finish. Does nothing if the study is already paused."""
    study = _open(study, Sentence("Only an open study can be paused."))
    if not study.is_paused:
        study.is_paused = True
        study.save(update_fields=["is_paused"])
        record(study, action="paused", user=user)
    return study


@transaction.atomic
def resume(study: Study, user: Any) -> Study:
    """Allow new sessions again. Does nothing if the study is not paused."""
    study = _open(study, Sentence("Only an open study can be resumed."))
    if study.is_paused:
        study.is_paused = False
        study.save(update_fields=["is_paused"])
        record(study, action="resumed", user=user)
    return study


@transaction.atomic
def copy_study(study: Study, slug: str, user: Any) -> Study:
    """Return a draft with the same settings, texts and design and the next version number, without participants and
    data.
    """
    names = (*FACTS, *NOTES, "language", "languages", "translations",
             "seed", "plan", "conduct", "groups", "order_sets", "sources", "criteria",
             "look", "wording", "labels", "looked_at")  # fmt: skip
    copy = Study(
        slug=slug,
        owner=user if user is not None and user.is_authenticated else study.owner,
        version=study.version + 1,
        copied_from=study,
        **{name: getattr(study, name) for name in names},
    )
    copy.ordered_parts = [copied(part) for part in study.ordered_parts]
    # A copy keeps the faults of a draft; they can be corrected there, and opening reports all of them.
    copy.clean_fields()
    copy.validate_unique()
    copy.save()
    for tag in ("", *study.languages):
        for kind in KINDS:
            text = None if kind == StudyText.Kind.INSTRUCTIONS else current_text(study.said_in(tag), kind)
            if text and not text._state.adding:
                add_version(
                    copy.said_in(tag),
                    kind,
                    text.body,
                    text.required_boxes,
                    text.optional_boxes,
                    markup=text.markup,
                    is_default=text.is_default,
                    mentions=text.mentions,
                )
    for source, target in zip(study.tasks, copy.tasks, strict=True):
        copy_task(source, target, user)
    copy_files(study, copy)
    store_scheme(copy, scheme_of(study))
    record(copy, action="created", user=user, detail=f"copy of {study.slug}, version {study.version}")
    record(study, action="copied", user=user, detail=f"as {slug}")
    return copy


@transaction.atomic
def archive_study(study: Study, user: Any) -> None:
    """Archive a study: hide it in lists, without any other change. Raises LifecycleRefusal while it is open."""
    study = locked(study)
    if study.status == Study.Status.OPEN:
        raise LifecycleRefusal(_("People can still take part, so the study was not archived. Close it first."))
    if study.archived_at is None:
        study.archived_at = timezone.now()
        study.save(update_fields=["archived_at"])
        record(study, action="archived", user=user)


@transaction.atomic
def bring_back(study: Study, user: Any) -> None:
    """Take a study out of the archive. Does nothing if it is not archived."""
    study = locked(study)
    if study.archived_at is not None:
        study.archived_at = None
        study.save(update_fields=["archived_at"])
        record(study, action="brought back from the archive", user=user)


@transaction.atomic
def delete_draft(study: Study, user: Any) -> None:
    """Delete a draft with its materials and texts. Raises FrozenStudy for any other study."""
    study = locked_draft(study)
    record(
        study,
        action="deleted",
        user=user,
        detail=f"{study.title}: {Item.objects.filter(part__study=study).count()} items",
    )
    StimulusList.objects.filter(part__study=study).delete()
    remove_files(study)
    study.delete()


@transaction.atomic
def save_member(study: Study, member: Any, role: str, user: Any) -> Membership:
    """Give a researcher a role of `Membership.Role` in a study. Raises LifecycleRefusal for its owner."""
    if member.pk == study.owner_id:
        raise LifecycleRefusal(Sentence("{member} owns the study and does not need another role.", member=str(member)))
    _refuse_unknown(role)
    membership, _created = Membership.objects.update_or_create(study=study, user=member, defaults={"role": role})
    record(study, action="member added", user=user, detail=f"{member}: {role}")
    return membership


@transaction.atomic
def remove_member(study: Study, member: Any, user: Any) -> None:
    """Take a researcher's role in a study away. Does nothing where there is none."""
    removed, _rows = Membership.objects.filter(study=study, user=member).delete()
    if removed:
        record(study, action="member removed", user=user, detail=str(member))


@transaction.atomic
def share_with_team(study: Study, team: Team, role: str, user: Any) -> TeamShare:
    """Give everybody who is, or will be, in a team a role in a study. Raises LifecycleRefusal for an unknown role."""
    _refuse_unknown(role)
    share, _created = TeamShare.objects.update_or_create(study=study, team=team, defaults={"role": role})
    record(study, action="team added", user=user, detail=f"{team}: {role}")
    return share


@transaction.atomic
def stop_sharing(study: Study, team: Team, user: Any) -> None:
    """Take a team's role in a study away, at once for everybody in it. Does nothing where there is none."""
    removed, _rows = TeamShare.objects.filter(study=study, team=team).delete()
    if removed:
        record(study, action="team removed", user=user, detail=str(team))


def _refuse_unknown(role: str) -> None:
    if role not in Membership.Role.values:
        known = ", ".join(Membership.Role.values)
        raise LifecycleRefusal(Sentence("There is no role '{role}'. Possible roles: {known}.", role=role, known=known))


@transaction.atomic
def hand_over(study: Study, member: Any, user: Any) -> None:
    """Transfer a study to a member; the previous owner becomes an editor.

    Where the study erases itself, the new owner is told of the day, and has the time that the old one had. Raises
    LifecycleRefusal for somebody who is no member, cannot log in, or makes no studies.
    """
    study = locked(study)
    if not Membership.objects.filter(study=study, user=member).exists():
        raise LifecycleRefusal(Sentence("{member} does not work on this study. Add them first.", member=str(member)))
    if not (member.is_staff and may_make_studies(member)):
        raise LifecycleRefusal(
            Sentence(
                "{member} cannot own a study, because the account is closed or sees only shared studies.",
                member=str(member),
            )
        )
    former = study.owner
    Membership.objects.filter(study=study, user=member).delete()
    study.owner, study.retention_noticed_for, study.retention_noticed_at = member, None, None
    study.save(update_fields=["owner", "retention_noticed_for", "retention_noticed_at"])
    if former is not None:
        Membership.objects.create(study=study, user=former, role=Membership.Role.EDITOR)
    record(study, action="owner changed", user=user, detail=f"{former or 'nobody'} to {member}")


def _open(study: Study, otherwise: str) -> Study:
    study = locked(study)
    if study.status != Study.Status.OPEN:
        raise LifecycleRefusal(
            Sentence(
                "{otherwise} The state of '{slug}' is '{state}'.",
                otherwise=otherwise,
                slug=study.slug,
                state=study.get_status_display(),
            )
        )
    return study


__all__ = [
    "FrozenStudy",
    "LifecycleRefusal",
    "NotReady",
    "archive_study",
    "bring_back",
    "close_study",
    "confirm_text",
    "copy_study",
    "create_study",
    "delete_draft",
    "hand_over",
    "insert_sentences",
    "mark_looked_at",
    "open_study",
    "opening_faults",
    "opening_panels",
    "opening_warnings",
    "pause",
    "remove_member",
    "resume",
    "save_column",
    "save_design",
    "save_details",
    "save_member",
    "save_plan",
    "save_procedure",
    "save_questions",
    "save_text",
]
