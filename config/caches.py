"""The shared cache: what every process has to know for a while, such as limits and codes that are valid once."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

TABLE = "shared_cache"
# Expired entries go first; fewer would let somebody push out limits by asking under many names.
_MOST_ENTRIES = 100_000
# A cache that does not answer holds nobody's request for longer.
_REDIS_SECONDS = 2


def shared_cache(address: str) -> dict[str, Any]:
    """Return Django's settings for the shared cache: by default a table of the database, which all processes have.

    Raises ImproperlyConfigured for an address that is neither `database`, `memory` nor one of Redis.

    >>> shared_cache("redis://host:6379/1")["LOCATION"]
    'redis://host:6379/1'
    >>> shared_cache("")["BACKEND"].rpartition(".")[2]
    'TidyDatabaseCache'
    """
    named = {"KEY_PREFIX": "lectern", "KEY_FUNCTION": "config.accounts.shared_cache.hashed_key", "TIMEOUT": 3600}
    if address in ("", "database"):
        backend = "config.accounts.shared_cache.TidyDatabaseCache"
        return {**named, "BACKEND": backend, "LOCATION": TABLE, "OPTIONS": {"MAX_ENTRIES": _MOST_ENTRIES}}
    if address.startswith(("redis://", "rediss://")):
        options = {"socket_connect_timeout": _REDIS_SECONDS, "socket_timeout": _REDIS_SECONDS}
        backend = "django.core.cache.backends.redis.RedisCache"
        return {**named, "BACKEND": backend, "LOCATION": address, "OPTIONS": options}
    if address == "memory":
        backend = "django.core.cache.backends.locmem.LocMemCache"
        return {**named, "BACKEND": backend, "LOCATION": "shared", "OPTIONS": {"MAX_ENTRIES": _MOST_ENTRIES}}
    raise ImproperlyConfigured(
        "CACHE_URL must be 'database', 'memory' (for a single web process) or an address such as redis://host:6379/1."
    )
