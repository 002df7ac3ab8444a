"""People with accounts, and an app that shows codes as a telephone does."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

PASSWORD = "a-long-password-of-tests"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def researcher(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ada", "ada@example.org", PASSWORD, is_staff=True)


@pytest.fixture
def administrator(django_user_model: Any) -> Any:
    return django_user_model.objects.create_superuser("root", "root@example.org", PASSWORD)


def log_in(client: Client, name: str = "ada", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/admin/login/", {"username": name, "password": password, **more})


def is_in(client: Client) -> bool:
    return client.get("/admin/studies/").status_code == 200


def code_of(secret: str, *, steps: int = 0) -> str:
    """Return what an authenticator app shows (RFC 6238), `steps` half minutes from now."""
    counter = int(time.time() // 30) + steps
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 0x0F
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"
