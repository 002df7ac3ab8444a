"""Protect secrets in the database: a hash for look-up, and an encrypted (sealed) copy if the text is needed again.

Neither the database, a copy of it nor the admin then reveals participants' secrets: session cookies, start keys,
withdrawal codes, recruitment ids, session codes. Random secrets of at least 128 bits are hashed without a key, so that
they can be found even if the key changes. Values that could be guessed, such as ids of a recruitment service or six
letters read out in a laboratory, are hashed with the key.

The key is the setting CODES_KEY, separate from the database and from SECRET_KEY: changing the latter ends logins, not
studies.
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
    """Encrypt the text with this platform's key."""
    return _box(settings.CODES_KEY).encrypt(text.encode("utf-8")).decode("ascii")


def opened(sealed: str) -> str:
    """Decrypt a sealed text; empty if it was sealed with another key."""
    try:
        return _box(settings.CODES_KEY).decrypt(sealed.encode("ascii")).decode("utf-8")
    except InvalidToken:
        return ""


@functools.lru_cache(maxsize=4)
def _box(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_key(key, "seal")))


def _key(key: str, purpose: str) -> bytes:
    return hashlib.sha256(f"lectern {purpose} {key}".encode()).digest()
