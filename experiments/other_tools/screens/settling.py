"""Settle what the trials of a task share and what differs by row: texts, displays, files, right answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.text_looks import colour_of
from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.flow import DRAWING, TEXT, Shown
from experiments.other_tools.screens.trials import (
    CHOICE,
    RATING,
    READING,
    TYPING,
    Task,
    colours_of,
    has_marks,
    keys_of,
    label_of,
    marks_of,
    place_of_right,
    words_of,
)

SLOTS = ("fixation", "forward_mask", "prime", "backward_mask")
LONGEST_QUESTION, LONGEST_PROMPT = 900, 300


@dataclass
class Settled:
    """A task with its settings, the cells of its rows in order, texts for its instructions, and paths of its files."""

    settings: dict[str, Any]
    cells: list[dict[str, str]]
    instructions: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


def kind_of(task: Task) -> str:
    """Return what trials have to share to be one task: the paradigm with its answers, questions or fields."""
    settings: dict[str, Any] = {}
    match task.paradigm:
        case "timed-choice":
            settings = {"keys": keys_of(task.settings), "by": task.settings["respond_with"]}
        case "rating":
            settings = {"questions": [(q["kind"], q.get("points"), q["labels"]) for q in task.settings["questions"]]}
        case "typed-production":
            settings = {"fields": task.settings["number_of_fields"]}
        case _:
            settings = dict(task.settings)
    return json.dumps([task.paradigm, settings], sort_keys=True)


def settled(tasks: Sequence[Task], report: Report) -> Settled:
    """Return a task with what its trials share as settings, and the rest as cells."""
    return _Settler(list(tasks), report).settled()


class _Settler:
    def __init__(self, tasks: list[Task], report: Report) -> None:
        self.tasks, self.report, self.first = tasks, report, tasks[0]
        self.found = Settled(dict(self.first.settings), [dict(task.cells) for task in tasks])

    def tell(self, outcome: str, element: str, said: str, advice: str = "") -> None:
        place = self.first.screen.place
        self.report.add(outcome, place.file, place.line, f"{place.name}: {element}", said, advice)

    def settled(self) -> Settled:
        if self.first.paradigm == CHOICE:
            self.targets()
        shared = self.shared_words()
        always = {plain(content) for content in shared}
        for task in self.tasks:
            for display in task.before:
                display.without(always)
        self.texts(shared)
        self.looks()
        self.shared(shared)
        self.files()
        match self.first.paradigm:
            case "timed-choice":
                self.choice()
            case "rating" | "typed-production" | "self-paced-reading":
                self.no_displays()
        self.pauses()
        return self.found

    # Words.

    def targets(self) -> None:
        """Let what goes before the answer be the target, where the screen of the answer shows no more than a prompt."""

        def key(task: Task) -> tuple[Any, ...]:
            return (words_of(task.words), tuple(sorted(task.files.items())), tuple(sorted(task.cells.items())))

        varies = len({key(task) for task in self.tasks}) > 1
        drawn = any(one.kind == DRAWING for task in self.tasks for one in task.screen.shown)
        if varies or drawn or any(not task.before or task.files for task in self.tasks):
            return
        places = [next((n for n in range(len(t.before) - 1, -1, -1) if t.before[n].kind), None) for t in self.tasks]
        if any(place is None for place in places):
            return
        chosen = [task.before[place or 0] for task, place in zip(self.tasks, places, strict=True)]
        if len(self.tasks) > 1 and len({(one.kind, one.content) for one in chosen}) < 2 and self.first.words:
            return
        gone = {sum(one.ms for one in task.before[(place or 0) + 1 :])
                for task, place in zip(self.tasks, places, strict=True)}  # fmt: skip
        prompt = words_of(self.first.words)
        for number, (task, display, place) in enumerate(zip(self.tasks, chosen, places, strict=True)):
            del task.before[place or 0 :]
            task.words = [Shown(TEXT, display.content)] if display.kind == TEXT else []
            if display.kind != TEXT:
                task.words = [Shown(TEXT, piece) for piece in display.pieces]
                task.files = {{"image": "image", "sound": "audio", "video": "video"}[display.kind]: display.content}
            if display.ms and display.kind != "sound":
                self.found.cells[number]["target_ms"] = str(display.ms)
        times = {cells.get("target_ms", "") for cells in self.found.cells}
        if len(times) == 1:
            for cells in self.found.cells:
                cells.pop("target_ms", None)
            self.found.settings["target_ms"] = int(times.pop() or 0)
        self.found.settings["timed_from"] = "end"
        self.found.settings["prompt"] = prompt[:200]
        if gone != {0}:
            self.tell(
                CHANGED, english("time"),
                english("between the end of the target and the answer there is no blank of {ms} ms.",
                        ms=", ".join(str(ms) for ms in sorted(gone))),
            )  # fmt: skip

    def shared_words(self) -> set[str]:
        """Return what every trial shows with its target; nothing where there is one trial, or nothing else."""
        if len(self.tasks) < 2:
            return set()
        same = set.intersection(*(_at_places(task.words) for task in self.tasks))
        shared = {content for _place, content in same}
        alone = all({one.content for one in task.words} == shared and not task.files for task in self.tasks)
        return set() if alone else shared

    def texts(self, shared: set[str]) -> None:
        marked = 0
        for task, cells in zip(self.tasks, self.found.cells, strict=True):
            own = [one for one in task.words if one.content not in shared]
            marked += any(has_marks(one) for one in own)
            if self.first.paradigm == READING:
                cells.setdefault("text", words_of(own))
            else:
                cells["text"] = words_of(own)
            if self.first.paradigm == RATING and len(own) > 1:
                cells["text"] = plain(own[-1].content)
                cells["context"] = words_of(own[:-1])
            if not cells["text"] and not task.files:
                cells["text"] = words_of(task.words) or "…"
                if not words_of(task.words):
                    self.tell(
                        NOT_CARRIED, english("text"), english("nothing that is carried is shown with the answer."),
                        english("Write the text into the materials."),
                    )  # fmt: skip
        if marked:
            self.tell(
                CHANGED, english("marks in texts"),
                english("emphasis and line ends within a text of the materials are left out."),
            )  # fmt: skip

    def looks(self) -> None:
        """Carry a colour that differs between trials; name what else of the look differs."""
        screens = [task.screen.shown for task in self.tasks]
        colours = [colours_of(shown) for shown in screens]
        always = set(colours[0]).intersection(*map(set, colours)) if len(colours) > 1 else set()
        own = [[colour for colour in found if colour not in always] or found for found in colours]
        if len({tuple(found) for found in colours}) > 1:
            if all(len(found) < 2 and all(colour_of(one) is not None for one in found) for found in own):
                for cells, found in zip(self.found.cells, own, strict=True):
                    cells["text_colour"] = "".join(found)
            else:
                names = sorted({colour for found in own for colour in found})
                self.tell(
                    NOT_CARRIED, english("colours"),
                    english("they differ between trials, and a text has one colour, by an English name or #rrggbb: "
                            "{names}.", names=", ".join(names[:8])),
                    english("Fill the column text_colour."),
                )  # fmt: skip
        elif colours[0] and len(self.tasks) > 1:
            self.tell(
                CHANGED, english("colours"),
                english("texts have the colour of the platform, not {names}.", names=", ".join(colours[0][:8])),
            )  # fmt: skip
        marks = [marks_of(shown) for shown in screens]
        if len({frozenset(found) for found in marks}) > 1:
            differ = sorted({tag for found in marks for tag in found}.difference(*[
                set(marks[0]).intersection(*map(set, marks))
            ]))  # fmt: skip
            self.tell(
                NOT_CARRIED, english("look"),
                english("marks or places differ between trials, and a text of the materials is words alone: {tags}",
                        tags=" ".join(differ)[:160]),
                english("Make pictures of the displays, where they matter."),
            )  # fmt: skip

    def shared(self, shared: set[str]) -> None:
        said = [one for one in self.first.words if one.content in shared]
        prompts = {task.screen.prompt for task in self.tasks}
        prompt = self.first.screen.prompt if len(prompts) == 1 else ""
        if len(prompts) > 1:
            self.tell(
                NOT_CARRIED, english("prompt"), english("it differs between trials, and is one text here."),
                english("Write it into the texts, or into the question of a rating."),
            )  # fmt: skip
        match self.first.paradigm:
            case "rating":
                asked = " ".join(plain(text) for text in (*[one.content for one in said], prompt) if plain(text))
                for question in self.found.settings["questions"]:
                    own = plain(question["text"]) or asked
                    labels = question["labels"]
                    question["text"] = (own or " – ".join(labels[:: max(len(labels) - 1, 1)]) or "?")[:LONGEST_QUESTION]
                    if own == asked:
                        asked = ""
                if asked:
                    self.beside(said, prompt)
            case "typed-production":
                asked = " ".join(plain(text) for text in (*[one.content for one in said], prompt) if plain(text))
                if asked:
                    self.found.settings["prompt"] = asked[:LONGEST_PROMPT]
                if all("___" in cells["text"] for cells in self.found.cells):
                    self.found.settings["task"] = "completion"
                elif all(task.files and not cells["text"] for task, cells in zip(self.tasks, self.found.cells,
                                                                                  strict=True)):  # fmt: skip
                    self.found.settings["task"] = "naming"
            case _:
                self.beside(said, prompt)

    def beside(self, said: Sequence[Shown], prompt: str) -> None:
        texts = [page_of(one).text for one in (*[one.content for one in said], prompt) if plain(one)]
        if texts:
            self.tell(
                CHANGED, english("text beside the target"),
                english("what stands there in every trial is part of the instructions."),
            )  # fmt: skip
            self.found.instructions += texts

    # Files.

    def files(self) -> None:
        for task, cells in zip(self.tasks, self.found.cells, strict=True):
            for column, path in task.files.items():
                cells[column] = self.file(path)
        if any("audio" in task.files for task in self.tasks) and self.first.paradigm in (RATING, TYPING):
            self.found.settings["sound"] = "once"

    def file(self, path: str) -> str:
        name = path.split("?")[0].rpartition("/")[2]
        self.found.files[path] = name
        return name

    # Timed choice.

    def choice(self) -> None:
        self.answers()
        names = [line.split(" | ")[0] for line in self.found.settings["answers"].splitlines()]
        places = [place_of_right(task) for task in self.tasks]
        withheld = [task.settings.get("withheld", False) for task in self.tasks]
        rights = ["" if place is None else "none" if place < 0 else names[place] for place in places]
        said = [task for task in self.tasks if task.screen.right is not None]
        scored = bool(rights) and all(rights)
        self.found.settings["scored"] = scored
        self.found.settings["withheld"] = scored and any(withheld)
        if scored:
            for cells, right in zip(self.found.cells, rights, strict=True):
                cells["correct"] = right
        elif said:
            unknown = sorted({str(task.screen.right) for task, right in zip(self.tasks, rights, strict=True)
                              if not right})[:6]  # fmt: skip
            self.tell(
                NOT_CARRIED, english("right answer"),
                english("the right answer of {n} trials is none of the answers ({said}), so answers are not scored.",
                        n=sum(not right for right in rights), said=", ".join(unknown)),
                english("Fill the column correct, and tick that answers are right or wrong."),
            )  # fmt: skip
        if len(self.first.screen.answers) == 1 and not self.found.settings["withheld"]:
            self.tell(
                NOT_CARRIED, english("answers"),
                english("a task with one answer needs a right answer in every row, such as none for no-go."),
                english("Fill the column correct, and switch on that not pressing may be right."),
            )  # fmt: skip
        self.deadlines()
        self.displays()
        times = [task.feedback_ms for task in self.tasks if task.feedback_ms is not None]
        if times and scored:
            practice = len(times) < len(self.tasks)
            self.found.settings |= {"feedback_in_practice": True, "feedback_in_main": not practice}
            if max(times) >= 100:
                self.found.settings["feedback_ms"] = min(max(times), 10_000)
            self.tell(CHANGED, english("feedback"), english("the platform's own words say whether it was right."))

    def answers(self) -> None:
        """Name the answers once; where their words differ by row, rows have the words."""
        labels = [[label_of(answer) for answer in task.screen.answers] for task in self.tasks]
        if len({tuple(own) for own in labels}) < 2:
            return
        keys = keys_of(self.found.settings)
        own = ("first", "second", "third", "fourth")
        names = {tuple(answer.name for answer in task.screen.answers) for task in self.tasks}
        kept = [line.split(" | ")[0] for line in self.found.settings["answers"].splitlines()]
        named = kept if len(names) == 1 else list(own[: len(keys)])
        self.found.settings["answers"] = "\n".join(f"{n} | {key}" for n, key in zip(named, keys, strict=True))
        for cells, words in zip(self.found.cells, labels, strict=True):
            cells["answer_labels"] = " | ".join(words)

    def deadlines(self) -> None:
        times = {task.screen.ms for task in self.tasks}
        if len(times) > 1:
            self.found.settings["deadline_ms"] = max(times) if 0 not in times else 0
            self.tell(
                CHANGED, english("deadline"),
                english("it differs between trials ({ms} ms) and is one here.",
                        ms=", ".join(str(ms) for ms in sorted(times))),
            )  # fmt: skip
        if self.found.settings.get("timed_from") == "end" and any("audio" in task.files for task in self.tasks):
            self.found.settings["target_ms"] = 0

    def displays(self) -> None:
        lead = [self.leading(task) for task in self.tasks]
        shapes = {tuple(bool(display.kind) for display in task.before) for task in self.tasks}
        if len(shapes) > 1:
            self.tell(
                NOT_CARRIED, english("displays before the target"),
                english("they differ in number between trials, and are not carried."),
                english("Set fixation, masks and prime under Procedure."),
            )  # fmt: skip
            return
        if lead and lead[0]:
            self.found.settings["iti_ms"] = min(lead[0], 10_000)
        columns = list(zip(*(task.before for task in self.tasks), strict=True))
        varied = [len({(one.kind, one.content) for one in column}) > 1 for column in columns]
        slots = _slots(varied, [bool(column[0].kind) for column in columns])
        if slots is None:
            self.tell(
                NOT_CARRIED, english("displays before the target"),
                english("a trial has a fixation, a mask, a prime and a mask at most; there are {n}.", n=len(columns)),
                english("Put some into one picture, or leave them out."),
            )  # fmt: skip
            return
        for slot, column, differs in zip(slots, columns, varied, strict=True):
            times = [display.ms for display in column]
            contents = [self.content(display.kind, display.content) for display in column]
            longest = 200 if slot == "prime" else 100
            if any(len(content) > longest for content in contents):
                self.tell(
                    NOT_CARRIED, english("display {name}", name=column[0].place.name),
                    english("it shows more than {n} characters, and is a blank here: {said}.", n=longest,
                            said=max(contents, key=len)[:60] + "…"),
                    english("Shorten it, or put it into the instructions."),
                )  # fmt: skip
                contents = [content if len(content) <= longest else "" for content in contents]
            if len(set(times)) == 1:
                self.found.settings[f"{slot}_ms"] = min(times[0], 10_000)
            else:
                for cells, ms in zip(self.found.cells, times, strict=True):
                    cells[f"{slot}_ms"] = str(min(ms, 10_000))
            if differs:
                for cells, content in zip(self.found.cells, contents, strict=True):
                    cells[slot] = content
                if slot == "fixation":
                    self.found.settings["fixation"] = ""
            else:
                self.found.settings[slot] = contents[0]
            self.tell(
                CARRIED, english("display {name}", name=column[0].place.name),
                english("the {slot} of a timed choice, {ms} ms.", slot=slot.replace("_", " "),
                        ms=", ".join(str(ms) for ms in sorted(set(times))[:8])),
            )  # fmt: skip

    def content(self, kind: str, content: str) -> str:
        return self.file(content) if kind and kind != TEXT else content

    def leading(self, task: Task) -> int:
        """Take the blanks away with which a trial begins; return how long they are together."""
        ms = 0
        while task.before and not task.before[0].kind:
            ms += task.before.pop(0).ms
        return ms

    def no_displays(self) -> None:
        for task in self.tasks:
            for display in task.before:
                if not display.kind or (len(plain(display.content)) <= 2 and display.kind == TEXT):
                    self.report.add(
                        CHANGED, display.place.file, display.place.line, display.place.name,
                        english("a fixation or a pause before the text is not shown; the platform has its own."),
                    )  # fmt: skip
                    continue
                self.report.add(
                    NOT_CARRIED, display.place.file, display.place.line, display.place.name,
                    english("what is shown for a time before the text has no place in this paradigm."),
                    english("Put it into the text, or choose timed choice."),
                )  # fmt: skip

    def pauses(self) -> None:
        times = {task.pause_ms for task in self.tasks}
        if self.first.paradigm == CHOICE:
            self.found.settings["iti_ms"] = min(self.found.settings.get("iti_ms", 0) + max(times), 10_000)
            if len(times) > 1:
                self.tell(
                    CHANGED, english("interval"),
                    english("the interval after the answer differs between trials and is the longest one here."),
                )  # fmt: skip
        elif times != {0}:
            self.tell(CHANGED, english("interval"), english("the pause after a trial is the platform's own."))


def _slots(varied: Sequence[bool], seen: Sequence[bool]) -> list[str] | None:
    """Return which displays are fixation, mask, prime and mask; None where they are too many.

    The last display that differs between rows is the prime; without one, the first is the fixation, and a blank before
    the target the second mask.

    >>> _slots([False, True], [True, True]), _slots([False, False], [True, False])
    (['fixation', 'prime'], ['fixation', 'backward_mask'])
    """
    number = len(varied)
    if number > len(SLOTS):
        return None
    if number == len(SLOTS):
        return list(SLOTS)
    prime = max((place for place in range(number) if varied[place]), default=None)
    if prime is None:
        if number == 2 and seen[1]:
            return ["fixation", "prime"]
        return [["fixation"], ["fixation", "backward_mask"], ["fixation", "prime", "backward_mask"], []][number - 1]
    before = [["prime"], ["fixation", "prime"], ["fixation", "forward_mask", "prime"]]
    if prime >= len(before):
        return None
    after = number - prime - 1
    return [*before[prime], *(["backward_mask"] if after else [])] if after < 2 else None


def _at_places(words: Sequence[Shown]) -> set[tuple[int, str]]:
    """Return words with their places from the first and from the last: what changes places is not the same."""
    number = len(words)
    return {pair for n, one in enumerate(words) for pair in ((n, one.content), (n - number, one.content))}
