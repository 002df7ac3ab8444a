"""Parse a database URL, allowing any characters in the password."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote

import environ

# The last @ ends the password, so that it may contain any characters.
_WITH_PASSWORD = re.compile(r"^(?P<start>[a-z0-9+]+://[^:@/]*):(?P<password>.*)@(?P<rest>[^@]*)$", re.DOTALL)


def database(address: str, *, password: str | None = None) -> dict[str, Any]:
    """Return Django's settings for the database at `address`. A separate `password` is used literally.

    Within the address %XX is decoded, as in any address; other characters count as they are.

    >>> database("postgres://lectern:p@ss/w#rd?%25@host:5432/data")["PASSWORD"]
    'p@ss/w#rd?%'
    >>> database("postgres://lectern@host/data", password="$50%25")["PASSWORD"]
    '$50%25'
    """
    parts = _WITH_PASSWORD.match(address)
    if parts is not None:
        address = f"{parts['start']}:{quote(unquote(parts['password']), safe='')}@{parts['rest']}"
    found: dict[str, Any] = environ.Env.db_url_config(address)
    if password is not None:
        found["PASSWORD"] = password
    return found
