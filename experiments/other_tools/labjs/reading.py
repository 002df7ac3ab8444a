"""Read a study of lab.js as a flow of screens: sequences, loops, frames, screens, pages and forms. Pure."""

from __future__ import annotations

import html as markup
import re
from collections.abc import Mapping
from typing import Any

from experiments.other_tools.labjs.items import items_of
from experiments.other_tools.labjs.nodes import Node, Study, rows_of_files, studies_in
from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.composing import Naming, study_of
from experiments.other_tools.screens.flow import (
    BUTTONS,
    DRAWING,
    FIXED,
    IMAGE,
    KEYS,
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
from experiments.other_tools.screens.forms import asked_in
from experiments.other_tools.screens.pages import without_buttons

MOST_TRIALS, MOST_BLOCKS = 20_000, 60
_EXPRESSION = re.compile(r"\$\{([^{}]{1,500})\}")
_PARAMETER = re.compile(r"\s*(?:this\.)?(?:parameters|aggregateParameters)(?:\.(\w+)|\[\s*['\"]([^'\"]+)['\"]\s*\])\s*")
_FILE = re.compile(r"\s*(?:this\.)?files\s*\[\s*(.+?)\s*\]\s*")
_NAMED_BUTTON = re.compile(
    r"<(button|a|input|div|span|label)\b[^<>]{0,500}?\bid\s*=\s*[\"']([^\"']{1,100})[\"'][^<>]{0,500}>"
    r"((?:(?!</\1)[\s\S]){0,2000})",
    re.IGNORECASE,
)
_KEYS = {
    "space": "space", " ": "space", "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down",
    "enter": "", "escape": "", "tab": "", "backspace": "",
}  # fmt: skip
_RUNNING = ("run", "end", "before:prepare", "after:end", "commit", "")


def recognises(project: Project) -> bool:
    """Return whether the project holds a study of lab.js."""
    return any(
        (path.casefold().endswith(".json") and '"components"' in text and '"lab.' in text)
        or (path.casefold().endswith(".js") and "lab.util.fromObject" in text)
        for path, text in project.texts.items()
    )


def study_files(project: Project, naming: Naming) -> tuple[dict[str, bytes], Report]:
    """Return the files of the study, and the report on every component."""
    report = Report()
    studies = studies_in(project)
    blocks: list[Block] = []
    if not studies:
        report.add(
            NOT_CARRIED, project.name, None, english("study"), english("its file cannot be read."),
            english("Save it again in the builder, and import that."),
        )  # fmt: skip
    else:
        blocks = _Reader(project, studies[0], report).blocks()
    for other in studies[1:]:
        report.add(
            NOT_CARRIED, other.file, None, english("study"), english("a project has one study; the first is read."),
            english("Import it by itself."),
        )  # fmt: skip
    return study_of(blocks, project, report, naming, tool="lab.js"), report


class _Reader:
    def __init__(self, project: Project, study: Study, report: Report) -> None:
        self.project, self.study, self.report = project, study, report
        self.trials = 0
        self.budget = Budget()

    def tell(self, outcome: str, node: Node, said: str, advice: str = "") -> None:
        element = english("{path} ({kind})", path=node.path or node.name, kind=node.kind)
        self.report.add(outcome, self.study.file, None, element, said, advice)

    def place(self, node: Node) -> Place:
        return Place(self.study.file, None, node.name)

    def blocks(self) -> list[Block]:
        for said in self.study.faults:
            self.report.add(
                NOT_CARRIED, self.study.file, None, english("study"), said, english("Save it again in the builder.")
            )
        return self.walk(self.study.root, {}, [])

    def handlers(self, node: Node) -> None:
        for message, code in node.handlers:
            code = " ".join(code.split())
            self.tell(
                NOT_CARRIED, node,
                english("a script ({message}) is not run: {code}", message=message or "…",
                        code=code[:100] + ("…" if len(code) > 100 else "")),
                english("Look what it does, and write its results into the materials or settings."),
            )  # fmt: skip

    def walk(self, node: Node, values: Mapping[str, str], beside: list[str]) -> list[Block]:
        """Return the blocks of a component outside of a list of trials."""
        if self.is_over(node) or self.skipped(node):
            return []
        self.handlers(node)
        values = {**values, **node.parameters}
        match node.kind:
            case "flow.Sequence":
                if node.options.get("shuffle") is True:
                    self.tell(
                        NOT_CARRIED, node, english("its components come in a random order; here in that of the study."),
                        english("Use an order set of parts, or blocks in random order."),
                    )  # fmt: skip
                return [block for child in node.children for block in self.walk(child, values, beside)]
            case "flow.Loop":
                return self.loop(node, values, beside)
            case "canvas.Frame" | "html.Frame":
                around = self.context(node, values)
                return [b for child in node.children for b in self.walk(child, values, [*beside, *around])]
            case "flow.Parallel":
                self.tell(
                    NOT_CARRIED, node, english("components at the same time are not carried."),
                    english("Add by hand what the study needs."),
                )  # fmt: skip
                return []
        screen = self.screen(node, values, beside)
        return [Page(screen)] if screen is not None else []

    def is_over(self, node: Node) -> bool:
        """Return whether more was followed than is; it is said once."""
        over = self.budget.spent()
        if over and self.budget.first_time():
            self.tell(
                NOT_CARRIED, node, english("loops within loops show more screens than are followed."),
                english("Split the study."),
            )  # fmt: skip
        return over

    def skipped(self, node: Node) -> bool:
        if node.options.get("skip") is True:
            self.tell(CHANGED, node, english("it is skipped there, so nobody sees it here either."))
            return True
        condition = node.options.get("skipCondition")
        if isinstance(condition, str) and condition.strip():
            self.tell(
                NOT_CARRIED, node,
                english("it is skipped if {condition}; here everybody has it.", condition=condition.strip()[:120]),
                english("Make it a part for some people, or take it out."),
            )  # fmt: skip
        return False

    def context(self, node: Node, values: Mapping[str, str]) -> list[str]:
        """Return what a frame shows around its components."""
        text = self.filled(node, str(node.options.get("context") or ""), values)
        return [text] if plain(text) else []

    def loop(self, node: Node, values: Mapping[str, str], beside: list[str]) -> list[Block]:
        rows = node.rows
        if not rows:
            name, rows = rows_of_files(node, self.project, self.report)
            if rows:
                self.tell(CHANGED, node, english("its rows are those of {name}, the table among its files.", name=name))
        if not rows:
            self.tell(
                NOT_CARRIED, node, english("it has no rows; a script makes them while the study runs."),
                english("Write the rows into the materials of the task."),
            )  # fmt: skip
            rows = [{}]
        order, repetitions = self.sampled(node, len(rows))
        if any(_has_loop(child) for child in node.children):
            if order == RANDOM and len(rows) > 1:
                self.tell(CHANGED, node, english("its blocks come in the order of its rows, not in a random one."))
            found: list[Block] = []
            for row in (rows * repetitions)[:MOST_BLOCKS]:
                for child in node.children:
                    found += self.walk(child, {**values, **row}, beside)
            return found
        trials = []
        for row in rows:
            self.trials += 1
            if self.trials > MOST_TRIALS:
                self.tell(
                    NOT_CARRIED, node, english("there are more than {n} trials.", n=MOST_TRIALS),
                    english("Split the study."),
                )  # fmt: skip
                break
            screens = [one for child in node.children for one in self.screens(child, {**values, **row}, beside)]
            trials.append(Trial(screens, row))
        return [Loop(self.place(node), trials, order, repetitions)]

    def sampled(self, node: Node, rows: int) -> tuple[str, int]:
        """Return the order of a loop and how often its rows come."""
        sample = node.options.get("sample")
        sample = sample if isinstance(sample, Mapping) else {}
        mode = str(sample.get("mode") or "sequential")
        shuffles = node.options.get("shuffle") is True or mode in ("draw", "draw-shuffle", "draw-replace")
        order = RANDOM if shuffles else FIXED
        wanted = str(sample.get("n") or "").strip()
        number = int(wanted) if wanted.isdigit() else 0
        if mode == "draw-replace" or (number and number % rows) or (wanted and not wanted.isdigit()):
            self.tell(
                NOT_CARRIED, node,
                english("it draws {n} of {rows} rows ({mode}); here each is shown once.", n=wanted or rows, rows=rows,
                        mode=mode),
                english("Set repetitions under Procedure, or leave rows out."),
            )  # fmt: skip
            return order, 1
        return order, max(1, number // rows)

    def screens(self, node: Node, values: Mapping[str, str], beside: list[str]) -> list[Screen]:
        """Return the screens of a component within a trial."""
        if self.is_over(node) or self.skipped(node):
            return []
        values = {**values, **node.parameters}
        if node.kind in ("flow.Sequence", "canvas.Frame", "html.Frame"):
            self.handlers(node)
            around = [*beside, *self.context(node, values)] if node.kind.endswith("Frame") else beside
            return [one for child in node.children for one in self.screens(child, values, around)]
        if node.kind.startswith("flow."):
            self.walk(node, values, beside)
            return []
        self.handlers(node)
        screen = self.screen(node, values, beside)
        return [screen] if screen is not None else []

    # Screens.

    def screen(self, node: Node, values: Mapping[str, str], beside: list[str]) -> Screen | None:
        screen = Screen(self.place(node))
        screen.ms = self.milliseconds(node, values)
        source = ""
        match node.kind:
            case "html.Screen" | "html.Form":
                source = self.filled(node, str(node.options.get("content") or ""), values)
                self.html(node, screen, source)
            case "html.Page":
                source = items_of(node.options, screen, lambda text: self.filled(node, text, values))
                self.html(node, screen, source)
            case "canvas.Screen":
                self.canvas(node, screen, values)
            case _:
                self.tell(
                    NOT_CARRIED, node, english("a component of this kind is not read."),
                    english("Add by hand what the study needs of it."),
                )  # fmt: skip
                return None
        self.timeline(node, screen, values)
        self.answers(node, screen, values, source)
        if screen.asks and not screen.form:
            screen.shown += [Shown(TEXT, text) for text in beside]
        says_how = re.search(r"\$\{[^}]*(?:state\.correct|feedback)", str(node.options.get("content") or ""))
        screen.is_feedback = bool(says_how) and not screen.asks
        return screen

    def html(self, node: Node, screen: Screen, source: str) -> None:
        page = page_of(source)
        for file in page.files:
            kind, _gap, name = file.partition(" ")
            known = {"image": IMAGE, "audio": SOUND, "video": VIDEO}.get(kind)
            if known is None:
                self.tell(
                    NOT_CARRIED, node, english("what it includes is not carried: {file}.", file=file[:120]),
                    english("Upload the file, or say it in words."),
                )  # fmt: skip
            else:
                screen.shown.append(Shown(known, name))
        if page.scripts:
            self.tell(
                NOT_CARRIED, node, english("it has scripts of its own, and nothing is run."),
                english("Look whether the study needs them."),
            )  # fmt: skip
        text = re.sub(r"<(?:img|audio|video|source|script)\b[^<>]{0,5000}>", "", without_buttons(source))
        if plain(text) or page.fields:
            screen.shown.insert(0, Shown(TEXT, text))
        asked_in(text, screen)

    def canvas(self, node: Node, screen: Screen, values: Mapping[str, str]) -> None:
        content = node.options.get("content")
        elements = [one for one in content if isinstance(one, Mapping)] if isinstance(content, list) else []
        elements.sort(key=lambda one: (round(_number(one.get("top")) / 10), _number(one.get("left"))))
        words, row = 0, None
        for one in elements:
            kind = str(one.get("type"))
            moved = [
                name for name in ("left", "top", "angle", "fontSize", "width", "height") if "${" in str(one.get(name))
            ]
            if moved:
                self.tell(
                    NOT_CARRIED, node, english("places and sizes that differ by row are not carried: {names}.",
                                               names=", ".join(f"{name} {one[name]}" for name in moved)),
                    english("Make pictures of the displays, where they matter."),
                )  # fmt: skip
            if kind in ("i-text", "text", "textbox"):
                words += 1
                text = self.filled(node, str(one.get("text") or ""), values)
                fill = str(one.get("fill") or "")
                colour = self.filled(node, fill, values) if "${" in fill else ""
                said = markup.escape(text, quote=False).replace("\n", "<br>")
                at = round(_number(one.get("top")) / 10)
                if at == row and screen.shown and screen.shown[-1].kind == TEXT and not colour:
                    said = f"{screen.shown.pop().content} {said}"
                row = at
                screen.shown.append(Shown(TEXT, said, "" if "${" in colour else colour))
            elif kind == "image":
                screen.shown.append(Shown(IMAGE, self.filled(node, str(one.get("src") or ""), values)))
            elif kind != "aoi":
                screen.shown.append(Shown(DRAWING, kind))
        if words > 1:
            self.tell(
                CHANGED,
                node,
                english("the places of its texts are not kept; those of one line stand beside each other."),
            )

    def timeline(self, node: Node, screen: Screen, values: Mapping[str, str]) -> None:
        timeline = node.options.get("timeline")
        for one in timeline if isinstance(timeline, list) else []:
            if not isinstance(one, Mapping):
                continue
            payload = one.get("payload")
            source = payload.get("src") if isinstance(payload, Mapping) else None
            if one.get("type") == "sound" and isinstance(source, str):
                screen.shown.append(Shown(SOUND, self.filled(node, source, values)))
                if str(one.get("start") or "0") not in ("0", ""):
                    self.tell(CHANGED, node, english("the sound begins with the screen, not {ms} ms after it.",
                                                     ms=one.get("start")))  # fmt: skip
            else:
                self.tell(
                    NOT_CARRIED, node, english("what its timeline plays is not carried: {kind}.", kind=one.get("type")),
                    english("Make a sound file of it."),
                )  # fmt: skip

    def answers(self, node: Node, screen: Screen, values: Mapping[str, str], source: str) -> None:
        labels = {name: plain(words) for _tag, name, words in _NAMED_BUTTON.findall(source)}
        answers: list[Answer] = []
        kinds: set[str] = set()
        for response in node.responses:
            if response.event.startswith("key"):
                said = self.filled(node, response.key, values)
                key = _key(said)
                if "${" in said:
                    key = ""
                    self.tell(
                        NOT_CARRIED, node,
                        english("the key of {label} is known while the study runs; here it is a usual one.",
                                label=response.label),
                        english("Look at the answers under Procedure."),
                    )  # fmt: skip
                elif not key and said:
                    self.tell(
                        NOT_CARRIED, node, english("the key {key} cannot be an answer.", key=said),
                        english("Choose a letter, a digit, space or an arrow."),
                    )  # fmt: skip
                    continue
                answers.append(Answer(self.filled(node, response.label, values), key))
                kinds.add(KEYS)
            elif response.event in ("click", "mousedown", "mouseup", "touchstart", "touchend"):
                target = response.target.strip()
                own = target.rpartition("#")[2] if "#" in target else ""
                label = labels.get(own, "") or target.removeprefix("@") or response.label
                label = response.label if label.startswith("button") else label
                answers.append(Answer(self.filled(node, response.label, values), "", label))
                kinds.add(BUTTONS)
            else:
                self.tell(
                    NOT_CARRIED, node, english("a response to {event} is not carried.", event=response.event),
                    english("Let people answer by keys or buttons."),
                )  # fmt: skip
        right = node.options.get("correctResponse")
        said_right = self.filled(node, str(right), values) if right not in (None, "") else None
        goes_on = len({answer.name for answer in answers}) == 1 and said_right is None
        if (len(answers) > 1 and not goes_on) or (answers and said_right is not None and screen.ms):
            if len(kinds) > 1:
                answers = [answer for answer in answers if answer.key]
                kinds = {KEYS}
            screen.by = kinds.pop()
            if screen.form:
                return
            screen.answers, screen.right = answers, said_right
        else:
            forms = node.kind == "html.Page" and node.options.get("submitButtonPosition") != "hidden"
            screen.leaves = bool(answers) or (forms or node.kind == "html.Form") or not screen.ms

    def milliseconds(self, node: Node, values: Mapping[str, str]) -> int:
        said = node.options.get("timeout")
        if said in (None, ""):
            return 0
        text = self.filled(node, str(said), values)
        try:
            return max(0, round(float(text)))
        except ValueError:
            self.tell(
                NOT_CARRIED, node, english("its time is worked out while the study runs: {said}.", said=text[:80]),
                english("Set the time under Procedure."),
            )  # fmt: skip
            return 0

    def filled(self, node: Node, text: str, values: Mapping[str, str]) -> str:
        """Return a text with the parameters of its row; what only the running study knows stays, and is named."""
        if "${" not in text:
            return text

        def value(found: re.Match[str]) -> str:
            known = self.value(found[1], values)
            if known is None:
                if re.search(r"state\.correct|feedback", found[1]):
                    return found[0]
                self.tell(
                    NOT_CARRIED, node, english("{expression} is worked out while the study runs.",
                                               expression=found[0][:100]),
                    english("Write it out."),
                )  # fmt: skip
                return found[0]
            return known

        return _EXPRESSION.sub(value, text)

    def value(self, expression: str, values: Mapping[str, str], depth: int = 0) -> str | None:
        if depth > 6 or len(expression) > 500:
            return None
        parameter = _PARAMETER.fullmatch(expression)
        if parameter:
            said = values.get(parameter[1] or parameter[2])
            if said is not None and "${" in said:
                inner = _EXPRESSION.fullmatch(said.strip())
                return None if inner is None or inner[1] == expression else self.value(inner[1], values, depth + 1)
            return said
        file = _FILE.fullmatch(expression)
        if file:
            quoted = re.fullmatch(r"['\"`]([^'\"`]*)['\"`]", file[1])
            return quoted[1] if quoted else self.value(file[1], values, depth + 1)
        joined = [part.strip() for part in expression.split("+")]
        if len(joined) > 1:
            parts = [self.value(part, values, depth + 1) for part in joined]
            return None if any(part is None for part in parts) else "".join(part or "" for part in parts)
        literal = re.fullmatch(r"\s*['\"`]([^'\"`$]*)['\"`]\s*", expression)
        return literal[1] if literal else None


def _has_loop(node: Node) -> bool:
    open_nodes = [node]
    while open_nodes:
        one = open_nodes.pop()
        if one.kind == "flow.Loop":
            return True
        open_nodes += one.children
    return False


def _key(said: str) -> str:
    known = _KEYS.get(said.casefold())
    if known is not None:
        return known
    bare = re.fullmatch(r"(?:Key|Digit)(\w)", said)
    bare_key = bare[1] if bare else said
    return bare_key.casefold() if len(bare_key) == 1 else ""


def _number(given: Any) -> float:
    try:
        return float(given or 0)
    except (TypeError, ValueError):
        return 0.0
