"""A recruitment id finds a person and does not open their session: every address, asked with all that one may know."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.test import Client, RequestFactory
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.models import AuditEntry, Study
from experiments.study.personal_links import personal_query
from participants.codes import new_resume_code, normalised_resume_code
from participants.limits import counting
from participants.limits.guessing import ARRIVING_IDS, FOUND_IDS, RESUME_CODES, Guessing, guesser
from participants.models import OneTimeResumeCode, Participant, Session
from participants.session.coming_back import give_one_time_code
from tests.participants.studies import REQUIRED, Browser, open_study

pytestmark = pytest.mark.django_db

PID = "60a1b2c3d4e5f6a7b8c9d0e1"
LINK = {"PROLIFIC_PID": PID}
KNOWING = (
    "nothing",
    "id",
    "id and a wrong code",
    "cookie of another session",
    "id and code",
    "one-time code",
    "cookie",
)
PROVEN = ("id and code", "one-time code", "cookie")
STATES = ("begun", "answered", "complete", "closed")
SOURCE = {"name": "panel", "kind": "prolific", "outcomes": {"completed": {"code": "C-DONE"}}}


def taken_part(state: str, **source: Any) -> Browser:
    """Return the browser of a participant in this state of their session."""
    study = open_study(sources=[{**SOURCE, **source}])
    browser = Browser(study, seed=1, recruitment=LINK)
    if state == "complete":
        browser.answer_all()
        return browser
    browser.start()
    browser.open()
    if state != "begun":
        browser.send(browser.result(0))
    if state == "closed":
        Study.objects.update(status=Study.Status.CLOSED)
    return browser


def knows(what: str, own: Browser) -> Browser:
    """Return a browser of somebody who knows this and has tried to get in with it."""
    study = Study.objects.get()
    if what == "cookie":
        return own
    somebody = Browser(study, seed=9, recruitment={} if what == "nothing" else LINK)
    if what == "cookie of another session":
        Study.objects.update(status=Study.Status.OPEN)
        somebody.start(recruitment={})
        Study.objects.update(status=study.status)
    elif what == "one-time code":
        code = give_one_time_code(Session.objects.get(), user=None)
        assert somebody.post("session/resume/", {"resume_code": code}).status_code == 200
    elif "code" in what:
        code = Session.objects.get().resume_code if what == "id and code" else "CCCCC-22222"
        answer = somebody.client.post(f"/s/{study.slug}/continue/", {"resume_code": code})
        assert answer.status_code == (302 if what == "id and code" else 404)
    return somebody


def asked_of_everything(somebody: Browser) -> tuple[str, dict[str, int]]:
    """Return all that every address of the session answers to somebody, and the statuses of what opens it."""
    texts = []
    for path in ("", "run/", "continue/", "withdraw/"):
        texts.append(somebody.client.get(f"/s/{somebody.slug}/{path}", somebody.recruitment).text)
    statuses = {}
    consent = {"version": 1, "required": [True] * len(REQUIRED)}
    for path, body in {
        "sessions/": {
            "start_key": "a-key-that-nobody-else-has", "consent": consent, "recruitment": somebody.recruitment,
        },
        "session/recover/": {"start_key": "another-key-that-nobody-has"},
        "session/open/": {"tab": "their-tab", "take_over": True},
        "session/results/": {"tab": "their-tab", "entries": []},
        "session/complete/": {},
    }.items():  # fmt: skip
        answer = somebody.post(path, body)
        texts.append(answer.text)
        statuses[path] = answer.status_code
    texts.append(somebody.client.get(f"/api/studies/{somebody.slug}/session/pause/").text)
    return "\n".join(texts), statuses


# One-time codes are for running sessions.
@pytest.mark.parametrize(
    ("what", "state"), [pair for pair in product(KNOWING, STATES) if pair != ("one-time code", "complete")]
)
def test_nobody_gets_anything_of_a_session_who_does_not_hold_its_key_or_code(what: str, state: str) -> None:
    own = taken_part(state)
    victim = Session.objects.get()
    person, before = victim.participant, victim.trials.filter(response__isnull=False).count()
    secrets = [person.withdrawal_code, victim.resume_code, victim.token, person.pseudonym]
    said, _statuses = asked_of_everything(knows(what, own))
    victim.refresh_from_db()
    if what in PROVEN:
        assert victim.resume_code in said or state == "closed"
        assert (person.withdrawal_code in said, "C-DONE" in said) == (state == "complete", state == "complete")
    else:
        assert [secret for secret in secrets if secret in said] == []
        assert "C-DONE" not in said
        assert (victim.lease_holder == "their-tab", victim.trials.filter(response__isnull=False).count()) == (
            False, before,
        )  # fmt: skip
        assert own.post("session/open/", {"tab": own.tab}).status_code in {200, 409}, "its own browser goes on"


@pytest.mark.parametrize("state", STATES)
def test_id_only_and_signed_links_open_the_session_and_never_give_the_withdrawal_code_or_the_resume_code(
    state: str,
) -> None:
    taken_part(state, id_only=True)
    session = Session.objects.get()
    somebody = Browser(session.study, seed=9, recruitment=LINK)
    answer = somebody.start()
    assert answer.status_code == (409 if state == "complete" else 200)
    said, statuses = asked_of_everything(somebody)
    assert (statuses["session/open/"] == 200) == (state in {"begun", "answered"})
    assert ("C-DONE" in said) == (state == "complete"), "what laboratories accept that choose id-only"
    for secret in (session.participant.withdrawal_code, session.resume_code, session.token):
        assert secret not in said
        assert secret not in str(somebody.client.cookies)


def test_whoever_joined_by_id_alone_sees_the_last_page_without_codes_and_the_participant_with_them() -> None:
    own = taken_part("answered", id_only=True)
    session = Session.objects.get()
    joined = Browser(session.study, seed=9, recruitment=LINK)
    joined.start()
    assert joined.open(take_over=True).json()["resume_code"] == ""
    joined.send(*[joined.result(trial["position"]) for trial in joined.trials[1:]])
    done = joined.complete().json()
    assert (done["completion_code"], done["withdrawal_code"], done["resume_code"]) == ("C-DONE", "", "")
    again = joined.start(recruitment={}, start_key="a-second-press-on-start")
    assert again.status_code == 201, "the session is over, and the cookie of somebody by link is no key to it"
    full = own.complete().json()
    assert full["withdrawal_code"] == session.participant.withdrawal_code
    assert full["resume_code"] == session.resume_code


def test_a_cookie_by_link_stays_one_by_link_and_cannot_be_made_into_the_participants() -> None:
    taken_part("answered", id_only=True)
    joined = Browser(Study.objects.get(), seed=9, recruitment=LINK)
    joined.start()
    assert joined.start(start_key="pressed-once-more-by-them").status_code == 200
    cookie = joined.client.cookies["lectern_small_study"].value
    assert cookie.startswith("by-link.")
    for forged in (cookie.removeprefix("by-link."), "by-link.", "by-link." + "x" * 900, "by-link.ä", cookie[:-4]):
        joined.client.cookies["lectern_small_study"] = forged
        assert joined.open().status_code == 404, forged


def test_a_personal_link_opens_the_session_of_its_person_on_another_device_and_a_forged_one_does_not() -> None:
    study = open_study()
    link = dict(pair.split("=") for pair in personal_query(study).split("&"))
    Browser(study, seed=1, recruitment=link).start()
    elsewhere = Browser(study, seed=2, recruitment=link)
    assert "data-next" in elsewhere.client.get("/s/small-study/", link).text
    assert elsewhere.start().status_code == 200
    assert elsewhere.open().json()["resume_code"] == ""
    for wrong in ({"id": link["id"]}, {**link, "signature": "0" * 32}, {**link, "signature": "ä"}):
        answer = Browser(study, seed=3, recruitment=wrong).start()
        assert (answer.status_code, answer.json()["code"]) == (409, "resume-code-needed")
    other = open_study("another-study")
    assert "signature" not in str(Session.objects.get().participant.recruitment.parameters)
    Browser(other, seed=1, recruitment=link).start()
    signature_of_another_study = Browser(other, seed=2, recruitment=link).start()
    assert signature_of_another_study.status_code == 409


def test_the_cookie_and_the_start_key_open_the_session_as_ever() -> None:
    own = taken_part("answered")
    assert own.start().status_code == 200
    assert own.start(start_key="a-second-tab-of-the-same-browser").status_code == 200
    own.client.cookies.clear()
    assert own.post("session/recover/", {"start_key": own.start_key}).status_code == 200
    assert own.open().status_code == 200


def test_an_unknown_id_creates_nothing_before_consent(client: Client) -> None:
    open_study(sources=[SOURCE])
    client.get("/s/small-study/", LINK)
    client.post("/s/small-study/continue/", {"resume_code": "CCCCC-22222"})
    assert not Participant.objects.exists()


@pytest.mark.parametrize("state", STATES)
def test_the_page_of_a_known_id_says_what_to_do(client: Client, state: str) -> None:
    taken_part(state)
    page = client.get("/s/small-study/", LINK).text
    assert 'name="resume_code"' in page
    assert "laboratory@example.org" in page
    assert ("You have already taken part" in page) == (state == "complete")
    assert ("This study is closed" in page) == (state == "closed")


def test_the_first_page_of_the_participants_browser_shows_the_code() -> None:
    own = taken_part("answered")
    page = own.client.get("/s/small-study/", LINK).text
    assert Session.objects.get().resume_code in page
    assert own.open().json()["resume_code"] == Session.objects.get().resume_code


@settings(deadline=None)
@given(st.data())
def test_a_code_is_read_however_it_was_typed(data: Any) -> None:
    code = new_resume_code()
    typed = "".join(
        data.draw(st.sampled_from([one, one.lower(), {"D": "O", "8": "b", "5": "s", "2": "Z", "V": "u"}.get(one, one)]))
        + data.draw(st.sampled_from(["", " ", "-", "\u2013", "."]))
        for one in code
    )
    assert normalised_resume_code(typed) == normalised_resume_code(code) == code


@settings(deadline=None)
@given(st.text())
def test_nothing_that_is_typed_breaks_a_code(typed: str) -> None:
    code = normalised_resume_code(typed)
    assert len(code) <= 11
    assert normalised_resume_code(code) == code


def test_a_session_from_before_there_were_codes_gets_one_when_its_browser_opens_it() -> None:
    own = taken_part("answered")
    Session.objects.update(resume_code_hash="", resume_code_sealed="")
    stranger = Browser(own.slug, seed=5)
    assert stranger.post("session/resume/", {"resume_code": ""}).status_code == 400
    assert stranger.client.post("/s/small-study/continue/", {"resume_code": " - "}).status_code == 404
    code = own.open().json()["resume_code"]
    assert len(code) == 11
    assert own.open().json()["resume_code"] == code
    assert stranger.post("session/resume/", {"resume_code": code.lower()}).status_code == 200


def test_a_one_time_code_works_once_for_a_week_and_only_the_newest() -> None:
    own = taken_part("answered")
    session = Session.objects.get()
    first, code = (give_one_time_code(session, user=None) for _ in range(2))
    elsewhere = Browser(own.slug, seed=5)
    assert elsewhere.post("session/resume/", {"resume_code": first}).status_code == 404
    OneTimeResumeCode.objects.update(created_at=timezone.now() - timedelta(days=7, seconds=1))
    assert elsewhere.post("session/resume/", {"resume_code": code}).status_code == 404
    OneTimeResumeCode.objects.update(created_at=timezone.now())
    counting.clear()
    assert elsewhere.post("session/resume/", {"resume_code": code}).status_code == 200
    assert elsewhere.open(take_over=True).json()["answered"] == [0]
    assert elsewhere.post("session/resume/", {"resume_code": code}).status_code == 404
    assert list(AuditEntry.objects.values_list("action", flat=True)).count("resume code used") == 1
    assert code not in str(list(AuditEntry.objects.values_list()))


def test_codes_of_one_study_open_no_other() -> None:
    taken_part("answered")
    other = Browser(open_study("another-study"), seed=5)
    for code in (Session.objects.get().resume_code, give_one_time_code(Session.objects.get(), user=None)):
        assert other.post("session/resume/", {"resume_code": code}).status_code == 404


def turned(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the clock of the limits, to be turned."""
    now = [1_000_000.0]
    for module in ("counting", "guessing"):
        monkeypatch.setattr(f"participants.limits.{module}.time.time", lambda: now[0])
    return now


