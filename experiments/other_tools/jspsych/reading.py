"""Read an experiment of jsPsych as a flow of screens: its timeline, nested ones, and timeline variables. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from experiments.other_tools.javascript.plain import Code, Parts, Reader, Record, Shuffled, Variable, recorded
from experiments.other_tools.jspsych.plugins import BY_ITSELF, PLUGINS, plugin_name
from experiments.other_tools.jspsych.scripts import is_of_jspsych, scripts_of
from experiments.other_tools.pages import plain
from experiments.other_tools.projects import Project
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.composing import Naming, study_of
from experiments.other_tools.screens.flow import FIXED, RANDOM, Block, Budget, Loop, Page, Place, Screen, Trial

MOST_TRIALS, MOST_DEEP = 20_000, 25
_OF_NODES = (
    "timeline", "timeline_variables", "randomize_order", "repetitions", "sample", "conditional_function",
    "loop_function", "on_timeline_start", "on_timeline_finish", "name",
)  # fmt: skip
_FUNCTIONS = ("on_finish", "on_start", "on_load", "on_trial_start", "on_timeline_start", "on_timeline_finish", "func")
_STEERS = {
    "endExperiment", "abortExperiment", "endCurrentTimeline", "abortCurrentTimeline", "addNodeToEndOfTimeline",
    "pauseExperiment", "abortTimelineByName",
}  # fmt: skip


def recognises(project: Project) -> bool:
    """Return whether the project holds an experiment of jsPsych: a page, a script, or a timeline as JSON."""
    return any(is_of_jspsych(path, text) for path, text in project.texts.items()) or bool(_timelines(project))


def study_files(project: Project, naming: Naming) -> tuple[dict[str, bytes], Report]:
    """Return the files of the study of an experiment, and the report on every trial."""
    report = Report()
    reader = Reader()
    timelines = _timelines(project)
    if timelines and not any(is_of_jspsych(path, text) for path, text in project.texts.items()):
        file, timeline = timelines[0]
        for other, _held in timelines[1:]:
            report.add(
                NOT_CARRIED, other, None, english("timeline"), english("a project has one timeline."),
                english("Import it by itself."),
            )  # fmt: skip
        blocks = _Walker(reader, report, file, {}).blocks(timeline)
        return study_of(blocks, project, report, naming, tool="jsPsych"), report
    scripts = scripts_of(project)
    for path, text in scripts.scripts:
        reader.read(text, path)
    for source, line in scripts.missing:
        report.add(
            NOT_CARRIED, scripts.page, line, source, english("the script is not in the project."),
            english("Add it to the folder, and import again."),
        )  # fmt: skip
    for other in scripts.others[:50]:
        report.add(
            NOT_CARRIED, other, None, english("page"), english("a project has one page; the first is read."),
            english("Import it by itself, with its scripts."),
        )  # fmt: skip
    found_timeline = _timeline_of(reader)
    names = {id(value): name for name, value in reader.values.names.items() if isinstance(value, Record | list)}
    walker = _Walker(reader, report, scripts.page, names)
    found = walker.blocks(found_timeline) if found_timeline is not None else []
    if found_timeline is None:
        report.add(
            NOT_CARRIED, scripts.page, None, english("timeline"),
            english("no timeline is given to jsPsych.run or jsPsych.init that can be read."),
            english("Write it out as a list, or export it as JSON."),
        )  # fmt: skip
    for file, line, said in reader.values.unread:
        report.add(
            NOT_CARRIED, file, line, said[:60], english("what depends on it is not worked out, and it is not run."),
            english("Look what it does, and write its results into the materials or settings."),
        )  # fmt: skip
    for file, line, said in reader.values.faults:
        report.add(
            NOT_CARRIED, file, line, english("script"), english("it cannot be read: {said}", said=said),
            english("Look what stands there."),
        )  # fmt: skip
    return study_of(found, project, report, naming, tool="jsPsych"), report


def _timelines(project: Project) -> list[tuple[str, list[Any]]]:
    """Return the timelines that files of JSON hold."""
    found = []
    for path, text in sorted(project.texts.items(), key=lambda one: (one[0].count("/"), one[0])):
        if not path.casefold().endswith(".json") or '"type"' not in text or "response" not in text + "survey":
            continue
        if PurePosixPath(path).name in ("package.json", "package-lock.json", "tsconfig.json"):
            continue
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):
            continue
        timeline = given.get("timeline") if isinstance(given, Mapping) else given
        if isinstance(timeline, list) and any(_is_trial(one) for one in timeline[:200]):
            whole = given if isinstance(given, Mapping) and "timeline_variables" in given else None
            found.append((path, recorded([whole] if whole else timeline, path)))
    return found


def _is_trial(given: Any) -> bool:
    if not isinstance(given, Mapping):
        return False
    known = isinstance(given.get("type"), str) and plugin_name(given["type"]) in (*PLUGINS, *BY_ITSELF)
    return known or (isinstance(given.get("timeline"), list) and any(_is_trial(one) for one in given["timeline"]))


def _timeline_of(reader: Reader) -> list[Any] | None:
    """Return the timeline that the page runs; functions that the page calls when it is ready are followed for it."""
    found = _run(reader)
    if found is not None:
        return found
    followed: set[int] = set()
    for name, arguments in list(reader.values.calls):
        for one in arguments:
            if isinstance(one, Code) and one.node is not None and id(one.node) not in followed and "on" not in name[:2]:
                followed.add(id(one.node))
                reader.follow(one)
    found = _run(reader)
    for value in list(reader.values.names.values()) if found is None else []:
        if isinstance(value, Code) and id(value.node) not in followed and not getattr(value.node, "parameters", True):
            reader.follow(value)
            found = _run(reader)
            if found is not None:
                break
    if found is None:
        named = [reader.values.names.get(name) for name in ("timeline", "experiment", "trials")]
        found = next((one for one in named if isinstance(one, list) and one), None)
    return found


def _run(reader: Reader) -> list[Any] | None:
    for name, arguments in reader.values.calls:
        last = name.rpartition(".")[2]
        first = arguments[0] if arguments else None
        if last in ("run", "simulate") and isinstance(first, list) and "sych" in name:
            return first
        if last == "init" and isinstance(first, Record) and isinstance(first.get("timeline"), list):
            return list(first["timeline"])
    return None


class _Walker:
    def __init__(self, reader: Reader, report: Report, file: str, names: Mapping[int, str]) -> None:
        self.reader, self.report, self.file, self.names = reader, report, file, names
        self.trials = 0
        self.budget = Budget()
        self.gap = 0
        for name, arguments in reader.values.calls:
            first = arguments[0] if arguments else None
            if name.rpartition(".")[2] in ("initJsPsych", "init") and isinstance(first, Record):
                gap = first.get("default_iti")
                self.gap = int(gap) if isinstance(gap, int | float) and not isinstance(gap, bool) else 0

    def blocks(self, timeline: Sequence[Any]) -> list[Block]:
        return self.walk(timeline, Record(), {}, "timeline", 0)

    def tell(self, outcome: str, place: Place, said: str, advice: str = "", line: int | None = None) -> None:
        self.report.add(outcome, place.file, line or place.line, place.name, said, advice)

    def place(self, node: Record, path: str) -> Place:
        kind = node.get("type")
        said = self.names.get(id(node)) or path
        plugin = kind.source if isinstance(kind, Code) else kind if isinstance(kind, str) else ""
        name = f"{said} ({plugin})" if plugin and said != plugin else said
        return Place(node.file or self.file, node.line or None, name)

    def walk(
        self, timeline: Sequence[Any], above: Mapping[str, Any], row: Mapping[str, Any], path: str, depth: int
    ) -> list[Block]:
        """Return the blocks of a timeline outside of lists of rows."""
        found: list[Block] = []
        if isinstance(timeline, Shuffled) and len(timeline) > 1:
            return self.shuffled(timeline, above, row, path, depth)
        for number, node in enumerate(timeline):
            found += self.node(node, above, row, f"{path}[{number}]", depth)
        return found

    def shuffled(
        self, timeline: Sequence[Any], above: Mapping[str, Any], row: Mapping[str, Any], path: str, depth: int
    ) -> list[Block]:
        trials = []
        blocks: list[Block] = []
        for number, node in enumerate(timeline):
            own = self.node(node, above, row, f"{path}[{number}]", depth)
            screens = [block.screen for block in own if isinstance(block, Page)]
            if len(screens) == len(own) and any(screen.asks for screen in screens):
                trials.append(Trial(screens, next(s.data for s in screens if s.asks)))
            else:
                blocks += own
        if blocks and (trials or len(timeline) > 1):
            place = Place(self.file, None, path)
            self.tell(
                NOT_CARRIED, place, english("its blocks come in a random order; here in that of the list."),
                english("Use an order set of parts."),
            )  # fmt: skip
        return [*blocks, *([Loop(trials[0].screens[-1].place, trials, RANDOM)] if trials else [])]

    def node(self, node: Any, above: Mapping[str, Any], row: Mapping[str, Any], path: str, depth: int) -> list[Block]:
        if isinstance(node, list):
            over = depth > MOST_DEEP or self.budget.spent()
            return [] if over else self.walk(node, above, row, path, depth + 1)
        if not isinstance(node, Record):
            line = node.line if isinstance(node, Code) else None
            said = node.source if isinstance(node, Code) else plain(str(node))[:60]
            self.report.add(
                NOT_CARRIED, self.file, line, path, english("it is worked out by a script: {said}.", said=said),
                english("Write the trial out."),
            )  # fmt: skip
            return []
        if depth > MOST_DEEP or self.budget.spent():
            self.tell(
                NOT_CARRIED, self.place(node, path[:200]), english("timelines are nested too deep, or show too much."),
                english("Split the experiment."),
            )  # fmt: skip
            return []
        inherited = {**above, **{name: value for name, value in node.items() if name not in _OF_NODES}}
        if "timeline" not in node:
            screen = self.screen(node, inherited, row, path)
            return [Page(screen)] if screen is not None else []
        place = self.place(node, path)
        self.conditions(node, place)
        timeline = self.resolved(node["timeline"], row)
        if not isinstance(timeline, list):
            self.tell(
                NOT_CARRIED, place, english("its timeline is worked out by a script."), english("Write it out."),
            )  # fmt: skip
            return []
        if "timeline_variables" in node:
            return self.loop(node, timeline, inherited, row, path, depth)
        if node.get("randomize_order") is True and not isinstance(timeline, Shuffled):
            timeline = Shuffled(timeline)
        found = self.walk(timeline, inherited, row, path, depth + 1)
        times = node.get("repetitions", 1)
        times = times if isinstance(times, int) and not isinstance(times, bool) and 0 < times <= 500 else 1
        if times > 1:
            screens = [block.screen for block in found if isinstance(block, Page)]
            if len(screens) == len(found) and any(screen.asks for screen in screens):
                return [Loop(place, [Trial(screens, next(s.data for s in screens if s.asks))], FIXED, times)]
            loops = [block for block in found if isinstance(block, Loop)]
            for block in loops:
                block.repetitions *= times
            if len(loops) != len(found):
                self.tell(
                    NOT_CARRIED, place, english("its pages come {n} times; here once.", n=times),
                    english("Write them into the instructions, or copy the part."),
                )  # fmt: skip
        return found

    def conditions(self, node: Record, place: Place) -> None:
        for name, said in (
            ("conditional_function", english("a function says whether it is shown; here everybody has it.")),
            ("loop_function", english("a function says how often it comes; here once.")),
        ):
            if name in node:
                self.tell(
                    NOT_CARRIED, place, said, english("Make it a part for some people, or look whether it is needed."),
                    node.lines.get(name),
                )  # fmt: skip
        self.functions(node, place)

    def functions(self, node: Mapping[str, Any], place: Place) -> None:
        for name in _FUNCTIONS:
            code = node.get(name)
            if not isinstance(code, Code):
                continue
            line = getattr(node, "lines", {}).get(name)
            if name in ("on_finish", "on_timeline_finish") and not code.names() & _STEERS:
                self.tell(
                    CHANGED, place,
                    english("the function {name} is not run: what it stores is not kept; answers, times and whether "
                            "they are right are.", name=name), line=line,
                )  # fmt: skip
            else:
                self.tell(
                    NOT_CARRIED, place, english("the function {name} is not run.", name=name),
                    english("Look what it does, and set it where the study needs it."), line,
                )  # fmt: skip

    def loop(
        self, node: Record, timeline: Sequence[Any], inherited: Mapping[str, Any], row: Mapping[str, Any], path: str,
        depth: int,
    ) -> list[Block]:  # fmt: skip
        place = self.place(node, path)
        given = self.resolved(node["timeline_variables"], row)
        rows = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
        if not isinstance(given, list) or len(rows) < len(given):
            self.tell(
                NOT_CARRIED, place,
                english("{n} rows of its timeline variables are worked out by a script.",
                        n=len(given) - len(rows) if isinstance(given, list) else "all"),
                english("Write the rows into the materials of the task."), node.lines.get("timeline_variables"),
            )  # fmt: skip
        if not rows:
            rows = [Record()]
        order = RANDOM if isinstance(given, Shuffled) or node.get("randomize_order") is True else FIXED
        order, times, rows = self.sampled(node, place, rows, order)
        if any(_has_rows(one) for one in timeline):
            found: list[Block] = []
            for one in rows[:60]:
                found += self.walk(timeline, inherited, {**row, **one}, path, depth + 1)
            return found
        trials = []
        for one in rows:
            self.trials += 1
            if self.trials > MOST_TRIALS:
                self.tell(
                    NOT_CARRIED, place, english("there are more than {n} trials.", n=MOST_TRIALS),
                    english("Split the experiment."),
                )  # fmt: skip
                break
            values = {**row, **one}
            screens = [block.screen for block in self.walk(timeline, inherited, values, path, depth + 1)
                       if isinstance(block, Page)]  # fmt: skip
            data = next((screen.data for screen in screens if screen.asks), {})
            trials.append(Trial(screens, {**self.cells(one, values), **data}))
        return [Loop(place, trials, order, times, rounds="sample" not in node)]

    def sampled(self, node: Record, place: Place, rows: list[Any], order: str) -> tuple[str, int, list[Any]]:
        times = node.get("repetitions", 1)
        if not isinstance(times, int) or isinstance(times, bool) or not 0 < times <= 500:
            self.tell(
                NOT_CARRIED, place, english("how often it comes is worked out by a script; here once."),
                english("Set repetitions under Procedure."), node.lines.get("repetitions"),
            )  # fmt: skip
            times = 1
        sample = node.get("sample")
        if not isinstance(sample, Mapping):
            return order, times, rows
        size = sample.get("size")
        match sample.get("type"):
            case "fixed-repetitions" if isinstance(size, int) and 0 < size <= 500:
                return RANDOM, times * size, rows
            case "without-replacement" if size == len(rows):
                return RANDOM, times, rows
        self.tell(
            NOT_CARRIED, place,
            english("it draws {n} of {rows} rows ({kind}); here each is shown once.",
                    n=size if isinstance(size, int) else "some", rows=len(rows), kind=sample.get("type") or "…"),
            english("Set repetitions under Procedure, or leave rows out."), node.lines.get("sample"),
        )  # fmt: skip
        return RANDOM, times, rows

    def cells(self, row: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, str]:
        """Return the values of a row as texts; those of `data` are columns of their own."""
        found: dict[str, str] = {}
        for name, value in row.items():
            said = self.resolved(value, values)
            if isinstance(said, Mapping):
                found |= self.cells(said, values)
            elif (text := _told(said)) is not None:
                found[str(name)] = text
        return found

    def resolved(self, value: Any, row: Mapping[str, Any]) -> Any:
        """Return a value for a row: variables, texts in pieces and functions that give plain data back."""
        for _time in range(5):
            if isinstance(value, Variable) and value.name in row:
                value = row[value.name]
            elif isinstance(value, Code) and value.node is not None:
                found = self.reader.dynamic(value, row)
                if found is value:
                    return value
                value = found
            else:
                break
        if isinstance(value, Parts):
            said = [self.resolved(one, row) for one in value]
            texts = [_told(one) for one in said]
            return Code(0, "`…`") if any(text is None for text in texts) else "".join(text or "" for text in texts)
        if isinstance(value, list) and any(isinstance(one, Code | Variable | Parts) for one in value):
            return type(value)(one if isinstance(one, Record) else self.resolved(one, row) for one in value)
        if isinstance(value, Record) and any(isinstance(one, Code | Variable | Parts) for one in value.values()):
            found = Record({name: self.resolved(one, row) for name, one in value.items()}, line=value.line)
            found.file, found.lines = value.file, value.lines
            return found
        return value

    def screen(self, node: Record, inherited: Mapping[str, Any], row: Mapping[str, Any], path: str) -> Screen | None:
        place = self.place(node, path)
        given = inherited.get("type")
        given = self.resolved(given, row)
        kind = plugin_name(given.source if isinstance(given, Code) else str(given or ""))
        merged = Record(inherited, line=node.line, file=node.file)
        merged.lines = node.lines
        if kind in BY_ITSELF:
            if BY_ITSELF[kind]:
                self.tell(CARRIED, place, BY_ITSELF[kind])
            return None
        plugin = PLUGINS.get(kind)
        if plugin is None:
            said = english("the plugin is not read.") if kind else english("it has no plugin.")
            self.tell(
                NOT_CARRIED,
                place,
                said,
                english("Choose a paradigm that does the same, and add its materials by hand."),
            )
            self.functions(merged, place)
            return None
        screen = Screen(place)
        asked = _Asked(self, merged, row, place, kind)
        plugin(screen, asked)
        self.functions(merged, place)
        gaps = [name for name in ("post_trial_gap", "timing_post_trial") if asked.has(name)]
        screen.pause_ms = asked.number(gaps[0]) if gaps else self.gap
        data = asked.value("data", quiet=True)
        screen.data = self.cells(data, row) if isinstance(data, Mapping) else {}
        code = inherited.get("on_finish")
        if len(screen.answers) > 1 and screen.right is None and isinstance(code, Code) and "correct" in code.names():
            self.tell(
                NOT_CARRIED, place, english("which answer is right is worked out by a function (on_finish)."),
                english("Fill the column correct, and tick that answers are right or wrong."),
            )  # fmt: skip
        return screen


def _has_rows(node: Any) -> bool:
    open_nodes, seen = [node], set()
    while open_nodes:
        one = open_nodes.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Record):
            if "timeline_variables" in one:
                return True
            open_nodes += _listed(one.get("timeline"))
        elif isinstance(one, list):
            open_nodes += one
    return False


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _told(value: Any) -> str | None:
    """Return a value as a text; None for what is code."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list):
        parts = [_told(one) for one in value]
        return None if any(part is None for part in parts) else " | ".join(part or "" for part in parts)
    return None


