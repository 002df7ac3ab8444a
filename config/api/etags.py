"""ETags: which state somebody has read, so that nobody overwrites what came later."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from django.http import HttpRequest

from config.api.problems import Problem
from experiments.models import Study

# A program that may only change drafts says so with every change, so that nothing is changed that was opened meanwhile.
IF_STATUS = "Lectern-If-Status"


def etag_of(state: Any) -> str:
    """Return the ETag of what is edited.

    >>> etag_of({"a": 1, "b": 2}) == etag_of({"b": 2, "a": 1})
    True
    """
    plain = state if isinstance(state, bytes) else orjson.dumps(state, default=str, option=orjson.OPT_SORT_KEYS)
    return f'"{hashlib.sha256(plain).hexdigest()[:32]}"'


def require_match(request: HttpRequest, etag: str) -> None:
    """Raise Problem unless the header If-Match names this state."""
    given = request.headers.get("If-Match", "").strip()
    if not given:
        detail = (
            "Read it first and send its ETag in the header If-Match, so that you overwrite nothing that somebody else "
            "stored meanwhile. Nothing was changed."
        )
        raise Problem("precondition-required", detail, headers={"ETag": etag})
    if given != "*" and not names(given, etag):
        detail = "It was changed since you read it. Nothing was changed now; read it again and decide what to send."
        raise Problem("precondition-failed", detail, headers={"ETag": etag})


def require_status(request: HttpRequest, study: Study) -> None:
    """Raise Problem if the header Lectern-If-Status names another state than that of the study."""
    given = request.headers.get(IF_STATUS, "").strip()
    if given and given != study.status:
        detail = f"The study is not in the state “{given[:20]}” but “{study.status}”. Nothing was changed."
        raise Problem("precondition-failed", detail)


def names(given: str, etag: str) -> bool:
    """Return whether a header names an ETag; servers between may have marked it as weak.

    >>> names('"a", W/"b"', '"b"'), names('"a"', '"b"')
    (True, False)
    """
    return etag in {one.strip().removeprefix("W/") for one in given.split(",")}
