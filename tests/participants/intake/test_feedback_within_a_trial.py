"""Practice trials say whether an answer was right; no other trial does, and the right answer is never sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from experiments.models import Study
from experiments.paradigms.sentence_recall.arithmetic import problems_of
from participants.models import Response, Trial
from tests.participants.recall_studies import open_recall_study
from tests.participants.studies import Browser


@pytest.fixture
def recall_study(db: None) -> Study:
    return open_recall_study()


@pytest.fixture
def browser(recall_study: Study) -> Browser:
    started = Browser(recall_study)
    assert started.start().status_code == 201
    assert started.open().status_code == 200
    return started


def trial_of(browser: Browser, phase: str) -> dict[str, Any]:
    return next(trial for trial in browser.trials if trial["phase"] == phase)


def asked(browser: Browser, phase: str = "practice", problem: int = 0, wrong_by: int = 0) -> Any:
    trial = trial_of(browser, phase)
    answer = problems_of(trial["params"]["problems"])[min(problem, 1)].answer + wrong_by
    body = {"position": trial["position"], "problem": problem, "answer": answer}
    return browser.post("session/check/", body)


@pytest.mark.parametrize("problem", [0, 1])
def test_practice_says_whether_an_answer_is_right(browser: Browser, problem: int) -> None:
    assert asked(browser, problem=problem).json() == {"correct": True}
    assert asked(browser, problem=problem, wrong_by=1).json() == {"correct": False}


def test_a_trial_without_feedback_says_nothing_about_an_answer(browser: Browser) -> None:
    for wrong_by in (0, 1):
        answer = asked(browser, "main", wrong_by=wrong_by)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-feedback")


@pytest.mark.parametrize("changes", [{"problem": 2}, {"position": 999}])
def test_what_is_not_there_gives_no_feedback(browser: Browser, changes: dict[str, int]) -> None:
    body = {"position": trial_of(browser, "practice")["position"], "problem": 0, "answer": 1, **changes}
    answer = browser.post("session/check/", body)
    assert (answer.status_code, answer.json()["code"]) == (404, "no-feedback")


@pytest.mark.parametrize("changes", [{"problem": -1}, {"answer": "x"}, {"answer": None}, {"position": 10**9}])
def test_a_question_that_makes_no_sense_is_refused(browser: Browser, changes: dict[str, Any]) -> None:
    body = {"position": trial_of(browser, "practice")["position"], "problem": 0, "answer": 1, **changes}
    assert browser.post("session/check/", body).status_code == 400


def test_asking_stores_nothing(browser: Browser) -> None:
    asked(browser)
    assert not Response.objects.exists()
    assert not Trial.objects.filter(opened_at__isnull=False).exists()


def test_nobody_asks_about_the_session_of_somebody_else(browser: Browser, recall_study: Study) -> None:
    stranger = Browser(recall_study, seed=2)
    answer = stranger.post("session/check/", {"position": 0, "problem": 0, "answer": 1})
    assert (answer.status_code, answer.json()["code"]) == (404, "no-session")


def test_no_answer_to_a_problem_is_sent_to_the_browser(browser: Browser) -> None:
    for trial in browser.trials:
        assert "private" not in trial
        for problem in trial["params"].get("problems", []):
            assert set(problem) == {"a", "operator", "b"}


def test_the_preview_gives_the_same_feedback(recall_study: Study, admin_user: Any) -> None:
    client = Client()
    client.force_login(admin_user)
    trials = client.get("/api/studies/recall/preview/").json()["trials"]

    def ask(phase: str, **changes: Any) -> Any:
        params = next(trial["params"] for trial in trials if trial["phase"] == phase)
        body = {"params": params, "problem": 0, "answer": problems_of(params["problems"])[0].answer, **changes}
        return client.post("/api/studies/recall/preview/check/", json.dumps(body), content_type="application/json")

    assert ask("practice").json() == {"correct": True}
    assert ask("practice", answer=-999).json() == {"correct": False}
    assert ask("main").json()["code"] == "no-feedback"
    assert ask("practice", params={"feedback": True}).json()["code"] == "no-feedback"
    assert ask("practice", params={"feedback": True, "problems": 5}).status_code == 400
