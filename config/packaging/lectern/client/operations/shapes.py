"""What the platform gives, as types; at run time these are dicts.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

import builtins
from typing import Any, Literal, NotRequired, TypedDict


class Archive(TypedDict):
    """An archive that a worker makes; it is kept for a day."""

    id: int
    format: str
    variant: str
    status: Literal["queued", "running", "done", "failed"]
    progress: float
    progress_note: str
    size: int
    error: str
    created_at: str
    url: str


class ColumnCount(TypedDict):
    """A column and in how many changed texts it differs."""

    column: str
    texts: int


class Criteria(TypedDict):
    """Quotas by criterion, as a study file has them."""

    criteria: builtins.list[dict[str, Any]]


class Day(TypedDict):
    """How many started and finished on a day."""

    day: str
    started: int
    finished: int


class Delivery(TypedDict):
    """An event on its way to a hook."""

    delivery: str
    event: str
    state: Literal["waiting", "sent", "given-up"]
    attempts: int
    status: int | None
    answer: str
    body: str
    stored_at: str
    next_attempt_at: str | None
    sent_at: str | None


class Design(TypedDict):
    """What a table of materials makes in the study."""

    items: int
    fillers: int
    practice: int
    conditions: int
    lists: int
    warnings: builtins.list[Said]


class DifferingCell(TypedDict):
    """A cell that differs."""

    column: str
    before: str
    after: str


class DifferingText(TypedDict):
    """A text that differs: an item in a condition."""

    change: Literal["added", "removed", "changed"]
    item: str
    condition: str
    cells: builtins.list[DifferingCell]


class Erased(TypedDict):
    """What was erased of one participant."""

    participant: str
    answers: int
    event_batches: int
    had_recruitment_id: bool
    was_complete: bool


class ErasedAll(TypedDict):
    """What was erased of all participants."""

    participants: int
    simulated: int
    finished: int
    answers: int
    recruitment_ids: int


class ErasedIdentities(TypedDict):
    """How many recruitment ids were erased."""

    recruitment_ids: int


class File(TypedDict):
    """One file of the export."""

    name: str
    holds: str
    url: str
    can_be_narrowed: bool


class Flag(TypedDict):
    """What is worth a look, and in how many sessions."""

    label: str
    sessions: int


class Flow(TypedDict):
    """The flow of participants, without anything about single people."""

    of: Literal["real", "simulated"]
    columns: builtins.list[str]
    rows: builtins.list[FlowRow]
    quotas: builtins.list[QuotaRow]


class FlowRow(TypedDict):
    """Counts of a row."""

    label: str
    numbers: builtins.list[int]
    is_outcome: bool


class Hook(TypedDict):
    """A hook, without its secret."""

    id: int
    address: str
    events: builtins.list[str]
    is_active: bool
    off_because: str
    waiting: int
    given_up: int
    created_at: str
    url: str


class HookWithSecret(TypedDict):
    """A hook with its new secret, which is shown this once."""

    id: int
    address: str
    events: builtins.list[str]
    is_active: bool
    off_because: str
    waiting: int
    given_up: int
    created_at: str
    url: str
    secret: str


class ListTally(TypedDict):
    """The tally of one list."""

    name: str
    task: str
    tally: Tally


class MaterialsChange(TypedDict):
    """What a version changed, in numbers."""

    added: int
    removed: int
    changed: int
    columns: builtins.list[ColumnCount]
    mapping: int
    factors: bool
    order: bool
    choices: bool


class MaterialsDifference(TypedDict):
    """What differs between two versions: the whole in numbers, and a page of the texts."""

    before: int
    after: int
    change: MaterialsChange
    mapping: builtins.list[DifferingCell]
    items: builtins.list[DifferingText]
    next_cursor: str | None
    next: str | None


class MaterialsVersion(TypedDict):
    """One version of the materials."""

    version: int
    is_current: bool
    saved_at: str
    saved_by: str | None
    kind: Literal["found", "made", "copied", "stored", "corrected", "column", "back"]
    detail: str
    note: str
    items: int
    texts: int
    opened_at: str | None
    sha256: str
    change: MaterialsChange | None


class Media(TypedDict):
    """One file."""

    name: str
    kind: str
    size: int
    width: int | None
    height: int | None
    duration_ms: int | None
    licence: str
    sha256: str
    url: str


class Method(TypedDict):
    """A method with its parameters."""

    method: str
    label: str
    summary: str
    parameters: builtins.list[Parameter]


class Parameter(TypedDict):
    """A parameter of a method."""

    name: str
    label: str
    kind: str
    help: str
    default: Any
    required: bool
    choices: builtins.list[Any]
    role: str
    also: builtins.list[Any]


class PartOfStudy(TypedDict):
    """One part of a study."""

    name: str
    kind: Literal["task", "questionnaire", "page"]
    title: str
    paradigm: str


class Participant(TypedDict):
    """One participant with the quality of the session."""

    session: Session
    flags: builtins.list[str]
    quality: dict[str, Any]


class PersonalLinks(TypedDict):
    """Links, each good for one person."""

    links: builtins.list[str]


class Plan(TypedDict):
    """Hypotheses, exclusion rules and analyses, as a study file has them."""

    hypotheses: NotRequired[str]
    exclusion_rules: NotRequired[builtins.list[Any]]
    analyses: NotRequired[builtins.list[Any]]


class Preview(TypedDict):
    """What simulated participants would do in the study as it is now."""

    seed: int
    flow: dict[str, Any]
    design: builtins.list[dict[str, Any]]
    figures: builtins.list[dict[str, Any]]
    refused: builtins.list[str]
    notes: builtins.list[str]


class Quota(TypedDict):
    """How many people may take part, and how many have."""

    quota: int | None
    taken: int


class QuotaRow(TypedDict):
    """How much of a quota is taken."""

    label: str
    taken: int
    quota: int


class Readiness(TypedDict):
    """What opening asks of a study."""

    can_open: bool
    faults: builtins.list[Said]
    warnings: builtins.list[Said]


class Removed(TypedDict):
    """How many simulated participants were removed."""

    participants: int


class Run(TypedDict):
    """One analysis and how far it is."""

    id: int
    method: str
    question: str
    params: dict[str, Any]
    table: str
    part: str
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: float
    progress_note: str
    error: str
    data_hash: str
    code_version: str
    created_at: str
    finished_at: str | None
    report: str | None


class Said(TypedDict):
    """A sentence about a study or a file, with its place."""

    place: str
    line: int | None
    column: str
    message: str
    suggestion: str
    step: str
    is_doubtful: bool


class Score(TypedDict):
    """A score of texts."""

    name: str
    part: str
    provenance: str
    number_of_texts: int
    stored_at: str


class SentAgain(TypedDict):
    """How many events wait to be sent again."""

    events: int


class Session(TypedDict):
    """One session: who by pseudonym, where it is, when."""

    session: int
    participant: str
    list: str
    group: str
    source: str
    state: Literal["running", "finished", "dropped", "excluded", "ruled_out", "sent_away"]
    status: Literal["running", "complete", "ended"]
    outcome: str
    is_simulated: bool
    is_excluded: bool
    exclusion_reason: str
    planned_exclusion: str
    study_version: int
    started_at: str
    last_seen_at: str
    finished_at: str | None
    minutes: float | None


class Settings(TypedDict):
    """What can be set of a task: its paradigm's settings and its procedure, every key with its value."""

    paradigm: str
    settings: dict[str, Any]
    procedure: dict[str, Any]


