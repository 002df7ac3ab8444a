"""How often a token may ask, and an address without one; counted in windows of a minute, as for participants."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request

from config.api.declarations import Operation
from participants.limits.addresses import client_address
from participants.limits.throttling import WindowThrottle


class _ByToken(WindowThrottle):
    def sender(self, request: Request | HttpRequest) -> str:
        return f"token {request.auth.pk}"  # type: ignore[union-attr]  # asked for after the token was found

    def allow_request(self, request: Request, view: Any) -> bool:
        # Nobody simulates researchers: no key lets anybody pass.
        return self.counted(request) <= self.limit


class ReadThrottle(_ByToken):
    """Reading: ten times a second is more than any script that somebody wrote needs."""

    kind, limit = "api-read", 600


class WriteThrottle(_ByToken):
    """Changes."""

    kind, limit = "api-write", 120


class FileThrottle(_ByToken):
    """What takes long: exports, archives, papers, uploads."""

    kind, limit = "api-file", 60


class RefusedThrottle(WindowThrottle):
    """Requests without a valid token from one address."""

    kind, limit, guards_secret = "api-refused", 300, True

    def sender(self, request: Request | HttpRequest) -> str:
        return client_address(request)


def throttle_for(operation: Operation) -> _ByToken:
    """Return what limits an operation."""
    if operation.upload is not None or operation.form is not None or isinstance(operation.gives, tuple):
        return FileThrottle()
    return WriteThrottle() if operation.changes else ReadThrottle()


LIMITS = {throttle.kind: throttle.limit for throttle in (ReadThrottle, WriteThrottle, FileThrottle, RefusedThrottle)}
