"""Read what was sent, within bounds: JSON of a declared shape, a file, or a form with files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.core.exceptions import SuspiciousOperation, TooManyFilesSent
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from rest_framework import serializers

from config.api.declarations import JSON, MEGABYTE, MOST_JSON, Fields, Operation
from config.api.fields import Shape
from config.api.problems import Problem, at
from participants.content import why_not_storable

FORM = "multipart/form-data"


@dataclass(frozen=True)
class Body:
    """What was sent: a checked object or the bytes of a file, its media type, and the files of a form."""

    value: Any = None
    content_type: str = ""
    files: Mapping[str, Sequence[tuple[str, bytes]]] = field(default_factory=dict)
    # What tells this request from another with the same idempotency key.
    raw: bytes = b""


def read_body(request: HttpRequest, operation: Operation) -> Body:
    """Return the body of a request, checked against the declaration. Raises Problem and ValidationError (of DRF)."""
    kind = (request.content_type or "").lower()
    length = _length(request)
    if length > operation.most_bytes:
        raise _too_large(operation.most_bytes)
    if operation.form is not None and kind == FORM:
        return _form(request, operation.form)
    if operation.upload is not None and kind in operation.upload.types:
        raw = _bytes(request, operation.upload.most)
        if not raw:
            raise Problem(
                "invalid",
                "The body is empty. Nothing was stored; send the file as the body.",
                [at("", "The body is empty.")],
            )
        return Body(raw, kind, raw=raw)
    if operation.body is not None:
        return _json(request, operation, kind)
    raw = _bytes(request, MOST_JSON)
    if operation.upload is not None or operation.form is not None:
        raise _unsupported(operation)
    if raw.strip() not in (b"", b"{}"):
        raise Problem("invalid", "This operation takes no body. Nothing was done.", [at("", "There is a body.")])
    return Body(raw=raw)


def checked(shape: type[Shape], value: Any) -> Any:
    """Return a value as its shape has it. Raises ValidationError (of DRF) with all faults."""
    if why := why_not_storable(value):
        raise serializers.ValidationError({"": [f"The value cannot be stored: {why}."]})
    return shape().run_validation(value)


def _json(request: HttpRequest, operation: Operation, kind: str) -> Body:
    assert operation.body is not None  # noqa: S101 - for the type alone
    raw = _bytes(request, MOST_JSON)
    if not raw.strip() and operation.is_body_optional:
        return Body(checked(operation.body, {}), JSON, raw=raw)
    if kind != JSON:
        raise _unsupported(operation)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        detail = f"The body is not valid JSON: {error}. Nothing was stored."
        raise Problem("malformed", detail) from error
    return Body(checked(operation.body, value), JSON, raw=raw)


def _form(request: HttpRequest, declared: Fields) -> Body:
    try:
        posted, sent = request.POST, request.FILES
    except (MultiPartParserError, SuspiciousOperation, TooManyFilesSent) as error:
        raise Problem("malformed", "The form cannot be read. Nothing was stored.") from error
    strange = [name for name in sent if name not in declared.files]
    faults = [at(f"/{name}", "There is no such file.", f"Known are: {', '.join(declared.files)}.") for name in strange]
    faults += [at(f"/{name}", "This file is required.") for name in declared.required if name not in sent]
    if faults:
        raise Problem("invalid", "The form is not complete. Nothing was stored.", faults)
    texts = {name: {"true": True, "false": False}.get(str(text), text) for name, text in posted.items()}
    value = checked(declared.texts, texts) if declared.texts is not None else {}
    files = {name: [(file.name or name, file.read()) for file in sent.getlist(name)] for name in sent}
    raw = b"\x00".join(
        [repr(sorted(texts.items())).encode(), *(data for some in files.values() for _name, data in some)]
    )
    return Body(value, FORM, files, raw)


def _length(request: HttpRequest) -> int:
    given = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else 0


def _bytes(request: HttpRequest, most: int) -> bytes:
    """Return the body, and never more than is taken, whatever length was declared."""
    raw = request.read(most + 1)
    if len(raw) > most:
        raise _too_large(most)
    return raw


def _too_large(most: int) -> Problem:
    return Problem(
        "too-large", f"The body has more than {most / MEGABYTE:g} MB. Nothing was stored; send less at once."
    )


def _unsupported(operation: Operation) -> Problem:
    taken = [
        *([JSON] if operation.body is not None else []),
        *(operation.upload.types if operation.upload is not None else ()),
        *([FORM] if operation.form is not None else []),
    ]
    detail = f"Say what the body is in the header Content-Type: {', '.join(taken)}. Nothing was stored."
    return Problem("unsupported-media-type", detail)
