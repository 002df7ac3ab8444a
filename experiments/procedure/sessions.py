"""Plan a session at its start: questions, instructions and the paradigm's trials.

`study_snapshot` reads the database, `plan_session` is pure: the same snapshot and seed give the same trials.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from experiments.design.orders.arranged import arranged
from experiments.design.orders.randomised import order
from experiments.formats.text_looks import look_of
from experiments.languages import LANGUAGES
from experiments.media.storage import media_facts
from experiments.models import Markup, Part, Stimulus, StimulusList, Study, StudyText
from experiments.models.parts import BACKGROUND
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import VARIANT, Paradigm, ShownStimulus, TrialPlan
from experiments.paradigms.pieces.shared_pages import BACKGROUND_QUESTIONS, BREAK, BREAK_FEEDBACK, PAGES
from experiments.procedure.arranging import (
    arrangement_of,
    block_names,
    complete_procedure,
    order_rules,
    placed_by,
    told_by_block,
    waiting,
)
from experiments.procedure.feedback import ROUND, with_feedback, with_practice_shuffled
from experiments.procedure.texts import Page, blocks, current_text, facts_of, filled, without_links
from experiments.questionnaire.planned import questionnaire_params, questionnaire_rng
from experiments.rules.procedure import is_arranged

# For estimates of the duration: the pace of slow readers, and times of shared pages.
_WORDS_PER_MINUTE = 180
_SECONDS_PER_QUESTION = 8.0
_SECONDS_PER_BREAK = 30.0
# The attribute that says in studies in several languages who reads an item; empty for everybody.
ITEM_LANGUAGE = "language"
_SHARED = (BACKGROUND_QUESTIONS, PAGES, BREAK, BREAK_FEEDBACK)


@dataclass(frozen=True)
class StudySnapshot:
    """Everything about a task that a session on one list needs. `instructions` has its placeholders replaced.

    `questions` are those that are asked before the task, in a study that has no other parts. `earlier` holds the
    measures of other sessions, where the paradigm learns from answers.
    """

    paradigm: Paradigm
    language: str
    settings: Mapping[str, Any]
    procedure: Mapping[str, Any]
    questions: Sequence[Mapping[str, Any]]
    instructions: str
    stimuli: Sequence[ShownStimulus]
    earlier: Sequence[Mapping[str, Any]] = ()
    # What a browser needs of each picture and sound, by the name of its file.
    media: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    markup: str = Markup.PLAIN
    # The names of the blocks of trials in the order of the materials, where a column makes any.
    blocks: Sequence[str] = ()


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


def is_read_in(attributes: Mapping[str, Any], language: str) -> bool:
    """Return whether an item with these attributes is for people who read this language: most are for everybody.

    >>> is_read_in({"language": "de"}, "de"), is_read_in({"language": "de"}, "en"), is_read_in({"genre": "news"}, "en")
    (True, False, True)
    """
    return attributes.get(ITEM_LANGUAGE, "") in ("", language)


def session_stimuli(target: Study | Part, stimulus_list: StimulusList | None) -> list[ShownStimulus]:
    """Return what a task on a list shows, in the order of the materials: its items, all fillers, all practice.

    In a study in several languages only what is for the language in which it is read (`Study.said_in`). Without what
    the browser needs of their files.
    """
    columns = (
        "pk",
        "text",
        "item__code",
        "condition__levels",
        "item__is_filler",
        "item__is_practice",
        "extra",
        "item__position",
        "item__item_set",
        "item__attributes",
    )
    part = target if isinstance(target, Part) else target.task
    everybody = Stimulus.objects.filter(item__part=part, condition=None).exclude(
        item__is_filler=False, item__is_practice=False
    )
    rows = list(everybody.values_list(*columns))
    if stimulus_list is not None:
        rows += stimulus_list.stimuli.values_list(*columns)
    if part.study.languages:
        rows = [row for row in rows if is_read_in(row[9], part.study.language)]
    rows.sort(key=lambda row: (row[7], row[0]))
    factors = [factor["name"] for factor in part.factors]
    return [
        ShownStimulus(
            stimulus_id=pk,
            text=text,
            item=item,
            condition=":".join(str(levels[name]) for name in factors if name in levels) if levels else None,
            levels=levels or {},
            is_filler=is_filler,
            is_practice=is_practice,
            extra=extra,
            item_set=item_set,
            list_index=0 if stimulus_list is None else stimulus_list.index,
            attributes=attributes,
        )
        for pk, text, item, levels, is_filler, is_practice, extra, _position, item_set, attributes in rows
    ]


def study_snapshot(study: Study, stimulus_list: StimulusList | None) -> StudySnapshot:
    """Return what a session of a study of one task needs on this list: its questions and its task."""
    return replace(task_snapshot(study.task, stimulus_list), questions=study.questions)


def task_snapshot(part: Part, stimulus_list: StimulusList | None) -> StudySnapshot:
    """Return what a task needs on this list, read from the database in five queries at most."""
    return _snapshot(part, *_design_of(part, stimulus_list))


_Design = tuple[StudyText | None, list[ShownStimulus], Mapping[str, Mapping[str, Any]], Sequence[str]]


def _design_of(part: Part, stimulus_list: StimulusList | None) -> _Design:
    """Return what is frozen of a task on this list once the study opens: instructions, stimuli, facts of files."""
    text = current_text(part.study, "instructions", part)
    stimuli, media = session_stimuli(part, stimulus_list), media_facts(part.study)
    if media:
        paradigm = paradigm_named(part.paradigm)
        stimuli = [replace(each, media=_media_of(each, paradigm, media)) for each in stimuli]
    return text, stimuli, media, block_names(part, str(complete_procedure(part.procedure)["block_by"]))


def _media_of(
    stimulus: ShownStimulus, paradigm: Paradigm, media: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return what the browser needs of the files that a stimulus names, by column; a missing file is left out."""
    named = paradigm.media_names(stimulus.extra)
    return {key: media[name] for key, (name, _alt) in named.items() if name in media}


