"""Who asks: `Authorization: Bearer lectern_pat_…`. A log-in of a browser counts for nothing here."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from config.accounts.models import PersonalToken
from config.accounts.tokens.made import find_token, note_use
from config.api.problems import not_authenticated

MOST_OF_A_HEADER = 200
_NOTHING_SENT = (
    "Send a token in the header “Authorization: Bearer …”. People make their tokens under /admin/account/tokens/."
)
_UNKNOWN = "There is no such token. Check that it was copied whole, or make another one under /admin/account/tokens/."


class TokenAuthentication(BaseAuthentication):
    """Set `request.user` and `request.auth` to the person and the token. Raises Problem where there is no valid one."""

    def authenticate(self, request: Request) -> tuple[Any, PersonalToken]:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        scheme, _space, given = header.partition(" ")
        if scheme.lower() != "bearer" or not given.strip():
            raise not_authenticated(_NOTHING_SENT)
        token = find_token(given.strip()) if len(given) <= MOST_OF_A_HEADER else None
        if token is None:
            raise not_authenticated(_UNKNOWN)
        if token.revoked_at is not None:
            raise not_authenticated("The token was revoked. Make another one under /admin/account/tokens/.")
        if token.expires_at <= timezone.now():
            raise not_authenticated(
                f"The token expired on {token.expires_at:%Y-%m-%d}. Make another one under /admin/account/tokens/."
            )
        if not (token.user.is_active and token.user.is_staff):
            raise not_authenticated("The account of the token is closed. Ask an administrator of the platform.")
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="lectern"'
