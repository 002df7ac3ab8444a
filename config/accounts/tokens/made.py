"""Make, find and revoke personal tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.accounts.models import KeptAnswer, PersonalToken
from config.accounts.tokens.secrets import SHOWN, digest, is_token, new_token
from experiments.models import Study
from experiments.study.audit import record_of_account

Scope = PersonalToken.Scope
MOST = 50
LONGEST = timedelta(days=365)
# The time of the last use is written at most so often: a program may ask many times a second.
NOTED_EVERY = timedelta(minutes=5)
# How long the answer to a request with an idempotency key is kept.
ANSWERS_KEPT = timedelta(hours=24)


class TooMany(Exception):
    """A person has as many valid tokens as one may have."""


def make_token(
    user: Any, *, name: str, scopes: Collection[str], expires_at: datetime, studies: Sequence[Study] | None = None
) -> tuple[PersonalToken, str]:
    """Return a new token of a person as it is stored, and the token itself, which cannot be recovered later.

    `studies` are those for which it is valid; None for all that the person sees. `read` is always among its scopes.
    Raises TooMany, and ValueError for an unknown scope or a time that is past or more than a year ahead.
    """
    now = timezone.now()
    unknown = set(scopes) - set(Scope.values)
    if unknown or not now < expires_at <= now + LONGEST + timedelta(days=1):
        raise ValueError(f"{sorted(unknown)} or {expires_at} is not possible")
    with transaction.atomic():
        # Locked, so that of two requests at once none exceeds the number.
        User.objects.select_for_update().get(pk=user.pk)
        if valid_tokens(user).count() >= MOST:
            raise TooMany
        token = new_token()
        chosen = [scope for scope in Scope.values if scope in scopes or scope == Scope.READ]
        made = PersonalToken.objects.create(
            user=user,
            name=name,
            beginning=token[:SHOWN],
            digest=digest(token),
            scopes=chosen,
            is_for_some_studies=studies is not None,
            expires_at=expires_at,
        )
        made.studies.set(studies or [])
        of = ", ".join(study.slug for study in studies) if studies is not None else "all studies"
        detail = f"{name} ({made.beginning}…): {', '.join(chosen)}; {of}; until {expires_at:%Y-%m-%d}"
        record_of_account(user, action="token made", user=user, detail=detail)
    return made, token


def valid_tokens(user: Any) -> QuerySet[PersonalToken]:
    """Return the tokens of a person that are neither revoked nor expired."""
    return PersonalToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())


def find_token(text: str) -> PersonalToken | None:
    """Return the token, whether it is still valid or not; None where there is none. Anything else costs no query."""
    if not is_token(text):
        return None
    return PersonalToken.objects.select_related("user").filter(digest=digest(text)).first()


def note_use(token: PersonalToken) -> None:
    """Store that a token was used just now, unless that was stored a few minutes ago."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        PersonalToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(token: PersonalToken, *, by: Any) -> bool:
    """Revoke a token; return whether it was valid until now. What it was used for stays in the history."""
    with transaction.atomic():
        changed = PersonalToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
        if changed:
            KeptAnswer.objects.filter(token=token).delete()
            detail = f"{token.name} ({token.beginning}…)"
            record_of_account(token.user, action="token revoked", user=by, detail=detail)
    return bool(changed)


def forget_answers() -> None:
    """Delete the answers to requests with an idempotency key that are a day old; the worker calls it every minute."""
    KeptAnswer.objects.filter(created_at__lt=timezone.now() - ANSWERS_KEPT).delete()
