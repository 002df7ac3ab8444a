"""Small open studies for tests, and a participant who talks to the API as a browser would."""

from __future__ import annotations

import json
import random
import uuid
from typing import Any

from django.test import Client

from experiments.design.latin_square import lists as latin_square
from experiments.models import Condition, Item, Stimulus, StimulusList, Study, StudyText
from experiments.paradigms import paradigm_named
from experiments.procedure.arranging import complete_procedure
from participants.models import RecruitmentIdentity
from participants.sealing import keyed_digest

REQUIRED = ["I have read the text above.", "I agree to take part."]
OPTIONAL = ["My answers may be shared."]
SETTINGS = {
    "modulus_text": "The door was by the porter opened.",
    "line_length_training": False,
    "break_every": 4,
    "allow_zero": False,
}


def open_study(
    slug: str = "small-study",
    *,
    items: int = 4,
    conditions: int = 2,
    fillers: int = 2,
    settings: dict[str, Any] | None = None,
    procedure: dict[str, Any] | None = None,
    questions: list[dict[str, Any]] | None = None,
    **details: Any,
) -> Study:
    """Return an open magnitude estimation study with a Latin square of its own."""
    paradigm = paradigm_named("magnitude-estimation")
    study = Study.objects.create(
        slug=slug,
        **{
            "title": "Sentences that sound odd",
            "paradigm": paradigm.slug,
            "language": "en",
            "responsible": "Laboratory of Examples",
            "contact": "laboratory@example.org",
            "estimated_minutes": 12,
            "status": Study.Status.OPEN,
            "settings": paradigm.complete_settings({**SETTINGS, **(settings or {})}),
            "procedure": complete_procedure({"completion_code": "DONE-1", **(procedure or {})}),
            "questions": questions or [],
            "factors": [{"name": "order", "levels": [f"level-{number}" for number in range(conditions)]}],
            **details,
        },
    )
    StudyText.objects.create(study=study, kind="welcome", body="You read sentences.\n\n- one at a time\n- at your pace")
    StudyText.objects.create(
        study=study,
        kind="consent",
        body="# Your rights\n\nYou can stop.",
        required_boxes=REQUIRED,
        optional_boxes=OPTIONAL,
    )
    StudyText.objects.create(study=study, kind="instructions", body="Judge the form.\n---\n> An example.")
    StudyText.objects.create(study=study, kind="debriefing", body="Thank you for {title}.")
    cells = [
        Condition.objects.create(part=study.task, position=position, levels={"order": f"level-{position}"})
        for position in range(conditions)
    ]
    stimuli: list[list[Stimulus]] = []
    for number in range(items):
        item = Item.objects.create(part=study.task, code=f"item-{number + 1}", position=number)
        stimuli.append(
            Stimulus.objects.bulk_create(
                Stimulus(item=item, condition=cell, text=f"Sentence {number + 1} in version {cell.position + 1}.")
                for cell in cells
            )
        )
    for number in range(fillers):
        filler = Item.objects.create(
            part=study.task, code=f"filler-{number + 1}", position=items + number, is_filler=True
        )
        Stimulus.objects.create(item=filler, text=f"Filler {number + 1}.")
    for index, chosen in enumerate(latin_square(items, conditions)):
        one = StimulusList.objects.create(part=study.task, index=index)
        one.stimuli.set(stimuli[number][condition] for number, condition in enumerate(chosen))
    return study


class Browser:
    """A participant's browser: starts, opens, answers. Keeps its cookie, its start key and its tab."""

    def __init__(self, study: Study | str, *, seed: int = 0, recruitment: dict[str, str] | None = None) -> None:
        self.slug = study if isinstance(study, str) else study.slug
        self.client = Client()
        self.start_key = str(uuid.UUID(int=random.Random(f"{self.slug} {seed}").getrandbits(128)))
        self.tab = f"tab-{seed}"
        self.recruitment = recruitment or {}
        self.trials: list[dict[str, Any]] = []

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.post(
            f"/api/studies/{self.slug}/{path}", json.dumps(body), content_type="application/json", headers=headers
        )

    def start(self, **changes: Any) -> Any:
        body = {
            "start_key": self.start_key,
            "consent": {"version": 1, "required": [True] * len(REQUIRED), "optional": {OPTIONAL[0]: True}},
            "recruitment": self.recruitment,
            "client": {"window": [1280, 720]},
            **changes,
        }
        return self.post("sessions/", body)

    def resume(self) -> Any:
        """Continue the session of the person of the link with the resume code that their other device shows."""
        [value] = [self.recruitment[name] for name in ("PROLIFIC_PID", "id", "survey_code") if name in self.recruitment]
        person = RecruitmentIdentity.objects.get(study__slug=self.slug, external_id_hash=keyed_digest(value))
        return self.post("session/resume/", {"resume_code": person.participant.sessions.get().resume_code})

    def open(self, **changes: Any) -> Any:
        answer = self.post("session/open/", {"tab": self.tab, **changes})
        if answer.status_code == 200:
            self.trials = answer.json()["trials"]
        return answer

    def send(self, *entries: Any, tab: str | None = None) -> Any:
        return self.post("session/results/", {"tab": tab or self.tab, "entries": list(entries)})

    def complete(self) -> Any:
        return self.post("session/complete/", {})

    def result(self, position: int, number: float = 12.5, **changes: Any) -> dict[str, Any]:
        """Return the result of a trial, as its plugin would make it."""
        return result_for(self.trials[position], number, **changes)

    def answer_all(self) -> None:
        """Take part from start to end."""
        assert self.start().status_code in {200, 201}
        assert self.open().status_code == 200
        answer = self.send(*[self.result(trial["position"]) for trial in self.trials])
        assert answer.status_code == 200, answer.content
        assert self.complete().json()["complete"]


def payload_for(trial: dict[str, Any], number: float = 12.5) -> dict[str, Any]:
    """Return a valid payload for a trial."""
    params = trial["params"]
    match trial["plugin"]:
        case "pages":
            return {"page_ms": [1500.25] * len(params["pages"])}
        case "break" | "break-feedback":
            return {"duration_ms": 8000.5, "instructions_reopened": False}
        case "background-questions":
            return {"answers": {question["name"]: None for question in params["questions"]}}
    typed = {"typed": f"{number:g}", "number": float(f"{number:g}"), "first_key_ms": 900.5, "edits": 0, "refused": []}
    if trial["plugin"] == "line-length":
        return typed
    return {**typed, "modulus_number": None if params["kind"] == "modulus" else 10}


def result_for(trial: dict[str, Any], number: float = 12.5, **changes: Any) -> dict[str, Any]:
    """Return the result entry of a trial."""
    return {
        "kind": "result",
        "sequence": trial["position"],
        "payload": payload_for(trial, number),
        "rt_ms": 2100.75,
        "onset_ms": 5000.5 + trial["position"],
        "clock": "element-timing",
        "interrupted": False,
        "attempts": 1,
        "focus_losses": 0,
        "event_batches": 0,
        **changes,
    }
