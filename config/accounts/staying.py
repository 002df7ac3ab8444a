"""Who stays logged in: sessions that the university has to confirm, and accounts that have to have a second factor.

The university is not asked between log-ins, so a role that it takes away would hold for as long as a session does. A
session that came through it is therefore sent there again, which a browser that is still logged in there hardly
notices, and ends where that does not happen in time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode
from django.utils.translation import gettext as _

Handler = Callable[[HttpRequest], HttpResponse]
ADMIN = "/admin/"
# The way in and out, and to a second factor.
OPEN = (
    "/admin/login/", "/admin/logout/", "/admin/jsi18n/", "/admin/account/leave/", "/admin/account/language/",
    "/admin/account/password/", "/admin/account/confirm/", "/admin/account/second-factor/",
    f"/admin/account/university/{settings.OIDC_PROVIDER_ID}/",
)  # fmt: skip
CONFIRMED_AT, ASKED_AT = "university_confirmed_at", "university_asked_at"
# Where the university does not answer, the next pages are shown before it is asked again.
ASK_AGAIN_SECONDS = 300


def note_university(request: HttpRequest) -> None:
    """Note that the university has just said that somebody may come in."""
    request.session[CONFIRMED_AT] = time.time()
    request.session.pop(ASKED_AT, None)


def is_confirmed_by_university(request: HttpRequest) -> bool:
    """Return whether this session came through the university."""
    return CONFIRMED_AT in request.session


def end_sessions(request: HttpRequest, user: Any) -> None:
    """End every session of an account, this one included."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    if request.user == user:
        logout(request)


class _Middleware:
    """Ask of the pages of the admin whether somebody may go on. Elsewhere they count as logged out until they may."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(ADMIN):
            # Not asked before a page asks who it is: participants' pages need no query for it.
            asked = request.user
            request.user = SimpleLazyObject(  # type: ignore[assignment]  # as that of Django itself
                lambda: AnonymousUser() if self.stops(request, get_user(request)) else asked
            )
        elif not request.path.startswith(OPEN):
            led = self.led_elsewhere(request, request.user) if request.user.is_authenticated else None
            if led is not None:
                return led
        return self.get_response(request)

    def stops(self, request: HttpRequest, user: Any) -> bool:
        """Return whether somebody who is logged in may not go on."""
        raise NotImplementedError

    def led_elsewhere(self, request: HttpRequest, user: Any) -> HttpResponse | None:
        """Return what somebody who is logged in gets instead of the page; None for the page."""
        raise NotImplementedError


class UniversityMiddleware(_Middleware):
    """Send sessions that came through the university there again after half an hour, and end them after an hour."""

    def stops(self, request: HttpRequest, user: Any) -> bool:
        return bool(user.is_authenticated) and _unconfirmed(request, user) >= settings.OIDC_SESSION_SECONDS

    def led_elsewhere(self, request: HttpRequest, user: Any) -> HttpResponse | None:
        seconds = _unconfirmed(request, user)
        if seconds < settings.OIDC_CONFIRM_SECONDS:
            return None
        there = reverse("openid_connect_login", args=[settings.OIDC_PROVIDER_ID])
        way = f"{there}?{urlencode({'next': request.get_full_path()})}"
        can_ask = settings.OIDC_IS_SET_UP and _is_navigation(request)
        if seconds >= settings.OIDC_SESSION_SECONDS:
            logout(request)
            # Without a way there the page itself leads to the log-in, and says so of a form that was sent.
            return HttpResponseRedirect(way) if can_ask else None
        if can_ask and time.time() - request.session.get(ASKED_AT, 0) >= ASK_AGAIN_SECONDS:
            request.session[ASKED_AT] = time.time()
            return HttpResponseRedirect(way)
        return None


class SecondFactorMiddleware(_Middleware):
    """Lead people who have to have a second factor and have none to set one up, before anything else."""

    def stops(self, request: HttpRequest, user: Any) -> bool:
        return _lacks_second_factor(user)

    def led_elsewhere(self, request: HttpRequest, user: Any) -> HttpResponse | None:
        if not _lacks_second_factor(user):
            return None
        said = _(
            "This platform requires a second factor. Set up an authenticator app or a security key here; then "
            "you can open all pages again."
        )
        if not _is_navigation(request) and request.method == "GET":
            return HttpResponseForbidden(said, content_type="text/plain; charset=utf-8")
        messages.info(request, said)
        return redirect("mfa_index")


def _unconfirmed(request: HttpRequest, user: Any) -> float:
    """Return for how many seconds the university has not confirmed this session; 0 for one by a password."""
    at = request.session.get(CONFIRMED_AT)
    if at is not None:
        return max(0.0, time.time() - float(at))
    # A session from before this was noted; without a password it can only have come through the university.
    return math.inf if settings.OIDC_IS_SET_UP and not user.has_usable_password() else 0.0


def _lacks_second_factor(user: Any) -> bool:
    required = settings.SECOND_FACTOR_REQUIRED
    if required not in ("administrators", "everybody") or not user.is_authenticated or not user.is_staff:
        return False
    if required == "administrators" and not user.is_superuser:
        return False
    return not is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN])


def _is_navigation(request: HttpRequest) -> bool:
    """Return whether a browser opens a page, as opposed to sending a form or a script asking for data."""
    mode = request.headers.get("Sec-Fetch-Mode")
    return request.method == "GET" and (
        mode == "navigate" if mode else "text/html" in request.headers.get("Accept", "")
    )
