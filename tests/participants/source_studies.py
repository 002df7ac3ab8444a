"""A small open study with people from Prolific, from SONA and by a link of its own; an age screens out."""

from __future__ import annotations

from typing import Any

from experiments.models import Part, Study
from tests.participants.studies import Browser, open_study, result_for

AGE = {"name": "age", "label": "How old are you?", "kind": "number", "required": True}
YOUNG = {"question": "age", "operator": "below", "value": 18, "outcome": "screened-out", "message": ""}
SOURCES: list[dict[str, Any]] = [
    {
        "name": "prolific",
        "kind": "prolific",
        "parameters": ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"],
        "outcomes": {
            "completed": {"code": "C-DONE"},
            "screened-out": {"code": "C-OUT", "text": "Please return to Prolific."},
            "over-quota": {"code": "C-FULL"},
            "declined": {"link": "https://app.prolific.com/submissions/complete?cc=C-NO"},
            "withdrawn": {"code": "C-GONE"},
        },
    },
    {
        "name": "sona",
        "kind": "sona",
        "parameters": ["survey_code", "wave"],
        "outcomes": {
            "completed": {"link": "https://pool.example/done?id={survey_code}&wave={wave}"},
            "screened-out": {"link": "https://pool.example/out?id={participant_id}"},
        },
    },
    {"name": "mailing", "kind": "link", "parameters": [], "outcomes": {"completed": {"text": "See you next year."}}},
]


def study_with_sources(slug: str = "sources", **fields: Any) -> Study:
    """Return the study; `fields` are those of Study, such as `criteria`."""
    study = open_study(slug, questions=[AGE], **{"sources": SOURCES, **fields})
    Part.objects.filter(study=study, name="background").update(settings={"screening": [YOUNG]})
    study.refresh_from_db()
    return study


def came_to_the_questions(study: Study, seed: int, age: float, **recruitment: str) -> Browser:
    """Return a browser whose person agreed and told their age."""
    browser = Browser(study, seed=seed, recruitment=recruitment)
    assert browser.start().status_code == 201
    browser.open()
    [asked] = browser.trials
    assert browser.send({**result_for(asked), "payload": {"answers": {"age": age}}}).status_code == 200
    return browser


def ended(browser: Browser) -> dict[str, Any]:
    """Return what the last page of somebody gets who answers whatever is still to come."""
    went_on = browser.post("session/advance/", {}).json()
    if went_on["outcome"]:
        return dict(went_on["ending"])
    browser.send(*[result_for(trial) for trial in went_on["trials"]])
    complete = browser.complete().json()
    assert complete["ending"]["code"] == complete["completion_code"]
    assert complete["ending"]["link"] == complete["redirect_url"]
    return dict(complete["ending"])
