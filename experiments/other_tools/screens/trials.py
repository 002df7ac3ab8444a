"""Say what a trial asks people to do: choose, rate, type or read; the rest of its screens is display. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.other_tools.pages import page_of, plain
from experiments.other_tools.reports import CHANGED, NOT_CARRIED, Report, english
from experiments.other_tools.screens.flow import (
    BUTTONS,
    DRAWING,
    IMAGE,
    SOUND,
    TEXT,
    VIDEO,
    Answer,
    Place,
    Screen,
    Shown,
    Trial,
)

CHOICE, RATING, TYPING, READING = "timed-choice", "rating", "typed-production", "self-paced-reading"
MOST_ANSWERS, MOST_POINTS = 4, 11
LONGEST_NAME = 40
_NONE = ("none", "null", "no response", "nogo", "no-go", "noresponse", "undefined", "nan")


@dataclass
class Display:
    """What stands on the screen for a time before the target: words, or a file, or nothing."""

    kind: str
    content: str
    ms: int
    place: Place
    pieces: list[str] = field(default_factory=list)

    def without(self, always: Collection[str]) -> None:
        """Leave out the words that stand on the screen all the time, the target included."""
        if self.kind == TEXT and self.pieces:
            left = [piece for piece in self.pieces if piece not in always]
            self.content, self.kind = " ".join(left), TEXT if left else ""


@dataclass
class Task:
    """One trial of a task: settings that its trials share, cells of its row, and displays before the target."""

    paradigm: str
    settings: dict[str, Any]
    trial: Trial
    screen: Screen
    cells: dict[str, str] = field(default_factory=dict)
    before: list[Display] = field(default_factory=list)
    words: list[Shown] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    pause_ms: int = 0
    feedback_ms: int | None = None


def task_of(trial: Trial, report: Report) -> Task | None:
    """Return the task of a trial; None where nothing in it is answered."""
    asking = [number for number, screen in enumerate(trial.screens) if screen.asks]
    if not asking:
        return None
    first = asking[0]
    screen = trial.screens[first]
    teller = _Teller(report, screen.place)
    if screen.reading is not None:
        task = Task(READING, dict(screen.reading), trial, screen)
    elif screen.scales:
        task = Task(RATING, {"questions": [dict(scale) for scale in screen.scales], "break_every": 0}, trial, screen)
    elif screen.fields:
        settings = {"task": "continuation", "number_of_fields": min(len(screen.fields), 6), "break_every": 0}
        task = Task(TYPING, settings, trial, screen)
        if len(screen.fields) > 6:
            teller.lost(english("fields to type into"), english("a trial has at most six."), english("Split it."))
    else:
        found = _choice(trial, screen, teller)
        if found is None:
            return None
        task = found
    _before(task, trial.screens[:first], teller)
    _at_target(task, screen, teller)
    _after(task, trial.screens[first + 1 :], report)
    return task


class _Teller:
    def __init__(self, report: Report, place: Place) -> None:
        self.report, self.place = report, place

    def lost(self, element: str, said: str, advice: str, place: Place | None = None) -> None:
        where = place or self.place
        self.report.add(NOT_CARRIED, where.file, where.line, f"{where.name}: {element}", said, advice)

    def changed(self, element: str, said: str, place: Place | None = None) -> None:
        where = place or self.place
        self.report.add(CHANGED, where.file, where.line, f"{where.name}: {element}", said)


def _choice(trial: Trial, screen: Screen, teller: _Teller) -> Task | None:
    answers = screen.answers
    if len(answers) > MOST_ANSWERS and _are_points(answers):
        labels = [answer.label or answer.name for answer in answers]
        question = {"name": "rating", "text": screen.prompt, "kind": "scale", "points": len(answers), "labels": []}
        if not all(label.strip().isdigit() for label in labels):
            question["labels"] = [plain(label)[:80] for label in labels]
        if screen.ms:
            teller.changed(english("deadline"), english("a rating has no time limit."))
        if screen.right is not None:
            teller.lost(
                english("right answer"),
                english("an answer of {n} choices is a rating, which is neither right nor wrong.", n=len(answers)),
                english("Ask with two to four answers where it has to be."),
            )
        return Task(RATING, {"questions": [question], "break_every": 0}, trial, screen)
    if len(answers) > MOST_ANSWERS:
        teller.lost(
            english("answers"),
            english("a choice has two to four answers; this one has {n}.", n=len(answers)),
            english("Ask it as a rating or with fields, or with fewer answers."),
        )
        return None
    if len(answers) == 1 and not screen.ms:
        return None
    return Task(CHOICE, choice_settings(screen, answers, teller), trial, screen)


def _are_points(answers: Sequence[Answer]) -> bool:
    """Return whether answers are points of a scale: digits in their order, or words on buttons."""
    if len(answers) > MOST_POINTS:
        return False
    keys = [answer.key or answer.label or answer.name for answer in answers]
    if all(key.isdigit() for key in keys):
        return [int(key) for key in keys] == list(range(int(keys[0]), int(keys[0]) + len(keys)))
    return all(answer.label for answer in answers)


def choice_settings(screen: Screen, answers: Sequence[Answer], teller: _Teller) -> dict[str, Any]:
    """Return the settings of a timed choice between answers at fixed places."""
    keys = [answer.key for answer in answers]
    if not all(keys):
        keys = {1: ["space"], 2: ["f", "j"], 3: ["f", "space", "j"], 4: ["d", "f", "j", "k"]}[len(answers)]
    lines = []
    names: list[str] = []
    for answer, key in zip(answers, keys, strict=True):
        name = _clean(plain(answer.name) or answer.key or plain(answer.label))
        name = name if name not in names else f"{name[: LONGEST_NAME - 2]} {len(names) + 1}"
        names.append(name)
        label = label_of(answer)
        lines.append(f"{name} | {key} | {label}" if label != name else f"{name} | {key}")
    settings: dict[str, Any] = {
        "answers": "\n".join(lines),
        "mapping": "fixed",
        "respond_with": "buttons" if screen.by == BUTTONS else "keys",
        "deadline_ms": screen.ms,
        "fixation_ms": 0,
        "iti_ms": 0,
        "feedback_in_practice": False,
        "too_fast_ms": 0,
        "break_every": 0,
    }
    if screen.ms and (len(answers) == 1 or (screen.right is not None and screen.right.strip().casefold() in _NONE)):
        settings["withheld"] = True
    return settings


def label_of(answer: Answer) -> str:
    """Return the word that people see for an answer."""
    return _clean(plain(answer.label) or plain(answer.name) or answer.key)


def keys_of(settings: dict[str, Any]) -> list[str]:
    """Return the keys of the answers of a timed choice.

    >>> keys_of({"answers": "no | f\\nyes | j | ja"})
    ['f', 'j']
    """
    return [line.split(" | ")[1] for line in str(settings["answers"]).splitlines()]


def _clean(name: str) -> str:
    return " ".join(name.replace("|", "/").split())[:LONGEST_NAME] or "answer"


def place_of_right(task: Task) -> int | None:
    """Return which answer of a trial is right, counted from 0; -1 for none of them; None where that is not known."""
    said = task.screen.right
    if said is None:
        return None
    wanted = plain(said).strip().casefold()
    for place, answer in enumerate(task.screen.answers):
        own = (answer.name, _clean(answer.name or answer.key or answer.label), answer.key, plain(answer.label))
        if wanted and wanted in (one.casefold() for one in own):
            return place
    return -1 if task.settings.get("withheld") and (wanted in _NONE or not wanted) else None


# What stands before, with and after the target.


def _before(task: Task, screens: Sequence[Screen], teller: _Teller) -> None:
    for screen in screens:
        if screen.leaves and not screen.ms:
            if any(one.kind != TEXT for one in screen.shown):
                teller.lost(
                    english("screen before the answer"),
                    english("people leave it by a press, and a trial has one such screen; it shows {files}.",
                            files=", ".join(dict.fromkeys(one.content for one in screen.shown if one.kind != TEXT))),
                    english("Put it beside the answer, or make it a part of its own."),
                    screen.place,
                )  # fmt: skip
            texts = pieces_of(screen.shown)
            if texts:
                task.words = [*task.words, *texts]
                teller.changed(
                    english("screen before the answer"),
                    english("its text stands above the answer, since a trial has one screen that people leave; times "
                            "then hold the reading of it."),
                    screen.place,
                )  # fmt: skip
            continue
        if screen.leaves:
            teller.changed(
                english("time"), english("it stays for {ms} ms and is not ended by a press.", ms=screen.ms),
                screen.place,
            )  # fmt: skip
        kind, content = _as_one(screen, teller)
        pieces = [plain(piece.content) for piece in pieces_of(screen.shown)]
        task.before.append(Display(kind, content, screen.ms, screen.place, pieces))
        if screen.pause_ms:
            task.before.append(Display("", "", screen.pause_ms, screen.place))


def _as_one(screen: Screen, teller: _Teller) -> tuple[str, str]:
    """Return what a display shows as one thing: words, a file, or nothing."""
    shown = screen.shown
    files = [one for one in shown if one.kind in (IMAGE, SOUND, VIDEO)]
    words = [plain(one.content) for one in pieces_of(shown)]
    drawings = [one for one in shown if one.kind == DRAWING]
    if files:
        if len(files) > 1 or words:
            teller.lost(
                english("display"), english("it shows several things at once; the first file is carried."),
                english("Put them into one picture."), screen.place,
            )  # fmt: skip
        return files[0].kind, files[0].content
    if words:
        if drawings:
            _drawn(drawings, teller, screen.place)
        return TEXT, " ".join(words)
    if drawings:
        if all(one.content in ("line", "dot") for one in drawings):
            teller.changed(
                english("drawing"), english("lines or a dot before the target are shown as +."), screen.place
            )
            return TEXT, "+"
        _drawn(drawings, teller, screen.place)
    return "", ""


def _drawn(drawings: Sequence[Shown], teller: _Teller, place: Place) -> None:
    kinds = ", ".join(dict.fromkeys(one.content for one in drawings))
    teller.lost(
        english("drawing"), english("drawn shapes are not carried: {kinds}.", kinds=kinds),
        english("Save the display as a picture, and name it in the column image."), place,
    )  # fmt: skip


def _short(shown: Sequence[Shown]) -> str:
    said = " / ".join(plain(one.content) if one.kind == TEXT else one.content for one in shown)
    return said if len(said) <= 60 else said[:59] + "…"


def _at_target(task: Task, screen: Screen, teller: _Teller) -> None:
    task.words += pieces_of(screen.shown)
    drawings = [one for one in screen.shown if one.kind == DRAWING]
    if drawings:
        _drawn(drawings, teller, screen.place)
    for one in screen.shown:
        if one.kind not in (IMAGE, SOUND, VIDEO):
            continue
        column = {IMAGE: "image", SOUND: "audio", VIDEO: "video"}[one.kind]
        if task.paradigm == READING:
            teller.lost(
                english("file {name}", name=one.content), english("reading shows no pictures and plays no sounds."),
                english("Choose timed choice or rating, or leave it out."),
            )  # fmt: skip
        elif column in task.files:
            teller.lost(
                english("file {name}", name=one.content),
                english("a trial shows one picture, plays one sound and one video; this is a further one."),
                english("Put the pictures into one file, or leave it out."),
            )  # fmt: skip
        else:
            task.files[column] = one.content
    if screen.hides_ms and task.paradigm == CHOICE:
        task.settings["target_ms"] = screen.hides_ms
    task.pause_ms = screen.pause_ms


def _after(task: Task, screens: Sequence[Screen], report: Report) -> None:
    always = {piece.content for piece in task.words}
    for screen in screens:
        teller = _Teller(report, screen.place)
        words = not screen.asks and all(one.kind == TEXT for one in screen.shown)
        if words and all(piece.content in always for piece in pieces_of(screen.shown)):
            screen = replace(screen, shown=[])
        if screen.is_feedback:
            task.feedback_ms = max(task.feedback_ms or 0, screen.ms)
            if task.paradigm != CHOICE or place_of_right(task) is None:
                teller.lost(
                    english("feedback"), english("feedback after an answer needs a right answer, and there is none."),
                    english("Leave it out, or say which answer is right."),
                )  # fmt: skip
        elif screen.asks or screen.form:
            teller.lost(
                english("second answer"),
                english("a further answer in a trial is not carried; the first one is."),
                english("Make it a part of its own, or a rating of several questions."),
            )
        elif not screen.shown and not screen.leaves:
            task.pause_ms += screen.ms
        elif screen.shown:
            teller.lost(
                english("screen after the answer"),
                english("nothing is shown after the answer of a trial: {said}.", said=_short(screen.shown)),
                english("Put it before the answer, or into the instructions."),
            )


_EDGE = re.compile(
    r"</?(?:p|div|header|main|footer|section|article|h[1-6]|li|ul|ol|tr|table|center|form|hr)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)


def pieces_of(shown: Sequence[Shown]) -> list[Shown]:
    """Return the words of a screen in its blocks, so that what every trial says is told from what one says.

    >>> [piece.content for piece in pieces_of([Shown(TEXT, "<main><b>cat</b></main><footer>Press j.</footer>")])]
    ['<b>cat</b>', 'Press j.']
    """
    found = []
    for one in shown:
        if one.kind != TEXT:
            continue
        pieces = _EDGE.split(one.content) if "<" in one.content else [one.content]
        said = [piece.strip() for piece in pieces if plain(piece)]
        found += [Shown(TEXT, piece, one.colour) for piece in said]
    return found


_COLOUR = re.compile(r"(?<![-\w])color\s*[:=]\s*[\"']?\s*([#\w]+)", re.IGNORECASE)


def colours_of(shown: Sequence[Shown]) -> list[str]:
    """Return the colours of the words of a screen, each once.

    >>> colours_of([Shown(TEXT, "<b style='color: red'>dog</b>"), Shown(TEXT, "cat", "#00f")])
    ['red', '#00f']
    """
    found: dict[str, None] = {}
    for one in shown:
        if one.kind == TEXT:
            found |= dict.fromkeys([one.colour] if one.colour else _COLOUR.findall(one.content))
    return list(found)


def marks_of(shown: Sequence[Shown]) -> tuple[str, ...]:
    """Return the tags of the words of a screen as they are, apart from colours and files."""
    tags = [tag for one in shown if one.kind == TEXT for tag in re.findall(r"<[a-zA-Z][^<>]{0,2000}>", one.content)]
    return tuple(re.sub(r"\bsrc\s*=\s*(\"[^\"]*\"|'[^']*'|\S+)", "", _COLOUR.sub("color", tag)) for tag in tags)


def words_of(shown: Sequence[Shown]) -> str:
    """Return the words of a screen as a cell holds them: those of several elements below each other."""
    return "\n".join(plain(one.content) for one in shown if plain(one.content))


def has_marks(shown: Shown) -> bool:
    """Return whether words have emphasis or line ends that a cell does not keep."""
    text = page_of(shown.content).text if "<" in shown.content else ""
    return bool(re.search(r"\*|\\\n|^#|\n", text))
