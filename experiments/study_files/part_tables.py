"""Read parts and groups of a study file, for studies with more than background questions and one task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.materials.shapes import Design
from experiments.models import Markup, Part, Stimulus, Study
from experiments.models.parts import BACKGROUND, ONLY_TASK
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.procedure.texts import current_text
from experiments.rules.procedure import TASK_KEYS, ProcedureForm, checked
from experiments.rules.shape import minimum_faults, questionnaire_faults
from experiments.sentences import Sentence
from experiments.study_files.parts import (
    Locate,
    checked_form,
    checked_markup,
    checked_questions,
    markup_of,
    nowhere,
    unknown_key_faults,
)

COMMON_KEYS = ("name", "kind", "title", "groups", "order_set", "shown_if")
OF_KIND: Mapping[str, tuple[str, ...]] = {
    Part.Kind.TASK: (
        "paradigm",
        "settings",
        "procedure",
        "materials",
        "factors",
        "text_attributes",
        "reading",
        "instructions",
        "markup",
        "pool",
    ),
    Part.Kind.QUESTIONNAIRE: ("questions", "screening", "attempts"),
    Part.Kind.PAGE: ("body", "markup", "minimum_seconds"),
}
# Reads the design of a part from what its table says of its materials: table, name, paradigm, item sets.
ReadDesign = Callable[[Mapping[str, Any], str, Paradigm, str], tuple[Design | None, list[Fault]]]


@dataclass(frozen=True)
class PartDescription:
    """A part of a study file: its fields as the model has them, and of a task its instructions and design."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    markup: str = Markup.PLAIN
    design: Design | None = None


def has_parts(study: Study) -> bool:
    """Return whether a file of a study has to name its parts: not for background questions and one task."""
    usual = {(BACKGROUND, Part.Kind.QUESTIONNAIRE), (ONLY_TASK, Part.Kind.TASK)}
    plain = all(
        (part.name, part.kind) in usual
        and not (part.title or part.groups or part.order_set or part.pool or part.shown_if)
        and not (part.kind == Part.Kind.QUESTIONNAIRE and part.settings)
        for part in study.ordered_parts
    )
    return bool(study.groups) or not plain or len(study.tasks) != 1 or study.ordered_parts[-1].kind != Part.Kind.TASK


def plain_part(part: Part) -> dict[str, Any]:
    """Return a part as a study file holds it; its materials stand in `materials-<name>.csv`."""
    plain: dict[str, Any] = {"name": part.name, "kind": part.kind}
    always = ("title", "groups", "order_set", "pool", "shown_if")
    plain |= {name: getattr(part, name) for name in always if getattr(part, name)}
    match part.kind:
        case Part.Kind.TASK:
            text = current_text(part.study, "instructions", part)
            plain |= {"paradigm": part.paradigm, "settings": part.settings, "procedure": part.procedure}
            plain |= {"factors": part.factors, **plain_reading(part)}
            if not (text and text.is_default and not part.study.is_frozen):
                # The standard instructions of a draft are left out: they are made again, and follow the task.
                plain |= {"instructions": text.body if text else ""}
                plain |= markup_of(text) if text else {}
        case Part.Kind.QUESTIONNAIRE:
            plain["questions"] = part.questions
            plain |= {name: part.settings[name] for name in ("screening", "attempts") if part.settings.get(name)}
        case _:
            plain |= {"body": part.body, **markup_of(part), **part.settings}
    return plain


def plain_reading(part: Part) -> dict[str, Any]:
    """Return what a study file says of how the table of a task was read; nothing where there is nothing to say."""
    rows = Stimulus.objects.filter(item__part=part).exclude(attributes={}).order_by("item__position", "pk")
    names = dict.fromkeys(name for own in rows.values_list("attributes", flat=True) for name in own)
    said = {"text_attributes": list(names), "reading": part.reading}
    return {name: value for name, value in said.items() if value}


def checked_parts(
    given: Any, *, read_design: ReadDesign, is_complete: bool = True, locate: Locate = nowhere
) -> tuple[list[PartDescription], list[Fault]]:
    """Return the parts of a study file and everything that is wrong with each by itself.

    `is_complete`: settings and procedure get the defaults of what they leave out, as where a person wrote the file.
    """
    if not isinstance(given, list) or not given or not all(isinstance(part, Mapping) for part in given):
        return [], [Fault(line=locate(["parts"]), message=Sentence("'parts' must be tables, such as [[parts]]."))]
    parts, faults = [], []
    for number, part in enumerate(given, start=1):
        described, wrong = _checked(part, number, read_design, is_complete=is_complete, locate=locate)
        parts.append(described)
        name = part.get("name") or number
        faults += [
            replace(fault, message=Sentence("Part '{part}': {said}", part=name, said=fault.message)) for fault in wrong
        ]
    return parts, faults


