"""A session is complete only when the server holds everything; only then are the codes shown."""

from __future__ import annotations

from participants.models import Session
from tests.participants.studies import Browser, open_study


def test_what_is_missing_is_named_and_no_code_is_given(browser: Browser) -> None:
    browser.send(*[browser.result(position) for position in (0, 1, 2, 4, 5, 6, 7)])
    answer = browser.complete().json()
    assert answer == {"complete": False, "missing": [3, 8], "missing_events": []}
    assert Session.objects.get().status == Session.Status.RUNNING


def test_announced_event_batches_must_be_there_too(browser: Browser) -> None:
    browser.send(*[browser.result(trial["position"], event_batches=2) for trial in browser.trials[:1]])
    browser.send(*[browser.result(trial["position"]) for trial in browser.trials[1:]])
    browser.send({"kind": "events", "sequence": 0, "batch": 1, "events": []})
    missing = browser.complete().json()
    assert missing == {"complete": False, "missing": [], "missing_events": [{"sequence": 0, "batches": [0]}]}
    browser.send({"kind": "events", "sequence": 0, "batch": 0, "events": []})
    assert browser.complete().json()["complete"]


def test_the_last_page_gets_its_codes_and_gets_them_again(browser: Browser) -> None:
    browser.send(*[browser.result(trial["position"]) for trial in browser.trials])
    first, second = browser.complete().json(), browser.complete().json()
    session = Session.objects.get()
    assert first == second
    assert first["completion_code"] == "DONE-1"
    assert first["redirect_url"] == ""
    assert first["withdrawal_code"] == session.participant.withdrawal_code
    assert first["debriefing"]["blocks"] == [{"type": "paragraph", "text": "Thank you for Sentences that sound odd."}]
    assert session.finished_at is not None
    assert browser.open().json()["status"] == "complete"


def test_the_way_back_carries_the_ids_of_the_recruitment_platform(db: None) -> None:
    address = "https://recruit.example/done?pid={PROLIFIC_PID}&session={SESSION_ID}&x={unknown}&cc=1"
    browser = Browser(
        open_study(procedure={"redirect_url": address}), recruitment={"PROLIFIC_PID": "a b&c", "SESSION_ID": "s9"}
    )
    browser.answer_all()
    assert browser.complete().json()["redirect_url"] == "https://recruit.example/done?pid=a%20b%26c&session=s9&x=&cc=1"


def test_an_excluded_participant_still_gets_the_code(browser: Browser) -> None:
    browser.send(*[browser.result(trial["position"]) for trial in browser.trials])
    Session.objects.update(is_excluded=True, exclusion_reason="x")
    assert browser.complete().json()["completion_code"] == "DONE-1"
