"""What one process counts or has seen used, every other one knows: letters, codes of second factors, guesses."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from asgiref.local import Local
from django.core import mail
from django.core.cache import cache, caches
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory
from django.utils import timezone

from config.accounts.models import SharedCacheEntry
from config.caches import shared_cache
from participants.limits import counting
from participants.limits.throttling import ReleaseThrottle, StartThrottle, WithdrawalThrottle
from tests.accounts.conftest import code_of, is_in, log_in
from tests.accounts.test_logging_in_with_a_second_factor import BASE, secret  # noqa: F401 - a fixture

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def of_the_platform(settings: Any) -> None:
    """Take the cache that the platform has without any variable."""
    settings.CACHES = {**settings.CACHES, "default": shared_cache("")}
    settings.MAIL_IS_SET_UP = True


def another_process() -> None:
    """Forget what a process keeps to itself."""
    caches._connections = Local(caches.thread_critical)  # type: ignore[attr-defined]


def test_letters_for_new_passwords_are_counted_together(researcher: Any, client: Client) -> None:
    for _ in range(12):
        another_process()
        assert client.post("/admin/account/password/", {"email": "ada@example.org"}).status_code == 302
    assert 1 <= len(mail.outbox) <= 5
    stored = str(list(SharedCacheEntry.objects.values()))
    assert SharedCacheEntry.objects.exists()
    assert not [text for text in ("reset_password", "ada", "127.0.0.1") if text in stored]


def test_nothing_stays_that_has_expired(researcher: Any) -> None:
    cache.set("an old one", True, timeout=60)
    cache.set("a new one", True, timeout=60)
    SharedCacheEntry.objects.filter(pk=cache.make_key("an old one")).update(
        expires=timezone.now() - timedelta(minutes=1)
    )
    assert cache.get("an old one") is None
    cache.set("another", True, timeout=60)
    assert set(SharedCacheEntry.objects.values_list("pk", flat=True)) == {
        cache.make_key(name) for name in ("a new one", "another")
    }


def test_a_code_is_valid_once_for_all_processes_and_as_long_as_it_would_be(
    secret: str,  # noqa: F811
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The beginning of a period: a code of the next one is valid for ninety seconds from now.
    now = (time.time() // 30 + 4) * 30
    monkeypatch.setattr("time.time", lambda: now)
    code = code_of(secret, steps=1)
    log_in(client)
    client.post(f"{BASE}/authenticate/", {"code": code})
    assert is_in(client)
    for seconds in (1, 31, 59, 85):
        monkeypatch.setattr("time.time", lambda later=now + seconds: later)
        another_process()
        other = Client()
        log_in(other)
        other.post(f"{BASE}/authenticate/", {"code": code})
        assert not is_in(other), seconds
    fresh = Client()
    log_in(fresh)
    fresh.post(f"{BASE}/authenticate/", {"code": code_of(secret, steps=1)})
    assert is_in(fresh)


@pytest.mark.parametrize("kind", [WithdrawalThrottle, ReleaseThrottle])
def test_guesses_are_counted_for_all_machines(
    kind: Any, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("participants.limits.throttling.time.time", lambda: 1_900_000_000.0)  # within one minute
    request = RequestFactory().post("/")
    allowed = 0
    for number in range(kind.limit + 20):
        # Every machine has a file of counts of its own.
        settings.COUNTS_FILE = str(tmp_path / f"machine-{number % 4}.sqlite3")
        allowed += kind().allow(request, "any-study")
    assert allowed == kind.limit


def test_requests_are_counted_by_the_machine_without_a_statement(
    settings: Any, tmp_path: Any, django_assert_num_queries: Any
) -> None:
    settings.COUNTS_FILE = str(tmp_path / "counts.sqlite3")
    with django_assert_num_queries(0):
        assert StartThrottle().allow(RequestFactory().post("/"), "any-study")


def test_a_cache_that_is_away_refuses_nobody_who_guesses_little(settings: Any, tmp_path: Any) -> None:
    settings.CACHES = {**settings.CACHES, "default": shared_cache("redis://127.0.0.1:1/0")}
    settings.COUNTS_FILE = str(tmp_path / "counts.sqlite3")
    counting.clear()
    allowed = [WithdrawalThrottle().allow(RequestFactory().post("/"), "any-study") for _ in range(3)]
    assert allowed == [True] * 3


def test_a_log_in_that_needs_a_cache_that_is_away_says_to_come_back(
    secret: str,  # noqa: F811
    settings: Any,
) -> None:
    settings.CACHES = {**settings.CACHES, "default": shared_cache("redis://127.0.0.1:1/0")}
    client = Client(raise_request_exception=False)
    answers = [log_in(client), client.post(f"{BASE}/authenticate/", {"code": code_of(secret)})]
    (away,) = [answer for answer in answers if answer.status_code == 503]
    assert away["Retry-After"] == "5"
    assert not is_in(client)


def test_many_entries_push_none_out(researcher: Any) -> None:
    cache.set("a used code", True, timeout=90)
    for number in range(400):
        cache.set(f"another {number}", True, timeout=90)
    assert cache.get("a used code")


@pytest.mark.parametrize("address", ["redis", "memcached://host", "redis:/host", "Database"])
def test_another_kind_of_cache_is_refused_in_words(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL must be"):
        shared_cache(address)
