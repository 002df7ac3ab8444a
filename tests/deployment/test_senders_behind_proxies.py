"""Who is limited and who is locked out: the person who sends, behind any number of proxies, and nobody else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from allauth.core.internal.ratelimit import get_ip
from allauth.usersessions.models import UserSession
from django.conf import settings as platform
from django.core.validators import validate_ipv46_address
from django.test import Client, RequestFactory

from experiments.models import Study
from participants.limits import counting
from participants.limits.addresses import client_address
from participants.limits.throttling import StartThrottle, WithdrawalThrottle

pytestmark = [pytest.mark.both, pytest.mark.slow]

PROXY = "10.0.0.1"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    counting.clear()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "", PROXY),
        (0, "203.0.113.7", PROXY),
        (1, "203.0.113.7", "203.0.113.7"),
        (1, "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (2, "198.51.100.1, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        (2, "203.0.113.7", "203.0.113.7"),
        (1, "203.0.113.7:4711", "203.0.113.7"),
        (1, "[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::"),
        (1, "2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        (1, "::ffff:203.0.113.7", "203.0.113.7"),
        (1, "unknown", PROXY),
        (1, "", PROXY),
    ],
)
def test_the_sender_is_as_many_places_from_the_right_as_there_are_proxies(
    settings: Any, proxies: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client_address(RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("proxies", [0, 1])
def test_an_invented_address_evades_no_limit(
    settings: Any, proxies: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tests.participants.studies import open_study

    study = open_study()
    settings.TRUSTED_PROXIES = proxies
    # Tests that run beside this one count in a file of theirs.
    settings.COUNTS_FILE = str(tmp_path / "counts.sqlite3")
    monkeypatch.setattr(WithdrawalThrottle, "limit", 3)
    # Ninety requests within one minute, however long they take.
    monkeypatch.setattr("participants.limits.throttling.time.time", lambda: 1_000_000.0)
    client = Client(REMOTE_ADDR=PROXY)
    statuses = [
        client.post(
            f"/s/{study.slug}/withdraw/",
            {"withdrawal_code": "GUESS"},
            HTTP_X_FORWARDED_FOR=f"198.51.100.{n}, 192.0.2.9",
        ).status_code
        for n in range(90)
    ]
    assert statuses == [404] * 3 + [429] * 87


def log_in(password: str, sender: str) -> int:
    client = Client(REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR=sender)
    return client.post("/admin/login/", {"username": "anna", "password": password}).status_code


@pytest.mark.django_db
def test_eight_wrong_passwords_lock_out_who_sent_them_and_not_the_researcher(
    settings: Any, django_user_model: Any
) -> None:
    settings.AXES_ENABLED, settings.TRUSTED_PROXIES = True, 1
    django_user_model.objects.create_user("anna", password="a-long-password", is_staff=True)
    guesses = [log_in("wrong", f"192.0.2.{n}, 198.51.100.1") for n in range(9)]
    assert guesses[:7] == [200] * 7
    assert guesses[-1] == 429
    assert log_in("a-long-password", "198.51.100.1") == 429
    assert log_in("a-long-password", "203.0.113.7") == 302


@pytest.mark.django_db
@pytest.mark.parametrize(("proxies", "shown"), [(0, PROXY), (1, "198.51.100.1"), (2, "192.0.2.7")])
def test_the_accounts_take_the_same_sender(settings: Any, django_user_model: Any, proxies: int, shown: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    django_user_model.objects.create_user("anna", password="a-long-password", is_staff=True)
    assert log_in("a-long-password", "203.0.113.1, 192.0.2.7, 198.51.100.1") == 302
    assert UserSession.objects.get().ip == shown
    request = RequestFactory().post("/", REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR="203.0.113.1, 192.0.2.7, 198.51.100.1")
    assert get_ip(request) == client_address(request) == shown


@pytest.mark.parametrize("address", ["", "2001:db8:1:2:3::4"])
def test_a_sender_without_an_address_or_of_a_network_has_one_to_be_listed_by(address: str) -> None:
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    assert get_ip(request) == (client_address(request) or "0.0.0.0")
    validate_ipv46_address(get_ip(request))


def test_processes_count_together(settings: Any, tmp_path: Path) -> None:
    settings.COUNTS_FILE = str(tmp_path / "counts.sqlite3")
    code = (
        "import django; django.setup()\nfrom django.conf import settings\n"
        "from participants.limits import counting\n"
        # On a busy machine a process may wait for the others longer than a request should.
        "counting.WAIT_SECONDS = 60\n"
        f"settings.COUNTS_FILE = {settings.COUNTS_FILE!r}\n"
        "for _ in range(200): counting.count('start', 'somebody', window=5)"
    )
    children = [subprocess.Popen([sys.executable, "-c", code], cwd=platform.BASE_DIR) for _ in range(3)]
    assert [child.wait(timeout=120) for child in children] == [0, 0, 0]
    assert counting.count("start", "somebody", window=5) == 601


def test_a_new_minute_forgets_the_last_one(settings: Any, tmp_path: Path) -> None:
    settings.COUNTS_FILE = str(tmp_path / "counts.sqlite3")
    for window in (7, 7, 8):
        counting.count("start", "a-hash-that-is-to-go", window=window)
    counting.count("start", "another", window=9)
    assert b"a-hash-that-is-to-go" not in Path(settings.COUNTS_FILE).read_bytes()


@pytest.mark.django_db
def test_where_nothing_can_be_counted_nobody_is_refused(settings: Any, tmp_path: Path) -> None:
    settings.COUNTS_FILE = str(tmp_path / "no folder" / "counts.sqlite3")
    assert StartThrottle().allow(RequestFactory().get("/"), "any-study")
    assert counting.count("start", "somebody", window=5) == 0
    assert not Study.objects.exists()
