"""Which answer is right stays on the server; it is told of one answer at a time, where the trial gives feedback."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from experiments.models import Part
from participants.models import Response
from tests.participants.choice_studies import choice_of, open_choice_study
from tests.participants.studies import Browser


def begun(**settings: Any) -> Browser:
    browser = Browser(open_choice_study(**settings), seed=1)
    assert browser.start().status_code == 201
    assert browser.open().status_code == 200
    return browser


def trial_of(browser: Browser, phase: str) -> dict[str, Any]:
    return next(trial for trial in browser.trials if trial["phase"] == phase and trial["plugin"] == "timed-choice")


def asked(browser: Browser, phase: str, name: str) -> Any:
    trial = trial_of(browser, phase)
    place = [answer["name"] for answer in trial["params"]["answers"]].index(name)
    return browser.post("session/check/", {"position": trial["position"], "problem": 0, "answer": place}).json()


def test_practice_says_what_is_right(db: None) -> None:
    browser = begun()
    assert asked(browser, "practice", "word") == {"correct": True}
    assert asked(browser, "practice", "nonword") == {"correct": False}


def test_the_main_trials_say_nothing_unless_the_study_wants_it(db: None) -> None:
    assert asked(begun(), "main", "word")["code"] == "no-feedback"


@pytest.mark.parametrize("settings", [{"feedback_in_main": True}, {"error_pause_ms": 500}])
def test_the_main_trials_say_it_where_the_study_wants_it(db: None, settings: dict[str, Any]) -> None:
    assert asked(begun(**settings), "main", "word") == {"correct": True}


def test_nothing_that_the_browser_gets_tells_the_right_answer(db: None) -> None:
    browser = begun()
    for trial in browser.trials:
        if trial["plugin"] == "timed-choice":
            # Every text here is a word; what differs between answers are their places and keys alone.
            assert "right_answer" not in json.dumps(trial)
            assert "correct" not in json.dumps(trial)


def test_an_answer_is_stored_and_measured_with_what_is_private(db: None) -> None:
    browser = begun()
    trial = trial_of(browser, "main")
    answer = browser.send(choice_of(trial, name="nonword", rt_ms=431.25))
    assert answer.status_code == 200, answer.content
    response = Response.objects.get()
    assert response.rt_ms == 431.25
    assert response.payload["rt_ms"] == 431.25


def test_an_answer_that_did_not_come_is_stored_without_a_time(db: None) -> None:
    browser = begun()
    missing = {"answer": None, "by": None, "rt_ms": None, "timed_out": True}
    result = choice_of(trial_of(browser, "main"))
    result = {**result, "rt_ms": None, "payload": {**result["payload"], **missing}}
    answer = browser.send(result)
    assert answer.status_code == 200, answer.content
    assert Response.objects.get().rt_ms is None


def test_the_preview_gives_the_same_feedback(db: None, admin_user: Any) -> None:
    open_choice_study()
    client = Client()
    client.force_login(admin_user)
    preview = client.get("/api/studies/choice/preview/").json()

    def ask(phase: str, **changes: Any) -> Any:
        trial = next(t for t in preview["trials"] if t["phase"] == phase and t["plugin"] == "timed-choice")
        names = [answer["name"] for answer in trial["params"]["answers"]]
        where = {"list": preview["list"], "seed": preview["seed"], "position": trial["position"]}
        body = {"params": trial["params"], "plugin": trial["plugin"], **where, "problem": 0}
        body |= {"answer": names.index("word"), **changes}
        return client.post("/api/studies/choice/preview/check/", json.dumps(body), content_type="application/json")

    assert ask("practice").json() == {"correct": True}
    assert ask("main").json()["code"] == "no-feedback"
    assert ask("practice", seed=None).json()["code"] == "no-feedback"
    assert ask("practice", plugin="pages").status_code == 409


def test_the_preview_gives_feedback_to_the_group_that_it_shows(db: None, admin_user: Any) -> None:
    study = open_choice_study()
    study.groups = [{"name": "young"}, {"name": "old"}]
    study.save()
    Part.objects.filter(study=study).update(position=1)
    Part.objects.create(study=study, name="before", kind=Part.Kind.PAGE, body="A page.", groups=["old"], position=0)
    client = Client()
    client.force_login(admin_user)
    preview = client.get("/api/studies/choice/preview/?group=old").json()
    trial = next(trial for trial in preview["trials"] if trial["phase"] == "practice")
    place = [answer["name"] for answer in trial["params"]["answers"]].index("word")
    body = {"params": trial["params"], "plugin": trial["plugin"], "position": trial["position"], "problem": 0}
    body |= {name: preview[name] for name in ("list", "seed", "group")} | {"answer": place}
    told = client.post("/api/studies/choice/preview/check/", json.dumps(body), content_type="application/json")
    assert told.json() == {"correct": True}
