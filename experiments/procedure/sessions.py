"""What one session consists of: questions, instructions and the paradigm's trials, put together once at its start.

`study_snapshot` reads the database, `plan_session` is pure: the same snapshot and seed give the same trials.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from experiments.design.ordering import OrderRules, order
from experiments.models import Stimulus, StimulusList, Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, ShownStimulus, TrialPlan
from experiments.paradigms.pieces.shared_pages import BACKGROUND_QUESTIONS, BREAK, PAGES
from experiments.procedure.texts import Page, blocks, current_text, facts_of, filled, text_body
from experiments.rules.procedure import DEFAULT_PROCEDURE

_QUESTIONS_TITLE = {"en": "About you", "de": "Über Sie"}

# For the estimate of the duration: slow readers, and what the shared pages take.
_WORDS_PER_MINUTE = 180
_SECONDS_PER_QUESTION = 8.0
_SECONDS_PER_BREAK = 30.0


@dataclass(frozen=True)
class SessionStimulus:
    """A stimulus of one session. `condition` is its name, None for fillers and practice texts."""

    stimulus_id: int
    text: str
    item: str
    condition: str | None = None
    levels: Mapping[str, str] = field(default_factory=dict)
    is_filler: bool = False
    is_practice: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StudySnapshot:
    """Everything of a study that a session on one list needs. `instructions` has its placeholders replaced."""

    paradigm: Paradigm
    language: str
    settings: Mapping[str, Any]
    procedure: Mapping[str, Any]
    questions: Sequence[Mapping[str, Any]]
    instructions: str
    stimuli: Sequence[SessionStimulus]


@dataclass(frozen=True)
class Duration:
    """How long a session takes by estimate."""

    minutes: int
    judgements: int
    seconds_per_judgement: float

    def __str__(self) -> str:
        return (
            f"about {self.minutes} {'minute' if self.minutes == 1 else 'minutes'} "
            f"at {self.seconds_per_judgement:g} s per judgement"
        )


def complete_procedure(procedure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the procedure with the defaults of what it leaves out."""
    return {**DEFAULT_PROCEDURE, **procedure}


