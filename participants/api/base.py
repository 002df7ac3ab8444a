"""Base class of all API endpoints: look up the study, activate its language, format refusals."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from experiments.languages import PARAMETER
from experiments.models import Study
from experiments.study.server_words import speak_in_words_of
from participants.authentication import ParticipantAuthentication, asking_session
from participants.content import why_not_storable
from participants.intake.entries import MAX_BATCH_BYTES
from participants.intake.results import NotStored
from participants.models import Session
from participants.refusals import Refusal, no_session
from participants.session.rows import study_by_slug

RETRY_AFTER_SECONDS = 5
NO_CONTENT = "default-src 'none'; frame-ancestors 'none'"


class TooLarge(exceptions.APIException):
    """The body is larger than any client of ours sends."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"


class FastJSONRenderer(JSONRenderer):
    """Render plain values as JSON with orjson, which takes a fifth of the time for a session's trials.

    Everything else is left to Django REST framework: datetimes, lazy translations, integers of more than 64 bits, and
    indented JSON.
    """

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if data is not None and accepted_media_type == self.media_type:
            with contextlib.suppress(TypeError):
                return orjson.dumps(data, option=orjson.OPT_PASSTHROUGH_DATETIME)
        return super().render(data, accepted_media_type, renderer_context)


class StudyView(APIView):
    """An endpoint of one study. `self.study` is there in every handler."""

    renderer_classes = [FastJSONRenderer]
    begins_sessions = False
    authentication_classes = [ParticipantAuthentication]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Forbid loading any resources: the API returns nothing that a browser would render."""
        return {**super().default_response_headers, "Content-Security-Policy": NO_CONTENT}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look up study and session, and activate the study's language, before anything can be refused."""
        self.study = self.in_language(self.study_of(request), request)
        speak_in_words_of(self.study, self.study.language)
        super().initial(request, *args, **kwargs)
        if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BATCH_BYTES:
            raise TooLarge

    def in_language(self, study: Study, request: Request) -> Study:
        """Return the study as who asks reads it: in the language of the session, otherwise that of the address.

        Before a session is started, the language of the address comes first, also where another session is there.
        """
        if not study.languages:
            return study
        asked = request.query_params.get(PARAMETER, "")
        is_chosen = asked in study.all_languages and (self.begins_sessions or asking_session(request) is None)
        return study.said_in(asked) if is_chosen else study

    def study_of(self, request: Request) -> Study:
        """Return the study in the URL; reusing the session's study saves a query."""
        session = asking_session(request)
        if session is not None:
            return session.study
        slug = self.kwargs["slug"]
        # No slug has a NUL in it, which PostgreSQL would not take.
        study = study_by_slug(slug) if "\x00" not in slug else None
        if study is None:
            raise Http404
        return study

    def session(self, request: Request) -> Session:
        """Return the session of the request. Raises Refusal `no-session`."""
        session = asking_session(request)
        if session is None:
            raise no_session()
        return session

    def body(self, request: Request, *, as_sent: bool = False) -> dict[str, Any]:
        """Return the JSON object that was sent. What no database can hold is refused, unless wanted `as_sent`.

        Facts about the browser (`client`) are never a reason to refuse a request: invalid ones are dropped later.
        """
        try:
            data = request.data
        except RecursionError as error:
            raise exceptions.ParseError from error
        if not isinstance(data, dict) or (not as_sent and why_not_storable({**data, "client": None})):
            raise exceptions.ParseError
        return data

    def handle_exception(self, exc: Exception) -> Response:
        """Answer every refusal with a code and a sentence, and database errors with 503 (try again)."""
        if isinstance(exc, Refusal):
            answer = problem(exc.code, str(exc.message), exc.status, **exc.details)
            if "seconds" in exc.details:
                answer["Retry-After"] = str(exc.details["seconds"])
            return answer
        if isinstance(exc, OperationalError | InterfaceError | NotStored):
            answer = problem(
                "database-trouble",
                _("The answers could not be stored at the moment. They are kept in the browser and sent again."),
                status.HTTP_503_SERVICE_UNAVAILABLE,
            )
            answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
            return answer
        answer = super().handle_exception(exc)
        code, message = _explanation(exc)
        answer.data = {"code": code, "message": message}
        if isinstance(exc, exceptions.ValidationError):
            answer.data["fields"] = exc.detail
        return answer


def checked(serializer_class: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated body. Raises ValidationError."""
    body: dict[str, Any] = _serializer(serializer_class).run_validation(data)
    return body


@cache
def _serializer(serializer_class: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return one serializer for all requests: building its fields takes longer than validating a body."""
    return serializer_class()


def problem(code: str, message: str, status_code: int, **details: Any) -> Response:
    """Return an answer that says why a request was not done."""
    return Response({"code": code, "message": message, **details}, status=status_code)


def _explanation(exc: Exception) -> tuple[str, str]:
    """Return code and sentence for the exceptions that the framework raises."""
    if isinstance(exc, Http404 | exceptions.NotFound):
        return "no-study", _("There is no study at this address. Please check the link.")
    if isinstance(exc, TooLarge):
        return "too-large", _("This is more than 256 kB at once. Nothing of it was stored; send it in smaller batches.")
    if isinstance(exc, exceptions.ValidationError):
        return "invalid", _("The request is not complete or not valid. Nothing was stored.")
    if isinstance(exc, exceptions.ParseError):
        return "malformed", _("The request is not a JSON object of the expected shape. Nothing was stored.")
    if isinstance(exc, exceptions.UnsupportedMediaType):
        return "not-json", _("Only JSON is accepted here. Nothing was stored.")
    if isinstance(exc, exceptions.Throttled):
        return "too-many-requests", _("Too many requests within a minute. Nothing was stored; please wait a little.")
    if isinstance(exc, exceptions.PermissionDenied | exceptions.NotAuthenticated):
        return "not-allowed", _("Only researchers of the study can do this.")
    return "refused", _("This is not possible here. Nothing was stored.")
