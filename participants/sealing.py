"""What the database holds instead of a secret: a hash to know it again, and a sealed copy where it must be shown again.

Whoever reads the database, a copy of it or a page of the admin learns from neither what a participant holds: the cookie
of a session, the key of a start, a withdrawal code, a recruitment id, a session code. Random secrets of 128 bits and
more are hashed as they are, so that they are known again whatever becomes of the key. What somebody could try out, such
as a number given by a recruitment service or six letters read out in a laboratory, is hashed with the key.

The key is the setting CODES_KEY, which is apart from the database and from SECRET_KEY: changing that one ends log-ins,
not studies.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def digest(secret: str) -> str:
    """Return the hash by which a random secret is found. Finding it by its hash leaks nothing through time either.

    >>> digest("a")[:12]
    'ca978112ca1b'
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def keyed_digest(text: str) -> str:
    """Return the hash of a text that could be guessed, which nobody can compute without the key."""
    return hmac.new(_key(settings.CODES_KEY, "digest"), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def seal(text: str) -> str:
    """Return the text so that only this platform's key opens it."""
    return _box(settings.CODES_KEY).encrypt(text.encode("utf-8")).decode("ascii")


def opened(sealed: str) -> str:
    """Return the text that was sealed; empty where it was sealed with another key."""
    try:
        return _box(settings.CODES_KEY).decrypt(sealed.encode("ascii")).decode("utf-8")
    except InvalidToken:
        return ""


@functools.lru_cache(maxsize=4)
def _box(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_key(key, "seal")))


def _key(key: str, purpose: str) -> bytes:
    return hashlib.sha256(f"lectern {purpose} {key}".encode()).digest()
