"""One view for all operations: who asks, may they, is it well formed; then the operation; then the answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import orjson
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import override
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from analysis.exports.english import in_english
from config.accounts.models import PersonalToken
from config.api.authentication import TokenAuthentication
from config.api.bodies import Body, read_body
from config.api.declarations import JSON, Answer, Call, Operation
from config.api.etags import etag_of, names, require_match, require_status
from config.api.idempotency import answered_once, key_of, replayed
from config.api.limits import RefusedThrottle, throttle_for
from config.api.problems import CONTENT_TYPE, Problem, at, not_found, problem_of
from config.api.reach import studies_of, tasks_of
from config.middleware import is_text
from experiments.models import Study
from experiments.study.access import may_make_studies, role_in
from experiments.study.editing import locked

logger = logging.getLogger(__name__)
RANKS = ("viewer", "editor", "owner")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}
_NEEDS = {
    "editor": "This is for people who may edit the study; ask its owner.",
    "owner": "This is for the owner of the study alone.",
}


class AnyAnswer(BaseContentNegotiation):
    """Give what the operation gives, whatever a program says that it accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class OperationsView(APIView):
    """The operations at one address."""

    operations: ClassVar[Mapping[str, Operation]] = {}
    operation: Operation
    authentication_classes = [TokenAuthentication]
    content_negotiation_class = AnyAnswer
    # The schema of participants' addresses does not list these; they have one of their own.
    schema = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        # Programs read what is said here, so it is English whatever the browser of somebody prefers.
        with override(settings.LANGUAGE_CODE):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not is_text(request.path) or not all(is_text(text) for pair in _query_of(request) for text in pair):
            raise Problem("malformed", "The address holds a character that no text can hold.")
        super().initial(request, *args, **kwargs)
        operation = self.operations.get(request.method or "")
        if operation is None:
            raise exceptions.MethodNotAllowed(request.method or "")
        self.operation = operation
        throttle = throttle_for(self.operation)
        if not throttle.allow_request(request, self):
            raise exceptions.Throttled(throttle.wait())

    def answer(self, request: Request, **path: str) -> HttpResponseBase:
        """Do what is asked for and return the answer."""
        token: PersonalToken = request.auth  # type: ignore[assignment]
        asked, operation = request._request, self.operation
        if lacking := [scope for scope in operation.scopes if scope not in token.scopes]:
            detail = (
                f"The token lacks the scope {' and '.join(lacking)}. Make another one under /admin/account/tokens/."
            )
            raise Problem("lacks-scope", detail)
        call = Call(asked, operation, token, path)
        self._admit(call)
        call.query = self._query(request)
        if operation.is_of_study and (part := call.query.get("part", "")):
            call.found_study = _seen_through(call.study, part)
        body = read_body(asked, operation)
        call.body, call.content_type, call.files = body.value, body.content_type, body.files
        return self._done(call, body)

    def _admit(self, call: Call) -> None:
        """Find the study and the person's role in it. Raises Problem: 404 for what is not theirs, 403 for a role."""
        role = call.operation.role
        if call.operation.is_of_study:
            slug = call.path["slug"]
            study = studies_of(call.token).select_related("owner").filter(slug=slug).first() if len(slug) < 61 else None
            if study is None:
                raise not_found("There is no such study, or neither you nor the token has access to it.")
            call.found_study, call.role = study, role_in(call.user, study)
            if role in RANKS and RANKS.index(call.role) < RANKS.index(role):
                raise Problem("not-allowed", f"{_NEEDS[role]} Nothing was changed.")
        if role == "maker" and not may_make_studies(call.user):
            detail = "Your account sees what is shared with it. An administrator can let you make studies."
            raise Problem("not-allowed", detail)

    def _query(self, request: Request) -> dict[str, Any]:
        given = {name: values[-1] for name, values in request._request.GET.lists()}
        shape = self.operation.query
        if shape is None:
            if given:
                faults = [at(f"/{name}", "There is no such parameter.") for name in given]
                raise Problem("invalid", "The address has parameters that are not known here.", faults)
            return {}
        query = shape(data=given)
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def _done(self, call: Call, body: Body) -> HttpResponseBase:
        operation, request = call.operation, call.request
        key = key_of(request) if operation.creates else ""
        if key and (again := replayed(call.token, key, request, body.raw)) is not None:
            return again
        if operation.is_guarded and operation.state is not None:
            # Said before anything that takes long; what counts is asked again once the study is locked.
            require_status(request, call.study)
            require_match(request, etag_of(operation.state(call)))
        if operation.prepare is not None:
            call.prepared = operation.prepare(call)
        if key:
            return answered_once(call.token, key, request, body.raw, lambda: _whole(operation, call))
        if operation.is_guarded and operation.state is not None:
            with transaction.atomic():
                call.found_study = locked(call.study)
                require_status(request, call.found_study)
                require_match(request, etag_of(operation.state(call)))
                given = operation.handle(call)
                if operation.method != "DELETE":
                    call.with_study_anew()
                    given = _with_headers(given, {"ETag": etag_of(operation.state(call))})
            return _response(operation, given)
        if operation.method == "GET" and operation.state is not None:
            etag = etag_of(operation.state(call))
            if names(request.headers.get("If-None-Match", ""), etag):
                return HttpResponse(status=304, headers={"ETag": etag})
            return _response(operation, _with_headers(operation.handle(call), {"ETag": etag}))
        return _response(operation, operation.handle(call))

    def handle_exception(self, exc: Exception) -> HttpResponseBase:  # type: ignore[override]
        problem = problem_of(exc)
        if problem is None:
            logger.exception("An operation of the API failed")
            detail = "The platform has a fault here. Its log holds the details; tell the people who run it."
            problem = Problem("server-error", detail)
        if problem.code == "not-authenticated" and RefusedThrottle().counted(self.request) > RefusedThrottle.limit:
            problem = problem_of(exceptions.Throttled(RefusedThrottle().wait())) or problem
        return response_of(problem)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response


