"""Change a study's contents: facts, procedure, questions, texts, design. Exported by `lifecycle`.

Every function locks the study while it checks and writes, so that two changes, or a change and the opening, cannot
conflict. A refused change leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.formats.faults import spoken
from experiments.materials.lists import shown_together
from experiments.materials.shapes import Design
from experiments.materials.store import copy_design, store_design
from experiments.models import Item, Markup, Part, Stimulus, Study, StudyText
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.default_texts import default_required_boxes, without_minutes
from experiments.procedure.durations import told_minutes
from experiments.procedure.mentions import all_mentioned, known_keys, with_sentences
from experiments.procedure.texts import KINDS, current_text, default_text, pages_of, texts_of
from experiments.rules.plan import complete_plan, plan_faults
from experiments.rules.questions import complete_question, question_faults
from experiments.rules.shape import tasks_to_plan
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.refusals import FrozenStudy, LifecycleRefusal
from experiments.study.schemes import default_codes, store_scheme
from experiments.study.versions.kept import Kind, keep_first, keep_version

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
        raise LifecycleRefusal(Sentence("The study has no field '{name}' that you can change.", name=unknown[0]))
    changed = [name for name, value in changes.items() if getattr(study, name) != value]
    if frozen and any(name in (*DESIGN, "slug") for name in changed):
        raise FrozenStudy(study)
    agreed = agreed_texts(study)
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
    if frozen and renew_consents(study, agreed):
        detail += "; consent: new version, since it names what changed"
    record(study, action="details changed", user=user, detail=detail)
    return study


def agreed_texts(study: Study) -> dict[str, Any]:
    """Return what the consent says to people of every language, by its tag."""
    read = {tag: study.said_in(tag) for tag in ("", *study.languages)}
    return {tag: pages_of(current_text(said, "consent"), said) for tag, said in read.items()}


def renew_consents(study: Study, agreed: Mapping[str, Any]) -> bool:
    """Give the consent of an opened study a new version in every language in which it says something else by now.

    `agreed` is what `agreed_texts` returned before. Return whether there is a new one.
    """
    changed = [tag for tag, pages in agreed_texts(study).items() if pages != agreed.get(tag)]
    for tag in changed:
        said = study.said_in(tag)
        if consent := current_text(said, "consent"):
            add_version(
                said,
                consent.kind,
                consent.body,
                consent.required_boxes,
                consent.optional_boxes,
                markup=consent.markup,
                mentions=consent.mentions,
            )
    return bool(changed)


@transaction.atomic
def save_procedure(study: Study, procedure: Mapping[str, Any], user: Any) -> Study:
    """Store a procedure that ProcedureForm has checked.

    While a study is open, where participants are sent afterwards, which parameters name them and which earlier studies
    keep people out may still change.
    """
    study = locked(study)
    before = complete_procedure(study.procedure)
    after = complete_procedure(procedure)
    changed = [name for name in after if before.get(name) != after[name]]
    running = (
        "completion_code", "redirect_url", "recruitment_parameters", "resume", "stale_after_minutes",
        "earlier_participation", "earlier_studies",
    )  # fmt: skip
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
    mentions: Sequence[str] | None = None,
    replace: bool = False,
) -> StudyText:
    """Return the text as it now stands: a new version where something changed, else the version that holds.

    Boxes and markup that are not given stay as they are; a first text is Markdown. The texts of an open study may be
    corrected: participants who agreed before the correction agreed to the version stored in their session. Instructions
    are part of what was measured, so they are frozen with the design. `mentions` are keys of what the text is known to
    mention; not given, those of the version before, or all that the study declares now where nobody had edited it. With
    `replace` a draft's text is overwritten instead, for a study that is being made.
    """
    if kind not in KINDS:
        raise LifecycleRefusal(
            Sentence("There is no text '{kind}'. Possible names: {known}.", kind=kind, known=", ".join(KINDS))
        )
    study = locked(study)
    now = current_text(study, kind)
    body = body.replace("\r\n", "\n").strip()
    required = list(required_boxes if required_boxes is not None else now.required_boxes if now else [])
    optional = list(optional_boxes if optional_boxes is not None else now.optional_boxes if now else [])
    markup = markup or (now.markup if now else Markup.MARKDOWN)
    # A standard text that was shown before the estimates of its minutes changed is not an edited one.
    follows = bool(now and now.is_default and not study.is_frozen and not replace)

    def compared(text: str) -> str:
        return without_minutes(text, study.language) if follows else text

    said = (compared(body), required, optional, markup)
    if now and (compared(now.body), now.required_boxes, now.optional_boxes, now.markup) == said:
        return now
    if study.is_frozen and (kind == "instructions" or replace):
        raise FrozenStudy(study)
    if "\x00" in body:
        raise LifecycleRefusal(
            Sentence("The text contains a NUL character, which cannot be stored. Nothing was changed.")
        )
    if now and replace:
        now.body, now.required_boxes, now.optional_boxes, now.markup = body, required, optional, markup
        now.is_default, now.mentions = False, list(mentions or [])
        _store(now, "body", "required_boxes", "optional_boxes", "markup", "is_default", "mentions")
        return now
    is_default = (
        not study.is_frozen
        and without_minutes(body, study.language) == without_minutes(default_text(study, kind), study.language)
        and (kind != "consent" or _default_boxes(study, required, optional))
    )
    if now and now.is_default and not study.is_frozen:
        # What it said until now stays readable as a version.
        _store(now, "body", "required_boxes")
    if is_default:
        known: Sequence[str] = []
    elif mentions is not None:
        known = mentions
    else:
        known = now.mentions if now and not now.is_default else known_keys(study, kind)
    text = add_version(
        study, kind, body, required, optional, markup=markup, is_default=is_default, mentions=list(known)
    )
    record(study, action="text changed", user=user, detail=f"{kind}{_of_language(study)}, version {text.version}")
    return text


@transaction.atomic
def insert_sentences(study: Study, kind: str, user: Any) -> StudyText:
    """Insert into an edited text of a draft the standard sentences that it lacks, as a new version.

    Raises LifecycleRefusal where it lacks none, FrozenStudy where the study has been opened.
    """
    study = locked_draft(study)
    try:
        body = with_sentences(study, kind)
    except LookupError:
        raise LifecycleRefusal(_("The text already mentions everything. Nothing was changed.")) from None
    text = current_text(study, kind)
    keys = [*(text.mentions if text else ()), *known_keys(study, kind)]
    return save_text(study, kind, body, user, mentions=list(dict.fromkeys(keys)))


@transaction.atomic
def confirm_text(study: Study, kind: str, user: Any) -> None:
    """Keep of an edited text of a draft that it is right as it is, whatever it does not mention.

    Raises FrozenStudy where the study has been opened.
    """
    study = locked_draft(study)
    text = current_text(study, kind)
    if text is None or text.is_default:
        return
    text.mentions = all_mentioned(study, text)
    text.save(update_fields=["mentions"])
    record(study, action="text confirmed", user=user, detail=f"{kind}{_of_language(study)}, version {text.version}")


def _of_language(study: Study) -> str:
    return f" ({study.read_in})" if study.read_in else ""


def _store(text: StudyText, *fields: str) -> None:
    """Store fields of a text; the standard text of a further language, which is in no table yet, as a whole."""
    if text._state.adding:
        text.version = 1
        text.save()
    else:
        text.save(update_fields=fields)


def _default_boxes(study: Study, required: list[str], optional: list[str]) -> bool:
    return required == default_required_boxes(study.language) and not optional


def settle_default_texts(study: Study) -> None:
    """Store the texts of a draft that nobody has edited, and the minutes that its texts name, as they are now.

    So they stay the same when it is opened.
    """
    if study.is_frozen:
        return
    study.estimated_minutes = told_minutes(study)
    for tag in ("", *study.languages):
        for _kind, _task, text in texts_of(study.said_in(tag)):
            if text and text.is_default:
                _store(text, "body", "required_boxes")


@transaction.atomic
def save_design(
    study: Study, design: Design, user: Any, *, kind: str = Kind.STORED, detail: str = "", note: str = ""
) -> None:
    """Replace the materials and lists of a draft, and keep them as a version. Raises FrozenStudy for any other study.

    `kind`, `detail` and `note` say of the version where it comes from: `detail` names the file, the item or the earlier
    version.
    """
    study = locked_draft(study)
    replaced = study.items.count()
    keep_first(study.task)
    store_design(study, design)
    version = keep_version(study.task, kind=kind, user=user, detail=detail, note=note, design=design)
    forget_looked_at(study, f"design:{study.task.name}")
    counts = f"{len(design.items)} items, {len(design.conditions)} conditions, {len(design.lists)} lists"
    counts += f"; {replaced} items before" if replaced else ""
    counts += f"; version {version.number}" if version else ""
    if kind == Kind.BACK:
        record(study, action="materials restored", user=user, detail=f"version {detail} again: {counts}")
    else:
        record(study, action="materials replaced" if replaced else "materials stored", user=user, detail=counts)


@transaction.atomic
def mark_looked_at(study: Study, key: str, user: Any) -> None:
    """Store that somebody looked at what a study began with, such as its consent, and left it so.

    `key` is one of those that its steps name in `StepState.standard`.
    """
    study = locked(study)
    if key not in study.looked_at:
        study.looked_at = {**study.looked_at, key: timezone.now().isoformat(timespec="seconds")}
        study.save(update_fields=["looked_at"])
        step, _colon, task = key.partition(":")
        name = step.rpartition("/")[2]
        record(
            study,
            action="looked at",
            user=user,
            detail=f"{name} ({task})" if study.has_several_tasks and task else name,
        )


def forget_looked_at(study: Study, *beginnings: str) -> None:
    """Ask again for a look at what has changed by itself: all whose keys begin so. The study is locked."""
    left = {key: when for key, when in study.looked_at.items() if not key.startswith(beginnings)}
    if left != study.looked_at:
        study.looked_at = left
        study.save(update_fields=["looked_at"])


def locked(study: Study) -> Study:
    """Return the stored study, locked until the transaction ends, so that two changes cannot conflict.

    It is that of the same task, and said in the same language.
    """
    stored = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
    return stored.seen_through(study.chosen_task).said_in(study.read_in)


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
    mentions: Sequence[str] = (),
) -> StudyText:
    """Add the next version of a text; of instructions, to those of `part` or of the first task."""
    now = current_text(study, kind, part)
    return StudyText.objects.create(
        study=study,
        part=part,
        kind=kind,
        language=study.read_in,
        version=now.version + 1 if now else 1,
        body=body,
        required_boxes=required,
        optional_boxes=optional,
        markup=markup,
        is_default=is_default,
        mentions=list(mentions),
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
        raise LookupError(Sentence("Somebody changed the materials in the meantime."))
    named = set(Item.objects.filter(stimuli__in=list(cells)).values_list("part_id", flat=True))
    changed = [part for part in study.tasks if part.pk in named]
    for part in changed:
        keep_first(part)
    for stimulus in stimuli:
        stimulus.extra = {**stimulus.extra, column: cells[stimulus.pk]}
    Stimulus.objects.bulk_update(stimuli, ["extra"], batch_size=500)
    for part in changed:
        keep_version(part, kind=Kind.COLUMN, user=user, detail=column)
    record(study, action="materials changed", user=user, detail=f"column {column} of {len(stimuli)} texts")
