"""Texts that participants read: welcome, consent, instructions, debriefing."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers

from config.api.declarations import READ, WRITE, Answer, Call, Operation
from config.api.fields import Choice, Shape, Text, Truth, Whole
from config.api.operations.shapes import OfTask
from config.api.problems import Problem, at
from experiments.models import Markup, Study, StudyText
from experiments.procedure.texts import KINDS, current_text
from experiments.study.lifecycle import mark_looked_at, save_text
from experiments.study.steps import key_of_text

CONSENT, INSTRUCTIONS = StudyText.Kind.CONSENT.value, StudyText.Kind.INSTRUCTIONS.value
MOST = 100_000


def statements(**more: Any) -> Any:
    return serializers.ListField(child=Text(max_length=2000), max_length=50, **more)


class TextShape(Shape):
    """One text in its newest version."""

    kind = Choice(choices=StudyText.Kind.choices)
    part = Text(allow_blank=True, help_text="Of instructions: the task.")
    version = Whole(help_text="0 where there is none.")
    body = Text(allow_blank=True)
    markup = Choice(choices=Markup.choices)
    required_boxes = statements(help_text="Of the consent: statements that must be ticked.")
    optional_boxes = statements(help_text="Of the consent: statements that may be ticked.")
    is_standard = Truth(help_text="Whether nobody has edited it: it follows the study until it is opened.")


class Texts(Shape):
    """All texts of a study; instructions once for each task."""

    items = TextShape(many=True)


class NewText(Shape):
    """A text to store as a new version; what is left out stays."""

    body = Text(allow_blank=True, max_length=MOST)
    markup = Choice(choices=Markup.choices, required=False)
    required_boxes = statements(required=False)
    optional_boxes = statements(required=False)


def shown(study: Study, kind: str) -> dict[str, Any]:
    """Return a text as `TextShape` has it."""
    text = current_text(study, kind)
    return {
        "kind": kind,
        "part": (study.chosen_task or study.task.name) if kind == INSTRUCTIONS else "",
        "version": text.version if text else 0,
        "body": text.body if text else "",
        "markup": str(text.markup) if text else Markup.MARKDOWN.value,
        "required_boxes": list(text.required_boxes) if text else [],
        "optional_boxes": list(text.optional_boxes) if text else [],
        "is_standard": bool(text and text.is_default and not study.is_frozen),
    }


def list_texts(call: Call) -> Answer:
    """All texts of the study."""
    study = call.study.seen_through("")
    items = [
        shown(study.seen_through(task.name) if task else study, kind)
        for kind in KINDS
        for task in (study.tasks if kind == INSTRUCTIONS else [None])
    ]
    return Answer({"items": items})


def get_text(call: Call) -> Answer:
    """One text."""
    return Answer(shown(call.study, _kind(call)))


def put_text(call: Call) -> Answer:
    """Store a text as a new version; the same text again makes none."""
    kind, given = _kind(call), call.body
    boxes = [name for name in ("required_boxes", "optional_boxes") if given.get(name)]
    if kind != CONSENT and boxes:
        faults = [at(f"/{name}", "Only the consent has statements to tick.") for name in boxes]
        raise Problem("invalid", "The text cannot have statements. Nothing was stored.", faults)
    save_text(
        call.study,
        kind,
        given["body"],
        call.user,
        required_boxes=given.get("required_boxes"),
        optional_boxes=given.get("optional_boxes"),
        markup=given.get("markup"),
    )
    mark_looked_at(call.study, key_of_text(kind, call.study), call.user)
    call.with_study_anew()
    return get_text(call)


def _kind(call: Call) -> str:
    kind = call.path["kind"]
    if kind not in KINDS:
        raise Http404
    return kind


_AT = "studies/{slug}/texts/"
OPERATIONS = (
    Operation("list_texts", "GET", _AT, "Read all texts", list_texts, gives=Texts),
    Operation(
        "get_text", "GET", f"{_AT}{{kind}}/", "Read a text", get_text,
        query=OfTask, gives=TextShape, state=lambda call: shown(call.study, _kind(call)),
    ),
    Operation(
        "put_text", "PUT", f"{_AT}{{kind}}/", "Store a text as a new version", put_text,
        scopes=(READ, WRITE), role="editor", query=OfTask, body=NewText, gives=TextShape,
        state=lambda call: shown(call.study, _kind(call)),
        description="Also while the study is open, but for instructions, which are part of what is measured.",
    ),
)  # fmt: skip
