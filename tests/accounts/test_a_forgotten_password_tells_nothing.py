"""Who asks for a new password learns by no statement or letter, and so by no time, whether there is an account."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.forms import PasswordResetForm
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.accounts import errands, views

pytestmark = [pytest.mark.both, pytest.mark.django_db]
ADDRESS = "/admin/account/password/"


@pytest.fixture
def errands_of_requests(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[Callable[[], None]]:
    """What requests leave to be done after them."""
    settings.MAIL_IS_SET_UP = True
    left: list[Callable[[], None]] = []
    monkeypatch.setattr(views, "later", left.append)
    return left


def asked(email: str) -> tuple[list[str], Any]:
    client = Client()
    with CaptureQueriesContext(connection) as statements:
        answer = client.post(ADDRESS, {"email": email})
    return [statement["sql"].partition(" ")[0] for statement in statements], answer


def test_the_request_does_the_same_for_every_address(
    errands_of_requests: list[Callable[[], None]],
    django_user_model: Any,
    researcher: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    django_user_model.objects.create_user("closed", "closed@example.org", "a-long-password", is_active=False)
    django_user_model.objects.create_user("university", "university@example.org")
    django_user_model.objects.create_user("twin", "twins@example.org", "a-long-password")
    django_user_model.objects.create_user("other twin", "twins@example.org", "a-long-password")
    looked_up: list[str] = []
    found = PasswordResetForm.get_users

    def noting(form: PasswordResetForm, email: str) -> Any:
        looked_up.append(email)
        return found(form, email)

    monkeypatch.setattr(PasswordResetForm, "get_users", noting)
    names = ("nobody", "ada", "closed", "university", "twins", "someone-else")
    done = {name: asked(f"{name}@example.org") for name in names}
    assert len({tuple(statements) for statements, _ in done.values()}) == 1
    assert len({(answer.status_code, answer["Location"], answer.content) for _, answer in done.values()}) == 1
    assert looked_up == []
    assert mail.outbox == []
    assert len(errands_of_requests) == len(names)
    for errand in errands_of_requests:
        errand()
    assert looked_up == [f"{name}@example.org" for name in names]
    assert sorted(letter.to[0] for letter in mail.outbox) == ["ada@example.org", *["twins@example.org"] * 2]


def test_the_letter_is_in_the_language_and_of_the_site_that_asked(
    errands_of_requests: list[Callable[[], None]], researcher: Any, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["lab.example.org"]
    for language in ("de", "en"):
        headers = {"accept-language": language, "host": "lab.example.org"}
        Client().post(ADDRESS, {"email": "ada@example.org"}, headers=headers, secure=True)
    for errand in errands_of_requests:
        errand()
    assert len({letter.subject for letter in mail.outbox}) == 2
    assert all("https://lab.example.org/admin/account/password/" in str(letter.body) for letter in mail.outbox)


def test_errands_are_done_by_another_thread_and_one_that_fails_stops_no_other(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    done = threading.Event()
    where: list[threading.Thread] = []

    def fail() -> None:
        raise OSError("the mail server is away")

    def note() -> None:
        where.append(threading.current_thread())
        done.set()

    with caplog.at_level(logging.ERROR):
        errands.later(fail)
        errands.later(note)
        assert done.wait(timeout=60)
    assert where[0] is not threading.current_thread()
    assert "An errand failed" in caplog.text


def test_a_mail_server_that_does_not_answer_holds_back_a_bounded_number(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(errands, "_waiting", threading.BoundedSemaphore(2))
    answers, done = threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        answers.wait(timeout=60)
        done.release()

    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            errands.later(wait)
    answers.set()
    assert all(done.acquire(timeout=60) for _ in range(2))
    assert caplog.text.count("one was not done") == 1
