"""Make a study of an experiment of MoTR: mouse-contingent reading of its tables, with the screens around it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.materials.other_tools.items import is_practice
from experiments.other_tools.motr.template import Template, Told, form_of_screen, template_of
from experiments.other_tools.pages import plain
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.composing import Composer, Naming, Piece
from experiments.other_tools.screens.flow import Place
from experiments.other_tools.screens.materials import column_of
from experiments.other_tools.screens.pages import Form
from experiments.other_tools.screens.tables import rows_of

PARADIGM = "mouse-contingent-reading"
_IMPORT = re.compile(r"^\s*import\s+(\w+)\s+from\s+['\"]([^'\"]+\.(?:tsv|csv))['\"]", re.MULTILINE)
_LISTS = re.compile(r"\[\s*(\w+(?:\s*,\s*\w+)+)\s*,?\s*\]")
_KNOWN = ("item_id", "text", "question", "response_true", "response_false", "response_distractors", "condition")
_WRONG = re.compile(r"response_(?:false|distractors?|wrong)(?:_?\d+)?|dist?ractor_?\d*", re.IGNORECASE)
_OF_MAGPIE = {
    "SubmitResultsScreen": english("every answer is stored before the next trial begins."),
    "DebugResultsScreen": english("the data are exported."),
    "PostTestScreen": "",
}


def recognises(project: Project) -> bool:
    """Return whether the project holds an experiment of magpie in which a text is read under the mouse."""
    return bool(_apps(project))


def _apps(project: Project) -> list[str]:
    found = [
        path
        for path, text in project.texts.items()
        if path.casefold().endswith(".vue") and "magpie" in text and "trial" in text
        and re.search(r"oval-cursor|readingText|mouse tracking for reading|mousemove", text, re.IGNORECASE)
    ]  # fmt: skip
    return sorted(found, key=lambda path: (path.count("/"), not path.endswith("App.vue"), path))


def study_files(project: Project, naming: Naming) -> tuple[dict[str, bytes], Report]:
    """Return the files of the study of an experiment, and the report on every screen and table."""
    report = Report()
    apps = _apps(project)
    for other in apps[1:]:
        report.add(
            NOT_CARRIED, other, None, english("experiment"), english("a project has one experiment."),
            english("Import its folder by itself."),
        )  # fmt: skip
    reader = _Reader(project, apps[0], report)
    return reader.files(naming), report


@dataclass
class _List:
    """One table of texts, with its path."""

    name: str
    path: str
    rows: list[Mapping[str, str]] = field(default_factory=list)


class _Reader:
    def __init__(self, project: Project, path: str, report: Report) -> None:
        self.project, self.path, self.report = project, path, report
        self.composer = Composer(project, report)
        self.template = template_of(project.texts[path])
        self.code = re.sub(r"/\*.*?\*/|//[^\n]*", "", self.template.script, flags=re.DOTALL)
        self.group_names: list[str] = []

    def tell(self, outcome: str, line: int | None, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.path, line, element, said, advice)

    def line_of(self, word: str) -> int:
        place = self.template.script.find(word)
        return self.template.script_line + self.template.script.count("\n", 0, max(place, 0))

    def files(self, naming: Naming) -> dict[str, bytes]:
        before, after, trials = self.screens()
        texts: dict[str, Any] = {}
        pieces: list[Piece] = self.composer.consent(list(before), texts)
        instructions = [piece for piece in pieces if isinstance(piece, Form) and not piece.questions]
        asked = [piece for piece in pieces if isinstance(piece, Form) and piece.questions]
        parts = [part for form in asked for part in self.composer.questionnaire(form)]
        for form in instructions:
            self.tell(CARRIED, form.place.line, form.place.name, english("the instructions of the reading."))
        parts += self.reading([form.text for form in instructions], trials)
        last = list(after)
        while last and not last[-1].questions:
            form = last.pop()
            texts["debriefing"] = {"body": form.text, "markup": "markdown"}
            self.tell(CARRIED, form.place.line, form.place.name, english("the text of the last page (debriefing)."))
            break
        for form in last:
            parts += self.composer.questionnaire(form) if form.questions else [self.composer.page(form)]
        groups = [{"name": name, "weight": 1} for name in self.group_names]
        return self.composer.written(parts, texts, naming, tool="MoTR", groups=groups)

    # Screens.

    def screens(self) -> tuple[list[Form], list[Form], Told | None]:
        """Return pages and questionnaires before and after the trials, and the screen of the trials."""
        before: list[Form] = []
        after: list[Form] = []
        shown: Told | None = None
        for told in self.template.told:
            if told.trials:
                if shown is not None:
                    self.tell(
                        NOT_CARRIED, told.line, english("screen of trials"),
                        english("a second screen that shows trials is not carried."), english("Add it by hand."),
                    )  # fmt: skip
                shown = shown or told
                continue
            for form in self.forms(told, 0):
                (after if shown is not None else before).append(form)
        return before, after, shown

    def forms(self, told: Told, depth: int) -> list[Form]:
        if told.kind in _OF_MAGPIE:
            said = _OF_MAGPIE[told.kind]
            if said:
                self.tell(CARRIED, told.line, told.kind, said)
            else:
                self.tell(
                    NOT_CARRIED, told.line, told.kind, english("magpie brings this screen along; it is not here."),
                    english("Write its questions as a questionnaire."),
                )  # fmt: skip
            return []
        if told.html or told.kind.casefold() in ("screen", "instructionscreen"):
            inner = [one for name in set(re.findall(r"<([A-Z]\w+)\b", told.html))
                     for one in self.of_component(name, depth)]  # fmt: skip
            form, asks_id = form_of_screen(told, self.path, self.composer.taken)
            if asks_id:
                self.tell(
                    CHANGED, told.line, told.title or told.kind,
                    english("people do not type their id; it comes with the address (sources)."),
                )  # fmt: skip
            return [*inner, *([form] if form.text or form.questions else [])]
        inner = self.of_component(told.kind, depth)
        if not inner:
            self.tell(
                NOT_CARRIED, told.line, told.kind, english("there is no file of this component, or it shows nothing."),
                english("Write it as a page or a questionnaire."),
            )  # fmt: skip
        return inner

    def of_component(self, name: str, depth: int) -> list[Form]:
        path = self.project.named(f"{name}.vue")
        if depth > 3 or path is None or path == self.path or path not in self.project.texts:
            return []
        told = template_of(self.project.texts[path]).told
        if not told:
            text = self.project.texts[path]
            told = [Told("Screen", "", text[: text.rfind("<script") if "<script" in text else len(text)], 1)]
        return [form for one in told if not one.trials for form in self.forms(one, depth + 1)]

    # Tables.

    def tables(self) -> tuple[list[_List], list[_List]]:
        """Return the tables of the lists that people are given, and those of practice."""
        lists: list[_List] = []
        practice: list[_List] = []
        for found in _IMPORT.finditer(self.code):
            name, source = found[1], found[2]
            if len(re.findall(rf"\b{name}\b", self.code)) < 2:
                continue
            path = self.project.named(source)
            if path is None or path not in self.project.texts:
                self.tell(
                    NOT_CARRIED, self.line_of(source), source, english("the table is not in the project."),
                    english("Add it to the folder, and import again."),
                )  # fmt: skip
                continue
            rows = rows_of(path, self.project.texts[path], self.report)
            table = _List(name, path, [row for row in rows if plain(row.get("text", ""))])
            if len(table.rows) < len(rows):
                self.report.add(
                    NOT_CARRIED, path, None, english("table"),
                    english("{n} rows have no text.", n=len(rows) - len(table.rows)), english("Call the column text."),
                )  # fmt: skip
            (practice if is_practice(name) or is_practice(path.rpartition("/")[2]) else lists).append(table)
        return lists, practice

    def reading(self, instructions: list[str], trials: Told | None) -> list[dict[str, Any]]:
        lists, practice = self.tables()
        if not lists:
            lists, practice = practice, []
        if not lists:
            self.tell(
                NOT_CARRIED, None, english("tables"), english("no table of texts is imported by the script."),
                english("Add the materials by hand."),
            )  # fmt: skip
            return []
        chosen = _LISTS.search(self.code)
        alternatives = [name.strip() for name in chosen[1].split(",")] if chosen else []
        given = [table for table in lists if table.name in alternatives]
        if len(given) < 2 or len(given) < len(lists):
            given = [_List(lists[0].name, lists[0].path, [row for table in lists for row in table.rows])]
        shuffled = bool(re.search(r"(?:shuffle|sampleSize)\s*\(\s*(?!`)", self.code_of_order()))
        if "sampleSize" in self.code:
            self.tell(
                NOT_CARRIED, self.line_of("sampleSize"), "sampleSize",
                english("some of the texts are drawn for everybody; here everybody has all of them."),
                english("Leave rows out, or make lists."),
            )  # fmt: skip
        for word in ("groupBy", "filter(", "Math.random() <"):
            if word in self.code_of_order():
                self.tell(
                    NOT_CARRIED, self.line_of(word), word.strip("("),
                    english("what the script does with the texts here is not carried."),
                    english("Set blocks and chains under Procedure, or leave rows out."),
                )  # fmt: skip
        self.display(trials)
        if len(given) == 1:
            return [self.task("reading", given[0], practice, instructions, shuffled)]
        if _is_square(given):
            merged = _List("reading", given[0].path, [row for table in given for row in table.rows])
            self.tell(
                CARRIED, self.line_of("lists"), english("lists"),
                english("{n} lists show every item in another condition; they are made again by a Latin square.",
                        n=len(given)),
            )  # fmt: skip
            return [self.task("reading", merged, practice, instructions, shuffled, square=True)]
        self.tell(
            CARRIED, self.line_of("lists"), english("lists"),
            english("{n} lists hold different texts: everybody is in the group of one of them, in equal numbers; in "
                    "analyses they are one task (a pool).", n=len(given)),
        )  # fmt: skip
        parts = []
        for number, table in enumerate(given, start=1):
            self.group_names.append(f"list-{number}")
            part = self.task(f"reading-{number}", table, practice, instructions, shuffled, several=True)
            parts.append({**part, "groups": [f"list-{number}"], "pool": "reading"})
        return parts

    def code_of_order(self) -> str:
        """Return the script without the line that mixes the answers of a question."""
        return "\n".join(line for line in self.code.split("\n") if "response" not in line)

    def display(self, trials: Told | None) -> None:
        self.tell(
            CHANGED, trials.line if trials else None, english("display"),
            english("one word is clear at a time instead of a round window; the rest is blurred."),
        )  # fmt: skip
        if re.search(r"mousedown|clip-path|wordReveal", self.project.texts[self.path]):
            self.tell(
                NOT_CARRIED, trials.line if trials else None, english("display"),
                english("what is shown by a press, or in part, is not carried."),
                english("Look whether the study needs it."),
            )  # fmt: skip

    def task(
        self, name: str, table: _List, practice: Sequence[_List], instructions: list[str], shuffled: bool,
        *, square: bool = False, several: bool = False,
    ) -> dict[str, Any]:  # fmt: skip
        main = [(row, False) for row in table.rows]
        rows = [*((row, True) for one in practice for row in one.rows), *main]
        known = [column for column in rows[-1][0] if column not in _KNOWN and not _WRONG.fullmatch(column)]
        attributes = {column_of(column): column for column in known if column.strip() and not column.isdigit()}
        factor = ["condition"] if square else []
        own = [] if square or not any(row.get("condition") for row, _p in rows) else ["text_condition"]
        header = ["item", "text", "question", "choices", "answer", *factor, *own, *attributes]
        header += ["is_practice"] if practice else []
        asked = any(row.get("question", "").strip() for row, _practises in rows)
        if not asked:
            header = [column for column in header if column not in ("question", "choices", "answer")]
        made, taken = [], set()
        lost = 0
        for number, (row, practises) in enumerate(rows, start=1):
            bare = row.get("item_id", "").strip() or str(number)
            code = f"practice-{bare}" if practises else f"{bare}-{row.get('condition', '')}" if several else bare
            again = 1
            while code in taken and not (square and not practises):
                again += 1
                code = f"{bare}-{again}"
            taken.add(code)
            question, choices, answer = _question(row)
            lost += bool(row.get("question", "").strip()) and not question
            said = {
                **{name: plain(row.get(column, "")) for name, column in attributes.items()},
                "item": code[:90], "text": _text(row.get("text", "")), "question": question, "choices": choices,
                "answer": answer, "is_practice": str(practises).lower(), "text_condition": row.get("condition", ""),
                "condition": "" if practises else row.get("condition", ""),
            }  # fmt: skip
            made.append([said[column] for column in header])
        if lost:
            self.report.add(
                NOT_CARRIED, table.path, None, english("questions"),
                english("{n} questions have no right answer or no wrong one.", n=lost),
                english("Fill the columns question, choices and answer."),
            )  # fmt: skip
        made = [list(row) for row in dict.fromkeys(tuple(row) for row in made)] if square else made
        part = self.composer.name(name)
        file = f"materials-{part}.csv"
        self.composer.files[file] = csv_text(header, made).encode()
        self.report.add(
            CARRIED,
            table.path,
            None,
            english("table"),
            english("the texts of {name}: {n} rows.", name=part, n=len(made)),
        )
        fixed_choices = not re.search(r"response_options\s*:\s*_\.shuffle", self.code) or (
            "response_options" not in self.template_text()
        )
        given: dict[str, Any] = {"name": part, "kind": "task", "paradigm": PARADIGM}
        if instructions:
            given |= {"instructions": "\n\n---\n\n".join(instructions), "markup": "markdown"}
        given["settings"] = {
            "unit": "word", "arrangement": "flow", "mask": "blur", "ratings": [], "break_every": 0,
            "question_order": "fixed" if fixed_choices else "random",
        }  # fmt: skip
        given["procedure"] = {"practice_first": True, **({} if shuffled else {"sequence": "as-given"})}
        given["materials"] = {"file": file, **({"factors": factor} if factor else {})}
        return given

    def template_text(self) -> str:
        return "\n".join(told.html for told in self.template.told)


def _text(cell: str) -> str:
    return "\n".join(plain(line) for line in cell.replace("@#@", "\n").split("\n") if plain(line))


def _question(row: Mapping[str, str]) -> tuple[str, str, str]:
    """Return a question, its choices and its right answer; empty where one of them is missing."""
    clean = {name: re.sub(r' ?"+', "", cell).strip() for name, cell in row.items()}
    question, right = plain(clean.get("question", "")), plain(clean.get("response_true", ""))
    wrong = [plain(one) for name, cell in clean.items() if _WRONG.fullmatch(name) for one in cell.split("|")]
    choices = list(dict.fromkeys([right, *(one for one in wrong if one)]))
    if not question or not right or len(choices) < 2 or len(choices) > 9:
        return "", "", ""
    return question, " | ".join(choice.replace("|", "/") for choice in choices), right.replace("|", "/")


def _is_square(lists: Sequence[_List]) -> bool:
    """Return whether lists show the same items, each in another condition in every list."""
    items = [[row.get("item_id", "") for row in table.rows] for table in lists]
    if any(sorted(own) != sorted(items[0]) or len(set(own)) < len(own) for own in items):
        return False
    seen: dict[str, set[str]] = {}
    for table in lists:
        for row in table.rows:
            seen.setdefault(row.get("item_id", ""), set()).add(row.get("condition", ""))
    return all(len(own) == len(lists) for own in seen.values())


__all__ = ["Place", "Template", "recognises", "study_files"]