class Simulation(TypedDict):
    """A simulation and how far it is."""

    status: Literal["queued", "running", "done", "cancelled", "failed"]
    participants: int
    done: int
    seed: int
    dropout: float
    requested_at: str
    finished_at: str | None


class Source(TypedDict):
    """Where people come from, and how each outcome leads back there."""

    name: str
    kind: Literal["prolific", "sona", "mturk", "link", "other"]
    parameters: builtins.list[str]
    outcomes: dict[str, Any]
    id_only: bool
    link: str


class Sources(TypedDict):
    """All sources of a study, and quotas by criterion."""

    items: builtins.list[Source]
    criteria: builtins.list[Any]


class StoredMedia(TypedDict):
    """The files that were stored."""

    items: builtins.list[Media]
    warnings: builtins.list[Said]


class Study(TypedDict):
    """A study: what it is called, its state and its parts."""

    slug: str
    title: str
    description: str
    tags: str
    language: str
    responsible: str
    contact: str
    estimated_minutes: int | None
    data_protection_note: str
    retention_until: str | None
    erases_itself: bool
    notice: str
    status: Literal["draft", "open", "closed"]
    is_paused: bool
    is_archived: bool
    quota: int | None
    version: int
    copied_from: str | None
    parts: builtins.list[PartOfStudy]
    role: Literal["viewer", "editor", "owner"]
    created_at: str
    opened_at: str | None
    closed_at: str | None
    url: str
    landing_page: str


class Tally(TypedDict):
    """Sessions by where they are."""

    started: int
    running: int
    finished: int
    dropped: int
    excluded: int
    ruled_out: int
    sent_away: int


class Text(TypedDict):
    """One text in its newest version."""

    kind: Literal["welcome", "consent", "instructions", "debriefing"]
    part: str
    version: int
    body: str
    markup: Literal["plain", "markdown"]
    required_boxes: builtins.list[str]
    optional_boxes: builtins.list[str]
    is_standard: bool


class Token(TypedDict):
    """What a token is and may do; never the token itself."""

    name: str
    beginning: str
    person: str
    scopes: builtins.list[Literal["read", "write", "data", "identities"]]
    studies: builtins.list[str] | None
    created_at: str
    expires_at: str


class Verdict(TypedDict):
    """What is to be said of a study before it is stored."""

    is_sound: bool
    can_open: bool
    faults: builtins.list[Said]
    opening: builtins.list[Said]
    warnings: builtins.list[Said]


class Watch(TypedDict):
    """How a study is going, without anything about single people."""

    of: Literal["real", "simulated"]
    tally: Tally
    lists: builtins.list[ListTally]
    days: builtins.list[Day]
    median_minutes: float | None
    fastest_minutes: float | None
    slowest_minutes: float | None
    flags: builtins.list[Flag]
    withdrawn: int
    problems: int
    browser_errors: int
    last_result_at: str | None
