"""Copy parts with their design and instructions, without participants and data."""

from __future__ import annotations

from typing import Any

from experiments.materials.store import copy_design
from experiments.models import Part
from experiments.procedure.texts import current_text
from experiments.study.editing import add_version
from experiments.study.versions.kept import Kind, keep_version
from experiments.study.word_scores import copy_word_scores

# Everything of a part but the study that it belongs to and its place there.
FIELDS = (
    "name",
    "kind",
    "title",
    "groups",
    "order_set",
    "pool",
    "shown_if",
    "paradigm",
    "settings",
    "procedure",
    "factors",
    "reading",
    "questions",
    "body",
    "markup",
)


def copied(part: Part) -> Part:
    """Return a part with the same fields, of no study yet."""
    return Part(**{name: getattr(part, name) for name in FIELDS})


def copy_task(source: Part, target: Part, user: Any = None) -> None:
    """Give a stored task of a draft the design and the instructions of another one; its versions begin with these."""
    study = source.study.said_in("")
    for tag in ("", *study.languages):
        if tag not in ("", *target.study.languages):
            continue
        text = current_text(study.said_in(tag), "instructions", source)
        if text and not text._state.adding:
            add_version(
                target.study.said_in(tag),
                text.kind,
                text.body,
                [],
                [],
                markup=text.markup,
                part=target,
                is_default=text.is_default,
            )
    copy_design(source, target)
    keep_version(target, kind=Kind.COPIED, user=user, detail=f"{source.study.slug}: {source.name}")
    copy_word_scores(source, target)
