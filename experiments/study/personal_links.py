"""Sign personal links, so that each opens the session of its person on any device.

Only this platform can make the signature, so somebody who knows or guesses an id gains nothing. Nothing is stored: the
signature follows from the key of participants' secrets, the study and the id.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from experiments.models import Study
from experiments.study.audit import record

PARAMETER = "id"
SIGNATURE = "signature"
# How many links can be made at once.
LINKS_MAX = 5_000


def personal_query(study: Study) -> str:
    """Return the query string of a new link for one person: a random id and its signature."""
    value = token_urlsafe(16)
    return f"{PARAMETER}={value}&{SIGNATURE}={_signature_of(study, PARAMETER, value)}"


def personal_links(study: Study, address: str, *, number: int, user: Any) -> list[str]:
    """Return new links, each for one person, and leave an entry in the history. `address` is that of the landing page.

    Nothing else is stored: a link names its person by a random id.
    """
    links = [f"{address}?{personal_query(study)}" for _ in range(number)]
    record(study, action="personal links made", user=user, detail=f"{number} links")
    return links


def is_signed(study: Study, parameter: str, value: str, signature: str) -> bool:
    """Return whether a link carries the signature of its id."""
    return constant_time_compare(signature, _signature_of(study, parameter, value))


def _signature_of(study: Study, parameter: str, value: str) -> str:
    signed = f"{study.slug} {parameter} {value}"
    return salted_hmac("lectern.personal-link", signed, secret=settings.CODES_KEY, algorithm="sha256").hexdigest()[:32]
