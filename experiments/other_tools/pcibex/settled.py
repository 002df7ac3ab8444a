"""Settle what is materials and what is the same in all trials of a task: texts, questions, displays, media. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.media_names import is_sound_name
from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.pcibex.tasks import CHOICE, MAZE, RATING, READING, TYPING, Shown, TaskTrial, media_of
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english

LONGEST_QUESTION = 900


@dataclass
class Settled:
    """The trials with their cells, the settings of the task, texts for its instructions, and its media."""

    tasks: list[TaskTrial]
    settings: dict[str, Any]
    instructions: list[str] = field(default_factory=list)
    media: dict[str, bytes] = field(default_factory=dict)


def settled(tasks: Sequence[TaskTrial], project: Project, report: Report) -> Settled:
    """Return a task with what its trials share as settings, and the rest as cells of its materials."""
    return _Settler(list(tasks), project, report).settled()


class _Settler:
    def __init__(self, tasks: list[TaskTrial], project: Project, report: Report) -> None:
        self.tasks, self.project, self.report = tasks, project, report
        main = max(tasks, key=lambda task: sum(other.trial.line == task.trial.line for other in tasks))
        self.found = Settled(tasks, dict(main.settings))
        self.first = main

    def tell(self, outcome: str, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.first.trial.file, line, element, said, advice)

    def settled(self) -> Settled:
        constant = self.constants()
        for task in self.tasks:
            varied = [shown for shown in task.shown if (shown.kind, shown.content) not in constant]
            self.place(task, varied, [shown for shown in task.shown if (shown.kind, shown.content) in constant])
        shared = [one for one in self.first.shown if (one.kind, one.content) in constant]
        self.shared(shared)
        self.pauses()
        return self.found

    def constants(self) -> set[tuple[str, str]]:
        """Return what every trial of a template shows; of trials of their own, what others show as well."""
        sites: dict[int, list[TaskTrial]] = {}
        for task in self.tasks:
            sites.setdefault(task.trial.line, []).append(task)
        found: set[tuple[str, str]] = set()
        for own in sites.values():
            if len(own) < 2:
                continue
            shared = {(one.kind, one.content) for one in own[0].shown}
            for task in own[1:]:
                shared &= {(one.kind, one.content) for one in task.shown}
            found |= shared
        if all(len(own) < 2 for own in sites.values()) and len(self.tasks) > 1:
            shared = {(one.kind, one.content) for one in self.tasks[0].shown}
            for task in self.tasks[1:]:
                shared &= {(one.kind, one.content) for one in task.shown}
            found |= shared
        return found

    # What differs.

    def place(self, task: TaskTrial, varied: list[Shown], constant: list[Shown]) -> None:
        texts: list[Shown] = []
        for shown in varied:
            file = media_of(shown.content) if shown.kind in ("Image", "Audio") or "<" not in shown.content else ""
            if shown.kind in ("Image", "Audio"):
                self.media(task, shown, file)
            elif (said := plain(shown.content)) and said not in (task.cells.get("text"),):
                self.marks(shown)
                texts.append(Shown(shown.kind, said, shown.line, shown.ms))
        for shown in constant:
            if shown.kind in ("Image", "Audio"):
                self.media(task, shown, media_of(shown.content))
        match task.paradigm:
            case "rating":
                self.of_rating(task, texts)
            case "timed-choice":
                self.of_choice(task, texts, constant)
            case "typed-production":
                self.of_typing(task, texts)
            case _ if texts:
                self.tell(
                    NOT_CARRIED, texts[0].line, english("text before the sentence"),
                    english("a context before the text that is read has no place in this paradigm."),
                    english("Put it before the text as a region of its own, marked by |, or use a rating study."),
                )  # fmt: skip

    def marks(self, shown: Shown) -> None:
        if "<" in shown.content and page_of(shown.content).text != plain(shown.content):
            self.tell(
                CHANGED, shown.line, english("marks in texts"),
                english("emphasis, colours and line ends within a text of the materials are left out."),
            )  # fmt: skip

    def media(self, task: TaskTrial, shown: Shown, file: str) -> None:
        column = "audio" if is_sound_name(file) or shown.kind == "Audio" else "image"
        if task.paradigm in (READING, MAZE):
            self.tell(
                NOT_CARRIED, shown.line, f"new{shown.kind}",
                english("this paradigm shows no pictures and plays no sounds."),
                english("Choose timed choice or rating, or leave it out."),
            )  # fmt: skip
            return
        path = self.project.named(shown.content) if shown.content else None
        if path is None or path not in self.project.media:
            self.tell(
                NOT_CARRIED, shown.line, f"new{shown.kind}",
                english("its file is not in the project (AddHost names where such files lie)."),
                english("Add the files to the folder, or upload them under Pictures and sound."),
            )  # fmt: skip
            return
        own = _file_name(path)
        if column in task.cells and task.cells[column] != own:
            self.tell(
                NOT_CARRIED, shown.line, f"new{shown.kind}",
                english("a trial shows one picture and plays one sound; this is a further one."),
                english("Put the pictures into one file, or leave it out."),
            )  # fmt: skip
            return
        task.cells[column] = own
        self.found.media[own] = self.project.media[path]

    def of_rating(self, task: TaskTrial, texts: list[Shown]) -> None:
        if not task.cells.get("text") and texts:
            task.cells["text"] = texts.pop().content
        if texts:
            task.cells["context"] = "\n".join(shown.content for shown in texts)
        if not task.cells.get("text") and not task.cells.get("image") and not task.cells.get("audio"):
            task.cells["text"] = task.trial.label or "…"

    def of_choice(self, task: TaskTrial, texts: list[Shown], constant: list[Shown]) -> None:
        timed = [shown for shown in texts if shown.ms]
        staying = [shown for shown in texts if not shown.ms]
        if not staying and timed:
            target = timed.pop()
            staying = [target]
            self.found.settings["target_ms"] = target.ms
        if timed:
            task.cells["prime"] = timed[-1].content
            self.found.settings["prime_ms"] = timed[-1].ms
            for shown in timed[:-1]:
                self.tell(
                    NOT_CARRIED, shown.line, english("display"),
                    english("one prime comes before the target; this is a further text before it."),
                    english("Put both into one, or leave it out."),
                )  # fmt: skip
        if not task.cells.get("text"):
            task.cells["text"] = " ".join(shown.content for shown in staying)
        else:
            question = " ".join(shown.content for shown in staying)
            task.cells["text"] = f"{task.cells['text']} {question}".strip()
        if not task.cells["text"] and not task.cells.get("image") and not task.cells.get("audio"):
            task.cells["text"] = plain(constant[-1].content) if constant else task.trial.label or "…"

    def of_typing(self, task: TaskTrial, texts: list[Shown]) -> None:
        task.cells["text"] = " ".join(shown.content for shown in texts)
        if "___" in task.cells["text"]:
            self.found.settings["task"] = "completion"
        if not task.cells["text"] and (task.cells.get("image") or task.cells.get("audio")):
            self.found.settings["task"] = "naming"
        elif not task.cells["text"]:
            task.cells["text"] = task.trial.label or "…"

    # What all share.

    def shared(self, shared: list[Shown]) -> None:
        words = [shown for shown in shared if shown.kind in ("Text", "Html") and plain(shown.content)]
        match self.first.paradigm:
            case "rating":
                self.rating_question(words)
            case "timed-choice":
                self.displays(words)
            case "typed-production":
                said = " ".join(plain(shown.content) for shown in words if not shown.ms)
                if said:
                    self.found.settings["prompt"] = said[:500]
            case _ if words:
                self.tell(
                    CHANGED, words[0].line, english("text beside the trials"),
                    english("what stands there in every trial is part of the instructions."),
                )  # fmt: skip
                self.found.instructions += [page_of(shown.content).text for shown in words]
        if self.first.paradigm in (RATING, CHOICE, TYPING):
            scored = any(task.cells.get("correct") for task in self.tasks)
            if self.first.paradigm == CHOICE:
                self.found.settings["scored"] = scored
                if not scored:
                    for task in self.tasks:
                        task.cells.pop("correct", None)

    def rating_question(self, words: list[Shown]) -> None:
        asked = " ".join(plain(shown.content) for shown in words if not shown.ms)[:LONGEST_QUESTION]
        for question in self.found.settings["questions"]:
            labels = [label for label in question["labels"] if label]
            question["text"] = question["text"] or asked or " – ".join(labels[:: max(len(labels) - 1, 1)]) or "?"

    def displays(self, words: list[Shown]) -> None:
        timed = [shown for shown in words if shown.ms]
        if timed:
            self.found.settings |= {"fixation": plain(timed[0].content), "fixation_ms": timed[0].ms}
            self.tell(
                CARRIED, timed[0].line, english("fixation"),
                english("shown for {ms} ms before the target.", ms=timed[0].ms),
            )  # fmt: skip
        if len(timed) > 1:
            mask = timed[1]
            if self.found.settings.get("prime_ms"):
                self.found.settings |= {"forward_mask": plain(mask.content), "forward_mask_ms": mask.ms}
            else:
                self.tell(
                    NOT_CARRIED, mask.line, english("display"),
                    english("a second display before the target is a mask, which needs a prime."),
                    english("Set masks and prime under Procedure."),
                )  # fmt: skip
        staying = [shown for shown in words if not shown.ms]
        staying = [shown for shown in staying if plain(shown.content) not in {t.cells.get("text") for t in self.tasks}]
        if staying:
            self.tell(
                CHANGED, staying[0].line, english("text beside the target"),
                english("what stands there in every trial is part of the instructions."),
            )  # fmt: skip
            self.found.instructions += [page_of(shown.content).text for shown in staying]

    def pauses(self) -> None:
        from experiments.other_tools.pcibex.screens import followed

        for step in followed(self.first.trial, Report()).steps:
            if step.waits.kind == "Timer" and self.found.settings.get("fixation_ms", 0) == 0:
                self.tell(
                    CHANGED,
                    step.line,
                    "newTimer",
                    english("the pause is not kept; the platform has its own intervals."),
                )
            if step.waits.kind in ("Button", "Key") and step.shown and self.first.paradigm in (READING, MAZE):
                self.tell(
                    CHANGED, step.line, f"new{step.waits.kind}",
                    english("people do not press anything between the pieces of a trial; one follows the other."),
                )  # fmt: skip


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]
