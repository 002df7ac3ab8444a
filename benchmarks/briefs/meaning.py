"""What a study means, as values that can be compared: designs, numbers, settings, questions, in no words of its author.

Names of items, factors, levels, questions and parts are free, so they are not looked at. Tasks of a study are compared
in the order of those of the right study: by their paradigms, and by their places where these are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.materials.lists import with_lists
from experiments.materials.shapes import Design, DesignItem, DesignStimulus
from experiments.models import Part
from experiments.paradigms import paradigm_named
from experiments.rules.procedure import ProcedureForm
from experiments.study_files import StudyDescription

Meaning = dict[str, Any]


def meaning_of(described: StudyDescription, tasks_like: Sequence[str] = ()) -> Meaning:
    """Return the facts of a study by their keys; `tasks_like` are the paradigms of the right study, in their order."""
    found: Meaning = {
        "language": described.fields.get("language", "en"),
        "languages": sorted(described.languages),
        "quota": described.fields.get("quota"),
        "minutes": described.fields.get("estimated_minutes"),
        "consent.required": 0,
        "consent.optional": 0,
        "sources": sorted(str(source["kind"]) for source in described.sources),
        "criteria": sorted(int(criterion["quota"]) for criterion in described.criteria),
        "order.supervised": bool(described.procedure.get("supervised")),
        "order.resume": described.procedure.get("resume", "continue"),
        **_of_plan(described.plan),
        **_of_groups(described),
    }
    if (consent := described.texts.get("consent")) is not None:
        found |= {"consent.required": len(consent.required), "consent.optional": len(consent.optional)}
    questions = [*described.questions]
    tasks: list[Meaning] = []
    if described.parts:
        for part in described.parts:
            if part.fields["kind"] == Part.Kind.QUESTIONNAIRE:
                questions += part.fields["questions"]
            elif part.fields["kind"] == Part.Kind.TASK:
                tasks.append(_of_task(part.fields, part.fields, part.design))
    else:
        fields = {"settings": described.settings, "procedure": described.procedure}
        tasks.append(_of_task({**fields, "paradigm": described.fields["paradigm"]}, fields, described.design))
    found |= _of_questions(questions)
    found |= _of_parts(described)
    found["tasks"] = len(tasks)
    for number, task in enumerate(_aligned(tasks, tasks_like), start=1):
        found |= {f"{'task' if number == 1 else f'task{number}'}.{name}": value for name, value in task.items()}
    return found


def paradigms_of(described: StudyDescription) -> list[str]:
    """Return the paradigms of the tasks of a study, in their order."""
    if described.parts:
        return [part.fields["paradigm"] for part in described.parts if part.fields["kind"] == Part.Kind.TASK]
    return [described.fields["paradigm"]]


def _aligned(tasks: Sequence[Meaning], like: Sequence[str]) -> list[Meaning]:
    left, placed = [*tasks], []
    for paradigm in like:
        found = next((task for task in left if task["paradigm"] == paradigm), None)
        if found is not None:
            left.remove(found)
        placed.append(found)
    # What is of no paradigm of the right study takes the places that are left.
    filled = [task if task is not None else left.pop(0) if left else {} for task in placed]
    return [*filled, *left]


def _of_plan(plan: Mapping[str, Any]) -> Meaning:
    rules = plan.get("exclusion_rules", ())
    found: Meaning = {
        "exclusions": sorted(rule["rule"] for rule in rules),
        "analyses": sorted(one["method"] for one in plan.get("analyses", ())),
    }
    for rule in rules:
        limits = {name: value for name, value in rule.items() if name not in ("rule", "part", "question")}
        found |= {f"exclusion.{rule['rule']}.{name}": value for name, value in limits.items()}
    return found


def _of_groups(described: StudyDescription) -> Meaning:
    return {
        "groups": len(described.groups),
        "groups.weights": sorted(int(group.get("weight") or 1) for group in described.groups),
        "groups.quotas": sorted(int(group["quota"]) for group in described.groups if group.get("quota")),
    }


def _of_parts(described: StudyDescription) -> Meaning:
    parts = [part.fields for part in described.parts]
    sets = Counter(part["order_set"] for part in parts if part.get("order_set"))
    screening = [rule for part in parts for rule in part.get("settings", {}).get("screening", ())]
    attempts = [part["settings"].get("attempts", 1) for part in parts if part["kind"] == Part.Kind.QUESTIONNAIRE]
    waits = [part["settings"].get("minimum_seconds", 0) for part in parts if part["kind"] == Part.Kind.PAGE]
    return {
        "parts": [str(part["kind"]) for part in parts],
        "parts.pages": sum(part["kind"] == Part.Kind.PAGE for part in parts),
        "parts.counterbalanced": sorted(sets.values()),
        "parts.for_some": sum(bool(part.get("shown_if")) for part in parts),
        "parts.for_groups": sum(bool(part.get("groups")) for part in parts),
        "parts.waits": sorted(wait for wait in waits if wait),
        "screening": sorted(str(rule.get("outcome")) for rule in screening),
        # What a choice is called is free; numbers are not.
        "screening.values": sorted(rule["value"] for rule in screening if isinstance(rule.get("value"), int | float)),
        "screening.attempts": max(attempts, default=1),
    }


def _of_questions(questions: Sequence[Mapping[str, Any]]) -> Meaning:
    asked = [question for question in questions if question["kind"] != "information"]
    items = [item for question in asked for item in question.get("items", ())]
    scales = {(question["score"]["scale"], question["score"]["how"]) for question in asked if question.get("score")}
    numbers = [question for question in asked if question["kind"] == "number"]
    return {
        "questions": len(asked),
        "questions.kinds": sorted(str(question["kind"]) for question in asked),
        "questions.required": sum(bool(question.get("required")) for question in asked),
        "questions.checks": sum("expected" in one for one in (*asked, *items)),
        "questions.points": sorted(question["points"] for question in asked if question.get("points")),
        "questions.choices": sorted(len(question["choices"]) for question in asked if question.get("choices")),
        "questions.items": sum("expected" not in item for item in items),
        "questions.reversed": sum(bool(item.get("reverse")) for item in items),
        "questions.scales": sorted(how for _scale, how in scales),
        "questions.minimum": sorted(question["minimum"] for question in numbers if "minimum" in question),
        "questions.maximum": sorted(question["maximum"] for question in numbers if "maximum" in question),
        "questions.for_some": sum(bool(question.get("shown_if")) for question in asked),
    }


def _of_task(fields: Mapping[str, Any], said: Mapping[str, Any], design: Design | None) -> Meaning:
    paradigm = paradigm_named(fields["paradigm"])
    settings = dict(paradigm.complete_settings(said.get("settings", {})))
    procedure = {name: field.initial for name, field in ProcedureForm.base_fields.items()} | dict(said["procedure"])
    found: Meaning = {"paradigm": paradigm.slug, "for_groups": len(fields.get("groups", ()))}
    found |= {f"set.{name}": value for name, value in settings.items() if isinstance(value, str | int | float | bool)}
    found |= {f"order.{name}": value for name, value in procedure.items() if isinstance(value, str | int | bool)}
    for name in ("block_by", "chain_by", "repetitions_by", "fixed_by"):
        # The name of a column is free: that there is one counts.
        found[f"order.{name}"] = bool(procedure.get(name))
    if answers := settings.get("answers"):
        keys = [line.partition("|")[2].strip() for line in str(answers).splitlines() if line.strip()]
        found |= {"keys": sorted(keys), "answers": len(keys)}
    if keys_of_choices := settings.get("question_keys"):
        found["set.question_keys"] = sorted(str(keys_of_choices).split())
    if signal := settings.get("signal"):
        found["set.signal"] = bool(signal)
    rated = settings.get("questions") if isinstance(settings.get("questions"), list) else settings.get("ratings")
    if isinstance(rated, list):
        found |= {
            "ratings": len(rated),
            "ratings.kinds": sorted(str(one["kind"]) for one in rated),
            "ratings.points": sorted(one["points"] for one in rated if one["kind"] == "scale"),
            "ratings.categories": sum(len(one.get("categories", ())) for one in rated),
        }
    if design is not None:
        found |= _of_design(with_lists(design, procedure, paradigm=paradigm.slug, settings=settings))
    return found


def _of_design(design: Design) -> Meaning:
    targets = [item for item in design.items if item.is_target]
    per_item = sorted({len(item.stimuli) for item in targets})
    levels: dict[str, set[str]] = {}
    for condition in design.conditions:
        for name, level in condition.levels.items():
            levels.setdefault(name, set()).add(level)
    texts = [(item, text) for item in design.items for text in item.stimuli]
    return {
        "factors": sorted(len(found) for found in levels.values()),
        "conditions": len(design.conditions),
        "items": len(targets),
        "items.sets": len(design.item_sets),
        "items.texts": per_item,
        "fillers": sum(item.is_filler for item in design.items),
        "practice": sum(item.is_practice for item in design.items),
        "lists": len(design.lists),
        "items.asked": sum(any(text.extra.get("question") for text in item.stimuli) for item in targets),
        "fillers.attention": sum(item.is_filler and bool(_cell(item, text, "attention")) for item, text in texts),
    }


def _cell(item: DesignItem, text: DesignStimulus, name: str) -> Any:
    return text.extra.get(name) or text.attributes.get(name) or item.attributes.get(name)
