"""Read an experiment of OpenSesame as a flow of screens: sequences, loops, sketchpads, responses, forms. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

from experiments.other_tools.opensesame.conditions import Unknown, filled, holds, is_of_answer
from experiments.other_tools.opensesame.forms import FORMS, form_screen
from experiments.other_tools.opensesame.script import MOST_CYCLES, Drawing, Item, Run, Script, script_of
from experiments.other_tools.pages import plain
from experiments.other_tools.projects import SCRIPT_OF_OPENSESAME, Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.composing import Naming, study_of
from experiments.other_tools.screens.flow import (
    BUTTONS,
    DRAWING,
    FIXED,
    IMAGE,
    RANDOM,
    SOUND,
    TEXT,
    VIDEO,
    Answer,
    Block,
    Budget,
    Loop,
    Page,
    Place,
    Screen,
    Shown,
    Trial,
)
from experiments.other_tools.screens.forms import scale_in
from experiments.other_tools.screens.tables import rows_of

MOST_TRIALS, MOST_BLOCKS, MOST_DEEP = 20_000, 60, 25
_SKETCHES = ("sketchpad", "feedback")
_RESPONSES = ("keyboard_response", "mouse_response", "touch_response", "joystick", "srbox", "mousetrap_response")
_SILENT = {
    "logger": english("answers, times and the columns of the materials are in the data of every person."),
    "reset_feedback": english("nothing has to be reset."),
    "notepad": english("a note for researchers, which nobody sees; it stays in the project."),
}
_SCRIPTS = ("inline_script", "inline_javascript", "javascript")
_ASSIGNED = re.compile(
    r"(?:\bvar|\bvars|\bexp|\bself\.experiment)\.([A-Za-z_]\w*)\s*=(?!=)"
    r"|(?:exp|self\.experiment|var)\.set\(\s*[uU]?['\"](\w+)['\"]"
)
_KEYS = {
    "space": "space", "left": "left", "right": "right", "up": "up", "down": "down", "return": "", "enter": "",
    "escape": "", "tab": "", "slash": "/", "period": ".", "comma": ",", "semicolon": ";",
}  # fmt: skip


def recognises(project: Project) -> bool:
    """Return whether the project holds an experiment of OpenSesame."""
    return any(path.casefold().endswith(SCRIPT_OF_OPENSESAME) for path in project.texts)


def study_files(project: Project, naming: Naming) -> tuple[dict[str, bytes], Report]:
    """Return the files of the study of an experiment, and the report on every item."""
    report = Report()
    scripts = sorted(
        (path for path in project.texts if path.casefold().endswith(SCRIPT_OF_OPENSESAME)),
        key=lambda path: (path.count("/"), path),
    )
    for path in scripts[1:]:
        report.add(
            NOT_CARRIED, path, None, english("experiment"), english("a project has one experiment; the first is read."),
            english("Import it by itself."),
        )  # fmt: skip
    reader = _Reader(project, script_of(project.texts[scripts[0]]), scripts[0], report)
    blocks = reader.blocks()
    return study_of(blocks, project, report, naming, tool="OpenSesame"), report


class _Reader:
    def __init__(self, project: Project, script: Script, path: str, report: Report) -> None:
        self.project, self.script, self.report = project, script, report
        self.file = path.removesuffix(f"/{SCRIPT_OF_OPENSESAME}")
        self.trials = 0
        self.budget = Budget()
        self.used: set[str] = set()
        self.assigned: set[str] = set()
        self.within: list[str] = []
        for item in script.items.values():
            for value in item.values.values() if item.kind in _SCRIPTS else ():
                for found in _ASSIGNED.finditer(value):
                    self.assigned.add(found[1] or found[2])

    def place(self, item: Item, line: int | None = None) -> Place:
        return Place(self.file, line or item.line, item.name)

    def tell(self, outcome: str, item: Item, said: str, advice: str = "", line: int | None = None) -> None:
        element = english("{name} ({kind})", name=item.name, kind=item.kind)
        self.report.add(outcome, self.file, line or item.line, element, said, advice)

    def blocks(self) -> list[Block]:
        for line, said in self.script.faults:
            self.report.add(NOT_CARRIED, self.file, line, english("script"), said, english("Make it shorter."))
        start = self.script.values.get("start", "experiment")
        values = {name: value for name, value in self.script.values.items() if name not in self.assigned}
        found = self.walk(start, values, 0)
        for name, item in self.script.items.items():
            if name not in self.used and item.kind not in _SILENT:
                self.tell(CHANGED, item, english("no sequence runs it, so nobody sees it there either."))
        return found

    # Sequences and loops.

    def walk(self, name: str, values: Mapping[str, str], depth: int) -> list[Block]:
        item = self.script.items.get(name)
        spent = self.budget.spent()
        if item is None or depth > MOST_DEEP or spent or name in self.within:
            said = english("items are nested too deep, or run themselves.")
            said = english("there is no such item.") if item is None else said
            self.report.add(NOT_CARRIED, self.file, None, name, said, english("Correct the experiment."))
            return []
        self.used.add(name)
        if item.kind in ("loop", "sequence"):
            self.within.append(name)
            found = (self.loop if item.kind == "loop" else self.sequence)(item, values, depth)
            self.within.pop()
            return found
        return [Page(screen) for screen in self.screens([Run(name, "always", item.line)], values, depth)]

    def sequence(self, item: Item, values: Mapping[str, str], depth: int) -> list[Block]:
        found: list[Block] = []
        flat: list[Run] = []

        def end() -> None:
            nonlocal flat
            found.extend(Page(screen) for screen in self.screens(flat, values, depth))
            flat = []

        for run in item.runs:
            own = self.script.items.get(run.item)
            if own is None or own.kind not in ("loop", "sequence"):
                flat.append(run)
                continue
            end()
            if self.runs(own, run, values):
                found += self.walk(run.item, values, depth + 1)
        end()
        return found

    def runs(self, item: Item, run: Run, values: Mapping[str, str]) -> bool:
        """Return whether an item is run; a condition that only the running experiment knows is named."""
        try:
            return holds(run.condition, values)
        except Unknown:
            self.unknown(item, run)
            return False

    def unknown(self, item: Item, run: Run) -> None:
        """Name an item that is run by a condition that only the running experiment knows."""
        self.used |= self.below(item.name)
        self.tell(
            NOT_CARRIED, item,
            english("it runs only if {condition}, which is known while the experiment runs.", condition=run.condition),
            english("Add it by hand where the study needs it, or make a group or a part for some people."), run.line,
        )  # fmt: skip

    def below(self, name: str) -> set[str]:
        """Return the names of an item and of everything that it runs."""
        found: set[str] = set()
        open_names = [name]
        while open_names:
            one = open_names.pop()
            item = self.script.items.get(one)
            if one in found or item is None:
                continue
            found.add(one)
            open_names += [run.item for run in item.runs]
        return found

    def has_loop(self, name: str) -> bool:
        return any(self.script.items[one].kind == "loop" for one in self.below(name) if one != name)

    def loop(self, item: Item, values: Mapping[str, str], depth: int) -> list[Block]:
        inner = item.runs[0].item if item.runs else item.values.get("item", "")
        if inner not in self.script.items:
            self.tell(NOT_CARRIED, item, english("it runs nothing that there is."), english("Correct the experiment."))
            return []
        rows = self.rows(item)
        repeat = self.repeat(item, values)
        order = FIXED if item.values.get("order", "random") == "sequential" else RANDOM
        for said, line in item.operations:
            if said == "shuffle":
                order = RANDOM
                continue
            self.tell(
                NOT_CARRIED, item, english("the operation on its rows is not carried: {said}.", said=said),
                english("Set the order under Procedure, or write the rows out."), line,
            )  # fmt: skip
        if item.values.get("break_if", "never").casefold() not in ("never", "false", ""):
            self.tell(
                NOT_CARRIED, item,
                english("it ends early if {condition}; here all rows are shown.", condition=item.values["break_if"]),
                english("Look whether the study needs that."),
            )  # fmt: skip
        if item.values.get("skip", "0") not in ("0", ""):
            self.tell(
                NOT_CARRIED, item, english("it skips {n} rows at its beginning.", n=item.values["skip"]),
                english("Delete the rows that nobody sees."),
            )  # fmt: skip
        scopes = [{**values, **{k: v for k, v in row.items() if k not in self.assigned}} for row in rows]
        if self.has_loop(inner) or self.script.items[inner].kind == "loop":
            return self.outer(item, inner, scopes, repeat, order, depth)
        trials = []
        for row, scope in zip(rows, scopes, strict=True):
            self.trials += 1
            if self.trials > MOST_TRIALS:
                self.tell(
                    NOT_CARRIED, item, english("there are more than {n} trials.", n=MOST_TRIALS),
                    english("Split the experiment."),
                )  # fmt: skip
                break
            self.used.add(inner)
            own = self.script.items[inner]
            runs = own.runs if own.kind == "sequence" else [Run(inner, "always", own.line)]
            trials.append(Trial(self.screens(runs, scope, depth, rows), self.told(row, scope)))
        practice = values.get("practice", "").casefold() == "yes"
        return [Loop(self.place(item), trials, order, repeat, practice)] if trials else []

    def told(self, row: Mapping[str, str], scope: Mapping[str, str]) -> dict[str, str]:
        """Return the cells of a row as people read them, those that a script changes left out."""
        found = {}
        for name, cell in row.items():
            if name in self.assigned:
                continue
            try:
                found[name] = filled(cell, scope)
            except Unknown:
                found[name] = cell
        return found

    def outer(
        self, item: Item, inner: str, scopes: Sequence[Mapping[str, str]], repeat: int, order: str, depth: int
    ) -> list[Block]:
        """Return the blocks of a loop that holds loops, one after the other."""
        rows = [scope for _time in range(repeat) for scope in scopes]
        if order == RANDOM and len(scopes) > 1:
            self.tell(
                CHANGED, item, english("its blocks come in the order of its rows, not in a random one."),
            )  # fmt: skip
        if len(rows) > MOST_BLOCKS:
            self.tell(
                NOT_CARRIED, item, english("it has {n} blocks; the first {most} are carried.", n=len(rows),
                                           most=MOST_BLOCKS),
                english("Use repetitions of the trials."),
            )  # fmt: skip
        found: list[Block] = []
        for scope in rows[:MOST_BLOCKS]:
            found += self.walk(inner, scope, depth + 1)
        return found

    def rows(self, item: Item) -> list[dict[str, str]]:
        if item.values.get("source") == "file":
            return self.rows_of_file(item)
        cycles = item.values.get("cycles", "")
        number = int(cycles) if cycles.isdigit() else 1 + max(item.cycles, default=0)
        return [dict(item.cycles.get(place, {})) for place in range(min(number, MOST_CYCLES))]

    def rows_of_file(self, item: Item) -> list[dict[str, str]]:
        name = item.values.get("source_file", "")
        path = self.project.named(name)
        if path is None or path not in self.project.texts:
            self.tell(
                NOT_CARRIED, item, english("its table {name} is not in the project as CSV.", name=name or "…"),
                english("Save it as CSV beside the experiment, and import again."),
            )  # fmt: skip
            return []
        return rows_of(path, self.project.texts[path], self.report)[:MOST_CYCLES]

    def repeat(self, item: Item, values: Mapping[str, str]) -> int:
        said = item.values.get("repeat", "1")
        try:
            number = float(filled(said, values))
        except ValueError:
            number = 0
        if number != int(number) or number < 1:
            self.tell(
                NOT_CARRIED, item,
                english("it repeats its rows {n} times, a part of them at random; here each is shown once.", n=said),
                english("Set repetitions under Procedure, or leave rows out."),
            )  # fmt: skip
            return 1
        return int(number)

    # Screens.

    def screens(
        self, runs: Sequence[Run], values: Mapping[str, str], depth: int, rows: Sequence[Mapping[str, str]] = ()
    ) -> list[Screen]:
        """Return the screens that items make one after the other; a sketchpad of no time stays for the answer."""
        found: list[Screen] = []
        held: Screen | None = None
        answered = False
        for run in self.flat(runs, values, depth):
            item = self.script.items[run.item]
            self.used.add(item.name)
            if answered and is_of_answer(run.condition):
                if item.kind in _SKETCHES:
                    screen = self.sketch(item, values, is_feedback=True)
                    screen.is_feedback, screen.leaves = True, False
                    found.append(screen)
                else:
                    self.unknown(item, run)
                continue
            if not self.runs(item, run, values):
                continue
            if item.kind == "feedback" and not answered and _says_how(item):
                self.tell(
                    NOT_CARRIED, item, english("a page that says how somebody did is not carried."),
                    english("Use the feedback of the task, or write a page without numbers."),
                )  # fmt: skip
            elif item.kind in _SKETCHES:
                says_how = item.kind == "feedback" and answered
                screen = self.sketch(item, values, is_feedback=says_how)
                screen.is_feedback = says_how
                if screen.ms or screen.leaves or screen.asks:
                    found.append(screen)
                    held = None
                else:
                    held = screen
            elif item.kind in _RESPONSES:
                screen = self.response(item, values, held, rows)
                answered = answered or screen.asks
                found.append(screen)
                held = None
            elif item.kind in ("delay", "advanced_delay"):
                shown = held or Screen(self.place(item))
                shown.ms = self.milliseconds(item, item.values.get("duration", "0"), values)
                found.append(shown)
                held = None
            elif item.kind in ("sampler", "media_player", "media_player_mpy"):
                held = self.media(item, values, held, found)
            elif item.kind in FORMS:
                screen = form_screen(item, values, self.place(item), self.text_of)
                screen.form = bool(screen.questions)
                for question in screen.questions:
                    scale_in(question, screen)
                found.append(screen)
            else:
                self.other(item)
        if held is not None and held.shown:
            self.report.add(
                CHANGED, self.file, held.place.line, held.place.name,
                english("it has no time and nothing follows that waits, so nobody sees it there either."),
            )  # fmt: skip
        return found

    def flat(self, runs: Sequence[Run], values: Mapping[str, str], depth: int) -> list[Run]:
        """Return the runs of a sequence with those of sequences within it."""
        found: list[Run] = []
        for run in runs:
            item = self.script.items.get(run.item)
            if item is None or self.budget.spent():
                said = english("there is no such item.") if item is None else english("it runs too many items.")
                self.report.add(
                    NOT_CARRIED, self.file, run.line, run.item, said, english("Correct the experiment."),
                )  # fmt: skip
            elif item.kind == "sequence" and depth < MOST_DEEP:
                self.used.add(item.name)
                if self.runs(item, run, values):
                    found += self.flat(item.runs, values, depth + 1)
            else:
                found.append(run)
        return found

    def other(self, item: Item) -> None:
        if item.kind in _SILENT:
            self.tell(CARRIED, item, _SILENT[item.kind])
            return
        if item.kind in _SCRIPTS:
            code = " ".join(" ".join(item.values.get(part, "") for part in ("_prepare", "_run", "script")).split())
            if not code:
                return
            sets = sorted({found[1] or found[2] for found in _ASSIGNED.finditer(code)})
            said = english("a script is not run: {code}", code=code[:100] + ("…" if len(code) > 100 else ""))
            advice = english("Look what it does, and write its results into the materials or settings.")
            if sets:
                advice = english("It sets {names}: write them into the materials or settings.", names=", ".join(sets))
            self.tell(NOT_CARRIED, item, said, advice)
            return
        self.tell(
            NOT_CARRIED, item, english("an item of this kind is not read."),
            english("Look what it does, and add it by hand where the study needs it."),
        )  # fmt: skip

    def text_of(self, item: Item, text: str, values: Mapping[str, str], line: int | None = None) -> str:
        """Return a text with its values; a name that only the running experiment knows stays, and is named."""
        try:
            return filled(text, values)
        except Unknown as unknown:
            self.tell(
                NOT_CARRIED, item, english("{name} is worked out by a script or while the experiment runs.",
                                           name=unknown),
                english("Write it out."), line,
            )  # fmt: skip
            return text

    def milliseconds(self, item: Item, said: str, values: Mapping[str, str]) -> int:
        try:
            return max(0, round(float(filled(said, values))))
        except ValueError:
            self.tell(
                NOT_CARRIED, item, english("its time is worked out while the experiment runs: {said}.", said=said),
                english("Set the time under Procedure."),
            )  # fmt: skip
            return 0

    def sketch(self, item: Item, values: Mapping[str, str], *, is_feedback: bool = False) -> Screen:
        screen = Screen(self.place(item))
        duration = item.values.get("duration", "keypress").strip()
        if duration in ("keypress", "mouseclick"):
            screen.leaves = True
        else:
            screen.ms = self.milliseconds(item, duration, values)
        drawings = []
        for drawing in item.drawings:
            try:
                if holds(drawing.options.get("show_if", "always"), values):
                    drawings.append(drawing)
            except Unknown:
                if is_feedback and is_of_answer(drawing.options["show_if"]):
                    continue
                self.tell(
                    NOT_CARRIED, item,
                    english("an element is shown only if {condition}, which is known while the experiment runs.",
                            condition=drawing.options["show_if"]),
                    english("Make two rows or two parts of it."), drawing.line,
                )  # fmt: skip
        words = [drawing for drawing in drawings if drawing.kind == "textline"]
        if len(words) > 1:
            words.sort(key=lambda one: (_number(one.options.get("y")), _number(one.options.get("x"))))
            self.tell(CHANGED, item, english("the places of its texts are not kept; they stand below each other."))
        for drawing in drawings:
            moved = [name for name in ("x", "y", "x1", "x2", "y1", "y2", "font_size", "scale", "rotation")
                     if "[" in drawing.options.get(name, "")]  # fmt: skip
            if moved:
                self.tell(
                    NOT_CARRIED, item, english("places and sizes that differ by row are not carried: {names}.",
                                               names=", ".join(f"{n}={drawing.options[n]}" for n in moved)),
                    english("Make pictures of the displays, where they matter."), drawing.line,
                )  # fmt: skip
        for drawing in [*words, *(one for one in drawings if one.kind != "textline")]:
            screen.shown.append(self.shown(item, drawing, values))
        return screen

    def shown(self, item: Item, drawing: Drawing, values: Mapping[str, str]) -> Shown:
        options = drawing.options
        if drawing.kind == "textline":
            text = self.text_of(item, options.get("text", ""), values, drawing.line)
            content = text if options.get("html", "yes") == "yes" else html.escape(text, quote=False)
            content = content.replace("\n", "<br>")
            colour = options.get("color", "")
            colour = self.text_of(item, colour, values, drawing.line) if "[" in colour else ""
            return Shown(TEXT, content, "" if "[" in colour else colour)
        if drawing.kind == "image":
            return Shown(IMAGE, self.text_of(item, options.get("file", ""), values, drawing.line))
        return Shown(DRAWING, {"fixdot": "dot"}.get(drawing.kind, drawing.kind))

    def media(self, item: Item, values: Mapping[str, str], held: Screen | None, found: list[Screen]) -> Screen | None:
        """Return the screen that stays with a sound or a video; one that waits for its end is a screen of its own."""
        name = item.values.get("sample") or item.values.get("video_src") or item.values.get("source") or ""
        kind = SOUND if item.kind == "sampler" else VIDEO
        screen = held or Screen(self.place(item))
        screen.shown.append(Shown(kind, self.text_of(item, name, values)))
        duration = item.values.get("duration", "0")
        if duration in ("sound", "keypress"):
            found.append(screen)
            screen.leaves = duration == "keypress"
            return None
        return screen

    def response(
        self, item: Item, values: Mapping[str, str], held: Screen | None, rows: Sequence[Mapping[str, str]]
    ) -> Screen:
        screen = held or Screen(self.place(item))
        screen.place = held.place if held is not None and held.shown else self.place(item)
        timeout = item.values.get("timeout", "infinite")
        screen.ms = 0 if timeout in ("infinite", "") else self.milliseconds(item, timeout, values)
        said = item.values.get("correct_response") or values.get("correct_response")
        if said is None and "correct_response" in self.assigned:
            self.tell(
                NOT_CARRIED, item, english("the right answer is set by a script."),
                english("Fill the column correct of the materials."),
            )  # fmt: skip
        right = self.text_of(item, said, values) if said else None
        if item.kind == "mousetrap_response":
            self.buttons(item, values, screen)
            return screen
        if item.kind != "keyboard_response":
            self.tell(
                NOT_CARRIED, item, english("answers by a mouse, a finger or a device are not read."),
                english("Let people answer by keys or buttons."),
            )  # fmt: skip
            screen.leaves = True
            return screen
        allowed = self.text_of(item, item.values.get("allowed_responses", ""), values)
        keys = [key.strip() for key in allowed.split(";") if key.strip()]
        if not keys and right is not None:
            keys = self.right_keys(item, rows, values)
        answers = [Answer(key.strip("[]"), "" if "[" in key else _key(key)) for key in keys]
        known = not any("[" in key for key in keys)
        if len(answers) > 1 or (answers and right is not None and screen.ms):
            screen.answers = [one for one in answers if one.key or not known]
            screen.right = right
            for answer in answers:
                if not answer.key and known:
                    self.tell(
                        NOT_CARRIED, item, english("the key {key} cannot be an answer.", key=answer.name),
                        english("Choose a letter, a digit, space or an arrow."),
                    )  # fmt: skip
        else:
            screen.leaves = True
        return screen

    def right_keys(self, item: Item, rows: Sequence[Mapping[str, str]], values: Mapping[str, str]) -> list[str]:
        """Return the keys that are right in any row, where any key may be pressed."""
        found = []
        for row in rows:
            try:
                found.append(filled(row.get("correct_response", ""), {**values, **row}))
            except Unknown:
                continue
        keys = sorted({key for key in found if key and key.casefold() not in ("none", "null")})
        if len(keys) > 1:
            self.tell(
                CHANGED, item, english("any key may be pressed there; here {keys}.", keys=", ".join(keys)),
            )  # fmt: skip
        return keys

    def buttons(self, item: Item, values: Mapping[str, str], screen: Screen) -> None:
        labels = [self.text_of(item, item.values.get(f"button{n}", ""), values) for n in range(1, 5)]
        labels = [label for label in labels if label]
        if len(labels) < 2:
            screen.leaves = True
            return
        own = [f"button {number}" for number in range(1, len(labels) + 1)]
        words = {plain(one.content) for one in screen.shown if one.kind == TEXT}
        screen.answers = [Answer(name, label=label) for name, label in zip(own, labels, strict=True)]
        screen.by = BUTTONS
        screen.shown = [one for one in screen.shown if plain(one.content) not in labels or not words & set(labels)]
        right = self.text_of(item, item.values.get("correct_button", ""), values)
        screen.right = next((name for name, label in zip(own, labels, strict=True) if label == right), right or None)
        self.tell(CHANGED, item, english("answers are buttons; the path of the mouse to them is not recorded."))


def _says_how(item: Item) -> bool:
    """Return whether a page says how somebody has done so far."""
    return any(re.search(r"\[(?:acc|accuracy|avg_rt|average_response_time|correct|=)", drawing.options.get("text", ""))
               for drawing in item.drawings)  # fmt: skip


def _key(name: str) -> str:
    known = _KEYS.get(name.casefold())
    return known if known is not None else name.casefold() if len(name) == 1 else ""


def _number(said: str | None) -> float:
    try:
        return float(said or 0)
    except ValueError:
        return 0.0
