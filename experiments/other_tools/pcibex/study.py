"""Make the files of a study of a PCIbex or Ibex project: the study file, materials, media, and the report. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from experiments.formats.csvtext import BrokenTable, csv_text
from experiments.other_tools.javascript.syntax import script_of
from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.pcibex.answers import practises, scale_labels
from experiments.other_tools.pcibex.designs import lists_kept, materials_of
from experiments.other_tools.pcibex.evaluation import Evaluator, TooMuch
from experiments.other_tools.pcibex.forms import COMPLETE, Form, form_of
from experiments.other_tools.pcibex.items import trials_of
from experiments.other_tools.pcibex.known import table_of
from experiments.other_tools.pcibex.logos import LOGO_FILE, Picture, logo_of
from experiments.other_tools.pcibex.order import EVEN, FIXED, RANDOM, Slot, slots_of
from experiments.other_tools.pcibex.screens import followed
from experiments.other_tools.pcibex.settled import Settled, settled
from experiments.other_tools.pcibex.tasks import Reader, TaskTrial
from experiments.other_tools.pcibex.values import Table, Trial, UrlParameter
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english, markdown_of
from experiments.other_tools.tomls import part_name, slug_of, toml_of

STUDY_FILE, REPORT_FILE, MEDIA_FOLDER = "study.toml", "import-report.md", "media"
_CONSENT = re.compile(
    r"consent|ethic|einwillig|einverst|consent|toestemming|consentim|agree to|zustimm|согласи|同意", re.I
)
_LABELS = ("startsWith", "endsWith")


@dataclass
class TaskPart:
    """A task: its trials, and how they are ordered."""

    tasks: list[TaskTrial]
    how: str
    kinds: int = 1
    instructions: list[str] = field(default_factory=list)

    @property
    def paradigm(self) -> str:
        return self.tasks[0].paradigm

    @property
    def is_practice(self) -> bool:
        return all(practises(task.trial) for task in self.tasks)


Block = TaskPart | Form


def study_files(
    project: Project, *, slug: str = "", title: str = "", language: str = "en"
) -> tuple[dict[str, bytes], Report]:
    """Return the files of the study by their paths, and the report on every element of the project."""
    report = Report()
    find = _finder(project, report)
    named = [path for path in project.texts if path.casefold().endswith((".csv", ".tsv"))]
    evaluator = Evaluator(find, report, lambda: [table for path in named if (table := find(path)) is not None])
    scripts = _scripts_of_study(project)
    main = scripts[0] if scripts else ""
    try:
        for path in scripts:
            evaluator.run(script_of(project.texts[path]), path)
    except (TooMuch, RecursionError) as too:
        said = str(too) if isinstance(too, TooMuch) else english("an expression nests more than is worked out.")
        report.add(NOT_CARRIED, main, None, english("script"), said, "")
    read = evaluator.read
    trials = list(read.trials)
    if read.items is not None:
        file = main
        trials += trials_of(read.items, read.defaults, line=read.items_line, file=file, report=report)
    slots = slots_of(read.order, trials, file=main, report=report)
    builder = _Builder(project, report, main)
    builder.header([*read.header, *read.footer], read.header_logs)
    blocks = builder.blocks(slots)
    given = builder.study(blocks, slug=slug or slug_of(project.name), title=title or project.name, language=language)
    files = builder.files
    files[STUDY_FILE] = (
        "# Made from a project of PCIbex; import-report.md says what became of every element.\n" + toml_of(given)
    ).encode()
    files[REPORT_FILE] = markdown_of(report, title=f"{project.name}: import from PCIbex").encode()
    return files, report


def _scripts_of_study(project: Project) -> list[str]:
    """Return the scripts that PCIbex reads: those of data_includes or Scripts, else those at the top."""
    scripts = project.scripts()
    own = [path for path in scripts if PurePosixPath(path).parent.name.casefold() in ("data_includes", "scripts")]
    own = own or [path for path in scripts if path.rpartition("/")[2] == "main.js"] or scripts
    nearest = min((path.count("/") for path in own), default=0)
    folders = sorted({str(PurePosixPath(path).parent) for path in own if path.count("/") == nearest})
    return [path for path in own if str(PurePosixPath(path).parent) == folders[0]] if folders else []


def _finder(project: Project, report: Report) -> Any:
    tables: dict[str, Table] = {}

    def find(name: str) -> Table | None:
        if not name:
            only = [path for path in project.texts if path.casefold().endswith((".csv", ".tsv"))]
            path = only[0] if len(only) == 1 else None
        else:
            path = project.named(name) or project.named(f"{name}.csv")
        if path is None or path not in project.texts:
            return None
        if path not in tables:
            try:
                tables[path] = table_of(path, project.texts[path])
            except BrokenTable as broken:
                report.add(NOT_CARRIED, path, broken.line, english("table"), str(broken), "")
                return None
        return tables[path]

    return find


class _Builder:
    def __init__(self, project: Project, report: Report, file: str) -> None:
        self.project, self.report, self.file = project, report, file
        self.files: dict[str, bytes] = {}
        self.parameters: list[str] = []
        self.taken: set[str] = set()
        self.names: set[str] = set()
        self.redirect = ""
        self.consent_pictures: list[Picture] = []
        self.groups: list[str] = []

    def header(self, commands: Sequence[Any], logs: Mapping[str, Any]) -> None:
        for name, value in logs.items():
            if isinstance(value, UrlParameter):
                self.parameters.append(value.name)
            self.report.add(
                CARRIED, self.file, None, english("log {name}", name=name),
                english("parameters of the address, answers and places in the order are in the data of every person."),
            )  # fmt: skip
        for command in commands:
            if command.method == "new" and command.element.kind != "Var":
                self.report.add(
                    NOT_CARRIED, self.file, command.line, f"new{command.element.kind}",
                    english("what a header or footer shows in every trial is not carried."),
                    english("Write it into the instructions, or into the materials."),
                )  # fmt: skip
            if command.element.kind == "Var":
                self.parameters += [one.name for one in command.arguments if isinstance(one, UrlParameter)]
                if command.method == "new":
                    self.report.add(
                        CHANGED, self.file, command.line, f"Var {command.element.name}",
                        english("variables are not kept; times, answers, whether they are right, and places in the "
                                 "order are."),
                    )  # fmt: skip

    # From slots to blocks.

    def blocks(self, slots: Sequence[Slot], *, any_scale: bool = False) -> list[Block]:
        """Return tasks, pages and questionnaires; a scale without a table is a rating where nothing else is a task."""
        ratings = set(range(3, 12)) if any_scale else self.rating_points(slots)
        blocks: list[Block] = []
        for slot in slots:
            task_part: dict[str, TaskPart] = {}
            forms: list[Form] = []
            for trial in slot.trials:
                special = trial.options.get("special")
                if special:
                    continue
                found = self.read(trial, ratings)
                if isinstance(found, TaskTrial):
                    key = _kind_of(found)
                    task_part.setdefault(key, TaskPart([], slot.how, slot.kinds)).tasks.append(found)
                elif found is not None:
                    forms.append(found)
            if task_part and forms and slot.how != FIXED:
                self.report.add(
                    CHANGED, self.file, slot.line, english("order"),
                    english("pages stand before the trials among which they are mixed there."),
                )  # fmt: skip
            if len(task_part) > 1 and slot.how != FIXED:
                self.report.add(
                    NOT_CARRIED, self.file, slot.line, english("order"),
                    english("trials of {n} kinds are mixed with each other; here each kind is a task of its own, one "
                             "after the other.", n=len(task_part)),
                    english("Look whether the study needs them mixed."),
                )  # fmt: skip
            blocks += forms
            blocks += list(task_part.values())
        if not any_scale and not any(isinstance(block, TaskPart) for block in blocks):
            self.taken.clear()
            return self.blocks(slots, any_scale=True)
        return self.joined(blocks)

    def rating_points(self, slots: Sequence[Slot]) -> set[int]:
        """Return the numbers of points of scales in templates, by which practice trials without a table are known."""
        found = set()
        for slot in slots:
            for trial in slot.trials:
                if trial.row is not None:
                    for state in followed(trial, Report()).of("Scale", "Slider"):
                        found.add(len(scale_labels(state)))
                    break
        return found

    def read(self, trial: Trial, ratings: set[int]) -> TaskTrial | Form | None:
        follow = followed(trial, self.report)
        self.parameters += follow.parameters
        for value in trial.logged.values():
            if isinstance(value, UrlParameter):
                self.parameters.append(value.name)
        scales = [len(scale_labels(state)) for state in follow.of("Scale", "Slider")]
        like_rating = (
            len(scales) == 1 and scales[0] in ratings and scales[0] > 2 and not follow.of("TextInput", "DropDown")
        )
        reader = Reader(follow, self.report, has_row=trial.row is not None or like_rating)
        task = reader.task()
        if task is not None:
            self.report.add(
                CARRIED, trial.file, trial.line, english("trial {label}", label=trial.label or "…"),
                english("a trial of the paradigm {paradigm}.", paradigm=task.paradigm),
            )  # fmt: skip
            return task
        if trial.row is not None and len(trial.row.table.rows) > 1 and follow.of("Html", "Text", "Image", "Audio"):
            self.report.add(
                NOT_CARRIED, trial.file, trial.line, english("trial {label}", label=trial.label or "…"),
                english("its rows are shown and nothing is answered, which no paradigm does."),
                english("Add a question, or write the texts as pages."),
            )  # fmt: skip
            return None
        return form_of(follow, self.project, self.report, self.taken)

    def joined(self, blocks: list[Block]) -> list[Block]:
        """Put practice together with the task that it practises, and pages before a task into its instructions."""
        found: list[Block] = []
        for block in blocks:
            if isinstance(block, TaskPart):
                before = next(
                    (one for one in reversed(found) if isinstance(one, TaskPart) and _alike(one, block)), None
                )
                if before is not None and before.is_practice:
                    place = next(number for number, one in enumerate(found) if one is before)
                    between = found[place + 1 :]
                    if all(isinstance(one, Form) and not one.questions for one in between):
                        was_practice = before.is_practice
                        before.tasks += block.tasks
                        if was_practice:
                            before.how, before.kinds = block.how, block.kinds
                        del found[place + 1 :]
                        before.instructions += [one.text for one in between if isinstance(one, Form)]
                        if between:
                            self.report.add(
                                CHANGED, self.file, between[0].line if isinstance(between[0], Form) else None,
                                english("page between practice and trials"),
                                english("its text stands at the end of the instructions; after practice comes the "
                                         "platform's own page."),
                            )  # fmt: skip
                        continue
            found.append(block)
        return found

    # The study.

    def study(self, blocks: list[Block], *, slug: str, title: str, language: str) -> dict[str, Any]:
        given: dict[str, Any] = {"slug": slug, "title": title[:200], "language": language}
        texts: dict[str, Any] = {}
        pictures = [picture for block in blocks if isinstance(block, Form) for picture in block.pictures]
        blocks = self.consent(blocks, texts)
        blocks = self.debriefing(blocks, texts)
        parts: list[dict[str, Any]] = []
        waiting: list[Form] = []
        for block in blocks:
            if isinstance(block, Form):
                if block.questions:
                    parts += [self.page(one) for one in waiting]
                    waiting = []
                    parts += self.questionnaire(block)
                elif block.text.strip():
                    waiting.append(block)
                continue
            *others, last = waiting if waiting else [None]
            parts += [self.page(one) for one in others if one is not None]
            if last is not None:
                block.instructions.insert(0, last.text)
                self.report.add(
                    CARRIED, last.file, last.line, english("trial {label}", label=last.label or "…"),
                    english("the instructions of the task that follows."),
                )  # fmt: skip
            waiting = []
            parts += self.task(block)
        parts += [self.page(one) for one in waiting]
        procedure: dict[str, Any] = {}
        usual = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        for name in dict.fromkeys(self.parameters):
            self.report.add(
                CARRIED, self.file, None, f"GetURLParameter({name})",
                english("the parameter of the address is stored with the person."),
            )  # fmt: skip
        further = [
            name
            for name in dict.fromkeys(self.parameters)
            if name not in usual and re.fullmatch(r"[A-Za-z]\w{0,39}", name)
        ]
        if further:
            procedure["recruitment_parameters"] = further
        if self.redirect:
            procedure["redirect_url"] = self.redirect
        if not any(part.get("paradigm") for part in parts):
            self.report.add(
                NOT_CARRIED, self.file, None, english("study"),
                english("no trial of the script could be read as a task."),
                english("Choose a paradigm and add its materials yourself."),
            )  # fmt: skip
        pictures = [replace(one, on_consent=one in self.consent_pictures) for one in pictures]
        if (logo := logo_of(pictures, self.project, self.report)) is not None:
            self.files[f"{MEDIA_FOLDER}/{LOGO_FILE}"] = logo[0]
            given["look"] = {"logo": LOGO_FILE, "logo_text": logo[1]}
            for part in parts:
                if "materials" in part:
                    part["materials"]["media"] = MEDIA_FOLDER
        if self.groups:
            given["groups"] = [{"name": group} for group in self.groups]
        given["parts"] = parts
        if procedure:
            given["procedure"] = procedure
        if texts:
            given["texts"] = texts
        return given

    def consent(self, blocks: list[Block], texts: dict[str, Any]) -> list[Block]:
        for number, block in enumerate(blocks[:4]):
            if isinstance(block, TaskPart):
                break
            boxes = [question for question in block.questions if question["kind"] == "statement"]
            if not (_CONSENT.search(block.label) or _CONSENT.search(block.text[:20_000])):
                continue
            if any(question["kind"] not in ("statement", "information") for question in block.questions):
                continue
            if not block.text.strip():
                continue
            text = "\n\n".join(
                [block.text, *(q["label"] for q in block.questions if q["kind"] == "information")]
            ).strip()
            texts["consent"] = {"body": text, "markup": "markdown"}
            self.consent_pictures = block.pictures
            if boxes:
                texts["consent"]["required"] = [question["label"] for question in boxes]
            self.report.add(
                CARRIED if number == 0 else CHANGED, block.file, block.line,
                english("trial {label}", label=block.label or "…"),
                english("the text of the consent.")
                if number == 0
                else english("the text of the consent, which comes before every other page."),
            )  # fmt: skip
            return [*blocks[:number], *blocks[number + 1 :]]
        self.report.add(
            CHANGED, self.file, None, english("consent"),
            english("no page of the script could be told as consent; the platform asks for it with its own text."),
        )  # fmt: skip
        return blocks

    def debriefing(self, blocks: list[Block], texts: dict[str, Any]) -> list[Block]:
        last: list[Form] = []
        while blocks and isinstance(blocks[-1], Form) and not blocks[-1].questions and len(blocks) > 1:
            last.insert(0, blocks[-1])
            blocks = blocks[:-1]
        if not any(isinstance(block, TaskPart) for block in blocks):
            return [*blocks, *last]
        told = []
        for form in last:
            for address in COMPLETE.findall(form.raw):
                self.redirect = address
            if form.text.strip():
                told.append(form.text.replace("\n---\n", "\n"))
                self.report.add(
                    CARRIED, form.file, form.line, english("trial {label}", label=form.label or "…"),
                    english("the text of the last page (debriefing)."),
                )  # fmt: skip
        if told:
            texts["debriefing"] = {"body": "\n\n".join(told), "markup": "markdown"}
        return blocks

    def page(self, form: Form) -> dict[str, Any]:
        self.report.add(
            CARRIED, form.file, form.line, english("trial {label}", label=form.label or "…"), english("a page.")
        )
        return {
            "name": self.name(form.label or "page"),
            "kind": "page",
            "title": "",
            "body": form.text.strip() or "…",
            "markup": "markdown",
        }

    def questionnaire(self, form: Form) -> list[dict[str, Any]]:
        self.report.add(
            CARRIED, form.file, form.line, english("trial {label}", label=form.label or "…"),
            english("a questionnaire of {n} questions.", n=sum(q["kind"] != "information" for q in form.questions)),
        )  # fmt: skip
        found: list[dict[str, Any]] = []
        if form.text.strip():
            found.append(
                {
                    "name": self.name(form.label or "page"),
                    "kind": "page",
                    "body": form.text.strip(),
                    "markup": "markdown",
                }
            )
        for start in range(0, len(form.questions), 50):
            found.append(
                {
                    "name": self.name(form.label or "questions"),
                    "kind": "questionnaire",
                    "questions": form.questions[start : start + 50],
                }
            )
        return found

    def name(self, wanted: str) -> str:
        return part_name(wanted, self.names)

    def task(self, part: TaskPart) -> list[dict[str, Any]]:
        """Return the part that a task is; one for each list where the lists are kept as they are."""
        first = next((task for task in part.tasks if not practises(task.trial)), part.tasks[0])
        found = settled(part.tasks, self.project, self.report)
        label = first.trial.label or part.paradigm
        own = lists_kept(found.tasks)
        if own is None:
            return [self.task_of(part, found, first, self.name(label))]
        file, line = first.trial.file or self.file, first.trial.line
        groups = [f"list-{number}" for number in range(1, len(own.trials) + 1)]
        if self.groups and self.groups != groups:
            self.report.add(
                NOT_CARRIED, file, line, english("lists"),
                english("templates have different numbers of groups: {one} and {other}.", one=len(self.groups),
                        other=len(groups)),
                english("Give the tables the same groups."),
            )  # fmt: skip
            return [self.task_of(part, found, first, self.name(label))]
        self.groups = groups
        self.report.add(
            CHANGED, file, line, english("lists"),
            english("the {n} lists are kept as they are: each is a part of its own for one group of people, and the "
                    "parts are one task in analyses. Every text is an item of its own; its columns are attributes.",
                    n=len(groups)),
        )  # fmt: skip
        pool = self.name(label)
        parts = []
        for group, (written, tasks) in zip(groups, own.trials.items(), strict=True):
            one = replace(part, tasks=tasks)
            made = self.task_of(one, replace(found, tasks=tasks), first, self.name(f"{label}-{written}"), own.codes)
            parts.append({**made, "groups": [group], "pool": pool})
        return parts

    def task_of(
        self, part: TaskPart, found: Settled, first: TaskTrial, name: str, codes: Mapping[int, str] | None = None
    ) -> dict[str, Any]:
        materials = materials_of(found.tasks, file=first.trial.file or self.file, report=self.report, codes=codes)
        table = f"materials-{name}.csv"
        self.files[table] = csv_text(materials.header, materials.rows).encode()
        procedure = dict(materials.procedure)
        self.order_of(part, procedure, materials.header, materials.rows)
        given: dict[str, Any] = {"name": name, "kind": "task", "paradigm": part.paradigm}
        instructions = [text for text in (*part.instructions, *found.instructions) if text.strip()]
        if instructions:
            given["instructions"] = "\n\n---\n\n".join(instructions)
            given["markup"] = "markdown"
        else:
            self.report.add(
                CHANGED, first.trial.file or self.file, first.trial.line,
                english("instructions"),
                english("the script shows none before this task; the platform's own text explains it."),
            )  # fmt: skip
        given["settings"] = found.settings
        given["procedure"] = procedure
        given["materials"] = {"file": table, "factors": materials.factors}
        if not materials.factors:
            del given["materials"]["factors"]
        if found.media:
            given["materials"]["media"] = MEDIA_FOLDER
            for own, data in found.media.items():
                self.files[f"{MEDIA_FOLDER}/{own}"] = data
        return given

    def order_of(
        self, part: TaskPart, procedure: dict[str, Any], header: Sequence[str], rows: Sequence[Sequence[str]]
    ) -> None:
        main = [task for task in part.tasks if not practises(task.trial)]
        if part.how == FIXED and len(main) > 1:
            procedure["sequence"] = "as-given"
            if not _in_one_order([row[0] for row in rows]):
                self.report.add(
                    CHANGED, main[0].trial.file or self.file, main[0].trial.line, english("order"),
                    english("the lists have orders of their own there; here all have that of the items' first rows."),
                )  # fmt: skip
        if part.how == EVEN and "is_filler" in header:
            place = header.index("is_filler")
            if any(row[place] == "true" for row in rows):
                procedure["mix_fillers"] = True


def _in_one_order(items: Sequence[str]) -> bool:
    """Return whether rows, taken from the beginning again wherever an item comes back, have their items in one order.

    >>> _in_one_order(["a", "b", "c", "a", "c"]), _in_one_order(["a", "b", "b", "a"])
    (True, False)
    """
    place = {item: number for number, item in enumerate(dict.fromkeys(items))}
    before = -1
    seen: set[str] = set()
    for item in items:
        if item in seen:
            seen, before = set(), -1
        if place[item] < before:
            return False
        seen.add(item)
        before = place[item]
    return True


def _kind_of(task: TaskTrial) -> str:
    settings = {name: value for name, value in task.settings.items() if name not in ("sound", "may_be_empty")}
    if task.paradigm == "rating":
        settings["questions"] = [(q["kind"], q["points"]) for q in task.settings["questions"]]
    if task.answers:
        # What the answers are called can differ by row; how many there are and by which keys cannot.
        settings["answers"] = [len(task.answers), *task.keys]
    return json.dumps([task.paradigm, settings], sort_keys=True, default=str)


def _alike(one: TaskPart, other: TaskPart) -> bool:
    return _kind_of(one.tasks[0]) == _kind_of(other.tasks[0])


__all__ = ["RANDOM", "Settled", "page_of", "plain", "study_files"]
