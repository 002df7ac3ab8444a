"""Description of a whole study from a file, and how to store it as a study in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from experiments.design.orders.randomised import impossible_rules
from experiments.formats.faults import Fault, FaultsFound
from experiments.materials.lists import together_design_of, with_lists
from experiments.materials.shapes import Design
from experiments.materials.stimuli import together_faults
from experiments.materials.store import store_design
from experiments.media.checking import CheckedFile
from experiments.media.storage import store_files
from experiments.models import Part, Study
from experiments.paradigms.base import DefaultErrorCode, Paradigm, ShownStimulus
from experiments.procedure.arranging import order_rules
from experiments.procedure.mentions import known_keys
from experiments.procedure.texts import current_text
from experiments.rules.labels import labels_faults
from experiments.rules.procedure import is_arranged
from experiments.study.labels import factors_to_label
from experiments.study.lifecycle import create_study, save_text
from experiments.study.look import stored_logo_faults
from experiments.study.opening import design_faults
from experiments.study.versions.kept import Kind, keep_version
from experiments.study_files.languages import store_texts_in
from experiments.study_files.part_tables import PartDescription
from experiments.study_files.parts import TextDescription
from experiments.study_files.words import WordsDescription, store_described


class StudyFileFaults(FaultsFound):
    """The file does not describe a sound study. `faults` holds all that is wrong; nothing was stored."""

    def __init__(self, faults: Sequence[Fault], *, file: str = "") -> None:
        super().__init__(faults)
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
    # None: use the codes of the paradigm.
    error_codes: Sequence[DefaultErrorCode] | None = None
    # Pictures and sounds, checked.
    media: Sequence[CheckedFile] = ()
    # Scores of words by task; of the only one under an empty name.
    words: Mapping[str, WordsDescription] = field(default_factory=dict)
    # Where the file names parts: what they are, instead of settings, questions and design.
    parts: Sequence[PartDescription] = ()
    groups: Sequence[Mapping[str, Any]] = ()
    order_sets: Mapping[str, str] = field(default_factory=dict)
    sources: Sequence[Mapping[str, Any]] = ()
    criteria: Sequence[Mapping[str, Any]] = ()
    look: Mapping[str, Any] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Any] = field(default_factory=dict)
    languages: Sequence[str] = ()
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # By further language and kind of text: those that are not the standard ones.
    texts_in: Mapping[str, Mapping[str, TextDescription]] = field(default_factory=dict)

    @property
    def warnings(self) -> list[Fault]:
        """What is worth a look in the materials of the study, or of its parts."""
        designs = [self.design, *(part.design for part in self.parts)]
        return list(dict.fromkeys(warning for design in designs if design is not None for warning in design.warnings))


def soundness_faults(described: StudyDescription, paradigm: Paradigm) -> list[Fault]:
    """Return what is wrong with parts that are sound in themselves: settings that lack something, impossible orders."""
    faults = [
        Fault(message=message) for message in paradigm.opening_faults(paradigm.complete_settings(described.settings))
    ]
    design = described.design
    if design is None:
        return faults
    said = together_faults(design, paradigm, paradigm.complete_settings(described.settings))
    is_together = together_design_of(paradigm.slug, described.settings, len(design.conditions)) is not None
    if said or is_together or is_arranged(described.procedure):
        # The order of what is put together or arranged is looked at when the study is stored.
        return faults + said
    everybody = [
        ShownStimulus(0, "", item=item.code, is_filler=item.is_filler, is_practice=item.is_practice)
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
            targets.append(
                ShownStimulus(0, "", item=item.code, condition=None if condition is None else names[condition])
            )
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
            design: dict[str, Any] = {
                "settings": dict(described.settings),
                "procedure": dict(described.procedure),
                "questions": [dict(question) for question in described.questions],
            }
            if described.parts:
                design = {
                    "ordered_parts": [Part(**part.fields) for part in described.parts],
                    "conduct": dict(described.procedure),
                    "groups": [dict(group) for group in described.groups],
                    "order_sets": dict(described.order_sets),
                }
            study = create_study(
                user=user,
                owner=owner,
                **design,
                plan=dict(described.plan),
                sources=[dict(source) for source in described.sources],
                criteria=[dict(criterion) for criterion in described.criteria],
                look=dict(described.look),
                wording=dict(described.wording),
                labels=dict(described.labels),
                languages=list(described.languages),
                translations={tag: dict(texts) for tag, texts in described.translations.items()},
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
                    markup=text.markup,
                    replace=True,
                )
            for part, made in zip(described.parts, study.ordered_parts, strict=False):
                if part.instructions is not None:
                    save_text(
                        study.seen_through(made.name),
                        "instructions",
                        part.instructions,
                        user,
                        markup=part.markup,
                        replace=True,
                    )
                if part.design is not None:
                    designed = with_lists(part.design, made.procedure, paradigm=made.paradigm, settings=made.settings)
                    store_design(made, designed)
                    keep_version(made, kind=Kind.MADE, user=user, detail=origin, design=designed)
            if described.design is not None:
                whole = with_lists(
                    described.design, described.procedure, paradigm=study.paradigm, settings=study.settings
                )
                store_design(study, whole)
                keep_version(study.task, kind=Kind.MADE, user=user, detail=origin, design=whole)
                study.refresh_from_db()
            store_files(study, described.media)
            _keep_standing(study, described.texts)
            store_texts_in(study, described.texts_in, user)
            for tag, texts in described.texts_in.items():
                _keep_standing(study.said_in(tag), {kind: one for kind, one in texts.items() if ":" not in kind})
            faults = store_described(study, described.words, user=user)
            faults += [*stored_logo_faults(study), *(design_faults(study) if must_run else [])]
            if must_run and not faults:
                study.refresh_from_db()
                faults = labels_faults(study.labels, factors_to_label(study))
            if faults:
                raise StudyFileFaults(faults)
    except ValidationError as error:
        raise StudyFileFaults(_validation_faults(error)) from error
    return study


def _keep_standing(study: Study, texts: Mapping[str, TextDescription]) -> None:
    """Store how the texts of a file stand to their study, once its parts, materials and files are there.

    What its author wrote with the whole study in view mentions all of it, unless the file says what it mentions.
    """
    if not study.read_in:
        study.refresh_from_db()
    for kind, described in texts.items():
        text = current_text(study, kind)
        if text is None or text._state.adding:
            continue
        if described.is_standard:
            text.is_default, text.mentions = True, []
        elif not text.is_default:
            text.mentions = known_keys(study, kind) if described.mentions is None else list(described.mentions)
        text.save(update_fields=["is_default", "mentions"])


def _validation_faults(error: ValidationError) -> list[Fault]:
    if not hasattr(error, "error_dict"):
        return [Fault(message=message) for message in error.messages]
    return [
        Fault(setting="" if name == "__all__" else name, message=message)
        for name, messages in error.message_dict.items()
        for message in messages
    ]
