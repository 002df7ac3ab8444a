"""Access a study as a single task: read and write the attributes of its parts on the study itself.

Most studies have one task, perhaps with background questions before it. Code for such a study need not know about
parts: the study's paradigm is that of its first task, its questions are those of `background`. Code that handles every
part reads `ordered_parts`.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from django.db import models, transaction

from experiments.models.parts import BACKGROUND, ONLY_TASK, QUESTIONNAIRE, TASK, Part
from experiments.rules.procedure import DEFAULT_PROCEDURE, TASK_KEYS

_OF_PARTS = frozenset({"paradigm", "settings", "factors", "questions", "procedure"})


class SlugOfTask(str):
    """The slug of a study together with the chosen task, for URLs."""

    __slots__ = ("task",)
    task: str

    def __new__(cls, slug: str, task: str = "") -> Self:
        made = super().__new__(cls, slug)
        made.task = task
        return made

    def __str__(self) -> str:
        return str.__str__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.task)


class OfOneTask(models.Model):
    """Mixin that reads and writes the parts of a study; changes to them are stored with the study."""

    class Meta:
        abstract = True

    conduct: Any

    def save(self, *args: Any, **kwargs: Any) -> None:
        fields = kwargs.get("update_fields")
        if fields is not None:
            own = [name for name in fields if name not in _OF_PARTS]
            kwargs["update_fields"] = [*own, "conduct"] if "procedure" in fields else own
        with transaction.atomic():
            super().save(*args, **kwargs)
            if fields is None or _OF_PARTS & set(fields):
                self._save_parts()

    @property
    def ordered_parts(self) -> list[Part]:
        """The parts in their order, cached on this object."""
        parts: list[Part] | None = self.__dict__.get("_parts")
        if parts is None:
            rows = [] if self._state.adding else self.parts.order_by("position", "pk")  # type: ignore[attr-defined]
            parts = self.__dict__["_parts"] = [self._as_said(part) for part in rows]
        return parts

    @ordered_parts.setter
    def ordered_parts(self, parts: list[Part]) -> None:
        for part in parts:
            part.study = self  # type: ignore[assignment]
        self.__dict__["_parts"] = [self._as_said(part) for part in parts]

    def _as_said(self, part: Part) -> Part:
        """Return a part as this object says it."""
        return part

    @property
    def tasks(self) -> list[Part]:
        """The parts that are tasks, in their order."""
        return [part for part in self.ordered_parts if part.kind == TASK]

    @property
    def task(self) -> Part:
        """The current task: the first one, unless another, or a pool of tasks, was chosen with `seen_through`.

        Of a pool it is the first of its tasks; an unsaved task without a paradigm if the study has none.
        """
        return next(iter(self.seen_tasks), None) or self._made(name=ONLY_TASK, kind=TASK)

    @property
    def seen_tasks(self) -> list[Part]:
        """The tasks whose data this object shows: all of them, those of the chosen pool, or the chosen one."""
        tasks = self.tasks
        if not self.chosen_task:
            return tasks
        chosen = [part for part in tasks if part.name == self.chosen_task]
        return chosen or self.pools.get(self.chosen_task) or tasks[:1]

    @property
    def current_tasks(self) -> list[Part]:
        """The tasks of the chosen pool, otherwise the current task alone."""
        return self.seen_tasks if self.chosen_task else [self.task]

    @property
    def shows_several_tasks(self) -> bool:
        """Whether rows of this object's tables come from several tasks: of the whole study, or of a pool."""
        return len(self.seen_tasks) > 1

    @property
    def pools(self) -> dict[str, list[Part]]:
        """The tasks that are one in analyses, by the name of their pool, in their order; pools of one task are none."""
        found: dict[str, list[Part]] = {}
        for part in self.tasks:
            if part.pool:
                found.setdefault(part.pool, []).append(part)
        return {name: tasks for name, tasks in found.items() if len(tasks) > 1}

    def pool_of(self, task: Part) -> str:
        """The name of the pool that a task belongs to; empty where it is analysed alone."""
        return task.pool if task.pool in self.pools else ""

    @property
    def analysed_tasks(self) -> list[str]:
        """What is one task in analyses, in order: names of pools, and of tasks outside any."""
        return list(dict.fromkeys(self.pool_of(task) or task.name for task in self.tasks))

    @property
    def chosen_task(self) -> str:
        """The name of the current task, whose paradigm, settings and items this object has; empty for the first."""
        return str(self.__dict__.get("_chosen_task", ""))

    @property
    def names_of_task(self) -> list[str]:
        """The names under which data of the current task may be stored; for the first task also the empty name."""
        name = self.chosen_task or self.task.name
        return [name, ""] if name in self.analysed_tasks[:1] else [name]

    def seen_through(self, task: str) -> Self:
        """Return the study with this task as the current one."""
        if task == self.chosen_task:
            return self
        seen = copy(self)
        seen.__dict__["_chosen_task"] = task
        slug = str(self.__dict__["slug"])
        seen.__dict__["slug"] = SlugOfTask(slug, task) if task else slug
        seen.__dict__.pop("_parts", None)
        return seen

    @property
    def shown_questions(self) -> list[Any]:
        """The questions of all questionnaires, in their order."""
        return [question for part in self.ordered_parts for question in part.questions]

    @property
    def background(self) -> Part | None:
        """The questionnaire with the background questions, or None."""
        return next((part for part in self.ordered_parts if part.name == BACKGROUND), None)

    @property
    def has_several_tasks(self) -> bool:
        """Whether tables and pages need to name the task."""
        return len(self.tasks) > 1

    @property
    def paradigm(self) -> str:
        """The paradigm of the first task."""
        return self.task.paradigm

    @paradigm.setter
    def paradigm(self, slug: str) -> None:
        self._written_task().paradigm = slug

    @property
    def settings(self) -> Any:
        """The settings of the first task."""
        return self.task.settings

    @settings.setter
    def settings(self, settings: dict[str, Any]) -> None:
        self._written_task().settings = settings

    @property
    def factors(self) -> Any:
        """The factors of the first task, with their levels."""
        return self.task.factors

    @factors.setter
    def factors(self, factors: list[dict[str, Any]]) -> None:
        self._written_task().factors = factors

    @property
    def procedure(self) -> dict[str, Any]:
        """How sessions are conducted, including order and lists of the first task. A new object at each access."""
        both = {**self.conduct, **self.task.procedure}
        known = {name: both[name] for name in DEFAULT_PROCEDURE if name in both}
        return {**known, **{name: value for name, value in both.items() if name not in known}}

    @procedure.setter
    def procedure(self, procedure: dict[str, Any]) -> None:
        task = {name: value for name, value in procedure.items() if name in TASK_KEYS}
        self.conduct = {name: value for name, value in procedure.items() if name not in TASK_KEYS}
        # A new task starts with the defaults, so that unspecified values need not be stored.
        if task or self.tasks:
            self._written_task().procedure = task

    @property
    def questions(self) -> Any:
        """The background questions."""
        return self.background.questions if self.background else []

    @questions.setter
    def questions(self, questions: list[dict[str, Any]]) -> None:
        background = self.background
        if background is not None and questions:
            background.questions = questions
        elif background is not None:
            self.ordered_parts.remove(background)
            self.__dict__.setdefault("_removed", []).append(background)
        elif questions:
            first = next((index for index, part in enumerate(self.ordered_parts) if part.kind == TASK), None)
            made = self._made(name=BACKGROUND, kind=QUESTIONNAIRE, questions=questions)
            self.ordered_parts.insert(len(self.ordered_parts) if first is None else first, made)

    @property
    def items(self) -> Any:
        """The items of the first task."""
        return self._of_task("items")

    @property
    def conditions(self) -> Any:
        """The conditions of the first task."""
        return self._of_task("conditions")

    @property
    def lists(self) -> Any:
        """The lists of the first task."""
        return self._of_task("lists")

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self.__dict__.pop("_parts", None)
        self.__dict__.pop("_removed", None)

    def _save_parts(self) -> None:
        for part in self.__dict__.pop("_removed", []):
            if part.pk is not None:
                part.delete()
        for position, part in enumerate(self.__dict__.get("_parts") or []):
            part.study, part.position = self, position
            part.save()

    def _made(self, **fields: Any) -> Part:
        return Part(study=self, **fields)  # type: ignore[misc]

    def _written_task(self) -> Part:
        if not self.tasks:
            self.ordered_parts.append(self.task)
        return self.task

    def _of_task(self, rows: str) -> Any:
        task: Any = self.task
        field: Any = task._meta.get_field(rows)
        if task.pk is None:
            return field.related_model.objects.none()
        if self.chosen_task and self.shows_several_tasks:
            return field.related_model.objects.filter(part__in=[one.pk for one in self.seen_tasks])
        return getattr(task, rows)


class OfPart(models.Model):
    """A row of a task's design. Given a study instead of a part, it belongs to the study's first task."""

    class Meta:
        abstract = True

    part: Any

    @property
    def study(self) -> Any:
        """The study of the part."""
        return self.part.study

    @study.setter
    def study(self, study: OfOneTask) -> None:
        self.part = study.task
