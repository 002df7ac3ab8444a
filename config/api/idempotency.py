"""Requests that come twice create once: the answer is kept beside the key, in the transaction of what it is about."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from config.accounts.models import KeptAnswer, PersonalToken
from config.accounts.tokens.made import ANSWERS_KEPT
from config.api.problems import Problem, at
from participants.sealing import opened, seal

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MOST_KEPT = 1_000
MOST_BYTES = 1024 * 1024
_KEY = re.compile(r"[\x21-\x7e]{1,100}")
_KEPT_HEADERS = ("Content-Type", "ETag", "Location", "Content-Disposition")


def key_of(request: HttpRequest) -> str:
    """Return the key of a request; empty where it has none. Raises Problem for one that no key can be."""
    key = request.headers.get(HEADER, "")
    if key and not _KEY.fullmatch(key):
        fault = at("", f"{HEADER} must be 1 to 100 visible ASCII characters.", "A random UUID is a good one.")
        raise Problem("invalid", "The idempotency key is not valid. Nothing was stored.", [fault])
    return key


def replayed(token: PersonalToken, key: str, request: HttpRequest, raw: bytes) -> HttpResponse | None:
    """Return the answer that the same request got before, or None. Raises Problem for another request."""
    kept = _kept(token, key)
    return None if kept is None else _again(kept, _hash_of(request, raw))


def answered_once(
    token: PersonalToken, key: str, request: HttpRequest, raw: bytes, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the answer of `make`, or the one that the same request got before. Raises Problem for another request.

    What `make` writes and the kept answer are one transaction: after a crash either both are there or neither is.
    """
    wanted = _hash_of(request, raw)
    try:
        with transaction.atomic():
            # Whoever comes second waits here for the first one.
            with transaction.atomic():
                kept = KeptAnswer.objects.create(token=token, key=key, request_hash=wanted)
            answer = make()
            if answer.status_code < 400 and len(answer.content) <= MOST_BYTES:
                kept.status = answer.status_code
                kept.headers = {name: answer[name] for name in _KEPT_HEADERS if name in answer}
                # Sealed, as an answer may hold what is shown once, such as the secret of a hook.
                kept.body = seal(answer.content.decode("utf-8"))
                kept.save(update_fields=["status", "headers", "body"])
                _forget_oldest(token)
            else:
                kept.delete()
    except IntegrityError:
        if (before := _kept(token, key)) is None:
            raise
        return _again(before, wanted)
    return answer


def _hash_of(request: HttpRequest, raw: bytes) -> str:
    return hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode() + raw).hexdigest()


def _kept(token: PersonalToken, key: str) -> KeptAnswer | None:
    since = timezone.now() - ANSWERS_KEPT
    KeptAnswer.objects.filter(token=token, key=key, created_at__lt=since).delete()
    return KeptAnswer.objects.filter(token=token, key=key).first()


def _again(kept: KeptAnswer, wanted: str) -> HttpResponse:
    if kept.request_hash != wanted:
        detail = f"The {HEADER} was used for another request before. Nothing was done; use a new key for a new request."
        raise Problem("other-request", detail)
    if not kept.status:
        raise Problem("in-progress", "The first request with this key is not finished.", headers={"Retry-After": "2"})
    # Answers of the version before are JSON, which no sealed text is.
    body = kept.body if kept.body.startswith("{") else opened(kept.body)
    if not body:
        detail = "The first request was done. Its answer cannot be read, because the key of the platform was changed."
        raise Problem("other-request", f"{detail} Read what is there; use a new key for a new request.")
    answer = HttpResponse(body.encode("utf-8"), status=kept.status)
    for name, value in kept.headers.items():
        answer[name] = value
    answer[REPLAYED] = "true"
    return answer


def _forget_oldest(token: PersonalToken) -> None:
    surplus = KeptAnswer.objects.filter(token=token).order_by("-pk").values_list("pk", flat=True)[MOST_KEPT:]
    KeptAnswer.objects.filter(pk__in=list(surplus)).delete()
