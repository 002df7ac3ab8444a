"""Data classes of the paradigm interface: stimuli, trials, measures, long tables, codes, suggestions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

MeasureType = Literal["number", "integer", "text", "boolean"]
MediaKind = Literal["image", "audio", "video"]


@dataclass(frozen=True)
class ShownStimulus:
    """A stimulus as `timeline` gets it, in the order in which it is to be shown.

    `item` is the code of its item, `condition` the name of its condition; None for fillers and practice texts. `levels`
    has the level of every factor. `list_index` is the number of the session's list, from 0, and `item_set` the set of
    the item. `group` holds the stimuli of its item that share the trial, by place, including itself; `condition` then
    names them all. Only `Paradigm.together` sets it. `media` has what the browser needs of each picture and sound, by
    the column that names it; where a cell names several, by the column and their number from 1, such as `against_image
    2`. `attributes` are those of the item. `block`, `chain`, `fixed`, `repetitions` and `repetition` are what the
    arrangement of the session rests on (`design.orders.arranged`).
    """

    stimulus_id: int
    text: str
    is_filler: bool = False
    is_practice: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    item: str = ""
    condition: str | None = None
    item_set: str = ""
    list_index: int = 0
    group: tuple[ShownStimulus, ...] = ()
    media: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    block: str = ""
    chain: str = ""
    fixed: str = ""
    repetitions: int = 1
    repetition: int = 1


@dataclass(frozen=True)
class TrialPlan:
    """A planned trial: `params` is sent to the browser as it is, `private` never.

    `phase` is one of questions, instructions, training, modulus, practice, main, break, debriefing and page.
    """

    phase: str
    plugin: str
    params: Mapping[str, Any]
    stimulus_id: int | None = None
    private: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskSentences:
    """What a task declares for the standard texts: names of sentences that every language has for its paradigm.

    `doing`: what one does; `stored`: what is stored, a point of a list each; `ask`: what one needs, and how to take
    part. The sentences are in `experiments/examples/defaults/<language>/<paradigm>.toml`, in tables of the same names.
    """

    doing: str = "task"
    stored: tuple[str, ...] = ("answers",)
    ask: tuple[str, ...] = ("alone",)


def shown_kind(shown: Collection[str], *kinds: str) -> str:
    """Return the first of these kinds of media that a task shows, otherwise `texts`.

    >>> shown_kind({"sounds"}, "pictures", "sounds"), shown_kind(set(), "pictures", "sounds")
    ('sounds', 'texts')
    """
    return next((kind for kind in kinds if kind in shown), "texts")


@dataclass(frozen=True)
class Measure:
    """One column that a paradigm adds to `trials.csv`; becomes a line of the codebook.

    `has_own_words`: it holds text that participants typed, so reports that read it are deleted when a participant
    withdraws.
    """

    name: str
    type: MeasureType
    description: str
    unit: str = ""
    values: tuple[str, ...] = ()
    has_own_words: bool = False


@dataclass(frozen=True)
class LongTable:
    """A table with any number of rows per trial, such as visits; becomes `<name>.csv` and a part of the codebook.

    Its columns follow those that identify the trial of a row; columns `of_media` are last, each only if the materials
    name files of its kind.
    """

    name: str
    description: str
    columns: tuple[Measure, ...]
    of_media: Mapping[MediaKind, tuple[Measure, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Interval:
    """An interval between displays or trials as the field abbreviates it, such as SOA: `least` to `most` ms of a task.

    `between` says in the reader's language from where to where it is counted.
    """

    name: str
    between: Any
    least: int
    most: int


@dataclass(frozen=True)
class DefaultErrorCode:
    """One code of the scheme with which people code a measure; a study starts with these and may change them."""

    code: str
    description: str
    weight: float
    is_exclusive: bool


@dataclass(frozen=True)
class SuggestedAnalysis:
    """An analysis offered by one click on the study page, on one of the study's tables.

    A companion is what else is usual beside the analysis that keeps its level; pages show it below, with how often it
    rejects a true null hypothesis. `question` names the rating question that it is about: the first analyses of several
    questions can be planned as one family. `with_attribute` says that a column that is not rotated stands beside the
    factors, for which no error rates were measured.
    """

    method: str
    title: str
    params: Mapping[str, Any]
    table: str = "trials"
    is_companion: bool = False
    question: str = ""
    with_attribute: bool = False


@dataclass(frozen=True)
class DesignOfTask:
    """Which factors of a task differ between participants, and which between items.

    With `one_text_per_condition` nobody gets two texts in a condition, so that slopes of people cannot be told apart
    from the scatter of single answers.

    If a design is incomplete, `is_incomplete`: items lack conditions that vary within items, so that means of
    conditions rest on different items, and `item_slopes` are the factors that vary within most items. `effects` are the
    main effects and interactions that can be estimated where factors are not fully crossed; None where they are.
    """

    between_participants: frozenset[str] = frozenset()
    between_items: frozenset[str] = frozenset()
    one_text_per_condition: bool = False
    is_incomplete: bool = False
    item_slopes: frozenset[str] = frozenset()
    effects: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class StimulusColumn:
    """A column of the materials beyond item, text and the factors that the paradigm reads into `Stimulus.extra`.

    If it `may_be_factor`, a table whose factors are declared can have it as one of them: it then is in the levels.
    """

    name: str
    description: str
    required: bool = False
    may_be_factor: bool = False


def alt_column(column: str) -> str:
    """Return the column with the alternative text of the pictures in a column.

    >>> alt_column("image"), alt_column("image_left")
    ('alt', 'image_left_alt')
    """
    return "alt" if column == "image" else f"{column}_alt"
