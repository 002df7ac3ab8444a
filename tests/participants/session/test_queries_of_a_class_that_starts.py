"""Starting and opening a session take few statements of the database: a class does both two hundred times at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from experiments.procedure import sessions
from participants.models import Session, Trial
from participants.session import rows
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db

# Study, consent; begin, study locked, start key, sessions by list, participant, session, commit.
TO_START = 9
# Session; begin, session locked, whether there are trials, the trials, session, commit.
TO_OPEN = 7


def statements(request: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert request().status_code in {200, 201}
    return len(captured)


@pytest.mark.parametrize("items", [4, 40])
def test_starting_and_opening_take_as_many_statements_however_long_the_session_is(
    items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A process that has met two hundred studies forgets them all, perhaps in the middle of this one.
    for memory in (rows, sessions):
        monkeypatch.setattr(memory, "_frozen", {})
    study = open_study(items=items)
    # The first one on each list reads its design.
    for seed in range(study.lists.count()):
        earlier = Browser(study, seed=seed)
        earlier.start()
        earlier.open()
    browser = Browser(study, seed=100)
    assert statements(browser.start) == TO_START
    assert statements(browser.open) == TO_OPEN
    assert Trial.objects.filter(session=Session.objects.latest("pk")).count() == len(browser.trials)


def test_everybody_after_the_first_is_shown_what_is_stored() -> None:
    study = open_study()
    for seed in range(2):
        browser = Browser(study, seed=seed)
        browser.start()
        shown = browser.open().json()["trials"]
        session = Session.objects.latest("pk")
        stored = session.trials.order_by("position").values_list("position", "phase", "plugin", "params", "part__name")
        assert list(stored) == [
            tuple(trial[name] for name in ("position", "phase", "plugin", "params", "part")) for trial in shown
        ]


def test_coming_back_stores_no_trials_again() -> None:
    browser = Browser(open_study())
    browser.start()
    first = browser.open().json()["trials"]
    assert browser.open().json()["trials"] == first
    assert Trial.objects.count() == len(first)
