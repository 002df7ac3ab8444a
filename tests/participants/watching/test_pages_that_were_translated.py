"""Answers to pages that a program of the browser had translated are known as such: on pages and in exports."""

from __future__ import annotations

import pytest

from analysis.codebook.people import session_columns
from analysis.exports.rows.people import session_rows
from experiments.models import Study
from participants.models import Response
from participants.watching.invariants import stored_as_acknowledged
from participants.watching.monitoring import _flags
from tests.participants.studies import Browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(study: Study) -> Browser:
    browser = Browser(study)
    browser.start()
    browser.open()
    browser.send(browser.result(0))
    browser.send(browser.result(1, translated=True))
    return browser


def test_it_is_stored_as_it_was_sent(browser: Browser, study: Study) -> None:
    assert list(Response.objects.order_by("trial__position").values_list("translated", flat=True)) == [None, True]
    assert stored_as_acknowledged(study) == []


@pytest.mark.parametrize("value", [False, 1, "yes"])
def test_anything_but_true_and_nothing_is_refused(browser: Browser, value: object) -> None:
    assert browser.send(browser.result(2, translated=value)).json()["results"][0]["status"] == "refused"


def test_researchers_are_told_under_watch(browser: Browser, study: Study) -> None:
    session = Response.objects.first().trial.session
    labels = {str(flag.label): flag.sessions for flag in _flags(study, simulated=False)}
    assert labels["The page was translated by the browser"] == (str(session.participant),)


def test_the_file_of_sessions_counts_such_trials(browser: Browser, study: Study) -> None:
    columns = [column.name for column in session_columns(study)]
    assert [row[columns.index("trials_translated")] for row in session_rows(study)] == [1]
