"""Texts with which a study begins: made from its tasks, their settings, materials and questions, in its language.

`experiments/examples/defaults/<language>/` has what every study says (`study.toml`) and what each paradigm says of
itself (`<paradigm>.toml`), in the template language of Django. A paradigm without a file uses `other.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.template import Context, Engine, Template

from experiments.languages import language_of_texts
from experiments.models import Item, Part, Stimulus, Study
from experiments.paradigms import known_paradigm
from experiments.procedure.markdown import escaped

DEFAULTS = Path(__file__).resolve().parents[1] / "examples" / "defaults"
OTHER = "other"
# What a paradigm's file says of itself; `instructions` are a text of their own.
SAID = ("purpose", "opening", "doing", "then", "ask", "stored", "thanks", "about")
LONGEST_EXAMPLE = 200


@dataclass(frozen=True)
class TaskFacts:
    """What default texts say of a task: its settings, and what its materials hold.

    `pictures`, `sounds`: the materials name some. `comprehension`: some texts have a question. `example`: a practice
    text, with the word of its right answer where there is one.
    """

    slug: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    pictures: bool = False
    sounds: bool = False
    comprehension: bool = False
    practice: bool = True
    fillers: bool = False
    example: Mapping[str, str] | None = None


@dataclass(frozen=True)
class StudyFacts:
    """What default texts say of a study: its tasks, and whether it asks about the participant."""

    tasks: Sequence[TaskFacts]
    background: bool = False


def facts_of_task(part: Part) -> TaskFacts:
    """Return what the default texts say of a task as it is now."""
    paradigm = known_paradigm(part.paradigm)
    stimuli = Stimulus.objects.filter(item__part=part)
    kinds = {kind for column, kind in (paradigm.media_columns if paradigm else {}).items() if _filled(stimuli, column)}
    kinds |= {kind for name, kind in (paradigm.media_settings if paradigm else {}).items() if part.settings.get(name)}
    items = Item.objects.filter(part=part)
    has_items = items.exists()
    return TaskFacts(
        slug=part.paradigm,
        settings=part.settings,
        pictures="image" in kinds,
        sounds="audio" in kinds,
        comprehension=_filled(stimuli, "question"),
        practice=not has_items or items.filter(is_practice=True).exists(),
        fillers=items.filter(is_filler=True).exists(),
        example=_example(stimuli),
    )


def _filled(stimuli: Any, column: str) -> bool:
    return bool(stimuli.filter(extra__has_key=column).exclude(**{f"extra__{column}": ""}).exists())


def _example(stimuli: Any) -> dict[str, str] | None:
    """Return the first practice text that reads well as a quotation, with the name of its right answer."""
    for stimulus in stimuli.filter(item__is_practice=True).order_by("item__position")[:10]:
        text = stimulus.text.strip()
        if text and len(text) <= LONGEST_EXAMPLE and not set(text) & set("{}\n"):
            return {"text": text, "answer": str(stimulus.extra.get("correct", "") or "").strip()}
    return None


def facts_of_study(study: Study) -> StudyFacts:
    """Return what the default texts say of a study as it is now."""
    return StudyFacts(
        tasks=[facts_of_task(task) for task in study.tasks] or [TaskFacts(study.paradigm)],
        background=any(part.questions for part in study.ordered_parts),
    )


def default_body(
    kind: str, *, paradigm: str, language: str, facts: StudyFacts | None = None, task: TaskFacts | None = None
) -> str:
    """Return a text with which a study begins, placeholders such as {title} included.

    Without `facts` and `task`, the text of a study of one task with the default settings of `paradigm`. `task` is the
    one whose instructions are asked for. A language without texts uses the English ones.

    Raises LookupError for a kind that has no text.

    >>> "how natural each one sounds" in default_body("welcome", paradigm="magnitude-estimation", language="en")
    True
    """
    language = language_of_texts(language)
    facts = facts or StudyFacts([task or TaskFacts(paradigm)])
    if kind == "instructions":
        task = task or facts.tasks[0]
        template = _own(language, task.slug)["instructions"]
        return _made(template, _context(task, language))
    template = _file(language, "study").get(kind)
    if not isinstance(template, str):
        raise LookupError(f"There is no default text '{kind}' in the language '{language}'.")
    contexts = [_context(each, language) for each in facts.tasks]
    tasks = [
        {name: _made(_own(language, each.slug)[name], context) for name in SAID}
        for each, context in zip(facts.tasks, contexts, strict=True)
    ]
    whole = {
        "tasks": _each_once(tasks),
        "task": tasks[0],
        "several": len(tasks) > 1,
        "background": facts.background,
        "practice": any(each.practice for each in facts.tasks),
        "fillers": any(each.fillers for each in facts.tasks),
    }
    return _made(template, whole)


def _each_once(tasks: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return the tasks without those that say the same as an earlier one."""
    return [task for place, task in enumerate(tasks) if task not in tasks[:place]]


def default_required_boxes(language: str) -> list[str]:
    """Return the statements of a consent that must be ticked."""
    return list(_file(language_of_texts(language), "study")["required_boxes"])


def words_of_texts(language: str) -> Mapping[str, Any]:
    """Return the words by which an edited text is held against the settings: lists by name, and names of keys."""
    whole = _file(language_of_texts(language), "study")
    return {**whole["said"], "names_of_keys": whole["keys"]}


@cache
def _file(language: str, name: str) -> dict[str, Any]:
    return tomllib.loads((DEFAULTS / language / f"{name}.toml").read_text(encoding="utf-8"))


def _own(language: str, slug: str) -> dict[str, Any]:
    return _file(language, slug if (DEFAULTS / language / f"{slug}.toml").is_file() else OTHER)


@cache
def _template(text: str) -> Template:
    return Template(text, engine=Engine(autoescape=False))


def _made(template: str, context: Mapping[str, Any]) -> str:
    """Render a template; of blank lines in a row one stays."""
    return re.sub(r"\n[ \t]*\n[\s]*\n", "\n\n", _template(template).render(Context(dict(context)))).strip()


def _context(task: TaskFacts, language: str) -> dict[str, Any]:
    names = _file(language, "study")["keys"]
    paradigm = known_paradigm(task.slug)
    settings = paradigm.complete_settings(task.settings) if paradigm else dict(task.settings)
    said = paradigm.facts_for_texts(settings, lambda key: str(names.get(key, key.upper()))) if paradigm else {}
    example = dict(task.example) if task.example else None
    if example:
        label = {answer["name"]: answer["label"] for answer in said.get("answers", ())}
        example = {"text": escaped(example["text"]), "answer": escaped(label.get(example["answer"], ""))}
    return {
        "settings": {name: escaped(value) if isinstance(value, str) else value for name, value in settings.items()},
        "pictures": task.pictures,
        "sounds": task.sounds,
        "comprehension": task.comprehension,
        "practice": task.practice,
        "breaks": bool(settings.get("break_every")),
        "example": example,
        **_escaped(said),
    }


def _escaped(said: Any) -> Any:
    """Return facts with the researcher's own words safe in Markdown."""
    match said:
        case str():
            return escaped(said)
        case Mapping():
            return {name: _escaped(value) for name, value in said.items()}
        case list() | tuple():
            return [_escaped(value) for value in said]
    return said
