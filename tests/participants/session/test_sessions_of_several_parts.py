"""Sessions of studies with several parts: a questionnaire first, then one task after the other."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from experiments.models import Part
from participants.models import Session, SessionList, Trial
from participants.session import advancing
from participants.watching.invariants import violations
from tests.participants.part_studies import add_task, study_of_parts
from tests.participants.studies import Browser, open_study, result_for

pytestmark = pytest.mark.django_db


def begun(study: Any, seed: int = 0) -> Browser:
    browser = Browser(study, seed=seed)
    assert browser.start().status_code == 201
    assert browser.open().status_code == 200
    return browser


def answer(browser: Browser, trials: list[dict[str, Any]]) -> None:
    sent = browser.send(*[result_for(trial) for trial in trials])
    assert sent.status_code == 200, sent.content


def test_nothing_is_decided_before_the_first_questionnaire_is_answered() -> None:
    browser = begun(study_of_parts())
    assert [trial["part"] for trial in browser.trials] == ["background"]
    assert browser.open().json()["more"] is True
    session = Session.objects.get()
    assert (session.assigned_at, session.list, session.outcome) == (None, None, "")
    assert browser.post("session/advance/", {}).json() == {
        "trials": [], "missing": [0], "more": True, "status": "running", "outcome": "",
    }  # fmt: skip
    assert Session.objects.get().assigned_at is None


def test_tasks_follow_each_other_each_with_its_own_instructions_and_reference() -> None:
    browser = begun(study_of_parts())
    answer(browser, browser.trials)
    went_on = browser.post("session/advance/", {}).json()
    parts = [trial["part"] for trial in went_on["trials"]]
    assert parts == sorted(parts, key=["task", "second"].index)
    assert [trial["position"] for trial in went_on["trials"]] == list(range(1, len(parts) + 1))
    references = [trial["params"]["text"] for trial in went_on["trials"] if trial["phase"] == "modulus"]
    assert references == ["The door was by the porter opened.", "The reference of second."]
    told = [str(trial["params"]["pages"]) for trial in went_on["trials"] if trial["phase"] == "instructions"]
    assert "Judge the form." in told[0]
    assert "The instructions of second." in told[1]
    assert browser.post("session/advance/", {}).json() == went_on, "asking again changes nothing"
    assert Session.objects.get().list.part.name == "task"
    assert [one.list.part.name for one in SessionList.objects.all()] == ["second"]


def test_a_session_of_all_parts_completes_and_is_sound() -> None:
    study = study_of_parts(order_set="tasks", groups=[{"name": "a", "weight": 1}, {"name": "b", "weight": 1}])
    for seed in range(4):
        browser = begun(study, seed)
        assert browser.complete().json()["complete"] is False
        answer(browser, browser.trials)
        assert browser.complete().json() == {"complete": False, "missing": [], "missing_events": []}
        answer(browser, browser.post("session/advance/", {}).json()["trials"])
        assert browser.complete().json()["complete"] is True
    assert not any(violations(study).values()), violations(study)
    assert sorted(Session.objects.values_list("group", flat=True)) == ["a", "a", "b", "b"]
    for group in "ab":
        orders = Session.objects.filter(group=group).values_list("order", flat=True)
        assert sorted(orders) == ["second task", "task second"]
    assert set(Session.objects.values_list("outcome", flat=True)) == {"completed"}
    for session in Session.objects.all():
        shown = list(dict.fromkeys(session.trials.order_by("position").values_list("part__name", flat=True)))
        assert shown == ["background", *session.order.split()]


def test_a_group_sees_its_own_parts_only() -> None:
    study = study_of_parts(groups=[{"name": "young", "weight": 1}, {"name": "old", "weight": 1}])
    Part.objects.filter(name="second").update(groups=["old"])
    seen = {}
    for seed in range(2):
        browser = begun(study, seed)
        answer(browser, browser.trials)
        trials = browser.post("session/advance/", {}).json()["trials"]
        seen[Session.objects.latest("pk").group] = {trial["part"] for trial in trials}
    assert seen == {"young": {"task"}, "old": {"task", "second"}}


def test_the_answer_that_screens_out_ends_the_session_and_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of_parts(quota=1)
    monkeypatch.setattr(advancing, "screened", lambda session, parts: "screened-out")
    browser = begun(study)
    assert Browser(study, seed=1).start().status_code == 409, "the only place is held"
    answer(browser, browser.trials)
    went_on = browser.post("session/advance/", {}).json()
    assert went_on.pop("ending")["heading"] == "Thank you – this study is not for you"
    assert went_on == {
        "trials": [], "missing": [], "more": False, "status": "ended", "outcome": "screened-out",
    }  # fmt: skip
    opened = browser.open().json()
    assert (opened["status"], opened["outcome"], opened["more"]) == ("ended", "screened-out", False)
    assert browser.complete().json()["complete"] is False
    assert Browser(study, seed=1).start().status_code == 201
    assert not any(violations(study).values())


def test_who_comes_when_every_group_is_full_is_told_so() -> None:
    study = study_of_parts(groups=[{"name": "only", "weight": 1, "quota": 1}])
    outcomes = []
    for seed in range(2):
        browser = begun(study, seed)
        answer(browser, browser.trials)
        outcomes.append(browser.post("session/advance/", {}).json()["outcome"])
    assert outcomes == ["", "over-quota"]


def test_a_study_that_begins_with_a_task_decides_at_the_start() -> None:
    study = open_study("at-once", groups=[{"name": "a"}, {"name": "b"}])
    add_task(study, "second")
    browser = begun(study)
    assert {trial["part"] for trial in browser.trials} == {"task", "second"}
    assert Session.objects.get().group in ("a", "b")
    assert browser.post("session/advance/", {}).json()["trials"] == browser.trials


def test_a_block_that_is_restarted_is_one_of_the_task_that_was_cut() -> None:
    study = open_study("restart", procedure={"resume": "restart-block"})
    add_task(study, "second")
    browser = begun(study)
    first = [trial for trial in browser.trials if trial["part"] == "task"]
    second = [trial for trial in browser.trials if trial["part"] == "second"]
    before = [trial for trial in second if trial["phase"] != "main"]
    cut = next(trial for trial in second if trial["phase"] == "main")
    answer(browser, [*first, *before, cut])
    answered = browser.open().json()["answered"]
    assert {trial["position"] for trial in [*first, *before]} <= set(answered)
    assert cut["position"] not in answered


def test_what_one_task_carries_does_not_reach_the_other() -> None:
    study = open_study("carried")
    add_task(study, "second")
    browser = begun(study)
    first = [trial for trial in browser.trials if trial["part"] == "task"]
    sent = browser.send(*[result_for(trial, 7) for trial in first])
    assert sent.status_code == 200
    assert browser.open().json()["carried"].get("modulus_number") is None


def test_the_preview_begins_at_any_part_as_any_group(client: Client, admin_user: Any) -> None:
    study = study_of_parts(groups=[{"name": "young"}, {"name": "old"}])
    Part.objects.filter(name="second").update(groups=["old"])
    client.force_login(admin_user)
    old = client.get(f"/api/studies/{study.slug}/preview/?part=second&group=old").json()
    assert {trial["part"] for trial in old["trials"]} == {"second"}
    young = client.get(f"/api/studies/{study.slug}/preview/?group=young").json()
    assert {trial["part"] for trial in young["trials"]} == {"background", "task"}
    trial = old["trials"][-1]
    judged = client.post(
        f"/api/studies/{study.slug}/preview/validate/",
        {"list": old["list"], "seed": old["seed"], "group": "old", "position": trial["position"],
         "plugin": trial["plugin"], "params": trial["params"], "payload": result_for(trial)["payload"]},
        content_type="application/json",
    ).json()  # fmt: skip
    assert judged["valid"], judged
    assert not Trial.objects.exists()
