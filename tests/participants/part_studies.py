"""Small open studies of several parts for tests."""

from __future__ import annotations

from typing import Any

from experiments.design.latin_square import lists as latin_square
from experiments.models import Condition, Item, Part, Stimulus, StimulusList, Study, StudyText
from experiments.paradigms import paradigm_named
from tests.participants.studies import SETTINGS, open_study

QUESTIONS = [{"name": "language", "label": "First language?", "kind": "choice", "choices": ["English", "other"]}]


def add_task(study: Study, name: str, *, items: int = 4, conditions: int = 2, **fields: Any) -> Part:
    """Add a magnitude estimation task with a Latin square of its own at the end of a study."""
    paradigm = paradigm_named("magnitude-estimation")
    given: dict[str, Any] = {
        "position": study.parts.count(),
        "paradigm": paradigm.slug,
        "settings": paradigm.complete_settings({**SETTINGS, "modulus_text": f"The reference of {name}."}),
        "factors": [{"name": "length", "levels": [f"{name}-{number}" for number in range(conditions)]}],
        **fields,
    }
    part = Part.objects.create(study=study, name=name, **given)
    StudyText.objects.create(study=study, part=part, kind="instructions", body=f"The instructions of {name}.")
    cells = [
        Condition.objects.create(part=part, position=position, levels={"length": f"{name}-{position}"})
        for position in range(conditions)
    ]
    stimuli = [
        [
            Stimulus.objects.create(
                item=item, condition=cell, text=f"Sentence {item.code} of {name} in version {cell.position + 1}."
            )
            for cell in cells
        ]
        for item in (Item.objects.create(part=part, code=f"item-{n + 1}", position=n) for n in range(items))
    ]
    for index, chosen in enumerate(latin_square(items, conditions)):
        one = StimulusList.objects.create(part=part, index=index)
        one.stimuli.set(stimuli[number][condition] for number, condition in enumerate(chosen))
    return part


def study_of_parts(slug: str = "parts", *, groups: Any = (), order_set: str = "", **fields: Any) -> Study:
    """Return an open study: a questionnaire, then two tasks of the same paradigm with two and three lists.

    With `order_set` the tasks change places.
    """
    study = open_study(slug, questions=QUESTIONS, groups=list(groups), **fields)
    add_task(study, "second", items=6, conditions=3, order_set=order_set)
    Part.objects.filter(study=study, name="task").update(order_set=order_set)
    study.refresh_from_db()
    return study
