"""The health check answers by the names of the site and of the machine; readiness means that answers can be stored."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from config.caches import shared_cache
from participants.models import WriteProbe
from participants.views import health
from tests import needs
from tests.participants.studies import Browser, open_study

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forget_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(health._writable, "until", 0.0)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000", "lab.example.org"])
@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_machine_asks_itself_whatever_the_site_is_called(settings: Any, host: str, address: str) -> None:
    settings.ALLOWED_HOSTS = ["lab.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get(address, headers={"host": host}).status_code == 200
    expected = 301 if host == "lab.example.org" else 400
    assert Client().get("/", headers={"host": host}).status_code == expected


# One address of every kind: pages, files, documents, the interface, the admin, health, and nothing at all.
ADDRESSES = [
    "/", "/static/studies/icon.svg", "/docs/", "/docs/backups.md", "/s/any-study/", "/s/any-study/media/any.png",
    "/api/schema/", "/api/studies/any-study/start/", "/admin/", "/admin/login/", "/admin/account/password/",
    "/admin/jsi18n/", "/favicon.ico", "/nothing", "/healthz", "/readyz",
]  # fmt: skip


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "lab.example.org.evil.example", "10.0.3.4", "a b"]
)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_forged_name_is_refused_at_every_address(settings: Any, host: str, address: str) -> None:
    settings.ALLOWED_HOSTS = ["lab.example.org"]
    answer = Client().get(address, headers={"host": host})
    assert answer.status_code == 400
    assert host not in answer.text


def test_a_broker_or_a_cache_that_is_away_is_a_warning(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "warnings" not in Client().get("/readyz").json()
    settings.EMBEDDED_WORKER = False
    settings.CACHES = {**settings.CACHES, "default": shared_cache("redis://127.0.0.1:1/0")}
    monkeypatch.setattr(health, "import_string", lambda name: NoBroker())
    answer = Client().get("/readyz")
    found = answer.json()
    assert (answer.status_code, found["status"], found["writing"]) == (200, "ok", "ok")
    assert (found["broker"], found["cache"]) == ("unreachable", "unreachable")
    assert [sentence.partition(" that ")[0] for sentence in found["warnings"]] == ["The broker", "The cache"]
    assert all("answers are stored" in sentence for sentence in found["warnings"])


class NoBroker:
    """What of Celery's application is asked whether its broker is there, which it is not."""

    def connection_for_write(self, **options: Any) -> Any:
        raise ConnectionRefusedError("nobody listens")


def test_ready_means_that_a_row_was_written() -> None:
    assert Client().get("/readyz").status_code == 200
    assert WriteProbe.objects.count() == 1


def test_where_nothing_can_be_written_the_platform_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any, **options: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(type(WriteProbe.objects), "update_or_create", full)
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["writing"] == "nothing can be stored"
    assert answer.json()["database"] == "ok"


@pytest.mark.full("a database that the system itself makes read-only")
@needs.only_sqlite
def test_a_database_that_may_only_be_read_is_not_ready_and_a_log_in_says_to_come_back(tmp_path: Path) -> None:
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(tmp_path), "LOG_LEVEL": "CRITICAL",
        "DATABASE_URL": f"sqlite:///{tmp_path}/data.sqlite3", "ALLOWED_HOSTS": "testserver",
    }  # fmt: skip
    code = """
import django; django.setup()
import json
from django.core.management import call_command
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
call_command("migrate", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)
User.objects.create_superuser("anna", password="a-long-password")
connection.cursor().execute("PRAGMA query_only=ON")
client = Client(raise_request_exception=False)
ready = client.get("/readyz")
found = client.post("/admin/login/?next=/admin/", {"username": "anna", "password": "a-long-password"})
wrong = client.post("/admin/login/?next=/admin/", {"username": "anna", "password": "wrong"})
print(json.dumps([ready.status_code, ready.json()["writing"], found.status_code, found.headers.get("Retry-After"),
    wrong.status_code, "Nothing was changed" in found.content.decode()]))
"""
    finished = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == '[503, "nothing can be stored", 503, "5", 503, true]'


def test_another_key_than_that_of_the_codes_is_named(settings: Any) -> None:
    Browser(open_study()).start()
    assert Client().get("/readyz").json()["codes"] == "ok"
    settings.CODES_KEY = "another key"
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["codes"]) == (
        503,
        "CODES_KEY is not the key with which codes were sealed",
    )
