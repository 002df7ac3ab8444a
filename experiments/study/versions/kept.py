"""Keep every state of a task's materials as a version, within bounds.

Callers have locked the study, and keep a version in the transaction that changes the materials.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Max, QuerySet, Sum
from django.utils import timezone

from experiments.materials.shapes import Design
from experiments.materials.store import design_of
from experiments.materials.versions.comparing import compared
from experiments.materials.versions.written import read_back, written
from experiments.models import MaterialsContent, MaterialsVersion, Part, Study

Kind = MaterialsVersion.Kind
# Of one task. The current version, and one with which the study was opened, are kept in any case.
MOST_VERSIONS = 200
MOST_BYTES = 32 * 1024 * 1024
MOST_NOTE = MaterialsVersion._meta.get_field("note").max_length or 0


def versions_of(study: Study | Part) -> QuerySet[MaterialsVersion]:
    """Return the versions of the materials of a task, the newest first, without what they contain."""
    part = study if isinstance(study, Part) else study.task
    return MaterialsVersion.objects.filter(part=part.pk).select_related("created_by").order_by("-number")


def current_version(part: Part) -> MaterialsVersion | None:
    """Return the newest version of a task's materials; None where there are none, or no version yet."""
    return versions_of(part).first()


def design_of_version(version: MaterialsVersion) -> Design:
    """Return the design that a version keeps, without lists."""
    return read_back(bytes(version.content.packed))


def keep_version(
    part: Part, *, kind: str, user: Any, detail: str = "", note: str = "", design: Design | None = None
) -> MaterialsVersion | None:
    """Keep the stored materials of a task as its next version and return it; the newest one if nothing differs.

    `design` is what was stored, where that is known already. None for a task without materials.
    """
    design = design_of(part) if design is None else replace(design, reading=part.reading)
    if not design.items:
        return None
    now, newest = written(design), versions_of(part).select_related("content").first()
    if newest is not None and newest.content.digest == now.digest:
        return newest
    content, _made = MaterialsContent.objects.get_or_create(
        part=part, digest=now.digest, defaults={"packed": now.packed, "size": len(now.packed)}
    )
    known = user if user is not None and user.is_authenticated else None
    version = MaterialsVersion.objects.create(
        part=part,
        number=newest.number + 1 if newest else 1,
        content=content,
        kind=kind,
        detail=detail[:200],
        note=" ".join(note.split())[:MOST_NOTE],
        change=compared(design_of_version(newest), design).plain if newest else {},
        n_items=sum(item.is_target for item in design.items),
        n_texts=sum(len(item.stimuli) for item in design.items),
        paradigm=part.paradigm,
        created_by=known,
    )
    _prune(part)
    return version


def keep_first(part: Part) -> None:
    """Keep materials that are about to change and have no version yet, as those of earlier releases have none."""
    if part.pk is not None and current_version(part) is None:
        keep_version(part, kind=Kind.FOUND, user=None)


def mark_opened(study: Study) -> None:
    """Mark the versions with which a study opens: its sessions use them, so they are never removed."""
    for part in study.tasks:
        keep_first(part)
        newest = current_version(part)
        if newest is not None and newest.opened_at is None:
            newest.opened_at = timezone.now()
            newest.save(update_fields=["opened_at"])


def _prune(part: Part) -> None:
    """Remove the oldest versions beyond the bounds, those with a note last, and what no version contains any more."""
    kept = MaterialsVersion.objects.filter(part=part)
    newest = kept.aggregate(newest=Max("number"))["newest"]
    unneeded = kept.filter(opened_at=None).exclude(number=newest)
    while kept.count() > MOST_VERSIONS or _bytes(part) > MOST_BYTES:
        first = unneeded.filter(note="").order_by("number").first() or unneeded.order_by("number").first()
        if first is None:
            break
        first.delete()
        MaterialsContent.objects.filter(part=part, versions=None).delete()


def _bytes(part: Part) -> int:
    return MaterialsContent.objects.filter(part=part).aggregate(total=Sum("size"))["total"] or 0
