"""Middleware: names of the site, health checks, invalid characters, cross-origin isolation, content-security policies,
and forms that were stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.messages import get_messages
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.request import split_domain_port, validate_host
from django.http.response import HttpResponseBase

from config.trouble import busy
from experiments.uploads.reading import Busy
from participants.views.health import healthz, readyz

Handler = Callable[[HttpRequest], HttpResponse]
MONITORED = {"/healthz": healthz, "/readyz": readyz}
# By these a machine or a container asks itself.
OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"]


class HostMiddleware:
    """Refuse a request by any name that is not the site's with 400, whatever it asks for: pages, files or health."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            domain, _port = split_domain_port(request.META.get("HTTP_HOST", ""))
            if request.path_info not in MONITORED or not validate_host(domain, OWN_NAMES):
                raise
        return self.get_response(request)


class MonitoringMiddleware:
    """Answer health checks before anything else is asked: without HTTPS, sessions and languages."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        view = MONITORED.get(request.path_info)
        return view(request) if view is not None else self.get_response(request)


class PlainTextMiddleware:
    """Reject U+0000 and lone surrogates in URLs and cookies, which no database can store.

    A URL with them gives 400; a cookie with them is not ours and is dropped. The API for researchers looks itself, and
    says so in its own form.
    """

    LOOKS_ITSELF = "/api/v1/"

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(self.LOOKS_ITSELF) and (
            not is_text(request.path)
            or any(not is_text(part) for name, values in request.GET.lists() for part in (name, *values))
        ):
            return HttpResponseBadRequest("Bad Request", content_type="text/plain")
        for name, value in list(request.COOKIES.items()):
            if not is_text(name) or not is_text(value):
                del request.COOKIES[name]
        return self.get_response(request)


def is_text(text: str) -> bool:
    """Return whether a database can hold the text."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


class IsolationMiddleware:
    """Cross-origin isolation, which gives participants' browsers their finest clock."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cross-Origin-Embedder-Policy", "require-corp")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"
        )
        return response


class PolicyMiddleware(CSPMiddleware):
    """Set the content-security policy, unless the response already has one."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return response if HEADER in response else super().process_response(request, response)


class BusyMiddleware:
    """Answer 503 where an upload finds all places taken in which files are read."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say that nothing was stored, and when to send the file again."""
        return busy(request) if isinstance(error, Busy) else None


class SavedFormsMiddleware:
    """Tell the browser which form was stored, by a cookie that the script reads which keeps drafts of forms.

    A form that is sent names itself in the field `kept_form`. It was stored where the answer to somebody who is logged
    in leads to another page and says no error. Whether a page as the answer shows what was sent, the script sees.
    """

    FIELD, COOKIE, SECONDS = "kept_form", "lectern_saved_form", 600

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "POST" or response.status_code >= 400 or not request.path.startswith("/admin/"):
            return response
        form = request.POST.get(self.FIELD, "")
        is_refused = not request.user.is_authenticated or getattr(get_messages(request), "says_error", False)
        if re.fullmatch(r"[0-9-]{1,60}", form) and not is_refused:
            outcome = "saved" if response.status_code >= 300 else "answered"
            response.set_cookie(
                self.COOKIE,
                f"{form}.{outcome}",
                max_age=self.SECONDS,
                path="/admin/",
                samesite="Strict",
                secure=settings.HTTPS,
            )
        return response


class AdminPolicyMiddleware:
    """Set the admin's content-security policy, only below the admin's URLs."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith("/admin/"):
            response._csp_replace = settings.ADMIN_CONTENT_SECURITY_POLICY  # type: ignore[attr-defined]
        return response
