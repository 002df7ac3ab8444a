"""Rate limits against runaway programs. A whole class may share an address, so limits by address are generous.

Counted in fixed windows of a minute, for all processes of the machine (`counting`); guesses of codes are also counted
for all machines (`shared`). An address is hashed with a key
before it is counted and forgotten after the window: no address is stored. Which one that is, `TRUSTED_PROXIES` says.
"""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from participants.codes import is_simulation_key
from participants.limits.addresses import client_address
from participants.limits.counting import count, counted_as
from participants.limits.shared import count_for_all

_WINDOW_SECONDS = 60
SIMULATION_HEADER = "X-Lectern-Simulation"


class WindowThrottle(BaseThrottle):
    """At most `limit` requests of one kind from one sender in a minute. Simulations are not limited."""

    kind = ""
    limit = 0
    # Whether guesses are limited: those count for all machines together, requests for the machine that they burden.
    guards_secret = False

    def sender(self, request: Request | HttpRequest) -> str:
        """Return what identifies the sender."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: Any) -> bool:
        return self.allow(request, view.kwargs.get("slug", ""))

    def allow(self, request: Request | HttpRequest, slug: str) -> bool:
        """Count the request and return whether it is within the limit."""
        if is_simulation_key(slug, request.headers.get(SIMULATION_HEADER, "")):
            return True
        return self.counted(request) <= self.limit

    def counted(self, request: Request | HttpRequest) -> int:
        """Count the request and return which one it is within the window; 0 where counting fails."""
        window = int(time.time() // _WINDOW_SECONDS)
        digest = counted_as(self.sender(request))
        number = count(self.kind, digest, window=window)
        if self.guards_secret:
            number = max(number, count_for_all(self.kind, digest, window=window, seconds=_WINDOW_SECONDS))
        return number

    def wait(self) -> float:
        return _WINDOW_SECONDS - time.time() % _WINDOW_SECONDS


class _ByAddress(WindowThrottle):
    def sender(self, request: Request | HttpRequest) -> str:
        return client_address(request)


class StartThrottle(_ByAddress):
    """Starts: many classes at once behind one address."""

    kind, limit = "start", 3_000


class WithdrawalThrottle(_ByAddress):
    """Withdrawal codes tried: far too few to guess one."""

    kind, limit, guards_secret = "withdraw", 60, True


class ResultsThrottle(WindowThrottle):
    """Requests of one session: twenty a second is more than any browser sends."""

    kind, limit = "results", 1_200

    def sender(self, request: Request | HttpRequest) -> str:
        session = getattr(request, "auth", None)
        return f"session {session.pk}" if session is not None else f"address {client_address(request)}"


class ReleaseThrottle(ResultsThrottle):
    """Release codes tried in one session: far too few to guess one."""

    kind, limit, guards_secret = "release", 20, True


class ErrorThrottle(ResultsThrottle):
    """Reports of browser errors: a loop in a browser must not fill the database."""

    kind, limit = "errors", 30
