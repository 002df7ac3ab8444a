"""Make the files of a study of the blocks of a project: the study file, materials, media, and the report. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.materials.columns import RESERVED
from experiments.materials.other_tools.items import is_practice
from experiments.media.kinds import format_of
from experiments.other_tools.pcibex.study import MEDIA_FOLDER, REPORT_FILE, STUDY_FILE
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english, markdown_of
from experiments.other_tools.screens.flow import FIXED, RANDOM, Block, Loop, Page, Place, Screen, Trial
from experiments.other_tools.screens.materials import Entry, materials_of
from experiments.other_tools.screens.pages import Form, form_of
from experiments.other_tools.screens.settling import kind_of, settled
from experiments.other_tools.screens.trials import Task, task_of
from experiments.other_tools.tomls import part_name, slug_of, toml_of
from experiments.paradigms import paradigm_named

MOST_PARTS, MOST_PAGES = 60, 40
_CONSENT = re.compile(
    r"consent|ethic|einwillig|einverst|toestemming|consentim|agree to|zustimm|pëlqim|consimț|согласи|同意", re.I
)
_COMPLETE = re.compile(r"https://app\.prolific\.com?/submissions/complete\?cc=[A-Za-z0-9]+")
_YES = ("yes", "true", "1", "practice", "prac", "training", "y")


@dataclass
class TaskPart:
    """A task: its trials with their practice, the place of their list, order, repetitions, texts before it."""

    place: Place
    tasks: list[Task]
    practice: list[bool]
    order: str
    repetitions: int = 1
    rounds: bool = False
    instructions: list[str] = field(default_factory=list)

    @property
    def is_practice(self) -> bool:
        return all(self.practice)

    @property
    def kind(self) -> str:
        return kind_of(self.tasks[0])


Piece = TaskPart | Form


@dataclass(frozen=True)
class Naming:
    """What a study is called: its address, title and language."""

    slug: str
    title: str
    language: str


def study_of(
    blocks: Sequence[Block], project: Project, report: Report, naming: Naming, *, tool: str
) -> dict[str, bytes]:
    """Return the files of the study that blocks make, by their paths, the report among them."""
    composer = Composer(project, report)
    # A single trial is a question of a questionnaire beside tasks, and a task where there is no other.
    least = 2 if any(isinstance(block, Loop) for block in blocks) or len(_gathered(blocks, 2)) < len(blocks) else 1
    pieces = composer.pieces(_gathered(blocks, least))
    return composer.files_of(pieces, naming, tool=tool)


def _gathered(blocks: Sequence[Block], least: int) -> list[Block]:
    """Put screens that ask one after the other, outside of lists, into a list in their order."""
    found: list[Block] = []
    run: list[Trial] = []
    waiting: list[Screen] = []

    def end() -> None:
        nonlocal run, waiting
        if len(run) >= least and not _is_consent(run):
            found.append(Loop(run[0].screens[-1].place, run, FIXED))
        else:
            found.extend(Page(screen) for trial in run for screen in trial.screens)
        found.extend(Page(screen) for screen in waiting)
        run, waiting = [], []

    for block in blocks:
        screen = block.screen if isinstance(block, Page) else None
        if screen is not None and screen.asks and not screen.form:
            run.append(Trial([*waiting, screen], screen.data))
            waiting = []
        elif screen is not None and screen.ms and not screen.leaves and not screen.form:
            if run and (screen.is_feedback or not screen.shown):
                run[-1].screens.append(screen)
            else:
                waiting.append(screen)
        else:
            end()
            found.append(block)
    end()
    return found


def _is_consent(run: Sequence[Trial]) -> bool:
    said = " ".join(one.content for trial in run for screen in trial.screens for one in screen.shown)
    return len(run) == 1 and bool(_CONSENT.search(said))


class Composer:
    """Makes the parts of a study; names are unique in it."""

    def __init__(self, project: Project, report: Report) -> None:
        self.project, self.report = project, report
        self.files: dict[str, bytes] = {}
        self.taken: set[str] = set()
        self.names: set[str] = set()
        self.redirect = ""

    def tell(self, outcome: str, place: Place, said: str, advice: str = "", element: str = "") -> None:
        name = f"{place.name}: {element}" if element else place.name
        self.report.add(outcome, place.file, place.line, name, said, advice)

    # From blocks to pieces.

    def pieces(self, blocks: Sequence[Block]) -> list[Piece]:
        """Return pages, questionnaires and tasks in their order, practice together with its task."""
        found: list[Piece] = []
        for block in blocks:
            if isinstance(block, Page):
                form = form_of(block.screen, self.report, self.taken)
                found += [form] if form is not None else []
            else:
                found += self.of_loop(block)
        return self.joined(found)

    def of_loop(self, loop: Loop) -> list[Piece]:
        parts: dict[str, TaskPart] = {}
        idle: list[Trial] = []
        practises = loop.practice or is_practice(loop.place.name)
        for trial in loop.trials:
            task = task_of(trial, self.report)
            if task is None:
                idle.append(trial)
                continue
            part = parts.setdefault(
                kind_of(task), TaskPart(loop.place, [], [], loop.order, loop.repetitions, loop.rounds)
            )
            part.tasks.append(task)
            part.practice.append(practises or _row_practises(trial.row))
        if len(parts) > 1:
            self.tell(
                NOT_CARRIED, loop.place,
                english("trials of {n} kinds, or with different answers, are mixed with each other; here each kind is "
                        "a task of its own, one after the other.", n=len(parts)),
                english("Look whether the study needs them mixed."), english("order"),
            )  # fmt: skip
        forms = self.of_idle(loop, idle) if idle else []
        return [*forms, *parts.values()]

    def of_idle(self, loop: Loop, trials: Sequence[Trial]) -> list[Piece]:
        """Return the pages that rows of a list show in which nothing is answered."""
        screens = [screen for trial in trials for screen in trial.screens]
        pages = [screen for screen in screens if screen.form or (screen.shown and screen.leaves)]
        lost = [screen for screen in screens if screen.shown and not screen.form and not screen.leaves]
        if lost:
            self.tell(
                NOT_CARRIED, lost[0].place,
                english("it is shown in {n} trials of {loop} and nothing is answered, which no paradigm does.",
                        n=len(trials), loop=loop.place.name),
                english("Add a question, or write the texts as pages."),
            )  # fmt: skip
        if not pages:
            return []
        if loop.order == RANDOM and len(trials) > 1:
            self.tell(CHANGED, loop.place, english("its pages stand in the order of the rows, not in a random one."))
        if len(pages) > MOST_PAGES:
            self.tell(
                NOT_CARRIED, loop.place,
                english("it shows {n} pages; the first {most} are carried.", n=len(pages), most=MOST_PAGES),
                english("Make it a task, such as reading with a question."),
            )  # fmt: skip
        forms = [form_of(screen, self.report, self.taken) for screen in pages[:MOST_PAGES]]
        return [form for form in forms if form is not None]

    def joined(self, pieces: list[Piece]) -> list[Piece]:
        """Put practice together with the task that it practises, and equal lists that follow each other into one."""
        found: list[Piece] = []
        for piece in pieces:
            before = next((one for one in reversed(found) if isinstance(one, TaskPart)), None)
            if isinstance(piece, TaskPart) and before is not None and before.kind == piece.kind:
                place = next(number for number, one in enumerate(found) if one is before)
                between = [one for one in found[place + 1 :] if isinstance(one, Form)]
                idle = not any(form.questions for form in between)
                if idle and before.is_practice and not piece.is_practice:
                    self.practised(before, piece, between)
                    del found[place + 1 :]
                    continue
                if idle and not piece.is_practice and _rows_of(before) == _rows_of(piece):
                    self.repeated(before, piece, between)
                    del found[place + 1 :]
                    continue
            found.append(piece)
        return found

    def practised(self, practice: TaskPart, main: TaskPart, between: Sequence[Form]) -> None:
        practice.tasks += main.tasks
        practice.practice += main.practice
        practice.order, practice.place = main.order, main.place
        practice.repetitions, practice.rounds = main.repetitions, main.rounds
        practice.instructions += [form.text for form in between]
        for form in between:
            self.tell(
                CHANGED, form.place,
                english("its text ends the instructions; after practice comes the platform's own page."),
            )  # fmt: skip

    def repeated(self, before: TaskPart, again: TaskPart, between: Sequence[Form]) -> None:
        before.repetitions += again.repetitions
        before.rounds = True
        self.tell(
            CHANGED, again.place,
            english("the same trials again are repetitions of the task, all of them once before any comes again."),
        )  # fmt: skip
        for form in between:
            self.tell(
                NOT_CARRIED, form.place, english("a page between repetitions of the same trials is not carried."),
                english("Set breaks under Procedure, or write it into the instructions."),
            )  # fmt: skip

    # From pieces to the study.

    def files_of(self, pieces: list[Piece], naming: Naming, *, tool: str) -> dict[str, bytes]:
        """Return the files of the study."""
        texts: dict[str, Any] = {}
        pieces = self.consent(pieces, texts)
        pieces = self.debriefing(pieces, texts)
        return self.written(self.parts(pieces), texts, naming, tool=tool)

    def written(
        self,
        parts: list[dict[str, Any]],
        texts: Mapping[str, Any],
        naming: Naming,
        *,
        tool: str,
        groups: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, bytes]:
        """Return the files of a study of these parts, the report last."""
        given: dict[str, Any] = {
            "slug": naming.slug or slug_of(self.project.name),
            "title": (naming.title or self.project.name)[:200],
            "language": naming.language,
        }
        if not any(part.get("paradigm") for part in parts):
            self.report.add(
                NOT_CARRIED, self.project.name, None, english("study"),
                english("no trial of the project could be read as a task."),
                english("Choose a paradigm and add its materials yourself."),
            )  # fmt: skip
        if len(parts) > MOST_PARTS:
            self.report.add(
                NOT_CARRIED, self.project.name, None, english("study"),
                english("it has {n} parts; the first {most} are carried.", n=len(parts), most=MOST_PARTS),
                english("Put lists of trials together that differ in their rows alone."),
            )  # fmt: skip
        if groups:
            given["groups"] = list(groups)
        given["parts"] = parts[:MOST_PARTS]
        if self.redirect:
            given["procedure"] = {"redirect_url": self.redirect}
        if texts:
            given["texts"] = texts
        head = f"# Made from a project of {tool}; {REPORT_FILE} says what became of every element.\n"
        self.files[STUDY_FILE] = (head + toml_of(given)).encode()
        title = english("{name}: import from {tool}", name=self.project.name, tool=tool)
        self.files[REPORT_FILE] = markdown_of(self.report, title=title).encode()
        return self.files

    def parts(self, pieces: Sequence[Piece]) -> list[dict[str, Any]]:
        """Return the parts; texts before a task are its instructions."""
        parts: list[dict[str, Any]] = []
        waiting: list[Form] = []
        for piece in pieces:
            if isinstance(piece, TaskPart):
                for form in waiting:
                    self.tell(CARRIED, form.place, english("the instructions of the task that follows."))
                piece.instructions[:0] = [form.text for form in waiting]
                parts.append(self.task(piece))
                waiting = []
            elif piece.questions:
                parts += [self.page(one) for one in waiting]
                waiting = []
                parts += self.questionnaire(piece)
            else:
                waiting.append(piece)
        return parts + [self.page(one) for one in waiting]

    def consent(self, pieces: list[Piece], texts: dict[str, Any]) -> list[Piece]:
        for number, piece in enumerate(pieces[:5]):
            if isinstance(piece, TaskPart):
                break
            if not (_CONSENT.search(piece.place.name) or _CONSENT.search(piece.text[:20_000])) or not piece.text:
                continue
            asked = [question for question in piece.questions if question["kind"] not in ("statement", "information")]
            if len(asked) > 1 or any(question["kind"] != "choice" for question in asked):
                continue
            boxes = [question["label"] for question in piece.questions if question["kind"] == "statement"]
            texts["consent"] = {"body": piece.text, "markup": "markdown"}
            if boxes:
                texts["consent"]["required"] = boxes
            if asked:
                self.tell(
                    CHANGED, piece.place,
                    english("instead of {choices} people tick that they agree, or leave.",
                            choices=" / ".join(asked[0]["choices"])), element=english("answers"),
                )  # fmt: skip
            self.tell(
                CHANGED if number else CARRIED,
                piece.place,
                english("the text of the consent, which comes before every other page.")
                if number
                else english("the text of the consent."),
            )
            return [*pieces[:number], *pieces[number + 1 :]]
        self.report.add(
            CHANGED, self.project.name, None, english("consent"),
            english("no page of the project could be told as consent; the platform asks for it with its own text."),
        )  # fmt: skip
        return pieces

    def debriefing(self, pieces: list[Piece], texts: dict[str, Any]) -> list[Piece]:
        last: list[Form] = []
        rest = list(pieces)
        while rest and isinstance(form := rest[-1], Form) and not form.questions:
            last.insert(0, form)
            rest.pop()
        if not any(isinstance(piece, TaskPart) for piece in rest):
            return pieces
        for form in last:
            for address in _COMPLETE.findall(form.raw):
                self.redirect = address
            self.tell(CARRIED, form.place, english("the text of the last page (debriefing)."))
        told = [form.text.replace("\n---\n", "\n") for form in last if form.text]
        if told:
            texts["debriefing"] = {"body": "\n\n".join(told), "markup": "markdown"}
        return rest

    def page(self, form: Form) -> dict[str, Any]:
        self.tell(CARRIED, form.place, english("a page."))
        name = self.name(form.place.name or "page")
        return {"name": name, "kind": "page", "body": form.text, "markup": "markdown"}

    def questionnaire(self, form: Form) -> list[dict[str, Any]]:
        self.tell(CARRIED, form.place, english("a questionnaire of {n} questions.", n=len(form.questions)))
        found: list[dict[str, Any]] = []
        name = form.place.name or "questions"
        if form.text.strip():
            found.append({"name": self.name(name), "kind": "page", "body": form.text, "markup": "markdown"})
        for start in range(0, len(form.questions), 50):
            questions = form.questions[start : start + 50]
            found.append({"name": self.name(name), "kind": "questionnaire", "questions": questions})
        return found

    def name(self, wanted: str) -> str:
        """Return the name of a part that no other has; what a name has in brackets at its end is left out."""
        return part_name(re.sub(r" \(.*\)$", "", wanted), self.names)

    def task(self, part: TaskPart) -> dict[str, Any]:
        """Return the part of a task; its table and files go to the files of the study."""
        name = self.name(part.place.name or part.tasks[0].paradigm)
        found = settled(part.tasks, self.report)
        media = self.media(found.files, part.place)
        entries = [
            Entry(cells, task.trial.row, practice)
            for cells, task, practice in zip(found.cells, part.tasks, part.practice, strict=True)
        ]
        if part.is_practice:
            for entry in entries:
                entry.practice = False
        materials = materials_of(entries, part.place, self.report, taken=_taken(part.tasks[0].paradigm))
        table = f"materials-{name}.csv"
        self.files[table] = csv_text(materials.header, materials.rows).encode()
        procedure: dict[str, Any] = {"practice_first": True}
        if part.order == FIXED and len(part.tasks) > 1:
            procedure["sequence"] = "as-given"
        if part.repetitions > 1:
            procedure["repetitions"] = min(part.repetitions, 50)
            procedure["repetition_rounds"] = part.rounds or part.order == FIXED
            if part.repetitions > 50:
                self.tell(
                    NOT_CARRIED, part.place, english("its rows come {n} times; 50 is the most.", n=part.repetitions),
                    english("Write more rows."), english("repetitions"),
                )  # fmt: skip
        if materials.factors:
            procedure["conditions"] = "all"
        self.tell(
            CARRIED, part.place,
            english("a task of the paradigm {paradigm} with {n} rows.", paradigm=part.tasks[0].paradigm,
                    n=len(entries)),
        )  # fmt: skip
        given: dict[str, Any] = {"name": name, "kind": "task", "paradigm": part.tasks[0].paradigm}
        instructions = [text for text in (*part.instructions, *found.instructions) if text.strip()]
        if instructions:
            given |= {"instructions": "\n\n---\n\n".join(instructions), "markup": "markdown"}
        else:
            self.tell(
                CHANGED, part.place,
                english("no text is shown before this task; the platform's own text explains it."),
                element=english("instructions"),
            )  # fmt: skip
        given |= {"settings": found.settings, "procedure": procedure, "materials": {"file": table}}
        if materials.factors:
            given["materials"]["factors"] = materials.factors
        if media:
            given["materials"]["media"] = MEDIA_FOLDER
        return given

    def media(self, files: Mapping[str, str], place: Place) -> bool:
        """Put the files that a task names beside its table; name those that the project does not have."""
        missing: list[str] = []
        unknown: list[str] = []
        for path, own in files.items():
            there = self.project.named(path)
            if there is None or there not in self.project.media:
                missing.append(path)
            elif format_of(self.project.media[there]) is None:
                unknown.append(path)
            else:
                self.files[f"{MEDIA_FOLDER}/{own}"] = self.project.media[there]
        if missing:
            self.tell(
                NOT_CARRIED, place,
                english("{n} files are not in the project: {files}.", n=len(missing), files=", ".join(missing[:8])),
                english("Add them to the folder, or upload them under Pictures and sound."),
                english("files"),
            )  # fmt: skip
        if unknown:
            self.tell(
                NOT_CARRIED, place,
                english("{n} files have no format that browsers show alike: {files}.", n=len(unknown),
                        files=", ".join(unknown[:8])),
                english("Save them as PNG, JPEG, WAV, MP3 or MP4, and upload them under Pictures and sound."),
                english("files"),
            )  # fmt: skip
        return any(path not in (*missing, *unknown) for path in files)


def _taken(paradigm: str) -> set[str]:
    """Return the columns that the data of a paradigm have anyway."""
    return set(RESERVED) | {measure.name for measure in paradigm_named(paradigm).measures}


def _row_practises(row: Mapping[str, str]) -> bool:
    for name, cell in row.items():
        said = cell.strip().casefold()
        if is_practice(name) and said in _YES:
            return True
        if name.casefold() in ("phase", "block", "block_type", "type", "trial_type", "item_type") and is_practice(said):
            return True
    return False


def _rows_of(part: TaskPart) -> list[Any]:
    """Return what the trials of a task show, by which equal lists are known."""
    return sorted(
        (
            sorted(task.trial.row.items()),
            [(one.kind, one.content) for screen in task.trial.screens for one in screen.shown],
        )
        for task, practice in zip(part.tasks, part.practice, strict=True)
        if not practice
    )
