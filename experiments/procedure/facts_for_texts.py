"""What standard texts say of a study: its parts in their order, with settings, materials and questions; its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from experiments.models import Item, Part, Stimulus, Study
from experiments.models.parts import BACKGROUND
from experiments.paradigms import known_paradigm
from experiments.rules.sources import LINK

LONGEST_EXAMPLE = 200


@dataclass(frozen=True)
class TaskFacts:
    """What standard texts say of a task: its settings, and what its materials hold.

    `pictures`, `sounds`: the materials name some; videos count as pictures. `comprehension`: some texts have a
    question. `example`: a practice text, with the word of its right answer where there is one. `name` is that of the
    part, `seconds` how long it is estimated to take.
    """

    slug: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    pictures: bool = False
    sounds: bool = False
    comprehension: bool = False
    practice: bool = True
    fillers: bool = False
    example: Mapping[str, str] | None = None
    name: str = ""
    seconds: float | None = None

    @property
    def shown(self) -> frozenset[str]:
        """What the materials hold, by the names that paradigms know."""
        return frozenset(name for name in ("pictures", "sounds", "comprehension") if getattr(self, name))


@dataclass(frozen=True)
class QuestionnaireFacts:
    """What standard texts say of a questionnaire: kinds of its questions, its title, whether it is the background."""

    kinds: Sequence[str]
    title: str = ""
    is_background: bool = False
    name: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class StudyFacts:
    """What standard texts say of a study.

    `parts` has its tasks and questionnaires in their order; pages declare nothing. `sources` are the kinds of its
    sources that name people by an id. `not_all`: some people do not have some of the parts; `orders`: parts change
    places.
    """

    parts: Sequence[TaskFacts | QuestionnaireFacts]
    sources: Sequence[str] = ()
    not_all: bool = False
    orders: bool = False

    @property
    def tasks(self) -> list[TaskFacts]:
        """The parts that are tasks."""
        return [part for part in self.parts if isinstance(part, TaskFacts)]


def facts_of_task(part: Part) -> TaskFacts:
    """Return what the standard texts say of a task as it is now."""
    paradigm = known_paradigm(part.paradigm)
    stimuli = Stimulus.objects.filter(item__part=part)
    kinds = {kind for column, kind in (paradigm.media_columns if paradigm else {}).items() if _filled(stimuli, column)}
    kinds |= {kind for name, kind in (paradigm.media_settings if paradigm else {}).items() if part.settings.get(name)}
    items = Item.objects.filter(part=part)
    has_items = items.exists()
    return TaskFacts(
        slug=part.paradigm,
        settings=part.settings,
        pictures=bool(kinds & {"image", "video"}),
        sounds="audio" in kinds,
        comprehension=_filled(stimuli, "question"),
        practice=not has_items or items.filter(is_practice=True).exists(),
        fillers=items.filter(is_filler=True).exists(),
        example=_example(stimuli),
        name=part.name,
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
    """Return what the standard texts say of a study as it is now; one without tasks counts as one of its paradigm."""
    told = [part for part in study.ordered_parts if part.kind == Part.Kind.TASK or part.questions]
    parts = [facts_of_task(part) if part.kind == Part.Kind.TASK else _facts_of_questionnaire(part) for part in told]
    if not study.tasks:
        parts.append(TaskFacts(study.paradigm))
    return StudyFacts(
        parts=parts,
        # A link without parameters tells nobody's id.
        sources=[str(source["kind"]) for source in study.sources if source["kind"] != LINK or source.get("parameters")],
        not_all=any(part.groups or part.shown_if for part in told),
        orders=any(part.order_set for part in told),
    )


def with_seconds(facts: StudyFacts, study: Study) -> StudyFacts:
    """Return what is said of a study together with how long each part is estimated to take.

    Without it where there is one part, where a part has no estimate yet, and where the study states minutes that are
    less than half or more than twice the estimate: what people read would not fit together.
    """
    if len(facts.parts) < 2:
        return facts
    seconds, minutes = import_string(settings.ESTIMATED_SECONDS)(study)
    stated = study.estimated_minutes or minutes
    if minutes is None or not minutes / 2 <= stated <= minutes * 2:
        return facts
    return replace(facts, parts=[replace(part, seconds=seconds.get(part.name)) for part in facts.parts])


def _facts_of_questionnaire(part: Part) -> QuestionnaireFacts:
    kinds = list(dict.fromkeys(str(question["kind"]) for question in part.questions))
    return QuestionnaireFacts(kinds, part.title, part.name == BACKGROUND, part.name)