def complete_settings(paradigm: Paradigm, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with the defaults of the paradigm's form for what they leave out."""
    defaults = {
        name: declared.initial if declared.initial is not None else ""
        for name, declared in paradigm.settings_form.base_fields.items()
    }
    return {**defaults, **settings}


def order_rules(procedure: Mapping[str, Any]) -> OrderRules:
    """Return the rules of the order that a procedure sets."""
    complete = complete_procedure(procedure)
    return OrderRules(
        practice_first=complete["practice_first"],
        leading_fillers=complete["leading_fillers"],
        max_same_condition_run=complete["max_same_condition_run"],
        max_target_run=complete["max_target_run"],
        blocked=complete["blocked"],
    )


def session_stimuli(study: Study, stimulus_list: StimulusList | None) -> list[SessionStimulus]:
    """Return what a session on a list shows, in the order of the materials: its items, all fillers, all practice."""
    columns = (
        "pk",
        "text",
        "item__code",
        "condition__levels",
        "item__is_filler",
        "item__is_practice",
        "extra",
        "item__position",
    )
    everybody = Stimulus.objects.filter(item__study=study, condition=None).exclude(
        item__is_filler=False, item__is_practice=False
    )
    rows = list(everybody.values_list(*columns))
    if stimulus_list is not None:
        rows += stimulus_list.stimuli.values_list(*columns)
    rows.sort(key=lambda row: (row[7], row[0]))
    factors = [factor["name"] for factor in study.factors]
    return [
        SessionStimulus(
            stimulus_id=pk,
            text=text,
            item=item,
            condition=":".join(str(levels[name]) for name in factors if name in levels) if levels else None,
            levels=levels or {},
            is_filler=is_filler,
            is_practice=is_practice,
            extra=extra,
        )
        for pk, text, item, levels, is_filler, is_practice, extra, _position in rows
    ]


def study_snapshot(study: Study, stimulus_list: StimulusList | None) -> StudySnapshot:
    """Return what a session of the study on this list needs, read from the database in four queries at most."""
    paradigm = paradigm_named(study.paradigm)
    return StudySnapshot(
        paradigm=paradigm,
        language=study.language,
        settings=complete_settings(paradigm, study.settings),
        procedure=complete_procedure(study.procedure),
        questions=study.questions,
        instructions=text_body(study, "instructions"),
        stimuli=session_stimuli(study, stimulus_list),
    )


# What cannot change any more, by study and list; the moment of its creation tells a study from any other.
_frozen: dict[tuple[int, datetime, int | None], tuple[str, list[SessionStimulus]]] = {}
_MOST_FROZEN = 200


def _list_of(study: Study, list_id: int | None) -> StimulusList | None:
    return None if list_id is None else study.lists.filter(pk=list_id).first()


def snapshot_of_list(study: Study, list_id: int | None) -> StudySnapshot:
    """Return the same for the list with this key; a study that was opened is read once and then remembered.

    Its materials and instructions are frozen. What can still change comes from `study` as it is given.
    """
    if not study.is_frozen:
        return study_snapshot(study, _list_of(study, list_id))
    key = (study.pk, study.created_at, list_id)
    design = _frozen.get(key)
    if design is None:
        text = current_text(study, "instructions")
        design = (text.body if text else "", session_stimuli(study, _list_of(study, list_id)))
        if len(_frozen) >= _MOST_FROZEN:
            _frozen.clear()
        _frozen[key] = design
    instructions, stimuli = design
    paradigm = paradigm_named(study.paradigm)
    return StudySnapshot(
        paradigm=paradigm,
        language=study.language,
        settings=complete_settings(paradigm, study.settings),
        procedure=complete_procedure(study.procedure),
        questions=study.questions,
        instructions=filled(instructions, facts_of(study)),
        stimuli=stimuli,
    )


def plan_session(snapshot: StudySnapshot, *, seed: int) -> list[TrialPlan]:
    """Return the trials of a session in their order: questions, instructions, then the paradigm's timeline.

    Raises ordering.ImpossibleOrder where the rules of the procedure cannot be kept; `opening_faults` reports that
    before a study opens.
    """
    rng = random.Random(seed)  # noqa: S311 - an order that can be made again, not a secret
    pages = blocks(snapshot.instructions)
    trials = []
    if snapshot.questions:
        title = _QUESTIONS_TITLE.get(snapshot.language, _QUESTIONS_TITLE["en"])
        questions = [dict(question) for question in snapshot.questions]
        trials.append(TrialPlan("questions", BACKGROUND_QUESTIONS, {"title": title, "questions": questions}))
    if pages:
        trials.append(TrialPlan("instructions", PAGES, {"pages": pages, "kind": "instructions"}))
    ordered = order(snapshot.stimuli, order_rules(snapshot.procedure), rng=rng, item=lambda stimulus: stimulus.item)
    shown = [
        ShownStimulus(
            stimulus.stimulus_id,
            stimulus.text,
            stimulus.is_filler,
            stimulus.is_practice,
            stimulus.extra,
            stimulus.item,
            stimulus.condition,
        )
        for stimulus in ordered
    ]
    for trial in snapshot.paradigm.timeline(shown, snapshot.settings, rng):
        # The instructions can be read again in every break.
        opened = trial.plugin == BREAK
        trials.append(replace(trial, params={**trial.params, "pages": pages}) if opened else trial)
    return trials


def estimated_duration(snapshot: StudySnapshot) -> Duration:
    """Return how long a session takes until it has been measured: reading, answering, judging, breaks."""
    per_trial = snapshot.paradigm.seconds_per_trial
    seconds = 0.0
    judgements = 0
    for trial in plan_session(snapshot, seed=0):
        match trial.plugin:
            case "background-questions":
                seconds += _SECONDS_PER_QUESTION * len(trial.params["questions"])
            case "pages":
                seconds += _words(trial.params["pages"]) / _WORDS_PER_MINUTE * 60
            case "break":
                seconds += _SECONDS_PER_BREAK
            case _:
                seconds += per_trial
                judgements += 1
    return Duration(max(1, math.ceil(seconds / 60)), judgements, per_trial)


def _words(pages: Sequence[Page]) -> int:
    return sum(
        len(" ".join([block.get("text", ""), *block.get("items", [])]).split()) for page in pages for block in page
    )
