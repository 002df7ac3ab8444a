"""How far off an onset may be is stored where a browser says so, and nothing is asked of browsers that do not."""

from __future__ import annotations

from typing import Any

import pytest

from participants.content import RESULT_FIELDS, content_hash
from participants.models import Response
from participants.watching.invariants import stored_as_acknowledged
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Browser:
    browser = Browser(open_study())
    browser.start()
    browser.open()
    return browser


def sent(browser: Browser, **changes: Any) -> dict[str, object]:
    (outcome,) = browser.send(browser.result(0, **changes)).json()["results"]
    return dict(outcome)


def test_it_is_stored_as_it_was_sent(browser: Browser):
    assert sent(browser, onset_error_ms=2.25)["status"] == "stored"
    assert Response.objects.get().onset_error_ms == 2.25
    assert stored_as_acknowledged(browser_study()) == []


def test_a_result_of_an_earlier_version_is_accepted_and_keeps_its_hash(browser: Browser):
    entry = browser.result(0)
    assert "onset_error_ms" not in entry
    told = sent(browser)
    assert told["status"] == "stored"
    assert told["hash"] == content_hash({name: entry[name] for name in RESULT_FIELDS})
    assert Response.objects.get().onset_error_ms is None
    assert stored_as_acknowledged(browser_study()) == []


def test_an_onset_that_nothing_timed_is_the_same_as_one_without_it(browser: Browser):
    assert sent(browser)["status"] == "stored"
    assert sent(browser, onset_error_ms=None)["status"] == "duplicate"
    assert sent(browser, onset_error_ms=3.0)["status"] == "conflict"


@pytest.mark.parametrize("value", [-1.0, "2", True])
def test_what_is_no_duration_is_refused(browser: Browser, value: object):
    assert sent(browser, onset_error_ms=value)["status"] == "refused"


def browser_study():
    return Response.objects.get().trial.session.study
