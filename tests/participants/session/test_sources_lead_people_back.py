"""People from several places take part in one study, and every outcome leads each back to where they came from."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.exports.sheets import sheets_of
from experiments.models import Part, Study
from participants.models import Participant, RecruitmentIdentity, Session
from participants.session.recruitment import arrival_from
from participants.watching.payment import payment_csv
from tests.participants.source_studies import SOURCES, YOUNG, came_to_the_questions, ended, study_with_sources
from tests.participants.studies import Browser, open_study, result_for

pytestmark = pytest.mark.django_db

ID_ONLY = [{**SOURCES[0], "id_only": True}, *SOURCES[1:]]
PROLIFIC = {"PROLIFIC_PID": "p-1", "STUDY_ID": "s-1", "SESSION_ID": "v-1"}


def test_each_source_has_its_own_way_back_from_the_same_outcome() -> None:
    study = study_with_sources()
    prolific = ended(came_to_the_questions(study, 1, 30, **PROLIFIC))
    assert (prolific["code"], prolific["link"]) == (
        "C-DONE", "https://app.prolific.com/submissions/complete?cc=C-DONE",
    )  # fmt: skip
    sona = ended(came_to_the_questions(study, 2, 30, survey_code="71 a", wave="2"))
    assert (sona["code"], sona["link"]) == ("", "https://pool.example/done?id=71%20a&wave=2")
    mailing = ended(came_to_the_questions(study, 3, 30))
    assert (mailing["text"], mailing["code"], mailing["link"]) == ("See you next year.", "", "")
    assert list(Session.objects.values_list("source", flat=True)) == ["prolific", "sona", "mailing"]
    assert set(RecruitmentIdentity.objects.values_list("source", flat=True)) == {"PROLIFIC_PID", "survey_code"}


def test_the_file_of_sessions_ends_with_the_source_and_names_no_id() -> None:
    study = study_with_sources()
    for seed, recruitment in enumerate((PROLIFIC, {"survey_code": "71 a"}, {})):
        came_to_the_questions(study, seed, 30, **recruitment)
    (sheet,) = (sheet for sheet in sheets_of(study) if sheet.name == "sessions")
    assert sheet.columns(study)[-1].name == "source"
    rows = list(sheet.rows(study))
    assert [row[-1] for row in rows] == ["prolific", "sona", "mailing"]
    assert not {"p-1", "s-1", "v-1", "71 a"} & {str(cell) for row in rows for cell in row}


def test_whoever_is_screened_out_goes_back_with_the_text_code_or_link_of_that_outcome() -> None:
    study = study_with_sources()
    prolific = ended(came_to_the_questions(study, 1, 17, **PROLIFIC))
    assert prolific["heading"] == "Thank you – this study is not for you"
    assert (prolific["text"], prolific["code"]) == ("Please return to Prolific.", "C-OUT")
    sona = ended(came_to_the_questions(study, 2, 17, survey_code="71"))
    assert sona["text"].startswith("This study looks for people"), "no text of its own: the usual one"
    assert sona["link"] == "https://pool.example/out?id=71"
    again = Browser(study, seed=2)
    again.start()
    assert again.open().json()["ending"] == sona, "the page comes again when it is loaded again"


def test_what_the_rule_says_comes_before_what_the_source_says() -> None:
    study = study_with_sources()
    rule = {**YOUNG, "message": "This study is for adults."}
    Part.objects.filter(study=study, name="background").update(settings={"screening": [rule]})
    assert ended(came_to_the_questions(study, 1, 17, survey_code="71"))["text"] == "This study is for adults."
    prolific = ended(came_to_the_questions(study, 2, 17, **PROLIFIC))
    assert prolific["text"] == "This study is for adults.\n\nPlease return to Prolific."


def test_a_link_whose_parameter_would_be_empty_is_not_shown_and_the_page_says_what_to_do() -> None:
    study = study_with_sources()
    ending = ended(came_to_the_questions(study, 1, 30, survey_code="71"))
    assert ending["link"] == ""
    assert ending["advice"].startswith("We cannot lead you back by a link")


def test_the_link_of_the_procedure_is_withheld_where_nobody_is_named_and_shown_where_somebody_is() -> None:
    study = open_study(procedure={"redirect_url": "https://pool.example/?id={PROLIFIC_PID}"})
    for seed, recruitment, link in ((1, {}, ""), (2, {"PROLIFIC_PID": "p"}, "https://pool.example/?id=p")):
        browser = Browser(study, seed=seed, recruitment=recruitment)
        browser.answer_all()
        answer = browser.complete().json()
        assert answer["redirect_url"] == link
        assert ("enter the code there" in answer["ending"]["advice"]) == (link == "")
        assert answer["completion_code"] == "DONE-1"


def test_the_general_name_of_somebody_is_never_left_empty_in_a_link() -> None:
    study = open_study(procedure={"redirect_url": "https://pool.example/?id={participant_id}&wave={wave}"})
    for seed, recruitment, link in ((1, {}, ""), (2, {"PROLIFIC_PID": "p"}, "https://pool.example/?id=p&wave=")):
        browser = Browser(study, seed=seed, recruitment=recruitment)
        browser.answer_all()
        assert browser.complete().json()["redirect_url"] == link


def test_whoever_answered_the_first_questions_of_a_study_that_was_closed_meanwhile_is_led_back() -> None:
    study = study_with_sources()
    browser = came_to_the_questions(study, 1, 30, **PROLIFIC)
    Study.objects.update(status=Study.Status.CLOSED, closed_at=timezone.now())
    ending = ended(browser)
    assert (ending["code"], ending["heading"]) == ("C-FULL", "This study is closed")
    assert "the last places were taken" not in ending["text"]
    assert Session.objects.get().outcome == Session.Outcome.OVER_QUOTA


def test_whoever_is_cut_by_the_closing_of_the_study_is_led_back_from_every_page() -> None:
    study = study_with_sources()
    browser = came_to_the_questions(study, 1, 30, **PROLIFIC)
    browser.post("session/advance/", {})
    Study.objects.update(status=Study.Status.CLOSED)
    refusal = browser.open().json()
    assert (refusal["code"], refusal["ending"]["code"]) == ("closed", "C-FULL")
    assert refusal["ending"]["text"] == refusal["message"]
    elsewhere = Client().get(f"/s/{study.slug}/", PROLIFIC).text
    assert "C-FULL" not in elsewhere, "an id alone shows no code"
    assert "What you had answered by then is stored." in elsewhere
    assert "data-next" not in elsewhere


def test_whoever_had_answered_everything_completes_by_their_link_although_the_study_was_closed() -> None:
    study = study_with_sources(sources=ID_ONLY)
    browser = came_to_the_questions(study, 1, 30, **PROLIFIC)
    trials = browser.post("session/advance/", {}).json()["trials"]
    browser.send(*[result_for(trial) for trial in trials])
    Study.objects.update(status=Study.Status.CLOSED)
    elsewhere = Client().get(f"/s/{study.slug}/", PROLIFIC).text
    assert "data-next" in elsewhere
    assert "This study is closed" not in elsewhere
    assert browser.complete().json()["completion_code"] == "C-DONE"


def test_the_list_of_who_is_to_be_paid_has_the_code_that_the_last_page_shows_to_whoever_was_cut() -> None:
    study = study_with_sources()
    came_to_the_questions(study, 1, 30, **PROLIFIC).post("session/advance/", {})
    assert payment_csv(study, user=None)[0].splitlines()[1].split(",")[2:4] == ["running", ""]
    Study.objects.update(status=Study.Status.CLOSED)
    study.refresh_from_db()
    assert payment_csv(study, user=None)[0].splitlines()[1].split(",")[2:4] == ["running", "C-FULL"]


def test_the_first_page_shows_the_way_back_of_a_session_that_was_ended() -> None:
    study = study_with_sources()
    browser = came_to_the_questions(study, 1, 17, **PROLIFIC)
    ended(browser)
    page = browser.client.get(f"/s/{study.slug}/").text
    assert "C-OUT" in page
    assert "Show the last page" in page


def test_whoever_began_goes_on_by_the_same_id_only_link_on_another_device_though_the_study_is_full() -> None:
    study = study_with_sources(quota=1, sources=ID_ONLY)
    came_to_the_questions(study, 1, 30, **PROLIFIC).post("session/advance/", {})
    address = f"/s/{study.slug}/"
    page = Client().get(address, PROLIFIC)
    assert "data-next" in page.text
    assert "This study is full" not in page.text
    other = Client().get(address, {**PROLIFIC, "PROLIFIC_PID": "p-2"})
    assert "This study is full" in other.text
    Study.objects.update(is_paused=True)
    assert "data-next" in Client().get(address, PROLIFIC).text


def test_whoever_is_done_is_led_back_as_their_session_ended_by_the_same_id_only_link_on_another_device() -> None:
    study = study_with_sources(sources=ID_ONLY)
    ended(came_to_the_questions(study, 1, 30, **PROLIFIC))
    out = {**PROLIFIC, "PROLIFIC_PID": "p-2"}
    ended(came_to_the_questions(study, 2, 17, **out))
    for status in (Study.Status.OPEN, Study.Status.CLOSED):
        study.status = status
        study.save()
        page = Client().get(f"/s/{study.slug}/", PROLIFIC).text
        assert "You have already taken part in this study" in page
        assert ("C-DONE" in page, "C-OUT" in page, "withdraw" in page) == (True, False, False)
        page = Client().get(f"/s/{study.slug}/", out).text
        assert ("C-DONE" in page, "C-OUT" in page) == (False, True)
    assert Session.objects.count() == 2, "reading a page creates nothing"


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("PROLIFIC_PID=&STUDY_ID=s", "PROLIFIC_PID"),
        ("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}", "PROLIFIC_PID"),
        ("STUDY_ID=s-1", "PROLIFIC_PID"),
        ("wave=2", "survey_code"),
        ("survey_code=%25SURVEY_CODE%25", "survey_code"),
        ("workerId=${workerId}", "workerId"),
    ],
)
def test_an_incomplete_link_is_told_at_once_and_lets_nobody_in(client: Client, query: str, parameter: str) -> None:
    study = study_with_sources()
    page = client.get(f"/s/sources/?{query}").content.decode()
    assert "Your link is not complete" in page
    assert parameter in page
    assert "laboratory@example.org" in page
    assert "I agree and start" not in page
    given = {name: value.replace("%25", "%") for name, value in (pair.split("=") for pair in query.split("&"))}
    refused = Browser(study, recruitment=given).start()
    assert (refused.status_code, refused.json()["code"]) == (409, "link-incomplete")
    assert not Participant.objects.exists()


def test_a_study_without_sources_refuses_placeholders_too(client: Client) -> None:
    study = open_study()
    assert "Your link is not complete" in client.get("/s/small-study/?PROLIFIC_PID=").content.decode()
    refused = Browser(study, recruitment={"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}).start()
    assert refused.json()["code"] == "link-incomplete"


def test_the_same_is_said_in_german(client: Client) -> None:
    study_with_sources(language="de")
    page = client.get("/s/sources/?PROLIFIC_PID=").content.decode()
    assert "Ihr Link ist nicht vollständig" in page
    assert "Your link" not in page


def test_whoever_declines_finds_the_way_back_of_their_source_and_a_contact(client: Client) -> None:
    study_with_sources()
    page = client.get("/s/sources/?PROLIFIC_PID=p-1").content.decode()
    declined = page[page.index('id="declined"') : page.index('id="problem"')]
    assert "https://app.prolific.com/submissions/complete?cc=C-NO" in declined
    assert "laboratory@example.org" in declined
    by_mail = client.get("/s/sources/").content.decode()
    assert "app.prolific.com" not in by_mail
    assert "laboratory@example.org" in by_mail[by_mail.index('id="declined"') :]


@pytest.mark.parametrize("changes", [{"quota": 1}, {"status": "closed"}])
def test_whoever_comes_too_late_goes_back_as_over_quota(client: Client, changes: dict[str, Any]) -> None:
    study = study_with_sources()
    came_to_the_questions(study, 1, 30, **PROLIFIC)
    type(study).objects.filter(pk=study.pk).update(**changes)
    page = client.get("/s/sources/?PROLIFIC_PID=p-2").content.decode()
    assert "C-FULL" in page
    assert "cc=C-FULL" in page
    assert "laboratory@example.org" in page


def test_whoever_withdraws_is_told_how_to_go_back_after_everything_was_erased(client: Client) -> None:
    study = study_with_sources()
    came_to_the_questions(study, 1, 30, **PROLIFIC)
    code = Participant.objects.get().withdrawal_code
    page = client.post("/s/sources/withdraw/", {"withdrawal_code": code, "confirm": "yes"}).content.decode()
    assert "Everything was erased" in page
    assert "cc=C-GONE" in page
    assert not Participant.objects.exists()


def test_a_session_that_had_to_be_done_in_one_go_ends_with_the_way_back_of_its_source() -> None:
    dropped = [{**SOURCES[0], "outcomes": {"dropped-out": {"code": "C-CUT"}}}]
    study = open_study(procedure={"resume": "end"}, sources=dropped)
    browser = Browser(study, recruitment=PROLIFIC)
    browser.start()
    browser.open()
    browser.send(browser.result(0))
    came_back = browser.open().json()
    assert came_back["outcome"] == "dropped-out"
    assert came_back["ending"]["code"] == "C-CUT"


def test_the_first_source_that_recognises_somebody_decides() -> None:
    study = study_with_sources()
    both = arrival_from(study, {"survey_code": "71", "PROLIFIC_PID": "p-1"})
    assert (both.name, both.identity and both.identity.external_id) == ("prolific", "p-1")
    stranger = arrival_from(study, {"workerId": "w-1"})
    assert (stranger.name, stranger.identity and stranger.identity.source) == ("mailing", "workerId")


def test_no_page_before_the_start_shows_an_id_that_its_source_does_not_ask_for(client: Client) -> None:
    study_with_sources()
    page = client.get("/s/sources/?PROLIFIC_PID=secret-person&SESSION_ID=secret-visit").content.decode()
    assert not re.findall("secret-(?:person|visit)", page)