def _checked(
    given: Mapping[str, Any], number: int, read_design: ReadDesign, *, is_complete: bool, locate: Locate
) -> tuple[PartDescription, list[Fault]]:
    path: list[str | int] = ["parts", number]
    here = locate(path)
    kind = given.get("kind", "task")
    if not isinstance(kind, str) or kind not in OF_KIND:
        known = list(map(str, Part.Kind.values))
        message, suggestion = (
            Sentence("there is no kind '{kind}'.", kind=kind),
            did_you_mean(str(kind), known) or Sentence("Possible keys: {known}.", known=listed(known)),
        )
        return PartDescription(), [Fault(line=locate([*path, "kind"]) or here, message=message, suggestion=suggestion)]
    faults = unknown_key_faults(given, (*COMMON_KEYS, *OF_KIND[kind]), path=path, locate=locate)
    fields: dict[str, Any] = {"kind": kind}
    for name, wanted in {"name": str, "title": str, "order_set": str, "pool": str, "groups": list, "body": str}.items():
        is_right = isinstance(given.get(name), wanted)
        if wanted is list and is_right:
            is_right = all(isinstance(one, str) for one in given[name])
        if name in given and not is_right:
            message = (
                Sentence("'{name}' must be a list of names.", name=name)
                if wanted is list
                else Sentence("'{name}' must be a text.", name=name)
            )
            faults.append(Fault(line=locate([*path, name]) or here, message=message))
        elif name in given:
            fields[name] = given[name]
    if "shown_if" in given:
        # One condition may stand alone, as that of a question does.
        rule = given["shown_if"]
        fields["shown_if"] = [rule] if isinstance(rule, Mapping) else rule
        if not isinstance(fields["shown_if"], list) or not all(isinstance(one, Mapping) for one in fields["shown_if"]):
            message = Sentence("'shown_if' must be conditions, each with a question, an operator and a value.")
            faults.append(Fault(line=locate([*path, "shown_if"]) or here, message=message))
            fields["shown_if"] = []
    if not fields.get("name"):
        faults.append(
            Fault(line=here, message=Sentence("the name is missing."), suggestion=Sentence("Give it a short name."))
        )
    if kind == Part.Kind.QUESTIONNAIRE:
        fields["questions"], wrong = checked_questions(given.get("questions", []), locate=locate)
        fields["settings"] = {name: given[name] for name in ("screening", "attempts") if name in given}
        said = questionnaire_faults(fields["questions"], fields["settings"])
        return PartDescription(fields), [*faults, *wrong, *(replace(fault, line=here) for fault in said)]
    markup, wrong = checked_markup(given, path=path, locate=locate)
    faults += wrong
    if kind == Part.Kind.PAGE:
        settings = {name: given[name] for name in ("minimum_seconds",) if name in given}
        if settings:
            said = minimum_faults(settings)
            faults += [replace(fault, line=locate([*path, "minimum_seconds"]) or here) for fault in said]
        return PartDescription({**fields, "markup": markup, "settings": settings}), faults
    task, faults = _task(given, path, fields, faults, read_design, is_complete=is_complete, locate=locate)
    return replace(task, markup=markup), faults


def _task(
    given: Mapping[str, Any],
    path: list[str | int],
    fields: dict[str, Any],
    faults: list[Fault],
    read_design: ReadDesign,
    *,
    is_complete: bool,
    locate: Locate,
) -> tuple[PartDescription, list[Fault]]:
    tables: dict[str, Mapping[str, Any]] = {}
    for name in ("settings", "procedure", "materials"):
        table = given.get(name, {})
        if not isinstance(table, Mapping):
            faults.append(Fault(line=locate([*path, name]), message=Sentence("'{name}' must be a table.", name=name)))
            table = {}
        tables[name] = table
    instructions = given.get("instructions")
    if instructions is not None and not isinstance(instructions, str):
        faults.append(
            Fault(
                line=locate([*path, "instructions"]), message=Sentence("'{name}' must be a text.", name="instructions")
            )
        )
        instructions = None
    try:
        paradigm = paradigm_named(str(given.get("paradigm", "")))
    except UnknownParadigm as unknown:
        line = locate([*path, "paradigm"]) or locate(path)
        return PartDescription(fields), [*faults, Fault(line=line, message=str(unknown))]
    settings, wrong = checked_form(paradigm.settings_form, tables["settings"], path=[*path, "settings"], locate=locate)
    faults += wrong
    strange = [name for name in tables["procedure"] if name not in TASK_KEYS]
    faults += [
        Fault(
            line=locate([*path, "procedure", name]),
            message=Sentence("'{name}' is not a rule of a task.", name=name),
            suggestion=Sentence(
                "Rules of a task: {known}. The others belong into [procedure] of the study.",
                known=listed(TASK_KEYS, shown=10),
            ),
        )
        for name in strange
    ]
    own = {name: value for name, value in tables["procedure"].items() if name in TASK_KEYS}
    procedure, wrong = checked(ProcedureForm, own)
    faults += [replace(fault, line=locate([*path, "procedure", fault.setting])) for fault in wrong]
    design, wrong = read_design(
        given, str(fields.get("name", "")), paradigm, str(procedure.get("item_sets", "together"))
    )
    faults += wrong
    fields["paradigm"] = paradigm.slug
    fields["settings"] = settings if is_complete else dict(tables["settings"])
    fields["procedure"] = {name: procedure[name] for name in TASK_KEYS if name in procedure} if is_complete else own
    return PartDescription(fields, instructions, design=design), faults
