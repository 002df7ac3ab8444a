"""Change a study's contents: facts, procedure, questions, texts, design. Exported by `lifecycle`.

Every function locks the study while it checks and writes, so that two changes, or a change and the opening, cannot
conflict. A refused change leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from experiments.formats.faults import spoken
from experiments.materials.lists import shown_together
from experiments.materials.shapes import Design
from experiments.materials.store import copy_design, store_design
from experiments.models import Markup, Part, Stimulus, Study, StudyText
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.default_texts import default_required_boxes
from experiments.procedure.texts import KINDS, current_text, default_text, pages_of, texts_of
from experiments.rules.plan import complete_plan, plan_faults
from experiments.rules.questions import complete_question, question_faults
from experiments.rules.shape import tasks_to_plan
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.refusals import FrozenStudy, LifecycleRefusal
from experiments.study.schemes import default_codes, store_scheme

# Facts that participants read; they may change while the study runs, but never silently.
FACTS = ("title", "responsible", "contact", "estimated_minutes", "data_protection_note", "notice")
# Fields without any effect on the data.
NOTES = ("description", "quota", "retention_until", "tags")
# Fields that are not copied with a study: the copy's owner decides on them.
OWN = ("erases_itself",)
# Fields that determine the data.
DESIGN = ("paradigm", "language", "seed", "settings", "questions", "plan")


@transaction.atomic
def save_details(study: Study, changes: Mapping[str, Any], user: Any) -> Study:
    """Change fields of the study: those of NOTES, OWN and FACTS at any time, `slug` and those of DESIGN in a draft.

    If a fact changes that the consent names by a placeholder, an opened study gets a new version of the consent, so
    that every participant's consent still says what was agreed to.
    """
    study = locked(study)
    frozen = study.is_frozen
    unknown = [name for name in changes if name not in (*FACTS, *NOTES, *OWN, *DESIGN, "slug")]
    if unknown:
        raise LifecycleRefusal(
            Sentence("A study has no field that can be changed under the name '{name}'.", name=unknown[0])
        )
    changed = [name for name, value in changes.items() if getattr(study, name) != value]
    if frozen and any(name in (*DESIGN, "slug") for name in changed):
        raise FrozenStudy(study)
    consent = current_text(study, "consent")
    agreed = pages_of(consent, study)
    together = shown_together(study)
    detail = "; ".join(f"{name}: {getattr(study, name)!r} → {changes[name]!r}" for name in changed)
    for name in changed:
        setattr(study, name, changes[name])
    if not changed:
        return study
    study.full_clean()
    study.save()
    if study.items.exists() and shown_together(study) != together:
        # The number of lists depends on which conditions share a trial.
        copy_design(study, study)
    if "paradigm" in changed:
        store_scheme(study, default_codes(study.paradigm))
    if frozen and consent and pages_of(consent, study) != agreed:
        add_version(
            study,
            consent.kind,
            consent.body,
            consent.required_boxes,
            consent.optional_boxes,
            markup=consent.markup,
        )
        detail += "; consent: new version, since it names what changed"
    record(study, action="details changed", user=user, detail=detail)
    return study


@transaction.atomic
def save_procedure(study: Study, procedure: Mapping[str, Any], user: Any) -> Study:
    """Store a procedure that ProcedureForm has checked.

    While a study is open, where participants are sent afterwards and which parameters name them may still change.
    """
    study = locked(study)
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
    study.save(update_fields=["procedure"])  # type: ignore[misc]  # a property, which is stored with its task
    if {"item_sets", "conditions", "conditions_per_item"} & set(changed) and study.items.exists():
        # Lists follow the rules by which items and their sets are rotated.
        copy_design(study, study, procedure=after)
    detail = "; ".join(f"{name}: {before.get(name)!r} → {after[name]!r}" for name in changed)
    record(study, action="procedure changed", user=user, detail=detail)
    return study


@transaction.atomic
def save_questions(study: Study, questions: list[dict[str, Any]], user: Any) -> Study:
    """Store the background questions. Raises LifecycleRefusal with all faults where they are not well formed."""
    faults = question_faults(questions)
    if faults:
        raise LifecycleRefusal(spoken(faults))
    return save_details(study, {"questions": [complete_question(question) for question in questions]}, user)


@transaction.atomic
def save_plan(study: Study, plan: Mapping[str, Any], user: Any) -> Study:
    """Store the plan. Raises LifecycleRefusal with all faults, FrozenStudy where the study has been opened."""
    faults = plan_faults(plan, tasks=tasks_to_plan(study), questions=study.shown_questions)
    if faults:
        raise LifecycleRefusal(spoken(faults))
    return save_details(study, {"plan": complete_plan(plan)}, user)


@transaction.atomic
def save_text(
    study: Study,
    kind: str,
    body: str,
    user: Any,
    *,
    required_boxes: list[str] | None = None,
    optional_boxes: list[str] | None = None,
    markup: str | None = None,
    replace: bool = False,
) -> StudyText:
    """Return the text as it now stands: a new version where something changed, else the version that holds.

    Boxes and markup that are not given stay as they are; a first text is Markdown. The texts of an open study may be
    corrected: participants who agreed before the correction agreed to the version stored in their session. Instructions
    are part of what was measured, so they are frozen with the design. With `replace` a draft's text is overwritten
    instead, for a study that is being made.
    """
    if kind not in KINDS:
        raise LifecycleRefusal(
            Sentence("There is no text '{kind}'. Known are: {known}.", kind=kind, known=", ".join(KINDS))
        )
    study = locked(study)
    now = current_text(study, kind)
    body = body.replace("\r\n", "\n").strip()
    required = list(required_boxes if required_boxes is not None else now.required_boxes if now else [])
    optional = list(optional_boxes if optional_boxes is not None else now.optional_boxes if now else [])
    markup = markup or (now.markup if now else Markup.MARKDOWN)
    if now and (now.body, now.required_boxes, now.optional_boxes, now.markup) == (body, required, optional, markup):
        return now
    if study.is_frozen and (kind == "instructions" or replace):
        raise FrozenStudy(study)
    if "\x00" in body:
        raise LifecycleRefusal(Sentence("The text holds a NUL character, which cannot be stored. Nothing was changed."))
    if now and replace:
        now.body, now.required_boxes, now.optional_boxes, now.markup = body, required, optional, markup
        now.is_default = False
        now.save(update_fields=["body", "required_boxes", "optional_boxes", "markup", "is_default"])
        return now
    is_default = (
        not study.is_frozen
        and body == default_text(study, kind)
        and (kind != "consent" or _default_boxes(study, required, optional))
    )
    text = add_version(study, kind, body, required, optional, markup=markup, is_default=is_default)
    record(study, action="text changed", user=user, detail=f"{kind}, version {text.version}")
    return text


def _default_boxes(study: Study, required: list[str], optional: list[str]) -> bool:
    return required == default_required_boxes(study.language) and not optional


def settle_default_texts(study: Study) -> None:
    """Store the texts of a draft that nobody has edited as they are now, so that they stay so when it is opened."""
    if study.is_frozen:
        return
    for _kind, _task, text in texts_of(study):
        if text and text.is_default:
            text.save(update_fields=["body", "required_boxes"])


@transaction.atomic
def save_design(study: Study, design: Design, user: Any) -> None:
    """Replace the materials and lists of a draft. Raises FrozenStudy for any other study."""
    study = locked_draft(study)
    replaced = study.items.count()
    store_design(study, design)
    detail = f"{len(design.items)} items, {len(design.conditions)} conditions, {len(design.lists)} lists"
    record(
        study,
        action="materials replaced" if replaced else "materials stored",
        user=user,
        detail=f"{detail}; {replaced} items before" if replaced else detail,
    )


def locked(study: Study) -> Study:
    """Return the stored study, locked until the transaction ends, so that two changes cannot conflict."""
    return Study.objects.select_for_update(of=("self",)).get(pk=study.pk).seen_through(study.chosen_task)


def locked_draft(study: Study) -> Study:
    """Return the study in the same way. Raises FrozenStudy where it has been opened."""
    study = locked(study)
    if study.is_frozen:
        raise FrozenStudy(study)
    return study


def add_version(
    study: Study,
    kind: str,
    body: str,
    required: list[str],
    optional: list[str],
    *,
    markup: str,
    part: Part | None = None,
    is_default: bool = False,
) -> StudyText:
    """Add the next version of a text; of instructions, to those of `part` or of the first task."""
    now = current_text(study, kind, part)
    return StudyText.objects.create(
        study=study,
        part=part,
        kind=kind,
        version=now.version + 1 if now else 1,
        body=body,
        required_boxes=required,
        optional_boxes=optional,
        markup=markup,
        is_default=is_default,
    )


@transaction.atomic
def save_column(study: Study, column: str, cells: Mapping[int, str], user: Any) -> None:
    """Set one further column of the materials for texts, by their keys; all else of the design stays.

    For a draft whose texts get what belongs beside them, such as distractors. Raises FrozenStudy for any other study,
    LookupError for a key that is no text of the study.
    """
    study = locked_draft(study)
    stimuli = list(Stimulus.objects.filter(item__part__study=study, pk__in=list(cells)))
    if len(stimuli) < len(cells):
        raise LookupError(Sentence("The materials have changed in the meantime."))
    for stimulus in stimuli:
        stimulus.extra = {**stimulus.extra, column: cells[stimulus.pk]}
    Stimulus.objects.bulk_update(stimuli, ["extra"], batch_size=500)
    record(study, action="materials changed", user=user, detail=f"column {column} of {len(stimuli)} texts")
