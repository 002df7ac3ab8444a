"""A small open study of timed choice, and results for its trials."""

from __future__ import annotations

from typing import Any

from experiments.models import Item, Stimulus, Study
from experiments.paradigms import paradigm_named
from tests.participants.studies import open_study, payload_for, result_for

ANSWERS = "nonword | f\nword | j"


def open_choice_study(slug: str = "choice", **settings: Any) -> Study:
    """Return an open study of four items in two conditions, two fillers and one practice word; every text is a word."""
    study = open_study(slug=slug, paradigm="timed-choice")
    study.settings = paradigm_named("timed-choice").complete_settings({"answers": ANSWERS, **settings})
    study.save()
    practice = Item.objects.create(part=study.task, code="practice", position=99, is_practice=True)
    Stimulus.objects.create(item=practice, text="bread")
    Stimulus.objects.filter(item__part__study=study).update(extra={"correct": "word"})
    return study


def choice_of(trial: dict[str, Any], *, name: str = "word", rt_ms: float = 512.5) -> dict[str, Any]:
    """Return the result of a trial in which the answer of this name is given."""
    result = result_for({**trial, "plugin": "pages", "params": {"pages": []}})
    if trial["plugin"] != "timed-choice":
        return {**result, "payload": payload_for(trial)}
    names = [answer["name"] for answer in trial["params"]["answers"]]
    at = 1000.0
    displays = []
    for planned in trial["params"]["displays"]:
        times = {"onset_ms": at, "offset_ms": at + planned["ms"], "shown_ms": at, "gone_ms": at + planned["ms"]}
        displays.append(
            {
                "intended_ms": planned["ms"],
                **times,
                "measured_ms": planned["ms"],
                "dropped_frames": 0,
                "late_frames": None,
                "frame_interval_ms": 16.667,
                "doubtful": False,
                "flagged": False,
            }
        )
        at += planned["ms"]
    answered = {"answer": names.index(name), "by": "key", "rt_ms": rt_ms, "timed_out": False, "early": 0}
    return {**result, "payload": {"displays": displays, **answered}, "rt_ms": rt_ms}
