"""Sessions of a comparison study without a database: materials, trials, answers, and the tables they yield."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from experiments.paradigms import paradigm_named
from experiments.paradigms.base import ShownStimulus, TrialPlan

COMPARISON = paradigm_named("comparison")


def settings_with(**changed: Any) -> dict[str, Any]:
    return COMPARISON.complete_settings({"break_every": 0, **changed})


def stimuli(
    n_items: int = 6,
    systems: Sequence[str] = ("c", "a", "b"),
    *,
    fillers: int = 1,
    practice: int = 1,
    list_index: int = 0,
    items: str = "item",
) -> list[ShownStimulus]:
    """Return the stimuli of a list in the order of the materials; levels are not in the order of the alphabet."""
    rows: list[dict[str, Any]] = [
        {
            "text": f"practice{i} yes",
            "item": f"practice{i}",
            "is_practice": True,
            "extra": {"against": f"practice{i} no"},
        }
        for i in range(practice)
    ]
    rows += [
        {
            "text": f"{items}{i} {system}",
            "item": f"{items}{i}",
            "condition": system,
            "extra": {"context": f"source {i}"},
        }
        for i in range(n_items)
        for system in systems
    ]
    rows += [
        {"text": f"filler{i} yes", "item": f"filler{i}", "is_filler": True, "extra": {"against": f"filler{i} no"}}
        for i in range(fillers)
    ]
    return [ShownStimulus(number, **row, list_index=list_index) for number, row in enumerate(rows, start=1)]


def planned(
    texts: Sequence[ShownStimulus],
    settings: Mapping[str, Any],
    *,
    seed: int = 1,
    earlier: Sequence[Mapping[str, Any]] = (),
) -> list[TrialPlan]:
    """Return the trials of a session, in the order of the materials."""
    rng = random.Random(seed)
    return COMPARISON.timeline(COMPARISON.together(texts, settings, rng, earlier), settings, rng)


def answered(
    n_sessions: int,
    settings: Mapping[str, Any],
    *,
    n_items: int,
    systems: Sequence[str],
    seed: int = 1,
    items: str = "item",
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `trials` and `options` of simulated sessions, lists in turn, as far as `preference` needs them."""
    trials: list[dict[str, Any]] = []
    options: list[dict[str, Any]] = []
    design = COMPARISON.together_design(len(systems), settings)
    assert design is not None
    for session in range(n_sessions):
        index = session % design.n_lists
        texts = stimuli(n_items, systems, fillers=0, practice=0, list_index=index, items=items)
        item_of = {text.stimulus_id: text.item for text in texts}
        mind = COMPARISON.virtual_participant(random.Random(f"{seed} {session}"), settings)
        for plan in planned(texts, settings, seed=session, earlier=trials if design.is_adaptive else ()):
            params = {**plan.params, **plan.private}
            item = item_of[plan.stimulus_id or 0]
            payload = mind.respond(plan.plugin, params, levels={}, item=item, carried={})
            who = {"participant": f"P{session:03}", "item": item}
            trials.append({**who, **COMPARISON.measure(params, payload, ())})
            options += [{**who, **row} for row in COMPARISON.long_rows("options", params, payload, ())]
    return pd.DataFrame(trials), pd.DataFrame(options)
