"""The Start button: what it records, and that pressing it again changes nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from experiments.models import Study, StudyText
from participants.models import Participant, RecruitmentIdentity, Session, Trial
from participants.session.planning import ensure_trials
from tests.participants.studies import OPTIONAL, Browser, open_study


def test_a_start_stores_participant_session_consent_and_trials(study: Study) -> None:
    answer = Browser(study).start()
    assert answer.status_code == 201
    session = Session.objects.get()
    assert answer.json() == {"session": session.participant.pseudonym, "run_url": "/s/small-study/run/"}
    assert (session.consent_version, session.consent_choices) == (1, {OPTIONAL[0]: True})
    assert session.client == {"window": [1280, 720]}


def test_the_trials_are_stored_when_the_session_is_first_opened_and_never_change(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    first = browser.open().json()["trials"]
    assert len(first) == 9  # instructions, modulus, 6 sentences with a break after 4
    assert [trial["position"] for trial in first] == list(range(9))
    stored = list(Trial.objects.values_list("pk", "params"))
    assert browser.open().json()["trials"] == first
    assert list(Trial.objects.values_list("pk", "params")) == stored


def test_the_cookie_is_unguessable_and_unreadable_for_scripts(study: Study) -> None:
    cookie = Browser(study).start().cookies["lectern_small_study"]
    assert len(cookie.value) >= 40
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")


def test_codes_of_different_people_differ(study: Study) -> None:
    for number in range(6):
        Browser(study, seed=number).start()
    people = Participant.objects.all()
    assert len({person.pseudonym for person in people}) == len({person.withdrawal_code for person in people}) == 6
    assert all(person.pseudonym[0].isalpha() for person in people)


def test_pressing_start_twice_gives_the_same_session(study: Study) -> None:
    browser = Browser(study)
    first, second = browser.start(), browser.start()
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Session.objects.count() == 1


def test_the_same_recruitment_id_on_another_computer_needs_the_resume_code(study: Study) -> None:
    at_home = Browser(study, seed=1, recruitment={"PROLIFIC_PID": "abc", "STUDY_ID": "s1"})
    at_work = Browser(study, seed=2, recruitment={"PROLIFIC_PID": "abc", "STUDY_ID": "s1"})
    started = at_home.start().json()
    refused = at_work.start()
    assert (refused.status_code, refused.json()["code"]) == (409, "resume-code-needed")
    assert at_work.resume().json() == started
    assert at_work.open().status_code == 200
    identity = RecruitmentIdentity.objects.get()
    assert (identity.source, identity.external_id, identity.parameters) == ("PROLIFIC_PID", "abc", {"STUDY_ID": "s1"})


def test_a_second_tab_of_the_same_browser_goes_on_with_the_running_session(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    again = browser.start(start_key="another-start-key-of-another-tab")
    assert again.status_code == 200
    assert Session.objects.count() == 1


def test_somebody_else_at_the_same_computer_can_say_so(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    assert browser.start(start_key="the-next-person-in-the-lab", new_person=True).status_code == 201
    assert Session.objects.count() == 2


def test_after_a_finished_session_the_next_person_can_start_at_the_same_computer(study: Study) -> None:
    browser = Browser(study)
    browser.answer_all()
    assert browser.start(start_key="the-next-person-in-the-lab").status_code == 201


def test_who_has_finished_cannot_start_again_with_the_same_recruitment_id(study: Study) -> None:
    Browser(study, seed=1, recruitment={"PROLIFIC_PID": "abc"}).answer_all()
    again = Browser(study, seed=2, recruitment={"PROLIFIC_PID": "abc"}).start()
    assert again.status_code == 409
    assert again.json()["code"] == "already-taken-part"
    assert "lectern_small_study" not in again.cookies


def test_undeclared_parameters_are_dropped_and_declared_ones_kept(db: None) -> None:
    study = open_study(procedure={"recruitment_parameters": ["panel_id", "wave"]})
    Browser(study, recruitment={"panel_id": "7", "wave": "2", "utm_source": "mail"}).start()
    identity = RecruitmentIdentity.objects.get()
    assert (identity.source, identity.external_id, identity.parameters) == ("panel_id", "7", {"wave": "2"})


def test_parameters_that_identify_nobody_store_no_identity(study: Study) -> None:
    Browser(study, recruitment={"STUDY_ID": "s1", "PROLIFIC_PID": "   "}).start()
    assert not RecruitmentIdentity.objects.exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"status": Study.Status.DRAFT}, "not-open"),
        ({"status": Study.Status.CLOSED}, "closed"),
        ({"is_paused": True}, "paused"),
        ({"quota": 0}, "full"),
    ],
)
def test_each_reason_not_to_start_has_a_code_and_a_sentence(study: Study, changes: dict[str, Any], code: str) -> None:
    Study.objects.filter(pk=study.pk).update(**changes)
    answer = Browser(study).start()
    assert answer.status_code == 409
    assert answer.json()["code"] == code
    assert len(answer.json()["message"]) > 20
    assert not Participant.objects.exists()


def test_who_has_started_can_finish_while_the_study_is_paused(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    Study.objects.update(is_paused=True)
    browser.answer_all()
    assert Session.objects.get().status == Session.Status.COMPLETE


def test_a_changed_consent_must_be_read_again(study: Study) -> None:
    StudyText.objects.create(study=study, kind="consent", version=2, body="New.", required_boxes=["I agree."])
    answer = Browser(study).start()
    assert (answer.status_code, answer.json()["code"]) == (409, "consent-changed")


@pytest.mark.parametrize("required", [[], [True], [True, False], [True, True, True]])
def test_every_required_statement_must_be_ticked(study: Study, required: list[bool]) -> None:
    answer = Browser(study).start(consent={"version": 1, "required": required})
    assert (answer.status_code, answer.json()["code"]) == (409, "consent-missing")


def test_optional_statements_that_nobody_wrote_are_not_recorded(study: Study) -> None:
    Browser(study).start(consent={"version": 1, "required": [True, True], "optional": {"I want money.": True}})
    assert Session.objects.get().consent_choices == {OPTIONAL[0]: False}


@pytest.mark.parametrize("start_key", ["", "short", "with spaces in a long key", "x" * 65, None, 7])
def test_a_start_key_must_be_hard_to_guess(study: Study, start_key: object) -> None:
    answer = Browser(study).start(start_key=start_key)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "start_key" in answer.json()["fields"]


def test_the_trials_follow_from_the_seed(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    browser.open()
    session = Session.objects.get()
    stored = list(session.trials.values_list("position", "plugin", "params", "stimulus_id"))
    session.trials.all().delete()
    ensure_trials(session)
    assert list(session.trials.values_list("position", "plugin", "params", "stimulus_id")) == stored


def test_the_browser_never_learns_item_condition_or_list(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    text = browser.open().content.decode()
    for secret in ("item-", "level-", "filler-", "stimulus", "condition", "seed"):
        assert secret not in text


def test_a_late_participant_gets_the_own_session_back_with_the_same_list(study: Study) -> None:
    late = Browser(study, seed=1, recruitment={"PROLIFIC_PID": "late"})
    late.start()
    session = Session.objects.get()
    Session.objects.update(last_seen_at=timezone.now() - timedelta(hours=5))
    Browser(study, seed=2).start()  # gets the freed place
    assert late.start().json()["session"] == str(session.participant)
    late.open()
    session.refresh_from_db()
    assert session.returned_late
    assert session.list_id == Session.objects.latest("pk").list_id
    late.answer_all()


def test_odd_facts_about_a_browser_turn_nobody_away(study: Study) -> None:
    answer = Browser(study).start(client={"agent": "x\u0000y", "fine": 1, "long": "z" * 10_000})
    assert answer.status_code == 201
    assert Session.objects.get().client == {"fine": 1}


def test_trials_are_made_by_the_next_request_if_the_server_died_before_storing_them(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    Trial.objects.all().delete()
    assert len(browser.open().json()["trials"]) == 9