class NothingHere(OperationsView):
    """Every other address below /api/v1/."""

    authentication_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise not_found(
            "There is no such address; /api/v1/openapi.json lists all. They end with a slash unless they name a file."
        )


def response_of(problem: Problem) -> HttpResponse:
    """Return a problem as an answer."""
    body = orjson.dumps(problem.content(), default=str)
    return HttpResponse(body, status=problem.kind.status, content_type=CONTENT_TYPE, headers=dict(problem.headers))


def json_bytes(data: Any) -> bytes:
    """Return JSON as answers have it: times in UTC with a Z."""
    return orjson.dumps(data, default=str, option=orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC)


def _whole(operation: Operation, call: Call) -> HttpResponse:
    answer = _response(operation, operation.handle(call))
    assert isinstance(answer, HttpResponse)  # noqa: S101 - what creates gives no stream
    return answer


def _response(operation: Operation, given: Answer) -> HttpResponseBase:
    headers = dict(given.headers)
    if given.name:
        headers["Content-Disposition"] = f'attachment; filename="{given.name}"'
    status = given.status or operation.status
    if given.pieces is not None:
        pieces = in_english(given.pieces)
        return StreamingHttpResponse(pieces, status=status, content_type=given.content_type, headers=headers)
    if given.content is not None:
        return HttpResponse(given.content, status=status, content_type=given.content_type, headers=headers)
    if status == 204:
        answer = HttpResponse(status=status, headers=headers)
        del answer["Content-Type"]
        return answer
    return HttpResponse(json_bytes(given.data), status=status, content_type=JSON, headers=headers)


def _with_headers(given: Answer, headers: Mapping[str, str]) -> Answer:
    return Answer(
        given.data, given.content, given.pieces, given.content_type, given.name, given.status,
        {**given.headers, **headers},
    )  # fmt: skip


def _seen_through(study: Study, part: str) -> Study:
    known = tasks_of(study)
    if part not in known:
        raise Problem("invalid", "The study has no such task.", [at("/part", f"Known are: {', '.join(known)}.")])
    return study.seen_through(part)


def _query_of(request: Request) -> Sequence[tuple[str, str]]:
    return [(name, value) for name, values in request._request.GET.lists() for value in values]