class _Asked:
    """Parameters of a trial with the values of its row."""

    def __init__(self, walker: _Walker, given: Record, row: Mapping[str, Any], place: Place, kind: str) -> None:
        self.walker, self.given, self.row, self.place, self.kind = walker, given, row, place, kind

    def has(self, name: str) -> bool:
        """Return whether a parameter is given."""
        return name in self.given

    def value(self, name: str, *, quiet: bool = False) -> Any:
        """Return a parameter for the row; what is code is named, and is None."""
        value = self.walker.resolved(self.given.get(name), self.row)
        if isinstance(value, Code | Variable):
            keys = plugin_name(value.source) if isinstance(value, Code) else ""
            if keys in ("allkeys", "nokeys"):
                return keys
            if not quiet:
                said = value.name if isinstance(value, Variable) else value.source
                self.lost(name, f"it is worked out by a script: {said}.", "Write it out.")
            return None
        return value

    def text(self, name: str) -> str:
        """Return a parameter as text."""
        if name == "type":
            return self.kind
        value = self.value(name)
        if isinstance(value, list):
            return " ".join(_told(one) or "" for one in value)
        return _told(value) or "" if not isinstance(value, Mapping) else ""

    def number(self, name: str) -> int:
        """Return a parameter that is a number; 0 where there is none."""
        value = self.value(name)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                return 0
        return max(0, round(value)) if isinstance(value, int | float) and not isinstance(value, bool) else 0

    def listed(self, name: str) -> list[Any]:
        """Return a parameter that is a list; entries that are code are named and left out."""
        value = self.value(name)
        found = []
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            own = self.walker.resolved(one, self.row)
            if isinstance(own, Code | Variable):
                self.lost(name, "an entry is worked out by a script.", "Write it out.")
            else:
                found.append(own)
        return found

    def lost(self, element: str, said: str, advice: str) -> None:
        """Name what is not carried."""
        place = Place(
            self.place.file, self.given.lines.get(element) or self.place.line, f"{self.place.name}: {element}"
        )
        self.walker.tell(NOT_CARRIED, place, said, advice)

    def changed(self, element: str, said: str) -> None:
        """Name what is changed."""
        place = Place(
            self.place.file, self.given.lines.get(element) or self.place.line, f"{self.place.name}: {element}"
        )
        self.walker.tell(CHANGED, place, said)
