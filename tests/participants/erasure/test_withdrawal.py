"""Withdrawal erases every trace and leaves a tombstone."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from experiments.models import Study
from participants.erasure.withdrawal import withdraw
from participants.models import (
    BrowserError,
    Erasure,
    EventBatch,
    IntakeProblem,
    Participant,
    RecruitmentIdentity,
    Response,
    Session,
    Tombstone,
    Trial,
)
from participants.sealing import digest
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.both

OF_PARTICIPANTS = [
    Participant, RecruitmentIdentity, Session, Trial, Response, EventBatch, IntakeProblem, BrowserError,
]  # fmt: skip


@pytest.fixture
def full(study: Study) -> Browser:
    """A participant who left a row in every table."""
    browser = with_a_row_in_every_table(study, "secret-id")
    assert all(model._default_manager.exists() for model in OF_PARTICIPANTS)
    return browser


def with_a_row_in_every_table(study: Study, recruitment: str, *, seed: int = 1) -> Browser:
    browser = Browser(study, recruitment={"PROLIFIC_PID": recruitment}, seed=seed)
    browser.start()
    browser.open()
    browser.send(
        browser.result(1),
        {**browser.result(2), "sequence": 99},
        {"kind": "events", "sequence": 1, "batch": 0, "events": [{"x": 1}]},
    )
    browser.send(browser.result(1, number=99))
    browser.post("session/errors/", {"message": "TypeError", "detail": "somewhere"})
    return browser


def code_of(browser: Browser) -> str:
    return Participant.objects.get(sessions__start_key_hash=digest(browser.start_key)).withdrawal_code


def everything_stored() -> str:
    """Return all rows of all tables as text."""
    return "\n".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())


def test_a_second_click_withdraws_nobody_twice(full: Browser, study: Study) -> None:
    first, second = Participant.objects.get(), Participant.objects.get()
    assert withdraw(first, by_participant=True) is not None
    assert withdraw(second, by_participant=True) is None
    assert Tombstone.objects.filter(study=study).count() == 1
    assert Erasure.objects.count() == 1


def test_nothing_of_a_withdrawn_participant_is_left_anywhere(full: Browser) -> None:
    participant = Participant.objects.get()
    session = Session.objects.get()
    traces = [participant.pseudonym, participant.withdrawal_code, session.token, full.start_key, "secret-id"]
    traces += [participant.withdrawal_code_hash, participant.withdrawal_code_sealed, session.token_hash]
    withdraw(participant, by_participant=True)
    assert not any(model._default_manager.exists() for model in OF_PARTICIPANTS)
    left = everything_stored()
    assert not [trace for trace in traces if trace in left]
    assert list(Tombstone.objects.values_list("by_participant", "was_complete")) == [(True, False)]


def rows_of_participants() -> dict[str, set[Any]]:
    return {model.__name__: set(model._default_manager.values_list("pk", flat=True)) for model in OF_PARTICIPANTS}


@pytest.fixture
def others(full: Browser) -> dict[str, set[Any]]:
    """One more participant of the same study and one of another, each with a row in every table: what must stay."""
    before = rows_of_participants()
    with_a_row_in_every_table(Study.objects.get(), "another-id", seed=2)
    with_a_row_in_every_table(open_study("other-study"), "third-id", seed=3)
    added = {name: rows - before[name] for name, rows in rows_of_participants().items()}
    assert all(len(rows) >= 2 for rows in added.values()), added
    return added


def test_nobody_else_loses_anything(full: Browser, others: dict[str, set[Any]]) -> None:
    assert full.post("withdraw/", {"withdrawal_code": code_of(full), "confirm": True}).status_code == 204
    assert rows_of_participants() == others


def test_only_what_the_participant_left_is_named_as_lost(full: Browser, others: dict[str, set[Any]]) -> None:
    RecruitmentIdentity.objects.filter(participant__sessions__start_key_hash=digest(full.start_key)).delete()
    Session.objects.exclude(start_key_hash=digest(full.start_key)).update(status=Session.Status.COMPLETE)
    answer = full.post("withdraw/", {"withdrawal_code": code_of(full)})
    assert answer.json() == {
        "responses": 1, "event_batches": 1, "problems": 2, "browser_errors": 1, "has_recruitment_id": False,
        "is_complete": False,
    }  # fmt: skip


@pytest.mark.parametrize("by", ["pseudonym", "withdrawal_code"])
def test_a_researcher_cannot_name_a_participant_of_another_study(
    full: Browser, others: dict[str, set[Any]], by: str
) -> None:
    theirs = getattr(Participant.objects.get(study__slug="other-study"), by)
    before = rows_of_participants()
    with pytest.raises(CommandError, match="no participant with this code"):
        call_command("erase_participant", full.slug, theirs)
    assert rows_of_participants() == before


def test_spaces_around_a_pseudonym_do_not_matter(full: Browser, others: dict[str, set[Any]]) -> None:
    pseudonym = Participant.objects.get(sessions__start_key_hash=digest(full.start_key)).pseudonym
    call_command("erase_participant", full.slug, f" {pseudonym.lower()} ")
    assert rows_of_participants() == others


def test_the_api_first_names_what_will_be_lost(full: Browser) -> None:
    answer = full.post("withdraw/", {"withdrawal_code": code_of(full).lower().replace("-", " ")})
    assert answer.status_code == 200
    assert answer.json() == {
        "responses": 1, "event_batches": 1, "problems": 2, "browser_errors": 1, "has_recruitment_id": True,
        "is_complete": False,
    }  # fmt: skip
    assert Participant.objects.exists()
    assert full.post("withdraw/", {"withdrawal_code": code_of(full), "confirm": True}).status_code == 204
    assert not Participant.objects.exists()


def test_a_result_that_arrives_after_the_withdrawal_is_not_stored(full: Browser) -> None:
    entry = full.result(2)
    withdraw(Participant.objects.get(), by_participant=True)
    assert full.send(entry).status_code == 404
    assert not Response.objects.exists()


@pytest.mark.parametrize("code", ["", "AAAA-BBBB", "' OR 1=1", "x" * 200])
def test_a_wrong_code_erases_nothing(full: Browser, code: str) -> None:
    answer = full.post("withdraw/", {"withdrawal_code": code, "confirm": True})
    assert answer.status_code in {400, 404}
    assert Participant.objects.count() == 1


def test_a_code_of_another_study_erases_nothing(full: Browser) -> None:
    other = Browser(open_study("other-study"))
    assert other.post("withdraw/", {"withdrawal_code": code_of(full), "confirm": True}).status_code == 404


def page(browser: Browser, **fields: str) -> Any:
    return browser.client.post(f"/s/{browser.slug}/withdraw/", fields)


def test_the_page_asks_names_the_loss_and_erases(full: Browser) -> None:
    code = code_of(full)
    assert "Withdrawal code" in full.client.get(f"/s/{full.slug}/withdraw/").content.decode()
    named = page(full, withdrawal_code=code.lower())
    assert "1 answer" in named.content.decode()
    assert "recruitment service" in named.content.decode()
    assert Participant.objects.exists()
    done = page(full, withdrawal_code=code, confirm="yes")
    assert "Everything was erased" in done.content.decode()
    assert not Participant.objects.exists()
    assert done.cookies["lectern_small_study"].value == ""


def test_the_page_says_that_a_code_is_unknown(full: Browser) -> None:
    answer = page(full, withdrawal_code="ABCD", confirm="yes")
    assert answer.status_code == 404
    assert "no participant with this code" in answer.content.decode()


@pytest.mark.parametrize("by", ["pseudonym", "withdrawal_code"])
def test_a_researcher_erases_by_pseudonym_or_code(full: Browser, by: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("erase_participant", full.slug, getattr(Participant.objects.get(), by))
    assert not Participant.objects.exists()
    assert Tombstone.objects.get().by_participant is False
    assert "1 response" in capsys.readouterr().out
    entry = Study.objects.get().audit_entries.get()
    assert (entry.action, entry.detail) == ("participant erased", "All data of one participant.")


def test_the_command_says_what_it_does_not_find(full: Browser) -> None:
    with pytest.raises(CommandError, match="no participant with this code"):
        call_command("erase_participant", full.slug, "nobody")
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("erase_participant", "nowhere", "nobody")


def test_a_withdrawal_frees_the_place_in_the_list(full: Browser) -> None:
    first_list = Session.objects.get().list_id
    withdraw(Participant.objects.get(), by_participant=True)
    Browser(full.slug, seed=2).start()
    assert Session.objects.get().list_id == first_list
