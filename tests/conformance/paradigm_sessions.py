"""One session of a paradigm's example, planned and answered by a virtual participant, without database or browser."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from experiments.materials import with_lists
from experiments.materials.shapes import Design
from experiments.paradigms.base import Paradigm, ShownStimulus, TrialPlan
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.default_texts import default_body
from experiments.procedure.sessions import StudySnapshot, plan_session
from experiments.study_files import read_toml
from experiments.study_files.examples import example_studies

HERE = "experiments.paradigms."
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class AnsweredTrial:
    """A trial with what a virtual participant sent. `params` is what a stored session hands to `measure`."""

    plan: TrialPlan
    params: Mapping[str, Any]
    payload: dict[str, Any]
    rt_ms: float


def is_of_package(paradigm: Paradigm) -> bool:
    """Return whether a package brings the paradigm, which then owes our tree nothing."""
    return not type(paradigm).__module__.startswith(HERE)


def study_of_package(paradigm: Paradigm) -> Path | None:
    """Return the study by which a package's paradigm can be tried: `study.toml` beside the module of its class."""
    path = Path(inspect.getfile(type(paradigm))).with_name("study.toml")
    return path if path.is_file() else None


@cache
def snapshot_of(paradigm: Paradigm) -> StudySnapshot:
    """Return what a session on the first list of the paradigm's first example needs; of a package's, of its study.

    Raises LookupError where the paradigm has no example study with materials.
    """
    path = next((example.path for example in example_studies() if example.paradigm == paradigm.slug), None)
    if path is None and is_of_package(paradigm):
        path = study_of_package(paradigm)
    described = read_toml(path) if path is not None else None
    if described is None or described.design is None:
        raise LookupError(f"{paradigm.slug} has no example study with materials, so nothing of it can be tried.")
    language = described.fields.get("language", "en")
    return StudySnapshot(
        paradigm=paradigm,
        language=language,
        settings=paradigm.complete_settings(described.settings),
        procedure=complete_procedure(described.procedure),
        questions=described.questions,
        instructions=default_body("instructions", paradigm=paradigm.slug, language=language),
        stimuli=shown_on_list(
            with_lists(described.design, described.procedure, paradigm=paradigm.slug, settings=described.settings), 0
        ),
    )


def shown_on_list(design: Design, index: int) -> list[ShownStimulus]:
    """Return what a session on one list of a design shows, numbered in the order of the items."""
    cells = design.lists[index].cells if design.lists else ()
    shown: list[ShownStimulus] = []
    for position, item in enumerate(design.items):
        chosen = [cell for at, cell in cells if at == position] if item.is_target else [0]
        for stimulus in (item.stimuli[cell] for cell in chosen):
            condition = None if stimulus.condition is None else design.conditions[stimulus.condition]
            shown.append(
                ShownStimulus(
                    stimulus_id=len(shown) + 1,
                    text=stimulus.text,
                    item=item.code,
                    condition=condition.name if condition else None,
                    levels=condition.levels if condition else {},
                    is_filler=item.is_filler,
                    is_practice=item.is_practice,
                    extra=stimulus.extra,
                )
            )
    return shown


def answered_sessions(paradigm: Paradigm) -> Iterator[AnsweredTrial]:
    """Yield the trials of a few sessions, one after the other."""
    for seed in SEEDS:
        yield from answered_session(paradigm, seed)


@cache
def answered_session(paradigm: Paradigm, seed: int = 1) -> tuple[AnsweredTrial, ...]:
    """Return the trials of one session with the answers of a virtual participant, in order."""
    snapshot = snapshot_of(paradigm)
    levels = {stimulus.stimulus_id: stimulus.levels for stimulus in snapshot.stimuli}
    items = {stimulus.stimulus_id: stimulus.item for stimulus in snapshot.stimuli}
    mind = paradigm.virtual_participant(random.Random(f"conformance {seed}"), snapshot.settings)
    sent: list[tuple[str, Mapping[str, Any]]] = []
    answered = []
    for plan in plan_session(snapshot, seed=seed):
        params = {**plan.params, **plan.private}
        payload = mind.respond(
            plan.plugin,
            params,
            levels=levels.get(plan.stimulus_id or 0, {}),
            item=items.get(plan.stimulus_id or 0, ""),
            carried=paradigm.carried(sent),
        )
        sent.append((plan.plugin, payload))
        answered.append(AnsweredTrial(plan, params, payload, mind.response_ms(plan.plugin, payload)))
    return tuple(answered)
