"""A small open study of sentence recall, and results for its trials."""

from __future__ import annotations

from typing import Any

from experiments.models import Item, Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.sentence_recall.arithmetic import problems_of
from experiments.paradigms.sentence_recall.payload import intended_displays
from tests.participants.studies import Browser, open_study, payload_for, result_for


def open_recall_study(slug: str = "recall", **settings: Any) -> Study:
    """Return an open study of four items, two fillers and one practice sentence."""
    study = open_study(slug=slug, paradigm="sentence-recall")
    study.settings = paradigm_named("sentence-recall").complete_settings(settings)
    study.save()
    practice = Item.objects.create(part=study.task, code="practice", position=99, is_practice=True)
    Stimulus.objects.create(item=practice, text="The cat sat on the mat.")
    return study


def recall_of(trial: dict[str, Any], *, wrong: int = 0, recall: str = "What I recall.") -> dict[str, Any]:
    """Return the result of a trial; `wrong` of its problems are answered wrongly."""
    if trial["plugin"] != "sentence-recall":
        return {**result_for({**trial, "plugin": "pages", "params": {"pages": []}}), "payload": payload_for(trial)}
    params = trial["params"]
    answers = [problem.answer + (index < wrong) for index, problem in enumerate(problems_of(params["problems"]))]
    payload = {
        "displays": [
            {
                "intended_ms": intended,
                "onset_ms": 1000.0 * index,
                "offset_ms": 1000.0 * index + intended,
                "measured_ms": intended,
                "dropped_frames": 0,
                "late_frames": 0,
                "frame_interval_ms": 16.67,
                "flagged": False,
            }
            for index, intended in enumerate(intended_displays(params))
        ],
        "arithmetic": [
            {"typed": str(answer), "answer": answer, "ms": 3000.5, "first_key_ms": 2000.0, "timed_out": False}
            for answer in answers
        ],
        "recall": recall,
        "first_key_ms": 800.0,
        "typing_ms": 5000.0,
        "edits": 1,
        **dict.fromkeys(("paste_attempts", "drop_attempts", "copy_attempts", "focus_losses", "full_screen_exits"), 0),
    }
    return {**result_for({**trial, "plugin": "pages", "params": {"pages": []}}), "payload": payload}


def recall_everything(study: Study, *, seed: int = 0, wrong: int = 0) -> Browser:
    """Let somebody take part from start to end."""
    browser = Browser(study, seed=seed)
    assert browser.start().status_code == 201
    assert browser.open().status_code == 200
    answer = browser.send(*[recall_of(trial, wrong=wrong) for trial in browser.trials])
    assert answer.status_code == 200, answer.content
    assert browser.complete().json()["complete"]
    return browser