def test_guesses_wait_longer_and_longer_up_to_a_bound_and_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = turned(monkeypatch)
    kind = Guessing("test", free=3, longest=8)
    waits = []
    for number in range(8):
        waits.append(kind.wait("sender", f"guess {number}"))
        now[0] += waits[-1]
        kind.note("sender", f"guess {number}")
    assert waits == [0, 0, 0, 1, 2, 4, 8, 8]
    assert kind.wait("sender", "guess 2") == 0, "the same one again costs nothing"
    assert kind.wait("another sender", "guess 9") == 0
    now[0] += 3_601
    assert kind.wait("sender", "guess 9") == 0


def test_codes_and_ids_that_are_guessed_are_slowed_down_and_nobody_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    turned(monkeypatch)
    own = taken_part("answered")
    session = Session.objects.get()
    attacker = Browser(own.slug, seed=5)
    wrong = [f"CC{one}{other}" for one in "23456789" for other in "23456789"][: RESUME_CODES.free]
    assert {attacker.post("session/resume/", {"resume_code": code}).status_code for code in wrong} == {404}
    answer = attacker.post("session/resume/", {"resume_code": session.resume_code})
    assert (answer.status_code, answer.headers["Retry-After"], answer.json()["seconds"]) == (429, "1", 1)
    page = attacker.client.post("/s/small-study/continue/", {"resume_code": session.resume_code})
    assert (page.status_code, page.headers["Retry-After"]) == (429, "1")
    at_home = Client(REMOTE_ADDR="203.0.113.9")
    assert at_home.post("/s/small-study/continue/", {"resume_code": session.resume_code}).status_code == 302
    assert own.open().status_code == 200


