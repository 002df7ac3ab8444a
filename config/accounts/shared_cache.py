"""The shared cache as a table of the database, in which nothing is readable and nothing stays."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.utils import timezone
from django.utils.crypto import salted_hmac

from config.accounts.models import SharedCacheEntry


class TidyDatabaseCache(DatabaseCache):
    """Django's database cache; whenever something is stored, what has expired is deleted."""

    def _base_set(self, mode: str, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT) -> bool:
        SharedCacheEntry.objects.filter(expires__lt=timezone.now()).delete()
        stored: bool = super()._base_set(mode, key, value, timeout)  # type: ignore[misc]  # the stubs leave it out
        return stored


def hashed_key(key: str, prefix: str, version: int) -> str:
    """Return a key that names nobody: those of libraries hold addresses of senders as they are."""
    return salted_hmac("lectern.cache", f"{prefix}:{version}:{key}", algorithm="sha256").hexdigest()
