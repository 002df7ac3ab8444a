"""The OpenAPI document: paths, parameters, bodies, answers and problems of every operation."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings

from config.api.bodies import FORM
from config.api.catalogue import OPERATIONS, SUBJECTS
from config.api.declarations import JSON, Fields, Operation, routes
from config.api.etags import IF_STATUS
from config.api.fields import Asked, Choice, Shape, Text, Whole
from config.api.limits import LIMITS
from config.api.problems import CONTENT_TYPE, KINDS, Kind
from config.api.schema.shapes import Components, Schema

PREFIX = "/api/v1/"
PARAMETERS = {
    "slug": "The address of the study, such as `causal-sentences`.",
    "kind": "`welcome`, `consent`, `instructions` or `debriefing`.",
    "name": "The name of the file or of the source.",
    "pseudonym": "The pseudonym of the participant, as exports have it.",
    "run": "The number of the analysis.",
    "archive": "The number of the archive.",
    "hook": "The number of the hook.",
    "version": "The number of the version.",
}
_STRING: Schema = {"type": "string"}
_STEP: Schema = {"type": "string", "minLength": 1, "pattern": "^[^/]+$"}
_HEADERS: dict[str, Schema] = {
    "ETag": {"schema": _STRING, "description": "Of what was read or stored; send it in `If-Match` to change it."},
    "Link": {"schema": _STRING, "description": '`rel="next"`: the address of the next page.'},
    "Lectern-Cursor": {"schema": _STRING, "description": "To be sent as `since` for what ends after this export."},
    "Retry-After": {"schema": {"type": "integer"}, "description": "After how many seconds to ask again."},
    "Location": {"schema": _STRING, "description": "The address of what was made."},
    "Idempotency-Replayed": {"schema": _STRING, "description": "`true` where the answer was given before."},
}
_PRECONDITIONS = (
    ("If-Match", True, "The ETag of the state that is changed, or `*` for whatever it is."),
    (IF_STATUS, False, "Change it only while the study is in this state, such as `draft`."),
)


class Fault(Shape):
    """One fault of a request."""

    place = Text(allow_blank=True, help_text="A JSON pointer into the body, a parameter, or the name of a setting.")
    line = Whole(allow_null=True, help_text="The line of a file, from 1, its header included.")
    column = Text(allow_blank=True, help_text="The column of a table.")
    message = Text(help_text="What is wrong.")
    suggestion = Text(allow_blank=True, help_text="What to do.")
    step = Text(allow_blank=True, help_text="The page of the study where it can be corrected.")


class ProblemDetails(Shape):
    """Why a request was not done (RFC 9457)."""

    type = Text(help_text="Where the documents tell of this kind of problem.")
    title = Text(help_text="The kind of problem in a few words.")
    status = Whole()
    code = Choice(choices=list(KINDS), help_text="For programs; it never changes.")
    detail = Text(help_text="What happened, what was kept, what to do.")
    faults = Fault(many=True, required=False, help_text="Everything that is wrong, each with its place.")


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document as plain values."""
    components = Components()
    problem = components.ref(ProblemDetails)
    paths = {
        PREFIX + path: {method.lower(): _operation(one, components, problem) for method, one in methods.items()}
        for path, methods in routes(OPERATIONS).items()
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lectern: the researcher's API",
            "version": settings.CODE_VERSION,
            "summary": "Everything that the researcher's pages do, for programs.",
            "description": "Lists are pages with cursors; times are UTC; numbers have full precision. "
            f"Limits in a minute and token: {', '.join(f'{name} {limit}' for name, limit in LIMITS.items())}.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "externalDocs": {"url": "/docs/api/", "description": "With an example for each operation."},
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": [{"name": name, "description": text} for name, (text, _operations) in SUBJECTS.items()],
        "paths": paths,
        "components": {
            "schemas": components.schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "lectern_pat_…",
                    "description": "A personal token, made under /admin/account/tokens/.",
                }
            },
        },
    }


def problems_of(operation: Operation) -> list[Kind]:
    """Return the problems that an operation can have."""
    codes = {
        "malformed",
        "not-authenticated",
        "lacks-scope",
        "invalid",
        "too-many-requests",
        "busy",
        *operation.problems,
    }
    if operation.parameters:
        codes.add("not-found")
    if operation.role not in ("anybody", "viewer"):
        codes.add("not-allowed")
    if operation.changes:
        codes |= {"too-large", "refused", "frozen"}
    if operation.body is not None or operation.upload is not None or operation.form is not None:
        codes.add("unsupported-media-type")
    if operation.is_guarded:
        codes |= {"precondition-failed", "precondition-required"}
    if operation.creates:
        codes |= {"in-progress", "other-request"}
    return [kind for code, kind in KINDS.items() if code in codes]