@pytest.mark.parametrize("kind", [ARRIVING_IDS, FOUND_IDS])
def test_ids_that_are_tried_one_after_the_other_have_to_wait(monkeypatch: pytest.MonkeyPatch, kind: Guessing) -> None:
    turned(monkeypatch)
    own = taken_part("answered")
    address = "203.0.113.7"
    sender = guesser(RequestFactory().get("/", REMOTE_ADDR=address), own.slug, "PROLIFIC_PID")
    for number in range(kind.free + 4):
        kind.note(sender, f"guess {number}")
    attacker = Browser(own.slug, seed=6, recruitment={"PROLIFIC_PID": "never-seen"})
    attacker.client.defaults["REMOTE_ADDR"] = address
    page = attacker.client.get("/s/small-study/", LINK)
    assert (page.status_code, page.headers["Refresh"], PID in page.text) == (429, "16", False)
    unknown = attacker.client.get("/s/small-study/", attacker.recruitment)
    assert (unknown.status_code, unknown.text) == (page.status_code, page.text), "which id is known is not told"
    started = attacker.start()
    assert (started.status_code, started.json()["code"]) == (429, "too-many-requests")
    own.client.defaults["REMOTE_ADDR"] = address
    assert own.client.get("/s/small-study/", LINK).status_code == 200, "whoever has the cookie does not wait"
    assert Client(REMOTE_ADDR="203.0.113.9").get("/s/small-study/", LINK).status_code == 200


def test_a_room_that_arrives_together_does_not_wait() -> None:
    study = open_study(sources=[SOURCE])
    statuses = set()
    for number in range(40):
        browser = Browser(study, seed=number, recruitment={"PROLIFIC_PID": f"p-{number}"})
        browser.client.get("/s/small-study/", browser.recruitment)
        statuses.add(browser.start().status_code)
    assert statuses == {201}


def test_no_secret_of_resuming_is_in_the_database() -> None:
    own = taken_part("answered")
    session = Session.objects.get()
    once = give_one_time_code(session, user=None)
    own.open()
    stored = json.dumps([list(model._default_manager.values_list()) for model in apps.get_models()], default=str)
    assert not {session.resume_code, once, session.token} & set(stored.replace('"', " ").replace(",", " ").split())
