"""Generate random secrets and pseudonyms of participants: tokens, seeds, pseudonyms, and codes that people type."""

from __future__ import annotations

import base64
import random
import secrets
import unicodedata

from django.utils.crypto import constant_time_compare, salted_hmac

# No vowels, so that no words result, and no characters that are easily confused.
_LETTERS = "BCDFGHJKMNPQRSTVWXZ"
_CHARACTERS = _LETTERS + "23456789"
# Of characters that look alike, resume codes have one; the others are read as that one.
_RESUME_CHARACTERS = "CDFHJKMNPRTVWX23456789"
_RESUME_LOOK_ALIKES = str.maketrans("0OQBSZGUYIA1E", "DDD8526VVJ473")
_RESUME_LENGTH = 10
_WITHDRAWAL_BYTES = 16
_WITHDRAWAL_CHARACTERS = 26


def new_token() -> str:
    """Return the secret of a session's cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def new_seed() -> int:
    """Return the seed from which a session's order follows."""
    return secrets.randbits(63)


def new_pseudonym(rng: random.Random | None = None) -> str:
    """Return a short random code that begins with a letter, so that no program reads it as a number."""
    rng = rng or secrets.SystemRandom()
    return rng.choice(_LETTERS) + "".join(rng.choice(_CHARACTERS) for _ in range(4))


def new_session_code() -> str:
    """Return a code that an experimenter reads out and a participant types: six letters and digits."""
    return "".join(secrets.choice(_CHARACTERS) for _ in range(6))


def normalised_session_code(typed: str) -> str:
    """Return a session code as it is stored, from what somebody typed.

    >>> normalised_session_code(" bcd-2f4 ")
    'BCD2F4'
    """
    return "".join(character for character in typed.upper() if character.isascii() and character.isalnum())[:12]


def new_resume_code() -> str:
    """Return a code of 44 random bits with which a participant continues on another device: two groups of five."""
    return normalised_resume_code("".join(secrets.choice(_RESUME_CHARACTERS) for _ in range(_RESUME_LENGTH)))


def normalised_resume_code(typed: str) -> str:
    """Return a resume code as it is stored, from what somebody typed: any case, width, digits, hyphens or spaces, and
    look-alikes of its characters.

    >>> normalised_resume_code(" cdfh0\u20142345b "), normalised_resume_code("\uff23\u0662")
    ('CDFHD-23458', 'C2')
    """
    digits = (str(unicodedata.decimal(one, one)) for one in unicodedata.normalize("NFKC", typed[:200]))
    text = "".join(one for one in "".join(digits).upper() if one.isascii() and one.isalnum())
    text = text.translate(_RESUME_LOOK_ALIKES)[:_RESUME_LENGTH]
    return "-".join(text[start : start + 5] for start in range(0, len(text), 5))


def new_withdrawal_code() -> str:
    """Return 128 random bits as groups of letters and digits, so that they can be copied by hand."""
    text = base64.b32encode(secrets.token_bytes(_WITHDRAWAL_BYTES)).decode("ascii").rstrip("=")
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def normalised_withdrawal_code(typed: str) -> str:
    """Return a withdrawal code as it is stored, from what somebody typed: any case, with or without hyphens or spaces.

    >>> normalised_withdrawal_code("abcd efgh-2345 abcd efgh 2345 ab")
    'ABCD-EFGH-2345-ABCD-EFGH-2345-AB'
    """
    text = "".join(character for character in typed.upper() if character.isascii() and character.isalnum())
    text = text.replace("0", "O").replace("1", "I").replace("8", "B")[:_WITHDRAWAL_CHARACTERS]
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def simulation_key(slug: str) -> str:
    """Return the key that simulations must send, so that nobody else can mark answers as simulated."""
    return salted_hmac("lectern.simulation", slug, algorithm="sha256").hexdigest()


def is_simulation_key(slug: str, key: str) -> bool:
    """Return whether `key` proves that the sender knows this platform's secret key."""
    return bool(key) and constant_time_compare(key, simulation_key(slug))
