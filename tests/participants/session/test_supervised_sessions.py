"""A supervised session begins with a code of its own and goes on after a pause only when the experimenter says so."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from experiments.models import AuditEntry, Study
from participants.erasure.withdrawal import withdraw
from participants.models import Session, SessionCode, SessionPause
from participants.session.supervision import discard_code, hold, is_held, new_code
from tests.participants.studies import Browser, open_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def lab() -> Study:
    return open_study("lab", procedure={"supervised": True})


def begin(lab: Study, *, seed: int = 0) -> tuple[Browser, SessionCode]:
    code = new_code(lab, user=None)
    browser = Browser(lab, seed=seed)
    assert browser.start(session_code=code.code).status_code == 201
    browser.open()
    code.refresh_from_db()
    return browser, code


def session_of(code: SessionCode) -> Session:
    assert code.session is not None
    return code.session


def page(study: Study, name: str = "supervision", *arguments: int) -> str:
    return reverse(f"watch:{name}", args=[study.slug, *arguments])


@pytest.mark.parametrize("typed", ["", "ZZZZZZ", "   "])
def test_without_a_valid_code_nothing_begins_and_nothing_is_stored(lab, typed):
    answer = Browser(lab).start(session_code=typed)
    assert (answer.status_code, answer.json()["code"]) == (409, "session-code")
    assert not Session.objects.exists()


def test_a_code_is_typed_in_any_case_and_with_hyphens(lab):
    code = new_code(lab, user=None).code
    assert Browser(lab).start(session_code=f" {code[:3].lower()}-{code[3:]} ").status_code == 201


def test_a_code_starts_one_session(lab):
    browser, code = begin(lab)
    assert Browser(lab, seed=2).start(session_code=code.code).status_code == 409
    # Pressing Start again is the same session, whatever stands in the field now.
    assert browser.start(session_code=code.code).status_code == 200
    assert Session.objects.get() == code.session


def test_a_code_of_another_study_or_of_yesterday_starts_nothing(lab):
    other = new_code(open_study("other-lab", procedure={"supervised": True}), user=None)
    old = new_code(lab, user=None)
    SessionCode.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=13))
    for code in (other, old):
        assert Browser(lab).start(session_code=code.code).status_code == 409


def test_a_full_study_does_not_use_up_the_code(lab):
    Study.objects.filter(pk=lab.pk).update(quota=1)
    begin(lab)
    code = new_code(lab, user=None)
    assert Browser(lab, seed=2).start(session_code=code.code).json()["code"] == "full"
    code.refresh_from_db()
    assert code.session is None


def test_a_study_that_is_not_supervised_asks_for_no_code():
    study = open_study()
    assert Browser(study).start(session_code="ANYTHING").status_code == 201
    assert "session-code" not in Browser(study).client.get("/s/small-study/").text


def test_the_landing_page_of_a_supervised_study_has_a_field_for_the_code(lab, client):
    assert 'id="session-code"' in client.get("/s/lab/").text


def test_a_pause_ends_with_the_release_code_and_with_no_other(lab):
    browser, code = begin(lab)
    assert browser.post("session/pause/", {"reason": "full-screen"}).json() == {"paused": True}
    assert browser.client.get("/api/studies/lab/session/pause/").json() == {"paused": True}
    for wrong in ("ZZZZZZ", code.code):
        answer = browser.post("session/release/", {"release_code": wrong})
        assert (answer.status_code, answer.json()["code"]) == (409, "release-code")
    assert is_held(session_of(code))
    assert browser.post("session/release/", {"release_code": code.release_code.lower()}).json() == {"paused": False}
    assert not is_held(session_of(code))


def test_asking_twice_is_one_pause_and_results_are_stored_during_it(lab):
    browser, code = begin(lab)
    for _ in range(2):
        browser.post("session/pause/", {"reason": "full-screen"})
    assert SessionPause.objects.filter(session=code.session).count() == 1
    assert browser.send(browser.result(0)).status_code == 200


def test_a_session_that_is_over_is_neither_paused_nor_shown_as_paused(lab, admin_client):
    _browser, code = begin(lab)
    hold(session_of(code), reason="full-screen")
    Session.objects.update(status=Session.Status.COMPLETE)
    shown = admin_client.get(page(lab)).text
    assert "badge-bad" not in shown
    assert "Complete" in shown
    SessionPause.objects.all().delete()
    hold(session_of(code), reason="full-screen")
    assert not SessionPause.objects.exists()


def test_release_codes_cannot_be_tried_out(lab, monkeypatch):
    now = time.time()
    # Tries are counted by the minute; all of these fall into one.
    monkeypatch.setattr("participants.limits.throttling.time.time", lambda: now)
    browser, _code = begin(lab)
    statuses = [browser.post("session/release/", {"release_code": f"GUESS{n}"}).status_code for n in range(22)]
    assert 429 in statuses


def test_a_session_without_an_experimenter_cannot_be_paused():
    browser = Browser(open_study())
    browser.start()
    assert browser.post("session/pause/", {"reason": "full-screen"}).json()["code"] == "not-supervised"


def test_the_experimenter_makes_codes_pauses_and_goes_on(lab, client, django_user_model):
    owner = django_user_model.objects.create_user("ada", is_staff=True)
    Study.objects.filter(pk=lab.pk).update(owner=owner)
    client.force_login(owner)
    assert "No session yet" in client.get(page(lab)).text
    client.post(page(lab))
    code = SessionCode.objects.get()
    assert code.created_by == owner
    assert code.code in client.get(page(lab)).text
    Browser(lab).start(session_code=code.code)
    client.post(page(lab, "hold_session", code.pk))
    text = client.get(page(lab)).text
    assert "Asked for by the experimenter" in text
    assert "End the pause" in text
    client.post(page(lab, "release_session", code.pk))
    assert not SessionPause.objects.filter(ended_at__isnull=True).exists()
    assert AuditEntry.objects.filter(action="pause ended", user=owner).exists()


def test_only_a_code_that_nobody_used_is_discarded(lab):
    _browser, used = begin(lab)
    unused = new_code(lab, user=None)
    for code in (used, unused):
        discard_code(code)
    assert list(SessionCode.objects.all()) == [used]


def test_a_viewer_reads_no_code_that_starts_or_releases_a_session(lab, client, django_user_model):
    viewer = django_user_model.objects.create_user("bert", is_staff=True)
    lab.memberships.create(user=viewer, role="viewer")
    client.force_login(viewer)
    _browser, used = begin(lab)
    unused = new_code(lab, user=None)
    text = client.get(page(lab)).text
    assert used.code in text
    assert not [code for code in (unused.code, unused.release_code, used.release_code) if code in text]


@pytest.mark.parametrize("name", ["hold_session", "release_session", "discard_code"])
def test_a_viewer_looks_and_changes_nothing(lab, client, django_user_model, name):
    viewer = django_user_model.objects.create_user("bert", is_staff=True)
    lab.memberships.create(user=viewer, role="viewer")
    client.force_login(viewer)
    _browser, code = begin(lab)
    assert client.get(page(lab)).status_code == 200
    assert client.post(page(lab)).status_code == 403
    assert client.post(page(lab, name, code.pk)).status_code == 403
    assert not SessionPause.objects.exists()


def test_a_withdrawal_erases_codes_and_pauses(lab):
    _browser, code = begin(lab)
    hold(session_of(code), reason="full-screen")
    withdraw(session_of(code).participant, by_participant=True)
    assert not SessionCode.objects.exists()
    assert not SessionPause.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_simulation_needs_no_experimenter(lab, live_server):
    call_command("simulate", lab.slug, participants=1, seed=1, base_url=live_server.url, verbosity=0)
    assert Session.objects.get().status == Session.Status.COMPLETE
