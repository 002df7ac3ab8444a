"""Fingerprints of the keys that a backup needs and does not hold, so that a restore notices when one is another key.

A fingerprint is scrypt of the key with a random salt and the name of the key, cut to 32 bits. It costs a guess tens of
milliseconds and 32 MB, is worth nothing for another backup, and names one in four thousand million keys: enough to tell
two keys apart, too little to prove a guess. A sealed value in the same backup tells a guess from a hit much sooner.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings

# Every key with which something in the database is sealed, and what is lost without it.
SEALS = {
    "SECRET_KEY": "authenticator apps and recovery codes of researchers cannot be checked, and everybody is logged out",
    "CODES_KEY": "recruitment ids, codes of supervised sessions and withdrawal codes can no longer be read, and nobody "
    "is recognised by a recruitment id",
}
_COST = {"n": 2**15, "r": 8, "p": 1, "dklen": 4, "maxmem": 2**26}
_SALT_BYTES = 16


def fingerprints() -> dict[str, dict[str, str]]:
    """Return a fingerprint of every key of this installation, with a new salt each."""
    made = {}
    for name in SEALS:
        salt = secrets.token_hex(_SALT_BYTES)
        made[name] = {"salt": salt, "scrypt": _fingerprint(name, salt)}
    return made


def other_keys(noted: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the names of the keys whose noted fingerprint is not that of this installation's key."""
    return [
        name
        for name, one in noted.items()
        if name in SEALS and not hmac.compare_digest(_fingerprint(name, str(one.get("salt"))), str(one.get("scrypt")))
    ]


def _fingerprint(name: str, salt: str) -> str:
    key = str(getattr(settings, name)).encode()
    return hashlib.scrypt(key, salt=f"lectern backup {name} {salt}".encode(), **_COST).hex()
