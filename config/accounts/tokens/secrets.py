"""The form of personal tokens: how one is made, recognised and stored.

A token is `lectern_pat_`, 40 random letters and digits (238 bits), and six more that are a checksum of them. Scanners
of secrets recognise it by `lectern_pat_[0-9A-Za-z]{46}`, and know by the checksum that it is one.
"""

from __future__ import annotations

import re
import secrets
import string
import zlib

from participants.sealing import keyed_digest

BEGINNING = "lectern_pat_"
RANDOM, CHECKSUM = 40, 6
SHOWN = len(BEGINNING) + 6
_CHARACTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_TOKEN = re.compile(rf"{BEGINNING}([0-9A-Za-z]{{{RANDOM}}})([0-9A-Za-z]{{{CHECKSUM}}})")


def new_token() -> str:
    """Return a new token.

    >>> is_token(new_token()), len(new_token())
    (True, 58)
    """
    text = "".join(secrets.choice(_CHARACTERS) for _ in range(RANDOM))
    return f"{BEGINNING}{text}{checksum(text)}"


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token and the right checksum.

    >>> is_token("lectern_pat_" + "a" * 46), is_token("")
    (False, False)
    """
    found = _TOKEN.fullmatch(text)
    return found is not None and secrets.compare_digest(checksum(found[1]), found[2])


def checksum(text: str) -> str:
    """Return the checksum of the random part: its CRC-32 in six letters and digits.

    >>> checksum("a" * 40)
    '3gcfED'
    """
    number, letters = zlib.crc32(text.encode("ascii")), ""
    for _ in range(CHECKSUM):
        number, place = divmod(number, len(_CHARACTERS))
        letters = _CHARACTERS[place] + letters
    return letters


def digest(token: str) -> str:
    """Return what is stored of a token: a hash that nobody can compute without the key of the platform."""
    return keyed_digest(f"personal token {token}")