def _operation(operation: Operation, components: Components, problem: Schema) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "tags": [next(name for name, (_text, some) in SUBJECTS.items() if operation in some)],
        "summary": operation.summary,
        "description": _description(operation),
        "security": [{"token": list(operation.scopes)}],
        "x-lectern-scopes": list(operation.scopes),
        "x-lectern-role": operation.role,
        "parameters": _parameters(operation, components),
        "responses": {
            str(operation.status): _success(operation, components),
            **({"304": {"description": "It is as it was."}} if operation.method == "GET" and operation.state else {}),
            **_refusals(operation, problem),
        },
    }
    if (body := _body(operation, components)) is not None:
        described["requestBody"] = body
    return described


def _description(operation: Operation) -> str:
    needs = f"Scopes: {', '.join(f'`{scope}`' for scope in operation.scopes)}."
    roles = {
        "anybody": "",
        "maker": " For people who make studies.",
        "viewer": " For members of the study.",
        "editor": " For people who may edit the study.",
        "owner": " For the owner of the study.",
    }
    return f"{operation.description} {needs}{roles[operation.role]}".strip()


def _parameters(operation: Operation, components: Components) -> list[Schema]:
    found: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": _STEP, "description": PARAMETERS[name]}
        for name in operation.parameters
    ]
    if operation.query is not None:
        found += _query(operation.query, components)
    if operation.is_guarded:
        found += [
            {"name": name, "in": "header", "required": required, "schema": _STRING, "description": text}
            for name, required, text in _PRECONDITIONS
        ]
    if operation.method == "GET" and operation.state is not None:
        text = "An ETag: where it is still the state, the answer is 304."
        found.append({"name": "If-None-Match", "in": "header", "schema": _STRING, "description": text})
    if operation.creates:
        schema = {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"}
        text = "A random text: the same request with the same key is done once, and answered the same for a day."
        found.append({"name": "Idempotency-Key", "in": "header", "schema": schema, "description": text})
    return found


def _query(query: type[Asked], components: Components) -> list[Schema]:
    return [
        {
            "name": name,
            "in": "query",
            "required": bool(field.required),
            "schema": {key: value for key, value in components.of_field(field).items() if key != "description"},
            "description": str(field.help_text or ""),
        }
        for name, field in query().fields.items()
    ]


def _body(operation: Operation, components: Components) -> Schema | None:
    content: Schema = {}
    if operation.body is not None:
        content[JSON] = {"schema": components.ref(operation.body)}
    if operation.upload is not None:
        content |= {kind: {"schema": {"type": "string", "minLength": 1}} for kind in operation.upload.types}
    if operation.form is not None:
        content[FORM] = {"schema": _form(operation.form, components)}
    return {"required": not operation.is_body_optional, "content": content} if content else None


def _form(form: Fields, components: Components) -> Schema:
    texts = form.texts().fields.items() if form.texts is not None else ()
    binary: Schema = {"type": "string", "contentMediaType": "application/octet-stream"}
    properties = dict.fromkeys(form.files, binary) | {name: components.of_field(field) for name, field in texts}
    return {"type": "object", "properties": properties, "required": list(form.required), "additionalProperties": False}


def _success(operation: Operation, components: Components) -> Schema:
    described: Schema = {"description": operation.summary + "."}
    if isinstance(operation.gives, tuple):
        described["content"] = {kind: {"schema": _STRING} for kind in operation.gives}
    elif operation.gives is not None:
        described["content"] = {JSON: {"schema": components.ref(operation.gives)}}
    headers = [*operation.headers]
    if operation.state is not None and operation.method != "DELETE":
        headers.append("ETag")
    if operation.creates:
        headers.append("Idempotency-Replayed")
    if headers:
        described["headers"] = {name: _HEADERS[name] for name in headers}
    return described


def _refusals(operation: Operation, problem: Schema) -> Schema:
    by_status: dict[int, list[Kind]] = {}
    for kind in problems_of(operation):
        by_status.setdefault(kind.status, []).append(kind)
    answers: Schema = {}
    for status, kinds in sorted(by_status.items()):
        text = "; ".join(f"`{kind.code}`: {kind.title}" for kind in kinds)
        answers[str(status)] = {"description": f"{text}.", "content": {CONTENT_TYPE: {"schema": problem}}}
        if status in (429, 503):
            answers[str(status)]["headers"] = {"Retry-After": _HEADERS["Retry-After"]}
    return answers