def _snapshot(
    part: Part,
    text: StudyText | None,
    stimuli: Sequence[ShownStimulus],
    media: Mapping[str, Mapping[str, Any]],
    blocks_named: Sequence[str],
) -> StudySnapshot:
    paradigm = paradigm_named(part.paradigm)
    procedure = complete_procedure({**part.study.conduct, **part.procedure})
    markup = text.markup if text else Markup.PLAIN
    if said := procedure["block_instructions"]:
        facts = facts_of(part.study)
        procedure["block_instructions"] = {name: filled(body, facts, markup) for name, body in said.items()}
    return StudySnapshot(
        paradigm=paradigm,
        language=part.study.language,
        settings=paradigm.complete_settings(part.settings),
        procedure=procedure,
        questions=[],
        instructions=filled(text.body, facts_of(part.study), text.markup) if text else "",
        markup=markup,
        stimuli=stimuli,
        media=media,
        blocks=blocks_named,
    )


# Frozen designs by task, list and language; the time of creation identifies the study.
_frozen: dict[tuple[int, datetime, int | None, str], _Design] = {}
_MOST_FROZEN = 200


def snapshot_of_list(part: Part, list_id: int | None) -> StudySnapshot:
    """Return the snapshot for the list with this key; tasks of opened studies are cached.

    Their materials and instructions are frozen. Whatever can still change is taken from `part` and its study.
    """
    if not part.study.is_frozen:
        return task_snapshot(part, _list_of(part, list_id))
    key = (part.pk, part.study.created_at, list_id, part.study.read_in)
    design = _frozen.get(key)
    if design is None:
        design = _design_of(part, _list_of(part, list_id))
        if len(_frozen) >= _MOST_FROZEN:
            _frozen.clear()
        _frozen[key] = design
    return _snapshot(part, *design)


def _list_of(part: Part, list_id: int | None) -> StimulusList | None:
    return None if list_id is None else part.lists.filter(pk=list_id).first()


def plan_session(snapshot: StudySnapshot, *, seed: int) -> list[TrialPlan]:
    """Return the trials of a session of one task: questions, instructions, then the paradigm's timeline.

    Raises ImpossibleOrder if the rules of the procedure cannot be satisfied; `opening_faults` reports that
    before a study opens.
    """
    asked = plan_questions("", snapshot.questions, language=snapshot.language, seed=seed)
    rng = random.Random(seed)  # noqa: S311 - an order that can be made again
    return asked + plan_task(snapshot, rng=rng, seed=seed)


def plan_questions(
    title: str,
    questions: Sequence[Mapping[str, Any]],
    *,
    language: str,
    seed: int,
    part: str = BACKGROUND,
    attempts: int = 1,
    pages: Sequence[Page] = (),
) -> list[TrialPlan]:
    """Return the trial that asks the questions, with this title or the default one; none without questions.

    With two `attempts`, what was not answered as expected is asked again after the `pages` of the instructions.
    """
    if not questions:
        return []
    shown = title or LANGUAGES.get(language, LANGUAGES["en"]).about_you
    rng = questionnaire_rng(seed, part)
    params, private = questionnaire_params(questions, title=shown, rng=rng, attempts=attempts, pages=pages)
    return [TrialPlan("questions", BACKGROUND_QUESTIONS, params, private=private)]


