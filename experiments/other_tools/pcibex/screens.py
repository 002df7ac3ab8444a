"""Follow the commands of a trial in their order: what stands on the screen whenever something is waited for. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.other_tools.pcibex.functions import NeedsTick, OnlyLooks, Returns
from experiments.other_tools.pcibex.values import Command, Commands, Element, Trial, Unknown, UrlParameter
from experiments.other_tools.reports import CARRIED, CHANGED, NOT_CARRIED, Report, english

LAYOUT = frozenset(
    (
        "css", "cssContainer", "center", "left", "right", "bold", "italic", "color", "size", "unfold", "frame",
        "opacity", "hidden", "visible", "cssPath", "lines", "length", "labelsPosition", "radio", "vertical",
        "horizontal", "slider", "default", "defaultValue", "selected", "css-container", "line", "sentence", "reset",
        "fontsize", "underline",
    )
)  # fmt: skip
_SILENT = frozenset(
    (
        "log", "once", "enable", "disable", "global", "preload", "stop", "pause", "scrollIntoView", "noLog",
        "inputWarning", "checkboxWarning", "radioWarning", "warn", "display", "cover", "until", "hideControls",
        "deselect", "on", "off", "disableClicks", "enableClicks",
    )
)  # fmt: skip
_KEPT = frozenset(
    ("keys", "before", "after", "shuffle", "button", "callback", "slider", "radio", "labels", "success", "failure",
     "and", "or",
     "labelsPosition", "log", "once", "hidden", "disable")
)  # fmt: skip
# Elements that nothing here has, with what to do instead.
LACKING = {
    "MediaRecorder": (
        english("nothing is recorded here: there are no recordings of voice or camera."),
        english("Keep this study where it is, or let people type."),
    ),
    "VoiceRecorder": (
        english("nothing is recorded here: there are no recordings of voice or camera."),
        english("Keep this study where it is, or let people type."),
    ),
    "EyeTracker": (english("gaze is not recorded here."), english("Mouse-contingent reading may take its place.")),
    "MouseTracker": (
        english("the path of the pointer is not recorded here."),
        english("Mouse-contingent reading may take its place."),
    ),
    "Video": (
        english("films are not shown here."),
        english("Use pictures or sounds, or keep the study where it is."),
    ),
    "Youtube": (
        english("films are not shown here."),
        english("Use pictures or sounds, or keep the study where it is."),
    ),
    "DragDrop": (english("nothing can be dragged here."), english("Ask with a choice or a rating instead.")),
    "Tooltip": (english("there are no tooltips."), english("Say it in the instructions, if people need it.")),
    "Function": (english("a function would have to run."), english("Leave it out if the study does not need it.")),
    "script": (english("it would have to run."), english("Leave it out if the study does not need it.")),
}


@dataclass
class State:
    """An element within a trial: its content, what was asked of it, and whether it stands on the screen."""

    element: Element
    content: tuple[Any, ...]
    asked: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    started: bool = False
    played: bool = False
    waited: bool = False

    @property
    def kind(self) -> str:
        return self.element.kind

    @property
    def first(self) -> Any:
        return self.content[0] if self.content else ""


@dataclass
class Step:
    """Something that is waited for, and what stands on the screen then, from above to below."""

    waits: State
    shown: list[State]
    line: int
    conditions: list[Command] = field(default_factory=list)


@dataclass
class Followed:
    """A trial as its steps, and all elements that it made."""

    trial: Trial
    steps: list[Step] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    printed: list[State] = field(default_factory=list)
    conditions: list[Command] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    needed_boxes: list[str] = field(default_factory=list)

    def of(self, *kinds: str) -> list[State]:
        """Return the elements of some kinds that stood on the screen, were waited for or played."""
        return [
            state
            for state in self.states
            if state.kind in kinds and (state.waited or state.played or any(state is one for one in self.printed))
        ]


class Follower:
    """Follows one trial; what cannot be carried goes to the report."""

    def __init__(self, trial: Trial, report: Report) -> None:
        self.trial, self.report = trial, report
        self.followed = Followed(trial)
        self.by_name: dict[tuple[str, str], State] = {}
        self.by_element: dict[int, State] = {}
        self.defaults: dict[str, list[Command]] = {}
        self.screen: list[State] = []
        self.canvases: dict[int, list[State]] = {}

    def follow(self) -> Followed:
        """Return the steps of the trial."""
        for command in self.trial.commands:
            self.command(command)
        return self.followed

    def tell(self, outcome: str, line: int, element: str, said: str, advice: str = "") -> None:
        self.report.add(outcome, self.trial.file, line, element, said, advice)

    def state_of(self, element: Element) -> State | None:
        if id(element) in self.by_element:
            return self.by_element[id(element)]
        found = self.by_name.get((element.kind, element.name))
        if found is None and element.kind not in ("Var",):
            same = [state for state in self.followed.states if state.element.name == element.name]
            same = same or [state for state in self.followed.states if state.kind == element.kind]
            found = same[-1] if same and (element.name == "" or same[-1].element.name == element.name) else None
            if found is None and (of_kind := [state for state in self.followed.states if state.kind == element.kind]):
                # getController("Maze") names a controller by its kind.
                found = of_kind[-1] if str(of_kind[-1].first) == element.name else None
        return found

    def command(self, command: Command) -> None:
        element, method = command.element, command.method
        if element.kind.startswith("default"):
            self.defaults.setdefault(element.kind.removeprefix("default"), []).append(command)
            return
        if element.kind in ("clear", "fullscreen", "exitFullscreen", "end", "endTrial"):
            self.of_page(element, command)
            return
        if method == "new":
            self.make(command)
            return
        if element.kind == "Var":
            self.variable(command)
            return
        if element.kind == "script":
            said, advice = LACKING["script"]
            source = str(command.arguments[0]) if command.arguments else ""
            if source not in ("null", "undefined"):
                self.tell(NOT_CARRIED, command.line, source or "script", said, advice)
            return
        state = self.state_of(element)
        if state is None:
            if element.kind not in ("Function", "Var"):
                self.tell(
                    NOT_CARRIED,
                    command.line,
                    f"get{element.kind}",
                    english("no element of the trial has the name {name}.", name=element.name or "…"),
                    english("Correct the name in the script."),
                )
            return
        self.of_element(state, command)

    def of_page(self, element: Element, command: Command) -> None:
        match element.kind:
            case "clear":
                self.screen = []
            case "fullscreen" | "exitFullscreen":
                self.tell(
                    CHANGED,
                    command.line,
                    element.kind,
                    english("the study runs in the window; full screen is asked for in supervised sessions alone."),
                )
            case _:
                self.tell(
                    NOT_CARRIED,
                    command.line,
                    element.kind,
                    english("a trial cannot end before it is answered."),
                    english("Delete it."),
                )

    def make(self, command: Command) -> None:
        element = command.element
        state = State(element, tuple(element.arguments))
        self.by_element[id(element)] = state
        self.by_name[(element.kind, element.name)] = state
        self.followed.states.append(state)
        for argument in element.arguments:
            self.nested(argument)
        match state.first:
            case NeedsTick(box) if element.kind == "Function":
                self.followed.needed_boxes.append(box)
                said = english("people go on only after they have ticked the box {box}.", box=box)
                self.tell(CARRIED, command.line, "newFunction", said)
            case OnlyLooks() if element.kind == "Function":
                said = english("the platform has a layout of its own, the same for everybody.")
                self.tell(CHANGED, command.line, "newFunction", said)
            case Returns() if element.kind == "Function":
                pass
            case _ if element.kind in LACKING:
                said, advice = LACKING[element.kind]
                self.tell(NOT_CARRIED, command.line, f"new{element.kind}", said, advice)
        for own in self.defaults.get(element.kind, []):
            self.of_element(state, Command(element, own.method, own.arguments, command.line))

    def nested(self, argument: Any) -> None:
        """Carry out commands on elements that stand in the arguments of another one."""
        if isinstance(argument, Commands):
            for command in argument:
                if not command.method.startswith(("test", "success", "failure", "and", "or", "print")):
                    self.command(command)
        elif isinstance(argument, list):
            for one in argument:
                self.nested(one)

    def variable(self, command: Command) -> None:
        if command.method == "set" and any(isinstance(one, UrlParameter) for one in command.arguments):
            self.followed.parameters += [one.name for one in command.arguments if isinstance(one, UrlParameter)]
            return
        if command.method.startswith(("test", "if", "success")):
            self.tell(
                NOT_CARRIED,
                command.line,
                f"getVar({command.element.name})",
                english("what follows depends on a value that is counted while the study runs."),
                english("Leave the condition out, or make two parts with a rule."),
            )
            return
        if command.method in ("set", "new", "global", "log"):
            self.tell(
                CHANGED,
                command.line,
                f"Var {command.element.name}",
                english("variables are not kept; times, answers, whether they are right, and places in the order are."),
            )

    def of_element(self, state: State, command: Command) -> None:
        method, arguments, line = command.method, command.arguments, command.line
        state.asked.setdefault(method, []).append(arguments)
        match method:
            case "print":
                self.print(state)
            case "remove" | "hide":
                self.take_away(state)
            case "text" if arguments and state.kind in ("Text", "Button"):
                state.content = (arguments[0],)
            case "start":
                state.started = True
            case "play":
                state.played = True
                self.screen.append(state)
            case "wait":
                self.wait(state, command)
            case "add":
                for argument in arguments:
                    self.nested(argument)
                self.canvases.setdefault(id(state), []).extend(self.states_in(arguments))
            case "callback":
                self.callback(state, command)
            case "label" if state.kind == "Scale" and len(arguments) > 1 and isinstance(arguments[0], int):
                self.label(state, arguments[0], arguments[1])
            case "selector" if arguments:
                self.into_selector(state, command)
            case "success" | "failure" | "if" | "ifNot":
                self.tested(state, command)
            case "settings" | "print.remove":
                pass
            case _ if method in ("before", "after"):
                for argument in arguments:
                    self.nested(argument)
            case _ if method in LAYOUT:
                self.tell(
                    CHANGED,
                    line,
                    english("places, sizes, fonts and colours"),
                    english("the platform has a layout of its own, the same for everybody."),
                )
            case _ if method in _SILENT or method in _KEPT or method.startswith("test"):
                pass
            case _ if state.kind in LACKING or method in ("setVar", "setParentElement"):
                pass
            case _:
                self.tell(
                    NOT_CARRIED,
                    line,
                    f"{state.kind}.{method}",
                    english("this command is not known."),
                    english("Look whether the study needs it."),
                )

    def print(self, state: State) -> None:
        held = self.canvases.get(id(state), [])
        for one in (*held, state):
            if not any(one is there for there in self.screen):
                self.screen.append(one)
            if not any(one is there for there in self.followed.printed):
                self.followed.printed.append(one)

    def take_away(self, state: State) -> None:
        gone = [state, *self.canvases.get(id(state), [])]
        self.screen = [one for one in self.screen if not any(one is each for each in gone)]

    def states_in(self, arguments: Sequence[Any]) -> list[State]:
        found = []
        for argument in arguments:
            if isinstance(argument, Commands):
                state = self.state_of(argument.element)
                if state is not None:
                    found.append(state)
            elif isinstance(argument, list):
                found += self.states_in(argument)
        return found

    def members(self, state: State) -> list[State]:
        """Return the elements that were added to a selector, a canvas or a list."""
        return self.canvases.get(id(state), [])

    def wait(self, state: State, command: Command) -> None:
        state.waited = True
        conditions = [one for argument in command.arguments for one in commands_in(argument)]
        self.followed.conditions += conditions
        shown = list(self.screen)
        if state.kind == "Selector":
            state.asked["members"] = [tuple(self.members(state))]
            for one in self.members(state):
                if not any(one is there for there in shown):
                    shown.append(one)
        self.followed.steps.append(Step(state, shown, command.line, conditions))

    def label(self, scale: State, place: int, given: Any) -> None:
        """Set the label of a point of a scale."""
        self.nested(given)
        own = self.state_of(given.element) if isinstance(given, Commands) else None
        said = own.first if own is not None else given
        if 0 <= place < len(scale.content):
            scale.content = (*scale.content[:place], said, *scale.content[place + 1 :])

    def into_selector(self, state: State, command: Command) -> None:
        """Put an element into a selector that is named, as `getImage("a").selector("answer")` does."""
        given = command.arguments[0]
        name = given.element.name if isinstance(given, Commands) else words_of(given)
        selector = self.by_name.get(("Selector", name or ""))
        if selector is None:
            self.tell(
                NOT_CARRIED, command.line, f"{state.kind}.selector",
                english("no element of the trial has the name {name}.", name=name or "…"),
                english("Correct the name in the script."),
            )  # fmt: skip
            return
        self.canvases.setdefault(id(selector), []).append(state)

    def callback(self, state: State, command: Command) -> None:
        for one in commands_in(list(command.arguments)):
            if one.element.kind == "Timer" and one.method == "stop":
                state.asked.setdefault("stops", []).append((one.element.name,))
            elif one.method in ("remove", "new", "disable", "enable", "log", "stop", "set", "global"):
                continue
            else:
                self.tell(
                    NOT_CARRIED,
                    command.line,
                    f"{state.kind}.callback",
                    english("what follows while people answer is not carried: {what}.", what=_said(one)),
                    english("Look whether the study needs it."),
                )

    def tested(self, state: State, command: Command) -> None:
        """Take in what follows a test: a value that is known decides, an answer may be given feedback."""
        tests = [(name, args[-1]) for name, args in state.asked.items() if name.startswith("test")]
        name, asked = tests[-1] if tests else ("", ())
        if isinstance(state.first, Returns) and name in ("test.is", "testNot.is") and asked:
            holds = state.first.value == asked[0]
            if (holds != name.startswith("testNot")) == (command.method == "success"):
                for argument in command.arguments:
                    self.done(argument)
            return
        effects = {effect_of(one) for one in commands_in(list(command.arguments))} - {""}
        if command.method in ("success", "failure") and name in _ON_ANSWERS and effects <= {"tells", "counts"}:
            state.asked.setdefault("outcomes", []).append((command.method, name, asked, "tells" in effects))
            if "counts" in effects:
                self.tell(
                    CHANGED, command.line, f"{state.kind}.test",
                    english("what it counts is not kept; whether an answer is right is stored with it."),
                )  # fmt: skip
            return
        self.tell(
            NOT_CARRIED,
            command.line,
            f"{state.kind}.test",
            english("what follows depends on the answer."),
            english("Feedback in practice is a setting of timed choice; other conditions are not carried."),
        )

    def done(self, given: Any) -> None:
        """Carry out the commands that stand in an argument."""
        for one in given if isinstance(given, list) else []:
            if isinstance(one, Command):
                self.command(one)
            else:
                self.done(one)


_ON_ANSWERS = frozenset(("test.selected", "test.pressed"))
_SAYS = frozenset(("Text", "Html", "Image", "Audio"))


def effect_of(command: Command) -> str:
    """Return what a command after an answer does: it tells people something, counts, or more; empty for looks alone."""
    kind, method = command.element.kind, command.method
    if kind == "Var":
        return "counts"
    if kind in ("Timer", "clear") or method in LAYOUT or method in ("log", "new", "remove", "stop", "settings"):
        return "" if kind in (*_SAYS, "Timer", "clear", "Selector", "Key", "Canvas", "Button") else "more"
    if kind in _SAYS and method in ("print", "play", "text", "wait"):
        return "tells"
    return "" if kind == "Button" and method in ("print", "wait") else "more"


def _said(command: Command) -> str:
    return f"get{command.element.kind}({command.element.name}).{command.method}"


def commands_in(argument: Any) -> Iterator[Command]:
    """Yield the commands in an argument, those within their arguments too."""
    if isinstance(argument, Commands | list | tuple):
        for one in argument:
            yield from commands_in(one)
    elif isinstance(argument, Command):
        yield argument
        yield from commands_in(argument.arguments)


def followed(trial: Trial, report: Report) -> Followed:
    """Return a trial as its steps."""
    return Follower(trial, report).follow()


def words_of(value: Any) -> str | None:
    """Return a value as text; None where only a running script knows it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return value
        case float() if value.is_integer():
            return str(int(value))
        case int() | float():
            return str(value)
        case Commands():
            return words_of(value.element.arguments[0]) if value.element.arguments else ""
        case Unknown() | UrlParameter():
            return None
    return None


__all__ = ["CARRIED", "Followed", "State", "Step", "commands_in", "followed", "words_of"]
