"""Shapes that operations of several subjects take or give."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import serializers

from config.api.declarations import Answer, Call
from config.api.fields import Asked, Choice, Shape, Text, Truth, Whole
from config.api.problems import Problem, at, placed
from config.api.reach import studies_of
from experiments.formats.faults import Fault
from experiments.models import Part, Study
from experiments.views.forms import checked_address


class Nothing(Shape):
    """An empty object."""


class OfTask(Asked):
    """Which task is meant."""

    part = Text(
        required=False, max_length=60, help_text="The task, or pool of tasks, by its name; the first one if left out."
    )


class OfKind(Asked):
    """Which sessions are counted."""

    of = Choice(
        choices=["real", "simulated"], required=False,
        help_text="Sessions of people or simulated ones; of people, unless there are only simulated ones.",
    )  # fmt: skip


class PartOfStudy(Shape):
    """One part of a study."""

    name = Text()
    kind = Choice(choices=Part.Kind.choices)
    title = Text(allow_blank=True)
    paradigm = Text(allow_blank=True, help_text="Of a task; otherwise empty.")


class StudyShape(Shape):
    """A study: what it is called, its state and its parts."""

    slug = Text()
    title = Text()
    description = Text(allow_blank=True)
    tags = Text(allow_blank=True, help_text="Separated by commas.")
    language = Text()
    responsible = Text(allow_blank=True)
    contact = Text(allow_blank=True)
    estimated_minutes = Whole(allow_null=True)
    data_protection_note = Text(allow_blank=True)
    retention_until = serializers.DateField(allow_null=True)
    erases_itself = Truth()
    notice = Text(allow_blank=True)
    status = Choice(choices=Study.Status.choices)
    is_paused = Truth()
    is_archived = Truth(help_text="Whether it is hidden in lists.")
    quota = Whole(allow_null=True)
    version = Whole()
    copied_from = Text(allow_null=True, help_text="The study of which it is a copy, where you see that one.")
    parts = PartOfStudy(many=True)
    role = Choice(choices=["viewer", "editor", "owner"], help_text="What you may do.")
    created_at = serializers.DateTimeField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    url = Text(help_text="The address of this study in the API.")
    landing_page = Text(help_text="The general link for participants.")


FACTS = (
    "title", "description", "tags", "language", "responsible", "contact", "estimated_minutes", "data_protection_note",
    "retention_until", "erases_itself", "notice", "status", "is_paused", "quota", "version", "created_at", "opened_at",
    "closed_at",
)  # fmt: skip


def study_state(study: Study) -> dict[str, Any]:
    """Return what of a study is edited or changes its state, for its ETag."""
    return {"slug": study.slug, **{name: getattr(study, name) for name in FACTS}, "archived": study.archived_at}


def shown_study(call: Call, study: Study, role: str) -> dict[str, Any]:
    """Return a study as `StudyShape` has it."""
    source = study.copied_from_id and studies_of(call.token).filter(pk=study.copied_from_id).first()
    return {
        "slug": str(study.slug),
        **{name: getattr(study, name) for name in FACTS},
        "is_archived": study.archived_at is not None,
        "copied_from": str(source.slug) if source else None,
        "parts": [
            {"name": part.name, "kind": part.kind, "title": part.title, "paradigm": part.paradigm}
            for part in study.ordered_parts
        ],
        "role": role,
        "url": call.address(f"/api/v1/studies/{study.slug}/"),
        "landing_page": call.address(study.get_absolute_url()),
    }


def usable_address(slug: str, kept: str) -> str:
    """Return an address that a new study may have. Raises Problem for any other; `kept` says what was not done."""
    try:
        return checked_address(slug)
    except ValidationError as refused:
        faults = [at("/slug", message) for message in refused.messages]
        raise Problem("invalid", f"The address cannot be used. {kept}", faults) from refused


def the_study(call: Call) -> Answer:
    """Return the study of the address as it is now."""
    call.with_study_anew()
    return Answer(shown_study(call, call.study.seen_through(""), call.role))


class Said(Shape):
    """A sentence about a study or a file, with its place."""

    place = Text(allow_blank=True, help_text="A JSON pointer, or the name of a setting.")
    line = Whole(allow_null=True, help_text="The line of the file, from 1.")
    column = Text(allow_blank=True)
    message = Text()
    suggestion = Text(allow_blank=True)
    step = Text(allow_blank=True, help_text="The page of the study where it can be corrected.")
    is_doubtful = Truth(help_text="Whether what is stored may not be what was meant.")


def said(faults: list[Fault], *, within: str = "") -> list[dict[str, Any]]:
    """Return faults or warnings as `Said` has them."""
    return [{**placed(fault, within=within), "is_doubtful": fault.is_doubtful} for fault in faults]
