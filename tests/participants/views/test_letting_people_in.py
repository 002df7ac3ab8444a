"""Researchers who may change a study give out resume codes that work once; nobody else does."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from experiments.models import AuditEntry, Study
from participants.models import OneTimeResumeCode, RecruitmentIdentity, Session
from tests.participants.studies import Browser

pytestmark = pytest.mark.both

CODE = re.compile(r"[A-Z0-9]{5}-[A-Z0-9]{5}")


@pytest.fixture
def away(study: Study) -> Session:
    """The session of somebody who has lost browser and code."""
    browser = Browser(study, recruitment={"PROLIFIC_PID": "p-1"})
    browser.start()
    browser.open()
    return Session.objects.get()


def message_of(answer) -> str:
    return " ".join(str(one) for one in answer.context["messages"])


@pytest.mark.parametrize("by", ["pseudonym", "id", "supervision"])
def test_an_editor_gives_a_code_that_lets_the_participant_in(
    by: str, study: Study, away: Session, people: dict[str, Client]
) -> None:
    page = f"/admin/studies/{study.slug}/watch/participants/"
    if by == "id":
        assert 'name="recruitment_id"' in people["editor"].get(page).text
        answer = people["editor"].post(f"{page}let-in/", {"recruitment_id": " p-1 "}, follow=True)
        assert away.participant.pseudonym not in message_of(answer), "the id does not tell whose data are whose"
    else:
        own = f"{page}{away.participant.pseudonym}/"
        assert "Make a one-time resume code" in people["editor"].get(own).text
        sent = {"from": "supervision"} if by == "supervision" else {}
        answer = people["editor"].post(f"{own}let-in/", sent, follow=True)
    [code] = CODE.findall(message_of(answer))
    assert code != away.resume_code
    assert "http://testserver/s/small-study/continue/" in message_of(answer)
    [entry] = AuditEntry.objects.filter(action="resume code given")
    assert (entry.user.username, entry.detail) == ("the-editor", f"Session {away.pk}.")
    elsewhere = Browser(study, seed=7)
    assert elsewhere.client.post("/s/small-study/continue/", {"resume_code": code}).status_code == 302
    assert elsewhere.open(take_over=True).json()["participant"] == away.participant.pseudonym
    assert code not in people["editor"].get(page).text, "it is shown only once"


@pytest.mark.parametrize("role", ["viewer", "stranger"])
def test_nobody_else_gives_codes(role: str, study: Study, away: Session, people: dict[str, Client]) -> None:
    page = f"/admin/studies/{study.slug}/watch/participants/"
    for address, sent in (
        (f"{page}let-in/", {"recruitment_id": "p-1"}), (f"{page}{away.participant.pseudonym}/let-in/", {}),
    ):  # fmt: skip
        people[role].post(address, sent)
    assert not OneTimeResumeCode.objects.exists()
    if role == "viewer":
        assert "resume code" not in people[role].get(page).text


def test_an_id_that_nobody_has_and_a_session_that_is_over_give_no_code(
    study: Study, away: Session, people: dict[str, Client]
) -> None:
    page = f"/admin/studies/{study.slug}/watch/participants/"
    for typed in ("p-2", "", " "):
        answer = people["owner"].post(f"{page}let-in/", {"recruitment_id": typed}, follow=True)
        assert "Nobody with this recruitment id" in message_of(answer)
    Session.objects.update(status=Session.Status.COMPLETE)
    answer = people["owner"].post(f"{page}let-in/", {"recruitment_id": "p-1"}, follow=True)
    assert "This session is over" in message_of(answer)
    RecruitmentIdentity.objects.all().delete()
    assert 'name="recruitment_id"' not in people["owner"].get(page).text
    assert not OneTimeResumeCode.objects.exists()
