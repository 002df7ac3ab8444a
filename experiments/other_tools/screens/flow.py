"""What a project shows, whichever tool made it: screens in their order, trials of rows, pages. Pure.

A reader of a tool gives blocks; `composing` makes the files of a study of them. Every screen says where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_STEPS = 60_000
TEXT, IMAGE, SOUND, VIDEO, DRAWING = "text", "image", "sound", "video", "drawing"
FIXED, RANDOM = "fixed", "random"
KEYS, BUTTONS = "keys", "buttons"


class Budget:
    """How much of a project is followed: loops within loops multiply, and may hold themselves."""

    def __init__(self, most: int = 0) -> None:
        self.left = most or MOST_STEPS
        self.said = False

    def spent(self) -> bool:
        """Take one step; return whether there are none left.

        >>> budget = Budget(1)
        >>> budget.spent(), budget.spent()
        (False, True)
        """
        self.left -= 1
        return self.left < 0

    def first_time(self) -> bool:
        """Return whether it has not been said yet that the steps are used up."""
        first, self.said = not self.said, True
        return first


@dataclass(frozen=True)
class Place:
    """Where an element stands: its file, its line where files have lines, and its name or path there."""

    file: str
    line: int | None
    name: str


@dataclass(frozen=True)
class Shown:
    """One thing on a screen: words (as HTML), or the path of a picture, sound or video as the project names it."""

    kind: str
    content: str
    colour: str = ""
    size: str = ""


@dataclass(frozen=True)
class Answer:
    """One answer: its name in the data, its key or none, and the words on its button."""

    name: str
    key: str = ""
    label: str = ""


@dataclass
class Screen:
    """One screen: what it shows, how long it stays (0: until an answer), and what people do on it.

    `answers` are those that matter; a screen that people only leave has none and `leaves` is true. `right` is the name
    or the key of the right answer, None where the project says none. `scales` are rating questions, `fields` names of
    fields to type into, `questions` those of a form, which `form` says it is outside of lists. `reading` are the
    settings of a text that is read in pieces. `data` are columns that the project stores with it. `hides_ms` is how
    long the stimulus stays where it goes before the answer.
    """

    place: Place
    shown: list[Shown] = field(default_factory=list)
    ms: int = 0
    leaves: bool = False
    answers: list[Answer] = field(default_factory=list)
    by: str = KEYS
    right: str | None = None
    scales: list[dict[str, Any]] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    form: bool = False
    reading: dict[str, Any] | None = None
    prompt: str = ""
    hides_ms: int = 0
    pause_ms: int = 0
    is_feedback: bool = False
    data: dict[str, str] = field(default_factory=dict)

    @property
    def asks(self) -> bool:
        """Whether people answer something here."""
        return bool(self.answers or self.scales or self.fields or self.reading is not None)


@dataclass
class Trial:
    """One run through the screens of a list, with the row that it is of."""

    screens: list[Screen]
    row: Mapping[str, str]


@dataclass
class Page:
    """A screen of its own, outside of lists of trials."""

    screen: Screen


@dataclass
class Loop:
    """A list of trials: its name and place, its order, how often it is shown, and whether in rounds."""

    place: Place
    trials: list[Trial]
    order: str = RANDOM
    repetitions: int = 1
    practice: bool = False
    rounds: bool = False


Block = Page | Loop
