"""What a visitor gets when something went wrong: 503 where the database is away or a package is missing, else 500."""

from __future__ import annotations

import sys

from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.views.defaults import server_error as django_server_error

from experiments.paradigms import UnknownParadigm

RETRY_AFTER_SECONDS = 5
# PostgreSQL's word for a server that may only be read, such as one that has just handed over to another.
_READ_ONLY = "25006"


def is_passing(error: BaseException | None) -> bool:
    """Return whether an exception says that the database or the shared cache is away, locked, full or read-only for a
    while.
    """
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", "") == _READ_ONLY
    return isinstance(error, OperationalError | InterfaceError) or _is_of_redis(error)


def _is_of_redis(error: BaseException | None) -> bool:
    """Return whether the shared cache is one of Redis that does not answer. Without one, Redis is not imported."""
    redis = sys.modules.get("redis")
    return redis is not None and isinstance(error, (redis.ConnectionError, redis.TimeoutError))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after an exception that nobody caught, as Django asks for it while handling the exception."""
    error = sys.exc_info()[1]
    if isinstance(error, UnknownParadigm):
        return _said(request, "no_paradigm.html", paradigm=error.slug)
    if not is_passing(error):
        return django_server_error(request)
    answer = _said(request, "503.html")
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer


def busy(request: HttpRequest) -> HttpResponse:
    """Answer an upload that finds all places taken in which files are read."""
    answer = _said(request, "busy.html")
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer


def _said(request: HttpRequest, template: str, **context: str) -> HttpResponse:
    # Without the request, whose user would be asked for in the database again; the language is the browser's.
    with translation.override(translation.get_language_from_request(request)):
        return HttpResponse(render_to_string(template, context), status=503)
