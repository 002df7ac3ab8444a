"""The life of a study: open, pause, resume, close, copy, put into the archive and bring back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from config.api.declarations import READ, WRITE, Answer, Call, Operation
from config.api.fields import Shape, Text
from config.api.operations.shapes import Nothing, StudyShape, shown_study, the_study, usable_address
from config.api.problems import Problem
from experiments.models import Study
from experiments.study.access import may_make_studies
from experiments.study.lifecycle import (
    archive_study,
    bring_back,
    close_study,
    copy_study,
    open_study,
    pause,
    resume,
)


class CopyTo(Shape):
    """Where a copy is to be."""

    slug = Text(max_length=60, help_text="The address of the copy.")


def changing(change: Callable[[Study, Any], object]) -> Callable[[Call], Answer]:
    """Return an operation that changes the state of a study and gives the study."""

    def handle(call: Call) -> Answer:
        change(call.study.seen_through(""), call.user)
        return the_study(call)

    return handle


def copy(call: Call) -> Answer:
    """Make a draft with the same design."""
    if not may_make_studies(call.user) or call.token.is_for_some_studies:
        detail = "Your account or token makes no studies. An administrator can let you; a token for all studies can."
        raise Problem("not-allowed", f"{detail} Nothing was copied.")
    slug = usable_address(call.body["slug"], "Nothing was copied.")
    made = copy_study(call.study.seen_through(""), slug, call.user)
    headers = {"Location": call.address(f"/api/v1/studies/{made.slug}/")}
    return Answer(shown_study(call, Study.objects.get(pk=made.pk), "owner"), headers=headers)


def _changes(name: str, path: str, summary: str, change: Any, **more: Any) -> Operation:
    declared: dict[str, Any] = {"role": "editor", "body": Nothing, "is_body_optional": True, "gives": StudyShape}
    declared |= {"scopes": (READ, WRITE), **more}
    return Operation(name, "POST", f"studies/{{slug}}/{path}/", summary, changing(change), **declared)


OPERATIONS = (
    _changes(
        "open_study", "open", "Open a study, or open it again", open_study, problems=("not-ready",),
        description="Opening locks materials, design, order and instructions permanently.",
    ),
    _changes(
        "pause_study", "pause", "Pause a study", pause,
        description="Nobody can start; people who have started can finish.",
    ),
    _changes("resume_study", "resume", "Let people start again", resume),
    _changes("close_study", "close", "Close a study", close_study, description="Nobody can start or come back."),
    _changes(
        "archive_study", "archive", "Put a study into the archive", archive_study, role="owner",
        description="It is hidden in lists; nothing else changes.",
    ),
    _changes("unarchive_study", "unarchive", "Bring a study back from the archive", bring_back, role="owner"),
    Operation(
        "copy_study", "POST", "studies/{slug}/copy/", "Copy a study", copy,
        scopes=(READ, WRITE), body=CopyTo, gives=StudyShape, status=201, creates=True, problems=("not-allowed",),
        headers=("Location",),
        description="A draft with the same design, settings and texts, without participants and data, which is yours.",
    ),
)  # fmt: skip
