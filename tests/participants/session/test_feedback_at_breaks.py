"""What a break says rests on the answers that are stored; practice that went well is not repeated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from experiments.models import Study
from participants.models import Session
from tests.participants.choice_studies import choice_of, open_choice_study
from tests.participants.studies import Browser

pytestmark = pytest.mark.django_db


def study_with(**procedure: Any) -> Study:
    study = open_choice_study(break_every=2)
    study.task.procedure = {**study.task.procedure, **procedure}
    study.task.save()
    return study


def asked(browser: Browser, position: int) -> tuple[int, dict[str, Any]]:
    answer = browser.post("session/check/", {"position": position, "problem": 0, "answer": 0})
    return answer.status_code, answer.json()


def opened(study: Study) -> tuple[Browser, list[dict[str, Any]]]:
    browser = Browser(study)
    assert browser.start().status_code == 201
    return browser, browser.open().json()["trials"]


def test_a_break_says_how_the_trials_since_the_last_one_went() -> None:
    browser, trials = opened(study_with(break_feedback="both"))
    first, second = (trial["position"] for trial in trials if trial["plugin"] == "break-feedback")
    right, times = {first - 1: "nonword"}, {first - 2: 400.0, first - 1: 600.0}
    for trial in trials[:first]:
        at = trial["position"]
        browser.send(choice_of(trial, name=right.get(at, "word"), rt_ms=times.get(at, 5_000.0)))
    assert asked(browser, first) == (200, {"right": 0.5, "mean_ms": 500.0, "again": None, "skips": []})
    assert asked(browser, second)[1]["code"] == "not-ready", "the answers that it tells of are not there yet"
    for trial in trials[first:second]:
        browser.send(choice_of(trial, rt_ms=300.0))
    assert asked(browser, second) == (200, {"right": 1.0, "mean_ms": 300.0, "again": None, "skips": []})


def test_it_says_no_more_than_the_study_asks_for() -> None:
    browser, trials = opened(study_with(break_feedback="time"))
    first = next(trial["position"] for trial in trials if trial["plugin"] == "break-feedback")
    for trial in trials[:first]:
        browser.send(choice_of(trial, rt_ms=640.0))
    assert asked(browser, first)[1] == {"right": None, "mean_ms": 640.0, "again": None, "skips": []}


def test_breaks_that_say_nothing_are_not_asked() -> None:
    browser, trials = opened(study_with())
    position = next(trial["position"] for trial in trials if trial["phase"] == "break")
    assert asked(browser, position)[0] == 404


@pytest.mark.parametrize("good_in", [1, 2, 3, None])
def test_practice_comes_again_until_it_is_good_enough_and_the_session_completes(good_in: int | None) -> None:
    study = study_with(practice_until=80, practice_rounds=3)
    browser, trials = opened(study)
    skipped: set[int] = set()
    shown = rounds = 0
    for trial in trials:
        if trial["position"] in skipped:
            continue
        shown += 1
        if trial["plugin"] == "break-feedback":
            rounds += 1
            status, said = asked(browser, trial["position"])
            assert (status, said["right"]) == (200, 1.0 if rounds == good_in else 0.0)
            assert said["again"] is (rounds != good_in and rounds < 3)
            assert asked(browser, trial["position"])[1] == said, "asking again says the same"
            skipped |= set(said["skips"])
        name = "nonword" if trial["phase"] == "practice" and rounds + 1 != good_in else "word"
        assert browser.send(choice_of(trial, name=name)).status_code == 200
    assert rounds == (good_in or 3)
    assert browser.complete().json()["complete"] is True
    assert Session.objects.get(study=study).trials.count() == shown
    assert not skipped & set(Session.objects.get(study=study).trials.values_list("position", flat=True))


def test_a_page_that_is_loaded_again_goes_on_without_the_rounds_that_are_left_out() -> None:
    browser, trials = opened(study_with(practice_until=80))
    page = next(trial["position"] for trial in trials if trial["plugin"] == "break-feedback")
    for trial in trials[:page]:
        browser.send(choice_of(trial))
    skips = asked(browser, page)[1]["skips"]
    assert skips
    again = browser.open().json()
    left = [trial["position"] for trial in again["trials"] if trial["position"] not in again["answered"]]
    assert left[0] == page
    assert not set(skips) & set(left)


def test_the_preview_says_the_same_of_answers_that_are_not_stored(django_user_model: Any, client: Any) -> None:
    study = study_with(practice_until=80)
    client.force_login(django_user_model.objects.create_superuser("researcher"))
    preview = client.get(f"/api/studies/{study.slug}/preview/").json()
    trials = preview["trials"]
    page = next(trial for trial in trials if trial["plugin"] == "break-feedback")
    order = {name: preview[name] for name in ("list", "seed", "group")}
    body = {"params": page["params"], "plugin": page["plugin"], "position": page["position"], **order}
    body |= {"problem": 0, "answer": 0}

    def said(name: str) -> dict[str, Any]:
        given = [
            {"position": trial["position"], "payload": choice_of(trial, name=name)["payload"], "rt_ms": 500.0}
            for trial in trials[: trials.index(page)]
        ]
        answer = client.post(
            f"/api/studies/{study.slug}/preview/check/",
            json.dumps({**body, "answers": given}),
            content_type="application/json",
        )
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    assert (said("word")["again"], said("nonword")["again"]) == (False, True)
    assert said("word")["skips"]
    assert not said("nonword")["skips"]


def test_the_end_tells_of_all_main_trials_whatever_breaks_were_between() -> None:
    browser, trials = opened(study_with(end_feedback="both"))
    *before, last = trials
    main = [trial for trial in before if trial["phase"] == "main"]
    for trial in before:
        wrong = trial["position"] == main[0]["position"]
        browser.send(choice_of(trial, name="nonword" if wrong else "word", rt_ms=900.0 if wrong else 400.0))
    status, said = asked(browser, last["position"])
    assert (status, last["params"]["is_end"]) == (200, True)
    assert said["right"] == pytest.approx(1 - 1 / len(main))
    assert said["mean_ms"] == pytest.approx(400 + 500 / len(main))
