"""What a study file says as a whole, and how it becomes a study in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from experiments.design.ordering import impossible_rules
from experiments.formats.faults import Fault
from experiments.materials.lists import with_lists
from experiments.materials.shapes import Design
from experiments.materials.store import store_design
from experiments.models import Study
from experiments.paradigms.base import DefaultErrorCode, Paradigm
from experiments.procedure.sessions import SessionStimulus, complete_settings, order_rules
from experiments.study.lifecycle import create_study, save_text
from experiments.study.opening import design_faults
from experiments.study_files.parts import TextDescription


class StudyFileFaults(ValueError):
    """The file does not describe a sound study. `faults` holds all that is wrong; nothing was stored."""

    def __init__(self, faults: Sequence[Fault], *, file: str = "") -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = list(faults)
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled by the process that reads uploads: made again from the faults, not from their text.
        return type(self), (self.faults,), {"file": self.file}


@dataclass(frozen=True)
class StudyDescription:
    """Everything a study file says. Texts that it leaves out are the defaults of the language."""

    fields: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    procedure: Mapping[str, Any] = field(default_factory=dict)
    questions: Sequence[Mapping[str, Any]] = ()
    texts: Mapping[str, TextDescription] = field(default_factory=dict)
    design: Design | None = None
    plan: Mapping[str, Any] = field(default_factory=dict)
    # None where the file says nothing: the codes of the paradigm.
    error_codes: Sequence[DefaultErrorCode] | None = None


def soundness_faults(described: StudyDescription, paradigm: Paradigm) -> list[Fault]:
    """Return what is wrong with parts that are sound in themselves: settings that lack something, impossible orders."""
    faults = [
        Fault(message=message) for message in paradigm.opening_faults(complete_settings(paradigm, described.settings))
    ]
    design = described.design
    if design is None:
        return faults
    everybody = [
        SessionStimulus(0, "", item.code, is_filler=item.is_filler, is_practice=item.is_practice)
        for item in design.items
        if not item.is_target
    ]
    names = [condition.name for condition in design.conditions]
    reasons: dict[str, None] = {}
    for shown in with_lists(design, described.procedure).lists:
        targets = []
        for position, number in shown.cells:
            item = design.items[position]
            condition = item.stimuli[number].condition
            targets.append(SessionStimulus(0, "", item.code, None if condition is None else names[condition]))
        reasons.update(dict.fromkeys(impossible_rules([*everybody, *targets], order_rules(described.procedure))))
    return faults + [Fault(message=reason) for reason in reasons]


@transaction.atomic
def store_description(
    described: StudyDescription, *, user: Any, owner: Any = None, origin: str, must_run: bool = True
) -> Study:
    """Store a checked description as a draft with its texts and design.

    Raises StudyFileFaults, with nothing stored, where an address is taken and the like and, with `must_run`, where the
    study could not be run: without materials, or with rules of order that they cannot keep.
    """
    fields = dict(described.fields)
    try:
        with transaction.atomic():
            study = create_study(
                user=user,
                owner=owner,
                settings=dict(described.settings),
                procedure=dict(described.procedure),
                questions=[dict(question) for question in described.questions],
                plan=dict(described.plan),
                origin=origin,
                error_codes=described.error_codes,
                **fields,
            )
            for kind, text in described.texts.items():
                save_text(
                    study,
                    kind,
                    text.body,
                    user,
                    required_boxes=list(text.required),
                    optional_boxes=list(text.optional),
                    replace=True,
                )
            if described.design is not None:
                store_design(study, with_lists(described.design, described.procedure))
                study.refresh_from_db()
            faults = design_faults(study) if must_run else []
            if faults:
                raise StudyFileFaults(faults)
    except ValidationError as error:
        raise StudyFileFaults(_validation_faults(error)) from error
    return study


def _validation_faults(error: ValidationError) -> list[Fault]:
    if not hasattr(error, "error_dict"):
        return [Fault(message=message) for message in error.messages]
    return [
        Fault(setting="" if name == "__all__" else name, message=message)
        for name, messages in error.message_dict.items()
        for message in messages
    ]
