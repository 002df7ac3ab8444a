"""Tabs, devices, and what happens to a session that was cut."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from experiments.models import Study
from participants.models import IntakeProblem, Response, Session
from tests.participants.studies import Browser, open_study


def main_positions(browser: Browser) -> list[int]:
    return [trial["position"] for trial in browser.trials if trial["phase"] == "main"]


def begun_study(resume: str, answered: int) -> Browser:
    browser = Browser(open_study(procedure={"resume": resume}))
    browser.start()
    browser.open()
    browser.send(*[browser.result(position) for position in range(answered)])
    return browser


def test_a_second_device_is_told_that_the_session_is_open_elsewhere(browser: Browser) -> None:
    answer = browser.open(tab="another-tab")
    assert (answer.status_code, answer.json()["code"]) == (423, "other-device")


def test_a_second_device_can_take_over_and_the_first_one_loses_the_lease_but_no_answer(browser: Browser) -> None:
    assert browser.open(tab="another-tab", take_over=True).status_code == 200
    answer = browser.send(browser.result(1))
    assert (answer.status_code, answer.json()["lease"]) == (200, False)
    assert Response.objects.count() == 1
    assert browser.send(browser.result(2), tab="another-tab").json()["lease"] is True


def test_the_lease_ends_after_a_minute_without_results(browser: Browser) -> None:
    Session.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert browser.open(tab="another-tab").status_code == 200


def test_every_batch_renews_the_lease(browser: Browser) -> None:
    Session.objects.update(lease_until=timezone.now() + timedelta(seconds=2))
    assert browser.send(browser.result(1)).json()["lease"] is True
    lease_until = Session.objects.get().lease_until
    assert lease_until is not None
    assert lease_until > timezone.now() + timedelta(seconds=55)


def test_a_session_goes_on_with_the_same_trials(browser: Browser) -> None:
    before = browser.trials
    browser.send(browser.result(0), browser.result(1, number=20))
    opened = browser.open().json()
    assert opened["trials"] == before
    assert opened["answered"] == [0, 1]
    assert opened["carried"] == {"modulus_number": 20}
    assert (opened["resume"], opened["status"], opened["mode"]) == ("continue", "running", "run")


def test_the_policy_end_ends_a_cut_session_and_keeps_the_answers(db: None) -> None:
    browser = begun_study("end", answered=4)
    opened = browser.open().json()
    assert (opened["status"], opened["resume"]) == ("ended", "end")
    assert Response.objects.count() == 4
    session = Session.objects.get()
    assert (session.status, session.finished_at is not None) == (Session.Status.ENDED, True)


def test_a_second_device_does_not_end_what_goes_on_elsewhere_and_has_to_be_done_in_one_go(db: None) -> None:
    browser = begun_study("end", answered=4)
    for take_over in (False, True):
        answer = browser.open(tab="another-device", take_over=take_over)
        assert (answer.status_code, answer.json()["code"]) == (409, "one-go")
        assert "Please go on there." in answer.json()["message"]
    assert Session.objects.get().status == Session.Status.RUNNING
    assert browser.send(browser.result(4)).json()["lease"] is True
    Session.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert browser.open(tab="another-device").json()["code"] == "one-go", "a long text is read without a result"
    Session.objects.update(last_seen_at=timezone.now() - timedelta(minutes=11))
    assert browser.open(tab="another-device").json()["status"] == "ended", "nobody is there who could go on"


def test_a_second_device_takes_over_what_was_not_begun_even_where_it_has_to_be_done_in_one_go(db: None) -> None:
    browser = begun_study("end", answered=0)
    assert browser.open(tab="another-device").json()["code"] == "other-device"
    assert browser.open(tab="another-device", take_over=True).json()["status"] == "running"


def test_a_device_that_still_shows_a_session_that_another_one_has_finished_is_told_to_stop(browser: Browser) -> None:
    trials = browser.trials
    assert browser.open(tab="telephone", take_over=True).status_code == 200
    sent = browser.send(*[browser.result(trial["position"]) for trial in trials], tab="telephone")
    assert sent.status_code == 200
    assert browser.complete().json()["complete"]
    late = browser.send(browser.result(3, number=99))
    assert (late.status_code, late.json()["lease"]) == (409, False)
    assert browser.send(browser.result(3), tab="telephone").json()["lease"] is True
    assert "telephone" not in Session.objects.get().lease_holder, "sessions of one browser do not say so"
    assert IntakeProblem.objects.filter(kind="conflict", sequence=3).exists(), "and what it sent is kept beside"


def test_asking_twice_before_anything_was_begun_ends_nothing(db: None) -> None:
    browser = begun_study("end", answered=0)
    assert browser.open().json()["status"] == "running"


def test_the_policy_end_lets_a_participant_finish_whose_answers_are_all_there(db: None) -> None:
    browser = begun_study("end", answered=9)
    assert browser.open().json()["status"] == "running"
    assert browser.complete().json()["complete"]


def test_restarting_twice_sets_nothing_aside_twice(db: None) -> None:
    browser = begun_study("restart-block", answered=8)
    first, second = browser.open().json(), browser.open().json()
    assert first == second
    assert IntakeProblem.objects.count() == 1


def test_answers_of_somebody_who_used_the_browser_before_are_not_stored_as_another_persons(browser: Browser) -> None:
    entry, owner = browser.result(1), Session.objects.get().participant.pseudonym
    body = {"tab": browser.tab, "participant": owner, "entries": [entry]}
    assert browser.post("session/results/", body).status_code == 200
    browser.start(start_key="the-next-person-in-the-lab", new_person=True)
    answer = browser.post("session/results/", body)
    assert (answer.status_code, answer.json()["code"]) == (404, "other-participant")
    assert Response.objects.count() == 1


def test_answers_that_were_still_on_their_way_are_stored_in_an_ended_session(db: None) -> None:
    browser = begun_study("end", answered=4)
    trials = browser.trials
    browser.open()
    browser.trials = trials
    sent = browser.send(*[browser.result(trial["position"]) for trial in trials])
    assert (sent.status_code, sent.json()["lease"]) == (200, True), "a browser that has no lease would stop sending"
    assert browser.complete().json()["complete"]
    assert Session.objects.get().status == Session.Status.COMPLETE


def test_a_study_that_was_closed_meanwhile_takes_what_waits_and_completes_who_had_answered_everything(db: None) -> None:
    browser = begun_study("continue", answered=4)
    trials = browser.trials
    Study.objects.update(status=Study.Status.CLOSED)
    refusal = browser.open()
    assert (refusal.status_code, refusal.json()["code"]) == (409, "closed")
    assert refusal.json()["participant"] == Session.objects.get().participant.pseudonym
    assert browser.complete().json()["complete"] is False
    sent = browser.send(*[browser.result(trial["position"]) for trial in trials])
    assert (sent.status_code, sent.json()["lease"]) == (200, True)
    assert browser.complete().json()["complete"]
    assert Session.objects.get().outcome == "completed"


def test_the_policy_restart_sets_the_answers_of_the_cut_block_aside(db: None) -> None:
    browser = begun_study("restart-block", answered=8)  # instructions, modulus, four sentences, break, one sentence
    opened = browser.open(tab="after-a-reload", take_over=True).json()
    assert opened["answered"] == list(range(7))
    assert opened["interrupted"] == [7]
    problem = IntakeProblem.objects.get()
    assert (problem.kind, problem.sequence) == ("restarted", 7)
    assert problem.entry["payload"]["number"] == 12.5
    assert browser.send(browser.result(7, number=40, interrupted=True, attempts=2)).status_code == 200


def test_the_policy_restart_does_not_touch_finished_blocks(db: None) -> None:
    browser = begun_study("restart-block", answered=6)  # the first block is finished, its break is not taken
    opened = browser.open(tab="after-a-reload", take_over=True).json()
    assert opened["answered"] == list(range(6))
    assert not IntakeProblem.objects.exists()


def test_a_study_that_was_closed_meanwhile_cannot_be_taken_up_but_stores_what_was_answered(browser: Browser) -> None:
    Study.objects.update(status=Study.Status.CLOSED)
    answer = browser.open()
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")
    assert browser.send(browser.result(1)).status_code == 200


def test_opening_without_a_session_says_so(study: Study) -> None:
    answer = Browser(study).open()
    assert (answer.status_code, answer.json()["code"]) == (404, "no-session")


def test_the_cookie_of_one_study_opens_no_other(browser: Browser) -> None:
    open_study("other-study")
    browser.slug = "other-study"
    assert browser.open().status_code == 404


@pytest.mark.parametrize("tab", ["", "a b", "x" * 65, None])
def test_a_tab_needs_a_name(browser: Browser, tab: object) -> None:
    assert browser.open(tab=tab).status_code == 400


def test_a_running_session_is_found_again_by_its_start_key_and_a_complete_one_is_not(study: Study) -> None:
    browser = Browser(study, seed=3)
    browser.start()
    browser.open()
    browser.client.cookies.clear()
    assert browser.open().status_code == 404
    recovered = browser.post("session/recover/", {"start_key": browser.start_key})
    assert recovered.status_code == 200
    assert browser.open().status_code == 200
    browser.send(*[browser.result(trial["position"]) for trial in browser.trials])
    assert browser.complete().json()["complete"] is True
    assert browser.post("session/recover/", {"start_key": browser.start_key}).status_code == 404
    assert Session.objects.filter(study=study).count() == 1
