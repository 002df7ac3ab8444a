"""Settle what is materials and what is the same in all trials of a task: texts, questions, displays, media. Pure."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.formats.media_names import is_sound_name
from experiments.materials.other_tools.items import is_practice
from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.pcibex.answers import answer_names, media_of, practises, written_answers
from experiments.other_tools.pcibex.tasks import CHOICE, MAZE, RATING, READING, TYPING, Shown, TaskTrial
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
        self.answers()
        self.rated()
        constant = self.constants()
        for task in self.tasks:
            varied = [shown for shown in task.shown if (shown.kind, shown.content) not in constant]
            self.place(task, varied, [shown for shown in task.shown if (shown.kind, shown.content) in constant])
        shared = [one for one in self.first.shown if (one.kind, one.content) in constant]
        self.shared(shared)
        self.questions()
        if self.first.paradigm == CHOICE:
            self.feedback(self.first.trial.line)
        self.pauses()
        return self.found

    def questions(self) -> None:
        """Say how the questions about texts are answered: by which keys, and in which order the choices stand."""
        asked = [task.question for task in self.tasks if task.question is not None]
        if not asked:
            return
        ways = Counter((one.fixed, tuple(one.keys)) for one in asked)
        (fixed, keys), _number = ways.most_common(1)[0]
        line = next(task.trial.line for task in self.tasks if task.question is not None)
        if self.first.paradigm == READING:
            self.found.settings["question_order"] = "fixed" if fixed else "random"
            if keys and all(len(key) == 1 and key.isalnum() for key in keys):
                self.found.settings["question_keys"] = " ".join(keys)
        elif fixed:
            self.tell(
                CHANGED, line, english("question after the text"),
                english("choices come in random order, and are answered by digits or clicks."),
            )  # fmt: skip
        if len(ways) > 1:
            self.tell(
                CHANGED, line, english("question after the text"),
                english("keys and order of the choices are the same for all questions: those of most of them."),
            )  # fmt: skip
        self.feedback(line)

    def feedback(self, line: int) -> None:
        """Say whether people are told if they were right: after choices in all trials, after questions in practice."""
        told = [task for task in self.tasks if task.feedback]
        if self.first.paradigm == CHOICE:
            if told and not self.found.settings["scored"]:
                self.tell(
                    NOT_CARRIED, line, english("feedback"),
                    english("people are told something after an answer, and which answer is right is not known."),
                    english("Say it in the column correct, and switch feedback on under Procedure."),
                )  # fmt: skip
                return
            self.found.settings["feedback_in_practice"] = any(practises(task.trial) for task in told)
            self.found.settings["feedback_in_main"] = any(not practises(task.trial) for task in told)
            if told:
                self.tell(
                    CHANGED, line, english("feedback"),
                    english("after each answer the platform says in its own words whether it was right."),
                )  # fmt: skip
            return
        if told and self.first.paradigm == READING:
            self.found.settings["question_feedback_in_practice"] = True
        if told and self.first.paradigm == READING:
            self.tell(
                CHANGED, line, english("feedback"),
                english("after each question in practice the platform says in its own words whether it was right."),
            )  # fmt: skip
        if any(not practises(task.trial) for task in told) or (told and self.first.paradigm == MAZE):
            self.tell(
                NOT_CARRIED, line, english("feedback"),
                english("people are told after questions whether they were right in practice alone."),
                english("Do without it, or keep the study where it is."),
            )  # fmt: skip

    def answers(self) -> None:
        """Name the answers once where rows have words of their own for them, which `answer_labels` then says."""
        choices = [task for task in self.tasks if task.answers]
        if len({tuple(task.answers) for task in choices}) < 2:
            return
        names = [f"answer {place}" for place in range(1, len(choices[0].answers) + 1)]
        self.found.settings["answers"] = written_answers(names, choices[0].keys)
        for task in choices:
            labels = answer_names(task.answers)
            task.cells["answer_labels"] = " | ".join(labels)
            right = task.cells.get("correct", "")
            task.cells["correct"] = names[task.answers.index(right)] if right in task.answers else ""
        self.tell(
            CARRIED, choices[0].trial.line, english("answers"),
            english("each row has words of its own, in the column answer_labels."),
        )  # fmt: skip

    def rated(self) -> None:
        """Put questions that differ between texts into the texts; name points that are called differently."""
        if self.first.paradigm != RATING:
            return
        asked = [[question["text"] for question in task.settings["questions"]] for task in self.tasks]
        if len({tuple(own) for own in asked}) > 1:
            for task, own in zip(self.tasks, asked, strict=True):
                if task.cells.get("text"):
                    task.cells["context"] = task.cells["text"]
                task.cells["text"] = " ".join(own)
            self.found.settings["questions"] = [{**one, "text": ""} for one in self.found.settings["questions"]]
        labels = {json.dumps([[label.strip(" ()") for label in one["labels"]] for one in task.settings["questions"]])
                  for task in self.tasks}  # fmt: skip
        if len(labels) > 1:
            self.tell(
                NOT_CARRIED, self.first.trial.line, english("labels"),
                english("the points of the scale are called differently in some trials; here they have one name."),
                english("Make the trials with other names a part of their own."),
            )  # fmt: skip

    def nothing(self, task: TaskTrial) -> str:
        """Return what a trial shows in which no text was found, and say so."""
        self.tell(
            NOT_CARRIED, task.trial.line, english("trial {label}", label=task.trial.label or "…"),
            english("it shows neither a text nor a file that could be read."),
            english("Write its text into the materials."),
        )  # fmt: skip
        return task.trial.label or "…"

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
                texts.append(replace(shown, content=said))
        for shown in constant:
            if shown.kind in ("Image", "Audio"):
                self.media(task, shown, media_of(shown.content))
            elif task.paradigm == RATING and not shown.stays and (said := plain(shown.content)):
                texts.insert(0, replace(shown, content=said))
        match task.paradigm:
            case "rating":
                self.of_rating(task, texts)
            case "timed-choice":
                self.of_choice(task, texts, constant)
            case "typed-production":
                self.of_typing(task, texts, constant)
            case _ if texts and all(is_practice(one.content) and len(one.content.split()) < 4 for one in texts):
                self.tell(
                    CHANGED, texts[0].line, english("text beside the sentence"),
                    english("that it is practice is said before the practice, not beside each text."),
                )  # fmt: skip
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
        if not shown.stays:
            self.earlier(task, shown, own, self.project.media[path])
            return
        if column in task.cells and task.cells[column] != own:
            self.tell(
                NOT_CARRIED, shown.line, f"new{shown.kind}",
                english("a trial shows one picture and plays one sound; this is a further one."),
                english("Put the pictures into one file, or leave it out."),
            )  # fmt: skip
            return
        task.cells[column] = own
        self.found.media[own] = self.project.media[path]

    def earlier(self, task: TaskTrial, shown: Shown, file: str, data: bytes) -> None:
        """Take a picture or sound that is over when the target comes: the prime of a timed choice."""
        if task.paradigm != CHOICE or "prime" in task.cells:
            self.tell(
                NOT_CARRIED, shown.line, f"new{shown.kind}",
                english("it is over before the text comes, and a trial here has one display before another."),
                english("Show it together with the text, or use a timed choice with a prime."),
            )  # fmt: skip
            return
        task.cells["prime"] = file
        if shown.kind == "Image" and not shown.ms:
            self.tell(
                NOT_CARRIED, shown.line, "newImage",
                english("people go on from it themselves; a prime is shown for a fixed time."),
                english("Say its time under Procedure."),
            )  # fmt: skip
        if shown.ms:
            task.cells["prime_ms"] = str(shown.ms)
        self.found.media[file] = data

    def of_rating(self, task: TaskTrial, texts: list[Shown]) -> None:
        if not task.cells.get("text") and texts:
            task.cells["text"] = texts.pop().content
        if gone := [shown for shown in texts if not shown.stays]:
            self.tell(
                CHANGED, gone[0].line, english("text before the text"),
                english("it is gone there when the text comes; here it stands above the text while people judge."),
            )  # fmt: skip
        if texts:
            task.cells["context"] = "\n".join(shown.content for shown in texts)
        if not task.cells.get("text") and not task.cells.get("image") and not task.cells.get("audio"):
            task.cells["text"] = self.nothing(task)

    def of_choice(self, task: TaskTrial, texts: list[Shown], constant: list[Shown]) -> None:
        timed = [shown for shown in texts if shown.ms]
        staying = [shown for shown in texts if not shown.ms]
        read = [shown for shown in staying if not shown.stays]
        if read:
            self.tell(
                NOT_CARRIED, read[0].line, english("text before the target"),
                english("people read it and go on themselves before the target comes; here both are shown together."),
                english("Give it a time and show it as the prime, or use self-paced reading with a question."),
            )  # fmt: skip
        has_file = any(task.cells.get(name) for name in ("image", "audio"))
        if not staying and timed and not has_file:
            target = timed.pop()
            staying = [target]
            self.found.settings["target_ms"] = target.ms
        if timed and "prime" not in task.cells:
            task.cells["prime"] = timed[-1].content
            task.cells["prime_ms"] = str(timed.pop().ms)
        if timed:
            for shown in timed:
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
            task.cells["text"] = plain(constant[-1].content) if constant else self.nothing(task)

    def of_typing(self, task: TaskTrial, texts: list[Shown], constant: list[Shown]) -> None:
        task.cells["text"] = " ".join(shown.content for shown in texts)
        if "___" in task.cells["text"]:
            self.found.settings["task"] = "completion"
        if not task.cells["text"] and (task.cells.get("image") or task.cells.get("audio")):
            self.found.settings["task"] = "naming"
        elif not task.cells["text"] and not constant:
            task.cells["text"] = self.nothing(task)
        elif not task.cells["text"]:
            task.cells["text"] = plain(constant[-1].content) or "…"

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
        said = [plain(shown.content) for shown in words if shown.stays]
        asked = " ".join(one for one in said if re.search(r"[^\W\d_]", one))[:LONGEST_QUESTION]
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
            if any(task.cells.get("prime_ms") for task in self.tasks):
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
