"""Convert a design into the stimuli that its paradigm gets, in the order of the materials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.shapes import Design
from experiments.paradigms.base import Paradigm, ShownStimulus


def shown_stimuli(design: Design) -> list[ShownStimulus]:
    """Return every stimulus of a design, numbered from 1."""
    names = [condition.name for condition in design.conditions]
    stimuli = [(item, stimulus) for item in design.items for stimulus in item.stimuli]
    return [
        ShownStimulus(
            number,
            stimulus.text,
            item.is_filler,
            item.is_practice,
            stimulus.extra,
            item.code,
            None if stimulus.condition is None else names[stimulus.condition],
            item.item_set,
        )
        for number, (item, stimulus) in enumerate(stimuli, start=1)
    ]


def together_faults(design: Design, paradigm: Paradigm, settings: Mapping[str, Any]) -> list[Fault]:
    """Return what prevents showing a design with these settings; empty if every text has its own trial."""
    if not paradigm.shows_several:
        return []
    return [
        Fault(message=message, step="materials") for message in paradigm.design_faults(shown_stimuli(design), settings)
    ]