def plan_task(snapshot: StudySnapshot, *, rng: random.Random, seed: int) -> list[TrialPlan]:
    """Return the trials of a task: instructions, then the paradigm's timeline; `seed` determines the variant.

    Raises ImpossibleOrder.
    """
    pages = blocks(snapshot.instructions, snapshot.markup)
    trials = []
    wait = waiting(snapshot.procedure["minimum_seconds"])
    if pages:
        trials.append(TrialPlan("instructions", PAGES, {"pages": pages, "kind": "instructions", **wait}))
    shown = snapshot.paradigm.together(snapshot.stimuli, snapshot.settings, rng, snapshot.earlier)
    variants = snapshot.paradigm.variants_of(snapshot.settings)
    is_in_pieces = is_arranged(snapshot.procedure)
    shown = with_practice_shuffled(shown, snapshot.procedure, seed=seed)
    if is_in_pieces:
        arrangement = arrangement_of(snapshot.procedure, snapshot.blocks)
        # The variant is the seed modulo their number; what is left of it decides the order of the blocks.
        placed = placed_by(shown, snapshot.procedure)
        ordered = arranged(placed, arrangement, rng=rng, row=seed // variants)
    else:
        ordered = order(shown, order_rules(snapshot.procedure), rng=rng, item=lambda stimulus: stimulus.item)
    settings = _with_media(snapshot)
    settings = {**settings, VARIANT: seed % variants} if variants > 1 else settings
    looks = {one.stimulus_id: look_of({**one.levels, **one.extra}) for one in ordered if snapshot.paradigm.has_looks}
    timeline = snapshot.paradigm.timeline(ordered, settings, rng)
    if is_in_pieces:
        said = snapshot.procedure["block_instructions"]
        own_pages = {name: blocks(text, snapshot.markup) for name, text in said.items()}
        timeline = told_by_block(timeline, ordered, own_pages, has_breaks=snapshot.procedure["block_breaks"], wait=wait)
    for trial in with_feedback(timeline, snapshot.procedure):
        # Instructions can be reread in every break, without links that would lead away from the task.
        opened = trial.plugin in (BREAK, BREAK_FEEDBACK)
        trial = _with_look(trial, looks)
        trials.append(replace(trial, params={**trial.params, "pages": without_links(pages)}) if opened else trial)
    return trials


def _with_look(trial: TrialPlan, looks: Mapping[int, Mapping[str, Any]]) -> TrialPlan:
    """Return a trial with the colour and size of its text, where the materials say them."""
    look = looks.get(trial.stimulus_id) if trial.stimulus_id is not None else None
    return replace(trial, params={**trial.params, "look": look}) if look else trial


def _with_media(snapshot: StudySnapshot) -> Mapping[str, Any]:
    """Return the settings, with what the browser needs of the files that they name under `media`."""
    settings = (*snapshot.paradigm.media_settings, *snapshot.paradigm.text_or_file)
    named = {name: str(snapshot.settings.get(name, "")) for name in settings}
    found = {name: snapshot.media[file] for name, file in named.items() if file in snapshot.media}
    return {**snapshot.settings, "media": found} if found else snapshot.settings


def estimated_duration(snapshot: StudySnapshot) -> Duration:
    """Estimate the duration of a session: reading, answering, judging, breaks."""
    per_trial = snapshot.paradigm.seconds_per_trial
    trials = plan_session(snapshot, seed=0)
    judgements = sum(trial.plugin not in _SHARED for trial in trials)
    return Duration(max(1, math.ceil(seconds_of(trials, per_trial) / 60)), judgements, per_trial)


def seconds_of(trials: Sequence[TrialPlan], per_trial: float) -> float:
    """Estimate the seconds that these trials take: shared pages by their length, other trials by a constant."""
    seconds = 0.0
    for trial in trials:
        # Practice is repeated by some people alone.
        if trial.private.get(ROUND, 1) > 1:
            continue
        match trial.plugin:
            case "background-questions":
                seconds += _SECONDS_PER_QUESTION * len(trial.params["questions"])
            case "pages":
                seconds += _words(trial.params["pages"]) / _WORDS_PER_MINUTE * 60
            case "break" | "break-feedback":
                seconds += _SECONDS_PER_BREAK
            case _:
                seconds += per_trial
    return seconds


def _words(pages: Sequence[Page]) -> int:
    return sum(
        len(" ".join([block.get("text", ""), *block.get("items", [])]).split()) for page in pages for block in page
    )
